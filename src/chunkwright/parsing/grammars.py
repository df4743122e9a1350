"""Loads the grammar of a language. What its nodes mean is told by `meanings` and `rules`."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import import_module

from tree_sitter import Language as Tongue

from chunkwright.languages import Language
from chunkwright.parsing.meanings import meanings_of
from chunkwright.parsing.rules import Reader


@cache
def reader_of(language: Language) -> Reader | None:
    """The reader of a language; None where its grammar is not installed or it has none."""
    if language.grammar is None:
        return None
    try:
        module = import_module(language.grammar.module)
    except ImportError:
        return None
    pointer = getattr(module, language.grammar.function)()
    return Reader(Tongue(_capsule(pointer)), meanings_of(language.name))


def _capsule(pointer: object) -> object:
    """Some wheels give the grammar's address as a number, which tree-sitter no longer takes."""
    if not isinstance(pointer, int):
        return pointer
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(pointer, b"tree_sitter.Language", None)

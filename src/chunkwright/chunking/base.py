"""What every chunker has in common: options that are checked, and the methods of the contract.
Where to cut is not decided here, and chunks are made elsewhere (see assembling).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any, ClassVar

import msgspec

from chunkwright.characters import Lines, lone_surrogate
from chunkwright.chunking import unspaced
from chunkwright.chunking.budgeting import keep_within
from chunkwright.chunking.many import in_processes, one_by_one
from chunkwright.errors import ConfigError, ParseError, did_you_mean
from chunkwright.measuring import check, identity
from chunkwright.types import Block, Chunking, Document

FINGERPRINT_DIGITS = 16


class ChunkerType(msgspec.StructMeta):
    """Turns a wrong keyword into a `ConfigError` that suggests the nearest option."""

    def __call__(cls, *positional: Any, **options: Any) -> Any:  # noqa: N805  # a metaclass
        """Make a chunker; every option by keyword."""
        names: tuple[str, ...] = cls.__struct_fields__
        if positional:
            raise ConfigError("options", positional, f"pass {cls.__name__} options by keyword")
        for name, value in options.items():
            if name not in names:
                hint = did_you_mean(name, names)
                raise ConfigError(name, value, f"{hint}options are {', '.join(names)}")
        return super().__call__(**options)


class Chunker(msgspec.Struct, metaclass=ChunkerType, frozen=True, kw_only=True):
    """A frozen set of options that cuts documents; pure, picklable, safe among threads.

    Subclasses are structs whose fields are the options; they check them in `__post_init__`
    (which changes nothing, for unpickling runs it again) and implement `_cut`.
    """

    parsers: ClassVar[tuple[str, ...]] = ("regex",)
    """Distributions that parse for this chunker; their versions are part of the fingerprint."""

    def chunk(self, document: Document | str, blocks: Sequence[Block] | None = None) -> Chunking:
        """Cut one document; `blocks` from the caller replace parsing.

        Raises ParseError for text with lone surrogates, ConfigError for blocks out of range and
        for what is no text.
        """
        document = Document(document) if isinstance(document, str) else document
        _check_document(document)
        if blocks is not None:
            blocks = _checked_blocks(document, blocks)
        return self._within_budget(self._cut(document, blocks))

    def _within_budget(self, chunking: Chunking) -> Chunking:
        """With `budget_includes_context`: what does not fit around a text is left out."""
        size = getattr(self, "size", None)
        if not getattr(self, "budget_includes_context", False) or not size:
            return chunking
        return keep_within(chunking, self.measure, size)  # type: ignore[attr-defined]  # every sized chunker has one

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        raise NotImplementedError

    def split_text(self, text: str) -> list[str]:
        """The texts of the chunks of `text`."""
        return list(self.chunk(text).texts)

    def chunk_many(
        self, documents: Iterable[Document | str], workers: int | None = None
    ) -> Iterator[Chunking]:
        """Cut documents one after another, in order, as they are asked for.

        `workers` processes share the work when it is 2 or more. A document that raises gives an
        empty `Chunking` with the diagnostic `failed`, which names the error; the others are not
        affected. Raises ConfigError for a number of workers under 1, and where this chunker cannot
        be sent to another process.
        """
        require_size(workers, "workers", optional=True)
        single = isinstance(documents, str | Document) or not isinstance(documents, Iterable)
        require(not single, "documents", documents, "several documents; `chunk` cuts one")
        if workers is None or workers == 1:
            return one_by_one(self.chunk, documents)
        return in_processes(self.chunk, documents, workers)

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Every option with its default value."""
        return {field.name: field.default for field in msgspec.structs.fields(cls)}

    def options(self) -> dict[str, Any]:
        """Every option with its value here."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def _deciding(self) -> tuple[str, ...]:
        """Distributions whose versions decide where cuts fall."""
        return (*self.parsers, *unspaced.DISTRIBUTIONS)

    @property
    def fingerprint(self) -> str:
        """Equal for equal options and parser versions, different otherwise."""
        facts = {
            "chunker": type(self).__name__,
            "options": {name: _stable(name, value) for name, value in self.options().items()},
            "parsers": {name: _installed(name) for name in self._deciding()},
            "chunkwright": version("chunkwright"),
        }
        encoded = msgspec.json.encode(facts, order="sorted")
        return hashlib.sha256(encoded).hexdigest()[:FINGERPRINT_DIGITS]


def require(met: bool, option: str, value: object, allowed: str) -> None:
    """Raise ConfigError unless the option's value is allowed."""
    if not met:
        raise ConfigError(option, value, allowed)


def require_size(value: object, option: str = "size", *, optional: bool = False) -> None:
    """A positive whole number, or None where there may be no cap."""
    allowed = "a whole number of 1 or more" + (", or None for no cap" if optional else "")
    is_number = isinstance(value, int) and not isinstance(value, bool)
    require((optional and value is None) or (is_number and value >= 1), option, value, allowed)  # type: ignore[operator]  # is_number narrows it


def require_switch(value: object, option: str) -> None:
    """True or False; nothing that merely counts as one of them."""
    require(isinstance(value, bool), option, value, "True or False")


def require_whole_number(value: object, option: str) -> None:
    """Any whole number; a bool is not one."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    require(is_number, option, value, "a whole number")


def require_measure(value: object) -> None:
    """A measure's name, an object that counts, or a callable; nothing is loaded."""
    check(value)


def usable_overlap(overlap: int, size: int | None) -> int:
    """The overlap that leaves room for progress: never negative, half of `size` at most."""
    if overlap <= 0:
        return 0
    return size // 2 if size is not None and overlap >= size else overlap


def _check_document(document: Document) -> None:
    if not (isinstance(document, Document) and isinstance(document.text, str)):
        given = document.text if isinstance(document, Document) else document
        allowed = "a str or a Document; decode bytes first, for example with .decode('utf-8')"
        raise ConfigError("document", type(given).__name__, allowed)
    for field in ("path", "commit", "summary", "attachment_path"):
        _require_text(getattr(document, field), f"document.{field}")
    if document.language is not None:
        _require_text(document.language, "document.language")
    require(isinstance(document.metadata, dict), "document.metadata", document.metadata, "a dict")
    place = lone_surrogate(document.text)
    if place is not None:
        raise ParseError(
            document.path,
            Lines(document.text[:place]).number(place),
            f"lone surrogate U+{ord(document.text[place]):04X}",
            "decode the source with errors='replace' or leave it out",
        )


def _checked_blocks(document: Document, blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The caller's blocks, each a range inside the text."""
    last = len(document.text)
    try:
        given = tuple(blocks)
    except TypeError:
        raise ConfigError("blocks", blocks, "a sequence of Block") from None
    for block in given:
        if not isinstance(block, Block) or not _is_place(block.start, block.end):
            raise ConfigError(
                "blocks", block, "Block objects whose start and end are whole numbers"
            )
        if not 0 <= block.start < block.end <= last:
            allowed = f"each is a range inside the text's 0 to {last}, start < end"
            raise ConfigError("blocks", (block.start, block.end), allowed)
        for field in ("kind", "name", "signature", "doc", "info"):
            _require_text(getattr(block, field), f"blocks: {field}")
        sound = _is_place(block.depth, block.body) and block.depth >= 0 <= block.body
        require(sound, "blocks: depth, body", (block.depth, block.body), "whole numbers, 0 or more")
    return given


def _require_text(value: object, name: str) -> None:
    require(isinstance(value, str), name, value, "a str")


def _is_place(*values: object) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _stable(option: str, value: object) -> object:
    """An option value as JSON: an object (a measure, a second chunker) by what identifies it."""
    if option == "measure":
        return identity(value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, tuple | list):
        return [_stable(option, item) for item in value]
    own = getattr(value, "fingerprint", None) or getattr(value, "name", None)
    kind = type(value)
    return own or getattr(value, "__qualname__", f"{kind.__module__}.{kind.__qualname__}")


def _installed(distribution: str) -> str:
    try:
        return version(distribution)
    except ModuleNotFoundError:  # PackageNotFoundError is one
        return "absent"

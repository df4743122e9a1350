"""The documents an evaluation is about: read from a folder, or given. Nothing is cut here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from chunkwright.characters import is_whitespace_only
from chunkwright.errors import ConfigError, PathError
from chunkwright.languages import NOTEBOOK
from chunkwright.parsing import parse
from chunkwright.pipeline import family_of
from chunkwright.sources import DEFAULT_RULES, FAILURES, Rules, Skip, read, walk
from chunkwright.types import Document

GIVEN = "given texts"
"""Name of a corpus that was read from nowhere."""


class Corpus(msgspec.Struct, frozen=True):
    """Documents, and the texts that references stand in."""

    name: str
    documents: tuple[Document, ...]
    texts: dict[str, str]
    """Path -> what offsets refer to: the document's text, or a notebook's joined cells."""
    root: Path | None = None
    """The folder it was read from."""
    notes: tuple[str, ...] = ()
    """What of it could not be read."""

    @property
    def code_points(self) -> int:
        """Of all texts."""
        return sum(map(len, self.texts.values()))

    def as_texts(self) -> tuple[Document, ...]:
        """The documents with the texts that references stand in."""
        return tuple(replace(one, text=self.texts[one.path]) for one in self.documents)

    def with_texts(self, texts: Mapping[str, str], note: str) -> Corpus:
        """The same files with other texts of the same length; `note` says which. Notebooks stay as
        they are: their text is no part of their file."""
        documents = tuple(
            replace(one, text=texts[one.path]) if one.text == self.texts[one.path] else one
            for one in self.documents
        )
        return replace(
            self, documents=documents, texts=_texts(documents), notes=(*self.notes, note)
        )


CorpusLike = Corpus | Path | str | Mapping[str, str]
"""A corpus, the path of a folder or a file, or texts by path."""


def corpus_of(given: CorpusLike) -> Corpus:
    """The corpus that is meant. Raises PathError where there is nothing to read, ConfigError for
    texts whose paths or values are none."""
    if isinstance(given, Corpus):
        return given
    if isinstance(given, Mapping):
        return of_texts(given)
    return read_corpus(given)


def read_corpus(place: Path | str, rules: Rules = DEFAULT_RULES) -> Corpus:
    """Every file below a folder (or one file) that an index would take, sorted by path.

    Raises PathError where there is none, or nothing but white space in them.
    """
    given = Path(place)
    if not given.exists():
        raise PathError(str(place), "there is no such file or folder", "check the path")
    root = given if given.is_dir() else given.parent
    found = list(_found(root, given, rules))
    documents = tuple(one for one in found if isinstance(one, Document))
    if all(is_whitespace_only(one.text) for one in documents):
        kind = "holds any text" if documents else "can be read"
        reason = f"there is no file here that {kind}"
        remedy = f"give a folder with text; `chunkwright explain {place}` says what is left out"
        raise PathError(str(place), reason, remedy)
    notes = [f"{one.path} was left out: {one.reason}." for one in found if isinstance(one, Skip)]
    return Corpus(str(place), documents, _texts(documents), root, tuple(notes))


def of_texts(texts: Mapping[str, str], name: str = GIVEN) -> Corpus:
    """A corpus of texts by path: relative ones, with `/`. Raises ConfigError for others."""
    for path, text in texts.items():
        if not isinstance(path, str) or not isinstance(text, str):
            raise ConfigError("corpus", (path, text), "texts by path")
        if not path or path.startswith("/") or {"", ".", ".."} & set(path.split("/")):
            raise ConfigError("corpus", path, "relative paths, without `.` and `..`")
    if not texts:
        raise ConfigError("corpus", {}, "at least one text")
    documents = tuple(Document(text, path=path) for path, text in sorted(texts.items()))
    return Corpus(name, documents, _texts(documents))


def _texts(documents: Sequence[Document]) -> dict[str, str]:
    """What offsets of chunks refer to."""
    return {
        one.path: parse(one).text if family_of(one) == NOTEBOOK else one.text for one in documents
    }


def _found(root: Path, place: Path, rules: Rules) -> Iterator[Document | Skip]:
    """The documents, and what should have been one."""
    for kept in walk(root, rules, under=place.resolve()):
        source = kept if isinstance(kept, Skip) else read(root, kept.path, rules)
        if not isinstance(source, Skip):
            yield source.document
        elif source.reason in FAILURES:
            yield source


def places(corpus: Corpus) -> dict[str, int]:
    """Path -> where its text begins, were all texts written one behind the other with a gap: then
    a span of code points tells its document too."""
    found: dict[str, int] = {}
    start = 0
    for path, text in corpus.texts.items():
        found[path] = start
        start += len(text) + 1
    return found

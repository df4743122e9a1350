"""What every chunker has in common: options that are checked, four methods, and the one place
that turns spans into `Chunk`s. Where to cut is not decided here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any, ClassVar

import msgspec

from chunkwright.characters import Lines
from chunkwright.chunking.budgeting import keep_within
from chunkwright.errors import ChunkwrightError, ConfigError, ParseError
from chunkwright.measuring import Ruler, check, identity
from chunkwright.types import (
    EXTRA_VIEWS,
    SYMBOL_KINDS,
    Block,
    Chunk,
    Chunking,
    Diagnostic,
    Document,
    OutlineItem,
    Parsed,
    Symbol,
)

FINGERPRINT_DIGITS = 16

OVER_CAP = "over_cap"
"""Boundary and diagnostic of a chunk that is one code point over the cap."""


class ChunkerType(msgspec.StructMeta):
    """Turns a wrong keyword into a `ConfigError` that suggests the nearest option."""

    def __call__(cls, *positional: Any, **options: Any) -> Any:  # noqa: N805  # a metaclass
        """Make a chunker; every option by keyword."""
        names: tuple[str, ...] = cls.__struct_fields__
        if positional:
            raise ConfigError("options", positional, f"pass {cls.__name__} options by keyword")
        for name, value in options.items():
            if name not in names:
                near = get_close_matches(name, names, 1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                raise ConfigError(name, value, f"{hint}options are {', '.join(names)}")
        return super().__call__(**options)


class Chunker(msgspec.Struct, metaclass=ChunkerType, frozen=True, kw_only=True):
    """A frozen set of options that cuts documents; pure, picklable, safe among threads.

    Subclasses are structs whose fields are the options; they check them in `__post_init__`
    (which changes nothing, for unpickling runs it again) and implement `_cut`.
    """

    parsers: ClassVar[tuple[str, ...]] = ("regex",)
    """Distributions whose version decides where cuts fall; part of the fingerprint."""

    def chunk(self, document: Document | str, blocks: Sequence[Block] | None = None) -> Chunking:
        """Cut one document; `blocks` from the caller replace parsing.

        Raises ParseError for text with lone surrogates, ConfigError for blocks out of range.
        """
        document = Document(document) if isinstance(document, str) else document
        _check_text(document)
        if blocks is not None:
            _check_blocks(document, blocks)
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
        empty `Chunking` with the diagnostic `failed`; the others are not affected.
        """
        if workers is None or workers < 2:
            return map(self._cut_safely, documents)
        return _in_processes(self._cut_safely, documents, workers)

    def _cut_safely(self, document: Document | str) -> Chunking:
        try:
            return self.chunk(document)
        except ChunkwrightError as error:
            return _failed(document, error)

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Every option with its default value."""
        return {field.name: field.default for field in msgspec.structs.fields(cls)}

    def options(self) -> dict[str, Any]:
        """Every option with its value here."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    @property
    def fingerprint(self) -> str:
        """Equal for equal options and parser versions, different otherwise."""
        facts = {
            "chunker": type(self).__name__,
            "options": {name: _stable(name, value) for name, value in self.options().items()},
            "parsers": {name: _installed(name) for name in self.parsers},
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


def over_cap(drafts: Iterable[Draft], lines: Lines) -> list[Diagnostic]:
    """A diagnostic for every draft that is one code point over the cap."""
    return [
        Diagnostic("warning", OVER_CAP, "one code point is over `size`", lines.number(draft.start))
        for draft in drafts
        if draft.boundary == OVER_CAP
    ]


class Draft(msgspec.Struct):
    """A chunk to be: where it lies and what the format says of it. `assemble` adds the rest."""

    start: int
    end: int
    kind: str
    overlap: int = 0
    boundary: str = ""
    name: str = ""
    symbol_kind: str = ""
    breadcrumb: tuple[str, ...] = ()
    depth: int = 0
    part: int = 0
    parts: int = 1
    carry: str = ""
    carry_after: str = ""
    links: tuple[tuple[str, str], ...] = ()
    cell: int | None = None
    prefix: bool = True


def assemble(
    document: Document,
    parsed: Parsed,
    drafts: Sequence[Draft],
    ruler: Ruler,
    *,
    outline: tuple[OutlineItem, ...] = (),
    truncated: bool = False,
    diagnostics: Sequence[Diagnostic] = (),
    lines: Lines | None = None,
) -> Chunking:
    """Make the `Chunking` of a document from its drafts, in the order they are given."""
    lines = lines or Lines(parsed.text)
    symbols = symbols_of(parsed, lines)
    maker = _ChunkMaker(document, parsed, ruler, lines, symbols)
    chunks = tuple(maker.make(index, draft) for index, draft in enumerate(drafts))
    covered = max((d.end for d in drafts), default=0) if truncated else len(parsed.text)
    return Chunking(
        chunks=chunks,
        path=document.path,
        text=parsed.text,
        language=parsed.language,
        parser=parsed.parser,
        truncated=truncated,
        covered=covered,
        excluded=parsed.excluded,
        frontmatter=parsed.frontmatter,
        outline=outline or tuple(outline_of(parsed, lines)),
        diagnostics=(*parsed.diagnostics, *diagnostics),
    )


class _ChunkMaker:
    """Fills in what place, document and neighbours say about each draft."""

    def __init__(
        self,
        document: Document,
        parsed: Parsed,
        ruler: Ruler,
        lines: Lines,
        symbols: Sequence[Symbol],
    ) -> None:
        self._document = document
        self._parsed = parsed
        self._ruler = ruler
        self._lines = lines
        self._symbols = symbols
        self._seen: dict[tuple[str, str], int] = {}
        self._cells = {b.cell: b.start for b in parsed.blocks if b.kind == "cell"}
        self._next_symbol = 0

    def make(self, index: int, draft: Draft) -> Chunk:
        document, parsed = self._document, self._parsed
        text = parsed.text[draft.start : draft.end]
        first_line = self._first_line(draft.cell)
        return Chunk(
            text=text,
            start=draft.start,
            end=draft.end,
            start_line=self._lines.number(draft.start) - first_line,
            end_line=self._lines.number(draft.end - 1) - first_line,
            path=document.path,
            language=parsed.language,
            commit=document.commit,
            kind=draft.kind,
            name=draft.name,
            symbol_kind=draft.symbol_kind,
            symbols=self._symbols_in(draft),
            breadcrumb=draft.breadcrumb,
            depth=draft.depth,
            level=EXTRA_VIEWS.get(draft.kind, 0),
            index=index,
            part=draft.part,
            parts=draft.parts,
            occurrence=self._count(draft.kind, text),
            size=self._ruler.count(draft.start, draft.end),
            overlap=draft.overlap,
            is_attachment=bool(document.attachment_path),
            attachment_path=document.attachment_path,
            is_test=parsed.is_test,
            doc_kind=parsed.doc_kind,
            cell=draft.cell,
            carry=draft.carry,
            carry_after=draft.carry_after,
            entry=document.summary,
            links=draft.links,
            prefix=draft.prefix,
            boundary=draft.boundary,
        )

    def _first_line(self, cell: int | None) -> int:
        """Lines before the notebook cell, so that its own count from 1; 0 elsewhere."""
        return self._lines.number(self._cells[cell]) - 1 if cell in self._cells else 0

    def _symbols_in(self, draft: Draft) -> tuple[Symbol, ...]:
        """Symbols whose first code point is new in this chunk (an overlap repeats none)."""
        if not self._symbols:
            return ()
        fresh = draft.start + draft.overlap
        if draft.kind in EXTRA_VIEWS:
            return tuple(s for s in self._symbols if fresh <= s.start < draft.end)
        found = []
        while self._next_symbol < len(self._symbols):
            symbol = self._symbols[self._next_symbol]
            if symbol.start >= draft.end:
                break
            self._next_symbol += 1
            found.append(symbol)
        return tuple(found)

    def _count(self, kind: str, text: str) -> int:
        seen = self._seen.get((kind, text), 0)
        self._seen[kind, text] = seen + 1
        return seen


def symbols_of(parsed: Parsed, lines: Lines) -> list[Symbol]:
    """The symbols among the blocks of a parsed document."""
    return [
        Symbol(
            name=block.name,
            kind=block.kind,
            start=block.start,
            end=block.end,
            start_line=lines.number(block.start),
            end_line=lines.number(max(block.start, block.end - 1)),
            signature=block.signature,
            doc=block.doc,
        )
        for block in parsed.blocks
        if block.kind in SYMBOL_KINDS
    ]


def outline_of(parsed: Parsed, lines: Lines) -> Iterator[OutlineItem]:
    """The symbols of a parsed document as outline items."""
    for block in parsed.blocks:
        if block.kind in SYMBOL_KINDS:
            yield OutlineItem(block.depth, block.name, lines.number(block.start), "", block.kind)


def _check_text(document: Document) -> None:
    try:
        document.text.encode()
    except UnicodeEncodeError as error:
        line = Lines(document.text[: error.start]).number(error.start)
        raise ParseError(
            document.path,
            line,
            f"lone surrogate U+{ord(document.text[error.start]):04X}",
            "decode the source with errors='replace' or leave it out",
        ) from None


def _check_blocks(document: Document, blocks: Sequence[Block]) -> None:
    for block in blocks:
        if not 0 <= block.start < block.end <= len(document.text):
            raise ConfigError(
                "blocks",
                (block.start, block.end),
                f"each is a range inside the text's 0 to {len(document.text)}, start < end",
            )


def _failed(document: Document | str, error: ChunkwrightError) -> Chunking:
    path = "" if isinstance(document, str) else document.path
    diagnostic = Diagnostic("error", "failed", f"{type(error).__name__}: {error}")
    return Chunking(path=path, diagnostics=(diagnostic,))


def _in_processes(
    cut: Callable[[Document | str], Chunking],
    documents: Iterable[Document | str],
    workers: int,
) -> Iterator[Chunking]:
    """Order kept, at most a few documents a worker in flight."""
    from collections import deque  # only where processes are asked for
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[Any] = deque()
        for document in documents:
            waiting.append(pool.submit(cut, document))
            if len(waiting) > workers * 4:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


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

"""The nouns every room shares: documents, blocks, chunks, hits and the protocols. No behaviour
beyond reading them, no input or output, and nothing imported from the other rooms.

Offsets are code points, half-open. Lines are 1-based and inclusive.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, overload, runtime_checkable

import msgspec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ID_DIGITS = 32
"""Hex digits of a chunk id: 128 bits, so that a collision needs about 2**64 chunks."""

SYMBOL_KINDS = (
    "Function",
    "Method",
    "Class",
    "Struct",
    "Interface",
    "Enum",
    "Trait",
    "Impl",
    "Type",
    "Module",
    "Contract",
    "Event",
    "Modifier",
    "Constant",
    "Variable",
    "Macro",
)
"""What a `Symbol` can be, and so the `Block.kind` of a symbol."""

TYPE_KINDS = frozenset(
    {"Class", "Contract", "Enum", "Impl", "Interface", "Module", "Struct", "Trait"}
)
"""Symbols that have members: these are found, and can be chunks, one by one."""

DEFINITION = "definition"
"""Kind of the block that a symbol is without the comments above it; in documents, of a term's."""

EXTRA_VIEWS = {"file_header": 101, "file": 102, "summary": 103}
"""Chunk kinds that repeat text which other chunks hold, and the `level` each stands on."""

NAMESPACE = "entries"
"""Of documents that are put without one."""

ENTRY_MARK = "//"
"""Begins the `path` of what was put. Paths of files are relative, so none begins like that."""

DIAGNOSTIC_CODES = {
    "below_min_size": "the content is at or under `min_size`: no chunks were made",
    "blocks_clipped": "given blocks crossed each other and were clipped to nest",
    "context_dropped": "context did not fit `size` with `budget_includes_context`",
    "decoded": "the file is not UTF-8; the message names the encoding used",
    "failed": "the document raised an error; the message says which",
    "frontmatter_invalid": "the front matter is closed but is not a mapping",
    "generated": "the source says that a program wrote it; it keeps its symbols",
    "grammar_missing": "no grammar is installed for the language: cut by lines or as prose",
    "input_too_large": "the input is over a parser's bound: cut without the parser",
    "minified": "the source is minified: not parsed, without symbols, cut by size",
    "no_symbols": "the language has no parser here: cut by lines or as prose",
    "over_cap": "one code point alone exceeds `size`: it is a chunk of its own",
    "parse_error": "the source has syntax errors; intact symbols are kept",
    "piece_not_found": "what another's splitter gave does not stand in the text as it is",
    "skipped": "the file was not read; the message gives the reason and the rule",
    "truncated": "`max_chunks` was reached with text left over",
}
"""Every `Diagnostic.code`, with what it means."""


class Document(msgspec.Struct, frozen=True):
    """A text to be chunked, and what is known about it.

    Raises nothing: a lone surrogate in `text` is refused by the chunkers with `ParseError`.
    """

    text: str
    path: str = ""
    """Where it comes from, with `/`, relative to the root."""
    language: str | None = None
    """Name from the language table; None: decided by `path`."""
    commit: str = ""
    summary: str = ""
    """A caller's description of the whole, for the `Entry:` line."""
    attachment_path: str = ""
    """Set when the text is an attachment of `path`."""
    metadata: dict[str, Any] = {}


# What these hold cannot form a cycle, so the collector need not follow them (`gc=False`).


class Block(msgspec.Struct, frozen=True, gc=False):
    """What a parser, or the caller, says about a stretch of a document.

    Blocks are a flat list sorted by (start, -end), properly nested; ancestry is containment.
    """

    start: int
    end: int
    depth: int = 0
    """Heading level of a section, nesting depth of anything else."""
    kind: str = ""
    """One of SYMBOL_KINDS, or `section`, `paragraph`, `list`, `item`, `quote`, `table`, `row`,
    `fence`, `math`, `html`, `definition`, `directive`, `turn`, `statement`, `import`, `comment`,
    `scope`, `cell`."""
    name: str = ""
    """Qualified symbol name with dots, or heading title as plain text."""
    body: int = 0
    """Where the block's own content begins: after the signature, the heading line, the opening
    fence, the table's delimiter row. 0 where there is no such head."""
    signature: str = ""
    doc: str = ""
    """First line of a symbol's documentation."""
    info: str = ""
    """Info string of a fence, language of a cell, anchor that a section gives itself."""
    cell: int | None = None


class Symbol(msgspec.Struct, frozen=True, gc=False):
    """A named definition in source code."""

    name: str
    """Qualified with dots: `Server.Listen`."""
    kind: str
    """One of SYMBOL_KINDS."""
    start: int
    end: int
    start_line: int
    end_line: int
    signature: str = ""
    doc: str = ""
    """First line of its documentation."""


class Excluded(msgspec.Struct, frozen=True, gc=False):
    """A stretch of the text that no chunk holds, on purpose."""

    start: int
    end: int
    reason: str
    """`front_matter`, `secret`, `code_block_option` or `output`."""


class Diagnostic(msgspec.Struct, frozen=True, gc=False):
    """A fallback, a skip, a truncation: anything done other than asked, as data."""

    level: str
    """`info`, `warning` or `error`."""
    code: str
    """One of DIAGNOSTIC_CODES."""
    message: str
    line: int = 0
    """1-based, 0 where it concerns the whole document."""


class OutlineItem(msgspec.Struct, frozen=True, gc=False):
    """A heading or a symbol, in the order of the document."""

    level: int
    """Heading level, or nesting depth of a symbol (0 outermost)."""
    title: str
    line: int
    anchor: str = ""
    """GitHub-style and unique within the document, for headings."""
    kind: str = "heading"
    """`heading` or one of SYMBOL_KINDS."""
    stale: str = ""
    """In an answer of an index: `changed` or `vanished` where the file is not what was indexed."""


class Parsed(msgspec.Struct, frozen=True):
    """What a parser says about one document: the hand-over from parsing to chunking."""

    text: str
    """The text all offsets refer to: `document.text`, or a notebook's joined cells."""
    parser: str
    """Which parser spoke: `tree-sitter-go`, `pyromark`, `prose`, `transcript`, `lines`, `given`,
    ..."""
    language: str = "unknown"
    is_test: bool = False
    doc_kind: str = ""
    """`decision_record` for architecture decision records."""
    blocks: tuple[Block, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    frontmatter: dict[str, Any] | None = None
    links: tuple[tuple[str, str], ...] = ()
    """Reference definitions: (label, definition line)."""
    diagnostics: tuple[Diagnostic, ...] = ()


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """One exact piece of a document, and everything known about where it stands."""

    text: str
    """The verbatim slice `chunking.text[start:end]`."""
    start: int
    end: int
    start_line: int
    """Physical line of the first character (in a notebook: of its cell)."""
    end_line: int
    path: str = ""
    language: str = "unknown"
    commit: str = ""
    kind: str = "segment"
    """`symbol`, `symbol_part`, `code`, `file_header`, `file`, `section`, `section_part`,
    `preamble`, `summary`, `segment`, `window` or `cell`."""
    name: str = ""
    """Qualified symbol or heading title; "" where there is none."""
    symbol_kind: str = ""
    symbols: tuple[Symbol, ...] = ()
    """Every symbol that starts in this chunk."""
    breadcrumb: tuple[str, ...] = ()
    """Headings from the outside in, the own one included; enclosing scopes in code."""
    depth: int = 0
    """Deepest heading level; 0 before any heading and in code."""
    level: int = 0
    """0 unless `chunk_levels` made it, or it is an extra view (see EXTRA_VIEWS)."""
    index: int = 0
    """Position among the chunks of the document."""
    part: int = 0
    """0-based part of `parts`."""
    parts: int = 1
    occurrence: int = 0
    """0-based number of this same kind and text in this document."""
    parent: str = ""
    """Id of the parent chunk or entity."""
    size: int = 0
    """In the chunker's measure."""
    overlap: int = 0
    """Code points repeated from the previous chunk of the same level."""
    is_summary: bool = False
    is_attachment: bool = False
    attachment_path: str = ""
    is_test: bool = False
    doc_kind: str = ""
    """`decision_record`, or ""."""
    cell: int | None = None
    """Notebook cell number, 0-based."""
    carry: str = ""
    """What a renderer puts before `text` so that it stands alone; ends with its newline."""
    carry_after: str = ""
    """What a renderer puts after `text`; begins with its newline."""
    entry: str = ""
    """The document's summary, for the `Entry:` line."""
    links: tuple[tuple[str, str], ...] = ()
    """Reference definitions used here: (label, definition), for rendering."""
    prefix: bool = True
    """False where the descriptive prefix did not fit the budget and was dropped."""
    boundary: str = ""
    """Why the chunk ends where it does: `blank line`, `sentence`, `end of text`, ..."""
    imports: tuple[str, ...] = ()
    """Imported names that occur in `text` and are imported outside of it, in the order of the
    file; for rendering, like the next, and only where `CodeChunker` was given `context`."""
    siblings: tuple[str, ...] = ()
    """Names of symbols of the same scope as this one, without the scope, nearest first."""

    @property
    def content_hash(self) -> str:
        """Hex SHA-256 of `text` as UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def id(self) -> str:
        """First 32 hex digits of SHA-256 over path, kind, content hash and occurrence."""
        identity = f"{self.path}\0{self.kind}\0{self.content_hash}\0{self.occurrence}"
        return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:ID_DIGITS]

    def as_dict(self) -> dict[str, Any]:
        """Every field, plus `id` and `content_hash`, as plain JSON-ready values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {"id": self.id, "content_hash": self.content_hash, **plain}


class Chunking(msgspec.Struct, frozen=True):
    """The chunks of one document, in order, with everything said about the document.

    Behaves as a `Sequence` of `Chunk`; a slice gives a tuple.
    """

    chunks: tuple[Chunk, ...] = ()
    path: str = ""
    text: str = ""
    """What offsets refer to: the document's text, or a notebook's joined cells."""
    language: str = "unknown"
    parser: str = ""
    """Which parser cut it."""
    truncated: bool = False
    covered: int = 0
    """Code point up to which the text is covered."""
    excluded: tuple[Excluded, ...] = ()
    frontmatter: dict[str, Any] | None = None
    outline: tuple[OutlineItem, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of every chunk."""
        return tuple(chunk.text for chunk in self.chunks)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Every symbol of the document, in order."""
        return tuple(
            symbol
            for chunk in self.chunks
            if chunk.kind not in EXTRA_VIEWS
            for symbol in chunk.symbols
        )

    def __len__(self) -> int:
        return len(self.chunks)

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self.chunks)

    def __reversed__(self) -> Iterator[Chunk]:
        return reversed(self.chunks)

    def __contains__(self, item: object) -> bool:
        return item in self.chunks

    @overload
    def __getitem__(self, position: int) -> Chunk: ...
    @overload
    def __getitem__(self, position: slice) -> tuple[Chunk, ...]: ...
    def __getitem__(self, position: int | slice) -> Chunk | tuple[Chunk, ...]:
        return self.chunks[position]

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Position of the first chunk equal to `value`; ValueError if there is none."""
        return self.chunks.index(value, start, len(self.chunks) if stop is None else stop)

    def count(self, value: object) -> int:
        """How many chunks equal `value`."""
        return self.chunks.count(value)


Sequence.register(Chunking)


class Hit(msgspec.Struct, frozen=True):
    """One answer of a search."""

    chunk: Chunk
    """The best piece of it."""
    score: float
    """Higher is better; comparable within one search only."""
    reasons: dict[str, float] = {}
    """Share of each signal; the shares sum to the score. Signals that said nothing are left out,
    unless the search was asked to `explain`."""
    raw: dict[str, float] = {}
    """With `explain`, what the shares were made of: `bm25` and `cosine`."""
    merged: tuple[Chunk, ...] = ()
    """Other pieces that are one answer with `chunk`, by position: consecutive parts of one symbol
    or section, or consecutive stretches of running text."""
    citations: tuple[Chunk, ...] = ()
    """With `group`: further chunks of the same document that answer nearly as well, best first."""
    before: tuple[Chunk, ...] = ()
    """With `neighbours`: what stands before it in its file, by position; and what stands after."""
    after: tuple[Chunk, ...] = ()
    density: str = ""
    """With `context_tokens`, how much is shown: `full`, `head` (the signature and a few lines),
    `signature`, or `none` where not even that was left room for."""
    shown: str = ""
    """With `context_tokens`, the text of that density: the answer with its neighbours, without
    its citations."""
    stale: str = ""
    """`changed` or `vanished` where the file is not any more what was indexed."""

    @property
    def start_line(self) -> int:
        """First line of the whole answer, merged pieces included."""
        return min(chunk.start_line for chunk in (self.chunk, *self.merged))

    @property
    def end_line(self) -> int:
        """Last line of the whole answer."""
        return max(chunk.end_line for chunk in (self.chunk, *self.merged))


class RefreshReport(msgspec.Struct, frozen=True):
    """What a refresh of an index did."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    """The new paths."""
    removed: tuple[str, ...] = ()
    embedded: int = 0
    """Texts that went through the embedder."""
    reused: int = 0
    """Chunks whose vector was already in the cache."""
    skipped: tuple[tuple[str, str, str], ...] = ()
    """(path, reason, rule)."""
    failed: tuple[tuple[str, str, str], ...] = ()
    """(path, reason, rule)."""


class Entry(msgspec.Struct, frozen=True):
    """A document that is no file, such as a memory: it was put, and stands in the index only."""

    key: str
    """Unique in its namespace."""
    text: str
    namespace: str = NAMESPACE
    summary: str = ""
    attachments: dict[str, str] = {}
    """Path -> text."""
    metadata: dict[str, Any] = {}
    """What JSON can say; for filters."""
    language: str | None = None
    """Name from the language table; None: by the suffix of the key, else Markdown."""
    version: int | None = None
    """Raised by each change. Of one to be put: the version that was seen, 0 where none must be
    there yet; None: whatever is there."""
    change: str = ""
    """`added`, `changed` or `unchanged` by the put that returned it."""
    waiting: str = ""
    """Why it is not found by all of its words and vectors after the put that changed it and
    returned this; the next `heal` tries again."""

    @property
    def id(self) -> str:
        """The `path` and the `parent` of its chunks."""
        return entry_id(self.namespace, self.key)


class HealReport(msgspec.Struct, frozen=True):
    """What a heal of an index did; entries are named as in `Entry.id`."""

    healed: tuple[str, ...] = ()
    """Entries that are complete now and were not."""
    removed: tuple[str, ...] = ()
    """What was left of entries that are gone."""
    failed: tuple[tuple[str, str], ...] = ()
    """(entry, reason); each is tried again, after those that were not tried yet."""
    embedded: int = 0
    """Texts that went through the embedder."""
    remaining: int = 0
    """Entries that still are not complete, the failed ones among them."""


def entry_id(namespace: str, key: str) -> str:
    """What stands for the path of a document that was put: no file has a path like that."""
    return f"{ENTRY_MARK}{namespace}/{key}"


def key_of(path: str) -> str:
    """The key of a document that was put, or the path of a file as it is."""
    return path.removeprefix(ENTRY_MARK).partition("/")[2] if is_entry(path) else path


def is_entry(path: str) -> bool:
    """Whether a chunk's path is the id of a document that was put."""
    return path.startswith(ENTRY_MARK)


class ChunkKey(NamedTuple):
    """Name of a chunk by its parent entity and its place in it."""

    parent_type: str
    parent_id: str
    index: int  # type: ignore[assignment]  # the field hides tuple.index, as its name is public


def chunk_key(parent_type: str, parent_id: str, index: int) -> ChunkKey:
    """Make the key of chunk number `index` (0-based) of a parent entity."""
    return ChunkKey(parent_type, parent_id, index)


def is_chunk_key(value: object) -> bool:
    """True only for a real `ChunkKey`, never for a plain tuple of the same shape."""
    return isinstance(value, ChunkKey)


def parent_of(value: object) -> tuple[str, str] | None:
    """The (type, id) pair of a `ChunkKey`'s parent, or None for anything else."""
    return (value.parent_type, value.parent_id) if isinstance(value, ChunkKey) else None


@runtime_checkable
class Measure(Protocol):
    """Counts a text in some unit. May also have `ends(text) -> list[int]`: the end offset, in
    code points, of every unit, which lets a cutter measure once; and with it `seams`, a pattern of
    `re`: where a match of it ends, the two sides count by themselves, whatever text they are, so
    that little of a chunk is counted again."""

    @property
    def name(self) -> str:
        """Identifies the unit in fingerprints and messages."""

    def count(self, text: str, /) -> int:
        """How many units `text` has."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors.

    May also have `measure`, its tokenizer as a measure, and `special_tokens`, how many it adds to
    a text; `embed_query(texts)`, where queries have other vectors than documents; `batch_size` and
    `concurrency`, texts a call and calls at a time; `is_cheap`. Without `max_tokens` it is taken
    to read texts of any length.
    """

    @property
    def name(self) -> str:
        """Identifies the model; vectors of two names are never mixed."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Longest text, in the model's own tokens, that it reads whole."""

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        """Vectors of shape (len(texts), dim), finite; float32, or numbers of another precision."""


@runtime_checkable
class Reranker(Protocol):
    """Orders hits anew, by the query and the text of each `hit.chunk`."""

    @property
    def name(self) -> str:
        """Identifies it in messages."""

    def rerank(self, query: str, hits: Sequence[Hit], /) -> list[Hit]:
        """The same hits, best first: none lost, none twice. Their order is all that counts."""

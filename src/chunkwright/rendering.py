"""What is embedded: a chunk's text with the context that makes it stand alone. Nothing here is
stored, hashed, or counted against a cap (see chunking.budgeting for the last).

    line         language: go. file: server.go. symbol: Server.Listen (Method).
                 language: go. file: server.go. scope: Server. imports: net. siblings: Close.
    breadcrumb   Entry: What the document is about.
                 Breadcrumb: Manual > Pumps
    raw          the text, unchanged

Of a document that was put (see `types.Entry`) every prefix has the `Entry:` line, and none a path.
The prefix is followed by a blank line and the text, with `carry` directly before it and
`carry_after` directly after. A part that is not known is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from re import DOTALL
from re import compile as compile_plain
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError
from chunkwright.types import Chunk, is_entry

if TYPE_CHECKING:
    from re import Match

    from regex import Pattern

Style = str | Callable[[Chunk], str]

UNKNOWN = "unknown"
MARKDOWN = "markdown"
MARKDOWN_KINDS = ("section", "section_part", "preamble")
CODE_KIND = "code"
"""Of several symbols, or of what lies between them: only the latter is told by its scope, for
names of symbols have it in them."""

SEPARATOR = "\n\n"
"""Between the prefix and the text."""

FIRST_SENTENCE = compile_plain(r"[.!?](?= |$)")
LINE_ENDS = compile_plain(r"[\r\n]+")

REFERENCE = compile_plain(
    r"\[(?P<text>(?:[^\[\]\\]|\\.){1,999})\]"  # what is shown
    r"(?:\[(?P<label>(?:[^\[\]\\]|\\.){0,999})\]|(?![\[(:]))"  # [label], [] or nothing
)
"""A full, collapsed or shortcut reference, as CommonMark calls them; 999 code points is its bound
for a label, and keeps the search linear."""

# Code, tags, formulas, escaped brackets and boxes to tick, in which nothing refers to anything.
NO_REFERENCE = (
    r"(?P<ticks>`+)(?s:.{1,4000}?)(?<!`)(?P=ticks)(?!`)"
    r"|(?m:^[ >\t]*(?P<tildes>~{3,}))(?s:.*?)(?m:(?:^[ >\t]*(?P=tildes)~*[ \t]*$)|\Z)"
    r"|<[a-zA-Z/!][^<>]{0,4000}>"
    r"|\$[^$\n]{1,1000}\$"
    r"|\\[\[\]]"
    r"|(?m:^[ >\t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[ xX]\])(?=[ \t])"
)
REFERENCE_IN_TEXT = compile_plain(f"{NO_REFERENCE}|{REFERENCE.pattern}")

DEFINITION = compile_plain(
    r"""\s*\[(?:[^\[\]\\]|\\.)+\]:\s*(?P<target><[^<>\n]*>|\S+)(?:\s+(?P<title>["'(].*))?""",
    DOTALL,  # a title may run over lines
)


def embed_text(chunk: Chunk, style: Style = "auto") -> str:
    """The text to embed for `chunk`.

    `style` is `auto`, `line`, `breadcrumb`, `raw`, or a callable that is given the chunk and
    returns the whole text. `auto` is `breadcrumb` for Markdown, else `line`; without a path and
    a language there is no prefix. Raises ConfigError for any other style.
    """
    if callable(style):
        return style(chunk)
    if style == "raw":
        return chunk.text
    if style not in _PREFIXES:
        allowed = ", ".join(sorted([*_PREFIXES, "raw"]))
        raise ConfigError("style", style, f"one of {allowed}, or a callable of one chunk")
    body = f"{chunk.carry}{patch_links(chunk.text, chunk.links)}{chunk.carry_after}"
    prefix = _PREFIXES[style](chunk) if chunk.prefix and not chunk.is_summary else ""
    return f"{prefix}{SEPARATOR}{body}" if prefix else body


def raw_text(chunk: Chunk) -> str:
    """The chunk's text, unchanged: the same as style `raw`."""
    return chunk.text


def slug(name: str) -> str:
    """Letters and digits lower-cased, every other run a dash: `Why SQLite?` -> `why-sqlite`."""
    if name.isascii():
        return "-".join(ASCII_WORDS.findall(name)).lower()
    return "-".join(_words().findall(name)).lower()


def first_sentence(text: str) -> str:
    """Up to the first `.`, `!` or `?` before white space or the end, on one line."""
    plain = _one_line(text)
    end = FIRST_SENTENCE.search(plain)
    return plain[: end.end()] if end else plain


class Definitions:
    """The reference definitions of a document, looked up by what refers to them."""

    def __init__(self, links: tuple[tuple[str, str], ...]) -> None:
        """`links` are (label, definition) pairs; the first of a label counts."""
        self._found: dict[str, tuple[int, tuple[str, str]]] = {}
        for number, link in enumerate(links):
            self._found.setdefault(normal_label(link[0]), (number, link))

    def used_in(self, text: str) -> tuple[tuple[str, str], ...]:
        """Those that `text` refers to, in their order; without footnotes that it has itself."""
        if not self._found or "[" not in text:
            return ()
        references = (found for found in REFERENCE_IN_TEXT.finditer(text) if found["text"])
        labels = {_label(reference) for reference in references}
        used = sorted(self._found[label] for label in labels if label in self._found)
        return tuple(link for _, link in used if not _has_note(text, link[0]))


def patch_links(text: str, links: tuple[tuple[str, str], ...]) -> str:
    """`[text][label]` as `[text](url "title")` for every label among `links`, and a reference to a
    footnote, `[^label]`, the first time, as Pandoc's inline note, `^[what the note says]`.

    A definition is a Markdown definition line (`[label]: url "title"`) or just its right side.
    """
    if not links or "[" not in text:
        return text
    targets = {normal_label(label): _target(label, definition) for label, definition in links}

    def patch(found: Match[str]) -> str:
        if not found["text"]:
            return found[0]
        label = _label(found)
        target = targets.get(label)
        if target and _is_note(label):
            del targets[label]  # once said is enough
            return f"^[{target}]"
        return f"[{found['text']}]({target})" if target else found[0]

    return REFERENCE_IN_TEXT.sub(patch, text)


def normal_label(label: str) -> str:
    """A link label as CommonMark compares it: case and white space do not count."""
    return _one_line(label).casefold()


def _label(found: Match[str]) -> str:
    return normal_label(found["label"] or found["text"])


def _has_note(text: str, label: str) -> bool:
    return _is_note(label) and f"[{label}]:" in text


def _is_note(label: str) -> bool:
    return label.startswith("^")


def _target(label: str, definition: str) -> str:
    """The right side of a definition, as it stands inside an inline link or note."""
    if _is_note(label):
        return definition.removeprefix(f"[{label}]:").strip()
    found = DEFINITION.match(definition)
    if not found:
        return definition.strip()
    title = (found["title"] or "").strip()
    return f"{found['target']} {title}" if title else str(found["target"])


def _line(chunk: Chunk) -> str:
    parts = [f"language: {chunk.language or UNKNOWN}."]
    if chunk.path and not is_entry(chunk.path):
        parts.append(f"file: {chunk.path}.")
    parts.extend(_subject(chunk))
    if chunk.parts > 1:
        parts.append(f"part {chunk.part + 1} of {chunk.parts}.")
    if chunk.imports:
        parts.append(f"imports: {', '.join(chunk.imports)}.")
    if chunk.siblings:
        parts.append(f"siblings: {', '.join(chunk.siblings)}.")
    return LINE_ENDS.sub(" ", " ".join(parts))


def _subject(chunk: Chunk) -> Iterator[str]:
    """What the chunk is of, as zero or one part of the line."""
    if chunk.kind in _FIXED_SUBJECTS:
        yield _FIXED_SUBJECTS[chunk.kind]
    elif chunk.cell is not None:
        yield f"cell {chunk.cell}."
    elif chunk.kind in MARKDOWN_KINDS:
        yield from _section(chunk)
    elif chunk.name:
        yield _symbol(chunk.name, chunk.symbol_kind)
    elif len(chunk.symbols) == 1:
        yield _symbol(chunk.symbols[0].name, chunk.symbols[0].kind)
    elif chunk.symbols:
        yield f"symbols: {', '.join(symbol.name for symbol in chunk.symbols)}."
    elif chunk.kind == CODE_KIND and any(chunk.breadcrumb):
        yield f"scope: {'.'.join(filter(None, chunk.breadcrumb))}."


def _section(chunk: Chunk) -> Iterator[str]:
    name = slug(chunk.name)
    if name:
        yield f"section: {name}{' (decision record)' if chunk.doc_kind else ''}."


def _symbol(name: str, kind: str) -> str:
    return f"symbol: {name} ({kind})." if kind else f"symbol: {name}."


def _breadcrumb(chunk: Chunk) -> str:
    trail = " > ".join(filter(None, map(_one_line, chunk.breadcrumb)))
    return _with_entry(chunk, f"Breadcrumb: {trail}" if trail else "")


def _with_entry(chunk: Chunk, line: str) -> str:
    entry = first_sentence(chunk.entry)
    return "\n".join(filter(None, (f"Entry: {entry}" if entry else "", line)))


def _auto(chunk: Chunk) -> str:
    is_markdown = chunk.language == MARKDOWN and chunk.cell is None
    if is_markdown or chunk.kind in MARKDOWN_KINDS:
        return _breadcrumb(chunk)
    if is_entry(chunk.path):
        return _with_entry(chunk, _line(chunk))
    return _line(chunk) if chunk.path or chunk.language not in ("", UNKNOWN) else ""


_PREFIXES: dict[str, Callable[[Chunk], str]] = {
    "auto": _auto,
    "breadcrumb": _breadcrumb,
    "line": _line,
}

_FIXED_SUBJECTS = {"file": "whole file.", "file_header": "file header."}

ASCII_WORDS = compile_plain(r"[A-Za-z0-9]+")


def _one_line(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=1)
def _words() -> Pattern[str]:
    import regex

    return regex.compile(r"[\p{L}\p{M}\p{N}]+")

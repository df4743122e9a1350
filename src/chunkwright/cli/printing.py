"""How answers look: JSON lines for programs, plain text for pipes, a little colour for a
terminal; and `Talk`, everything said on stderr. What is printed is decided by the commands.

Text from files and file names passes `harmless` on its way to text output, so that no source
can send escape sequences to a terminal. JSON escapes control characters by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import msgspec

from chunkwright.types import Chunk

if TYPE_CHECKING:
    from rich.console import Console

INDENT = "    "
TAB_WIDTH = 4
SYMBOLS_SHOWN = 3
"""Names shown for a chunk of several symbols; the rest is counted."""

_SAFE_CONTROLS = "\t\n"
_CONTROL_PICTURES = 0x2400
"""Unicode's pictures of the control characters 0x00 to 0x1F begin here."""
_INVISIBLE = (
    *range(0x80, 0xA0),  # C1: 0x9B begins an escape sequence
    *range(0x202A, 0x202F),  # bidirectional embeddings and overrides
    *range(0x2066, 0x206A),  # bidirectional isolates
    0x200E,
    0x200F,
    0x2028,
    0x2029,
)
_HARMLESS: dict[int, str] = {
    **{code: chr(_CONTROL_PICTURES + code) for code in range(0x20)},
    0x7F: "\u2421",
    **{code: f"\\u{code:04x}" for code in _INVISIBLE},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
for _control in _SAFE_CONTROLS:
    del _HARMLESS[ord(_control)]


def harmless(text: str) -> str:
    """`text` with control characters, bidirectional overrides and lone surrogates made visible.

    Tabs and line feeds stay.
    """
    return text.translate(_HARMLESS)


def one_line(text: str) -> str:
    """`text` made harmless and put on one line."""
    return " ".join(harmless(text.replace("\r\n", "\n")).split("\n"))


def counted(number: int, noun: str) -> str:
    """`1 chunk`, `1,200 chunks`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def is_terminal(stream: TextIO) -> bool:
    """Whether somebody looks at the stream; a closed one has no reader."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def console(stream: TextIO) -> Console:
    """A console on a terminal; it honours NO_COLOR, and never guesses at colours itself."""
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False)


class Talk(NamedTuple):
    """What is said on stderr: nothing but errors when quiet, details when verbose."""

    verbose: bool = False
    quiet: bool = False

    def also(self, verbose: bool, quiet: bool) -> Talk:
        """How much to say where `-v` and `-q` may stand before a command and after it."""
        return Talk(self.verbose or verbose, self.quiet or quiet)

    def detail(self, message: str) -> None:
        """Something only the curious want to know."""
        if self.verbose and not self.quiet:
            _say(message)

    def note(self, message: str) -> None:
        """What was done, in one line."""
        if not self.quiet:
            _say(message)

    def warning(self, message: str) -> None:
        """Something went otherwise than asked."""
        if not self.quiet:
            _say(message, "warning", "yellow")

    def error(self, message: str) -> None:
        """Something failed; said even when quiet."""
        _say(message, "error", "bold red")


def _say(message: str, label: str = "", style: str = "") -> None:
    line = one_line(message)
    if not is_terminal(sys.stderr):
        print(f"{label}: {line}" if label else line, file=sys.stderr, flush=True)
        return
    from rich.text import Text

    parts = [(f"{label}: ", style), (line, "")] if label else [(line, "dim")]
    console(sys.stderr).print(Text.assemble(*parts), soft_wrap=True)


def json_line(value: Any) -> None:
    """One value as one line of JSON on stdout; lone surrogates of file names are replaced."""
    try:
        encoded = msgspec.json.encode(value)
    except UnicodeEncodeError:
        encoded = msgspec.json.encode(_encodable(value))
    line(encoded.decode())


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value


def line(text: str = "") -> None:
    """One line of text on stdout, as it is: never wrapped, never coloured."""
    sys.stdout.write(text + "\n")


def sentence(text: str) -> None:
    """One sentence on stdout: wrapped between words on a terminal, one line in a pipe."""
    if is_terminal(sys.stdout):
        console(sys.stdout).print(one_line(text))
    else:
        line(one_line(text))


def table(rows: Iterable[Sequence[str]], *, header: Sequence[str] = (), indent: str = "") -> None:
    """Rows in aligned columns on stdout; the last column is not padded. The header is dim on a
    terminal and left out of a pipe, where it would be taken for data."""
    from rich.cells import cell_len

    cells = [[one_line(cell) for cell in row] for row in rows]
    on_terminal = is_terminal(sys.stdout)
    shown = [list(header), *cells] if header and on_terminal else cells
    if not shown:
        return
    widths = [max(cell_len(row[column]) for row in shown) for column in range(len(shown[0]))]
    for number, row in enumerate(shown):
        padded = (
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        )
        _row(
            (indent + "  ".join(padded)).rstrip(), dim=bool(header) and on_terminal and number == 0
        )


def _row(text: str, *, dim: bool) -> None:
    if dim:
        console(sys.stdout).print(text, style="dim", soft_wrap=True)
    else:
        line(text)


def help_text(text: str) -> None:
    """A command's help, on stderr, for who gave no command at all."""
    print(text, file=sys.stderr)


def place(chunk: Chunk) -> str:
    """`path:start-end`, with the cell where it is a notebook's."""
    path = one_line(chunk.path) or "<text>"
    cell = f"[cell {chunk.cell}]" if chunk.cell is not None else ""
    return f"{path}{cell}:{chunk.start_line}-{chunk.end_line}"


def title(chunk: Chunk) -> str:
    """What a chunk is called: its symbol, its headings, or the symbols packed in it."""
    part = f" (part {chunk.part + 1} of {chunk.parts})" if chunk.parts > 1 else ""
    return one_line(_name(chunk)) + part


def _name(chunk: Chunk) -> str:
    if chunk.name and not chunk.symbol_kind and chunk.breadcrumb:
        return " > ".join(chunk.breadcrumb)
    if chunk.name or not chunk.symbols:
        return chunk.name
    names = [symbol.name for symbol in chunk.symbols[:SYMBOLS_SHOWN]]
    more = len(chunk.symbols) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def body(text: str) -> list[str]:
    """The physical lines of a chunk, harmless, tabs expanded."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return [harmless(row).expandtabs(TAB_WIDTH) for row in plain.split("\n")]


def chunk_text(chunk: Chunk, text: str) -> None:
    """One chunk for a reader: where and what it is, then its text indented."""
    about = [place(chunk), chunk.kind, title(chunk), f"{chunk.size} long"]
    if chunk.overlap:
        about.append(f"overlap {chunk.overlap}")
    heading = "  ".join(part for part in about if part)
    if is_terminal(sys.stdout):
        console(sys.stdout).print(heading, style="bold cyan", soft_wrap=True)
    else:
        line(heading)
    for row in body(text):
        line(f"{INDENT}{row}".rstrip())
    line()

"""One line of an ignore file -> something that matches paths as git does. Where the files lie,
and which of them is stronger, is not decided here (see ignoring).

Git compares bytes: `?` is one byte, classes are ASCII, case counts. So do these patterns, on
every platform, whatever `core.ignoreCase` says there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

SLASH = ord("/")
BACKSLASH = ord("\\")
SPECIAL = frozenset(b"*?[\\")
"""What ends the literal start of a pattern."""

ANY_FOLDERS = "any folders"
"""`**/`: this folder or any below it."""
ANYTHING = "anything"
"""`**` at the end, or before an escaped slash: every path below."""
STAR = "star"
"""`*`: anything but a slash."""

Token = str | frozenset[int]
"""One of the three above, or the bytes that may stand in one place."""

ALL_BYTES = frozenset(range(256))
NOT_SLASH = ALL_BYTES - {SLASH}
UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
LOWER = frozenset(b"abcdefghijklmnopqrstuvwxyz")
DIGIT = frozenset(b"0123456789")
PRINTABLE = frozenset(range(0x20, 0x7F))
GIT_SPACE = frozenset(b" \t\n\r")
"""What git's own isspace knows; form feed and vertical tab are not in it."""

CLASSES = {
    b"alnum": UPPER | LOWER | DIGIT,
    b"alpha": UPPER | LOWER,
    b"blank": frozenset(b" \t"),
    b"cntrl": frozenset(range(0x20)) | {0x7F},
    b"digit": DIGIT,
    b"graph": PRINTABLE - GIT_SPACE,
    b"lower": LOWER,
    b"print": PRINTABLE,
    b"punct": PRINTABLE - UPPER - LOWER - DIGIT - {0x20},
    b"space": GIT_SPACE,
    b"upper": UPPER,
    b"xdigit": DIGIT | frozenset(b"abcdefABCDEF"),
}


class MalformedPatternError(Exception):
    """The pattern has an open class or a trailing backslash: to git it matches nothing."""


class Pattern(NamedTuple):
    """One rule of an ignore file."""

    text: str
    """As written, for people."""
    line: int
    """1-based line in its file."""
    negated: bool
    folders_only: bool
    whole_path: bool
    """Compared with the path from the file's folder on, not only with the last name."""
    expression: bytes
    """Regular expression to match in full; DOTALL."""
    body: bytes
    """What `expression` was made of: as written, without `!` and outer slashes."""


class Patterns:
    """The rules of one file, in order; the last one that matches decides."""

    __slots__ = ("_any_name", "_any_path", "_compiled", "_patterns")

    def __init__(self, patterns: Sequence[Pattern], *, any_case: bool = False) -> None:
        flags = re.DOTALL | (re.IGNORECASE if any_case else 0)
        self._patterns = tuple(reversed(patterns))
        self._compiled = [re.compile(p.expression, flags) for p in self._patterns]
        self._any_name = _union((p for p in patterns if not p.whole_path), flags)
        self._any_path = _union((p for p in patterns if p.whole_path), flags)

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def rules(self) -> tuple[Pattern, ...]:
        """Every rule, the strongest first."""
        return self._patterns

    def match(self, path: bytes, *, is_folder: bool) -> Pattern | None:
        """The last rule that speaks of `path` (from the file's folder on), or None."""
        name = path[path.rfind(b"/") + 1 :]
        if not self._any_name.fullmatch(name) and not self._any_path.fullmatch(path):
            return None
        for pattern, compiled in zip(self._patterns, self._compiled, strict=True):
            if pattern.folders_only and not is_folder:
                continue
            if compiled.fullmatch(path if pattern.whole_path else name):
                return pattern
        return None


def _union(patterns: Iterable[Pattern], flags: int) -> re.Pattern[bytes]:
    """Matches what any of them matches: one look for the many paths no rule speaks of."""
    joined = b"|".join(b"(?:" + pattern.expression + b")" for pattern in patterns)
    return re.compile(joined or b"(?!)", flags)


def parse(content: bytes) -> list[Pattern]:
    """The rules of an ignore file, in the order they stand there."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    found = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        pattern = parse_line(line.removesuffix(b"\r"), number)
        if pattern is not None:
            found.append(pattern)
    return found


def parse_line(line: bytes, number: int = 0) -> Pattern | None:
    """One rule, or None for a comment, an empty line, and what git takes for malformed."""
    if line.startswith(b"#"):
        return None
    line = _without_trailing_spaces(line)
    negated = line.startswith(b"!")
    body = line[negated:]
    folders_only = body.endswith(b"/")
    body = body[: len(body) - folders_only]
    whole_path = b"/" in body
    body = body.removeprefix(b"/")
    if not body:
        return None
    try:
        expression = _expression(body, whole_path=whole_path)
    except MalformedPatternError:
        return None
    text = line.decode("utf-8", "backslashreplace")
    return Pattern(text, number, negated, folders_only, whole_path, expression, body)


def _without_trailing_spaces(line: bytes) -> bytes:
    """Git drops spaces (not tabs) at the end, unless a backslash stands before one."""
    kept = line.rstrip(b" ")
    backslashes = len(kept) - len(kept.rstrip(b"\\"))
    return line[: len(kept) + 1] if backslashes % 2 and len(kept) < len(line) else kept


def _expression(body: bytes, *, whole_path: bool) -> bytes:
    """A pattern without its `!` and outer slashes as a regular expression.

    Git compares the literal start first and the rest on its own, so that a `**` right after the
    literal start counts as one that follows a slash (`foo**/bar` crosses folders).
    """
    literal = next((at for at, byte in enumerate(body) if byte in SPECIAL), len(body))
    tokens = _tokens(body[literal:], whole_path=whole_path)
    return re.escape(body[:literal]) + _joined(tokens)


def _tokens(pattern: bytes, *, whole_path: bool) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(pattern):
        byte = pattern[at]
        if byte == ord("*"):
            token, at = _stars(pattern, at, whole_path=whole_path)
            tokens.append(token)
        elif byte == ord("["):
            members, at = _bracket(pattern, at)
            tokens.append(members - {SLASH})
        elif byte == ord("?"):
            tokens.append(NOT_SLASH)
            at += 1
        else:
            at += byte == BACKSLASH
            tokens.append(frozenset([_byte(pattern, at)]))
            at += 1
    return tokens


def _byte(pattern: bytes, at: int) -> int:
    if at >= len(pattern):
        raise MalformedPatternError(pattern)
    return pattern[at]


def _stars(pattern: bytes, at: int, *, whole_path: bool) -> tuple[str, int]:
    """The meaning of a run of stars, and where it ends (past the slash of `**/`)."""
    end = at
    while pattern[end : end + 1] == b"*":
        end += 1
    rest = pattern[end : end + 2]
    opens = at == 0 or pattern[at - 1] == SLASH
    closes = rest in (b"", b"\\/") or rest[:1] == b"/"
    if end - at == 1 or not (whole_path and opens and closes):
        return STAR, end
    return (ANY_FOLDERS, end + 1) if rest[:1] == b"/" else (ANYTHING, end)


def _bracket(pattern: bytes, at: int) -> tuple[frozenset[int], int]:
    """The bytes of a class that opens at `at`, and where it ends; a first `]` is a member."""
    at += 1
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    members: set[int] = set()
    previous: int | None = None
    while True:
        found, previous, at = _member(pattern, at, previous)
        members |= found
        if _byte(pattern, at) == ord("]"):
            return (ALL_BYTES - members if negated else frozenset(members)), at + 1


def _member(
    pattern: bytes, at: int, previous: int | None
) -> tuple[frozenset[int], int | None, int]:
    """One part of a class: (its bytes, what a range may start from, where it ends)."""
    byte = _byte(pattern, at)
    following = pattern[at + 1 : at + 2]
    if byte == ord("-") and previous and following not in (b"", b"]"):
        at += 1 + (following == b"\\")
        return frozenset(range(previous, _byte(pattern, at) + 1)), None, at + 1
    if byte == ord("[") and following == b":":
        return _named_class(pattern, at)
    at += byte == BACKSLASH
    byte = _byte(pattern, at)
    return frozenset([byte]), byte, at + 1


def _named_class(pattern: bytes, at: int) -> tuple[frozenset[int], int | None, int]:
    """`[:alpha:]`; without its `:]` the opening bracket is an ordinary member."""
    end = pattern.find(b"]", at + 2)
    if end < 0:
        raise MalformedPatternError(pattern)
    if end == at + 2 or pattern[end - 1] != ord(":"):
        return frozenset(b"["), ord("["), at + 1
    name = pattern[at + 2 : end - 1]
    if name not in CLASSES:
        raise MalformedPatternError(pattern)
    return CLASSES[name], None, end + 1


def _joined(tokens: Sequence[Token]) -> bytes:
    """Tokens as one expression, in which no wildcard is tried anew once a later one is reached.

    What stands between two wildcards of one kind is best taken where it is found first, so each
    such piece is an atomic group: matching stays quadratic at worst, however many stars there
    are.
    """
    out, run, segment = b"", b"", b""
    for token in tokens:
        if token == STAR:
            run, segment = run + _atomic(segment), rb"[^/]*?"
        elif token in (ANY_FOLDERS, ANYTHING):
            out, segment = out + _atomic(run + segment), b""
            run = rb"(?:.*?/)??" if token == ANY_FOLDERS else rb".*?"
        elif token == frozenset([SLASH]):
            run, segment = run + segment + b"/", b""
        else:
            segment += _one_of(token)
    return out + run + segment


def _atomic(expression: bytes) -> bytes:
    return b"(?>" + expression + b")" if b"*" in expression else expression


def _one_of(token: Token) -> bytes:
    members = sorted(ord(byte) if isinstance(byte, str) else byte for byte in token)
    if not members:
        return b"(?!)"
    if len(members) == 1:
        return re.escape(bytes(members))
    ranges: list[list[int]] = []
    for byte in members:
        if not ranges or byte != ranges[-1][1] + 1:
            ranges.append([byte, byte])
        ranges[-1][1] = byte
    return b"[" + b"".join(rb"\x%02x-\x%02x" % (first, last) for first, last in ranges) + b"]"

"""What a walk can tell at a glance: that no rule leaves a file out, by look-ups in a few sets. A
hint may be wrong about a file that is kept, never about one that is not; the answer itself is
found in deciding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from chunkwright.sources.patterns import Pattern

_UNSURE = re.compile(rb"[\[\]\\?]")
"""What may stand for more than itself; a slash in brackets is none between folders."""


class Rule(Protocol):
    """What speaks of a path, or does not: the rules of a file, or a part of them."""

    def match(self, path: bytes, *, is_folder: bool) -> object | None:
        """The rule that speaks of the path."""
        ...


class Hints(NamedTuple):
    """Any file that a rule may leave out has one of these, in lower case, in its name."""

    names: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    """From the last dot on."""
    starts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    """Expressions to match in full, case as it is."""
    folders: tuple[Rule, ...] = ()
    """They speak of everything in a folder, or of nothing."""
    is_odd: bool = False
    """Some rule is none of these: every file has to be asked about."""

    def names_folder(self, folder: bytes) -> bool:
        """Whether every file in a folder (a slash at its end) has to be asked about."""
        return self.is_odd or any(
            rule.match(folder + b"x", is_folder=False) is not None for rule in self.folders
        )

    def look(self) -> Callable[[str], object]:
        """What tells whether a file of a name, in ASCII, has to be asked about."""
        if self.is_odd:
            return _always
        names, suffixes, starts, ends = self.names, self.suffixes, self.starts, self.ends
        shape = re.compile("|".join(self.shapes), re.DOTALL).fullmatch if self.shapes else None

        def names_file(name: str) -> object:
            lower = name.lower()
            return (
                lower[lower.rfind(".") :] in suffixes  # its last letter, where there is no dot
                or lower in names
                or lower.startswith(starts)
                or lower.endswith(ends)
                or (shape is not None and shape(name))
            )

        return names_file


def _always(_name: str) -> bool:
    return True


def joined(hints: Iterable[Hints]) -> Hints:
    """What any of them hints at."""
    rows = list(hints)
    if len(rows) == 1:
        return rows[0]
    return Hints(
        names=frozenset().union(*(row.names for row in rows)),
        suffixes=frozenset().union(*(row.suffixes for row in rows)),
        starts=tuple({text for row in rows for text in row.starts}),
        ends=tuple({text for row in rows for text in row.ends}),
        shapes=tuple({shape for row in rows for shape in row.shapes}),
        folders=tuple(rule for row in rows for rule in row.folders),
        is_odd=any(row.is_odd for row in rows),
    )


class Glance(NamedTuple):
    """The hints of some rules: what to look for in names of files, and in those of folders."""

    files: Hints = Hints()
    folders: Hints = Hints()
    """Of a folder that is left out, or below which every file has to be asked about."""

    def and_(self, *others: Glance) -> Glance:
        """What any of them hints at."""
        rows = (self, *others)
        return Glance(joined(row.files for row in rows), joined(row.folders for row in rows))


def glance_of(patterns: Iterable[Pattern], rule_of: Callable[[Pattern], Rule]) -> Glance:
    """The hints of some rules; `rule_of` makes the rule of one pattern. Those that take back leave
    nothing out, those that speak of folders only leave no file out."""
    telling = [pattern for pattern in patterns if not pattern.negated]
    of_files = (pattern for pattern in telling if not pattern.folders_only)
    return Glance(
        joined(_hint(pattern, rule_of) for pattern in of_files),
        joined(_hint(_of_folder(pattern), rule_of) for pattern in telling),
    )


def _of_folder(pattern: Pattern) -> Pattern:
    """A rule about everything in a folder as one about that folder."""
    body = pattern.body
    while body.endswith(b"/**"):
        body = body.removesuffix(b"/**")
    return pattern._replace(body=body)


def _hint(pattern: Pattern, rule_of: Callable[[Pattern], Rule]) -> Hints:
    last = pattern.body[pattern.body.rfind(b"/") + 1 :]
    if last == b"**":
        return Hints(folders=(rule_of(pattern),))
    if not pattern.body.isascii() or (pattern.whole_path and last.endswith(b"**")):
        return Hints(is_odd=True)  # two stars at the end may cross folders
    if _UNSURE.search(pattern.body):
        if pattern.whole_path:
            return Hints(is_odd=True)
        return _shape(pattern.expression)
    return _literal_hint(last.decode().lower())


def _shape(expression: bytes) -> Hints:
    """An expression for bytes is one for text where both are ASCII."""
    return Hints(shapes=(f"(?:{expression.decode('latin-1')})",))


def _literal_hint(name: str) -> Hints:
    """The hint of a name with stars."""
    first, *rest = name.split("*")
    if not rest:
        return Hints(names=frozenset([name]))
    if rest[-1]:
        end = rest[-1]
        is_suffix = end.startswith(".") and "." not in end[1:]
        return Hints(suffixes=frozenset([end])) if is_suffix else Hints(ends=(end,))
    if first:
        return Hints(starts=(first,))
    inner = max(rest, key=len)
    return Hints(shapes=(f"(?i:.*{re.escape(inner)}.*)",))

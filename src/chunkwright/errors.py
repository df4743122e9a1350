"""The exception tree: every error chunkwright raises on purpose; and how foreign errors and values
are put into words, whatever they are.

    ChunkwrightError
    ├── ConfigError          an option, a flag or a configuration key is wrong
    ├── PathError            a path is missing, unreadable or outside its root
    ├── ParseError           a text cannot be taken in at all
    ├── EmbedError           an embedder failed or answered nonsense
    ├── RerankError          a reranker failed or answered nonsense
    └── StoreError           the index cannot be used
        ├── StaleIndexError    made with other options or another embedder
        ├── LockedError        another process is writing
        ├── CorruptIndexError  damaged, or not an index
        └── VersionError       an entry is not at the version that was seen

Each carries its facts as attributes and ends its message with the remedy.
"""

from __future__ import annotations

from collections.abc import Iterable

LONGEST_VALUE = 200
"""Characters of a wrong value that a message shows; the error's `value` is whole."""


def text_of(error: BaseException) -> str:
    """What a foreign error says, in characters that can be stored; some cannot even say that."""
    try:
        return str(error).encode("utf-8", "backslashreplace").decode("utf-8")
    except Exception:  # its own code failed: it is told by its class alone
        return "(it does not say what)"


def told(error: BaseException) -> str:
    """The class of a foreign error and what it says."""
    return f"{type(error).__name__}: {text_of(error)}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The beginning of a remedy: the known name most like a wrong one, as a question; "" where none
    is."""
    from difflib import get_close_matches  # only where something is wrong

    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]!r}? " if near else ""


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # its own code failed
        text = f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


class ChunkwrightError(Exception):
    """Root of every error raised on purpose; catch this to catch them all."""

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.args, self.__dict__))


def _rebuild(
    kind: type[ChunkwrightError], args: tuple[object, ...], facts: dict[str, object]
) -> ChunkwrightError:
    """Unpickle an error whose constructor takes other arguments than the message."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(facts)
    return error


class ConfigError(ChunkwrightError, ValueError):
    """An option has a value, or a name, that is not allowed."""

    def __init__(self, option: str, value: object, allowed: str) -> None:
        super().__init__(f"{option}={_shown(value)} is not allowed: {allowed}")
        self.option = option
        self.value = value
        self.allowed = allowed


class PathError(ChunkwrightError):
    """A path is missing, unreadable, or lies outside the root it must stay in."""

    def __init__(self, path: str, reason: str, remedy: str) -> None:
        super().__init__(f"{path}: {reason}; {remedy}")
        self.path = path
        self.reason = reason
        self.remedy = remedy


class ParseError(ChunkwrightError):
    """A text cannot be taken in: it is not valid Unicode, or a parser refused it."""

    def __init__(self, path: str, line: int, reason: str, remedy: str) -> None:
        super().__init__(f"{path or '<text>'}:{line}: {reason}; {remedy}")
        self.path = path
        self.line = line
        self.reason = reason
        self.remedy = remedy


class EmbedError(ChunkwrightError):
    """An embedder is missing, failed, or returned something that is not its vectors.

    `is_final`: no other text would fare better, so that there is no use in asking again.
    """

    def __init__(self, embedder: str, reason: str, remedy: str, *, is_final: bool = False) -> None:
        super().__init__(f"embedder {embedder}: {reason}; {remedy}")
        self.embedder = embedder
        self.reason = reason
        self.remedy = remedy
        self.is_final = is_final


class RerankError(ChunkwrightError):
    """A reranker failed, or answered with other hits than it was given."""

    def __init__(self, reranker: str, reason: str, remedy: str) -> None:
        super().__init__(f"reranker {reranker}: {reason}; {remedy}")
        self.reranker = reranker
        self.reason = reason
        self.remedy = remedy


class StoreError(ChunkwrightError):
    """The index at `path` cannot be used as asked."""

    def __init__(self, path: str, reason: str, remedy: str) -> None:
        super().__init__(f"{path}: {reason}; {remedy}")
        self.path = path
        self.reason = reason
        self.remedy = remedy


class StaleIndexError(StoreError):
    """The index was made with another embedder, other options or another format."""

    def __init__(self, path: str, setting: str, stored: str, given: str, remedy: str) -> None:
        super().__init__(path, f"made with {setting} {stored}, not {given}", remedy)
        self.setting = setting
        self.stored = stored
        self.given = given


class LockedError(StoreError):
    """Another process is writing the index."""

    def __init__(self, path: str, pid: int, remedy: str) -> None:
        super().__init__(path, f"another process (pid {pid}) is writing it", remedy)
        self.pid = pid


class CorruptIndexError(StoreError):
    """The index file is damaged, truncated, or not an index of chunkwright's."""


class VersionError(StoreError):
    """A guarded write found another version of its entry than the one it was meant for."""

    def __init__(self, path: str, namespace: str, key: str, stored: int, given: int) -> None:
        found = f"at version {stored}" if stored else "not there"
        seen = f"version {given} was given" if given else "it was to be a new one"
        super().__init__(
            path,
            f"the entry {key!r} of namespace {namespace!r} is {found}, but {seen}",
            "get it again, and put with the version it has now",
        )
        self.namespace = namespace
        self.key = key
        self.stored = stored
        """The version there is; 0 where there is none."""
        self.given = given

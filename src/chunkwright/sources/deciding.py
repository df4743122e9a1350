"""Keep or skip: the one place that judges a path, asked by the walk, by `decide` and before a file
is opened. It looks at names and at what the system says of a file, never at contents.
"""

from __future__ import annotations

import os
import stat

from chunkwright.sources.hints import Glance, Hints, glance_of
from chunkwright.sources.ignoring import Chain, Match
from chunkwright.sources.paths import is_inside, is_unicode, shown
from chunkwright.sources.patterns import Patterns, parse_line
from chunkwright.sources.rules import Keep, Rules, Skip
from chunkwright.sources.secrets import secret_glance, secret_rule

INTERNAL = frozenset({".git", ".chunkwright"})
"""Never entered, in any case of letters: a disk may not tell .GIT from .git."""

BINARY_SUFFIXES = frozenset(  # a table in lines reads better than ninety quoted words
    """
    .avif .bmp .gif .heic .icns .ico .jpeg .jpg .png .psd .tif .tiff .webp
    .aac .avi .flac .m4a .m4v .mkv .mov .mp3 .mp4 .mpeg .mpg .ogg .opus .wav .webm .wma .wmv
    .7z .bz2 .cab .deb .dmg .gz .iso .lz4 .rar .rpm .tar .tgz .xz .zip .zst
    .apk .class .dll .dylib .exe .ipa .jar .o .pdb .pyc .pyd .pyo .so .war .wasm .whl
    .doc .docx .eot .odp .ods .odt .otf .pdf .ppt .pptx .ttf .woff .woff2 .xls .xlsx
    .db .duckdb .h5 .hdf5 .joblib .npy .npz .onnx .parquet .pickle .pkl .pth .safetensors
    .sqlite .sqlite3 .swf .tflite
    """.split()  # noqa: SIM905
)
"""Formats that are never text: such a file is not opened to find that out."""

SPECIAL = {
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFBLK: "block device",
    stat.S_IFCHR: "character device",
}


class Judge:
    """The rules of one walk, compiled."""

    def __init__(self, root: str, rules: Rules) -> None:
        self._root = root
        self._rules = rules
        self._include = _compiled(rules.include)
        self._exclude = _compiled(rules.exclude)
        self.glance = self._glance()
        """What is left out for its name or by these rules, at a glance."""

    def _glance(self) -> Glance:
        exclude = glance_of(self._exclude.rules(), lambda pattern: Patterns([pattern]))
        files = Hints(names=INTERNAL, suffixes=BINARY_SUFFIXES, is_odd=bool(self._rules.include))
        return Glance(files, Hints(names=INTERNAL)).and_(secret_glance(), exclude)

    def folder(self, path: str, chain: Chain) -> Skip | None:
        """Why a folder (path without a slash at its end) is not entered, or None."""
        if not is_unicode(path):
            return Skip(shown(path) + "/", "unreadable_name", "not valid UTF-8")
        internal = _internal(path)
        if internal:
            return Skip(path + "/", "internal", internal)
        return self._by_rules(path + "/", encoded(path), chain, is_folder=True)

    def file(self, path: str, facts: os.stat_result, chain: Chain) -> Keep | Skip:
        """The answer about anything that is not a folder, given its lstat."""
        return (
            self.name(path)
            or self._by_rules(path, encoded(path), chain, is_folder=False)
            or self._not_included(path)
            or self._by_facts(path, facts)
            or Keep(path, facts.st_size, facts.st_mtime_ns)
        )

    def name(self, path: str) -> Skip | None:
        """Why a file is never opened, whatever else is known about it, or None."""
        if not is_unicode(path):
            return Skip(shown(path), "unreadable_name", "not valid UTF-8")
        internal = _internal(path)
        if internal:
            return Skip(path, "internal", internal)
        secret = secret_rule(encoded(path), self._rules.allow_secrets)
        return Skip(path, "secret", secret) if secret else None

    def kind(self, path: str) -> Skip | None:
        """Why a file cannot be text, by its suffix, or None."""
        suffix = os.path.splitext(path)[1].lower()
        return Skip(path, "binary", f"*{suffix}") if suffix in BINARY_SUFFIXES else None

    def size(self, path: str, size: int) -> Skip | None:
        """Why a file is too large, or None."""
        limit = self._rules.max_file_size
        if size <= limit:
            return None
        return Skip(path, "too_large", f"over max_file_size={limit}")

    def _by_rules(
        self, shown_path: str, path: bytes, chain: Chain, *, is_folder: bool
    ) -> Skip | None:
        excluded = self._exclude.match(path, is_folder=is_folder)
        if excluded is not None and not excluded.negated:
            return Skip(shown_path, "excluded", f"exclude: {excluded.text}")
        found: Match | None = chain.match(path, is_folder=is_folder)
        if found is not None and not found.pattern.negated:
            return Skip(shown_path, "ignored", found.rule)
        return None

    def _not_included(self, path: str) -> Skip | None:
        if not self._rules.include or _names(self._include, encoded(path)):
            return None
        return Skip(path, "not_included", f"include: {', '.join(self._rules.include)}")

    def _by_facts(self, path: str, facts: os.stat_result) -> Skip | None:
        mode = facts.st_mode
        if stat.S_ISLNK(mode):
            return Skip(path, "symlink", self._leads_to(path))
        if not stat.S_ISREG(mode):
            return Skip(path, "special", SPECIAL.get(stat.S_IFMT(mode), "not an ordinary file"))
        return self.kind(path) or self.size(path, facts.st_size)

    def _leads_to(self, path: str) -> str:
        full = os.path.join(self._root, path)
        try:
            os.stat(full)
        except (OSError, ValueError):
            return "leads nowhere"
        real = os.path.realpath(full)
        if not is_inside(self._root, real):
            return "leads out of the root"
        return "leads to " + shown(os.path.relpath(real, self._root).replace(os.sep, "/"))


def _internal(path: str) -> str:
    """The part of a path that is git's or ours, or ""."""
    return next((part for part in path.split("/") if part.lower() in INTERNAL), "")


def _compiled(patterns: tuple[str, ...]) -> Patterns:
    lines = (parse_line(pattern.encode(), at) for at, pattern in enumerate(patterns, start=1))
    return Patterns([pattern for pattern in lines if pattern is not None])


def _names(patterns: Patterns, path: bytes) -> bool:
    """Whether the patterns name a file or a folder it lies in; what is further in decides."""
    named = False
    for at, byte in enumerate(path + b"/"):
        if byte == ord("/"):
            found = patterns.match(path[:at], is_folder=at < len(path))
            named = named if found is None else not found.negated
    return named


def encoded(path: str) -> bytes:
    """A path as the bytes that patterns are compared with."""
    return path.encode("utf-8", "surrogateescape")

"""Bytes -> text: which encoding a file is in, and whether it is text at all. Line ends are kept, a
byte order mark is not. Files are not opened here.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

NUL_LOOK = 8 * 1024
"""Bytes searched for a NUL, git's own measure of a binary file. A text with a literal NUL there is
skipped, and reported."""

GUESS_LOOK = 64 * 1024
"""Bytes that an encoding is guessed from; the whole must decode in it all the same."""

VALID_PER_BAD = 10
"""Valid sequences beyond ASCII for each bad byte that make a file damaged UTF-8 rather than
another encoding: text in other encodings hardly ever holds one."""

WESTERN = "cp1252"
WESTERN_LETTERS = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŒ")
WESTERN_MARKS = frozenset("‘’“”„‚«»‹›–—…•·€£¥¢§©®™°±²½¼¾µ×÷¿¡¬¶†‡\xa0\xad")
WESTERN_SIGNS = WESTERN_LETTERS | WESTERN_MARKS
"""What Western European text has beyond ASCII. Left out are the signs whose bytes are letters
of Polish, Czech or Hungarian in cp1250."""

LONE = re.compile(rb"[\x80-\xff]+")
LONE_RUN = 2
"""Bytes beyond ASCII in a row, at most, in Western text; other scripts come in longer runs."""

COUSINS = ("cp1250", "cp1254", "cp1257")
"""Latin tables that statistics cannot tell from the Western one in a short text."""

CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("cp874", "cp932", "euc_jp", "gb18030", "big5", "cp949"),
]
"""What text files are really in. Among all tables there are, a short text fits exotic ones."""


class Decoded(NamedTuple):
    """A text and the encoding it was in."""

    text: str
    encoding: str
    guessed: bool
    """Neither valid UTF-8 nor marked: statistics decided."""


def decode(content: bytes) -> Decoded | str:
    """The text of a file, or why it is not text."""
    marked = _marked(content)
    if marked is not None:
        return marked
    if b"\0" in content[:NUL_LOOK]:
        return "NUL byte near the start"
    text = _decoded(content, "utf-8")
    if text is not None:
        return Decoded(text, "utf-8", guessed=False)
    return _damaged(content) or _guessed(content) or "no encoding fits"


def _marked(content: bytes) -> Decoded | None:
    """The text behind a byte order mark, where there is one and it tells the truth."""
    for mark, encoding in MARKS:
        if content.startswith(mark):
            text = _decoded(content[len(mark) :], encoding)
            if text is not None:
                return Decoded(text, encoding, guessed=False)
    return None


def _damaged(content: bytes) -> Decoded | None:
    """UTF-8 with a few bad bytes, each of which becomes U+FFFD."""
    text = content.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    valid = sum(sign > "\x7f" for sign in text) - bad
    if valid < bad * VALID_PER_BAD:
        return None
    return Decoded(text, "utf-8 with bad bytes replaced", guessed=True)


def _guessed(content: bytes) -> Decoded | None:
    if all(len(run) <= LONE_RUN for run in LONE.findall(content)):
        western = _western(content)
        if western is not None:
            return western
    for sample in (content[:GUESS_LOOK], content):
        encoding = _likeliest(sample)
        text = _decoded(content, encoding)
        if text is not None:
            return (_western(content) if encoding in COUSINS else None) or Decoded(
                text, encoding, guessed=True
            )
    return None


def _likeliest(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # 40 ms that UTF-8 never pays

    best = from_bytes(sample, cp_isolation=CANDIDATES).best()
    return best.encoding if best is not None else ""


def _western(content: bytes) -> Decoded | None:
    """The content in the Western table, if that gives Western text."""
    text = _decoded(content, WESTERN)
    if text is None or not {sign for sign in set(text) if sign > "\x7f"} <= WESTERN_SIGNS:
        return None
    return Decoded(text, WESTERN, guessed=True)


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding) if encoding else None
    except UnicodeDecodeError:
        return None

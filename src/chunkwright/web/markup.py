"""What every page here begins, ends and is coloured with, and how text gets into it. What a page
tells is not here.

A page loads nothing and runs nothing: its content security policy says so, and all text is escaped.
"""

from __future__ import annotations

import html

_VISIBLE = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n\r"} | {
    0x7F: "\u2421",
    **dict.fromkeys((*range(0x80, 0xA0), 0xFFFE, 0xFFFF), "\ufffd"),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"),
}
"""Control characters are not allowed in HTML, nor U+FFFE and U+FFFF in SVG: shown by Unicode's
pictures of them, where it has one. The last ones turn the direction of what follows them, so that
text would be seen in another order than it is in."""

COLOURS = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1f24; --quiet: #5c6270;
  --line: #d8dbe2; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --ink: #e4e6eb; --quiet: #a0a5b4;
  --line: #333842; } }
"""
"""Of a page or a picture, light and dark: ground, text, lesser text, lines."""

_STYLE = """body { margin: 0 auto; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
.quiet { color: var(--quiet); }
"""

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="chunkwright">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
"""

END = "</body>\n</html>\n"
"""The end of a page."""


def head(title: str, style: str) -> str:
    """The beginning of a page, its title as a heading included; `style` adds to what all share."""
    return _HEAD.format(title=escaped(title), style=COLOURS + _STYLE + style)


def escaped(text: str) -> str:
    """Text that a browser shows as it is, in an element or a quoted attribute."""
    visible = text.translate(_VISIBLE)
    return html.escape(visible.encode("utf-8", "replace").decode())

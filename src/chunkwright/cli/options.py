"""The options of the command line, each declared once, with its help. Which command has which is
in `app`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chunkwright.errors import ConfigError

CUTTING = "Cutting"
WALKING = "Walking"
ANSWERS = "Answers"


def _named_folder(given: str) -> Path:
    """A folder as it was given. Raises ConfigError for an empty name, which would mean here."""
    if not given.strip():
        raise ConfigError("--index-dir", given, "the path of a folder (is a variable unset?)")
    return Path(given)


Root = Annotated[
    Path, typer.Argument(metavar="PATH", help="The folder to work on.", show_default="here")
]
Sources = Annotated[
    list[Path], typer.Argument(metavar="PATH", help="Files and folders, in any mixture.")
]
BaseFolder = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="FOLDER",
        help="Folder that paths are relative to. Default: the folder, when it is the only PATH; "
        "else the working folder, when it holds every PATH; else their common folder.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more on stderr.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but errors.")]
IndexFolder = Annotated[
    Path | None,
    typer.Option(
        "--index-dir",
        metavar="FOLDER",
        parser=_named_folder,
        help="Where the index lies. Default: PATH/.chunkwright.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        metavar="NAME",
        help="Embedder to use, see docs/embedders.md; `none`: words only.",
    ),
]

Size = Annotated[
    int | None,
    typer.Option(
        "--size",
        metavar="N",
        help="Cap of a chunk, in the measure. Default: each chunker's own.",
        rich_help_panel=CUTTING,
    ),
]
Overlap = Annotated[
    int | None,
    typer.Option(
        "--overlap",
        metavar="N",
        help="At most so much repeated from the chunk before.",
        rich_help_panel=CUTTING,
    ),
]
MeasureName = Annotated[
    str | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="Unit of size and overlap: chars, bytes, graphemes, lines, tokens, cl100k, o200k.",
        rich_help_panel=CUTTING,
    ),
]
Granularity = Annotated[
    str | None,
    typer.Option(
        "--granularity",
        metavar="NAME",
        help="For code: packed (small symbols share a chunk) or symbol (one chunk each).",
        rich_help_panel=CUTTING,
    ),
]
BudgetIncludesContext = Annotated[
    bool,
    typer.Option(
        "--budget-includes-context",
        help="Count the embed text against the cap, not the chunk alone.",
        rich_help_panel=CUTTING,
    ),
]
FileHeader = Annotated[
    bool | None,
    typer.Option(
        "--file-header/--no-file-header",
        help="For code: a chunk of the file's first lines. Default: with --granularity symbol.",
        rich_help_panel=CUTTING,
    ),
]
WholeFile = Annotated[
    bool,
    typer.Option(
        "--whole-file", help="For code: a chunk of the whole file.", rich_help_panel=CUTTING
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option(
        "--include",
        metavar="PATTERN",
        help="Take only files that match; may be repeated.",
        rich_help_panel=WALKING,
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="PATTERN",
        help="Leave out files that match; may be repeated.",
        rich_help_panel=WALKING,
    ),
]
MaxFileSize = Annotated[
    int | None,
    typer.Option(
        "--max-file-size",
        metavar="BYTES",
        help="Skip larger files. Default: 1 MiB.",
        rich_help_panel=WALKING,
    ),
]
NoIgnore = Annotated[
    bool,
    typer.Option(
        "--no-ignore",
        help="Do not heed .gitignore and .chunkwrightignore.",
        rich_help_panel=WALKING,
    ),
]
AllowSecret = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-secret",
        metavar="PATTERN",
        help="Read files that match although they look like secrets; may be repeated.",
        rich_help_panel=WALKING,
    ),
]

OnlyPath = Annotated[
    str | None,
    typer.Option("--path", metavar="PATTERN", help="Only files that match, as in a .gitignore."),
]
OnlyLanguage = Annotated[
    str | None, typer.Option("--language", metavar="NAME", help="Only chunks in this language.")
]
OnlyKind = Annotated[
    str | None,
    typer.Option("--kind", metavar="NAME", help="Only chunks of this kind, such as symbol."),
]
OnlyWhere = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="KEY=VALUE",
        help="Only documents whose front matter says so; the same key again: either value.",
    ),
]
OnlyNamespace = Annotated[
    str | None,
    typer.Option(
        "--namespace", metavar="NAME", help='Only documents that were put under it; "" for files.'
    ),
]

Tests = Annotated[
    str,
    typer.Option(
        "--tests",
        metavar="HOW",
        help="mixed with other answers, apart (a list of their own), only, or without.",
        rich_help_panel=ANSWERS,
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        metavar="SCORE",
        help="Only answers with this score or a higher one.",
        rich_help_panel=ANSWERS,
    ),
]
Group = Annotated[
    bool,
    typer.Option(
        "--group",
        help="One answer a document, with the other places in it that answer.",
        rich_help_panel=ANSWERS,
    ),
]
Neighbours = Annotated[
    int,
    typer.Option(
        "--neighbours",
        metavar="N",
        min=0,
        help="Show so many chunks before and after each answer.",
        rich_help_panel=ANSWERS,
    ),
]
ContextTokens = Annotated[
    int | None,
    typer.Option(
        "--context-tokens",
        metavar="N",
        min=1,
        help="Show whole answers within so many tokens: the last are shortened first, to their "
        "heads, then to signatures.",
        rich_help_panel=ANSWERS,
    ),
]
ExplainScores = Annotated[
    bool,
    typer.Option(
        "--explain", help="Add a table of what each signal gave.", rich_help_panel=ANSWERS
    ),
]
Stale = Annotated[
    str,
    typer.Option(
        "--stale",
        metavar="HOW",
        help="Where a file is not what was indexed: mark its answers, refresh it and ask again, "
        "or ignore it.",
        rich_help_panel=ANSWERS,
    ),
]

"""The options of `eval` that no other command has, each declared once, with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

COMPARED = "What is compared"
ASKED = "What is asked"

Corpus = Annotated[
    Path, typer.Argument(metavar="CORPUS", help="The folder, or the file, whose cuts are compared.")
]
QuestionFile = Annotated[
    Path | None,
    typer.Option(
        "--questions",
        metavar="FILE",
        help="Questions with their answers, as JSON lines or a table (.csv); see "
        "docs/evaluation.md. Without any, only the cuts are measured.",
        rich_help_panel=ASKED,
    ),
]
MadeQuestions = Annotated[
    str | None,
    typer.Option(
        "--make-questions",
        metavar="KINDS",
        help="Make questions of the corpus itself: docstring, heading, commit, or several with "
        "commas.",
        rich_help_panel=ASKED,
    ),
]
MostQuestions = Annotated[
    int,
    typer.Option(
        "--limit",
        metavar="N",
        min=1,
        help="Make at most so many questions of a kind, drawn by the seed.",
        rich_help_panel=ASKED,
    ),
]
SavedQuestions = Annotated[
    Path | None,
    typer.Option(
        "--save-questions",
        metavar="FILE",
        help="Write the questions that were made, as JSON lines.",
        rich_help_panel=ASKED,
    ),
]
ComparingEmbedder = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        metavar="NAME",
        help="Embedder to use, see docs/embedders.md; default: the folder's. `none`: nothing is "
        "embedded, which leaves the cuts, or --search words.",
        rich_help_panel=ASKED,
    ),
]
Search = Annotated[
    str,
    typer.Option(
        "--search",
        metavar="HOW",
        help="vectors (the exact cosine with every chunk) or, as an index answers, words or both.",
        rich_help_panel=ASKED,
    ),
]
FirstChunks = Annotated[
    int,
    typer.Option(
        "--count",
        "-k",
        metavar="N",
        min=1,
        help="How many of the chunks found are looked at.",
        rich_help_panel=ASKED,
    ),
]
Budget = Annotated[
    int,
    typer.Option(
        "--budget",
        metavar="N",
        min=1,
        help="How much retrieved text is looked at, in the unit, where every cut is given as much.",
        rich_help_panel=ASKED,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Of the intervals: the same one gives the same.",
        rich_help_panel=ASKED,
    ),
]
Strategies = Annotated[
    str,
    typer.Option(
        "--strategies",
        metavar="NAMES",
        help="With commas: auto (as an index cuts), markdown, text, recursive, lines, code, "
        "symbol; each with options, as recursive:overlap=50; or another's splitter, as "
        "package.module:factory.",
        rich_help_panel=COMPARED,
    ),
]
Sizes = Annotated[
    str,
    typer.Option(
        "--sizes",
        metavar="SIZES",
        help="With commas, in the unit; none: no cap.",
        rich_help_panel=COMPARED,
    ),
]
Unit = Annotated[
    str,
    typer.Option(
        "--unit",
        metavar="NAME",
        help="Unit of sizes, overlap and budget: tokens, chars, bytes, graphemes, lines, cl100k, "
        "o200k.",
        rich_help_panel=COMPARED,
    ),
]
EvenOverlap = Annotated[
    int,
    typer.Option(
        "--overlap",
        metavar="N",
        min=0,
        help="At most so much repeated from the chunk before.",
        rich_help_panel=COMPARED,
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="STRATEGY:SIZE",
        help="What the others are compared with. Default: the best.",
        rich_help_panel=COMPARED,
    ),
]
EveryMeasure = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Show every measure with its interval; say more."),
]
Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write the report as a page, with plots."),
]

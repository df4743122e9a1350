"""The commands that work with an index, and their options, declared for typer: `app` has them
among its commands. What they do is in `indexing`, which is loaded when a command runs.
"""
# ruff: noqa: PLR0913, PLR0917  # here an argument is an option of the command line

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chunkwright.cli import printing
from chunkwright.cli.options import (
    ContextTokens,
    EmbedderName,
    ExplainScores,
    Group,
    IndexFolder,
    Json,
    Neighbours,
    OnlyKind,
    OnlyLanguage,
    OnlyNamespace,
    OnlyPath,
    OnlyWhere,
    Quiet,
    Root,
    Stale,
    Tests,
    Threshold,
    Verbose,
)


def index(
    context: typer.Context,
    path: Root = Path(),
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Throw the index away and make it anew.")
    ] = False,
    verify_files: Annotated[
        bool, typer.Option("--verify", help="Read every file, also of the same size and time.")
    ] = False,
    late: Annotated[
        bool | None,
        typer.Option(
            "--late/--no-late",
            help="Index the words only, and embed what a question wants when it is asked; the "
            "index remembers it.",
        ),
    ] = None,
    embed: Annotated[
        bool,
        typer.Option("--embed", help="Then embed what is missing; Ctrl-C keeps what is done."),
    ] = False,
    index_dir: IndexFolder = None,
    embedder: EmbedderName = None,
    as_json: Json = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> int:
    """Make the index of a folder, or bring it up to date."""
    from chunkwright.cli import indexing

    place = indexing.Place(path, index_dir, embedder, late)
    work = indexing.Work(rebuild, verify_files, embed)
    return indexing.index(place, work, context.obj.also(verbose, quiet), as_json=as_json)


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    path: Root = Path(),
    count: Annotated[
        int, typer.Option("--count", "-k", metavar="N", min=1, help="How many answers.")
    ] = 10,
    only_path: OnlyPath = None,
    only_language: OnlyLanguage = None,
    only_kind: OnlyKind = None,
    only_where: OnlyWhere = None,
    only_namespace: OnlyNamespace = None,
    tests: Tests = "mixed",
    threshold: Threshold = None,
    group: Group = False,
    neighbours: Neighbours = 0,
    context_tokens: ContextTokens = None,
    explain: ExplainScores = False,
    stale: Stale = "mark",
    no_refresh: Annotated[
        bool, typer.Option("--no-refresh", help="Search the index as it is.")
    ] = False,
    index_dir: IndexFolder = None,
    embedder: EmbedderName = None,
    as_json: Json = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> int:
    """Find the chunks that answer a query.

    The index is made, or brought up to date, first.
    """
    from chunkwright.cli import indexing

    place = indexing.Place(path, index_dir, embedder)
    options = {
        "path": only_path,
        "language": only_language,
        "kind": only_kind,
        "where": indexing.wanted(only_where or ()),
        "namespace": only_namespace,
        "threshold": threshold,
        "group": group,
        "neighbours": neighbours,
        "context_tokens": context_tokens,
        "explain": explain,
        "stale": stale,
    }
    question = indexing.Question(query, count, refresh=not no_refresh, tests=tests, options=options)
    return indexing.search(place, question, context.obj.also(verbose, quiet), as_json=as_json)


def status(
    path: Root = Path(),
    index_dir: IndexFolder = None,
    as_json: Json = False,
) -> int:
    """Say what the index of a folder holds."""
    from chunkwright.cli import indexing

    return indexing.status(indexing.Place(path, index_dir), as_json=as_json)


def verify(
    path: Root = Path(),
    index_dir: IndexFolder = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check that the index of a folder is whole.

    Every page, every row, and that chunks are what stands in the files. Exit code 4 where it is
    damaged.
    """
    from chunkwright.cli import indexing

    place = indexing.Place(path, index_dir)
    return indexing.verify(place, printing.Talk(quiet=quiet), as_json=as_json)


def clean(path: Root = Path(), index_dir: IndexFolder = None, quiet: Quiet = False) -> int:
    """Remove the index of a folder, and nothing else."""
    from chunkwright.cli import indexing

    return indexing.clean(indexing.Place(path, index_dir), printing.Talk(quiet=quiet))

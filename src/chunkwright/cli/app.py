"""The commands and their options, declared for typer; and how its complaints become one line.
Commands that work with an index are declared in `index_commands`, the types of the options in
`options` and `evaluation_options`; what a command does is in `cutting`, `evaluating` and `about`,
which are loaded when the command runs.
"""
# ruff: noqa: PLR0913, PLR0917  # here an argument is an option of the command line

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from chunkwright.cli import index_commands, outcome, printing
from chunkwright.cli.evaluation_options import (
    Baseline,
    Budget,
    ComparingEmbedder,
    Corpus,
    EvenOverlap,
    EveryMeasure,
    FirstChunks,
    MadeQuestions,
    MostQuestions,
    Page,
    QuestionFile,
    SavedQuestions,
    Search,
    Seed,
    Sizes,
    Strategies,
    Unit,
)
from chunkwright.cli.options import (
    AllowSecret,
    BaseFolder,
    BudgetIncludesContext,
    Exclude,
    FileHeader,
    Granularity,
    Include,
    Json,
    MaxFileSize,
    MeasureName,
    NoIgnore,
    Overlap,
    Quiet,
    Root,
    Size,
    Sources,
    Verbose,
    WholeFile,
)

HELP = """Exact, embed-ready chunks of repositories, Markdown and long text, kept in an index
and found again.

Data goes to stdout, talk to stderr.

Exit codes: 0 fine, 1 nothing found (search only), 2 wrong usage or configuration,
3 some files failed, 4 the index or the embedder, 130 interrupted.
"""

app = typer.Typer(
    name="chunkwright",
    help=HELP,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
config = typer.Typer(help="Look at the settings of a root.")
app.add_typer(config, name="config")


def run(arguments: list[str]) -> int:
    """Run the command line and give its exit code; what typer refuses is wrong usage.

    Interrupts, closed pipes and our own errors pass through.
    """
    command = typer.main.get_command(app)
    try:
        with command.make_context("chunkwright", arguments) as context:
            result = command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as error:
        return _wrong_usage(error)
    return result if isinstance(result, int) else outcome.OK


def _wrong_usage(error: Any) -> int:
    """One line: what is wrong, the nearest thing that is right, and where to read on."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        printing.help_text(error.format_message())
        return outcome.WRONG_USAGE
    message = " ".join(error.format_message().split("(Possible options")[0].split())
    message = message.rstrip(".").replace(". Did you mean", "; did you mean")
    remedy = f"see `{context.command_path if context else 'chunkwright'} --help`"
    said = f"{message[:1].lower()}{message[1:]}{_nearest(error, context)}"
    printing.Talk().error(f"{said}{'' if said.endswith('?') else ';'} {remedy}")
    return outcome.WRONG_USAGE


def _nearest(error: Any, context: Any) -> str:
    """What may have been meant by an option nobody knows."""
    option = getattr(error, "option_name", "")
    if not option or context is None:
        return ""
    options = [name for param in context.command.params for name in param.opts]
    known = {name.lstrip("-"): name for name in options if name.startswith("--")}
    near = get_close_matches(option.lstrip("-"), known, 1)
    return f"; did you mean {known[near[0]]}?" if near else ""


@app.callback(invoke_without_command=True, no_args_is_help=True)
def _everything(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", is_eager=True)
    ] = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    context.obj = printing.Talk(verbose, quiet)
    if version:
        from chunkwright.cli import about

        about.version()
        raise typer.Exit


def chunk(
    context: typer.Context,
    paths: Sources,
    root: BaseFolder = None,
    output: Annotated[
        str, typer.Option("--format", metavar="NAME", help="jsonl or text.")
    ] = "jsonl",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format jsonl.")] = False,
    embed_text: Annotated[
        bool, typer.Option("--embed-text", help="Add the text that would be embedded.")
    ] = False,
    size: Size = None,
    overlap: Overlap = None,
    measure: MeasureName = None,
    granularity: Granularity = None,
    budget_includes_context: BudgetIncludesContext = False,
    file_header: FileHeader = None,
    whole_file: WholeFile = False,
    include: Include = None,
    exclude: Exclude = None,
    max_file_size: MaxFileSize = None,
    no_ignore: NoIgnore = False,
    allow_secret: AllowSecret = None,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> int:
    """Print the chunks of files and folders as they are made.

    One JSON object a chunk, with every field, its id and its content_hash.
    """
    from chunkwright.cli import cutting

    source = cutting.Source(
        paths,
        root,
        settings={
            "size": size,
            "overlap": overlap,
            "measure": measure,
            "granularity": granularity,
            "file_header": file_header,
            "include": include,
            "exclude": exclude,
            "max_file_size": max_file_size,
            "allow_secrets": allow_secret,
        },
        options=_set(budget_includes_context=budget_includes_context, whole_file=whole_file),
        ignore_files=not no_ignore,
    )
    output = "jsonl" if as_json else output
    return cutting.chunk(source, output, embed_text, context.obj.also(verbose, quiet))


def explain(
    paths: Sources,
    root: BaseFolder = None,
    as_json: Json = False,
) -> int:
    """Say why a file is left out, or how it is cut.

    One line a chunk: lines, kind, name, size, and why it ends where it does.
    """
    from chunkwright.cli import cutting

    return cutting.explain(cutting.Source(paths, root), as_json=as_json)


def languages(as_json: Json = False) -> int:
    """List the languages that are known and how each is cut."""
    from chunkwright.cli import about

    return about.languages(as_json=as_json)


def view(
    context: typer.Context,
    paths: Sources,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write. Default: stdout."),
    ] = None,
    root: BaseFolder = None,
    size: Size = None,
    overlap: Overlap = None,
    measure: MeasureName = None,
    granularity: Granularity = None,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> int:
    """Show how files are cut, as one HTML page.

    The page holds everything it needs: no script, no network.
    """
    from chunkwright.cli import cutting

    settings = {
        "size": size,
        "overlap": overlap,
        "measure": measure,
        "granularity": granularity,
    }
    source = cutting.Source(paths, root, settings=settings)
    return cutting.view(source, output, context.obj.also(verbose, quiet))


def mcp(
    roots: Annotated[
        list[Path] | None,
        typer.Argument(metavar="ROOT", help="Folders to serve. Default: the working folder."),
    ] = None,
) -> int:
    """Serve search to agents over stdio (MCP).

    By the Model Context Protocol, over the given folders and no others. Needs the extra mcp.
    """
    from chunkwright import mcp as server

    server.serve(roots or [Path()])
    return outcome.OK


def evaluate(
    context: typer.Context,
    corpus: Corpus,
    questions: QuestionFile = None,
    make_questions: MadeQuestions = None,
    limit: MostQuestions = 500,
    save_questions: SavedQuestions = None,
    strategies: Strategies = "auto,recursive,lines",
    sizes: Sizes = "100,200,400",
    unit: Unit = "tokens",
    overlap: EvenOverlap = 0,
    baseline: Baseline = None,
    embedder: ComparingEmbedder = None,
    search: Search = "vectors",
    count: FirstChunks = 10,
    budget: Budget = 1000,
    seed: Seed = 0,
    page: Page = None,
    as_json: Json = False,
    verbose: EveryMeasure = False,
    quiet: Quiet = False,
) -> int:
    """Compare ways to cut your documents, by what they find.

    Every strategy cuts the files at every size, every question is asked, and each measure has a 95%
    interval, so that a difference which may be chance is called so. Nothing is written but what
    --html and --save-questions name.
    """
    from chunkwright.cli import evaluating

    asked = evaluating.Asked(questions, make_questions, limit, seed, save_questions)
    options = {
        "strategies": strategies,
        "sizes": evaluating.sizes(sizes),
        "unit": unit,
        "overlap": overlap,
        "baseline": baseline,
        "embedder": embedder,
        "search": search,
        "k": count,
        "budget": budget,
        "seed": seed,
    }
    shown = evaluating.Shown(as_json, page)
    talk = context.obj.also(verbose, quiet)
    return evaluating.run(corpus, asked, options, shown, talk)


@config.command("show")
def config_show(path: Root = Path(), as_json: Json = False) -> int:
    """Print the settings of a folder and the file they come from."""
    from chunkwright.cli import about

    return about.settings(path, as_json=as_json)


def _set(**flags: bool) -> dict[str, Any]:
    """The flags that were given: the others leave the chunker its default."""
    return {name: value for name, value in flags.items() if value}


for _command in (
    chunk,
    index_commands.index,
    index_commands.search,
    index_commands.status,
    explain,
    languages,
    view,
    mcp,
    evaluate,
    index_commands.verify,
    index_commands.clean,
):
    app.command("eval" if _command is evaluate else None)(_command)

"""The commands that cut files and show the result: `chunk`, `explain`, `view`. How a file is cut
is the pipeline's business; no index is read or written.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from chunkwright import configuration, pipeline
from chunkwright.cli import folders, outcome, printing, progress, writing
from chunkwright.errors import ConfigError
from chunkwright.rendering import embed_text
from chunkwright.sources import Rules
from chunkwright.types import Chunk, Chunking, Diagnostic
from chunkwright.web.view import page

FORMATS = ("jsonl", "text")


class Source(msgspec.Struct, frozen=True):
    """Which files, relative to what, and with which options."""

    paths: list[Path]
    root: Path | None = None
    """None: chosen from the paths, see `folders.base`."""
    settings: Mapping[str, object] = {}
    """Flags that win over the configuration file; None where not given."""
    options: Mapping[str, Any] = {}
    """Options for the chunkers that no configuration file has."""
    ignore_files: bool = True


class Cut(NamedTuple):
    """One file, cut or left out."""

    chunking: Chunking
    named: bool = False
    """Whether it was named itself, not only a folder it lies in."""


class Tally(msgspec.Struct):
    """What happened to the files that went by."""

    files: int = 0
    chunks: int = 0
    skipped: int = 0
    failed: int = 0
    warnings: int = 0


def cuts(source: Source, *, named_is_wanted: bool = True) -> Iterator[Cut]:
    """One cut a file, as they are made, each file once; skipped and failed ones are empty.

    Who names a file wants it: then ignore files and patterns do not count, unless
    `named_is_wanted` is False.
    """
    root = folders.base(source.paths, source.root)
    settings = configuration.load(root, **source.settings)
    options = {**settings.chunker_options(), **source.options}
    in_folders = Rules(**settings.rule_options(), ignore_files=source.ignore_files)
    named = msgspec.structs.replace(in_folders, include=(), exclude=(), ignore_files=False)
    seen: set[str] = set()
    for path in source.paths:
        is_named = not path.is_dir()
        rules = named if named_is_wanted and is_named else in_folders
        place = os.path.abspath(path)
        for chunking in pipeline.chunk_tree(root, rules=rules, under=place, **options):
            if chunking.path not in seen:
                yield Cut(chunking, is_named)
            if len(source.paths) > 1:
                seen.add(chunking.path)


def chunk(source: Source, output: str, with_embed_text: bool, talk: printing.Talk) -> int:
    """Print every chunk as soon as it is made."""
    if output not in FORMATS:
        raise ConfigError("format", output, f"give one of {', '.join(FORMATS)}")
    show = _show_text if output == "text" else _show_json
    tally = Tally()
    for chunking in watched(source, tally, talk):
        for made in chunking:
            show(made, with_embed_text)
        sys.stdout.flush()
    return _end(tally, talk)


def watched(source: Source, tally: Tally, talk: printing.Talk) -> Iterator[Chunking]:
    """The chunkings, counted, with a progress bar where stderr is a terminal and stdout is not:
    on a terminal the chunks themselves show how far it is."""
    with _bar(talk) as report:
        for chunking, named in cuts(source):
            count(chunking, tally, talk, named=named)
            report("files", tally.files, 0, chunking.path)
            report("chunks", tally.chunks, 0, "")
            yield chunking


def _bar(talk: printing.Talk) -> AbstractContextManager[progress.Report]:
    if printing.is_terminal(sys.stdout):
        return nullcontext(progress.silent)
    return progress.shown(quiet=talk.quiet)


def count(chunking: Chunking, tally: Tally, talk: printing.Talk, *, named: bool) -> None:
    """Count one file, and say what went wrong with it.

    That a file was skipped is a detail, unless it was named: then it is no answer to say nothing.
    """
    failed, skipped, chosen = _left_out(chunking)
    tally.failed += failed
    tally.skipped += skipped and not chosen and not named
    tally.files += not failed and not skipped
    tally.chunks += len(chunking)
    for diagnostic in chunking.diagnostics:
        message = about_diagnostic(chunking.path, diagnostic)
        if diagnostic.level == "error":
            talk.error(message)
        elif skipped and named:
            talk.warning(message)
        else:
            tally.warnings += diagnostic.level == "warning" and diagnostic.code != "skipped"
            talk.detail(message)


def _left_out(chunking: Chunking) -> tuple[bool, bool, bool]:
    """Whether a file failed, was skipped, and was skipped because somebody wrote so."""
    levels = {diagnostic.code: diagnostic.level for diagnostic in chunking.diagnostics}
    return "failed" in levels, "skipped" in levels, levels.get("skipped") == "info"


def about_diagnostic(path: str, diagnostic: Diagnostic) -> str:
    """A diagnostic in one line: place, code, message."""
    where = f"{path}:{diagnostic.line}" if diagnostic.line else path
    return f"{where}: {diagnostic.code}: {diagnostic.message}"


def _end(tally: Tally, talk: printing.Talk) -> int:
    """A last line where there is something to say, and the exit code."""
    said = [printing.counted(tally.files, "file"), printing.counted(tally.chunks, "chunk")]
    counts = {"skipped": tally.skipped, "failed": tally.failed, "with warnings": tally.warnings}
    odd = [f"{number:,} {name}" for name, number in counts.items() if number]
    hint = [] if talk.verbose or not (tally.skipped or tally.warnings) else ["-v says which"]
    say = talk.note if odd else talk.detail
    say(", ".join(said + odd + hint))
    return outcome.PARTIAL if tally.failed else outcome.OK


def _show_json(made: Chunk, with_embed_text: bool) -> None:
    fields = made.as_dict()
    if with_embed_text:
        fields["embed_text"] = embed_text(made)
    printing.json_line(fields)


def _show_text(made: Chunk, with_embed_text: bool) -> None:
    printing.chunk_text(made, embed_text(made) if with_embed_text else made.text)


def explain(source: Source, *, as_json: bool) -> int:
    """For every file: why it is left out, or how it is cut."""
    for chunking, _ in cuts(source, named_is_wanted=False):
        if as_json:
            printing.json_line(_explained(chunking))
        else:
            _explain(chunking)
    return outcome.OK


def _explained(chunking: Chunking) -> dict[str, Any]:
    failed, skipped, _ = _left_out(chunking)
    shown = ("index", "start_line", "end_line", "kind", "name", "part", "parts", "size", "boundary")
    return {
        "path": chunking.path,
        "kept": not failed and not skipped,
        "language": chunking.language,
        "parser": chunking.parser,
        "chunks": [{name: getattr(made, name) for name in shown} for made in chunking],
        "excluded": msgspec.to_builtins(chunking.excluded),
        "diagnostics": msgspec.to_builtins(chunking.diagnostics),
    }


def _explain(chunking: Chunking) -> None:
    path = printing.one_line(chunking.path)
    failed, skipped, _ = _left_out(chunking)
    if not failed and not skipped:
        cut = f"{chunking.language}, cut by {chunking.parser or 'nothing'}"
        printing.line(f"{path}: {cut}, {printing.counted(len(chunking), 'chunk')}")
    printing.table(_explain_rows(chunking), indent=printing.INDENT)
    for diagnostic in chunking.diagnostics:
        printing.line(printing.one_line(about_diagnostic(path, diagnostic)))
    for gone in chunking.excluded:
        printing.line(f"{path}: characters {gone.start} to {gone.end} left out: {gone.reason}")


def _explain_rows(chunking: Chunking) -> Iterable[tuple[str, ...]]:
    for made in chunking:
        lines = f"{made.start_line}-{made.end_line}"
        yield lines, made.kind, printing.title(made), str(made.size), made.boundary


def view(source: Source, output: Path | None, talk: printing.Talk) -> int:
    """Write one page about all files."""
    tally = Tally()
    title = ", ".join(str(path) for path in source.paths)
    pieces = page(watched(source, tally, talk), f"How {title} is cut")
    if output is None:
        for piece in pieces:
            sys.stdout.write(piece)
    else:
        writing.write(output, pieces)
        talk.note(f"wrote {output}")
    return _end(tally, talk)

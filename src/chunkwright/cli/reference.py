"""`docs/cli.md`, made from the commands' own help: `python -m chunkwright.cli.reference` prints
it. The help itself is in `app` and `options`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from chunkwright.cli.app import app

INTRODUCTION = """# The command line

Made from the commands' help by `python -m chunkwright.cli.reference > docs/cli.md`.
Every command has `--help` besides.
"""


def markdown() -> str:
    """The whole page."""
    command = typer.main.get_command(app)
    return INTRODUCTION + "".join(
        _section(command, typer.Context(command, info_name="chunkwright"))
    )


def _section(command: Any, context: typer.Context) -> Iterator[str]:
    """A heading, the usage and the help of a command, then of those below it."""
    yield f"\n## {context.command_path}\n\n"
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"```\n{context.command_path} {usage}\n```\n\n"
    yield f"{_paragraphs(command.help)}\n"
    rows = [_row(parameter, context) for parameter in command.params]
    if rows:
        yield "\n| option | meaning |\n| --- | --- |\n" + "".join(rows)
    for name, below in getattr(command, "commands", {}).items():
        yield from _section(below, typer.Context(below, info_name=name, parent=context))


def _paragraphs(text: str) -> str:
    """Help as Markdown: one line a paragraph."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n")).strip()


def _row(parameter: Any, context: typer.Context) -> str:
    record, meaning = parameter.get_help_record(context)
    name = record.split(" <")[0]  # an argument's Python type says nothing here
    return f"| `{name}` | {' '.join(meaning.split()).replace('|', chr(92) + '|')} |\n"


if __name__ == "__main__":
    print(markdown(), end="")

"""The runner: makes the lines of one measurement, and prints or saves them.

    pip install '.[bench]'
    python -m benchmarks --list
    python -m benchmarks NAME --help
    python -m benchmarks NAME --save
    python -m benchmarks page

`page` writes docs/benchmarks.md from what is saved. Run it at the root of the repository.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from benchmarks import facts, measurements, saving
from benchmarks.facts import Line
from benchmarks.schema import checked

NAMES = tuple(sorted(room.name for room in iter_modules(measurements.__path__)))


def main(arguments: Sequence[str]) -> None:
    """Do what the command line says."""
    if list(arguments) == ["--list"]:
        for name in NAMES:
            print(f"{name:16} {_first_sentence(measurement(name))}")
    elif list(arguments) == ["page"]:
        import_module("benchmarks.page").write()
    else:
        _measure(arguments)


def measurement(name: str) -> ModuleType:
    """The room of a measurement: `add_options` and `lines`."""
    return import_module(f"benchmarks.measurements.{name}")


def _measure(arguments: Sequence[str]) -> None:
    options = parsed(arguments)
    file = saving.FOLDER / f"{options.name}.jsonl"
    made: list[Line] = []
    for line in lines(options, arguments):
        if options.save:
            made.append(line)
            saving.save(file, made)
        else:
            print(saving.encoded(line).decode(), end="", flush=True)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """What a command line says; ends the program where it says nothing that can be done."""
    name = arguments[0] if arguments and arguments[0] in NAMES else None
    return _parser(name).parse_args(arguments)


def _parser(name: str | None) -> argparse.ArgumentParser:
    """With the options of one measurement, where one is named."""
    room = measurement(name) if name else None
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks{f' {name}' if name else ''}",
        description=(room or sys.modules[__name__]).__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=NAMES, metavar="NAME", help="a measurement of --list")
    parser.add_argument("--save", action="store_true", help="to benchmarks/results/NAME.jsonl")
    parser.add_argument("--list", action="store_true", help="say what can be measured")
    if room:
        room.add_options(parser)
    return parser


def lines(options: argparse.Namespace, arguments: Sequence[str]) -> Iterator[Line]:
    """Every line of a measurement as soon as it is there, with what all lines have."""
    command = shown(arguments)
    for line in measurement(options.name).lines(options):
        head = {"what": line["what"], "command": command}
        rest = facts.circumstances(facts.involved(line))
        rest["versions"] |= line.get("versions", {})
        own = {key: value for key, value in line.items() if key not in ("uses", "versions")}
        yield checked(head | own | rest)


def shown(arguments: Sequence[str]) -> str:
    """The command line, of paths their last part: where they lie is this machine's."""
    given = [one for one in arguments if one != "--save"]
    return shlex.join(["python", "-m", "benchmarks", *map(_without_place, given)])


def _without_place(argument: str) -> str:
    path = Path(argument)
    return path.name if path.is_absolute() or ".." in path.parts else argument


def _first_sentence(room: ModuleType) -> str:
    return " ".join((room.__doc__ or "").partition("\n\n")[0].split()).partition(". ")[0]


if __name__ == "__main__":
    main(sys.argv[1:])

"""The command line's door: `main`, and how an outcome becomes an exit code and one line on
stderr. The commands are declared in `app`, done in `commands`, and shown by `printing` and
`progress`; all of that, typer and rich included, is loaded only when it is needed.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from chunkwright.cli import outcome
from chunkwright.errors import ChunkwrightError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: the arguments of the process) and give its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _use_utf8()
    try:
        code = _version() if given == ["--version"] else _run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_gone()
    except KeyboardInterrupt as interrupt:
        return _complain(str(interrupt) or "interrupted", outcome.INTERRUPTED)
    except ChunkwrightError as error:
        return _complain(str(error), outcome.of(error))
    except Exception:  # the last edge: a bug must not pass for an exit code
        traceback.print_exc()
        return _complain("this is a bug in chunkwright; please report the lines above", outcome.BUG)
    return code


def _run(arguments: list[str]) -> int:
    from chunkwright.cli import app

    return app.run(arguments)


def _version() -> int:
    """Without the app, which would load typer for one line."""
    from importlib.metadata import version

    print(f"chunkwright {version('chunkwright')}")
    return outcome.OK


def _complain(message: str, code: int) -> int:
    from chunkwright.cli import printing

    printing.Talk().error(message)
    return code


def _use_utf8() -> None:
    """Data is UTF-8 whatever the locale; a terminal gets what its encoding can show."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and stream.isatty():
            reconfigure(errors="replace")
        elif reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def _reader_gone() -> int:
    """The reader of a pipe closed it (`| head`): it has what it wanted.

    The interpreter flushes stdout once more on its way out, so it must lead somewhere.
    """
    with suppress(OSError, ValueError, AttributeError):  # no real stream: nothing to flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return outcome.OK

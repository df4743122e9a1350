"""The command line's door: `main`, and how an outcome becomes an exit code and one line on
stderr. The commands are declared in `app`, done in `commands`, and shown by `printing` and
`progress`; all of that, typer and rich included, is loaded only when it is needed.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from chunkwright.cli import outcome
from chunkwright.errors import ChunkwrightError

FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO)
"""What the system says when stdout leads to a place that takes no more. Rooms turn such errors
about their own files into ours."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: the arguments of the process) and give its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _use_utf8()
    try:
        code = _version() if given == ["--version"] else _run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()  # `| head` has what it wanted
        return outcome.OK
    except KeyboardInterrupt as interrupt:
        return _complain(str(interrupt) or "interrupted", outcome.INTERRUPTED)
    except ChunkwrightError as error:
        return _complain(str(error), outcome.of(error))
    except OSError as error:
        if error.errno not in FULL:
            return _crash()
        _drop_output()
        message = f"the output cannot be written: {error.strerror}; send it to another place"
        return _complain(message, outcome.NO_OUTPUT)
    except Exception as error:  # the last edge: a bug must not pass for an exit code
        if _is_interruption(error):
            return _complain("interrupted", outcome.INTERRUPTED)
        return _crash()
    return code


def _run(arguments: list[str]) -> int:
    from chunkwright.cli import app

    return app.run(arguments)


def _is_interruption(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: Python wraps what is raised while a class is made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


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
    """Data is UTF-8 whatever the locale; a terminal gets what its encoding can show, and what goes
    to a stream that was closed before we began goes nowhere."""
    sys.stdout, sys.stderr = (stream or _nowhere() for stream in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and stream.isatty():
            reconfigure(errors="replace")
        elif reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _crash() -> int:
    traceback.print_exc()
    return _complain("this is a bug in chunkwright; please report the lines above", outcome.BUG)


def _drop_output() -> None:
    """Lead stdout nowhere: the interpreter flushes it once more on its way out."""
    with suppress(OSError, ValueError, AttributeError):  # no real stream: nothing to flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

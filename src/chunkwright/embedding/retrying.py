"""When to ask a service again, and how long to wait: urllib3's rules, with what services of
embeddings say besides of their limits.
"""

from __future__ import annotations

import re
import time
from typing import Any

from urllib3 import BaseHTTPResponse, Retry
from urllib3.exceptions import InvalidHeader

TRIES = 5
"""Of a request that is answered with one of AGAIN."""

CONNECTION_TRIES = 2
"""Of a request that reaches no server, or whose answer does not arrive."""

AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
"""Statuses that may be another the next time."""

BACKOFF = 0.5
"""Seconds; doubled with each try after the first two."""

JITTER = 0.5
"""Seconds, at most, added by chance, so that requests in flight do not return together."""

LONGEST_WAIT = 120.0
"""Seconds; a service that asks for more ends the run, which can be taken up later."""

EPOCH = 1e9
"""Seconds; a longer wait is a time."""

RESET = "x-ratelimit-reset-"
REMAINING = "x-ratelimit-remaining-"

DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?")
SECONDS = (86400.0, 3600.0, 60.0, 1.0, 0.001)


class WaitTooLongError(Exception):
    """The service wants to be left alone for longer than one waits for."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it asks to wait for {seconds:.0f} seconds")


class Patience(Retry):
    """Asks again after the time that the service names, else after twice as long each time."""

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        """Seconds to wait, from `Retry-After` or what tells when a limit is reset; None where the
        service does not say. Raises WaitTooLongError for more than LONGEST_WAIT."""
        try:
            seconds = super().get_retry_after(response)
        except InvalidHeader:
            seconds = None
        if seconds is None:
            seconds = reset_after(response.headers)
        if seconds is not None and seconds > LONGEST_WAIT:
            raise WaitTooLongError(seconds)
        return seconds


def patience() -> Patience:
    """The rules for one request."""
    return Patience(
        total=TRIES,
        connect=CONNECTION_TRIES,
        read=CONNECTION_TRIES,
        other=CONNECTION_TRIES,
        allowed_methods=None,  # asking for a vector twice changes nothing
        status_forcelist=AGAIN,
        backoff_factor=BACKOFF,
        backoff_jitter=JITTER,
        raise_on_status=False,
    )


def reset_after(headers: Any) -> float | None:
    """Seconds until the limits that are used up are reset; of all, where none says that it is."""
    lowered = {name.lower(): value for name, value in headers.items()}
    waits = {
        name.removeprefix(RESET): seconds
        for name, value in lowered.items()
        if name.startswith(RESET) and (seconds := duration(value)) is not None
    }
    # Some tell a time, in seconds since 1970, others how long it is until then.
    waits = {name: max(0.0, at - time.time()) if at > EPOCH else at for name, at in waits.items()}
    used_up = [wait for name, wait in waits.items() if lowered.get(REMAINING + name) == "0"]
    return max(used_up or waits.values(), default=None)


def duration(value: str) -> float | None:
    """Seconds of `1m30s`, `20ms` or `7.5`; None for anything else."""
    text = value.strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    found = DURATION.fullmatch(text)
    if not text or found is None:
        return None
    try:
        parts = [float(part or 0) for part in found.groups()]
    except ValueError:  # `1.2.3s`
        return None
    return sum(part * unit for part, unit in zip(parts, SECONDS, strict=True))

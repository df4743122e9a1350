"""One request over HTTP, by urllib3 of the extra `endpoint`: connections kept open, proxies of the
environment, certificates checked, no redirects. What is asked and answered is not known here.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from chunkwright.errors import EmbedError

LATER = "refresh again later: what is done is kept"


class Failure(Exception):  # noqa: N818  # never leaves the room: it becomes an EmbedError
    """There is no answer."""

    def __init__(self, reason: str, remedy: str, *, is_final: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        self.is_final = is_final


def connect(base_url: str, name: str, connections: int) -> Any:
    """A pool of connections, none of them open yet. Raises EmbedError without the extra."""
    try:
        import urllib3
    except ImportError as error:
        raise EmbedError(
            name,
            f"urllib3 is missing ({error})",
            "install it: pip install 'chunkwright[endpoint]'",
            is_final=True,
        ) from error
    parts = urlsplit(base_url)
    proxy = getproxies().get(parts.scheme)
    if proxy and not proxy_bypass(parts.hostname or ""):
        return urllib3.ProxyManager(proxy, maxsize=connections)
    return urllib3.PoolManager(maxsize=connections)


def post(
    pool: Any, url: str, body: bytes, headers: dict[str, str], timeouts: tuple[float, float]
) -> tuple[int, bytes]:
    """Status and content of the answer, after as many tries as are worth it. `timeouts` are the
    seconds to connect in, and to wait for the answer. Raises Failure where there is none."""
    import urllib3
    from urllib3.exceptions import HTTPError, MaxRetryError, ReadTimeoutError

    from chunkwright.embedding.retrying import WaitTooLongError, patience

    connecting, reading = timeouts
    try:
        answer = pool.request(
            "POST",
            url,
            body=body,
            headers=headers,
            timeout=urllib3.Timeout(connect=connecting, read=reading),
            retries=patience(),
            redirect=False,
        )
    except WaitTooLongError as error:
        raise Failure(str(error), LATER, is_final=True) from error
    except HTTPError as error:
        cause = error.reason if isinstance(error, MaxRetryError) and error.reason else error
        if isinstance(cause, ReadTimeoutError):
            # A batch of half the size may be answered in time.
            said = f"no answer within {reading:g} seconds"
            raise Failure(said, "raise `timeout`, or lower `batch_size`", is_final=False) from error
        host = urlsplit(url).netloc
        raise Failure(
            f"{host} cannot be reached ({_plain(cause)})",
            "check that it runs and the URL is right, then refresh again: what is done is kept",
            is_final=True,
        ) from error
    return answer.status, answer.data


def _plain(error: Exception) -> str:
    """The innermost reason, without the addresses of objects that urllib3 puts before it."""
    return str(error).rpartition(": ")[2] or type(error).__name__

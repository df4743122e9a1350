"""A real HTTP server with an `/v1/embeddings` that answers as it is told to, also wrongly."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

DIM = 3


class Reply(NamedTuple):
    """What is sent back."""

    body: object
    """Bytes as they are, anything else as JSON."""
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


class Asked(NamedTuple):
    """What came in."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def texts(self) -> list[str]:
        """The texts of the request."""
        texts: list[str] = self.body["input"]
        return texts


def vector(text: str) -> list[float]:
    """A vector that tells the text."""
    return [float(len(text)), float(sum(map(ord, text)) % 97), 1.0]


def good(texts: list[str], *, encoded: bool = False) -> Reply:
    """The right answer, the last vector first."""
    rows: list[tuple[int, object]] = list(enumerate(map(vector, texts)))
    if encoded:
        rows = [(at, packed(row)) for at, row in rows]
    return Reply({"data": [{"index": at, "embedding": row} for at, row in reversed(rows)]})


def packed(row: object) -> str:
    """Numbers in base64."""
    return base64.b64encode(np.array(row, dtype="<f4").tobytes()).decode()


class Server:
    """Answers with `reply`, and remembers what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[Asked] = []
        self.reply: Callable[[Asked], Reply | None] = lambda asked: good(asked.texts)


@contextmanager
def running() -> Iterator[Server]:
    """A server on a free port of this machine, in threads of its own."""
    with _Http(("127.0.0.1", 0), _Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_port}/v1")
        http.told = server  # type: ignore[attr-defined]  # how a handler finds it
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Silence: whoever asked did not wait for the answer."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Ask the server's `reply`; None: hang up."""
        told: Server = self.server.told  # type: ignore[attr-defined]  # set above
        length = int(self.headers["Content-Length"])
        asked = Asked(json.loads(self.rfile.read(length)), dict(self.headers))
        told.asked.append(asked)
        reply = told.reply(asked) if self.path == "/v1/embeddings" else Reply({}, 404)
        if reply is None:
            self.close_connection = True
            return
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, value in {**reply.headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # its name there
        """Silence."""

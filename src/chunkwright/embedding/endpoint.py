"""Embeddings from a service with OpenAI's interface, `POST <base>/embeddings`: OpenAI itself,
Ollama, vLLM, TEI, llama.cpp. When to ask again is retrying's to say, and how a failing batch is
taken apart, batching's.

The key is read from the environment with each request. It is in no attribute, name or message.
"""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
import numpy as np

from chunkwright import measuring
from chunkwright.embedding.answers import Vectors, checked
from chunkwright.embedding.batching import PROBE, TooLargeError
from chunkwright.embedding.limits import UNLIMITED, Estimate
from chunkwright.errors import ConfigError, EmbedError

REQUEST_TOKENS = 16_384
"""Of the texts of one request together: what a server of one's own takes by default."""

CONNECT_TIMEOUT = 10.0
"""Seconds."""

LONGEST_MESSAGE = 300
"""Code points of a service's complaint that are repeated."""

TOO_LONG = ("context length", "context size", "maximum input length", "too long", "too large")
"""What services say of a text over their limit, in an answer of whatever status."""


class _Row(msgspec.Struct):
    embedding: list[float] | str
    """Numbers, or base64 of little-endian float32."""
    index: int | None = None


class _Answer(msgspec.Struct):
    data: list[_Row]


class EndpointOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said of a model and of how it is asked."""

    dimensions: int | None = None
    """Asked of a model that gives vectors of several lengths; None: its own."""
    max_tokens: int = UNLIMITED
    tokenizer: str = ""
    """The path of a `tokenizer.json`, or a measure's name; "": none."""
    batch_size: int = 32
    """Texts a request. TEI takes no more by default."""
    concurrency: int = 4
    """Requests at a time."""
    timeout: float = 60.0
    """Seconds that an answer is waited for."""


class EndpointEmbedder:
    """The vectors of a model behind an endpoint.

    Picklable and safe among threads; nothing is connected to before it is first asked. Where
    `dim` is not known, it is that of the first answer; every other answer has to have it.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        options: EndpointOptions | None = None,
        *,
        name: str = "",
        key_variable: str = "",
    ) -> None:
        options = options or EndpointOptions()
        self._base_url = base_url.rstrip("/")
        self._model = model
        self._key_variable = key_variable
        self._options = options
        self._known_dim = options.dimensions
        self.max_tokens = options.max_tokens
        self.batch_size = options.batch_size
        self.concurrency = options.concurrency
        asked = f" dimensions={options.dimensions}" if options.dimensions else ""
        self.name = f"{name or f'{self._base_url}#{model}'}{asked}"
        self._prepare()

    def _prepare(self) -> None:
        self._lock = threading.Lock()
        self._pool: Any = None
        self._measure: Any = None

    def __getstate__(self) -> dict[str, Any]:
        made_later = ("_lock", "_pool", "_measure")
        return {name: value for name, value in vars(self).items() if name not in made_later}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    @property
    def dim(self) -> int:
        """Length of a vector; asks the service where nothing has told it yet."""
        if self._known_dim is None:
            self.embed([PROBE])
        return self._known_dim or 0

    def learn_dim(self, dim: int) -> None:
        """Take `dim` for the length of a vector, until an answer says otherwise."""
        if self._known_dim is None and dim > 0:
            self._known_dim = dim

    @property
    def measure(self) -> Any:
        """The tokenizer that was named, as a measure; None where none was."""
        if not self._options.tokenizer:
            return None
        with self._lock:
            if self._measure is None:
                self._measure = _tokenizer(self._options.tokenizer)
            return self._measure

    @property
    def special_tokens(self) -> int:
        """How many tokens the model adds, as far as its tokenizer tells."""
        added = getattr(self.measure, "num_special_tokens_to_add", None)
        return 0 if added is None else int(added(is_pair=False))

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """Vectors of shape (len(texts), dim), in the order of the texts.

        Raises EmbedError where the service cannot be reached, refuses, or answers nonsense.
        """
        parts = [self._embedded(part) for part in self._requests(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dim), dtype=np.float32)

    def _requests(self, texts: Sequence[str]) -> Iterator[Sequence[str]]:
        """The texts in parts of at most `batch_size` and REQUEST_TOKENS; a longer one alone."""
        count = Estimate().count
        start = tokens = 0
        for position, text in enumerate(texts):
            size = count(text)
            is_full = position - start >= self.batch_size or tokens + size > REQUEST_TOKENS
            if position > start and is_full:
                yield texts[start:position]
                start, tokens = position, 0
            tokens += size
        if start < len(texts):
            yield texts[start:]

    def _embedded(self, texts: Sequence[str]) -> Vectors:
        body: dict[str, Any] = {
            "model": self._model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._options.dimensions:
            body["dimensions"] = self._options.dimensions
        rows = self._rows(self._post(body), len(texts))
        if self._known_dim is None and rows and len(rows[0]):
            self._known_dim = len(rows[0])
        return checked(self, rows, len(texts))

    def _rows(self, content: bytes, count: int) -> list[Any]:
        """The vectors of an answer, in the order of the texts."""
        try:
            data = msgspec.json.decode(content, type=_Answer).data
            rows = [_numbers(row.embedding) for row in data]
        except ValueError as error:  # no JSON (`NaN` is none), other fields, no base64
            raise self._error(
                f"its answer is not that of an embeddings endpoint: {error}",
                "check that the URL ends where `/embeddings` follows, mostly with /v1",
            ) from error
        places = [at if row.index is None else row.index for at, row in enumerate(data)]
        if sorted(places) != list(range(count)):
            raise self._error(
                f"its answer has {len(places)} vectors, with the indexes {places[:8]}, "
                f"for {count} texts",
                "it must have one for each",
                is_final=True,
            )
        return [row for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0])]

    def _post(self, body: dict[str, Any]) -> bytes:
        from chunkwright.embedding import transport

        with self._lock:
            if self._pool is None:
                self._pool = transport.connect(self._base_url, self.name, self.concurrency)
        key = self._key()
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        try:
            status, content = transport.post(
                self._pool,
                f"{self._base_url}/embeddings",
                msgspec.json.encode(body),
                headers,
                (CONNECT_TIMEOUT, self._options.timeout),
            )
        except transport.Failure as failure:
            reason = _without(key, failure.reason)
            raise self._error(reason, failure.remedy, is_final=failure.is_final) from None
        if status != 200:
            raise self._refusal(status, _without(key, _message(content)))
        return content

    def _key(self) -> str:
        key = os.environ.get(self._key_variable, "").strip()
        if key and not (key.isascii() and key.isprintable()):
            reason = f"the key in {self._key_variable} has characters that no header may have"
            raise self._error(reason, "set it anew", is_final=True)
        return key

    def _refusal(self, status: int, message: str) -> EmbedError:
        said = f"HTTP {status}: {message}" if message else f"HTTP {status}"
        if status in (401, 403):
            variable = self._key_variable
            return self._error(said, f"set {variable} to a key that it takes", is_final=True)
        if status == 404:
            remedy = f"check the URL, {self._base_url}, and that it has the model {self._model}"
            return self._error(said, remedy, is_final=True)
        if status == 429:
            remedy = "refresh again later: what is done is kept; or ask for less at a time"
            return self._error(said, remedy, is_final=True)
        if status == 413:
            return TooLargeError(self.name, said, "lower `batch_size` or the size of chunks")
        if any(words in message.lower() for words in TOO_LONG):
            return self._error(said, "set `max_tokens` and `tokenizer`, or a smaller `size`")
        return self._error(said, "see what the service says of it")

    def _error(self, reason: str, remedy: str, *, is_final: bool = False) -> EmbedError:
        return EmbedError(self.name, reason, remedy, is_final=is_final)


def key_variable_of(base_url: str) -> str:
    """The variable whose key a host is sent. Each host has its own, so that the settings of a
    folder, which may be a stranger's, cannot send a key to another host."""
    host = (urlsplit(base_url).hostname or "").upper().replace("-", "__")
    return "CHUNKWRIGHT_KEY_" + "".join(letter if letter.isalnum() else "_" for letter in host)


def _numbers(embedding: list[float] | str) -> Any:
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    return embedding


def _message(content: bytes) -> str:
    """What a service says of a refusal, whichever of the usual forms it has."""
    try:
        said = msgspec.json.decode(content)
    except ValueError:
        said = content.decode("utf-8", "replace")
    for name in ("error", "message", "detail"):
        if isinstance(said, dict) and name in said:
            said = said[name]
    text = " ".join(str(said).split())
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}…"


def _without(key: str, text: str) -> str:
    return text.replace(key, "…") if key else text


def _tokenizer(source: str) -> Any:
    """A measure's name, or the tokenizer in a file. Raises ConfigError where it is neither."""
    if not source.endswith(".json"):
        return measuring.resolve(source)
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(source)
    except Exception as error:  # tokenizers raises bare Exception
        raise ConfigError(
            "embedder_options.tokenizer", source, f"the path of a tokenizer.json ({error})"
        ) from error

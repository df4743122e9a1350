"""A service of embeddings over HTTP: a real one, on this machine, that behaves well and badly."""

from __future__ import annotations

import logging
import pickle
import socket
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

import chunkwright as cw
from chunkwright.embedding import resolve
from chunkwright.embedding.batching import embed_safely
from chunkwright.embedding.endpoint import EndpointEmbedder, key_variable_of
from endpoint_server import Asked, Reply, Server, good, packed, running, vector

pytest.importorskip("urllib3")
retrying = pytest.importorskip("chunkwright.embedding.retrying")

SECRET = "sk-a-key-that-nobody-may-see"  # noqa: S105  # it opens nothing


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server; one waits a hundredth of the usual time before asking it again."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(retrying, "BACKOFF", 0.005)
    monkeypatch.setattr(retrying, "JITTER", 0.005)
    with running() as started:
        yield started


def embedder(server: Server, **options: object) -> EndpointEmbedder:
    """What the server's address as a name leads to."""
    made = resolve(f"{server.url}#harbour", options)
    assert isinstance(made, EndpointEmbedder)
    return made


def failing_first(times: int, reply: Reply) -> Callable[[Asked], Reply | None]:
    """Answers with `reply` so many times, then rightly."""
    left = [reply] * times

    def answer(asked: Asked) -> Reply | None:
        return left.pop() if left else good(asked.texts)

    return answer


def test_vectors_are_matched_by_index(server: Server) -> None:
    """The answer may come in any order; the model and the texts are what was asked for."""
    vectors = embedder(server).embed(["fog", "a ferry"])
    assert vectors.tolist() == [vector("fog"), vector("a ferry")]
    assert vectors.dtype == np.float32
    assert server.asked[0].body == {
        "model": "harbour",
        "input": ["fog", "a ferry"],
        "encoding_format": "float",
    }
    assert "Authorization" not in server.asked[0].headers


def test_base64_is_read_as_well(server: Server) -> None:
    """Some services send it whatever is asked."""
    server.reply = lambda asked: good(asked.texts, encoded=True)
    assert embedder(server).embed(["fog"]).tolist() == [vector("fog")]


def test_the_dimension_is_that_of_the_first_answer(server: Server) -> None:
    """Nothing is asked before it is needed; what comes later is held against it."""
    made = embedder(server)
    assert server.asked == []
    assert made.dim == 3
    assert made.embed([]).shape == (0, 3)
    server.reply = lambda asked: Reply({"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
    with pytest.raises(cw.EmbedError, match=r"shape \(1, 2\) for 1 texts, not \(1, 3\)"):
        made.embed(["fog"])


def test_a_dimension_can_be_asked_for(server: Server) -> None:
    """It goes into the request and into the name, for other dimensions are other vectors."""
    made = embedder(server, dimensions=3)
    made.embed(["fog"])
    assert server.asked[0].body["dimensions"] == 3
    assert made.name == f"{server.url}#harbour dimensions=3"
    with pytest.raises(cw.EmbedError, match=r"not \(1, 2\)"):
        embedder(server, dimensions=2).embed(["fog"])


def test_requests_are_bounded_and_several_at_a_time(server: Server) -> None:
    """By texts, by tokens, by how many are in flight; every text gets its own vector."""
    lock, busy, most = threading.Lock(), [0], [0]

    def slow(asked: Asked) -> Reply:
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        time.sleep(0.05)
        with lock:
            busy[0] -= 1
        return good(asked.texts)

    server.reply = slow
    texts = [f"text {number}" for number in range(60)] + ["x" * 20_000] * 3
    result = embed_safely(embedder(server, batch_size=8, concurrency=3), texts)
    assert result.vectors.tolist() == [vector(text) for text in texts]
    assert max(len(asked.texts) for asked in server.asked) == 8
    assert max(sum(map(len, asked.texts)) for asked in server.asked) <= 2 * 16_384
    assert 2 <= most[0] <= 3


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_passing_trouble_is_waited_out(server: Server, status: int) -> None:
    """Asked again, the service answers."""
    server.reply = failing_first(3, Reply({"error": {"message": "busy"}}, status))
    assert embedder(server).embed(["fog"]).tolist() == [vector("fog")]
    assert len(server.asked) == 4


def test_a_hang_up_is_waited_out(server: Server) -> None:
    """A connection that breaks is made anew."""
    hang_up: list[Reply | None] = [None]
    server.reply = lambda asked: hang_up.pop() if hang_up else good(asked.texts)
    assert embedder(server).embed(["fog"]).tolist() == [vector("fog")]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        (lambda: {"Retry-After": "7"}, 7),
        (lambda: {"Retry-After": formatdate(time.time() + 30, usegmt=True)}, 30),
        (lambda: {"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "1m2s"}, 62),
        (
            lambda: {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "250ms",
                "x-ratelimit-remaining-tokens": "9",
                "x-ratelimit-reset-tokens": "1m2s",
            },
            0.25,
        ),
        (lambda: {"x-ratelimit-reset-requests": str(int(time.time() + 20))}, 20),
    ],
    ids=["seconds", "date", "durations", "the one used up", "time"],
)
def test_a_service_says_how_long_to_wait(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    headers: Callable[[], dict[str, str]],
    seconds: float,
) -> None:
    """And so long is waited, not less."""
    slept: list[float] = []
    monkeypatch.setattr("urllib3.util.retry.time.sleep", slept.append)
    server.reply = failing_first(1, Reply({}, 429, headers()))
    embedder(server).embed(["fog"])
    assert len(server.asked) == 2
    assert slept[0] == pytest.approx(seconds, abs=10 if seconds > 10 else 0)


def test_a_service_that_asks_for_an_hour_ends_the_run(server: Server) -> None:
    """It is not asked again before its time; what is done is kept."""
    made = embedder(server, batch_size=2, concurrency=1)
    limited = Reply({}, 429, {"Retry-After": "3600"})
    server.reply = lambda asked: limited if len(server.asked) > 2 else good(asked.texts)
    result = embed_safely(made, ["fog"] * 8)
    assert result.done == [0, 1, 2, 3][: len(result.done)]
    assert result.done
    assert "asks to wait for 3600 seconds" in str(result.stopped)
    assert len(server.asked) == 3


def test_a_service_that_stays_busy_ends_the_run(server: Server) -> None:
    """After a few tries, not one for each text."""
    server.reply = lambda asked: Reply({"error": {"message": "slow down"}}, 429)
    result = embed_safely(embedder(server, dimensions=3, concurrency=1), ["fog"] * 100)
    assert "HTTP 429: slow down" in str(result.stopped)
    assert len(server.asked) == 1 + retrying.TRIES


def test_a_service_that_only_fails_ends_the_run(server: Server) -> None:
    """A letter fails as well: it is not the texts."""
    server.reply = lambda asked: Reply(b"<html>oops</html>", 500)
    result = embed_safely(embedder(server, dimensions=3, concurrency=1), ["fog"] * 100)
    assert "HTTP 500" in str(result.stopped)
    assert len(server.asked) == 3 * (1 + retrying.TRIES)


@pytest.mark.parametrize(
    ("status", "message", "remedy"),
    [
        (401, "no such key", "set CHUNKWRIGHT_KEY_127_0_0_1"),
        (403, "not yours", "set CHUNKWRIGHT_KEY_127_0_0_1"),
        (404, "model 'harbour' not found", "that it has the model harbour"),
    ],
)
def test_a_refusal_is_final_and_says_what_to_do(
    server: Server, status: int, message: str, remedy: str
) -> None:
    """One request, one clear error."""
    server.reply = lambda asked: Reply({"error": {"message": message}}, status)
    result = embed_safely(embedder(server, dimensions=3, concurrency=1), ["fog"] * 100)
    assert f"HTTP {status}: {message}" in str(result.stopped)
    assert remedy in str(result.stopped)
    assert len(server.asked) == 1


def test_nobody_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connection refused: the address, and that it is worth a look whether it runs."""
    monkeypatch.setattr(retrying, "BACKOFF", 0.005)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    made = resolve(f"http://127.0.0.1:{port}/v1#harbour")
    assert made is not None
    with pytest.raises(cw.EmbedError, match=f"127.0.0.1:{port} cannot be reached .*refused"):
        made.embed(["fog"])


def test_an_answer_that_takes_too_long_is_an_error(server: Server) -> None:
    """After `timeout` seconds, and as many tries as a connection gets."""
    release = threading.Event()

    def never(asked: Asked) -> Reply:
        release.wait(10)
        return good(asked.texts)

    server.reply = never
    with pytest.raises(cw.EmbedError, match=r"no answer within 0\.05 seconds.*raise `timeout`"):
        embedder(server, timeout=0.05).embed(["fog"])
    release.set()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html>", "not that of an embeddings endpoint"),
        (b'{"data": [{"index": 0, "embedding": [NaN, 1.0, 2.0]}]}', "not that of"),
        ({"data": [{"index": 0, "embedding": [None, 1.0, 2.0]}]}, "not that of"),
        ({"data": [{"index": 0, "embedding": "%%%"}]}, "not that of"),
        ({"data": [{"index": 0, "embedding": packed([np.nan, 1, 2])}]}, "NaN or infinite"),
        ({"data": [{"index": 0, "embedding": packed([np.inf, 1, 2])}]}, "NaN or infinite"),
        ({"data": [{"index": 0, "embedding": [1e300, 1.0, 2.0]}]}, "NaN or infinite"),
        ({"data": []}, "0 vectors, with the indexes .*, for 1 texts"),
        ({"data": [{"index": at, "embedding": [1, 2, 3]} for at in (0, 1)]}, "2 vectors"),
        ({"data": [{"index": 5, "embedding": [1, 2, 3]}]}, r"the indexes \[5\]"),
        ({"data": [{"index": 0, "embedding": [1.0, 2.0]}]}, "shape"),
        ({"error": {"message": "said with status 200"}}, "not that of"),
    ],
)
def test_an_answer_that_is_no_vectors_is_an_error(
    server: Server, body: object, message: str
) -> None:
    """Whatever is wrong with it, the service is named."""
    server.reply = lambda asked: Reply(body)
    with pytest.raises(cw.EmbedError, match=message) as caught:
        embedder(server, dimensions=3).embed(["fog"])
    assert caught.value.embedder == f"{server.url}#harbour dimensions=3"


@pytest.mark.parametrize(
    "refusal",
    [
        Reply({"error": {"message": "maximum context length is 512 tokens"}}, 400),
        Reply({"error": "Input validation error: too long", "error_type": "validation"}, 413),
        Reply({"detail": [{"msg": "value is not allowed"}]}, 422),
    ],
    ids=["context length", "too large", "something else"],
)
def test_a_text_that_is_refused_is_shortened(server: Server, refusal: Reply) -> None:
    """The others are embedded whole, and it by its beginning, which is reported."""

    def picky(asked: Asked) -> Reply:
        is_long = any(len(text) > 500 for text in asked.texts)
        return refusal if is_long else good(asked.texts)

    server.reply = picky
    texts = ["fog"] * 20 + ["long " * 300] + ["tide"] * 20
    result = embed_safely(embedder(server), texts)
    assert list(result.shortened) == [20]
    assert result.shortened[20].startswith("only 375 of 1500 characters; ")
    assert (result.failed, result.stopped) == ({}, None)
    assert result.vectors[19].tolist() == vector("fog")


def test_a_poisoned_text_is_left_out_and_reported(server: Server) -> None:
    """A server error for one text does not end the run."""
    bad = Reply({"error": {"message": "unsupported value: NaN"}}, 500)
    server.reply = lambda asked: bad if "poison" in asked.texts else good(asked.texts)
    result = embed_safely(embedder(server), ["fog"] * 5 + ["poison"] + ["tide"] * 5)
    assert list(result.failed) == [5]
    assert "unsupported value: NaN" in result.failed[5]
    assert len(result.done) == 10


def test_a_key_is_sent_and_never_shown(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It stands in no name, copy, message, log or file of the index."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("CHUNKWRIGHT_KEY_127_0_0_1", SECRET)
    made = embedder(server)
    (tmp_path / "log.md").write_text("# Log\n\nFog.\n", "utf-8")
    with cw.Index(tmp_path, made) as index:
        index.refresh()
        assert index.status().vectors == 1
    assert server.asked[0].headers["Authorization"] == f"Bearer {SECRET}"
    server.reply = lambda asked: Reply({"error": f"wrong key {SECRET}"}, 401)
    with pytest.raises(cw.EmbedError) as caught:
        made.embed(["fog"])
    shown = [str(caught.value), repr(vars(caught.value)), caplog.text, made.name, repr(vars(made))]
    assert not any(SECRET in text for text in shown)
    kept = [
        pickle.dumps(made),
        *(file.read_bytes() for file in (tmp_path / ".chunkwright").iterdir()),
    ]
    assert not any(SECRET.encode() in content for content in kept)


def test_a_key_that_no_header_may_have_is_refused_unseen(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the variable, not what is in it."""
    monkeypatch.setenv("CHUNKWRIGHT_KEY_127_0_0_1", f"{SECRET}\nX-Other: 1")
    with pytest.raises(cw.EmbedError, match="CHUNKWRIGHT_KEY_127_0_0_1") as caught:
        embedder(server).embed(["fog"])
    assert SECRET not in str(caught.value)
    assert server.asked == []


def test_each_host_has_its_own_key(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of a folder name the host, so they must not be able to send it another's key."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("CHUNKWRIGHT_KEY_LOCALHOST", SECRET)
    embedder(server).embed(["fog"])
    assert "Authorization" not in server.asked[0].headers
    assert key_variable_of("https://my-host.example.com:8443/v1") == (
        "CHUNKWRIGHT_KEY_MY__HOST_EXAMPLE_COM"
    )


def test_openai_is_asked_with_its_key_at_its_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OPENAI_BASE_URL leads elsewhere, as it does for OpenAI's own client."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    made = resolve("openai:harbour")
    assert made is not None
    assert made.embed(["fog"]).tolist() == [vector("fog")]
    assert made.name == "openai:harbour"
    assert server.asked[0].headers["Authorization"] == f"Bearer {SECRET}"


def test_a_redirection_is_not_followed(server: Server) -> None:
    """Texts and key go to the address that was given, nowhere else."""
    port = urlsplit(server.url).port
    elsewhere = {"Location": f"http://localhost:{port}/v1/embeddings"}
    server.reply = lambda asked: Reply({}, 307, elsewhere)
    with pytest.raises(cw.EmbedError, match="HTTP 307"):
        embedder(server).embed(["fog"])
    assert len(server.asked) == 1


def test_an_index_asks_for_no_dimension_twice(server: Server, tmp_path: Path) -> None:
    """What the index knows need not be asked: a search is one request; without the service
    words are still brought up to date, and the next run adds the vectors."""
    (tmp_path / "log.md").write_text("# Log\n\nFog over the pier.\n", "utf-8")
    with cw.Index(tmp_path, f"{server.url}#harbour") as index:
        index.refresh()
    server.asked.clear()
    with cw.Index(tmp_path, f"{server.url}#harbour") as index:
        assert index.search("fog")
    assert [asked.texts for asked in server.asked] == [["fog"]]
    (tmp_path / "log.md").write_text("# Log\n\nA storm.\n", "utf-8")
    server.reply = lambda asked: Reply({}, 401)
    with cw.Index(tmp_path, f"{server.url}#harbour") as index:
        with pytest.raises(cw.EmbedError, match="401"):
            index.refresh()
        assert [chunk.text for chunk in index.chunks()] == ["# Log\n\nA storm."]
        server.reply = lambda asked: good(asked.texts)
        assert index.refresh().embedded == 1


def test_a_service_that_is_not_there_costs_no_index(server: Server, tmp_path: Path) -> None:
    """A rebuild with it changes nothing."""
    (tmp_path / "log.md").write_text("# Log\n\nFog over the pier.\n", "utf-8")
    with cw.Index(tmp_path, "hashing") as index:
        index.refresh()
    server.reply = lambda asked: Reply({}, 401)
    with cw.Index(tmp_path, f"{server.url}#harbour") as index, pytest.raises(cw.EmbedError):
        index.rebuild()
    with cw.Index(tmp_path, "hashing") as index:
        assert index.search("fog")


def test_a_refresh_that_is_stopped_keeps_the_vectors_it_has(server: Server, tmp_path: Path) -> None:
    """What the service had answered before it went away is not asked for again."""
    for number in range(30):
        (tmp_path / f"{number}.md").write_text(f"# Log\n\nDay {number}.\n", "utf-8")
    options = {"embedder_options": {"batch_size": 4, "concurrency": 2}}
    last = [6]

    def dying(asked: Asked) -> Reply:
        last[0] -= 1
        return good(asked.texts) if last[0] > 0 else Reply({}, 401)

    server.reply = dying
    with cw.Index(tmp_path, f"{server.url}#harbour", options) as index:
        with pytest.raises(cw.EmbedError):
            index.refresh()
        kept = index.status().vectors
        assert kept >= 12
        server.reply = lambda asked: good(asked.texts)
        assert index.refresh().embedded == 30 - kept


def test_a_named_tokenizer_counts_for_a_model_with_a_limit(server: Server, tmp_path: Path) -> None:
    """Chunks are cut so that the service reads each to its end, with what its model adds."""
    path, unknown = tmp_path / "tokenizer.json", "?"
    tokenizer = Tokenizer(models.WordLevel({unknown: 0}, unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    ends = f"{unknown} $A {unknown}"
    tokenizer.post_processor = processors.TemplateProcessing(ends, None, [(unknown, 0)])
    tokenizer.save(str(path))
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "log.txt").write_text(
        " ".join(f"fog{number}" for number in range(500)), "utf-8"
    )
    options = {"embedder_options": {"max_tokens": 60, "tokenizer": str(path)}}
    with cw.Index(tmp_path / "files", f"{server.url}#harbour", options) as index:
        assert index.refresh().failed == ()
        found = [tokenizer.encode(text).ids for asked in server.asked for text in asked.texts]
    assert 9 <= len(found) <= 14
    assert max(map(len, found)) <= 60
    with pytest.raises(cw.ConfigError, match="tokenizer"):
        _ = embedder(server, tokenizer=str(tmp_path / "nowhere.json")).measure

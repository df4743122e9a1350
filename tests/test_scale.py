"""Arrow batches of documents to Arrow batches of chunks."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from chunkwright import Chunk, LineChunker, chunk, embed_text, scale
from chunkwright.errors import ConfigError

GO = "package a\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n"
DOC = "# Título\r\n\r\ntext 🙂 [x][y]\r\n\r\n[y]: /u\r\n"


def batch(**columns: list[Any]) -> Any:
    arrow = pytest.importorskip("pyarrow")
    return arrow.RecordBatch.from_pydict(columns)


def test_every_field_of_a_chunk_is_a_column() -> None:
    """A new field needs a column, and a new version where it changes one."""
    fields = {*Chunk.__struct_fields__, "id", "content_hash"}
    assert set(scale.COLUMNS) == fields | {"document", "diagnostics", "embed_text"}
    assert scale.SCHEMA_VERSION == 1


def test_without_pyarrow_the_extra_is_named() -> None:
    """The module can be imported; using it says what to install."""
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from chunkwright import scale\n"
        "from chunkwright.errors import ConfigError\n"
        "try:\n    scale.CHUNK_SCHEMA\n"
        "except ConfigError as error:\n    print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'chunkwright[scale]'" in told.stdout


@pytest.mark.integration
class TestBatches:
    """With pyarrow, which is an extra."""

    def test_rows_are_the_chunks_of_the_documents(self) -> None:
        """Every field of every chunk, in order, and the text to embed."""
        given = batch(text=[GO, DOC], path=["a.go", "b.md"], commit=["c1", None])
        rows = scale.chunk_batch(given).to_pylist()
        expected = [*chunk(GO, "a.go"), *chunk(DOC, "b.md")]
        assert [row["id"] for row in rows] == [made.id for made in expected]
        assert [row["embed_text"] for row in rows] == [embed_text(made) for made in expected]
        assert [row["document"] for row in rows] == [0] * (len(rows) - 1) + [1]
        assert rows[0]["commit"] == "c1"
        assert rows[-1]["commit"] == ""
        plain = json.loads(json.dumps(expected[-1].as_dict()))
        assert {name: rows[-1][name] for name in plain} == plain
        assert rows[-1]["breadcrumb"] == ["Título"]
        assert [symbol["name"] for symbol in rows[0]["symbols"]] == ["Add"]

    def test_the_schema_has_a_version(self) -> None:
        """Batches carry it, and are all of one schema."""
        made = scale.chunk_batch(batch(text=["hello"]))
        assert made.schema.equals(scale.CHUNK_SCHEMA, check_metadata=True)
        assert made.schema.metadata[b"chunkwright.schema_version"] == b"1"

    def test_an_error_is_a_row(self) -> None:
        """A missing text fails; what stands beside it does not."""
        rows = scale.chunk_batch(batch(text=["one", None, "two"], path=["a", "b", "c"])).to_pylist()
        assert [(row["document"], row["path"], row["text"]) for row in rows] == [
            (0, "a", "one"),
            (1, "b", None),
            (2, "c", "two"),
        ]
        said = rows[1]["diagnostics"]
        assert [(one["level"], one["code"]) for one in said] == [("error", "failed")]
        assert "text=None" in said[0]["message"]

    def test_a_blank_document_is_a_row_without_a_chunk(self) -> None:
        """No document is lost."""
        rows = scale.chunk_batch(batch(text=["", " \n"])).to_pylist()
        assert [(row["document"], row["id"]) for row in rows] == [(0, None), (1, None)]

    def test_no_documents_give_no_rows(self) -> None:
        """An empty batch keeps the schema."""
        arrow = pytest.importorskip("pyarrow")
        empty = arrow.RecordBatch.from_pydict({"text": arrow.array([], arrow.string())})
        made = scale.chunk_batch(empty)
        assert made.num_rows == 0
        assert made.schema.equals(scale.CHUNK_SCHEMA)

    def test_a_chunker_and_a_language_can_be_given(self) -> None:
        """The chunker for all documents; the language for each."""
        text = "x: 1\n" * 100
        windows = scale.chunk_batch(batch(text=[text]), LineChunker(lines=10, overlap=0))
        assert windows.num_rows == 10
        code = scale.chunk_batch(batch(text=[GO], language=["go"])).to_pylist()
        assert code[0]["language"] == "go"

    def test_a_batch_without_text_is_an_error(self) -> None:
        """That is not a matter of one row."""
        with pytest.raises(ConfigError, match="column `text`"):
            scale.chunk_batch(batch(body=["x"]))

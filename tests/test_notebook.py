"""Notebooks: cells in order, their lines, headings and symbols; what is no notebook. How Markdown
and code are cut is tested with their own chunkers.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import Chunking, ConfigError, Document, embed_text
from chunkwright.chunking.notebook import NotebookChunker
from chunkwright.parsing.notebook import parse
from promises import examine
from strategies import markdown
from trial import Asked


def markdown_cell(source: str | list[str]) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code_cell(source: str | list[str]) -> dict[str, Any]:
    output = {"output_type": "stream", "text": ["secret output"]}
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [output]}


def notebook(*cells: dict[str, Any], language: str = "python") -> Document:
    kernel = {"kernelspec": {"name": "k", "language": language}}
    text = json.dumps({"nbformat": 4, "metadata": kernel, "cells": cells}, ensure_ascii=False)
    return Document(text, path="a.ipynb")


def cut(document: Document, **options: Any) -> Chunking:
    return NotebookChunker(**options).chunk(document)


def test_cells_are_chunks_in_order() -> None:
    """The text is the sources joined by a blank line; empty cells count, outputs are left out."""
    chunking = cut(
        notebook(
            markdown_cell(["# É\n", "\n", "intro"]),
            code_cell(""),
            code_cell("x = 1\r\n\r\ny = 2\r\n"),
            {"cell_type": "raw", "metadata": {}, "source": "raw *text*"},
        )
    )
    assert chunking.text == "# É\n\nintro\n\n\n\nx = 1\r\n\r\ny = 2\r\n\n\nraw *text*"
    assert [(c.kind, c.cell, c.start_line, c.end_line, c.text) for c in chunking] == [
        ("cell", 0, 1, 3, "# É\n\nintro"),
        ("cell", 2, 1, 3, "x = 1\r\n\r\ny = 2"),
        ("cell", 3, 1, 1, "raw *text*"),
    ]
    assert (chunking.language, chunking.parser) == ("python", "notebook")
    assert "secret" not in chunking.text
    assert embed_text(chunking[1]).startswith("language: python. file: a.ipynb. cell 2.\n\nx = 1")


def test_a_markdown_cell_is_cut_at_its_headings() -> None:
    """Cells below stand under the headings of the cells above."""
    chunking = cut(
        notebook(
            markdown_cell("# A\n\na\n\n## B\n\nb"),
            code_cell("x = 1"),
            markdown_cell("## C\n\nc"),
            markdown_cell("no heading"),
        )
    )
    assert [(c.cell, c.name, c.breadcrumb, c.start_line) for c in chunking] == [
        (0, "A", ("A",), 1),
        (0, "B", ("A", "B"), 5),
        (1, "", ("A", "B"), 1),
        (2, "C", ("A", "C"), 1),
        (3, "", ("A", "C"), 1),
    ]
    assert [item.title for item in chunking.outline] == ["A", "B", "C"]


def test_code_cells_know_their_symbols() -> None:
    """Lines for the notebook itself hide nothing; a cell in another language has no symbols."""
    chunking = cut(
        notebook(
            code_cell("%matplotlib inline\n!ls\ndef é():\n    return 1"),
            code_cell("%%bash\ndef no():\n    pass"),
        )
    )
    assert [[symbol.name for symbol in chunk.symbols] for chunk in chunking] == [["é"], []]
    assert chunking[0].symbols[0].start == chunking.text.index("def")
    assert chunking.diagnostics == ()


def test_a_long_cell_is_cut_between_statements() -> None:
    """Parts are counted within the cell, and never cross it."""
    source = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    first, second, third = cut(notebook(code_cell(source), code_cell("z = 3")), size=24)
    assert (first.text, second.text) == ("def f():\n    return 1", "def g():\n    return 2")
    assert [(c.part, c.parts) for c in (first, second, third)] == [(0, 2), (1, 2), (0, 1)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "truncated"),
        ("[1]", "Expected `object`"),
        ('{"cells": 3}', "Expected `array"),
        ("{}", "it has no cells"),
        ("print(1)", "malformed"),
        ('{"cells": ' + "[" * 100_000, "Expected"),
    ],
)
def test_what_is_no_notebook_is_cut_as_text(text: str, problem: str) -> None:
    """Nothing is lost, and the diagnostic says what is wrong."""
    chunking = cut(Document(text, path="a.ipynb"))
    assert chunking.text == text
    assert {chunk.kind for chunk in chunking} == {"segment"}
    assert "".join(chunking.texts) == text
    (complaint,) = chunking.diagnostics
    assert complaint.code == "parse_error"
    assert problem in complaint.message


def test_a_notebook_without_text_gives_no_chunks() -> None:
    """Neither no cells nor blank ones are a fault."""
    for document in (notebook(), notebook(code_cell(" \n"))):
        chunking = cut(document)
        assert (list(chunking), chunking.diagnostics) == ([], ())


def test_the_kernel_names_the_language() -> None:
    """By the table's name for it; Python where the notebook does not say."""
    assert parse(notebook(code_cell("x"), language="TypeScript")).language == "typescript"
    assert parse(notebook(code_cell("x"), language="Brainf")).language == "brainf"
    assert parse(Document('{"cells": []}')).language == "python"
    info = '{"cells": [], "metadata": {"language_info": {"name": "go"}, "kernelspec": null}}'
    assert parse(Document(info)).language == "go"


def test_the_third_format_is_read_too() -> None:
    """Worksheets hold the cells, code is in `input`, headings have cells of their own."""
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old"},
        {"cell_type": "code", "input": ["x = 1\n", "y = 2"], "outputs": []},
    ]
    text = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]})
    assert parse(Document(text)).text == "## Old\n\nx = 1\ny = 2"
    assert [block.info for block in parse(Document(text)).blocks] == ["markdown", "python"]


def test_a_cell_has_no_front_matter() -> None:
    """It stands at the top of a document; what looks like it in a cell is text."""
    chunking = cut(notebook(markdown_cell("---\na: 1\n---\ntext")))
    assert (chunking.excluded, chunking.frontmatter) == ((), None)
    assert list(chunking.texts) == ["---", "a: 1\n---\ntext"]


def test_the_context_can_be_counted_against_the_cap() -> None:
    """The line with file, cell and part is part of what is embedded."""
    document = notebook(code_cell("x = 1\n" * 60), markdown_cell("word " * 60))
    chunking = cut(document, size=120, budget_includes_context=True)
    assert all(len(embed_text(chunk)) <= 120 and chunk.prefix for chunk in chunking)
    assert chunking.diagnostics == ()


@pytest.mark.parametrize(("option", "value"), [("size", 0), ("overlap", "1"), ("measure", "x")])
def test_a_wrong_option_is_refused(option: str, value: Any) -> None:
    """The error names the option."""
    with pytest.raises(ConfigError) as caught:
        NotebookChunker(**{option: value})
    assert caught.value.option == option


CODE = st.lists(
    st.sampled_from(
        ["x = 1\n", "def f():\n", "    y = é\n", "\n", "%magic\r\n", "(", "'''", "# a"]
    ),
    max_size=12,
).map("".join)


@given(
    cells=st.lists(
        st.one_of(markdown(least=1, most=4).map(markdown_cell), CODE.map(code_cell)), max_size=5
    ),
    size=st.integers(24, 100),
    overlap=st.integers(0, 30),
)
def test_every_promise_holds(cells: list[dict[str, Any]], size: int, overlap: int) -> None:
    """Random cells of both kinds."""
    usable = overlap if overlap < size else size // 2
    starts = {}
    position = 0
    for number, cell in enumerate(cells):
        starts[number] = position
        position += len(cell["source"]) + 2
    asked = Asked(size=size, overlap=usable, parser="notebook", cells=starts or {0: 0})
    chunker = NotebookChunker(size=size, overlap=overlap)
    _, broken = examine(chunker, notebook(*cells), asked)
    assert broken == []

"""Notebooks: cells in order, their lines, headings, symbols and short outputs; what is no notebook.
How Markdown and code are cut is tested with their own chunkers.
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


LONG_OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["secret output\n"] * 15}


def code_cell(source: str | list[str], *outputs: Any) -> dict[str, Any]:
    given_outputs = list(outputs or [LONG_OUTPUT])
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": given_outputs}


def stdout(text: str | list[str]) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def result(kind: str = "execute_result", **data: Any) -> dict[str, Any]:
    """Kinds of data by their second name: `plain`, `html`."""
    named = {f"text/{name}": value for name, value in data.items()}
    return {"output_type": kind, "metadata": {}, "data": named}


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


def test_each_cell_tells_its_language() -> None:
    """Markdown, or the kernel's; both are rendered with the number of the cell."""
    chunks = cut(notebook(markdown_cell("# A\n\na"), code_cell("f(1)"), language="go")).chunks
    assert [chunk.language for chunk in chunks] == ["markdown", "go"]
    assert [embed_text(chunk).partition("\n")[0] for chunk in chunks] == [
        "language: markdown. file: a.ipynb. cell 0.",
        "language: go. file: a.ipynb. cell 1.",
    ]


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


def test_a_byte_order_mark_is_no_part_of_a_notebook() -> None:
    """As some editors write it."""
    document = notebook(code_cell("x = 1"))
    marked = Document(f"\ufeff{document.text}", path="a.ipynb")
    assert cut(marked).chunks == cut(document).chunks


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
    assert list(chunking.texts) == ["---\na: 1\n---\ntext"]


def test_the_context_can_be_counted_against_the_cap() -> None:
    """The line with file, cell and part is part of what is embedded."""
    document = notebook(code_cell("x = 1\n" * 60), markdown_cell("word " * 60))
    chunking = cut(document, size=120, budget_includes_context=True)
    assert all(len(embed_text(chunk)) <= 120 and chunk.prefix for chunk in chunking)
    assert chunking.diagnostics == ()


PICTURE = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}}


@pytest.mark.parametrize(
    ("outputs", "shown"),
    [
        ([stdout(["a\n", "b\n"])], "a\nb"),
        ([stdout("\x1b[31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x07")], "red link"),
        ([result(plain="42")], "42"),
        ([result(plain=["   x\n", "0  1"], html="<table>")], "   x\n0  1"),
        ([stdout("one\n"), result("display_data", plain="é"), result(plain="'3'")], "one\né\n'3'"),
        ([{"output_type": "pyout", "text": ["[1,\n", " 2]"]}], "[1,\n 2]"),
        ([{"output_type": "stream", "stream": "stdout", "text": "old\r\n"}], "old"),
        ([stdout("q" * 200 + "\n")], "q" * 200),
        ([stdout("before\n"), PICTURE, {"output_type": "error", "ename": "E"}], "before"),
        ([result(plain="<Figure size 640x480 with 1 Axes>"), stdout("kept")], "kept"),
        ([stdout("<b>printed</b>")], "<b>printed</b>"),
        ([3, None, ["x"], {}, stdout("kept")], "kept"),
    ],
)
def test_short_text_output_follows_its_cell(outputs: list[Any], shown: str) -> None:
    """Both formats, lists of lines, no escapes; what is odd or no text spoils nothing else."""
    (chunk,) = cut(notebook(code_cell("f()", *outputs)))
    assert (chunk.text, chunk.carry, chunk.carry_after) == ("f()", "", f"\n\nOutput:\n{shown}")
    assert embed_text(chunk).endswith(f"\n\nf()\n\nOutput:\n{shown}")


@pytest.mark.parametrize(
    "outputs",
    [
        [stdout("q" * 201)],
        [stdout("q" * 150), result(plain="q" * 60)],
        [stdout(" \n\t\n" * 3)],
        [{"output_type": "stream", "name": "stderr", "text": "warned"}],
        [{"output_type": "stream", "stream": "stderr", "text": "warned"}],
        [{"output_type": "stream", "text": "no name"}],
        [{"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]}],
        [{"output_type": "pyerr", "text": "old"}],
        [PICTURE],
        [result(html="<b>1</b>")],
        [result(plain="<matplotlib.axes._axes.Axes at 0x7f1234>")],
        [result(plain="[<matplotlib.lines.Line2D at 0x7f1234>]")],
        [result(plain={"a": 1})],
        [{"output_type": "execute_result", "data": ["a"]}],
        [stdout(3)],  # type: ignore[arg-type]  # odd on purpose
        [{"output_type": 7}, {"name": "stdout", "text": "no type"}],
        ["text", None, 3],
    ],
)
def test_other_output_is_left_out(outputs: list[Any]) -> None:
    """Long, blank, wrong, pictures, errors, objects: the cell is as if it had none."""
    chunking = cut(notebook(code_cell("f()", *outputs)))
    assert [(chunk.text, chunk.carry_after) for chunk in chunking] == [("f()", "")]
    assert (chunking.parser, chunking.diagnostics) == ("notebook", ())


@pytest.mark.parametrize("outputs", [None, 3, "x", {"text": "x"}, True])
def test_outputs_that_are_no_list_are_none(outputs: Any) -> None:
    """The notebook is read all the same."""
    cell = {"cell_type": "code", "source": "f()", "outputs": outputs}
    assert [chunk.carry_after for chunk in cut(notebook(cell))] == [""]


def test_output_follows_the_last_part_of_code_alone() -> None:
    """Not the other parts, not cells without text, not Markdown."""
    source = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    described = {**markdown_cell("# A"), "outputs": [stdout("no")]}
    cells = (described, code_cell(source, stdout("1")), code_cell("", stdout("2")))
    assert [(c.cell, c.carry_after) for c in cut(notebook(*cells), size=24)] == [
        (0, ""),
        (1, ""),
        (1, "\n\nOutput:\n1"),
    ]


def test_room_is_kept_for_an_output_that_takes_little() -> None:
    """With the context in the cap, parts of a cell leave room for it."""
    cell = code_cell("x = 12\n" * 60, stdout("12345"))
    chunking = cut(notebook(cell), size=120, budget_includes_context=True)
    assert chunking[-1].carry_after == "\n\nOutput:\n12345"
    assert all(len(embed_text(chunk)) <= 120 for chunk in chunking)
    assert chunking.diagnostics == ()


def test_an_output_gives_way_to_its_cell() -> None:
    """A cell is not cut for the output's sake: that is dropped, and said to be."""
    cell = code_cell("x = 12\n" * 9, stdout("12345\n" * 5))
    (chunk,) = chunking = cut(notebook(cell), size=120, budget_includes_context=True)
    assert (chunk.text, chunk.carry_after) == (("x = 12\n" * 9).strip(), "")
    assert [diagnostic.code for diagnostic in chunking.diagnostics] == ["context_dropped"]


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


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text("ab\x1b[0m \n", max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["text", "data", "name", "text/plain"]), inner),
    ),
    max_leaves=6,
)
OUTPUTS = st.lists(
    st.one_of(
        st.text("é1 \n", max_size=90).map(stdout),
        st.text("é1 \n", max_size=90).map(lambda text: result(plain=text)),
        st.builds(
            lambda kind, name, rest: {"output_type": kind, "name": name, "text": rest},
            st.sampled_from(["stream", "execute_result", "error", 3]),
            st.sampled_from(["stdout", "stderr", None, 1]),
            JSON,
        ),
        JSON,
    ),
    max_size=3,
)
CODE_CELLS = st.builds(lambda source, outputs: code_cell(source, *outputs), CODE, OUTPUTS)


@given(
    cells=st.lists(st.one_of(markdown(least=1, most=4).map(markdown_cell), CODE_CELLS), max_size=5),
    size=st.integers(24, 100),
    overlap=st.integers(0, 30),
    budgeted=st.booleans(),
)
def test_every_promise_holds(
    cells: list[dict[str, Any]], size: int, overlap: int, budgeted: bool
) -> None:
    """Random cells of both kinds, with outputs of any."""
    usable = overlap if overlap < size else size // 2
    starts = {}
    position = 0
    for number, cell in enumerate(cells):
        starts[number] = position
        position += len(cell["source"]) + 2
    asked = Asked(
        size=size, overlap=usable, parser="notebook", cells=starts or {0: 0}, budgeted=budgeted
    )
    chunker = NotebookChunker(size=size, overlap=overlap, budget_includes_context=budgeted)
    _, broken = examine(chunker, notebook(*cells), asked)
    assert broken == []

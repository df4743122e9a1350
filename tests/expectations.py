"""What the reported faults say in words, `expect`, beyond what their `checks` hold: one function a
case that asks for it. Reading and cutting the cases is in cases, the checks are in test_cases.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from typing import Any

import pytest

from cases import Outcome, byte_level_tokenizer, holders, is_packed, is_recursive
from chunkwright import Document, MarkdownChunker, RecursiveChunker, TextChunker
from chunkwright.languages import LANGUAGES
from chunkwright.measuring import resolve
from chunkwright.pipeline import choose
from promises import violations
from repeatability import check_linear
from trial import BLANK, INK, Asked


def every_entry_has_the_deep_breadcrumb(outcome: Outcome) -> None:
    for chunk in holders(outcome, "entry number"):
        assert chunk.breadcrumb == ("Manual", "Part two", "Pumps", "Model K")


def banner_is_in_one_chunk(outcome: Outcome) -> None:
    assert len(holders(outcome, "# separate banner")) == 1 or not is_packed(outcome)


def no_symbol_crosses_a_definition(outcome: Outcome) -> None:
    for symbol in outcome.chunking.symbols:
        for line in (1, 5, 10, 15):
            assert not symbol.start_line < line <= symbol.end_line, symbol


def broken_is_named_and_the_error_told(outcome: Outcome) -> None:
    assert "broken" in {symbol.name for symbol in outcome.chunking.symbols}
    assert "parse_error" in {diagnostic.code for diagnostic in outcome.chunking.diagnostics}


def inner_hook_is_no_method(outcome: Outcome) -> None:
    hooks = [symbol for symbol in outcome.chunking.symbols if symbol.name == "Panel.hook"]
    assert [(hook.start_line, hook.end_line) for hook in hooks] == [(28, 29)]


def every_grammar_parses_without_a_network(outcome: Outcome) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "socket", _no_network)
        patch.setattr(socket, "getaddrinfo", _no_network)
        for language in LANGUAGES:
            if language.grammar:
                document = Document("x", path=f"a{language.suffixes[0]}")
                chunking = choose(document).chunk(document)
                missing = [d for d in chunking.diagnostics if d.code == "grammar_missing"]
                assert (chunking.parser == "lines") == bool(missing), language.name
                assert all("pip install" in diagnostic.message for diagnostic in missing)


def _no_network(*_: object, **__: object) -> None:
    raise OSError("the network is blocked")


def default_export_is_named(outcome: Outcome) -> None:
    names = {symbol.name for symbol in outcome.chunking.symbols}
    assert names & {"default", "case"}


def no_value_keeps_a_carriage_return(outcome: Outcome) -> None:
    assert "\r" not in str(outcome.chunking.frontmatter)


def without_the_bad_line_it_is_a_mapping(outcome: Outcome) -> None:
    repaired = outcome.document.text.replace("bad: x: y: z\n", "")
    chunking = MarkdownChunker().chunk(Document(repaired, path="case.md"))
    assert chunking.frontmatter == {"title": "Part: One", "owners": ["Ada"]}


def default_counter_counts_every_script(outcome: Outcome) -> None:
    for text in outcome.document.text.split("\n\n"):
        assert resolve("tokens").count(text) >= len(text) / 4


def blank_texts_give_nothing(outcome: Outcome) -> None:
    for text in ("", "  \n\n "):
        chunking = type(outcome.chunker)().chunk(Document(text))
        assert list(chunking) == []


def default_export_of_an_object_is_covered(outcome: Outcome) -> None:
    chunking = type(outcome.chunker)().chunk(Document("export default { a: 1 }\n", path="a.js"))
    assert "export default { a: 1 }" in chunking[-1].text


def only_edge_spaces_are_lost(outcome: Outcome) -> None:
    joined = "".join(outcome.chunking.texts)
    assert BLANK.sub("", joined) == BLANK.sub("", outcome.document.text)
    inner = sum(len(BLANK.findall(text)) for text in outcome.chunking.texts)
    lost = len(BLANK.findall(outcome.document.text)) - inner
    assert lost <= len(outcome.chunking)


def fence_is_under_its_heading(outcome: Outcome) -> None:
    (chunk,) = holders(outcome, "# install first")
    assert chunk.breadcrumb == ("Real",)


def function_chunk_starts_at_the_function(outcome: Outcome) -> None:
    symbols = {symbol.name: symbol for symbol in outcome.chunking.symbols}
    assert set(symbols) >= {"reverse_flow", "Réglage", "Réglage.is_idle"}
    start = symbols["reverse_flow"].start
    assert outcome.document.text[start:].startswith("def reverse_flow(state):")


def cuts_by_bytes_as_well(outcome: Outcome) -> None:
    assert [len(text) for text in outcome.chunking.texts] == [50, 50, 50, 50, 40]
    chunker = TextChunker(size=50, overlap=0, min_size=0, max_chunks=None, measure="bytes")
    asked = Asked(size=50, count=lambda text: len(text.encode()))
    chunking = chunker.chunk(outcome.document)
    assert violations(outcome.document, chunking, asked) == []
    assert len(chunking) == 15


def rows_stand_on_their_lines(outcome: Outcome) -> None:
    for chunk in outcome.chunking:
        ends = chunk.text.count("\n")
        assert chunk.end_line - chunk.start_line == ends
        first = re.match(r"row (\d\d)", chunk.text)
        assert first is None or int(first.group(1)) == chunk.start_line


def nothing_is_lost_or_doubled(outcome: Outcome) -> None:
    joined = "".join(INK.findall("".join(outcome.chunking.texts)))
    assert joined == "".join(INK.findall(outcome.document.text))


def last_chunk_alone_reaches_the_end(outcome: Outcome) -> None:
    end = len(outcome.document.text.rstrip())
    assert [chunk.index for chunk in outcome.chunking if chunk.end == end] == [
        len(outcome.chunking) - 1
    ]


def work_grows_as_the_text(outcome: Outcome) -> None:
    options: dict[str, Any] = {"overlap": outcome.asked.overlap, "size": outcome.asked.size}
    text = outcome.document.text[:20_000]
    if is_recursive(outcome):
        found = check_linear(lambda counting: RecursiveChunker(measure=counting, **options), text)
    else:
        found = check_linear(
            lambda counting: TextChunker(measure=counting, min_size=0, max_chunks=None, **options),
            text,
        )
    assert list(found) == []


def no_count_refuses_special_tokens(outcome: Outcome) -> None:
    kind: Any = type(outcome.chunker)
    options = {} if is_recursive(outcome) else {"min_size": 0}
    for measure in ("tokens", "chars", byte_level_tokenizer()):
        chunking = kind(size=30, overlap=5, measure=measure, **options).chunk(outcome.document)
        assert len(chunking) >= 3
        assert all(resolve(measure).count(text) <= 30 for text in chunking.texts)
    special = "<|endoftext|>"
    assert resolve(byte_level_tokenizer()).count(special) == len(special)


def is_cut_as_with_lf(outcome: Outcome) -> None:
    document = Document(outcome.document.text.replace("\r\n", "\n"), path="case.txt")
    texts = outcome.chunker.chunk(document).texts
    assert outcome.chunking.texts == texts
    assert texts == ("First para, one line.", "Second para is here.", "Third para ends.")


def no_chunk_starts_inside_a_cluster(outcome: Outcome) -> None:
    inside = re.compile("[\u200d\ufe0f\u0301\u093f\U0001f3fb-\U0001f3ff]")
    assert not any(inside.match(text) for text in outcome.chunking.texts)


def lone_carriage_returns_end_lines(outcome: Outcome) -> None:
    assert [chunk.start_line for chunk in outcome.chunking] == [1, 2, 3]


def caption_is_in_the_first_table_chunk(outcome: Outcome) -> None:
    (chunk,) = holders(outcome, "Table 1: limits")
    assert "| p01 |" in chunk.text


def overlap_is_told_truly(outcome: Outcome) -> None:
    for before, chunk in zip(outcome.chunking, outcome.chunking[1:], strict=False):
        assert chunk.overlap == max(0, before.end - chunk.start) <= 6


EXPECTATIONS: dict[str, Callable[[Outcome], None]] = {
    "bc-deep-in-subchunks": every_entry_has_the_deep_breadcrumb,
    "blank-chunks": blank_texts_give_nothing,
    "cap-no-space-scripts": default_counter_counts_every_script,
    "code-error-at-root": no_symbol_crosses_a_definition,
    "code-grammar-offline": every_grammar_parses_without_a_network,
    "code-leading-comments": banner_is_in_one_chunk,
    "code-nested-names": inner_hook_is_no_method,
    "code-syntax-error": broken_is_named_and_the_error_told,
    "code-tsx-grammar": default_export_is_named,
    "fm-crlf": no_value_keeps_a_carriage_return,
    "fm-invalid-yaml": without_the_bad_line_it_is_a_mapping,
    "lost-script-without-decls": default_export_of_an_object_is_covered,
    "lost-spaces-glued": only_edge_spaces_are_lost,
    "md-hash-in-fence": fence_is_under_its_heading,
    "off-bytes-as-chars-code": function_chunk_starts_at_the_function,
    "off-hard-cut-utf8": cuts_by_bytes_as_well,
    "off-lines-with-overlap": rows_stand_on_their_lines,
    "off-token-inside-char": nothing_is_lost_or_doubled,
    "ovl-any-loops": last_chunk_alone_reaches_the_end,
    "ovl-lost-when-full": overlap_is_told_truly,
    "perf-many-blank-lines": work_grows_as_the_text,
    "perf-unbroken-run": work_grows_as_the_text,
    "tbl-header-per-chunk": caption_is_in_the_first_table_chunk,
    "uni-crlf-paragraphs": is_cut_as_with_lf,
    "uni-grapheme": no_chunk_starts_inside_a_cluster,
    "uni-lone-cr": lone_carriage_returns_end_lines,
    "uni-special-tokens": no_count_refuses_special_tokens,
}

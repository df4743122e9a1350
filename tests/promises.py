"""The promises of docs/architecture.md as checkers that know nothing of how chunkwright keeps them.
What to chunk, and with which options, is decided elsewhere (strategies, corpus); promises that
take two runs to see are in repeatability.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

from chunkwright import Block, Chunk, Chunking, Document, embed_text
from chunkwright.types import DIAGNOSTIC_CODES
from repeatability import check_stable
from trial import BLANK, CLUSTER, EXTRA_VIEWS, INK, SPACED_WORD, Asked, Cutter, Trial, Violation

KINDS = EXTRA_VIEWS | {
    "symbol",
    "symbol_part",
    "code",
    "section",
    "section_part",
    "preamble",
    "segment",
    "window",
    "cell",
}
EXCLUDED_REASONS = {"front_matter", "secret", "code_block_option", "output"}
LEVELS = {"info", "warning", "error"}
EMPTY_ON_PURPOSE = {"below_min_size", "skipped", "failed"}

Checker = Callable[[Trial], Iterator[Violation]]


def check_slice(trial: Trial) -> Iterator[Violation]:
    """Every chunk is verbatim what stands between its offsets."""
    if not trial.asked.cells and trial.chunking.text != trial.document.text:
        yield Violation("SLICE", None, "chunking.text is not document.text")
    for at, chunk in trial.numbered:
        if not 0 <= chunk.start <= chunk.end <= len(trial.text):
            yield Violation("SLICE", at, f"{chunk.start}:{chunk.end} lies outside the text")
        elif trial.text[chunk.start : chunk.end] != chunk.text:
            yield Violation("SLICE", at, f"text is not text[{chunk.start}:{chunk.end}]")


def check_cover(trial: Trial) -> Iterator[Violation]:
    """Every character but white space is in a chunk, or excluded with a reason, up to `covered`."""
    yield from _check_covered(trial)
    yield from _check_excluded(trial)
    if "below_min_size" in trial.codes and not trial.chunking.chunks:
        return
    held = [(chunk.start, chunk.end) for _, chunk in trial.ordinary]
    held += [(item.start, item.end) for item in trial.chunking.excluded]
    limit = trial.chunking.covered if trial.chunking.truncated else len(trial.text)
    reached = 0
    for start, end in [*sorted(held), (limit, limit)]:
        lost = INK.search(trial.text, reached, max(reached, min(start, limit)))
        if lost:
            excerpt = trial.text[lost.start() : min(start, limit)][:40]
            yield Violation("COVER", None, f"lost {excerpt!r} at {lost.start()}")
        reached = max(reached, end)


def _check_covered(trial: Trial) -> Iterator[Violation]:
    chunking = trial.chunking
    if not 0 <= chunking.covered <= len(trial.text):
        yield Violation("COVER", None, f"covered {chunking.covered} lies outside the text")
    if chunking.truncated and not INK.search(trial.text, chunking.covered):
        yield Violation("COVER", None, "truncated, with nothing left over")
    complete = not chunking.truncated and "below_min_size" not in trial.codes
    if complete and INK.search(trial.text, max(0, chunking.covered)):
        yield Violation("COVER", None, f"not truncated, but covered is {chunking.covered}")


def _check_excluded(trial: Trial) -> Iterator[Violation]:
    for item in trial.chunking.excluded:
        if item.reason not in EXCLUDED_REASONS:
            yield Violation("COVER", None, f"excluded for an unknown reason {item.reason!r}")
        if not 0 <= item.start < item.end <= len(trial.text):
            yield Violation("COVER", None, f"excluded {item.start}:{item.end} is no stretch")
        if item.reason == "front_matter" and item.start:
            yield Violation("COVER", None, f"front matter excluded at {item.start}, not the top")
        for at, chunk in trial.numbered:
            if max(item.start, chunk.start) < min(item.end, chunk.end):
                yield Violation("COVER", at, f"holds the excluded {item.start}:{item.end}")


def check_cap(trial: Trial) -> Iterator[Violation]:
    """No chunk is over `size`, but a code point that alone exceeds it; `chunk.size` is true."""
    for at, chunk in trial.numbered:
        counted = trial.asked.count(chunk.text)
        if chunk.size != counted:
            yield Violation("CAP", at, f"says size {chunk.size}, counts {counted}")
        if trial.asked.size is None or counted <= trial.asked.size:
            continue
        if len(chunk.text) > 1:
            yield Violation("CAP", at, f"counts {counted}, over {trial.asked.size}")
        elif "over_cap" not in trial.codes:
            yield Violation("CAP", at, "one code point over the cap without `over_cap`")


def check_cap_with_context(trial: Trial) -> Iterator[Violation]:
    """With a budget that includes the context, what is embedded is not over `size`."""
    if not trial.asked.budgeted or trial.asked.size is None:
        return
    for at, chunk in trial.numbered:
        counted = trial.asked.count(embed_text(chunk))
        if counted > trial.asked.size and len(chunk.text) > 1:
            yield Violation("CAP+", at, f"embed text counts {counted}, over {trial.asked.size}")
        elif counted > trial.asked.size and "over_cap" not in trial.codes:
            yield Violation("CAP+", at, "embed text over the cap without `over_cap`")


def check_no_blank(trial: Trial) -> Iterator[Violation]:
    """No chunk is empty or only white space."""
    for at, chunk in trial.numbered:
        if not INK.search(chunk.text):
            yield Violation("NOBLANK", at, f"is blank: {chunk.text[:40]!r}")


def check_order(trial: Trial) -> Iterator[Violation]:
    """Within one level starts and ends strictly increase; extra views have levels of their own."""
    last: dict[int, Chunk] = {}
    for at, chunk in trial.numbered:
        before = last.get(chunk.level)
        if before and not (before.start < chunk.start and before.end < chunk.end):
            yield Violation("ORDER", at, f"{_place(chunk)} does not come after {_place(before)}")
        if before and (chunk.kind in EXTRA_VIEWS or before.kind in EXTRA_VIEWS):
            yield Violation("ORDER", at, f"shares level {chunk.level} with an extra view")
        if chunk.index != at:
            yield Violation("ORDER", at, f"has index {chunk.index}")
        last[chunk.level] = chunk


def _place(chunk: Chunk) -> str:
    return f"{chunk.kind} {chunk.start}:{chunk.end}"


def check_lines(trial: Trial) -> Iterator[Violation]:
    """Lines are those of the first and the last character; LF, CRLF and lone CR end one."""
    for at, chunk in trial.numbered:
        before = 0
        if chunk.cell is not None and chunk.cell in trial.asked.cells:
            before = trial.line(trial.asked.cells[chunk.cell]) - 1
        true = (trial.line(chunk.start) - before, trial.line(chunk.end - 1) - before)
        if (chunk.start_line, chunk.end_line) != true:
            said = f"{chunk.start_line}-{chunk.end_line}"
            yield Violation("LINES", at, f"says {said}, lies on {true[0]}-{true[1]}")


def check_graphemes(trial: Trial) -> Iterator[Violation]:
    """No cut is inside a grapheme cluster or CRLF, unless that cluster alone exceeds the cap."""
    for at, chunk in trial.numbered:
        for edge, position in (("start", chunk.start), ("end", chunk.end)):
            start, end = trial.cluster(position)
            if start < end and not trial.exceeds(start, end):
                cluster = trial.text[start:end]
                yield Violation("GRAPHEME", at, f"{edge} {position} cuts {cluster!r}")


def check_overlap(trial: Trial) -> Iterator[Violation]:
    """Overlap is bounded, told truly, starts on a border, and always brings new text."""
    last: dict[int, Chunk] = {}
    for at, chunk in trial.numbered:
        before = last.get(chunk.level)
        last[chunk.level] = chunk
        shared = max(0, before.end - chunk.start) if before else 0
        if chunk.overlap != shared:
            yield Violation("OVERLAP", at, f"says {chunk.overlap}, repeats {shared}")
        if before is None:
            continue
        if not INK.search(trial.text, max(before.end, chunk.start), chunk.end):
            yield Violation("OVERLAP", at, "adds no new text")
        if shared:
            yield from _check_repeated(trial, at, chunk.start, before.end)


def _check_repeated(trial: Trial, at: int, start: int, end: int) -> Iterator[Violation]:
    count = trial.asked.overlap_count or trial.asked.count
    counted = count(trial.text[start:end])
    if counted > trial.asked.overlap:
        yield Violation("OVERLAP", at, f"repeats {counted}, asked were {trial.asked.overlap}")
    inside_word = start > 0 and all(map(SPACED_WORD.match, trial.text[start - 1 : start + 1]))
    if inside_word and _has_word_start(trial, start + 1, end):
        yield Violation(
            "OVERLAP", at, f"starts inside a word at {start}, though others begin later"
        )


def _has_word_start(trial: Trial, start: int, end: int) -> bool:
    return any(
        BLANK.match(trial.text[at - 1])
        and SPACED_WORD.match(trial.text[at])
        and trial.cluster(at)[0] == at
        for at in range(start, end)
    )


def check_edges(trial: Trial) -> Iterator[Violation]:
    """Code and Line chunks are whole lines; others have no white space at their edges."""
    check = _check_whole_lines if trial.asked.whole_lines else _check_trimmed
    for at, chunk in trial.numbered:
        yield from check(trial, at, chunk)


def _check_whole_lines(trial: Trial, at: int, chunk: Chunk) -> Iterator[Violation]:
    start, end = trial.line_range(chunk.start)
    if chunk.start != start and not trial.exceeds(start, end):
        yield Violation("EDGES", at, f"starts inside line {trial.line(chunk.start)}")
    start, end = trial.line_range(max(chunk.start, chunk.end - 1))
    if chunk.end != end and not trial.exceeds(start, end):
        yield Violation("EDGES", at, f"does not end where line {trial.line(start)} ends")


def _check_trimmed(trial: Trial, at: int, chunk: Chunk) -> Iterator[Violation]:
    if not chunk.text:
        return
    first, last = CLUSTER.match(chunk.text), _last_cluster(chunk.text)
    indented = _is_indented(trial, chunk)
    if first and not INK.search(first.group()) and not indented:
        yield Violation("EDGES", at, f"begins with white space: {chunk.text[:20]!r}")
    if not INK.search(last):
        yield Violation("EDGES", at, f"ends with white space: {chunk.text[-20:]!r}")


def _last_cluster(text: str) -> str:
    tail = text[-64:]
    clusters: list[str] = CLUSTER.findall(tail)
    return clusters[-1]


def _is_indented(trial: Trial, chunk: Chunk) -> bool:
    """Whether the white space the chunk begins with is the indentation of its first line."""
    ink = INK.search(chunk.text)
    blank = chunk.text[: ink.start()] if ink else chunk.text
    at_line_start = chunk.start == 0 or trial.text[chunk.start - 1] in "\r\n"
    return at_line_start and not blank.strip(" \t")


def check_loud(trial: Trial) -> Iterator[Violation]:
    """Whatever was not done as asked is a diagnostic with a documented code."""
    chunking = trial.chunking
    for diagnostic in chunking.diagnostics:
        if diagnostic.code not in DIAGNOSTIC_CODES:
            yield Violation("LOUD", None, f"undocumented code {diagnostic.code!r}")
        if diagnostic.level not in LEVELS or not diagnostic.message:
            yield Violation("LOUD", None, f"level and message of {diagnostic}")
    if chunking.truncated != ("truncated" in trial.codes):
        yield Violation("LOUD", None, f"truncated is {chunking.truncated}, {trial.codes} told")
    if not chunking.chunks and not trial.codes & EMPTY_ON_PURPOSE and _has_own_text(trial):
        yield Violation("LOUD", None, "no chunks, and no word why")
    if (
        trial.asked.parser
        and not chunking.parser.startswith(trial.asked.parser)
        and not trial.codes
    ):
        yield Violation("LOUD", None, f"cut by {chunking.parser!r}, not {trial.asked.parser!r}")
    for at, chunk in trial.numbered:
        if not chunk.prefix and "context_dropped" not in trial.codes:
            yield Violation("LOUD", at, "the prefix was dropped without `context_dropped`")


def _has_own_text(trial: Trial) -> bool:
    """Whether anything but white space stands outside what is excluded."""
    reached = 0
    for item in [*trial.chunking.excluded]:
        if INK.search(trial.text, reached, max(reached, item.start)):
            return True
        reached = item.end
    return bool(INK.search(trial.text, reached))


def check_unique(trial: Trial) -> Iterator[Violation]:
    """No id twice in a document; each is the documented digest of path, kind, text, occurrence."""
    seen: dict[str, int] = {}
    for at, chunk in trial.numbered:
        if chunk.id in seen:
            yield Violation("UNIQUE", at, f"has the id of chunk {seen[chunk.id]}")
        seen[chunk.id] = at
        digest = hashlib.sha256(chunk.text.encode()).hexdigest()
        identity = "\0".join((chunk.path, chunk.kind, digest, str(chunk.occurrence)))
        if chunk.id != hashlib.sha256(identity.encode()).hexdigest()[:32]:
            yield Violation(
                "STABLE", at, "the id depends on more than path, kind, text, occurrence"
            )


def check_fields(trial: Trial) -> Iterator[Violation]:
    """Kinds are known, provenance is the document's, parts are complete, symbols lie inside."""
    ordinary = [chunk for _, chunk in trial.ordinary]
    for at, chunk in trial.numbered:
        if chunk.kind not in KINDS:
            yield Violation("FIELDS", at, f"unknown kind {chunk.kind!r}")
        if (chunk.path, chunk.commit) != (trial.document.path, trial.document.commit):
            yield Violation("FIELDS", at, "path or commit is not the document's")
        if chunk.carry and chunk.carry[-1] not in "\r\n":
            yield Violation("FIELDS", at, f"carry ends without its line end: {chunk.carry!r}")
        if chunk.carry_after and chunk.carry_after[0] not in "\r\n":
            yield Violation("FIELDS", at, f"carry_after lacks its line end: {chunk.carry_after!r}")
        if any(not chunk.start <= symbol.start < chunk.end for symbol in chunk.symbols):
            yield Violation("FIELDS", at, "a symbol does not start in its chunk")
    for place, chunk in enumerate(ordinary):
        following = ordinary[place + 1] if place + 1 < len(ordinary) else None
        yield from _check_parts(trial, chunk, following)


def _check_parts(trial: Trial, chunk: Chunk, following: Chunk | None) -> Iterator[Violation]:
    if not 0 <= chunk.part < chunk.parts:
        yield Violation("FIELDS", chunk.index, f"part {chunk.part} of {chunk.parts}")
    wanted = (chunk.part + 1, chunk.parts) if chunk.part + 1 < chunk.parts else None
    if following is None:
        if wanted and not trial.chunking.truncated:
            yield Violation(
                "FIELDS", chunk.index, f"the last chunk is {chunk.part} of {chunk.parts}"
            )
    elif wanted and (following.part, following.parts) != wanted:
        yield Violation("FIELDS", chunk.index, f"part {wanted[0]} of {wanted[1]} does not follow")
    elif not wanted and following.part:
        yield Violation("FIELDS", following.index, f"part {following.part} follows no part before")


CHECKERS: dict[str, Checker] = {
    "SLICE": check_slice,
    "COVER": check_cover,
    "CAP": check_cap,
    "CAP+": check_cap_with_context,
    "NOBLANK": check_no_blank,
    "ORDER": check_order,
    "LINES": check_lines,
    "GRAPHEME": check_graphemes,
    "OVERLAP": check_overlap,
    "UNIQUE": check_unique,
    "LOUD": check_loud,
    "EDGES": check_edges,
    "FIELDS": check_fields,
}


def violations(document: Document, chunking: Chunking, asked: Asked) -> list[Violation]:
    """Every broken promise of one chunking; only SLICE where offsets are not to be trusted."""
    trial = Trial(document, chunking, asked)
    misplaced = list(check_slice(trial))
    return misplaced or [violation for check in CHECKERS.values() for violation in check(trial)]


def check_unique_ids(chunkings: Sequence[Chunking]) -> list[Violation]:
    """Ids that stand twice among the documents of one index (their paths must differ)."""
    seen: dict[str, str] = {}
    broken = []
    for chunking in chunkings:
        for chunk in chunking:
            if chunk.id in seen:
                broken.append(Violation("UNIQUE", chunk.index, f"as in {seen[chunk.id]}"))
            seen[chunk.id] = chunking.path
    return broken


def examine(
    cutter: Cutter,
    document: Document,
    asked: Asked,
    blocks: Sequence[Block] | None = None,
) -> tuple[Chunking, list[Violation]]:
    """Chunk a document and hold the outcome against every promise about one document."""
    chunking = cutter.chunk(document, blocks)
    return chunking, [
        *violations(document, chunking, asked),
        *check_stable(cutter, document, blocks),
    ]

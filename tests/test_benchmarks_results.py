"""Saved results of the benchmarks: what a line has, where it goes, and how the runner makes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmark_rooms import CIRCUMSTANCES, ROOT, load

runner, saving, schema, facts = map(load, ("__main__", "saving", "schema", "facts"))

LINE: dict[str, Any] = CIRCUMSTANCES | {"what": "entries", "work": "put", "seconds": 1.0}
LINE |= {"of_files": 0.5}


def test_every_saved_line_has_its_shape() -> None:
    """The command that makes it, versions, the machine, the seed, and its measurement's fields."""
    lines = saving.saved()
    assert len(lines) > 300
    for line in lines:
        assert line["command"].split()[:3] == ["python", "-m", "benchmarks"]
        assert line["command"].split()[3] in runner.NAMES
        assert {"python", "chunkwright"} <= set(line["versions"])
    assert {line["what"] for line in lines} <= set(load("page").SECTIONS)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seconds": "1"}, "Expected `float`, got `str` - at `$.seconds`"),
        ({"second": 1}, "Object contains unknown field `second`"),
        ({"versions": None}, "Expected `object`, got `null` - at `$.versions`"),
        ({"what": "entry"}, "no measurement is called 'entry'"),
    ],
)
def test_a_line_out_of_shape_is_refused(change: dict[str, Any], told: str) -> None:
    """The field is named."""
    assert schema.checked(LINE) == LINE
    with pytest.raises(msgspec.ValidationError) as refused:
        schema.checked(LINE | change)
    assert str(refused.value) == told


def test_a_result_takes_the_place_of_the_same_one(tmp_path: Path) -> None:
    """Others stay, in their order; what is new comes last."""
    file = tmp_path / "results" / "entries.jsonl"
    first, second, third = (LINE | {"work": work} for work in ("put", "get", "delete"))
    saving.save(file, [first, second])
    saving.save(file, [third, first | {"seconds": 2.0}])
    assert list(saving.read(file)) == [first | {"seconds": 2.0}, second, third]


def test_several_lines_of_one_result_stay_together(tmp_path: Path) -> None:
    """As growth has one for each length of a text."""
    file = tmp_path / "entries.jsonl"
    other = LINE | {"work": "other"}
    saving.save(file, [LINE, LINE | {"seconds": 2.0}, other])
    saving.save(file, [LINE | {"seconds": 3.0}, LINE | {"seconds": 4.0}])
    assert [line["seconds"] for line in saving.read(file)] == [3.0, 4.0, 1.0]


def test_a_command_does_not_say_where_folders_lie() -> None:
    """Absolute paths are shown by their last part; --save does not change what is measured."""
    shown = runner.shown(
        ["frontier_text", "/a/b/chroma", "--save", "--only", "semchunk", "my file"]
    )
    assert shown == "python -m benchmarks frontier_text chroma --only semchunk 'my file'"


def test_a_line_names_all_that_took_part() -> None:
    """The chunker's distribution, what counts its tokens, and what the measurement adds."""
    line = {"distribution": "msgspec", "unit": "cl100k", "note": "tokens by tiktoken"}
    assert facts.involved(line | {"uses": ("numpy",)}) == {
        "msgspec",
        "quicktok-v1",
        "tiktoken",
        "numpy",
    }
    assert facts.involved({"distribution": "", "unit": "chars"}) == set()


def test_a_version_that_is_not_known_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is invented for what is not installed."""
    found = facts.versions(["msgspec", "surely-not-installed"])
    assert list(found) == ["python", "chunkwright", "msgspec", "surely-not-installed"]
    assert found["surely-not-installed"] == "unknown"
    assert found["msgspec"] == msgspec.__version__
    assert "surely-not-installed" in capsys.readouterr().err


def test_measurements_are_listed_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """One line each."""
    runner.main(["--list"])
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == list(runner.NAMES)
    assert all(len(line.split()) > 4 for line in listed)


def test_lines_are_saved_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the file of the measurement; else they are printed."""
    monkeypatch.setattr(saving, "FOLDER", tmp_path)
    arguments = ["entries", "--entries", "3", "--rounds", "1"]
    runner.main([*arguments, "--save"])
    assert capsys.readouterr().out == ""
    (file,) = tmp_path.iterdir()
    lines = list(saving.read(file))
    assert file.name == "entries.jsonl"
    assert {line["command"] for line in lines} == {
        "python -m benchmarks entries --entries 3 --rounds 1"
    }
    assert lines[0]["work"] == "files"
    assert lines[0]["of_files"] == 1.0


def test_the_readme_names_what_is_there() -> None:
    """Folders and files of its table."""
    text = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    names = [row.split("`")[1] for row in text.splitlines() if row.startswith("| `")]
    assert names == ["measurements/", "peers/", "results/", "page/", "schema.py"]
    assert all((ROOT / "benchmarks" / name).exists() for name in names)


def test_a_default_says_which_numbers_it_follows_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Looked up in the saved lines; without them nothing is claimed."""
    defaults = load("measurements.defaults")
    point = {"what": "frontier of text", "chunker": "one", "size": 50, "recall_at_budget": [0.5, 1]}
    other = point | {"chunker": "two", "recall_at_budget": [0.0]}

    def because(saved: Any) -> str:
        return f"it finds {saved.per_cent('recall_at_budget', chunker='one', size=50)}"

    reason = defaults.Reason("embed_text.style", "frontier of text", because)
    monkeypatch.setattr(defaults, "REASONS", (reason,))
    monkeypatch.setattr(saving, "saved", lambda: [point, other])
    (line,) = runner.lines(runner.parsed(["defaults"]), ["defaults"])
    assert line["because"] == "it finds 75.0%"
    assert line["value"] == "'auto'"
    shown = load("page").page([line])
    row = (
        "| `embed_text.style` | `'auto'` | it finds 75.0% | [Frontier of text](#frontier-of-text) |"
    )
    assert row in shown
    monkeypatch.setattr(saving, "saved", lambda: [other])
    assert list(runner.lines(runner.parsed(["defaults"]), ["defaults"])) == []
    assert "left out: embed_text.style: no saved line has" in capsys.readouterr().err


def test_saved_defaults_are_those_of_chunkwright() -> None:
    """And their reasons are what the saved numbers give: `python -m benchmarks defaults --save`."""
    saved = [line for line in saving.saved() if line["what"] == "defaults"]
    made = list(runner.lines(runner.parsed(["defaults"]), ["defaults"]))
    fields = ("option", "value", "measured", "because")
    assert [[line[one] for one in fields] for line in saved] == [
        [line[one] for one in fields] for line in made
    ]
    assert made

"""The settings of a root: where they are read from, who wins, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkwright import configuration
from chunkwright.configuration import Settings
from chunkwright.errors import ConfigError


def write(root: Path, text: str, name: str = "chunkwright.toml") -> Path:
    path = root / name
    path.write_bytes(text.encode())
    return path


def refused(root: Path, **overrides: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        configuration.load(root, **overrides)
    return caught.value


def test_a_root_without_a_file_has_the_defaults(tmp_path: Path) -> None:
    """No file: 1 MiB a file, nothing included or excluded, every chunker option unset."""
    assert configuration.load(tmp_path) == Settings()
    assert Settings().max_file_size == 1048576
    assert Settings().chunker_options() == {}


def test_every_key_is_read_from_chunkwright_toml(tmp_path: Path) -> None:
    """Each field of Settings is a key of the file; lists become tuples."""
    write(
        tmp_path,
        'embedder = "hashing"\nmax_file_size = 10\ninclude = ["*.py"]\nexclude = ["b/"]\n'
        'allow_secrets = [".env.test"]\nsize = 200\noverlap = 20\nmeasure = "bytes"\n'
        'granularity = "symbol"\nfile_header = false\n',
    )

    assert configuration.load(tmp_path) == Settings(
        embedder="hashing",
        max_file_size=10,
        include=("*.py",),
        exclude=("b/",),
        allow_secrets=(".env.test",),
        size=200,
        overlap=20,
        measure="bytes",
        granularity="symbol",
        file_header=False,
    )


def test_the_table_of_a_project_file_is_read(tmp_path: Path) -> None:
    """`[tool.chunkwright]` in pyproject.toml holds the same keys; other tools are ignored."""
    write(tmp_path, "[tool.other]\nsiez = 1\n[tool.chunkwright]\nsize = 7\n", "pyproject.toml")

    assert configuration.load(tmp_path).size == 7


@pytest.mark.parametrize("text", ["", "[project]\nname='x'\n", "tool = 3\n", "[tool.black]\n"])
def test_a_project_file_without_the_table_says_nothing(tmp_path: Path, text: str) -> None:
    """A pyproject.toml that does not mention chunkwright leaves the defaults."""
    write(tmp_path, text, "pyproject.toml")

    assert configuration.load(tmp_path) == Settings()
    assert configuration.find(tmp_path) is None


def test_chunkwright_toml_wins_over_the_project_file(tmp_path: Path) -> None:
    """With both files only chunkwright.toml counts, also for keys it does not set."""
    write(tmp_path, "[tool.chunkwright]\nsize = 7\noverlap = 3\n", "pyproject.toml")
    own = write(tmp_path, "size = 8\n")

    assert configuration.load(tmp_path) == Settings(size=8)
    assert configuration.find(tmp_path) == (own, {"size": 8})


def test_flags_win_over_the_file_and_none_is_no_flag(tmp_path: Path) -> None:
    """An override replaces the file's value; None leaves it."""
    write(tmp_path, 'size = 8\noverlap = 2\nexclude = ["a"]\n')

    settings = configuration.load(tmp_path, size=9, overlap=None, exclude=["b", "c"])

    assert settings == Settings(size=9, overlap=2, exclude=("b", "c"))


def test_false_and_zero_are_flags(tmp_path: Path) -> None:
    """A flag that is false or 0 was given, and wins."""
    write(tmp_path, "file_header = true\noverlap = 2\n")

    assert configuration.load(tmp_path, file_header=False, overlap=0) == Settings(
        file_header=False, overlap=0
    )


def test_options_of_an_embedder_go_with_it(tmp_path: Path) -> None:
    """A flag for another embedder leaves behind what the file tells its own."""
    write(tmp_path, 'embedder = "minilm"\n[embedder_options]\nquery_prefix = "query: "\n')

    assert configuration.load(tmp_path).embedder_options == {"query_prefix": "query: "}
    assert configuration.load(tmp_path, embedder="minilm").embedder_options != {}
    assert configuration.load(tmp_path, embedder="static").embedder_options == {}


@pytest.mark.parametrize(
    ("key", "nearest"), [("siez", "size"), ("max-file-size", "max_file_size"), ("Size", "size")]
)
def test_an_unknown_key_is_refused_with_the_nearest(tmp_path: Path, key: str, nearest: str) -> None:
    """The error names the key, its value, the file and the key that may have been meant."""
    path = write(tmp_path, f"{key} = 5\n")

    error = refused(tmp_path)

    assert (error.option, error.value) == (key, 5)
    assert error.allowed.startswith(f"in {path}: unknown key; did you mean {nearest!r}? keys are ")


def test_a_key_like_no_other_is_refused_with_all_keys(tmp_path: Path) -> None:
    """Where nothing is near, the error lists every key."""
    write(tmp_path, "zzzz = 5\n")

    assert refused(tmp_path).allowed.endswith(
        "unknown key; keys are allow_secrets, embedder, embedder_options, exclude, file_header, "
        "granularity, include, late_embedding, "
        "max_file_size, measure, overlap, size, vector_cache"
    )


def test_an_unknown_override_is_refused(tmp_path: Path) -> None:
    """A flag that is no setting is a mistake of the caller, and said."""
    error = refused(tmp_path, sise=3)

    assert str(error).startswith("sise=3 is not allowed: unknown key; did you mean 'size'?")


@pytest.mark.parametrize(
    ("line", "option", "value", "allowed"),
    [
        ("size = 0", "size", 0, "give a whole number, 1 or more"),
        ("size = true", "size", True, "give a whole number, 1 or more"),
        ("size = 1.5", "size", 1.5, "give a whole number, 1 or more"),
        ('overlap = "3"', "overlap", "3", "give a whole number, 0 for no overlap"),
        ("max_file_size = -1", "max_file_size", -1, "give a whole number of bytes, 1 or more"),
        ('include = "a"', "include", "a", 'give a list of patterns, such as ["docs/", "*.min.js"]'),
        ("exclude = [1]", "exclude", [1], 'give a list of patterns, such as ["docs/", "*.min.js"]'),
        ("file_header = 1", "file_header", 1, "give true or false"),
        ('granularity = "line"', "granularity", "line", "give one of packed, symbol"),
        ("embedder = false", "embedder", False, 'give a name in quotes, or "none"'),
        (
            "embedder_options = 3",
            "embedder_options",
            3,
            'give a table, such as [embedder_options] with query_prefix = "query: "',
        ),
        ("measure = 3", "measure", 3, 'give the name of a measure, such as "chars"'),
    ],
)
def test_a_wrong_value_is_refused(
    tmp_path: Path, line: str, option: str, value: object, allowed: str
) -> None:
    """The error names the key, the value, the file, and what is allowed."""
    path = write(tmp_path, line + "\n")

    error = refused(tmp_path)

    assert (error.option, error.value, error.allowed) == (option, value, f"in {path}: {allowed}")


def test_a_wrong_flag_is_refused_without_naming_a_file(tmp_path: Path) -> None:
    """What came from a flag is not blamed on the file."""
    write(tmp_path, "size = 4\n")

    assert str(refused(tmp_path, size=0)) == "size=0 is not allowed: give a whole number, 1 or more"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_syntax_error_names_file_and_line(tmp_path: Path, newline: str) -> None:
    """A file that is not TOML: file, line number, and the line itself."""
    path = write(tmp_path, f"size = 4{newline}# 日本{newline}overlap 3{newline}")

    error = refused(tmp_path)

    assert (error.option, error.value) == ("chunkwright.toml", "overlap 3")
    assert error.allowed.startswith(f"{path}:3: ")
    assert error.allowed.endswith("; correct the line, or remove it")


def test_a_syntax_error_at_the_end_names_the_last_line(tmp_path: Path) -> None:
    """An unclosed list is noticed at the end of the file, which is the line named."""
    path = write(tmp_path, 'include = [\n"a"')

    assert f"{path}:2: " in refused(tmp_path).allowed


def test_a_byte_order_mark_is_no_syntax_error(tmp_path: Path) -> None:
    """Editors on Windows write one; it is not part of the first key."""
    write(tmp_path, "\ufeffsize = 4\r\n")

    assert configuration.load(tmp_path).size == 4


@pytest.mark.parametrize("content", [b"size = 4 # \xff\n", b"\xff\xfes\x00"])
def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path, content: bytes) -> None:
    """TOML is UTF-8; anything else is named as such."""
    path = tmp_path / "chunkwright.toml"
    path.write_bytes(content)

    assert str(refused(tmp_path)) == (
        f"chunkwright.toml={str(path)!r} is not allowed: it is not UTF-8; save it as UTF-8"
    )


def test_a_table_that_is_none_is_refused(tmp_path: Path) -> None:
    """`tool.chunkwright = 3` is a mistake, not an absent table."""
    write(tmp_path, "[tool]\nchunkwright = 3\n", "pyproject.toml")

    error = refused(tmp_path)

    assert (error.option, error.value) == ("tool.chunkwright", 3)


def test_settings_divide_into_options_for_cutting_and_walking(tmp_path: Path) -> None:
    """What is unset is left to each chunker; the walk gets all of its options."""
    settings = configuration.load(tmp_path, size=5, file_header=False, exclude=["x"])

    assert settings.chunker_options() == {"size": 5, "file_header": False}
    assert settings.rule_options() == {
        "max_file_size": 1048576,
        "include": (),
        "exclude": ("x",),
        "allow_secrets": (),
    }

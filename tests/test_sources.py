"""Walking, deciding, reading: which files of a tree are taken, by what rule others are not, and the
text of each.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkwright.errors import ConfigError, PathError
from chunkwright.sources import (
    HARMLESS,
    REASONS,
    SECRETS,
    Keep,
    Rules,
    Skip,
    Source,
    decide,
    read,
    relative,
    walk,
)
from chunkwright.sources.deciding import BINARY_SUFFIXES
from chunkwright.sources.decoding import decode

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="asks git itself")
needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="no such files there")


def grow(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below root."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def kept(root: Path, rules: Rules | None = None) -> list[str]:
    return [one.path for one in walk(root, rules or Rules()) if isinstance(one, Keep)]


def skips(root: Path, rules: Rules | None = None, *, ignored: bool = False) -> dict[str, Skip]:
    found = walk(root, rules or Rules(), ignored=ignored)
    return {one.path: one for one in found if isinstance(one, Skip)}


def texts(root: Path) -> list[str]:
    return [one.path for one in walk(root) if isinstance(read(root, one.path), Source)]


class TestOrder:
    """What a walk gives, and in which order."""

    def test_paths_are_sorted_as_whole_strings(self, tmp_path: Path) -> None:
        """A folder's files stand where their paths sort, not where the folder's name does."""
        names = ["b.py", "b/x.py", "b-c.py", "b0.py", "B.py", "é.py", "a/z/1.py", "a/a.py"]
        grow(tmp_path, dict.fromkeys(names, "1"))
        assert kept(tmp_path) == sorted(names)

    def test_a_keep_tells_size_and_time(self, tmp_path: Path) -> None:
        """Size in bytes and modification time come with the path."""
        grow(tmp_path, {"sub/a.py": "é\n"})
        os.utime(tmp_path / "sub/a.py", ns=(5_000, 1_234_567_000))
        assert list(walk(tmp_path)) == [Keep("sub/a.py", 3, 1_234_567_000)]

    def test_an_empty_folder_gives_nothing(self, tmp_path: Path) -> None:
        """No files, no answers."""
        (tmp_path / "empty").mkdir()
        assert list(walk(tmp_path)) == []

    def test_a_file_is_found_before_the_whole_tree_is_walked(self, tmp_path: Path) -> None:
        """A folder that is not reached yet may still change."""
        grow(tmp_path, {"a.py": "1", "b/old.py": "1"})
        walking = walk(tmp_path)
        assert next(walking).path == "a.py"
        grow(tmp_path, {"b/new.py": "1"})
        assert [one.path for one in walking] == ["b/new.py", "b/old.py"]

    def test_a_deep_tree_is_walked(self, tmp_path: Path) -> None:
        """Depth costs no recursion."""
        deep = "/".join(["d"] * 400)
        os.makedirs(tmp_path / deep)
        grow(tmp_path, {f"{deep}/a.py": "1"})
        assert kept(tmp_path) == [f"{deep}/a.py"]

    def test_a_missing_root_is_a_path_error(self, tmp_path: Path) -> None:
        """At once, not at the first file."""
        with pytest.raises(PathError, match="does not exist"):
            walk(tmp_path / "nowhere")

    def test_a_file_is_no_root(self, tmp_path: Path) -> None:
        """The root is a folder."""
        grow(tmp_path, {"a.py": "1"})
        with pytest.raises(PathError, match="not a folder"):
            walk(tmp_path / "a.py")

    def test_under_narrows_the_walk(self, tmp_path: Path) -> None:
        """One folder or one file, with the rules of the folders above."""
        grow(tmp_path, {".gitignore": "*.log\n", "a/x.py": "", "a/y.log": "", "b/z.py": ""})
        assert [one.path for one in walk(tmp_path, under="a")] == ["a/x.py"]
        assert [one.path for one in walk(tmp_path, under=tmp_path / "b/z.py")] == ["b/z.py"]

    def test_under_an_ignored_folder_says_so(self, tmp_path: Path) -> None:
        """The folder is not entered by the back door."""
        grow(tmp_path, {".gitignore": "out/\n", "out/x.py": ""})
        found = list(walk(tmp_path, under="out", ignored=True))
        assert found == [Skip("out", "ignored", ".gitignore:1: out/")]

    def test_under_must_lie_in_the_root(self, tmp_path: Path) -> None:
        """A path error, not an empty walk."""
        with pytest.raises(PathError, match="outside"):
            walk(tmp_path, under="..")

    @needs_posix
    def test_odd_names_are_kept_as_they_are(self, tmp_path: Path) -> None:
        """Line ends, spaces, tabs, quotes, backslashes and emoji are parts of names."""
        names = sorted(
            ["new\nline.py", " lead.py", "tab\t.py", '"q".py', "back\\slash.py", "🙂.py"]
        )
        grow(tmp_path, dict.fromkeys(names, "1"))
        assert kept(tmp_path) == names
        assert texts(tmp_path) == names

    @pytest.mark.skipif(sys.platform == "darwin", reason="that file system normalises names")
    def test_names_are_not_normalised(self, tmp_path: Path) -> None:
        """Composed and decomposed accents are two names."""
        names = ["e\u0301.py", "\u00e9.py"]
        grow(tmp_path, dict.fromkeys(names, "1"))
        assert kept(tmp_path) == names

    @pytest.mark.skipif(sys.platform != "linux", reason="others refuse such names")
    def test_a_name_that_is_not_utf_8_is_skipped(self, tmp_path: Path) -> None:
        """With its bytes written out, so that it can be printed; a folder as a whole."""
        raw = os.fsencode(tmp_path)
        with open(raw + b"/bad\xff.py", "wb"):
            pass
        os.mkdir(raw + b"/dir\xfe")
        with open(raw + b"/dir\xfe/a.py", "wb"):
            pass
        found = [(one.path, getattr(one, "reason", "kept")) for one in walk(tmp_path)]
        names = ["bad\\xff.py", "dir\\xfe/"]
        assert found == [(name, "unreadable_name") for name in names]

    def test_every_reason_is_documented(self, tmp_path: Path) -> None:
        """What a skip says is in the table of reasons."""
        grow(tmp_path, {".gitignore": "*.log\n", "a.log": "", ".env": "", "a.png": "", "x.py": "1"})
        found = skips(tmp_path, Rules(max_file_size=0, exclude=("x*",)), ignored=True)
        assert {skip.reason for skip in found.values()} <= set(REASONS)


class TestInternal:
    """What belongs to git and to an index."""

    def test_git_and_the_index_are_never_walked(self, tmp_path: Path) -> None:
        """At any depth, in any case of letters, and not even reported."""
        names = [".git/config", "sub/.git/HEAD", ".chunkwright/index.db", "x/.GIT/y", "a.py"]
        grow(tmp_path, dict.fromkeys(names, "1"))
        assert [one.path for one in walk(tmp_path, ignored=True)] == ["a.py"]

    def test_a_git_file_is_skipped(self, tmp_path: Path) -> None:
        """That of a worktree or a submodule is a file."""
        grow(tmp_path, {".git": "gitdir: ../x\n"})
        assert decide(tmp_path, ".git") == Skip(".git", "internal", ".git")
        assert read(tmp_path, ".git") == Skip(".git", "internal", ".git")

    def test_hidden_files_are_taken(self, tmp_path: Path) -> None:
        """A dot in front says nothing about a file's worth."""
        names = [".github/workflows/ci.yml", ".gitignore", ".hidden/.x.py"]
        grow(tmp_path, dict.fromkeys(names, "#\n"))
        assert kept(tmp_path) == names


class TestIgnoreFiles:
    """The rules of git, and ours on top."""

    def test_nested_files_and_negation(self, tmp_path: Path) -> None:
        """The nearest file wins, and its last rule that matches; a root without git counts too."""
        grow(
            tmp_path,
            {
                ".gitignore": "*.log\n/build/\n",
                "sub/.gitignore": "!keep.log\nlocal.py\n",
                "a.log": "",
                "build/x.py": "",
                "sub/build/x.py": "",
                "sub/keep.log": "",
                "sub/drop.log": "",
                "sub/local.py": "",
                "local.py": "",
            },
        )
        expected = [".gitignore", "local.py", "sub/.gitignore", "sub/build/x.py", "sub/keep.log"]
        assert kept(tmp_path) == expected

    def test_nothing_is_taken_back_below_an_ignored_folder(self, tmp_path: Path) -> None:
        """As in git: the folder itself must be taken back first."""
        grow(tmp_path, {".gitignore": "out/\n!out/keep.py\n", "out/keep.py": ""})
        assert kept(tmp_path) == [".gitignore"]
        grow(tmp_path, {".gitignore": "out/*\n!out/keep.py\n"})
        assert kept(tmp_path) == [".gitignore", "out/keep.py"]

    def test_info_exclude_counts_and_is_weakest(self, tmp_path: Path) -> None:
        """A .gitignore takes back what it leaves out."""
        grow(tmp_path, {".git/info/exclude": "*.tmp\n", "a.tmp": "", "b.tmp": "", "sub/c.tmp": ""})
        grow(tmp_path, {".gitignore": "!b.tmp\n"})
        assert kept(tmp_path) == [".gitignore", "b.tmp"]
        assert decide(tmp_path, "sub/c.tmp") == Skip(
            "sub/c.tmp", "ignored", ".git/info/exclude:1: *.tmp"
        )

    def test_our_own_file_is_strongest(self, tmp_path: Path) -> None:
        """It leaves out what git keeps, and takes back what git ignores."""
        grow(tmp_path, {".gitignore": "gen/\n", ".chunkwrightignore": "!gen/\n*.csv\n"})
        grow(tmp_path, {"gen/a.py": "", "data.csv": "", "sub/.gitignore": "!*.csv\n"})
        grow(tmp_path, {"sub/x.csv": "", "sub/.chunkwrightignore": "!y.csv\n", "sub/y.csv": ""})
        ignore_files = [".chunkwrightignore", ".gitignore"]
        assert [path for path in kept(tmp_path) if not path.endswith("ignore")] == [
            "gen/a.py",
            "sub/y.csv",
        ]
        assert kept(tmp_path)[:2] == ignore_files

    def test_ignored_files_are_reported_only_when_asked_for(self, tmp_path: Path) -> None:
        """One answer a file, one for a whole folder."""
        grow(tmp_path, {".gitignore": "*.log\nnode_modules/\n", "a.log": "", "x/b.log": ""})
        grow(tmp_path, {"node_modules/p/1.js": "", "node_modules/p/2.js": ""})
        assert skips(tmp_path) == {}
        assert skips(tmp_path, ignored=True) == {
            "a.log": Skip("a.log", "ignored", ".gitignore:1: *.log"),
            "node_modules/": Skip("node_modules/", "ignored", ".gitignore:2: node_modules/"),
            "x/b.log": Skip("x/b.log", "ignored", ".gitignore:1: *.log"),
        }

    def test_ignore_files_can_be_switched_off(self, tmp_path: Path) -> None:
        """Then only names that are never taken count."""
        grow(tmp_path, {".gitignore": "*\n", ".chunkwrightignore": "*\n", "a.py": "", ".env": ""})
        assert kept(tmp_path, Rules(ignore_files=False)) == [
            ".chunkwrightignore",
            ".gitignore",
            "a.py",
        ]

    def test_the_users_global_excludes_do_not_count(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same tree gives the same files on every machine."""
        home = grow(tmp_path / "home", {"git/ignore": "*.py\n", ".gitconfig": "[core]\n"})
        (home / ".gitconfig").write_text(f"[core]\nexcludesFile = {home / 'git/ignore'}\n")
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
        tree = grow(tmp_path / "tree", {"a.py": ""})
        assert kept(tree) == ["a.py"]

    def test_folders_above_count_within_one_repository(self, tmp_path: Path) -> None:
        """From the repository's top down to the root, and no further up."""
        grow(tmp_path, {".gitignore": "*.md\n", "repo/.git/HEAD": "ref: refs/heads/main\n"})
        grow(tmp_path, {"repo/.git/info/exclude": "*.tmp\n", "repo/.gitignore": "/sub/in/x.py\n"})
        names = ["a.md", "b.tmp", "x.py", "in/x.py"]
        sub = grow(tmp_path / "repo/sub", dict.fromkeys(names, ""))
        assert kept(sub) == ["a.md", "x.py"]
        assert decide(sub, "in/x.py") == Skip("in/x.py", "ignored", "../.gitignore:1: /sub/in/x.py")
        assert decide(sub, "b.tmp") == Skip("b.tmp", "ignored", "../.git/info/exclude:1: *.tmp")

    def test_folders_above_a_plain_folder_do_not_count(self, tmp_path: Path) -> None:
        """A .gitignore in somebody's home says nothing about a tree that is no part of it."""
        grow(tmp_path, {".gitignore": "*.py\n", ".chunkwrightignore": "*.py\n", "tree/a.py": ""})
        assert kept(tmp_path / "tree") == ["a.py"]

    def test_a_repository_inside_has_rules_of_its_own(self, tmp_path: Path) -> None:
        """Git's rules end at its border; ours go on."""
        grow(tmp_path, {".gitignore": "*.log\n", ".chunkwrightignore": "*.csv\n"})
        grow(tmp_path, {"dep/.git/HEAD": "", "dep/.git/info/exclude": "*.bak\n", "dep/a.log": ""})
        grow(tmp_path, {"dep/a.csv": "", "dep/a.bak": ""})
        assert [path for path in kept(tmp_path) if path.startswith("dep")] == ["dep/a.log"]

    def test_the_exclude_file_of_a_worktree_is_found(self, tmp_path: Path) -> None:
        """A .git file leads to the folder that the worktrees share."""
        grow(tmp_path, {"main/.git/info/exclude": "*.tmp\n", "tree/a.tmp": "", "tree/b.py": ""})
        grow(tmp_path, {"main/.git/worktrees/tree/commondir": "../..\n"})
        grow(tmp_path, {"tree/.git": "gitdir: ../main/.git/worktrees/tree\n"})
        assert kept(tmp_path / "tree") == ["b.py"]

    @needs_posix
    def test_an_ignore_file_that_is_none_is_passed_over(self, tmp_path: Path) -> None:
        """A folder, a named pipe and a link, which git does not follow either."""
        grow(tmp_path, {"a.py": "", "p/b.py": "", "l/c.py": "", "rules": "*.py\n"})
        (tmp_path / ".gitignore").mkdir()
        os.mkfifo(tmp_path / "p/.gitignore")
        (tmp_path / "l/.gitignore").symlink_to("../rules")
        assert kept(tmp_path) == ["a.py", "l/c.py", "p/b.py", "rules"]

    def test_crlf_and_a_byte_order_mark_do_not_count(self, tmp_path: Path) -> None:
        """Ignore files written on Windows work."""
        grow(tmp_path, {".gitignore": b"\xef\xbb\xbf*.log\r\n*.tmp\r\n", "a.log": "", "a.tmp": ""})
        assert kept(tmp_path) == [".gitignore"]

    def test_many_stars_take_no_time(self, tmp_path: Path) -> None:
        """A rule made to be slow is answered at once."""
        rule = "*a" * 40 + "b\n" + "**/a/" * 30 + "b\n"
        deep = "/".join(["a"] * 60)
        grow(tmp_path, {".gitignore": rule, "a" * 200: "", f"{deep}/c": ""})
        assert len(kept(tmp_path)) == 3

    def test_include_and_exclude(self, tmp_path: Path) -> None:
        """Include names what stays, exclude leaves out of it; both are written as rules of git."""
        names = ["src/a.py", "src/b.ts", "src/gen/c.py", "docs/d.py", "e.py"]
        grow(tmp_path, dict.fromkeys(names, ""))
        rules = Rules(include=("src/", "*.ts"), exclude=("gen",))
        assert kept(tmp_path, rules) == ["src/a.py", "src/b.ts"]
        found = skips(tmp_path, rules, ignored=True)
        assert found["e.py"] == Skip("e.py", "not_included", "include: src/, *.ts")
        assert found["src/gen/"] == Skip("src/gen/", "excluded", "exclude: gen")

    def test_exclude_can_take_back(self, tmp_path: Path) -> None:
        """The last pattern that matches decides."""
        grow(tmp_path, {"a.py": "", "b.py": ""})
        assert kept(tmp_path, Rules(exclude=("*.py", "!b.py"))) == ["b.py"]

    def test_include_does_not_bring_back_what_is_ignored(self, tmp_path: Path) -> None:
        """It narrows, it never widens."""
        grow(tmp_path, {".gitignore": "*.log\n", "a.log": "", ".env": ""})
        assert kept(tmp_path, Rules(include=("*.log", ".env"))) == []

    @pytest.mark.parametrize(
        ("option", "value"),
        [("max_file_size", -1), ("max_file_size", True), ("include", "*.py"), ("exclude", (1,))],
    )
    def test_a_wrong_rule_is_a_config_error(self, option: str, value: object) -> None:
        """It names the option."""
        with pytest.raises(ConfigError) as caught:
            Rules(**{option: value})  # type: ignore[arg-type]  # that is what is tested
        assert caught.value.option == option


@pytest.mark.parametrize("folder", ["", "sub/", "sub/deep/"])
def test_no_secret_and_no_binary_is_kept_by_a_glance_at_its_name(
    tmp_path: Path, folder: str
) -> None:
    """One file for every pattern, in both cases of letters, and one for every suffix: the walk
    says of each what `decide` says, and keeps those beside them."""
    names = [pattern.replace("**", "any/x").replace("*", "x") for pattern in SECRETS]
    names += [name.upper() for name in names] + [f"x{suffix}" for suffix in BINARY_SUFFIXES]
    beside = ["environment.py", "keys.md", "settings.json", "tfstate.txt"]
    grow(tmp_path, {f"{folder}{name}": "x" for name in (*names, *beside)})
    taken = kept(tmp_path)
    assert taken == sorted(f"{folder}{name}" for name in beside)
    found = {path for path, skip in skips(tmp_path).items() if skip.reason in {"secret", "binary"}}
    assert found == {f"{folder}{name}" for name in names}


@needs_git
@pytest.mark.parametrize(
    "rule",
    ["a/b/**", "a/**/**", "**", "**/**", "/**", "**/b/**", "a*/**", "[ab]/**", "a/b**", "b/"],
)
def test_a_rule_about_all_in_a_folder_means_what_it_means_to_git(tmp_path: Path, rule: str) -> None:
    """Also deep below it, and next to what takes back."""
    files = ["a/x", "a/b/x", "a/b/c/d/x", "b/x", "c/x", "c/b/x", "c/a/b/x", "ab/x", "x"]
    grow(tmp_path, {**dict.fromkeys(files, "1"), "c/.gitignore": "/b/**\n!/b/x\n"})
    (tmp_path / ".gitignore").write_text(f"{rule}\n!x/\n")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert set(kept(tmp_path)) == git_lists(tmp_path)


def git_lists(root: Path) -> set[str]:
    """What git itself takes, with no settings but the repository's."""
    nowhere = str(root / "nowhere")
    settings_off = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    home = {"HOME": nowhere, "XDG_CONFIG_HOME": nowhere}
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        env={**os.environ, **settings_off, **home},
        capture_output=True,
        check=True,
    )
    return {path for path in listed.stdout.decode().split("\0") if path}


NAMES = ["a", "b", "ab", "a.b", "b.a", "a b", "aé", "-", "[", "!a", "#a", "ba", "A"]
FOLDERS = ["", "a/", "b/", "ab/", "a/b/", "a/a/", "b/a/", "a/b/a/", "a.b/"]
ATOMS = [
    *("a", "b", ".", "*", "**", "/", "?", "[ab]", "[!a]", "[a-", "[]a]", "\\", "\\*", " ", "!"),
    *("#", "[[:alpha:]]", "[^b-c]", "é", "-", "**/", "/**", "[a\\]]", "[--0]", "[[:x]", "A", "\t"),
]
lines = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=6).map("".join)
rule_files = st.lists(lines, max_size=4).map("\n".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with files of every short name in several folders."""
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet", root], check=True)
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path in (root / folder / name for folder in FOLDERS for name in NAMES):
        if not path.exists():
            path.write_bytes(b"")
    return root


@needs_git
@needs_posix
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(top=rule_files, nested=rule_files, excluded=rule_files)
def test_every_pattern_means_what_it_means_to_git(
    repository: Path, top: str, nested: str, excluded: str
) -> None:
    """The walk takes exactly the files that git lists, and `decide` says the same of each."""
    grow(repository, {".gitignore": top, "a/.gitignore": nested, ".git/info/exclude": excluded})
    taken = set(kept(repository))
    assert taken == git_lists(repository)
    for path in repository.rglob("*"):
        name = path.relative_to(repository).as_posix()
        if path.is_file() and not name.startswith(".git/"):
            assert isinstance(decide(repository, name), Keep) == (name in taken)


@needs_git
@needs_posix
def test_git_names_the_same_rule(tmp_path: Path) -> None:
    """File, line and pattern are those of git's check-ignore."""
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    grow(tmp_path, {".gitignore": "*.a\n# note\n\n!x.a\n*.[ab]\n", "s/.gitignore": "/t/**/u\n"})
    grow(tmp_path, {"x.a": "", "y.b": "", "s/t/u": "", "s/t/v/u": "", "z.c": ""})
    for path in ("x.a", "y.b", "s/t/u", "s/t/v/u"):
        answer = subprocess.run(
            ["git", "check-ignore", "-v", path],
            cwd=tmp_path,
            capture_output=True,
            check=True,
            text=True,
        )
        source, line, pattern = answer.stdout.split("\t")[0].split(":", 2)
        found = decide(tmp_path, path)
        assert isinstance(found, Skip)
        assert found.rule == f"{source}:{line}: {pattern}"


class TestSecrets:
    """Files that are never opened."""

    SAMPLES = (
        *(".env", ".env.production", ".envrc", "prod.env", ".envs/x/y", "id_rsa", "id_ed25519"),
        *("server.pem", "a.KEY", "k.p12", "k.pfx", "a.keystore", "b.jks", ".netrc", "_netrc"),
        *(".npmrc", ".pypirc", ".aws/credentials", ".git-credentials", ".htpasswd", "kubeconfig"),
        *(".kube/config", "my-service-account-1.json", "credentials.json", "client_secret_1.json"),
        *(".docker/config.json", "main.tfstate", "main.tfstate.backup", ".pgpass", "x.keytab"),
        *(".ENV", "ID_RSA", "Server.PEM", ".Aws/Credentials"),
    )

    @pytest.mark.parametrize("folder", ["", "deep/er/"])
    def test_secrets_are_skipped_everywhere(self, tmp_path: Path, folder: str) -> None:
        """With no ignore file, in any folder, in any case of letters."""
        grow(tmp_path, {folder + name: "token\n" for name in self.SAMPLES})
        assert kept(tmp_path) == []
        assert {skip.reason for skip in skips(tmp_path).values()} == {"secret"}

    def test_the_rule_is_the_pattern(self, tmp_path: Path) -> None:
        """As it stands in the table."""
        grow(tmp_path, {".env.local": "", "x/id_rsa": "", "x/.aws/credentials": ""})
        assert {path: skip.rule for path, skip in skips(tmp_path).items()} == {
            ".env.local": ".env*",
            "x/.aws/credentials": ".aws/credentials",
            "x/id_rsa": "id_rsa",
        }
        assert {".env*", ".aws/credentials", "id_rsa"} <= set(SECRETS)

    def test_secrets_are_not_read_when_named(self, tmp_path: Path) -> None:
        """Whatever the ignore files and the include list say."""
        grow(tmp_path, {".env": "KEY=1\n", ".gitignore": "!.env\n"})
        rules = Rules(include=(".env",), ignore_files=False)
        assert read(tmp_path, ".env", rules) == Skip(".env", "secret", ".env*")

    @needs_posix
    def test_secrets_are_not_even_opened(self, tmp_path: Path) -> None:
        """A named pipe of such a name would make an opener wait, and is told by name."""
        os.mkfifo(tmp_path / ".env")
        assert read(tmp_path, ".env") == Skip(".env", "secret", ".env*")

    @pytest.mark.parametrize(
        "name",
        [*(n for n in HARMLESS if "*" not in n), ".env.local.example", "envtools.py", "id_rsa.pub"],
    )
    def test_files_made_to_be_shown_are_kept(self, tmp_path: Path, name: str) -> None:
        """Examples and public keys are no secrets."""
        grow(tmp_path, {name: "KEY=\n"})
        assert kept(tmp_path) == [name]

    def test_secrets_can_be_allowed(self, tmp_path: Path) -> None:
        """By pattern, by path, by folder; with `!` to take back."""
        grow(tmp_path, dict.fromkeys(["a.pem", "certs/b.pem", "test/c.pem", "test/d.pem"], "x"))
        assert kept(tmp_path, Rules(allow_secrets=("*.pem",))) == [
            "a.pem",
            "certs/b.pem",
            "test/c.pem",
            "test/d.pem",
        ]
        assert kept(tmp_path, Rules(allow_secrets=("certs/b.pem",))) == ["certs/b.pem"]
        assert kept(tmp_path, Rules(allow_secrets=("test/", "!d.pem"))) == ["test/c.pem"]

    def test_an_allowed_secret_is_read(self, tmp_path: Path) -> None:
        """The walk and the reader agree."""
        grow(tmp_path, {"a.pem": "public\n"})
        found = read(tmp_path, "a.pem", Rules(allow_secrets=("A.PEM",)))
        assert isinstance(found, Source)
        assert found.document.text == "public\n"

    def test_a_secret_is_reported_although_it_is_ignored(self, tmp_path: Path) -> None:
        """That it is kept out for good is worth more than that a rule does so today."""
        grow(tmp_path, {".gitignore": ".env\n", ".env": ""})
        assert skips(tmp_path) == {".env": Skip(".env", "secret", ".env*")}

    def test_every_pattern_has_a_meaning(self) -> None:
        """The table is documentation."""
        assert all(SECRETS.values())
        assert len(SECRETS) >= 30


@needs_links
class TestLinks:
    """Each real file once, under its real path."""

    def test_loops_and_dangling_links_end(self, tmp_path: Path) -> None:
        """Folder links are not followed, and nothing fails."""
        grow(tmp_path, {"src/lib/a.py": "A = 1\n", "src/conf/c.py": "C = 1\n"})
        links = {"src/lib/up": "..", "src/conf/lib": "../lib", "self": ".", "dangling": "nowhere"}
        for path, target in links.items():
            (tmp_path / path).symlink_to(target)
        (tmp_path / "loop").symlink_to("loop")
        assert kept(tmp_path) == ["src/conf/c.py", "src/lib/a.py"]
        assert {path: skip.rule for path, skip in skips(tmp_path).items()} == {
            "dangling": "leads nowhere",
            "loop": "leads nowhere",
            "self": "leads to .",
            "src/conf/lib": "leads to src/lib",
            "src/lib/up": "leads to src",
        }

    def test_a_linked_file_is_taken_once(self, tmp_path: Path) -> None:
        """Under its real path."""
        grow(tmp_path, {"real.py": "1"})
        (tmp_path / "also.py").symlink_to("real.py")
        assert kept(tmp_path) == ["real.py"]
        assert relative(tmp_path, "also.py") == "real.py"

    def test_links_out_of_the_root_are_not_followed(self, tmp_path: Path) -> None:
        """Neither to a file nor to a folder, and where they lead is not told."""
        outside = grow(tmp_path / "outside", {"secret.py": "S = 1\n"})
        root = grow(tmp_path / "root", {"a.py": ""})
        (root / "out.py").symlink_to(outside / "secret.py")
        (root / "folder").symlink_to(outside)
        assert kept(root) == ["a.py"]
        assert {skip.rule for skip in skips(root).values()} == {"leads out of the root"}
        for path in ("out.py", "folder/secret.py"):
            assert read(root, path) == Skip(path, "symlink", "a part of its path is a link")
            with pytest.raises(PathError, match="outside"):
                relative(root, path)

    def test_a_root_that_is_a_link_is_followed(self, tmp_path: Path) -> None:
        """It is the caller's own choice."""
        grow(tmp_path / "real", {"a.py": "1"})
        (tmp_path / "alias").symlink_to("real")
        assert kept(tmp_path / "alias") == ["a.py"]
        assert relative(tmp_path / "alias", tmp_path / "real/a.py") == "a.py"
        assert relative(tmp_path / "real", tmp_path / "alias/a.py") == "a.py"
        assert isinstance(read(tmp_path / "alias", "a.py"), Source)


class TestFacts:
    """Kinds of files that are no text, and failures of the system."""

    @needs_posix
    def test_special_files_are_skipped_without_waiting(self, tmp_path: Path) -> None:
        """A named pipe and a socket."""
        os.mkfifo(tmp_path / "pipe")
        short = Path(os.path.relpath(tmp_path / "sock"))  # a socket's path has a short bound
        with socket.socket(socket.AF_UNIX) as listening:
            try:
                listening.bind(os.fspath(short))
            except OSError:
                pytest.skip("no room for a socket's name")
            found = skips(tmp_path)
        assert {path: (skip.reason, skip.rule) for path, skip in found.items()} == {
            "pipe": ("special", "named pipe"),
            "sock": ("special", "socket"),
        }
        assert read(tmp_path, "pipe") == Skip("pipe", "special", "not an ordinary file")

    def test_known_binary_suffixes_are_not_opened(self, tmp_path: Path) -> None:
        """In any case of letters; a text suffix is none of them."""
        grow(tmp_path, {"a.PNG": "text", "b.so": "text", "c.svg": "<svg/>", "d.ts": "1"})
        assert kept(tmp_path) == ["c.svg", "d.ts"]
        assert skips(tmp_path)["a.PNG"] == Skip("a.PNG", "binary", "*.png")
        assert read(tmp_path, "b.so") == Skip("b.so", "binary", "*.so")

    def test_large_files_are_skipped(self, tmp_path: Path) -> None:
        """Over the limit, not at it; the rule names the limit."""
        grow(tmp_path, {"at.py": "x" * 10, "over.py": "x" * 11})
        rules = Rules(max_file_size=10)
        assert kept(tmp_path, rules) == ["at.py"]
        expected = Skip("over.py", "too_large", "over max_file_size=10")
        assert skips(tmp_path, rules) == {"over.py": expected}
        assert read(tmp_path, "over.py", rules) == expected

    def test_the_default_limit_is_one_mebibyte(self, tmp_path: Path) -> None:
        """Bytes, not characters."""
        grow(tmp_path, {"at.txt": "x" * 2**20, "over.txt": "é" * (2**19 + 1)})
        assert kept(tmp_path) == ["at.txt"]

    def test_a_file_that_vanishes_is_skipped(self, tmp_path: Path) -> None:
        """Between the walk and the reading."""
        grow(tmp_path, {"a.py": "1", "b.py": "2"})
        paths = kept(tmp_path)
        (tmp_path / "a.py").unlink()
        found = [read(tmp_path, path) for path in paths]
        assert isinstance(found[0], Skip)
        assert (found[0].reason, found[0].rule[:17]) == ("vanished", "FileNotFoundError")
        assert isinstance(found[1], Source)

    @pytest.mark.skipif(
        sys.platform == "win32" or os.geteuid() == 0, reason="nothing is locked for the superuser"
    )
    def test_what_is_locked_is_skipped(self, tmp_path: Path) -> None:
        """A file when it is read, a folder when it is walked; the rest goes on."""
        grow(tmp_path, {"a.py": "1", "locked.py": "2", "shut/b.py": "3", "z.py": "4"})
        (tmp_path / "locked.py").chmod(0)
        (tmp_path / "shut").chmod(0)
        try:
            assert kept(tmp_path) == ["a.py", "locked.py", "z.py"]
            assert skips(tmp_path)["shut/"].reason == "unreadable"
            found = read(tmp_path, "locked.py")
        finally:
            (tmp_path / "shut").chmod(0o700)
        assert found == Skip("locked.py", "unreadable", "PermissionError: Permission denied")

    def test_a_read_only_root_is_fine(self, tmp_path: Path) -> None:
        """Nothing is written."""
        grow(tmp_path, {"a.py": "1\n"})
        tmp_path.chmod(0o500)
        try:
            assert texts(tmp_path) == ["a.py"]
        finally:
            tmp_path.chmod(0o700)


class TestDecide:
    """The answer about one path."""

    def test_it_agrees_with_the_walk(self, tmp_path: Path) -> None:
        """For every file of a tree with every kind of rule."""
        grow(tmp_path, {".gitignore": "*.log\nout/\n!keep.log\n", ".chunkwrightignore": "gen\n"})
        names = ["a.py", "x.log", "keep.log", "out/a.py", "s/gen/b.py", ".env", "i.png", "s/n.bin"]
        grow(tmp_path, dict.fromkeys(names, "1"))
        rules = Rules(exclude=("*.bin",))
        taken = set(kept(tmp_path, rules))
        assert taken >= {"a.py", "keep.log"}
        for name in names:
            assert isinstance(decide(tmp_path, name, rules), Keep) == (name in taken)

    def test_it_names_the_rule_of_the_folder_above(self, tmp_path: Path) -> None:
        """A path below an ignored folder is ignored by that folder's rule."""
        grow(tmp_path, {"s/.gitignore": "\n# built\nout/\n", "s/out/deep/a.py": ""})
        expected = Skip("s/out/deep/a.py", "ignored", "s/.gitignore:3: out/")
        assert decide(tmp_path, "s/out/deep/a.py") == expected

    def test_folders_and_missing_paths(self, tmp_path: Path) -> None:
        """Each has a reason of its own."""
        grow(tmp_path, {"sub/a.py": ""})
        assert decide(tmp_path, "sub") == Skip("sub", "directory", "")
        assert decide(tmp_path, ".") == Skip(".", "directory", "")
        assert decide(tmp_path, "gone.py").reason == "vanished"  # type: ignore[union-attr]
        below = decide(tmp_path, "sub/a.py/b")
        assert below == Skip("sub/a.py/b", "vanished", "sub/a.py is not a folder")

    @pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "a\0b"])
    def test_paths_that_leave_the_root_are_errors(self, tmp_path: Path, path: str) -> None:
        """For `decide` and `read` alike."""
        for ask in (decide, read):
            with pytest.raises(PathError):
                ask(tmp_path, path)


class TestRelative:
    """From the caller's path to one inside the root."""

    def test_paths_inside(self, tmp_path: Path) -> None:
        """Relative to the root or absolute, with dots that stay inside, with `/`."""
        grow(tmp_path, {"s/a.py": ""})
        for path in ("s/a.py", "./s/a.py", "s/../s/a.py", tmp_path / "s/a.py", "s\\a.py"):
            assert relative(tmp_path, path) == "s/a.py"
        assert relative(tmp_path, ".") == "."
        assert relative(tmp_path, tmp_path) == "."

    @pytest.mark.parametrize("path", ["..", "../other", "s/../../other", "/", "a\0b", "..\\other"])
    def test_paths_outside_are_errors(self, tmp_path: Path, path: str) -> None:
        """However they are written."""
        (tmp_path / "root").mkdir()
        grow(tmp_path, {"other": ""})
        with pytest.raises(PathError) as caught:
            relative(tmp_path / "root", path)
        assert caught.value.path == path

    def test_a_neighbour_with_a_longer_name_is_outside(self, tmp_path: Path) -> None:
        """`root-2` does not lie in `root`."""
        (tmp_path / "root").mkdir()
        grow(tmp_path, {"root-2/a.py": ""})
        with pytest.raises(PathError, match="outside"):
            relative(tmp_path / "root", tmp_path / "root-2/a.py")

    def test_missing_paths_are_errors_unless_allowed(self, tmp_path: Path) -> None:
        """A deleted file still has a path."""
        with pytest.raises(PathError, match="does not exist"):
            relative(tmp_path, "gone.py")
        assert relative(tmp_path, "gone.py", must_exist=False) == "gone.py"

    def test_a_name_with_a_backslash_wins_where_it_exists(self, tmp_path: Path) -> None:
        """On systems that allow it in names."""
        if os.sep == "\\":
            pytest.skip("no such names here")
        grow(tmp_path, {"s\\a.py": "", "s/a.py": ""})
        assert relative(tmp_path, "s\\a.py") == "s\\a.py"


class TestReading:
    """The document of one file."""

    def test_a_source_has_text_path_commit_and_hash(self, tmp_path: Path) -> None:
        """The hash is that of the bytes."""
        content = "x = 'é'\r\ny\rz\n".encode()
        grow(tmp_path, {"s/a.py": content})
        found = read(tmp_path, "s/a.py", commit="abc")
        assert isinstance(found, Source)
        assert found.document.text == content.decode()
        assert (found.document.path, found.document.commit) == ("s/a.py", "abc")
        assert found.content_hash == hashlib.sha256(content).hexdigest()
        assert found.diagnostics == ()

    @pytest.mark.parametrize("text", ["", "\n", "no end", "tab\t\r\n", "lone\rcr", "🙂e\u0301\n"])
    def test_text_is_kept_to_the_character(self, tmp_path: Path, text: str) -> None:
        """Line ends, final or not, are not touched."""
        grow(tmp_path, {"a.txt": text})
        found = read(tmp_path, "a.txt")
        assert isinstance(found, Source)
        assert found.document.text == text

    def test_other_encodings_are_said(self, tmp_path: Path) -> None:
        """With a diagnostic that names the encoding."""
        grow(tmp_path, {"a.txt": "\ufeffhé\r\n".encode("utf-16-le"), "b.txt": b"caf\xe9\n"})
        marked, guessed = read(tmp_path, "a.txt"), read(tmp_path, "b.txt")
        assert isinstance(marked, Source)
        assert isinstance(guessed, Source)
        assert marked.document.text == "hé\r\n"
        assert [(d.level, d.code, d.message) for d in marked.diagnostics] == [
            ("info", "decoded", "read as utf-16-le, by its byte order mark")
        ]
        assert guessed.document.text == "café\n"
        assert [(d.level, d.code, d.message) for d in guessed.diagnostics] == [
            ("warning", "decoded", "read as cp1252, guessed")
        ]

    def test_a_nul_near_the_start_is_binary(self, tmp_path: Path) -> None:
        """A text that holds one is skipped, and reported."""
        grow(tmp_path, {"a.js": "const g = 'a\0b';\n", "b.js": "1\n"})
        assert texts(tmp_path) == ["b.js"]
        assert read(tmp_path, "a.js") == Skip("a.js", "binary", "NUL byte near the start")

    def test_a_folder_is_not_read(self, tmp_path: Path) -> None:
        """It has a reason of its own."""
        (tmp_path / "s").mkdir()
        found = read(tmp_path, "s")
        assert isinstance(found, Skip)
        assert found.reason in {"directory", "unreadable"}  # Windows does not open a folder


def encodings() -> Iterator[tuple[str, str]]:
    yield from (("naïve café déjà vu\n", "cp1252"), ("“so” – it’s\n", "cp1252"), ("é", "cp1252"))
    yield from (("Größe über Äpfel: süß\n", "latin-1"), ("año niño señor ¿qué?\n", "latin-1"))
    yield "Zażółć gęślą jaźń, zwykły polski tekst o kotach.\n", "cp1250"
    yield "Привет, мир! Это текст на русском языке.\n", "cp1251"
    yield "Привет, мир! Это текст на русском языке.\n", "koi8-r"
    yield "日本語のテキストです。これはテストです。\n", "shift_jis"
    yield "日本語のテキストです。これはテストです。\n", "euc_jp"
    yield "中文文本,这是一个测试文件。\n", "gb18030"
    yield "한국어 텍스트입니다\n", "cp949"
    yield from (("\ufeffa🙂\r\n", encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
    yield from (("\ufeffa🙂\r\n", encoding) for encoding in ("utf-32-le", "utf-32-be"))


class TestDecoding:
    """Bytes to text."""

    @pytest.mark.parametrize(("text", "encoding"), list(encodings()))
    def test_text_in_common_encodings_is_found(self, text: str, encoding: str) -> None:
        """Exactly, and without its byte order mark."""
        decoded = decode(text.encode(encoding))
        assert not isinstance(decoded, str)
        assert decoded[0] == text.removeprefix("\ufeff")

    @given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
    def test_utf_8_is_never_guessed(self, text: str) -> None:
        """Any valid UTF-8 is taken for what it is."""
        assert decode(text.removeprefix("\ufeff").encode()) == (
            text.removeprefix("\ufeff"),
            "utf-8",
            False,
        )

    def test_only_one_byte_order_mark_is_removed(self) -> None:
        """A second is a character of the text."""
        assert decode(b"\xef\xbb\xbf" * 2 + b"x") == ("\ufeffx", "utf-8", False)

    def test_damaged_utf_8_stays_utf_8(self) -> None:
        """One bad byte in a long text does not turn it into another script."""
        decoded = decode("Привет, мир! ".encode() * 3 + b"\xff")
        assert decoded[0] == "Привет, мир! " * 3 + "\ufffd"
        assert decoded[1] == "utf-8 with bad bytes replaced"

    def test_noise_is_no_text(self) -> None:
        """Where no encoding fits, the file is binary."""
        assert decode(bytes(range(1, 256)) * 10) == "no encoding fits"

    def test_a_nul_far_behind_is_text(self) -> None:
        """Only the start is looked at, as git does."""
        text = "a" * 8192 + "\0b"
        assert decode(text.encode()) == (text, "utf-8", False)

    @given(st.binary(max_size=300))
    def test_any_bytes_are_answered(self, content: bytes) -> None:
        """Text without lone surrogates, or why not."""
        decoded = decode(content)
        if not isinstance(decoded, str):
            assert decoded.text.encode() is not None

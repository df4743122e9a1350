"""The table of languages: which files are written in each, which grammar reads it, which of its
files are tests. Parsing, and what a grammar's nodes mean, is not here (see parsing, queries).

A new language is one row here and one data file in `queries`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import translate
from functools import cache, lru_cache
from re import Pattern
from re import compile as compile_pattern

import msgspec

UNKNOWN = "unknown"
"""Name of the language of a text that no row claims."""

DECISION_RECORD = "decision_record"
"""`doc_kind` of an architecture decision record."""

CODE, MARKDOWN, NOTEBOOK, PROSE, TEXT = "code", "markdown", "notebook", "prose", "text"
"""Families. `markdown` is every document with headings; `text` is structured text that no
grammar here reads."""


class Grammar(msgspec.Struct, frozen=True):
    """Where a tree-sitter grammar comes from."""

    package: str
    """Distribution to install."""
    module: str
    function: str = "language"


class Language(msgspec.Struct, frozen=True):
    """One row of the table."""

    name: str
    family: str = CODE
    suffixes: tuple[str, ...] = ()
    """With the dot, in lower case."""
    names: tuple[str, ...] = ()
    """Whole file names, in lower case; an unknown suffix may follow (`Dockerfile.dev`)."""
    interpreters: tuple[str, ...] = ()
    """Programs of a `#!` line, without version digits."""
    aliases: tuple[str, ...] = ()
    """Other names that people and fences use, in lower case."""
    tests: tuple[str, ...] = ()
    """Patterns of the file names of tests; case counts."""
    test_folders: tuple[str, ...] = ()
    """Folders whose files are tests, where the language has such a habit."""
    grammar: Grammar | None = None
    """None: this release cuts the language by lines."""


def _tree_sitter(name: str, function: str = "language") -> Grammar:
    module = f"tree_sitter_{name.replace('-', '_')}"
    return Grammar(f"tree-sitter-{name}", module, function)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SCRIPT_TESTS = ("*.test.*", "*.spec.*", "*_test.*", "*-test.*")
CAMEL_TESTS = ("*Test", "*Tests", "*TestCase", "*Spec", "*IT")


def _camel(suffix: str) -> tuple[str, ...]:
    """Test files of languages that name a file after its class."""
    return tuple(f"{pattern}.{suffix}" for pattern in CAMEL_TESTS)


def _snake(*suffixes: str) -> tuple[str, ...]:
    """Test files of languages that name files in lower case with underscores."""
    return tuple(f"{pattern}.{suffix}" for suffix in suffixes for pattern in ("test_*", "*_test"))


LANGUAGES: tuple[Language, ...] = (
    # Code.
    Language(
        "python",
        suffixes=_words(".py .pyi .pyw .pyx .pxd"),
        names=_words("sconstruct sconscript wscript"),
        interpreters=_words("python pypy uv"),
        aliases=_words("py python3 ipython ipython3"),
        tests=_snake("py", "pyi"),
        grammar=_tree_sitter("python"),
    ),
    Language(
        "go",
        suffixes=(".go",),
        aliases=("golang",),
        tests=("*_test.go",),
        grammar=_tree_sitter("go"),
    ),
    Language(
        "typescript",
        suffixes=_words(".ts .mts .cts"),
        interpreters=_words("deno ts-node tsx bun"),
        aliases=("ts",),
        tests=SCRIPT_TESTS,
        test_folders=("__tests__",),
        grammar=_tree_sitter("typescript", "language_typescript"),
    ),
    Language(
        "tsx",
        suffixes=(".tsx",),
        aliases=("typescriptreact",),
        tests=SCRIPT_TESTS,
        test_folders=("__tests__",),
        grammar=_tree_sitter("typescript", "language_tsx"),
    ),
    Language(
        "javascript",
        suffixes=_words(".js .jsx .mjs .cjs .es6"),
        names=("jakefile",),
        interpreters=("node", "nodejs"),
        aliases=_words("js jsx node javascriptreact ecmascript"),
        tests=SCRIPT_TESTS,
        test_folders=("__tests__",),
        grammar=_tree_sitter("javascript"),
    ),
    Language(
        "solidity",
        suffixes=(".sol",),
        aliases=("sol",),
        tests=("*.t.sol",),
        test_folders=("test", "tests"),
        grammar=_tree_sitter("solidity"),
    ),
    Language(
        "rust",
        suffixes=(".rs",),
        interpreters=("rust-script",),
        aliases=("rs",),
        tests=("*_test.rs", "*_tests.rs", "test_*.rs", "tests.rs"),
        test_folders=("tests",),
        grammar=_tree_sitter("rust"),
    ),
    Language(
        "java",
        suffixes=(".java",),
        tests=(*_camel("java"), "Test*.java"),
        grammar=_tree_sitter("java"),
    ),
    Language(
        "kotlin",
        suffixes=_words(".kt .kts"),
        aliases=("kt",),
        tests=(*_camel("kt"), "Test*.kt"),
        grammar=_tree_sitter("kotlin"),
    ),
    Language(
        "scala",
        suffixes=_words(".scala .sc .sbt"),
        tests=(*_camel("scala"), "*Suite.scala"),
        grammar=_tree_sitter("scala"),
    ),
    Language(
        "groovy",
        suffixes=_words(".groovy .gradle .gvy"),
        names=("jenkinsfile",),
        interpreters=("groovy",),
        tests=_camel("groovy"),
        grammar=Grammar("dekobon-tree-sitter-groovy", "dekobon_tree_sitter_groovy"),
    ),
    Language("c", suffixes=_words(".c .h"), tests=_snake("c"), grammar=_tree_sitter("c")),
    Language(
        "cpp",
        suffixes=_words(".cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .ipp .tpp .inl .cu .cuh .ino"),
        aliases=_words("c++ cxx cuda arduino"),
        tests=(*_snake("cpp", "cc", "cxx"), "*_unittest.c*", "*Test.cpp", "*Tests.cpp"),
        grammar=_tree_sitter("cpp"),
    ),
    Language(
        "csharp",
        suffixes=_words(".cs .csx"),
        aliases=_words("c# cs dotnet"),
        tests=_camel("cs"),
        grammar=_tree_sitter("c-sharp"),
    ),
    Language(
        "fsharp",
        suffixes=_words(".fs .fsi .fsx"),
        aliases=("f#",),
        tests=("*Test.fs", "*Tests.fs"),
    ),
    Language(
        "visualbasic", suffixes=_words(".vb .bas"), aliases=_words("vb vb.net"), tests=_camel("vb")
    ),
    Language(
        "objective-c",
        suffixes=_words(".m .mm"),
        aliases=_words("objc objectivec"),
        grammar=_tree_sitter("objc"),
    ),
    Language(
        "swift",
        suffixes=(".swift",),
        interpreters=("swift",),
        tests=("*Test.swift", "*Tests.swift", "*Spec.swift"),
        grammar=_tree_sitter("swift"),
    ),
    Language(
        "dart",
        suffixes=(".dart",),
        interpreters=("dart",),
        tests=("*_test.dart",),
        grammar=_tree_sitter("dart"),
    ),
    Language(
        "ruby",
        suffixes=_words(".rb .rake .gemspec .ru .rbi"),
        names=_words("rakefile gemfile guardfile podfile vagrantfile brewfile capfile fastfile"),
        interpreters=_words("ruby jruby"),
        aliases=("rb",),
        tests=("*_spec.rb", *_snake("rb")),
        grammar=_tree_sitter("ruby"),
    ),
    Language(
        "php",
        suffixes=_words(".php .phtml .php5 .php7 .inc"),
        interpreters=("php",),
        tests=("*Test.php", "*Cest.php"),
        grammar=_tree_sitter("php", "language_php"),
    ),
    Language(
        "perl",
        suffixes=_words(".pl .pm .t"),
        interpreters=("perl",),
        aliases=("pl",),
        tests=("*.t",),
        grammar=_tree_sitter("perl"),
    ),
    Language(
        "lua",
        suffixes=(".lua", ".luau"),
        interpreters=_words("lua luajit"),
        tests=("*_spec.lua", *_snake("lua")),
        grammar=_tree_sitter("lua"),
    ),
    Language(
        "bash",
        suffixes=_words(".sh .bash .zsh .ksh .bats .ebuild"),
        names=_words(".bashrc .bash_profile .profile .zshrc .zprofile pkgbuild"),
        interpreters=_words("sh bash zsh ksh dash ash bats"),
        aliases=_words("sh shell zsh shell-script console"),
        tests=("*.bats", *_snake("sh", "bash")),
        grammar=_tree_sitter("bash"),
    ),
    Language("fish", suffixes=(".fish",), interpreters=("fish",)),
    Language(
        "powershell",
        suffixes=_words(".ps1 .psm1 .psd1"),
        interpreters=("pwsh",),
        aliases=_words("ps1 pwsh"),
        tests=("*.Tests.ps1",),
        grammar=Grammar("tree-sitter-pwsh", "tree_sitter_pwsh"),
    ),
    Language("batch", suffixes=_words(".bat .cmd"), aliases=("bat",)),
    Language(
        "r",
        suffixes=(".r",),
        names=(".rprofile",),
        interpreters=("rscript",),
        tests=("test-*.[rR]", "test_*.[rR]"),
    ),
    Language(
        "julia",
        suffixes=(".jl",),
        interpreters=("julia",),
        aliases=("jl",),
        tests=("runtests.jl", *_snake("jl")),
        grammar=_tree_sitter("julia"),
    ),
    Language(
        "haskell",
        suffixes=_words(".hs .lhs"),
        interpreters=("runhaskell",),
        aliases=("hs",),
        tests=("*Spec.hs", "*Test.hs"),
        grammar=_tree_sitter("haskell"),
    ),
    Language("elm", suffixes=(".elm",), tests=("*Test.elm", "*Tests.elm")),
    Language("purescript", suffixes=(".purs",)),
    Language(
        "ocaml-interface",
        suffixes=(".mli",),
        grammar=_tree_sitter("ocaml", "language_ocaml_interface"),
    ),
    Language(
        "ocaml",
        suffixes=(".ml",),
        interpreters=("ocaml",),
        tests=_snake("ml"),
        grammar=_tree_sitter("ocaml", "language_ocaml"),
    ),
    Language(
        "elixir",
        suffixes=_words(".ex .exs"),
        interpreters=("elixir",),
        aliases=("ex",),
        tests=("*_test.exs",),
        grammar=_tree_sitter("elixir"),
    ),
    Language(
        "erlang",
        suffixes=_words(".erl .hrl"),
        interpreters=("escript",),
        tests=("*_SUITE.erl", "*_tests.erl"),
    ),
    Language(
        "clojure",
        suffixes=_words(".clj .cljs .cljc .edn"),
        interpreters=_words("bb clojure"),
        aliases=("clj",),
        tests=("*_test.clj*",),
    ),
    Language(
        "lisp",
        suffixes=_words(".lisp .lsp .cl .el .scm .ss .rkt"),
        aliases=_words("common-lisp emacs-lisp elisp scheme racket"),
    ),
    Language("nim", suffixes=_words(".nim .nims"), tests=("t_*.nim", "test_*.nim")),
    Language("zig", suffixes=_words(".zig .zon"), tests=_snake("zig"), grammar=_tree_sitter("zig")),
    Language("d", suffixes=(".d", ".di")),
    Language("crystal", suffixes=(".cr",), tests=("*_spec.cr",)),
    Language("vyper", suffixes=(".vy",)),
    Language(
        "fortran",
        suffixes=_words(".f .for .f77 .f90 .f95 .f03 .f08"),
        grammar=_tree_sitter("fortran"),
    ),
    Language("cobol", suffixes=_words(".cob .cbl .cpy")),
    Language("pascal", suffixes=_words(".pas .pp .dpr")),
    Language("ada", suffixes=_words(".ada .adb .ads")),
    Language("assembly", suffixes=_words(".asm .s .nasm"), aliases=_words("asm nasm")),
    Language("verilog", suffixes=_words(".v .vh .sv .svh"), aliases=("systemverilog",)),
    Language("vhdl", suffixes=_words(".vhd .vhdl")),
    Language(
        "sql",
        suffixes=_words(".sql .ddl .psql"),
        aliases=_words("postgresql mysql sqlite"),
        grammar=_tree_sitter("sql"),
    ),
    Language("graphql", suffixes=_words(".graphql .gql .graphqls"), aliases=("gql",)),
    Language("protobuf", suffixes=(".proto",), aliases=("proto",)),
    Language("thrift", suffixes=(".thrift",)),
    Language(
        "hcl",
        suffixes=_words(".tf .hcl .tfvars"),
        aliases=_words("terraform tf"),
        grammar=_tree_sitter("hcl"),
    ),
    Language("nix", suffixes=(".nix",), grammar=_tree_sitter("nix")),
    Language("starlark", suffixes=_words(".bzl .star"), names=_words("build workspace buck")),
    Language(
        "make",
        suffixes=_words(".mk .mak"),
        names=_words("makefile gnumakefile"),
        interpreters=("make",),
        aliases=("makefile",),
        grammar=_tree_sitter("make"),
    ),
    Language("cmake", suffixes=(".cmake",), names=("cmakelists.txt",)),
    Language(
        "dockerfile",
        suffixes=(".dockerfile",),
        names=_words("dockerfile containerfile"),
        aliases=("docker",),
        grammar=_tree_sitter("dockerfile"),
    ),
    Language("awk", suffixes=(".awk",), interpreters=_words("awk gawk")),
    Language("tcl", suffixes=(".tcl",), interpreters=_words("tclsh wish")),
    Language("vim", suffixes=(".vim",), names=(".vimrc",), aliases=("viml",)),
    Language("vue", suffixes=(".vue",), tests=SCRIPT_TESTS),
    Language("svelte", suffixes=(".svelte",), tests=SCRIPT_TESTS),
    Language("astro", suffixes=(".astro",), tests=SCRIPT_TESTS),
    # Data and structured text.
    Language("css", suffixes=(".css",), grammar=_tree_sitter("css")),
    Language("scss", TEXT, suffixes=_words(".scss .sass"), aliases=("sass",)),
    Language("less", TEXT, suffixes=(".less",)),
    Language(
        "json",
        suffixes=_words(".json .jsonc .json5 .jsonl .ndjson .geojson"),
        grammar=_tree_sitter("json"),
    ),
    Language("yaml", suffixes=_words(".yaml .yml"), aliases=("yml",), grammar=_tree_sitter("yaml")),
    Language(
        "toml",
        suffixes=(".toml",),
        names=_words("cargo.lock poetry.lock uv.lock pipfile"),
        grammar=_tree_sitter("toml"),
    ),
    Language(
        "xml",
        suffixes=_words(".xml .xsd .xsl .xslt .svg .plist .csproj .props .wsdl"),
        grammar=_tree_sitter("xml", "language_xml"),
    ),
    Language(
        "ini",
        TEXT,
        suffixes=_words(".ini .cfg .conf .properties .desktop .service .editorconfig"),
        names=_words(".editorconfig .gitconfig .npmrc .env.example"),
    ),
    Language("csv", TEXT, suffixes=_words(".csv .tsv")),
    Language("diff", TEXT, suffixes=_words(".diff .patch"), aliases=("patch",)),
    Language("log", TEXT, suffixes=(".log",)),
    # Documents.
    Language("markdown", MARKDOWN, suffixes=_words(".md .markdown .mkd"), aliases=("md",)),
    Language("mdx", MARKDOWN, suffixes=(".mdx",)),
    Language(
        "html",
        MARKDOWN,
        suffixes=_words(".html .htm .xhtml"),
        aliases=("htm",),
    ),
    Language(
        "rst",
        MARKDOWN,
        suffixes=_words(".rst .rest"),
        aliases=("restructuredtext",),
    ),
    Language("asciidoc", MARKDOWN, suffixes=_words(".adoc .asciidoc .asc"), aliases=("adoc",)),
    Language("org", MARKDOWN, suffixes=(".org",)),
    Language("notebook", NOTEBOOK, suffixes=(".ipynb",), aliases=("ipynb", "jupyter")),
    Language(
        "text",
        PROSE,
        suffixes=_words(".txt .text"),
        names=_words(
            "license licence copying notice readme authors contributors changelog changes history "
            "news todo install contributing thanks copyright unlicense version"
        ),
        aliases=_words("txt plain plaintext prose"),
    ),
    Language("textile", PROSE, suffixes=(".textile",)),
    Language("tex", PROSE, suffixes=_words(".tex .ltx .sty .bib"), aliases=("latex",)),
)
"""Every language known here. No two rows share a suffix, a name, an interpreter or an alias."""


def _index(column: str) -> dict[str, Language]:
    return {key: row for row in LANGUAGES for key in getattr(row, column)}


BY_SUFFIX = _index("suffixes")
BY_FILE_NAME = _index("names")
BY_INTERPRETER = _index("interpreters")
BY_NAME = {**_index("aliases"), **{row.name: row for row in LANGUAGES}}

SHEBANG = compile_pattern(r"#![ \t]*(\S+)(?:[ \t]+([^\r\n]*))?")
VERSION = compile_pattern(r"[\d.]+$")


def find(name: str) -> Language | None:
    """The row of a language by its name or an alias, whatever the case; None if there is none."""
    return BY_NAME.get(name.lower())


def language_of(path: str, text: str = "") -> str:
    """Name of the language of a file: by its suffix, then the `#!` line of `text`, then its name.

    "unknown" where nothing tells.
    """
    name = _file_name(path).lower()
    if name.endswith(".h") and text:
        return _header_language(text)
    row = (
        (BY_FILE_NAME.get(name) if "." in name else None)
        or _by_suffix(name)
        or _by_shebang(text)
        or _by_stem(name)
    )
    return row.name if row else UNKNOWN


HEADER_CHARS = 65_536
"""Code points of a header that are looked at to tell its language."""

OBJECTIVE_C = compile_pattern(
    r"(?m)^[ \t]*(?:@(?:interface|protocol|class|import)\b|#[ \t]*import\b)"
)
CPP = compile_pattern(
    r"(?m)^[ \t]*(?:namespace\b|template[ \t]*<|using[ \t]+\w|class[ \t]+\w+[^;(\n]{0,200}[{:]"
    r"|(?:public|private|protected)[ \t]*:)|\bstd::"
)


def _header_language(text: str) -> str:
    """C, unless something in a header is Objective-C's or C++'s alone."""
    if OBJECTIVE_C.search(text, 0, HEADER_CHARS):
        return "objective-c"
    return "cpp" if CPP.search(text, 0, HEADER_CHARS) else "c"


def is_test(path: str, language: str) -> bool:
    """Whether the file is a test, by the habits of its language; False where it has none."""
    row = find(language)
    if row is None:
        return False
    if row.tests and _any_of(row.tests).match(_file_name(path)):
        return True
    return bool(row.test_folders) and not set(row.test_folders).isdisjoint(_folders(path))


@cache  # as many as there are languages
def _any_of(patterns: tuple[str, ...]) -> Pattern[str]:
    """What matches a file name that one of the patterns is of."""
    return compile_pattern("|".join(map(translate, patterns)))


def doc_kind(path: str) -> str:
    """`decision_record` for a document named `adr-*` or under a folder `adr`, else ""."""
    if not path or _family(language_of(path)) not in (MARKDOWN, PROSE):
        return ""
    record = _file_name(path).lower().startswith("adr-") or any(
        folder.lower() == "adr" for folder in _folders(path)
    )
    return DECISION_RECORD if record else ""


def _family(language: str) -> str:
    row = find(language)
    return row.family if row else ""


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _folders(path: str) -> list[str]:
    return path.split("/")[:-1]


def _by_suffix(name: str) -> Language | None:
    """The longest known suffix wins: `.d.ts` would beat `.ts`."""
    return next((BY_SUFFIX[s] for s in _suffixes(name) if s in BY_SUFFIX), None)


def _suffixes(name: str) -> Iterator[str]:
    """Every suffix of a file name, longest first, of the last few; a leading dot begins none."""
    parts = name.lstrip(".").split(".")[1:]
    for first in range(max(0, len(parts) - 3), len(parts)):
        yield "." + ".".join(parts[first:])


def _by_stem(name: str) -> Language | None:
    """`Makefile`, `Dockerfile.dev` and `LICENSE-MIT` by what stands before the first dot or dash.

    A dash counts only for documents: `build-all` is no build file.
    """
    row = BY_FILE_NAME.get(name.partition(".")[0])
    if row is None:
        row = BY_FILE_NAME.get(name.partition("-")[0])
        return row if row and row.family == PROSE else None
    return row


def _by_shebang(text: str) -> Language | None:
    match = SHEBANG.match(text)
    if match is None:
        return None
    programs = _programs(match[1], (match[2] or "").split())
    return next((row for row in map(_by_program, programs) if row), None)


def _programs(command: str, arguments: list[str]) -> Iterable[str]:
    """What a `#!` line runs: `/usr/bin/env -S python3 -u` runs python3."""
    if _file_name(command) != "env":
        return [command]
    return [word for word in arguments if not word.startswith("-") and "=" not in word][:1]


@lru_cache(maxsize=64)
def _by_program(program: str) -> Language | None:
    name = _file_name(program).lower()
    return BY_INTERPRETER.get(name) or BY_INTERPRETER.get(VERSION.sub("", name))

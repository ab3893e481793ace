"""Sentences are for people: no code takes one apart, looks for words in it, or compares it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROMPROOF = Path(__file__).parents[2] / "pytools" / "romproof"
PACKAGES = ("prover", "symbolic", "witness", "timing", "report", "cli", "harness", "pytest_plugin")

SENTENCES = {"advice", "broken", "detail", "details", "message", "reason", "rests_on", "statement"}
"""What sentences are called where they are kept."""
APART = {
    "count", "endswith", "find", "index", "partition", "removeprefix", "removesuffix", "replace",
    "rfind", "rindex", "rpartition", "rsplit", "split", "splitlines", "startswith",
}  # fmt: skip
"""What takes a text apart, or asks what is in it."""
PATTERNS = {"findall", "finditer", "fullmatch", "match", "search", "sub"}


def _is_sentence(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in SENTENCES


def _is_text(node: ast.expr) -> bool:
    is_written = isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value
    return bool(is_written) or isinstance(node, ast.JoinedStr)


def parsed(source: str) -> Iterator[int]:
    """The lines of some code that decide by a sentence."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=args):
                own = name in APART and _is_sentence(inner)
                by_pattern = name in PATTERNS and any(map(_is_sentence, args))
                if own or by_pattern:
                    yield node.lineno
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                is_in = isinstance(op, ast.In | ast.NotIn) and _is_sentence(right)
                same = isinstance(op, ast.Eq | ast.NotEq)
                both = (_is_sentence(left), _is_text(right)), (_is_sentence(right), _is_text(left))
                if (is_in and _is_text(left)) or (same and any(map(all, both))):
                    yield node.lineno


MODULES = [path for package in PACKAGES for path in sorted((ROMPROOF / package).rglob("*.py"))]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_code_decides_by_a_sentence(package: str) -> None:
    found = [
        f"{path.relative_to(ROMPROOF)}:{line}"
        for path in MODULES
        if path.relative_to(ROMPROOF).parts[0] == package
        for line in parsed(path.read_text("utf-8"))
    ]
    assert not found


ROOMS = ("prover", "symbolic")
"""Packages whose words are rows of enums: what they have to say is a kind and its data."""
OF_ERRORS = ("prover/models", "symbolic/numbers")
"""Where words are those of errors in Python models, which they are raised with."""
OTHERS = {
    ";; always – conditions of all places.\n; ensures: ",  # a contract
    "import pytest",  # code
    "contracts that are inferred need {}",  # an error
    "values that depend on unknown inputs need {}",
    "models that are followed need {}",
    "interrupted from keyboard",  # what z3 says
    "max. resource limit exceeded",
    "rlimit count",
    "resource units",
    "the model",  # names of what has no name
    "the contract of a fragment",
    "the inferred contract",
}
PROSE = re.compile(r"[a-z]{2,} [a-z']{2,} [a-z']{2,}|^[a-z]+ [a-z]+$")


def written(source: str) -> Iterator[tuple[int, str]]:
    """The prose in some code, with its lines: not that of enums, errors, assertions, ``__str__``
    and documentation."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(bases=[ast.Name(id="Enum" | "StrEnum" | "MessageKind")]):
                node.body = []
            case ast.ClassDef(bases=[ast.Name(id=base)]) if base.endswith("Exception"):
                node.body = []
            case ast.FunctionDef(name="__str__"):
                node.body = []
    apart = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise | ast.Assert)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in apart and PROSE.search(node.value):
            yield node.lineno, node.value


def test_words_are_rows_of_enums() -> None:
    found = [
        f"{path.relative_to(ROMPROOF)}:{line}: {text}"
        for path in MODULES
        if path.relative_to(ROMPROOF).parts[0] in ROOMS
        if not path.relative_to(ROMPROOF).as_posix().startswith(OF_ERRORS)
        for line, text in written(path.read_text("utf-8"))
        if text not in OTHERS
    ]
    assert not found


@pytest.mark.parametrize(
    ("code", "is_found"),
    [
        ("f'{name} is not preserved'", True),
        ("x = 'it never returns'", True),
        ("class K(MessageKind):\n    A = 'it never returns'", False),
        ("raise Fault('it never returns')", False),
        ("def f():\n    'Says that it never returns'", False),
        ("y = 'A == old A + n'", False),
    ],
)
def test_prose_is_found(code: str, is_found: bool) -> None:
    assert bool([*written(code)]) is is_found


@pytest.mark.parametrize(
    "code",
    [
        "finding.detail.startswith('it ')",
        "'has not ended' in finding.detail",
        "f'{x} is' in statement",
        "reason.partition(';')[0]",
        "finding.statement == 'returns'",
        "'returns' != statement",
        "re.match('x', self.reason)",
        "_PATTERN.fullmatch(condition.broken)",
    ],
)
def test_what_decides_by_a_sentence_is_found(code: str) -> None:
    assert list(parsed(code))


@pytest.mark.parametrize(
    "code",
    [
        "f'{finding.statement}: {finding.detail}'",
        "known.get(statement) == other.statement",
        "if finding.detail: pass",
        "name in names",
        "detail == ''",
        "print(reason)",
    ],
)
def test_what_tells_a_sentence_is_not(code: str) -> None:
    assert not list(parsed(code))

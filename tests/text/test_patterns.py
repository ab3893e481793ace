"""Patterns that a build has translated are those that ``re`` makes."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from romproof.text import patterns
from romproof.text.translate import translated, translation_of

HERE = Path(patterns.__file__).parents[1]
USERS = [
    path for path in sorted(HERE.rglob("*.py")) if "patterns import" in path.read_text("utf-8")
]


def all_named() -> list[str | bytes]:
    """The patterns of all modules that name one."""
    for path in USERS:
        if path.name != "translate.py":
            inside = path.relative_to(HERE.parent).with_suffix("")
            importlib.import_module(".".join(inside.parts))
    return patterns.named


def test_every_pattern_of_ours_is_translated_to_an_equal_one() -> None:
    named = all_named()
    assert len(named) >= 10
    for text in named:
        assert patterns.made_of(text, translation_of(text)) == re.compile(text)


@pytest.mark.parametrize(
    "text", ["(?P<one>a)|(?P<two>b++)", "(?s)x.*", "(?i)[a-z]\\w", b"[\x80-\xff]*.", "(?:)"]
)
def test_names_and_flags_are_those_of_the_original(text: str | bytes) -> None:
    made, original = patterns.made_of(text, translation_of(text)), re.compile(text)
    assert made == original
    assert made.groupindex == original.groupindex
    assert (made.flags, made.groups, made.pattern) == (original.flags, original.groups, text)


PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import romproof.text
romproof.text.__path__.append(sys.argv[2])
from romproof.text import patterns
made = patterns.later("(a)(b)?")
print(made().match("ac").groups(), made() is made(), "re" in sys.modules)
print(patterns.compiled("(c)").match("c").groups(), "re" in sys.modules)
"""


def tried(place: Path, module: str) -> list[str]:
    """What a program says that uses two patterns, with the module ``translated`` of this text."""
    (place / "translated.py").write_text(module, "utf-8")
    command = [sys.executable, "-IS", "-c", PROGRAM, str(HERE.parent), str(place)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_what_is_translated_is_made_without_re(tmp_path: Path) -> None:
    said = tried(tmp_path, translated(["(a)(b)?", b"b"]))
    assert said == ["('a', None) True False", "('c',) True"]


def test_what_is_translated_for_another_python_is_left(tmp_path: Path) -> None:
    module = translated(["(a)(b)?"]).replace("little", "middle").replace("big", "middle")
    assert tried(tmp_path, module) == ["('a', None) True True", "('c',) True"]

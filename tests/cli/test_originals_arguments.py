"""Command lines as RGBDS's own getopt_long_only reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from romproof.cli.originals.options import BadCommandLine, Option
from romproof.cli.originals.rgbds_arguments import parse, whole_number

OPTIONS = (
    Option("-d --dmg"),
    Option("-o --output FILE"),
    Option("-O --overlay FILE"),
    Option("-p --pad VALUE"),
    Option("-t --tiny"),
    Option("-v --verbose"),
    Option("-V --version"),
    Option("-W --warning NAME"),
    Option("-w"),
    Option("--color WHEN"),
)


def parsed(*words: str) -> list[tuple[str, str]]:
    return list(parse(words, OPTIONS))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["-t", "a.o", "-d"], [("t", ""), ("", "a.o"), ("d", "")]),
        (["-tdo", "x"], [("t", ""), ("d", ""), ("o", "x")]),
        (["-p0xFF"], [("p", "0xFF")]),
        (["-p", "-1"], [("p", "-1")]),
        (["-twox"], [("t", ""), ("w", ""), ("o", "x")]),
        (["-Werror=div"], [("W", "error=div")]),
        (["--output", "x"], [("o", "x")]),
        (["--output=x=y"], [("o", "x=y")]),
        (["--out=x"], [("o", "x")]),
        (["-output", "x"], [("o", "x")]),
        (["-pad", "1"], [("p", "1")]),
        (["-o=x"], [("o", "=x")]),
        (["--verb", "--vers"], [("v", ""), ("V", "")]),
        (["-dmg"], [("d", "")]),
        (["--c", "auto"], [("color", "auto")]),
        (["-t", "--", "-t", "@x"], [("t", ""), ("", "-t"), ("", "@x")]),
        (["-o", "-", "-", "-t"], [("o", "-"), ("", "-"), ("", "-t")]),
    ],
)
def test_words(words: list[str], found: list[tuple[str, str]]) -> None:
    assert parsed(*words) == found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-q"], "unknown option '-q'"),
        (["-tq"], "unknown option '-q'"),
        (["--quick"], "unknown option '--quick'"),
        (["--ver"], "the option '--ver' is ambiguous: --verbose, --version"),
        (["--o=x"], "the option '--o' is ambiguous: --output, --overlay"),
        (["-o"], "the option '-o' needs an argument"),
        (["--output"], "the option '--output' needs an argument"),
        (["--tiny=yes"], "the option '--tiny' takes no argument"),
        (["@none"], "the file 'none' of arguments cannot be read: No such file"),
    ],
)
def test_faults(words: list[str], message: str) -> None:
    with pytest.raises(BadCommandLine, match=re.escape(message)):
        parsed(*words)


def test_files_of_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("args").write_text("# a comment\n-t  -o out\r\n  # more\n\tx#1 @inner\n-- -d\n")
    Path("inner").write_text("-v\n")
    assert parsed("a", "@args", "-w") == [
        ("", "a"), ("t", ""), ("o", "out"), ("", "x#1"), ("v", ""), ("", "-d"), ("w", ""),
    ]  # fmt: skip


def test_a_file_of_arguments_that_names_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("args").write_text("@args")
    with pytest.raises(BadCommandLine, match="contains itself"):
        parsed("@args")


@pytest.mark.parametrize("text", ["42", "042", "0x2A", "0X2a", "$2a", "&52", "0o52", "0B101010"])
def test_numbers(text: str) -> None:
    assert whole_number(text) == 42


@pytest.mark.parametrize("text", ["", "-1", "+1", "1_0", "0x", "$", "08x", "%2", "12 ", "٣"])
def test_no_numbers(text: str) -> None:
    assert whole_number(text) is None


def test_a_number_of_many_digits() -> None:
    value = whole_number("9" * 10_000)
    assert value is not None
    assert value > 0xFFFF_FFFF

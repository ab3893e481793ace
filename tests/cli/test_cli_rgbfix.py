"""``romproof rgbfix``: the command line; headers are tested in tests/toolchains/rgbds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_programs import Run

from romproof.toolchains.rgbds.fix import check_header, list_of_mbcs


@pytest.fixture
def rom(tmp_path: Path) -> Path:
    """An empty ROM of 32 KiB, a.gb."""
    path = tmp_path / "a.gb"
    path.write_bytes(bytes(0x8000))
    return path


def test_in_place(romproof: Run, rom: Path) -> None:
    done = romproof(
        "rgbfix", "-vjs", "-p255", "-t", "GAME", "-i", "ABCD", "-C", "-k", "01", "-l", "0x33",
        "-m", "MBC5+RAM", "-n1", "-r", "2", "a.gb",
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    fixed = rom.read_bytes()
    assert check_header(fixed) == []
    assert fixed[0x134:0x14D].hex() == (
        "47414d4500000000000000" "41424344" "c0" "3031" "03" "1a" "00" "02" "01" "33" "01"
    )  # fmt: skip


def test_into_another_file(romproof: Run, rom: Path, tmp_path: Path) -> None:
    assert romproof("rgbfix", "-v", "-o", "b.gb", "a.gb").returncode == 0
    assert rom.read_bytes() == bytes(0x8000)
    assert check_header((tmp_path / "b.gb").read_bytes()) == []


def test_several_roms(romproof: Run, rom: Path, tmp_path: Path) -> None:
    (tmp_path / "short.gb").write_bytes(b"x" * 20)
    (tmp_path / "b.gb").write_bytes(bytes(0x8000))
    done = romproof("rgbfix", "-v", "a.gb", "short.gb", "none.gb", ".", "b.gb")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        'error: "short.gb" is too short, expected at least 336 ($150) bytes, got only 20',
        "error: none.gb: No such file or directory",
        'error: "." is not a file',
        "3 errors",
    ]
    assert check_header(rom.read_bytes()) == check_header((tmp_path / "b.gb").read_bytes()) == []
    assert (tmp_path / "short.gb").read_bytes() == b"x" * 20


def test_a_logo(romproof: Run, rom: Path, tmp_path: Path) -> None:
    (tmp_path / "logo").write_bytes(b"\x0f" * 48)
    assert romproof("rgbfix", "-L", "logo", "-f", "l", "a.gb").returncode == 0
    assert rom.read_bytes()[0x104:0x108].hex() == "0000ffff"


def test_warnings(romproof: Run, rom: Path) -> None:
    rom.write_bytes(b"\x01" * 0x8000)
    before = romproof("rgbfix", "-n", "2", "-f", "lL", "a.gb")
    assert before.returncode == 0
    assert before.stderr.splitlines() == [
        "warning: 'L' overriding 'l' in '-f lL'",
        "warning: overwrote a non-zero byte in the Nintendo logo [-Woverwrite]",
        "warning: overwrote a non-zero byte in the mask ROM version number [-Woverwrite]",
        "3 warnings",
    ]
    assert romproof("rgbfix", "-Wno-overwrite", "-n3", "a.gb").stderr == ""
    assert "[-Wobsolete]" in romproof("rgbfix", "-O", "-n4", "a.gb").stderr
    assert romproof("rgbfix", "-w", "-n5", "-m", "mbc3+ram", "-r", "0", "a.gb").stderr == ""
    assert romproof("rgbfix", "-Wfoo", "a.gb").stderr == "warning: unknown warning 'foo'\n"


def test_a_warning_as_an_error_still_writes(romproof: Run, rom: Path) -> None:
    # as the original does: makefiles rely on the exit code, not on the file
    rom.write_bytes(b"\x01" * 0x8000)
    done = romproof("rgbfix", "-Werror=overwrite", "-n", "11", "a.gb")
    assert done.returncode == 1
    assert "[-Werror=overwrite]" in done.stderr
    assert rom.read_bytes()[0x14C] == 11


def test_the_list_of_names(romproof: Run) -> None:
    for word in ("help", "LIST"):
        assert romproof("rgbfix", "-m", word).stdout == list_of_mbcs() + "\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no ROM was given"),
        (["a", "b", "-o", "c"], "with '-o' there can be only one ROM"),
        (["-f", "lx", "a.gb"], "'x' is not one of l, h, g, L, H and G"),
        (["-m", "MBC9", "a.gb"], "unknown MBC 'MBC9'"),
        (["-m", "256", "a.gb"], "'-m 256': the code must be a number within 0..0xFF"),
        (["-m", "12x", "a.gb"], "'-m 12x': the code must be a number within 0..0xFF"),
        (["-r", "0x100", "a.gb"], "the argument of '-r' must be within 0..0xFF"),
        (["-L", "a.gb", "a.gb"], 'the logo "a.gb" has 32768 bytes, not 48'),
    ],
)
def test_wrong_command_lines(romproof: Run, rom: Path, words: list[str], message: str) -> None:
    done = romproof("rgbfix", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert rom.read_bytes() == bytes(0x8000)


def test_version_and_help(romproof: Run) -> None:
    assert romproof("rgbfix", "--version").stdout.startswith("rgbfix v1.0.3 (romproof ")
    text = romproof("rgbfix", "-h").stdout
    assert "-f, --fix-spec LETTERS" in text
    assert "--overwrite" not in text


LONG = "ABCDEFGHIJKLMNOPQ"
ORDERS: list[tuple[str, int, list[str]]] = [
    ("-v -O -Werror", 0, ["warning -Wobsolete"]),
    ("-Werror -O -v", 1, ["error -Werror=obsolete"]),
    ("-Werror -O -Wno-error", 1, ["error -Werror=obsolete"]),
    ("-O -Wno-obsolete", 0, ["warning -Wobsolete"]),
    ("-Wno-obsolete -O", 0, []),
    ("-w -O", 0, []),
    ("-O -w", 0, ["warning -Wobsolete"]),
    (f"-t {LONG} -Werror", 0, ["warning -Wtruncation"]),
    (f"-Werror -t {LONG}", 1, ["error -Werror=truncation"]),
    (f"-t {LONG} -c", 0, ["warning -Wtruncation", "warning -Wtruncation"]),
    (f"-t {LONG} -Werror -c", 1, ["warning -Wtruncation", "error -Werror=truncation"]),
    (f"-c -t {LONG}", 0, ["warning -Wtruncation"]),
    (f"-t {LONG[:15]} -C", 0, []),
    (f"-i ABCD -t {LONG[:11]} -c", 0, []),
    ("-m ROM+RAM -Werror=mbc", 0, ["warning -Wmbc"]),
    ("-Werror=mbc -m ROM+RAM", 1, ["error -Werror=mbc"]),
    ("-m MBC1 -r 2 -Werror", 1, ["error -Werror=mbc"]),
]
"""Exit codes and warnings of rgbfix 1.0.3, built from its source and run."""


@pytest.mark.parametrize(("line", "code", "shown"), ORDERS, ids=[each[0] for each in ORDERS])
def test_options_act_in_their_order(
    romproof: Run, rom: Path, line: str, code: int, shown: list[str]
) -> None:
    done = romproof("rgbfix", *line.split(), "a.gb")
    assert done.returncode == code
    matches = re.findall(r"^(warning|error): .* \[(-W\S+)\]$", done.stderr, re.M)
    assert [" ".join(each) for each in matches] == shown


def test_what_was_warned_of_before_a_wrong_option_is_shown(romproof: Run, rom: Path) -> None:
    done = romproof("rgbfix", "-O", "-r", "0x100", "a.gb")
    assert done.returncode == 2
    assert "[-Wobsolete]" in done.stderr
    assert "the argument of '-r'" in done.stderr

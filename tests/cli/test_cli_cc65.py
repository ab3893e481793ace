"""``romproof ca65`` and ``romproof ld65``: a makefile written for the originals works with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_programs import Run

from romproof.toolchains.ca65.obj.decode import decode_object

MAIN = """\
        .include "screen.inc"
        .import random
        .code
start:  lda #LEVEL
        sta BORDER
        jsr random
        bne start
        rts
        .rodata
        .byte "Ab", 0
        .incbin "tiles.bin"
"""
RANDOM = """\
        .export random
        .bss
seed:   .res 2
        .code
        .proc random
        asl seed
        rts
        .endproc
"""
LAYOUT = """\
MEMORY {
    MAIN: start = $0801, size = $8000, file = %O;
    RAM:  start = $9000, size = $100;
}
SEGMENTS {
    CODE: load = MAIN; RODATA: load = MAIN; BSS: load = RAM, type = bss;
}
"""
PROGRAM = "a9 03 8d 20 d0 20 0c 08 d0 f6 60 0e 00 90 60 c1 42 00 74 69 6c 65"
"""What ca65 -t c64 and ld65 2.19 make of it: 'A' and 'b' are PETSCII."""


@pytest.fixture(autouse=True)
def sources(tmp_path: Path) -> None:
    for name, text in (
        ("main.s", MAIN),
        ("random.s", RANDOM),
        ("game.cfg", LAYOUT),
        ("inc/screen.inc", "BORDER = $D020\n"),
        ("bin/tiles.bin", "tile"),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def assembled(romproof: Run) -> None:
    args = "ca65 -tc64 -g -I inc --bin-include-dir bin -D LEVEL=$3 main.s -o main.o"
    assert romproof(*args.split(), "-l", "main.lst", "--create-dep", "main.d").returncode == 0
    assert romproof("ca65", "random.s").returncode == 0


def test_objects_link_to_what_the_originals_make(romproof: Run, tmp_path: Path) -> None:
    assembled(romproof)
    args = "ld65 -C game.cfg -o game.prg -Ln game.lbl -m game.map -vm main.o random.o"
    done = romproof(*args.split())
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "game.prg").read_bytes().hex(" ") == PROGRAM
    labels = (tmp_path / "game.lbl").read_text()
    assert "al 000801 .start\n" in labels
    assert "al 00080C .random\n" in labels
    assert "random" in (tmp_path / "game.map").read_text()
    image = romproof("asm", "main.s", "random.s", "-C", "game.cfg", "-o", "other.prg")
    assert image.returncode == 1  # asm has other folders: -I is the one for .incbin, too


def test_the_listing_and_the_rules_for_make(romproof: Run, tmp_path: Path) -> None:
    assembled(romproof)
    rows = (tmp_path / "main.lst").read_text().splitlines()
    assert "000000r 1  A9 03        start:  lda #LEVEL" in rows
    assert "000005r 1  20 rr rr             jsr random" in rows
    assert "000000r 2               BORDER = $D020" in rows
    assert '000003r 1  74 69 6C 65          .incbin "tiles.bin"' in rows
    files = "main.s inc/screen.inc bin/tiles.bin"
    assert (tmp_path / "main.d").read_text() == f"main.o:\t{files}\n\n{files}:\n\n"


def test_a_fault_of_the_link_shows_the_source(romproof: Run, tmp_path: Path) -> None:
    assembled(romproof)
    (tmp_path / "game.prg").write_text("old")
    done = romproof("ld65", "-C", "game.cfg", "-o", "game.prg", "main.o")
    assert "6 |         jsr random\n" in done.stderr
    (tmp_path / "main.s").write_text("changed since\n")
    done = romproof("ld65", "-C", "game.cfg", "-o", "game.prg", "main.o")
    assert done.returncode == 1
    assert done.stderr.startswith("main.s:6:9: error: unresolved external 'random'")
    assert "changed since" not in done.stderr
    assert (tmp_path / "game.prg").read_text() == "old"


def test_options_of_ca65(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text("  lda FOO\n  lax #0\n  .word .defined(__NES__), foo\n")
    assert romproof("ca65", "a.s").returncode == 1
    args = "-U -i --cpu 6502x --target nes -W 0 -v -mmnear -s a.s"
    done = romproof("ca65", *args.split())
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "b.s").write_text(".export FOO = 7\n")
    assert romproof("ca65", "-W0", "b.s").returncode == 0
    done = romproof("ld65", "-t", "none", "-S", "$3000", "a.o", "b.o")
    assert done.returncode == 0
    # lda FOO: its size was not known, so it is an absolute address
    assert (tmp_path / "a.out").read_bytes().hex(" ") == "ad 07 00 ab 00 01 00 07 00"


def test_warnings_of_large_alignments_can_be_turned_off(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text(" .code\n .align $200\n rts\n")
    told = romproof("ca65", "a.s")
    assert "suspiciously large" in told.stderr
    assert romproof("ca65", "--large-alignment", "a.s").stderr == ""
    link = ("ld65", "-C", "game.cfg", "-o", "a.prg", "a.o")
    assert "the combined alignment of segment" in romproof(*link).stderr
    assert "the combined alignment" not in romproof(*link, "--large-alignment").stderr


def test_options_of_ld65(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text(".import SIZE\n.byte <SIZE\nhere: .addr here\n")
    (tmp_path / "objects").mkdir()
    assert romproof("ca65", "a.s", "-o", "objects/a.o").returncode == 0
    args = "ld65 --obj-path objects --obj a.o -t none -D SIZE=0x12 --start-addr 0x3000 -o a.bin"
    assert romproof(*args.split()).returncode == 0
    assert (tmp_path / "a.bin").read_bytes().hex(" ") == "12 01 30"
    done = romproof(*args.split(), "-u", "missing")
    assert done.returncode == 1
    assert "unresolved external 'missing'" in done.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ("ca65", "there is no source"),
        ("ca65 main.s random.s", "one source at a time; 'random.s' is a second one"),
        ("ca65 --listign x main.s", "unknown option '--listign'; did you mean '--listing'?"),
        ("ca65 main.s -o", "the option '-o' needs an argument"),
        ("ca65 main.s -o main.s -D LEVEL -I inc --bin-include-dir bin", "this file is an input"),
        ("ca65 main.s -D 1x=2", "invalid definition '1x=2'"),
        ("ca65 main.s -D x=y", "'y' is not a number; write -D x=12 or -D x=0x0C;"),
        ("ca65 main.s -D x=", "'x=' has no value; write -D x=12 or -D x=0x0C;"),
        ("ca65 main.s -D x=08", "'08' is not a number"),
        ("ca65 main.s -D x=-0x100000000", "needs more than 32 bits"),
        ("cl65 --start-addr -5 main.s", "write --start-addr 12 or --start-addr 0x0C;"),
        ("cl65 --start-addr x main.s", "write --start-addr 12 or --start-addr 0x0C;"),
        ("cl65 --asm-define x= main.s", "write --asm-define x=12 or --asm-define x=0x0C;"),
        ("ld65 -t none -( x.o", "'-(' without '-)': the group of libraries is not closed"),
        ("ld65 -t none -( -( x.o -) -)", "'-(' inside of a group of libraries"),
        ("ld65 -t none x.o -)", "'-)' without '-('"),
        ("ld65 -t none --start-group x.o", "is not closed"),
        ("ca65 main.s --cpu huc6280", "no CPU 'huc6280'; the dialect 2.19-git knows it"),
        ("ca65 main.s -t c66", "no target 'c66'; did you mean"),
        ("ca65 main.s -t c65", "no target 'c65'; the dialect 2.19-git knows it"),
        ("ca65 main.s -S", "-S is of cc65 after 2.19: --dialect 2.19-git"),
        ("ca65 main.s --dialect 2.20", "no dialect '2.20'"),
        ("ld65 -t none --dialect 2.2 x.o", "no dialect '2.2'"),
        ("ld65 -t sym1 x.o", "no target 'sym1'; the dialect 2.19-git knows it"),
        ("ca65 main.s -mm huge", "'huge' is not supported"),
        ("ca65 nowhere.s", "nowhere.s"),
        ("ld65 -t none", "no object files"),
        ("ld65 x.o", "the configuration is missing"),
        ("ld65 -t none -C a.cfg x.o", "one configuration only"),
        ("ld65 -C nowhere.cfg x.o", "no configuration 'nowhere.cfg'"),
        ("ld65 -t none x.o", "input file 'x.o' not found"),
        ("ld65 -t none main.s", "main.s: this is not an object file of ca65"),
        ("ld65 -t none old.o", "old.o: object of version 0x0, not 0x11"),
        ("ld65 -t none old.lib", "old.lib: library of version 0x0, not 0xd"),
        ("ld65 -t none -u x:y old.o", "no address size 'y'"),
        ("ar65", "the operation is missing"),
        ("ar65 q x.lib", "unknown operation 'q'"),
        ("ar65 r", "no name of a library"),
        ("ar65 r x.lib", "no object files to add"),
        ("ar65 t nowhere.lib", "cannot open the library 'nowhere.lib'"),
        ("ar65 r x.lib main.s", "main.s: this is not an object file of ca65"),
        ("ar65 x old.lib a.o", "old.lib: library of version 0x0"),
        ("od65", "no object files to look at"),
        ("od65 -H nowhere.o", "cannot open 'nowhere.o'"),
        ("od65 -H old.o", "old.o: object of version 0x0"),
        ("cl65", "no files to work on"),
        ("cl65 main.xyz", "the type of 'main.xyz' is not known"),
        ("ld65 -t none -D x x.o", "invalid definition 'x'"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    romproof: Run, tmp_path: Path, args: str, told: str
) -> None:
    (tmp_path / "old.o").write_bytes(b"\x55\x7a\x6e\x61" + bytes(60))
    (tmp_path / "old.lib").write_bytes(b"\x6e\x61\x55\x7a" + bytes(60))
    done = romproof(*args.split())
    assert done.returncode == (2 if "romproof" in done.stderr.partition("; see ")[2] else 1)
    assert told in done.stderr
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "a.out").exists()
    assert not (tmp_path / "main.o").exists()


@pytest.mark.parametrize(
    "args", ["od65 -H no.o", "ar65 t no.lib", "ar65 r x.lib no.o", "ar65 d no.lib a", "ca65 no.s"]
)
def test_a_file_that_is_not_there_is_no_fault_of_the_command_line(romproof: Run, args: str) -> None:
    done = romproof(*args.split())
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert any(f"'{word}'" in done.stderr for word in args.split() if word.startswith("no."))


@pytest.mark.parametrize(
    ("text", "byte"), [("-1", "ff"), ("010", "08"), ("$1F", "1f"), ("0X1f", "1f"), ("+5", "05")]
)
def test_numbers_of_definitions_are_those_of_c(
    romproof: Run, tmp_path: Path, text: str, byte: str
) -> None:
    (tmp_path / "a.s").write_text(".byte <num\n")
    assert romproof("ca65", "-D", f"num={text}", "a.s").returncode == 0
    assert romproof("ld65", "-t", "none", "-o", "a.bin", "a.o").returncode == 0
    assert (tmp_path / "a.bin").read_bytes().hex() == byte


@pytest.mark.parametrize("name", ["ca65", "ld65", "cl65", "od65"])
def test_version_and_help(romproof: Run, name: str) -> None:
    done = romproof(name, "--version")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"{name} V2.19 - romproof ")
    done = romproof(name, "-h")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: romproof {name} [OPTIONS] FILE")
    assert "Examples:\n" in done.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_a_makefile_builds_with_them(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "game.prg: main.o random.o game.cfg\n"
        "\t$(LD65) -C game.cfg -o $@ main.o random.o\n"
        "%.o: %.s\n"
        "\t$(CA65) -t c64 -D LEVEL=3 -I inc --bin-include-dir bin --create-dep $*.d -o $@ $<\n"
        "-include main.d\n"
    )
    command = f"'{sys.executable}' -c 'from romproof.cli import main; main()'"
    tools = [f"CA65={command} ca65", f"LD65={command} ld65"]
    path = os.pathsep.join(entry for entry in sys.path if entry)

    def make() -> str:
        return subprocess.run(
            ["make", *tools],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert "main.s" in make()
    assert (tmp_path / "game.prg").read_bytes().hex(" ") == PROGRAM
    assert "up to date" in make()
    (tmp_path / "inc" / "screen.inc").write_text("BORDER = $D021\n")
    later = (tmp_path / "game.prg").stat().st_mtime + 5
    os.utime(tmp_path / "inc" / "screen.inc", (later, later))
    done = make()
    assert "main.s" in done
    assert "random.s" not in done
    assert (tmp_path / "game.prg").read_bytes()[3] == 0x21


@pytest.mark.parametrize(
    ("words", "names"),
    [  # as od65 tells of what ca65 2.19 makes
        ("./src/x.s -I inc", "./src/x.s ./src/y.inc inc/a.inc inc/sub/../b.inc inc/.//c.inc"),
        ("src//x.s -I ./inc", "src//x.s src//y.inc ./inc/a.inc ./inc/sub/../b.inc ./inc/.//c.inc"),
        ("src/x.s -I inc//", "src/x.s src/y.inc inc//a.inc inc//sub/../b.inc inc//.//c.inc"),
        ("z.s --bin-include-dir .//inc", "z.s tiles ./inc/../inc/a.inc .//inc/sub/d.bin"),
    ],
)
def test_objects_have_names_as_they_are_written(
    romproof: Run, tmp_path: Path, words: str, names: str
) -> None:
    for name, text in {
        "src/x.s": '.include "y.inc"\n.include "a.inc"\n',
        "src/y.inc": "yy = 1\n",
        "z.s": '.incbin "tiles"\n.include "./inc/../inc/a.inc"\n.incbin "sub/d.bin"\n',
        "tiles": "tiles",
        "inc/a.inc": ".ifndef once\nonce = 1\n.endif\n",
        "inc/b.inc": "bb = 1\n",
        "inc/c.inc": "cc = 1\n",
        "inc/sub/d.bin": "d",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    if words.startswith(("./", "src")):
        with (tmp_path / "src/x.s").open("a") as more:
            more.write('.include "sub/../b.inc"\n.include ".//c.inc"\n')
    done = romproof("ca65", *words.split(), "-o", "made.o")
    assert (done.returncode, done.stderr) == (0, "")
    made = decode_object((tmp_path / "made.o").read_bytes(), "made.o")
    assert " ".join(file.name for file in made.files) == names


def test_packages_are_found_in_folders_that_are_named_from_here(
    romproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.mac").write_text("mine = 7\n")
    (tmp_path / "inc" / "user.s").write_text(".macpack mine\n.export mine\n")
    monkeypatch.setenv("CA65_INC", "own")
    done = romproof("ca65", "inc/user.s", "-o", "user.o")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("place", "option", "name"),
    [("own/generic.mac", ["-I", "own"], "own/generic.mac"), ("generic.mac", [], "generic.mac")],
)
def test_a_package_of_a_project_goes_before_the_installed_ones(
    place: str, option: list[str], name: str, romproof: Run, tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / place).write_text(".macro add n\n.byte n, 7\n.endmacro\n")
    (tmp_path / "x.s").write_text(".macpack generic\nadd 5\n")
    done = romproof("ca65", *option, "x.s", "-o", "x.o")
    assert (done.returncode, done.stderr) == (0, "")
    made = decode_object((tmp_path / "x.o").read_bytes(), "x.o")
    assert [file.name for file in made.files] == ["x.s", name]
    assert [f.data for f in made.segments[0].fragments] == [b"\5", b"\7"]

"""Objects, images, maps, labels and debug information beside those of an installed cc65."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from object_sources import comparable, tables_of, write_sources

from romproof.cli import run
from romproof.toolchains.ca65.obj.decode import decode_object

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("ca65", "ld65", "cc65", "od65", "ar65"))),
    reason="cc65 is not installed",
)
CASES = sorted((Path(__file__).parents[2] / "cases/ca65").glob("*.s"))
C64 = """\
#include <stdio.h>
#include <stdlib.h>
static int tab[4] = {1, 2, 3, 4};
struct pair { int x; char y; } pair;
int sum(int a, char b) {
    register const char *s = "abc"; int c = a;
    while (*s) c += *s++ * b;
    return c + tab[b & 3];
}
int main(void) {
    unsigned long n = 123456789UL;
    printf("hello %d %lu %s\\n", sum(3, 4), n * 3, "x");
    pair.x = atoi("12");
    return 0;
}
"""
NES = """\
#include <conio.h>
#include <stdio.h>
#include <nes.h>
static char line[32];
int main(void) {
    clrscr();
    sprintf(line, "hello %d %ld", 7, 100000L);
    cputs(line);
    while (1) {}
    return 0;
}
"""


def original(*words: str) -> bytes:
    return subprocess.run(words, check=True, capture_output=True).stdout


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", CASES[::12], ids=lambda path: path.stem)
def test_objects_of_the_cases(case: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(case.parent)
    made = tmp_path / "a.o"
    words = ["ca65", "-g", "-o", str(made), case.name]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        return  # the case is of an error
    theirs = comparable(decode_object(made.read_bytes(), "a.o"))
    include = (Path("/usr/share/cc65/asminc"),)
    assert comparable(tables_of(Path(case.name), True, include=include)) == theirs


def test_od65_says_the_same_of_both(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_sources(folder)
    original("ca65", "-g", "-o", "theirs.o", "main.s")
    assert run(["ca65", "-g", "-o", "ours.o", "main.s"]) == 0

    def dump(name: str) -> list[str]:
        rows = original("od65", "--dump-all", name).decode().splitlines()[1:]
        told = ("ca65 V", "OPT_DATETIME", "Offset", "Data:", "String pool")
        return [row for row in rows if not any(word in row for word in told)]

    ours, theirs = dump("ours.o"), dump("theirs.o")
    # the text that says who made it has another length, and the pool with it
    assert [r for r in ours if "Size:  " not in r] == [r for r in theirs if "Size:  " not in r]
    for name in ("ours.o", "theirs.o"):
        capsys.readouterr()
        assert run(["od65", "--dump-all", name]) == 0
        assert capsys.readouterr().out == original("od65", "--dump-all", name).decode()


@pytest.mark.quick_cases("-g-nes")
@pytest.mark.parametrize(("target", "text"), [("c64", C64), ("nes", NES)], ids=["c64", "nes"])
@pytest.mark.parametrize("debug", [(), ("-g",)], ids=["", "-g"])
def test_a_program_in_c(target: str, text: str, debug: tuple[str, ...]) -> None:
    Path("main.c").write_text(text)
    original("cc65", *debug, "-O", "-t", target, "main.c")
    original("ca65", *debug, "-t", target, "main.s")
    outputs = ("-Ln", "a.lbl", "-m", "a.map", "--dbgfile", "a.dbg", "-o", "a.bin")
    library = f"{target}.lib"
    seen: list[list[bytes]] = []
    for verbose in ((), ("-vm",)):
        original("ld65", *verbose, "-t", target, *outputs, "main.o", library)
        files = [Path(f"a.{kind}") for kind in ("bin", "lbl", "map", "dbg")]
        seen.append([file.read_bytes() for file in files])
        assert run(["ld65", *verbose, "-t", target, *outputs, "main.o", library]) == 0
        assert [file.read_bytes() for file in files] == seen[-1]
    # our assembler's object, linked by both
    assert run(["ca65", *debug, "-t", target, "-o", "ours.o", "main.s"]) == 0
    original("ld65", "-t", target, "-o", "theirs.bin", "ours.o", library)
    assert Path("theirs.bin").read_bytes() == seen[0][0]
    assert run(["ld65", "-t", target, "-o", "ours.bin", "ours.o", library]) == 0
    assert Path("ours.bin").read_bytes() == seen[0][0]


def test_libraries_are_those_of_ar65(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two", "three"):
        (folder / f"{name}.s").write_text(f".export {name}\n{name}: .byte 1\n")
        original("ca65", f"{name}.s")
    steps = (
        ("r", ("one.o", "two.o")),
        ("a", ("three.o", "one.o")),
        ("d", ("two.o",)),
        ("r", ("two.o",)),
    )
    for operation, files in steps:
        original("ar65", operation, "theirs.lib", *files)
        assert run(["ar65", operation, "ours.lib", *files]) == 0
        assert (folder / "ours.lib").read_bytes() == (folder / "theirs.lib").read_bytes()
    capsys.readouterr()
    assert run(["ar65", "tv", "ours.lib"]) == 0
    assert capsys.readouterr().out == original("ar65", "tv", "theirs.lib").decode()
    (folder / "one.o").rename("before.o")
    assert run(["ar65", "x", "theirs.lib", "one.o"]) == 0
    assert (folder / "one.o").read_bytes() == (folder / "before.o").read_bytes()
    assert int((folder / "one.o").stat().st_mtime) == int((folder / "before.o").stat().st_mtime)


def test_only_needed_members_are_linked(folder: Path) -> None:
    sources = {
        "main": ".import one\n.word one\n",
        "one": ".import two\n.export one\none: .word two\n",
        "two": ".export two\ntwo: .byte 2\n",
        "unused": ".export unused\nunused: .byte 9\n.import nowhere\n.word nowhere\n",
    }
    for name, text in sources.items():
        (folder / f"{name}.s").write_text(text)
        assert run(["ca65", f"{name}.s"]) == 0
    assert run(["ar65", "r", "x.lib", "unused.o", "two.o", "one.o"]) == 0
    words = ("-t", "none", "-m", "a.map", "main.o", "x.lib")
    original("ld65", "-o", "theirs.bin", *words)
    theirs = (folder / "a.map").read_text()
    assert run(["ld65", "-o", "ours.bin", *words]) == 0
    assert (folder / "ours.bin").read_bytes() == (folder / "theirs.bin").read_bytes()
    assert (folder / "a.map").read_text() == theirs
    # two libraries that need each other, in a group
    assert run(["ar65", "r", "1.lib", "one.o"]) == 0
    assert run(["ar65", "r", "2.lib", "two.o"]) == 0
    group = ("-t", "none", "main.o", "--start-group", "2.lib", "1.lib", "--end-group")
    original("ld65", "-o", "theirs.bin", *group)
    assert run(["ld65", "-o", "ours.bin", *group]) == 0
    assert (folder / "ours.bin").read_bytes() == (folder / "theirs.bin").read_bytes()
    assert run(["ld65", "-t", "none", "main.o", "2.lib", "1.lib"]) == 1


def test_a_symbol_that_is_defined_twice(folder: Path) -> None:
    for name, value in (("main", 1), ("again", 2)):
        (folder / f"{name}.s").write_text(f".export it\nit = {value}\n.byte it\n.global it\n")
        assert run(["ca65", f"{name}.s"]) == 0
    words = ("-t", "none", "main.o", "again.o")
    assert run(["ld65", *words]) == 1
    original("ld65", "--allow-multiple-definition", "-o", "theirs.bin", *words)
    assert run(["ld65", "--allow-multiple-definition", "-o", "ours.bin", *words]) == 0
    assert (folder / "ours.bin").read_bytes() == (folder / "theirs.bin").read_bytes()


def test_cl65(folder: Path) -> None:
    (folder / "main.c").write_text(C64)
    (folder / "extra.s").write_text(".export _extra\n_extra: rts\n")
    words = ("-t", "c64", "-Oirs", "-g", "main.c", "extra.s")
    original("cl65", "-o", "theirs.prg", *words)
    assert run(["cl65", "-o", "ours.prg", *words]) == 0
    assert (folder / "ours.prg").read_bytes() == (folder / "theirs.prg").read_bytes()
    assert not (folder / "main.s").exists()
    assert run(["cl65", "-t", "none", "-c", "-o", "x.o", "extra.s"]) == 0
    assert decode_object((folder / "x.o").read_bytes(), "x.o").exports[0].name == "_extra"


def text_of(file: Path) -> str:
    return file.read_text("utf-8", "surrogateescape")


@pytest.mark.parametrize("case", CASES[5::25], ids=lambda path: path.stem)
def test_map_labels_and_debug_information_of_the_cases(
    case: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(case.parent)
    made, config = tmp_path / "a.o", case.with_suffix(".cfg")
    assemble = ["ca65", "-g", "-o", str(made), case.name]
    if subprocess.run(assemble, capture_output=True, check=False).returncode:
        return  # the case is of an error
    layout = ("-C", config.name) if config.exists() else ("-t", "none")
    files = [tmp_path / f"a.{kind}" for kind in ("map", "lbl", "dbg")]
    map_file, labels, debug = map(str, files)
    options = ("-m", map_file, "-Ln", labels, "--dbgfile", debug)
    words = ["ld65", *layout, "-vm", *options, "-o", str(tmp_path / "a.bin"), str(made)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        return
    theirs = [text_of(file) for file in files]
    assert run(assemble) == 0
    assert run(words) == 0
    assert [text_of(file) for file in files] == theirs

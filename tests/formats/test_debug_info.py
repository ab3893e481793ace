"""Programs with ld65's debug information, which ld65 itself writes where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from foreign_projects import GAME, Project, banked_project, nes_project, prg_project

from romproof.contract.reading.parse import parse_contracts
from romproof.formats.dbg import read_debug_info
from romproof.formats.errors import BadSymbols
from romproof.formats.program import LoadedProgram, ProgramFiles, load_program
from romproof.program.image import Image
from romproof.text.diagnostic import render
from romproof.text.span import Source

TOOLS = ["romproof"] + (["cc65"] if shutil.which("ca65") and shutil.which("ld65") else [])


def by_cc65(project: Project, config: str, *options: str) -> None:
    """Build a project again with the original tools: they write the same files."""
    objects = []
    for source in sorted((project.folder / "src").glob("*.s")):
        objects.append(source.with_suffix(".o"))
        where = source.relative_to(project.folder)
        subprocess.run(["ca65", *options, where, "-o", objects[-1]], cwd=project.folder, check=True)
    debug = [
        "--dbgfile",
        project.image.with_suffix(".dbg"),
        "-Ln",
        project.image.with_suffix(".lbl"),
    ]
    subprocess.run(
        ["ld65", "-C", config, "-o", project.image, *debug, *objects],
        cwd=project.folder,
        check=True,
    )


@pytest.fixture(params=TOOLS)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    """The game for NROM, built by one tool or the other."""
    project = nes_project(tmp_path)
    if request.param == "cc65":
        by_cc65(project, "nrom.cfg", "-g")
    return project


def loaded(project: Project, *kinds: str, **options: object) -> LoadedProgram:
    files = ProgramFiles(project.image, tuple(project.symbol_files(*kinds)), root=project.folder)
    return load_program(files, **options)  # type: ignore[arg-type]


def notes(program: LoadedProgram) -> str:
    return "\n".join(map(render, program.notes))


def address(image: Image, name: str) -> int:
    return image.address(name)


def test_segments_of_the_game(game: Project) -> None:
    program = loaded(game, "dbg")
    image = program.image
    assert (program.machine, image.cpu) == ("nes", "2a03")
    segments = {s.name: (s.run, s.load, s.kind, s.area) for s in image.segments}
    assert segments["CODE"] == (0xC000, 0xC000, "ro", "PRG[0]")
    assert segments["ZEROPAGE"] == (0x10, 0x10, "zp", "RAM")
    assert segments["BSS"][2:] == ("bss", "RAM")
    assert {"HEADER", "TILES"}.isdisjoint(segments), "these are no memory of the CPU"
    run, load, kind, area = segments["MOVED"]
    assert (kind, area) == ("rw", "RAM")
    assert run == 0x310, "where it runs"
    assert load > 0xC000, "where the image holds it"
    assert [(block.area, block.address) for block in image.blocks] == [("PRG[0]", 0xC000)]
    assert all(image.blocks[0].data == image.files[0].data[16 : 16 + 0x4000] for _ in [0])


def test_symbols_of_the_game(game: Project) -> None:
    image = loaded(game, "dbg").image
    symbol = image.symbol("add_points")
    assert (symbol.value, symbol.is_label, symbol.exported) == (0xC000, True, True)
    assert symbol.size == 10
    assert image.symbol("add_points@done").value == 0xC009
    assert not image.symbol("reset::loop").exported, "it is inside of a procedure"
    assert image.symbol("tools::double").exported
    score = image.symbol("score")
    assert (score.value, score.size, score.segment) == (0x10, 2, "ZEROPAGE")
    alias = image.symbol("score_high")
    assert (alias.value, alias.is_label, alias.segment) == (0x11, False, "ZEROPAGE")
    constant = image.symbol("POINTS_MOST")
    assert (constant.value, constant.is_label, constant.segment) == (200, False, None)
    assert image.symbol("MINUS").value == -1
    assert image.symbol("in_ram").value == 0x310
    assert {"reset::loop", "twice::loop"} <= {s.name for s in image.symbols}
    assert not any(s.name in ("header", "tile") for s in image.symbols)
    assert {r.name for r in image.routines} >= {"add_points", "count_up", "tools::double", "twice"}


def test_labels_that_are_no_memory_are_told(game: Project) -> None:
    told = notes(loaded(game, "dbg"))
    assert "1 label in the header, which is not memory" in told
    assert "1 label in CHR" in told


def test_lines_of_the_game(game: Project) -> None:
    image = loaded(game, "dbg").image
    line = image.line_at(0xC000)
    assert line is not None
    assert (line.span.text.strip(), line.data, line.is_code) == ("clc", b"\x18", True)
    # count_up calls a macro: its lines made the bytes, its call is how they came there
    inc = image.line_at(address(image, "count_up"))
    assert inc is not None
    assert inc.span.text.strip() == "inc cell"
    assert inc.span.via is not None
    assert inc.span.via.span.text.strip() == "increment score"
    data = image.line_at(address(image, "limits"))
    assert data is not None
    assert (data.data, data.is_code) == (b"\1\2\3", False)
    moved = image.line_at(0x310)
    assert moved is not None
    assert moved.data.hex() == "ad" + address(image, "limits").to_bytes(2, "little").hex()
    assert {Path(source.name).name for source in image.sources} == {"game.s", "other.s"}


@pytest.mark.parametrize("tool", TOOLS)
def test_banks(tool: str, tmp_path: Path) -> None:
    project = banked_project(tmp_path)
    if tool == "cc65":
        by_cc65(project, "banked.cfg", "-g")
    program = loaded(project, "dbg")
    image = program.image
    areas = {s.name: s.area for s in image.segments}
    where = {n: areas[image.symbol(n).segment or ""] for n in ("zero", "one", "two", "fixed")}
    assert where == {"zero": "PRG[0]", "one": "PRG[1]", "two": "PRG[2]", "fixed": "PRG[3]"}
    assert {image.symbol(name).value for name in ("zero", "one", "two")} == {0x8000}
    assert program.first == ("PRG[0]", "PRG[3]")
    data = {line.segment: line.data for line in image.lines if line.address == 0x8000}
    assert data == {"BANK0": b"\xa9\0", "BANK1": b"\xa9\1", "BANK2": b"\xa9\2"}


def test_pages_are_where_they_were_assembled_for(tmp_path: Path) -> None:
    """An MMC3 page that a program uses at $A000, although it has an even number."""
    project = banked_project(tmp_path)
    debug = project.symbols["dbg"].read_text("utf-8")
    image = bytearray(project.image.read_bytes())
    image[6] = 0x40  # pages of 8 KiB
    project.image.write_bytes(image)
    moved = debug.replace('name="BANK1",start=0x008000', 'name="BANK1",start=0x00A000')
    project.symbols["dbg"].write_text(
        moved.replace("val=0x8000,seg=3", "val=0xA000,seg=3"), "utf-8"
    )
    loaded_banks = {b.area: b.address for b in loaded(project, "dbg").image.blocks}
    assert (loaded_banks["PRG[2]"], loaded_banks["PRG[0]"]) == (0xA000, 0x8000)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_program_for_the_c64(tool: str, tmp_path: Path) -> None:
    project = prg_project(tmp_path)
    if tool == "cc65":
        by_cc65(project, "prg.cfg", "-g")
    program = loaded(project, "dbg")
    assert (program.machine, program.image.cpu) == ("c64", "6510")
    assert program.image.address("add_three") == 0x0802
    assert [(b.address, b.writable) for b in program.image.blocks] == [(0x0801, True)]


@pytest.mark.skipif("cc65" not in TOOLS, reason="ca65 and ld65 are not installed")
def test_debug_information_without_g(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    by_cc65(project, "nrom.cfg")
    program = loaded(project, "dbg")
    assert "assembled without -g" in notes(program)
    assert "PRG[0]" in {segment.area for segment in program.image.segments}


# -- files that are not of one build ---------------------------------------------------------


def rebuilt(project: Project, old: str, new: str, folder: Path) -> Project:
    """The same project with a change in its source, built elsewhere."""
    other = nes_project(folder)
    source = folder / "src" / "game.s"
    source.write_text(GAME.replace(old, new), "utf-8")
    from romproof.projects import build
    from romproof.projects.manifest import manifest_from

    table = {"sources": ["src/game.s", "src/other.s"], "config": "nrom.cfg", "output": "game.nes"}
    build(manifest_from(table, folder, "game", "test"), folder / "build", also=["dbg"])
    return other


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        clc\n", "        nop\n        clc\n"),
        ("        sta score\n", "        sta score\n        lda #1\n"),
        ("        ldx #$FF\n        txs\n", "        txs\n"),
        ("limits: .byte 1, 2, 3\n", "limits: .byte 1, 2, 3\n        .res 20000\n"),
    ],
    ids=["a byte more", "an instruction more", "two bytes less", "too large"],
)
def test_an_image_of_another_build(old: str, new: str, tmp_path: Path) -> None:
    if "20000" in new:
        new = new.replace("20000", "8000")
    project = nes_project(tmp_path / "one")
    other = rebuilt(project, old, new, tmp_path / "two")
    if "8000" in new:
        data = other.image.read_bytes()
        project.image.write_bytes(data[:16] + data[16 + 0x100 : 16 + 0x4000] + bytes(0x2100))
    else:
        project.image.write_bytes(other.image.read_bytes())
    with pytest.raises(BadSymbols, match="is not of this image") as caught:
        loaded(project, "dbg")
    assert "build both again" in str(caught.value)


def test_an_image_that_is_too_short(tmp_path: Path) -> None:
    project = prg_project(tmp_path)
    project.image.write_bytes(project.image.read_bytes()[:-1])
    with pytest.raises(BadSymbols, match="segment CODE ends at byte 9 of the image"):
        loaded(project, "dbg")


def test_debug_information_of_several_files(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    text = project.symbols["dbg"].read_text("utf-8").replace('"game.nes"', '"a/one.nes"', 2)
    project.symbols["dbg"].write_text(text.replace('"game.nes"', '"two.nes"'), "utf-8")
    with pytest.raises(BadSymbols, match=r"of a/one.nes, two.nes, not of game.nes"):
        loaded(project, "dbg")


def test_an_image_that_was_renamed(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    renamed = project.image.rename(project.image.with_name("release.nes"))
    files = ProgramFiles(renamed, (project.symbols["dbg"],), root=project.folder)
    assert load_program(files).image.address("add_points") == 0xC000


def test_a_source_that_was_changed(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    source = tmp_path / "src" / "game.s"
    source.write_text("; a new line\n" + GAME, "utf-8")
    program = loaded(project, "dbg")
    assert "game.s changed after it was written" in notes(program)
    # of the same size: what the source says is not what the image has
    source.write_text(GAME.replace("        asl a", "        lsr a"), "utf-8")
    told = notes(loaded(project, "dbg"))
    assert "other instructions than 1 line of the sources" in told
    assert "lsr a" in told


# -- sources ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        r"C:\projects\game\src\game.s",
        "C:/projects/game/src/game.s",
        "/home/somebody/game/src/game.s",
        r"..\src\game.s",
        "./src/game.s",
        "SRC/GAME.S",
    ],
)
def test_paths_of_other_machines(written: str, tmp_path: Path) -> None:
    """The longest tail decides: there is another game.s elsewhere."""
    project = nes_project(tmp_path)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "game.s").write_text("; old\n", "utf-8")
    debug = project.symbols["dbg"]
    text = debug.read_text("utf-8")
    (name,) = {n for n in text.split('"') if n.endswith("game.s")}
    debug.write_text(text.replace(name, written.replace("\\", "\\\\")), "utf-8")
    line = loaded(project, "dbg").image.line_at(0xC000)
    assert line is not None
    assert line.span.text.strip() == "clc"


def test_sources_that_are_not_there(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    for source in (tmp_path / "src").iterdir():
        source.unlink()
    program = loaded(project, "dbg")
    assert "2 sources not found" in notes(program)
    line = program.image.line_at(0xC000)
    assert line is not None
    assert (line.is_code, line.span.text) == (True, "")


def test_a_path_that_fits_two_files(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    text = (tmp_path / "src" / "other.s").read_text("utf-8")
    (tmp_path / "src" / "other.s").unlink()
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "other.s").write_text(text, "utf-8")
    assert "several files match" in notes(loaded(project, "dbg"))


# -- records ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("major=2", "major=1", "debug information of version 1"),
        ("version\t", "virsion\t", "does not begin like debug information"),
        ("info\t", "inf\t", "not a record of debug information"),
        ("seg=0,start=0,", "seg=99,start=0,", "refers to seg 99"),
        (",size=1,", ",size=x,", "not a number: x"),
    ],
)
def test_records_that_cannot_be(old: str, new: str, words: str, tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    debug = project.symbols["dbg"]
    text = debug.read_text("utf-8")
    assert old in text
    debug.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(BadSymbols, match=words) as caught:
        loaded(project, "dbg")
    assert f"{debug}:" in str(caught.value), "the file, and the place in it where there is one"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"(span\tid=\d+,seg=)\d+", r"\g<1>99", "refers to seg 99"),
        (r"(span\tid=\d+,.*size=)\d+", r"\g<1>70000", "this span ends after its segment"),
        (r"(line\tid=\d+,file=)\d+", r"\g<1>99", "refers to file 99"),
        (r"(line\tid=\d+,.*span=)\d+", r"\g<1>999", "refers to span 999"),
        (r"(line\tid=)\d+(.*)\n(line\tid=)(\d+)", r"\g<1>\4\2\n\3\4", "two records 'line'"),
    ],
)
def test_spans_and_lines_that_cannot_be(old: str, new: str, words: str, tmp_path: Path) -> None:
    """The error shows the line of the one that is wrong, in whatever order its keys stand."""
    project = nes_project(tmp_path)
    debug = project.symbols["dbg"]
    wrong, count = re.subn(old, new, debug.read_text("utf-8"), count=1)
    assert count == 1
    for text in (wrong, reorder_keys(wrong)):
        debug.write_text(text, "utf-8")
        with pytest.raises(BadSymbols, match=words) as caught:
            loaded(project, "dbg")
        (fault,) = caught.value.diagnostics
        assert fault.span is not None
        assert fault.span.text.startswith(old[1:5] + "\t")


def reorder_keys(text: str) -> str:
    """The records with their keys in another order than ld65's: a reader may not depend on it."""
    lines = []
    for line in text.splitlines():
        kind, _, pairs = line.partition("\t")
        first, *rest = pairs.split(",")
        few = kind not in ("span", "line")
        lines.append(line if few else f"{kind}\t" + ",".join([*reversed(rest), first]))
    return "\n".join(lines) + "\n"


def test_keys_in_another_order(game: Project) -> None:
    debug = game.symbols["dbg"]
    text = debug.read_text("utf-8")
    assert reorder_keys(text) != text
    longer = re.sub("(start|line)=([1-9])", r"\1=0\2", text)
    infos = [
        read_debug_info(Source(str(debug), written))
        for written in (text, reorder_keys(text), longer)
    ]
    assert infos[0].spans
    assert infos[0].lines
    assert infos == [infos[0]] * 3


def test_scopes_that_go_round_in_a_circle(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    debug = project.symbols["dbg"]
    text = debug.read_text("utf-8")
    (line,) = (one for one in text.splitlines() if one.startswith("scope") and '"reset"' in one)
    number = line.partition("id=")[2].partition(",")[0]
    debug.write_text(text.replace(line, line.replace("parent=0", f"parent={number}")), "utf-8")
    with pytest.raises(BadSymbols, match="round in a circle"):
        loaded(project, "dbg")


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    debug = project.symbols["dbg"]
    lines = debug.read_text("utf-8").splitlines(keepends=True)
    debug.write_text("".join(lines[:-10]), "utf-8")
    with pytest.raises(BadSymbols, match="is the file cut off or changed"):
        loaded(project, "dbg")


def test_a_line_far_behind_the_end_of_its_source(tmp_path: Path) -> None:
    """Comments above labels are looked for from their lines on: not from the ten billionth."""
    project = nes_project(tmp_path)
    debug = project.symbols["dbg"]
    text = re.sub(r"(file=\d+,line=)\d+", r"\g<1>9999999999", debug.read_text("utf-8"))
    debug.write_text(text, "utf-8")
    image = loaded(project, "dbg").image
    assert parse_contracts(image) == {}
    (tmp_path / "src" / "game.s").unlink()
    assert parse_contracts(loaded(project, "dbg").image) == {}


def test_windows_line_ends(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    debug = project.symbols["dbg"]
    debug.write_bytes(debug.read_bytes().replace(b"\n", b"\r\n"))
    assert loaded(project, "dbg").image.address("add_points") == 0xC000

"""Programs with symbol files that are not debug information: banks, what is outside, contracts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from every_case import every_case
from foreign_projects import (
    Project,
    banked_project,
    gameboy_project,
    nes_project,
    prg_project,
)

from romproof.contract.reading.parse import parse_contracts
from romproof.formats.errors import BadSymbols
from romproof.formats.program import LoadedProgram, ProgramFiles, load_program
from romproof.harness.built import rom_of
from romproof.harness.rom import Rom
from romproof.machine.memory import part_in_memory
from romproof.program.image import Image, UnknownSymbol
from romproof.projects import Manifest, build
from romproof.projects.foreign import Foreign, foreign_from, read_program
from romproof.projects.manifest import manifest_from, manifest_of_image
from romproof.text.diagnostic import render
from romproof.text.errors import RomproofError


def load(project: Project, *paths: Path, **others: object) -> LoadedProgram:
    """A project's image with some symbol files."""
    return load_program(ProgramFiles(project.image, paths, root=project.folder, **others))  # type: ignore[arg-type]


def notes(program: LoadedProgram) -> str:
    return "\n".join(map(render, program.notes))


def where(image: Image, name: str) -> tuple[str, int]:
    """The area of a label, and its address."""
    symbol = image.symbol(name)
    areas = {segment.name: segment.area for segment in image.segments}
    return areas[symbol.segment or ""], symbol.value


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


# -- banks ------------------------------------------------------------------------------------


def test_mesen_labels_of_banks(tmp_path: Path) -> None:
    project = banked_project(tmp_path)
    program = load(project, project.symbols["mlb"])
    image = program.image
    assert [where(image, n) for n in ("zero", "one", "two", "fixed", "value")] == [
        ("PRG[0]", 0x8000),
        ("PRG[1]", 0x8000),
        ("PRG[2]", 0x8000),
        ("PRG[3]", 0xC000),
        ("RAM", 0x10),
    ]
    assert not program.notes


def test_fceux_lists_of_banks(tmp_path: Path) -> None:
    project = banked_project(tmp_path)
    lists = [
        write(tmp_path, "banked.nes.1.nl", "$8000#one#\n$8002#one_more#\n"),
        write(tmp_path, "banked.nes.3.nl", "$C000#fixed#\n"),
        write(tmp_path, "banked.nes.ram.nl", "$0010#value#\n$0020/8#list#\n"),
    ]
    image = load(project, *lists).image
    assert [where(image, n) for n in ("one", "one_more", "fixed", "value")] == [
        ("PRG[1]", 0x8000),
        ("PRG[1]", 0x8002),
        ("PRG[3]", 0xC000),
        ("RAM", 0x10),
    ]
    assert image.symbol("list").size == 8


def test_labels_without_banks_are_left_out_where_it_is_not_clear(tmp_path: Path) -> None:
    project = banked_project(tmp_path)
    program = load(project, project.symbols["lbl"])
    assert where(program.image, "fixed") == ("PRG[3]", 0xC000)
    with pytest.raises(UnknownSymbol):
        program.image.symbol("one")
    told = notes(program)
    assert "3 symbols may be in any of several banks" in told
    assert "one, two, zero" in told


def test_banks_of_the_game_boy(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    image = load(project, project.symbols["sym"]).image
    names = ("Start", "InBank2", "InBank3", "wScore", "hFlag")
    assert [where(image, name) for name in names] == [
        ("ROM0", 0x150),
        ("ROMX[2]", 0x4000),
        ("ROMX[3]", 0x4000),
        ("WRAM0", 0xC010),
        ("HRAM", 0xFF90),
    ]
    points = image.symbol("POINTS")
    assert (points.value, points.is_label) == (100, False), "an exported constant"
    left = [bank.area for bank in image.blocks if bank.area not in ("ROM0", "ROMX[3]")]
    view = part_in_memory(image, left)
    label = view.label_at(0x4000)
    assert label is not None
    assert label.name == "InBank3"


def test_sections_of_a_map(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    image = load(project, project.symbols["sym"], project.symbols["map"]).image
    segments = {s.name: (s.area, s.run, s.size, s.file_offset) for s in image.segments}
    assert segments["Far"] == ("ROMX[2]", 0x4000, 3, 0x8000)
    assert segments["Variables"] == ("WRAM0", 0xC010, 9, 0)
    assert image.symbol("wScore").segment == "Variables"
    assert len([s for s in image.symbols if s.name == "Start"]) == 1, "which both files have"
    both = load(project, project.symbols["map"], project.symbols["sym"]).image
    assert {s.name for s in both.segments} == set(segments)


def test_a_label_reaches_to_the_next_one(tmp_path: Path) -> None:
    """As in programs that romproof assembles: local labels are within the global one."""
    project = gameboy_project(tmp_path)
    image = load(project, *project.symbol_files("sym", "map")).image
    own = build(find_manifest_of(project)).image
    for name in ("Start", "AddPoints", "AddPoints.unused", "InBank2", "wScore", "wList", "hFlag"):
        assert image.symbol(name).size == own.symbol(name).size, name
    alone = load(project, project.symbols["sym"]).image
    assert (alone.symbol("wScore").size, alone.symbol("wList").size) == (1, None)


def find_manifest_of(project: Project) -> Manifest:
    """The manifest that the project was built with."""
    table = {"sources": ["src/main.asm"], "cpu": "sm83", "header": {"title": "TEST", "mbc": "MBC5"}}
    return manifest_from(table, project.folder, "gb", "test")


def test_mesen_labels_of_the_game_boy(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    image = load(project, project.symbols["mlb"]).image
    names = ("Start", "InBank2", "wScore", "hFlag")
    assert [where(image, name) for name in names] == [
        ("ROM0", 0x150),
        ("ROMX[2]", 0x4000),
        ("WRAM0", 0xC010),
        ("HRAM", 0xFF90),
    ]


def test_one_name_at_several_places(tmp_path: Path) -> None:
    """It is legal in .sym files; who asks for it is told where it is."""
    project = gameboy_project(tmp_path)
    image = load(project, write(tmp_path, "x.sym", "02:4000 Here\n03:4000 Here\n00:0150 One\n"))
    with pytest.raises(UnknownSymbol, match=r"\$4000 in ROMX\[2\], \$4000 in ROMX\[3\]"):
        image.image.symbol("Here")


# -- what is outside --------------------------------------------------------------------------


@every_case(
    "name, text, names",
    [
        ("x.sym", "00:0150 Start\n07:4000 Far\n", "Far"),
        ("x.sym", "00:0150 Start\n00:feb0 Nowhere\n", "Nowhere"),
        ("x.mlb", "GbPrgRom:0150:Start\nGbPrgRom:20000:Far\n", "Far"),
    ],
)
def test_symbols_outside_of_a_cartridge_are_told(
    name: str, text: str, names: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("outside")
    project = gameboy_project(folder)
    program = load(project, write(folder, name, text))
    assert f"1 symbol outside of {project.image}, left out: {names}" in notes(program)
    assert program.image.symbol("Start").value == 0x150


@every_case(
    "line, address",
    [
        ("00:e000 End", 0xE000),
        ("01:e000 End", 0xE000),
        ("00:d000 End", 0xD000),
        ("00:8000 End", 0x8000),
        ("01:8000 End", 0x8000),
        ("00:a000 End", 0xA000),
        ("00:ffff End", 0xFFFF),
        ("00:fea0 End", 0xFEA0),
    ],
)
def test_labels_at_the_end_of_memory_are_of_the_image(
    line: str, address: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("ends")
    project = gameboy_project(folder)
    program = load(project, write(folder, "x.sym", f"00:0150 Start\n{line}\n"))
    assert "outside" not in " ".join(notes(program))
    assert program.image.symbol("End").value == address


@every_case(
    "name, text",
    [
        ("x.mlb", "NesPrgRom:0:first\nNesPrgRom:4000:Far\n"),
        ("x.mlb", "NesPrgRom:0:first\nNesInternalRam:800:Far\n"),
        ("x.lbl", "al C000 .first\nal 012345 .Far\n"),
        ("x.lbl", "al C000 .first\nal 5000 .Far\n"),
        ("game.nes.9.nl", "$8000#Far#\n"),
    ],
)
def test_symbols_outside_of_a_game_are_told(
    name: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("outside")
    project = nes_project(folder)
    assert "left out: Far" in notes(load(project, write(folder, name, text)))


def test_registers_are_names_without_a_place(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    program = load(project, write(tmp_path, "x.lbl", "al 2000 .PPUCTRL\nal C000 .first\n"))
    symbol = program.image.symbol("PPUCTRL")
    assert (symbol.value, symbol.is_label, symbol.segment) == (0x2000, False, None)
    assert not program.notes


def test_labels_of_another_program(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    labels = "".join(f"al {0xC100 + n:04X} .label{n}\n" for n in range(20))
    assert "no label where the vectors lead" in notes(
        load(project, write(tmp_path, "x.lbl", labels))
    )
    gameboy = gameboy_project(tmp_path / "gb")
    labels = "".join(f"00:{0x200 + n:04X} Label{n}\n" for n in range(20))
    told = notes(load(gameboy, write(tmp_path, "x.sym", labels)))
    assert "no label at $0150, where the program begins" in told


# -- other machines ---------------------------------------------------------------------------


def test_vice_labels_of_a_prg(tmp_path: Path) -> None:
    project = prg_project(tmp_path)
    program = load(project, project.symbols["lbl"])
    assert where(program.image, "add_three") == ("IMAGE", 0x0802)
    assert where(program.image, "sum") == ("RAM", 2)
    result = Rom(program.image, "plain").call("add_three", a=4, flags={"d": 0})
    assert (result.a, result.read("sum", 1)) == (7, b"\7")


def test_bare_bytes_with_names(tmp_path: Path) -> None:
    image = tmp_path / "code.bin"
    image.write_bytes(bytes.fromhex("1865108510 60".replace(" ", "")))
    names = write(tmp_path, "names.txt", "add = $8000\ntotal = $10\n")
    program = load_program(ProgramFiles(image, (names,)), load_address=0x8000)
    rom = Rom(program.image, "plain")
    result = rom.call("add", a=2, mem={0x10: b"\x03"}, flags={"d": 0})
    assert (result.a, result.read("total", 1)) == (5, b"\5")


# -- calls ------------------------------------------------------------------------------------


def test_routines_of_a_game_can_be_called_in_flat_memory(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    program = load(project, project.symbols["dbg"])
    rom = Rom(program.image, "plain", banks=program.first)
    result = rom.call("add_points", a=200, mem={"score": 100})
    assert result.read("score") == (300).to_bytes(2, "little")
    assert result.cycles == 21
    machine = rom.machine()
    machine.write("score", 0xFFFF)
    machine.call("count_up", check=False)
    assert machine.read("score") == b"\0\0"
    with pytest.raises(RomproofError, match="execution leaves the program"):
        rom.call("in_ram")  # nothing has copied it to RAM


@every_case("make", [nes_project, gameboy_project], ids=["NES", "Game Boy"])
def test_contracts_are_kept_where_ram_repeats(
    make: Callable[[Path], Project], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """On the NES a variable is at four addresses, on the Game Boy at two: that is one change."""
    project = make(tmp_path_factory.mktemp("machine"))
    kind, routine, score = (
        ("dbg", "add_points", "score") if make is nes_project else ("sym", "AddPoints", "wScore")
    )
    folders = (project.folder / "src",)
    foreign = Foreign(project.image, project.folder, (project.symbols[kind],), sources=folders)
    rom = rom_of(build(manifest_of_image(foreign)), "plain")
    assert rom.machine_name in ("nes", "gameboy")
    result = rom.call(routine, a=2, mem={score: 3})
    assert result.read(score, 1) == b"\5"
    assert rom.contracts[routine].cycles


def test_contracts_above_routines_are_those_of_the_sources(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    contracts = parse_contracts(load(project, project.symbols["dbg"]).image)
    assert contracts["add_points"].cycles == (17, 21)


# -- sources and contracts apart ----------------------------------------------------------------

CONTRACTS = """\
; Contracts of a program that is not to be changed.

;; predicate small: wScore[0] <= 100

;; AddPoints - add A to the score.
; in:       A wScore[1]
; out:      A wScore[1]
; clobbers: F HL
;; Start – waits for ever.
; stack:    0
;; a line of prose
"""


def test_contracts_in_a_file_of_their_own(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    file = write(tmp_path, "contracts.asm", CONTRACTS)
    program = load(project, project.symbols["sym"], contracts=(file,))
    contracts = parse_contracts(program.image)
    assert set(contracts) == {"AddPoints", "Start"}
    assert contracts["AddPoints"].summary == "add A to the score."
    assert contracts["AddPoints"].span.source.name == str(file)


def test_sources_by_label(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    image = load(project, project.symbols["sym"], sources=(tmp_path / "src",)).image
    span = image.symbol("AddPoints").span
    assert span is not None
    assert span.text == "AddPoints::"
    local = image.symbol("AddPoints.unused").span
    assert local is not None
    assert local.text == ".unused"
    assert parse_contracts(image)["AddPoints"].cycles == (11, 11)


def test_sources_of_a_project_that_names_none_are_those_in_its_folder(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    table = {"image": str(project.image), "symbols": [str(project.symbols["sym"])]}
    foreign, faults = foreign_from(table, tmp_path)
    assert foreign is not None
    assert faults == []
    program = read_program(foreign)
    assert parse_contracts(program.image)["AddPoints"].cycles == (11, 11)
    for path in (tmp_path / "src").iterdir():
        path.unlink()
    without = read_program(foreign)  # nobody said where sources are: that there are none is no news
    assert notes(without) == notes(load(project, project.symbols["sym"]))
    assert without.image.symbol("AddPoints").span is None


def test_a_label_that_two_sources_define(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    write(tmp_path / "src", "old.asm", "AddPoints::\n ret\n")
    image = load(project, project.symbols["sym"], sources=(tmp_path / "src",)).image
    assert image.symbol("AddPoints").span is None
    assert image.symbol("Start").span is not None


def test_sources_without_the_labels(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    (tmp_path / "empty").mkdir()
    program = load(project, project.symbols["sym"], sources=(tmp_path / "empty",))
    assert "no source in" in notes(program)


@every_case(
    "text, words",
    [
        (";; AddPoint - x\n; in: A\n", r"contracts.asm:1:4: error: no label 'AddPoint'"),
        (";; AddPoint - x\n; in: A\n", "did you mean 'AddPoints'"),
        ("; nothing\n", "this file has no contract"),
        (";; Start - x\n; in: A\n;; Start - y\n; in: A\n", "has two contracts"),
    ],
)
def test_contracts_that_fit_nothing(
    text: str, words: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("contracts")
    project = gameboy_project(folder)
    file = write(folder, "contracts.asm", text)
    with pytest.raises(BadSymbols, match=words):
        load(project, project.symbols["sym"], contracts=(file,))


UNION = """\
SECTION "Variables", WRAM0
wBefore:: ds 2
  UNION
wName:: ds 11
wNameEnd::
wRest:: ds 5
  NEXTU
wX:: db
wY:: db
.low db
  UNION
wInner:: ds 3
  NEXTU
wOther:: db
wLast:: ds 2
  ENDU
  NEXTU
wLone:: ds 16
  ENDU
wAfter:: ds 4
wAlias::
wSame:: ds 8
wEnd::
"""
UNION_SYMBOLS = """\
00:c000 wBefore
00:c002 wLone
00:c002 wName
00:c002 wX
00:c003 wY
00:c004 wY.low
00:c005 wInner
00:c005 wOther
00:c006 wLast
00:c00d wNameEnd
00:c00d wRest
00:c012 wAfter
00:c016 wAlias
00:c016 wSame
00:c01e wEnd
"""
UNION_SIZES = {
    "wBefore": 2, "wName": 11, "wRest": None, "wX": 1, "wY": 2, "wY.low": 1, "wInner": None,
    "wOther": 1, "wLast": None, "wLone": None, "wAfter": 4, "wAlias": 8, "wSame": 8,
}  # fmt: skip
"""What the source says; the last label of an alternative may be shorter than the union."""


def _union(folder: Path, source: str | None, symbols: str = UNION_SYMBOLS) -> Image:
    project = gameboy_project(folder)
    if source is not None:
        write(folder, "ram.asm", source)
    sources = () if source is None else (folder / "ram.asm",)
    return load(project, write(folder, "u.sym", symbols), sources=sources).image


def test_sizes_in_unions_are_those_of_the_source(tmp_path: Path) -> None:
    image = _union(tmp_path, UNION)
    assert {name: image.symbol(name).size for name in UNION_SIZES} == UNION_SIZES


def test_sizes_from_where_a_union_may_begin_are_unknown_without_a_source(tmp_path: Path) -> None:
    image = _union(tmp_path, None)
    assert image.symbol("wBefore").size == 2
    assert {image.symbol(n).size for n in UNION_SIZES if n != "wBefore"} == {None}


def test_labels_of_macros_in_unions_have_no_size(tmp_path: Path) -> None:
    """The source does not show them: they may be of any alternative."""
    image = _union(tmp_path, UNION, UNION_SYMBOLS + "00:c008 wMade\n00:c014 wMadeLater\n")
    assert image.symbol("wMade").size is None
    assert image.symbol("wName").size is None, "it may be a part of it"
    assert (image.symbol("wX").size, image.symbol("wMadeLater").size) == (1, 2)


def test_unions_of_sections(tmp_path: Path) -> None:
    source = (
        'SECTION UNION "A", WRAM0\nwOne:: ds 4\nwTwo:: ds 4\n'
        'SECTION UNION "A", WRAM0\nwThree:: db\nwFour:: db\nSECTION "B", WRAM0\nwFive:: db\n'
    )
    symbols = (
        "00:c000 wOne\n00:c000 wThree\n00:c001 wFour\n00:c004 wTwo\n00:c008 wFive\n00:c009 wEnd\n"
    )
    image = _union(tmp_path, source, symbols)
    sizes = [image.symbol(f"w{n}").size for n in ("One", "Two", "Three", "Four", "Five")]
    assert sizes == [4, None, 1, None, 1]


def test_a_name_for_an_end_begins_no_union(tmp_path: Path) -> None:
    symbols = "00:c000 wList\n00:c004 wListEnd\n00:c004 wNext\n00:c006 wMore\n"
    image = _union(tmp_path, None, symbols)
    assert (image.symbol("wList").size, image.symbol("wNext").size) == (4, 2)


def test_a_label_at_the_end_of_the_fixed_memory(tmp_path: Path) -> None:
    """It is none of the bank behind it, whose number would be another."""
    project = gameboy_project(tmp_path)
    stack = "00:cf00 wStack\n00:d000 wStackTop\n"
    image = load(project, write(tmp_path, "a.sym", stack + "01:d000 wMap\n01:d800 wRest\n")).image
    assert [image.symbol(n).segment for n in ("wStackTop", "wMap")] == ["WRAM0", "WRAMX[1]"]
    assert [image.symbol(n).size for n in ("wStack", "wStackTop", "wMap")] == [256, None, 2048]
    one = load(project, write(tmp_path, "b.sym", stack)).image  # as of rgblink -w
    assert one.symbol("wStackTop").segment == "WRAMX[1]"


def test_a_file_for_contracts_may_still_be_blank(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    file = write(tmp_path, "contracts.asm", "\n")
    program = load(project, project.symbols["sym"], contracts=(file,))
    assert parse_contracts(program.image) == {}

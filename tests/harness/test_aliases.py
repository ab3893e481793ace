"""Several names of one place are one object, wherever names are reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_programs import breaches, rom_6502, rom_sm83

from romproof.harness.calls.listening import listening
from romproof.harness.errors import UninitialisedRead
from romproof.harness.listeners.covered import Covered
from romproof.harness.measured import measure_call
from romproof.harness.rom import Rom
from romproof.measure.coverage.summary import report_of
from romproof.projects import build
from romproof.projects.manifest import manifest_from

SM83 = """\
SECTION "shared", WRAM0
UNION
wTiles:: ds 4
NEXTU
wBattle:: ds 2
wTurn:: ds 2
NEXTU
wMap:: ds 4
ENDU
wTilesEnd::
wScore:: ds 1
SECTION "more", ROM0
;; writes – writes what its contract does not list
; in: A
; out: none
; clobbers: none
writes::
    ld [wMap], a
    ld [wTurn + 1], a
    ret
reads::
    ld a, [wMap]
    ret
GetFirst::
Alias::
.loop:
    ld a, 1
    ret
"""


@pytest.fixture(scope="module")
def rom(tmp_path_factory: pytest.TempPathFactory) -> Rom:
    return rom_sm83(tmp_path_factory.mktemp("union"), SM83)


def test_all_names_the_first_of_the_source_first(rom: Rom) -> None:
    image = rom.image
    tiles, score = image.address("wTiles"), image.address("wScore")
    assert image.names_at(tiles) == ("wTiles", "wBattle", "wMap")
    assert image.format_address(tiles + 1) == "wTiles+1"
    assert image.describe(tiles + 1) == f"${tiles + 1:04X} (wTiles+1, also wBattle+1, wMap+1)"
    assert image.describe(tiles + 3) == f"${tiles + 3:04X} (wTurn+1)"
    # a label that ends what is before it is no name of what begins there
    assert image.describe(score) == f"${score:04X} (wScore)"
    code = image.address("Alias")
    assert image.describe(code + 2) == f"${code + 2:04X} (GetFirst+2, also Alias+2)"


def test_long_lists_are_cut(tmp_path: Path) -> None:
    labels = "".join(f"w{n}:\n" for n in range(1, 8))
    image = rom_sm83(tmp_path, f'SECTION "v", WRAM0\n{labels} ds 1').image
    assert image.describe(image.address("w3")).endswith("(w1, also w2, w3, w4, and 3 more)")


def test_contracts_and_faults(rom: Rom) -> None:
    first = rom.image.address("wTiles")
    found = " ".join(breaches(rom, "writes", a=7))
    assert f"memory ${first:04X} (wTiles, also wBattle, wMap) must stay" in found
    with pytest.raises(UninitialisedRead, match=r"reads \$.... \(wTiles, also wBattle, wMap\)"):
        rom.call("reads", uninitialised=True)


def test_a_watch_has_the_name_that_was_asked_for(rom: Rom) -> None:
    machine = Rom(rom.image, checks={"uninitialised": "off"}).machine()
    log = machine.watch("wMap", "wBattle", "wTurn")
    machine.call("writes", a=7, check=False)
    assert log.writes == [("wMap", 7), ("wBattle", 7), ("wTurn", 7)]
    assert {access.routine for access in log} == {"writes"}


def test_profiles_have_one_row(rom: Rom) -> None:
    measured = measure_call(
        rom, "Alias", registers={}, flags={}, mem={}, runs=1, limit=100, tick=lambda: None
    )
    (row,) = measured.profile.routines
    assert (row.name, row.also, row.all_names) == (
        "GetFirst", ("Alias",), "GetFirst, also Alias",
    )  # fmt: skip
    assert measured.profile.routine("Alias") is row


def test_coverage_counts_it_once(tmp_path: Path) -> None:
    """Of a Game Boy image with a symbol file, whose labels are what counts."""
    (tmp_path / "game.asm").write_text(
        'SECTION "e", ROM0[$100]\n nop\n jp Start\n ds $150 - @\nSECTION "c", ROM0\n'
        "Start::\nReset::\n ret\nOther::\n ret\n"
    )
    built = build(
        manifest_from(
            {"cpu": "sm83", "sources": ["game.asm"], "header": {"title": "A"}},
            tmp_path,
            "game",
            "test",
        ),
        None,
    )
    names = {
        name: place for name in ("Start", "Reset", "Other") for place in [built.image.address(name)]
    }
    (tmp_path / "game.gb").write_bytes(built.image.files[0].data)
    (tmp_path / "game.sym").write_text(
        "".join(f"00:{place:04x} {name}\n" for name, place in sorted(names.items()))
    )
    table = {
        "image": str(tmp_path / "game.gb"),
        "symbols": [str(tmp_path / "game.sym")],
        "sources": [str(tmp_path)],
    }
    image = build(manifest_from(table, tmp_path, "gb", "test"), None).image
    # in the symbol file the other one comes first; the source decides
    assert image.describe(names["Reset"]).endswith("(Start, also Reset)")
    covered = Covered(Path.cwd())
    with listening(covered):
        Rom(image, machine="gameboy").call("Reset")
    coverage = covered.coverage()
    assert "only labels are known, no lines: 1 of 1 were executed" in coverage.notes[0]
    (file,) = report_of(coverage).files
    assert [(name, count) for _, name, count in file.functions] == [("Start", 1)]


def test_an_entry_without_a_label_is_named_after_the_label_before(tmp_path: Path) -> None:
    rom = rom_6502(
        tmp_path,
        ".export first\nfirst: .repeat 18\n nop\n .endrepeat\n ldx #1\n rts\n",
    )
    inside = rom.image.address("first") + 18
    measured = measure_call(
        rom, inside, registers={}, flags={}, mem={}, runs=1, limit=100, tick=lambda: None
    )
    assert [row.name for row in measured.profile.routines] == ["first+$12"]

"""What listeners hear of many calls at once, and of a test's own Game Boy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from source_programs import rom_6502

import romproof
from romproof.harness.calls import batch as many
from romproof.harness.calls.listening import LISTENERS, listening
from romproof.harness.direct import listen
from romproof.harness.listeners.costs import CallCosts
from romproof.harness.listeners.covered import Covered
from romproof.harness.listeners.profiled import Profiled
from romproof.harness.rom import Rom
from romproof.measure.coverage.summary import report_of

SOURCE = """\
.export double, twice
;; double – count becomes 2 x count, or 0 from 128 on
; in: count
; out: count
; clobbers: A N Z C
.proc double
    lda count
    bmi large
    jsr twice
    sta count
    rts
large:
    lda #0
    sta count
    rts
.endproc
.proc twice
    asl a
    rts
.endproc
"""
GAME = """\
SECTION "entry", ROM0[$100]
    nop
    jp start
    ds $150 - @, 0
SECTION "home", ROM0
start:
    ld b, 5
loop:
    dec b
    jr nz, loop
    ld a, [never]
    call far
    jr @
never: db 1
SECTION "far", ROMX
far:
    ret
"""


def heard(listener: Any, act: Callable[[], object]) -> Any:
    with listening(listener):
        act()
    return listener


def rows(count: int) -> Any:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    return numpy.arange(count, dtype=numpy.uint8).reshape(count, 1) * 10


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    return rom_6502(tmp_path, SOURCE)


def _lines(covered: Covered) -> dict[str, int]:
    (file,) = report_of(covered.coverage()).files
    text = file.text.split("\n")
    return {text[line.line - 1].strip(): line.count for line in file.lines}


def test_many_calls_are_covered_one_by_one(rom: Rom) -> None:
    """Of 0, 10 .. 190 thirteen are below 128."""
    covered = heard(Covered(Path.cwd()), lambda: rom.call_many("double", {"count": rows(20)}))
    seen = _lines(covered)
    assert (seen["lda count"], seen["asl a"], seen["lda #0"]) == (20, 13, 7)
    assert not covered.coverage().notes


def test_many_calls_have_costs(rom: Rom) -> None:
    costs = heard(CallCosts(), lambda: rom.call_many("double", {"count": rows(20)}))
    (routines,) = costs.costs().values()
    double, twice = routines["double"], routines["twice"]
    done = rom.call_many("double", {"count": rows(20)}).cycles
    record = double.to_record()
    assert (record.calls, record.minimum, record.maximum) == (20, min(done), max(done))
    assert record.mean == pytest.approx(done.mean())
    assert twice.to_record().calls == 13
    assert record.most.startswith('rom.call("double", mem={"count": ')


@pytest.mark.slow
def test_many_calls_are_profiled_with_their_accesses(rom: Rom) -> None:
    profiled = heard(Profiled(True), lambda: rom.call_many("double", {"count": rows(20)}))
    (program,) = profiled.programs()
    profile = program.profile
    assert profile.routine("double").calls == 20
    assert profile.routine("twice").calls == 13
    own = [a for a in profile.accesses if profile.routines[a.routine].name == "double"]
    zero_page = next(a for a in own if a.page == 0)
    assert (zero_page.reads, zero_page.writes) == (20, 20)


def test_what_is_beyond_a_limit_is_told(rom: Rom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "MAX_OBSERVED", 100)
    covered = heard(Covered(Path.cwd()), lambda: rom.call_many("double", {"count": rows(20)}))
    # the first call, then five of 26 cycles each
    left = 20 - 1 - _lines(covered)["asl a"] + 1
    (note,) = covered.coverage().notes
    assert note == f"prog.bin: call_many('double'): {left} calls were not observed"
    assert 10 <= left < 19


@pytest.fixture
def game(tmp_path: Path) -> romproof.Image:
    (tmp_path / "game.asm").write_text(GAME)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.romproof]\ncpu = "sm83"\nsources = ["game.asm"]\nheader = { title = "G" }\n'
    )
    return romproof.build(tmp_path / "pyproject.toml").image


def test_a_game_boy_of_the_test_is_heard(game: romproof.Image) -> None:
    def act() -> None:
        boy = romproof.GameBoy(game.files[0].data)
        boy.run(20)
        boy.run_until(lambda machine: machine.cycles > 60, limit=100, every=10)

    covered = heard(Covered(Path.cwd()), act)
    seen = _lines(covered)
    assert (seen["ld b, 5"], seen["dec b"], seen["ret"]) == (1, 5, 1)
    profiled = heard(Profiled(), act)
    (program,) = profiled.programs()
    assert {row.name: row.calls for row in program.profile.routines}["far"] == 1
    costs = heard(CallCosts(), act)
    (routines,) = costs.costs().values()
    assert routines["far"].to_record().calls == 1


def test_on_a_board_it_is_heard_once(game: romproof.Image) -> None:
    rom = Rom(game, machine="gameboy")
    seen = _lines(heard(Covered(Path.cwd()), lambda: rom.machine().run_until("far", limit=500)))
    assert (seen["ld b, 5"], seen["dec b"]) == (1, 5)


def test_a_rom_that_no_program_has_is_told(game: romproof.Image) -> None:
    def act() -> None:
        data = bytearray(game.files[0].data)
        data[0x200] ^= 0xFF
        boy = romproof.GameBoy(bytes(data))
        boy.run(20)
        boy.run(20)

    covered = heard(Covered(Path.cwd()), act)
    assert covered.coverage().notes == (
        "a GameBoy with a ROM that no program has: 1 run was not observed",
    )


def test_nobody_listens_afterwards(game: romproof.Image) -> None:
    listener = Covered(Path.cwd())
    listen(listener)
    LISTENERS.remove(listener)
    romproof.GameBoy(game.files[0].data).run(100)
    assert not report_of(listener.coverage()).files

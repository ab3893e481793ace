"""Programs that run and see to their stack themselves: it must not run into their data."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from source_programs import rom_6502

import romproof
from romproof.engine.protocol import FaultKind
from romproof.harness.errors import CallFault
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

LAYOUT = """\
MEMORY {
  ZP:   start = $10,   size = $80,   type = rw;
  PAGE: start = $100,  size = $C0,   type = rw;
  RAM:  start = $300,  size = $400,  type = rw;
  ROM:  start = $8000, size = $7FFA, type = ro, fill = yes, file = %O;
  TOP:  start = $FFFA, size = 6,     type = ro, fill = yes, file = %O;
}
SEGMENTS {
  ZEROPAGE: load = ZP,  type = zp;
  LOW:  load = PAGE, type = bss;
  BSS:  load = RAM,  type = bss;
  CODE: load = ROM,  type = ro;
  VEC:  load = TOP,  type = ro;
}
"""
SOURCE_6502 = """\
.export fill, shallow, deep, pulls, done, reset
.segment "LOW"
low: .res $C0
.code
reset:   ldx #$FF
         txs
shallow: ldx #60
         jmp fill
deep:    ldx #80
fill:    pha
         dex
         bne fill
done:    jmp done
pulls:   lda #0
         rts
.segment "VEC"
  .word done, reset, done
"""
SOURCE_SM83 = """
SECTION "work", WRAM0
count:: ds 2
table:: ds 32
table_end::
big:: ds 64
SECTION "below", WRAM0[$CEF0]
important:: ds 12
SECTION "own stack", WRAM0[$CF00]
    ds 64
bottom::
SECTION "entry", ROM0[$100]
    nop
    jp start
    ds $150 - @, 0
SECTION "home", ROM0
start::
    di
    ld sp, bottom
begun::
    ld b, 16
    call push_many
    jr begun
too_many::
    ld b, 40
push_all:
    push bc
    dec b
    jr nz, push_all
done::
    jr done
push_many::
    push bc
    pop bc
    dec b
    jr nz, push_many
    ret
; the stack pointer for a while at a table: pushes fill it
fill_table::
    ld [save_sp], sp
    ld sp, table_end
    ld b, 16
.more:
    push hl
    dec b
    jr nz, .more
restored::
    ld sp, bottom
    jr done
; one pair more than the table has
fill_too_much::
    ld sp, table_end
    ld b, 17
    jr push_all
SECTION "saved", HRAM
save_sp:: ds 2
"""
ENGINES = ["plain", "llvm", "recompiled"]


@pytest.fixture(scope="module")
def rom65(tmp_path_factory: pytest.TempPathFactory) -> Rom:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("source_programs.LAYOUT", LAYOUT)
        return rom_6502(tmp_path_factory.mktemp("own"), SOURCE_6502)


@pytest.fixture(scope="module")
def gameboy(tmp_path_factory: pytest.TempPathFactory) -> Rom:
    folder = tmp_path_factory.mktemp("own83")
    (folder / "game.asm").write_text(SOURCE_SM83)
    (folder / "pyproject.toml").write_text(
        '[tool.romproof]\ncpu = "sm83"\nsources = ["game.asm"]\nmachine = "gameboy"\n'
        'header = { title = "STACK" }\n'
    )
    return romproof.Rom(romproof.build(folder / "pyproject.toml").image, machine="gameboy")


def test_run_from_on_the_6502(rom65: Rom) -> None:
    for engine in (*ENGINES, "py65"):
        machine = Rom(rom65.image, engine).machine()
        assert machine.run_from("shallow", "done").stack == 60
        with pytest.raises(CallFault, match="and the 64 bytes that the program leaves") as caught:
            machine.run_from("deep", "done")
        assert caught.value.kind is FaultKind.STACK_OVERFLOW
        assert "(low+191)" in str(caught.value)
        # the run ends at the push, where 64 are done: 64 x pha, 64 x dex, and 63 x bne
        assert caught.value.record.trace.cycles == 2 + 65 * 3 + 64 * (2 + 3)
        with pytest.raises(CallFault, match="pulls more than was pushed"):
            machine.run_from("pulls", "done")


def test_run_until_on_the_6502(rom65: Rom) -> None:
    machine = Rom(rom65.image).machine()
    machine.run_until("done", limit=30_000)  # from the reset, through shallow
    machine.registers.pc = machine.image.address("deep")
    with pytest.raises(CallFault, match=r"the stack overflows at .*\(fill\)"):
        machine.run_until("done", limit=1000)


def test_it_is_a_switch(rom65: Rom) -> None:
    def on(level: str) -> Machine:
        return Rom(rom65.image, checks={"stack": level}).machine()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        on("off").run_from("deep", "done")
    with pytest.warns(romproof.RomproofWarning, match="the stack overflows"):
        result = on("warn").run_from("deep", "done")
    assert result.stack == 80


def _machine(gameboy: Rom, engine: str = "auto") -> Machine:
    return Rom(gameboy.image, engine, machine="gameboy").machine()


def test_the_stack_of_an_sm83_program_is_where_it_says(gameboy: Rom) -> None:
    for engine in ENGINES:
        machine = _machine(gameboy, engine)
        machine.run_until("begun", limit=1000)
        machine.run_until("begun", limit=5000)
        machine.registers.pc = machine.image.address("too_many")
        with pytest.raises(
            CallFault, match=r"SP is \$CEFA, and the 68 bytes .*\(important\+10\)"
        ) as caught:
            machine.run_until("done", limit=5000)
        assert caught.value.kind is FaultKind.STACK_OVERFLOW


def test_a_table_that_is_filled_by_pushes_is_no_overflow(gameboy: Rom) -> None:
    for engine in ENGINES:
        machine = _machine(gameboy, engine)
        machine.run_until("begun", limit=1000)
        machine.registers.pc = machine.image.address("fill_table")
        machine.run_until("done", limit=5000)
        assert machine.run_from("fill_table", "restored").stack > 0x1000
        with pytest.raises(CallFault, match=r"the 32 bytes .* is at \$C000 \(count\)"):
            machine.run_from("fill_too_much", "done")


def test_runs_in_known_rooms_are_made_once(gameboy: Rom) -> None:
    """Looking costs a second run the first time the stack is moved, and none later."""
    machine = _machine(gameboy)
    machine.run_until("begun", limit=1000)
    rooms = machine._runner.rooms
    left = rooms.left
    machine.run_from("fill_table", "restored")
    used = left - rooms.left
    assert used > 0
    machine.run_from("fill_table", "restored")
    machine.run_until("done", limit=5000)
    assert rooms.left == left - used


BOOTS = """
SECTION "entry", ROM0[$100]
    nop
    jp start
    ds $150 - @, 0
SECTION "home", ROM0
start::
    call clear      ; the stack is where the boot ROM left it, in the variables
ready::
    ld sp, bottom
begun::
    ld b, {pushes}
.more:
    push bc
    dec b
    jr nz, .more
done::
    jr done
clear:
    push hl
    pop hl
    ret
SECTION "variables", HRAM[$FF80]
variables:: ds $7C
SECTION "important", WRAM0[$CEF0]
important:: ds 16
SECTION "own stack", WRAM0[$CF00]
    ds 16
bottom::
"""


def _boots(tmp_path: Path, pushes: int) -> Machine:
    (tmp_path / "game.asm").write_text(BOOTS.format(pushes=pushes))
    (tmp_path / "pyproject.toml").write_text(
        '[tool.romproof]\ncpu = "sm83"\nsources = ["game.asm"]\nmachine = "gameboy"\n'
        'header = { title = "BOOTS" }\n'
    )
    image = romproof.build(tmp_path / "pyproject.toml").image
    return romproof.Rom(image, machine="gameboy").machine()


def test_a_stack_counts_when_the_program_has_set_it(tmp_path: Path) -> None:
    machine = _boots(tmp_path, 4)
    machine.run_until("ready", limit=1000)  # two calls deep in the variables
    machine.run_until("done", limit=1000)
    machine.reset()
    machine.run_until("done", limit=1000)
    machine.run_frames(2)
    assert machine.run_from("start", "done").sp < 0xCF20


def test_a_stack_that_was_set_in_an_earlier_run(tmp_path: Path) -> None:
    machine = _boots(tmp_path, 30)
    saved = machine.save()
    machine.run_until("begun", limit=1000)
    with pytest.raises(CallFault, match="the stack overflows") as caught:
        machine.run_until("done", limit=1000)
    assert 'checks = { stack = "off" }' in str(caught.value)
    machine.restore(saved)
    machine.run_until("ready", limit=1000)
    with pytest.raises(CallFault, match="the stack overflows"):
        machine.run_from("start", "done")


def test_a_stack_that_run_from_has_set(tmp_path: Path) -> None:
    """It counts where the program sets none in that run."""
    with pytest.raises(CallFault, match=r"\(variables\+122\)"):
        _boots(tmp_path, 4).run_from("start", "ready")


def test_a_program_that_never_sets_its_stack_runs_at_full_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody looks at each of its instructions: many are looked at together."""
    source = [
        'SECTION "entry", ROM0[$100]', " nop", " jp start", " ds $150 - @, 0", "start::",
        " ld a, 200", ".loop", " dec a", " jr nz, .loop", "rest::", " jr rest",
    ]  # fmt: skip
    (tmp_path / "game.asm").write_text("\n".join(source), "utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.romproof]\ncpu = "sm83"\nmachine = "gameboy"\nsources = ["game.asm"]\n'
        'header = { title = "GAME" }\n',
        "utf-8",
    )
    rom = romproof.load(tmp_path)
    monkeypatch.setattr("romproof.engine.base.MicrocodeEngine._observe", None)
    machine = rom.machine()
    for _ in range(3):
        machine.run_frames()
    assert machine.registers.sp == 0xFFFE

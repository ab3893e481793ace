"""Loops that wait, in programs that are assembled here; cycles are counted from the code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import romproof
from romproof.harness.measured import Measured, measure_frames
from romproof.harness.rom import Rom
from romproof.machine.board import Board
from romproof.measure.code_locations import CodeLocations
from romproof.measure.frame_loads import FrameLoad
from romproof.measure.merging import merge_by_title
from romproof.measure.model import CycleProfile, SpotCost
from romproof.measure.plain import as_text, from_text
from romproof.measure.recorded import record_profile
from romproof.measure.summary import spot_at
from romproof.measure.waits import Wait, WaitKind, find_waits

NES_HEAD = """
.segment "HEADER"
  .byte "NES", $1A, 2, 1, 0, 0
.segment "ZEROPAGE"
nmis:  .res 1
work:  .res 1
seed:  .res 1
ptr:   .res 2
.segment "CODE"
PPUSTATUS = $2002
nmi:
  inc nmis
irq:
  rti
"""
NES_TAIL = """
.segment "VECTORS"
  .word nmi, reset, irq
.segment "CHARS"
  .res 8192
"""
LAYOUT = """
MEMORY {
  HEADER: start = 0, size = 16, fill = yes, file = %O;
  ZP:  start = $10,   size = $80,   type = rw;
  ROM: start = $8000, size = $8000, type = ro, fill = yes, file = %O;
  CHR: start = 0, size = $2000, type = ro, file = %O;
}
SEGMENTS {
  HEADER:   load = HEADER, type = ro;
  ZEROPAGE: load = ZP,  type = zp;
  CODE:     load = ROM, type = ro;
  VECTORS:  load = ROM, type = ro, start = $FFFA;
  CHARS:    load = CHR, type = ro;
}
"""
GAME_BOY_HEAD = """
DEF rIF EQU $FF0F
DEF rSTAT EQU $FF41
DEF rLY EQU $FF44
DEF rLYC EQU $FF45
DEF rDIV EQU $FF04
DEF rIE EQU $FFFF
SECTION "work", WRAM0
flag:: ds 1
SECTION "vblank", ROM0[$40]
    push af
    ld a, 1
    ld [flag], a
    pop af
    reti
SECTION "entry", ROM0[$100]
    nop
    jp reset
    ds $150 - @, 0
SECTION "home", ROM0
"""
Run = Callable[..., Measured]


def nes_image(folder: Path, code: str) -> romproof.Image:
    (folder / "game.s").write_text(NES_HEAD + code + NES_TAIL)
    (folder / "game.cfg").write_text(LAYOUT)
    (folder / "pyproject.toml").write_text(
        '[tool.romproof]\nsources = ["game.s"]\nconfig = "game.cfg"\n'
        'output = "game.nes"\nmachine = "nes"\n'
    )
    return romproof.build(folder).image


def game_boy_image(folder: Path, code: str) -> romproof.Image:
    (folder / "game.asm").write_text(GAME_BOY_HEAD + code)
    (folder / "pyproject.toml").write_text(
        '[tool.romproof]\ncpu = "sm83"\nsources = ["game.asm"]\nmachine = "gameboy"\n'
        'header = { title = "GAME" }\n'
    )
    return romproof.build(folder).image


@pytest.fixture
def nes(tmp_path: Path) -> Run:
    return lambda code, frames=1: measured(nes_image(tmp_path, code), "nes", frames)


@pytest.fixture
def game_boy(tmp_path: Path) -> Run:
    return lambda code, frames=1: measured(game_boy_image(tmp_path, code), "gameboy", frames)


def measured(image: romproof.Image, machine: str, frames: int) -> Measured:
    rom = Rom(image, machine=machine)
    return measure_frames(rom, frames, mem={}, tick=lambda: None)


def only(seen: Measured) -> Wait:
    (wait,) = seen.waits
    return wait


NES_START = """
reset:
  ldx #$FF
  txs
  lda #$80
  sta $2000
  sei
"""


def test_a_flag_that_an_interrupt_changes(nes: Run) -> None:
    seen = nes(
        NES_START
        + """
main:
  ldx #0
@more:
  sta seed
  dex
  bne @more
  lda nmis
wait:
  cmp nmis
  beq wait
  jmp main
""",
        3,
    )
    wait = only(seen)
    assert (wait.kind, wait.place, wait.symbol) == (WaitKind.FLAG, "wait", "nmis")
    assert wait.spot.line is not None
    # main: ldx 2, sta, dex and bne 256 times 8, less 1, lda 3, jmp 3; nmi: 7 + 5 + 6
    busy = 2 + 256 * 8 - 1 + 3 + 3 + 18
    assert len(seen.frames) == 2
    for frame in seen.frames:
        assert abs(frame.cycles - 29_780) <= 8
        assert abs(frame.cycles - frame.waiting - busy) <= 8
    assert wait.cycles == pytest.approx(seen.profile.cycles - 4 * busy, abs=40)
    assert wait.passes == pytest.approx(wait.cycles / 6, abs=8)


NES_WAITS = [
    ("bit PPUSTATUS\n  bpl loop", WaitKind.BLANK),
    ("lda PPUSTATUS\n  bpl loop", WaitKind.BLANK),
    ("lda $3FFA\n  and #$80\n  beq loop", WaitKind.BLANK),
    ("bit PPUSTATUS\n  bvc loop", WaitKind.SPRITE_0),
    ("lda PPUSTATUS\n  and #$40\n  beq loop", WaitKind.SPRITE_0),
    ("lda PPUSTATUS\n  and #$20\n  beq loop", WaitKind.PORT),
    ("lda $4015\n  and #$10\n  bne loop\n  beq loop", WaitKind.PORT),
    ("lda nmis\n  bne out\n  jmp loop", WaitKind.FLAG),
    ("ldy #0\n  lda (ptr),y\n  bne out\n  beq loop", WaitKind.VALUE),
    ("jmp loop", WaitKind.INTERRUPT),
    ("lda nmis\n  cmp work\n  beq loop", WaitKind.FLAG),
    ("lda work\n  cmp $4015\n  bne loop", WaitKind.PORT),
    ("ldx nmis\n  cpx work\n  bne out\n  jmp loop", WaitKind.FLAG),
    ("clc\n  bcc loop", WaitKind.INTERRUPT),
]
NO_WAITS = [
    "dex\n  bne loop\n  beq loop",  # counts
    "inc seed\n  lda nmis\n  beq loop",  # stirs a random number
    "inx\n  lda nmis\n  beq loop",  # so does this
    "lda $4016\n  and #1\n  beq loop",  # reads the pad's next bit
    "lda $2007\n  beq loop",  # moves the address on
    "jsr nothing\n  lda nmis\n  beq loop",
    "adc nmis\n  bcc loop\n  bcs loop",  # adds up
    "pha\n  pla\n  lda nmis\n  beq loop",
    "sta $2001\n  lda nmis\n  beq loop",
    "lda nmis\n  bne skip\n  jmp (ptr)\nskip:\n  jmp loop",
]


def numbered(loop: str, number: int) -> str:
    """A loop with labels of its own."""
    return (
        loop.replace("loop", f"loop{number}")
        .replace("out", f"out{number}")
        .replace("again", f"again{number}")
        .replace("skip", f"skip{number}")
    )


def stated(image: romproof.Image, board: Board) -> dict[str, Wait]:
    """The waits of a program by their places, as if each instruction had run once."""
    places = CodeLocations(image)
    lines = [line for line in image.lines if line.is_code]
    costs = tuple(SpotCost(0, spot_at(line.address, places), 1, 1) for line in lines)
    profile = CycleProfile(len(lines), len(lines), (), (), costs)
    return {wait.place: wait for wait in find_waits(profile, places, board)}


def test_what_is_waited_for_on_the_nes(tmp_path: Path) -> None:
    code = "\n".join(
        f"loop{n}:\n  {numbered(loop, n)}\nout{n}:\n  inc work"
        for n, (loop, _) in enumerate(NES_WAITS)
    )
    image = nes_image(tmp_path, f"reset:\n  nop\n{code}\n")
    found = stated(image, Rom(image, machine="nes").machine().board)
    assert [found[f"loop{n}"].kind for n in range(len(NES_WAITS))] == [k for _, k in NES_WAITS]


def test_what_is_no_wait(tmp_path: Path) -> None:
    code = "\n".join(
        f"loop{n}:\n  {numbered(loop, n)}\n  inc work" for n, loop in enumerate(NO_WAITS)
    )
    image = nes_image(tmp_path, f"reset:\n{code}\nnothing: rts\n")
    assert stated(image, Rom(image, machine="nes").machine().board) == {}


GAME_BOY_START = """
reset::
    xor a
    ldh [rIF], a
    inc a
    ldh [rIE], a
    ei
"""


@pytest.mark.slow
def test_a_flag_behind_halt(game_boy: Run) -> None:
    seen = game_boy(
        GAME_BOY_START
        + """
main::
    xor a
    ld [flag], a
.wait
    halt
    nop
    ld a, [flag]
    and a
    jr z, .wait
    ld b, 100
.work
    dec b
    jr nz, .work
    jr main
""",
        2,
    )
    wait = only(seen)
    assert (wait.kind, wait.symbol, wait.place) == (WaitKind.FLAG, "flag", "main.wait")
    assert 0 < wait.halted < wait.cycles
    # per frame: xor 1, ld 4, ld b 2, dec and jr 100 times 4 less 1, jr 3; the handler 5+4+2+4+3+4
    busy = 1 + 4 + 2 + 399 + 3 + 22
    for frame in seen.frames:
        assert frame.cycles == pytest.approx(17_556, abs=3)
        assert frame.cycles - frame.waiting == pytest.approx(busy, abs=3)


GAME_BOY_WAITS = [
    ("ldh a, [rLY]\n cp 144\n jr nz, loop", WaitKind.BLANK, 144),
    ("ld a, [rLY]\n cp 145\n jr c, loop\n cp 150\n jr nc, loop", WaitKind.BLANK, 150),
    ("ldh a, [rLY]\n cp 64\n jr nz, loop", WaitKind.LINE, 64),
    ("ldh a, [rLY]\n and a\n jr nz, loop", WaitKind.LINE, None),
    ("ldh a, [rSTAT]\n and 3\n jr nz, loop", WaitKind.VIDEO_MEMORY, None),
    ("ldh a, [rSTAT]\n and 2\n jr nz, loop", WaitKind.VIDEO_MEMORY, None),
    ("ldh a, [rSTAT]\n and 3\n cp 1\n jr nz, loop", WaitKind.BLANK, 1),
    ("ldh a, [rSTAT]\n bit 2, a\n jr z, loop", WaitKind.LINE, None),
    ("ldh a, [rIF]\n bit 1, a\n jr z, loop", WaitKind.LINE, None),
    ("ldh a, [rDIV]\n and $80\n jr z, loop", WaitKind.PORT, None),
    ("nop\n jr loop", WaitKind.INTERRUPT, None),
    ("ld a, [flag]\n cp 1\n jr nz, loop", WaitKind.FLAG, 1),
    ("ld hl, rLY\n ld a, 144\n.w\n cp [hl]\n jr nz, .w", WaitKind.BLANK, 144),
    ("ld hl, flag\n ld a, [hl]\n.w\n cp [hl]\n jr z, .w", WaitKind.FLAG, None),
]


def test_what_is_waited_for_on_the_game_boy(tmp_path: Path) -> None:
    code = "\n".join(
        f"loop{n}::\n {numbered(loop, n)}\n ld [flag], a"
        for n, (loop, _, _) in enumerate(GAME_BOY_WAITS)
    )
    image = game_boy_image(tmp_path, f"{GAME_BOY_START}\n{code}\n ret\n")
    found = stated(image, Rom(image, machine="gameboy").machine().board)
    for number, (_, kind, value) in enumerate(GAME_BOY_WAITS):
        wait = found.get(f"loop{number}") or found[f"loop{number}.w"]
        assert (wait.kind, wait.value) == (kind, value), number


@pytest.mark.parametrize("code", ["halt\n nop\n jp loop", "halt\n ret"])
def test_halt(game_boy: Run, code: str) -> None:
    seen = game_boy(f"{GAME_BOY_START}again::\n call loop\n jr again\nloop::\n {code}\n")
    wait = only(seen)
    assert (wait.kind, wait.place) == (WaitKind.HALT, "loop")
    assert 0.9 < wait.halted / seen.profile.cycles < 1


C64_WAITS = [
    ("lda $d012\n  cmp #$f0\n  bne loop", WaitKind.LINE, 0xF0),
    ("ldx #$f0\nagain:  cpx $d012\n  bne again", WaitKind.LINE, 0xF0),
    ("lda $d012\n  cmp jiffy\n  bne loop", WaitKind.LINE, None),
    ("lda jiffy\n  cmp $d012\n  bne loop", WaitKind.LINE, None),
    ("bit $d011\n  bpl loop", WaitKind.BLANK, None),
    ("lda $d011\n  and #$80\n  bne loop", WaitKind.BLANK, None),
    ("lda $d019\n  and #1\n  beq loop", WaitKind.LINE, None),
    ("lda $dc0d\n  beq loop", WaitKind.PORT, None),
    ("lda jiffy\n  beq loop", WaitKind.FLAG, None),
]


def test_what_is_waited_for_on_the_c64(tmp_path: Path) -> None:
    code = "\n".join(
        f"loop{n}:\n  {numbered(loop, n)}\n  inc jiffy" for n, (loop, _, _) in enumerate(C64_WAITS)
    )
    (tmp_path / "game.s").write_text(f".code\nstart:\n  nop\n{code}\n  rts\njiffy: .res 1\n")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.romproof]\nsources = ["game.s"]\nmachine = "c64"\ncpu = "6502"\n'
    )
    image = romproof.build(tmp_path).image
    found = stated(image, Rom(image, machine="c64").machine().board)
    kinds = [(wait.kind, wait.value) for place, wait in found.items()]
    assert sorted(kinds, key=str) == sorted([(k, v) for _, k, v in C64_WAITS], key=str)
    assert len(found) == len(C64_WAITS)


def test_a_register_behind_a_pointer(game_boy: Run) -> None:
    """What HL is, is known where nobody comes into the loop but through the number before it."""
    code = """
main::
    call first
    call second
    jr main
first::
    ld hl, rSTAT
.wait
    bit 1, [hl]
    jr nz, .wait
    xor a
    ret
second::
    ld c, LOW(rLY)
    ld b, 3
.wait
    ldh a, [c]
    cp 20
    jr nz, .wait
    ret
"""
    seen = game_boy(GAME_BOY_START + code)
    found = {wait.place: (wait.kind, wait.reads) for wait in seen.waits}
    assert found["first.wait"] == (WaitKind.VIDEO_MEMORY, 0xFF41)
    assert found["second.wait"] == (WaitKind.LINE, 0xFF44)
    other = code.replace("call first", "ld hl, rLY\n call first.wait\n call first")
    seen = game_boy(GAME_BOY_START + other)
    found = {wait.place: (wait.kind, wait.reads) for wait in seen.waits}
    assert found["first.wait"] == (WaitKind.VALUE, None)


def test_a_frame_that_is_too_full(nes: Run) -> None:
    """Every fourth frame takes longer than a frame has."""
    seen = nes(
        NES_START
        + """
main:
  lda nmis
  and #3
  bne @idle
  ldy #20
@outer:
  ldx #0
@inner:
  sta seed
  dex
  bne @inner
  dey
  bne @outer
@idle:
  lda nmis
@wait:
  cmp nmis
  beq @wait
  jmp main
""",
        9,
    )
    # 20 times 256 times 8 cycles are a frame and 0.38 of another, in which counting goes on
    full = [round(frame.share, 2) for frame in seen.frames]
    assert set(full) == {0.0, 0.38, 1.0}
    assert full.count(1.0) == full.count(0.38) == 2
    assert sum(frame.waiting for frame in seen.frames) <= only(seen).cycles


def test_waits_come_through_a_process_and_are_added_up(nes: Run) -> None:
    seen = nes(f"{NES_START}\nloop:\n  jmp loop\n", 3)
    one = record_profile("t", "x", 3, seen.profile, seen.places, seen.waits, seen.frames)
    assert from_text(as_text([one])) == [one]
    (both,) = merge_by_title([one, one])
    assert both.waiting == 2 * one.waiting > 0
    assert both.waits[0].passes == 2 * one.waits[0].passes
    assert both.frames == one.frames * 2
    assert one.frames[0] == FrameLoad(one.frames[0].cycles, one.frames[0].waiting)

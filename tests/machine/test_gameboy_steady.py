"""For how long the LCD says that its answers stay what they are: compiled code relies on it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from gameboy_programs import cartridge
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.engine.engines import ENGINES
from romproof.engine.space import Signals
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.lcd import FRAME, LINE, LineCounter
from romproof.machine.gameboy.machine import GameBoy

LCDC, STAT, SCX, LY, LYC = 0xFF40, 0xFF41, 0xFF43, 0xFF44, 0xFF45
START = 1000
COMPILED = [name for name in ("llvm", "recompiled") if ENGINES[name].missing() is None]

CYCLES = st.one_of(
    st.integers(0, 2 * FRAME),
    st.builds(
        lambda line, cycle: line * LINE + cycle,
        st.sampled_from([0, 1, 2, 143, 144, 145, 152, 153, 154, 155]),
        st.integers(-3, 70),
    ),
)
"""After the LCD is switched on: all of a frame, and more often where modes change."""


def switched_on(scx: int, lyc: int) -> LineCounter:
    lcd = LineCounter(Signals())
    lcd.write(LCDC, 0x00, 10)
    lcd.write(SCX, scx, 11)
    lcd.write(LYC, lyc, 12)
    lcd.write(LCDC, 0x80, START)
    return lcd


@settings(max_examples=80)
@given(
    st.sampled_from([STAT, STAT, STAT, LY, LYC]),
    st.integers(0, 255),
    st.sampled_from([0, 1, 2, 3, 143, 144, 152, 153]),
    CYCLES,
    st.sampled_from([0xFF, 1, 2, 3, 4, 6, 7, 0x87]),
)
def test_what_is_said_to_stay_stays(
    address: int, scx: int, lyc: int, after: int, mask: int
) -> None:
    lcd = switched_on(scx, lyc)
    cycle = START + max(0, after)
    value = lcd.read(address, cycle)
    until = lcd.steady_until(address, value, cycle, mask)
    assert until > cycle
    for later in range(cycle, min(until, cycle + 12 * LINE)):
        assert lcd.read(address, later) & mask == value & mask, later - START


@pytest.mark.parametrize(("mask", "cycles"), [(0xFF, 15), (3, 15), (2, 58), (6, 58)])
def test_a_program_that_looks_at_bit_1_of_stat_waits_for_hblank_at_once(
    mask: int, cycles: int
) -> None:
    """Modes 2 and 3 have it in common; from dot 27 on, to DRAW or to HBLANK."""
    lcd = switched_on(0, 0)
    cycle = START + LINE + (27 + 1 - at.ON) // 4
    assert lcd.read(STAT, cycle) & 3 == 2
    assert lcd.steady_until(STAT, lcd.read(STAT, cycle), cycle, mask) - cycle == cycles


@settings(max_examples=80)
@given(st.integers(0, 7), CYCLES)
def test_vram_is_free_for_as_long_as_is_said(scx: int, after: int) -> None:
    lcd = switched_on(scx, 0)
    cycle = START + max(0, after)
    if lcd.keeps_vram(cycle):
        return
    for later in range(cycle, min(lcd.vram_is_free_until(cycle), cycle + 12 * LINE)):
        assert not lcd.keeps_vram(later), later - START
        assert not lcd.hides_vram(later) or later == cycle, later - START


@given(st.lists(st.integers(0, 3 * FRAME), min_size=2, max_size=20))
def test_a_line_that_was_asked_for_before_changes_no_answer(cycles: list[int]) -> None:
    """The line and where it begins are kept; each answer is that of a clock never asked before."""
    asked = switched_on(3, 10)
    for cycle in cycles:
        fresh = switched_on(3, 10)
        for address in (STAT, LY):
            assert asked.read(address, START + cycle) == fresh.read(address, START + cycle)


WAITS = """
    ld a, 5
    ldh [$07], a
    ld a, 4
    ldh [$FF], a
    ei
again:
    ld hl, $9900
    ld b, 200
unasked:
    ld [hl], b
    inc l
    dec b
    jr nz, unasked
    ld hl, $C100
    ld b, 90
changed:
    ldh a, [$41]
    ld [hl+], a
    ld a, b
    and a, $78
    ldh [$41], a
    dec b
    jr nz, changed
    ld hl, $9800
    ld b, 40
fill:
    ldh a, [$41]
    and a, 2
    jr nz, fill
    ld [hl+], a
    inc [hl]
    dec b
    jr nz, fill
    ld a, [hl]
    ldh [$43], a
    ldh [$45], a
    ld d, $FE
    ld e, a
hblank:
    ldh a, [$41]
    and a, 3
    jr nz, hblank
    ld [de], a
    ld [hl], e
    ldh a, [$44]
    ld [hl+], a
    ldh a, [$41]
    add a, [hl]
    ld [hl], a
    ld c, $41
    ld a, e
    add a, a
    and a, $78
    ldh [c], a
drawing:
    ldh a, [$41]
    bit 1, a
    jr z, drawing
    ld [hl], d
    jr again
"""


@pytest.mark.parametrize("engine", COMPILED)
def test_what_passes_and_what_is_noted_is_what_would_be_asked(engine: str) -> None:
    """Writes to VRAM and OAM after a wait, registers that change how long that is, and a timer."""
    rom = bytearray(cartridge(WAITS))
    rom[0x48:0x58] = bytes.fromhex("f5f041f1d9000000f5f044f1d9000000")  # read STAT, LY; reti
    machines = [GameBoy(bytes(rom), name) for name in ("plain", engine)]
    tested: Any = machines[1].engine
    tested.warm_up = 3000
    random = Random(1)
    for _ in range(60):
        cycles = random.choice((1, 3, 20, 200, 1500))
        for machine in machines:
            machine.run(cycles)
        one, other = machines
        assert one.registers == other.registers
        assert (one.cycles, one.engine.instructions) == (other.cycles, other.engine.instructions)
        assert bytes(one.memory.space.store) == bytes(other.memory.space.store)
    if engine == "recompiled":
        assert tested.translated_instructions > 0.2 * (tested.instructions - 3000)


@pytest.mark.parametrize("after", [1, 20, 113])
def test_a_line_begins_where_the_lcd_is_switched_on_again(after: int) -> None:
    again, first = switched_on(0, 1), switched_on(0, 1)
    again.write(LCDC, 0x00, START + 300)
    again.write(LCDC, 0x80, START + 300 + after)
    for cycle in range(1, 3 * LINE):
        for address in (LY, STAT):
            then = again.read(address, START + 300 + after + cycle)
            assert then == first.read(address, START + cycle), cycle

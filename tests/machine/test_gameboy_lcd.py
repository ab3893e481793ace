"""The LCD's line counter: LY, the modes in STAT, and the two interrupts."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from gameboy_programs import LIMIT, cartridge
from hypothesis import example, given, settings
from hypothesis import strategies as st

from romproof.engine.space import NEVER, Signals
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.lcd import FRAME, LINE, LineCounter
from romproof.machine.gameboy.machine import GameBoy

LCDC, STAT, SCY, SCX, LY, LYC = 0xFF40, 0xFF41, 0xFF42, 0xFF43, 0xFF44, 0xFF45
MODE0, MODE1, MODE2, ON_LYC = 0x08, 0x10, 0x20, 0x40
START = 1000
"""The cycle in which the LCD is switched on."""


def switched_on() -> tuple[LineCounter, Signals]:
    signals = Signals()
    lcd = LineCounter(signals)
    lcd.write(LCDC, 0x00, 10)
    lcd.write(LCDC, 0x80, START)
    signals.requested = 0
    return lcd, signals


def requests(lcd: LineCounter, signals: Signals, start: int, until: int) -> list[tuple[int, int]]:
    """When which interrupt is requested, in cycles after START."""
    found = []
    lcd.advance(start)
    signals.requested = 0
    while lcd.due() < until:
        due = lcd.due()
        lcd.advance(due)
        assert lcd.due() > due
        if signals.requested:
            found.append((due - START, signals.requested))
        signals.requested = 0
    return found


def test_ly_counts_every_114_cycles() -> None:
    """Distances from the write to LCDC to the read, as they were measured on a DMG."""
    lcd, _ = switched_on()
    seen = [lcd.read(LY, START + after) for after in (112, 113, 226, 227)]
    assert seen == [0, 1, 1, 2]
    assert lcd.read(LY, START + 153 * LINE - 2) == 152
    assert lcd.read(LY, START + 153 * LINE - 1) == 153
    assert lcd.read(LY, START + 153 * LINE) == 0
    assert lcd.read(LY, START + FRAME + 112) == 0


def test_the_modes_of_the_first_lines() -> None:
    """The line with which the LCD is switched on begins without mode 2."""
    lcd, _ = switched_on()
    expected = {19: 0, 20: 3, 62: 3, 63: 0, 113: 0, 114: 2, 133: 2, 134: 3, 176: 3, 177: 0}
    assert {after: lcd.read(STAT, START + after) & 3 for after in expected} == expected
    assert lcd.read(STAT, START + 144 * LINE - 1) & 3 == 0
    assert lcd.read(STAT, START + 144 * LINE) & 3 == 1
    assert lcd.read(STAT, START + FRAME) & 3 == 2


@pytest.mark.parametrize(("scroll", "longer"), [(0, 0), (1, 1), (4, 1), (5, 2), (7, 2), (8, 0)])
def test_scrolling_lengthens_mode_3(scroll: int, longer: int) -> None:
    lcd, _ = switched_on()
    lcd.write(SCX, scroll, START + 1)
    end = START + LINE + 63 + longer
    assert [lcd.read(STAT, cycle) & 3 for cycle in (end - 1, end)] == [3, 0]


def test_ly_is_compared_with_lyc() -> None:
    lcd, _ = switched_on()
    lcd.write(LYC, 1, START + 1)
    line = START + LINE
    at = (line - 1, line, line + LINE - 2, line + LINE - 1)
    assert [lcd.read(STAT, cycle) >> 2 & 1 for cycle in at] == [0, 1, 1, 0]


def test_while_the_lcd_is_off_nothing_happens() -> None:
    lcd, signals = switched_on()
    lcd.write(LYC, 1, START + 1)
    lcd.write(LCDC, 0x00, START + LINE + 5)
    assert lcd.due() == NEVER
    assert (lcd.read(LY, START + FRAME), lcd.read(STAT, START + FRAME)) == (0, 0x84)
    assert signals.requested == 0


def test_vblank_is_requested_once_in_a_frame() -> None:
    lcd, signals = switched_on()
    vblank = 144 * LINE
    assert requests(lcd, signals, START, START + 3 * FRAME) == [
        (frame * FRAME + vblank, Interrupt.VBLANK) for frame in range(3)
    ]


@pytest.mark.parametrize(
    ("source", "lyc", "times"),
    [
        (MODE0, 0, [line * LINE + 63 for line in range(144)]),
        (MODE1, 0, [144 * LINE]),
        (MODE2, 0, [line * LINE for line in range(145)]),
        (ON_LYC, 5, [5 * LINE]),
        (ON_LYC, 0, [153 * LINE + 2]),
        (ON_LYC, 153, [153 * LINE]),
        (ON_LYC, 154, []),
        (MODE0 | MODE2, 0, [line * LINE + 63 for line in range(144)]),
        (MODE0 | MODE1, 0, [line * LINE + 63 for line in range(144)]),
    ],
)
def test_when_stat_is_requested(source: int, lyc: int, times: list[int]) -> None:
    """In the second frame, as the first line of the first is different. What is chosen
    together makes one signal: HBlank hides the beginning of mode 2 and of VBlank, which follow
    at once."""
    lcd, signals = switched_on()
    lcd.write(LYC, lyc, START + 1)
    lcd.write(STAT, source, START + 25)
    start = START + FRAME - LINE + 10
    found = [(at, bit) for at, bit in requests(lcd, signals, start, start + FRAME)]
    stat = [at - FRAME for at, bit in found if bit & Interrupt.STAT]
    wanted = [at - FRAME if at >= FRAME - LINE + 10 else at for at in times]
    if source == MODE0 | MODE2:
        wanted = sorted({*wanted, 0})  # before line 0 there is no HBlank
    assert stat == sorted(wanted)


@dataclass
class Raster:
    """The same line counter as one that is clocked: line and column go on in every M-cycle, and
    the interrupt's signal is compared with what it was in the one before."""

    on: bool = True
    line: int = 0
    column: int = 0
    is_first: bool = True
    scroll: int = 0
    lyc: int = 0
    chosen: int = 0
    coincides: bool = False
    held: bool = False
    """The last result of a comparison that took place."""
    signal: bool = False
    requested: int = 0

    def tick(self) -> None:
        if not self.on:
            return
        self.column += 1
        if self.column == LINE:
            self.column, self.is_first = 0, False
            self.line = (self.line + 1) % 154
            if self.line == 144:
                self.requested |= Interrupt.VBLANK
        self.look()

    def mode(self) -> int:
        if not self.on:
            return 0
        if self.line >= 144:
            return 1
        if self.column < 20:
            return 0 if self.is_first else 2
        return 3 if self.column < 63 + (self.scroll % 8 + 3) // 4 else 0

    def look(self) -> None:
        if self.on:
            compared: int | None = self.line if self.column < 113 else None
            if self.line == 153:
                compared = {0: 153, 1: None}.get(self.column, 0)
            self.coincides = compared == self.lyc
            if compared is not None:
                self.held = self.coincides
        before, self.signal = self.signal, bool(self.chosen & self.sources())
        if self.signal and not before:
            self.requested |= Interrupt.STAT

    def sources(self) -> int:
        found = ON_LYC if self.held else 0
        if not self.on:
            return found
        if self.column == 0 and self.line <= 144 and not self.is_first:
            found |= MODE2
        if self.line >= 144:
            found |= MODE1
        elif self.mode() == 0 and self.column >= 20:
            found |= MODE0
        return found

    def write(self, address: int, value: int) -> None:
        if address == STAT:
            self.chosen = 0x78
            self.look()
            self.chosen = value & 0x78
        elif address == LYC:
            self.lyc = value
        elif address == SCX:
            self.scroll = value
        elif bool(value & 0x80) != self.on:
            self.on = not self.on
            self.line, self.column, self.is_first = 0, 0, True
            self.held = self.coincides
        self.look()

    def stat(self) -> int:
        return 0x80 | self.chosen | self.coincides << 2 | self.mode()


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.integers(1, 120), st.integers(1, 3000), st.just(FRAME)),
            st.sampled_from([STAT, STAT, LYC, SCX, LCDC]),
            st.sampled_from([0, 1, 2, 3, 5, 8, 16, 0x20, 0x28, 0x40, 0x60, 0x78, 0x80, 153]),
        ),
        max_size=8,
    )
)
@example([(113, STAT, 64), (FRAME, LYC, 1), (FRAME, STAT, 0)])
def test_the_line_counter_does_what_a_clocked_one_does(script: list[tuple[int, int, int]]) -> None:
    lcd, signals = switched_on()
    raster = Raster()
    raster.look()
    cycle = START
    for distance, address, value in script:
        for _ in range(distance):
            cycle += 1
            raster.tick()
            if lcd.due() <= cycle:
                lcd.advance(cycle)
            assert signals.requested == raster.requested
        lcd.write(address, value, cycle)
        raster.write(address, value)
        assert signals.requested == raster.requested
        assert lcd.read(STAT, cycle) == raster.stat()
        signals.requested = raster.requested = 0


def test_the_dmg_takes_any_write_to_stat_for_a_request() -> None:
    """While the line is in HBlank, VBlank, or LYC: the bits are all 1 for a moment."""
    lcd, signals = switched_on()
    for after, requested in ((LINE + 30, 0), (LINE + 80, Interrupt.STAT), (150 * LINE, 2)):
        lcd.advance(START + after)
        signals.requested = 0
        lcd.write(STAT, 0, START + after)
        assert signals.requested == requested


def test_the_other_registers_are_kept() -> None:
    lcd, _ = switched_on()
    for address in (LCDC, SCY, SCX, LYC, *range(0xFF47, 0xFF4C)):
        lcd.write(address, address & 0x7F, START + 50)
        assert lcd.read(address, START + 60) == address & 0x7F
    lcd.write(LY, 77, START + 70)
    assert lcd.read(LY, START + 70) == 0


def test_a_program_that_waits_for_vblank_goes_on() -> None:
    game = GameBoy(
        cartridge("""
        wait:
            ldh a, [$44]
            cp a, 144
            jr nz, wait
            ld a, 1
            ldh [$FF], a
            ld a, 0
            ldh [$0F], a
            ldh [$04], a
            halt                ; with interrupts disabled: goes on at the next VBlank
            nop
            ldh a, [$04]
            ld b, b
        """)
    )
    assert game.run_to_breakpoint(LIMIT)
    assert game.peek(0xFF44) == 144
    # a frame is 274 counts of DIV; a little had passed of it
    assert game.registers.a == (FRAME // 64) % 256

"""The LCD's line counter: LY, the modes in STAT, and the two interrupts."""

from __future__ import annotations

from collections.abc import Iterator

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


@pytest.mark.parametrize(
    ("scroll", "shown", "requested"),
    [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 1), (4, 1, 1), (6, 1, 1), (7, 1, 2), (8, 0, 0)],
)
def test_scrolling_lengthens_mode_3(scroll: int, shown: int, requested: int) -> None:
    """By dots; and HBlank's interrupt is one dot later than its mode (gbmicrotest,
    ``hblank_int_scx0`` to ``7``; age-test-roms, ``stat-mode-dmgC-cgbBC``)."""
    lcd, _ = switched_on()
    lcd.write(SCX, scroll, START + 1)
    lcd.write(STAT, MODE0, START + LINE + 30)
    end = START + LINE + 63
    assert [lcd.read(STAT, end + shown + i) & 3 for i in (-1, 0)] == [3, 0]
    assert lcd.due() == end + requested


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
        (MODE2, 0, [0, *(line * LINE - 1 for line in range(1, 145)), 144 * LINE]),
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


class Raster:
    """The same as a program that waits: a line is a sequence of things to do with dots between
    them, and the interrupt's signal is compared with what it was whenever one was done."""

    def __init__(self) -> None:
        self.requests: list[tuple[int, int, bool]] = []
        """The cycle, the interrupt, and whether a halted CPU sees it a cycle later."""
        self.scroll = self.lyc = self.chosen = self.ly = self.mode = 0
        self.dot = self.wake = 0
        self.on = self.signal = self.equal = self.held = False
        self.compared: int | None = 0
        self.source: int | None = None
        self.lines: Iterator[int] = iter(())

    def switch(self, on: bool) -> None:
        self.on, self.ly, self.mode = on, 0, 0
        self.held = self.equal
        self.source, self.compared = None, 0
        self.lines = self.switched_on() if on else iter(())
        self.wake = self.dot + next(self.lines) if on else NEVER
        self.look_before()

    def run(self, until: int) -> None:
        """Everything that comes before a dot."""
        while self.wake < until:
            self.dot = self.wake
            self.wake += next(self.lines)
        self.dot = until

    def switched_on(self) -> Iterator[int]:
        yield 78
        self.mode = 3
        yield from self.draw(6, 166)
        yield 197 - self.extra
        while True:
            for line in (*range(1, 154), 0):
                yield from self.one(line)

    def draw(self, before: int, after: int) -> Iterator[int]:
        yield before
        self.extra = self.scroll % 8
        yield after + self.extra
        self.mode = 0
        yield 1
        self.source = MODE0
        self.look()

    def one(self, line: int) -> Iterator[int]:
        if line < 144:
            yield 3
            self.ly, self.mode = line, 0
            if line:
                self.compared, self.source = None, MODE2
                self.look()
            yield 1
            self.compared, self.mode, self.source = line, 2, MODE2
            self.look()
            self.source = None
            self.look()
            yield 80
            self.mode = 3
            yield from self.draw(8, 164)
            yield 199 - self.extra
            return
        self.compared = None
        self.look()
        yield 2
        self.ly = line
        if line == 153:
            yield 4
            self.ly = 0
        else:
            if line == 144:
                self.search_in_vblank()
            yield 2
        self.compared = line
        self.look()
        if line == 153:
            yield 2
            self.compared = None
            self.look()
            yield 4
            self.compared = 0
            self.look()
            yield 444
            return
        yield 1
        if line == 144:
            self.search_in_vblank()
            self.mode, self.source = 1, MODE1
            self.look()
            self.request(Interrupt.VBLANK)
        yield 451

    def search_in_vblank(self) -> None:
        if not self.signal and self.chosen & MODE2:
            self.request(Interrupt.STAT)

    def look(self) -> None:
        if self.on:
            self.equal = self.compared == self.lyc
            if self.compared is not None:
                self.held = self.equal
        before = self.signal
        self.signal = bool(self.chosen & (self.source or 0) or (self.chosen & ON_LYC and self.held))
        if self.signal and not before:
            self.request(Interrupt.STAT)

    def request(self, interrupt: Interrupt) -> None:
        found = (self.dot // 4 + 1, int(interrupt), self.dot % 4 >= 2)
        if found not in self.requests:
            self.requests.append(found)

    def write(self, address: int, value: int, cycle: int) -> None:
        self.run(4 * cycle)
        if address == STAT:
            self.chosen = 0x58 if self.is_edge() and self.chosen & 0x28 == MODE0 else 0x78
            self.look_before()
            self.run(4 * cycle + 1)
            self.chosen = value & 0x78
        elif address == LYC:
            self.lyc = value
        elif address == SCX:
            self.scroll = value
        elif bool(value & 0x80) != self.on:
            self.switch(bool(value & 0x80))
        self.look_before()

    def look_before(self) -> None:
        """Compare for an access, which comes at the end of the dot before."""
        self.dot -= 1
        self.look()
        self.dot += 1

    def is_edge(self) -> bool:
        """Between mode 2's interrupt and mode 2."""
        return self.on and self.source == MODE2

    def stat(self) -> int:
        return 0x80 | self.chosen | self.equal << 2 | self.mode


class Log(Signals):
    """Notes what is requested."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[tuple[int, int, bool]] = []

    def request(self, lines: int, cycle: int, late: bool) -> None:
        entry = (cycle, int(lines), late)
        if entry not in self.entries:
            self.entries.append(entry)


@settings(deadline=None, max_examples=150)
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
@example([(150, STAT, 8), (113 * 2 - 35, STAT, 8)])
@example([(4, STAT, 0), (282, STAT, 0), (282, STAT, 0), (1, STAT, 0)])
@example([(4, STAT, 0x60), (17344, LCDC, 2), (3, LCDC, 153)])
def test_the_line_counter_does_what_a_clocked_one_does(script: list[tuple[int, int, int]]) -> None:
    log = Log()
    lcd, raster = LineCounter(log), Raster()
    lcd.write(LCDC, 0x00, 10)
    log.entries.clear()
    raster.dot = 4 * START
    lcd.write(LCDC, 0x80, START)
    raster.switch(on=True)
    cycle = START
    distances = [entry[0] for entry in script[1:]]
    for (distance, address, value), free in zip(script, [*distances, 2], strict=bool(script)):
        cycle += distance
        while lcd.due() <= cycle:
            lcd.advance(lcd.due())
        lcd.write(address, value, cycle)
        raster.write(address, value, cycle)
        assert log.entries == raster.requests
        for after in range(1, min(free, 2) + 1):  # not beyond the next write
            raster.run(4 * (cycle + after))
            assert lcd.read(STAT, cycle + after) == raster.stat()
            assert lcd.read(LY, cycle + after) == raster.ly


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

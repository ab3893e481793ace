"""The timers and the serial port, held against a circuit that is clocked M-cycle by M-cycle."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from gameboy_programs import LIMIT, cartridge
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.engine.space import NEVER, Signals
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.serial import SB, SC, SerialPort
from romproof.machine.gameboy.timer import DIV, TAC, TIMA, TMA, Divider, Timer

PERIODS = {4: 256, 5: 4, 6: 16, 7: 64}
"""M-cycles from one count of TIMA to the next, by TAC."""


@dataclass
class Circuit:
    """Flip-flops, all of which are looked at in every M-cycle: no arithmetic on cycles."""

    counter: int
    tima: int = 0
    tma: int = 0
    tac: int = 0
    overflowed: bool = False
    reloading: bool = False
    requested: int = 0
    serial_clock: bool = False
    bits_left: int = 0
    data: int = 0
    events: list[tuple[int, int]] = field(default_factory=list)

    def tick(self, cycle: int) -> None:
        self.reloading = self.overflowed
        if self.overflowed:
            self.tima, self.overflowed = self.tma, False
            self._request(Interrupt.TIMER, cycle)
        self._set(counter=self.counter + 1, tac=self.tac, cycle=cycle)

    def write(self, address: int, value: int, cycle: int) -> None:
        if address == DIV:
            self._set(counter=0, tac=self.tac, cycle=cycle)
        elif address == TAC:
            self._set(counter=self.counter, tac=value & 7, cycle=cycle)
        elif address == TMA:
            self.tma = value
            if self.reloading:
                self.tima = value
        elif address == TIMA and not self.reloading:
            self.tima, self.overflowed = value, False
        elif address == SB:
            self.data = value
        elif address == SC:
            if self.serial_clock:
                self._toggle(cycle)
            self.bits_left = 8 if value & 0x81 == 0x81 else 0

    def read(self, address: int) -> int:
        if address == DIV:
            return self.counter >> 6 & 0xFF
        if address == SB:
            return self.data
        return {TIMA: self.tima, TMA: self.tma, TAC: self.tac | 0xF8}[address]

    def _gate(self) -> bool:
        bit = {0: 7, 1: 1, 2: 3, 3: 5}[self.tac & 3]
        return bool(self.tac & 4 and self.counter >> bit & 1)

    def _set(self, counter: int, tac: int, cycle: int) -> None:
        gate, serial = self._gate(), self.counter >> 5 & 1
        self.counter, self.tac = counter, tac
        if gate and not self._gate():
            self.tima = (self.tima + 1) & 0xFF
            self.overflowed |= self.tima == 0
        if serial and not self.counter >> 5 & 1:
            self._toggle(cycle)

    def _toggle(self, cycle: int) -> None:
        self.serial_clock = not self.serial_clock
        if not self.serial_clock and self.bits_left:
            self.data = (self.data << 1 | 1) & 0xFF
            self.bits_left -= 1
            if not self.bits_left:
                self._request(Interrupt.SERIAL, cycle)

    def _request(self, bit: int, cycle: int) -> None:
        self.events.append((cycle, bit))


class Lazy:
    """The devices under test, which compute their state when they are asked."""

    def __init__(self, counter: int) -> None:
        self.signals = Signals()
        self.divider = Divider(counter)
        self.timer = Timer(self.divider, self.signals)
        self.serial = SerialPort(self.divider, self.signals)
        self.events: list[tuple[int, int]] = []

    def device(self, address: int) -> Divider | Timer | SerialPort:
        if address in (SB, SC):
            return self.serial
        return self.divider if address == DIV else self.timer

    def write(self, address: int, value: int, cycle: int) -> None:
        self.device(address).write(address, value, cycle)
        self.note(cycle)

    def go_to(self, cycle: int) -> None:
        """Let happen what is due, as an address space does."""
        while (due := min(self.timer.due(), self.serial.due())) <= cycle:
            for clocked in (self.timer, self.serial):
                if clocked.due() <= due:
                    clocked.advance(due)
                    assert clocked.due() > due
            self.note(due)

    def note(self, cycle: int) -> None:
        for bit in (Interrupt.TIMER, Interrupt.SERIAL):
            if self.signals.requested & bit:
                self.events.append((cycle, bit))
        self.signals.requested = 0


values = st.one_of(st.integers(0, 0xFF), st.sampled_from([0xFD, 0xFE, 0xFF]))
writes = st.one_of(
    st.tuples(st.sampled_from([DIV, TIMA, TMA, SB]), st.one_of(st.none(), values)),
    st.tuples(st.just(TAC), st.integers(0, 7)),
    st.tuples(st.just(SC), st.sampled_from([0x81, 0x81, 0x80, 0x01])),
)
"""An address, and what is written there; None to read."""
accesses = st.tuples(
    # M-cycles from one to the next; a transfer takes about 1,000
    st.one_of(st.integers(1, 9), st.integers(1, 600), st.integers(900, 1100)),
    writes,
)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.integers(0, 0x3FFF), st.lists(accesses, max_size=40))
def test_the_timers_do_what_the_circuit_does(
    counter: int, script: list[tuple[int, tuple[int, int | None]]]
) -> None:
    circuit, lazy = Circuit(counter), Lazy(counter)
    cycle = 0
    for distance, (address, value) in script:
        for _ in range(distance):
            cycle += 1
            circuit.tick(cycle)
        lazy.go_to(cycle)
        if value is not None:
            circuit.write(address, value, cycle)
            lazy.write(address, value, cycle)
        if address != SC:
            assert lazy.device(address).read(address, cycle) == circuit.read(address)
        assert sorted(lazy.events) == sorted(circuit.events)


def started(tac: int, tima: int = 0, tma: int = 0) -> Lazy:
    """Timers whose counter is 0 at cycle 0."""
    lazy = Lazy(0)
    for address, value in ((TMA, tma), (TIMA, tima), (TAC, tac)):
        lazy.timer.write(address, value, 0)
    return lazy


@pytest.mark.parametrize(("tac", "period"), PERIODS.items())
def test_the_four_speeds(tac: int, period: int) -> None:
    timer = started(tac).timer
    at = (period - 1, period, 2 * period - 1, 2 * period)
    assert [timer.read(TIMA, cycle) for cycle in at] == [0, 1, 1, 2]


def test_a_stopped_timer_is_never_due() -> None:
    assert started(3).timer.due() == NEVER


def test_tima_is_zero_for_a_cycle_before_it_is_loaded() -> None:
    lazy = started(6, tima=0xFF, tma=0x42)
    assert lazy.timer.due() == 17
    assert [lazy.timer.read(TIMA, cycle) for cycle in (15, 16, 17)] == [0xFF, 0x00, 0x42]
    assert lazy.signals.requested == Interrupt.TIMER


@pytest.mark.parametrize(
    ("register", "cycle", "tima", "requested"),
    [
        (TIMA, 15, 0x78, 0),
        (TIMA, 16, 0x77, 0),  # in place of the load
        (TIMA, 17, 0x42, Interrupt.TIMER),  # lost
        (TIMA, 18, 0x77, Interrupt.TIMER),
        (TMA, 16, 0x77, Interrupt.TIMER),
        (TMA, 17, 0x77, Interrupt.TIMER),  # goes through
        (TMA, 18, 0x42, Interrupt.TIMER),
    ],
)
def test_writes_around_an_overflow(register: int, cycle: int, tima: int, requested: int) -> None:
    lazy = started(6, tima=0xFF, tma=0x42)
    lazy.timer.write(register, 0x77, cycle)
    assert lazy.timer.read(TIMA, 20) == tima
    assert lazy.signals.requested == requested


def test_a_write_to_div_counts_when_the_bit_was_set() -> None:
    for cycle, tima in ((7, 0), (8, 1), (15, 1), (16, 1)):
        lazy = started(6)
        lazy.divider.write(DIV, 0, cycle)
        assert lazy.timer.read(TIMA, cycle) == tima
        assert lazy.timer.read(TIMA, cycle + 15) == tima
        assert lazy.timer.read(TIMA, cycle + 16) == tima + 1


def test_to_stop_the_timer_counts_when_the_bit_was_set() -> None:
    for cycle, tima in ((7, 0), (8, 1)):
        timer = started(6).timer
        timer.write(TAC, 2, cycle)
        assert timer.read(TIMA, 1000) == tima


def test_div_counts_every_64_cycles_and_is_cleared_by_any_write() -> None:
    divider = Divider(0)
    assert [divider.read(DIV, cycle) for cycle in (63, 64, 0x3FFF, 0x4000)] == [0, 1, 0xFF, 0]
    divider.write(DIV, 0x99, 100)
    assert [divider.read(DIV, cycle) for cycle in (100, 163, 164)] == [0, 0, 1]


def test_a_transfer_takes_eight_bits_of_128_cycles() -> None:
    lazy = Lazy(0)
    lazy.serial.write(SB, 0x5A, 0)
    lazy.serial.write(SC, 0x81, 0)
    assert lazy.serial.due() == 1024
    assert lazy.serial.read(SB, 127) == 0x5A
    assert lazy.serial.read(SB, 128) == 0xB5
    assert (lazy.serial.read(SC, 1023), lazy.signals.requested) == (0xFF, 0)
    assert (lazy.serial.read(SC, 1024), lazy.signals.requested) == (0x7F, Interrupt.SERIAL)
    assert lazy.serial.read(SB, 1024) == 0xFF
    assert bytes(lazy.serial.cable.sent) == b"\x5a"


def test_with_an_external_clock_nothing_is_sent() -> None:
    lazy = Lazy(0)
    lazy.serial.write(SC, 0x80, 0)
    assert lazy.serial.due() == NEVER
    assert lazy.serial.read(SC, 100_000) == 0xFE
    assert not lazy.serial.cable.sent


def test_a_timer_interrupt_comes_on_time() -> None:
    """TIMA overflows every 16 M-cycles; the handler takes the program's count of instructions."""
    program = (
        """
        ld a, $FF
        ldh [$06], a
        ldh [$05], a
        ld a, 4
        ldh [$FF], a
        ld a, 0
        ldh [$0F], a
        ldh [$04], a        ; the counter is 0
        ld a, 6
        ldh [$07], a        ; 5 M-cycles later it runs
        ei
        nop                 ; 7 M-cycles: each nop is one
    """
        + "nop\n" * 40
    )
    game = GameBoy(cartridge(program, {0x50: "ld b, b"}))
    assert game.run_to_breakpoint(LIMIT)
    pushed = game.peek(game.registers.sp) | game.peek(game.registers.sp + 1) << 8
    # Overflow at 16, request at 17. The instruction fetched at that cycle is not executed; the
    # counter is 7 when the first nop after "ei" is fetched.
    first_nop = 0x150 + 21
    assert pushed == first_nop + 10

"""How the SM83 takes interrupts, rests in HALT, and what EI and DI let through."""

from __future__ import annotations

import pytest
from interpret import IDLE, Interpreter

from romproof.isa.sm83 import HALTED, REGISTERS, RUNNING, sm83

CPU = sm83()
AT = 0xC100
"""Where the tests' code is."""
IE, IF = 0xFFFF, 0xFF0F
VBLANK, LCD, TIMER, SERIAL, BUTTONS = 1, 2, 4, 8, 16
NOP, INC_A, LD_A, HALT, RETI, DI, EI = 0x00, 0x3C, 0x3E, 0x76, 0xD9, 0xF3, 0xFB
TIMER_HANDLER = 0x0050


class Board(Interpreter):
    """The CPU with IE and IF in its memory, which otherwise holds 0: nop everywhere."""

    def __init__(self, *code: int, enabled: int = 0, requested: int = 0, **registers: int) -> None:
        memory = dict.fromkeys(range(0x10000), NOP) | dict(enumerate(code, AT))
        memory |= {IE: enabled, IF: requested}
        values = dict.fromkeys(REGISTERS, 0) | {"pc": AT, "sp": 0xD000} | registers
        super().__init__(CPU, values, memory, self._signal, self._acknowledge)
        self.acknowledged: list[int] = []
        self.late = 0
        """What a halted CPU does not see yet: it came in the second half of the last cycle."""

    def _signal(self, line: str) -> int:
        pending = self.memory[IE] & self.memory[IF] & 0x1F
        return {"pending": pending, "waking": pending & ~self.late}[line]

    def _acknowledge(self, line: str, mask: int) -> None:
        assert line == "interrupt"
        self.acknowledged.append(mask)
        self.memory[IF] &= ~mask

    def steps(self, number: int) -> list[int]:
        """Step so often; where each step led."""
        places = []
        for _ in range(number):
            self.step()
            places.append(self.registers["pc"])
        return places


# ---------------------------------------------------------------- the sequence


def test_an_interrupt_takes_five_cycles() -> None:
    board = Board(INC_A, enabled=TIMER, requested=TIMER, ime=1)
    board.step()
    assert board.bus == [
        ("r", AT, INC_A),
        IDLE,
        IDLE,
        ("w", 0xCFFF, AT >> 8),
        ("w", 0xCFFE, AT & 0xFF),
    ]
    assert board.registers["pc"] == TIMER_HANDLER
    assert board.registers["sp"] == 0xCFFE
    assert board.registers["ime"] == 0
    assert board.registers["a"] == 0
    assert board.acknowledged == [TIMER]


@pytest.mark.parametrize(
    ("requested", "handler", "served"),
    [
        (VBLANK, 0x40, VBLANK),
        (LCD, 0x48, LCD),
        (TIMER, 0x50, TIMER),
        (SERIAL, 0x58, SERIAL),
        (BUTTONS, 0x60, BUTTONS),
        (0x1F, 0x40, VBLANK),
        (BUTTONS | LCD, 0x48, LCD),
        (BUTTONS | SERIAL | 0xE0, 0x58, SERIAL),
    ],
)
def test_the_lowest_bit_is_served_first(requested: int, handler: int, served: int) -> None:
    board = Board(enabled=0xFF, requested=requested, ime=1)
    assert board.steps(1) == [handler]
    assert board.memory[IF] == requested & ~served


@pytest.mark.parametrize(
    ("enabled", "requested", "ime"),
    [(0, 0x1F, 1), (0x1F, 0, 1), (TIMER, SERIAL, 1), (0xE0, 0xE0, 1), (0x1F, 0x1F, 0)],
)
def test_nothing_to_serve(enabled: int, requested: int, ime: int) -> None:
    board = Board(INC_A, enabled=enabled, requested=requested, ime=ime)
    assert board.steps(1) == [AT + 1]
    assert board.registers["a"] == 1
    assert board.memory[IF] == requested


# The push of an interrupt can write IE at $FFFF. These are the rounds of mooneye's test ie_push:
# the code is at $0200, and its high byte 2 or low byte becomes IE.


def test_the_push_of_the_high_byte_can_cancel_the_interrupt() -> None:
    board = Board(enabled=TIMER, requested=TIMER, ime=1, sp=0x0000, pc=0x0200)
    assert board.steps(1) == [0x0000]
    assert board.memory[IE] == 0x02
    assert board.memory[IF] == TIMER
    assert board.registers["ime"] == 0
    assert len(board.bus) == 5


def test_the_push_of_the_high_byte_can_change_the_interrupt() -> None:
    board = Board(enabled=VBLANK | LCD, requested=VBLANK | LCD, ime=1, sp=0x0000, pc=0x0200)
    assert board.steps(1) == [0x0048]
    assert board.memory[IF] == VBLANK


def test_the_push_of_the_low_byte_comes_too_late() -> None:
    board = Board(enabled=SERIAL, requested=SERIAL, ime=1, sp=0x0001, pc=0x0235)
    assert board.steps(1) == [0x0058]
    assert board.memory[IE] == 0x35
    assert board.memory[IF] == 0


# ---------------------------------------------------------------- EI, DI, RETI


def test_ei_lets_one_more_instruction_pass() -> None:
    board = Board(EI, INC_A, INC_A, enabled=TIMER, requested=TIMER)
    assert board.steps(3) == [AT + 1, AT + 2, TIMER_HANDLER]
    assert board.registers["a"] == 1


def test_ei_again_does_not_put_the_interrupt_off() -> None:
    board = Board(EI, EI, EI, EI, enabled=TIMER, requested=TIMER)
    assert board.steps(3) == [AT + 1, AT + 2, TIMER_HANDLER]


def test_ei_while_enabled_lets_no_instruction_pass() -> None:
    board = Board(EI, INC_A, enabled=TIMER, ime=1)
    board.step()
    board.memory[IF] = TIMER
    assert board.steps(1) == [TIMER_HANDLER]


def test_di_takes_effect_at_once() -> None:
    board = Board(DI, INC_A, enabled=TIMER, ime=1)
    board.step()
    board.memory[IF] = TIMER
    assert board.steps(1) == [AT + 2]


def test_di_after_ei_keeps_interrupts_off() -> None:
    board = Board(EI, DI, INC_A, INC_A, enabled=TIMER, requested=TIMER)
    assert board.steps(4) == [AT + 1, AT + 2, AT + 3, AT + 4]
    assert board.registers["ime"] == 0


def test_reti_enables_at_once() -> None:
    board = Board(RETI, enabled=TIMER, requested=TIMER)
    board.memory |= {0xD000: 0x34, 0xD001: 0x12}
    assert board.steps(2) == [0x1234, TIMER_HANDLER]


# ---------------------------------------------------------------- HALT


def test_halt_rests_until_something_is_pending() -> None:
    board = Board(HALT, INC_A, enabled=TIMER)
    assert board.steps(4) == [AT + 1] * 4
    assert board.bus == [("r", AT, HALT), IDLE, IDLE, IDLE]
    assert board.registers["mode"] == HALTED
    board.memory[IF] = SERIAL  # not enabled
    assert board.steps(1) == [AT + 1]
    board.memory[IF] = TIMER
    assert board.steps(1) == [AT + 2]
    assert board.registers["a"] == 1
    assert board.registers["mode"] == RUNNING
    assert board.memory[IF] == TIMER


def test_halt_ends_in_the_handler_when_interrupts_are_enabled() -> None:
    board = Board(HALT, INC_A, enabled=TIMER, ime=1)
    board.steps(3)
    board.memory[IF] = TIMER
    assert board.steps(1) == [TIMER_HANDLER]
    assert board.bus[3:] == [
        ("r", AT + 1, INC_A),
        IDLE,
        IDLE,
        ("w", 0xCFFF, AT + 1 >> 8),
        ("w", 0xCFFE, AT + 1 & 0xFF),
    ]
    assert board.registers["mode"] == RUNNING


@pytest.mark.parametrize("ime", [0, 1])
def test_halt_takes_the_time_of_nops(ime: int) -> None:
    """As mooneye's tests halt_ime0_nointr_timing and halt_ime1_timing2 find on hardware."""

    def cycles_until(code: tuple[int, ...], event: int) -> int:
        """When the CPU does what comes after a wait that ``event`` cycles have ended."""
        board = Board(*code, enabled=TIMER, ime=ime)
        while len(board.bus) < event:
            board.step()
        board.memory[IF] = TIMER
        board.step()
        return len(board.bus)

    assert cycles_until((HALT,), 6) == cycles_until((NOP,) * 6, 6)


@pytest.mark.parametrize("ime", [0, 1])
def test_what_comes_late_in_a_cycle_ends_halt_a_cycle_later(ime: int) -> None:
    """gbmicrotest on a DMG: ``int_timer_halt`` 15 M-cycles, ``int_timer_nops`` 14."""
    board = Board(HALT, INC_A, enabled=TIMER | LCD, ime=ime)
    board.steps(2)
    board.memory[IF] = board.late = TIMER
    assert board.steps(1) == [AT + 1]
    assert (board.bus[-1], board.registers["mode"]) == (IDLE, HALTED)
    board.late = 0
    assert board.steps(1) == [TIMER_HANDLER if ime else AT + 2]


def test_halt_bug_fetches_the_next_byte_twice() -> None:
    board = Board(HALT, INC_A, NOP, enabled=TIMER, requested=TIMER)
    assert board.steps(4) == [AT + 1, AT + 1, AT + 2, AT + 3]
    assert board.registers["a"] == 2


def test_halt_bug_makes_an_opcode_its_own_operand() -> None:
    board = Board(HALT, LD_A, INC_A, enabled=TIMER, requested=TIMER)
    assert board.steps(3) == [AT + 1, AT + 2, AT + 3]
    assert board.registers["a"] == LD_A + 1


def test_the_handler_of_a_pending_interrupt_returns_to_a_halt_after_ei() -> None:
    board = Board(EI, HALT, INC_A, enabled=TIMER, requested=TIMER)
    board.memory[TIMER_HANDLER] = RETI
    assert board.steps(4) == [AT + 1, AT + 1, TIMER_HANDLER, AT + 1]
    assert board.steps(3) == [AT + 2] * 3
    assert board.registers["mode"] == HALTED


def test_ei_before_halt_waits_with_interrupts_enabled() -> None:
    board = Board(EI, HALT, INC_A, enabled=TIMER)
    board.steps(4)
    board.memory[IF] = TIMER
    assert board.steps(1) == [TIMER_HANDLER]

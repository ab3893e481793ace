"""The buttons."""

from __future__ import annotations

import pytest
from gameboy_programs import LIMIT, cartridge

from romproof.engine.protocol import Stop
from romproof.engine.space import Signals
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.joypad import BUTTONS, P1, Joypad, NoSuchButton
from romproof.machine.gameboy.machine import GameBoy

DIRECTIONS, ACTIONS, BOTH, NEITHER = 0x20, 0x10, 0x00, 0x30
"""What is written to P1 to choose a group."""


@pytest.mark.parametrize(
    ("button", "directions", "actions"),
    [
        ("right", 0xEE, 0xDF),
        ("left", 0xED, 0xDF),
        ("up", 0xEB, 0xDF),
        ("down", 0xE7, 0xDF),
        ("a", 0xEF, 0xDE),
        ("b", 0xEF, 0xDD),
        ("select", 0xEF, 0xDB),
        ("start", 0xEF, 0xD7),
    ],
)
def test_a_button_pulls_its_line_down(button: str, directions: int, actions: int) -> None:
    joypad = Joypad(Signals())
    joypad.press(button)
    seen = {}
    for chosen in (DIRECTIONS, ACTIONS, NEITHER):
        joypad.write(P1, chosen, 0)
        seen[chosen] = joypad.read(P1, 0)
    assert seen == {DIRECTIONS: directions, ACTIONS: actions, NEITHER: 0xFF}
    joypad.release(button)
    joypad.write(P1, BOTH, 0)
    assert joypad.read(P1, 0) == 0xCF


def test_the_interrupt_comes_when_a_line_falls() -> None:
    signals = Signals()
    joypad = Joypad(signals)

    def requested() -> int:
        found, signals.requested = signals.requested, 0
        return found

    joypad.write(P1, ACTIONS, 0)
    joypad.press("up")
    assert requested() == 0, "the directions are not chosen"
    joypad.press("a")
    assert requested() == Interrupt.JOYPAD
    joypad.press("a")
    assert requested() == 0, "it is down already"
    joypad.write(P1, BOTH, 0)
    assert requested() == Interrupt.JOYPAD, "now the line of up falls"
    joypad.press("select")
    assert requested() == 0, "it shares the line with up"
    joypad.release("a")
    assert requested() == 0


def test_an_unknown_button() -> None:
    with pytest.raises(NoSuchButton, match=r"no button 'strat'; .*start.*there are: right, left"):
        Joypad(Signals()).press("strat")
    assert len(BUTTONS) == 8


def test_a_program_that_waits_for_start() -> None:
    game = GameBoy(
        cartridge("""
            ld a, $10
            ldh [$00], a
        wait:
            ldh a, [$00]
            and a, $08
            jr nz, wait
            ld b, b
        """)
    )
    assert not game.run_to_breakpoint(50_000)
    game.press("start")
    assert game.run_to_breakpoint(LIMIT)


def test_stop_waits_for_a_button() -> None:
    game = GameBoy(
        cartridge("""
            ld a, $10
            ldh [$00], a
            stop
            nop
            ldh a, [$04]
            ld b, b
        """)
    )
    assert game.run(10_000) is Stop.STOPPED
    stopped_at = game.cycles
    assert not game.run_to_breakpoint(10_000)
    game.press("left")  # of the group that is not chosen
    assert game.run(10_000) is Stop.STOPPED
    assert game.cycles == stopped_at, "no time passes"
    game.press("b")
    assert game.run_to_breakpoint(LIMIT)
    assert game.registers.a == 0, "stop clears DIV"


def test_stop_does_not_wait_while_a_button_is_down() -> None:
    game = GameBoy(cartridge("stop\n nop\n ld b, b"))
    game.press("a")
    assert game.run_to_breakpoint(LIMIT)


def test_stop_clears_the_counter_that_the_timer_goes_by() -> None:
    """TIMA overflows at once when the bit it counts was set: not 256 M-cycles after the last."""
    game = GameBoy(
        cartridge(
            """
            ld a, 4
            ldh [$FF], a
            ldh [$07], a
            ld a, 0
            ldh [$0F], a
            ldh [$04], a
            ld a, $FF
            ldh [$05], a
            ld b, 34            ; 4 M-cycles each
        wait:
            dec b
            jr nz, wait
            ei
            stop
        """
            + "nop\n" * 200,
            {0x50: "ldh a, [$04]\n ld b, b"},
        )
    )
    overflowed = (0xFC, 0x00)
    assert game.run_until(lambda g: (g.peek(0xFF07), g.peek(0xFF05)) == overflowed, 10_000), (
        "a condition is looked at when the CPU has stopped, too"
    )
    game.press("a")
    assert game.run_to_breakpoint(LIMIT)
    assert (game.registers.a, game.peek(0xFF05)) == (0, 0)

"""Game Boys that a test makes and runs by itself: listeners hear of them, too."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from romproof.engine.protocol import Observer
from romproof.harness.calls.listening import LISTENERS, Listener, ObservedRun, tell_unobserved
from romproof.harness.checks.running import join_observers
from romproof.harness.state.stubbed_board import tell_begin
from romproof.machine.gameboy import machine as gameboy
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.gameboy.machine import GameBoy
from romproof.program.image import Image
from romproof.program.known import image_of


@dataclass(slots=True)
class _Listening:
    """What is known of a Game Boy: its program, None where nobody has it, and who observes it."""

    board: GameBoyBoard
    image: Image | None
    observers: dict[Listener, Observer | None] = field(default_factory=dict)
    again: bool = False


_HEARD: WeakKeyDictionary[GameBoy, _Listening] = WeakKeyDictionary()


def _observe(machine: GameBoy, observer: Observer | None) -> Observer | None:
    """Who observes a run that begins on ``machine``: ``observer``, and the listeners."""
    if not LISTENERS:
        return observer
    heard = _HEARD.get(machine)
    if heard is None:
        heard = _HEARD[machine] = _Listening(GameBoyBoard.around(machine), image_of(machine.rom))
        if heard.image is None:
            tell_unobserved("a GameBoy with a ROM that no program has", 1, "run")
    if heard.image is None:
        return observer
    run = ObservedRun(heard.image, heard.board, None, 0, heard.again)
    heard.again = True
    for listener in LISTENERS:
        known = heard.observers.get(listener)
        own = heard.observers[listener] = listener.observer(run, known)
        tell_begin(own, machine.cycles)
        observer = join_observers(observer, own)
    return observer


gameboy.on_run = _observe


def listen(listener: Listener) -> None:
    """Tell a listener of runs from now on, those of machines that tests make included."""
    LISTENERS.append(listener)

"""What a test adds to a machine: devices of its own, and stubs in place of routines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from romproof.engine.devices import Device
from romproof.harness.state.stubbed_board import Stub, StubbedBoard
from romproof.harness.state.tape import Recorder, Tape, TapeEvent, TapePlayer
from romproof.isa.abi import Abi
from romproof.machine.board import Board, InBank


class Guests:
    """The devices and stubs on a board, with a tape of what they do in each run.

    ``stage`` is the board with the stubs. True when there are any.
    """

    def __init__(self, board: Board, abi: Abi) -> None:
        self._abi = abi
        self._stubs: dict[int, list[Stub]] = {}
        self._places: list[tuple[int, int]] = []
        self.stage = StubbedBoard(board, abi, self._stubs)
        self.tape = Tape()

    def __bool__(self) -> bool:
        return bool(self._stubs or self._places)

    @property
    def acting(self) -> bool:
        """Whether one of them is being called back."""
        return self.tape.inside is not None

    def attach(self, first: int, last: int, device: Device) -> None:
        """Put a device at the addresses from ``first`` to ``last``."""
        self._places.append((first, last))
        self.stage.board.space.attach(first, last, Recorder(device, lambda: self.tape))

    def stub(
        self,
        address: int,
        act: Callable[[], object],
        cycles: int,
        home: InBank | None,
        name: str,
    ) -> None:
        """Have ``act`` called in place of the code at an address, which is called ``name``: in the
        bank ``home``, or in whatever is in sight."""
        self.unstub(address, home)
        here = self._stubs.setdefault(address, [])
        here.append(Stub(partial(self._record, act), cycles, home, name))
        here.sort(key=lambda stub: stub.home is None)  # the bank's own come first

    def unstub(self, address: int, home: InBank | None) -> bool:
        """Take a stub away; False when there is none."""
        here = self._stubs.get(address, [])
        left = [stub for stub in here if stub.home != home]
        if len(left) == len(here):
            return False
        self._stubs[address] = left
        if not left:
            del self._stubs[address]
        return True

    def _record(self, act: Callable[[], object]) -> bool:
        tape, registers = self.tape, self.stage.engine.registers
        before = registers.pc
        event = tape.inside = TapeEvent()
        try:
            act()
        finally:
            tape.inside = None
        event.value = int(registers.pc == before)
        tape.events.append(event)
        return bool(event.value)

    def new_tape(self, make: Callable[..., Board]) -> Callable[..., StubbedBoard]:
        """Begin a tape for a run; gives what makes a stage on which that run can be repeated, on
        another engine if it is given the name of one."""
        if not self:
            return partial(_bare, make, self._abi)
        tape = self.tape = Tape()
        stubs = {address: tuple(here) for address, here in self._stubs.items()}
        return partial(_with_player, make, self._abi, tape, tuple(self._places), stubs)


def _bare(make: Callable[..., Board], abi: Abi, *engine: str) -> StubbedBoard:
    return StubbedBoard(make(*engine), abi)


def _with_player(
    make: Callable[..., Board],
    abi: Abi,
    tape: Tape,
    places: tuple[tuple[int, int], ...],
    stubs: dict[int, tuple[Stub, ...]],
    *engine: str,
) -> StubbedBoard:
    """A new board with a player of ``tape`` wherever the test has a device or a stub."""
    board = make(*engine)
    player = TapePlayer(tape, board)
    for first, last in places:
        board.space.attach(first, last, player)
    played = {
        at: [replace(stub, act=partial(player.stub, stub.name)) for stub in here]
        for at, here in stubs.items()
    }
    return StubbedBoard(board, abi, played, player)

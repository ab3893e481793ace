"""A machine with a program in it: routines called one after another, or the program run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial
from typing import Any

from romproof.engine.devices import Device
from romproof.engine.instruments import MemoryEvent, Watchpoint
from romproof.engine.protocol import Observer
from romproof.engine.registers import RegisterFile
from romproof.harness.calls.calling import LIMIT, CallRequest, Check, Course, Routines
from romproof.harness.calls.cpu_view import RegisterView
from romproof.harness.calls.runner import MachineSetup, Runner
from romproof.harness.checks.program_stack import Setter
from romproof.harness.errors import NotReached
from romproof.harness.machine_state import MachineState, RunState
from romproof.harness.state.access_log import Access, AccessLog
from romproof.harness.state.arguments import start_registers
from romproof.harness.state.buttons import Buttons
from romproof.harness.state.memory import BoardMemory
from romproof.harness.state.result import Result
from romproof.harness.state.stubbed_board import Homes
from romproof.harness.state.tape import Effect
from romproof.harness.state.values import (
    BadValue,
    GivenValue,
    Target,
    encode,
    extent,
    labels_code,
    place,
)
from romproof.isa.abi import abi_of
from romproof.machine.board import Board, InBank
from romproof.machine.screen import Screen
from romproof.machine.statefile import digest_of
from romproof.machine.statevalues import unlike
from romproof.program.image import Image

FRAMES = 600
"""Frames for which a condition is waited, if not said otherwise: ten seconds."""


class Machine(Routines):
    """A board with a program in it, whose memory persists between calls.

    Registers do not persist from call to call: each starts with those it is given. A program that
    runs (``run_until``, ``run_frames``) keeps its registers, also over calls in between, which
    use its stack. ``buttons`` are those of the machine's controllers.
    """

    def __init__(self, setup: MachineSetup) -> None:
        image = self.image = setup.image
        self._abi = abi_of(image.cpu)
        self._journal = setup.journal
        board = self._board = setup.make()
        self._memory = BoardMemory(board, image)
        self._runner = Runner(setup, board, self._memory)
        self._guests = self._runner.guests
        self._first = board.save()
        self._places_of: dict[Target, tuple[int, int]] = {}
        self._uninitialised = setup.uninitialised
        self.buttons = Buttons(board.buttons, self._press, self._release)

    # ------------------------------------------------------------ what is in the machine

    @property
    def registers(self) -> RegisterView:
        """The registers and flags, to read and to set between runs and in stubs."""

        def change(name: str, value: int) -> None:
            abi = self._abi
            if name == abi.stack_pointer.attribute:
                self._runner.rooms.setter = Setter.CALLER
            self._note_effect(
                lambda board: setattr(RegisterView(board.engine, abi, _silent), name, value)
            )

        return RegisterView(self._board.engine, self._abi, change)

    @property
    def cycles(self) -> int:
        """Cycles of the CPU since the machine was made, SM83: M-cycles."""
        return self._board.engine.cycles

    @property
    def in_sight(self) -> Image:
        """The part of the program that is in sight now."""
        return self._memory.loaded

    @property
    def board(self) -> Board:
        """The machine itself, with the attributes of its kind."""
        return self._board

    @property
    def screen(self) -> Screen:
        """What the machine shows: its last complete frame. Raises BoardError on a machine whose
        picture is not drawn."""
        return self._board.draw()

    def screen_without(self, *, objects: bool = False, window: bool = False) -> Screen:
        """The same without its objects (sprites), its window, or both, as said by True."""
        return self._board.draw(not objects, not window)

    def read(self, target: Target, size: int | None = None) -> bytes:
        """``size`` bytes at a symbol or address; the symbol's size when not given.

        Reading a device's register has no effect on the device. Raises UnknownSymbol, and
        BadValue when no size is known.
        """
        address, count = extent(self.image, target, size)
        data = self._memory.read(target, address, count)
        self._journal.note(self._runner.record, address, data)
        return data

    def show(self, target: Target) -> Image:
        """Bring the bank of a symbol in sight; the part of the program that is in sight then.
        Raises UnknownSymbol, BadValue and BoardError."""
        self._memory.show(target, place(self.image, target)[0], None)
        return self._memory.loaded

    def write(self, target: Target, value: GivenValue, code: bool = False) -> None:
        """Set memory, read-only memory too. ``code``: it may be executed there.

        Raises UnknownSymbol, and BadValue when the value does not fit.
        """
        address, data = encode(self.image, target, value)
        self._memory.write(target, address, data)
        if self._guests.acting:
            tape = self._guests.tape
            tape.note_effect(
                lambda board: BoardMemory(board, self.image).write(target, address, data),
                (address, data),
            )
        written = range(address, address + len(data))
        self._runner.note_write(written)
        if code:
            self._runner.allow_code(written)

    def _write_all(self, values: Mapping[Target, GivenValue]) -> None:
        """Set memory before a call, as ``write`` does."""
        plain = None if self._guests.acting else self._memory.plain
        if plain is None:
            for target, value in values.items():
                self.write(target, value)
            return
        written: list[tuple[int, int]] = []
        known = self._places_of
        try:
            for target, value in values.items():
                place_of = known.get(target)
                if place_of is not None and type(value) is bytes and len(value) == place_of[1]:
                    address, data = place_of[0], value  # as in most calls: nothing to convert
                else:
                    address, data = encode(self.image, target, value)
                    if type(target) is str:
                        known[target] = address, len(data)
                end = address + len(data)
                if end > len(plain):
                    self.write(target, value)
                else:
                    plain[address:end] = data
                    written.append((address, end))
        finally:
            self._runner.all_written(tuple(written))

    def reset(self) -> None:
        """Bring the machine back to its state at the start; devices and stubs stay."""
        self._board.restore(self._first)
        self._runner.begin_anew()

    def save(self) -> MachineState:
        """The state of the machine, for ``restore``, and for a file by its ``to_bytes``; a test's
        own devices are not part of it."""
        runner, board = self._runner, self._board
        run = RunState(runner.unknown, runner.called, runner.started, runner.rooms.setter)
        return MachineState(board.name, self._digest, board.save(), run, board.program)

    def restore(self, saved: MachineState | bytes) -> None:
        """Return to a state that ``save`` has stored, on this machine or another with the same
        program, or to what its ``to_bytes`` gave.

        Raises BadState, and changes nothing, for a state of another program, machine or version
        of romproof, and for bytes that are damaged.
        """
        if not isinstance(saved, MachineState):
            saved = MachineState.from_bytes(saved)
        board, run = saved.on(self._board, self._digest)
        runner = self._runner
        if saved.is_from_file:
            self._restore_strange(board)
        else:
            self._board.restore(board)
        runner.unknown, runner.called, runner.started = run.unknown, run.called, run.started
        runner.rooms.setter = run.setter
        runner.left_out = None

    def _restore_strange(self, saved: Any) -> None:
        """Restore what a file said, or be as before where its numbers make no sense together.
        Raises BadState."""
        before = self._board.save()
        try:
            self._board.restore(saved)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            self._board.restore(before)
            raise unlike("its numbers do not go together") from None

    @cached_property
    def _digest(self) -> str:
        return digest_of(self.image, self._board.name)

    # ------------------------------------------------------------ what a test adds

    def attach(self, where: Target | range, device: Device) -> None:
        """Put a device at an address, a symbol's place or a range of addresses.

        It has ``read(address, cycle)`` and ``write(address, value, cycle)``; ``cycle`` are the
        machine's cycles before the access, dummy accesses are accesses. It hides the memory there.
        Raises UnknownSymbol, and BadValue for an object that is not a device.
        """
        for name in ("read", "write"):
            if not callable(getattr(device, name, None)):
                raise BadValue(
                    f"attach() needs a device with the methods read(address, cycle) and "
                    f"write(address, value, cycle); {device!r} has no '{name}'"
                )
        if isinstance(where, range):
            first, last = (where[0], where[-1]) if len(where) else (-1, -1)
        else:
            first, size = place(self.image, where)
            last = first + (size or 1) - 1
        if not 0 <= first <= last <= 0xFFFF:
            raise BadValue(f"attach(): {where!r} are not addresses of 16 bits")
        self._guests.attach(first, last, device)

    def stub(
        self, routine: Target, act: Callable[[Machine], object], *, cycles: int | None = None
    ) -> None:
        """Call ``act(machine)`` whenever execution comes to a routine, by a call or a jump, and
        return to its caller as the routine would.

        ``act`` may read and write memory, registers and buttons, and ask for interrupts; where it
        sets ``machine.registers.pc``, execution goes on there. Registers it does not set stay as
        they are. ``cycles`` is the time of the stub, by default that of the return. Raises
        UnknownSymbol and BadValue.
        """
        address, _ = place(self.image, routine)
        home = self._memory.home(routine, address)
        usual = 6 if self._abi.return_bias else 4
        spent = usual if cycles is None else cycles
        if spent < 0:
            raise BadValue(f"stub(): cycles={spent} is less than 0")
        name = routine if isinstance(routine, str) else self._memory.loaded.describe(routine)
        self._guests.stub(address, partial(act, self), spent, home, name)

    def unstub(self, routine: Target) -> None:
        """Execute a routine again that has a stub. Raises BadValue when it has none."""
        address, _ = place(self.image, routine)
        if not self._guests.unstub(address, self._memory.home(routine, address)):
            raise BadValue(f"unstub(): {routine!r} has no stub")

    def watch(self, *targets: Target, reads: bool = True, writes: bool = True) -> AccessLog:
        """Write down the accesses to some places from now on, in their order.

        A symbol is watched in all its bytes, at all addresses where it can be seen; the label of
        an instruction at its first byte, which is read whenever it is executed. Raises
        UnknownSymbol and BadValue, and runs raise Unsupported on an engine without instruments.
        """
        log = AccessLog()
        for target in targets:
            address, size = place(self.image, target)
            if isinstance(target, str) and labels_code(self.image, target):
                size = 1
            name = target if isinstance(target, str) else f"${address:04X}"
            home = self._memory.home(target, address)
            for at in range(address, address + (size or 1)):
                for same in sorted(self._board.mirrors(at & 0xFFFF)):
                    note = partial(self._note, log, name, home)
                    self._runner.points.append(Watchpoint(same, same, reads, writes, note))
        return log

    def tell_accesses(self, point: Watchpoint) -> None:
        """Tell a callback of accesses from now on. Runs raise Unsupported on an engine without
        instruments."""
        self._runner.points.append(point)

    def _note(self, log: AccessLog, name: str, home: InBank | None, event: MemoryEvent) -> None:
        if home is not None and not home.is_shown(self._board):
            return
        there = self._memory.loaded.format_address(event.pc)
        routine = f"${event.pc:04X}" if there is None else there.partition("+")[0]
        log.accesses.append(
            Access(name, event.address, event.value, event.cycle, routine, event.is_write)
        )

    def interrupt(self, name: str) -> None:
        """Ask for an interrupt: ``nmi``, ``irq``; SM83: ``vblank``, ``stat``, ``timer``,
        ``serial``, ``joypad``. The CPU serves it in the next run, when it is enabled.

        Raises BoardError for another name, and runs raise Unsupported on an engine without
        interrupts.
        """
        self._board.interrupt(name)
        self._note_effect(lambda board: board.interrupt(name))

    def _press(self, button: str, player: int) -> None:
        self._board.press(button, player)
        self._note_effect(lambda board: board.press(button, player))

    def _release(self, button: str, player: int) -> None:
        self._board.release(button, player)
        self._note_effect(lambda board: board.release(button, player))

    def _note_effect(self, effect: Effect) -> None:
        self._guests.tape.note_effect(effect)

    # ------------------------------------------------------------ calls and runs

    def _carry_out(self, call: CallRequest) -> Result:
        """See Routines."""
        address, _ = place(self.image, call.routine)
        start = start_registers(self._abi, address, call.registers, call.flags)
        running = self._board.engine.registers.copy() if self._runner.started else None
        self._memory.show(call.routine, address, call.bank)
        if call.mem:
            self._write_all(call.mem)
        wanted = self._uninitialised if call.uninitialised is None else call.uninitialised
        try:
            return self._runner.call(call, address, start, wanted)
        finally:
            if running is not None:
                self._board.engine.registers.set(running)

    def run_from(
        self,
        start: Target,
        until: Target | Iterable[Target],
        *,
        flags: Mapping[str, int] | None = None,
        limit: int = LIMIT,
        check: Check = True,
        allow_brk: bool = False,
        observer: Observer | None = None,
        **registers: int | None,
    ) -> Result:
        """Jump to ``start`` and run until one of the places ``until`` is reached.

        The stack pointer starts at $FF (6502) or $FFFE (SM83); the result's ``stack`` counts
        from there. The instruction at ``until`` is not executed, except at the very start.
        Raises as call() does.
        """
        address, _ = place(self.image, start)
        self._memory.show(start, address, None)
        stops, homes = self._places("run_from", until)
        abi = self._abi
        begin = start_registers(abi, address, registers, flags)
        abi.set(begin, abi.stack_pointer.attribute, abi.stack_start)
        self._runner.rooms.setter = Setter.CALLER
        course = Course(start, begin, stops, limit, allow_brk, homes)
        return self._runner.go(course, check, observer)

    def run_until(
        self,
        until: Target | Iterable[Target],
        *,
        limit: int = LIMIT,
        check: Check = True,
        observer: Observer | None = None,
    ) -> Result:
        """Let the program run, from where it is, until one of the places is reached.

        A machine that has not run begins where it begins after a reset. At least one instruction
        is executed. Raises as call() does; Runaway when ``limit`` cycles are not enough.
        """
        stops, homes = self._places("run_until", until)
        begin = self._running()
        pc = self.registers.pc
        course = Course(pc, begin, stops, limit, allow_brk=True, homes=homes)
        return self._runner.go(course, check, observer)

    def run_frames(
        self,
        count: int = 1,
        *,
        observer: Observer | None = None,
        on_blank: Callable[[], object] | None = None,
    ) -> None:
        """Let the program run for so many frames: until it is where it is now in the picture.

        So the vertical blank begins ``count`` times on the way, and a handler that takes less than
        the rest of a frame has returned. ``on_blank`` is called each time it has begun. Raises
        BoardError on a machine without a picture, and CallFault.
        """
        if count < 1:
            raise BadValue(f"run_frames({count}): the number must be at least 1")
        self._running()
        before_blank = self._board.frame_end() - self.cycles
        for _ in range(count):
            self._run_for(self._board.frame_end() - self.cycles, observer)
            if on_blank is not None:
                on_blank()
        frame = self._board.frame_end() - self.cycles
        self._run_for(frame - before_blank, observer)

    def wait_until(self, condition: Callable[[], object], limit: int = FRAMES) -> int:
        """Let the program run frame by frame until a condition is true; how many frames that took.

        It is looked at before the first frame, and after each. Raises NotReached when ``limit``
        frames were not enough, BoardError and CallFault.
        """
        for count in range(limit + 1):
            if condition():
                return count
            if count < limit:
                self.run_frames()
        raise NotReached(limit)

    def wait_stable(self, frames: int = 3, limit: int = FRAMES) -> Screen:
        """Let the program run until it has shown the same picture for so many frames in a row;
        that picture. Raises as ``wait_until`` does."""
        seen: list[Screen] = []

        def is_still() -> bool:
            shown = self.screen
            if seen and seen[-1] != shown:
                seen.clear()
            seen.append(shown)
            return len(seen) >= frames

        self.wait_until(is_still, limit)
        return seen[-1]

    def _run_for(self, cycles: int, observer: Observer | None) -> None:
        """Let the program run for a while."""
        if cycles > 0:
            begin, pc = self._running(), self.registers.pc
            course = Course(pc, begin, (), cycles, allow_brk=True)
            self._runner.go(course, True, observer, to_limit=True)

    def _running(self) -> RegisterFile:
        """Where the program is; a machine that has not run is started."""
        if not self._runner.started:
            self._board.start()
            self._runner.started = True
        registers: RegisterFile = self._board.engine.registers.copy()
        return registers

    def _places(
        self, method: str, until: Target | Iterable[Target]
    ) -> tuple[tuple[int, ...], Homes]:
        targets = [until] if isinstance(until, (str, int)) else list(until)
        if not targets:
            raise BadValue(f"{method} needs at least one place to stop at: until=")
        return self.places(targets)

    def places(self, targets: Collection[Target]) -> tuple[tuple[int, ...], Homes]:
        """The addresses of places, and of those in banks in which of them. Raises UnknownSymbol,
        and BadValue."""
        addresses = tuple(place(self.image, target)[0] for target in targets)
        found = [(at, self._memory.home(t, at)) for at, t in zip(addresses, targets, strict=True)]
        anywhere = {at for at, home in found if home is None}
        homes: dict[int, list[InBank]] = {}
        for at, home in found:
            if home is not None and at not in anywhere:
                homes.setdefault(at, []).append(home)
        return addresses, homes


def _silent(name: str, value: int) -> None:
    """Nobody wants to know of a register that was set."""

"""Runs on a machine: from what is asked for to a scenario, and from that to a result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from romproof.contract.checks.requirements import find_unmet
from romproof.contract.checks.view import StateView
from romproof.contract.nouns.model import INTERRUPT, Contract
from romproof.contract.nouns.state import State
from romproof.contract.reading.pointers import at_entry
from romproof.engine.checks import OFF, Checks, checks_of
from romproof.engine.instruments import Watchpoint
from romproof.engine.probe import Probed, Probing
from romproof.engine.protocol import Guard, Observer
from romproof.engine.registers import RegisterFile
from romproof.harness.calls.calling import CallRequest, Check, Course
from romproof.harness.calls.listening import LISTENERS, Listener, ObservedRun
from romproof.harness.checks.checking import (
    AccessWatch,
    MachineProgram,
    RunRequest,
    check_dependence,
    check_inverted,
    run_checked,
)
from romproof.harness.checks.checks import CheckedProgram, Guards, check_stage
from romproof.harness.checks.inverted import bits_to_invert, depends_on_inverted
from romproof.harness.checks.journal import Journal
from romproof.harness.checks.program_stack import Rooms, Setter
from romproof.harness.checks.running import Plans, join_observers
from romproof.harness.checks.stack import CallStack, call_stack
from romproof.harness.checks.uninitialised import find_variables, marks_of, subtract, subtract_all
from romproof.harness.checks.video import VideoCheck
from romproof.harness.errors import CallRecord, RequirementBroken
from romproof.harness.replay.run import Scenario
from romproof.harness.state.arguments import input_names
from romproof.harness.state.guests import Guests
from romproof.harness.state.memory import BoardMemory
from romproof.harness.state.result import Result
from romproof.harness.state.stubbed_board import StubbedBoard, save_and_view
from romproof.harness.state.values import BadValue
from romproof.isa.abi import Abi, abi_of
from romproof.machine.board import Board
from romproof.program.image import Image


@dataclass(frozen=True, slots=True)
class MachineSetup:
    """What a machine is made of: a program's ``image``, what makes a board with it, the contracts
    of what is in sight, by address, and what is known of it from other machines. ``uninitialised``
    and ``checks`` are what calls do unless they say."""

    image: Image
    make: Callable[..., Board]
    contracts: Callable[[Image], Mapping[int, Contract]]
    journal: Journal = field(default_factory=Journal)
    plans: Plans | None = None
    checks: Checks | None = None
    uninitialised: bool | None = None


class Runner:
    """Makes the runs of one machine. ``unknown`` are the addresses of variables that nothing has
    written since the machine began, ``points`` whom accesses are reported to, ``started`` says that
    the program itself runs on the machine; ``record`` is the last of its runs."""

    def __init__(self, setup: MachineSetup, board: Board, memory: BoardMemory) -> None:
        self._image = setup.image
        abi = self._abi = abi_of(setup.image.cpu)
        self._make = setup.make
        self._board = board
        self._memory = memory
        self._contracts = setup.contracts
        self._journal = setup.journal
        plans = setup.plans or Plans(board.executable, abi)
        self._program = MachineProgram(setup.image, plans, setup.journal)
        self._executable = board.executable
        self._checks = setup.checks or checks_of(board.name)
        self._places = CheckedProgram(setup.image, board, abi)
        self.rooms = Rooms(abi, self._places.floor())
        self._guards: dict[tuple[int, bool], Guard] = {}
        self._probing = board.engine if isinstance(board.engine, Probing) else None
        self._bits: dict[tuple[int, frozenset[str]], tuple[Contract, tuple[int, int]]] = {}
        self._second: StubbedBoard | None = None
        self._seen: tuple[Image | None, Mapping[int, Contract]] = None, {}
        self._stack: CallStack | None = None
        self.left_out: CallStack | None = None
        self._return = self._free_address()
        self.guests = Guests(board, abi)
        self.points: list[Watchpoint] = []
        self._video = VideoCheck(board, lambda: memory.loaded)
        self._reserved = find_variables(memory.loaded)
        self.unknown: frozenset[int] = frozenset()
        self._left_by: tuple[frozenset[int], tuple[tuple[int, int], ...], frozenset[int]] = (
            frozenset(), (), frozenset()
        )  # fmt: skip
        self.record: CallRecord | None = None
        self.called = self.started = False
        self._heard: dict[Listener, Observer | None] = {}
        self.begin_anew()
        self._watch = AccessWatch(self.unknown, self._set_unwritten, "off")

    def begin_anew(self) -> None:
        """Nothing has been called or written."""
        self.unknown = self._reserved
        self.called = self.started = False
        self.rooms.setter = Setter.NOBODY
        self.record = None

    def _leave_out(self, stack: CallStack) -> None:
        """The program's own stack may be among its variables: that is thousands of bytes, which
        are not gone through for each call."""
        if self.left_out is stack:
            return
        self.left_out = stack
        own = self._abi.on_stack(stack.floor, stack.top)
        self._reserved = subtract(self._reserved, own)
        self.unknown = subtract(self.unknown, own)

    def note_write(self, addresses: range) -> None:
        """Something other than the program has written there."""
        self.unknown = subtract(self.unknown, addresses)

    def all_written(self, ranges: tuple[tuple[int, int], ...]) -> None:
        """The same of several ranges: the first address of each, and the one after its last."""
        unknown, same, left = self._left_by
        if unknown is not self.unknown or same != ranges:  # a call writes what the last one did
            left = subtract_all(self.unknown, ranges)
            self._left_by = self.unknown, ranges, left
        self.unknown = left

    def _set_unwritten(self, unknown: Collection[int]) -> None:
        """Only these have not been written yet."""
        self.unknown = self.unknown.intersection(unknown)

    def allow_code(self, addresses: range) -> None:
        """Let code stand at some addresses where the program has none."""
        executable = bytearray(self._executable)
        executable[addresses.start : addresses.stop] = b"\1" * len(addresses)
        self._executable = bytes(executable)
        self._guards.clear()
        self._places.allow_code(addresses)
        plans = Plans(self._executable, self._abi)
        self._program = replace(self._program, plans=plans)
        self._return = self._free_address()

    def call(
        self, call: CallRequest, address: int, start: RegisterFile, uninitialised: bool | None
    ) -> Result:
        """Call what is at ``address``, with registers that were made for it."""
        checks = self._checks if call.check else OFF
        if call.checks:
            checks = checks.with_levels(call.checks)
        if uninitialised is not None:
            checks = replace(checks, uninitialised="error" if uninitialised else "off")
        self._video.forget()
        contracts = self._contracts_in_sight() if call.check else {}
        contract = contracts.get(address)
        interrupt = self._enters_handler(call, contract)
        stack = self._call_stack(start)
        if not self.started:
            self._leave_out(stack)
        if checks.stack == "off":
            stack = CallStack(stack.top, 0)
        plain, back = self._memory.plain, self._return
        push_return_address(self._board, plain, self._abi, start, stack.top, back, interrupt)
        course = Course(call.routine, start, (self._return,), call.limit, call.allow_brk)
        guards = self._guards_for(course, checks, stack)
        scenario = self._scenario(course, guards, stack)
        given = input_names(self._abi, call.registers, call.flags)
        if contract is not None:
            first = State(start, scenario.memory)
            self._check_requirements(first, contract, given)
            if contract.pointers:
                contract = at_entry(contract, StateView(self._abi, first, first))
        asked = self.called or uninitialised is not None or checks.uninitialised != "off"
        unknown = frozenset[int]() if asked else self.unknown
        run = (
            ObservedRun(self._image, self._board, call, address, self.called) if LISTENERS else None
        )
        inner = contracts if call.check == "deep" else {}
        request = RunRequest(self._note(scenario), checks, guards, contract, inner, call.observer)
        result = self._call(request, given, unknown, run)
        if run is not None:
            for listener in LISTENERS:
                listener.on_call(run, result.cycles)
        return result

    def _contracts_in_sight(self) -> Mapping[int, Contract]:
        """The contracts of what is in sight; the same as at the last call, nearly always."""
        loaded = self._memory.loaded
        if loaded is not self._seen[0]:
            self._seen = loaded, self._contracts(loaded)
        return self._seen[1]

    def _call(
        self,
        request: RunRequest,
        given: frozenset[str],
        unknown: frozenset[int],
        run: ObservedRun | None,
    ) -> Result:
        """Make a call, and see whether what comes out of it depends on what it must not: on
        registers and flags that are not ``given`` and no inputs, and on ``unknown`` memory."""
        record, contract = request.record, request.contract
        if contract is None or not contract.says("in") or self.guests:
            self._probe(None)
            return self._run(request, run)
        self._probe(marks_of(unknown, contract.input_addresses))
        result = self._run(request, run)
        probed = self._end_probe()
        bits = self._bits_to_invert(contract, given)
        if probed is None or depends_on_inverted(self._abi, contract, bits, probed):
            check_inverted(self._other, record, contract, given, self._journal)
        if probed is None or probed.memory:
            check_dependence(self._other, record, contract, result, unknown)
        return result

    def _probe(self, marked: bytes | None) -> None:
        """Have an engine that can do that note what a call depends on; None: nothing. Only in flat
        memory without devices: nothing but the program reads and writes there."""
        space = self._board.space
        if self._probing is not None:
            plain = space.flat and not (space.interrupts or space.special_reads)
            self._probing.probe(marked if plain else None)

    def _bits_to_invert(self, contract: Contract, given: frozenset[str]) -> tuple[int, int]:
        """See bits_to_invert; known for each routine that was called in the same manner."""
        key = (id(contract), given)
        known = self._bits.get(key)
        if known is None or known[0] is not contract:
            known = self._bits[key] = (contract, bits_to_invert(self._abi, contract, given))
        return known[1]

    def _end_probe(self) -> Probed | None:
        """What was noted; None where it is not known."""
        return None if self._probing is None else self._probing.probed

    def go(
        self, course: Course, check: Check, observer: Observer | None, to_limit: bool = False
    ) -> Result:
        """Let the program run along a course."""
        checks = self._checks if check else OFF
        floor = 0
        if checks.stack != "off":
            floor = self.rooms.floor(self._memory.loaded, self._abi.stack_of(course.start))
        stack = CallStack(self._abi.stack_mask, floor)  # the program sees to it
        guards = self._guards_for(course, checks, stack)
        scenario = self._scenario(course, guards, stack)
        inner = self._contracts_in_sight() if check == "deep" else {}
        record = self._note(scenario)
        self._probe(None)
        return self._run(
            RunRequest(record, checks, guards, None, inner, observer, self.rooms, to_limit), None
        )

    def _run(self, request: RunRequest, run: ObservedRun | None) -> Result:
        """Make a run; ``run`` is what listeners know of a call."""
        record, checks = request.record, request.levels
        points = (*self.points, *self._video.points(checks.video))
        if LISTENERS:
            run = run or ObservedRun(self._image, self._board, None, 0, self.called)
            request = replace(request, observer=self._with_listeners(run, request.observer))
            points += tuple(p for listener in LISTENERS for p in listener.points(run))
        self.called = True
        record.scenario.prepare(self._board.engine, request.guards.strict)
        stage = check_stage(self.guests.stage, record.image, self._places, checks, request.guards)
        stage.homes = record.scenario.homes
        watch, level = self._watch, checks.uninitialised
        if watch.unknown is not self.unknown or watch.level != level or watch.points != points:
            watch = self._watch = AccessWatch(self.unknown, self._set_unwritten, level, points)
        return run_checked(stage, request, watch, self._program)

    def _with_listeners(self, run: ObservedRun, observer: Observer | None) -> Observer | None:
        """The observer of a run together with those of the listeners."""
        for listener in LISTENERS:
            known = self._heard.get(listener)
            self._heard[listener] = own = listener.observer(run, known)
            observer = join_observers(observer, own)
        return observer

    def _note(self, scenario: Scenario) -> CallRecord:
        """What there is to tell of a run, which is the last one from now on."""
        record = self.record = self._journal.last = CallRecord(scenario, self._memory.loaded)
        return record

    def _other(self) -> StubbedBoard:
        """A second machine, for what is done again with other values."""
        if self._second is None:
            self._second = StubbedBoard(self._make(), self._abi)
        return self._second

    def _call_stack(self, start: RegisterFile) -> CallStack:
        """Where a call has its stack: a program that runs has one already."""
        if self.started:
            return CallStack(self._abi.stack_of(self._board.engine.registers), 0)
        if self._stack is None:
            self._stack = call_stack(self._abi, self._image)
            if self._stack.floor == 0:
                self._stack = CallStack(self._stack.top, self._places.floor())
        return self._stack

    def _enters_handler(self, call: CallRequest, contract: Contract | None) -> bool:
        """Whether a call is to begin as an interrupt does: it says so, or the contract does.

        Raises BadValue when the contract says otherwise.
        """
        if contract is None or call.interrupt == (contract.kind == INTERRUPT):
            return call.interrupt
        if call.interrupt:
            raise BadValue(
                f"interrupt=True: '{contract.name}' has the contract of a routine, which ends "
                f"with a return; the contract of a handler needs the field 'kind: interrupt'"
            )
        return True

    def _check_requirements(self, first: State, contract: Contract, given: Collection[str]) -> None:
        broken = find_unmet(contract, first, self._abi)
        if broken:
            self._journal.last = None  # this call is not made
            raise RequirementBroken(contract, broken, given)

    def _scenario(self, course: Course, guards: Guards, stack: CallStack) -> Scenario:
        """A course with all else that a run depends on."""
        if self.guests.acting:
            raise BadValue("a device or stub cannot run the machine that has just called it")
        if course.limit < 1:
            raise BadValue(f"limit={course.limit}: a call needs at least one cycle")
        if course.allow_brk and not self.started:
            self._check_handler()
        target = course.target
        name = target if isinstance(target, str) else self._memory.loaded.describe(target)
        make = self.guests.new_tape(self._make)
        saved, memory = save_and_view(self._board)
        return Scenario(
            make,
            self._abi,
            name,
            course.start,
            saved,
            memory,
            guards.lax,
            course.until,
            course.limit,
            stack.floor,
            self._image,
            course.homes,
        )

    def _check_handler(self) -> None:
        """Raises BadValue when a software interrupt would lead nowhere."""
        at = self._abi.interrupt_vector
        if at is None:
            raise BadValue(f"allow_brk=True: the {self._abi.cpu} has no BRK")
        vector = self._board.peek(at) | self._board.peek(at + 1) << 8
        if not self._executable[vector]:
            raise BadValue(
                f"allow_brk=True needs a handler, but the vector at ${at:04X} points "
                f"to ${vector:04X}, where the program has no code"
            )

    def _guards_for(self, course: Course, checks: Checks, stack: CallStack) -> Guards:
        """What a run must not do: whatever is checked, and by some checks."""
        key = (stack.top, course.allow_brk)
        guard = self._guards.get(key)
        if guard is None:
            protected = self._board.protected
            guard = self._guards[key] = Guard(self._executable, protected, *key)
        return self._places.guards(guard, checks)

    def _free_address(self) -> int:
        """Where a called routine returns to: an address no code can stand at."""
        for address in range(self._board.nowhere, 0, -1):
            if not self._executable[address]:
                return address
        raise BadValue("all addresses hold code: there is none left to return to")


_BREAK, _ALWAYS = 0x10, 0x20
"""Bits of the 6502's flag byte: B is pushed as 0 by an interrupt, bit 5 always as 1."""


def push_return_address(
    board: Board,
    plain: bytearray | None,
    routine: Abi,
    registers: RegisterFile,
    top: int,
    to: int,
    interrupt: bool,
) -> None:
    """Push what is on the stack when the first instruction of a call comes next.

    A call to ``routine`` pushes where it returns to: ``to``. An interrupt pushes the 6502's flags
    too, with B clear, and masks further ones. ``top`` is the stack pointer before, ``plain`` the
    memory where each address has one byte, None elsewhere.
    """
    abi = routine.handler if interrupt else routine
    pushed = ((to - abi.return_bias) & 0xFFFF).to_bytes(2, "little")
    if abi.pushes_flags:
        pushed = bytes([abi.flags_of(registers) & ~_BREAK | _ALWAYS]) + pushed
    if interrupt:
        _mask_interrupts(registers, abi)
    s = top - len(pushed)
    abi.set(registers, abi.stack_pointer.attribute, s & abi.stack_mask)
    where = abi.on_stack(s, top)
    if plain is not None and where.stop <= len(plain):
        plain[where.start : where.stop] = pushed
        return
    for at, byte in zip(where, pushed, strict=True):
        board.poke(at & 0xFFFF, byte)


def _mask_interrupts(registers: RegisterFile, abi: Abi) -> None:
    """As at the beginning of a handler."""
    name, value = abi.masking
    if name in abi.letters:
        byte, mask = abi.flags_of(registers), abi.letters[name]
        abi.set(registers, abi.flag_byte, byte | mask if value else byte & ~mask)
    else:
        abi.set(registers, name, value)

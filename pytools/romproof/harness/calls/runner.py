"""Runs on a machine: from what is asked for to a scenario, and from that to a result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from romproof.contract.checks.requirements import unmet
from romproof.contract.checks.view import StateView
from romproof.contract.nouns.model import INTERRUPT, Contract
from romproof.contract.nouns.state import State
from romproof.contract.reading.pointers import at_entry
from romproof.engine.checks import OFF, Checks, checks_of
from romproof.engine.instruments import Watchpoint
from romproof.engine.probe import Probed, Probing
from romproof.engine.protocol import Guard, Observer
from romproof.engine.registers import RegisterFile
from romproof.harness.calls.calling import Check, Requested
from romproof.harness.calls.listening import LISTENERS, Listener, Run
from romproof.harness.checks.checking import Watched, check_dependence, check_inverted, run_checked
from romproof.harness.checks.checks import Places, checked
from romproof.harness.checks.inverted import inverted_bits, inverting_matters
from romproof.harness.checks.journal import Journal
from romproof.harness.checks.program_stack import Rooms, Setter
from romproof.harness.checks.running import Plans, both
from romproof.harness.checks.stack import CallStack, call_stack
from romproof.harness.checks.uninitialised import marks_of, reserved, without, without_all
from romproof.harness.errors import CallRecord, RequirementBroken
from romproof.harness.replay.run import Scenario
from romproof.harness.state.arguments import given_names
from romproof.harness.state.entering import push_return_address
from romproof.harness.state.guests import Guests
from romproof.harness.state.memory import BoardMemory
from romproof.harness.state.result import Result
from romproof.harness.state.stage import NOWHERE, Homes, Stage, saved_and_seen
from romproof.harness.state.values import BadValue, Target
from romproof.isa.abi import Abi
from romproof.machine.board import Board
from romproof.program.image import Image


class Runner:
    """Makes the runs of one machine. ``unknown`` are the addresses of variables that nothing has
    written since the machine began, ``points`` whom accesses are reported to, ``started`` says that
    the program itself runs on the machine; ``record`` is the last of its runs."""

    def __init__(
        self,
        image: Image,
        abi: Abi,
        make: Callable[..., Board],
        board: Board,
        memory: BoardMemory,
        contracts: Callable[[Image], Mapping[int, Contract]],
        journal: Journal,
        plans: Plans | None,
        checks: Checks | None,
    ) -> None:
        self._image = image
        self._abi = abi
        self._make = make
        self._board = board
        self._memory = memory
        self._contracts = contracts
        self._journal = journal
        self._plans = plans or Plans(board.executable, abi)
        self._executable = board.executable
        self._checks = checks or checks_of(board.name)
        self._places = Places(image, board, abi)
        self.rooms = Rooms(abi, self._places.floor())
        self._guards: dict[tuple[int, bool], Guard] = {}
        self._probing = board.engine if isinstance(board.engine, Probing) else None
        self._bits: dict[tuple[int, frozenset[str]], tuple[Contract, tuple[int, int]]] = {}
        self._second: Stage | None = None
        self._seen: tuple[Image | None, Mapping[int, Contract]] = None, {}
        self._stack: CallStack | None = None
        self.left_out: CallStack | None = None
        self._return = self._free_address()
        self.guests = Guests(board, abi)
        self.points: list[Watchpoint] = []
        self._reserved = reserved(memory.loaded)
        self.unknown: frozenset[int] = frozenset()
        self._left_by: tuple[frozenset[int], tuple[tuple[int, int], ...], frozenset[int]] = (
            frozenset(), (), frozenset()
        )  # fmt: skip
        self.record: CallRecord | None = None
        self.called = self.started = False
        self._heard: dict[Listener, Observer | None] = {}
        self.begin_anew()

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
        self._reserved = without(self._reserved, own)
        self.unknown = without(self.unknown, own)

    def written(self, addresses: range) -> None:
        """Something other than the program has written there."""
        self.unknown = without(self.unknown, addresses)

    def all_written(self, ranges: tuple[tuple[int, int], ...]) -> None:
        """The same of several ranges: the first address of each, and the one after its last."""
        unknown, same, left = self._left_by
        if unknown is not self.unknown or same != ranges:  # a call writes what the last one did
            left = without_all(self.unknown, ranges)
            self._left_by = self.unknown, ranges, left
        self.unknown = left

    def _left(self, unknown: Collection[int]) -> None:
        """Only these have not been written yet."""
        self.unknown = self.unknown.intersection(unknown)

    def allow_code(self, addresses: range) -> None:
        """Let code stand at some addresses where the program has none."""
        executable = bytearray(self._executable)
        executable[addresses.start : addresses.stop] = b"\1" * len(addresses)
        self._executable = bytes(executable)
        self._guards.clear()
        self._places.allow_code(addresses)
        self._plans = Plans(self._executable, self._abi)
        self._return = self._free_address()

    def call(
        self, call: Requested, address: int, start: RegisterFile, uninitialised: bool | None
    ) -> Result:
        """Call what is at ``address``, with registers that were made for it."""
        checks = (self._checks if call.check else OFF).with_levels(call.checks)
        if uninitialised is not None:
            checks = replace(checks, uninitialised="error" if uninitialised else "off")
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
        scenario = self._scenario(
            call.routine, start, (self._return,), call.limit, checks, call.allow_brk, stack
        )
        inner = contracts if call.check == "deep" else {}
        given = given_names(self._abi, call.registers, call.flags)
        if contract is not None:
            first = State(start, scenario.memory)
            self._check_requirements(first, contract, given)
            if contract.pointers:
                contract = at_entry(contract, StateView(self._abi, first, first))
        asked = self.called or uninitialised is not None or checks.uninitialised != "off"
        unknown = frozenset[int]() if asked else self.unknown
        record = self._noted(scenario)
        run = Run(self._image, self._board, call, address, self.called) if LISTENERS else None
        result = self._checked_run(record, contract, inner, call, checks, unknown, given, run)
        if run is not None:
            for listener in LISTENERS:
                listener.called(run, result.cycles)
        return result

    def _contracts_in_sight(self) -> Mapping[int, Contract]:
        """The contracts of what is in sight; the same as at the last call, nearly always."""
        loaded = self._memory.loaded
        if loaded is not self._seen[0]:
            self._seen = loaded, self._contracts(loaded)
        return self._seen[1]

    def _checked_run(
        self,
        record: CallRecord,
        contract: Contract | None,
        inner: Mapping[int, Contract],
        call: Requested,
        checks: Checks,
        unknown: frozenset[int],
        given: frozenset[str],
        run: Run | None,
    ) -> Result:
        """Make a call, and see whether what comes out of it depends on what it must not."""
        again = contract is not None and contract.says("in") and not self.guests
        if contract is None or not again:
            self._probe(None)
            return self._run(record, contract, inner, call.observer, checks, run=run)
        self._probe(marks_of(unknown, contract.input_addresses))
        result = self._run(record, contract, inner, call.observer, checks, run=run)
        probed = self._probed()
        bits = self._inverted_bits(contract, given)
        if probed is None or inverting_matters(self._abi, contract, bits, probed):
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

    def _inverted_bits(self, contract: Contract, given: frozenset[str]) -> tuple[int, int]:
        """See inverted_bits; known for each routine that was called in the same manner."""
        key = (id(contract), given)
        known = self._bits.get(key)
        if known is None or known[0] is not contract:
            known = self._bits[key] = (contract, inverted_bits(self._abi, contract, given))
        return known[1]

    def _probed(self) -> Probed | None:
        """What was noted; None where it is not known."""
        return None if self._probing is None else self._probing.probed

    def go(
        self,
        begin: RegisterFile,
        name: Target,
        until: tuple[int, ...],
        limit: int,
        check: Check,
        allow_brk: bool,
        observer: Observer | None,
        to_limit: bool = False,
        homes: Homes = NOWHERE,
    ) -> Result:
        """Run from where ``begin`` says to one of the addresses ``until``, in the banks of
        ``homes``."""
        checks = self._checks if check else OFF
        floor = 0
        if checks.stack != "off":
            floor = self.rooms.floor(self._memory.loaded, self._abi.stack_of(begin))
        stack = CallStack(self._abi.stack_mask, floor)  # the program sees to it
        scenario = self._scenario(name, begin, until, limit, checks, allow_brk, stack, homes)
        inner = self._contracts_in_sight() if check == "deep" else {}
        record = self._noted(scenario)
        self._probe(None)
        return self._run(record, None, inner, observer, checks, to_limit=to_limit, rooms=self.rooms)

    def _run(
        self,
        record: CallRecord,
        contract: Contract | None,
        inner: Mapping[int, Contract],
        observer: Observer | None,
        checks: Checks,
        *,
        to_limit: bool = False,
        run: Run | None = None,
        rooms: Rooms | None = None,
    ) -> Result:
        if LISTENERS:
            run = run or Run(self._image, self._board, None, 0, self.called)
            observer = self._with_listeners(run, observer)
            points = (*self.points, *(p for listener in LISTENERS for p in listener.points(run)))
        else:
            points = tuple(self.points)
        self.called = True
        guard = record.scenario.guard
        assert guard is not None, "guarded runs"
        guards = self._places.guards(self._guard(guard.stack_top, guard.brk), checks)
        record.scenario.prepare(self._board.engine, guards.strict)
        stage = checked(self.guests.stage, record.image, self._places, checks, guards)
        stage.homes = record.scenario.homes
        return run_checked(
            stage,
            record,
            self._image,
            self._plans,
            self._journal,
            contract,
            inner,
            observer,
            Watched(self.unknown, self._left, checks, points, rooms),
            to_limit,
        )

    def _with_listeners(self, run: Run, observer: Observer | None) -> Observer | None:
        """The observer of a run together with those of the listeners."""
        for listener in LISTENERS:
            known = self._heard.get(listener)
            self._heard[listener] = own = listener.observer(run, known)
            observer = both(observer, own)
        return observer

    def _noted(self, scenario: Scenario) -> CallRecord:
        """What there is to tell of a run, which is the last one from now on."""
        record = self.record = self._journal.last = CallRecord(scenario, self._memory.loaded)
        return record

    def _other(self) -> Stage:
        """A second machine, for what is done again with other values."""
        if self._second is None:
            self._second = Stage(self._make(), self._abi)
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

    def _enters_handler(self, call: Requested, contract: Contract | None) -> bool:
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
        broken = unmet(contract, first, self._abi)
        if broken:
            self._journal.last = None  # this call is not made
            raise RequirementBroken(contract, broken, given)

    def _scenario(
        self,
        target: Target,
        start: RegisterFile,
        until: tuple[int, ...],
        limit: int,
        checks: Checks,
        allow_brk: bool,
        stack: CallStack,
        homes: Homes = NOWHERE,
    ) -> Scenario:
        if self.guests.acting:
            raise BadValue("a device or stub cannot run the machine that has just called it")
        if limit < 1:
            raise BadValue(f"limit={limit}: a call needs at least one cycle")
        if allow_brk and not self.started:
            self._check_handler()
        guard = self._places.guards(self._guard(stack.top, allow_brk), checks).lax
        name = target if isinstance(target, str) else self._memory.loaded.describe(target)
        make = self.guests.new_tape(self._make)
        saved, memory = saved_and_seen(self._board)
        return Scenario(
            make,
            self._abi,
            name,
            start,
            saved,
            memory,
            guard,
            until,
            limit,
            stack.floor,
            self._image,
            homes,
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

    def _guard(self, top: int, allow_brk: bool) -> Guard:
        """What a run must not do, whatever is checked."""
        key = (top, allow_brk)
        if key not in self._guards:
            protected = self._board.protected
            self._guards[key] = Guard(self._executable, protected, top, allow_brk)
        return self._guards[key]

    def _free_address(self) -> int:
        """Where a called routine returns to: an address no code can stand at."""
        for address in range(self._board.nowhere, 0, -1):
            if not self._executable[address]:
                return address
        raise BadValue("all addresses hold code: there is none left to return to")

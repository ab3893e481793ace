"""A machine with a program in it, whose routines can be called one after another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property

from romproof.contract.check import check
from romproof.contract.model import Contract
from romproof.contract.requirements import unmet
from romproof.contract.state import Call, State
from romproof.contract.watch import ContractWatcher
from romproof.engine.protocol import Engine, EngineFault, Guard, Observer, Stop
from romproof.engine.registers import RegisterFile
from romproof.harness.arguments import given_names, start_registers
from romproof.harness.calling import LIMIT, Check, Requested, Routines
from romproof.harness.errors import (
    Breach,
    CallFault,
    CallRecord,
    ContractViolation,
    RequirementBroken,
    Runaway,
)
from romproof.harness.inverted import changed_when_inverted, inverted
from romproof.harness.journal import Journal
from romproof.harness.replay import Scenario
from romproof.harness.result import Result
from romproof.harness.running import Plans, both, clock_stopped, run_looking
from romproof.harness.stack import CallStack, call_stack, lowest_of
from romproof.harness.uninitialised import dependence, reserved, strictly
from romproof.harness.values import BadValue, Target, Value, encode, extent, place
from romproof.isa.abi import abi_of
from romproof.machine.memory import MemoryMap
from romproof.program.image import Image


class Machine(Routines):
    """An engine, a memory that persists between calls, and what the image knows.

    ``loaded`` is the part of ``image`` that is in ``memory``.
    Registers do not persist: each call starts with those it is given.
    """

    def __init__(
        self,
        image: Image,
        loaded: Image,
        memory: MemoryMap,
        make: Callable[[], Engine],
        contracts: Callable[[], Mapping[int, Contract]],
        journal: Journal,
        plans: Plans | None = None,
        uninitialised: bool | None = None,
    ) -> None:
        self.image = image
        self._loaded = loaded
        self._abi = abi_of(image.cpu)
        self._map = memory
        self._make = make
        self._contracts = contracts
        self._plans = plans or Plans(memory.executable, self._abi)
        self._journal = journal
        self._uninitialised = uninitialised
        self._engine = make()
        self._engine.memory[:] = memory.initial
        self._second: Engine | None = None
        self._unknown = set(self._reserved)
        self._called = False
        self._seen_loaded: set[str] = set()
        self._guards: dict[tuple[int, bool, bool], Guard] = {}
        self._return = self._free_address()

    def read(self, target: Target, size: int | None = None) -> bytes:
        """``size`` bytes at a symbol or address; the symbol's size when not given.

        Raises UnknownSymbol, and BadValue when no size is known.
        """
        self._check_loaded(target)
        address, count = extent(self.image, target, size)
        return bytes(self._engine.memory[address : address + count])

    def write(self, target: Target, value: Value, code: bool = False) -> None:
        """Set memory, read-only memory too. ``code``: it may be executed there.

        Raises UnknownSymbol, and BadValue when the value does not fit.
        """
        self._check_loaded(target)
        address, data = encode(self.image, target, value)
        self._engine.memory[address : address + len(data)] = data
        self._unknown.difference_update(range(address, address + len(data)))
        if code:
            executable = bytearray(self._map.executable)
            executable[address : address + len(data)] = b"\1" * len(data)
            self._map = replace(self._map, executable=bytes(executable))
            self._guards.clear()
            self._plans = Plans(self._map.executable, self._abi)
            self._return = self._free_address()

    def _check_loaded(self, target: Target) -> None:
        """Raises BadValue for a symbol in a bank that is not loaded: another is there."""
        if not isinstance(target, str) or target in self._seen_loaded:
            return
        symbol = self.image.symbol(target)
        areas = {s.area for s in self.image.segments if s.name == symbol.segment}
        for area in areas & self._map.left_out:
            raise BadValue(
                f"'{symbol.name}' is in area '{area}', which is not loaded; "
                f"load it with banks=['{area}'], a key of the ROM in TOML as well"
            )
        self._seen_loaded.add(target)

    def reset(self) -> None:
        """Bring the memory back to what it was at the start."""
        self._engine.memory[:] = self._map.initial
        self._unknown, self._called = set(self._reserved), False

    @cached_property
    def _reserved(self) -> frozenset[int]:
        return reserved(self._loaded)

    def _carry_out(self, call: Requested) -> Result:
        """See Routines."""
        routine, registers, flags = call.routine, call.registers, call.flags
        self._check_loaded(routine)
        address, _ = place(self.image, routine)
        start = start_registers(self._abi, address, registers, flags)
        for target, value in (call.mem or {}).items():
            self.write(target, value)
        stack = self._stack
        self._push_return_address(start, stack)
        name = routine if isinstance(routine, str) else self._loaded.describe(routine)
        scenario = self._scenario(
            name, start, (self._return,), call.limit, call.check, call.allow_brk, stack
        )
        contracts = self._contracts() if call.check else {}
        contract = contracts.get(address)
        inner = contracts if call.check == "deep" else {}
        given = given_names(self._abi, registers, flags)
        if contract is not None:
            self._check_requirements(scenario, contract, given)
        wanted = self._uninitialised if call.uninitialised is None else call.uninitialised
        unknown = frozenset() if self._called or wanted is not None else frozenset(self._unknown)
        record = self._noted(scenario)
        result = self._run(record, contract, inner, call.observer, strict=wanted is True)
        if contract is not None:
            self._run_inverted(scenario, contract, given)
            self._run_otherwise(record, contract, result, unknown)
        return result

    def _noted(self, scenario: Scenario) -> CallRecord:
        """What there is to tell of a run, which is the last one from now on."""
        record = self._journal.last = CallRecord(scenario, self._loaded)
        return record

    @cached_property
    def _stack(self) -> CallStack:
        return call_stack(self._abi, self.image)

    def _push_return_address(self, registers: RegisterFile, stack: CallStack) -> None:
        """As a call to the routine does that returns to where no code is."""
        abi, s = self._abi, stack.top - self._abi.return_size
        abi.set(registers, abi.stack_pointer.attribute, s)
        place = abi.on_stack(s, stack.top)
        pushed = (self._return - abi.return_bias) & 0xFFFF
        self._engine.memory[place.start : place.stop] = pushed.to_bytes(len(place), "little")

    def _check_requirements(
        self, scenario: Scenario, contract: Contract, given: Collection[str]
    ) -> None:
        broken = unmet(contract, State(scenario.registers, scenario.memory), self._abi)
        if broken:
            self._journal.last = None  # this call is not made
            raise RequirementBroken(contract, broken, given)

    def _run_inverted(self, scenario: Scenario, contract: Contract, given: Collection[str]) -> None:
        """Raises ContractViolation for what only seemed to be preserved."""
        other = inverted(scenario, contract, given)
        if other is None:
            return
        if self._second is None:
            self._second = self._make()
        changed = changed_when_inverted(self._second, other, contract)
        if changed:
            breaches = [
                Breach(
                    contract,
                    f"{v.sentence} (called again, with registers and flags that "
                    "are not inputs inverted)",
                    v.span,
                )
                for v in changed
            ]
            raise ContractViolation(breaches, self._noted(other))

    def _run_otherwise(
        self, record: CallRecord, contract: Contract, result: Result, unknown: Collection[int]
    ) -> None:
        """Raises ContractViolation for what depends on uninitialised memory."""
        if self._second is None:
            self._second = self._make()
        difference = dependence(
            self._second, record.scenario, contract, result, unknown, self._loaded.variable_at
        )
        if difference is not None:
            raise ContractViolation(
                [Breach(contract, difference.sentence, difference.span)], record
            )

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
        self._check_loaded(start)
        address, _ = place(self.image, start)
        targets = [until] if isinstance(until, (str, int)) else list(until)
        if not targets:
            raise BadValue("run_from needs at least one place to stop at: until=")
        stops = tuple(place(self.image, target)[0] for target in targets)
        name = start if isinstance(start, str) else self._loaded.describe(start)
        abi = self._abi
        begin = start_registers(abi, address, registers, flags)
        abi.set(begin, abi.stack_pointer.attribute, abi.stack_start)
        stack = CallStack(abi.stack_mask, 0)  # the program sees to it
        scenario = self._scenario(name, begin, stops, limit, check, allow_brk, stack)
        inner = self._contracts() if check == "deep" else {}
        return self._run(self._noted(scenario), None, inner, observer)

    def _run(
        self,
        record: CallRecord,
        contract: Contract | None,
        inner: Mapping[int, Contract],
        observer: Observer | None,
        strict: bool = False,
    ) -> Result:
        self._called = True
        engine, abi, scenario = self._engine, self._abi, record.scenario
        before = scenario.registers
        scenario.prepare(engine)
        cycles, instructions = engine.cycles, engine.instructions
        looked_at = dict(inner)
        if contract is not None:
            looked_at[abi.get(before, "pc")] = contract
        plans = self._plans.wanted(looked_at, engine.memory)
        watcher = (
            ContractWatcher(engine, inner, self._loaded.describe, abi, scenario.floor)
            if inner
            else None
        )
        try:
            with strictly(engine, self._unknown, record) if strict else nullcontext():
                stop, broken = run_looking(
                    engine, scenario, plans, both(watcher, observer), called=contract is not None
                )
            if stop is Stop.STOPPED:
                raise clock_stopped(engine)
        except EngineFault as fault:
            lowest_of(scenario, record, engine.lowest_s)
            raise CallFault(fault, record) from None
        lowest = lowest_of(scenario, record, engine.lowest_s)
        used = engine.cycles - cycles
        describe = self._loaded.describe
        breaches = [
            Breach(f.contract, f.violation.sentence, f.violation.span, describe(f.site))
            for f in (watcher.violations if watcher else ())
        ]
        for b in broken:
            where = "" if b.site is None else describe(b.site)
            breaches.append(Breach(b.contract, b.violation.sentence, b.violation.span, where))
        if broken and abi.get(engine.registers, "pc") not in scenario.until:
            # the run was ended there
            shorter = replace(scenario, limit=max(used, 1))
            raise ContractViolation(breaches, self._noted(shorter))
        if stop is Stop.LIMIT:
            raise Runaway(record)
        after = bytes(engine.memory)
        end = engine.registers.copy()
        if contract is not None:
            done = Call(State(before, scenario.memory), State(end, after), used, lowest, abi)
            for violation in check(contract, done, describe):
                breaches.append(Breach(contract, violation.sentence, violation.span))
        if breaches:
            raise ContractViolation(breaches, record)
        return Result(
            name=scenario.name,
            registers=end,
            cycles=used,
            instructions=engine.instructions - instructions,
            stack=abi.stack_of(before) - lowest,
            lowest_s=lowest,
            before=scenario.memory,
            after=after,
            image=self.image,
        )

    def _scenario(
        self,
        name: str,
        start: RegisterFile,
        until: tuple[int, ...],
        limit: int,
        check: Check,
        allow_brk: bool,
        stack: CallStack,
    ) -> Scenario:
        if limit < 1:
            raise BadValue(f"limit={limit}: a call needs at least one cycle")
        if allow_brk:
            self._check_handler()
        guard = self._guard(stack.top, bool(check), allow_brk)
        memory = bytes(self._engine.memory)
        return Scenario(
            self._make, self._abi, name, start, memory, guard, until, limit, stack.floor
        )

    def _check_handler(self) -> None:
        """Raises BadValue when a software interrupt would lead nowhere."""
        at = self._abi.interrupt_vector
        if at is None:
            raise BadValue(f"allow_brk=True: the {self._abi.cpu} has no BRK")
        vector = int.from_bytes(self._engine.memory[at : at + 2], "little")
        if not self._map.executable[vector]:
            raise BadValue(
                f"allow_brk=True needs a handler, but the vector at ${at:04X} points "
                f"to ${vector:04X}, where the program has nothing"
            )

    def _guard(self, top: int, protect: bool, allow_brk: bool) -> Guard:
        key = (top, protect, allow_brk)
        if key not in self._guards:
            protected = self._map.protected if protect else None
            self._guards[key] = Guard(self._map.executable, protected, top, allow_brk)
        return self._guards[key]

    def _free_address(self) -> int:
        """Where a called routine returns to: an address no code can stand at."""
        for address in range(self._abi.highest_nowhere, 0, -1):
            if not self._map.executable[address]:
                return address
        raise BadValue("all addresses hold code: there is none left to return to")

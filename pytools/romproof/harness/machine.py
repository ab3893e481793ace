"""A machine with a program in it, whose routines can be called one after another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from romproof.contract.check import Call, State, check
from romproof.contract.model import Contract
from romproof.contract.watch import ContractWatcher
from romproof.engine.protocol import Engine, EngineFault, Guard, Observer, Stop
from romproof.engine.registers import Registers
from romproof.harness.errors import Breach, CallFault, CallRecord, ContractViolation, Runaway
from romproof.harness.inverted import changed_when_inverted, inverted
from romproof.harness.replay import Scenario
from romproof.harness.result import FLAG_BITS, Result
from romproof.harness.values import BadValue, Target, Value, byte, encode, extent, place
from romproof.machine.memory import MemoryMap
from romproof.obj.image import Image
from romproof.text.diagnostic import suggest

POISON = Registers(a=0xA5, x=0xC3, y=0x96, s=0xFF, p=0xE5)
"""Registers that a call does not set: always the same, never 0.

N, V, C and I are set, Z and D are clear. A routine that relies on a register
its contract does not name is noticed this way.
"""

LIMIT = 1_000_000
"""Clock cycles a call may take unless told otherwise: one second at 1 MHz."""

Check = bool | Literal["deep"]
"""True: guards and the contract of the called routine. "deep": also those of
all routines it calls. False: neither contracts nor writes to ROM are checked."""

_VECTORS = 0xFFFA
_BRK_VECTOR = 0xFFFE
_STACK = 0x100
_RESET_S = 0xFF


class Machine:
    """An engine, a memory that persists between calls, and what the image knows.

    Registers do not persist: each call starts with those it is given.
    """

    def __init__(
        self,
        image: Image,
        memory: MemoryMap,
        make: Callable[[], Engine],
        contracts: Callable[[], Mapping[int, Contract]],
        journal: list[CallRecord],
    ) -> None:
        self.image = image
        self._map = memory
        self._make = make
        self._contracts = contracts
        self._journal = journal
        self._engine = make()
        self._engine.memory[:] = memory.initial
        self._second: Engine | None = None
        self._guards: dict[tuple[bool, bool], Guard] = {}
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
        if code:
            executable = bytearray(self._map.executable)
            executable[address : address + len(data)] = b"\1" * len(data)
            self._map = replace(self._map, executable=bytes(executable))
            self._guards.clear()
            self._return = self._free_address()

    def _check_loaded(self, target: Target) -> None:
        """Raises BadValue for a symbol in a bank that is not loaded: another is there."""
        if not isinstance(target, str):
            return
        symbol = self.image.symbol(target)
        areas = {s.area for s in self.image.segments if s.name == symbol.segment}
        for area in areas & self._map.left_out:
            raise BadValue(
                f"'{symbol.name}' is in area '{area}', which is not loaded; "
                f"load it with banks=['{area}'], a key of the ROM in TOML as well"
            )

    def reset(self) -> None:
        """Bring the memory back to what it was at the start."""
        self._engine.memory[:] = self._map.initial

    def call(
        self,
        routine: Target,
        *,
        a: int | None = None,
        x: int | None = None,
        y: int | None = None,
        flags: Mapping[str, int] | None = None,
        mem: Mapping[Target, Value] | None = None,
        limit: int = LIMIT,
        check: Check = True,
        allow_brk: bool = False,
        observer: Observer | None = None,
    ) -> Result:
        """JSR to a routine (its name or address) and run until it returns.

        ``mem`` is written first. Registers and flags that are not given have
        the values of POISON. ``limit`` is in clock cycles. ``observer`` is told of
        every instruction.

        Raises ContractViolation, Runaway, CallFault, UnknownSymbol, BadValue,
        and BuildFailed when a contract in the image is malformed.
        """
        self._check_loaded(routine)
        address, _ = place(self.image, routine)
        start = self._registers(address, a, x, y, flags)
        start.s = (_RESET_S - 2) & 0xFF
        for target, value in (mem or {}).items():
            self.write(target, value)
        returns = (self._return - 1) & 0xFFFF
        self._engine.memory[_STACK + 0xFE : _STACK + 0x100] = returns.to_bytes(2, "little")
        name = routine if isinstance(routine, str) else self.image.describe(routine)
        scenario = self._scenario(name, start, (self._return,), limit, check, allow_brk)
        contracts = self._contracts() if check else {}
        contract = contracts.get(address)
        inner = contracts if check == "deep" else {}
        result = self._run(scenario, contract, inner, observer)
        if contract is not None:
            given = [r for r, value in (("a", a), ("x", x), ("y", y)) if value is not None]
            given += [flag.lower() for flag in flags or ()]
            self._run_inverted(scenario, contract, given)
        return result

    def _run_inverted(self, scenario: Scenario, contract: Contract, given: Collection[str]) -> None:
        """Raises ContractViolation for what only seemed to be preserved."""
        other = inverted(scenario, contract, given)
        if other is None:
            return
        if self._second is None:
            self._second = self._make()
        found = changed_when_inverted(self._second, other, contract)
        if found:
            breaches = [
                Breach(
                    contract,
                    f"{v.sentence} (called again, with registers and flags that "
                    "are no input inverted)",
                    v.span,
                )
                for v in found
            ]
            record = CallRecord(other, self.image)
            self._journal[:] = [record]
            raise ContractViolation(breaches, record)

    def run_from(
        self,
        start: Target,
        until: Target | Iterable[Target],
        *,
        a: int | None = None,
        x: int | None = None,
        y: int | None = None,
        flags: Mapping[str, int] | None = None,
        limit: int = LIMIT,
        check: Check = True,
        allow_brk: bool = False,
        observer: Observer | None = None,
    ) -> Result:
        """Jump to ``start`` and run until one of the places ``until`` is reached.

        The stack pointer starts at $FF. The instruction at ``until`` is not
        executed, except at the very start. Raises as call() does.
        """
        self._check_loaded(start)
        address, _ = place(self.image, start)
        targets = [until] if isinstance(until, (str, int)) else list(until)
        if not targets:
            raise BadValue("run_from needs at least one place to stop at: until=")
        stops = tuple(place(self.image, target)[0] for target in targets)
        name = start if isinstance(start, str) else self.image.describe(start)
        registers = self._registers(address, a, x, y, flags)
        scenario = self._scenario(name, registers, stops, limit, check, allow_brk)
        inner = self._contracts() if check == "deep" else {}
        return self._run(scenario, None, inner, observer)

    def _run(
        self,
        scenario: Scenario,
        contract: Contract | None,
        inner: Mapping[int, Contract],
        observer: Observer | None,
    ) -> Result:
        engine, before = self._engine, scenario.registers
        engine.registers.set(before)
        engine.guard = scenario.guard
        engine.lowest_s = before.s
        cycles, instructions = engine.cycles, engine.instructions
        record = CallRecord(scenario, self.image)
        self._journal[:] = [record]
        watcher = ContractWatcher(engine, inner, self.image.describe) if inner else None
        try:
            stop = engine.run(scenario.until, scenario.limit, _both(watcher, observer))
        except EngineFault as fault:
            raise CallFault(fault, record) from None
        if stop is Stop.LIMIT:
            raise Runaway(record)
        after = bytes(engine.memory)
        end = engine.registers.copy()
        used = engine.cycles - cycles
        breaches = [
            Breach(f.contract, f.violation.sentence, f.violation.span, self.image.describe(f.site))
            for f in (watcher.found if watcher else ())
        ]
        if contract is not None:
            done = Call(State(before, scenario.memory), State(end, after), used, engine.lowest_s)
            for violation in check(contract, done, self.image.describe):
                breaches.append(Breach(contract, violation.sentence, violation.span))
        if breaches:
            raise ContractViolation(breaches, record)
        return Result(
            name=scenario.name,
            registers=end,
            cycles=used,
            instructions=engine.instructions - instructions,
            stack=before.s - engine.lowest_s,
            before=scenario.memory,
            after=after,
            image=self.image,
        )

    def _scenario(
        self,
        name: str,
        start: Registers,
        until: tuple[int, ...],
        limit: int,
        check: Check,
        allow_brk: bool,
    ) -> Scenario:
        if limit < 1:
            raise BadValue(f"limit={limit}: a call needs at least one cycle")
        if allow_brk:
            vector = int.from_bytes(self._engine.memory[_BRK_VECTOR : _BRK_VECTOR + 2], "little")
            if not self._map.executable[vector]:
                raise BadValue(
                    f"allow_brk=True needs a handler, but the vector at ${_BRK_VECTOR:04X} points "
                    f"to ${vector:04X}, where the program has nothing"
                )
        guard = self._guard(bool(check), allow_brk)
        memory = bytes(self._engine.memory)
        return Scenario(self._make, name, start, memory, guard, until, limit)

    def _guard(self, protect: bool, allow_brk: bool) -> Guard:
        key = (protect, allow_brk)
        if key not in self._guards:
            protected = self._map.protected if protect else None
            self._guards[key] = Guard(self._map.executable, protected, _RESET_S, allow_brk)
        return self._guards[key]

    def _registers(
        self,
        pc: int,
        a: int | None,
        x: int | None,
        y: int | None,
        flags: Mapping[str, int] | None,
    ) -> Registers:
        registers = POISON.copy()
        registers.pc = pc
        for name, value in (("a", a), ("x", x), ("y", y)):
            if value is not None:
                setattr(registers, name, byte(name, value))
        for flag, value in (flags or {}).items():
            bit = FLAG_BITS.get(flag.lower())
            if bit is None or value not in (0, 1):
                hint = suggest(flag, FLAG_BITS) or "flags are n v d i z c, each 0 or 1"
                raise BadValue(f"flags={{{flag!r}: {value!r}}} is no flag; {hint}")
            registers.p = registers.p | bit if value else registers.p & ~bit
        return registers

    def _free_address(self) -> int:
        """Where a called routine returns to: an address no code can stand at."""
        for address in range(_VECTORS - 1, 0, -1):
            if not self._map.executable[address]:
                return address
        raise BadValue("all addresses hold code: there is none left to return to")


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two observers as one."""

    first: Observer
    second: Observer

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.first.instruction(pc, byte, cycles, s, next_pc)
        self.second.instruction(pc, byte, cycles, s, next_pc)


def _both(first: Observer | None, second: Observer | None) -> Observer | None:
    """An observer for the given ones; None when there is none."""
    if first is not None and second is not None:
        return _Pair(first, second)
    return first or second

"""Running while an eye is kept on what contracts say of places in the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from romproof.contract.checks.check_plan import CheckPlan, plan_of, says_of_places
from romproof.contract.checks.visits import BrokenPromise, Visits
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.state import State
from romproof.engine.executed import ExecutedBatch, tell_executed
from romproof.engine.protocol import Engine, EngineFault, FaultKind, Observer, Stop
from romproof.harness.replay.run import Scenario
from romproof.harness.state.stubbed_board import StubbedBoard, tell_begin, tell_stub
from romproof.isa.abi import Abi
from romproof.machine.board import Board


class Plans:
    """Where to look for each contract; made when it is asked for, and kept.

    ``executable`` is nonzero where the program has code.
    """

    def __init__(self, executable: bytes, abi: Abi) -> None:
        self._executable = executable
        self._abi = abi
        self._known: dict[tuple[int, str], CheckPlan] = {}

    def select(
        self,
        entry: int,
        contract: Contract | None,
        inner: Mapping[int, Contract],
        memory: bytes | bytearray,
    ) -> Sequence[CheckPlan]:
        """The plans of the contracts that say something of places: of that of the routine at
        ``entry``, and of those of ``inner``, by address."""
        if not inner and (contract is None or not says_of_places(contract)):
            return ()
        contracts = dict(inner)
        if contract is not None:
            contracts[entry] = contract
        return [
            self._plan(address, contract, memory)
            for address, contract in contracts.items()
            if says_of_places(contract)
        ]

    def _plan(self, address: int, contract: Contract, memory: bytes | bytearray) -> CheckPlan:
        key = (address, contract.name)
        if key not in self._known:
            self._known[key] = plan_of(contract, address, memory, self._executable, self._abi)
        return self._known[key]


def run_looking(
    stage: StubbedBoard,
    scenario: Scenario,
    plans: Sequence[CheckPlan],
    observer: Observer | None,
    *,
    called: bool,
) -> tuple[Stop, Sequence[BrokenPromise]]:
    """Run a scenario, to its end or to the first place where a promise is broken.

    Tells why it ended, and which promises are broken there. ``called`` says that its routine was
    called and will return. Raises as Engine.run() does.
    """
    engine = stage.engine
    if not plans:
        return stage.run(scenario.until, scenario.limit, observer), ()
    visits = Visits(stage, plans, scenario.abi)
    visits.start(State(scenario.registers, scenario.memory) if called else None)
    end, stop = engine.cycles + scenario.limit, Stop.REACHED
    shown = stage.board.banks()
    while not visits.broken:
        stops = visits.stops.union(scenario.until)
        stop = stage.run(stops, end - engine.cycles, observer)
        if stop is Stop.REACHED and _shows_the_same(stage.board, shown, engine.registers.pc):
            visits.on_stop()
        if stop is not Stop.REACHED or stage.is_at(scenario.until):
            break
        if engine.cycles >= end:
            stop = Stop.LIMIT
            break
    return stop, visits.broken


def _shows_the_same(board: Board, banks: tuple[int, ...], address: int) -> bool:
    """Whether an address is of the bank that was in sight there when the run began: promises are of
    that one."""
    return all(
        now == then
        for window, now, then in zip(board.windows, board.banks(), banks, strict=True)
        if address in window.addresses
    )


def clock_stopped(engine: Engine) -> EngineFault:
    """The fault of a CPU that has stopped its clock, for good: nothing here starts it again."""
    at = engine.registers.pc
    return EngineFault(
        FaultKind.JAM,
        engine.name,
        at,
        engine.memory[at],
        "the instruction before {at} stops the CPU's clock, and nothing here starts it again",
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two observers as one."""

    first: Observer
    second: Observer

    def begins(self, cycle: int) -> None:
        """See Observer."""
        tell_begin(self.first, cycle)
        tell_begin(self.second, cycle)

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.first.instruction(pc, byte, cycles, s, next_pc)
        self.second.instruction(pc, byte, cycles, s, next_pc)

    def stub(self, pc: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        tell_stub(self.first, pc, cycles, s, next_pc)
        tell_stub(self.second, pc, cycles, s, next_pc)


class _LatePair(_Pair):
    """Two observers that may be told later."""

    __slots__ = ()
    detached = True

    def executed(self, executed: ExecutedBatch) -> bool:
        """See Observer."""
        tell_executed(self.first, executed)
        tell_executed(self.second, executed)
        return True


def join_observers(first: Observer | None, second: Observer | None) -> Observer | None:
    """An observer for the given ones; None when there is none."""
    if first is not None and second is not None:
        late = getattr(first, "detached", False) and getattr(second, "detached", False)
        return _LatePair(first, second) if late else _Pair(first, second)
    return first or second

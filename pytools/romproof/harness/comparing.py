"""Programs called with the same inputs: what their routines cost, and which are not beaten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import INTERRUPT, Contract
from romproof.harness.drawing import Drawn, draw_inputs
from romproof.harness.errors import CallError, RequirementBroken, Runaway
from romproof.harness.listeners.profiling import places_on
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom
from romproof.harness.state.result import Result
from romproof.harness.state.values import BadValue, place
from romproof.isa.abi import abi_of
from romproof.measure.profile import Profiler
from romproof.program.image import Image, UnknownSymbol

_TRIES = 20
"""So many times as many inputs are drawn as are wanted, where the contract refuses many."""
_MAX_REFUSED = 4_000
"""Inputs in a row that are no input of the contract, after which no more are drawn; and so many
more than ``_TRIES`` for each call that was made."""
_MAX_ENDLESS = 20
"""Calls that take more than the limit of cycles, after which no more are made: each costs as much
as a thousand others."""
_FOLLOWED = 8
"""Calls that are followed to see which routines are called."""


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """A program: ``name`` is what it is called here."""

    name: str
    rom: Rom


@dataclass(frozen=True, slots=True)
class Figures:
    """What a routine costs on one side: cycles of the calls that all sides made.

    ``code`` are the bytes of it and of what it was seen to call, ``ram`` those of memory that its
    contract lists, ``stack`` the most that it used; None where that is not known, cycles without
    any call. ``on_front``: no other side is as good in mean cycles, code and RAM, and better in one
    of them. ``refused`` are inputs that its contract does not allow, ``failed`` says how a call
    failed.
    """

    side: str
    minimum: int | None = None
    mean: float | None = None
    maximum: int | None = None
    code: int | None = None
    ram: int | None = None
    stack: int | None = None
    on_front: bool = True
    refused: int = 0
    failures: int = 0
    failed: str = ""

    @property
    def weight(self) -> tuple[float, float, float] | None:
        """What is compared; less is better."""
        if self.mean is None:
            return None
        return self.mean, self.code or 0, (self.ram or 0) + (self.stack or 0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A routine on all sides, ``calls`` with inputs that all of them took; ``tried`` were made, of
    ``drawn`` inputs: the others are none of the contract."""

    routine: str
    calls: int
    tried: int
    drawn: int
    figures: tuple[Figures, ...]


@dataclass(frozen=True, slots=True)
class Whole:
    """A program: the ``bytes`` of its code and data, and those of its variables (``ram``)."""

    side: str
    cpu: str
    bytes: int
    ram: int


def measure_whole(side: ComparedSide) -> Whole:
    """The size of a program: what its segments have, in files and outside of them."""
    image = side.rom.image
    stored = sum(s.size for s in image.segments if s.file is not None)
    variables = sum(s.size for s in image.segments if s.file is None or s.load != s.run)
    return Whole(side.name, image.cpu, stored, variables)


def common_routines(sides: Sequence[ComparedSide]) -> list[str]:
    """The routines with contracts on the first side that all have. Raises BuildFailed."""
    first = sides[0].rom
    away = first.not_loaded()
    names = [n for n, c in first.contracts.items() if c.kind != INTERRUPT and n not in away]
    return [name for name in names if all(_has(side.rom.loaded, name) for side in sides)]


def _has(image: Image, name: str) -> bool:
    try:
        return image.symbol(name).is_label
    except UnknownSymbol:
        return False


def compare(
    sides: Sequence[ComparedSide],
    routine: str,
    calls: int,
    limit: int,
    tick: Callable[[], None] = lambda: None,
    on_refused: Callable[[str, int], None] = lambda routine, count: None,
) -> Comparison:
    """Call a routine on all sides with inputs that the contract on the first one allows.

    Each call is made in freshly loaded memory. Without a contract it is called once. ``tick`` is
    called after each call, ``on_refused`` after each input that the contract does not allow, with
    the routine and how many these were. Raises UnknownSymbol, BuildFailed for a malformed contract,
    and BadValue where no input is allowed.
    """
    for side in sides:
        side.rom.loaded.symbol(routine)
    contract = sides[0].rom.contract_of(routine)
    if contract is not None and contract.pointers:
        raise BadValue(
            f"'{routine}': its contract has a pointer, and inputs behind pointers cannot be drawn"
        )
    runs = [_Runs(side, routine, limit) for side in sides]
    made = refused = in_a_row = 0
    for given in _inputs(contract, sides[0].rom, calls):
        endless = sum(run.endless for run in runs)
        in_vain = in_a_row >= _MAX_REFUSED or refused >= _MAX_REFUSED + _TRIES * made
        if made >= calls or in_vain or endless >= _MAX_ENDLESS:
            break
        own = runs[0].call(given)
        if own is None and runs[0].refused_last:
            refused, in_a_row = refused + 1, in_a_row + 1
            on_refused(routine, refused)
            continue  # it is no input: others are drawn
        results = [own, *(run.call(given) for run in runs[1:])]
        made, in_a_row = made + 1, 0
        if all(result is not None for result in results):
            for run, result in zip(runs, results, strict=True):
                assert result is not None
                run.add(result)
        tick()
    if not made:
        raise BadValue(
            f"'{routine}': of {refused:,} inputs that were drawn its contract in '{sides[0].name}' "
            "allows none; conditions on single inputs are easy to satisfy"
        )
    runs[0].refused = 0  # what the first side refuses was drawn in vain
    done = len(runs[0].cycles)
    return Comparison(
        routine, done, made, made + refused, _with_front([run.figures() for run in runs])
    )


def _inputs(contract: Contract | None, rom: Rom, calls: int) -> Sequence[Drawn] | islice[Drawn]:
    if contract is None:
        return [Drawn({}, {}, {})]
    abi = abi_of(rom.image.cpu)
    if not contract.inputs:
        return [Drawn({}, {}, {})]
    return islice(draw_inputs(contract, abi), calls * _TRIES)


def _with_front(figures: Sequence[Figures]) -> tuple[Figures, ...]:
    weighed = [one.weight for one in figures]

    def is_beaten(place: int) -> bool:
        own = weighed[place]
        return own is None or any(
            other is not None
            and other != own
            and all(a <= b for a, b in zip(other, own, strict=True))
            for other in weighed
        )

    return tuple(replace(one, on_front=not is_beaten(n)) for n, one in enumerate(figures))


class _Runs:
    """The calls of one routine on one side."""

    def __init__(self, side: ComparedSide, routine: str, limit: int) -> None:
        self._side, self._routine, self._limit = side, routine, limit
        self.cycles: list[int] = []
        self._stack = 0
        self._called: set[tuple[int, int | None]] = set()
        self._known: dict[MemoryRange, int | str] = {}
        self._contract = side.rom.contract_of(routine)
        self.refused = self.endless = self._failures = self._followed = 0
        self.refused_last = False
        self._failed = ""

    def call(self, given: Drawn) -> Result | None:
        """Make a call; None when it is refused, or fails. The first few are made twice: they are
        followed in a machine, which takes longer than many inputs that are refused."""
        self.refused_last = False
        try:
            result = self._call(given, self._side.rom, None)
            if self._followed < _FOLLOWED:
                self._follow(given)
        except (RequirementBroken, BadValue, UnknownSymbol) as refusal:
            self.refused += 1
            self.refused_last = True
            self._failed = self._failed or f"{_first(refusal)} (with {given})"
            return None
        except CallError as failure:
            self._failures += 1
            self.endless += isinstance(failure, Runaway)
            self._failed = self._failed or f"{_first(failure)} (with {given})"
            return None
        return result

    def _call(self, given: Drawn, on: Rom | Machine, observer: Profiler | None) -> Result:
        registers: dict[str, Any] = dict(given.registers)
        return on.call(
            self._routine,
            flags=given.flags,
            mem={self._place(item): data for item, data in given.memory.items()},
            limit=self._limit,
            observer=observer,
            **registers,
        )

    def _follow(self, given: Drawn) -> None:
        """Note which routines a call comes to."""
        rom = self._side.rom
        machine = rom.machine()
        profiler = Profiler(places_on(machine.board, rom.image, rom.loaded))
        profiler.watch(machine.board)
        self._call(given, machine, profiler)
        self._followed += 1
        profile = profiler.profile()
        self._called |= {(r.address, r.bank) for r in profile.routines if r.address >= 0}

    def add(self, result: Result) -> None:
        """A call counts."""
        self.cycles.append(result.cycles)
        self._stack = max(self._stack, result.stack)

    def figures(self) -> Figures:
        """What they come to."""
        cycles = self.cycles
        known = bool(cycles)
        return Figures(
            side=self._side.name,
            minimum=min(cycles) if known else None,
            mean=sum(cycles) / len(cycles) if known else None,
            maximum=max(cycles) if known else None,
            code=self._code(),
            ram=_count_listed(self._contract),
            stack=self._stack if known else None,
            refused=self.refused,
            failures=self._failures,
            failed=self._failed if self.refused or self._failures else "",
        )

    def _place(self, item: MemoryRange) -> int | str:
        """Memory that the first side's contract lists, such as ``lfsr+1``, as this side has it: by
        its name where it has no more bytes there."""
        if item not in self._known:
            self._known[item] = item.address
            if item.symbol:
                address, size = place(self._side.rom.loaded, item.symbol)
                is_part = item.offset or (size or 0) > item.size
                self._known[item] = address + item.offset if is_part else item.symbol
        return self._known[item]

    def _code(self) -> int | None:
        """The bytes of the routines that were called; None when one has no known end."""
        image = self._side.rom.loaded
        sizes: Mapping[int, int] = {r.address: r.size for r in image.routines}
        total = 0
        inside: list[range] = []
        for address, _ in sorted(self._called):
            if any(address in span for span in inside):
                continue  # an inner label: its bytes are counted
            size = sizes.get(address)
            if size is None:
                label = image.label_at(address)
                size = None if label is None else label.size
            if size is None:
                return None
            inside.append(range(address, address + size))
            total += size
        return total if self._called else None


def _count_listed(contract: Contract | None) -> int | None:
    """The bytes of memory that a contract lists."""
    if contract is None:
        return None
    lists = (contract.inputs, contract.outputs, contract.clobbers)
    return len({a for x in lists for i in x if isinstance(i, MemoryRange) for a in i.addresses()})


def _first(failure: Exception) -> str:
    """The first line of what a failure says."""
    return str(failure).partition("\n")[0]

"""The profiler: turns executed instructions into the cost of every routine.

What a routine is: every routine of the image (a ``.proc``, a global label of
RGBDS), every target of a call, and the place where execution began. The
profiler follows calls by the stack pointer, and knows:

* A call (JSR, ``call``, ``rst``; and BRK, to its handler) opens one. A return
  that comes to the call's return address at its stack level closes it, and with
  it the calls above that never returned by themselves.
* A return that comes elsewhere, but above the level of some calls, closes those:
  the return address was changed (parameters after the call) or thrown away.
* A return that stays within the call's level is a jump: the program pushed the
  target itself.
* A call or return whose condition does not hold goes on to what follows.
* A jump, a branch or plain falling through to the start of another routine is
  a tail call: it opens a call of that routine inside the current one, and both
  end together. Coming back to the start of a routine of the same chain of tail
  calls is a loop and closes what came after it.
* Within one routine only calls call: a jump to an inner label, even one that
  is called from elsewhere, stays with the routine that runs. The same holds for
  a jump into the middle of another routine.
* A jump that leaves its routine after the return address was pulled closes the
  call first.

The time of a halted CPU is that of the instruction that halted it, and of the
routine which that is in. What an interrupt sequence takes is booked to where it
leads; its handler is what the interrupted routine goes on with. Where banks take
turns, everything is kept by location (see romproof.measure.places).

A call still open when execution ends counts with the cycles up to there. The
stack pointer must not wrap round within a call.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import ClassVar

from romproof.isa.abi import abi_of
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers, transfers
from romproof.measure.model import AddressProfile, Edge, Profile, RoutineProfile
from romproof.measure.places import BANK, Places
from romproof.program.image import Routine

_MOST_CALLS = 1024
"""Open calls that are remembered; the 6502's stack has room for 128 real ones."""
_NEVER = 0x10000
"""A stack level no return can rise above: the outermost call ends with the run."""
_JUMPS = (Flow.JUMP, Flow.BRANCH)
_BREAK_SIZE = 2
"""Bytes from ``brk`` to where its handler returns to."""


@dataclass(slots=True)
class _Cost:
    """The running sums of one routine."""

    address: int
    calls: int = 0
    exclusive: int = 0
    inclusive: int = 0
    minimum: int = 0
    maximum: int = 0
    total: int = 0
    active: int = 0

    def close(self, cycles: int) -> None:
        """One call of ``cycles`` inclusive cycles has ended."""
        self.minimum = cycles if self.calls == 0 else min(self.minimum, cycles)
        self.maximum = max(self.maximum, cycles)
        self.calls += 1
        self.total += cycles
        self.active -= 1
        if self.active == 0:  # inner calls of a recursion are part of the outermost
            self.inclusive += cycles


@dataclass(slots=True)
class _Call:
    """An open call. ``level`` is the stack pointer just inside it.

    ``back`` and ``back_level`` are the address and stack pointer after a plain
    return; None for a tail call, which has no return address of its own.
    """

    cost: _Cost
    start: int
    level: int
    back: int | None = None
    back_level: int = _NEVER


@dataclass(slots=True)
class Profiler:
    """An Observer that adds up the cost of what an engine executes.

    ``places`` knows the program, and which of its banks are in sight. Call ``finish`` between
    independent executions, ``profile`` at the end.
    """

    detached: ClassVar[bool] = True
    places: Places
    _table: Transfers = field(init=False)
    _starts: set[int] = field(init=False)
    _offsets: list[int] = field(init=False)
    _coming: deque[tuple[int, tuple[int, ...]]] = field(init=False)
    _costs: dict[int, _Cost] = field(default_factory=dict, init=False)
    _edges: dict[tuple[int, int], list[int]] = field(default_factory=dict, init=False)
    _calls: list[_Call] = field(default_factory=list, init=False)
    _counts: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)
    _spent: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)
    _s: int = field(default=-1, init=False)
    _halted: tuple[int, int] | None = field(default=None, init=False)
    _now: int = field(default=0, init=False)
    _mark: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._table = transfers(abi_of(self.places.image.cpu).cpu)
        self.places.advance(0)
        self._starts, self._offsets = self.places.starts(), self.places.offsets
        self._coming = self.places.coming

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See :class:`romproof.engine.protocol.Observer`."""
        offsets = self._offsets
        pc += offsets[pc >> 8]
        if self._coming and self.places.advance(self._now + cycles):
            self._starts |= self.places.starts()
        next_pc += offsets[next_pc >> 8]
        if not self._calls:
            self._starts.add(pc)
            self._open(pc, _NEVER)
        if byte < 0 or self._halted is not None:
            if byte < 0 and next_pc == pc and s == self._s:
                self._rest(cycles)
                return
            self._wake(byte < 0)
        self._s = s
        if byte < 0:
            self._interrupted(pc, cycles, s, next_pc)
            return
        self._counts[pc] += 1
        self._spent[pc] += cycles
        self._now += cycles
        if byte == self._table.halt:
            self._halted = pc, next_pc
            return
        flow = self._table.happened(byte, cycles)
        if flow is Flow.NEXT:
            if next_pc in self._starts:
                self._jump(pc, s, next_pc)
        elif flow is Flow.CALL:
            self._call(next_pc, s, self._behind(pc, self._table.sizes[byte]), s + 2)
        elif flow is Flow.RETURN:
            self._return(pc, s, next_pc)
        elif flow is Flow.SOFTWARE_INTERRUPT:
            self._call(next_pc, s, self._behind(pc, _BREAK_SIZE), s + 3)
        elif flow in _JUMPS and s > self._calls[-1].level and self._leaves(next_pc):
            self._close_above(s)
            self._jump(pc, s, next_pc)
        elif next_pc in self._starts:
            self._jump(pc, s, next_pc)

    def _rest(self, cycles: int) -> None:
        """A cycle of a halted CPU: that of the instruction that halted it."""
        if self._halted is not None:
            self._spent[self._halted[0]] += cycles
        self._now += cycles

    def _wake(self, interrupted: bool) -> None:
        """The instruction that halted the CPU is done, and what follows it comes next."""
        if self._halted is None:
            return
        (pc, next_pc), self._halted = self._halted, None
        if not interrupted and next_pc in self._starts:  # else the handler comes back to it
            self._jump(pc, self._s, next_pc)

    def _interrupted(self, pc: int, cycles: int, s: int, handler: int) -> None:
        """An interrupt sequence: it belongs to what it leads to."""
        if handler in self._starts:
            self._jump(pc, s, handler)
        self._spent[handler] += cycles
        self._now += cycles

    def finish(self) -> None:
        """End the execution: close the calls that are still open."""
        self._halted = None
        if self._calls and self._calls[-1].start == self._now:
            self._calls.pop().cost.active -= 1  # it was entered, but nothing of it was executed
        while self._calls:
            self._close()

    def profile(self) -> Profile:
        """What was executed so far; also finishes the current execution."""
        self.finish()
        names = self._names()
        routines = [
            RoutineProfile(
                name=names[cost.address],
                address=cost.address % BANK,
                bank=self.places.bank_of(cost.address),
                calls=cost.calls,
                exclusive=cost.exclusive,
                inclusive=cost.inclusive,
                minimum=cost.minimum,
                mean=cost.total / cost.calls,
                maximum=cost.maximum,
            )
            for cost in self._costs.values()
            if cost.calls
        ]
        edges = [
            Edge(names[caller], names[callee], calls, cycles)
            for (caller, callee), (calls, cycles) in self._edges.items()
        ]
        return Profile(
            cycles=self._now,
            instructions=sum(self._counts.values()),
            routines=tuple(sorted(routines, key=lambda r: (-r.exclusive, r.address))),
            edges=tuple(sorted(edges, key=lambda e: (-e.cycles, e.caller, e.callee))),
            addresses=tuple(
                AddressProfile(at % BANK, count, self._spent[at], self.places.bank_of(at))
                for at, count in sorted(self._counts.items())
            ),
        )

    def _call(self, target: int, s: int, back: int, back_level: int) -> None:
        self._starts.add(target)
        self._open(target, s, back, back_level)

    def _behind(self, location: int, size: int) -> int:
        """The location behind an instruction of ``size`` bytes."""
        address = (location + size) % BANK
        return address + self._offsets[address >> 8]

    def _return(self, pc: int, s: int, next_pc: int) -> None:
        for index in range(len(self._calls) - 1, 0, -1):
            call = self._calls[index]
            if call.back == next_pc and call.back_level == s:
                self._close_to(index)
                if next_pc in self._starts:  # a call directly before a routine falls into it
                    self._jump(next_pc - 1, s, next_pc)
                return
        if s > self._calls[-1].level:
            self._close_above(s)
        if next_pc in self._starts:
            self._jump(pc, s, next_pc)

    def _jump(self, pc: int, s: int, target: int) -> None:
        """Control came to the start of a routine without a call."""
        if target not in self._starts or target == self._calls[-1].cost.address:
            return
        proc = self._routine_at(target)
        if proc is not None and proc == self._routine_at(pc):
            return
        for index in range(len(self._calls) - 1, -1, -1):
            call = self._calls[index]
            if call.cost.address == target and (call.level in (s, _NEVER)):
                self._close_to(index + 1)
                return
            if call.back is not None:
                break
        self._open(target, s)

    def _leaves(self, target: int) -> bool:
        """True if ``target`` lies outside the routine that runs."""
        start = self._calls[-1].cost.address
        if target == start:
            return False
        proc = self._routine_at(start)
        return proc is None or proc != self._routine_at(target)

    def _open(self, address: int, level: int, back: int | None = None, back_level: int = 0) -> None:
        self._settle()
        cost = self._costs.setdefault(address, _Cost(address))
        cost.active += 1
        self._calls.append(_Call(cost, self._now, level, back, back_level))
        if len(self._calls) > _MOST_CALLS:
            # a program that never returns has overwritten its oldest calls long ago
            self._end(self._calls[1], self._calls[0])
            del self._calls[1]

    def _close(self) -> None:
        self._settle()
        call = self._calls.pop()
        self._end(call, self._calls[-1] if self._calls else None)

    def _end(self, call: _Call, caller: _Call | None) -> None:
        cycles = self._now - call.start
        call.cost.close(cycles)
        if caller is not None:
            edge = self._edges.setdefault((caller.cost.address, call.cost.address), [0, 0])
            edge[0] += 1
            edge[1] += cycles

    def _close_to(self, size: int) -> None:
        while len(self._calls) > size:
            self._close()

    def _close_above(self, s: int) -> None:
        """Close the calls whose return address is no longer on the stack."""
        while self._calls[-1].level < s:
            self._close()

    def _settle(self) -> None:
        """Give the cycles since the last change of routine to the one that ran."""
        if self._calls:
            self._calls[-1].cost.exclusive += self._now - self._mark
        self._mark = self._now

    def _names(self) -> dict[int, str]:
        """A name for every routine; equal ones (of two modules) get their addresses."""
        names = {at: self._name(at) for at in self._costs}
        uses = Counter(names.values())
        return {
            at: name if uses[name] == 1 else f"{name} ({self._address(at)})"
            for at, name in names.items()
        }

    def _name(self, location: int) -> str:
        image, address = self.places.image_at(location), location % BANK
        for routine in image.routines:
            if routine.address == address:
                return routine.name
        label = image.label_at(address)
        if label is not None:
            return label.name
        named = image.named(address)
        return self._address(location) + ("" if named is None else f" ({named})")

    def _address(self, location: int) -> str:
        """``$4000``, or ``$02:4000`` where banks take turns."""
        bank = self.places.bank_of(location)
        return f"${'' if bank is None else f'{bank:02X}:'}{location % BANK:04X}"

    def _routine_at(self, location: int) -> Routine | None:
        return self.places.image_at(location).routine_at(location % BANK)

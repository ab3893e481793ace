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

* The handler of an interrupt is a call that nobody made: what it takes, with the interrupt
  sequence, is neither the interrupted routine's own nor part of its calls.

What the machine takes from the CPU (DMA), and the time of a halted CPU, have rows of their own,
which the routine calls that ran. Where banks take turns, everything is kept by location (see
romproof.measure.code_locations).

A call still open when execution ends counts with the cycles up to there. The
stack pointer must not wrap round within a call.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakSet

from romproof.engine.executed import ExecutedBatch
from romproof.isa.abi import abi_of
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers, transfers
from romproof.machine.board import Board
from romproof.measure.calls import HALT, MACHINE, NEVER, OTHER_DMA, Ledger
from romproof.measure.code_locations import BANK, CodeLocations
from romproof.measure.model import CycleProfile
from romproof.measure.summary import profile_of
from romproof.program.image import Routine
from romproof.support.extras import absent

if TYPE_CHECKING:  # it needs numpy
    from romproof.measure.batches import CountedInstructions, InstructionBatch, TurnFinder

_JUMPS = (Flow.JUMP, Flow.BRANCH)
_BREAK_SIZE = 2
"""Bytes from ``brk`` to where its handler returns to."""
_LEAST_SEQUENCE = 5
"""M-cycles of the SM83's interrupt sequence; the 6502's has 7 cycles."""
_DMA = {name.strip("()"): number for number, name in MACHINE.items()}


@dataclass(slots=True)
class Profiler(Ledger):
    """An Observer that adds up the cost of what an engine executes.

    ``places`` knows the program, and which of its banks are in sight. Call ``watch`` for a board
    and ``begins`` before each run on it; ``finish`` between independent executions, ``profile`` at
    the end.
    """

    detached: ClassVar[bool] = True
    places: CodeLocations
    executions: int = field(default=0, init=False)
    """How often execution began at an outermost routine."""
    board: Board | None = field(default=None, init=False)
    _table: Transfers = field(init=False)
    _pushed: int = field(init=False)
    _starts: set[int] = field(init=False)
    _offsets: list[int] = field(init=False)
    _coming: deque[tuple[int, tuple[int, ...]]] = field(init=False)
    _events: deque[tuple[int, int, int]] = field(default_factory=deque, init=False)
    _warned: WeakSet[Board] = field(default_factory=WeakSet, init=False)
    _base: int = field(default=0, init=False)
    _next: int = field(default=-1, init=False)
    _s: int = field(default=-1, init=False)
    _halted: tuple[int, int] | None = field(default=None, init=False)
    _rested: int = field(default=0, init=False)
    _finder: TurnFinder | None = field(default=None, init=False)
    _counted: CountedInstructions | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        abi = abi_of(self.places.image.cpu)
        self._table = transfers(abi.cpu)
        self._pushed = 3 if abi.handler.pushes_flags else 2
        self.places.advance(0)
        self._starts, self._offsets = self.places.starts(), self.places.offsets
        self._coming = self.places.coming

    def watch(self, board: Board) -> None:
        """The next runs are on this board."""
        if board is self.board:
            return
        self.finish()
        self.board = board
        board.space.on_steal = self.record_dma
        if self.places.windows and board not in self._warned:
            self._warned.add(board)
            board.tell_banks(self.places.switch)

    def begins(self, cycle: int) -> None:
        """Execution goes on, in a cycle of the board's clock; where it had not been, it is
        another."""
        self._base = cycle - self.now
        self._events.clear()
        self._coming.clear()
        board = self.board
        if board is not None:
            if self.places.windows:
                self.places.switch(-1, board.banks())
                self.places.advance(0)  # the first instruction is seen there already
                self._starts |= self.places.starts()
            if self._calls and board.engine.registers.pc != self._next:
                self.finish()

    def record_dma(self, cycle: int, cycles: int, what: str) -> None:
        """In a cycle of the machine's clock DMA stopped the CPU, for so many: see
        AddressSpace.on_steal. It has to be reported before the instruction is."""
        self._events.append((cycle, _DMA.get(what, OTHER_DMA), cycles))

    def record_access(self, address: int, cycle: int, is_write: bool) -> None:
        """In a cycle of the machine's clock memory was read or written. As for ``record_dma``."""
        self._events.append((cycle, (address >> 8) * 2 + is_write, 0))

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See :class:`romproof.engine.protocol.Observer`."""
        offsets = self._offsets
        pc += offsets[pc >> 8]
        if self._coming and self.places.advance(self._base + self.now + cycles):
            self._starts |= self.places.starts()
        self._next = next_pc
        next_pc += offsets[next_pc >> 8]
        if not self._calls:
            self._starts.add(pc)
            self.executions += 1
            self._open(pc, NEVER)
        if byte < 0 or self._halted is not None:
            if byte < 0 and next_pc == pc and (s == self._s or self._s < 0):
                self._wait(pc, cycles)
                return
            self._wake(byte < 0)
            if byte < 0:
                self._enter_interrupt(pc, cycles, s, next_pc)
                return
        self._s = s
        if self._events:
            cycles = self._subtract_dma(pc, cycles, self._table.least[byte])
        self._counts[pc] += 1
        self._spent[pc] += cycles
        self.now += cycles
        if byte == self._table.halt:
            self._halted = pc, next_pc
            return
        flow = self._table.find_flow(byte, cycles)
        if flow is Flow.NEXT:
            if next_pc in self._starts:
                self._jump(pc, s, next_pc)
        elif flow is Flow.CALL:
            self._call(pc, next_pc, s, self._find_behind(pc, self._table.sizes[byte]), s + 2)
        elif flow is Flow.RETURN:
            self._return(pc, s, next_pc)
        elif flow is Flow.SOFTWARE_INTERRUPT:
            self._call(pc, next_pc, s, self._find_behind(pc, _BREAK_SIZE), s + 3)
        elif flow in _JUMPS and s > self._calls[-1].level and self._leaves(next_pc):
            self._close_above(s)
            self._jump(pc, s, next_pc)
        elif next_pc in self._starts:
            self._jump(pc, s, next_pc)

    def executed(self, executed: ExecutedBatch) -> bool:
        """See :mod:`romproof.engine.executed`: as one instruction after the other, but only turns
        are looked at (:mod:`romproof.measure.batches`)."""
        if self._finder is None or self._counted is None:
            if absent(["numpy"]) is not None:
                return False
            from romproof.measure.batches import CountedInstructions, TurnFinder  # it needs numpy

            self._finder = TurnFinder(self._table, self._starts, self._routine_at)
            self._counted = CountedInstructions()
        banks = [max(self._offsets) // BANK, *(max(banks) for _, banks in self._coming if banks)]
        if not self._finder.fits(max(banks)):
            return False
        if executed.records:
            self._follow(self._finder, self._counted, executed)
        return True

    def _follow(
        self, finder: TurnFinder, counted: CountedInstructions, executed: ExecutedBatch
    ) -> None:
        begin, now = self._base + self.now, self.now
        dma = [cycle for cycle, _, _ in self._events]
        batch = finder.read(executed, begin, self.places, dma)
        seen: list[int] = [-1]
        owners: list[int] = []

        def look(row: tuple[int, ...]) -> None:
            number, pc, byte, cycles, s, next_pc, end, before, resting = row
            self.now = now + end - begin - cycles
            if before >= 0 and seen[-1] != number - 1:
                self._s = before
            self.instruction(pc, byte, cycles, s, next_pc)
            if resting:
                self.instruction(pc, byte, resting, s, next_pc)
            seen.append(number)
            owners.append(counted.place(self._calls[-1].cost.location))

        first = 0
        while first < len(batch):
            finder.learn_starts()
            turns, highest = finder.find_turns(batch, first)
            first, ends = len(batch), [*turns[1:], len(batch)][: len(turns)]
            for row, end, most in zip(batch.rows(turns), ends, highest, strict=True):
                look(row)
                late = False
                while self._continues(batch, seen[-1]):
                    late = True
                    for row in batch.rows([seen[-1] + 1]):
                        look(row)
                level = self._calls[-1].level
                if most > level and not finder.knows_less():
                    for row in batch.rows(batch.find_leaps(seen[-1] + 1, end, level)):
                        look(row)
                        if finder.knows_less():
                            break
                if late or finder.knows_less():
                    first = seen[-1] + 1
                    break
        self.now = now + batch.ends.item(-1) - begin
        self._next = batch.next_pc.item(-1)
        if seen[-1] != len(batch) - 1 and not batch.rests[-1]:
            self._s = batch.s.item(-1)
        if counted.add(batch, seen[1:], owners):
            self.add_up()

    def _continues(self, batch: InstructionBatch, number: int) -> bool:
        """Whether what began in an instruction goes on in the next one: it wakes the CPU, or takes
        what DMA took late."""
        if not batch.goes_on(number):
            return False
        if self._halted is not None:
            return not batch.turns[number + 1]
        return bool(self._events) and self._events[0][0] < batch.ends.item(number)

    def add_up(self) -> None:
        """See Ledger."""
        if self._counted is not None:
            for routine, location, count, cycles in self._counted.add_up():
                cost = self.costs[routine]
                cost.counts[location] += count
                cost.spent[location] += count * cycles

    def stub(self, pc: int, cycles: int, s: int, next_pc: int) -> None:
        """What stands in for the routine at ``pc`` took ``cycles``, and went on at ``next_pc`` with
        the stack pointer ``s``, as if it returned or jumped there."""
        pc += self._offsets[pc >> 8]
        if self._coming and self.places.advance(self._base + self.now + cycles):
            self._starts |= self.places.starts()
        self._next = next_pc
        next_pc += self._offsets[next_pc >> 8]
        if not self._calls:
            self._starts.add(pc)
            self.executions += 1
            self._open(pc, NEVER)
        self._wake(interrupted=False)
        self._s = s
        if self._events:
            cycles = self._subtract_dma(pc, cycles, 0)
        self._counts[pc] += 1
        self._spent[pc] += cycles
        self.now += cycles
        self._return(pc, s, next_pc)

    def _subtract_dma(self, pc: int, cycles: int, least: int) -> int:
        """The cycles that an instruction took by itself, ``least`` or more, when all events in it
        are booked. What is taken late in it may come in the next one, so where it has no room."""
        end = self._base + self.now + cycles
        events = self._events
        while events and events[0][0] < end:
            _, what, taken = events[0]
            if what >= 0:
                self._calls[-1].cost.pages[what] += 1
            elif cycles - taken < least:
                break
            else:
                self._charge(what, taken, pc)
                self._charge_all(what, taken, pc)
                cycles -= taken
            events.popleft()
        return cycles

    def _wait(self, pc: int, cycles: int) -> None:
        """Time passes, and nothing is executed: while the CPU rests, or before what a machine has
        built in is done."""
        if self._halted is not None:
            self._charge(HALT, cycles, self._halted[0])
            self._rested += cycles
        else:
            self._spent[pc] += cycles
            self.now += cycles

    def _wake(self, interrupted: bool) -> None:
        """The CPU rests no longer, and what follows the halt comes next."""
        if self._halted is None:
            return
        (pc, next_pc), self._halted = self._halted, None
        if self._rested:
            self._charge_all(HALT, self._rested, pc)
            self._rested = 0
        if not interrupted and next_pc in self._starts:  # else the handler comes back to it
            self._jump(pc, self._s, next_pc)

    def _enter_interrupt(self, pc: int, cycles: int, s: int, handler: int) -> None:
        """An interrupt sequence: it belongs to what it leads to."""
        self._s = s
        self._starts.add(handler)
        self._open(handler, s, None, pc, s + self._pushed, interrupt=True)
        if self._events:
            cycles = self._subtract_dma(handler, cycles, _LEAST_SEQUENCE)
        self._spent[handler] += cycles
        self.now += cycles

    def finish(self) -> None:
        """End the execution: close the calls that are still open."""
        if self._halted is not None and self._rested:
            self._charge_all(HALT, self._rested, self._halted[0])
        self._halted, self._rested, self._s = None, 0, -1
        if self._calls and self._calls[-1].start == self.now:
            self._drop()  # it was entered, but nothing of it was executed
        while self._calls:
            self._close()

    def restart(self) -> None:
        """Count from here on, and know all the same which calls are open."""
        self.add_up()
        self._settle()
        self._forget()
        self._rested, self.executions = 0, 1

    def profile(self) -> CycleProfile:
        """What was executed so far; also finishes the current execution."""
        self.finish()
        self.add_up()
        return profile_of(self, self.places)

    def _call(self, site: int, target: int, s: int, back: int, back_level: int) -> None:
        self._starts.add(target)
        self._open(target, s, site, back, back_level)

    def _find_behind(self, location: int, size: int) -> int:
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
        if target not in self._starts or target == self._calls[-1].cost.location:
            return
        proc = self._routine_at(target)
        if proc is not None and proc == self._routine_at(pc):
            return
        for index in range(len(self._calls) - 1, -1, -1):
            call = self._calls[index]
            if call.cost.location == target and (call.level in (s, NEVER)):
                self._close_to(index + 1)
                return
            if call.back is not None:
                break
        self._open(target, s, pc)

    def _leaves(self, target: int) -> bool:
        """True if ``target`` lies outside the routine that runs."""
        start = self._calls[-1].cost.location
        if target == start:
            return False
        proc = self._routine_at(start)
        return proc is None or proc != self._routine_at(target)

    def _routine_at(self, location: int) -> Routine | None:
        return self.places.image_at(location).routine_at(location % BANK)

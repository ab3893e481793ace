"""The stack of a call: where it lies, and how much of it was used.

The 6502's is page 1. An SM83 program has its stack anywhere; a call gets one where the program
has nothing, or where that is small, the room that the program has for its own. A routine may load
the stack pointer with a lower address for a while, to pull data from a table; with a higher one it
would seem to pull what its caller pushed, which is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from romproof.engine.checks import CheckMode
from romproof.engine.protocol import EngineFault, FaultKind
from romproof.engine.stack import Move, moves
from romproof.harness.checks.checks import warn
from romproof.harness.errors import CallFault, CallRecord
from romproof.harness.replay.run import Scenario
from romproof.harness.state.values import BadValue
from romproof.isa.abi import Abi
from romproof.isa.cpus import cpu_named
from romproof.program.image import Image, Symbol

_LEAST = 16
"""Bytes a stack must have room for."""
_ENOUGH = 128
"""Bytes with which no other room is looked for."""
_STACK = "stack"
"""What is in the names of stacks: ``SECTION "Stack"``, ``wStack``, ``StackTop``."""
_SWITCH = 'checks = { stack = "off" } disables this check'
"""Of the message: the level as pyproject.toml has it."""


@dataclass(frozen=True, slots=True)
class CallStack:
    """The stack pointer before the return address is pushed, and the lowest it may come to."""

    top: int
    floor: int


def call_stack(abi: Abi, image: Image) -> CallStack:
    """Where calls have their stack: the largest gap the program leaves in the CPU's rooms, or the
    program's own stack where that is larger and the gap is small. A gap behind a label of unknown
    size comes last: it may be what the label names.

    Raises BadValue when there is none.
    """
    if not abi.stack_rooms:
        return CallStack(abi.stack_start, 0)
    gaps = [gap for room in abi.stack_rooms for gap in _gaps(image, *room)]
    unsure = _open_ends(image)
    floor, top = max((gap for gap in gaps if gap[0] not in unsure), key=_size, default=(0, 0))
    if top - floor < _ENOUGH:
        own = [gap for room in abi.stack_rooms for gap in _find_stacks(image, *room)]
        floor, top = max([(floor, top), *own], key=_size)
    if top - floor < _ENOUGH:
        floor, top = max([(floor, top), *gaps], key=_size)
    if top - floor < _LEAST:
        rooms = " and ".join(f"${low:04X}-${high - 1:04X}" for low, high in abi.stack_rooms)
        raise BadValue(
            f"the program leaves no {_LEAST} bytes free in {rooms}, and no section or label "
            f"there has a name like 'stack': a call needs room for a stack"
        )
    return CallStack(top, floor)


def _size(gap: tuple[int, int]) -> int:
    return gap[1] - gap[0]


def _find_stacks(image: Image, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stacks that the program has between ``start`` and ``end``, by the names of sections and
    labels: a label is at the lower end, or at the upper one where nothing or something else is
    above it."""
    for segment in image.segments:
        high = min(segment.run + segment.size, end)
        if _STACK in segment.name.lower() and start <= segment.run < high:
            yield segment.run, high
    labels: dict[int, list[Symbol]] = {}
    for symbol in image.symbols:
        if symbol.is_label and start <= symbol.value <= end:
            labels.setdefault(symbol.value, []).append(symbol)
    places = sorted({start, *labels, end})
    for at, here in labels.items():
        named = [symbol for symbol in here if _STACK in symbol.name.lower()]
        if not named:
            continue
        index = places.index(at)
        above = named[-1].size or (places[index + 1] - at if at < end else 0)
        if above >= _LEAST and len(named) == len(here):  # else something else begins here
            yield at, min(at + above, end)
        elif index:
            yield places[index - 1], at


def _open_ends(image: Image) -> set[int]:
    """Where sections seem to end only because nobody knows how long their last label is: files of
    symbols without sections name the first byte alone, of a buffer of 4 KiB too."""
    unsized = {s.value + 1 for s in image.symbols if s.is_label and not s.size}
    ends = {segment.run + segment.size for segment in image.segments if not segment.parts}
    return ends & unsized


def _gaps(image: Image, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What segments and blocks leave free of ``start`` .. ``end``, the end not included."""
    taken = [(segment.run, segment.run + segment.size) for segment in image.segments]
    taken += [(block.address, block.address + len(block.data)) for block in image.blocks]
    for low, high in sorted(taken):
        if high > start and low < end:
            if low > start:
                yield start, low
            start = max(start, high)
    if start < end:
        yield start, end


class _Overflow(Exception):
    """A push left the room of the stack."""


@dataclass(slots=True)
class _Depth:
    """An observer that looks for the lowest stack pointer within the room.

    A program may load the register with the address of a table, to pull data from it;
    only a push that leaves the room is an overflow.
    """

    pushes: tuple[Move | None, ...]
    floor: int
    s: int
    lowest: int
    at: tuple[int, int, int] | None = None
    raises: bool = True

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        before, self.s = self.s, s
        if s >= self.floor:
            self.lowest = min(self.lowest, s)
        elif self.at is None and before >= self.floor and self.pushes[byte] is Move.PUSH:
            self.at = (pc, byte, s)
            if self.raises:
                raise _Overflow
            self.floor, self.lowest = 0, s  # it is the stack all the same


@dataclass(frozen=True, slots=True)
class StackLeft:
    """The instruction ``byte`` at ``pc`` pushed to where the stack pointer is ``s``, below the room
    from ``floor`` to ``top``."""

    pc: int
    byte: int
    s: int
    top: int
    floor: int


def find_lowest(
    scenario: Scenario, record: CallRecord, lowest: int, level: CheckMode = "error"
) -> int:
    """The lowest stack pointer within the room of a call whose lowest value was ``lowest``.

    A call that left the room is made once more. Raises CallFault when it was a push that did, or
    warns of it, as ``level`` says.
    """
    if lowest >= scenario.floor:
        return lowest
    abi, stage = scenario.abi, scenario.make()
    start = abi.stack_of(scenario.registers)
    scenario.set_up(stage)
    begun = stage.engine.cycles
    depth = _Depth(moves(cpu_named(abi.cpu)), scenario.floor, start, start)
    depth.raises = level == "error"
    with suppress(_Overflow, EngineFault):  # of a fault the run that is repeated has told
        stage.run(scenario.until, scenario.limit, depth)
    if depth.at is not None:
        left = StackLeft(*depth.at, start + abi.return_size, scenario.floor)
        judge(scenario, record, stage.engine.name, left, stage.engine.cycles - begun, level)
    return depth.lowest


def judge(
    scenario: Scenario,
    record: CallRecord,
    engine: str,
    left: StackLeft,
    used: int,
    level: CheckMode,
) -> None:
    """Raise CallFault for a push that left the room ``used`` cycles after the run began, or warn of
    it, as ``level`` says."""
    fault = _overflow(scenario.abi, record.image, left, engine)
    if level == "error":
        ended = replace(scenario, limit=max(1, used))
        raise CallFault(fault, CallRecord(ended, record.image))
    if level == "warn":
        sentence = fault.explain(record.image.describe(fault.address))
        warn(record.image, fault.address, sentence, "stack")


def _overflow(abi: Abi, image: Image, left: StackLeft, engine: str) -> EngineFault:
    """What is wrong with the push that left the room."""
    pushed = abi.stack_base + left.s
    onto = image.all_named(pushed)
    where = f"; the last byte pushed is at ${pushed:04X} ({onto})" if onto else ""
    return EngineFault(
        FaultKind.STACK_OVERFLOW,
        engine,
        left.pc,
        left.byte,
        f"the stack overflows at {{at}}: {abi.stack_pointer.name} is "
        f"${left.s:0{abi.stack_pointer.bits // 4}X}, and the {left.top - left.floor:,} bytes that "
        f"the program leaves free for it are in use{where} ({_SWITCH})",
    )

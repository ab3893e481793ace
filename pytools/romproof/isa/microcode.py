"""What an instruction does: its bus cycles in order, and what the registers are afterwards.

The operations of a CPU are functions that act on a Recorder as if it was the CPU. Each runs
once for each opcode; what the recorder noted is the Microcode, from which every engine is made.
All bus cycles are there, also those whose value nobody uses: one step is one cycle (SM83: one
M-cycle), but for SIGNAL and ACKNOWLEDGE, which take no time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import overload

from romproof.isa.algebra import Op, Value, cat, const, input_of, register, substitute


class StepKind(Enum):
    """What a step is."""

    FETCH = "fetch"
    """Read the opcode."""
    OPERAND = "operand"
    """Read a byte that follows the opcode."""
    READ = "read"
    WRITE = "write"
    DUMMY_READ = "dummy read"
    """A read whose value is not used: the chip drives the bus in every cycle."""
    DUMMY_WRITE = "dummy write"
    IDLE = "idle"
    """A cycle in which the bus rests (SM83)."""
    SIGNAL = "signal"
    """Look at an input line; takes no cycle."""
    ACKNOWLEDGE = "acknowledge"
    """Tell that an interrupt is served; takes no cycle."""

    @property
    def is_cycle(self) -> bool:
        """Whether it takes a cycle."""
        return self not in (StepKind.SIGNAL, StepKind.ACKNOWLEDGE)

    @property
    def is_read(self) -> bool:
        """Whether the bus brings a byte."""
        return self in (StepKind.FETCH, StepKind.OPERAND, StepKind.READ, StepKind.DUMMY_READ)

    @property
    def is_write(self) -> bool:
        """Whether the bus takes a byte."""
        return self in (StepKind.WRITE, StepKind.DUMMY_WRITE)


@dataclass(frozen=True, slots=True)
class MicroStep:
    """One step. It takes place when the one-bit ``when`` is 1; always when that is None.

    ``address`` is 16 bits wide; an IDLE may have one, that of the byte on the address lines.
    ``value`` is what a WRITE writes (8 bits) or an ACKNOWLEDGE tells. ``signal`` names the line,
    ``width`` is that of what the step brings, 0 for nothing.
    """

    kind: StepKind
    address: Value | None = None
    value: Value | None = None
    when: Value | None = None
    signal: str = ""
    width: int = 0


class CpuStop(Enum):
    """Why a CPU does not go on after an instruction."""

    JAM = "jam"
    """The opcode stops the CPU for good."""
    STOP = "stop"
    """SM83 ``stop``: the clock stands until a button is pressed."""


@dataclass(frozen=True, slots=True)
class Microcode:
    """The steps, in order, and the registers that change: name and new value.

    All values are in terms of the registers before the first step, and of INPUTs: what the
    steps bring. Registers change at the very end, all at once: an instruction that is broken
    off has not happened, but for its writes. ``next``, where given, is the number of the
    microcode that goes on from here. ``stop`` says that the CPU stands still afterwards.
    """

    steps: tuple[MicroStep, ...] = ()
    results: tuple[tuple[str, Value], ...] = ()
    next: Value | None = None
    stop: CpuStop | None = None

    @property
    def cycles(self) -> tuple[int, int]:
        """The fewest and the most cycles, without the fetch of the opcode."""
        cycles = [step for step in self.steps if step.kind.is_cycle]
        always = sum(step.when is None for step in cycles)
        return always, len(cycles)

    def result(self, name: str) -> Value | None:
        """What register ``name`` becomes; None when it stays."""
        return dict(self.results).get(name)


class MicrocodeRecorder:
    """The CPU as its operations see it; it notes what they do.

    Registers are attributes: reading one gives a Value, setting one says what it becomes.
    """

    _widths: Mapping[str, int]
    _now: dict[str, Value]
    _steps: list[MicroStep]
    _next: Value | None
    _stop: CpuStop | None

    def __init__(self, widths: Mapping[str, int]) -> None:
        now = {name: register(name, bits) for name, bits in widths.items()}
        # not by assignment, which sets a register
        vars(self).update(_widths=widths, _now=now, _steps=[], _next=None, _stop=None)

    def __getattr__(self, name: str) -> Value:
        try:
            return self._now[name]
        except KeyError:
            raise AttributeError(f"the CPU has no register '{name}'") from None

    def __setattr__(self, name: str, value: Value | int) -> None:
        if name not in self._widths:
            raise AttributeError(f"the CPU has no register '{name}'")
        bits = self._widths[name]
        if isinstance(value, int):
            value = const(value, bits)
        if value.width != bits:
            raise ValueError(f"register '{name}' has {bits} bits, the value {value.width}")
        self._now[name] = value

    def read(
        self, address: Value, when: Value | None = None, kind: StepKind = StepKind.READ
    ) -> Value:
        """One cycle that reads a byte."""
        return self._add(MicroStep(kind, address, when=when, width=8))

    def write(
        self,
        address: Value,
        value: Value,
        when: Value | None = None,
        kind: StepKind = StepKind.WRITE,
    ) -> None:
        """One cycle that writes a byte."""
        self._add(MicroStep(kind, address, value, when))

    def dummy_read(self, address: Value, when: Value | None = None) -> None:
        """One cycle that reads a byte nobody wants."""
        self.read(address, when, StepKind.DUMMY_READ)

    def idle(self, address: Value | None = None, when: Value | None = None) -> None:
        """One cycle without an access."""
        self._add(MicroStep(StepKind.IDLE, address, when=when))

    def operand(self) -> Value:
        """One cycle that reads the byte at the program counter, which goes on."""
        pc = self._now["pc"]
        byte = self.read(pc, kind=StepKind.OPERAND)
        self._now["pc"] = pc + 1
        return byte

    def operand_word(self) -> Value:
        """Two cycles that read the two bytes at the program counter, the low one first."""
        low = self.operand()
        return cat(self.operand(), low)

    def signal(self, line: str, width: int = 1, when: Value | None = None) -> Value:
        """The state of an input line now."""
        return self._add(MicroStep(StepKind.SIGNAL, when=when, signal=line, width=width))

    def acknowledge(self, line: str, value: Value, when: Value | None = None) -> None:
        """Tell the outside that an interrupt is served."""
        self._add(MicroStep(StepKind.ACKNOWLEDGE, value=value, when=when, signal=line))

    def go_on_with(self, number: Value) -> None:
        """The microcode that goes on from here."""
        vars(self)["_next"] = number

    def stand_still(self, reason: CpuStop) -> None:
        """The CPU does not go on by itself."""
        vars(self)["_stop"] = reason

    def _add(self, step: MicroStep) -> Value:
        self._steps.append(step)
        return input_of(len(self._steps) - 1, step.width or 1)

    def microcode(self) -> Microcode:
        """What was noted."""
        results = [
            (name, value)
            for name, value in self._now.items()
            if value is not register(name, self._widths[name])
        ]
        return Microcode(tuple(self._steps), tuple(results), self._next, self._stop)


def record(
    widths: Mapping[str, int], operation: Callable[[MicrocodeRecorder], object]
) -> Microcode:
    """The microcode of an operation, for a CPU with registers of these widths in bits."""
    cpu = MicrocodeRecorder(widths)
    operation(cpu)
    return cpu.microcode()


class Recordings(Sequence[Microcode]):
    """Microcodes by number, each recorded when it is first wanted.

    To record all of a CPU takes a tenth of a second, and compiled engines that were kept on disk
    want none of them.
    """

    def __init__(self, recorders: Iterable[Callable[[], Microcode]]) -> None:
        self._recorders = tuple(recorders)
        self._recorded: list[Microcode | None] = [None] * len(self._recorders)

    def __len__(self) -> int:
        return len(self._recorders)

    @overload
    def __getitem__(self, number: int) -> Microcode: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[Microcode, ...]: ...

    def __getitem__(self, number: int | slice) -> Microcode | tuple[Microcode, ...]:
        if isinstance(number, slice):
            return tuple(self[each] for each in range(*number.indices(len(self))))
        microcode = self._recorded[number]
        if microcode is None:
            microcode = self._recorded[number] = self._recorders[number]()
        return microcode


def specialise(microcode: Microcode, known: Mapping[Value, Value]) -> Microcode:
    """The microcode when some registers or inputs are known; steps that cannot happen go.

    Steps keep their place, as inputs are numbered by them: one that cannot happen becomes a
    step without a cycle that brings nothing.
    """
    done: dict[Value, Value] = {}

    def put(value: Value | None) -> Value | None:
        return None if value is None else substitute(value, known, done)

    steps: list[MicroStep] = []
    for number, step in enumerate(microcode.steps):
        when = put(step.when)
        if when is not None and when.op is Op.CONST:
            if not when.number:
                steps.append(NOTHING)
                if step.width:
                    done[input_of(number, step.width)] = const(0, step.width)
                continue
            when = None
        steps.append(replace(step, address=put(step.address), value=put(step.value), when=when))
    results = tuple((name, substitute(value, known, done)) for name, value in microcode.results)
    return replace(microcode, steps=tuple(steps), results=results, next=put(microcode.next))


NOTHING = MicroStep(StepKind.ACKNOWLEDGE)
"""A step that was left out."""

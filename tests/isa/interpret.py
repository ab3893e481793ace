"""A CPU that evaluates its microcode word by word: slow, and with nothing to get wrong.

What engines make of the same microcode is held against vectors elsewhere; this shows that the
microcode itself is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from romproof.isa.algebra import Value, evaluate
from romproof.isa.cpu import Cpu
from romproof.isa.microcode import CpuStop, Microcode, MicroStep, StepKind

Cycle = tuple[str, int | None, int | None]
"""One cycle on the bus: "r" or "w", address, value; IDLE when the bus rests."""

IDLE: Cycle = ("-", None, None)


@dataclass
class Interpreter:
    """A CPU with registers and memory, both by name and address, to be set at any time.

    ``bus`` notes every cycle. ``signal`` gives the state of an input line, ``acknowledge`` is
    told which interrupts are served.
    """

    cpu: Cpu
    registers: dict[str, int]
    memory: dict[int, int] = field(default_factory=dict)
    signal: Callable[[str], int] = lambda line: 0
    acknowledge: Callable[[str, int], None] = lambda line, value: None
    bus: list[Cycle] = field(default_factory=list)
    stop: CpuStop | None = None

    def step(self) -> None:
        """The prologue, and all that follows up to the next one."""
        number = self._perform(self.cpu.prologue)
        while number is not None:
            number = self._perform(self.cpu.microcode[number])

    def _perform(self, microcode: Microcode) -> int | None:
        """All the steps; the number of the microcode that goes on."""
        inputs: dict[int, int] = {}

        def number_of(value: Value) -> int:
            return evaluate(value, self.registers, inputs)

        for number, step in enumerate(microcode.steps):
            if step.when is None or number_of(step.when):
                inputs[number] = self._step(step, number_of)
        after = {name: number_of(value) for name, value in microcode.results}
        following = None if microcode.next is None else number_of(microcode.next)
        self.registers |= after
        self.stop = self.stop or microcode.stop
        return following

    def _step(self, step: MicroStep, number_of: Callable[[Value], int]) -> int:
        """One step; what it brings."""
        if step.kind is StepKind.SIGNAL:
            return self.signal(step.signal)
        if step.kind is StepKind.ACKNOWLEDGE:
            if step.value is not None:
                self.acknowledge(step.signal, number_of(step.value))
            return 0
        if step.kind is StepKind.IDLE:
            self.bus.append(IDLE)
            return 0
        assert step.address is not None
        address = number_of(step.address)
        if step.kind.is_read:
            value = self.memory[address]
            self.bus.append(("r", address, value))
            return value
        assert step.value is not None
        self.memory[address] = number_of(step.value)
        self.bus.append(("w", address, self.memory[address]))
        return 0

"""Many instructions at once are profiled as one after the other are: in random executions, which no
program needs to have."""

from __future__ import annotations

from random import Random

import pytest
from measure_programs import image_of

from romproof.engine.executed import RECORD, ExecutedBatch
from romproof.engine.instruments import first_bytes
from romproof.isa.abi import abi_of
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow
from romproof.isa.transfers import transfers
from romproof.machine.board import Window
from romproof.measure.code_locations import CodeLocations
from romproof.measure.profile import Profiler

pytest.importorskip("numpy")

PROCS = {"a": (0x4000, 8), "b": (0x4008, 8), "c": (0x4010, 6), "outer": (0x4018, 24)}
PROCS |= {"inner": (0x4020, 8), "fixed": (0x200, 12)}
PLACES = [*range(0x4000, 0x4038), *range(0x200, 0x210)]


@pytest.mark.parametrize("cpu", ["mos6502", "sm83"])
@pytest.mark.parametrize("banked", [False, True])
def test_a_batch_is_the_same_as_its_instructions(cpu: str, banked: bool) -> None:
    kinds: set[str] = set()
    for seed in range(5):
        execution = Execution(cpu, banked, Random(seed))
        each, batches = execution.profiler(), execution.profiler()
        for _ in range(6):
            execution.go(each, batches)
        assert each.profile() == batches.profile(), f"seed {seed}"
        kinds |= {routine.kind for routine in each.profile().routines}
    assert kinds == {"routine", "interrupt", "machine"}


class Execution:
    """Instructions that go from place to place as chance has it, with calls that return most often,
    loops, pulled return addresses, interrupts, rests, DMA and switches of banks."""

    def __init__(self, cpu: str, banked: bool, chance: Random) -> None:
        self.cpu, self.banked, self.chance = cpu, banked, chance
        self.table, self.firsts = transfers(abi_of(cpu).cpu), first_bytes(cpu_named(cpu).name)
        self.cycle, self.pc, self.s = 1000, 0x200, 0xF0
        self.stack: list[tuple[int, int]] = []
        self.by_flow: dict[Flow, list[int]] = {}
        for number, byte in enumerate(self.firsts):
            if byte >= 0 and byte != self.table.halt:
                self.by_flow.setdefault(self.table.flows[byte], []).append(number)
        self.sequence = self.firsts.index(-1)

    def profiler(self) -> Profiler:
        windows = (Window(range(0x4000, 0x8000), "ROMX", 1),) if self.banked else ()
        profiler = Profiler(CodeLocations(image_of({}, PROCS, cpu=self.cpu), windows))
        if self.banked:
            profiler.places.switch(-1, (1,))
            profiler.places.advance(0)
        return profiler

    def go(self, each: Profiler, batches: Profiler) -> None:
        """Execute some instructions and tell both."""
        data = bytearray(RECORD.pack(*self.record(self.number(Flow.NEXT), self.pc + 1)))
        for _ in range(self.chance.choice([1, 7, 300])):
            for record in self.step():
                data += RECORD.pack(*record)
        executed = ExecutedBatch(memoryview(data), self.cycle, self.firsts)
        first = RECORD.unpack_from(data)[0]
        dma = [
            (self.chance.randrange(first, self.cycle), 3, self.chance.choice(["OAM DMA", ""]))
            for _ in range(self.chance.choice([0, 0, 1, 6]))
        ]
        switches = [
            (self.chance.randrange(first, self.cycle), (self.chance.randrange(1, 4),))
            for _ in range(self.chance.choice([0, 1, 5]) if self.banked else 0)
        ]
        for profiler in (each, batches):
            profiler._base = first - profiler.now
            for event in sorted(dma):
                profiler.record_dma(*event)
            for switch in sorted(switches):
                profiler.places.switch(*switch)
        for instruction in executed:
            each.instruction(*instruction)
        assert batches.executed(executed)

    def step(self) -> list[tuple[int, int, int, int, int]]:
        """The next instructions, or an interrupt."""
        chance = self.chance
        kind = chance.choices(
            ("next", "loop", "jump", "call", "return", "pull", "interrupt", "rest", "halt"),
            (30, 8, 5, 6, 6, 2, 1, 1, 1),
        )[0]
        if kind == "loop":  # to and fro, as often as it may be
            there, back = self.pc, chance.choice(PLACES)
            return [
                self.record(self.number(Flow.BRANCH), to)
                for _ in range(chance.randrange(6))
                for to in (back, there)
            ]
        if kind == "jump":
            return [self.record(self.number(Flow.JUMP), chance.choice(PLACES))]
        if kind == "call":
            number = self.number(Flow.CALL)
            behind = self.pc + self.table.sizes[self.firsts[number]]
            self.stack.append((behind, self.s))
            self.s -= 2
            return [self.record(number, chance.choice((0x4000, 0x4008, 0x4018, 0x4020, 0x4030)))]
        if kind == "return" and self.stack:
            back, self.s = self.stack.pop()
            return [self.record(self.number(Flow.RETURN), back)]
        if kind == "pull" and self.stack:
            _, self.s = self.stack.pop()
            return [self.record(self.number(Flow.NEXT), self.pc + 1)]
        if kind == "interrupt":
            self.stack.append((self.pc, self.s))
            self.s -= 3
            return [self.record(self.sequence, chance.choice((0x208, 0x4010)))]
        if kind == "halt" and self.table.halt is not None:
            halted = self.record(self.firsts.index(self.table.halt), self.pc + 1)
            return [halted, *self.rest(chance.choice([0, 5]))]
        if kind == "rest":
            return self.rest(3)
        return [self.record(self.number(Flow.NEXT), chance.choice((self.pc + 1, *PLACES[:1])))]

    def rest(self, cycles: int) -> list[tuple[int, int, int, int, int]]:
        return [self.record(self.sequence, self.pc, 1) for _ in range(cycles)]

    def number(self, flow: Flow) -> int:
        return self.chance.choice(self.by_flow[flow])

    def record(self, number: int, to: int, cycles: int = 0) -> tuple[int, int, int, int, int]:
        least = self.table.least[self.firsts[number]]
        record = (self.cycle, self.pc, to & 0xFFFF, self.s & 0xFFFF, number)
        self.cycle += cycles or least + self.chance.randrange(0, 7)
        self.pc = to & 0xFFFF
        return record

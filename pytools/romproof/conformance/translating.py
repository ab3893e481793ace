"""Vectors on translated code: many instructions are translated together, far from each other.

A vector says what one instruction does, and an engine that translates what runs often would
leave it to its interpreter. So the instructions of many vectors are put into one memory, where
none reads, writes or goes on at the code of another, and are translated before any is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from romproof.conformance.probe import OpcodeVector, ProbeEngine
from romproof.engine.engines import make_engine
from romproof.engine.recompiled.discover import place
from romproof.engine.recompiled.engine import RecompiledEngine
from romproof.engine.space import SIZE
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.isa.model import OpcodeVariant

MAX_TOGETHER = 400
"""Vectors in one memory; with more of them, more get in the way of each other."""


@dataclass
class VectorGroup:
    """Vectors whose code can be in memory together.

    ``code`` maps the addresses of their instructions to bytes, and is empty where nothing is to
    be translated; ``used`` are all addresses that they read, write or go to.
    """

    vectors: list[OpcodeVector] = field(default_factory=list)
    code: dict[int, int] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)

    def takes(self, vector: OpcodeVector, code: dict[int, int]) -> bool:
        """Take a vector in, unless it uses the code of others, or one of them its code."""
        used = {*vector.ram, *vector.ram_after, vector.after["pc"], *code}
        full = len(self.vectors) == MAX_TOGETHER
        if full or not (self.code.keys().isdisjoint(used) and self.used.isdisjoint(code)):
            return False
        self.vectors.append(vector)
        self.code |= code
        self.used |= used
        return True


def groups(cpu: Cpu, vectors: Sequence[OpcodeVector]) -> Iterator[VectorGroup]:
    """All vectors. The last group has those that only the interpreter can execute: what changes
    its own code or goes to it, what stops or interrupts."""
    interpreted = VectorGroup()
    waiting: list[tuple[OpcodeVector, dict[int, int]]] = []
    for vector in vectors:
        code = code_of(cpu, vector)
        if code is None:
            interpreted.vectors.append(vector)
        else:
            waiting.append((vector, code))
    while waiting:
        group = VectorGroup()
        waiting = [(vector, code) for vector, code in waiting if not group.takes(vector, code)]
        yield group
    if interpreted.vectors:
        yield interpreted


def code_of(cpu: Cpu, vector: OpcodeVector) -> dict[int, int] | None:
    """The bytes of the instruction of a vector, by address; None where it is not translated."""
    pc, memory = vector.before["pc"], bytearray(SIZE)
    for address, byte in vector.ram.items():
        memory[address] = byte
    if cpu.opcodes[memory[pc]].variant is OpcodeVariant.JAM:
        return None
    placed = place(cpu, bytes(memory), pc)
    if placed is None:
        return None
    code = {at: memory[at] for at in ((pc + i) % SIZE for i in range(placed.size))}
    changed = any(vector.ram_after.get(at, byte) != byte for at, byte in code.items())
    return None if changed or vector.after["pc"] in code else code


def probe_of(group: VectorGroup, cpu: str) -> ProbeEngine:
    """What executes the vectors of a group: translated code, if it has any."""
    if not group.code:
        return ProbeEngine(make_engine("recompiled", cpu), cpu_named(cpu))
    engine = RecompiledEngine(cpu)
    for address, byte in group.code.items():
        engine.memory[address] = byte
    engine.translate_only(group.code, [vector.before["pc"] for vector in group.vectors])
    return ProbeEngine(engine, cpu_named(cpu), lets_go=True)

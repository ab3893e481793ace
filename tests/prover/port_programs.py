"""Claims on routines that read ports, and executions that show what is right of each.

What a claim is worth is known from running the program on the engine ``plain`` with a device that
brings given values, one for each read of an address; the prover has no part in that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from claims import HEAD_SM83, Said, false, rom_of, source

from romproof.contract.checks.view import StateView, holds
from romproof.contract.nouns.state import State
from romproof.engine.plain.core import BusCycle
from romproof.engine.plain.engine import PlainEngine
from romproof.harness.rom import Rom
from romproof.isa.abi import abi_of
from romproof.isa.microcode import StepKind

LIMIT = 20_000
NOWHERE = {"6502": 0xFFF0, "sm83": 0xFEF0}
STACK = {"6502": 0xE0, "sm83": 0xDFF0}

Stream = Mapping[str, Sequence[int]]
"""What each read of a place brings, by its name; the last value goes on."""


@dataclass(frozen=True)
class Begun:
    """How a run begins: registers and flags by the names of the microcode, bytes by place."""

    stream: Stream = field(default_factory=dict)
    registers: Mapping[str, int] = field(default_factory=dict)
    memory: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Ended:
    """What a run did. ``executed`` are the addresses of its instructions, ``seen`` is how it
    ended, as contracts see it."""

    seen: StateView
    cycles: int
    executed: tuple[int, ...]
    registers: Mapping[str, int]


@dataclass
class Device:
    """Brings the values of a stream; what is written is gone."""

    values: dict[int, list[int]]

    def read(self, address: int, cycle: int) -> int:
        """See romproof.engine.devices."""
        left = self.values[address]
        return left.pop(0) if len(left) > 1 else left[0]

    def write(self, address: int, value: int, cycle: int) -> None:
        """See romproof.engine.devices."""


def place(rom: Rom, name: str) -> int:
    """An address: ``name``, ``name+2`` or ``$8000``."""
    stem, _, more = name.partition("+")
    base = int(stem[1:], 16) if stem.startswith("$") else rom.image.address(stem)
    return base + int(more or "0")


def run(cpu: str, rom: Rom, begun: Begun, routine: str = "it") -> Ended:
    """Run a routine until it returns."""
    abi = abi_of(cpu)
    engine, before = PlainEngine(abi.cpu), PlainEngine(abi.cpu)
    entry, back = rom.image.address(routine), NOWHERE[cpu]
    for each in (engine, before):
        each.memory[:] = rom.memory_map.initial
        for name, value in begun.memory.items():
            each.memory[place(rom, name)] = value
        registers = dict(each.registers.unpack())
        registers |= {"pc": entry, abi_stack(cpu): STACK[cpu], **begun.registers}
        base = STACK[cpu] + abi.stack_base
        pushed = back - abi.return_bias
        each.memory[base], each.memory[base + 1] = pushed & 0xFF, pushed >> 8
        each.registers.pack(registers)
    device = Device({place(rom, name): list(given) for name, given in begun.stream.items()})
    for address in device.values:
        engine.space.attach(address, address, device)
    executed: list[int] = []

    def watch(cycle: BusCycle) -> None:
        if cycle.kind is StepKind.FETCH and cycle.address is not None:
            executed.append(cycle.address)

    engine.watch(watch)
    engine.run((back,), LIMIT, None)
    after = dict(engine.registers.unpack())
    assert after["pc"] == back, "it does not return"
    first = State(before.registers, bytes(before.memory))
    now = State(engine.registers, bytes(engine.memory))
    return Ended(StateView(abi, now, first), engine.cycles, tuple(executed), after)


def abi_stack(cpu: str) -> str:
    """What the microcode calls the stack pointer."""
    return "sp" if cpu == "sm83" else "s"


Shown = Callable[[Rom, Sequence[Ended]], bool]
"""Whether runs keep to a claim."""


def ensured(rom: Rom, runs: Sequence[Ended]) -> bool:
    """What ``ensures:`` says, of each run."""
    contract = rom.contracts["it"]
    assert contract.ensures
    return all(holds(each, one.seen) for one in runs for each in contract.ensures)


def in_time(rom: Rom, runs: Sequence[Ended]) -> bool:
    """What ``cycles:`` says, of each run."""
    low, high = rom.contracts["it"].cycles or (0, None)
    return all(low <= one.cycles and (high is None or one.cycles <= high) for one in runs)


def same_outputs(rom: Rom, runs: Sequence[Ended]) -> bool:
    """That what comes out in registers is the same in all runs, and so is the time."""
    names = [item.name.lower() for item in rom.contracts["it"].outputs]
    kept = [name for name in names if name in runs[0].registers]
    assert kept
    each = {(one.cycles, *(one.registers[name] for name in kept)) for one in runs}
    return len(each) == 1


def same_way(rom: Rom, runs: Sequence[Ended]) -> bool:
    """That all runs execute the same instructions."""
    return len({one.executed for one in runs}) == 1


def unknown_way(rom: Rom, runs: Sequence[Ended]) -> bool:
    """Of code that a port brings: what is executed then is not known at all."""
    assert not runs
    return False


@dataclass(frozen=True)
class Ports:
    """A claim with runs: of a false one they show that it is false, of a true one some that keep
    to it. Registers and memory that a run does not say are 0."""

    said: Said
    runs: tuple[Begun, ...]
    shown: Shown = ensured

    def keeps(self, cpu: str) -> bool:
        """Whether the runs keep to what is claimed."""
        rom = rom_of(cpu, source(cpu, self.said))
        return self.shown(rom, [run(cpu, rom, each) for each in self.runs])


RARE = (0xA5, 0x5A, 0x3C)
"""Three values that one place of memory never has at once."""


def rare(where: str, index: str = "") -> str:
    """6502 code: A is 1 if three reads bring three values, else 0."""
    at = f"{where}{index}"
    return (
        f"lda {at}/cmp #$A5/bne @ok/lda {at}/cmp #$5A/bne @ok/lda {at}/cmp #$3C/bne @ok/"
        "lda #1/rts/@ok: lda #0/rts"
    )


def rare_gb(where: str) -> str:
    """The same for the SM83."""
    return (
        f"ld a, [{where}]/cp $A5/jr nz, .ok/ld a, [{where}]/cp $5A/jr nz, .ok/"
        f"ld a, [{where}]/cp $3C/jr nz, .ok/ld a, 1/ret/.ok: xor a/ret"
    )


ZERO = "out: A; ensures: A == 0; clobbers: N Z C"
ZERO_GB = "out: A; ensures: A == 0; clobbers: F"
CALL, CALL_GB = "jsr callee/rts", "call callee/ret"
IN_N = Begun({"n": RARE})


def of_call(
    own: str,
    callee: str | None,
    code: str,
    calls: str = CALL,
    others: Mapping[str, tuple[str | None, str]] = MappingProxyType({}),
) -> Said:
    """A false claim of a routine that calls ``callee``."""
    return false(own, calls, others={"callee": (callee, code), **others})


SUB_LOOP = (
    "ldx #8/@l: lda n/cmp #$A5/bne @next/lda n/cmp #$5A/bne @next/lda n/cmp #$3C/bne @next/"
    "lda #1/rts/@next: dex/bne @l/lda #0/rts"
)
POLLS = "out: none; clobbers: Y N Z C; invariant: @l: Y in 1..2; decreases: @l: Y"
POLL = "ldy #2/@l: cpx n/dey/bne @l/rts"
CUT = "invariant: @l: X in 1..8; decreases: @l: X"
CODE_AT_8000 = """\
        .segment "ZEROPAGE"
n:      .res 1
m:      .res 1
tmp:    .res 1
ptr:    .res 2
buf:    .res 4
        .exportzp n, m, tmp, ptr, buf
        .segment "RODATA"
reg:    .byte 7, 8
table:  .byte 1, 2, 3, 4
        .export reg, table
        .segment "CODE"
"""
ROM_GB = (
    HEAD_SM83
    + """\
reg::   db 7, 8
table:: db 1, 2, 3, 4
"""
)

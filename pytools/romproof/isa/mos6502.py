"""The NMOS 6502: how its instructions begin, what interrupts do, which opcode does what.

An opcode is an addressing mode and an operation: ``mos6502_operations`` has the cycles on the
bus, ``mos6502_alu`` what is computed, ``mos6502_undocumented`` what nobody designed. All of it
was compared with a transistor-level simulation of the chip, bus cycle by bus cycle.

Registers are 8 bits wide, ``pc`` 16, the flags ``n v d i z c`` one bit each. ``interrupt`` is 1
when the interrupt sequence runs next, in place of an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType

from romproof.isa import mos6502_alu as alu
from romproof.isa import mos6502_operations as do
from romproof.isa import mos6502_undocumented as odd
from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.cpu import Cpu
from romproof.isa.load import load
from romproof.isa.microcode import (
    CpuStop,
    Microcode,
    MicrocodeRecorder,
    MicroStep,
    Recordings,
    StepKind,
    record,
)
from romproof.isa.model import Opcode, OperandAccess
from romproof.isa.mos6502_alu import Cpu6502

REGISTERS = MappingProxyType(
    {"pc": 16, "a": 8, "x": 8, "y": 8, "s": 8}
    | {"n": 1, "v": 1, "d": 1, "i": 1, "z": 1, "c": 1, "interrupt": 1}
)

INTERRUPT, RESET = 0x100, 0x101
"""Where in the list of microcodes the two are that no opcode starts."""

NMI_VECTOR, RESET_VECTOR, IRQ_VECTOR = 0xFFFA, 0xFFFC, 0xFFFE
"""Where the addresses of the handlers are; ``brk`` shares that of IRQ."""


# ---------------------------------------------------------------- the fetch and interrupts


def fetch(cpu: Cpu6502) -> None:
    """The first cycle of everything. An interrupt lets it pass without using the byte: the chip
    puts a ``brk`` in its place."""
    opcode = cpu.read(cpu.pc, kind=StepKind.FETCH)
    cpu.go_on_with(select(cpu.interrupt, const(INTERRUPT, 9), opcode.widen(9)))
    cpu.pc = select(cpu.interrupt, cpu.pc, cpu.pc + 1)


def interrupt_sequence(cpu: Cpu6502) -> None:
    """What runs in place of an instruction. ``pc`` was not moved, so that the handler returns to
    the instruction that had to wait; B is pushed as 0."""
    cpu.dummy_read(cpu.pc)
    enter_handler(cpu, b=0)


def brk(cpu: Cpu6502) -> None:
    """An interrupt made by the program; B is pushed as 1. The byte after the opcode is read and
    skipped: the handler returns behind it."""
    cpu.dummy_read(cpu.pc)
    cpu.pc = cpu.pc + 1
    enter_handler(cpu, b=1)


def enter_handler(cpu: Cpu6502, b: int) -> None:
    """Push where the program was and its flags, and go where the vector points.

    Which vector is decided late, when the flags are pushed: an NMI that comes until then takes
    over a ``brk`` or an IRQ. Nothing looks at the interrupt lines in these cycles: the first
    instruction of a handler always runs (nesdev, "Interrupt hijacking").
    """
    do.push(cpu, cpu.pc[8:16])
    do.push(cpu, cpu.pc[0:8])
    nmi = cpu.signal("nmi")
    do.push(cpu, do.flag_byte(cpu, b))
    cpu.acknowledge("nmi", nmi)
    jump_through(cpu, select(nmi, const(NMI_VECTOR, 16), const(IRQ_VECTOR, 16)))


def reset_sequence(cpu: Cpu6502) -> None:
    """An interrupt whose three pushes are turned into reads: S goes down by 3, and memory stays
    as it is (Visual6502, "6502 Interrupt Recognition Stages and Tolerances")."""
    cpu.dummy_read(cpu.pc)
    for _ in range(3):
        cpu.dummy_read(do.stack(cpu))
        cpu.s = cpu.s - 1
    jump_through(cpu, const(RESET_VECTOR, 16))


def jump_through(cpu: Cpu6502, vector: Value) -> None:
    """Go where a vector points, with IRQs masked."""
    low = cpu.read(vector)
    cpu.i = 1
    cpu.pc = cat(cpu.read(vector + 1), low)
    cpu.interrupt = 0


# ---------------------------------------------------------------- which opcode does what

ReadFunction = Callable[[Cpu6502, Value], None]

READS: dict[str, ReadFunction] = {
    "lda": alu.lda, "ldx": alu.ldx, "ldy": alu.ldy,
    "adc": alu.adc, "sbc": alu.sbc, "cmp": alu.cmp, "cpx": alu.cpx, "cpy": alu.cpy,
    "and": alu.and_, "eor": alu.eor, "ora": alu.ora, "bit": alu.bit,
    "nop": odd.nop_read, "lax": odd.lax, "las": odd.las, "anc": odd.anc,
    "alr": odd.alr, "arr": odd.arr, "axs": odd.axs, "ane": odd.ane,
}  # fmt: skip
STORES: dict[str, Callable[[Cpu6502], Value]] = {
    "sta": lambda cpu: cpu.a, "stx": lambda cpu: cpu.x, "sty": lambda cpu: cpu.y,
    "sax": lambda cpu: cpu.a & cpu.x,
}  # fmt: skip
UNSTABLE_STORES: dict[str, Callable[[Cpu6502, Value], None]] = {
    "sha": odd.sha, "shx": odd.shx, "shy": odd.shy, "tas": odd.tas,
}  # fmt: skip
MODIFIES: dict[str, Callable[[Cpu6502, Value], Value]] = {
    "inc": alu.inc, "dec": alu.dec,
    "asl": alu.asl, "lsr": alu.lsr, "rol": alu.rol, "ror": alu.ror,
    "slo": odd.slo, "rla": odd.rla, "sre": odd.sre, "rra": odd.rra, "dcp": odd.dcp, "isc": odd.isc,
}  # fmt: skip
TRANSFERS = {
    "tax": ("a", "x"), "txa": ("x", "a"), "tay": ("a", "y"), "tya": ("y", "a"),
    "tsx": ("s", "x"), "txs": ("x", "s"),
}  # fmt: skip
COUNTS = {"inx": ("x", 1), "dex": ("x", -1), "iny": ("y", 1), "dey": ("y", -1)}
FLAGS = {
    "clc": ("c", 0), "sec": ("c", 1), "cli": ("i", 0), "sei": ("i", 1),
    "cld": ("d", 0), "sed": ("d", 1), "clv": ("v", 0),
}  # fmt: skip
CONDITIONS: dict[str, Callable[[Cpu6502], Value]] = {
    "bpl": lambda cpu: ~cpu.n, "bmi": lambda cpu: cpu.n,
    "bvc": lambda cpu: ~cpu.v, "bvs": lambda cpu: cpu.v,
    "bcc": lambda cpu: ~cpu.c, "bcs": lambda cpu: cpu.c,
    "bne": lambda cpu: ~cpu.z, "beq": lambda cpu: cpu.z,
}  # fmt: skip
WITH_CYCLES_OF_THEIR_OWN: dict[str, Callable[[Cpu6502], None]] = {
    "pha": do.pha, "pla": do.pla, "php": do.php, "plp": do.plp,
    "jsr": do.jsr, "rts": do.rts, "rti": do.rti, "brk": brk,
}  # fmt: skip


def execute(cpu: Cpu6502, opcode: Opcode, reads: Mapping[str, ReadFunction] = READS) -> None:
    """All cycles of an opcode after its fetch; ``reads`` are the operations that read."""
    name, mode, access = opcode.mnemonic, opcode.mode, opcode.access
    if name == "jam":
        cpu.stand_still(CpuStop.JAM)
    elif name in WITH_CYCLES_OF_THEIR_OWN:
        WITH_CYCLES_OF_THEIR_OWN[name](cpu)
    elif opcode.is_branch:
        do.branch(cpu, CONDITIONS[name](cpu))
    elif name == "jmp" and mode == "(a16)":
        do.jmp_indirect(cpu)
    elif name == "jmp":
        do.jmp(cpu)
    elif mode == "":
        cpu.dummy_read(cpu.pc)
        execute_on_registers(cpu, name)
    elif mode == "a":
        cpu.dummy_read(cpu.pc)
        cpu.a = MODIFIES[name](cpu, cpu.a)
    elif mode == "#n8":
        operation = odd.lxa if name == "lax" else reads[name]
        operation(cpu, cpu.operand())
    else:
        address = do.effective_address(cpu, mode, access)
        if access is OperandAccess.READ:
            reads[name](cpu, cpu.read(address))
        elif access is OperandAccess.MODIFY:
            do.modify(cpu, address, MODIFIES[name])
        elif name in STORES:
            cpu.write(address, STORES[name](cpu))
        else:
            UNSTABLE_STORES[name](cpu, address)


def execute_on_registers(cpu: Cpu6502, name: str) -> None:
    """What an instruction without operand does to the registers."""
    if name in TRANSFERS:
        alu.transfer(cpu, *TRANSFERS[name])
    elif name in COUNTS:
        alu.count(cpu, *COUNTS[name])
    elif name in FLAGS:
        setattr(cpu, *FLAGS[name])
    else:
        assert name == "nop"


# ---------------------------------------------------------------- recording


class PollingRecorder(MicrocodeRecorder):
    """A recorder that looks at the interrupt lines just before step number ``last``."""

    _last: int | None

    def __init__(self, widths: Mapping[str, int], last: int) -> None:
        super().__init__(widths)
        vars(self)["_last"] = last

    def _add(self, step: MicroStep) -> Value:
        if len(self._steps) == self._last:
            vars(self)["_last"] = None
            do.poll(self)
        return super()._add(step)


ExecuteFunction = Callable[[Cpu6502, Opcode], None]


def microcode_of(
    opcode: Opcode, execute: ExecuteFunction = execute, widths: Mapping[str, int] = REGISTERS
) -> Microcode:
    """Record an opcode, with its look at the interrupt lines.

    Most instructions look just before their last cycle. That is too early for the I of ``cli``,
    ``sei`` and ``plp``, which counts only from the next instruction on (nesdev). Which cycle is
    the last one is known once the opcode was recorded without looking. Branches look on their
    own, and so does what is longer in decimal mode; ``brk`` does not look at all.
    """

    def operation(cpu: Cpu6502) -> None:
        cpu.interrupt = 0
        execute(cpu, opcode)

    without_poll = record(widths, operation)
    looks_itself = opcode.is_branch or opcode.mnemonic == "bra" or opcode.cycles.decimal
    if opcode.mnemonic in ("jam", "brk", "wai", "stp") or looks_itself:
        return without_poll
    recorder = PollingRecorder(widths, last=len(without_poll.steps) - 1)
    operation(recorder)
    return recorder.microcode()


@cache
def mos6502() -> Cpu:
    """The CPU, each of its microcodes recorded once."""
    return cpu_with("mos6502", execute)


SEQUENCES: Mapping[str, Callable[[Cpu6502], None]] = MappingProxyType(
    {"interrupt": interrupt_sequence, "reset": reset_sequence}
)
"""What no opcode starts, in the order of the numbers from INTERRUPT on."""


def cpu_with(
    name: str,
    execute: ExecuteFunction,
    table: str = "mos6502",
    widths: Mapping[str, int] = REGISTERS,
    begin: Callable[[Cpu6502], None] = fetch,
    sequences: Mapping[str, Callable[[Cpu6502], None]] = SEQUENCES,
) -> Cpu:
    """A 6502 whose opcodes, those of ``table``, take the cycles after their fetch by
    ``execute``."""
    opcodes = load(table)
    return Cpu(
        name=name,
        table=table,
        registers=widths,
        opcodes=opcodes,
        prologue=record(widths, begin),
        microcode=Recordings(
            [partial(microcode_of, opcode, execute, widths) for opcode in opcodes]
            + [partial(record, widths, run) for run in sequences.values()]
        ),
        sequences=MappingProxyType({each: INTERRUPT + at for at, each in enumerate(sequences)}),
        special="interrupt",
        stack="s",
        software_interrupt=0x00,
    )

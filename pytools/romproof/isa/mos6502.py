"""The NMOS 6502: what each of its opcodes does, cycle by cycle.

An opcode is an addressing mode and an operation (mos6502_operations.py and
mos6502_undocumented.py); here is which opcode is which, and what interrupts do. What the chip
does was taken from transistor-level simulations and is held against their vectors, bus cycle by
bus cycle.

Registers are 8 bits wide, ``pc`` 16, the flags ``n v d i z c`` one bit each. ``interrupt`` is
set when the instruction that follows is to be the interrupt sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from romproof.isa import mos6502_operations as ops
from romproof.isa import mos6502_undocumented as odd
from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.cpu import Cpu
from romproof.isa.load import load
from romproof.isa.microcode import Kind, Microcode, Recorder, Step, Stop, record
from romproof.isa.model import Access, Opcode
from romproof.isa.mos6502_operations import Cpu6502

REGISTERS = MappingProxyType(
    {"pc": 16, "a": 8, "x": 8, "y": 8, "s": 8}
    | {"n": 1, "v": 1, "d": 1, "i": 1, "z": 1, "c": 1, "interrupt": 1}
)
INTERRUPT, RESET = 256, 257
"""The numbers of the two sequences that no opcode starts."""

NMI_VECTOR, RESET_VECTOR, IRQ_VECTOR = 0xFFFA, 0xFFFC, 0xFFFE

# ---------------------------------------------------------------- interrupts


def enter_handler(cpu: Cpu6502, b: int) -> None:
    """Push where and what we were and go where the vector points.

    Which vector is decided when the flags are pushed: an NMI that comes up to then takes over
    a BRK or an IRQ. The first instruction of a handler always runs.
    """
    ops.push(cpu, cpu.pc[8:16])
    ops.push(cpu, cpu.pc[0:8])
    nmi = cpu.signal("nmi")
    ops.push(cpu, ops.flag_byte(cpu, b))
    cpu.acknowledge("nmi", nmi)
    vector = select(nmi, const(NMI_VECTOR, 16), const(IRQ_VECTOR, 16))
    low = cpu.read(vector)
    cpu.i = 1
    cpu.pc = cat(cpu.read(vector + 1), low)
    cpu.interrupt = 0


def brk(cpu: Cpu6502) -> None:
    """The byte after the opcode is skipped."""
    cpu.dummy_read(cpu.pc)
    cpu.pc = cpu.pc + 1
    enter_handler(cpu, b=1)


def interrupt_sequence(cpu: Cpu6502) -> None:
    """What runs in place of an instruction; the fetch before it has not moved ``pc``."""
    cpu.dummy_read(cpu.pc)
    enter_handler(cpu, b=0)


def reset_sequence(cpu: Cpu6502) -> None:
    """Like an interrupt, but the three pushes are turned into reads."""
    cpu.dummy_read(cpu.pc)
    for _ in range(3):
        cpu.dummy_read(ops.stack(cpu))
        cpu.s = cpu.s - 1
    vector = const(RESET_VECTOR, 16)
    low = cpu.read(vector)
    cpu.i = 1
    cpu.pc = cat(cpu.read(vector + 1), low)
    cpu.interrupt = 0


def fetch(cpu: Cpu6502) -> None:
    """The first cycle of everything: an interrupt lets it pass without using the byte."""
    opcode = cpu.read(cpu.pc, kind=Kind.FETCH)
    cpu.go_on_with(select(cpu.interrupt, const(INTERRUPT, 9), opcode.widen(9)))
    cpu.pc = select(cpu.interrupt, cpu.pc, cpu.pc + 1)


# ---------------------------------------------------------------- which opcode does what


def transfer(source: str, target: str) -> Callable[[Cpu6502], None]:
    """``tax`` and the like; only ``txs`` leaves the flags alone."""

    def move(cpu: Cpu6502) -> None:
        value = getattr(cpu, source)
        setattr(cpu, target, value if target == "s" else ops.set_nz(cpu, value))

    return move


def count(register: str, step: int) -> Callable[[Cpu6502], None]:
    """``inx`` and the like."""

    def move(cpu: Cpu6502) -> None:
        setattr(cpu, register, ops.set_nz(cpu, getattr(cpu, register) + step))

    return move


def put(flag: str, value: int) -> Callable[[Cpu6502], None]:
    """``sec`` and the like."""
    return lambda cpu: setattr(cpu, flag, value)


Read = Callable[[Cpu6502, Value], None]

READS: dict[str, Read] = {
    "lda": ops.lda, "ldx": ops.ldx, "ldy": ops.ldy,
    "ora": ops.ora, "and": ops.and_, "eor": ops.eor, "bit": ops.bit,
    "cmp": ops.cmp, "cpx": ops.cpx, "cpy": ops.cpy, "adc": ops.adc, "sbc": ops.sbc,
    "nop": odd.nop_read, "lax": odd.lax, "las": odd.las, "anc": odd.anc,
    "alr": odd.alr, "arr": odd.arr, "axs": odd.axs, "ane": odd.ane,
}  # fmt: skip
MODIFIES = {
    "asl": ops.asl, "lsr": ops.lsr, "rol": ops.rol, "ror": ops.ror,
    "inc": ops.inc, "dec": ops.dec,
    "slo": odd.slo, "rla": odd.rla, "sre": odd.sre, "rra": odd.rra, "dcp": odd.dcp, "isc": odd.isc,
}  # fmt: skip
STORES: dict[str, Callable[[Cpu6502], Value]] = {
    "sta": lambda cpu: cpu.a,
    "stx": lambda cpu: cpu.x,
    "sty": lambda cpu: cpu.y,
    "sax": lambda cpu: cpu.a & cpu.x,
}
UNSTABLE_STORES = {"sha": odd.sha, "shx": odd.shx, "shy": odd.shy, "tas": odd.tas}
BRANCHES: dict[str, Callable[[Cpu6502], Value]] = {
    "bpl": lambda cpu: ~cpu.n, "bmi": lambda cpu: cpu.n,
    "bvc": lambda cpu: ~cpu.v, "bvs": lambda cpu: cpu.v,
    "bcc": lambda cpu: ~cpu.c, "bcs": lambda cpu: cpu.c,
    "bne": lambda cpu: ~cpu.z, "beq": lambda cpu: cpu.z,
}  # fmt: skip
WHOLE = {
    # those that say all of their cycles themselves
    "php": ops.php, "pha": ops.pha, "plp": ops.plp, "pla": ops.pla,
    "jsr": ops.jsr, "rts": ops.rts, "rti": ops.rti, "brk": brk,
}  # fmt: skip
REGISTERS_ONLY: dict[str, Callable[[Cpu6502], object]] = {
    "tax": transfer("a", "x"), "txa": transfer("x", "a"), "tay": transfer("a", "y"),
    "tya": transfer("y", "a"), "tsx": transfer("s", "x"), "txs": transfer("x", "s"),
    "inx": count("x", 1), "dex": count("x", -1), "iny": count("y", 1), "dey": count("y", -1),
    "clc": put("c", 0), "sec": put("c", 1), "cli": put("i", 0), "sei": put("i", 1),
    "cld": put("d", 0), "sed": put("d", 1), "clv": put("v", 0), "nop": lambda cpu: None,
}  # fmt: skip


def execute(cpu: Cpu6502, opcode: Opcode, reads: Mapping[str, Read] = READS) -> None:
    """All cycles of an opcode after its fetch; ``reads`` are the operations that read."""
    name, mode, access = opcode.mnemonic, opcode.mode, opcode.access
    if name == "jam":
        cpu.stand_still(Stop.JAM)
    elif name in WHOLE:
        WHOLE[name](cpu)
    elif name in BRANCHES:
        ops.branch(cpu, BRANCHES[name](cpu))
    elif name == "jmp":
        ops.jmp(cpu) if mode == "a16" else ops.jmp_indirect(cpu)
    elif mode == "#n8":
        (odd.lxa if name == "lax" else reads[name])(cpu, cpu.operand())
    elif mode == "a":
        cpu.dummy_read(cpu.pc)
        cpu.a = MODIFIES[name](cpu, cpu.a)
    elif mode == "":
        cpu.dummy_read(cpu.pc)
        REGISTERS_ONLY[name](cpu)
    else:
        address = ops.effective_address(cpu, mode, access)
        if access is Access.READ:
            reads[name](cpu, cpu.read(address))
        else:
            change_memory(cpu, name, address, access)


def change_memory(cpu: Cpu6502, name: str, address: Value, access: Access) -> None:
    """The cycles that write. What modifies memory writes the old value back first."""
    if access is Access.MODIFY:
        old = cpu.read(address)
        cpu.write(address, old, kind=Kind.DUMMY_WRITE)
        cpu.write(address, MODIFIES[name](cpu, old))
    elif name in STORES:
        cpu.write(address, STORES[name](cpu))
    else:
        UNSTABLE_STORES[name](cpu, address)


class PollingRecorder(Recorder):
    """A recorder that looks at the interrupt lines just before step number ``last``."""

    def __init__(self, last: int) -> None:
        super().__init__(REGISTERS)
        self.__dict__["_last"] = last

    def _add(self, step: Step) -> Value:
        if len(self._steps) == self._last and step.kind.is_cycle:
            self.__dict__["_last"] = None
            ops.poll(self)
        return super()._add(step)


def microcode_of(opcode: Opcode, reads: Mapping[str, Read] = READS) -> Microcode:
    """Record an opcode, with its look at the interrupt lines.

    Most instructions look just before their last cycle: too early for ``cli``, ``sei`` and
    ``plp``, whose new I counts only from the next instruction on, and late enough for ``rti``.
    """

    def operation(cpu: Cpu6502) -> None:
        cpu.interrupt = 0
        execute(cpu, opcode, reads)

    alone = record(REGISTERS, operation)
    if opcode.mnemonic in ("jam", "brk", *BRANCHES):
        return alone
    recorder = PollingRecorder(len(alone.steps) - 1)
    operation(recorder)
    return recorder.microcode()


@cache
def mos6502() -> Cpu:
    """The CPU, recorded once."""
    return cpu_with("mos6502", READS)


def cpu_with(name: str, reads: Mapping[str, Read]) -> Cpu:
    """A 6502 with these operations that read."""
    opcodes = load("mos6502")
    sequences = (record(REGISTERS, interrupt_sequence), record(REGISTERS, reset_sequence))
    return Cpu(
        name=name,
        registers=REGISTERS,
        opcodes=opcodes,
        prologue=record(REGISTERS, fetch),
        microcode=(*(microcode_of(opcode, reads) for opcode in opcodes), *sequences),
        sequences=MappingProxyType({"interrupt": INTERRUPT, "reset": RESET}),
        special="interrupt",
        stack="s",
        software_interrupt=0x00,
    )

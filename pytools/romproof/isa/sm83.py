"""The SM83, the Game Boy's CPU: how its instructions begin, what interrupts do, which opcode
does what.

An opcode is an operation and up to two operands: ``sm83_operations`` has the M-cycles (four
clocks each) on the bus, ``sm83_alu`` what is computed. All of it was compared with
SingleStepTests, bus cycle by bus cycle, and, where interrupts and ``halt`` are concerned, against
mooneye's tests, which real Game Boys pass.

Registers are 8 bits wide, ``pc`` and ``sp`` 16, the flags ``zf nf hf cf`` one bit each. ``ime``
is 1 while interrupts are enabled. ``mode`` says how the next instruction begins: see below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from types import MappingProxyType

from romproof.isa import sm83_alu as alu
from romproof.isa import sm83_operations as do
from romproof.isa.algebra import Value, const, select
from romproof.isa.cpu import Cpu
from romproof.isa.load import load
from romproof.isa.microcode import CpuStop, Microcode, Recordings, StepKind, record, specialise
from romproof.isa.model import Opcode
from romproof.isa.sm83_alu import CpuSm83
from romproof.isa.sm83_operations import ALWAYS, get, put

REGISTERS = MappingProxyType(
    {"pc": 16, "sp": 16, "a": 8, "b": 8, "c": 8, "d": 8, "e": 8, "h": 8, "l": 8}
    | {"zf": 1, "nf": 1, "hf": 1, "cf": 1, "ime": 1, "mode": 2}
)

RUNNING, EI_DELAY, HALTED, HALT_BUG = range(4)
"""Values of ``mode``. EI_DELAY: ``ei`` was the instruction before. HALTED: waits for an
interrupt. HALT_BUG: forgets to move ``pc`` after the next opcode."""

AFTER_PREFIX, INTERRUPT, WAIT = 0x100, 0x200, 0x201
"""Where in the list of microcodes those after $CB begin, and the two are that no opcode starts."""

HANDLERS = (0x40, 0x48, 0x50, 0x58, 0x60)
"""Where those of VBlank, LCD, timer, serial port and buttons begin: bits 0 to 4 of IE and IF."""


# ---------------------------------------------------------------- the fetch and interrupts


def fetch(cpu: CpuSm83) -> None:
    """The first M-cycle of everything. The chip fetches while it finishes the instruction
    before; counted as part of the instruction that it begins, it is the same on the bus (GBCTR).

    The interrupt lines are checked before it. A halted CPU rests while nothing is pending,
    and goes on as if it had executed ``nop`` all the time; but it looks in the middle of the
    cycle before, and sees what came later than that in the next one (gbmicrotest,
    ``int_timer_halt`` and ``int_hblank_halt_scx0`` to ``7``). An interrupt lets the fetch pass
    without using the byte; it has to wait for the instruction after ``ei``.
    """
    pending = ~cpu.signal("pending", 8).equals(0)
    halted = cpu.mode.equals(HALTED)
    resting = halted & cpu.signal("waking", 8, when=halted).equals(0)
    interrupted = select(cpu.mode.equals(EI_DELAY) | resting, 0, cpu.ime & pending)
    stay = resting | interrupted | cpu.mode.equals(HALT_BUG)

    cpu.idle(when=resting)
    opcode = cpu.read(cpu.pc, when=~resting, kind=StepKind.FETCH)
    number = select(interrupted, INTERRUPT, opcode.widen(10))
    cpu.go_on_with(select(resting, WAIT, number))
    cpu.pc = select(stay, cpu.pc, cpu.pc + 1)
    cpu.ime = cpu.ime | cpu.mode.equals(EI_DELAY)
    cpu.mode = select(resting, const(HALTED, 2), RUNNING)


def prefix(cpu: CpuSm83) -> None:
    """$CB: the next byte chooses among 256 further opcodes."""
    cpu.go_on_with(const(AFTER_PREFIX, 10) + cpu.operand().widen(10))


def interrupt_sequence(cpu: CpuSm83) -> None:
    """What runs in place of an instruction. ``pc`` was not moved, so that the handler returns to
    the instruction that had to wait.

    Which handler is called is decided late, when the high byte is pushed. That push may have
    changed IE at $FFFF: if nothing is pending any more, the program goes on at $0000 (mooneye,
    ``ie_push``).
    """
    cpu.idle()
    cpu.idle()
    cpu.write(cpu.sp - 1, cpu.pc[8:16])
    pending = cpu.signal("pending", 8)
    cpu.write(cpu.sp - 2, cpu.pc[0:8])
    cpu.sp = cpu.sp - 2
    cpu.ime = 0
    lowest_bit = pending & (const(0, 8) - pending)
    cpu.acknowledge("interrupt", lowest_bit)
    cpu.pc = const(0, 16)
    for number, handler in enumerate(HANDLERS):
        cpu.pc = select(lowest_bit[number], handler, cpu.pc)


def ei(cpu: CpuSm83) -> None:
    """Enable interrupts after the next instruction, so that ``ei`` and ``ret`` end a handler
    before the next one begins. To repeat it does not put them off (mooneye, ``ei_sequence``)."""
    cpu.mode = select(cpu.ime, const(RUNNING, 2), EI_DELAY)


def di(cpu: CpuSm83) -> None:
    """Disable interrupts, at once."""
    cpu.ime = 0


def halt(cpu: CpuSm83) -> None:
    """Wait for an interrupt. When one is pending already, there is nothing to wait for: it is
    served, and comes back to the ``halt``; or, with interrupts disabled, the next byte is
    fetched twice: the halt bug (Pan Docs, "halt")."""
    pending = ~cpu.signal("pending", 8).equals(0)
    cpu.pc = select(pending & cpu.ime, cpu.pc - 1, cpu.pc)
    at_once = select(cpu.ime, const(RUNNING, 2), HALT_BUG)
    cpu.mode = select(pending, at_once, HALTED)


def stop(cpu: CpuSm83) -> None:
    """The clock stops. Assemblers put a $00 behind it, which is executed when it goes on."""
    cpu.stand_still(CpuStop.STOP)


# ---------------------------------------------------------------- which opcode does what

READS: dict[str, Callable[[CpuSm83, Value], None]] = {
    "add": alu.add, "adc": alu.adc, "sub": alu.sub, "sbc": alu.sbc, "cp": alu.cp,
    "and": alu.and_, "xor": alu.xor, "or": alu.or_,
}  # fmt: skip
MODIFIES: dict[str, Callable[[CpuSm83, Value], Value]] = {
    "inc": alu.inc, "dec": alu.dec,
    "sla": alu.sla, "srl": alu.srl, "sra": alu.sra,
    "rl": alu.rl, "rr": alu.rr, "rlc": alu.rlc, "rrc": alu.rrc, "swap": alu.swap,
}  # fmt: skip
COUNTS = {"inc": 1, "dec": -1}
CONDITIONS: dict[str, Callable[[CpuSm83], Value]] = {
    "nz": lambda cpu: ~cpu.zf, "z": lambda cpu: cpu.zf,
    "nc": lambda cpu: ~cpu.cf, "c": lambda cpu: cpu.cf,
}  # fmt: skip
JUMPS: dict[str, Callable[[CpuSm83, Value], None]] = {
    "jp": do.jp, "jr": do.jr, "call": do.call, "ret": do.ret,
}  # fmt: skip
WITHOUT_OPERANDS: dict[str, Callable[[CpuSm83], None]] = {
    "rlca": partial(alu.rotate_a, rotate=alu.rlc), "rrca": partial(alu.rotate_a, rotate=alu.rrc),
    "rla": partial(alu.rotate_a, rotate=alu.rl), "rra": partial(alu.rotate_a, rotate=alu.rr),
    "daa": alu.daa, "cpl": alu.cpl, "scf": alu.scf, "ccf": alu.ccf, "nop": lambda cpu: None,
    "reti": do.reti, "ei": ei, "di": di, "halt": halt, "stop": stop, "prefix": prefix,
}  # fmt: skip


def execute(cpu: CpuSm83, opcode: Opcode) -> None:
    """All M-cycles of an opcode after its fetch."""
    name = opcode.mnemonic
    operands = opcode.mode.split(", ")
    match name, *operands:
        case "jam", *_:
            cpu.stand_still(CpuStop.JAM)
        case "ld", "hl", "sp + e8":
            put(cpu, "hl", do.sp_plus_e8(cpu))
        case "ld" | "ldh", to, operand:
            do.ld(cpu, to, operand)
        case "push", pair:
            do.push(cpu, get(cpu, pair))
        case "pop", pair:
            put(cpu, pair, do.pop(cpu))
        case "add", "hl", pair:
            do.add_hl(cpu, get(cpu, pair))
        case "add", "sp", _:
            do.add_sp(cpu)
        case "inc" | "dec", ("bc" | "de" | "hl" | "sp") as pair:
            do.count(cpu, pair, COUNTS[name])
        case "bit", number, operand:
            alu.bit(cpu, int(number), get(cpu, operand))
        case "res", number, operand:
            put(cpu, operand, get(cpu, operand) & ~(1 << int(number)))
        case "set", number, operand:
            put(cpu, operand, get(cpu, operand) | (1 << int(number)))
        case "jp", "hl":
            do.jp_hl(cpu)
        case "rst", target:
            do.rst(cpu, target)
        case _ if name in READS:
            READS[name](cpu, get(cpu, operands[-1]))
        case _ if name in MODIFIES:
            put(cpu, operands[0], MODIFIES[name](cpu, get(cpu, operands[0])))
        case _ if name in JUMPS:
            JUMPS[name](cpu, CONDITIONS[operands[0]](cpu) if opcode.conditional else ALWAYS)
        case _:
            WITHOUT_OPERANDS[name](cpu)


# ---------------------------------------------------------------- recording


def record_operation(operation: Callable[[CpuSm83], None]) -> Microcode:
    """The microcode of an operation; what is done ALWAYS loses its condition."""
    return specialise(record(REGISTERS, operation), {})


def microcode_of(opcode: Opcode) -> Microcode:
    """Record an opcode."""
    return record_operation(lambda cpu: execute(cpu, opcode))


@cache
def sm83() -> Cpu:
    """The CPU, each of its microcodes recorded once."""
    opcodes = load("sm83")
    sequences = [
        partial(record_operation, interrupt_sequence),
        partial(record_operation, lambda cpu: None),
    ]
    return Cpu(
        name="sm83",
        table="sm83",
        registers=REGISTERS,
        opcodes=opcodes,
        prologue=record_operation(fetch),
        microcode=Recordings([partial(microcode_of, opcode) for opcode in opcodes] + sequences),
        sequences=MappingProxyType({"interrupt": INTERRUPT, "wait": WAIT}),
        special="mode",
        stack="sp",
    )

"""The CMOS 6502s, 65C02 for short: three of them, each with all that the one before can do.

``synertek65c02`` has what all makers have (65SC02), ``rockwell65c02`` instructions for single
bits, ``wdc65c02`` two that rest. Everything is a 6502 (``mos6502``) but for what is said here and
in ``mos65c02_operations``. All of it was compared with SingleStepTests, bus cycle by bus cycle;
where these do not show the chips, docs/conformance.md says so.

``interrupt`` has a second bit: 2 while ``wai`` waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType

from romproof.isa import mos65c02_operations as do
from romproof.isa import mos6502_alu as alu
from romproof.isa import mos6502_operations as nmos
from romproof.isa.abi import WAITING
from romproof.isa.algebra import Value, const, select
from romproof.isa.cpu import Cpu
from romproof.isa.microcode import CpuStop, StepKind
from romproof.isa.model import Opcode, OpcodeVariant, OperandAccess
from romproof.isa.mos6502 import (
    CONDITIONS,
    INTERRUPT,
    IRQ_VECTOR,
    MODIFIES,
    READS,
    REGISTERS,
    SEQUENCES,
    STORES,
    cpu_with,
    jump_through,
)
from romproof.isa.mos6502 import execute as execute_nmos
from romproof.isa.mos6502_alu import Cpu6502

WAIT = INTERRUPT + len(SEQUENCES)
"""Where in the list of microcodes the one is that a waiting CPU repeats: it does nothing."""

CMOS_REGISTERS = MappingProxyType({**REGISTERS, "interrupt": 2})

_DECIMAL = {"adc": do.adc, "sbc": do.sbc}
_READS = READS | {"bit": alu.bit}
_STORES = STORES | {"stz": lambda cpu: const(0, 8)}
_MODIFIES = MODIFIES | {"tsb": do.tsb, "trb": do.trb}
_STACK: Mapping[str, Callable[[Cpu6502], None]] = {
    "phx": partial(do.push_register, name="x"),
    "phy": partial(do.push_register, name="y"),
    "plx": partial(do.pull_register, name="x"),
    "ply": partial(do.pull_register, name="y"),
}
_ALWAYS_WAIT = ("inc", "dec")
"""What changes memory and takes the cycle of its index even within a page."""


# ---------------------------------------------------------------- the fetch and interrupts


def fetch(cpu: Cpu6502) -> None:
    """As on the NMOS 6502; a waiting CPU holds RDY low and completes no cycle on the bus until a
    line asks for an interrupt. It goes on then, also with an IRQ that is masked."""
    waiting = cpu.interrupt[1]
    nmi = cpu.signal("nmi", when=waiting)
    irq = cpu.signal("irq", when=waiting)
    resting = waiting & ~(nmi | irq)
    interrupted = cpu.interrupt[0] | (waiting & (nmi | (irq & ~cpu.i)))
    cpu.idle(cpu.pc, when=resting)
    opcode = cpu.read(cpu.pc, when=~resting, kind=StepKind.FETCH)
    number = select(interrupted, const(INTERRUPT, 9), opcode.widen(9))
    cpu.go_on_with(select(resting, WAIT, number))
    cpu.pc = select(resting | interrupted, cpu.pc, cpu.pc + 1)


def interrupt_sequence(cpu: Cpu6502) -> None:
    """As on the NMOS 6502; D is cleared."""
    cpu.interrupt = 0
    SEQUENCES["interrupt"](cpu)
    cpu.d = 0


def reset_sequence(cpu: Cpu6502) -> None:
    """As on the NMOS 6502; D is cleared."""
    cpu.interrupt = 0
    SEQUENCES["reset"](cpu)
    cpu.d = 0


def wait(cpu: Cpu6502) -> None:
    """What ``wai`` repeats: nothing."""


def brk(cpu: Cpu6502) -> None:
    """An interrupt made by the program: D is cleared, and no NMI takes its place."""
    cpu.dummy_read(cpu.pc)
    cpu.pc = cpu.pc + 1
    nmos.push(cpu, cpu.pc[8:16])
    nmos.push(cpu, cpu.pc[0:8])
    nmos.push(cpu, nmos.flag_byte(cpu, b=1))
    cpu.d = 0
    jump_through(cpu, const(IRQ_VECTOR, 16))


def wai(cpu: Cpu6502) -> None:
    """Wait for an interrupt."""
    cpu.dummy_read(cpu.pc)
    cpu.dummy_read(cpu.pc)
    cpu.interrupt = WAITING


# ---------------------------------------------------------------- which opcode does what


def execute(cpu: Cpu6502, opcode: Opcode, again: Mapping[str, int]) -> None:
    """All cycles of an opcode after its fetch. ``again`` has the address that arithmetic with an
    immediate value reads in its decimal cycle."""
    name, mode = opcode.mnemonic, opcode.mode
    if name in _STACK:
        _STACK[name](cpu)
    elif opcode.placeholder == "a8,e8":
        do.branch_on_bit(cpu, int(name[3]), int(name.startswith("bbs")))
    elif opcode.placeholder == "e8":
        nmos.branch(cpu, None if name == "bra" else CONDITIONS[name](cpu))
    elif name == "jmp" and mode != "a16":
        (do.jmp_indirect if mode == "(a16)" else do.jmp_indexed)(cpu)
    elif name in ("brk", "wai"):
        (brk if name == "brk" else wai)(cpu)
    elif name == "stp":
        cpu.stand_still(CpuStop.JAM)
    elif opcode.variant is OpcodeVariant.UNDOCUMENTED and mode in ("", "a16"):
        _do_nothing(cpu, opcode)
    elif name in _DECIMAL and mode == "#n8":
        do.with_decimal_cycle(cpu, cpu.operand, lambda: const(again[name], 16), _DECIMAL[name])
    elif name == "bit" and mode == "#n8":
        do.bit_immediate(cpu, cpu.operand())
    elif opcode.access is not OperandAccess.NONE:
        _access(cpu, opcode)
    else:
        execute_nmos(cpu, opcode)


def _access(cpu: Cpu6502, opcode: Opcode) -> None:
    """An instruction with an operand in memory."""
    name, access = opcode.mnemonic, opcode.access
    waits = access is OperandAccess.WRITE or name in _ALWAYS_WAIT
    address = do.effective_address(cpu, opcode.mode, access, waits)
    if name in _DECIMAL:
        do.with_decimal_cycle(cpu, lambda: cpu.read(address), lambda: address, _DECIMAL[name])
    elif access is OperandAccess.READ:
        _READS[name](cpu, cpu.read(address))
    elif access is OperandAccess.WRITE:
        cpu.write(address, _STORES[name](cpu))
    elif name[:3] in ("rmb", "smb"):
        do.modify(cpu, address, partial(_change_bit, mask=1 << int(name[3]), set=name[0] == "s"))
    else:
        do.modify(cpu, address, _MODIFIES[name])


def _change_bit(cpu: Cpu6502, value: Value, mask: int, set: bool) -> Value:
    return value | mask if set else value & (mask ^ 0xFF)


def _do_nothing(cpu: Cpu6502, opcode: Opcode) -> None:
    """What is not defined, as long as the table says."""
    if opcode.cycles.base == 8:
        do.nop_of_eight_cycles(cpu)
    elif opcode.mode == "a16":
        do.nop_of_three_bytes(cpu)


# ---------------------------------------------------------------- the three

_AGAIN = {
    "synertek65c02": {"adc": 0x56, "sbc": 0x00},
    "rockwell65c02": {"adc": 0x59, "sbc": 0x00},
    "wdc65c02": {"adc": 0x7F, "sbc": 0x00},
}
"""The address on the bus in the decimal cycle of ``adc #n8`` and ``sbc #n8`` (SingleStepTests)."""


def _cpu(name: str) -> Cpu:
    return cpu_with(
        name,
        partial(execute, again=_AGAIN[name]),
        table=name,
        widths=CMOS_REGISTERS,
        begin=fetch,
        sequences={"interrupt": interrupt_sequence, "reset": reset_sequence, "waiting": wait},
    )


@cache
def synertek65c02() -> Cpu:
    """What all makers have, recorded once."""
    return _cpu("synertek65c02")


@cache
def rockwell65c02() -> Cpu:
    """With instructions for single bits, recorded once."""
    return _cpu("rockwell65c02")


@cache
def wdc65c02() -> Cpu:
    """With ``wai`` and ``stp`` besides, recorded once."""
    return _cpu("wdc65c02")

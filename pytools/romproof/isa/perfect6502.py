"""The NMOS 6502 as the switch-level simulation perfect6502 shows it.

That simulation, made from photographs of the chip, agrees with real chips in all documented
and nearly all undocumented opcodes. In four, two sources drive the same internal bus; the
simulation settles the conflict in another way than chips do. This CPU exists so that vectors
taken from it can be checked in full. Programs for real machines want ``mos6502``.
"""

from __future__ import annotations

from functools import cache, partial

from romproof.isa.algebra import Value, const
from romproof.isa.cpu import Cpu
from romproof.isa.mos6502 import READS, ReadFunction, cpu_with, execute
from romproof.isa.mos6502_alu import Cpu6502, lsr, set_nz
from romproof.isa.mos6502_undocumented import anc, arr

_NO_OPERAND = const(0xFF, 8)


def without_operand(operation: ReadFunction) -> ReadFunction:
    """The operation as if its immediate operand had all bits set."""
    return lambda cpu, value: operation(cpu, _NO_OPERAND)


def alr(cpu: Cpu6502, value: Value) -> None:
    """Only the bit that is shifted out sees the operand."""
    carry = (cpu.a & value)[0]
    cpu.a = lsr(cpu, cpu.a)
    cpu.c = carry


def las(cpu: Cpu6502, value: Value) -> None:
    """S stays and goes to X; two bits of A do not see the memory."""
    set_nz(cpu, value & cpu.s)
    cpu.a = (value | 0x11) & cpu.s
    cpu.x = cpu.s


@cache
def perfect6502() -> Cpu:
    """The CPU, recorded once."""
    odd: dict[str, ReadFunction] = {
        "anc": without_operand(anc),
        "alr": alr,
        "arr": without_operand(arr),
        "las": las,
    }
    return cpu_with("perfect6502", partial(execute, reads=READS | odd))

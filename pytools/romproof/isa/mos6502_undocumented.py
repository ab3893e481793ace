"""What the undocumented instructions of the 6502 do.

Nobody designed them: opcodes for which the decoder was not made start parts of several
instructions at once. Most are as reliable as the documented ones; those at the end depend on
the single chip, its temperature and what else is on the bus.

Read on in: "NMOS 6510 Unintended Opcodes: No More Secrets" by groepaz (Solution), which also
collects how programs use them; Michael Steil, "How MOS 6502 Illegal Opcodes really work",
https://www.pagetable.com/?p=39.
"""

from __future__ import annotations

from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.mos6502_alu import (
    Cpu6502,
    adc,
    and_,
    asl,
    cmp,
    compare,
    dec,
    eor,
    inc,
    lsr,
    ora,
    rol,
    ror,
    sbc,
    set_nz,
)  # fmt: skip

MAGIC = 0xEE
"""ANE and LXA mix A with a constant that differs from chip to chip and with its temperature;
this is what most of them show."""


# ---------------------------------------------------------------- two instructions in one
#
# A change of memory, and then an operation of A that reads the new value.


def slo(cpu: Cpu6502, value: Value) -> Value:
    """ASL, then ORA."""
    result = asl(cpu, value)
    ora(cpu, result)
    return result


def rla(cpu: Cpu6502, value: Value) -> Value:
    """ROL, then AND."""
    result = rol(cpu, value)
    and_(cpu, result)
    return result


def sre(cpu: Cpu6502, value: Value) -> Value:
    """LSR, then EOR."""
    result = lsr(cpu, value)
    eor(cpu, result)
    return result


def rra(cpu: Cpu6502, value: Value) -> Value:
    """ROR, then ADC, which adds the bit that was shifted out."""
    result = ror(cpu, value)
    adc(cpu, result)
    return result


def dcp(cpu: Cpu6502, value: Value) -> Value:
    """DEC, then CMP."""
    result = dec(cpu, value)
    cmp(cpu, result)
    return result


def isc(cpu: Cpu6502, value: Value) -> Value:
    """INC, then SBC."""
    result = inc(cpu, value)
    sbc(cpu, result)
    return result


# ---------------------------------------------------------------- mixtures


def nop_read(cpu: Cpu6502, value: Value) -> None:
    """Read, and forget."""


def lax(cpu: Cpu6502, value: Value) -> None:
    """LDA and LDX."""
    cpu.a = cpu.x = set_nz(cpu, value)


def las(cpu: Cpu6502, value: Value) -> None:
    """AND with S, into three registers."""
    cpu.a = cpu.x = cpu.s = set_nz(cpu, value & cpu.s)


def anc(cpu: Cpu6502, value: Value) -> None:
    """AND; C becomes bit 7, as if ASL or ROL had followed."""
    and_(cpu, value)
    cpu.c = cpu.n


def alr(cpu: Cpu6502, value: Value) -> None:
    """AND, then LSR of A."""
    cpu.a = lsr(cpu, cpu.a & value)


def arr(cpu: Cpu6502, value: Value) -> None:
    """AND, then ROR of A, through parts of the adder. These leave their marks on C and V, and
    in decimal mode a correction of A (64doc has the same in C)."""
    both = cpu.a & value
    rotated = cat(cpu.c, both[1:8])
    set_nz(cpu, rotated)
    cpu.v = rotated[6] ^ rotated[5]
    fix_low = const(5, 5).below(both[0:4].widen(5) + both[0].widen(5))
    fix_high = const(5, 5).below(both[4:8].widen(5) + both[4].widen(5))
    low = select(fix_low, rotated[0:4] + 6, rotated[0:4])
    high = select(fix_high, rotated[4:8] + 6, rotated[4:8])
    cpu.c = select(cpu.d, fix_high, rotated[6])
    cpu.a = select(cpu.d, cat(high, low), rotated)


def axs(cpu: Cpu6502, value: Value) -> None:
    """X becomes A AND X, less the value; flags as in CMP."""
    both = cpu.a & cpu.x
    compare(cpu, both, value)
    cpu.x = both - value


# ---------------------------------------------------------------- unstable


def ane(cpu: Cpu6502, value: Value) -> None:
    """A AND X AND value, but A comes through in part only: several sources drive one bus
    (Visual6502 wiki, "6502 Opcode 8B")."""
    cpu.a = set_nz(cpu, (cpu.a | MAGIC) & cpu.x & value)


def lxa(cpu: Cpu6502, value: Value) -> None:
    """``lax #n8``: as ``ane``, into A and X."""
    cpu.a = cpu.x = set_nz(cpu, (cpu.a | MAGIC) & value)


def store_and_high(cpu: Cpu6502, address: Value, index: Value, value: Value) -> None:
    """Write ``value`` AND the base's high byte plus 1: both are on one bus. When a page is
    crossed, what is written becomes the address's high byte as well."""
    base = address - index.widen(16)
    high = base[8:16] + 1
    stored = value & high
    crossed = ~base[8:16].equals(address[8:16])
    cpu.write(cat(select(crossed, stored, address[8:16]), address[0:8]), stored)


def sha(cpu: Cpu6502, address: Value) -> None:
    """Store A AND X AND high."""
    store_and_high(cpu, address, cpu.y, cpu.a & cpu.x)


def shx(cpu: Cpu6502, address: Value) -> None:
    """Store X AND high."""
    store_and_high(cpu, address, cpu.y, cpu.x)


def shy(cpu: Cpu6502, address: Value) -> None:
    """Store Y AND high."""
    store_and_high(cpu, address, cpu.x, cpu.y)


def tas(cpu: Cpu6502, address: Value) -> None:
    """S becomes A AND X; store that AND high."""
    both = cpu.a & cpu.x
    store_and_high(cpu, address, cpu.y, both)
    cpu.s = both

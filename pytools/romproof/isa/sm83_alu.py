"""What the SM83 computes with 8 bits: arithmetic, logic and shifts with their flags.

Nothing here takes an M-cycle: the SM83 computes while it fetches what comes next. The line above
each operation has its flags, in the order Z N H C: the letter where the result sets one, 0 or 1
where it always gets that, - where it is left alone.

Read on in Pan Docs, https://gbdev.io/pandocs: "The CPU registers and flags".
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.microcode import MicrocodeRecorder

CpuSm83 = MicrocodeRecorder
"""The CPU: its registers are those of ``romproof.isa.sm83``."""

NO_CARRY = const(0, 1)


def set_znhc(cpu: CpuSm83, z: Value | int, n: Value | int, h: Value | int, c: Value | int) -> None:
    """Set the flags: Z zero, N subtracted, H carry out of the low digit, C carry."""
    cpu.zf, cpu.nf, cpu.hf, cpu.cf = z, n, h, c


# ---------------------------------------------------------------- arithmetic and logic


def plus(a: Value, b: Value, carry: Value = NO_CARRY) -> tuple[Value, Value, Value]:
    """The sum, the carry into its highest hexadecimal digit, the carry out of it."""
    wide = a.width + 1
    total = a.widen(wide) + b.widen(wide) + carry.widen(wide)
    result = total[0 : a.width]
    return result, carry_in(a, b, result, a.width - 4), total[a.width]


def minus(a: Value, b: Value, borrow: Value = NO_CARRY) -> tuple[Value, Value, Value]:
    """The difference, the borrow from its highest hexadecimal digit, the borrow of all."""
    wide = a.width + 1
    total = a.widen(wide) - b.widen(wide) - borrow.widen(wide)
    result = total[0 : a.width]
    return result, carry_in(a, b, result, a.width - 4), total[a.width]


def carry_in(a: Value, b: Value, result: Value, bit: int) -> Value:
    """The carry (or borrow) that came into a bit: without it, the result is a XOR b there."""
    return (a ^ b ^ result)[bit]


# Z 0 H C
def add(cpu: CpuSm83, value: Value) -> None:
    """A + value."""
    cpu.a, h, c = plus(cpu.a, value)
    set_znhc(cpu, cpu.a.equals(0), 0, h, c)


# Z 0 H C
def adc(cpu: CpuSm83, value: Value) -> None:
    """A + value + C."""
    cpu.a, h, c = plus(cpu.a, value, cpu.cf)
    set_znhc(cpu, cpu.a.equals(0), 0, h, c)


# Z 1 H C
def sub(cpu: CpuSm83, value: Value) -> None:
    """A - value. Unlike on the 6502 a set C is a borrow."""
    cpu.a, h, c = minus(cpu.a, value)
    set_znhc(cpu, cpu.a.equals(0), 1, h, c)


# Z 1 H C
def sbc(cpu: CpuSm83, value: Value) -> None:
    """A - value - C."""
    cpu.a, h, c = minus(cpu.a, value, cpu.cf)
    set_znhc(cpu, cpu.a.equals(0), 1, h, c)


# Z 1 H C
def cp(cpu: CpuSm83, value: Value) -> None:
    """Compare A: the flags of a subtraction."""
    difference, h, c = minus(cpu.a, value)
    set_znhc(cpu, difference.equals(0), 1, h, c)


# Z 0 1 0
def and_(cpu: CpuSm83, value: Value) -> None:
    """A AND value; H is always set."""
    cpu.a = cpu.a & value
    set_znhc(cpu, cpu.a.equals(0), 0, 1, 0)


# Z 0 0 0
def xor(cpu: CpuSm83, value: Value) -> None:
    """A XOR value."""
    cpu.a = cpu.a ^ value
    set_znhc(cpu, cpu.a.equals(0), 0, 0, 0)


# Z 0 0 0
def or_(cpu: CpuSm83, value: Value) -> None:
    """A OR value."""
    cpu.a = cpu.a | value
    set_znhc(cpu, cpu.a.equals(0), 0, 0, 0)


# Z 0 1 -
def bit(cpu: CpuSm83, number: int, value: Value) -> None:
    """Z is set when the bit is 0; C stays."""
    set_znhc(cpu, ~value[number], 0, 1, cpu.cf)


# Z - 0 C
def daa(cpu: CpuSm83) -> None:
    """Make A decimal after the addition or subtraction of decimal numbers: 6 is added or
    subtracted in each digit that had a carry, or is over 9 (after an addition only). N and H
    exist for this instruction (Pan Docs, "The BCD flags")."""
    low = cpu.hf | (~cpu.nf & const(9, 4).below(cpu.a[0:4]))
    high = cpu.cf | (~cpu.nf & const(0x99, 8).below(cpu.a))
    sixes = cat(select(high, const(6, 4), 0), select(low, const(6, 4), 0))
    cpu.a = select(cpu.nf, cpu.a - sixes, cpu.a + sixes)
    set_znhc(cpu, cpu.a.equals(0), cpu.nf, 0, high)


# - 1 1 -
def cpl(cpu: CpuSm83) -> None:
    """Invert all bits of A."""
    cpu.a = ~cpu.a
    set_znhc(cpu, cpu.zf, 1, 1, cpu.cf)


# - 0 0 1
def scf(cpu: CpuSm83) -> None:
    """Set C."""
    set_znhc(cpu, cpu.zf, 0, 0, 1)


# - 0 0 C
def ccf(cpu: CpuSm83) -> None:
    """Invert C."""
    set_znhc(cpu, cpu.zf, 0, 0, ~cpu.cf)


# ---------------------------------------------------------------- operations that change a value
#
# Each gives what the value becomes; it may be in a register or in memory.


# Z 0 H -
def inc(cpu: CpuSm83, value: Value) -> Value:
    """Count up; C stays."""
    result, h, _ = plus(value, const(1, 8))
    set_znhc(cpu, result.equals(0), 0, h, cpu.cf)
    return result


# Z 1 H -
def dec(cpu: CpuSm83, value: Value) -> Value:
    """Count down; C stays."""
    result, h, _ = minus(value, const(1, 8))
    set_znhc(cpu, result.equals(0), 1, h, cpu.cf)
    return result


# Z 0 0 C
def set_shift_flags(cpu: CpuSm83, result: Value, out: Value | int) -> Value:
    """Set the flags after a shift or rotation; ``out`` is the bit that went out."""
    set_znhc(cpu, result.equals(0), 0, 0, out)
    return result


# Z 0 0 C
def sla(cpu: CpuSm83, value: Value) -> Value:
    """Shift left: 0 comes in."""
    return set_shift_flags(cpu, cat(value[0:7], const(0, 1)), out=value[7])


# Z 0 0 C
def srl(cpu: CpuSm83, value: Value) -> Value:
    """Shift right: 0 comes in."""
    return set_shift_flags(cpu, cat(const(0, 1), value[1:8]), out=value[0])


# Z 0 0 C
def sra(cpu: CpuSm83, value: Value) -> Value:
    """Shift right: the sign stays."""
    return set_shift_flags(cpu, cat(value[7], value[1:8]), out=value[0])


# Z 0 0 C
def rl(cpu: CpuSm83, value: Value) -> Value:
    """Rotate left through C, nine bits in all."""
    return set_shift_flags(cpu, cat(value[0:7], cpu.cf), out=value[7])


# Z 0 0 C
def rr(cpu: CpuSm83, value: Value) -> Value:
    """Rotate right through C, nine bits in all."""
    return set_shift_flags(cpu, cat(cpu.cf, value[1:8]), out=value[0])


# Z 0 0 C
def rlc(cpu: CpuSm83, value: Value) -> Value:
    """Rotate left, eight bits; C takes a copy of the one that goes around."""
    return set_shift_flags(cpu, cat(value[0:7], value[7]), out=value[7])


# Z 0 0 C
def rrc(cpu: CpuSm83, value: Value) -> Value:
    """Rotate right, eight bits; C takes a copy of the one that goes around."""
    return set_shift_flags(cpu, cat(value[0], value[1:8]), out=value[0])


# Z 0 0 0
def swap(cpu: CpuSm83, value: Value) -> Value:
    """Exchange the two hexadecimal digits."""
    return set_shift_flags(cpu, cat(value[0:4], value[4:8]), out=0)


# 0 0 0 C
def rotate_a(cpu: CpuSm83, rotate: Callable[[CpuSm83, Value], Value]) -> None:
    """``rlca`` and the like: as ``rlc a``, but Z is always cleared."""
    cpu.a = rotate(cpu, cpu.a)
    cpu.zf = 0

"""What the 6502 computes: loads, arithmetic, logic and shifts with their flags.

Nothing here takes a cycle: the 6502 computes while it fetches what comes next. The line above each
operation has its flags, in the order N V D I Z C: the letter where the result sets one, 0 or 1
where it always gets that, - where it is left alone.

Read on in: Bruce Clark, "Decimal Mode", http://6502.org/tutorials/decimal_mode.html (Clark).
"""

from __future__ import annotations

from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.microcode import MicrocodeRecorder

Cpu6502 = MicrocodeRecorder
"""The CPU: its registers are those of ``romproof.isa.mos6502``."""


# N - - - Z -
def set_nz(cpu: Cpu6502, value: Value) -> Value:
    """Set N and Z by a result, and return it."""
    cpu.n = value[7]
    cpu.z = value.equals(0)
    return value


# ---------------------------------------------------------------- loads


# N - - - Z -
def lda(cpu: Cpu6502, value: Value) -> None:
    """Load A."""
    cpu.a = set_nz(cpu, value)


# N - - - Z -
def ldx(cpu: Cpu6502, value: Value) -> None:
    """Load X."""
    cpu.x = set_nz(cpu, value)


# N - - - Z -
def ldy(cpu: Cpu6502, value: Value) -> None:
    """Load Y."""
    cpu.y = set_nz(cpu, value)


# N - - - Z -  (txs: none)
def transfer(cpu: Cpu6502, source: str, target: str) -> None:
    """``tax`` and the like: copy a register. Only ``txs`` leaves the flags alone."""
    value = getattr(cpu, source)
    setattr(cpu, target, value if target == "s" else set_nz(cpu, value))


# ---------------------------------------------------------------- arithmetic and logic


# N V - - Z C
def adc(cpu: Cpu6502, value: Value) -> None:
    """A + value + C. V is set when the sum of signed numbers does not fit.

    In decimal mode the digits are corrected one after the other, each by 6 when it is over 9.
    A and C are those of the decimal sum, Z that of the binary one; N and V are taken in between,
    when the low digit is corrected and the high one is not (Clark, appendix A).
    """
    binary = cpu.a.widen(9) + value.widen(9) + cpu.c.widen(9)
    ones = cpu.a[0:4].widen(5) + value[0:4].widen(5) + cpu.c.widen(5)
    carry = ~ones.below(10)
    ones = select(carry, ones + 6, ones)[0:4]
    tens = cpu.a[4:8].widen(5) + value[4:8].widen(5) + carry.widen(5)
    in_between = cat(tens[0:4], ones)
    over = ~tens.below(10)
    decimal = cat(select(over, tens + 6, tens)[0:4], ones)
    signed = select(cpu.d, in_between, binary[0:8])
    cpu.z = binary[0:8].equals(0)
    cpu.n = signed[7]
    cpu.v = ((cpu.a ^ signed) & (value ^ signed))[7]
    cpu.c = select(cpu.d, over, binary[8])
    cpu.a = select(cpu.d, decimal, binary[0:8])


# N V - - Z C
def sbc(cpu: Cpu6502, value: Value) -> None:
    """A - value - 1 + C: a cleared C is a borrow. In decimal mode only A is decimal; all flags
    are those of the binary difference (Clark, appendix A)."""
    borrow = ~cpu.c
    binary = cpu.a.widen(9) - value.widen(9) - borrow.widen(9)
    ones = cpu.a[0:4].widen(5) - value[0:4].widen(5) - borrow.widen(5)
    tens = cpu.a[4:8].widen(5) - value[4:8].widen(5) - ones[4].widen(5)
    decimal = cat(
        select(tens[4], tens - 6, tens)[0:4],
        select(ones[4], ones - 6, ones)[0:4],
    )
    set_nz(cpu, binary[0:8])
    cpu.v = ((cpu.a ^ value) & (cpu.a ^ binary[0:8]))[7]
    cpu.c = ~binary[8]
    cpu.a = select(cpu.d, decimal, binary[0:8])


# N - - - Z C
def compare(cpu: Cpu6502, register: Value, value: Value) -> None:
    """Set the flags as a subtraction would, without borrow and always binary; V stays."""
    set_nz(cpu, register - value)
    cpu.c = ~register.below(value)


# N - - - Z C
def cmp(cpu: Cpu6502, value: Value) -> None:
    """Compare A."""
    compare(cpu, cpu.a, value)


# N - - - Z C
def cpx(cpu: Cpu6502, value: Value) -> None:
    """Compare X."""
    compare(cpu, cpu.x, value)


# N - - - Z C
def cpy(cpu: Cpu6502, value: Value) -> None:
    """Compare Y."""
    compare(cpu, cpu.y, value)


# N - - - Z -
def and_(cpu: Cpu6502, value: Value) -> None:
    """A AND value."""
    cpu.a = set_nz(cpu, cpu.a & value)


# N - - - Z -
def eor(cpu: Cpu6502, value: Value) -> None:
    """A XOR value."""
    cpu.a = set_nz(cpu, cpu.a ^ value)


# N - - - Z -
def ora(cpu: Cpu6502, value: Value) -> None:
    """A OR value."""
    cpu.a = set_nz(cpu, cpu.a | value)


# N V - - Z -
def bit(cpu: Cpu6502, value: Value) -> None:
    """Z as ``and`` would set it; N and V are bits 7 and 6 of the value itself."""
    cpu.n, cpu.v = value[7], value[6]
    cpu.z = (cpu.a & value).equals(0)


# N - - - Z -
def count(cpu: Cpu6502, register: str, step: int) -> None:
    """``inx`` and the like."""
    setattr(cpu, register, set_nz(cpu, getattr(cpu, register) + step))


# ---------------------------------------------------------------- operations that change a value
#
# Each gives what the value becomes; it may be A or in memory.


# N - - - Z -
def inc(cpu: Cpu6502, value: Value) -> Value:
    """Count up; C stays."""
    return set_nz(cpu, value + 1)


# N - - - Z -
def dec(cpu: Cpu6502, value: Value) -> Value:
    """Count down; C stays."""
    return set_nz(cpu, value - 1)


# N - - - Z C
def asl(cpu: Cpu6502, value: Value) -> Value:
    """Shift left: 0 comes in, C takes what goes out."""
    cpu.c = value[7]
    return set_nz(cpu, cat(value[0:7], const(0, 1)))


# 0 - - - Z C
def lsr(cpu: Cpu6502, value: Value) -> Value:
    """Shift right: 0 comes in, C takes what goes out."""
    cpu.c = value[0]
    return set_nz(cpu, cat(const(0, 1), value[1:8]))


# N - - - Z C
def rol(cpu: Cpu6502, value: Value) -> Value:
    """Rotate left through C, nine bits in all."""
    result = cat(value[0:7], cpu.c)
    cpu.c = value[7]
    return set_nz(cpu, result)


# N - - - Z C
def ror(cpu: Cpu6502, value: Value) -> Value:
    """Rotate right through C, nine bits in all."""
    result = cat(cpu.c, value[1:8])
    cpu.c = value[0]
    return set_nz(cpu, result)

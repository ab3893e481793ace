"""What the operations of the SM83 do to its registers, flags and memory.

Each function acts on the CPU it is given. ``cpu.read``, ``cpu.write``, ``cpu.idle`` and
``cpu.operand`` (a byte after the opcode) are one M-cycle each, in the order of the code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from romproof.isa.algebra import Value, cat, const, select

CpuSm83 = Any
"""A Recorder with the registers of ``romproof.isa.sm83``."""

PAIRS = ("bc", "de", "hl")
ALWAYS = const(1, 1)
NO_CARRY = const(0, 1)


# ---------------------------------------------------------------- operands
#
# What takes M-cycles: n8 and n16 are bytes after the opcode, brackets are memory.


def word(cpu: CpuSm83) -> Value:
    """``n16``, ``a16``: two bytes after the opcode, the low one first"""
    low = cpu.operand()
    return cat(cpu.operand(), low)


def address(cpu: CpuSm83, operand: str) -> Value:
    """The address in brackets."""
    match operand:
        case "[a16]":
            return word(cpu)
        case "[a8]":
            return cat(const(0xFF, 8), cpu.operand())
        case "[c]":
            return cat(const(0xFF, 8), cpu.c)
        case "[hl+]":
            hl = get(cpu, "hl")
            put(cpu, "hl", hl + 1)
            return hl
        case "[hl-]":
            hl = get(cpu, "hl")
            put(cpu, "hl", hl - 1)
            return hl
    return get(cpu, operand.strip("[]"))


def get(cpu: CpuSm83, operand: str) -> Value:
    """The value of an operand."""
    value: Value
    if operand in PAIRS:
        value = cat(getattr(cpu, operand[0]), getattr(cpu, operand[1]))
    elif operand == "af":
        value = cat(cpu.a, cpu.zf, cpu.nf, cpu.hf, cpu.cf, const(0, 4))
    elif operand == "n8":
        value = cpu.operand()
    elif operand == "n16":
        value = word(cpu)
    elif operand.startswith("["):
        value = cpu.read(address(cpu, operand))
    else:
        value = getattr(cpu, operand)
    return value


def put(cpu: CpuSm83, operand: str, value: Value) -> None:
    """Give an operand a value."""
    if operand in PAIRS:
        setattr(cpu, operand[0], value[8:16])
        setattr(cpu, operand[1], value[0:8])
    elif operand == "af":
        cpu.a = value[8:16]
        cpu.zf, cpu.nf, cpu.hf, cpu.cf = value[7], value[6], value[5], value[4]
    elif operand.startswith("["):
        at = address(cpu, operand)
        cpu.write(at, value[0:8])
        if value.width == 16:
            cpu.write(at + 1, value[8:16])
    else:
        setattr(cpu, operand, value)


def ld(cpu: CpuSm83, to: str, operand: str) -> None:
    """``ld`` and ``ldh``. Only ``ld sp, hl`` takes a cycle to move a register."""
    value = get(cpu, operand)
    if (to, operand) == ("sp", "hl"):
        cpu.idle()
    put(cpu, to, value)


# ---------------------------------------------------------------- sums and their flags


def set_znhc(cpu: CpuSm83, z: Value | int, n: Value | int, h: Value | int, c: Value | int) -> None:
    """Set the flags: Z zero, N subtracted, H carry out of the low digit, C carry."""
    cpu.zf, cpu.nf, cpu.hf, cpu.cf = z, n, h, c


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


def add(cpu: CpuSm83, value: Value) -> None:
    cpu.a, h, c = plus(cpu.a, value)
    set_znhc(cpu, cpu.a.equals(0), 0, h, c)


def adc(cpu: CpuSm83, value: Value) -> None:
    cpu.a, h, c = plus(cpu.a, value, cpu.cf)
    set_znhc(cpu, cpu.a.equals(0), 0, h, c)


def sub(cpu: CpuSm83, value: Value) -> None:
    cpu.a, h, c = minus(cpu.a, value)
    set_znhc(cpu, cpu.a.equals(0), 1, h, c)


def sbc(cpu: CpuSm83, value: Value) -> None:
    cpu.a, h, c = minus(cpu.a, value, cpu.cf)
    set_znhc(cpu, cpu.a.equals(0), 1, h, c)


def cp(cpu: CpuSm83, value: Value) -> None:
    difference, h, c = minus(cpu.a, value)
    set_znhc(cpu, difference.equals(0), 1, h, c)


def and_(cpu: CpuSm83, value: Value) -> None:
    cpu.a = cpu.a & value
    set_znhc(cpu, cpu.a.equals(0), 0, 1, 0)


def xor(cpu: CpuSm83, value: Value) -> None:
    cpu.a = cpu.a ^ value
    set_znhc(cpu, cpu.a.equals(0), 0, 0, 0)


def or_(cpu: CpuSm83, value: Value) -> None:
    cpu.a = cpu.a | value
    set_znhc(cpu, cpu.a.equals(0), 0, 0, 0)


def add_hl(cpu: CpuSm83, value: Value) -> None:
    """``add hl, bc`` and the like: H and C are those of the high byte's addition."""
    cpu.idle()
    total, h, c = plus(get(cpu, "hl"), value)
    put(cpu, "hl", total)
    set_znhc(cpu, cpu.zf, 0, h, c)


def sp_plus_e8(cpu: CpuSm83) -> Value:
    """``sp + e8``: the distance is signed; H and C are those of the low bytes, unsigned."""
    distance = cpu.operand()
    _, h, c = plus(cpu.sp[0:8], distance)
    set_znhc(cpu, 0, 0, h, c)
    cpu.idle()
    total: Value = cpu.sp + distance.extend_sign(16)
    return total


def add_sp(cpu: CpuSm83) -> None:
    total = sp_plus_e8(cpu)
    cpu.idle()
    cpu.sp = total


def count(cpu: CpuSm83, register: str, step: int) -> None:
    """``inc bc`` and the like: no flags."""
    cpu.idle()
    put(cpu, register, get(cpu, register) + step)


def daa(cpu: CpuSm83) -> None:
    """Make A decimal after an addition or subtraction of decimal numbers: add or subtract 6
    in each digit that is over 9 or had a carry."""
    low = cpu.hf | (~cpu.nf & const(9, 4).below(cpu.a[0:4]))
    high = cpu.cf | (~cpu.nf & const(0x99, 8).below(cpu.a))
    sixes = cat(select(high, const(6, 4), 0), select(low, const(6, 4), 0))
    cpu.a = select(cpu.nf, cpu.a - sixes, cpu.a + sixes)
    set_znhc(cpu, cpu.a.equals(0), cpu.nf, 0, high)


def cpl(cpu: CpuSm83) -> None:
    cpu.a = ~cpu.a
    set_znhc(cpu, cpu.zf, 1, 1, cpu.cf)


def scf(cpu: CpuSm83) -> None:
    set_znhc(cpu, cpu.zf, 0, 0, 1)


def ccf(cpu: CpuSm83) -> None:
    set_znhc(cpu, cpu.zf, 0, 0, ~cpu.cf)


# ---------------------------------------------------------------- operations that change a value


def inc(cpu: CpuSm83, value: Value) -> Value:
    result, h, _ = plus(value, const(1, 8))
    set_znhc(cpu, result.equals(0), 0, h, cpu.cf)
    return result


def dec(cpu: CpuSm83, value: Value) -> Value:
    result, h, _ = minus(value, const(1, 8))
    set_znhc(cpu, result.equals(0), 1, h, cpu.cf)
    return result


def shifted(cpu: CpuSm83, result: Value, out: Value | int) -> Value:
    """Set the flags after a shift or rotation; ``out`` is the bit that left."""
    set_znhc(cpu, result.equals(0), 0, 0, out)
    return result


def rlc(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(value[0:7], value[7]), out=value[7])


def rrc(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(value[0], value[1:8]), out=value[0])


def rl(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(value[0:7], cpu.cf), out=value[7])


def rr(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(cpu.cf, value[1:8]), out=value[0])


def sla(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(value[0:7], const(0, 1)), out=value[7])


def sra(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(value[7], value[1:8]), out=value[0])


def srl(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(const(0, 1), value[1:8]), out=value[0])


def swap(cpu: CpuSm83, value: Value) -> Value:
    return shifted(cpu, cat(value[0:4], value[4:8]), out=0)


def rotate_a(cpu: CpuSm83, rotate: Callable[[CpuSm83, Value], Value]) -> None:
    """``rlca`` and the like: as ``rlc a``, but Z is always cleared."""
    cpu.a = rotate(cpu, cpu.a)
    cpu.zf = 0


def rlca(cpu: CpuSm83) -> None:
    rotate_a(cpu, rlc)


def rrca(cpu: CpuSm83) -> None:
    rotate_a(cpu, rrc)


def rla(cpu: CpuSm83) -> None:
    rotate_a(cpu, rl)


def rra(cpu: CpuSm83) -> None:
    rotate_a(cpu, rr)


def bit(cpu: CpuSm83, number: int, value: Value) -> None:
    set_znhc(cpu, ~value[number], 0, 1, cpu.cf)


# ---------------------------------------------------------------- the stack and jumps
#
# ``taken`` is one bit: the condition of the jump.


def push(cpu: CpuSm83, value: Value, taken: Value = ALWAYS) -> None:
    """The high byte first, downwards; ``sp`` is at the last byte pushed."""
    cpu.idle(when=taken)
    cpu.write(cpu.sp - 1, value[8:16], when=taken)
    cpu.write(cpu.sp - 2, value[0:8], when=taken)
    cpu.sp = select(taken, cpu.sp - 2, cpu.sp)


def pop(cpu: CpuSm83, taken: Value = ALWAYS) -> Value:
    low = cpu.read(cpu.sp, when=taken)
    high = cpu.read(cpu.sp + 1, when=taken)
    cpu.sp = select(taken, cpu.sp + 2, cpu.sp)
    return cat(high, low)


def jp(cpu: CpuSm83, taken: Value) -> None:
    target = word(cpu)
    cpu.idle(when=taken)
    cpu.pc = select(taken, target, cpu.pc)


def jr(cpu: CpuSm83, taken: Value) -> None:
    distance = cpu.operand()
    cpu.idle(when=taken)
    cpu.pc = select(taken, cpu.pc + distance.extend_sign(16), cpu.pc)


def call(cpu: CpuSm83, taken: Value) -> None:
    target = word(cpu)
    push(cpu, cpu.pc, taken)
    cpu.pc = select(taken, target, cpu.pc)


def ret(cpu: CpuSm83, taken: Value) -> None:
    """To look at a condition takes a cycle of its own."""
    if taken is not ALWAYS:
        cpu.idle()
    target = pop(cpu, taken)
    cpu.idle(when=taken)
    cpu.pc = select(taken, target, cpu.pc)


def rst(cpu: CpuSm83, target: str) -> None:
    """A call of one byte."""
    push(cpu, cpu.pc)
    cpu.pc = const(int(target.removeprefix("$"), 16), 16)

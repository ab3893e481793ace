"""What the documented instructions of the 6502 do: addressing, arithmetic, stack, jumps.

The 6502 drives its bus in every cycle; where it has nothing to read yet, it reads something
anyway, and that is stated here too (``dummy_read``). See mos6502.py for the registers.
"""

from __future__ import annotations

from typing import Any

from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.model import Access

Cpu6502 = Any
"""A Recorder with the registers of mos6502.py."""


# ---------------------------------------------------------------- addressing modes
#
# Each takes the cycles up to the access itself and gives the address. Indexing adds to the low
# byte first. A read is done at once with that half-ready address, and again when the high byte
# turns out wrong; what writes must never touch a wrong address and always takes the extra cycle.


def zero_page(cpu: Cpu6502) -> Value:
    """``a8``"""
    base: Value = cpu.operand()
    return base.widen(16)


def zero_page_indexed(cpu: Cpu6502, index: Value) -> Value:
    """``a8,x``: stays in the zero page"""
    base: Value = cpu.operand()
    cpu.dummy_read(base.widen(16))
    return (base + index).widen(16)


def absolute(cpu: Cpu6502) -> Value:
    """``a16``"""
    low = cpu.operand()
    return cat(cpu.operand(), low)


def indexed(cpu: Cpu6502, base: Value, index: Value, access: Access) -> Value:
    """The address ``base`` + ``index``, with the dummy read before its high byte is right."""
    address = base + index.widen(16)
    half_ready = cat(base[8:16], address[0:8])
    crossed = ~half_ready.equals(address)
    cpu.dummy_read(half_ready, when=crossed if access is Access.READ else None)
    return address


def pointer(cpu: Cpu6502, at: Value) -> Value:
    """The word at an address of the zero page; it does not leave the zero page."""
    low = cpu.read(at.widen(16))
    return cat(cpu.read((at + 1).widen(16)), low)


def indexed_indirect(cpu: Cpu6502) -> Value:
    """``(a8,x)``"""
    base = cpu.operand()
    cpu.dummy_read(base.widen(16))
    return pointer(cpu, base + cpu.x)


def indirect_indexed(cpu: Cpu6502, access: Access) -> Value:
    """``(a8),y``"""
    return indexed(cpu, pointer(cpu, cpu.operand()), cpu.y, access)


def effective_address(cpu: Cpu6502, mode: str, access: Access) -> Value:
    """The address an operand of this mode names."""
    match mode:
        case "a8":
            return zero_page(cpu)
        case "a8,x":
            return zero_page_indexed(cpu, cpu.x)
        case "a8,y":
            return zero_page_indexed(cpu, cpu.y)
        case "a16":
            return absolute(cpu)
        case "a16,x":
            return indexed(cpu, absolute(cpu), cpu.x, access)
        case "a16,y":
            return indexed(cpu, absolute(cpu), cpu.y, access)
        case "(a8,x)":
            return indexed_indirect(cpu)
        case "(a8),y":
            return indirect_indexed(cpu, access)
    raise ValueError(f"no addressing mode '{mode}'")


# ---------------------------------------------------------------- operations that read a value


def set_nz(cpu: Cpu6502, value: Value) -> Value:
    """Set N and Z by a result."""
    cpu.n = value[7]
    cpu.z = value.equals(0)
    return value


def lda(cpu: Cpu6502, value: Value) -> None:
    cpu.a = set_nz(cpu, value)


def ldx(cpu: Cpu6502, value: Value) -> None:
    cpu.x = set_nz(cpu, value)


def ldy(cpu: Cpu6502, value: Value) -> None:
    cpu.y = set_nz(cpu, value)


def ora(cpu: Cpu6502, value: Value) -> None:
    cpu.a = set_nz(cpu, cpu.a | value)


def and_(cpu: Cpu6502, value: Value) -> None:
    cpu.a = set_nz(cpu, cpu.a & value)


def eor(cpu: Cpu6502, value: Value) -> None:
    cpu.a = set_nz(cpu, cpu.a ^ value)


def bit(cpu: Cpu6502, value: Value) -> None:
    cpu.n, cpu.v = value[7], value[6]
    cpu.z = (cpu.a & value).equals(0)


def compare(cpu: Cpu6502, register: Value, value: Value) -> None:
    """Set the flags as a subtraction without borrow would."""
    set_nz(cpu, register - value)
    cpu.c = ~register.below(value)


def cmp(cpu: Cpu6502, value: Value) -> None:
    compare(cpu, cpu.a, value)


def cpx(cpu: Cpu6502, value: Value) -> None:
    compare(cpu, cpu.x, value)


def cpy(cpu: Cpu6502, value: Value) -> None:
    compare(cpu, cpu.y, value)


def adc(cpu: Cpu6502, value: Value) -> None:
    """A + value + C. In decimal mode C and A are decimal, Z is that of the binary sum, and N
    and V come from the moment before the high digit is corrected."""
    binary = cpu.a.widen(9) + value.widen(9) + cpu.c.widen(9)
    ones = cpu.a[0:4].widen(5) + value[0:4].widen(5) + cpu.c.widen(5)
    carry = ~ones.below(10)
    ones = select(carry, ones + 6, ones)[0:4]
    tens = cpu.a[4:8].widen(5) + value[4:8].widen(5) + carry.widen(5)
    rough = cat(tens[0:4], ones)
    over = ~tens.below(10)
    decimal = cat(select(over, tens + 6, tens)[0:4], ones)
    before_correction = select(cpu.d, rough, binary[0:8])
    cpu.z = binary[0:8].equals(0)
    cpu.n = before_correction[7]
    cpu.v = ((cpu.a ^ before_correction) & (value ^ before_correction))[7]
    cpu.c = select(cpu.d, over, binary[8])
    cpu.a = select(cpu.d, decimal, binary[0:8])


def sbc(cpu: Cpu6502, value: Value) -> None:
    """A - value - not C. In decimal mode only A is decimal; all flags are the binary ones."""
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


# ---------------------------------------------------------------- operations that change a value


def asl(cpu: Cpu6502, value: Value) -> Value:
    cpu.c = value[7]
    return set_nz(cpu, cat(value[0:7], const(0, 1)))


def lsr(cpu: Cpu6502, value: Value) -> Value:
    cpu.c = value[0]
    return set_nz(cpu, cat(const(0, 1), value[1:8]))


def rol(cpu: Cpu6502, value: Value) -> Value:
    result = cat(value[0:7], cpu.c)
    cpu.c = value[7]
    return set_nz(cpu, result)


def ror(cpu: Cpu6502, value: Value) -> Value:
    result = cat(cpu.c, value[1:8])
    cpu.c = value[0]
    return set_nz(cpu, result)


def inc(cpu: Cpu6502, value: Value) -> Value:
    return set_nz(cpu, value + 1)


def dec(cpu: Cpu6502, value: Value) -> Value:
    return set_nz(cpu, value - 1)


# ---------------------------------------------------------------- the stack and the flag byte


def stack(cpu: Cpu6502) -> Value:
    """The address the stack pointer names: the next free byte."""
    return cat(const(1, 8), cpu.s)


def push(cpu: Cpu6502, value: Value) -> None:
    cpu.write(stack(cpu), value)
    cpu.s = cpu.s - 1


def pull(cpu: Cpu6502) -> Value:
    cpu.s = cpu.s + 1
    byte: Value = cpu.read(stack(cpu))
    return byte


def flag_byte(cpu: Cpu6502, b: int) -> Value:
    """The flags as they are pushed; B and the bit above exist only there."""
    return cat(cpu.n, cpu.v, const(1, 1), const(b, 1), cpu.d, cpu.i, cpu.z, cpu.c)


def set_flags(cpu: Cpu6502, value: Value) -> None:
    cpu.n, cpu.v, cpu.d, cpu.i = value[7], value[6], value[3], value[2]
    cpu.z, cpu.c = value[1], value[0]


def php(cpu: Cpu6502) -> None:
    cpu.dummy_read(cpu.pc)
    push(cpu, flag_byte(cpu, b=1))


def pha(cpu: Cpu6502) -> None:
    cpu.dummy_read(cpu.pc)
    push(cpu, cpu.a)


def plp(cpu: Cpu6502) -> None:
    cpu.dummy_read(cpu.pc)
    cpu.dummy_read(stack(cpu))
    set_flags(cpu, pull(cpu))


def pla(cpu: Cpu6502) -> None:
    cpu.dummy_read(cpu.pc)
    cpu.dummy_read(stack(cpu))
    cpu.a = set_nz(cpu, pull(cpu))


# ---------------------------------------------------------------- jumps


def branch(cpu: Cpu6502, taken: Value) -> None:
    """Relative to what follows; one more cycle when taken, another one to a different page.

    A branch looks at the interrupt lines before its second cycle, and once more only when it
    leaves the page: a branch taken within the page makes an interrupt wait for one instruction.
    """
    poll(cpu)
    distance = cpu.operand()
    following = cpu.pc
    target = following + distance.extend_sign(16)
    half_ready = cat(following[8:16], target[0:8])
    crosses = taken & ~half_ready.equals(target)
    cpu.dummy_read(following, when=taken)
    poll(cpu, when=crosses)
    cpu.dummy_read(half_ready, when=crosses)
    cpu.pc = select(taken, target, following)


def jmp(cpu: Cpu6502) -> None:
    cpu.pc = absolute(cpu)


def jmp_indirect(cpu: Cpu6502) -> None:
    """``jmp (a16)``: the pointer's high byte comes from the same page as the low one."""
    at = absolute(cpu)
    low = cpu.read(at)
    cpu.pc = cat(cpu.read(cat(at[8:16], at[0:8] + 1)), low)


def jsr(cpu: Cpu6502) -> None:
    """Pushes the address of its own last byte, which is read only afterwards."""
    low = cpu.operand()
    cpu.dummy_read(stack(cpu))
    push(cpu, cpu.pc[8:16])
    push(cpu, cpu.pc[0:8])
    cpu.pc = cat(cpu.operand(), low)


def rts(cpu: Cpu6502) -> None:
    cpu.dummy_read(cpu.pc)
    cpu.dummy_read(stack(cpu))
    low = pull(cpu)
    address = cat(pull(cpu), low)
    cpu.dummy_read(address)
    cpu.pc = address + 1


def rti(cpu: Cpu6502) -> None:
    cpu.dummy_read(cpu.pc)
    cpu.dummy_read(stack(cpu))
    set_flags(cpu, pull(cpu))
    low = pull(cpu)
    poll(cpu)  # with the I that was just pulled
    cpu.pc = cat(pull(cpu), low)


def poll(cpu: Cpu6502, when: Value | None = None) -> None:
    """Look at the interrupt lines: NMI counts always, IRQ only while I is clear."""
    nmi = cpu.signal("nmi", when=when)
    irq = cpu.signal("irq", when=when)
    cpu.interrupt = cpu.interrupt | nmi | (irq & ~cpu.i)

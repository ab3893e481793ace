"""What the CMOS 6502 does otherwise than the NMOS 6502, on the bus and in decimal mode.

The functions are used as those of ``mos6502_operations`` and ``mos6502_alu``. Two things are
general: no address is put on the bus that is not meant (while it computes one, the chip reads the
last byte of the instruction again), and what changes memory reads it twice and writes it once.

Read on in:

- Bruce Clark and Jeff Laughton, "65C02 Opcodes", http://6502.org/tutorials/65c02opcodes.html
- Bruce Clark, "Decimal Mode", http://6502.org/tutorials/decimal_mode.html (Clark)
- SingleStepTests/65x02, which has the address of every dummy access
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.isa import mos6502_operations as nmos
from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.model import OperandAccess
from romproof.isa.mos6502_alu import Cpu6502, set_nz

# ---------------------------------------------------------------- operands


def effective_address(cpu: Cpu6502, mode: str, access: OperandAccess, waits: bool) -> Value:
    """The address that an operand names; ``waits`` says whether an index takes its cycle always."""
    match mode:
        case "a16,x":
            return indexed(cpu, cpu.operand_word(), cpu.x, waits)
        case "a16,y":
            return indexed(cpu, cpu.operand_word(), cpu.y, waits)
        case "(a8),y":
            return indexed(cpu, nmos.pointer(cpu, cpu.operand()), cpu.y, waits)
        case "(a8)":
            return nmos.pointer(cpu, cpu.operand())
    return nmos.effective_address(cpu, mode, access)


def indexed(cpu: Cpu6502, base: Value, index: Value, waits: bool) -> Value:
    """``a16,x``: a cycle more when a page is crossed, or always."""
    address = base + index.widen(16)
    crossed = ~base[8:16].equals(address[8:16])
    cpu.dummy_read(cpu.pc - 1, when=None if waits else crossed)
    return address


def modify(cpu: Cpu6502, address: Value, change: Callable[[Cpu6502, Value], Value]) -> None:
    """Change a byte in memory: while the new value is computed, the old one is read again."""
    old = cpu.read(address)
    cpu.dummy_read(address)
    cpu.write(address, change(cpu, old))


# ---------------------------------------------------------------- jumps


def jmp_indirect(cpu: Cpu6502) -> None:
    """``jmp (a16)``: the pointer's high byte is where it should be; that took a cycle."""
    at = cpu.operand_word()
    low = cpu.read(at)
    high = cpu.read(at + 1)
    cpu.dummy_read(at + 1)
    cpu.pc = cat(high, low)


def jmp_indexed(cpu: Cpu6502) -> None:
    """``jmp (a16,x)``"""
    base = cpu.operand_word()
    cpu.dummy_read(cpu.pc - 2)
    at = base + cpu.x.widen(16)
    low = cpu.read(at)
    cpu.pc = cat(cpu.read(at + 1), low)


def branch_on_bit(cpu: Cpu6502, bit: int, value: int) -> None:
    """``bbr0 a8,e8`` and the like: the byte in the zero page is read twice. From its distance on
    it is a branch, but that another page is awaited with a look at what follows."""
    address = cpu.operand().widen(16)
    byte = cpu.read(address)
    cpu.dummy_read(address)
    nmos.poll(cpu)
    distance = cpu.operand()
    following, taken = cpu.pc, byte[bit].equals(value)
    target = following + distance.extend_sign(16)
    crosses = taken & ~following[8:16].equals(target[8:16])
    cpu.dummy_read(following, when=taken)
    nmos.poll(cpu, when=crosses)
    cpu.dummy_read(following, when=crosses)
    cpu.pc = select(taken, target, following)


# ---------------------------------------------------------------- the stack


def push_register(cpu: Cpu6502, name: str) -> None:
    """``phx`` and ``phy``."""
    cpu.dummy_read(cpu.pc)
    nmos.push(cpu, getattr(cpu, name))


def pull_register(cpu: Cpu6502, name: str) -> None:
    """``plx`` and ``ply``."""
    nmos.before_pull(cpu)
    setattr(cpu, name, set_nz(cpu, nmos.pull(cpu)))


# ---------------------------------------------------------------- arithmetic


def with_decimal_cycle(
    cpu: Cpu6502,
    read: Callable[[], Value],
    again: Callable[[], Value],
    operation: Callable[[Cpu6502, Value], None],
) -> None:
    """Arithmetic: in decimal mode a cycle more, which reads ``again()`` and corrects the flags."""
    decimal = cpu.d
    nmos.poll(cpu, when=~decimal)
    value = read()
    nmos.poll(cpu, when=decimal)
    cpu.dummy_read(again(), when=decimal)
    operation(cpu, value)


# N V - - Z C
def adc(cpu: Cpu6502, value: Value) -> None:
    """A + value + C; in decimal mode N and Z are those of the decimal sum, V is what the NMOS
    6502 makes of it (Clark, appendix A)."""
    binary = cpu.a.widen(9) + value.widen(9) + cpu.c.widen(9)
    ones = cpu.a[0:4].widen(5) + value[0:4].widen(5) + cpu.c.widen(5)
    carry = ~ones.below(10)
    ones = select(carry, ones + 6, ones)[0:4]
    tens = cpu.a[4:8].widen(5) + value[4:8].widen(5) + carry.widen(5)
    signed = select(cpu.d, cat(tens[0:4], ones), binary[0:8])
    over = ~tens.below(10)
    decimal = cat(select(over, tens + 6, tens)[0:4], ones)
    cpu.v = ((cpu.a ^ signed) & (value ^ signed))[7]
    cpu.c = select(cpu.d, over, binary[8])
    cpu.a = set_nz(cpu, select(cpu.d, decimal, binary[0:8]))


# N V - - Z C
def sbc(cpu: Cpu6502, value: Value) -> None:
    """A - value - 1 + C; in decimal mode N and Z are those of the decimal difference. Digits that
    are none give other results than on the NMOS 6502: 6 and $60 are taken from all of A (Clark,
    appendix A)."""
    borrow = ~cpu.c
    binary = cpu.a.widen(9) - value.widen(9) - borrow.widen(9)
    ones = cpu.a[0:4].widen(5) - value[0:4].widen(5) - borrow.widen(5)
    less = select(binary[8], const(0x60, 8), 0) + select(ones[4], const(0x06, 8), 0)
    cpu.v = ((cpu.a ^ value) & (cpu.a ^ binary[0:8]))[7]
    cpu.c = ~binary[8]
    cpu.a = set_nz(cpu, select(cpu.d, binary[0:8] - less, binary[0:8]))


# - - - - Z -
def bit_immediate(cpu: Cpu6502, value: Value) -> None:
    """``bit #n8``: there is no memory whose bits N and V could show."""
    cpu.z = (cpu.a & value).equals(0)


# - - - - Z -
def tsb(cpu: Cpu6502, value: Value) -> Value:
    """Set the bits that A has; Z tells of them before."""
    cpu.z = (cpu.a & value).equals(0)
    return value | cpu.a


# - - - - Z -
def trb(cpu: Cpu6502, value: Value) -> Value:
    """Clear the bits that A has; Z tells of them before."""
    cpu.z = (cpu.a & value).equals(0)
    return value & ~cpu.a


# ---------------------------------------------------------------- what is not defined


def nop_of_eight_cycles(cpu: Cpu6502) -> None:
    """$5C: nobody knows what it is meant to do (Clark and Laughton, who watched its bus)."""
    low = cpu.operand()
    cpu.operand()
    cpu.dummy_read(cat(const(0xFF, 8), low))
    for _ in range(4):
        cpu.dummy_read(const(0xFFFF, 16))


def nop_of_three_bytes(cpu: Cpu6502) -> None:
    """$DC and $FC: the operand is read, and its last byte once more."""
    cpu.operand_word()
    cpu.dummy_read(cpu.pc - 1)

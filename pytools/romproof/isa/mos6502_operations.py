"""What the documented instructions of the 6502 do on the bus: operands, stack and jumps.

Each function acts on the CPU it is given. ``cpu.read``, ``cpu.write``, ``cpu.dummy_read`` and
``cpu.operand`` (a byte after the opcode) are one cycle each, in the order of the code. The 6502
uses its bus in every cycle: while it has nothing to read yet, it reads something anyway, and
that is stated here too (``dummy_read``).

Read on in:

- Visual6502: the wiki of the transistor-level simulation, http://visual6502.org/wiki
- 64doc: John West and Marko Mäkelä, "Documentation for the NMOS 65xx/85xx Instruction Set",
  which has all cycles of all addressing modes
- nesdev: "CPU interrupts", https://www.nesdev.org/wiki/CPU_interrupts
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.microcode import StepKind
from romproof.isa.model import OperandAccess
from romproof.isa.mos6502_alu import Cpu6502, set_nz

# ---------------------------------------------------------------- operands
#
# Each function takes the cycles up to the access itself and gives its address.


def effective_address(cpu: Cpu6502, mode: str, access: OperandAccess) -> Value:
    """The address that an operand of this addressing mode names."""
    match mode:
        case "a8":
            return zero_page(cpu)
        case "a8,x":
            return zero_page_indexed(cpu, cpu.x)
        case "a8,y":
            return zero_page_indexed(cpu, cpu.y)
        case "a16":
            return cpu.operand_word()
        case "a16,x":
            return indexed(cpu, cpu.operand_word(), cpu.x, access)
        case "a16,y":
            return indexed(cpu, cpu.operand_word(), cpu.y, access)
        case "(a8,x)":
            return indexed_indirect(cpu)
        case "(a8),y":
            return indirect_indexed(cpu, access)
    raise ValueError(f"no addressing mode '{mode}'")


def zero_page(cpu: Cpu6502) -> Value:
    """``a8``: one of the first 256 addresses, which need no high byte."""
    return cpu.operand().widen(16)


def zero_page_indexed(cpu: Cpu6502, index: Value) -> Value:
    """``a8,x``: the sum stays in the zero page. The addition takes a cycle, in which the address
    is read as it was before."""
    base = cpu.operand()
    cpu.dummy_read(base.widen(16))
    return (base + index).widen(16)


def indexed(cpu: Cpu6502, base: Value, index: Value, access: OperandAccess) -> Value:
    """``a16,x``: the adder is 8 bits wide, so the low byte of the sum is ready first.

    A read is tried at once with that half-ready address, and again only when there was a carry:
    the page is crossed. What writes must not touch a wrong address: it always waits (64doc).
    """
    address = base + index.widen(16)
    half_ready = cat(base[8:16], address[0:8])
    crossed = ~half_ready.equals(address)
    cpu.dummy_read(half_ready, when=crossed if access is OperandAccess.READ else None)
    return address


def pointer(cpu: Cpu6502, at: Value) -> Value:
    """The word at an address of the zero page. Its high byte is in the zero page too: the one
    after $FF is at $00."""
    low = cpu.read(at.widen(16))
    return cat(cpu.read((at + 1).widen(16)), low)


def indexed_indirect(cpu: Cpu6502) -> Value:
    """``(a8,x)``: X chooses the pointer."""
    base = cpu.operand()
    cpu.dummy_read(base.widen(16))
    return pointer(cpu, base + cpu.x)


def indirect_indexed(cpu: Cpu6502, access: OperandAccess) -> Value:
    """``(a8),y``: Y is added to the pointer."""
    return indexed(cpu, pointer(cpu, cpu.operand()), cpu.y, access)


def modify(cpu: Cpu6502, address: Value, change: Callable[[Cpu6502, Value], Value]) -> None:
    """Change a byte in memory. The chip takes a cycle to compute the new value and meanwhile
    writes the old one back (64doc)."""
    old = cpu.read(address)
    cpu.write(address, old, kind=StepKind.DUMMY_WRITE)
    cpu.write(address, change(cpu, old))


# ---------------------------------------------------------------- the flag byte


def flag_byte(cpu: Cpu6502, b: int) -> Value:
    """The flags as they are pushed. B and the bit above it exist only there: B tells a handler
    whether ``brk`` (and ``php``) pushed them or an interrupt."""
    return cat(cpu.n, cpu.v, const(1, 1), const(b, 1), cpu.d, cpu.i, cpu.z, cpu.c)


def set_flags(cpu: Cpu6502, byte: Value) -> None:
    """Take the flags from a byte that was pulled."""
    cpu.n, cpu.v, cpu.d, cpu.i = byte[7], byte[6], byte[3], byte[2]
    cpu.z, cpu.c = byte[1], byte[0]


# ---------------------------------------------------------------- the stack


def stack(cpu: Cpu6502) -> Value:
    """The address on page 1 that S names: the next free byte."""
    return cat(const(1, 8), cpu.s)


def push(cpu: Cpu6502, byte: Value) -> None:
    """One cycle: write, then S goes down."""
    cpu.write(stack(cpu), byte)
    cpu.s = cpu.s - 1


def pull(cpu: Cpu6502) -> Value:
    """One cycle: S goes up, then read. See also ``before_pull``."""
    cpu.s = cpu.s + 1
    return cpu.read(stack(cpu))


def before_pull(cpu: Cpu6502) -> None:
    """Two cycles: the byte after the opcode is read for nothing, as in all instructions of one
    byte, and so is the stack, while S goes up for the first time."""
    cpu.dummy_read(cpu.pc)
    cpu.dummy_read(stack(cpu))


def pha(cpu: Cpu6502) -> None:
    """Push A."""
    cpu.dummy_read(cpu.pc)
    push(cpu, cpu.a)


def pla(cpu: Cpu6502) -> None:
    """Pull A."""
    before_pull(cpu)
    cpu.a = set_nz(cpu, pull(cpu))


def php(cpu: Cpu6502) -> None:
    """Push the flags, with B set."""
    cpu.dummy_read(cpu.pc)
    push(cpu, flag_byte(cpu, b=1))


def plp(cpu: Cpu6502) -> None:
    """Pull the flags."""
    before_pull(cpu)
    set_flags(cpu, pull(cpu))


# ---------------------------------------------------------------- jumps


def jmp(cpu: Cpu6502) -> None:
    """``jmp a16``"""
    cpu.pc = cpu.operand_word()


def jmp_indirect(cpu: Cpu6502) -> None:
    """``jmp (a16)``: nothing carries into the pointer's page, so that the high byte of one at
    $xxFF comes from $xx00 (64doc)."""
    at = cpu.operand_word()
    low = cpu.read(at)
    cpu.pc = cat(cpu.read(cat(at[8:16], at[0:8] + 1)), low)


def branch(cpu: Cpu6502, taken: Value | None) -> None:
    """Relative to what follows; None: always taken (65C02). As in ``indexed`` the low byte is
    ready first: one more cycle when taken, and another one to a different page.

    A branch looks at the interrupt lines before its second cycle, and once more only when it
    leaves the page: one taken within the page makes an interrupt wait for the next instruction
    (nesdev).
    """
    poll(cpu)
    distance = cpu.operand()
    following = cpu.pc
    target = following + distance.extend_sign(16)
    half_ready = cat(following[8:16], target[0:8])
    crosses = ~half_ready.equals(target)
    if taken is not None:
        crosses = taken & crosses
    cpu.dummy_read(following, when=taken)
    poll(cpu, when=crosses)
    cpu.dummy_read(half_ready, when=crosses)
    cpu.pc = target if taken is None else select(taken, target, following)


def jsr(cpu: Cpu6502) -> None:
    """Call. The high byte of the target is read last, so that what is pushed is the address of
    that byte and not of the next instruction; ``rts`` makes up for it (64doc)."""
    low = cpu.operand()
    cpu.dummy_read(stack(cpu))
    push(cpu, cpu.pc[8:16])
    push(cpu, cpu.pc[0:8])
    cpu.pc = cat(cpu.operand(), low)


def rts(cpu: Cpu6502) -> None:
    """Return from ``jsr``. The address on the stack is one too low; adding 1 takes a cycle of its
    own, in which the byte there is read for nothing."""
    before_pull(cpu)
    low = pull(cpu)
    address = cat(pull(cpu), low)
    cpu.dummy_read(address)
    cpu.pc = address + 1


def rti(cpu: Cpu6502) -> None:
    """Return from an interrupt, to the very address on the stack. The flags are back in time for
    the look at the interrupt lines: one that was masked may come at once (nesdev)."""
    before_pull(cpu)
    set_flags(cpu, pull(cpu))
    low = pull(cpu)
    cpu.pc = cat(pull(cpu), low)


def poll(cpu: Cpu6502, when: Value | None = None) -> None:
    """Look at the interrupt lines: NMI counts always, IRQ only while I is clear."""
    nmi = cpu.signal("nmi", when=when)
    irq = cpu.signal("irq", when=when)
    pending = nmi | (irq & ~cpu.i)
    cpu.interrupt = cpu.interrupt | pending.widen(cpu.interrupt.width)

"""What the instructions of the SM83 do on the bus: operands, moves, stack and jumps.

Each function acts on the CPU it is given. ``cpu.read``, ``cpu.write``, ``cpu.idle`` and
``cpu.operand`` (a byte after the opcode) are one M-cycle each, in the order of the code. The
bus rests (``cpu.idle``) where 16 bits have to be computed or moved inside the chip first.

Read on in:

- Pan Docs, https://gbdev.io/pandocs: "CPU Instruction Set"
- GBCTR: Joonas Javanainen (gekkio), "Game Boy: Complete Technical Reference",
  https://gekkio.fi/files/gb-docs/gbctr.pdf, which has the M-cycles of all instructions
"""

from __future__ import annotations

from romproof.isa.algebra import Value, cat, const, select
from romproof.isa.sm83_alu import CpuSm83, plus, set_znhc

PAIRS = ("bc", "de", "hl")
"""Two registers that are taken together, the first one high."""
ALWAYS = const(1, 1)


# ---------------------------------------------------------------- operands
#
# What takes M-cycles: n8 and n16 are bytes after the opcode, brackets are memory.


def effective_address(cpu: CpuSm83, operand: str) -> Value:
    """The address that an operand in brackets names."""
    match operand:
        case "[a16]":
            return cpu.operand_word()
        case "[a8]":
            return cat(const(0xFF, 8), cpu.operand())
        case "[c]":
            return cat(const(0xFF, 8), cpu.c)
        case "[hl+]":
            return hl_and_move(cpu, 1)
        case "[hl-]":
            return hl_and_move(cpu, -1)
    return get(cpu, operand.strip("[]"))


def hl_and_move(cpu: CpuSm83, step: int) -> Value:
    """``[hl+]``, ``[hl-]``: HL as it is; afterwards it has moved, which takes no extra time."""
    hl = get(cpu, "hl")
    put(cpu, "hl", hl + step)
    return hl


def get(cpu: CpuSm83, operand: str) -> Value:
    """The value of an operand."""
    if operand in PAIRS:
        return cat(getattr(cpu, operand[0]), getattr(cpu, operand[1]))
    if operand == "af":
        return cat(cpu.a, flag_byte(cpu))
    if operand == "n8":
        return cpu.operand()
    if operand == "n16":
        return cpu.operand_word()
    if operand.startswith("["):
        return cpu.read(effective_address(cpu, operand))
    register: Value = getattr(cpu, operand)
    return register


def put(cpu: CpuSm83, operand: str, value: Value) -> None:
    """Give an operand a value; 16 bits go to memory low byte first."""
    if operand in PAIRS:
        setattr(cpu, operand[0], value[8:16])
        setattr(cpu, operand[1], value[0:8])
    elif operand == "af":
        cpu.a = value[8:16]
        set_flags(cpu, value[0:8])
    elif operand.startswith("["):
        address = effective_address(cpu, operand)
        cpu.write(address, value[0:8])
        if value.width == 16:
            cpu.write(address + 1, value[8:16])
    else:
        setattr(cpu, operand, value)


# ---------------------------------------------------------------- loads and moves


def ld(cpu: CpuSm83, to: str, operand: str) -> None:
    """``ld`` and ``ldh``. Moving a register takes no time but for ``ld sp, hl``: 16 bits need a
    cycle of the unit that counts addresses (GBCTR)."""
    value = get(cpu, operand)
    if (to, operand) == ("sp", "hl"):
        cpu.idle()
    put(cpu, to, value)


# ---------------------------------------------------------------- arithmetic with 16 bits


def count(cpu: CpuSm83, register: str, step: int) -> None:
    """``inc bc`` and the like. The unit that counts addresses does it, in a cycle of its own;
    it knows no flags (GBCTR)."""
    cpu.idle()
    put(cpu, register, get(cpu, register) + step)


# - 0 H C
def add_hl(cpu: CpuSm83, value: Value) -> None:
    """``add hl, bc`` and the like. The adder is 8 bits wide and needs two cycles; H and C are
    those of the high bytes, and Z stays."""
    cpu.idle()
    total, h, c = plus(get(cpu, "hl"), value)
    put(cpu, "hl", total)
    set_znhc(cpu, cpu.zf, 0, h, c)


# 0 0 H C
def sp_plus_e8(cpu: CpuSm83) -> Value:
    """``sp + e8``: the distance is signed, and yet H and C are those of adding it to the low
    byte as an unsigned number."""
    distance = cpu.operand()
    _, h, c = plus(cpu.sp[0:8], distance)
    set_znhc(cpu, 0, 0, h, c)
    cpu.idle()
    return cpu.sp + distance.extend_sign(16)


# 0 0 H C
def add_sp(cpu: CpuSm83) -> None:
    """``add sp, e8``: one cycle more than ``ld hl, sp + e8``."""
    total = sp_plus_e8(cpu)
    cpu.idle()
    cpu.sp = total


# ---------------------------------------------------------------- the flag byte


def flag_byte(cpu: CpuSm83) -> Value:
    """The flags as they are pushed, F. Its low bits do not exist and read as 0."""
    return cat(cpu.zf, cpu.nf, cpu.hf, cpu.cf, const(0, 4))


def set_flags(cpu: CpuSm83, byte: Value) -> None:
    """Take the flags from a byte that was popped."""
    cpu.zf, cpu.nf, cpu.hf, cpu.cf = byte[7], byte[6], byte[5], byte[4]


# ---------------------------------------------------------------- the stack
#
# ``taken`` is one bit: the condition of the call or return.


def push(cpu: CpuSm83, word: Value, taken: Value = ALWAYS) -> None:
    """The high byte first, downwards; SP stays at the last byte pushed. It goes down before each
    write, for the first time in a cycle of its own (GBCTR)."""
    cpu.idle(when=taken)
    cpu.write(cpu.sp - 1, word[8:16], when=taken)
    cpu.write(cpu.sp - 2, word[0:8], when=taken)
    cpu.sp = select(taken, cpu.sp - 2, cpu.sp)


def pop(cpu: CpuSm83, taken: Value = ALWAYS) -> Value:
    """The low byte first, upwards. SP goes up after each read, which takes no extra time."""
    low = cpu.read(cpu.sp, when=taken)
    high = cpu.read(cpu.sp + 1, when=taken)
    cpu.sp = select(taken, cpu.sp + 2, cpu.sp)
    return cat(high, low)


# ---------------------------------------------------------------- jumps
#
# All but ``jp hl`` need a cycle to bring the target into ``pc``; a call does it while it pushes.


def jp(cpu: CpuSm83, taken: Value) -> None:
    """``jp a16``. The target is read even if the condition does not hold."""
    target = cpu.operand_word()
    cpu.idle(when=taken)
    cpu.pc = select(taken, target, cpu.pc)


def jp_hl(cpu: CpuSm83) -> None:
    """``jp hl``: the next opcode is fetched from HL at once."""
    cpu.pc = get(cpu, "hl")


def jr(cpu: CpuSm83, taken: Value) -> None:
    """Relative to what follows."""
    distance = cpu.operand()
    cpu.idle(when=taken)
    cpu.pc = select(taken, cpu.pc + distance.extend_sign(16), cpu.pc)


def call(cpu: CpuSm83, taken: Value) -> None:
    """Push the address of what follows, and jump."""
    target = cpu.operand_word()
    push(cpu, cpu.pc, taken)
    cpu.pc = select(taken, target, cpu.pc)


def rst(cpu: CpuSm83, target: str) -> None:
    """A call of one byte, to one of eight addresses."""
    push(cpu, cpu.pc)
    cpu.pc = const(int(target.removeprefix("$"), 16), 16)


def ret(cpu: CpuSm83, taken: Value) -> None:
    """Return. To look at a condition takes a cycle of its own: elsewhere it is checked while
    the target is read."""
    if taken is not ALWAYS:
        cpu.idle()
    target = pop(cpu, taken)
    cpu.idle(when=taken)
    cpu.pc = select(taken, target, cpu.pc)


def reti(cpu: CpuSm83) -> None:
    """Return from an interrupt, and enable them: at once, unlike ``ei``."""
    ret(cpu, ALWAYS)
    cpu.ime = 1

"""Loops that only wait for a device: all iterations that cannot differ from the last one at once.

``lda port; bpl back`` reads a port again and again until it changes. Each read is a call into
Python, thousands of times as slow as an instruction. When the device says that all reads until
some cycle bring the same, what the iterations until then do is known: they take their cycles.
Nothing else may come in between: no interrupt, no event of a device, no end of the run.
"""

from __future__ import annotations

from dataclasses import dataclass

from romproof.engine.space import OUTSIDE, PAGE, STOP, AddressSpace

_READS = frozenset({0xAD, 0xAE, 0xAC, 0x2C})
"""``lda``, ``ldx``, ``ldy`` and ``bit`` of an address."""
_BIT, _AND = 0x2C, 0x29
_ENDS = STOP | OUTSIDE
_READ_CYCLES, _AND_CYCLES, _BRANCH_CYCLES = 4, 2, 3
_BYTES = 7
"""Bytes of the longest loop."""
_LONGEST = 16
"""Cycles within which an instruction that has begun has ended, and one more."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop: cycles and instructions of an iteration that is not the last."""

    cycles: int
    instructions: int


def iterations(loop: Loop, cycle: int, until: int) -> int:
    """How many iterations end before a cycle, with all that an instruction may look at."""
    return max(0, (until - _LONGEST - cycle) // loop.cycles)


def waiting_loop(space: AddressSpace, pc: int, address: int, value: int) -> Loop | None:
    """The loop of the instruction at ``pc``, which has read ``value`` at ``address`` and will
    do so again if that stays; None when it is not known to be one."""
    if pc % PAGE <= PAGE - _BYTES:
        start = space.read_pages[pc // PAGE] + pc % PAGE
        code: bytes | bytearray = space.store[start : start + _BYTES]
    else:
        code = bytes(space.peek(pc + i & 0xFFFF) for i in range(_BYTES))
    if code[0] not in _READS or code[1] | code[2] << 8 != address:
        return None
    cycles, instructions, branch = _READ_CYCLES, 1, 3
    if code[0] == 0xAD and code[3] == _AND:
        value &= code[4]
        cycles, instructions, branch = cycles + _AND_CYCLES, 2, 5
    if code[branch + 1] != 0x100 - branch - 2 or not _goes_round(code[0], code[branch], value):
        return None
    following = pc + branch + 2
    if any(space.actions[place & 0xFFFF] & _ENDS for place in range(pc, following)):
        return None
    crosses = (following ^ pc) // PAGE != 0
    return Loop(cycles + _BRANCH_CYCLES + crosses, instructions + 1)


def _goes_round(opcode: int, branch: int, value: int) -> bool:
    """Whether a branch is taken after the read of a value."""
    match branch:
        case 0x10:  # bpl
            return not value & 0x80
        case 0x30:  # bmi
            return bool(value & 0x80)
        case 0x50:  # bvc
            return opcode == _BIT and not value & 0x40
        case 0x70:  # bvs
            return opcode == _BIT and bool(value & 0x40)
        case 0xF0:  # beq
            return opcode != _BIT and not value
        case 0xD0:  # bne
            return opcode != _BIT and bool(value)
    return False

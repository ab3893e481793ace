"""Loops that only wait for a device: all iterations that cannot differ from the last one at once.

``lda port; bpl back`` reads a port again and again until it changes. When the device says that all
reads until some cycle bring the same, what the iterations until then do is known: they take their
cycles. Nothing else may come in between: no interrupt, no event of a device, no end of the run.

This is written as chips are, so that compiled devices use it as well (see romproof.engine.chips).
"""

from __future__ import annotations

from romproof.engine.space import OUTSIDE, STOP, AddressSpace

_READS = frozenset({0xAD, 0xAE, 0xAC, 0x2C})
"""6502: ``lda``, ``ldx``, ``ldy`` and ``bit`` of an address."""
_BIT, _AND = 0x2C, 0x29
_LDH, _LD = 0xF0, 0xFA
"""SM83: ``ldh a, [n]`` and ``ld a, [nn]``."""
_COMPARE, _MASK, _TESTS, _PREFIX = 0xFE, 0xE6, (0xA7, 0xB7), 0xCB
"""SM83: ``cp n``, ``and n``, ``and a`` and ``or a``, and ``bit b, a`` behind its prefix."""
_BIT_A = 0x47
_ENDS = STOP | OUTSIDE
LONGEST = 16
"""6502: cycles within which an instruction that has begun has ended, and one more."""


def mos6502_loop(space: AddressSpace, pc: int, address: int, value: int) -> tuple[int, int, int]:
    """Cycles and instructions of an iteration of the loop of the instruction at ``pc``, which has
    read ``value`` at ``address`` and will do so again while some of its bits stay, and these bits;
    (0, 0, 0) when it is not known to be a loop."""
    opcode = space.peek(pc)
    if opcode not in _READS or _word(space, pc + 1) != address:
        return 0, 0, 0
    cycles, instructions, branch = 4, 1, pc + 3
    if opcode == 0xAD and space.peek(branch & 0xFFFF) == _AND:
        value &= space.peek(branch + 1 & 0xFFFF)
        cycles, instructions, branch = 6, 2, pc + 5
    if not _goes_round_6502(opcode, space.peek(branch & 0xFFFF), value):
        return 0, 0, 0
    following = branch + 2
    if space.peek(branch + 1 & 0xFFFF) != 0x100 - (following - pc) or _ends(space, pc, following):
        return 0, 0, 0
    crosses = (following ^ pc) >> 8 != 0
    return cycles + 3 + crosses, instructions + 1, 0xFF


def sm83_loop(space: AddressSpace, pc: int, address: int, value: int) -> tuple[int, int, int]:
    """The same for the SM83."""
    opcode = space.peek(pc)
    if opcode == _LDH and 0xFF00 | space.peek(pc + 1 & 0xFFFF) == address:
        cycles, place = 3, pc + 2
    elif opcode == _LD and _word(space, pc + 1) == address:
        cycles, place = 4, pc + 3
    else:
        return 0, 0, 0
    tested = place & 0xFFFF
    test, operand = space.peek(tested), space.peek(place + 1 & 0xFFFF)
    zero, carry, mask = value == 0, 0, 0xFF
    if test in _TESTS:
        cycles, place = cycles + 1, place + 1
    else:
        cycles, place = cycles + 2, place + 2
        if test == _COMPARE:
            zero, carry = value == operand, value < operand
        elif test == _MASK:
            zero, mask = value & operand == 0, operand
        elif test == _PREFIX and operand & 0xC7 == _BIT_A:
            mask = 1 << (operand >> 3 & 7)
            zero, carry = value & mask == 0, -1  # carry stays what it was
        else:
            return 0, 0, 0
    branches = place & 0xFFFF
    branch = space.peek(branches)
    if branch & 0xE7 != 0x20:
        return 0, 0, 0
    flag = carry if branch & 0x10 else int(zero)
    if flag != branch >> 3 & 1:
        return 0, 0, 0
    following = place + 2
    if space.peek(place + 1 & 0xFFFF) != 0x100 - (following - pc):
        return 0, 0, 0
    actions = space.actions
    if (actions[pc] | actions[tested] | actions[branches]) & _ENDS:
        return 0, 0, 0  # a run may end within the loop
    return cycles + 3, 3, mask


def _word(space: AddressSpace, at: int) -> int:
    return space.peek(at & 0xFFFF) | space.peek(at + 1 & 0xFFFF) << 8


def _ends(space: AddressSpace, first: int, end: int) -> bool:
    """Whether a run may end within the loop."""
    for place in range(first, end):  # noqa: SIM110  what is compiled has loops only
        if space.actions[place & 0xFFFF] & _ENDS:
            return True
    return False


def _goes_round_6502(opcode: int, branch: int, value: int) -> bool:
    """Whether a branch is taken after the read of a value."""
    if branch == 0x10:  # bpl
        return not value & 0x80
    if branch == 0x30:  # bmi
        return bool(value & 0x80)
    if branch == 0x50:  # bvc
        return opcode == _BIT and not value & 0x40
    if branch == 0x70:  # bvs
        return opcode == _BIT and bool(value & 0x40)
    if branch == 0xF0:  # beq
        return opcode != _BIT and not value
    if branch == 0xD0:  # bne
        return opcode != _BIT and bool(value)
    return False


def iterations(
    space: AddressSpace, cycles: int, address: int, value: int, cycle: int, limit: int
) -> int:
    """6502: how many iterations of ``cycles``, if any, only bring the same as the read at
    ``cycle``: until the device at ``address`` may bring another value than this, an interrupt may
    come, or ``limit``."""
    if not cycles:
        return 0
    steady = space.steady[address].steady_until(address, value, cycle, 0xFF)
    until = min(steady, space.signals.quiet_until(space.horizon), limit)
    return (until - LONGEST - cycle) // cycles

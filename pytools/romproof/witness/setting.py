"""What a run begins with besides its inputs: memory that is nobody's, stack, return address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from romproof.witness.columns import Array
from romproof.witness.subject import SIZE, Subject


@dataclass(frozen=True)
class Setting:
    """``base`` is the memory (65,536 bytes), with the return address pushed. ``stack`` is the
    stack pointer at the first instruction; ``ends`` are where runs end."""

    base: Array = field(repr=False)
    stack: int
    ends: tuple[int, ...]


def settings_of(
    subject: Subject, chance: np.random.Generator, number: int = 0
) -> tuple[Setting, Setting]:
    """Two settings that have nothing in common but what stays as it is, and what is an input.

    ``number`` chooses the stack pointers: those of the first ones are notable.
    """
    fixed = np.frombuffer(subject.fixed, np.uint8) != 0
    program = np.frombuffer(subject.memory, np.uint8)
    garbage = chance.integers(0, 0x100, SIZE, np.uint8)
    stacks = subject.pointers
    one, other = (stacks[(2 * number + n) % len(stacks)] for n in range(2))
    if subject.abi.stack_pointer in subject.contract.inputs:
        other = one
    here, there = _two(chance, subject.ends)
    return (
        _setting(subject, np.where(fixed, program, garbage), one, here),
        _setting(subject, np.where(fixed, program, garbage ^ 0xFF), other, there),
    )


def _setting(subject: Subject, base: Array, stack: int, end: int) -> Setting:
    base = base.copy()
    if subject.is_called:
        abi = subject.abi
        place = [address % SIZE for address in abi.on_stack(stack, subject.stack_after(stack))]
        pushed = (end - abi.return_bias & 0xFFFF).to_bytes(2, "little")
        if abi.pushes_flags:  # any flags; bit 5 is 1, and B is 0 for what is no brk
            pushed = bytes([int(base[place[0]]) & 0xCF | 0x20]) + pushed
        base[place] = list(pushed)
    return Setting(base, stack, (end,) if subject.is_called else subject.ends)


def _two(chance: np.random.Generator, among: Sequence[int]) -> tuple[int, int]:
    """Two of some numbers, different ones where there are two."""
    if len(among) == 1:
        return among[0], among[0]
    first, second = chance.choice(len(among), 2, replace=False)
    return among[int(first)], among[int(second)]

"""How a call begins: what has been pushed when its first instruction comes next."""

from __future__ import annotations

from romproof.engine.registers import RegisterFile
from romproof.isa.abi import Abi
from romproof.machine.board import Board

_BREAK, _ALWAYS = 0x10, 0x20
"""Bits of the 6502's flag byte: B is pushed as 0 by an interrupt, bit 5 always as 1."""


def push_return_address(
    board: Board,
    plain: bytearray | None,
    routine: Abi,
    registers: RegisterFile,
    top: int,
    to: int,
    interrupt: bool,
) -> None:
    """As a call to the ``routine`` does that returns to ``to``; an interrupt pushes the 6502's
    flags too, with B clear, and masks further ones. ``top`` is the stack pointer before, ``plain``
    the memory where each address has one byte, None elsewhere."""
    abi = routine.handler if interrupt else routine
    pushed = ((to - abi.return_bias) & 0xFFFF).to_bytes(2, "little")
    if abi.pushes_flags:
        pushed = bytes([abi.flags_of(registers) & ~_BREAK | _ALWAYS]) + pushed
    if interrupt:
        _mask_interrupts(registers, abi)
    s = top - len(pushed)
    abi.set(registers, abi.stack_pointer.attribute, s & abi.stack_mask)
    where = abi.on_stack(s, top)
    if plain is not None and where.stop <= len(plain):
        plain[where.start : where.stop] = pushed
        return
    for at, byte in zip(where, pushed, strict=True):
        board.poke(at & 0xFFFF, byte)


def _mask_interrupts(registers: RegisterFile, abi: Abi) -> None:
    """As at the beginning of a handler."""
    name, value = abi.masking
    if name in abi.letters:
        byte, mask = abi.flags_of(registers), abi.letters[name]
        abi.set(registers, abi.flag_byte, byte | mask if value else byte & ~mask)
    else:
        abi.set(registers, name, value)

"""Machines about to execute an opcode: what all CPUs' have in common."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from smt_machines import Known, Machine

from romproof.isa.model import Opcode
from romproof.symbolic.execute.layout import MemoryObject

Registers = Mapping[str, Known]
Bounds = Mapping[int, tuple[int, int]]

CODE = 0x0480
TABLE = 0x0600
TABLE_BYTES = Random(1).randbytes(0x200)


def machine(
    opcode: Opcode,
    objects: tuple[MemoryObject, ...],
    operand: bytes | None = None,
    *,
    at: int = CODE,
    registers: Registers | None = None,
    bounds: Bounds | None = None,
    fixed: Mapping[int, bytes] | None = None,
) -> Machine:
    """The opcode at ``at``; without ``operand`` the bytes behind it are unknown."""
    code = opcode.prefix + bytes([opcode.byte])
    missing = opcode.size - len(code)
    if operand is None and missing:
        objects = (*objects, MemoryObject("operand", at + len(code), missing))
    elif operand is not None:
        assert len(operand) == missing
        code += operand
    return Machine(
        opcode.cpu,
        {at: code, **(fixed or {})},
        objects,
        {"pc": at, **(registers or {})},
        bounds or {},
    )


def word(address: int) -> bytes:
    """The operand that names an address."""
    return address.to_bytes(2, "little")

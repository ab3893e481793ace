"""A digest of a routine's code and of all that it calls, the same wherever it stands.

Instructions are taken by name, and addresses in them by their labels: code that only moved is the
same code, though branches and tables may cross other pages then. Code that is reached by computed
jumps, and bytes of tables, are not in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from romproof.isa.abi import abi_of
from romproof.isa.codec import decode
from romproof.machine.board import Window
from romproof.measure.coverage.reach import BankedCode
from romproof.program.image import Image

MAX = 1 << 16
"""Instructions that are followed at most."""
DIGITS = 16
"""Hexadecimal digits of a digest: nobody makes two of the same on purpose."""


def code_digest(
    image: Image,
    address: int,
    bank: int,
    windows: Collection[Window] = (),
    code: BankedCode | None = None,
) -> str:
    """The digest of what is executed from an address of a bank on; "" where the program has no
    bytes there."""
    code, cpu = code or BankedCode(image, windows), abi_of(image.cpu).cpu
    seen: set[tuple[int, int]] = set()
    work = [(address, bank)]
    digest = hashlib.sha256()
    while work and len(seen) < MAX:
        place = work.pop()
        if place in seen:
            continue
        at, in_bank = place
        instruction = decode(code.three(at, in_bank), at, cpu)
        if instruction is None:
            continue
        seen.add(place)
        target = instruction.target
        named = image.format_address(target) if target is not None else None
        operand = named or f"{instruction.operand if target is None else target:x}"
        opcode = instruction.opcode
        digest.update(f"{opcode.mnemonic} {opcode.mode} {operand}\n".encode())
        work += reversed(code.after(instruction, in_bank))
    return digest.hexdigest()[:DIGITS] if seen else ""

"""Which routines a routine calls: those with contracts that its code reaches.

A call counts, and so does going on there by a jump or by falling through. What has no contract is
code of the routine that comes to it. Code is followed as it stands in the program: a return is a
return, so addresses that are pushed to be "returned" to are not seen.
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.isa.abi import abi_of
from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow
from romproof.program.image import Block, Image, Symbol

MAX_INSTRUCTIONS = 20_000
"""The most instructions followed in a routine; one with more is data that was taken for code."""


class Undetermined(Exception):
    """Internal signal: what a routine calls is not known; why, and at which address."""

    def __init__(self, reason: str, address: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.address = address


HasContract = Callable[[int, str | None], Symbol | None]
"""The routine with a contract that begins at an address in a memory area; None without one."""


def callees_of(image: Image, routine: Symbol, contract_at: HasContract) -> tuple[Symbol, ...]:
    """The routines with contracts that ``routine`` comes to, by address.

    It is not among them itself. Raises Undetermined.
    """
    code = _BankBytes(image)
    callees: dict[tuple[int, str], Symbol] = {}
    seen: set[tuple[int, str]] = set()
    work = [(routine.value, code.home(routine), routine.value)]
    while work:
        address, near, source = work.pop()
        block = code.block(address, near, source)
        key = (address, block.area)
        if key in seen:
            continue
        seen.add(key)
        other = contract_at(address, block.area)
        if other is not None and (other.value, other.module) != (routine.value, routine.module):
            callees[key] = other
            continue
        if len(seen) > MAX_INSTRUCTIONS:
            raise Undetermined("its code goes on beyond the limit that is followed", address)
        work += [(target, block, address) for target in _targets(code.at(address, block))]
    return tuple(callees[key] for key in sorted(callees))


class _BankBytes:
    """The bytes of a program, bank by bank."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._cpu = abi_of(image.cpu).cpu

    def home(self, routine: Symbol) -> Block | None:
        """The block that a routine stands in, as far as its segment tells."""
        areas = {
            segment.area for segment in self._image.segments if segment.name == routine.segment
        }
        inside = [b for b in self._at(routine.value) if b.area in areas]
        return inside[0] if len(inside) == 1 else None

    def block(self, address: int, near: Block | None, source: int) -> Block:
        """The block at an address that code in ``near``, at ``source``, goes to."""
        blocks = self._at(address)
        if near is not None and near in blocks:
            return near
        if not blocks:
            name = self._image.describe(address)
            raise Undetermined(f"it continues at {name}, where the program has no code", source)
        if len({block.area for block in blocks}) > 1:
            areas = ", ".join(block.area for block in blocks)
            name = self._image.describe(address)
            raise Undetermined(f"the bank at {name} is not known ({areas})", source)
        return blocks[0]

    def at(self, address: int, block: Block) -> Instruction:
        """The instruction at an address. Raises Undetermined."""
        start = address - block.address
        instruction = decode(block.data[start : start + 3], address, self._cpu)
        if instruction is None:
            raise Undetermined("the code ends within an instruction", address)
        return instruction

    def _at(self, address: int) -> list[Block]:
        return [
            block
            for block in self._image.blocks
            if block.address <= address < block.address + len(block.data)
        ]


def _targets(instruction: Instruction) -> tuple[int, ...]:
    """Where an instruction leads, to what it calls as well. Raises Undetermined."""
    opcode, target = instruction.opcode, instruction.target
    following = (instruction.address + opcode.size) & 0xFFFF
    match opcode.flow:
        case Flow.NEXT:
            return (following,)
        case Flow.BRANCH | Flow.CALL if target is not None:
            return (following, target)
        case Flow.JUMP if target is not None and "(" not in opcode.mode:
            return (target,)
        case Flow.RETURN:
            return (following,) if opcode.conditional else ()
        case Flow.JAM:
            return ()
        case Flow.SOFTWARE_INTERRUPT:
            raise Undetermined(
                f"'{opcode.mnemonic}' calls the interrupt handler", instruction.address
            )
    raise Undetermined(f"'{opcode.syntax}' jumps to a computed address", instruction.address)

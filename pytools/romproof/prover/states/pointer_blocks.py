"""What stands for the blocks behind pointers in a proof (romproof.symbolic.execute.blocks).

For each block there is an object, at addresses that nothing else has. The contract that is proved
(``with_blocks``) lists these objects as memory, so that all that is claimed of memory is claimed of
the block, wherever it is. romproof.prover.conditions.separation shows that blocks lie apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.ports import volatile_addresses
from romproof.contract.reading.pointers import drop_blocks, place_blocks
from romproof.harness.checks.stack import call_stack
from romproof.isa.abi import Abi
from romproof.prover.states.program import ProofProgram
from romproof.prover.states.view import number_of
from romproof.symbolic.execute.blocks import PointerBlock
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import bits
from romproof.text.errors import RomproofError

SIZE = 0x10000


class NoRoom(RomproofError):
    """Nothing can stand for a block, as the program takes nearly all addresses."""


def with_blocks(program: ProofProgram, contract: Contract) -> Contract:
    """The contract with memory that stands for its blocks. Raises NoRoom."""
    if not contract.pointers:
        return contract
    taken = _mark_taken(program, contract)
    places: list[tuple[int, int]] = []
    end = SIZE
    for pointer in contract.pointers:
        begin = end - pointer.most
        while begin >= 0 and (last := taken.rfind(1, begin, end)) >= 0:
            begin = last - pointer.most
            end = last
        if begin < 0:
            raise NoRoom(
                f"the program leaves no {pointer.most:,} free bytes for the block behind "
                f"{pointer.name}"
            )
        places.append((begin, pointer.most))
        end = begin
    made = place_blocks(contract, tuple(places))
    return replace(made, requires=contract.requires, pointers=contract.pointers)


def contract_without_blocks(contract: Contract) -> Contract:
    """The contract as it was before something stood for its blocks."""
    if not contract.pointers:
        return contract
    return replace(
        contract,
        inputs=drop_blocks(contract.inputs, contract),
        outputs=drop_blocks(contract.outputs, contract),
        clobbers=drop_blocks(contract.clobbers, contract),
        secrets=drop_blocks(contract.secrets, contract),
    )


def _mark_taken(program: ProofProgram, contract: Contract) -> bytearray:
    """A byte for each address, 1 where something is that a routine or a call has."""
    taken = bytearray(1 if fixed else 0 for fixed in program.is_fixed)
    listed = contract.inputs + contract.outputs + contract.clobbers + contract.secrets
    cells = {a for item in listed if isinstance(item, MemoryRange) for a in item.addresses()}
    stack = call_stack(contract.entry(program.abi), program.image)
    room = program.abi.on_stack(stack.floor, stack.top + 1)
    for address in (*cells, *volatile_addresses(contract, program.abi), *room):
        taken[address % SIZE] = 1
    return taken


def names_of(contract: Contract) -> dict[str, MemoryRange]:
    """What stands for each block of a contract, by the block's name."""
    names = {pointer.name for pointer in contract.pointers}
    listed = contract.inputs + contract.outputs + contract.clobbers + contract.secrets
    return {
        item.name: item for item in listed if isinstance(item, MemoryRange) and item.name in names
    }


def objects_of_blocks(contract: Contract) -> frozenset[MemoryObject]:
    """The objects that stand for blocks."""
    return frozenset(MemoryObject(r.name, r.address, r.size) for r in names_of(contract).values())


def blocks_of(contract: Contract, abi: Abi, entry: State) -> Iterator[PointerBlock]:
    """The blocks of a contract in the state at its entry."""
    ranges = names_of(contract)
    for pointer in contract.pointers:
        memory = ranges[pointer.name]
        yield PointerBlock(
            MemoryObject(pointer.name, memory.address, memory.size),
            bits(number_of(pointer.base, abi, entry, entry), 16),
            bits(number_of(pointer.count, abi, entry, entry), 16),
            pointer.is_read,
            pointer.is_written,
        )

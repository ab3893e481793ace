"""Inputs for calls, drawn within what a contract requires of each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from romproof.contract.names.bounds import BoundKey, bounds_of
from romproof.contract.names.limits import Limits
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Abi, Flag

Choose = Callable[[int, int], int]
_NOTABLE = (0, 1, 2, 0x0F, 0x10, 0x7F, 0x80, 0x81, 0xFE, 0xFF)
"""Bytes at which something often changes."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a call is given: registers and flags by the names Python has for them, and bytes by
    what the contract lists."""

    registers: Mapping[str, int]
    flags: Mapping[str, int]
    memory: Mapping[MemoryRange, bytes]

    def __str__(self) -> str:
        parts = [f"{name.upper()}=${value:02X}" for name, value in self.registers.items()]
        parts += [f"{name.upper()}={value}" for name, value in self.flags.items()]
        for item, data in self.memory.items():
            shown = data[:16].hex(" ").upper() + (" …" if len(data) > 16 else "")
            parts.append(f"{item.name}=[{shown}]")
        return ", ".join(parts) if parts else "no inputs"


def draw_inputs(contract: Contract, abi: Abi, seed: int = 0) -> Iterator[Drawn]:
    """Inputs without end, always the same ones: the lowest values, the highest, and random ones,
    with notable bytes among them. Not all are such as the contract allows: it may want more of
    them than limits of each by itself."""
    chance = Random(seed)
    bounds = bounds_of(contract)
    yield _one(contract, abi, bounds, lambda low, high: low)
    yield _one(contract, abi, bounds, lambda low, high: high)

    def notable(low: int, high: int) -> int:
        return min(max(chance.choice(_NOTABLE), low), max(low, high))

    def uniform(low: int, high: int) -> int:
        return chance.randint(low, max(low, high))

    def choose_limit(low: int, high: int) -> int:
        return chance.choice((notable, uniform))(low, high)

    while True:
        for choose in (uniform, uniform, choose_limit, notable):
            yield _one(contract, abi, bounds, choose)


def _one(contract: Contract, abi: Abi, bounds: Mapping[BoundKey, Limits], choose: Choose) -> Drawn:
    registers: dict[str, int] = {}
    flags: dict[str, int] = {}
    memory: dict[MemoryRange, bytes] = {}
    for item in contract.inputs:
        if isinstance(item, MemoryRange):
            memory[item] = _bytes(item, bounds, choose)
        elif isinstance(item, Flag):
            flags[item.letter] = choose(*bounds.get(item, (0, 1)))
        elif item in abi.registers:
            registers[item.attribute] = choose(*bounds.get(item, (0, (1 << item.bits) - 1)))
    return Drawn(registers, flags, memory)


def _bytes(item: MemoryRange, bounds: Mapping[BoundKey, Limits], choose: Choose) -> bytes:
    for key, within in bounds.items():
        if isinstance(key, MemoryRange) and (key.address, key.size) == (item.address, item.size):
            return choose(*within).to_bytes(item.size, "little")
    return bytes(choose(*bounds.get(address, (0, 0xFF))) & 0xFF for address in item.addresses())

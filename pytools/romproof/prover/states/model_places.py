"""The places that a model's arguments come from and its results go to, by their names.

a        a register; hl, a pair of the SM83; bcde, two pairs as one number
c        a flag where no register is called so, on the SM83 zf nf hf cf
lfsr     memory that the contract lists: a number if it is one byte, else its bytes
lfsr:big, lfsr:little     the number that the bytes make
lfsr[3], lfsr[1:3]        one byte, some of them; counted as Python does
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, Protocol

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Abi, Flag, Register
from romproof.symbolic.numbers.choices import word
from romproof.symbolic.numbers.integers import Order, SymInt
from romproof.symbolic.numbers.symbytes import symbolic_bytes
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError

SHORT = 8
"""The most bytes that are one number without being told their order: the lowest byte first."""

_PLACE = re.compile(
    r"(?P<name>[^\s\[\]]+?)"
    r"(?:\[(?P<first>-?\d+)?(?P<slice>:(?P<end>-?\d+)?)?\])?"
    r"(?:(?<!:):(?P<order>big|little))?$"
)


class BadMapping(RomproofError):
    """Arguments or results of a model that cannot be those of the routine."""


class View(Protocol):
    """Registers, flags and memory at one moment; the numbers may be symbolic."""

    def register(self, name: str) -> Any:
        """The register that contracts call ``name``; no pairs."""

    def flag(self, name: str) -> Any:
        """The flag that contracts call ``name``: 0 or 1."""

    def byte(self, address: int) -> Any:
        """The byte at an address."""

    def data(self, address: int, size: int) -> Sequence[Any]:
        """So many bytes from an address on."""


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """A register, a pair, a flag or memory; ``name`` as Python has it.

    ``registers`` are those that it consists of, the high one first, by the names of contracts.
    Memory with an ``order`` is one number.
    """

    name: str
    registers: tuple[str, ...] = ()
    flag: Flag | None = None
    memory: MemoryRange | None = None
    order: Order | None = None

    def __str__(self) -> str:
        return f"{self.name}:{self.order}" if self.order else self.name

    @property
    def items(self) -> frozenset[object]:
        """What it consists of: registers, flags, addresses."""
        return _items(self)

    def read(self, view: View) -> Any:
        """What stands there: a number, or bytes that can be changed."""
        if self.memory is not None:
            cells = view.data(self.memory.address, self.memory.size)
            if self.order is not None or len(cells) == 1:
                return word(cells, self.order or "big")
            return symbolic_bytes(cells)
        if self.flag is not None:
            return view.flag(self.flag.name)
        high, *low = map(view.register, self.registers)
        return word([high, *low]) if low else high


@lru_cache(256)  # asked for each of thousands of runs
def _items(place: ModelPlace) -> frozenset[object]:
    if place.memory is not None:
        return frozenset(place.memory.addresses())
    return frozenset(place.registers if place.flag is None else (place.flag,))


def is_number(value: object) -> bool:
    """Whether a value is a number of one of the two kinds."""
    return isinstance(value, (int, SymInt))


class ModelPlaces:
    """The places of one routine. ``contract`` says what memory there is."""

    def __init__(self, contract: Contract, abi: Abi) -> None:
        self.contract = contract
        self.abi = abi

    def of(self, items: Iterable[Item]) -> list[ModelPlace]:
        """Places for items of the contract; the halves of a pair side by side are the pair."""
        return list(self._join([self._place(item) for item in items]))

    def _join(self, places: list[ModelPlace]) -> Iterator[ModelPlace]:
        pairs = {tuple(p.upper() for p in parts): name for name, parts in self.abi.pairs.items()}
        at = 0
        while at < len(places):
            both = tuple(name for place in places[at : at + 2] for name in place.registers)
            if both in pairs:
                yield ModelPlace(pairs[both], both)
                at += 2
            else:
                yield places[at]
                at += 1

    def _place(self, item: Item) -> ModelPlace:
        if isinstance(item, Register):
            return ModelPlace(item.attribute, (item.name,))
        if isinstance(item, Flag):
            return ModelPlace(self._flag_name(item), flag=item)
        return ModelPlace(item.name, memory=item)

    def _flag_name(self, flag: Flag) -> str:
        return flag.name.lower()

    def find(self, text: str, among: Iterable[Item], what: str) -> ModelPlace:
        """The place that ``text`` names; ``among`` is the memory that it can be.

        ``what`` says so in messages: "input". Raises BadMapping.
        """
        match = _PLACE.match(text)
        if match is None:
            raise BadMapping(
                f"'{text}' is not a register, flag or memory: write a, c, name, name[3] or name:big"
            )
        known = self._find_places(among)
        name = match["name"]
        place = known.get(name) or known.get(name.lower())
        if place is None or (place.memory is None and name not in (place.name, place.name.upper())):
            hint = suggest(name, known) or f"there are {', '.join(known) or 'none'}"
            a = "an" if what[0] in "aeiou" else "a"
            raise BadMapping(f"'{name}' is not {a} {what} of '{self.contract.name}'; {hint}")
        if match["first"] is None and match["slice"] is None and match["order"] is None:
            return place
        if place.memory is None:
            raise BadMapping(f"'{text}': {place.name} is a register or flag, not memory")
        return _part(text, place.memory, match)

    def _find_places(self, among: Iterable[Item]) -> dict[str, ModelPlace]:
        """Registers first: where a flag is called the same, the register is meant."""
        among = list(among)
        memory = [item for item in among if isinstance(item, MemoryRange)]
        known: dict[str, ModelPlace] = {}
        for item in memory:
            for name in (item.name, python_name(item.name)):
                known.setdefault(name, self._place(item))
        own = [item for item in among if not isinstance(item, MemoryRange)]
        registers = {item.name for item in own if isinstance(item, Register)}
        for flag in own:
            if isinstance(flag, Flag):
                known[self._flag_name(flag)] = self._place(flag)
        for register in own:
            if isinstance(register, Register):
                known[register.attribute] = self._place(register)
        pairs = {
            name: tuple(part.upper() for part in parts)
            for name, parts in self.abi.pairs.items()
            if registers.issuperset(part.upper() for part in parts)
        }
        known |= {name: ModelPlace(name, parts) for name, parts in pairs.items()}
        for (one, high), (other, low) in permutations(pairs.items(), 2):
            known[one + other] = ModelPlace(one + other, high + low)
        return known


def python_name(name: str) -> str:
    """The last part of a name with scopes: what a Python parameter can be called."""
    return re.split(r"::|[.@]", name)[-1]


def _part(text: str, memory: MemoryRange, match: re.Match[str]) -> ModelPlace:
    """Some of the bytes of ``memory``, or all of them as a number."""
    order: Order | None = "big" if match["order"] == "big" else "little"
    order = order if match["order"] else None
    if match["first"] is None and match["slice"] is None:
        return ModelPlace(memory.name, memory=memory, order=order)
    first = int(match["first"]) if match["first"] else None
    end = int(match["end"]) if match["end"] else None
    inside = range(memory.size)
    if match["slice"] is None:
        assert first is not None
        chosen = inside[first:][:1] if -memory.size <= first < memory.size else range(0)
    else:
        chosen = inside[first:end]
    if not chosen:
        raise BadMapping(f"'{text}': {memory.name} has the bytes 0 to {memory.size - 1}")
    part = MemoryRange(memory.name, memory.address + chosen[0], len(chosen))
    shown = str(chosen[0]) if len(chosen) == 1 else f"{chosen[0]}:{chosen[-1] + 1}"
    return ModelPlace(f"{memory.name}[{shown}]", memory=part, order=order)

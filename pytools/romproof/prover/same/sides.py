"""The two routines that are compared, and which places of one are which of the other.

A place is taken apart into cells: registers and bytes of eight bits, flags of one. Cells of the two
routines correspond by name, as far as nobody says otherwise: registers and flags where the CPU is
the same, memory by the names that the contracts have for it; within one program, memory that is
not named, by its address.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.ports import volatile_addresses
from romproof.harness.rom import Rom
from romproof.isa.abi import Flag
from romproof.program.image import Symbol, UnknownSymbol
from romproof.prover.calls.ports import with_ports
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.states.entry import register_name
from romproof.prover.states.model_places import BadMapping, ModelPlace, ModelPlaces
from romproof.prover.states.program import ProofProgram, program_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms.term import Term
from romproof.text.errors import RomproofError

UNPROVED = ("cycles", "budget", "stack", "invariant", "assert", "decreases", "loops")
"""Fields of a contract that say nothing about what is compared."""


@dataclass(frozen=True)
class Side:
    """One of the routines. ``title`` is what messages call it, ``rom_name`` the name that tests
    have for its program, None if there is but one."""

    title: str
    program: ProofProgram = field(repr=False)
    contract: Contract = field(repr=False)
    address: int
    rom_name: str | None = None

    @property
    def places(self) -> ModelPlaces:
        """The places that its contract names."""
        return ModelPlaces(self.contract, self.program.abi)

    @property
    def items(self) -> tuple[Item, ...]:
        """All that its contract names, each once."""
        contract = self.contract
        return tuple(dict.fromkeys(contract.outputs + contract.inputs + contract.clobbers))


def side_of(
    title: str, rom: Rom, routine: str, like: Contract | None = None, rom_name: str | None = None
) -> Side:
    """The routine of a program. One without a contract has that of another routine, ``like``, whose
    names are then those of this program.

    All loops are executed: what a contract says of them is not needed. Raises UnknownSymbol,
    BuildFailed for a faulty contract, RomproofError where there is none.
    """
    symbol = rom.image.symbol(routine)
    contract = rom.contract_of(symbol.name)
    if contract is None and like is not None:
        contract = _borrow(rom, symbol, like)
    if contract is None:
        raise RomproofError(
            f"'{title}' has no contract: list its inputs ('in:') and outputs ('out:'), which "
            f"are compared, in a comment above it"
        )
    if contract.pointers:
        raise RomproofError(
            f"the contract of '{title}' has a pointer: two versions with blocks behind pointers "
            "cannot be compared"
        )
    bare = replace(
        contract,
        invariants=(),
        assertions=(),
        decreases=(),
        loops=(),
        secrets=(),
        cycles=None,
    )
    return Side(title, program_of(rom, (symbol.value,)), bare, symbol.value, rom_name)


def _borrow(rom: Rom, symbol: Symbol, like: Contract) -> Contract:
    """The contract of another routine, read with the names of this program."""
    source, lines = like.span.source, []
    for number in range(like.span.line, len(source.lines) + 1):
        text = source.line(number).strip()
        if not text.startswith(";"):
            break
        lines.append(text)
    kept, skipping = list[str](), False
    for line in lines:
        body = line.lstrip(";").strip()
        name, colon, _ = body.partition(":")
        if colon and name.isalpha():
            skipping = name.lower() in UNPROVED
        if not skipping:
            kept.append(line)
    return replace(piece_of(rom.image, "\n".join(kept), symbol.name).contract, name=symbol.name)


@dataclass(frozen=True, slots=True)
class MachineCell:
    """A register, a flag or a byte. ``name`` is that of its variable at the entry, ``text`` what
    people call it; ``address`` is None of registers and flags."""

    text: str
    name: str
    address: int | None = None
    width: int = 8

    def read(self, state: State) -> Term:
        """What it holds."""
        return state.get(self.name) if self.address is None else state.memory.byte(self.address)


def cells_of(side: Side, place: ModelPlace) -> tuple[MachineCell, ...]:
    """The cells of a place: of a number the high one first, of other memory in order of address."""
    if place.memory is not None:
        which = place.memory
        cells = [
            MachineCell(which.name if which.size == 1 else f"{which.name}[{number}]", "", address)
            for number, address in enumerate(which.addresses())
        ]
        return tuple(reversed(cells) if place.order == "little" else cells)
    if place.flag is not None:
        return (MachineCell(place.flag.name, register_name(side.program.abi, place.flag), None, 1),)
    return tuple(MachineCell(name, name.lower()) for name in place.registers)


@dataclass(frozen=True)
class CellPairs:
    """Which cells of ``one`` are which of ``other``.

    ``compared`` are the places of the first routine's outputs, each with pairs of cells;
    ``bytes`` maps addresses of the other to those of the first, ``registers`` names of variables.
    Within one program, memory that no name says anything about is the same at its address.
    """

    one: Side
    other: Side
    compared: Mapping[str, tuple[tuple[MachineCell, MachineCell], ...]]
    bytes: Mapping[int, int] = field(repr=False)
    registers: Mapping[str, str]

    def with_ports(self, one: Collection[int], other: Collection[int]) -> tuple[Side, Side]:
        """Both, each with what is a port for the other as well: they are the same places."""
        theirs = {self.bytes[address] for address in other if address in self.bytes}
        mine = {address for address, place in self.bytes.items() if place in one}
        return _with_ports(self.one, {*one, *theirs}), _with_ports(self.other, {*other, *mine})


def _with_ports(side: Side, ports: Collection[int]) -> Side:
    more = set(ports) - volatile_addresses(side.contract, side.program.abi)
    return replace(side, contract=with_ports(side.contract, more)) if more else side


def pairs_of(one: Side, other: Side, mapped: Sequence[tuple[str, str]] = ()) -> CellPairs:
    """What corresponds, with what is ``mapped``: places of the first and of the other routine.

    Raises BadMapping where an output of the first has no counterpart, or another size.
    """
    if one.contract.kind != other.contract.kind:
        raise BadMapping(
            f"'{one.title}' is called as {one.contract.kind}, '{other.title}' as "
            f"{other.contract.kind}: they cannot be compared"
        )
    given = _give(one, other, mapped)
    known = {_key(mine): theirs for mine, theirs in (*_find_unstated(one, other, given), *given)}
    compared: dict[str, tuple[tuple[MachineCell, MachineCell], ...]] = {}
    for item in one.contract.outputs:
        place = one.places.of([item])[0]
        pairs: list[tuple[MachineCell, MachineCell]] = []
        for cell in cells_of(one, place):
            partner = known.get(_key(cell))
            if partner is None:
                raise BadMapping(
                    f"'{one.title}' gives {cell.text}, which has no partner in '{other.title}'; "
                    f"name one with --map {place}=NAME"
                )
            pairs.append((cell, partner))
        compared[str(place)] = tuple(pairs)
    if not compared:
        raise BadMapping(f"'{one.title}' has no 'out:': there is nothing to compare")
    registers = {theirs.name: mine for mine, theirs in _name(known)}
    for place in other.places.of(other.contract.inputs):
        for cell in cells_of(other, place):
            if cell.address is None and cell.name not in registers:
                raise BadMapping(
                    f"'{other.title}' takes {cell.text}, which has no partner in '{one.title}'; "
                    f"name one with --map NAME={place}"
                )
    by_address = {theirs: mine for mine, theirs in _address(known)}
    if one.program.image is other.program.image:
        taken = set(by_address.values())
        for address in range(0x10000):
            if address not in taken:
                by_address.setdefault(address, address)
    return CellPairs(one, other, compared, by_address, registers)


_Key = tuple[str, int | None]


def _key(cell: MachineCell) -> _Key:
    return ("", cell.address) if cell.address is not None else (cell.name, None)


def _name(known: Mapping[_Key, MachineCell]) -> Iterator[tuple[str, MachineCell]]:
    for (name, address), theirs in known.items():
        if address is None and theirs.address is None:
            yield name, theirs


def _address(known: Mapping[_Key, MachineCell]) -> Iterator[tuple[int, int]]:
    for (_, address), theirs in known.items():
        if address is not None and theirs.address is not None:
            yield address, theirs.address


def _give(
    one: Side, other: Side, mapped: Iterable[tuple[str, str]]
) -> list[tuple[MachineCell, MachineCell]]:
    """The cells that correspond as somebody says. Raises BadMapping where one has two partners."""
    pairs: list[tuple[MachineCell, MachineCell]] = []
    for left, right in _map(one, other, mapped):
        pairs += _join(one, other, left, right)
    for side, cells in ((one, [mine for mine, _ in pairs]), (other, [a for _, a in pairs])):
        twice = [cell for n, cell in enumerate(cells) if _key(cell) in map(_key, cells[:n])]
        if twice:
            raise BadMapping(
                f"{twice[0].text} of '{side.title}' is mapped twice: at the entry and at the "
                "return it is the same place"
            )
    return pairs


def _find_unstated(
    one: Side, other: Side, given: Sequence[tuple[MachineCell, MachineCell]]
) -> Iterator[tuple[MachineCell, MachineCell]]:
    """The cells that are called the same, where nobody says of either that it is another one."""
    mine, theirs = ({_key(pair[n]) for pair in given} for n in (0, 1))
    for a, b in _by_name(one, other):
        if _key(a) not in mine and _key(b) not in theirs:
            yield a, b


def _map(
    one: Side, other: Side, mapped: Iterable[tuple[str, str]]
) -> Iterator[tuple[ModelPlace, ModelPlace]]:
    for left, right in mapped:
        yield (
            one.places.find(left, one.items, "place"),
            other.places.find(right, other.items, "place"),
        )


def _join(
    one: Side, other: Side, left: ModelPlace, right: ModelPlace
) -> Iterator[tuple[MachineCell, MachineCell]]:
    mine, theirs = cells_of(one, left), cells_of(other, right)
    sizes = [sum(cell.width for cell in cells) for cells in (mine, theirs)]
    if len(mine) != len(theirs) or sizes[0] != sizes[1]:
        raise BadMapping(f"{left} has {sizes[0]} bits, {right} has {sizes[1]}")
    yield from zip(mine, theirs, strict=True)


def _by_name(one: Side, other: Side) -> Iterator[tuple[MachineCell, MachineCell]]:
    """The cells that are called the same."""
    if one.program.cpu is other.program.cpu:
        for own in one.program.abi.contents:
            bits = 1 if isinstance(own, Flag) else 8
            cell = MachineCell(own.name, register_name(one.program.abi, own), None, bits)
            yield cell, cell
    theirs = {item.name: item for item in other.items if isinstance(item, MemoryRange)}
    for item in one.items:
        if not isinstance(item, MemoryRange):
            continue
        partner = theirs.get(item.name) or _symbol(other, item)
        if partner is None:
            continue
        if partner.size != item.size:
            raise BadMapping(
                f"{item.name} has {item.size} bytes for '{one.title}' and {partner.size} for "
                f"'{other.title}'"
            )
        mine = cells_of(one, ModelPlace(item.name, memory=item))
        yield from zip(mine, cells_of(other, ModelPlace(item.name, memory=partner)), strict=True)


def _symbol(side: Side, like: MemoryRange) -> MemoryRange | None:
    """Memory that a contract does not list, found by its name; an address is the same in both."""
    if not like.symbol:
        return like
    try:
        symbol = side.program.image.symbol(like.symbol)
    except UnknownSymbol:
        return None
    return replace(like, address=symbol.value + like.offset)

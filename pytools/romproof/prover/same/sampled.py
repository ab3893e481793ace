"""Two versions called with one input, as any test calls them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.harness.errors import CallError
from romproof.harness.state.result import Result
from romproof.isa.abi import Abi, Flag, Register
from romproof.prover.replay.trial import ExampleView, Failed, Target, call
from romproof.prover.results import Example
from romproof.prover.same.sides import CellPairs, MachineCell, Side
from romproof.prover.states.entry import register_name


class Different(Failed):
    """An input that tells two versions apart; ``outputs`` as in Differs."""

    def __init__(
        self,
        example: Example,
        other: Example,
        outputs: tuple[tuple[str, MachineCell, int, int], ...],
    ) -> None:
        super().__init__(example)
        self.other = other
        self.outputs = outputs


@dataclass(frozen=True)
class SameClaim:
    """That two versions give the same, for inputs that both contracts allow.

    ``first`` and ``second`` are called; ``limit`` is in cycles, None for the usual number.
    """

    pairs: CellPairs
    first: Target = field(repr=False)
    second: Target = field(repr=False)
    limit: int | None = None

    @property
    def contract(self) -> Contract:
        """That of the first: its inputs are drawn."""
        return self.pairs.one.contract

    @property
    def abi(self) -> Abi:
        """How the first is called."""
        return self.pairs.one.program.abi

    def allows(self, example: Example) -> bool:
        """Whether both contracts allow an input."""
        other = self.translate(example)
        return _allow(self.pairs.one, example) and _allow(self.pairs.other, other)

    def check(self, target: Target, example: Example) -> None:
        """Raises Failed where the versions differ, or where one of the calls fails."""
        other = self.translate(example)
        try:
            mine = call(self.first, self.pairs.one.contract, example, self.limit)
            hers = call(self.second, self.pairs.other.contract, other, self.limit)
        except CallError as fault:
            raise Failed(example, fault=fault) from None
        outputs = tuple(_find_differences(self.pairs, mine, hers))
        if outputs:
            raise Different(example, other, outputs)

    def translate(self, example: Example) -> Example:
        """The same input for the second version."""
        one, other = self.pairs.one, self.pairs.other
        view = ExampleView(one.program.abi, example, one.program.rom.memory_map.initial)
        named: dict[str, Register | Flag] = {
            register_name(self.abi, item): item for item in self.abi.contents
        }
        registers, flags = dict[str, int](), dict[str, int]()
        memory, names = dict[int, bytes](), dict[int, str]()
        for item in other.contract.inputs:
            if isinstance(item, MemoryRange):
                known = [self.pairs.bytes.get(address) for address in item.addresses()]
                if any(address is not None for address in known):
                    cells = [0 if address is None else view.byte(address) for address in known]
                    memory[item.address], names[item.address] = bytes(cells), item.name
                continue
            mine = self.pairs.registers.get(register_name(other.program.abi, item))
            if mine is None:
                continue
            source = named[mine]
            number = (
                view.flag(source.name) if isinstance(source, Flag) else view.register(source.name)
            )
            if isinstance(item, Flag):
                flags[item.letter] = number
            elif item in other.program.abi.registers:
                registers[item.attribute] = number
        abi = other.program.abi
        return Example(registers, flags, memory, names, flag_names=abi.flag_names)


def _allow(side: Side, example: Example) -> bool:
    view = ExampleView(side.program.abi, example, side.program.rom.memory_map.initial)
    return all(bool(evaluate(each.expression, view)) for each in side.contract.requires)


def _find_differences(
    pairs: CellPairs, mine: Result, hers: Result
) -> Iterator[tuple[str, MachineCell, int, int]]:
    for place, cells in pairs.compared.items():
        for one, other in cells:
            here, there = _read_cell(pairs.one, mine, one), _read_cell(pairs.other, hers, other)
            if here != there:
                yield place, one, here, there


def _read_cell(side: Side, result: Result, cell: MachineCell) -> int:
    if cell.address is not None:
        return result.after[cell.address]
    abi = side.program.abi
    item = next(each for each in abi.contents if register_name(abi, each) == cell.name)
    if isinstance(item, Flag):
        return int(result.flags[item.letter])
    value: int = getattr(result, item.attribute)
    return value

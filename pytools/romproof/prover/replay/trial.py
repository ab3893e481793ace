"""One input, tried on the machine and on the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.model import Contract
from romproof.harness.errors import CallError
from romproof.harness.state.result import Result
from romproof.isa.abi import Abi
from romproof.program.image import Image
from romproof.prover.models.mapping import Compared, Mapping, ModelFunction
from romproof.prover.models.predicate import ask_predicate, raising
from romproof.prover.results import Example


class Target(Protocol):
    """A Rom or a Machine."""

    image: Image

    def call(self, routine: str, **arguments: Any) -> Result:
        """See Machine.call()."""


class Failed(Exception):
    """An input for which routine and model are not the same; ``example`` is the input.

    ``differences`` are the places that differ, ``fault`` what went wrong before that: the call
    by itself (a CallError) or the model.
    """

    def __init__(
        self,
        example: Example,
        differences: Sequence[Compared] = (),
        fault: Exception | None = None,
    ) -> None:
        super().__init__()
        self.example = example
        self.differences = tuple(differences)
        self.fault = fault


@dataclass(frozen=True)
class Claim:
    """That a routine does what a model says, for all inputs its contract allows.

    ``contract`` has all that is required of the inputs; ``initial`` is the memory at the start
    of the program, ``limit`` the cycles that a call may take, None for the usual number.
    ``requires`` is called like the model and says which inputs count.
    """

    contract: Contract
    abi: Abi
    mapping: Mapping
    model: ModelFunction
    initial: bytes = field(repr=False)
    limit: int | None = None
    requires: ModelFunction | None = None

    def allows(self, example: Example) -> bool:
        """Whether an input fulfils all that is required. Raises BadMapping when ``requires`` does
        not say so."""
        view = ExampleView(self.abi, example, self.initial)
        if not all(_holds(condition, view) for condition in self.contract.requires):
            return False
        if self.requires is None:
            return True
        try:
            result = self.mapping.run(self.requires, view)
        except Exception as error:
            if type(error).__module__.partition(".")[0] == "hypothesis":  # it says assume(...)
                raise
            raise raising(self.requires, error) from error
        return ask_predicate(self.requires, result)

    def check(self, target: Target, example: Example) -> None:
        """Raises Failed when the model says something else than the call does.

        BadMapping when the model's result cannot be that of the routine.
        """
        view = ExampleView(self.abi, example, self.initial)
        try:
            expected = self.mapping.run(self.model, view)
        except Exception as error:
            raise Failed(example, fault=error) from error
        try:
            result = call(target, self.contract, example, self.limit)
        except CallError as error:
            raise Failed(example, fault=error) from None
        compared = self.mapping.compare(expected, ResultView(result))
        differences = [each for each in compared if not each.equal]
        if differences:
            raise Failed(example, differences)


def call(target: Target, contract: Contract, example: Example, limit: int | None) -> Result:
    """Call the routine of a contract with an input. Raises as Machine.call() does."""
    options: dict[str, Any] = {} if limit is None else {"limit": limit}
    memory = dict(example.memory)
    return target.call(
        contract.name, mem=memory, flags=dict(example.flags), **example.registers, **options
    )


@dataclass(frozen=True)
class ExampleView:
    """An input as models and conditions see it; what it does not give is as at the start."""

    abi: Abi
    example: Example
    initial: bytes = field(repr=False)

    @property
    def old(self) -> ExampleView:
        """The same: it is the entry."""
        return self

    def register(self, name: str) -> int:
        """A register."""
        attribute = name.lower()
        return self.example.registers.get(attribute, self.abi.poison.get(attribute, 0))

    def flag(self, name: str) -> int:
        """A flag."""
        flag = next(flag for flag in self.abi.flags if flag.name == name)
        usual = bool(self.abi.poison[self.abi.flag_byte] & flag.mask)
        return int(self.example.flags.get(flag.letter, usual))

    def byte(self, address: int) -> int:
        """A byte of memory: that which was written last."""
        value = self.initial[address]
        for start, data in self.example.memory.items():
            if start <= address < start + len(data):
                value = data[address - start]
        return value

    def data(self, address: int, size: int) -> bytes:
        """So many bytes from an address on."""
        return bytes(map(self.byte, range(address, address + size)))


@dataclass(frozen=True)
class ResultView:
    """What a call left, as models see it."""

    result: Result

    def register(self, name: str) -> int:
        """A register."""
        value: int = getattr(self.result, name.lower())
        return value

    def flag(self, name: str) -> int:
        """A flag."""
        flag = next(flag for flag in self.result.abi.flags if flag.name == name)
        return self.result.flags[flag.letter]

    def byte(self, address: int) -> int:
        """A byte of memory."""
        return self.result.after[address]

    def data(self, address: int, size: int) -> bytes:
        """So many bytes from an address on."""
        return bytes(map(self.byte, range(address, address + size)))


def _holds(condition: Condition, view: ExampleView) -> bool:
    return bool(evaluate(condition.expression, view))

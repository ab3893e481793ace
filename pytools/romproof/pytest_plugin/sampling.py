"""Inputs drawn by hypothesis, tried on the machine and on the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from romproof.contract.names.bounds import BoundKey, bounds_of
from romproof.contract.names.limits import Limits
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Abi, Flag, Register
from romproof.prover.replay.trial import Failed, Target
from romproof.prover.results import Example
from romproof.prover.states.model_places import BadMapping
from romproof.text.errors import MissingExtra

try:
    from hypothesis import HealthCheck, Phase, assume, given, settings
    from hypothesis import strategies as st
    from hypothesis.errors import HypothesisException, Unsatisfiable
except ImportError:
    raise MissingExtra(
        'romproof.equivalent needs hypothesis: pip install "romproof[equivalent]"'
    ) from None

_PHASES = [phase for phase in Phase if phase is not Phase.explain]
"""What hypothesis explains of an input, and takes as many runs again for, is not reported."""
_FEW = 20
"""Inputs that must be tried, of ten times as many that were drawn, before that is enough."""


class Falsifiable(Protocol):
    """What is claimed of the routine of a contract, for inputs that are allowed."""

    @property
    def contract(self) -> Contract:
        """What the inputs are."""

    @property
    def abi(self) -> Abi:
        """How the routine is called."""

    def allows(self, example: Example) -> bool:
        """Whether an input counts."""

    def check(self, target: Target, example: Example) -> None:
        """Raises Failed where the claim does not hold."""


def falsify(claim: Falsifiable, target: Target, count: int, name: str) -> Failed | None:
    """The smallest input found of ``count`` for which the claim does not hold; None: there is none.

    ``name`` is that of the test: failures are remembered by it. Raises BadMapping, when the
    model's result cannot be that of the routine or no inputs can be found.
    """
    drawn = tried = 0

    def attempt(example: Example) -> None:
        nonlocal drawn, tried
        drawn += 1
        assume(claim.allows(example))
        tried += 1
        try:
            claim.check(target, example)
        except Failed as failed:
            if isinstance(failed.fault, HypothesisException):  # the model says assume(...)
                raise failed.fault from None
            raise

    attempt.__name__ = attempt.__qualname__ = re.sub(r"\W", "_", f"test_{name}")
    chosen = settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        phases=_PHASES,
    )
    test: Callable[[], None] = chosen(given(examples_of(claim))(attempt))
    try:
        test()
    except Failed as failed:
        return failed
    except Unsatisfiable:
        tried = 0
    if not tried or (tried < min(_FEW, count) and drawn >= 10 * tried):
        raise BadMapping(_too_few(claim.contract, drawn, tried))
    return None


def _too_few(contract: Contract, drawn: int, tried: int) -> str:
    count = f"only {tried}" if tried else "none"
    conditions = ", ".join(condition.text for condition in contract.requires)
    return (
        f"of {drawn} random inputs of '{contract.name}' {count} satisfied requires: "
        f"{conditions or 'the condition of the model'}; "
        "conditions on single inputs, such as X < 78, are easy to satisfy"
    )


def examples_of(claim: Falsifiable) -> st.SearchStrategy[Example]:
    """Inputs within the bounds that follow from what is required."""
    contract, abi = claim.contract, claim.abi
    bounds = bounds_of(contract)
    for key, (low, high) in bounds.items():
        if low > high:
            raise BadMapping(
                f"no input satisfies 'requires:' of '{contract.name}': "
                f"{_write_key(key)} would be at least {low} and at most {high}"
            )
    registers: dict[str, st.SearchStrategy[int]] = {}
    flags: dict[str, st.SearchStrategy[int]] = {}
    memory: dict[int, st.SearchStrategy[bytes]] = {}
    names: dict[int, str] = {}
    for item in contract.inputs:
        if isinstance(item, MemoryRange):
            if not _is_part(item, contract):
                memory[item.address] = _bytes(item, bounds)
                names[item.address] = item.name
        elif isinstance(item, Flag):
            flags[item.letter] = st.integers(*bounds.get(item, (0, 1)))
        elif item in abi.registers:
            registers[item.attribute] = st.integers(*bounds.get(item, (0, (1 << item.bits) - 1)))
    return st.builds(
        Example,
        st.fixed_dictionaries(registers),
        st.fixed_dictionaries(flags),
        st.fixed_dictionaries(memory),
        st.just(names),
    )


def _bytes(item: MemoryRange, bounds: Mapping[BoundKey, Limits]) -> st.SearchStrategy[bytes]:
    numbers = [
        within
        for key, within in bounds.items()
        if isinstance(key, MemoryRange) and (key.address, key.size) == (item.address, item.size)
    ]
    if numbers:
        return st.integers(*numbers[0]).map(lambda n: n.to_bytes(item.size, "little"))
    if not any(address in bounds for address in item.addresses()):
        return st.binary(min_size=item.size, max_size=item.size)
    cells = [st.integers(*bounds.get(address, (0, 0xFF))) for address in item.addresses()]
    return st.tuples(*cells).map(bytes)


def _is_part(item: MemoryRange, contract: Contract) -> bool:
    """Whether another input has all its bytes and more, or the same and comes first."""
    ranges = [other for other in contract.inputs if isinstance(other, MemoryRange)]
    own = set(item.addresses())
    for place, other in enumerate(ranges):
        theirs = set(other.addresses())
        if own < theirs or (own == theirs and place < ranges.index(item)):
            return True
    return False


def _write_key(key: BoundKey) -> str:
    if isinstance(key, (Register, Flag)):
        return key.name
    return f"${key:04X}" if isinstance(key, int) else key.name

"""``@romproof.equivalent``: a routine is its Python model, for all inputs its contract allows.

    @romproof.equivalent("next_byte", model, takes={"state": "lfsr:big"})
    def test_next_byte():
        ...

The test draws inputs with hypothesis; with ``--romproof-prove`` it proves it for all of them.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from romproof.harness.rom import Rom
    from romproof.prover.models.mapping import Gives, ModelFunction, Takes
    from romproof.prover.replay.trial import Claim

RUNS = "romproof_runs"
"""The property of a test's report that says how many runs stand behind its proof."""

_OWN = ("rom", "request")
"""Fixtures that the test uses, whether its function names them or not."""

TestFunction = Callable[..., object]


def equivalent(
    routine: str,
    model: ModelFunction,
    *,
    takes: Takes | None = None,
    gives: Gives | None = None,
    requires: str | ModelFunction | None = None,
    rom: str | None = None,
    examples: int = 200,
    limit: int | None = None,
) -> Callable[[TestFunction], Callable[..., None]]:
    """A decorator: the test fails if ``routine`` and ``model`` differ for an allowed input.

    The contract of the routine defines the allowed inputs. ``requires`` restricts them further,
    with conditions (``"A < 78, lfsr != 0"``) or a function of some of the model's parameters.

    The model's parameters have the names of inputs: registers and flags in lower case, memory
    (a number if it is one byte, else a bytearray); if none of them has, they are the inputs in
    the order of ``in:``. ``takes`` maps parameters to other inputs: ``{"state": "lfsr:big"}`` (or
    ``:little``) for bytes as one number, ``"lfsr[0]"``, ``"lfsr[0:2]"``, tuples of these. A
    parameter with the name of one of the test's own arguments receives that argument.

    The model's result is a dict with names of outputs, or a tuple in the order of ``gives``, or
    a single value. ``gives`` are all registers and memory under ``out:`` by default;
    outputs that it leaves out are not compared. Memory may be bytes, a list, or a number.

    ``rom`` is the name of the program, as of ``@pytest.mark.rom``; ``examples`` are tried, each
    with at most ``limit`` cycles. The function's body runs first.
    """
    case = _Case(routine, model, takes, gives, requires, examples, limit)

    def decorate(test: TestFunction) -> Callable[..., None]:
        own = inspect.signature(test)

        @functools.wraps(test)
        def run(*args: Any, **fixtures: Any) -> None:
            given = {name: v for name, v in fixtures.items() if name in own.parameters}
            test(*args, **given)
            case.run(fixtures["rom"], fixtures["request"], given)

        run.__signature__ = with_fixtures(own)  # type: ignore[attr-defined]
        return pytest.mark.rom(rom)(run) if rom is not None else run

    return decorate


def with_fixtures(own: inspect.Signature) -> inspect.Signature:
    """The parameters pytest is to see."""
    parameters = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY)
        for name in _OWN
        if name not in own.parameters
    ]
    return own.replace(parameters=parameters, return_annotation=None)


@dataclass(frozen=True)
class _Case:
    """The arguments of the decorator."""

    routine: str
    model: ModelFunction
    takes: Takes | None
    gives: Gives | None
    requires: str | ModelFunction | None
    examples: int
    limit: int | None

    def run(self, rom: Rom, request: pytest.FixtureRequest, given: dict[str, Any]) -> None:
        """Fail the test if routine and model differ."""
        from romproof.text.errors import RomproofError

        try:
            message = self._message(rom, request, given)
        except RomproofError as error:
            message = str(error)
        if message is not None:
            rom.forget()  # the message says it all
            pytest.fail(message, pytrace=False)

    def _message(
        self, rom: Rom, request: pytest.FixtureRequest, given: dict[str, Any]
    ) -> str | None:
        """What is wrong; None when nothing is. Raises RomproofError."""
        from romproof.support.extras import need_for_proofs, need_for_samples

        proving = request.config.getoption("--romproof-prove")
        if proving:
            need_for_proofs()
        else:
            need_for_samples()
        from romproof.report.testcase import Story

        claim = self._claim(rom, given)
        marker = request.node.get_closest_marker("rom")
        name = marker.args[0] if marker is not None and marker.args else None
        story = Story(claim, rom.image, _name(self.model), name)
        if proving:
            from romproof.pytest_plugin.proof import refute

            seconds = float(request.config.getoption("--romproof-prove-timeout"))
            outcome = refute(story, rom, self.examples, request.node.nodeid, seconds)
            if outcome.problem is None:
                runs = f"'{self.routine}' is its model {story.model}: {outcome.runs:,} runs"
                request.node.user_properties.append((RUNS, runs))
            return outcome.problem
        from romproof.pytest_plugin.sampling import falsify

        failed = falsify(claim, rom, self.examples, request.node.nodeid)
        return None if failed is None else story.tell(failed)

    def _claim(self, rom: Rom, given: dict[str, Any]) -> Claim:
        from romproof.isa.abi import abi_of
        from romproof.prover.models.mapping import mapping_of
        from romproof.prover.replay.trial import Claim
        from romproof.prover.states.model_places import BadMapping
        from romproof.prover.states.requires import with_requires

        if self.examples < 1:
            raise BadMapping(f"examples={self.examples}: at least 1 has to be tried")
        symbol = rom.image.symbol(self.routine)
        contract = rom.contract_of(symbol.name)
        if contract is None:
            raise BadMapping(
                f"'{self.routine}' has no contract: write a comment with 'in:' and 'out:' above "
                f"the exported label (see README)"
            )
        only = None
        if isinstance(self.requires, str):
            contract = with_requires(contract, rom.image, self.requires, "requires=")
        elif self.requires is not None:
            only = _with_all_arguments(self.requires)
        abi = abi_of(rom.image.cpu)
        mapping = mapping_of(contract, abi, self.model, self.takes, self.gives, given)
        initial = rom.memory_map.initial
        return Claim(contract, abi, mapping, self.model, initial, self.limit, only)


def _with_all_arguments(requires: ModelFunction) -> ModelFunction:
    """``requires`` as a function of all of the model's arguments."""
    wanted = inspect.signature(requires).parameters

    def run(*positional: Any, **named: Any) -> Any:
        return requires(*positional, **{n: v for n, v in named.items() if n in wanted})

    functools.update_wrapper(run, requires)
    return run


def _name(model: ModelFunction) -> str:
    """What the model is called."""
    name = getattr(model, "__qualname__", type(model).__name__)
    return f"'{name.rpartition('<locals>.')[2]}'"

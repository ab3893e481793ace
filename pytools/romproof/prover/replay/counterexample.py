"""A test that fails where a contract does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.contract.nouns.model import Contract
from romproof.harness.errors import CallError, RequirementBroken, Runaway
from romproof.harness.rom import Rom
from romproof.harness.state.result import Result
from romproof.isa.abi import abi_of
from romproof.prover.replay.call_code import CallCode
from romproof.prover.replay.run import LIMIT
from romproof.prover.replay.trial import ExampleView, ResultView, call
from romproof.prover.results import Example, Finding, Verdict
from romproof.prover.states.model_places import ModelPlaces


def failing_test(
    rom: Rom, contract: Contract, finding: Finding, name: str | None = None
) -> tuple[str, ...]:
    """The lines of a test that shows what a finding says; () when no call does.

    ``name`` is that of the ROM if there are several. The test is tried: it fails.
    """
    example, other = finding.example, finding.other
    if finding.verdict is not Verdict.REFUTED or example is None:
        return ()
    code, routine = CallCode(rom.image, name), contract.name
    limit: int | None = None
    results: list[Result] = []
    for each in (example, other):
        if each is None:
            continue
        try:
            try:
                results.append(call(rom, contract, each, limit))
            except Runaway:
                limit = LIMIT
                results.append(call(rom, contract, each, limit))
        except CallError:
            return (*code.write_header(routine), *code.call(routine, each, limit))
        except RequirementBroken:
            return ()
    if other is None:
        return ()
    one, two = results
    differing = list(_differing(rom, contract, (example, other), (one, two), code))
    if not differing:
        return ()
    return (
        *code.write_header(routine),
        *code.call(routine, example, limit, "one"),
        *code.call(routine, other, limit, "two"),
        *(f"    assert one.{place} == two.{place}" for place in differing),
    )


def _differing(
    rom: Rom,
    contract: Contract,
    inputs: tuple[Example, Example],
    results: tuple[Result, Result],
    code: CallCode,
) -> Iterator[str]:
    """What is not the same after two calls although it should be."""
    abi = abi_of(rom.image.cpu)
    places = ModelPlaces(contract, abi)
    one, two = (ExampleView(abi, each, rom.memory_map.initial) for each in inputs)
    listed = places.of(contract.inputs)
    if all(place.read(one) == place.read(two) for place in listed):
        for place in places.of(contract.outputs):
            if place.memory is not None and place.read(one) != place.read(two):
                continue  # what the routine does not write stays different
            if place.read(ResultView(results[0])) != place.read(ResultView(results[1])):
                yield code.read(place, "").removeprefix(".")
    if results[0].cycles != results[1].cycles:
        yield "cycles"

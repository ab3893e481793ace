"""Models and ports: what is proved of routines made of steps, held against the steps."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from fuzz_judge import GOOD, TIMEOUT, Tally, Violation
from fuzz_steps import Numbers, Steps, changed, gone, rom_of, some_numbers, source, steps_of

from romproof.isa.abi import abi_of
from romproof.prover.models.mapping import mapping_of
from romproof.prover.refinement.equivalence import prove_equivalent
from romproof.prover.results import Example, Proof, Verdict
from romproof.prover.routines.program_proof import prove_rom
from romproof.prover.routines.routine import ProofOptions

TRIED = 1500
"""Inputs that a model, or a claim, is held against."""
FALSE, REFUTED = "1 a false claim is proved", "2 a true claim is refuted"


def examined_ways(seed: int, tally: Tally) -> Iterator[tuple[Violation, str]]:
    """Disagreements of a case on a model, or on a port, with the source."""
    chance = Random(f"ways {seed}")
    cpu = chance.choice(("6502", "sm83"))
    yield from (_model if seed % 2 else _port)(seed, cpu, chance, tally)


def _nothing() -> int:
    raise AssertionError("there is no port")


def _model(seed: int, cpu: str, chance: Random, tally: Tally) -> Iterator[tuple[Violation, str]]:
    steps = steps_of(chance, chance.randint(2, 6))
    said = steps if chance.random() < 0.4 else changed(chance, steps)

    def model(a: Any, u: Any, w: Any) -> Any:
        return gone(said, a, u, w, _nothing)

    text = source(cpu, steps, ())
    rom = rom_of(cpu, text)
    contract = rom.contracts["it"]
    takes = {"a": "a", "u": "u", "w": "w"}
    mapping = mapping_of(contract, abi_of(rom.image.cpu), model, takes, ("a", "u", "w"))
    proof = prove_equivalent(rom, "it", mapping, model, timeout=TIMEOUT).proof
    wrong = next((each for each in some_numbers(chance, TRIED) if _unlike(steps, said, each)), None)
    truth = "False" if wrong is not None else "True" if said == steps else "None"
    tally.add("model", truth, proof.verdict.value)
    told = f"{said} is the model"
    if truth == "False" and proof.verdict in GOOD:
        yield Violation(FALSE, seed, "it", "model", f"not for {wrong}: {told}"), text
    if proof.verdict is Verdict.REFUTED and not _shown(steps, said, proof, rom.image.address):
        yield Violation(REFUTED, seed, "it", "model", f"{proof.findings}: {told}"), text


def _unlike(steps: Steps, said: Steps, numbers: Numbers) -> bool:
    return gone(steps, *numbers, _nothing) != gone(said, *numbers, _nothing)


def _shown(steps: Steps, said: Steps, proof: Proof, address_of: Any) -> bool:
    """Whether an example is one for which the two are not the same."""
    examples = [f.example for f in proof.findings if f.verdict is Verdict.REFUTED]
    return any(e is not None and _unlike(steps, said, _given(e, address_of)) for e in examples)


def _given(example: Example, address_of: Any) -> Numbers:
    memory = {at + k: byte for at, data in example.memory.items() for k, byte in enumerate(data)}
    u, w = (memory.get(address_of(name), 0) for name in "uw")
    return example.registers.get("a", 0), u, w


def _port(seed: int, cpu: str, chance: Random, tally: Tally) -> Iterator[tuple[Violation, str]]:
    steps = steps_of(chance, chance.randint(2, 6), "uwppp")
    results = [
        (before, gone(steps, *before, lambda: chance.choice((0, 255, chance.randrange(256)))))
        for before in some_numbers(chance, TRIED)
    ]
    after = [each for _, each in results]
    claims = dict.fromkeys(_claim(chance, after) for _ in range(2))
    text = source(cpu, steps, (f"ensures: {', '.join(claims)}",), " volatile p[1]")
    (proof,) = prove_rom(rom_of(cpu, text), (), ProofOptions(timeout=TIMEOUT))
    for claim in claims:
        wrong = next((pair for pair in results if not _holds(claim, pair[1])), None)
        found = next(f for f in proof.findings if str(f.statement) == f"ensures {claim}")
        tally.add("port", "None" if wrong is None else "False", found.verdict.value)
        if wrong is not None and found.verdict in GOOD:
            detail = f"not for {wrong}, with some bytes of the port"
            yield Violation(FALSE, seed, "it", str(found.statement), detail), text
        if found.verdict is Verdict.REFUTED and found.replayed is not True:
            yield Violation(REFUTED, seed, "it", str(found.statement), "nothing was executed"), text


def _claim(chance: Random, after: list[Numbers]) -> str:
    """A claim on one of the results: it holds of all that were seen, or it just does not."""
    place = chance.randrange(3)
    name, values = "Auw"[place], sorted({each[place] for each in after})
    low, high = values[0], values[-1]
    kind = chance.randrange(3)
    if kind == 0:
        return f"{name} <= {max(0, high - chance.choice((0, 0, 1)))}"
    if kind == 1:
        return f"{name} >= {min(255, low + chance.choice((0, 0, 1)))}"
    zeros = 0xFF & ~_every_bit(values)
    return f"{name} & {zeros | chance.choice((0, 0, 1, 0x80))} == 0"


def _every_bit(values: list[int]) -> int:
    found = 0
    for value in values:
        found |= value
    return found


def _holds(claim: str, after: Numbers) -> bool:
    name, operator, number, *_ = claim.split()
    value = after["Auw".index(name)]
    if operator == "<=":
        return value <= int(number)
    return value >= int(number) if operator == ">=" else value & int(number) == 0

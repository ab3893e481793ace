"""``--timeout`` and what is executed after a proof: too little of it is no proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, repeat

import pytest
from claims import PROVED, REFUTED, UNKNOWN, Said, rom_of, source

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.conditions.contract import ensures
from romproof.prover.invariants.search import LoopLine, WithInvariants
from romproof.prover.replay import confirm as executed
from romproof.prover.replay.confirm import attempt
from romproof.prover.replay.judge import Case
from romproof.prover.results import Finding, Proof
from romproof.prover.routines.program_proof import prove_rom
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.entry import start_of
from romproof.prover.states.program import program_of
from romproof.symbolic.solve.deadline import Deadline, OutOfTime
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message

pytest.importorskip("z3", reason="proofs need it")

WIDE = Said("in: A X Y; out: A; clobbers: N Z", "txa/rts")
FAULTY = Said("in: A; out: A; ensures: A == old A", "clc/adc #1/rts")
HARD = Said("in: A; out: A; ensures: A * A != 2; clobbers: N V Z C", "clc/adc #1/rts")
MEAN = Said(
    "in: A n; out: A; ensures: 2 * A <= old A + n; clobbers: N V Z C", "clc/adc n/ror a/rts"
)
LOOPING = Said("in: A X n; out: A; clobbers: X N V Z C", "@l: clc/adc n/eor n/dex/bne @l/rts")
TERMS = 3_000
"""Enough for the iterations after which an invariant is looked for, and not for many more."""
NARROW = Said("in: A; requires: A < 3; out: A; clobbers: N V Z C", "clc/adc #1/rts")


def proof_with(said: Said, left: Iterator[float], monkeypatch: pytest.MonkeyPatch) -> Proof:
    """A proof that has as many seconds left, each time somebody asks while it is executed."""
    witness = executed.witness

    def timed(*given: object, **named: object) -> object:
        named["left"] = lambda: next(left)
        return witness(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(executed, "witness", timed)
    (proof,) = prove_rom(rom_of("6502", source("6502", said)), (), ProofOptions(timeout=1000.0))
    return proof


def test_fewer_than_a_thousand_inputs_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proof_with(WIDE, repeat(0.0), monkeypatch)
    assert proof.verdict is UNKNOWN
    (open_,) = [each for each in proof.findings if each.verdict is not PROVED]
    assert open_.statement == Property.EXECUTED()
    assert "the time limit of 1000 seconds was reached when 1 of 1,000 inputs" in open_.detail
    assert proof.runs == 2


def test_a_thousand_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proof_with(WIDE, chain(repeat(1e9, 20), repeat(0.0)), monkeypatch)
    assert proof.verdict is PROVED
    assert not proof.all_inputs


def test_all_there_are_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proof_with(NARROW, chain(repeat(1e9, 3), repeat(0.0)), monkeypatch)
    assert proof.verdict is PROVED
    assert proof.all_inputs


def test_a_deadline_leaves_a_reserve() -> None:
    now = iter([0.0, 3.0, 3.0, 9.5, 9.5, 9.5, 12.0])
    deadline = Deadline(10.0, lambda: next(now), reserve=0.1)
    assert deadline.left == 6.0
    assert deadline.left_in_all == 7.0
    assert deadline.left == 0.0
    assert deadline.is_over
    assert deadline.left_in_all == 0.5
    assert deadline.left_in_all == 0.0


def test_what_was_found_before_the_time_is_over_stays_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    always = Oracle.always

    def late(self: Oracle, path: Iterable[Term], holds: Term) -> object:
        if monkeypatched:
            raise OutOfTime(7)
        return always(self, path, holds)

    def asked(case: Case) -> Iterator[Finding]:
        monkeypatched.append(True)
        yield from ensures(case)

    monkeypatched: list[bool] = []
    monkeypatch.setattr(Oracle, "always", late)
    monkeypatch.setattr("romproof.prover.routines.statements.ensures", asked)
    (proof,) = prove_rom(rom_of("6502", source("6502", HARD)), (), ProofOptions())
    verdicts = {str(each.statement): each.verdict for each in proof.findings}
    assert verdicts["returns, for every input"] is PROVED
    (open_,) = [each for each in proof.findings if each.verdict is UNKNOWN]
    assert str(open_.statement) == "ensures A * A != 2"
    assert open_.detail == "it does not hold? the time limit of 7 seconds was reached"


def test_a_loop_that_is_not_cut_is_told_where_the_work_comes_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("romproof.prover.routines.routine.find_invariants", lambda *given: None)
    options = ProofOptions(most_terms=TERMS)
    (proof,) = prove_rom(rom_of("6502", source("6502", LOOPING)), (), options)
    (open_,) = proof.findings
    assert open_.kind is StatementKind.FOLLOWED
    assert f"it takes more than {TERMS:,} terms; the loop around " in open_.detail
    assert "(it+6) is not cut: no invariant was found for it" in open_.detail


def test_each_statement_says_what_it_took_and_whoever_looks_on_hears_of_it() -> None:
    heard: list[Message] = []
    options = ProofOptions(on_statement=heard.append)
    (proof,) = prove_rom(rom_of("6502", source("6502", MEAN)), (), options)
    assert proof.verdict is PROVED
    took = {str(each.statement): each for each in proof.findings}
    assert {"preserves X Y D I", "ensures 2 * A <= old A + n"} <= {*map(str, heard)} & {*took}
    asked = took["ensures 2 * A <= old A + n"]
    assert asked.seconds > 0
    assert asked.work > 0
    assert took["preserves X Y D I"].work == 0
    again = Proof.from_json(proof.to_json())
    assert again == proof
    assert [each.work for each in again.findings] == [each.work for each in proof.findings]


@pytest.mark.parametrize(("spent", "engine"), [(8.0, "auto"), (9.5, "plain")])
def test_an_attempt_has_the_reserve_and_compiles_only_if_that_is_enough(
    spent: float, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans, left = [], []
    witness = executed.witness

    def noted(*given: object, **named: object) -> object:
        plans.append(given[1])
        left.append(named["left"]())  # type: ignore[operator]
        return witness(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(executed, "witness", noted)
    program = program_of(rom_of("6502", source("6502", FAULTY)))
    contract = program.rom.contracts["it"]
    now = [0.0]
    deadline = Deadline(10.0, lambda: now[0], reserve=0.1)
    now[0] = spent
    address = program.image.address("it")
    finding = attempt(start_of(program, contract, address, {}), deadline)
    assert finding is not None
    assert finding.verdict is REFUTED
    assert [plan.engine for plan in plans] == [engine]
    assert left == [10.0 - spent]


def test_an_invariant_is_not_called_too_little_where_the_time_was() -> None:
    rom = rom_of("6502", source("6502", Said("in: A; out: X", "tax/rts")))
    found = WithInvariants(rom.contracts["it"], (LoopLine("invariant", "@l", "X == A"),))
    why = Reason.TOO_MANY_TERMS(most=9)
    said = str(found.advise(why, in_time=True))
    assert said.startswith("it takes more than 9 terms; an invariant to begin with")
    assert "holds but does not suffice: '; invariant: @l: X == A'" in said
    late = str(found.advise(why, in_time=False))
    assert "may suffice with more time" in late
    assert "not enough" not in late

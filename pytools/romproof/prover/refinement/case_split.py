"""A contract proved for each value that a register or a byte can have at the entry, one by one.

The argument stands in the head page: ``romproof.prover.refinement``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain

from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract, CycleClaim
from romproof.isa.abi import Register
from romproof.prover.calls.summaries import ProvedRoutine
from romproof.prover.catalogue import Property, Reason
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.replay.confirm import GOOD
from romproof.prover.results import Finding, Proof, Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import Explored
from romproof.prover.states.entry import input_bounds, start_of
from romproof.prover.states.model_places import BadMapping
from romproof.prover.states.program import ProofProgram
from romproof.prover.states.view import terms_of
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using

Heard = Callable[[int, Proof, Explored | None], Proof]
"""What comes of a case: its value, its proof, and what was explored."""


def prove_cases(
    bank: LemmaStore,
    contract: Contract,
    place: str,
    values: Iterable[int],
    heard: Heard,
    before: Callable[[int], object],
    lists: Callable[[int], Contract] | None = None,
    limits: Callable[[int], CycleClaim] | None = None,
) -> Proof:
    """Prove a contract for each value of a register or byte; from then on it is a lemma, by which
    callers know what it says. ``before`` is called with the value before each case; ``lists`` gives
    a contract with the lists of a case, ``limits`` its cycles. Raises BadMapping, OutOfTime."""
    program, address = bank.program, bank.program.image.address(contract.name)
    if contract.cycles is not None and not bank.options.loose:
        raise BadMapping(
            f"'{contract.name}' claims that its limits of cycles are reached: add 'loose'"
        )
    cases = _cases(program, contract, address, place, values)
    if lists is not None:
        cases = {value: _listing(case, lists(value)) for value, case in cases.items()}
    if limits is not None:
        cases = {value: _restrict(case, limits(value)) for value, case in cases.items()}
    facts = [_prove_complete(bank, contract, address, [*cases.values()])]
    proofs: list[Proof] = []
    lemmas: list[ProvedRoutine] = []
    bank.pop_lemma(address)
    for value, case in cases.items():
        before(value)
        proof, explored = bank.prove(case, address, exact=False)
        left = _drop_unreached(case, explored)
        if left != case:
            proof, explored = bank.prove(left, address, exact=False)
        lemma = bank.pop_lemma(address)
        lemmas += [] if lemma is None else [lemma]
        proofs.append(heard(value, proof, explored))
    whole = replace(
        Proof.join(contract.name, *proofs, facts=facts),
        assumed=tuple(condition.text for condition in contract.requires),
    )
    if whole.verdict in GOOD and len(lemmas) == len(cases):
        bank.give(address, whole, _merge(contract, place, [*cases.values()], lemmas))
    return whole


def _cases(
    program: ProofProgram, contract: Contract, address: int, place: str, values: Iterable[int]
) -> dict[int, Contract]:
    """The contract for each value. Raises BadMapping where that would be no proof of the whole."""
    if place not in {item.name for item in contract.inputs if _is_small(item)}:
        raise BadMapping(
            f"'{place}' is neither a register nor a byte that '{contract.name}' lists under 'in:'"
        )
    if contract.secrets or contract.pointers:
        raise BadMapping(
            f"'{contract.name}' has a secret or a pointer, so it cannot be proved case by case"
        )
    return {
        value: replace(contract, requires=(*contract.requires, _is(program, address, text)))
        for value in values
        for text in [f"{place} == {value}"]
    }


def _listing(case: Contract, told: Contract) -> Contract:
    """A case with the lists of a contract. Raises BadMapping where that would be no proof."""
    own = replace(case, inputs=told.inputs, outputs=told.outputs, clobbers=told.clobbers)
    given, left = _memory(own.outputs), _memory(case.outputs) - _memory(own.outputs)
    if (
        any(
            _others(one) != _others(other)
            for one, other in zip(_lists(own), _lists(case), strict=True)
        )
        or not own.input_addresses <= case.input_addresses
        or not own.written_addresses <= case.written_addresses
        or not given <= _memory(case.outputs)
        or left & own.written_addresses
    ):
        raise BadMapping(
            f"a case of '{case.name}' lists places that the whole does not, or changes its outputs"
        )
    return own


def _restrict(case: Contract, limits: CycleClaim) -> Contract:
    """A case with limits of its own. Raises BadMapping where the whole does not claim as much."""
    low, high = case.cycles or (0, None)
    least, most = limits
    if least < low or (high is not None and (most is None or most > high)):
        raise BadMapping(f"a case of '{case.name}' has other limits of cycles than the whole")
    return replace(case, cycles=limits)


def _lists(contract: Contract) -> tuple[Sequence[Item], ...]:
    return contract.inputs, contract.outputs, contract.clobbers


def _memory(items: Sequence[Item]) -> frozenset[int]:
    return frozenset(a for each in items if isinstance(each, MemoryRange) for a in each.addresses())


def _others(items: Sequence[Item]) -> frozenset[Item]:
    return frozenset(each for each in items if not isinstance(each, MemoryRange))


def _is_small(item: Item) -> bool:
    return isinstance(item, Register) or (isinstance(item, MemoryRange) and item.size == 1)


def _is(program: ProofProgram, address: int, text: str) -> Condition:
    (condition,) = piece_of(
        program.image, f";; case – of several.\n; requires: {text}", address
    ).contract.requires
    return condition


def _drop_unreached(case: Contract, explored: Explored | None) -> Contract:
    """A case without the invariants that none of its paths comes to."""
    idle = set() if explored is None else {*explored.exploration.unreached}
    return replace(
        case,
        invariants=tuple(each for each in case.invariants if not idle & {*each.addresses}),
        decreases=tuple(each for each in case.decreases if not idle & {*each.addresses}),
    )


def _prove_complete(
    bank: LemmaStore, contract: Contract, address: int, cases: Sequence[Contract]
) -> Finding:
    """That whatever is required of the whole is required of a case."""
    program, options = bank.program, bank.options
    statement = Property.CASES(count=len(cases))
    with using(Terms()):
        bounds = input_bounds(program, contract)
        start = start_of(program, contract, address, bounds, ())
        entry = start.state(start.block_objects, bounds)
        required = terms_of(contract.requires, program.abi, entry, entry)
        each = terms_of([case.requires[-1] for case in cases], program.abi, entry, entry)
        solver = Solver(options.limits, Deadline(options.timeout), options.cross)
        answer = Oracle(solver, required).ask([t.not_(reduce(t.or_, each, t.FALSE))])
    if answer.kind is AnswerKind.UNSAT:
        return Finding(statement, Verdict.PROVED)
    return Finding(statement, Verdict.UNKNOWN, Reason.OTHER_CASES())


def _merge(
    contract: Contract, place: str, cases: Sequence[Contract], lemmas: Sequence[ProvedRoutine]
) -> ProvedRoutine:
    """What the proofs of all cases are worth to callers: what the contract says. A result depends
    on what it does in any case, and on which case it is."""
    if len({each.ports for each in lemmas}) > 1:
        raise BadMapping(
            f"the ports of '{contract.name}' differ between cases, because their callees "
            f"differ: list them"
            " as volatile"
        )
    which = tuple(item for item in contract.inputs if item.name == place)
    known = set.intersection(*({*each.sources} for each in lemmas))
    return replace(
        lemmas[0],
        contract=contract,
        depth=max(each.depth for each in lemmas),
        results=None,
        reads_ports=any(each.reads_ports for each in lemmas),
        constants=frozenset[int]().union(*(each.constants for each in lemmas)),
        keeps_step=all(each.keeps_step for each in lemmas),
        surely=frozenset.intersection(*(each.surely for each in lemmas)),
        flagged=(),
        times=_times(contract, cases),
        ends=all(each.ends for each in lemmas),
        sources={
            name: tuple(dict.fromkeys([*which, *chain(*(each.sources[name] for each in lemmas))]))
            for name in sorted(known)
        },
    )


def _times(
    contract: Contract, cases: Sequence[Contract]
) -> tuple[tuple[Condition, CycleClaim | None], ...]:
    """The limits of cycles of each case, where they are not those of the whole."""
    if all(each.cycles == contract.cycles for each in cases):
        return ()
    return tuple((each.requires[-1], each.cycles) for each in cases)

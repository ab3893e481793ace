"""Proving step by step: routines and pieces of code of one program, each a lemma for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.model import Contract, CycleClaim
from romproof.contract.nouns.statement import StatementKind
from romproof.harness.rom import Rom
from romproof.harness.state.values import Target, place
from romproof.program.image import Image
from romproof.prover.catalogue import Property, Reason
from romproof.prover.exploration.explore import Leg
from romproof.prover.models.mapping import Gives, Takes
from romproof.prover.refinement.case_split import prove_cases
from romproof.prover.refinement.equivalence import PythonModel
from romproof.prover.refinement.fragment import Fragment, piece_of, prove_piece
from romproof.prover.refinement.model_invariants import Always
from romproof.prover.refinement.permutation import Rearrangement, rearrangements, rearranges
from romproof.prover.refinement.simulation import simulate
from romproof.prover.refinement.stages import Stage
from romproof.prover.replay.confirm import GOOD
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding, Proof, Verdict, report_unfollowed
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import Explored, ProofOptions
from romproof.prover.states.program import program_of
from romproof.support.extras import need_for_proofs
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import condition
from romproof.symbolic.numbers.symbytes import natural
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.terms.node import using
from romproof.text.cause import Cause


@dataclass(frozen=True)
class Exchange:
    """The changes of an object between two places of a routine: its entry, invariants, returns.

    ``places`` are the two addresses of each exchange of bytes, the last exchange first.
    ``before`` and ``after`` are the registers at the two places, by their names in small letters.
    ``begins`` says that the first place is the entry, ``ends`` that the second is the end.
    All numbers may be unknown ones, as those of models are.
    """

    begins: bool
    ends: bool
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    places: tuple[tuple[Any, Any], ...]


class Prover:
    """Proves routines and pieces of code of ``rom``; a routine proved is a lemma for its callers.

    A proof that takes longer than the options allow is unknown, and says so. Raises MissingExtra
    without a solver.
    """

    def __init__(self, rom: Rom, options: ProofOptions | None = None) -> None:
        need_for_proofs()
        self._bank = LemmaStore(program_of(rom), options or ProofOptions())
        self._explored: Explored | None = None
        self._proof: Proof | None = None

    @classmethod
    def of(cls, bank: LemmaStore) -> Prover:
        """One that knows what was proved in a bank before."""
        made = cls(bank.program.rom, bank.options)
        made._bank = bank
        return made

    def with_options(self, options: ProofOptions) -> Prover:
        """One with other options that knows what this one has proved, and whose lemmas this one
        knows."""
        return Prover.of(replace(self._bank, options=options))

    @property
    def rom(self) -> Rom:
        """The program of the proofs, which also executes them."""
        return self._bank.program.rom

    @property
    def image(self) -> Image:
        """The program, with its symbols."""
        return self._bank.program.image

    @property
    def contracts(self) -> Mapping[str, Contract]:
        """The contracts in the program's sources, by routine. Raises BuildFailed."""
        return self.rom.contracts

    @property
    def fixed(self) -> bytes:
        """The 64 KiB of memory at the start; the bytes in ROM stay the same."""
        return self._bank.program.fixed

    def contract(self, text: str, begin: Target) -> Contract:
        """A contract that stands elsewhere than in the source, of code at ``begin``.

        ``text`` is a header block as sources have them. Raises BuildFailed for faults in it,
        UnknownSymbol.
        """
        return piece_of(self.image, text, begin).contract

    def routine(self, name: str, contract: Contract | None = None, *, exact: bool = True) -> Proof:
        """Prove the contract of a routine: its own, or another one.

        Unless it is ``exact``, its callers know only its contract. Raises UnknownSymbol, and
        KeyError for a routine without a contract.
        """
        return self._prove(contract or self.contracts[name], name, (), exact)

    def cases(
        self,
        contract: Contract,
        place: str,
        values: Iterable[int],
        stages: Callable[[int], Mapping[str, Stage]] | None = None,
        gives: Mapping[str, str] | None = None,
        callees: Callable[[int], Iterable[Proof]] = lambda value: (),
        lists: Callable[[int], Contract] | None = None,
        limits: Callable[[int], CycleClaim] | None = None,
    ) -> Proof:
        """Prove the contract of a routine for each value that a register, or a byte of memory,
        among its inputs can have, each by itself; callers know the contract, and no more.

        With ``stages`` it also proves that each case agrees with a model, as by ``simulates``.
        ``callees`` proves, for a value, the callees of that case: their proofs are part of the
        case. ``lists`` gives a contract whose lists a case has: it reads or writes less memory
        than the whole, and may leave out outputs that it does not write. ``limits`` are bounds of
        a case's cycles, within those of the whole: callers know them. Raises BadMapping, also for
        a contract with secrets or pointers, and for one with cycles if options are not ``loose``.
        """
        rests_on: list[Proof] = []

        def before(value: int) -> None:
            rests_on[:] = callees(value)

        def finish(value: int, proof: Proof, explored: Explored | None) -> Proof:
            case = f"{place} == {value}"
            self._proof, self._explored = proof, explored
            same = [] if stages is None else [self.simulates(stages(value), gives or {})]
            if not rests_on and not same:
                return replace(proof, routine=case)
            return Proof.join(case, *rests_on, proof, *same)

        try:
            return prove_cases(self._bank, contract, place, values, finish, before, lists, limits)
        except OutOfTime as stop:
            return _out_of_time(contract, stop)
        finally:
            self._explored, self._proof = None, None

    def piece(
        self,
        contract: Contract | str,
        begin: Target,
        *ends: Target,
        model: PythonModel | None = None,
        takes: Takes | None = None,
        gives: Gives | None = None,
        requires: PythonModel | None = None,
    ) -> Proof:
        """Prove code from ``begin`` until one of ``ends`` comes next, or a return without any.

        With a ``model``, that the code agrees with it (``takes``, ``gives`` and ``requires`` as in
        ``romproof.equivalent``); without one, that it keeps its contract. Raises BadMapping,
        BuildFailed for a faulty contract, UnknownSymbol.
        """
        known = self.contract(contract, begin) if isinstance(contract, str) else contract
        if model is None:
            return self._prove(known, begin, ends, True)
        piece = Fragment(known, begin, ends)
        try:
            return prove_piece(self._bank, piece, model, takes, gives, requires)
        except OutOfTime as stop:
            return _out_of_time(known, stop)

    def _prove(
        self, contract: Contract, begin: Target, ends: Iterable[Target], exact: bool
    ) -> Proof:
        address, _ = place(self.image, begin)
        stops = [place(self.image, end)[0] for end in ends]
        self._explored, self._proof = None, None
        try:
            proof, self._explored = self._bank.prove(contract, address, stops, exact)
        except OutOfTime as stop:
            return _out_of_time(contract, stop)
        self._proof = proof
        return proof

    def permutes(self, name: str) -> Finding:
        """Whether the code whose contract was proved last only exchanges bytes of an object.

        Then the object holds the same bytes at the end, in some order.
        """
        return self._of_last(lambda case: rearranges(case, name))

    def exchanges(self, name: str, statement: str, holds: Callable[[Exchange], Any]) -> Finding:
        """Whether ``holds`` is true of all that the code proved last does to an object.

        It is called for each path between two places; what it gives is a bool, or a comparison of
        unknown numbers, joined with ``&`` and ``|``. To be asked where ``permutes`` was proved.
        """

        def claims(case: Case) -> Iterable[Claim]:
            for leg in case.legs:
                for done in rearrangements(case, leg, name):
                    exchanged = condition(holds(_exchange(case, leg, done)))
                    yield Claim(Reason.NOT_SO(), done.path, exchanged, leg)

        said = Property.OTHER(text=statement)
        return self._of_last(lambda case: case.judge(StatementKind.OTHER, said, claims(case)))

    def simulates(
        self,
        stages: Mapping[str, Stage],
        gives: Mapping[str, str],
        always: str = "",
        at: Callable[..., Any] = lambda: 0,
    ) -> Proof:
        """That the code whose contract was proved last agrees with a model, stage by stage.

        The keys of ``stages`` are labels of invariants, and "" for the entry; ``gives`` maps the
        results of the model to places. ``always`` are conditions, in the language of contracts,
        that hold in all places; they are proved with the stages. If a stage needs a condition on
        ``all`` for one number, ``at`` returns this number; its parameters are names in ``takes``.
        The proof is of the stages alone: join it with that of the contract. Raises
        BadMapping, and BuildFailed for faults in ``always``.
        """
        if self._proof is None or self._proof.verdict not in GOOD:
            basis = Reason.UNPROVED_CONTRACT()
            found = Finding(
                Property.EQUALS_MODEL(),
                Verdict.UNKNOWN,
                Reason.RELIES_ON(basis=basis),
                kind=StatementKind.MODEL,
                causes=(Cause.RESTS_ON_OTHER,),
                basis=basis,
            )
            return Proof("the model", (found,))
        assert self._explored is not None
        with using(self._explored.terms):
            case = self._explored.case
            known = Always(self._conditions(case, always), at) if always else None
            return simulate(case, stages, gives, self._bank.by_address, known)

    def _conditions(self, case: Case, text: str) -> tuple[Condition, ...]:
        block = f";; always – conditions of all places.\n; ensures: {text}\n"
        return self.contract(block, case.start.address).ensures

    def _of_last(self, judge: Callable[[Case], Finding]) -> Finding:
        if self._explored is None:
            return report_unfollowed(Cause.NOT_EXPLORED, Reason.NOT_EXPLORED())
        with using(self._explored.terms):
            try:
                return judge(self._explored.case)
            except OutOfTime as stop:
                return report_unfollowed(stop.cause, stop.reason)


def _out_of_time(contract: Contract, stop: OutOfTime) -> Proof:
    return Proof(contract.name, (report_unfollowed(stop.cause, stop.reason),))


def _exchange(case: Case, leg: Leg, done: Rearrangement) -> Exchange:
    def registers(state: State) -> Mapping[str, Any]:
        return {name: natural(state.get(name)) for name in state.registers}

    return Exchange(
        leg.begin is None,
        leg.end in case.start.ends,
        registers(leg.first),
        registers(leg.at),
        tuple((natural(one), natural(other)) for one, other in done.places),
    )

"""All routines of a program, callees first: a proved one is a lemma for its callers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from romproof.contract.model import Contract
from romproof.harness.rom import Rom
from romproof.prove.callees import callees_first
from romproof.prove.lemmas import ProvedRoutine
from romproof.prove.results import RoutineProof, Verdict
from romproof.prove.routine import Explored, Options, prove_routine
from romproof.prove.start import Program, program_of
from romproof.symbolic.execute.executor import Lemma
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError


class NoSuchRoutine(RomproofError):
    """The name is no routine's with a contract."""


@dataclass
class Bank:
    """The routines of ``program`` that were proved so far."""

    program: Program
    options: Options = field(default_factory=Options)
    proofs: dict[str, RoutineProof] = field(default_factory=dict)
    _lemmas: dict[int, tuple[str, ProvedRoutine]] = field(default_factory=dict)

    def prove(self, contract: Contract) -> tuple[RoutineProof, Explored | None]:
        """Prove a routine, with the help of those that were proved before."""
        return self.prove_at(contract, self.program.image.address(contract.name))

    def prove_at(
        self,
        contract: Contract,
        address: int,
        ends: Sequence[int] = (),
        exact: bool = True,
    ) -> tuple[RoutineProof, Explored | None]:
        """Prove the contract of the code at an address, which may stand elsewhere.

        A piece of code comes to one of the ``ends``; a routine without any is a lemma from then
        on. When not ``exact``, callers only know what its contract says.
        """
        lemmas = self.lemmas(contract, address)
        used: set[str] = set()
        watched = {at: _noting(name, lemma, used) for at, (name, lemma) in lemmas.items()}
        proof, explored = prove_routine(
            self.program, contract, address, self.options, watched, ends
        )
        proof = replace(proof, lemmas=tuple(sorted(used)))
        self.proofs[contract.name] = proof
        if explored is not None and proof.verdict is Verdict.PROVED and not ends:
            exact = exact and self.options.keeping is None
            self._lemmas[address] = contract.name, ProvedRoutine(explored.found, exact)
        return proof, explored

    def lemmas(self, contract: Contract, address: int) -> Mapping[int, tuple[str, ProvedRoutine]]:
        """The lemmas for a routine. One with secrets has to look into what it calls."""
        if contract.secrets:
            return {}
        return {at: lemma for at, lemma in self._lemmas.items() if at != address}


def _noting(name: str, lemma: Lemma, used: set[str]) -> Lemma:
    def apply(executor: object, state: object) -> None:
        lemma(executor, state)  # type: ignore[arg-type]
        used.add(name)

    return apply


def contracts_of(rom: Rom, names: Collection[str] = ()) -> list[Contract]:
    """The contracts of the routines ``names`` and of all they come to, callees before callers.

    Without names, of all routines. Only those in what is loaded count. Raises NoSuchRoutine, and
    BuildFailed for a malformed contract.
    """
    here = {symbol.name for symbol in rom.loaded.symbols}
    known = {name: each for name, each in rom.contracts.items() if name in here}
    for name in names:
        if name not in known:
            hint = suggest(name, known)
            raise NoSuchRoutine(
                f"no routine '{name}' with a contract" + (f"; {hint}" if hint else "")
            )
    return callees_first(rom, known, names or known)


def prove_rom(
    rom: Rom,
    names: Collection[str] = (),
    options: Options | None = None,
    begun: Callable[[str], None] = lambda name: None,
) -> Iterator[RoutineProof]:
    """The proofs of routines, one after the other; ``begun`` hears which is next."""
    bank = Bank(program_of(rom), options or Options())
    for contract in contracts_of(rom, names):
        begun(contract.name)
        yield bank.prove(contract)[0]

"""Pieces of code that are not routines, with contracts that stand elsewhere than in the source."""

from __future__ import annotations

from dataclasses import dataclass, replace

from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import parse_contract
from romproof.harness.state.values import Target, place
from romproof.program.image import Image, Symbol
from romproof.prover.models.mapping import Gives, Takes, mapping_of
from romproof.prover.refinement.equivalence import PythonModel, prove_model
from romproof.prover.results import Proof
from romproof.prover.routines.program_proof import LemmaStore, weaken, with_notes
from romproof.text.diagnostic import Diagnostics
from romproof.text.errors import RomproofError
from romproof.text.span import Source, Span


@dataclass(frozen=True, slots=True)
class Fragment:
    """Code from ``begin`` until one of ``ends`` comes next (addresses, or names of symbols).

    ``contract`` says what it takes and gives. A routine is a piece without ``ends``.
    """

    contract: Contract
    begin: Target
    ends: tuple[Target, ...] = ()


def piece_of(image: Image, text: str, begin: Target, *ends: Target) -> Fragment:
    """A piece with the contract in ``text``, a header block as it stands in sources:

        ;; round_ch – add ch(e, f, g) to t.
        ; in:  sha512_v[64] sha512_t[8]
        ; out: sha512_t[8]

    Names are found as from where ``begin`` is. Raises BuildFailed for faults in it, UnknownSymbol.
    """
    block = "\n".join(line.strip() for line in text.strip().splitlines())
    source = Source("the contract of a fragment", f"{block}\n")
    name = block.partition("\n")[0].lstrip("; ").split(" ")[0]
    if isinstance(begin, str):
        symbol = image.symbol(begin)
    else:
        place(image, begin)
        symbol = image.label_at(begin) or image.symbols[0]
    label = Span(source, len(source.lines), 1)
    diagnostics = Diagnostics()
    contract = parse_contract(_is_called(symbol, name, label), image, diagnostics)
    diagnostics.raise_if_failed()
    if contract is None:
        raise RomproofError(f"no contract in:\n{block}")
    return Fragment(contract, begin, ends)


def _is_called(symbol: Symbol, name: str, label: Span) -> Symbol:
    return replace(symbol, name=name, span=label)


def prove_piece(
    bank: LemmaStore,
    piece: Fragment,
    model: PythonModel,
    takes: Takes | None = None,
    gives: Gives | None = None,
    requires: PythonModel | None = None,
) -> Proof:
    """Prove that a piece of code does what its model says, with the bank's lemmas.

    Raises BadMapping.
    """
    program, contract = bank.program, piece.contract
    mapping = mapping_of(contract, program.abi, model, takes, gives)
    begin, _ = place(program.image, piece.begin)
    ends = [place(program.image, end)[0] for end in piece.ends]
    known, used = bank.lemmas(contract, begin), set[str]()
    lemmas = {at: with_notes(name, lemma, used) for at, (name, lemma) in known.items()}
    proof = prove_model(
        program, contract, begin, mapping, model, requires, bank.options, lemmas, ends
    )
    endless = {name for name, lemma in known.values() if name in used and not lemma.ends}
    return replace(weaken(proof, endless), lemmas=tuple(sorted(used)))

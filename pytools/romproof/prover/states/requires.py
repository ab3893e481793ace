"""A contract that requires more than its comment says."""

from __future__ import annotations

from dataclasses import replace

from romproof.contract.names.names import ScopeNames
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.clauses import Clauses
from romproof.contract.reading.predicates import predicates_of
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.definitions import TextPiece
from romproof.program.image import Image
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source, Span


def with_requires(contract: Contract, image: Image, text: str, place: str) -> Contract:
    """The contract with the conditions ``text`` as well, written as in a comment.

    ``place`` is what diagnostics call the text. Raises BuildFailed when it is malformed.
    """
    source = Source(place, text)
    pieces = [TextPiece(line, Span(source, at, 1)) for at, line in enumerate(source.lines, 1)]
    field = FieldText("requires", Span(source, 1, 1), tuple(pieces))
    diagnostics = Diagnostics()
    declared = {
        item.name: item
        for item in contract.clobbers + contract.outputs + contract.inputs
        if isinstance(item, MemoryRange)
    }
    predicates = predicates_of(image, diagnostics)
    names = ScopeNames(image, image.symbol(contract.name), diagnostics, predicates)
    blocks = {pointer.name: pointer for pointer in contract.pointers}
    more = Clauses(names, declared, contract.inputs, diagnostics, blocks=blocks).requires(field)
    diagnostics.raise_if_failed()
    return replace(contract, requires=contract.requires + more)

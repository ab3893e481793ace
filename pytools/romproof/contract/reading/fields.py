"""The fields of a header block by their names; an unknown one is reported, with what was meant."""

from __future__ import annotations

from romproof.contract.reading.lists import WORDS
from romproof.contract.reading.misspelt import MEANT, find_nearest_field
from romproof.contract.text.blocks import REPEATED, FieldText, HeaderBlock
from romproof.formats.contracts import FIELDS
from romproof.text.diagnostic import Diagnostics, suggest


def fields_of(block: HeaderBlock, diagnostics: Diagnostics) -> dict[str, list[FieldText]]:
    """The block's fields by name; a misspelt one is an error, as is one that is repeated
    but may not be."""
    known: dict[str, list[FieldText]] = {}
    strange: list[FieldText] = []
    for field in block.fields:
        if field.name not in FIELDS:
            strange.append(field)
        elif field.name in known and field.name not in REPEATED:
            diagnostics.error(
                f"the contract has the field '{field.name}' twice",
                field.span,
                "merge the two; a more deeply indented line continues a field",
                (("first", known[field.name][0].span),),
            )
        else:
            known.setdefault(field.name, []).append(field)
    for field in strange:
        meant = MEANT.get(field.name.lower()) or find_nearest_field(field.name)
        hint = f"did you mean '{meant}'?" if meant else suggest(field.name, FIELDS)
        if field.name.lower() in WORDS:
            hint = f"write the word before an item: in: {field.name.lower()} PORT[1];"
        # without any real field the block is plain documentation, whatever its words
        if hint and known:
            diagnostics.error(
                f"contracts have no field '{field.name}'",
                field.span,
                f"{hint} the fields are {', '.join(FIELDS)}",
            )
    return known

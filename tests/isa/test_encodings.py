"""The short reading of instruction tables, held against the one that checks every column."""

from __future__ import annotations

import pytest

from romproof.isa.codec import encodings
from romproof.isa.encodings import encodings_of
from romproof.isa.model import FORMS


@pytest.mark.parametrize("table", [name for name, form in FORMS.items() if not form.prefix])
def test_encodings_are_those_of_the_table(table: str) -> None:
    def rows(found: object) -> list[tuple[object, ...]]:
        assert hasattr(found, "items")
        return [
            (name, mode, op.byte, op.mnemonic, op.mode, op.placeholder, op.size, op.syntax)
            for name, modes in found.items()
            for mode, op in modes.items()
        ]

    assert rows(encodings_of(table)) == rows(encodings(table))
    variants = {
        (name, mode): op.variant.value
        for name, modes in encodings(table).items()
        for mode, op in modes.items()
    }
    assert variants == {
        (name, mode): op.variant
        for name, modes in encodings_of(table).items()
        for mode, op in modes.items()
    }

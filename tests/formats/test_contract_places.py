"""Which comments of a file of contracts are contracts."""

from __future__ import annotations

import pytest

from romproof.formats.contracts import FIELDS, contract_places
from romproof.program.address_size import AddressSize
from romproof.program.image import Symbol
from romproof.text.span import Source

SYMBOLS = [Symbol("bell", 0x8000, AddressSize.ABSOLUTE, True, True, None, "main", None)]


def names(text: str) -> list[str]:
    return [name for name, _ in contract_places(Source("contracts.s", text), SYMBOLS)]


@pytest.mark.parametrize("field", FIELDS)
def test_a_block_with_any_field_is_a_contract(field: str) -> None:
    assert names(f";; bell - rings\n; {field}: a\n") == ["bell"]


@pytest.mark.parametrize("line", ["; note: it rings", "; budgets: 12", "; it is in: a"])
def test_what_has_no_field_is_prose(line: str) -> None:
    text = f";; bell - rings\n{line}\n\n;; bell - rings\n; in: a\n"
    assert names(text) == ["bell"]

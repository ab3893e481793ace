"""Contracts for tests: the fields of a header block, and a program that has what they name."""

from __future__ import annotations

import pytest

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import parse_contracts
from romproof.program.address_size import AddressSize
from romproof.program.image import Image, Symbol
from romproof.text.diagnostic import BuildFailed
from romproof.text.span import Source, Span

BYTE, WORD, LONG, TABLE, BARE = 0x10, 0x12, 0x14, 0x300, 0x400
SYMBOLS = (
    ("byte", BYTE, True, 1),
    ("word", WORD, True, 2),
    ("long", LONG, True, 4),
    ("table", TABLE, True, 78),
    ("bare", BARE, True, 0),
    ("go::local", 0x20, True, 1),
    ("SIZE", 78, False, None),
    ("NEGATIVE", -3, False, None),
    ("far", 0x12345, True, 1),
)
"""Name, value, whether it is a label, size."""
CODE = (
    ("go@step", 0xC010),
    ("go@step_1", 0xC011),
    ("go::inner@step", 0xC012),
    ("other@step", 0xC112),
    ("go::draw_0", 0xC020),
    ("go::draw_1", 0xC021),
    ("draw_0", 0xC120),
    ("go.turn", 0xC030),
    ("after@late", 0xC040),
    ("other.turn", 0xC130),
)


def image_of(fields: str, cpu: str = "6502") -> Image:
    """A program whose routine ``go`` has the contract with these lines."""
    text = f";; go – does it.\n{fields}\n"
    source = Source("prog.s", text)
    size = AddressSize.ABSOLUTE
    symbols = [
        Symbol(name, value, size, is_label, False, bytes_, "prog", None)
        for name, value, is_label, bytes_ in SYMBOLS
    ]
    symbols += [Symbol(name, value, size, True, False, 0, "prog", None) for name, value in CODE]
    symbols += [Symbol("far@step", 0xD000, size, True, False, 0, "elsewhere", None)]
    place = Span(source, text.count("\n") + 1, 1)
    symbols += [
        Symbol("go", 0xC000, size, True, True, 9, "prog", place),
        Symbol("other", 0xC100, size, True, True, 9, "prog", None),
    ]
    return Image(cpu, (), (), (), (), tuple(symbols), (), (), (source,))


def contract_of(fields: str, cpu: str = "6502") -> Contract:
    """The contract with these lines."""
    return parse_contracts(image_of(fields, cpu))["go"]


def fault_of(fields: str, cpu: str = "6502") -> str:
    """What is wrong with the contract with these lines."""
    with pytest.raises(BuildFailed) as caught:
        parse_contracts(image_of(fields, cpu))
    return str(caught.value)


class Numbers:
    """A view of registers, flags and memory by their names and addresses."""

    def __init__(
        self, values: dict[str, int], memory: dict[int, int], old: Numbers | None = None
    ) -> None:
        self.values, self.memory = values, memory
        self.old = old or self

    def register(self, name: str) -> int:
        """See View."""
        return self.values[name]

    def flag(self, name: str) -> int:
        """See View."""
        return self.values[name]

    def byte(self, address: int) -> int:
        """See View."""
        return self.memory.get(address, 0)


def value_of(text: str, view: Numbers, cpu: str = "6502") -> int:
    """The value of an expression as ``ensures:`` reads it; truths are 0 and 1."""
    (condition,) = contract_of(f"; ensures: ({text}) == 0", cpu).ensures
    expression = condition.expression
    return int(evaluate(expression.left, view))  # type: ignore[union-attr]

"""What an assembler needs of the instruction tables, read without the rest.

``isa.load`` reads and checks every column, for engines and proofs, which takes longer than to
assemble most sources. Here only syntax and tag are looked at, of tables that are right:
``tests/isa/test_encodings.py`` holds this against the other, row by row.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

OPERAND_SIZES = MappingProxyType(
    {"n8": 1, "a8": 1, "e8": 1, "n16": 2, "a16": 2}
    | {"a8,e8": 2, "a24": 3, "e16": 2, "nm": 1, "nx": 1, "#n8,#n8": 2}
    | {"d16": 2, "#n8,a8": 2, "#n8,a16": 3, "a8,#n8": 2, "n16,n16,n16": 6}
)
"""Bytes each operand placeholder of a syntax template takes after the opcode. The 65816's ``nm``
and ``nx``, immediate values, take one more while its registers have 16 bits. A distance ``d16`` is
counted from the second of its bytes, others from the next instruction."""

_LONGEST_FIRST = tuple(sorted(OPERAND_SIZES, key=len, reverse=True))
_TAGGED = (1, 4)
"""Columns of a row with a tag, besides opcode and syntax: without and with the others."""


class Encoding:
    """An instruction that an assembler may choose, which nobody changes.

    ``mode`` is the operand template, ``placeholder`` the part of it that stands for the value, and
    ``size`` is in bytes. ``variant`` is the tag of the table's row: "" is documented.
    """

    __slots__ = ("byte", "mnemonic", "mode", "placeholder", "prefix", "size", "variant")

    def __init__(
        self,
        byte: int,
        mnemonic: str,
        mode: str,
        placeholder: str,
        size: int,
        variant: str,
        prefix: bytes = b"",
    ) -> None:
        self.byte = byte
        self.mnemonic = mnemonic
        self.mode = mode
        self.placeholder = placeholder
        self.size = size
        self.variant = variant
        self.prefix = prefix

    @property
    def conditional(self) -> bool:
        """True for a jump, call or return that depends on a flag."""
        from romproof.isa.flow import is_conditional

        return is_conditional(self.mnemonic, self.mode)

    @property
    def syntax(self) -> str:
        """Mnemonic and operand template, as in the table."""
        return f"{self.mnemonic} {self.mode}".rstrip()


EncodingRow = tuple[str, str, str, str]
"""A row of a table, as far as it has to be taken apart to find it again: mnemonic, operand
template, tag, and its bytes in hexadecimal."""


def encoding_of(row: EncodingRow) -> Encoding:
    """What an assembler needs of a row."""
    mnemonic, mode, variant, digits = row
    placeholder = next((name for name in _LONGEST_FIRST if name in mode), "")
    code = bytes.fromhex(digits)
    size = len(code) + OPERAND_SIZES.get(placeholder, 0)
    return Encoding(code[-1], mnemonic, mode, placeholder, size, variant, code[:-1])


@cache
def encodings_of(table: str) -> Mapping[str, Mapping[str, Encoding]]:
    """mnemonic -> operand template -> the encoding that is chosen, in the order of the opcodes.

    ``table`` is the name of one. Of the SM83's, opcodes behind a prefix have it before the byte.
    """
    return {
        mnemonic: {row[1]: encoding_of(row) for row in rows}
        for mnemonic, rows in rows_of(table).items()
    }


@cache
def rows_of(table: str) -> Mapping[str, list[EncodingRow]]:
    """mnemonic -> the rows of :func:`encodings_of`: most sources need few of them."""
    chosen: dict[str, list[EncodingRow]] = {}
    for _, row in sorted(_rows(table).items()):
        variant = row[2]
        if not variant.endswith("-alt") and variant != "prefix":
            chosen.setdefault(row[0], []).append(row)
    return chosen


@cache
def _rows(table: str) -> dict[int, EncodingRow]:
    rows: dict[int, EncodingRow] = {}
    path = os.path.join(os.path.dirname(__file__), f"{table}.tbl")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        row = line.strip()
        if not row or row.startswith("#"):
            continue
        code, _, rest = row.partition(" ")
        if code == "extends":
            rows |= _rows(rest)
            continue
        syntax, _, columns = rest.lstrip().partition("  ")
        mnemonic, _, mode = syntax.partition(" ")
        others = columns.split()
        tag = others[-1] if len(others) in _TAGGED else ""
        rows[int(code, 16)] = mnemonic, mode, tag, code
    return rows

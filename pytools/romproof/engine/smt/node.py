"""The nodes of terms: equal terms are one object, made here and nowhere else."""

from __future__ import annotations

from typing import Final

CONST: Final = "const"
VAR: Final = "var"
XOR: Final = "xor"
AND: Final = "and"
ITE: Final = "ite"
CONCAT: Final = "concat"
EXTRACT: Final = "extract"
SUM: Final = "sum"
MUL: Final = "mul"
EQ: Final = "eq"
ULT: Final = "ult"
LOOKUP: Final = "lookup"
ARRAY: Final = "array"
STORE: Final = "store"
LOAD: Final = "load"


class Term:
    """A value of ``width`` bits, or an array of 65536 bytes when the width is 0.

    Never made directly: by the constructors of ``romproof.engine.smt.term``. What it is, by ``op``:

    - CONST: ``number``. VAR, ARRAY: ``name``.
    - XOR: of the args and of the constant ``number``; NOT is XOR of one arg and all ones.
    - AND: of the args. OR is NOT of the AND of what is NOT.
    - ITE: args condition (one bit), then, otherwise.
    - CONCAT: the args side by side, the highest bits first.
    - EXTRACT: ``width`` bits of the arg from bit ``number`` on.
    - SUM: ``number`` and the args, each times its ``factors``, modulo 2**width; the args may be
      narrower than the sum.
    - MUL: the product of two args. EQ, ULT: one bit, of two args as unsigned numbers.
    - LOOKUP: the byte of ``table`` at the arg. LOAD: args array and address (16 bits).
    - STORE: args array, address, byte.

    ``low`` and ``high`` bound the value, as an unsigned number. ``serial`` counts the terms made.
    """

    __slots__ = (
        "args", "factors", "high", "low", "name", "number", "op", "serial", "table", "width",
    )  # fmt: skip

    op: str
    width: int
    args: tuple[Term, ...]
    number: int
    name: str
    factors: tuple[int, ...]
    table: bytes
    low: int
    high: int
    serial: int

    @property
    def is_const(self) -> bool:
        """Is it a constant? ``number`` is its value."""
        return self.op is CONST

    def __repr__(self) -> str:
        return f"<{text(self, 4)}>"


def text(term: Term, depth: int) -> str:
    """The term for people to read, what is deeper left out."""
    if term.op is CONST:
        return f"{term.number:#x}" if term.width != 1 else str(term.number)
    if term.op in (VAR, ARRAY):
        return term.name
    if not depth:
        return "…"
    inner = [text(arg, depth - 1) for arg in term.args]
    if term.op is EXTRACT:
        return f"{inner[0]}[{term.number}:{term.number + term.width}]"
    if term.op is SUM:
        parts = [f"{f:#x}*{a}" if f != 1 else a for f, a in zip(term.factors, inner, strict=True)]
        return f"sum{term.width}({', '.join([*parts, hex(term.number)])})"
    if term.op is XOR and term.number:
        inner.append(hex(term.number))
    return f"{term.op}{term.width}({', '.join(inner)})"


_known: dict[object, Term] = {}


def make(
    op: str,
    width: int,
    args: tuple[Term, ...],
    low: int,
    high: int,
    number: int = 0,
    name: str = "",
    factors: tuple[int, ...] = (),
    table: bytes = b"",
) -> Term:
    """The one object for this term. The bounds are no part of it: the first given stay."""
    key = (op, width, args, number, name, factors, table)
    found = _known.get(key)
    if found is None:
        found = Term()
        found.op, found.width, found.args, found.number = op, width, args, number
        found.name, found.factors, found.table = name, factors, table
        found.low, found.high, found.serial = low, high, len(_known)
        _known[key] = found
    return found

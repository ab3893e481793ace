"""The nodes of terms: equal terms are one object, made here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final, TypeVar

from romproof.support.recursion import deep_recursion
from romproof.symbolic.terms.origin import NO_NAME, VariableName, auxiliary_name

_T = TypeVar("_T")

CONST: Final = "const"
VAR: Final = "var"
XOR: Final = "xor"
AND: Final = "and"
ITE: Final = "ite"
CONCAT: Final = "concat"
EXTRACT: Final = "extract"
SUM: Final = "sum"
MUL: Final = "mul"
REM: Final = "rem"
EQ: Final = "eq"
ULT: Final = "ult"
LOOKUP: Final = "lookup"
ARRAY: Final = "array"
STORE: Final = "store"
LOAD: Final = "load"


class Term:
    """A value of ``width`` bits, or an array of 65536 bytes when the width is 0.

    Never made directly: by the constructors of ``romproof.symbolic.terms.term``. What it is, by
    ``op``:

    - CONST: ``number``. VAR, ARRAY: ``name``, which knows its origin.
    - XOR: of the args and of the constant ``number``; NOT is XOR of one arg and all ones.
    - AND: of the args. OR is NOT of the AND of what is NOT.
    - ITE: args condition (one bit), then, otherwise. A value that depends on a single bit is
      an ITE of two constants.
    - CONCAT: the args side by side, the highest bits first.
    - EXTRACT: ``width`` bits of the arg from bit ``number`` on.
    - SUM: ``number`` and the args, each times its ``factors``, modulo 2**width; the args may be
      narrower than the sum.
    - MUL: the product of two args, modulo 2**width; they too may be narrower.
    - REM: the remainder of two args, which may be of any width; by 0 it is the first.
    - EQ, ULT: one bit, of two args of the same width, as unsigned numbers.
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
    name: VariableName
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


class Terms:
    """All terms that were made for one purpose, and what was worked out of them.

    A proof makes its own and drops it, so that what it says depends on nothing that was proved
    before, and its memory is given back. Terms of two of them are never mixed: see
    ``romproof.symbolic.terms.walk.transplant``.

    ``known`` are the terms by what they are made of. ``taken`` and ``joined`` belong to
    ``slices``, ``ors``, ``ands`` and ``inverted`` to ``logic``, ``lift`` and ``differences`` to
    ``linear``; ``equations`` to ``compare``: of conditions that say of two terms part by part that
    they are equal, the two. ``numbers`` counts for names that are not to be used twice. ``watch``,
    if there is one, is called with the number of terms after each WATCHED new ones; it may raise.
    """

    __slots__ = (
        "ands", "depth", "differences", "equations", "inverted", "joined", "known", "lifted",
        "numbers", "ors", "reached", "taken", "watch",
    )  # fmt: skip

    def __init__(self, watch: Callable[[int], None] | None = None) -> None:
        self.known: dict[object, Term] = dict(_SHARED)
        self.taken: dict[tuple[Term, int, int], Term] = {}
        self.joined: dict[tuple[Term, Term], tuple[Term | None, int, int | None]] = {}
        self.ors: dict[Term, tuple[Term, Term]] = {}
        self.ands: dict[tuple[Term, Term], Term] = {}
        self.inverted: dict[Term, tuple[Term, ...]] = {}
        self.equations: dict[Term, tuple[Term, Term]] = {}
        self.lifted: dict[Term, tuple[dict[Term, int], int] | None] = {}
        self.differences: dict[Term, tuple[dict[Term, int], int]] = {}
        self.depth = self.reached = 0
        self.numbers = count()
        self.watch = watch


_SHARED: dict[object, Term] = {}
"""The two constants of one bit, which are the same in all Terms."""

WATCHED = 1 << 8
"""New terms between two looks at the time: some hundredths of a second."""

RECURSION_LIMIT = 50_000
"""Python frames, some 50 MB of them; what nests deeper is unknown."""


class _Here:
    """The terms under work: where ``make`` puts what it makes."""

    __slots__ = ("terms",)

    def __init__(self) -> None:
        self.terms = Terms()


HERE = _Here()


@contextmanager
def using(terms: Terms) -> Iterator[Terms]:
    """Within it, all terms that are made belong to ``terms``.

    Terms nest: a loop of 256 iterations leaves a value that is chosen among as many. Rules go
    down into them, a few Python frames a level.
    """
    before, HERE.terms = HERE.terms, terms
    with deep_recursion(RECURSION_LIMIT):
        try:
            yield terms
        finally:
            HERE.terms = before


def apart(work: Callable[[], _T]) -> _T:
    """What ``work`` gives, with the whole depth for what it joins: so it may be kept, wherever
    it was asked for."""
    terms = HERE.terms
    depth, reached = terms.depth, terms.reached
    terms.depth = terms.reached = 0
    try:
        return work()
    finally:
        terms.depth, terms.reached = depth, reached


def new_name(stem: VariableName) -> VariableName:
    """A name that these terms do not have yet, of the same origin: the stem and a number."""
    return VariableName(f"{stem}{next(HERE.terms.numbers)}", stem.origin)


def make(
    op: str,
    width: int,
    args: tuple[Term, ...],
    low: int,
    high: int,
    number: int = 0,
    name: VariableName = NO_NAME,
    factors: tuple[int, ...] = (),
    table: bytes = b"",
) -> Term:
    """The one object for this term. Bounds follow from the rest, but for those of a VAR."""
    bounds = (low, high) if op is VAR else None
    key = (op, width, args, number, name, factors, table, bounds)
    known = HERE.terms.known
    term = known.get(key)
    if term is None:
        term = Term()
        term.op, term.width, term.args, term.number = op, width, args, number
        term.name, term.factors, term.table = name, factors, table
        term.low, term.high, term.serial = low, high, len(known)
        known[key] = term
        if not term.serial % WATCHED and HERE.terms.watch is not None:
            HERE.terms.watch(term.serial)
    return term


def const(number: int, width: int) -> Term:
    """A constant; it wraps around."""
    number &= (1 << width) - 1
    return make(CONST, width, (), number, number, number)


TRUE = const(1, 1)
FALSE = const(0, 1)
_SHARED |= HERE.terms.known


def var(name: str, width: int, low: int = 0, high: int | None = None) -> Term:
    """An unknown about which only the bounds are known (both included).

    One name may be used with several bounds: these are different terms of the same value. A name
    without an origin is that of a number of no machine.
    """
    top = (1 << width) - 1
    high = top if high is None else min(high, top)
    if low == high:
        return const(low, width)
    known = name if isinstance(name, VariableName) else auxiliary_name(name)
    return make(VAR, width, (), low, high, name=known, factors=(low, high))


def runs(number: int, width: int) -> list[tuple[int, int]]:
    """The runs of equal bits of a number, the lowest first: the bit and how many."""
    runs_: list[tuple[int, int]] = []
    while width:
        bit = number & 1
        rest = ~number if bit else number
        count = min(width, (rest & -rest).bit_length() - 1 if rest else width)
        runs_.append((bit, count))
        number >>= count
        width -= count
    return runs_

"""What conditions mean: their values are those Python gives for the same expression."""

from __future__ import annotations

import pytest
from headers import BYTE, LONG, TABLE, WORD, Numbers, contract_of, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.contract.names.evaluate import evaluate

REGISTERS = {"A": 0x7F, "X": 5, "Y": 0xFF, "N": 0, "V": 1, "D": 0, "I": 1, "Z": 0, "C": 1}
MEMORY = {
    BYTE: 0x0A, WORD: 0x34, WORD + 1: 0x12, **{TABLE + i: i for i in range(78)},
    LONG: 1, LONG + 1: 2, LONG + 2: 3, LONG + 3: 4,
}  # fmt: skip
OLD = Numbers({**REGISTERS, "A": 0x80, "X": 6, "C": 0}, {TABLE + i: 77 - i for i in range(78)})
VIEW = Numbers(REGISTERS, MEMORY, OLD)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("$0A", 10),
        ("%1010", 10),
        ("1_000", 1000),
        ("A", 0x7F),
        ("C", 1),
        ("byte", 0x0A),
        ("word", 0x1234),
        ("long", 0x04030201),
        ("local", 0),
        ("SIZE", 78),
        ("::SIZE", 78),
        ("NEGATIVE + 1", -2),
        ("&table", TABLE),
        ("&table & $FF | &word", WORD),
        ("table[3]", 3),
        ("table[X]", 5),
        ("table[X + 1] + table[table[2]]", 8),
        ("word[1]", 0x12),
        ("$0300[7]", 7),
        ("bare[1]", 0),
        ("old A", 0x80),
        ("A - old A", -1),
        ("old table[X]", 71),
        ("old (table[X] + A)", 71 + 0x80),
        ("table[old X]", 6),
        ("-A", -0x7F),
        ("--A", 0x7F),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("7 - 2 - 1", 4),
        ("1 << 3 + 1", 16),
        ("12 & 10 ^ 3 | 16", 27),
        ("-7 % 5", 3),
        ("7 % 0", 0),
        ("A %10", 7),
        ("A % byte", 7),
        ("A % %11", 1),
        ("1 << 40 >> 38", 4),
        ("A >= $7F", 1),
        ("A & 1 == 1", 1),
        ("1 <= X < 6", 1),
        ("1 <= X < 5", 0),
        ("5 > X >= 5", 0),
        ("X == 5 == 1", 0),
        ("X in 0..5", 1),
        ("X + 1 in 0..5", 0),
        ("not X == 5", 0),
        ("not C and C", 0),
        ("C or Z and Z", 1),
        ("Z -> Z", 1),
        ("C -> Z", 0),
        ("Z -> C -> Z", 1),
        ("C and not Z -> X == 5", 1),
        ("C == (A >= 0)", 1),
        ("all j in 0..77: table[j] == j", 1),
        ("all j in 0..77: table[j] < 77", 0),
        ("all j in 0..77: j < X -> table[j] < X", 1),
        ("all j in 1..3: all k in 1..3: table[j * k] == j * k", 1),
        ("all j in 0..77: old table[j] == 77 - table[j]", 1),
        ("all j in 5..5: j == X", 1),
        ("sum j in 0..77: table[j] == 77 * 39", 1),
        ("sum j in 1..3: j * 2 + 1 in 15..15", 1),
        ("10 < sum j in 1..4: j", 0),
        ("2 * (sum j in 1..2: sum k in 1..3: j * k) == 36", 1),
        ("all j in 1..9: sum k in 0..2: table[j + k] == 3 * j + 3", 1),
        ("C -> all j in 0..1: j < 1", 0),
        ("not all j in 0..1: j < 1", 1),
        ("old C or C", 1),
        ("old (C or Z)", 0),
    ],
)
def test_values(text: str, value: int) -> None:
    assert value_of(text, VIEW) == value


def test_pairs_of_the_sm83_are_numbers_too() -> None:
    names = dict(zip("ABCDEHL", (1, 2, 3, 4, 5, 6, 7), strict=True)) | {"CF": 1}
    view = Numbers(names, {})
    assert value_of("BC", view, "sm83") == 0x0203
    assert value_of("HL - DE + CF", view, "sm83") == 0x0607 - 0x0405 + 1


def test_an_address_wraps_round_and_memory_may_be_left_behind() -> None:
    view = Numbers({"X": 0xFF, "A": 1}, {TABLE + 0xFF: 9, 0x0002: 8})
    assert value_of("table[X]", view) == 9
    assert value_of("$FF03[X]", view) == 8
    assert value_of("$0003[-A]", view) == 8


# -- against Python ----------------------------------------------------------------

NAMES = {"A": "a", "X": "x", "byte": "b", "word": "w", "SIZE": "78", "old A": "o", "table[3]": "t"}
Pair = tuple[str, str]
"""The same expression in the language of conditions and in Python."""


def _number(depth: int) -> st.SearchStrategy[Pair]:
    leaf = st.sampled_from(sorted(NAMES.items())) | st.integers(0, 300).map(
        lambda n: (f"${n:X}", str(n))
    )
    if depth == 0:
        return leaf
    inner = _number(depth - 1)
    operators = st.sampled_from(["+", "-", "*", "&", "|", "^"])
    return st.one_of(
        leaf,
        st.tuples(inner, operators, inner).map(
            lambda t: (f"{t[0][0]} {t[1]} {t[2][0]}", f"{t[0][1]} {t[1]} {t[2][1]}")
        ),
        inner.map(lambda p: (f"({p[0]})", f"({p[1]})")),
        inner.map(lambda p: (f"-({p[0]})", f"-({p[1]})")),
        st.tuples(inner, st.integers(1, 50)).map(
            lambda t: (f"({t[0][0]}) % {t[1]}", f"({t[0][1]}) % {t[1]}")
        ),
        st.tuples(inner, st.sampled_from(["<<", ">>"]), st.integers(0, 9)).map(
            lambda t: (f"({t[0][0]} {t[1]} {t[2]})", f"({t[0][1]} {t[1]} {t[2]})")
        ),
    )


def _truth(depth: int) -> st.SearchStrategy[Pair]:
    compare = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    number = _number(2)
    leaf = st.one_of(
        st.tuples(number, compare, number).map(
            lambda t: (f"{t[0][0]} {t[1]} {t[2][0]}", f"{t[0][1]} {t[1]} {t[2][1]}")
        ),
        st.tuples(number, compare, number, compare, number).map(
            lambda t: (
                f"{t[0][0]} {t[1]} {t[2][0]} {t[3]} {t[4][0]}",
                f"{t[0][1]} {t[1]} {t[2][1]} {t[3]} {t[4][1]}",
            )
        ),
        st.just(("C", "c")),
    )
    if depth == 0:
        return leaf
    inner = _truth(depth - 1)
    return st.one_of(
        leaf,
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
            lambda t: (f"{t[0][0]} {t[1]} {t[2][0]}", f"{t[0][1]} {t[1]} {t[2][1]}")
        ),
        inner.map(lambda p: (f"not {p[0]}", f"not {p[1]}")),
        inner.map(lambda p: (f"({p[0]})", f"({p[1]})")),
        st.tuples(inner, inner).map(
            lambda t: (f"(({t[0][0]}) -> {t[1][0]})", f"(not ({t[0][1]}) or ({t[1][1]}))")
        ),
    )


@settings(deadline=None, max_examples=300)
@given(_truth(2), st.lists(st.integers(0, 255), min_size=7, max_size=7))
def test_a_condition_means_what_it_means_in_python(pair: Pair, values: list[int]) -> None:
    text, python = pair
    a, x, b, w, o, t, c = values
    c &= 1
    memory = {BYTE: b, WORD: w, WORD + 1: 0, TABLE + 3: t}
    view = Numbers({"A": a, "X": x, "C": c}, memory, Numbers({"A": o}, {}))
    (condition,) = contract_of(f"; ensures: {text}").ensures
    expected = eval(python, {}, {"a": a, "x": x, "b": b, "w": w, "o": o, "t": t, "c": c})
    assert bool(evaluate(condition.expression, view)) == bool(expected)
    assert condition.text == text


# -- other numbers -----------------------------------------------------------------


class Recorded:
    """A number that has Python's operators but is not an integer, and no truth."""

    def __init__(self, value: int) -> None:
        self.value = int(value)

    def __bool__(self) -> bool:
        raise AssertionError("nobody asks whether such a number is true")


def _operator(name: str) -> object:
    def operate(self: Recorded, other: Recorded | int) -> Recorded:
        plain = other.value if isinstance(other, Recorded) else other
        return Recorded(getattr(int, name)(self.value, plain))

    return operate


_OPERATORS = (
    "add", "radd", "sub", "rsub", "mul", "rmul", "mod", "rmod", "and", "rand", "or", "ror",
    "xor", "rxor", "lshift", "rlshift", "rshift", "rrshift", "eq", "ne", "lt", "le", "gt", "ge",
)  # fmt: skip
for _name in _OPERATORS:
    setattr(Recorded, f"__{_name}__", _operator(f"__{_name}__"))
Recorded.__neg__ = lambda self: Recorded(-self.value)  # type: ignore[attr-defined]


class RecordedView(Numbers):
    """A view with such numbers; addresses may be some too."""

    def register(self, name: str) -> Recorded:  # type: ignore[override]
        """See View."""
        return Recorded(super().register(name))

    def flag(self, name: str) -> Recorded:  # type: ignore[override]
        """See View."""
        return Recorded(super().flag(name))

    def byte(self, address: int | Recorded) -> Recorded:  # type: ignore[override]
        """See View."""
        plain = address.value if isinstance(address, Recorded) else address
        return Recorded(super().byte(plain))


@pytest.mark.parametrize(
    "text",
    [
        "word == $1234 and not A < X",
        "table[X] in 0..9 or table[table[X]] == 5",
        "C -> all j in 0..9: table[j] + -X < $7F << 1",
        "X % 3 == 2, 9 % X == 4, old A > A",
        "all j in 0..3: table[j + X] == X + j",
    ],
)
def test_numbers_may_be_of_any_kind(text: str) -> None:
    view = RecordedView(REGISTERS, MEMORY, RecordedView(OLD.values, OLD.memory))
    for condition in contract_of(f"; ensures: {text}").ensures:
        plain = evaluate(condition.expression, VIEW)
        recorded = evaluate(condition.expression, view)
        assert isinstance(recorded, Recorded)
        assert recorded.value == int(plain)

"""Symbolic numbers are Python's: each expression gives what it gives on plain ints."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.symbolic.numbers.choices import choose, word
from romproof.symbolic.numbers.integers import IntLike, Order, SymInt, bits
from romproof.symbolic.numbers.model_run import Explorer, Path, merge_results
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.numbers.symbytes import ArrayBytes, SymBytes
from romproof.symbolic.terms import term as t

Values = dict[str, int]
Expression = tuple[str, Callable[[Values], Any]]

X = SymInt(t.var("x", 8))
Y = SymInt(t.var("y", 8, 0, 77))


def value(number: IntLike, values: Values) -> int:
    """What a number is for values of its variables; its range must be right too."""
    if not isinstance(number, SymInt):
        return int(number)
    width = number.term.width
    given = {name: np.array([v], dtype=np.uint64) for name, v in values.items()}
    (found,) = t.evaluate([number.term], given)
    plain = int(found[0])
    if number.low < 0 and plain >> (width - 1):
        plain -= 1 << width
    assert number.low <= plain <= number.high
    return plain


UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "~": lambda number: operator.invert(number + 0),  # Python 3.12 warns of that of a bool
    "abs": abs,
    "+": operator.pos,
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<<": lambda a, b: a << (b & 7),
    ">>": lambda a, b: a >> (b & 15),
    "//": lambda a, b: a // (b * 2 | 1) if isinstance(b, int) else a // (abs(b) & 31 | 1),
    "%c": lambda a, b: a % 77,
    "%s": lambda a, b: a % ((b & 31) + 1),
    "//s": lambda a, b: a // ((b & 31) + 1),
    "//c": lambda a, b: a // 10,
    "%p": lambda a, b: a % 64,
    "choose": lambda a, b: choose(a < b, a, b),
}


def trees() -> st.SearchStrategy[Any]:
    """Expressions as nested tuples; their leaves are variables and constants."""
    leaves = st.sampled_from(["x", "y"]) | st.integers(-300, 300)
    return st.recursive(
        leaves,
        lambda inner: (
            st.tuples(st.sampled_from(sorted(UNARY)), inner)
            | st.tuples(st.sampled_from(sorted(set(BINARY) - {"//"})), inner, inner)
        ),
        max_leaves=7,
    )


def compute(tree: Any, names: dict[str, Any]) -> Any:
    if isinstance(tree, str):
        return names[tree]
    if isinstance(tree, int):
        return tree
    arguments = [compute(part, names) for part in tree[1:]]
    return (UNARY if len(arguments) == 1 else BINARY)[tree[0]](*arguments)


@given(trees(), st.integers(0, 255), st.integers(0, 77))
def test_expressions_give_what_pythons_integers_give(tree: Any, x: int, y: int) -> None:
    symbolic = compute(tree, {"x": X, "y": Y})
    assert value(symbolic, {"x": x, "y": y}) == compute(tree, {"x": x, "y": y})


def explored(function: Callable[[], Any], **options: Any) -> tuple[Path, ...]:
    return Explorer(**options).run(function)


def concrete(paths: tuple[Path, ...], values: Values) -> Any:
    """What a run gives for values of the variables: exactly one way is taken."""
    taken = [path for path in paths if all(value(SymInt(c), values) for c in path.conditions)]
    assert len(taken) == 1
    if taken[0].error is not None:
        return type(taken[0].error)
    return taken[0].result


def test_what_is_known_is_plain() -> None:
    assert X - X == 0
    assert type(X & 0) is int
    assert (X < 256) is True
    assert (Y > 77) is False
    assert X == X
    assert (X == "x") is False
    assert SymInt(t.const(7, 8)).low == 7


def test_all_ways_are_followed() -> None:
    def model() -> str:
        if X < 10:
            return "low"
        return "same" if X == Y else "other"

    paths = explored(model)
    assert sorted(path.result for path in paths) == ["low", "other", "same"]
    assert concrete(paths, {"x": 9, "y": 9}) == "low"
    assert concrete(paths, {"x": 10, "y": 10}) == "same"
    assert concrete(paths, {"x": 11, "y": 10}) == "other"


def test_what_follows_from_answers_is_not_asked() -> None:
    def model() -> list[bool]:
        answers = [bool(X < 10), bool(X < 20), bool(X >= 10), bool(X == 5), bool(X == 5)]
        return [*answers, bool((X < 10) & (X != 30))]

    paths = explored(model)
    assert {len(path.conditions) for path in paths} == {2}
    assert [path.result[1:] for path in paths] == [
        [True, False, True, True, True],
        [True, False, False, False, True],
        [True, True, False, False, False],
        [False, True, False, False, False],
    ]


def test_a_number_python_wants_to_know_takes_all_its_values() -> None:
    table = [3, 1, 4, 1, 5, 9, 2, 6]

    def model() -> tuple[int, str, int, list[int]]:
        parity = {0: "even"}.get(X >> 2 & 1, "odd")
        return table[X & 3], parity, int(X >> 7), list(range(X >> 7))

    paths = explored(model)
    assert len(paths) == 16
    assert concrete(paths, {"x": 0x85}) == (1, "odd", 1, [0])
    assert concrete(explored(lambda: [0] * (Y & 3)), {"y": 6}) == [0, 0]
    assert concrete(explored(lambda: X in range(3, 6)), {"x": 4}) is True
    assert concrete(explored(lambda: min(X, Y, 5)), {"x": 200, "y": 4}) is not None
    with pytest.raises(NotSymbolic, match=r"within 0\.\.65535 where Python needs a definite one"):
        explored(lambda: table[X * 257])


def test_an_exception_ends_a_way() -> None:
    def model() -> Any:
        return [1, 2, 3][Y] if X else 10 // X

    paths = explored(model)
    assert concrete(paths, {"x": 0, "y": 0}) is ZeroDivisionError
    assert concrete(paths, {"x": 1, "y": 3}) is IndexError
    assert concrete(paths, {"x": 1, "y": 2}) == 3
    assert concrete(explored(lambda: 1 << X - Y), {"x": 1, "y": 2}) is ValueError
    assert concrete(explored(lambda: (X - Y).to_bytes(1)), {"x": 1, "y": 2}) is OverflowError


def test_division_follows_the_sign() -> None:
    def model() -> Any:
        return divmod(X - 100, Y - 40)

    paths = explored(model)
    for x in (0, 99, 100, 255):
        for y in (0, 39, 40, 41, 77):
            found = concrete(paths, {"x": x, "y": y})
            if y == 40:
                assert found is ZeroDivisionError
            else:
                values = tuple(value(part, {"x": x, "y": y}) for part in found)
                assert values == divmod(x - 100, y - 40)


def test_in_conditions_of_contracts_a_remainder_by_nothing_is_0() -> None:
    assert value(X % Y, {"x": 5, "y": 0}) == 0
    assert value(X % Y, {"x": 5, "y": 3}) == 2


@pytest.mark.slow
def test_the_ways_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubling() -> int:
        return sum(1 for bit in range(5) if X >> bit & 1)

    assert len(explored(doubling)) == 32
    with pytest.raises(NotSymbolic, match=r"more than 20\): .* romproof\.choose\(condition"):
        explored(doubling, most=20)

    def endless() -> None:
        n = X
        while n != 1:
            n = n * 5 + 1 & 0xFF

    monkeypatch.setattr("romproof.symbolic.numbers.model_run.MAX_QUESTIONS", 60)
    with pytest.raises(NotSymbolic, match=r"more than 60 questions .* its loop may not end"):
        explored(endless)

    def deep(n: Any) -> Any:
        return deep(n + 1)

    with pytest.raises(NotSymbolic, match="nest too deeply"):
        explored(lambda: deep(X))


def test_conditions_that_hold_anyway_and_those_that_cannot() -> None:
    assert [p.result for p in explored(lambda: bool(X < 10), assuming=[bits(X < 9, 1)])] == [True]
    asked: list[int] = []

    def feasible(conditions: Any) -> bool:
        asked.append(len(conditions))
        return len(asked) != 1

    (path,) = explored(lambda: bool(X == Y), feasible=feasible)
    assert path.result is False
    assert path.conditions == ()
    assert explored(lambda: bool(X == Y), feasible=lambda conditions: False) == ()


def test_a_model_that_changes_its_mind_is_refused() -> None:
    calls = iter([X < 1, X < 2, X < 3])
    with pytest.raises(NotSymbolic, match="behaves differently from call to call"):
        explored(lambda: bool(next(calls)))


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: X / 2, "only // gives an integer"),
        (lambda: float(X), "float"),
        (lambda: X.bit_length(), "powers of two"),
        (lambda: 3**X, "exponent of 2"),
        (lambda: X**Y, "known exponent"),
        (lambda: 1 << (X << 4), "mask the count"),
        (lambda: bool(X), "a symbolic number has a truth value only in the run of a model"),
        (lambda: choose(X, b"ab", b"abc"), "bytes of 2 and bytes of 3 cannot be one value"),
        (lambda: choose(X, 1, "b"), "a number and str"),
    ],
)
def test_what_cannot_be_done_is_said(use: Callable[[], Any], message: str) -> None:
    with pytest.raises(NotSymbolic, match=message):
        use()


def test_powers_and_counts() -> None:
    values = {"x": 0xB5, "y": 9}
    assert value(X**3, values) == 0xB5**3
    assert value(2 ** (Y & 7), values) == 2
    assert value(X.bit_count(), values) == 5
    assert f"{X}" == repr(X) == "<a number within 0..255>"


CELLS = [SymInt(t.var(f"b{n}", 8)) for n in range(5)]
BYTES = {"b0": 7, "b1": 0x80, "b2": 3, "b3": 255, "b4": 0, "x": 2, "y": 3}


def plain(data: Any) -> list[int]:
    return [value(cell, BYTES) for cell in data]


def test_symbolic_bytes_are_used_like_a_bytearray() -> None:
    data, like = SymBytes(CELLS), bytearray([7, 0x80, 3, 255, 0])
    assert len(data) == 5
    assert data[-1] is CELLS[-1]
    assert plain(data[1:4]) == list(like[1:4])
    assert plain(data[::-1]) == list(like[::-1])
    assert plain(data + b"ab") == [*like, *b"ab"]
    assert plain(b"ab" + data) == [*b"ab", *like]
    data[1], data[3:] = 9, [1, X]
    like[1], like[3:] = 9, bytes([1, 2])
    assert plain(data) == plain(tuple(data)) == list(like)
    assert plain(data.copy()) == list(like)
    assert value(data == like, BYTES) == 1
    assert value(data != like, BYTES) == 0
    assert (data == b"abc") is False
    assert (data == "abc") is False
    for error, wrong in ((ValueError, 256), (TypeError, "a")):
        with pytest.raises(error):
            data[0] = wrong
    with pytest.raises(IndexError):
        data[5]
    with pytest.raises(NotSymbolic, match="a change of their number"):
        data[1:2] = b"ab"


def test_an_index_may_be_symbolic() -> None:
    def model() -> Any:
        data = SymBytes(CELLS)
        first = data[X]
        data[X - 5] = 1
        return first, data[Y & 3], data

    paths = explored(model)
    first, other, data = concrete(paths, BYTES)
    assert (value(first, BYTES), value(other, BYTES)) == (3, 255)
    assert plain(data) == [7, 0x80, 1, 255, 0]
    assert concrete(paths, {**BYTES, "x": 5}) is IndexError


def test_the_bytes_may_be_those_of_an_array() -> None:
    memory = np.arange(65536, dtype=np.uint64).astype(np.uint8)[None]
    array = t.array_var("m")

    def model() -> Any:
        data = ArrayBytes(array, 0x1234, 5)
        if X > Y:
            data[Y] = data[X]
        data[1] = 9
        return data

    def seen(data: Any) -> list[int]:
        given = {"x": np.array([2], np.uint64), "y": np.array([0], np.uint64)}
        return [int(v[0]) for v in t.evaluate(data.terms(), given, {"m": memory})]

    paths = [path for path in explored(model) if path.error is None]
    data = merge_results(paths)
    assert isinstance(data, ArrayBytes)
    assert seen(data) == [0x36, 9, 0x36, 0x37, 0x38]
    assert data == data.copy()
    assert (data == ArrayBytes(array, 0x1234, 5)) is not True
    with pytest.raises(IndexError):
        data[5]


def test_ways_become_one_result() -> None:
    def model() -> Any:
        if X == 3:
            return {"a": X, "m": [1, 2]}
        return {"a": Y if X < 3 else 7, "m": (Y, 3)}

    result = merge_results(explored(model))
    for x in (2, 3, 4):
        found = {
            "a": value(result["a"], {"x": x, "y": 9}),
            "m": [value(n, {"x": x, "y": 9}) for n in result["m"]],
        }
        assert found == {"a": {2: 9, 3: 3, 4: 7}[x], "m": [1, 2] if x == 3 else [9, 3]}
    with pytest.raises(NotSymbolic, match="tuple of 1 and a number cannot be one value"):
        merge_results(explored(lambda: (1,) if X else 2))


def test_words() -> None:
    orders: tuple[Order, ...] = ("big", "little")
    for order, number in zip(orders, (0x0780_03FF_00, 0x00FF_0380_07), strict=True):
        assert value(word(CELLS, order), BYTES) == number
        assert word(b"\x12\x34", order) == int.from_bytes(b"\x12\x34", order)
        assert plain(word(CELLS, order).to_bytes(5, order)) == [7, 0x80, 3, 255, 0]
    with pytest.raises(ValueError, match="byteorder"):
        word(b"ab", "middle")  # type: ignore[arg-type]


def test_choices() -> None:
    assert choose(True, 1, "a") == 1
    assert choose(X < 0, 1, 2) == 2
    assert plain([choose(X < 3, X, Y), choose(X > 3, X, Y)]) == [2, 3]
    assert plain(choose(X > 3, b"ab", SymBytes(CELLS[:2], bytes))) == [7, 0x80]
    assert choose(X, (1, 2), (1, 2)) == (1, 2)


def sort(x: Any, y: Any) -> Any:
    numbers = [x, y, x ^ y & 0x7F]
    return tuple(sorted(numbers)), max(numbers), min(numbers), sum(numbers)


def by_subtraction(x: Any, y: Any) -> Any:
    quotient, divisor = 0, y | 32
    while x >= divisor:
        x, quotient = x - divisor, quotient + 1
    return quotient, x


def rotate(x: Any, y: Any) -> Any:
    data = SymBytes([x, y, 3, 4]) if isinstance(x, SymInt) else bytearray([x, y, 3, 4])
    for place in range(3):
        if data[place] > data[place + 1]:
            data[place], data[place + 1] = data[place + 1], data[place]
    data[y & 3] ^= 0x55
    return tuple(data), word(data, "little"), data[x & 3]


def saturate(x: Any, y: Any) -> Any:
    signed = x - 256 if x & 0x80 else x
    total = signed + y - 38
    if not -128 <= total <= 127:
        total = -128 if total < 0 else 127
    return total & 0xFF, abs(total), total >> 1, -total // 3


def lists(x: Any, y: Any) -> Any:
    table = {0: 5, 1: 7}
    count = 0
    for bit in range(4):
        if x >> bit & 1:
            count += table[y & 1]
    return count, x in (3, 4, 5), [1, 2, 3, 4][y % 4], len(range(x & 3))


@cache
def one_result(model: Any) -> Any:
    return merge_results(explored(lambda: model(X, Y)))


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([sort, by_subtraction, rotate, saturate, lists]),
    st.integers(0, 255),
    st.integers(0, 77),
)
def test_models_with_branches_give_what_they_give_on_ints(model: Any, x: int, y: int) -> None:
    assert flat(one_result(model), {"x": x, "y": y}) == flat(model(x, y), {})


def flat(result: Any, values: Values) -> list[int]:
    if isinstance(result, (tuple, list, SymBytes)):
        return [number for part in result for number in flat(part, values)]
    return [value(result, values)]

"""Questions to the solver whose answers are known: arrays, tables, two ways to compute."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest
from smt_cpu import Mos6502, number_of, word_of

from romproof.symbolic.solve import backends
from romproof.symbolic.solve.effort import Effort
from romproof.symbolic.solve.solver import Answer, Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Term

pytest.importorskip("z3")

A, B = t.var("a", 8), t.var("b", 8)
W = t.var("w", 16)
ARRAY = t.array_var("m")


def k(number: int, width: int = 8) -> Term:
    return t.const(number, width)


@pytest.fixture
def solver() -> Solver:
    return Solver()


def holds(answer: Answer, conditions: Sequence[Term]) -> bool:
    """Whether the model makes all conditions true."""
    assert answer.kind == "sat"
    assert answer.model is not None
    return all(answer.model.value(condition) for condition in conditions)


# ---------------------------------------------------------------- conditions


def test_a_model_fulfils_the_conditions(solver: Solver) -> None:
    conditions = [
        t.eq(t.mul(t.zext(A, 16), t.zext(B, 16)), k(143 * 113, 16)),
        t.ult(A, B),
        t.ult(k(1), A),
    ]
    assert holds(solver.check(conditions), conditions)


def test_what_cannot_be(solver: Solver) -> None:
    assert solver.check([t.ult(A, B), t.ult(B, A)]).kind == "unsat"
    assert solver.check([t.eq(A, k(3)), t.eq(A, k(4))]).kind == "unsat"
    assert solver.check([t.FALSE]).kind == "unsat"
    square = t.mul(t.zext(A, 16), t.zext(A, 16))
    assert solver.check([t.eq(square, k(200, 16))]).kind == "unsat"


def test_nothing_is_always_true(solver: Solver) -> None:
    assert solver.check([]).kind == "sat"
    assert solver.check([t.TRUE]).kind == "sat"


def test_bounds_of_variables_are_kept(solver: Solver) -> None:
    card = t.var("card", 8, 0, 77)
    assert solver.check([t.eq(t.extract(t.mul(card, card), 0, 1), t.TRUE)]).kind == "sat"
    doubled = t.add(t.zext(card, 16), t.zext(card, 16))
    odd = t.xor(t.mul(doubled, W), k(1, 16))
    assert solver.check([t.ult(k(154, 16), t.xor(odd, odd))]).kind == "unsat"
    wide = t.var("card", 8)
    assert solver.check([t.ult(card, k(70)), t.eq(wide, k(100))]).kind == "unsat"
    answer = solver.check([t.ult(k(70), card), t.eq(t.and_(wide, k(7)), k(5))])
    assert holds(answer, [t.eq(wide, k(77))])


@pytest.mark.parametrize("width", [1, 8, 16, 70])
def test_values_of_all_widths(solver: Solver, width: int) -> None:
    one, two = t.var(f"one{width}", width), t.var(f"two{width}", width)
    conditions = [t.eq(t.xor(one, two), k(-1, width)), t.eq(t.extract(one, 0, 1), t.TRUE)]
    assert holds(solver.check(conditions), conditions)


def test_tables(solver: Solver) -> None:
    some = bytes((number * number * 7 + 3) & 0xFF for number in range(256))
    conditions = [t.eq(t.lookup(some, A), t.lookup(some, B)), t.ult(A, B), t.ult(B, k(120))]
    pairs = [(a, b) for b in range(120) for a in range(b) if some[a] == some[b]]
    answer = solver.check(conditions)
    assert (answer.kind == "sat") == bool(pairs)
    never = next(number for number in range(256) if number not in some)
    assert solver.check([t.eq(t.lookup(some, t.xor(A, B)), k(never))]).kind == "unsat"


def test_the_same_question_has_the_same_answer() -> None:
    conditions = [t.eq(t.mul(W, W), k(17 * 17, 16)), t.ult(k(1000, 16), W)]
    answers = [Solver().check(conditions) for _ in range(2)]
    assert answers[0].model is not None
    assert answers[1].model is not None
    assert answers[0].model.values == answers[1].model.values


# ---------------------------------------------------------------- arrays


def test_arrays(solver: Solver) -> None:
    place = t.var("place", 16)
    stored = t.store(ARRAY, place, A)
    read = t.load(stored, k(100, 16))
    conditions = [t.eq(read, k(3)), t.eq(A, k(9))]
    answer = solver.check(conditions)
    assert holds(answer, conditions)
    assert answer.model is not None
    assert answer.model.array("m")[100] == 3
    assert solver.check([*conditions, t.eq(place, k(100, 16))]).kind == "unsat"


def test_loads_at_the_same_address_agree(solver: Solver) -> None:
    other = t.var("other", 16)
    first, second = t.load(ARRAY, W), t.load(ARRAY, other)
    assert solver.check([t.eq(W, other), t.not_(t.eq(first, second))]).kind == "unsat"
    through = t.load(ARRAY, t.concat(first, second))
    conditions = [t.eq(through, k(0x77)), t.eq(first, k(0x12)), t.not_(t.eq(W, other))]
    assert holds(solver.check(conditions), conditions)


def test_a_copy_is_what_was_copied(solver: Solver) -> None:
    base, index = t.var("base", 16), t.var("index", 16, 0, 7)
    copied = ARRAY
    for number in range(8):
        byte = t.load(ARRAY, t.add(base, k(number, 16)))
        copied = t.store(copied, t.add(base, k(64 + number, 16)), byte)
    there = t.load(copied, t.add(t.add(base, k(64, 16)), index))
    here = t.load(ARRAY, t.add(base, index))
    assert solver.equal(there, here).kind == "unsat"
    beyond = t.load(copied, t.add(t.add(base, k(65, 16)), index))
    assert solver.equal(beyond, here).kind == "sat"


def test_a_choice_of_arrays(solver: Solver) -> None:
    condition = t.ult(A, B)
    chosen = t.array_ite(condition, t.store(ARRAY, W, A), t.store(ARRAY, W, B))
    assert solver.equal(t.load(chosen, W), t.ite(condition, A, B)).kind == "unsat"


# ---------------------------------------------------------------- equality


def sorted_by(cells: Sequence[Term], pairs: Sequence[tuple[int, int]]) -> Term:
    found = list(cells)
    for low, high in pairs:
        swap = t.ult(found[high], found[low])
        one, other = found[low], found[high]
        found[low], found[high] = t.ite(swap, other, one), t.ite(swap, one, other)
    return t.concat(*found)


@pytest.mark.slow
def test_two_ways_to_sort(solver: Solver) -> None:
    cells = word_of("cell", 5)
    bubbles = [(n, n + 1) for end in range(4, 0, -1) for n in range(end)]
    network = [(0, 1), (3, 4), (2, 4), (2, 3), (1, 4), (0, 3), (0, 2), (1, 3), (1, 2)]
    assert solver.equal(sorted_by(cells, network), sorted_by(cells, bubbles)).kind == "unsat"
    assert solver.equal(sorted_by(cells, network[:-1]), sorted_by(cells, bubbles)).kind == "sat"


@pytest.mark.slow
def test_many_steps_are_compared_one_by_one(solver: Solver) -> None:
    box = bytes((number * 167 ^ number >> 3 ^ 0x5A) & 0xFF for number in range(256))
    one = other = word_of("cell", 4)
    for _ in range(6):
        one = [t.xor(t.lookup(box, cell), one[n - 3]) for n, cell in enumerate(one)]
        other = [added(t.lookup(box, cell), other[n - 3]) for n, cell in enumerate(other)]
    assert solver.equal(number_of(one), number_of(other)).kind == "unsat"


def added(a: Term, b: Term) -> Term:
    """XOR in another way."""
    return t.sub(t.or_(a, b), t.and_(a, b))


def test_a_product_by_shifts_and_sums(solver: Solver) -> None:
    total = k(0, 16)
    for bit in range(8):
        shifted = t.mul(t.zext(A, 16), k(1 << bit, 16))
        total = t.add(total, t.ite(t.extract(B, bit, 1), shifted, k(0, 16)))
    product = t.mul(t.zext(A, 16), t.zext(B, 16))
    assert solver.equal(total, product).kind == "unsat"
    assert solver.equal(total, t.add(product, t.zext(t.eq(A, k(255)), 16))).kind == "sat"


def test_equal_where_something_is_assumed(solver: Solver) -> None:
    small = t.ult(A, k(16))
    nibbles = t.lookup(bytes(number & 15 for number in range(256)), A)
    assert solver.equal(nibbles, A).kind == "sat"
    assert solver.equal(nibbles, A, [small]).kind == "unsat"
    assert solver.equal(A, B, [t.ult(A, k(1)), t.ult(B, k(1))]).kind == "unsat"
    assert solver.equal(A, B, [t.ult(A, B), t.ult(B, A)]).kind == "unsat"


def test_a_difference_is_shown(solver: Solver) -> None:
    cpu = Mos6502()
    x, y = word_of("x", 4), word_of("y", 4)
    right = number_of(cpu.chain("adc", x, y, t.FALSE))
    forgotten = number_of([*cpu.chain("adc", x[:3], y[:3], t.FALSE), t.add(x[3], y[3])])
    answer = solver.equal(right, forgotten)
    assert holds(answer, [t.not_(t.eq(right, forgotten))])


@pytest.fixture
def factors() -> list[Term]:
    """That a number of 64 bits is a product: it is of two primes, and hard to find out."""
    one, two = t.var("one32", 32), t.var("two32", 32)
    wide = t.mul(t.zext(one, 64), t.zext(two, 64))
    prime = 0xFFFFFFFB * 0xFFFFFFEF
    return [t.eq(wide, k(prime, 64)), t.not_(t.ult(two, one)), t.ult(k(1, 32), one)]


def test_there_is_an_end(factors: list[Term]) -> None:
    effort = Effort(quick=1_000, pair=1_000, thorough=20_000, witness=5)
    answer = Solver(effort).check(factors)
    assert answer.kind == "unknown"
    assert str(answer.reason).startswith("z3 has no answer within 20,000 resource units")


@pytest.mark.slow
def test_more_effort_finds_more(factors: list[Term]) -> None:
    effort = Effort(quick=1_000, pair=1_000, thorough=20_000, witness=5)
    assert holds(Solver(effort.times(1_000)).check(factors), factors)


# ---------------------------------------------------------------- what it needs


def test_without_z3_it_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['z3'] = None\n"
        "from romproof.symbolic.terms import term as t\n"
        "from romproof.symbolic.solve.solver import Solver\n"
        "from romproof.text.errors import MissingExtra\n"
        "a, b = t.var('a', 8), t.var('b', 8)\n"
        "try:\n"
        "    Solver().check([t.ult(a, b), t.ult(b, a)])\n"
        "except MissingExtra as missing:\n"
        "    print(missing)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == 'a proof needs z3: pip install "romproof[prove]"\n'


def test_inputs_are_tried_before_z3_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> None:
        raise AssertionError("z3 was asked")

    monkeypatch.setattr(backends, "need_z3", never)
    assert Solver().check([t.ult(A, B)]).kind == "sat"

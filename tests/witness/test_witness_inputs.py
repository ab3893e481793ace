"""Which inputs are executed, and in what surroundings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from witness_programs import Plan, Point, rom_of, routine_6502, seen, statements, subject_in

from romproof.witness.columns import hold
from romproof.witness.domains import contrast, find_allowed, machines, values_of
from romproof.witness.inputs import inputs_of
from romproof.witness.setting import settings_of
from romproof.witness.subject import Subject

EOR = ("in: A X; out: A; clobbers: N Z tmp; ensures: A == old A ^ X", "stx tmp/eor tmp/rts")
NARROW = (
    "in: wide ptr; requires: wide ^ ptr * 5 == $123456789ABC, ptr > 3; out: none; clobbers: A N Z",
    "lda wide/rts",
)


def subject(contract: str, code: str, **more: tuple[int, int]) -> Subject:
    return subject_in(rom_of(routine_6502(contract, code)), **more)


def narrow(count: int) -> Iterator[Point]:
    """Inputs that NARROW allows, as a solver gives them."""
    address = subject(*NARROW).cells[0]
    for ptr in range(4, 4 + count):
        wide = 0x123456789ABC ^ 5 * ptr
        data = wide.to_bytes(8, "little") + ptr.to_bytes(2, "little")
        yield Point({}, dict(enumerate(data, address)))


def test_all_inputs_where_there_are_few() -> None:
    found = seen(*EOR)
    assert (found.exhaustive, found.inputs) == (True, 0x10000)
    assert found.runs >= found.inputs


@pytest.mark.parametrize(
    ("fields", "inputs"),
    [
        ("in: A; requires: A in 3..12", 10),
        ("in: A; requires: A & 3 == 1", 64),
        ("in: C; requires: C", 1),
        ("in: none", 1),
        ("in: ptr; requires: ptr in 5..600", 596),
        ("in: A X C; requires: A < X, X <= 100", 2 * 5050),
        ("in: wide; requires: wide == $1122334455667788", 1),
    ],
)
def test_all_allowed_inputs_are_counted(fields: str, inputs: int) -> None:
    found = seen(f"{fields}; out: none", "rts")
    assert (found.inputs, found.exhaustive) == (inputs, True)
    assert found.runs >= max(1000, inputs)
    assert found.agrees


def test_no_input_is_allowed() -> None:
    found = seen("in: A; requires: A * A == 2; out: none", "rts")
    assert (found.runs, found.inputs) == (0, 0)


def test_thousands_of_inputs_where_there_are_more() -> None:
    found = seen(
        "in: arr[16]; requires: arr[0] < arr[1]; out: none; clobbers: A N Z", "lda arr/rts"
    )
    assert not found.exhaustive
    assert found.inputs >= 1000
    assert found.runs >= found.inputs


@pytest.mark.parametrize(
    "wrong",
    ["wide != 0", "wide != $FFFFFFFFFFFFFFFF", "wide != $8080808080808080", "wide[3] != 255"],
)
def test_notable_values_are_among_them(wrong: str) -> None:
    found = seen(f"in: wide; out: none; ensures: {wrong}", "rts")
    assert statements(found) == [f"ensures {wrong}"]


def test_equal_values_are_among_them() -> None:
    found = seen("in: wide ptr; out: none; ensures: wide[2] != ptr[1] or wide[2] < 77", "rts")
    assert not found.agrees


def test_a_narrow_precondition_asks_for_inputs() -> None:
    asked = []

    def draw(count: int) -> list[Point]:
        asked.append(count)
        return list(narrow(300))

    found = seen(*NARROW, draw=draw)
    assert asked == [1000]
    assert found.inputs == 300
    assert found.runs >= 1000
    assert found.agrees


def test_what_is_drawn_must_be_allowed() -> None:
    found = seen(*NARROW, draw=lambda count: [Point({}, {0x90: 1})])
    assert found.runs == 0


def test_extra_inputs_are_executed() -> None:
    rare = "in: wide; out: none; ensures: wide != $123456789ABCDEF0"
    address = subject(rare, "rts").cells[0]
    assert seen(rare, "rts").agrees
    data = 0x123456789ABCDEF0.to_bytes(8, "little")
    found = seen(rare, "rts", extra=[Point({}, dict(enumerate(data, address)))])
    (one,) = found.disagreements
    assert bytes(one.input.memory.values()) == data


def test_the_smallest_input_is_told() -> None:
    found = seen("in: A X; out: none; ensures: A < 77 or X < 33", "rts")
    (one,) = found.disagreements
    assert one.input == Point({"a": 77, "x": 33})
    assert str(one) == "ensures A < 77 or X < 33: it does not hold, for A=$4D, X=$21"
    assert one.before.registers["a"] == 77
    assert len(one.before.memory) == 0x10000


def test_equal_arguments_give_equal_runs() -> None:
    wrong = ("in: wide A; out: none; ensures: wide[1] < A or wide[2] < 200", "rts")
    assert seen(*wrong) == seen(*wrong)


def test_pairs_of_runs_have_equal_inputs_and_nothing_else() -> None:
    it = subject("in: A arr[16]; requires: A < 16, arr[A] < 9, tmp < 7; out: X", "ldx tmp/rts")
    chance = np.random.default_rng(1)
    one, other = settings_of(it, chance)
    rows = inputs_of(it, one, 50, 0, None, (), chance, lambda found: np.ones(len(found), bool)).rows
    assert len(rows) >= 50
    first = machines(it, one, rows, chance)
    second = contrast(it, other, first, chance)
    assert find_allowed(it, first).all()
    assert find_allowed(it, second).all()
    (limit,) = (c for c in it.contract.requires if c.text == "tmp < 7")
    assert hold(limit, second, second).all()
    inputs = [n for n, key in enumerate(it.keys) if key in it.inputs]
    same = values_of(it, first)[:, inputs] == values_of(it, second)[:, inputs]
    assert same.all()
    for name in ("x", "y", "n", "v", "i", "z", "c", "s"):
        assert (first.registers[name] != second.registers[name]).all()
    assert not first.registers["d"].any()
    assert not second.registers["d"].any()
    varied = np.frombuffer(it.fixed, np.uint8) == 0
    varied[list(it.abi.on_stack(one.stack, one.stack + 2))] = False
    varied[list(it.abi.on_stack(other.stack, other.stack + 2))] = False
    assert (one.base != other.base)[varied].all()
    assert (one.base == other.base)[np.frombuffer(it.fixed, np.uint8) != 0].all()
    assert one.ends != other.ends


def test_the_stack_pointer_stays_within_its_range() -> None:
    it = subject("in: none; out: none; stack: 6", "rts", stack=(0x80, 0x90))
    assert set(it.pointers) == set(range(0x80, 0x91))
    assert it.pointers[:2] == (0x90, 0x80)
    assert {0x8F, 0x90} <= set(it.pointers[:6])


def test_the_stack_never_lies_on_inputs() -> None:
    it = subject("in: $01F0[4]; out: none; stack: 6", "rts")
    for pointer in it.pointers:
        assert not set(range(0x1F0, 0x1F4)) & set(it.window(pointer))


def test_a_state_that_depends_on_the_stack_pointer_as_an_input() -> None:
    assert seen("in: S; out: X; clobbers: N Z", "tsx/rts").agrees


def test_a_contract_without_a_list_of_inputs_may_read_every_register() -> None:
    found = seen("out: A; clobbers: N Z; cycles: 8", "txa/rts", plan=Plan(runs=200))
    assert found.agrees
    assert not found.exhaustive

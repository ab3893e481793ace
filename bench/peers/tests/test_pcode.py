"""The interpreter of p-code does what SLEIGH's reference says, without SLEIGH."""

from __future__ import annotations

from itertools import product

import peers_path  # noqa: F401
import pytest
from every_case import every_case
from peers.pcode import CONST, RAM, REGISTER, UNIQUE, NotModelled, Op, Place, State, execute
from peers.watched import Watched

A, B = Place(REGISTER, 0, 1), Place(REGISTER, 1, 1)
OUT = Place(UNIQUE, 0x80, 1)
WORD = Place(REGISTER, 4, 2)
FOLLOWING = 0x0203


def const(value: int, size: int = 1) -> Place:
    return Place(CONST, value, size)


def value_of(name: str, *inputs: Place, out: Place = OUT) -> int:
    state = State({})
    execute([Op(name, inputs, out)], state, 0)
    return state.read(out)


def signed(byte: int) -> int:
    return byte - 256 if byte >= 128 else byte


EDGES = (0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF)
BYTES = {
    "INT_ADD": lambda a, b: (a + b) % 256,
    "INT_SUB": lambda a, b: (a - b) % 256,
    "INT_MULT": lambda a, b: a * b % 256,
    "INT_AND": lambda a, b: a & b,
    "INT_OR": lambda a, b: a | b,
    "INT_XOR": lambda a, b: a ^ b,
    "INT_LEFT": lambda a, b: (a << b) % 256 if b < 8 else 0,
    "INT_RIGHT": lambda a, b: a >> b if b < 8 else 0,
    "INT_SRIGHT": lambda a, b: (signed(a) >> min(b, 7)) % 256,
    "INT_EQUAL": lambda a, b: a == b,
    "INT_NOTEQUAL": lambda a, b: a != b,
    "INT_LESS": lambda a, b: a < b,
    "INT_LESSEQUAL": lambda a, b: a <= b,
    "INT_SLESS": lambda a, b: signed(a) < signed(b),
    "INT_SLESSEQUAL": lambda a, b: signed(a) <= signed(b),
    "INT_CARRY": lambda a, b: a + b > 255,
    "INT_SCARRY": lambda a, b: not -128 <= signed(a) + signed(b) <= 127,
    "INT_SBORROW": lambda a, b: not -128 <= signed(a) - signed(b) <= 127,
}


@every_case("name", BYTES)
def test_two_bytes(name: str) -> None:
    for a, b in product(EDGES, EDGES):
        assert value_of(name, const(a), const(b)) == BYTES[name](a, b), (a, b)


@pytest.mark.parametrize(
    ("name", "inputs", "size", "result"),
    [
        ("COPY", (const(0x12),), 1, 0x12),
        ("INT_NEGATE", (const(0x0F),), 1, 0xF0),
        ("INT_2COMP", (const(1),), 1, 0xFF),
        ("INT_ZEXT", (const(0x80),), 2, 0x0080),
        ("INT_SEXT", (const(0x80),), 2, 0xFF80),
        ("INT_DIV", (const(200), const(7)), 1, 28),
        ("INT_REM", (const(200), const(7)), 1, 4),
        ("INT_SDIV", (const(0xF9), const(2)), 1, 0xFD),  # -7 / 2 is -3, towards zero
        ("INT_SREM", (const(0xF9), const(2)), 1, 0xFF),
        ("BOOL_NEGATE", (const(0),), 1, 1),
        ("BOOL_AND", (const(1), const(0)), 1, 0),
        ("BOOL_OR", (const(1), const(0)), 1, 1),
        ("BOOL_XOR", (const(1), const(1)), 1, 0),
        ("PIECE", (const(0x12), const(0x34)), 2, 0x1234),
        ("SUBPIECE", (const(0x123456, 3), const(1)), 2, 0x1234),
        ("POPCOUNT", (const(0xF1),), 1, 5),
        ("LZCOUNT", (const(0x1F),), 1, 3),
    ],
)
def test_others(name: str, inputs: tuple[Place, ...], size: int, result: int) -> None:
    assert value_of(name, *inputs, out=Place(UNIQUE, 0x80, size)) == result


def test_numbers_have_their_lowest_byte_first() -> None:
    state = State({})
    state.write(WORD, 0x1234)
    assert (state.register[4], state.register[5]) == (0x34, 0x12)


def test_memory_ends_where_it_begins() -> None:
    ram = Watched([0] * 0x10000)
    state = State(ram)
    execute([Op("STORE", (const(0xFFFF, 2), const(0x1234, 2)), space=RAM)], state, 0)
    assert ram.written == [(0x0000, 0x12), (0xFFFF, 0x34)]
    execute([Op("LOAD", (const(0xFFFF, 2),), WORD, space=RAM)], state, 0)
    assert state.read(WORD) == 0x1234


def test_a_branch_leads_to_an_address() -> None:
    there = Place(RAM, 0x1234, 2)
    assert execute([Op("BRANCH", (there,))], State({}), FOLLOWING) == 0x1234
    taken = [Op("CBRANCH", (there, const(1)))]
    assert execute(taken, State({}), FOLLOWING) == 0x1234
    not_taken = [Op("CBRANCH", (there, const(0)))]
    assert execute(not_taken, State({}), FOLLOWING) == FOLLOWING


def test_a_jump_through_a_register() -> None:
    state = State({})
    state.write(WORD, 0x4321)
    assert execute([Op("BRANCHIND", (WORD,))], state, FOLLOWING) == 0x4321


def test_a_branch_within_the_operations_counts_them() -> None:
    """A loop: A = 3; B += 2, as often as A is not 0."""
    ops = [
        Op("COPY", (const(3),), A),
        Op("INT_ADD", (B, const(2)), B),
        Op("INT_SUB", (A, const(1)), A),
        Op("CBRANCH", (const(0xFFFFFFFE, 4), A)),
        Op("BRANCH", (const(2),)),
        Op("COPY", (const(99),), B),
    ]
    state = State({})
    assert execute(ops, state, FOLLOWING) == FOLLOWING
    assert (state.read(A), state.read(B)) == (0, 6)


@pytest.mark.parametrize(
    ("op", "why"),
    [
        (Op("CALLOTHER", (const(0),), called="daa"), "daa: no more than a name"),
        (Op("FLOAT_ADD", (A, B), A), "the operation FLOAT_ADD"),
        (Op("INT_DIV", (A, const(0)), A), "a division by zero"),
        (Op("BRANCH", (const(0),)), "an endless loop"),
    ],
)
def test_what_has_no_meaning_is_told(op: Op, why: str) -> None:
    with pytest.raises(NotModelled, match=why):
        execute([op], State({}), FOLLOWING)


def test_pypcode_s_operations_are_understood() -> None:
    pypcode = pytest.importorskip("pypcode")
    from peers.sleigh import run

    context = pypcode.Context("6502:LE:16:default")
    before = {"a": 0x7F, "x": 0, "y": 0, "s": 0xFD, "p": 0x20, "pc": 0x0200}
    case = {"before": before, "ram": [(0x0200, 0xE9), (0x0201, 0x01)]}
    result = run(context, "6502", case, bytes(0x10000))
    assert result["after"]["a"] == 0x7D  # sbc #1 with a borrow
    assert result["after"]["pc"] == 0x0202
    case = {"before": before, "ram": [(0x0200, 0x20), (0x0201, 0x34), (0x0202, 0x12)]}
    result = run(context, "6502", case, bytes(0x10000))
    assert result["written"] == [(0x01FC, 0x03), (0x01FD, 0x02)]  # chips push $0202

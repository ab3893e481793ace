"""``pointer:`` in contracts: the block that begins where a pointer of the entry leads."""

from __future__ import annotations

import pytest
from headers import contract_of, fault_of

from romproof.contract.nouns.expr import MemoryValue, Old, PointedByte, walk
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.reading.pointers import place_blocks

FIELDS = "; in: A X word long[4] src\n; pointer: word -> src[16]\n"


def test_a_block_is_no_memory_of_the_lists() -> None:
    contract = contract_of(f"{FIELDS}; clobbers: A")
    (pointer,) = contract.pointers
    assert (pointer.name, pointer.most, pointer.fields) == ("src", 16, {"in"})
    assert isinstance(pointer.base, MemoryValue)
    assert "src" not in [getattr(item, "name", "") for item in contract.inputs]


def test_its_bytes_are_those_at_the_pointer_of_the_entry() -> None:
    contract = contract_of(f"{FIELDS}; ensures: A == src[3], X == old src[X], A == &src % 256")
    plain, of_entry, address = contract.ensures
    (byte,) = [e for e in walk(plain.expression) if isinstance(e, PointedByte)]
    assert isinstance(byte.base, Old)
    (byte,) = [e for e in walk(of_entry.expression) if isinstance(e, PointedByte)]
    assert isinstance(byte.base, MemoryValue)
    assert any(isinstance(e, Old) for e in walk(address.expression))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (FIELDS, ["within 64 KiB", "apart from the stack"]),
        (
            FIELDS + "; out: table",
            ["within 64 KiB", "apart from table", "apart from the stack"],
        ),
        (
            "; in: word long src\n; pointer: word -> src[16]\n; out: src",
            ["within 64 KiB", "apart from word, long", "apart from the stack"],
        ),
        (
            "; in: A word long[2] src\n; pointer: word -> src[16]\n; pointer: long -> dst[A <= 9]\n"
            "; out: dst",
            [
                *("within 64 KiB", "apart from the stack", "within 64 KiB"),
                *("apart from word, long", "apart from the stack", "apart from src"),
            ],
        ),
    ],
)
def test_where_it_may_lie_is_required(fields: str, expected: list[str]) -> None:
    texts = [
        c.text.partition(" lies ")[2] for c in contract_of(fields).requires if "lies" in c.text
    ]
    assert texts == expected


def test_a_size_with_its_most_is_required() -> None:
    contract = contract_of("; in: word X src\n; pointer: word -> src[X <= 40]\n; clobbers: A")
    assert contract.requires[0].text == "X <= 40"
    assert contract.pointers[0].most == 40


def test_at_a_place_it_is_memory() -> None:
    contract = contract_of("; in: word X src\n; pointer: word -> src[X <= 40]\n; out: src")
    one = place_blocks(contract, ((0x1234, 7),))
    assert MemoryRange("src", 0x1234, 7) in one.inputs
    assert MemoryRange("src", 0x1234, 7) in one.outputs
    assert not one.pointers
    assert len(one.requires) == len(contract.requires) + 2
    assert place_blocks(contract, ((0x1234, 7),)) is one


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("; in: word src\n; pointer: word src[4]", "cannot be read"),
        ("; in: word src\n; pointer: word -> src", "cannot be read"),
        ("; in: byte src\n; pointer: byte -> src[4]", "is not a pointer"),
        ("; in: A src\n; pointer: A -> src[4]", "is not a pointer"),
        ("; in: src\n; pointer: nothing -> src[4]", "nothing"),
        ("; in: src\n; pointer: word -> src[4]", "not listed under 'in:'"),
        ("; in: word\n; pointer: word -> src[4]", "neither read nor changed"),
        ("; out: src\n; pointer: word -> src[4]", "must list its inputs"),
        ("; in: word src\n; pointer: word -> src[0]", "1..32768"),
        ("; in: word src\n; pointer: word -> src[word]", "1..32768"),
        ("; in: word src X\n; pointer: word -> src[X - 1]", "must not be negative"),
        ("; in: word src\n; pointer: word -> src[X]", "not listed under 'in:'"),
        ("; in: word src[4]\n; pointer: word -> src[4]", "already has a size"),
        ("; in: word src, src\n; pointer: word -> src[4]", "listed twice"),
        ("; in: word table\n; pointer: word -> table[4]", "a symbol in the program"),
        ("; in: word A\n; pointer: word -> A[4]", "a register or flag"),
        ("; in: word src\n; pointer: word -> src[4]\n; pointer: word -> src[4]", "two blocks"),
        ("; in: word src\n; pointer: word -> src[4]\n; ensures: src == 4", "no number"),
        ("; in: word src\n; pointer: word -> src[4]\n; ensures: src[4] == 4", "not within"),
        ("; kind: interrupt\n; in: word src\n; pointer: word -> src[4]", "handler"),
        ("; in: word\n; pointer: word -> key[4]\n; out: key\n; secret: key", "not an input"),
        ("; in: word src\n; pointers: word -> src[4]", "did you mean 'pointer'"),
    ],
)
def test_what_cannot_be_is_refused(fields: str, message: str) -> None:
    assert message in fault_of(fields)

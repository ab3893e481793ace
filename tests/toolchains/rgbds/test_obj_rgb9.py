"""Object files of RGBDS: what rgbasm 1.0.3 wrote, and what is no object."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.toolchains.rgbds.obj.model import (
    AssertionKind,
    Modifier,
    Node,
    NodeKind,
    ObjSection,
    PatchKind,
    RgbdsObject,
    SourcePosition,
    SymbolKind,
)
from romproof.toolchains.rgbds.obj.rgb9 import MalformedObject, read_object, write_object
from romproof.toolchains.rgbds.obj.rpn import RpnOp, RpnStep
from romproof.toolchains.rgbds.obj.types import SectionType

# What rgbasm 1.0.3 makes of this file, called t.asm:
#
#   SECTION FRAGMENT "code", ROMX, ALIGN[3, 1]
#   main::
#   rept 2
#     call far + BANK("code")
#   endr
#   SECTION "vars", WRAM0[$C010]
#   small: ds 2
#   assert WARN, main < 5, "no"
RGBASM = bytes.fromhex(
    "524742390d000000030000000200000003000000000000000300000000010000000200000000000000030000"
    "00000100000001000000ffffffff0000000001742e61736d0066617200016d61696e00020000000002000000"
    "0000000000000000736d616c6c000000000000070000000100000000000000636f6465000000000001000000"
    "0600000042ffffffffffffffff0301000000cd0000cd00000200000002000000040000000400000000000000"
    "03000000010c000000810000000051636f646500000100000004000000010000000000000000000000010c00"
    "0000810000000051636f6465000076617273000000000006000000020000000010c000000000000000000000"
    "00010000000000000008000000020000000100000002000000000b00000081010000008005000000336e6f00"
)


def test_what_rgbasm_wrote() -> None:
    obj = read_object(RGBASM, "t.o")
    file, first, second = obj.nodes
    assert (file.kind, file.name, file.parent) == (NodeKind.FILE, "t.asm", None)
    for node, count in ((first, 1), (second, 2)):
        assert (node.kind, node.iterations) == (NodeKind.REPT, (count,))
        assert node.parent is file
        assert node.parent_line == 3
    assert [(s.name, s.kind, s.section, s.value) for s in obj.symbols] == [
        ("far", SymbolKind.IMPORT, None, 0),
        ("main", SymbolKind.EXPORT, 0, 0),
        ("small", SymbolKind.LOCAL, 1, 0),
    ]
    code, variables = obj.sections
    assert (code.name, code.type, code.modifier) == ("code", SectionType.ROMX, Modifier.FRAGMENT)
    assert (code.address, code.bank, code.alignment, code.align_offset) == (None, None, 3, 1)
    assert code.data.hex() == "cd0000cd0000"
    assert [(p.offset, p.pc_offset, p.kind, p.place) for p in code.patches] == [
        (4, 3, PatchKind.WORD, SourcePosition(second, 4)),
        (1, 0, PatchKind.WORD, SourcePosition(first, 4)),
    ]
    assert code.patches[0].rpn == (
        RpnStep(RpnOp.SYMBOL, 0),
        RpnStep(RpnOp.BANK_SECTION, "code"),
        RpnStep(RpnOp.ADD),
    )
    assert (variables.address, variables.bank, variables.size) == (0xC010, 0, 2)
    (assertion,) = obj.assertions
    assert (assertion.kind, assertion.message, assertion.place.line) == (
        AssertionKind.WARN,
        "no",
        8,
    )
    assert assertion.rpn == (RpnStep(RpnOp.SYMBOL, 1), RpnStep(RpnOp.CONST, 5), RpnStep(RpnOp.LT))


def test_writing_gives_the_same_bytes() -> None:
    assert write_object(read_object(RGBASM, "t.o")) == RGBASM


def test_nodes_of_all_kinds_come_back() -> None:
    file = Node(NodeKind.FILE, "söurce.asm")
    macro = Node(NodeKind.MACRO, "söurce.asm::m", file, 7, quiet=True)
    loop = Node(NodeKind.REPT, "", macro, 9, (3, 1, 2))
    section = ObjSection("s\udcff", SectionType.HRAM, SourcePosition(loop, 5), 1)
    # a node that was first used may stand before those around it
    obj = RgbdsObject("x", sections=(section,), nodes=(loop, macro, file))
    assert read_object(write_object(obj), "x") == obj


def test_an_object_whose_nodes_are_not_complete_is_not_written() -> None:
    section = ObjSection("s", SectionType.HRAM, SourcePosition(Node(NodeKind.FILE, "a"), 5), 1)
    with pytest.raises(ValueError, match="the node 'a' is not listed"):
        write_object(RgbdsObject("x", sections=(section,)))


def test_every_file_that_is_cut_off_is_refused() -> None:
    for size in range(len(RGBASM)):
        with pytest.raises(MalformedObject, match=r"^t\.o: ") as caught:
            read_object(RGBASM[:size], "t.o")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"\x7fELF", "this is not an RGBDS object file"),
        (b"RGB6", "this is not an RGBDS object file"),
        (b"RGB9\x0c\0\0\0", "the object has revision 12 of the format, revision 13 is supported"),
        (b"RGB9\x0d\0\0\0\1", "the object file ends in the middle of the number of symbols"),
    ],
)
def test_what_is_no_object(data: bytes, message: str) -> None:
    with pytest.raises(MalformedObject, match=re.escape(f"x.o: {message}")):
        read_object(data, "x.o")


OBJECT = read_object(RGBASM, "t.o")
PATCH = OBJECT.sections[0].patches[0]


def broken(**changes: object) -> bytes:
    """The object with its section changed in a way that no assembler would."""
    code = replace(OBJECT.sections[0], **changes)  # type: ignore[arg-type]
    return write_object(replace(OBJECT, sections=(code, OBJECT.sections[1])))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (broken(size=0x10000, data=bytes(0x10000)), '"code" has the impossible size $10000'),
        (broken(address=0x10000), '"code" has the impossible address $10000'),
        (broken(align_offset=0x10000), "has the impossible alignment offset $10000"),
        (
            broken(patches=(replace(PATCH, rpn=(RpnStep(RpnOp.CONST, 1), RpnStep(RpnOp.ADD))),)),
            "takes more values than it has",
        ),
        (broken(patches=(replace(PATCH, rpn=()),)), "leaves 0 values, not one"),
        (
            broken(
                patches=(replace(PATCH, rpn=(RpnStep(RpnOp.BANK_SELF), RpnStep(RpnOp.BANK_SELF))),)
            ),
            "leaves 2 values, not one",
        ),
        (
            broken(patches=(replace(PATCH, rpn=(RpnStep(RpnOp.SYMBOL, 3),)),)),
            "refers to symbol #3; there are 3",
        ),
        (
            broken(patches=(replace(PATCH, rpn=(RpnStep(RpnOp.BANK_SYMBOL, -1),)),)),
            "refers to symbol #-1; there are 3",
        ),
        (broken(patches=(replace(PATCH, pc_section=2),)), "refers to section #2; there are 2"),
        (RGBASM.replace(b"\x06\0\0\0\x42\xff", b"\x06\0\0\0\xc2\xff"), "the unknown type $C2"),
        (RGBASM.replace(b"main\0\2", b"main\0\3"), "`main` has the unknown type $03"),
        (RGBASM.replace(b"\1t.asm\0", b"\3t.asm\0"), "node #0 has the unknown type $03"),
        (RGBASM.replace(b"\x33no\0", b"\x36no\0"), "has the unknown operator $36"),
    ],
)
def test_what_cannot_be(data: bytes, message: str) -> None:
    with pytest.raises(MalformedObject, match=re.escape(message)):
        read_object(data, "t.o")


def test_a_node_that_contains_itself() -> None:
    nodes = RGBASM.index(b"\x03\0\0\0", 16) + 4  # the parent of node 2, which is 0
    data = RGBASM[:nodes] + b"\2" + RGBASM[nodes + 1 :]
    with pytest.raises(MalformedObject, match="node #2 contains itself"):
        read_object(data, "t.o")


@given(
    st.lists(
        st.tuples(st.integers(0, len(RGBASM) - 1), st.binary(max_size=5), st.integers(0, 5)),
        min_size=1,
        max_size=4,
    )
)
def test_no_damage_is_more_than_malformed(damage: list[tuple[int, bytes, int]]) -> None:
    data = RGBASM
    for position, new, length in damage:
        data = data[:position] + new + data[position + length :]
    try:
        obj = read_object(data, "t.o")
    except MalformedObject:
        return
    assert read_object(write_object(obj), "t.o") == obj

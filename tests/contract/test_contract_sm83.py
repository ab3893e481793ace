"""Contracts of SM83 routines: what their items mean, and what stands around them in RGBDS."""

from __future__ import annotations

import re

import pytest

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import parse_contracts
from romproof.isa.abi import SM83
from romproof.program.address_size import AddressSize
from romproof.program.image import Image, Symbol
from romproof.text.diagnostic import BuildFailed
from romproof.text.span import Source, Span

A, B, C, D, E, H, L, _ = SM83.registers
ZF, NF, HF, CF = SM83.flags


def _image(text: str) -> Image:
    source = Source("prng.asm", text)
    symbols = [
        Symbol("lfsr", 0xFF80, AddressSize.ABSOLUTE, True, True, 4, "prng", None),
        Symbol("next_byte.tmp", 0xC010, AddressSize.ABSOLUTE, True, False, 2, "prng", None),
        Symbol("other.tmp", 0xC020, AddressSize.ABSOLUTE, True, False, 3, "prng", None),
    ]
    for number, line in enumerate(source.lines, 1):
        if match := re.match(r"(\w+)::?", line):
            span = Span(source, number, 1, len(match[1]))
            symbols.append(
                Symbol(match[1], 0x150, AddressSize.ABSOLUTE, True, True, 9, "prng", span)
            )
    return Image("sm83", (), (), (), (), tuple(symbols), (), (), (source,))


def _parse(text: str, between: str = "") -> Contract:
    return parse_contracts(_image(f"{text}{between}next_byte::\n"))["next_byte"]


def test_a_whole_header() -> None:
    contract = _parse(
        ";; next_byte – steps.\n; in:  hram lfsr[4], CF\n; out: A, lfsr\n"
        "; clobbers: BC, H, F\n; stack: 300\n; cycles: 20..40 (M-cycles)\n"
    )
    lfsr = MemoryRange("lfsr", 0xFF80, 4)
    assert contract.inputs == (lfsr, CF)
    assert contract.outputs == (A, lfsr)
    assert contract.clobbers == (B, C, H, ZF, NF, HF, CF)
    assert (contract.stack, contract.cycles) == (300, (20, 40))


@pytest.mark.parametrize(
    ("field", "items"),
    [
        ("A F", (A, *SM83.flags)),
        ("AF", (A, *SM83.flags)),
        ("DE HL", (D, E, H, L)),
        ("SP", (SM83.stack_pointer,)),
        ("C CF", (C, CF)),
        ("wram .tmp", (MemoryRange(".tmp", 0xC010, 2),)),
        ("next_byte.tmp[1]", (MemoryRange("next_byte.tmp", 0xC010, 1),)),
        ("other.tmp", (MemoryRange("other.tmp", 0xC020, 3),)),
        ("$C000[8]", (MemoryRange("$C000", 0xC000, 8),)),
    ],
)
def test_items(field: str, items: tuple[object, ...]) -> None:
    assert _parse(f";; next_byte – x\n; out: {field}\n").outputs == items


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("HL, L", "'L' is listed twice"),
        ("F, CF", "'CF' is listed twice"),
        ("HL[2]", "'HL' is a register or flag and has no size"),
        ("X", "registers A B C D E H L IME SP, flags ZF NF HF CF, F AF BC DE HL, and symbols"),
        (".tmpp", "no symbol 'next_byte.tmpp' in the image; did you mean 'next_byte.tmp'"),
    ],
)
def test_what_cannot_be_meant(field: str, text: str) -> None:
    with pytest.raises(BuildFailed) as caught:
        _parse(f";; next_byte – x\n; out: {field}\n")
    assert text in str(caught.value)


@pytest.mark.parametrize(
    "between",
    [
        'SECTION "prng", ROM0\n',
        "\n  export next_byte\n",
        "  ALIGN 4\n",
        "IF DEF(FAST)\n",
        "ENDC\n",
        'PUSHS\nSECTION FRAGMENT "a", ROMX[$4000], BANK[2]\n',
        "  static_assert 1 == 1\n",
        'LOAD "code", HRAM\n',
    ],
)
def test_what_may_stand_between_block_and_label(between: str) -> None:
    assert _parse(";; next_byte – x\n; cycles: 4\n", between).cycles == (4, 4)


def test_an_instruction_in_between_parts_them() -> None:
    text = ";; next_byte – x\n; cycles: 4\n  ld a, b\nnext_byte::\n"
    assert parse_contracts(_image(text)) == {}


def test_a_register_in_lower_case_is_answered_with_its_name() -> None:
    with pytest.raises(BuildFailed) as caught:
        _parse(";; next_byte – steps.\n; in: hl\n; out: A\n")
    assert "registers and flags are upper case: HL" in str(caught.value)

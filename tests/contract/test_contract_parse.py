"""Reading contracts from header blocks."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import parse_contracts
from romproof.isa.abi import MOS6502
from romproof.program.address_size import AddressSize
from romproof.program.image import Image, Symbol
from romproof.text.diagnostic import BuildFailed
from romproof.text.span import Source, Span

A, X, Y = MOS6502.registers
N, _, _, _, Z, C = MOS6502.flags
HEADER = """\
;; next_byte – advance the LFSR eight steps and return its high byte.
; in:       zp lfsr[4]
; out:      A, lfsr[4]
; clobbers: X N Z C
; stack:    0
; cycles:   234..290        (entry to RTS inclusive)
"""


def _image(text: str, exported: bool = True) -> Image:
    """Symbols for every label or .proc of ``text``, and some variables."""
    source = Source("prng.s", text)
    symbols = [
        Symbol("lfsr", 0x10, AddressSize.ZEROPAGE, True, False, 4, "prng", Span(source, 1, 1)),
        Symbol("deck", 0x300, AddressSize.ABSOLUTE, True, False, 78, "prng", None),
        Symbol("open", 0x400, AddressSize.ABSOLUTE, True, False, None, "prng", None),
        Symbol("SIZE", 78, AddressSize.ZEROPAGE, False, False, None, "prng", None),
        Symbol("next_byte::tmp", 0x20, AddressSize.ZEROPAGE, True, False, 2, "prng", None),
        Symbol("tmp", 0x30, AddressSize.ZEROPAGE, True, False, 1, "other", None),
        Symbol("far", 0x12345, AddressSize.FAR, True, False, 1, "prng", None),
    ]
    for number, line in enumerate(source.lines, 1):
        match = re.match(r"\.proc (\w+)|(\w+):", line)
        if match:
            span = Span(source, number, 1, len(line))
            name = match[1] or match[2]
            symbols.append(
                Symbol(name, 0xC000 + number, AddressSize.ABSOLUTE, True, exported, 9, "prng", span)
            )
    return Image("6502", (), (), (), (), tuple(symbols), (), (), (source,))


def _parse(text: str) -> Contract:
    contracts = parse_contracts(_image(text + ".proc next_byte\n"))
    assert list(contracts) == ["next_byte"]
    return contracts["next_byte"]


def _fault(text: str) -> str:
    with pytest.raises(BuildFailed) as caught:
        parse_contracts(_image(text + ".proc next_byte\n"))
    return str(caught.value)


def _items(field: str) -> tuple[Item, ...]:
    return _parse(f";; next_byte – x\n; out: {field}\n").outputs


def test_a_whole_header() -> None:
    contract = _parse(HEADER)
    lfsr = MemoryRange("lfsr", 0x10, 4)
    assert contract.name == "next_byte"
    assert contract.summary == "advance the LFSR eight steps and return its high byte."
    assert contract.inputs == (lfsr,)
    assert contract.outputs == (A, lfsr)
    assert contract.clobbers == (X, N, Z, C)
    assert contract.stack == 0
    assert contract.cycles == (234, 290)
    assert str(contract.span) == "prng.s:1:4"
    assert str(contract.place("cycles")) == "prng.s:6:3"
    assert contract.written() == (lfsr,)
    assert contract.may_change(A)
    assert not contract.may_change(Y)


@pytest.mark.parametrize(
    "between",
    [
        "",
        ".if VARIANT = 1\n",
        "\n\n",
        ".export next_byte\n",
        '.segment "CODE"\n\n',
        "  .export next_byte : absolute\n",
    ],
)
def test_what_may_stand_between_block_and_label(between: str) -> None:
    contracts = parse_contracts(_image(HEADER + between + "next_byte:\n"))
    assert contracts["next_byte"].cycles == (234, 290)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "; in: A\n",
        ";; next_byte – no fields, only words\n; it says: nothing\n",
        HEADER + "value = 5\n",
        HEADER + "        nop\n",
    ],
)
def test_routines_without_a_contract(text: str) -> None:
    assert parse_contracts(_image(text + "next_byte:\n")) == {}


def test_private_routines_have_no_contract() -> None:
    assert parse_contracts(_image(HEADER + "next_byte:\n", exported=False)) == {}


def test_only_the_last_block_of_a_long_comment_counts() -> None:
    text = "; about this file\n;; other – gone\n; stack: 9\n;\n" + HEADER
    assert _parse(text).stack == 0


@pytest.mark.parametrize(
    ("field", "items"),
    [
        ("none", ()),
        ("-", ()),
        ("none (it is pure)", ()),
        ("A X Y", (A, X, Y)),
        ("A,X , Y", (A, X, Y)),
        ("A (high byte), C (carry out, see below), X", (A, C, X)),
        ("A,  X", (A, X)),
        ("A  (the high byte of lots, of things)", (A,)),
        ("S N V D I Z C", (MOS6502.stack_pointer, *MOS6502.flags)),
        ("deck", (MemoryRange("deck", 0x300, 78),)),
        ("deck[SIZE]", (MemoryRange("deck", 0x300, 78),)),
        ("deck+$10[4] X", (MemoryRange("deck+16", 0x310, 4), X)),
        (
            "deck+SIZE[2], $C0A1+1[2]",
            (MemoryRange("deck+78", 0x34E, 2), MemoryRange("$C0A1+1", 0xC0A2, 2)),
        ),
        ("ram deck[$10] X", (MemoryRange("deck", 0x300, 16), X)),
        ("open[3]", (MemoryRange("open", 0x400, 3),)),
        ("$0200[16]", (MemoryRange("$0200", 0x200, 16),)),
        ("tmp", (MemoryRange("tmp", 0x20, 2),)),
    ],
)
def test_items(field: str, items: tuple[Item, ...]) -> None:
    assert _items(field) == items


def test_a_more_deeply_indented_line_continues_a_field() -> None:
    text = ";; next_byte – x\n; out:  A,\n;       deck\n;   X\n; Words of prose.\n; stack: 2\n"
    contract = _parse(text)
    assert contract.outputs == (A, MemoryRange("deck", 0x300, 78), X)
    assert contract.stack == 2


def test_fields_may_have_two_semicolons() -> None:
    one = _parse("; prose\n;; next_byte – x,\n;; and y: z\n; out:  A,\n;       deck\n; stack: 2\n")
    for text in (
        ";; next_byte – x,\n;; and y: z\n;; out:  A,\n;;       deck\n;; stack: 2\n",
        ";; next_byte – x,\n;; and y: z\n; prose\n;; out:  A,\n;;       deck\n; stack: 2\n",
        ";; next_byte – x,\n;; and y: z\n;;\n;; out:  A,\n;       deck\n;; stack: 2\n",
    ):
        both = _parse(text)
        assert (both.outputs, both.stack) == (one.outputs, one.stack)
        assert both.summary == one.summary


def test_a_title_may_be_the_name_of_a_field() -> None:
    text = _fault(";; out: x\n; out: A\n; stack: 2\n")
    assert "the contract is for 'out' but stands above 'next_byte'" in text


def test_fields_that_are_missing_claim_nothing() -> None:
    contract = _parse(";; next_byte – x\n; out: A\n")
    assert (contract.stack, contract.cycles, contract.clobbers) == (None, None, ())
    assert contract.place("cycles") == contract.span


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        ("12", (12, 12)),
        ("12..20", (12, 20)),
        ("12 .. 20 (about)", (12, 20)),
        ("37_633..", (37633, None)),
        ("12..  (grows with n)", (12, None)),
        ("SIZE constant", (78, 78)),
        ("1..SIZE  (for SIZE cards)", (1, 78)),
        ("..2_270", (0, 2270)),
        (".. 2270 (a budget)", (0, 2270)),
    ],
)
def test_cycles(text: str, cycles: tuple[int, int | None]) -> None:
    assert _parse(f";; next_byte – x\n; cycles: {text}\n").cycles == cycles


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_ranges_of_cycles(low: int, more: int) -> None:
    contract = _parse(f";; next_byte\n; cycles: {low}..{low + more}\n")
    assert contract.cycles == (low, low + more)


@pytest.mark.parametrize(
    ("line", "message", "caret"),
    [
        ("; out: A, lsfr", "did you mean 'lfsr'", "^^^^"),
        ("; out: open", "the size of 'open' is not known", "^^^^"),
        ("; out: A=1", "cannot read this as a register, flag or symbol", "^"),
        ("; out: A[2]", "'A' is a register or flag and has no size", "^^^^"),
        ("; out: A, X, A", "'A' is listed twice", "^"),
        ("; out: A none", "'none' stands for an empty list", "^^^^"),
        ("; out:", "the field 'out' is empty", "^^^"),
        ("; out: deck[x y]", "'x y' is not a size", "^^^^^^^^^"),
        ("; out: deck[0]", "0 bytes from $0300 are not a range", "^^^^^^^"),
        ("; out: deck+4", "the size of 'deck+4' is not known", "^^^^^^"),
        ("; out: deck+far[4]", "4 bytes from $", "^^^^^^^^^^^"),
        ("; out: deck+78x[4]", "'78x' is not a number of bytes", "^^^^^^^^^^^"),
        ("; out: A+1[4]", "'A'", "^^^^^^"),
        ("; out: far", "not an address of 16 bits", "^^^"),
        ("; out: $12345[1]", "not an address of 16 bits", "^^^^^^^^^"),
        ("; stack: few", "'few' is not a number of stack bytes", "^^^^^"),
        ("; stack: 300", "'300' is not a number of stack bytes", "^^^^^"),
        ("; cycles: about 20", "'about 20' is not a number of cycles", "^^^^^^"),
        ("; cycles: ..", "'..' is not a number of cycles", "^^^^^^"),
        ("; cycles: 20 30", "'20 30' is not a number of cycles", "^^^^^^"),
        ("; cycles: 30..20", "the range of cycles 30..20 is empty", "^^^^^^"),
        ("; out: A\n; out: X", "the contract has the field 'out' twice", "^^^"),
        ("; out: A\n; clobber: X", "no field 'clobber'", "^^^^^^^"),
        ("; out: A\n; inputs: X", "no field 'inputs'", "^^^^^^"),
        ("; out: A\n; stak: 1", "did you mean 'stack'?", "^^^^"),
    ],
)
def test_malformed_contracts(line: str, message: str, caret: str) -> None:
    text = _fault(f";; next_byte – x\n{line}\n")
    assert message in text
    number = 2 + line.count("\n")
    assert re.search(rf"^prng\.s:{number}:\d+: error: ", text, re.MULTILINE)
    assert re.search(rf"\| +{re.escape(caret)}$", text, re.MULTILINE), text


def test_prose_with_a_colon_is_left_alone() -> None:
    assert _parse(";; next_byte – x\n; out: A\n; Note: see below.\n; Method: shifts\n").outputs


def test_the_name_must_be_that_of_the_routine() -> None:
    text = _fault(";; next_bite – x\n; out: A\n")
    assert "the contract is for 'next_bite' but stands above 'next_byte'" in text
    assert "prng.s:1:4: error" in text


def test_all_faults_are_reported_at_once() -> None:
    text = _fault(";; next_byte – x\n; out: Q\n; stack: x\n; cycles: y\n")
    assert len(re.findall("error:", text)) == 3


def test_fields_may_be_written_in_capitals_and_with_a_blank_before_the_colon() -> None:
    contract = _parse(";; next_byte – steps.\n; IN : lfsr[4]\n; Out: A\n; Cycles :  7\n")
    assert contract.inputs == (MemoryRange("lfsr", 0x10, 4),)
    assert contract.outputs == (A,)
    assert contract.cycles == (7, 7)
    fault = _fault(";; next_byte – steps.\n; OUT :  A nowhere\n")
    assert "prng.s:2:12: error: no symbol 'nowhere'" in fault

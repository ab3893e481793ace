"""Contracts that name memory by its address: foreign programs have no symbol for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_programs import breaches, rom_6502, rom_sm83

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.reading.parse import parse_contracts
from romproof.harness.comparing import Side, compare
from romproof.harness.errors import RequirementBroken
from romproof.harness.rom import Rom
from romproof.prover.results import Verdict
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.same.same import prove_same
from romproof.prover.same.sides import pairs_of, side_of
from romproof.text.diagnostic import BuildFailed

CONTRACT = """\
;; adds – adds $0700 to the word at $0702, which is at most 1,000
; in:       $0700 $0702[2]
; requires: $0702[0] + 256 * $0702[1] <= 1000, $0700[0] < 100
; out:      $0702[2]
; ensures:  $0702[0] + 256 * $0702[1] == old $0702[0] + 256 * old $0702[1] + old $0700[0]
; clobbers: A N V Z C $0710
"""
CODE = """\
.export adds
.proc adds
  lda $0700
  sta $0710
  clc
  adc $0702
  sta $0702
  bcc done
  inc $0703
done:
  rts
.endproc
"""


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    return rom_6502(tmp_path, CONTRACT + CODE)


def given(low: int, high: int, more: int) -> dict[str | int, object]:
    return {0x702: bytes([low, high]), 0x700: more}


def test_lists_and_conditions(rom: Rom) -> None:
    contract = rom.contracts["adds"]
    assert contract.inputs == (MemoryRange("$0700", 0x700, 1), MemoryRange("$0702", 0x702, 2))
    assert contract.outputs == (MemoryRange("$0702", 0x702, 2),)
    assert MemoryRange("$0710", 0x710, 1) in contract.clobbers


def test_calls_are_checked(rom: Rom) -> None:
    result = rom.call("adds", mem=given(0xF0, 1, 0x20))  # type: ignore[arg-type]
    assert result.read(0x702, 2) == (0x210).to_bytes(2, "little")
    with pytest.raises(RequirementBroken, match=r"\$0700\[0\] < 100"):
        rom.call("adds", mem=given(0, 0, 100))  # type: ignore[arg-type]


def test_what_is_not_listed_must_stay(tmp_path: Path) -> None:
    code = CODE.replace("sta $0710", "sta $0711")
    rom = rom_6502(tmp_path, CONTRACT + code)
    found = breaches(rom, "adds", mem=given(1, 0, 5))
    assert any("memory $0711 must stay" in line for line in found), found
    wrong = rom_6502(tmp_path, CONTRACT + CODE.replace("inc $0703", "nop"))
    found = breaches(wrong, "adds", mem=given(0xFF, 0, 5))
    assert any("$0702[0] + 256 * $0702[1] ==" in line for line in found), found


def test_the_sm83(tmp_path: Path) -> None:
    fields = "in: $D100 $D102[2]; out: $D100; ensures: $D100[0] == old $D102[1]; clobbers: A"
    text = "".join(f"; {line.strip()}\n" for line in fields.split(";"))
    rom = rom_sm83(
        tmp_path, f";; it – copies a byte\n{text}it::\n ld a, [$D103]\n ld [$D100], a\n ret\n"
    )
    result = rom.call("it", mem={0xD102: b"\x01\x02"})
    assert result.read(0xD100, 1) == b"\x02"


def test_an_address_alone_in_a_condition_is_a_number(tmp_path: Path) -> None:
    text = CONTRACT.replace("$0700[0] < 100", "$0700 < 100")
    with pytest.raises(BuildFailed) as caught:
        parse_contracts(rom_6502(tmp_path, text + CODE).image)
    found = str(caught.value)
    assert "this condition has only numbers, so it claims nothing about a call" in found
    assert "the byte at that address is $0700[0]" in found
    fine = CONTRACT.replace("$0700[0] < 100", "A < $0700, $0700[0] <= $7F")
    fine = fine.replace("in:       ", "in:       A ")
    parse_contracts(rom_6502(tmp_path, fine + CODE).image)


def test_a_predicate_is_given_an_address(tmp_path: Path) -> None:
    text = ";; predicate small(bytes, n): bytes[0] < n, bytes[1] == 0\n" + CONTRACT.replace(
        "$0700[0] < 100", "$0700[0] < 100, small($0702, 200)"
    )
    rom = rom_6502(tmp_path, text + CODE)
    rom.call("adds", mem=given(199, 0, 5))  # type: ignore[arg-type]
    with pytest.raises(RequirementBroken, match=r"small\(\$0702, 200\)"):
        rom.call("adds", mem=given(0, 1, 5))  # type: ignore[arg-type]


def test_addresses_that_are_none(tmp_path: Path) -> None:
    for item, message in (
        ("$10000", "is not an address of 16 bits"),
        ("$FFFF[2]", "2 bytes from \\$FFFF are not a range"),
        ("$0700[0]", "0 bytes from \\$0700"),
    ):
        text = CONTRACT.replace("in:       $0700 ", f"in:       {item} ")
        with pytest.raises(BuildFailed, match=message):
            parse_contracts(rom_6502(tmp_path, text + CODE).image)


def test_programs_are_compared_at_addresses(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = rom_6502(tmp_path / "a", CONTRACT + CODE)
    other = rom_6502(tmp_path / "b", CODE.replace("sta $0710", "nop"))
    found = compare((Side("one", one), Side("other", other)), "adds", 20, 1000)
    assert (found.calls, [side.failures for side in found.figures]) == (20, [0, 0])
    first, second = found.figures
    assert first.mean == (second.mean or 0) + 2  # sta takes 4 cycles, nop 2


def test_two_versions_have_the_address_in_common(tmp_path: Path) -> None:
    pytest.importorskip("z3")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = rom_6502(tmp_path / "a", CONTRACT + CODE)
    faster = CODE.replace("  sta $0710\n", "")
    for code, verdict in (
        (faster, Verdict.PROVED),
        (faster.replace("inc", "dec"), Verdict.REFUTED),
    ):
        rom = rom_6502(tmp_path / "b", code)
        left = side_of("one", one, "adds")
        right = side_of("other", rom, "adds", left.contract)
        assert prove_same(pairs_of(left, right), ProofOptions()).verdict is verdict

"""Programs in RAM of which only labels are known: nobody says what is code."""

from __future__ import annotations

from pathlib import Path

import pytest

import romproof
from romproof.prover.results import Verdict

CODE = bytes.fromhex("A2 07 A9 00 9D 20 08 CA 10 FA 20 0F 08 60 C8 60")  # at $0801
"""clear: ldx #7 / lda #0 / @l: sta cells,x / dex / bpl @l / jsr more / rts; more: iny / rts."""
CONTRACTS = """\
;; clear – the eight cells are 0, and Y is one more
; in:       Y
; out:      Y cells[8]
; ensures:  Y == (old Y + 1) & $FF, all i in 0..7: cells[i] == 0
; clobbers: A X N Z
; stack:    2
; cycles:   {cycles}
"""


@pytest.mark.slow_cases("c64")
@pytest.mark.parametrize(
    ("ending", "machine"), [("prg", "c64"), ("bin", "flat")], ids=["c64", "flat"]
)
def test_code_in_ram_is_followed_from_its_contract(
    tmp_path: Path, ending: str, machine: str
) -> None:
    head = b"\x01\x08" if ending == "prg" else b""
    image = tmp_path / f"game.{ending}"
    image.write_bytes(head + CODE + bytes(0x40))
    labels = tmp_path / "game.lbl"
    labels.write_text("al 000801 .clear\nal 00080f .more\nal 000820 .cells\n")
    contracts = tmp_path / "contracts.s"
    verdicts = {}
    # ldx, lda, eight times sta, dex, bpl, then jsr, iny, rts, rts
    for cycles in (2 + 2 + 8 * 10 - 1 + 6 + 2 + 6 + 6, 100):
        contracts.write_text(CONTRACTS.format(cycles=cycles))
        rom = romproof.load(
            image,
            symbols=labels,
            contracts=contracts,
            machine=machine,
            load_address=0x0801 if ending == "bin" else None,
        )
        (proof,) = romproof.prove(rom, "clear")
        verdicts[cycles] = proof.verdict
        assert rom.call("clear", y=0xFF, check=False).y == 0
    assert verdicts == {103: Verdict.PROVED, 100: Verdict.REFUTED}

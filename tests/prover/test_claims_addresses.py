"""Proofs of contracts that name memory by its address."""

from __future__ import annotations

import pytest
from claims import PROVED, REFUTED, check, false, proofs_of, told, true

FIELDS = (
    "in: $0700 $0702[2];"
    "requires: $0702[0] + 256 * $0702[1] <= 1000, $0700[0] < 100;"
    "out: $0702[2];"
    "ensures: $0702[0] + 256 * $0702[1] == old $0702[0] + 256 * old $0702[1] + old $0700[0];"
    "clobbers: A N V Z C $0710"
)
TEXT = "lda $0700 / sta $0710 / clc / adc $0702 / sta $0702 / bcc done / inc $0703 / done: rts"


def test_it_is_proved_and_refuted() -> None:
    check("6502", true(FIELDS, TEXT))
    check("6502", false(FIELDS, TEXT.replace("sta $0710", "sta $0711"), "$0711 changes"))
    check("6502", false(FIELDS, TEXT.replace("inc $0703", "nop"), "ensures"))
    # what is read must be listed
    unlisted = (
        "in: $0702[2];requires: $0702[0] + 256 * $0702[1] <= 1000, $0700[0] < 100;"
        "out: $0702[2];"
        "ensures: $0702[0] + 256 * $0702[1] == old $0702[0] + 256 * old $0702[1] + old "
        "$0700[0];"
        "clobbers: A N V Z C $0710"
    )
    unlisted = unlisted.replace(", $0700[0] < 100", "").replace("old $0700[0]", "old $0702[0]")
    check("6502", false(unlisted, TEXT))


def test_the_sm83() -> None:
    fields = "in: $D100 $D102[2]; out: $D100; ensures: $D100[0] == old $D102[1]; clobbers: A"
    check("sm83", true(fields, "ld a, [$D103] / ld [$D100], a / ret"))
    check("sm83", false(fields, "ld a, [$D102] / ld [$D100], a / ret"))


def test_a_counterexample_writes_addresses() -> None:
    pytest.importorskip("z3")
    said = false(FIELDS, TEXT.replace("inc $0703", "nop"))
    proof = proofs_of("6502", said)["it"]
    assert proof.verdict is REFUTED, told(proof)
    assert "0x0702" in str(proof) or "$0702" in told(proof)
    assert proofs_of("6502", true(FIELDS, TEXT))["it"].verdict is PROVED

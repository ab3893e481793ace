from __future__ import annotations

from report_programs import image_from

from romproof.harness.rom import Rom
from romproof.report.call import call_report

SOURCE = """\
        .segment "ZEROPAGE"
lfsr:   .res 4
        .segment "CODE"
        .export store
.proc store
        lda #1
        sta lfsr+1
        sta lfsr+3
        sta $0300
        sta $0301
        rts
.endproc
        .exportzp lfsr
"""


def test_changed_bytes_have_names_of_the_source() -> None:
    # the linker's __ZP_START__ has the address of lfsr, too
    report = call_report(Rom(image_from(SOURCE)).call("store", mem={"lfsr": bytes(4)}), {})
    assert [(byte.name, byte.old, byte.new) for byte in report.changed] == [
        ("lfsr+1", 0, 1),
        ("lfsr+3", 0, 1),
        (None, 0x5A, 1),
        (None, 0x5A, 1),
    ]


def test_blocks_are_of_one_symbol_or_neighbours() -> None:
    report = call_report(Rom(image_from(SOURCE)).call("store", mem={"lfsr": bytes(4)}), {})
    assert [(b.symbol, b.offset, b.address, b.old, b.new) for b in report.blocks] == [
        ("lfsr", 1, report.changed[0].address, bytes(3), b"\1\0\1"),
        (None, 0, 0x300, b"\x5a\x5a", b"\1\1"),
    ]

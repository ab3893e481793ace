from __future__ import annotations

import re

import pytest
from report_programs import program, report_on

from romproof.contract.nouns.model import claim_text
from romproof.harness.rom import Rom
from romproof.report.call import call_report
from romproof.report.tables import bar, cut_left, hex_bytes
from romproof.report.text import TextReporter

WHOLE = """\
demo  a_routine  2 calls
mos6502 on py65, NES (NTSC) at 1,789,773 Hz
62 cycles, 20 instructions, 34.6 µs, 0.002 frames

routine                            calls  self  self %          total  min  mean  max  frame  claim
───────────────────────────────────────────────────────────────────────────────────────────────────
wait                                   2    44   71.0%  █████▋     44   22  22.0   22   0.1%  22 ok
a_routine_with_a_rather_long_name      2    18   29.0%  ██▍        62   31  31.0   31   0.1%

cycles      %  count  line          source
─────────────────────────────────────────────
    16  25.8%      6  program.s:18  bne loop
    12  19.4%      6  program.s:17  loop: dex
    12  19.4%      2  program.s:19  rts
"""

CALL = """\
a_routine_with_a_rather_long_name  31 cycles, 10 instructions, 0
bytes of stack
A $01  X $00  Y $02  S $FF  P $67  flags nVdIZC

memory  bytes
───────────────────────────────────────────────────────────────
count   10 01
$0000   00 00 00 00 00 00 00 00 00 00 00 00 00 00 … (100 bytes)

changed  address  old  new
──────────────────────────
count    $1015    0f   10
"""


def columns(text: str) -> list[list[str]]:
    """What stands in each line: releases of rich do not agree on how wide a column is."""
    return [line.replace("─", "").split() for line in text.splitlines()]


def test_the_whole_report() -> None:
    # one call: inc (6) jmp (3) and wait (22)
    assert columns(TextReporter(100).cycles(report_on())) == columns(WHOLE)


@pytest.mark.parametrize("width", [40, 50, 60, 72, 80, 100, 120, 160])
def test_every_width_fits_and_cuts_no_number(width: int) -> None:
    text = TextReporter(width).cycles(report_on("10..12"))
    assert max(len(line) for line in text.splitlines()) <= width
    rows = [line for line in text.splitlines() if line.startswith("wait ")]
    assert len(rows) == 1
    assert "…" not in rows[0]
    assert re.search(r"\b44\b.*\b71\.0%", rows[0])


def test_a_broken_claim_is_told() -> None:
    report = report_on("10..12")
    assert [row.routine.name for row in report.broken] == ["wait"]
    text = TextReporter(120).cycles(report)
    assert "10..12 !!" in text
    assert "claim broken: wait claims 10..12 cycles, took 22..22" in text
    assert "claim broken" not in TextReporter(120).cycles(report_on("20.."))


def test_colour_only_when_asked_for() -> None:
    plain = TextReporter(90, colour=False).cycles(report_on())
    coloured = TextReporter(90, colour=True).cycles(report_on())
    assert "\x1b" not in plain
    assert "\x1b[" in coloured
    without = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in without.split("\n")] == plain.split("\n")


def test_a_clock_without_frames_has_no_frame_column() -> None:
    text = TextReporter(160).cycles(report_on(clock="1mhz"))
    assert "frame" not in text
    assert "62.0 µs" in text


def test_a_call() -> None:
    rom = Rom(program())
    result = rom.call("a_routine_with_a_rather_long_name", mem={"count": b"\x0f\x01"}, y=2, a=1)
    report = call_report(result, {"count": result.read("count"), "$0000": bytes(100)})
    assert columns(TextReporter(64).call(report)) == columns(CALL)


def test_a_call_that_changes_no_memory() -> None:
    result = Rom(program()).call("wait")
    assert TextReporter(80).call(call_report(result, {})).endswith("no memory changed\n")


def test_claims_as_contracts_write_them() -> None:
    claims = ((5, 5), (5, 1000), (5, None), (0, 1000))
    assert [claim_text(c, ",") for c in claims] == ["5", "5..1,000", "5..", "..1,000"]
    assert claim_text((5, 1000)) == "5..1000"


def test_pieces() -> None:
    assert (bar(0), bar(1), bar(0.5, 2), bar(1 / 16, 2)) == ("", "█" * 8, "█", "▏")
    assert (cut_left("abc", 3), cut_left("abcd", 3)) == ("abc", "…cd")
    assert hex_bytes(b"\1\2", 5) == "01 02"
    assert hex_bytes(bytes(40), 30) == "00 00 00 00 00 00 … (40 bytes)"

"""Assembled programs and their reports, for the tests of this folder."""

from __future__ import annotations

from romproof.harness.measured import measure_call
from romproof.harness.rom import Rom
from romproof.measure.recorded import record_profile
from romproof.program.clocks import find_clock
from romproof.program.image import Image
from romproof.report.cycles import CycleReport, CyclesHeader, cycle_report
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import default_config, link

# wait: ldx (2), dex 3 times (6), bne taken twice and not once (8), rts (6): 22 cycles
PROGRAM = """\
        .segment "BSS"
count:  .res 2
        .export count
        .segment "CODE"
        .export main, wait, a_routine_with_a_rather_long_name
.proc main
        jsr wait
        jsr a_routine_with_a_rather_long_name
stop:   jmp stop
.endproc

;; wait – pass some time.
; clobbers: X N Z
; cycles: {claim}
.proc wait
        ldx #3
loop:   dex
        bne loop
        rts
.endproc

.proc a_routine_with_a_rather_long_name
        inc count
        jmp wait
.endproc
"""


def image_from(text: str) -> Image:
    """The image of a source text in the default layout."""
    diagnostics = Diagnostics()
    assembled = assemble_source(Source("program.s", text), Options(), diagnostics)
    image = link([assembled], default_config(), diagnostics=diagnostics)
    assert not diagnostics.items
    return image


def program(claim: str = "22") -> Image:
    """PROGRAM with a claim for ``wait``."""
    return image_from(PROGRAM.replace("{claim}", claim))


def report_on(claim: str = "22", runs: int = 2, clock: str = "nes-ntsc") -> CycleReport:
    """A report on calls of the routine with the long name."""
    rom = Rom(program(claim))
    measured = measure_call(
        rom,
        "a_routine_with_a_rather_long_name",
        registers={},
        flags={},
        mem={"count": b"\0\0"},
        runs=runs,
        limit=1000,
        tick=lambda: None,
    )
    header = CyclesHeader("demo", "mos6502", "py65", find_clock(clock), "a_routine", runs)
    kept = record_profile("demo", "a_routine", runs, measured.profile, measured.places)
    return cycle_report(header, kept, rom.contracts, kept.lines[:3])

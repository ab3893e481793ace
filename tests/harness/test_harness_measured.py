"""Cycles by hand: inc zp 5, jmp 3, jsr 6, and 22 for ``wait``."""

from __future__ import annotations

import pytest
from handmade import assemble

from romproof.harness.errors import Runaway
from romproof.harness.measured import Measured, halts, measure_call, measure_program
from romproof.harness.rom import Rom

# wait: ldx (2), dex 3 times (6), bne taken twice and not once (8), rts (6): 22 cycles
PROGRAM = """\
.segment "ZEROPAGE"
count: .res 2
.segment "CODE"
.export main
.proc main
 jsr wait
 jsr count_and_wait
stop: jmp stop
.endproc

;; wait – pass some time.
; clobbers: X N Z
; cycles: {claim}
.export wait
.proc wait
 ldx #3
loop: dex
 bne loop
 rts
.endproc

.proc count_and_wait
 inc count
 jmp wait
.endproc
"""


def program(claim: str = "22") -> Rom:
    """PROGRAM with a claim for ``wait``."""
    return Rom(assemble(PROGRAM.replace("{claim}", claim)))


def call(rom: Rom, name: str, runs: int = 1, limit: int = 1000, **mem: bytes) -> Measured:
    return measure_call(
        rom, name, registers={}, flags={}, mem=mem, runs=runs, limit=limit, tick=lambda: None
    )


def test_a_call() -> None:
    measured = call(program(), "wait")
    assert (measured.profile.cycles, measured.runs, measured.cut) == (22, 1, False)
    assert measured.violation is None


def test_memory_persists_between_the_calls() -> None:
    # cycles: lda zp (3) beq (2/3) [lda #0 (2) sta zp (3)] rts (6): 16 with, 12 without
    image = assemble(
        '.segment "ZEROPAGE"\nflag: .res 1\n.segment "CODE"\n.export once\n'
        ".proc once\n lda flag\n beq done\n lda #0\n sta flag\ndone: rts\n.endproc\n"
        ".export flag\n"
    )
    routine = call(Rom(image), "once", runs=3, flag=b"\1").profile.routine("once")
    assert (routine.calls, routine.minimum, routine.maximum) == (3, 12, 16)
    assert routine.exclusive == 16 + 12 + 12


def test_registers_and_flags_are_set_before_each_call() -> None:
    # cycles: bcc (2, 3 taken) dex (2) bne (3, last 2) rts (6)
    image = assemble(".export go\n.proc go\n bcc out\nloop: dex\n bne loop\nout: rts\n.endproc\n")
    ticks: list[int] = []
    measured = measure_call(
        Rom(image),
        "go",
        registers={"x": 2},
        flags={"c": 1},
        mem={},
        runs=2,
        limit=100,
        tick=lambda: ticks.append(1),
    )
    routine = measured.profile.routine("go")
    assert (routine.minimum, routine.maximum) == (17, 17)
    assert len(ticks) == 2


def test_a_broken_contract_is_kept_for_the_report() -> None:
    measured = call(program("23..30"), "wait", runs=2)
    assert measured.profile.routine("wait").calls == 2
    assert measured.violation is not None
    assert "the call took 22 cycles; the claim is 23..30" in measured.violation.summary


def test_a_routine_that_does_not_return() -> None:
    with pytest.raises(Runaway):
        call(program(), "main", limit=200)


def test_a_program_runs_until_it_halts() -> None:
    measured = measure_program(program(), "main", mem={}, limit=1000)
    assert measured.profile.cycles == 6 + 22 + 6 + 5 + 3 + 22
    assert not measured.cut
    assert measured.profile.routine("wait").calls == 2


def test_a_program_that_returns() -> None:
    image = assemble(".export main\n.proc main\n nop\n rts\n.endproc\n")
    assert measure_program(Rom(image), "main", mem={}, limit=100).profile.cycles == 8


def test_a_program_without_an_end_is_cut() -> None:
    image = assemble(".export main\n.proc main\nloop: nop\n jmp loop\n.endproc\n")
    measured = measure_program(Rom(image), "main", mem={}, limit=100)
    assert measured.cut
    assert measured.profile.cycles == 100
    assert halts(image) == ()


def test_memory_of_a_program() -> None:
    # ldx (4) dex (2 each) bne; stop
    image = assemble(
        '.segment "ZEROPAGE"\nn: .res 1\n.segment "CODE"\n.export main\n.exportzp n\n'
        ".proc main\n ldx n\nloop: dex\n bne loop\nstop: jmp stop\n.endproc\n"
    )
    measured = measure_program(Rom(image), "main", mem={"n": b"\2"}, limit=100)
    assert measured.profile.cycles == 3 + 2 + 3 + 2 + 2
    assert halts(image) == (image.address("stop"),)

"""Cycles by hand: inc abs 6, jmp 3, jsr 6, and 22 for ``wait``; see report_programs."""

from __future__ import annotations

import pytest
from report_programs import image_from, program

from romproof.harness.errors import Runaway
from romproof.harness.rom import Rom
from romproof.report.measured import Measured, halts, measure_call, measure_program


def call(rom: Rom, name: str, runs: int = 1, limit: int = 1000, **mem: bytes) -> Measured:
    return measure_call(
        rom, name, registers={}, flags={}, mem=mem, runs=runs, limit=limit, tick=lambda: None
    )


def test_a_call() -> None:
    measured = call(Rom(program()), "wait")
    assert (measured.profile.cycles, measured.runs, measured.cut) == (22, 1, False)
    assert measured.violation is None


def test_memory_persists_between_the_calls() -> None:
    # cycles: lda abs (4) beq (2/3) [lda #0 (2) sta abs (4)] rts (6): 18 with, 13 without
    image = image_from(
        '.segment "BSS"\nflag: .res 1\n.segment "CODE"\n.export once\n'
        ".proc once\n lda flag\n beq done\n lda #0\n sta flag\ndone: rts\n.endproc\n"
        ".export flag\n"
    )
    routine = call(Rom(image), "once", runs=3, flag=b"\1").profile.routine("once")
    assert (routine.calls, routine.minimum, routine.maximum) == (3, 13, 18)
    assert routine.exclusive == 18 + 13 + 13


def test_registers_and_flags_are_set_before_each_call() -> None:
    # cycles: bcc (2, 3 taken) dex (2) bne (3, last 2) rts (6)
    image = image_from(".export go\n.proc go\n bcc out\nloop: dex\n bne loop\nout: rts\n.endproc\n")
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
    measured = call(Rom(program("23..30")), "wait", runs=2)
    assert measured.profile.routine("wait").calls == 2
    assert measured.violation is not None
    assert "the call took 22 cycles; the claim is 23..30" in measured.violation.summary


def test_a_routine_that_does_not_return() -> None:
    with pytest.raises(Runaway):
        call(Rom(program()), "main", limit=200)


def test_a_program_runs_until_it_halts() -> None:
    measured = measure_program(Rom(program()), "main", mem={}, limit=1000)
    assert measured.profile.cycles == 6 + 22 + 6 + 6 + 3 + 22
    assert not measured.cut
    assert measured.profile.routine("wait").calls == 2


def test_a_program_that_returns() -> None:
    image = image_from(".export main\n.proc main\n nop\n rts\n.endproc\n")
    assert measure_program(Rom(image), "main", mem={}, limit=100).profile.cycles == 8


def test_a_program_without_an_end_is_cut() -> None:
    image = image_from(".export main\n.proc main\nloop: nop\n jmp loop\n.endproc\n")
    measured = measure_program(Rom(image), "main", mem={}, limit=100)
    assert measured.cut
    assert measured.profile.cycles == 100
    assert halts(image) == ()


def test_memory_of_a_program() -> None:
    # ldx (4) dex (2 each) bne; stop
    image = image_from(
        '.segment "ZEROPAGE"\nn: .res 1\n.segment "CODE"\n.export main\n.exportzp n\n'
        ".proc main\n ldx n\nloop: dex\n bne loop\nstop: jmp stop\n.endproc\n"
    )
    measured = measure_program(Rom(image), "main", mem={"n": b"\2"}, limit=100)
    assert measured.profile.cycles == 3 + 2 + 3 + 2 + 2
    assert halts(image) == (image.address("main::stop"),)

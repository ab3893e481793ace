"""Invariants, numbers that decrease and turns of loops, checked while a routine runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_programs import breaches, rom_6502, rom_sm83

from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.rom import Rom

ENGINES_6502 = ("plain", "llvm", "recompiled", "py65")
ENGINES_SM83 = ("plain", "llvm", "recompiled")

COUNTDOWN = """\
;; go – counts X down.
; in:        X
; requires:  X > 0
; out:       none
; clobbers:  X N Z
; {clause}
.export go
.proc go
@l:     dex
        bne @l
        rts
.endproc
"""
COUNTDOWN_SM83 = """\
;; go – counts B down.
; in:        B
; requires:  B > 0
; out:       none
; clobbers:  B ZF NF HF
; {clause}
go::
.l:     dec b
        jr nz, .l
        ret
"""


def countdown(folder: Path, cpu: str, clause: str, engine: str) -> Rom:
    if cpu == "6502":
        return rom_6502(folder, COUNTDOWN.format(clause=clause.replace("\n", "\n; ")), engine)
    clause = clause.replace("@l", ".l").replace("X", "B").replace("\n", "\n; ")
    return rom_sm83(folder, COUNTDOWN_SM83.format(clause=clause), engine)


BOTH = [("6502", engine) for engine in ENGINES_6502] + [("sm83", engine) for engine in ENGINES_SM83]


@pytest.mark.parametrize(("cpu", "engine"), BOTH)
@pytest.mark.parametrize(
    ("clause", "kept", "told"),
    [
        ("invariant: @l: X < 9, X <= old X", 8, "X < 9 | at '@l', visit 1: X < 9, but X is $09"),
        ("invariant: @l: X != 3 or old X < 9", 8, "X != 3 or old X < 9 | at '@l', visit 7: "),
        ("loops: @l 8", 8, "@l | executions of '@l' in its loop: 9 so far; the claim is at most 8"),
        ("loops: @l 9..10", 10, "@l | executions of '@l' in its loop: 8; the claim is at least 9"),
        (
            "invariant: @l: X > 0\ndecreases: @l: X % 9 + 1",
            8,
            "@l | at '@l', visit 2: X % 9 + 1 is 9, not less than at the visit before, 1; X is $08",
        ),
        (
            "invariant: @l: X > 0\ndecreases: @l: X + 3 - old X",
            4,
            "@l | at '@l', visit 5: X + 3 - old X is -1, not a natural number; X is $0",
        ),
        ("invariant: @l: X > 0\ndecreases: @l: old X - X", 1, "visit 2: old X - X is 1, not less"),
        ("invariant: @l: X > 0\ndecreases: @l: 5", 1, "@l | at '@l', visit 2: 5 is 5, not less"),
    ],
)
def test_each_clause(
    tmp_path: Path, cpu: str, engine: str, clause: str, kept: int, told: str
) -> None:
    rom = countdown(tmp_path, cpu, clause, engine)
    name = "x" if cpu == "6502" else "b"
    rom.call("go", **{name: kept})  # type: ignore[arg-type]
    broken = 8 if "9..10" in clause else 9
    (found,) = breaches(rom, **{name: broken})
    if cpu == "sm83":
        told = told.replace("@l", ".l").replace("X", "B")
    assert told in found


@pytest.mark.parametrize(("cpu", "engine"), BOTH)
def test_results_are_those_without_clauses(tmp_path: Path, cpu: str, engine: str) -> None:
    name = "x" if cpu == "6502" else "b"
    clause = "invariant: @l: X > 0\ndecreases: @l: X\nloops: @l 200..200"
    checked = countdown(tmp_path, cpu, clause, engine).call("go", **{name: 200})  # type: ignore[arg-type]
    plain = countdown(tmp_path, cpu, "stack: 0", engine).call("go", **{name: 200})  # type: ignore[arg-type]
    for what in ("cycles", "instructions", "stack", "registers", "lowest_s"):
        assert getattr(checked, what) == getattr(plain, what)


@pytest.mark.parametrize("engine", ENGINES_6502)
def test_the_limit_counts_all_of_the_call(tmp_path: Path, engine: str) -> None:
    # each turn but the last takes 5 cycles, the return 6
    rom = countdown(tmp_path, "6502", "invariant: @l: X > 0", engine)
    taken = rom.call("go", x=100).cycles
    assert rom.call("go", x=100, limit=taken).cycles == taken == 505
    with pytest.raises(Runaway):
        rom.call("go", x=100, limit=taken - 6)
    for limit in (1, 2, 5, 6, 249, 250, 251):
        with pytest.raises(Runaway):
            rom.call("go", x=100, limit=limit)


def test_the_failure_shows_the_visit(tmp_path: Path) -> None:
    rom = countdown(tmp_path, "6502", "invariant: @l: X != 5", "plain")
    with pytest.raises(ContractViolation) as caught:
        rom.call("go", x=9)
    text = str(caught.value)
    assert "prog.s:14:18: error: go: at '@l', visit 5: X != 5, but X is $05" in text
    assert "; invariant: @l: X != 5\n" in text
    assert "X=$05" in text
    assert "cycles=20" in text
    rom = countdown(tmp_path, "6502", "invariant: @l: X == 5", "plain")
    with pytest.raises(ContractViolation, match=r"visit 1: X == 5, but X is \$09"):
        rom.call("go", x=9)


def test_a_loop_that_never_ends_breaks_its_number_first(tmp_path: Path) -> None:
    text = """\
;; go – waits.
; in: A
; out: none
; clobbers: N Z C
; invariant: @l: A <= 255
; decreases: @l: A
.export go
.proc go
@l:     cmp #0
        bne @l
        rts
.endproc
"""
    (found,) = breaches(rom_6502(tmp_path, text), a=7)
    assert found == "@l | at '@l', visit 2: A is 7, not less than at the visit before, 7"
    assert rom_6502(tmp_path, text).call("go", a=0).a == 0
    with pytest.raises(Runaway):
        rom_6502(tmp_path, text).call("go", a=7, check=False)


NESTED = """\
;; go – X times Y turns.
; in: X Y
; requires: X in 1..9, Y in 1..9
; out: none
; clobbers: X N Z count
; invariant: @outer: X in 1..9
; decreases: @outer: X
; invariant: @inner: count in 1..9
; decreases: @inner: count
; loops: @outer 1..9, @inner {inner}
.export go
.proc go
@outer: sty count
@inner: dec count
        bne @inner
        dex
        bne @outer
        rts
.endproc
"""


def test_an_inner_loop_begins_anew(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, NESTED.format(inner="4..5"))
    rom.call("go", x=9, y=5)
    rom.call("go", x=9, y=4)
    told = "@inner | executions of '@inner' in its loop: "
    assert breaches(rom, x=9, y=6) == [told + "6 so far; the claim is at most 5"]
    assert breaches(rom, x=1, y=3) == [told + "3; the claim is at least 4"]


@pytest.mark.parametrize("loops", ["@l 3..9, @m 2..7", "@m 2..7, @l 3..9"])
def test_all_bounds_of_one_place_are_checked(tmp_path: Path, loops: str) -> None:
    text = f"""\
;; go – turns X times.
; in: X
; requires: X > 0
; out: none
; clobbers: X N Z
; loops: {loops}
.export go
.proc go
@l:
@m:     dex
        bne @l
        rts
.endproc
"""
    rom = rom_6502(tmp_path, text)
    for x in (3, 7):
        rom.call("go", x=x)
    assert "@l' in its loop: 2; the claim is at least 3" in breaches(rom, x=2)[0]
    assert "@m' in its loop: 8 so far; the claim is at most 7" in breaches(rom, x=8)[0]


def test_a_place_that_is_not_the_head_of_its_loop(tmp_path: Path) -> None:
    text = """\
;; go – what is behind @odd, for odd X.
; in: X
; requires: X > 0
; out: none
; clobbers: A X N Z C count
; loops: @odd 2..3
.export go
.proc go
@l:     txa
        lsr a
        bcc @even
@odd:   inc count
@even:  dex
        bne @l
        rts
.endproc
"""
    rom = rom_6502(tmp_path, text)
    for x in (3, 4, 5, 6):
        rom.call("go", x=x)
    assert "odd' in its loop: 1; the claim is at least 2" in breaches(rom, x=2)[0]
    assert "odd' in its loop: 4 so far; the claim is at most 3" in breaches(rom, x=7)[0]


RECURSIVE = """\
;; go – calls itself A times, and counts X down at each depth.
; in: A X
; requires: X > 0, A < 9
; out: none
; clobbers: A Y N V Z C
; invariant: @l: Y in 1..X, X == old X, A == old A
; decreases: @l: Y
; loops: @l 1..7
.export go
.proc go
        pha
        txa
        tay
        pla
@l:     dey
        bne @l
        cmp #0
        beq @done
        pha
        sec
        sbc #1
        inx
        jsr go
        dex
        pla
@done:  rts
.endproc
"""


def test_each_activation_has_its_own_values(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, RECURSIVE)
    rom.call("go", a=6, x=1)
    rom.call("go", a=0, x=7)
    (found,) = breaches(rom, a=6, x=2)
    assert "executions of '@l' in its loop: 8 so far; the claim is at most 7" in found


def test_a_loop_in_a_helper_begins_anew_with_each_call(tmp_path: Path) -> None:
    text = """\
;; go – wait A times.
; in: A
; requires: A > 0
; out: none
; clobbers: A X N V Z C
; invariant: wait: X in 1..3
; decreases: wait: X
; loops: wait 3..3
.export go
.proc go
@again: ldx #3
        jsr wait
        sec
        sbc #1
        bne @again
        rts
.endproc
.proc wait
        dex
        bne wait
        rts
.endproc
"""
    rom_6502(tmp_path, text).call("go", a=5)
    (found,) = breaches(rom_6502(tmp_path, text.replace("ldx #3", "ldx #2")), a=5)
    assert "executions of 'wait' in its loop: 2; the claim is at least 3" in found


def test_a_loop_that_a_return_leaves(tmp_path: Path) -> None:
    text = """\
;; go – wait twice.
; in: A
; requires: A > 0
; out: none
; clobbers: A B ZF NF HF
; invariant: wait.l: B in 1..3
; decreases: wait.l: B
; loops: wait.l 3..3
go::
.again: ld b, 3
        call wait
        dec a
        jr nz, .again
        ret
wait:
.l:     dec b
        ret z
        jr .l
"""
    rom_sm83(tmp_path, text).call("go", a=5)
    (found,) = breaches(rom_sm83(tmp_path, text.replace("ld b, 3", "ld b, 2")), a=5)
    assert "executions of 'wait.l' in its loop: 2; the claim is at least 3" in found


def test_code_that_two_routines_share_does_not_end_a_loop(tmp_path: Path) -> None:
    text = """\
;; go – calls what ends in its own return.
; in: X
; requires: X > 0
; out: none
; clobbers: X N Z
; invariant: @l: X > 0
; decreases: @l: X
; loops: @l 5..5
.export go
.proc go
@l:     jsr helper
        dex
        bne @l
done:   rts
.endproc
.proc helper
        lda go::done
        bne go::done
        rts
.endproc
"""
    text = text.replace("clobbers: X", "clobbers: A X")
    rom_6502(tmp_path, text).call("go", x=5)
    assert "in its loop: 4; the claim is at least 5" in breaches(rom_6502(tmp_path, text), x=4)[0]


DEEP = """\
;; go – calls inner.
; in: X
; out: none
; clobbers: X N Z
.export go
.proc go
        jsr inner
        rts
.endproc
""" + COUNTDOWN.replace("go", "inner")


def test_routines_inside_are_checked_when_asked_for(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, DEEP.format(clause="invariant: @l: X < 5\n; loops: @l 4"))
    rom.call("go", x=4, check="deep")
    rom.call("go", x=9)
    with pytest.raises(ContractViolation) as caught:
        rom.call("go", x=9, check="deep")
    (breach,) = caught.value.breaches
    assert breach.contract.name == "inner"
    assert breach.sentence == "at '@l', visit 1: X < 5, but X is $09"
    assert "(go)" in breach.where


def test_a_program_is_checked_inside_too(tmp_path: Path) -> None:
    text = (
        DEEP.format(clause="loops: @l 4")
        + """\
.export main
.proc main
        ldx #5
        jsr go
@end:   jmp @end
.endproc
"""
    )
    rom = rom_6502(tmp_path, text)
    machine = rom.machine()
    assert machine.run_from("main", "main@end").x == 0
    with pytest.raises(ContractViolation, match="5 so far; the claim is at most 4"):
        machine.run_from("main", "main@end", check="deep")


def test_an_observer_sees_every_instruction_once(tmp_path: Path) -> None:
    class Counts:
        seen = 0

        def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
            self.seen += 1

    rom = countdown(tmp_path, "6502", "loops: @l 9", "llvm")
    counts = Counts()
    assert rom.call("go", x=9, observer=counts).instructions == counts.seen == 19


def test_nothing_is_looked_at_without_checks(tmp_path: Path) -> None:
    rom = countdown(tmp_path, "6502", "invariant: @l: X < 5", "llvm")
    assert rom.call("go", x=9, check=False).x == 0


def test_code_that_is_written_is_looked_at_anew(tmp_path: Path) -> None:
    rom = countdown(tmp_path, "6502", "loops: @l 5..5", "llvm")
    machine = rom.machine()
    machine.call("go", x=5)
    # dex; beq to the return; bne: the loop is left elsewhere now
    machine.write(rom.image.address("go"), [0xCA, 0xF0, 2, 0xD0, 0xFB, 0x60], code=True)
    machine.call("go", x=5)
    with pytest.raises(ContractViolation, match="in its loop: 4; the claim is at least 5"):
        machine.call("go", x=4)

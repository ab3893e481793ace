"""Small routines of the 6502, their cycles counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from bounds_programs import bounds, found, image_6502

from romproof.harness.rom import Rom
from romproof.program.image import UnknownSymbol
from romproof.timing.graph import NoCode


def of(folder: Path, code: str, routine: str = "main") -> tuple[int, int | None]:
    """The bounds of a routine in a program of ``code``."""
    got = bounds(image_6502(folder, code), routine)
    assert (got.worst is None) == bool(got.reason)
    return got.best, got.worst


def why(folder: Path, code: str) -> str:
    """Why ``main`` has no known worst."""
    got = bounds(image_6502(folder, code), "main")
    assert got.worst is None
    return got.reason


CASES = {
    # 3 + 2 + 6
    "straight on": ("lda value\n clc\n rts", 11, 11),
    # lda 3; branch 2 or 3; inc 5; rts 6
    "a branch": ("lda value\n bne skip\n inc value\nskip: rts", 12, 16),
    # ldx 2; 8 * (dex 2 + bne 3) - 1; rts 6
    "down to zero": ("ldx #8\nstep: dex\n bne step\n rts", 47, 47),
    # ldx 2; 8 * (dex 2 + bpl 3) - 1; rts 6
    "down below zero": ("ldx #7\nstep: dex\n bpl step\n rts", 47, 47),
    # ldx 2; 5 * (inx 2 + cpx 2 + bne 3) - 1; rts 6
    "up to a number": ("ldx #0\nstep: inx\n cpx #5\n bne step\n rts", 42, 42),
    # ldy 2; 3 * (tya 2 + sec 2 + sbc 2 + tay 2 + bcs 3) - 1; rts 6: 24, 16, 8, 0 borrow
    "by eights": ("ldy #16\nstep: tya\n sec\n sbc #8\n tay\n bcs step\n rts", 40, 40),
    # lda 2, sta 3; 6 * (dec 5 + bne 3) - 1; rts 6
    "a counter in memory": (
        "lda #6\n sta counter\nstep: dec counter\n bne step\n rts",
        58,
        58,
    ),
    # ldx 2; 3 * (ldy 2; 4 * (dey 2 + bne 3) - 1; dex 2 + bne 3) - 1; rts 6
    "a loop in a loop": (
        "ldx #3\nouter: ldy #4\ninner: dey\n bne inner\n dex\n bne outer\n rts",
        7 + 3 * (2 + 19 + 5),
        7 + 3 * (2 + 19 + 5),
    ),
    # the test at the head: ldx 2; 5 times (cpx 2 + beq 2 + inx 2 + jmp 3), then cpx 2 + beq 3; 6
    "the test at the head": (
        "ldx #0\nstep: cpx #5\n beq done\n inx\n jmp step\ndone: rts",
        2 + 5 * 9 + 5 + 6,
        2 + 5 * 9 + 5 + 6,
    ),
    # a way out: first turn lda 3 + beq 3, rts 6; or 10 turns of lda 3 + beq 2 + dex 2 + bne 3
    "a way out": (
        "ldx #10\nstep: lda value\n beq done\n dex\n bne step\ndone: rts",
        2 + 6 + 6,
        2 + 10 * 10 - 1 + 6,
    ),
    # dex, bne with any X: 1 to 256 turns
    "an unknown start": ("ldx value\nstep: dex\n bne step\n rts", 3 + 4 + 6, 3 + 256 * 5 - 1 + 6),
    # X is 1 at the branch: it is never taken
    "a branch that is never taken": ("ldx #1\n beq skip\n inc value\nskip: rts", 15, 15),
    # the second branch is always taken: the carry is known
    "a branch that is always taken": (
        "lda value\n bcs one\n bcc two\none: rts\ntwo: rts",
        3 + 3 + 6,
        3 + 2 + 3 + 6,
    ),
    # asl 2, then A is 2: beq is not taken
    "known values": ("lda #1\n asl a\n beq skip\n nop\nskip: rts", 2 + 2 + 2 + 2 + 6, 14),
}


@pytest.mark.parametrize("name", CASES)
def test_by_hand(tmp_path: Path, name: str) -> None:
    code, best, worst = CASES[name]
    assert of(tmp_path, f".export main\nmain: {code}\n") == (best, worst)


@pytest.mark.parametrize(
    ("access", "best", "worst"),
    [
        ("lda table,x", 4, 4),  # at the start of a page nothing crosses
        ("lda table+1,x", 4, 5),
        ("lda table+1,y", 4, 5),
        ("sta table+1,x", 5, 5),  # a write always takes the cycle
        ("inc table+1,x", 7, 7),
        ("lda (pointer),y", 5, 6),
        ("sta (pointer),y", 6, 6),
        ("lda value,x", 4, 4),  # the zero page has no other page
        ("ldx #255\n lda table+1,x", 2 + 5, 2 + 5),
        ("ldx #254\n lda table+1,x", 2 + 4, 2 + 4),
        ("ldy #0\n lda (pointer),y", 2 + 5, 2 + 5),
        ("pha\n pha\n tsx\n lda $0103,x\n pla\n pla", 3 + 3 + 2 + 4 + 8, 3 + 3 + 2 + 5 + 8),
    ],
)
def test_pages(tmp_path: Path, access: str, best: int, worst: int) -> None:
    code = f".export main\nmain: {access}\n rts\n"
    assert of(tmp_path, code) == (best + 6, worst + 6)


def test_pages_in_a_counted_loop(tmp_path: Path) -> None:
    def loop(offset: int) -> str:
        return f".export main\nmain: ldx #7\nstep: lda table+{offset},x\n dex\n bpl step\n rts\n"

    assert of(tmp_path, loop(248)) == (2 + 8 * 9 - 1 + 6,) * 2
    # X is 7 once, in the first turn
    assert of(tmp_path, loop(249)) == (2 + 8 * 9 - 1 + 6, 2 + 8 * 10 - 1 + 6)


def test_a_branch_to_another_page_is_known(tmp_path: Path) -> None:
    code = ".export main\n.res 251\nmain: lda value\n bne over\n nop\nover: rts\n"
    # the branch stands at $80FD and leads to $8100; what follows it is at $80FF
    assert of(tmp_path, code) == (3 + 2 + 2 + 6, 3 + 4 + 6)


CALLS = """\
.export main, next, halves, outer
.proc half
  lsr a
  rts                   ; 8
.endproc
.proc halves
  jsr half              ; 14
.endproc
.proc next
  bcs half_too          ; 2 or 3
  rts                   ; 6
half_too:
  jmp half              ; 3 + 8
.endproc
.proc main
  ldx #3                ; 2
step:
  jsr half              ; 14
  dex
  bne step              ; 3 * (14 + 5) - 1
  rts
.endproc
.proc outer
  ldx #3
step:
  jsr breaks            ; X is another one after the call
  dex
  bne step
  rts
.endproc
.proc breaks
  ldx value             ; 3 + 6
  rts
.endproc
"""


def test_calls_tail_calls_and_falling_through(tmp_path: Path) -> None:
    image = image_6502(tmp_path, CALLS)
    assert str(bounds(image, "half")) == "8"
    assert str(bounds(image, "next")) == "8..14"
    assert str(bounds(image, "halves")) == "22..28"
    assert str(bounds(image, "main")) == str(2 + 3 * 19 - 1 + 6)


def test_a_counter_that_a_callee_changes_is_none(tmp_path: Path) -> None:
    got = bounds(image_6502(tmp_path, CALLS), "outer")
    assert (got.best, got.worst) == (2 + 6 + 9 + 4 + 6, None)
    assert "prog.s:34: no known bound for this loop: write 'loops: outer::step COUNT'" in got.reason


@pytest.mark.parametrize(
    "writer",
    [
        "sta (pointer),y",
        "sta $00,x",
        "sta counter",
        "inc counter",
        "sta $2000",
        "sta $FF80,x",
        "sta $FF00,x",
    ],
)
def test_a_counter_in_memory_that_something_else_may_write_is_none(
    tmp_path: Path, writer: str
) -> None:
    code = f"main: lda #6\n sta counter\nstep: {writer}\n dec counter\n bne step\n rts\n"
    known = "$FF00" in writer  # from $FF80 on it continues at 0, where the counter is
    assert (of(tmp_path, f".export main\n{code}")[1] is not None) == known


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("jmp (pointer)", "prog.s:10: 'jmp (a16)' jumps to a computed address"),
        ("pha\n pha\n rts", "prog.s:12: it does not return to its caller"),
        ("pla\n pla\n rts", "prog.s:10: it removes its return address from the stack"),
        ("ldx #0\n txs\n rts", "prog.s:12: it does not return to its caller"),
        ("tsx\n inc $0101,x\n rts", "prog.s:11: it changes its return address"),
        ("lda value\nstep: pha\n dec value\n bne step\n rts", "the stack depth differs"),
        ("brk", "prog.s:10: 'brk' calls the interrupt handler"),
        ("nop\n.byte 2", "prog.s:11: 'jam' locks the CPU"),
        ("main: jmp main", "prog.s:10: this loop is never left"),
        ("inc main\n rts", "prog.s:10: it writes to ROM"),
        ("jsr main\n rts", "prog.s:10: recursion: main -> main"),
        ("jsr other\n rts\nother: jsr main\n rts", "recursion: main -> other -> main"),
        ("jmp $7000", "prog.s:10: it continues at $7000, where the program has no code"),
        (
            "bcs two\none: dex\ntwo: dey\n bne one\n rts",
            "a loop is entered here and in another place",
        ),
        ("nop\n:lda $4012\n bne :-\n rts", "give it a label for 'loops: LABEL COUNT'"),
        (
            "sed\n jsr adds\n cld\n rts\nadds: adc #1\n rts",
            "it calls code that adds or subtracts while D may",
        ),
    ],
)
def test_what_cannot_be_known(tmp_path: Path, code: str, reason: str) -> None:
    label = "" if code.startswith("main:") else "main: "
    assert reason in why(tmp_path, f".export main\n{label}{code}\n")


def test_a_jump_through_a_pointer_that_never_changes(tmp_path: Path) -> None:
    code = ".export main\nmain: jmp (there)\nthere: .word back\nback: rts\n"
    assert of(tmp_path, code) == (11, 11)


def test_the_best_is_known_even_where_the_worst_is_not(tmp_path: Path) -> None:
    assert of(tmp_path, ".export main\nmain: lda value\n beq out\n jmp (pointer)\nout: rts\n") == (
        3 + 2,  # who knows: the jump may lead to an rts
        None,
    )


def test_the_best_of_a_loop_with_two_entries_has_all_blocks_of_its_way(tmp_path: Path) -> None:
    # bcs taken 3, dey 2, bne 2, rts 6; where it is not taken: 2, dex 2 and the same
    code = ".export main\nmain: bcs two\none: dex\ntwo: dey\n bne one\n rts\n"
    assert of(tmp_path, code) == (3 + 2 + 2 + 6, None)


STATED = """\
.export main
;; main – waits.
; in:       none
; out:      none
; clobbers: A X Z N
; stack:    0
; cycles:   10..100
; loops:    {loops}
.proc main
  ldx #3
@outer:
    nop                 ; 2
@inner:
    lda $4012           ; 4
    bne @inner          ; 3 or 2
    nop                 ; 2
@middle:
    lda $4012           ; 4
    beq @middle         ; 3 or 2
    dex                 ; 2
    bne @outer          ; 3 or 2
  rts
.endproc
"""


def test_stated_turns(tmp_path: Path) -> None:
    image = image_6502(tmp_path, STATED.format(loops="@inner 5, @middle 2..4"))
    inner, middle = (6, 5 * 7 - 1), (7 + 6, 4 * 7 - 1)
    best, worst = (2 + 3 * (2 + inner[n] + 2 + middle[n] + 5) - 1 + 6 for n in (0, 1))
    assert (bounds(image).best, bounds(image).worst) == (best, worst)
    loops = {loop.label: (loop.most, loop.stated) for loop in found(image).loops}
    assert loops["main@middle"] == (4, True)
    assert found(image).conflicts == ()


def test_stated_turns_that_cannot_be(tmp_path: Path) -> None:
    text = STATED.replace("lda $4012", "lda #0").replace("beq", "bne")
    got = found(image_6502(tmp_path, text.format(loops="@outer 2")))
    assert got.bounds.best == got.bounds.worst == 2 + 3 * (2 + 4 + 2 + 4 + 5) - 1 + 6
    assert got.conflicts == (
        f"{tmp_path}/prog.s:16: 'loops: @outer 2' is impossible: "
        "the loop has at least 3 iterations",
    )


TWICE = """\
.export main
;; main – waits; two labels in one basic block.
; in:       none
; out:      none
; clobbers: A Z N
; loops:    {loops}
.proc main
@one:
    nop                 ; 2
@two:
    lda $4012           ; 4
    bne @one            ; 3 or 2
  rts
.endproc
"""


@pytest.mark.parametrize(
    ("loops", "turns"),
    [
        ("@one 3..9, @two 7", (3, 7)),
        ("@two 7, @one 3..9", (3, 7)),
        ("@one 4..9, @two 2..7", (4, 7)),
        ("@one 5, @two 5..8", (5, 5)),
    ],
)
def test_both_bounds_of_one_block_count(tmp_path: Path, loops: str, turns: tuple[int, int]) -> None:
    image = image_6502(tmp_path, TWICE.format(loops=loops))
    best, worst = (9 * turn - 1 + 6 for turn in turns)
    assert (bounds(image).best, bounds(image).worst) == (best, worst)
    assert sorted(map(str, found(image).stated)) == sorted(loops.split(", "))


@pytest.mark.parametrize("second", ["@two", "@three"])
def test_bounds_of_one_loop_that_contradict_each_other(tmp_path: Path, second: str) -> None:
    text = TWICE.replace("bne @one", "beq @done\n@three: bne @one\n@done:")
    got = found(image_6502(tmp_path, text.format(loops=f"@one 2, {second} 5..6")))
    assert got.bounds.worst is None
    assert got.conflicts == (
        f"{tmp_path}/prog.s:14: 'loops: @one 2' is impossible: "
        f"its loop is declared to have at least 5 iterations ('{second} 5..6')",
    )


def test_a_label_in_the_middle_of_a_loop(tmp_path: Path) -> None:
    text = """\
.export main
;; main – waits, and counts.
; in:       none
; out:      none
; clobbers: A X Z N V
; loops:    @there 3
.proc main
@step:
    bit $4012           ; 4
    bmi @done           ; 3 or 2
@there:
    inc value           ; 5
    bvc @step           ; 3 or 2
@done:
  rts
.endproc
"""
    # out at the top of the fourth turn, or at the bottom of the third one
    assert of(tmp_path, text) == (4 + 3 + 6, 3 * (4 + 2 + 5 + 3) + 4 + 3 + 6)


def test_d_may_be_set_where_a_contract_says_so(tmp_path: Path) -> None:
    text = """\
.export main
;; main – counts down by nines.
; in:       {inputs}
; out:      none
; clobbers: A X Z N V C
.proc main
  lda #90
@step:
    sec
    sbc #9              ; turns of another number in decimal mode
    bcs @step
  rts
.endproc
"""
    # 90, 81, …, 0: eleven turns of 2 + 2 + 3
    assert of(tmp_path, text.format(inputs="none")) == (2 + 11 * 7 - 1 + 6,) * 2
    image = image_6502(tmp_path, text.format(inputs="D"))
    rom, got = Rom(image, "plain"), bounds(image)
    seen = [rom.call("main", flags={"d": d}, check=False).cycles for d in (0, 1)]
    assert sorted(seen) == [got.best, got.worst]


def test_what_a_contract_requires_of_inputs(tmp_path: Path) -> None:
    text = """\
.export main
;; main – adds up some of a table.
; in:       Y X value
; requires: X in 3..7, Y <= 100
; out:      A
; clobbers: A X N Z
; stack:    0
.proc main
  lda table+155,y       ; 4: up to 100 nothing crosses
@step:
    eor table,x         ; 4
    dex                 ; 2
    bne @step           ; 3 or 2
  rts
.endproc
"""
    assert of(tmp_path, text) == (4 + 3 * 9 - 1 + 6, 4 + 7 * 9 - 1 + 6)


def test_a_loop_at_the_very_entry(tmp_path: Path) -> None:
    text = """\
.export main
;; main – counts down from five.
; in:       X
; requires: X == 5
; out:      none
; clobbers: X N Z
.proc main
  dex                   ; 2
  bne main              ; 3 or 2
  rts
.endproc
"""
    assert of(tmp_path, text) == (5 * 5 - 1 + 6,) * 2


def test_an_input_that_was_changed_before_it_is_an_index(tmp_path: Path) -> None:
    text = """\
.export main
;; main – reads a table.
; in:       X
; requires: X < 255
; out:      A
; clobbers: X N Z
.proc main
  txa                   ; 2
  eor #$80              ; 2
  tax                   ; 2
  lda table+200,x       ; 4 or 5: X = $80 is 0 here, both ends are far
  rts
.endproc
"""
    assert of(tmp_path, text) == (16, 17)


def test_what_is_no_routine_is_refused(tmp_path: Path) -> None:
    image = image_6502(tmp_path, ".export main, data\nmain: rts\ndata: .byte 1, 2\n")
    with pytest.raises(NoCode, match=r"there is no code at \$8001 \(data\)"):
        bounds(image, "data")
    with pytest.raises(NoCode):
        bounds(image, "value")
    with pytest.raises(UnknownSymbol):
        bounds(image, "mian")


RESTS = """
;; main – waits twice.
; in: X
; clobbers: A X Y N Z
; loops: {loops}
.export main
.proc main
        ldy #4
@count: dey
        bne @count
        jsr wait
        rts
.endproc
;; wait – for something.
; in: none
; clobbers: A N Z
; loops: @port 7
.export wait
.proc wait
@port:  lda $4012
        bne @port
        rts
.endproc
.export plain
.proc plain
        rts
.endproc
"""


@pytest.mark.parametrize("loops", ["@count 4", "@count 9", "@count 1..9", "@count 4..4", "none"])
def test_what_counting_finds_rests_on_no_contract(tmp_path: Path, loops: str) -> None:
    image = image_6502(tmp_path, RESTS.format(loops=loops))
    assert [str(bound) for bound in found(image).stated] == ["@port 7"]
    assert [str(bound) for bound in found(image, "wait").stated] == ["@port 7"]
    assert found(image, "plain").stated == ()


def test_what_contracts_state_is_what_bounds_rest_on(tmp_path: Path) -> None:
    text = """
;; main – waits.
; in: X
; clobbers: A X N Z
; loops: @port {}
.export main
.proc main
@port:  lda $4012
        bne @port
        rts
.endproc
"""
    image = image_6502(tmp_path, text.format("2..7"))
    assert [str(bound) for bound in found(image).stated] == ["@port 2..7"]
    assert (bounds(image).best, bounds(image).worst) == (2 * 7 - 1 + 6, 7 * 7 - 1 + 6)

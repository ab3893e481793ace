"""Every cycle number here is counted by hand from the instructions in the comments."""

from __future__ import annotations

import pytest
from measure_programs import START, execute, image_of

from romproof.measure.code_locations import CodeLocations, routine_starts
from romproof.measure.model import CycleProfile
from romproof.measure.profile import Profiler
from romproof.program.image import Image


def profile_of(image: Image, entry: int = START, limit: int = 10_000, **regs: int) -> CycleProfile:
    profiler = Profiler(CodeLocations(image))
    cycles = execute(image, entry, profiler, limit, **regs)
    profile = profiler.profile()
    assert profile.cycles == cycles
    assert sum(r.exclusive for r in profile.routines) == cycles
    assert sum(a.cycles for a in profile.addresses) == cycles
    return profile


def numbers(profile: CycleProfile, name: str) -> tuple[int, int, int, int, int]:
    r = profile.routine(name)
    return r.calls, r.exclusive, r.inclusive, r.minimum, r.maximum


def test_nested_calls_split_into_exclusive_and_inclusive() -> None:
    # main: jsr sub (6)  jsr sub (6)  rts (6);  sub: nop (2)  jsr leaf (6)  rts (6)
    # leaf: nop nop (4)  rts (6)
    image = image_of(
        {0x8000: "20 10 80 20 10 80 60", 0x8010: "ea 20 20 80 60", 0x8020: "ea ea 60"},
        {"main": (0x8000, 7), "sub": (0x8010, 5), "leaf": (0x8020, 3)},
    )
    profile = profile_of(image)
    assert profile.cycles == 18 + 2 * 14 + 2 * 10
    assert profile.instructions == 3 + 2 * 3 + 2 * 3
    assert numbers(profile, "main") == (1, 18, 66, 66, 66)
    assert numbers(profile, "sub") == (2, 28, 48, 24, 24)
    assert numbers(profile, "leaf") == (2, 20, 20, 10, 10)
    assert [(e.caller, e.callee, e.calls, e.cycles) for e in profile.edges] == [
        ("main", "sub", 2, 48),
        ("sub", "leaf", 2, 20),
    ]
    assert [e.caller for e in profile.callers("leaf")] == ["sub"]
    assert [e.callee for e in profile.callees("main")] == ["sub"]
    assert [r.name for r in profile.routines] == ["sub", "leaf", "main"]
    assert profile.share(profile.routine("main").inclusive) == 1.0


def test_minimum_mean_and_maximum_of_calls_that_differ() -> None:
    # main: ldx #1 (2) jsr (6) ldx #4 (2) jsr (6) rts (6)
    # wait: dex (2) bne wait (3 taken, 2 not) rts (6) -> 5n - 1 + 6
    image = image_of(
        {0x8000: "a2 01 20 10 80 a2 04 20 10 80 60", 0x8010: "ca d0 fd 60"},
        {"main": (0x8000, 11), "wait": (0x8010, 4)},
    )
    profile = profile_of(image)
    wait = profile.routine("wait")
    assert (wait.calls, wait.minimum, wait.maximum, wait.mean) == (2, 10, 25, 17.5)
    assert profile.routine("main").exclusive == 22


def test_recursion_counts_the_outer_call_once() -> None:
    # down: dex (2) beq done (2, 3 taken) jsr down (6); done: rts (6)
    # one level: 2+3+6 = 11; every level above: 2+2+6+6 = 16 of its own
    image = image_of({0x8000: "ca f0 03 20 00 80 60"}, {"down": (0x8000, 7)})
    profile = profile_of(image, x=3)
    assert numbers(profile, "down") == (3, 43, 43, 11, 43)
    assert profile.routine("down").mean == pytest.approx((11 + 27 + 43) / 3)
    assert [(e.caller, e.callee, e.calls, e.cycles) for e in profile.edges] == [
        ("down", "down", 2, 11 + 27)
    ]


def test_mutual_recursion() -> None:
    # even: dex (2) beq (2/3) jsr odd (6); rts (6); odd the same with even
    image = image_of(
        {0x8000: "ca f0 03 20 10 80 60", 0x8010: "ca f0 03 20 00 80 60"},
        {"even": (0x8000, 7), "odd": (0x8010, 7)},
    )
    profile = profile_of(image, x=3)
    assert numbers(profile, "even") == (2, 27, 43, 11, 43)
    assert numbers(profile, "odd") == (1, 16, 27, 27, 27)


def test_a_tail_call_is_a_call_inside_its_caller() -> None:
    # main: jsr first (6) rts (6); first: nop (2) jmp second (3); second: nop nop (4) rts (6)
    image = image_of(
        {0x8000: "20 10 80 60", 0x8010: "ea 4c 20 80", 0x8020: "ea ea 60"},
        {"main": (0x8000, 4), "first": (0x8010, 4), "second": (0x8020, 3)},
    )
    profile = profile_of(image)
    assert numbers(profile, "main") == (1, 12, 27, 27, 27)
    assert numbers(profile, "first") == (1, 5, 15, 15, 15)
    assert numbers(profile, "second") == (1, 10, 10, 10, 10)
    assert [(e.caller, e.callee) for e in profile.edges] == [("main", "first"), ("first", "second")]


def test_a_branch_and_falling_through_are_tail_calls_too() -> None:
    # a: clc (2) bcc b (3); b: nop (2), falls into c: rts (6)
    image = image_of(
        {0x8000: "18 90 01 ea ea 60"}, {"a": (0x8000, 3), "b": (0x8004, 1), "c": (0x8005, 1)}
    )
    profile = profile_of(image)
    assert numbers(profile, "a") == (1, 5, 13, 13, 13)
    assert numbers(profile, "b") == (1, 2, 8, 8, 8)
    assert numbers(profile, "c") == (1, 6, 6, 6, 6)


def test_a_jump_out_with_data_on_the_stack_returns_through_both() -> None:
    # main: jsr save (6) nop (2) rts (6); save: pha (3) jmp restore (3); restore: pla (4) rts (6)
    image = image_of(
        {0x8000: "20 10 80 ea 60", 0x8010: "48 4c 20 80", 0x8020: "68 60"},
        {"main": (0x8000, 5), "save": (0x8010, 4), "restore": (0x8020, 2)},
    )
    profile = profile_of(image)
    assert numbers(profile, "main") == (1, 14, 30, 30, 30)
    assert numbers(profile, "save") == (1, 6, 16, 16, 16)
    assert numbers(profile, "restore") == (1, 10, 10, 10, 10)


def test_an_inner_label_is_called_but_not_entered_by_falling_through() -> None:
    # twice: jsr once (6); once: nop (2) rts (6); the second pass belongs to twice
    image = image_of({0x8000: "20 03 80 ea 60"}, {"twice": (0x8000, 5)}, {"once": 0x8003})
    profile = profile_of(image)
    assert numbers(profile, "twice") == (1, 14, 22, 22, 22)
    assert numbers(profile, "once") == (1, 8, 8, 8, 8)


def test_without_procs_falling_into_a_called_label_is_a_tail_call() -> None:
    image = image_of({0x8000: "20 03 80 ea 60"}, None, {"twice": 0x8000, "once": 0x8003})
    profile = profile_of(image)
    assert numbers(profile, "twice") == (1, 6, 22, 22, 22)
    assert numbers(profile, "once") == (2, 16, 16, 8, 8)


def test_rts_as_a_jump() -> None:
    # main: jsr dispatch (6) nop (2) rts (6)
    # dispatch: lda #$80 (2) pha (3) lda #$1f (2) pha (3) rts (6) -> target: nop (2) rts (6)
    image = image_of(
        {0x8000: "20 10 80 ea 60", 0x8010: "a9 80 48 a9 1f 48 60", 0x8020: "ea 60"},
        {"main": (0x8000, 5), "dispatch": (0x8010, 7), "target": (0x8020, 2)},
    )
    profile = profile_of(image)
    assert numbers(profile, "main") == (1, 14, 38, 38, 38)
    assert numbers(profile, "dispatch") == (1, 16, 24, 24, 24)
    assert numbers(profile, "target") == (1, 8, 8, 8, 8)


def test_a_return_address_pushed_by_hand() -> None:
    # main: lda #$80 (2) pha (3) lda #$08 (2) pha (3) jmp sub (3); $8009: nop (2) rts (6)
    # sub: nop (2) rts (6)
    image = image_of(
        {0x8000: "a9 80 48 a9 08 48 4c 20 80 ea 60", 0x8020: "ea 60"},
        {"main": (0x8000, 11), "sub": (0x8020, 2)},
    )
    profile = profile_of(image)
    assert numbers(profile, "sub") == (1, 8, 8, 8, 8)
    assert numbers(profile, "main") == (1, 21, 29, 29, 29)


def test_parameters_after_the_jsr() -> None:
    # main: jsr skip (6) .byte 1; nop (2) rts (6)
    # skip: pla (4) clc (2) adc #1 (2) pha (3) jsr leaf (6) rts (6); leaf: rts (6)
    # (the low byte is pulled first, so pla/adc/pha moves the return address by one)
    image = image_of(
        {0x8000: "20 10 80", 0x8003: "01 ea", 0x8004: "ea 60", 0x8010: "68 18 69 01 48 20 20 80 60"}
        | {0x8020: "60"},
        {"main": (0x8000, 6), "skip": (0x8010, 9), "leaf": (0x8020, 1)},
    )
    profile = profile_of(image)
    assert numbers(profile, "main") == (1, 14, 43, 43, 43)
    assert numbers(profile, "skip") == (1, 23, 29, 29, 29)
    assert numbers(profile, "leaf") == (1, 6, 6, 6, 6)


def test_a_helper_called_while_the_return_address_is_off_the_stack() -> None:
    # main: jsr outer (6) rts (6)
    # outer: pla (4) tax (2) pla (4) tay (2) jsr leaf (6) tya (2) pha (3) txa (2) pha (3) rts (6)
    # leaf: rts (6)
    image = image_of(
        {0x8000: "20 10 80 60", 0x8010: "68 aa 68 a8 20 20 80 98 48 8a 48 60", 0x8020: "60"},
        {"main": (0x8000, 4), "outer": (0x8010, 12), "leaf": (0x8020, 1)},
    )
    profile = profile_of(image)
    assert numbers(profile, "main") == (1, 12, 52, 52, 52)
    assert numbers(profile, "outer") == (1, 34, 40, 40, 40)
    assert numbers(profile, "leaf") == (1, 6, 6, 6, 6)


def test_returning_to_the_callers_caller_closes_both_calls() -> None:
    # main: jsr middle (6) nop (2) rts (6); middle: jsr leaf (6) nop rts; leaf: pla pla (8) rts (6)
    image = image_of(
        {0x8000: "20 10 80 ea 60", 0x8010: "20 20 80 ea 60", 0x8020: "68 68 60"},
        {"main": (0x8000, 5), "middle": (0x8010, 5), "leaf": (0x8020, 3)},
    )
    profile = profile_of(image)
    assert numbers(profile, "main") == (1, 14, 34, 34, 34)
    assert numbers(profile, "middle") == (1, 6, 20, 20, 20)
    assert numbers(profile, "leaf") == (1, 14, 14, 14, 14)


def test_a_jump_that_drops_its_return_address_ends_the_call() -> None:
    # main: jsr bail (6); $8003: nop; rts     $8010 bail: pla pla (8) jmp out (3)
    # out: nop (2) rts (6), now in place of main
    image = image_of(
        {0x8000: "20 10 80 ea 60", 0x8010: "68 68 4c 20 80", 0x8020: "ea 60"},
        {"main": (0x8000, 5), "bail": (0x8010, 5), "out": (0x8020, 2)},
    )
    profile = profile_of(image)
    assert numbers(profile, "bail") == (1, 11, 11, 11, 11)
    assert numbers(profile, "out") == (1, 8, 8, 8, 8)
    assert numbers(profile, "main") == (1, 6, 25, 25, 25)
    assert [e.callee for e in profile.callees("main")] == ["bail", "out"]


def test_routines_that_jump_to_each_other_for_ever_do_not_pile_up() -> None:
    # ping: jmp pong (3); pong: jmp ping (3)
    image = image_of(
        {0x8000: "4c 10 80", 0x8010: "4c 00 80"}, {"ping": (0x8000, 3), "pong": (0x8010, 3)}
    )
    profiler = Profiler(CodeLocations(image))
    execute(image, 0x8000, profiler, limit=60)
    assert len(profiler._calls) <= 2
    profile = profiler.profile()
    assert numbers(profile, "ping") == (1, 30, 60, 60, 60)
    assert (profile.routine("pong").calls, profile.routine("pong").exclusive) == (10, 30)


def test_calls_that_never_return_stay_bounded_and_keep_the_sums() -> None:
    image = image_of({0x8000: "20 00 80"}, {"sink": (0x8000, 3)})
    profile = profile_of(image, limit=6 * 5000)
    assert profile.routine("sink").exclusive == 30_000
    assert profile.routine("sink").calls == 5_000


def test_brk_calls_its_handler() -> None:
    # main: brk (7) .byte 0; nop (2) rts (6); handler: rti (6)
    image = image_of(
        {0x8000: "00 00 ea 60", 0x8010: "40", 0xFFFE: "10 80"},
        {"main": (0x8000, 4), "handler": (0x8010, 1)},
    )
    profile = profile_of(image)
    assert numbers(profile, "main") == (1, 15, 21, 21, 21)
    assert numbers(profile, "handler") == (1, 6, 6, 6, 6)


def test_a_handler_of_brk_returns_into_the_routine_that_follows() -> None:
    """The return is known by the stack pointer, three bytes higher: what begins there is entered
    from the routine with the brk, as after any call, also where the handler is a part of it."""
    # main: brk (7) .byte 0; next: nop (2) rts (6) rti (6); start: jsr main, jsr next, rts
    code = {0x8000: "00 00", 0x8002: "ea 60 40", 0x8020: "20 00 80 20 02 80 60", 0xFFFE: "04 80"}
    procs = {"main": (0x8000, 2), "next": (0x8002, 3), "start": (0x8020, 7)}
    profile = profile_of(image_of(code, procs, {"handler": 0x8004}), 0x8020)
    assert {(e.caller, e.callee): (e.calls, e.cycles) for e in profile.edges} == {
        ("start", "main"): (1, 7 + 6 + 8),
        ("main", "handler"): (1, 6),
        ("main", "next"): (1, 8),
        ("start", "next"): (1, 8),
    }


def test_a_routine_of_which_nothing_was_executed_was_not_called() -> None:
    # main: nop (2), then falls into halt, where execution is stopped
    image = image_of({0x8000: "ea", 0x8001: "4c 01 80"}, {"main": (0x8000, 1), "halt": (0x8001, 3)})
    profile = profile_of(image, limit=2)
    assert [(r.name, r.calls, r.exclusive) for r in profile.routines] == [("main", 1, 2)]
    assert profile.edges == ()


def test_several_executions_add_up() -> None:
    image = image_of({0x8000: "ca d0 fd 60"}, {"wait": (0x8000, 4)})
    profiler = Profiler(CodeLocations(image))
    for count in (1, 4):
        execute(image, START, profiler, x=count)
        profiler.finish()
    assert numbers(profiler.profile(), "wait") == (2, 35, 35, 10, 25)


def test_equal_names_in_two_modules_are_told_apart() -> None:
    image = image_of({0x8000: "20 10 80 60", 0x8010: "60"}, None, {"init": 0x8000})
    twin = image_of({0x8000: "60"}, None, {"init": 0x8010})
    both = Image(**{**vars(image), "symbols": image.symbols + twin.symbols})
    profile = profile_of(both)
    assert {r.name for r in profile.routines} == {"init ($8000)", "init ($8010)"}


def test_routine_starts_come_from_procs_and_calls() -> None:
    image = image_of({0x8000: "20 34 12 4c 00 90 60"}, {"main": (0x8000, 7)})
    assert routine_starts(image) == {0x8000, 0x1234}


def test_an_empty_profile() -> None:
    profile = Profiler(CodeLocations(image_of({0x8000: "60"}))).profile()
    assert (profile.cycles, profile.routines, profile.share(0)) == (0, (), 0.0)
    with pytest.raises(KeyError):
        profile.routine("main")

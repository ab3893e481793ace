"""M-cycles counted by hand: call 6 (3 when it does not take place), ret 4, ret cc 5 or 2, rst 4."""

from __future__ import annotations

import pytest
from measure_programs import image_of

from romproof.engine.engines import ENGINES, make_engine
from romproof.measure.code_locations import CodeLocations, routine_starts
from romproof.measure.model import CycleProfile
from romproof.measure.profile import Profiler
from romproof.program.image import Image

START, BACK = 0x8000, 0x7F00
USABLE = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]


def profile_of(image: Image, engine: str = "plain", **registers: int) -> CycleProfile:
    cpu = make_engine(engine, "sm83")
    for block in image.blocks:
        cpu.memory[block.address : block.address + len(block.data)] = block.data
    cpu.memory[0xDFFE:0xE000] = BACK.to_bytes(2, "little")
    for name, value in {"pc": START, "sp": 0xDFFE, **registers}.items():
        setattr(cpu.registers, name, value)
    profiler = Profiler(CodeLocations(image))
    cpu.run((BACK,), 10_000, profiler)
    profile = profiler.profile()
    assert profile.cycles == cpu.cycles == sum(r.exclusive for r in profile.routines)
    return profile


def numbers(profile: CycleProfile, name: str) -> tuple[int, int, int, int, int]:
    r = profile.routine(name)
    return r.calls, r.exclusive, r.inclusive, r.minimum, r.maximum


@pytest.mark.parametrize("engine", USABLE)
def test_calls_that_take_place_and_those_that_do_not(engine: str) -> None:
    # main: call c, leaf (6 or 3)  call nc, leaf (6 or 3)  ret (4);  leaf: nop (1)  ret (4)
    image = image_of(
        {0x8000: "dc 10 80 d4 10 80 c9", 0x8010: "00 c9"},
        {"main": (0x8000, 7), "leaf": (0x8010, 2)},
        cpu="sm83",
    )
    profile = profile_of(image, engine, f=0x10)
    assert numbers(profile, "main") == (1, 6 + 3 + 4, 18, 18, 18)
    assert numbers(profile, "leaf") == (1, 5, 5, 5, 5)
    assert [(e.caller, e.callee, e.calls) for e in profile.edges] == [("main", "leaf", 1)]


@pytest.mark.parametrize("engine", USABLE)
def test_returns_that_take_place_and_those_that_do_not(engine: str) -> None:
    # main: call leaf (6) scf (1) call leaf (6) ret (4);  leaf: ret c (5 or 2)  nop (1)  ret (4)
    image = image_of(
        {0x8000: "cd 10 80 37 cd 10 80 c9", 0x8010: "d8 00 c9"},
        {"main": (0x8000, 8), "leaf": (0x8010, 3)},
        cpu="sm83",
    )
    profile = profile_of(image, engine, f=0)
    assert numbers(profile, "leaf") == (2, 12, 12, 5, 7)
    assert numbers(profile, "main") == (1, 17, 29, 29, 29)


def test_rst_is_a_call() -> None:
    # main: rst $08 (4) ret (4);  at $0008: nop (1) ret (4)
    image = image_of({0x8000: "cf c9", 0x0008: "00 c9"}, {"main": (0x8000, 2)}, cpu="sm83")
    profile = profile_of(image)
    assert profile.routine("main").exclusive == 8
    assert [(r.address, r.calls, r.inclusive) for r in profile.routines if r.address == 8] == [
        (8, 1, 5)
    ]
    assert routine_starts(image) == {0x8000, 8}


def test_a_jump_through_hl_is_a_tail_call() -> None:
    # main: call go (6) ret (4);  go: jp hl (1);  end: nop (1) ret (4)
    image = image_of(
        {0x8000: "cd 10 80 c9", 0x8010: "e9", 0x8020: "00 c9"},
        {"main": (0x8000, 4), "go": (0x8010, 1), "end": (0x8020, 2)},
        cpu="sm83",
    )
    profile = profile_of(image, h=0x80, l=0x20)
    assert numbers(profile, "go") == (1, 1, 6, 6, 6)
    assert numbers(profile, "end") == (1, 5, 5, 5, 5)


def test_the_stack_pointer_may_be_elsewhere_in_between() -> None:
    # main: call copy (6) ret (4)
    # copy: ld [$C000], sp (5) ld sp, $9000 (3) pop bc (3) ld hl, $C000 (3) ld a, [hl+] (2)
    #       ld h, [hl] (2) ld l, a (1) ld sp, hl (2) ret (4)
    image = image_of(
        {0x8000: "cd 10 80 c9", 0x8010: "08 00 c0 31 00 90 c1 21 00 c0 2a 66 6f f9 c9"},
        {"main": (0x8000, 4), "copy": (0x8010, 15)},
        cpu="sm83",
    )
    assert numbers(profile_of(image), "copy") == (1, 25, 25, 25, 25)

from __future__ import annotations

from measure_programs import START, execute, image_of

from romproof.measure.code_locations import CodeLocations
from romproof.measure.profile import Profiler
from romproof.measure.recorded import line_profiles


def test_cycles_beside_source_lines() -> None:
    # line 1 ldx #3 (2); line 2 dex (2, 3 times); line 3 bne (3+3+2); line 4 rts (6)
    image = image_of({0x8000: "a2 03 ca d0 fd 60"}, {"wait": (0x8000, 6)})
    places = CodeLocations(image)
    profiler = Profiler(places)
    execute(image, START, profiler)
    lines = line_profiles(profiler.profile(), places)
    assert [(x.line, x.count, x.cycles) for x in lines] == [
        (3, 3, 8),
        (2, 3, 6),
        (4, 1, 6),
        (1, 1, 2),
    ]
    assert (lines[0].source, lines[0].text.strip()) == ("program.s", "bne e8")


def test_code_without_a_source_line_is_left_out() -> None:
    image = image_of({0x8000: "ea 60"})
    places = CodeLocations(image)
    profiler = Profiler(places)
    profiler.instruction(0x9000, 0xEA, 2, 0xFD, 0x9001)
    assert line_profiles(profiler.profile(), places) == ()

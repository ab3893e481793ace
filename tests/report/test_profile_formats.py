"""The files of profiles, read by those they are for: callgrind_annotate, and speedscope's format
specification (src/lib/file-format-spec.ts of speedscope)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from romproof.harness.measured import Measured, measure_call
from romproof.harness.rom import Rom
from romproof.measure.merging import merge_by_title, merge_profiles
from romproof.measure.plain import as_text, from_text
from romproof.measure.recorded import RecordedProfile, record_profile
from romproof.projects import Manifest, build
from romproof.report.profiles.callgrind import callgrind
from romproof.report.profiles.files import format_of
from romproof.report.profiles.page import page
from romproof.report.profiles.stacks import collapse, speedscope
from romproof.report.profiles.tables import profile_json
from romproof.text.errors import BadInput

ANNOTATE = shutil.which("callgrind_annotate")
MAIN = """\
        .export main, down
        .import helper
        .segment "CODE"
.proc main
        ldx #3                  ; 2
        jsr down                ; 6
        jsr helper              ; 6
        jsr helper              ; 6
        rts                     ; 6
.endproc

.proc down
        dex                     ; 2
        beq done                ; 2, 3
        jsr down                ; 6
done:   rts                     ; 6
.endproc
        .include "macro.inc"
        .segment "CODE"
        .export even, odd
.proc even
        twice                   ; 4, of macro.inc
        dex
        bmi done
        jsr odd
done:   rts
.endproc
.proc odd
        jmp even                ; 3
.endproc
"""
OTHER = """\
        .export helper
        .import even
        .segment "CODE"
.proc helper
        ldx #4                  ; 2
        jmp even                ; 3
.endproc
"""
MACRO = ".macro twice\n nop\n nop\n.endmacro\n"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], RecordedProfile]:
    monkeypatch.chdir(tmp_path)
    Path("main.s").write_text(MAIN, "utf-8")
    Path("other.s").write_text(OTHER, "utf-8")
    Path("macro.inc").write_text(MACRO, "utf-8")
    manifest = Manifest("demo", (Path("main.s"), Path("other.s")), cpu="6502")
    measured = calls_of(Rom(build(manifest).image), accesses=True)

    def made() -> RecordedProfile:
        return record_profile("demo", "main, 2 calls", 2, measured.profile, measured.places)

    return made


def calls_of(rom: Rom, accesses: bool = False) -> Measured:
    return measure_call(
        rom,
        "main",
        registers={},
        flags={},
        mem={},
        runs=2,
        limit=10_000,
        tick=lambda: None,
        accesses=accesses,
    )


def annotated(text: str, *options: str) -> dict[str, int]:
    """What callgrind_annotate says of each function, by file:function."""
    assert ANNOTATE is not None
    Path("callgrind.out.1").write_text(text, "utf-8")
    command = [ANNOTATE, "--threshold=100", "--auto=no", *options, "callgrind.out.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    rows = re.findall(r"^\s*([\d,]+) \([\s\d.]+%\)\s+(.*?)(?: \[\S+\])?$", done.stdout, re.M)
    return {name: int(number.replace(",", "")) for number, name in rows}


@pytest.mark.skipif(ANNOTATE is None, reason="callgrind_annotate is not installed")
def test_callgrind_annotate_has_our_sums(program: Callable[[], RecordedProfile]) -> None:
    shown = program()
    text = callgrind([shown])
    # down: 2+2+6+6 twice, 2+3+6; main: 2+6+6+6+6; helper: 5 each
    # even (4): 4+2+2+6+6 four times, 4+2+3+6; odd: 3 four times
    own = {"main.s:main": 26, "main.s:down": 43, "other.s:helper": 10, "main.s:odd": 24}
    own["main.s:even"] = 2 * (4 * 20 + 15)
    own = {name: 2 * cycles for name, cycles in own.items()}
    total = {"PROGRAM TOTALS": sum(own.values())}
    assert shown.profile.cycles == total["PROGRAM TOTALS"]
    # lines of a macro stand in its own file, as those of inlined functions do
    macro = {"macro.inc:even": 2 * 2 * 5 * 4}
    own["main.s:even"] -= macro["macro.inc:even"]
    assert annotated(text) == own | macro | total
    inclusive = annotated(text, "--inclusive=yes")
    assert inclusive.pop("macro.inc:even") == macro["macro.inc:even"]
    assert inclusive == total | {
        f"{r.source}:{r.name}": r.inclusive for r in shown.profile.routines
    }
    assert inclusive["main.s:main"] == total["PROGRAM TOTALS"]
    assert inclusive["main.s:down"] == 2 * 43


@pytest.mark.skipif(ANNOTATE is None, reason="callgrind_annotate is not installed")
def test_where_execution_begins_in_what_calls_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.s").write_text(MAIN, "utf-8")
    Path("other.s").write_text(OTHER, "utf-8")
    Path("macro.inc").write_text(MACRO, "utf-8")
    rom = Rom(build(Manifest("demo", (Path("main.s"), Path("other.s")), cpu="6502")).image)
    measured = measure_call(
        rom,
        "down",
        registers={"x": 3},
        flags={},
        mem={},
        runs=1,
        limit=1_000,
        tick=lambda: None,
    )
    shown = record_profile("demo", "down", 1, measured.profile, measured.places)
    rows = annotated(callgrind([shown]), "--inclusive=yes")
    assert rows["main.s:down"] == rows["PROGRAM TOTALS"] == 43


@pytest.mark.skipif(ANNOTATE is None, reason="callgrind_annotate is not installed")
def test_several_programs_do_not_add_up_in_one_function(
    program: Callable[[], RecordedProfile],
) -> None:
    one = program()
    other = replace(one, title="other")
    rows = annotated(callgrind([one, other]))
    assert rows["main.s:demo: main"] == rows["main.s:other: main"] == 2 * 26
    assert rows["PROGRAM TOTALS"] == 2 * one.profile.cycles


def test_collapsed_stacks(program: Callable[[], RecordedProfile]) -> None:
    shown = program()
    lines = dict(line.rsplit(" ", 1) for line in collapse([shown]).splitlines())
    assert lines["main"] == str(2 * 26)
    assert lines["main;down;down;down"] == str(2 * 11)
    assert lines["main;helper;even;odd"] == str(2 * 2 * 3)
    assert sum(map(int, lines.values())) == shown.profile.cycles
    routines = tuple(replace(r, name=f"a b;{r.name}") for r in shown.profile.routines)
    odd = replace(shown, profile=replace(shown.profile, routines=routines))
    assert collapse([odd]).splitlines()[0].startswith("a_b_main ")
    both = collapse([shown, replace(shown, title="the other")]).splitlines()
    assert {line.partition(";")[0] for line in both} == {"demo", "the_other"}


def test_speedscope_gets_what_its_specification_says(
    program: Callable[[], RecordedProfile],
) -> None:
    shown = program()
    file = json.loads(speedscope([shown, shown]))
    assert set(file) == {
        "$schema",
        "shared",
        "profiles",
        "name",
        "activeProfileIndex",
        "exporter",
    }
    assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = file["shared"]["frames"]
    assert all(set(frame) <= {"name", "file", "line", "col"} for frame in frames)
    assert {"name": "main", "file": "main.s", "line": 4} in frames
    for profile in file["profiles"]:
        assert set(profile) == {"type", "name", "unit", "startValue", "endValue", "events"}
        assert (profile["type"], profile["unit"], profile["startValue"]) == ("evented", "none", 0)
        assert profile["endValue"] == shown.profile.cycles
        stack: list[int] = []
        spent: dict[str, int] = {}
        now = 0
        for event in profile["events"]:
            assert set(event) == {"type", "at", "frame"}
            assert now <= event["at"] <= profile["endValue"]
            if stack:
                name = frames[stack[-1]]["name"]
                spent[name] = spent.get(name, 0) + event["at"] - now
            now = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                assert stack.pop() == event["frame"]
        assert not stack
        assert spent == {r.name: r.exclusive for r in shown.profile.routines}


def test_profiles_of_two_processes_are_one(program: Callable[[], RecordedProfile]) -> None:
    shown = program()
    again = from_text(as_text([shown, shown]))
    assert again == [shown, shown]
    (both,) = merge_by_title(again)
    assert both.runs == 2 * shown.runs
    assert both.profile.cycles == 2 * shown.profile.cycles
    one = {r.name: r for r in shown.profile.routines}
    for r in both.profile.routines:
        other = one[r.name]
        assert (r.calls, r.exclusive, r.inclusive) == (
            2 * other.calls,
            2 * other.exclusive,
            2 * other.inclusive,
        )
        assert (r.minimum, r.mean, r.maximum) == (other.minimum, other.mean, other.maximum)
    assert collapse([both]) == "".join(
        f"{stack} {2 * int(number)}\n"
        for stack, _, number in (x.rpartition(" ") for x in collapse([shown]).splitlines())
    )
    assert {(x.source, x.line): x.cycles for x in both.lines} == {
        (x.source, x.line): 2 * x.cycles for x in shown.lines
    }
    assert merge_profiles([shown.profile]) == shown.profile


def test_equal_names_that_two_processes_saw_are_told_apart(
    program: Callable[[], RecordedProfile],
) -> None:
    shown = program()
    first = shown.profile.routines[0]
    moved = replace(first, address=first.address + 0x1000)
    other = replace(shown.profile, routines=(moved, *shown.profile.routines[1:]))
    names = [r.name for r in merge_profiles([shown.profile, other]).routines]
    assert len(set(names)) == len(names)
    assert f"{first.name} (${moved.address:04X})" in names


def test_json_of_a_profile(program: Callable[[], RecordedProfile]) -> None:
    data = json.loads(profile_json([program()]))
    assert data["schema"] == "romproof.profile/1"
    (found,) = data["programs"]
    assert (found["rom"], found["cpu"], found["runs"]) == ("demo", "mos6502", 2)
    paths = found["paths"]
    assert sum(path["cycles"] for path in paths) == found["cycles"]
    assert [found["routines"][paths[0]["routine"]]["name"], paths[0]["parent"]] == ["main", None]
    # the stack is at $01F0 and below
    stack = [a for a in found["accesses"] if a["page"] == 1]
    assert sum(a["writes"] for a in stack) > 20


def test_the_page_stands_alone(program: Callable[[], RecordedProfile]) -> None:
    shown = program()
    hostile = replace(shown, title="<b>&amp;</script><script>alert(1)</script>")
    text = page([shown, hostile])
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert not re.search(r"""(src|href)\s*=\s*["']?(?!#)[a-z/]""", text)
    assert "default-src 'none'" in text
    # what the flame graph shows is in tables as well
    for routine in shown.profile.routines:
        assert f'<th scope="row">{routine.name}' in text
    assert "jsr down                ; 6" in text
    assert "$0100" in text
    assert page([]).count("<section") == 0


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a/profile.html", "html"),
        ("x.speedscope.json", "speedscope"),
        ("x.json", "json"),
        ("x.folded", "collapsed"),
        ("callgrind.out.17", "callgrind"),
        ("b/x.callgrind", "callgrind"),
    ],
)
def test_the_name_of_a_file_says_its_format(name: str, kind: str) -> None:
    assert format_of(name) == kind


def test_a_name_that_says_nothing() -> None:
    with pytest.raises(BadInput, match=r"profile\.txt: the name does not select"):
        format_of("out/profile.txt")

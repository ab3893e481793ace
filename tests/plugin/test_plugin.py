"""The pytest plugin, seen from a user's test files."""

from __future__ import annotations

import importlib
import os
import re
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from romproof.projects.program_cache import build_cached

KEYS = "sources = ['prog.s']\nconfig = 'prog.cfg'\n"

CONFTEST = """\
import romproof.pytest_plugin.programs as programs

builds = []
build_cached = programs.build_cached

def counted(manifest):
    builds.append(manifest.name)
    return build_cached(manifest)

programs.build_cached = counted
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with a program."""
    monkeypatch.delenv("CI", raising=False)  # it makes pytest's summary repeat whole messages
    monkeypatch.setattr("romproof.pytest_plugin.programs.build_cached", build_cached)
    monkeypatch.syspath_prepend(str(pytester.path))
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "harness"))
    programs = importlib.import_module("programs")
    (pytester.path / "prog.s").write_text(programs.PROGRAM, "utf-8")
    (pytester.path / "bad.s").write_text(" lad #1\n", "utf-8")
    (pytester.path / "prog.cfg").write_text(programs.LAYOUT, "utf-8")
    pytester.makeconftest(CONFTEST)
    pytester.makepyprojecttoml(f"[tool.romproof]\n{KEYS}")
    return pytester


def _run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    return pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *arguments)


def test_the_fixture_calls_routines_and_builds_once(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import conftest

        def test_one(rom):
            assert rom.call("add_five", a=1).a == 6

        def test_two(rom):
            assert rom.last_call is None
            assert rom.call("bump", mem={"sum": 1}).mem["sum"] == b"\\2"
            assert conftest.builds == ["rom"]

        def test_three(roms):
            assert roms(None).call("add_five", a=2).a == 7
        """
    )
    _run(project).assert_outcomes(passed=3)


def test_a_failing_assert_shows_the_last_call(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_sum(rom):
            rom.call("bump", mem={"sum": 3})
            r = rom.call("outer", a=1)
            assert r.a == 12
        """
    )
    result = _run(project)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "E       AssertionError: assert 11 == 12" in text or "assert 11 == 12" in text
    assert "romproof: last call" in text
    assert "call of 'outer'" in text
    assert "A=$0B X=$C3 Y=$96 S=$FF" in text
    assert "cycles=42" in text
    assert re.search(r">   46  C015  60 +6  \|         rts", text)
    assert re.search(r"\$C00D \(outer\), called by the test", text)
    assert "call of 'bump'" not in text


def test_compared_memory_shows_what_wrote_it(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_result(rom):
            r = rom.call("outer", a=1)
            r = rom.call("rotate", mem={"lfsr": b"\\x80\\0\\0\\0"})
            assert r.read("lfsr") == b"\\0\\1\\2\\0"

        def test_machine(rom):
            machine = rom.machine()
            machine.call("bump", mem={"sum": 3})
            assert int.from_bytes(machine.read("sum"), "little") == 5

        def test_single(rom):
            assert rom.call("bump", mem={"sum": 3}).mem[0x14] == 5

        def test_unwritten(rom):
            assert list(rom.call("bump", mem={"sum": 3}).mem["lfsr"]) == [0, 0, 0, 0]

        def test_without_a_comparison(rom):
            r = rom.call("bump", mem={"sum": 3})
            if r.read("sum") != bytes(1):
                raise ValueError("sum")
        """
    )
    result = _run(project)
    result.assert_outcomes(failed=5)
    text = result.stdout.str()
    assert text.count("romproof: memory") == 5
    for line in (
        "$0012 lfsr+2 is $00, expected $02: written in cycle 10 by $C008 (rotate+4)  prog.s:29",
        "$0014 sum is $04: written in cycle 0 by $C05D (bump)",
        "$0014 sum is $04, expected $05: written in cycle 0 by",
        "$0010 lfsr is $5A, expected $00: this call did not write it",
        "rol $12",
    ):
        assert line in text, line
    assert "lfsr+1 is $01" not in text


def test_calls_are_shown_however_the_program_was_reached(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.fixture(scope="module")
        def machine(roms):
            return roms(None).machine()

        def test_machine(machine):
            assert machine.call("add_five", a=1).a == 7

        def test_error(machine):
            machine.call("bumb")
        """
    )
    result = _run(project)
    result.assert_outcomes(failed=2)
    text = result.stdout.str()
    assert text.count("romproof: last call") == 1
    assert "call of 'add_five'" in text
    assert "did you mean 'bump'?" in text
    assert "image.py" not in text


def test_all_frames_are_shown_on_demand(project: pytest.Pytester) -> None:
    project.makepyfile('def test_it(rom):\n    rom.call("add_fiv")\n')
    assert "image.py" in _run(project, "--full-trace").stdout.str()


def test_passing_tests_show_nothing(project: pytest.Pytester) -> None:
    project.makepyfile('def test_it(rom):\n    assert rom.call("add_five", a=0).a == 5\n')
    result = _run(project, "-rA")
    result.assert_outcomes(passed=1)
    assert "last call" not in result.stdout.str()


def test_a_failure_without_a_call_shows_no_call(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_call(rom):
            rom.call("add_five", a=0)

        def test_no_call(rom):
            assert 1 == 2

        def test_no_rom():
            assert 1 == 2
        """
    )
    result = _run(project)
    result.assert_outcomes(passed=1, failed=2)
    assert "last call" not in result.stdout.str()


@pytest.mark.slow_cases('rom.call("liar")-expected0', 'rom.call("deeper", limit=500)-expected1')
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('rom.call("liar")', ["the contract of 'liar' is broken: 5 promises", "| ; cycles:   5"]),
        ('rom.call("deeper", limit=500)', ["'deeper' did not end within 500 cycles"]),
        ('rom.call("away")', ["nothing was loaded at $4000, after the instruction at", "(away)"]),
        ('rom.call("to_rom")', ["writes $01 to $C000, which is read-only"]),
    ],
)
def test_a_failing_call_shows_the_listing_and_not_the_toolkit(
    project: pytest.Pytester, call: str, expected: list[str]
) -> None:
    project.makepyfile(f"def test_it(rom):\n    first = 1\n    {call}  # here\n")
    result = _run(project)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    for part in [*expected, f"{call}  # here"]:
        assert part in text
    assert re.search(r"E +>? +\d+  C0", text)
    assert "call chain:" in text
    assert "last call" not in text
    frames = re.findall(r"^(\S+\.py):\d+: ", text, re.MULTILINE)
    assert frames == ["test_a_failing_call_shows_the_listing_and_not_the_toolkit.py"], frames
    assert "def _run" not in text


def test_an_unknown_symbol_is_answered_with_the_nearest(project: pytest.Pytester) -> None:
    project.makepyfile('def test_it(rom):\n    rom.call("add_fiv")\n')
    result = _run(project)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "no symbol 'add_fiv' in the image; did you mean 'add_five'?" in text
    assert "image.py" not in text


def test_without_a_table_there_is_one_clear_line(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]")
    pytester.makepyfile("def test_it(rom):\n    pass\n\ndef test_other():\n    pass\n")
    result = _run(pytester)
    result.assert_outcomes(errors=1, passed=1)
    text = result.stdout.str()
    assert "pyproject.toml has no table [tool.romproof]" in text
    assert "Traceback" not in text
    assert ".py:" not in text.split("ERRORS")[1].split("short test summary")[0]


def test_a_build_error_is_shown_once(project: pytest.Pytester) -> None:
    project.makepyprojecttoml("[tool.romproof.roms.broken]\nsources = ['bad.s']\n")
    project.makepyfile(
        """
        import pytest
        import conftest

        @pytest.mark.parametrize("n", range(4))
        def test_it(rom, n):
            pass

        def test_count():
            assert conftest.builds == ["broken"]
        """
    )
    result = _run(project)
    result.assert_outcomes(errors=4, passed=1)
    text = result.stdout.str()
    assert text.count("    1 |  lad #1") == 1
    assert text.count("help: did you mean 'lda'?") == 1
    assert "      |  ^^^" in text
    body = text.split("short test summary")[0]
    assert body.count("no ROM to test because of an earlier error: bad.s:1:2: error:") == 3


def test_a_marker_chooses_among_several_programs(project: pytest.Pytester) -> None:
    project.makepyprojecttoml(
        f"[tool.romproof.roms.good]\n{KEYS}[tool.romproof.roms.other]\n{KEYS}"
    )
    project.makepyfile(
        """
        import pytest
        import conftest

        @pytest.mark.rom("good")
        def test_named(rom):
            assert conftest.builds == ["good"]

        def test_unnamed(rom):
            pass

        @pytest.mark.rom("goood")
        def test_misspelt(rom):
            pass
        """
    )
    result = _run(project, "--strict-markers")
    result.assert_outcomes(passed=1, errors=2)
    text = result.stdout.str()
    assert "[tool.romproof] has several ROMs (good, other)" in text
    assert '@pytest.mark.rom("NAME")' in text
    assert "no ROM 'goood'; did you mean 'good'?" in text


def test_the_engine_is_an_option(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(rom):\n    assert rom.engine == 'py65'\n")
    _run(project, "--romproof-engine", "py65").assert_outcomes(passed=1)
    result = _run(project, "--romproof-engine", "py66")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no engine 'py66'; did you mean 'py65'*available: *py65*"])


def test_the_project_may_name_the_engine(project: pytest.Pytester) -> None:
    project.makepyprojecttoml(f"[tool.romproof]\nengine = 'plain'\n{KEYS}")
    project.makepyfile("def test_it(rom):\n    assert rom.engine == 'plain'\n")
    _run(project).assert_outcomes(passed=1)
    project.makepyfile("def test_it(rom):\n    assert rom.engine == 'py65'\n")
    _run(project, "--romproof-engine", "py65").assert_outcomes(passed=1)
    project.makepyprojecttoml(f"[tool.romproof]\nengine = 65\n{KEYS}")
    result = _run(project)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*'engine' must be the name of an engine, such as 'plain'*"])


def test_a_project_without_roms_imports_nothing_of_the_toolkit(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2] / "pytools"))
    pytester.makepyfile(
        """
        import sys

        def test_it():
            loaded = {m for m in sys.modules if m.startswith(("romproof.", "py65"))}
            assert loaded == {"romproof.pytest_plugin"}
        """
    )
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    result = pytester.run(sys.executable, "-m", "pytest", *plugin)
    result.assert_outcomes(passed=1)


CALLS = "def test_one(rom):\n    assert rom.call('add_five', a=1).a == 6\n"


def test_the_project_may_be_above_pytests_root_folder(project: pytest.Pytester) -> None:
    tests = project.path / "tests"
    tests.mkdir()
    (tests / "pytest.ini").write_text("[pytest]\n")
    (tests / "test_it.py").write_text(CALLS)
    _run(project, "tests").assert_outcomes(passed=1)


def test_the_project_may_be_below_pytests_root_folder(project: pytest.Pytester) -> None:
    part = project.path / "part"
    part.mkdir()
    for name in ("prog.s", "prog.cfg", "pyproject.toml"):
        (project.path / name).rename(part / name)
    (project.path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (part / "test_it.py").write_text(CALLS)
    os.chdir(part)
    _run(project).assert_outcomes(passed=1)


def test_each_test_calls_the_program_of_the_project_around_it(project: pytest.Pytester) -> None:
    """A repository of several projects, one in another: nobody has to go into each of them."""
    for number, part in enumerate(("one", "one/two"), 1):
        folder = project.path / part
        folder.mkdir()
        (folder / "prog.s").write_text(f".export get\nget: lda #{number}\n rts\n")
        (folder / "pyproject.toml").write_text("[tool.romproof]\nsources = ['prog.s']\n")
        tests = folder / "tests"
        tests.mkdir()
        (tests / f"test_{number}.py").write_text(
            "import romproof\n\n"
            f"def test_call(rom):\n    assert rom.call('get').a == {number}\n\n"
            "def test_again(rom):\n    assert rom.call('get').a\n"
        )
    (project.path / "test_outer.py").write_text(CALLS)
    _run(project).assert_outcomes(passed=5)
    os.chdir(project.path / "one")
    _run(project, "two").assert_outcomes(passed=2)


def test_the_manifest_chooses_the_bank(project: pytest.Pytester) -> None:
    areas = "B{0}: start = $8000, size = 16, file = %O, fill = yes;"
    (project.path / "bank.cfg").write_text(
        f"MEMORY {{ {areas.format(0)} {areas.format(1)} }}\n"
        "SEGMENTS { S0: load = B0, type = ro; S1: load = B1, type = ro; }\n"
    )
    (project.path / "bank.s").write_text(
        '.segment "S0"\n .byte 2\n.segment "S1"\n.export get\nget: lda #7\n rts\n'
    )
    keys = "[tool.romproof]\nsources = ['bank.s']\nconfig = 'bank.cfg'\n"
    project.makepyprojecttoml(keys + "banks = ['B1']\n")
    project.makepyfile("def test_one(rom):\n    assert rom.call('get').a == 7\n")
    _run(project).assert_outcomes(passed=1)
    project.makepyprojecttoml(keys)
    _run(project).stdout.fnmatch_lines(["*'B0' and 'B1' both have contents*"])


SM83 = """
SECTION "vars", WRAM0
sum:: ds 1
SECTION "code", ROM0[$0150]
;; add_five – add 5 to A.
; in:       A
; out:      A
; clobbers: F
; cycles:   6
add_five::
    add a, 5
    ret
bump::
    ld hl, sum
    inc [hl]
    ret
"""


def test_a_program_for_the_game_boy(project: pytest.Pytester) -> None:
    (project.path / "prog.asm").write_text(SM83, "utf-8")
    project.makepyprojecttoml("[tool.romproof]\ncpu = 'sm83'\nsources = ['prog.asm']\n")
    project.makepyfile(
        """
        def test_call(rom):
            r = rom.call("add_five", a=250, hl=0x1234)
            assert (r.a, r.hl, r.flags.h, r.cycles) == (255, 0x1234, 0, 6)

        def test_sum(rom):
            r = rom.call("bump", mem={"sum": 3})
            assert r.mem["sum"] == b"\\5"
        """
    )
    result = _run(project)
    result.assert_outcomes(passed=1, failed=1)
    text = result.stdout.str()
    assert "A=$A5 BC=$3C96 DE=$5BD2 HL=$C000 SP=$E000 F=znhC" in text
    assert re.search(r">   16  0157  C9 +4  \|     ret", text)


def test_one_switch_for_reads_of_what_nobody_has_written(project: pytest.Pytester) -> None:
    (project.path / "prog.s").write_text(
        '.segment "ZEROPAGE"\nfirst: .res 1\nother: .res 1\n.segment "CODE"\n.export keep, use\n'
        ";; keep – A is 1.\n; in: none\n; out: A\n; clobbers: N Z\n"
        "keep: lda first\n lda #1\n rts\n"
        ";; use – A is other.\n; in: none\n; out: A\n; clobbers: N Z\nuse: lda other\n rts\n",
        "utf-8",
    )
    project.makepyfile(
        """
        def test_keep(rom):
            assert rom.call("keep").a == 1

        def test_use(rom):
            rom.call("use")
        """
    )
    result = _run(project)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*A depends on 'other', which has not been written*"])
    result = _run(project, "--romproof-uninitialised", "error")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*reads $* (first), which has not been written*"])
    _run(project, "--romproof-uninitialised", "off").assert_outcomes(passed=2)


SLIP = ".export slip\nslip: jmp table\ntable: .byte $60\n.byte $EA\n"


LATE = """\
SECTION "entry", ROM0[$100]
    nop
    jp late
    ds $150 - @, 0
SECTION "home", ROM0
late::
    ld b, 9
.wait
    dec b
    jr nz, .wait
    ld [$8000], a
    ret
"""


@pytest.mark.slow
def test_writes_while_the_picture_is_drawn(pytester: pytest.Pytester) -> None:
    (pytester.path / "late.asm").write_text(LATE)
    table = '[tool.romproof]\ncpu = "sm83"\nsources = ["late.asm"]\nmachine = "gameboy"\n'
    table += 'header = { title = "LATE" }\n'
    pytester.makepyprojecttoml(f'{table}checks = {{ video = "warn" }}\n')
    pytester.makepyfile(
        """
        import pytest

        def test_table(rom):
            rom.call("late")

        def test_program_that_runs(rom):
            machine = rom.machine()
            machine.run_from("late", until="late.wait")

        @pytest.mark.rom(checks={"video": "off"})
        def test_marker(rom):
            rom.call("late")

        def test_call(rom):
            rom.call("late", checks={"video": "error"})
        """
    )
    result = _run(pytester, "-W", "default")
    result.assert_outcomes(passed=3, failed=1, warnings=1)
    result.stdout.fnmatch_lines(["*late.asm:11: RomproofWarning: *(late.wait+3) writes * in line*"])
    pytester.makepyprojecttoml(f'{table}checks = {{ video = "error" }}\n')
    _run(pytester, "-W", "default").assert_outcomes(passed=2, failed=2)


def test_checks_come_from_the_table_the_marker_and_the_call(project: pytest.Pytester) -> None:
    source = project.path / "prog.s"
    source.write_text(f"{source.read_text('utf-8')}\n{SLIP}", "utf-8")
    project.makepyfile(
        """
        import pytest

        def test_default(rom):
            rom.call("slip")

        @pytest.mark.rom(checks={"data_execution": "off"})
        def test_marker(rom):
            rom.call("slip")

        def test_call(rom):
            rom.call("slip", checks={"data_execution": "error"})

        def test_fixture(roms):
            roms(checks={"data_execution": "error"}).call("slip")
        """
    )
    result = _run(project, "-W", "default")
    result.assert_outcomes(passed=2, failed=2, warnings=1)
    result.stdout.fnmatch_lines(["*prog.s:*RomproofWarning: *(table) is data in the source*"])
    assert "romproof: last call" not in result.stdout.str()  # the errors show it themselves
    result = _run(project, "-W", "error::romproof.RomproofWarning")
    result.assert_outcomes(passed=1, failed=3)
    project.makepyprojecttoml(f"[tool.romproof]\n{KEYS}checks.data_execution = 'error'\n")
    _run(project, "-W", "default").assert_outcomes(passed=1, failed=3)
    project.makepyprojecttoml(
        "[tool.romproof]\nchecks.data_execution = 'error'\nrom = 'x.toml'\n"
        f"[tool.romproof.roms.other]\n{KEYS}checks.data_execution = 'off'\n"
    )
    project.makepyfile(
        test_other="""
        import pytest

        @pytest.mark.rom("other")
        def test_other(rom):
            rom.call("slip")
        """
    )
    (project.path / "x.toml").write_text("[rom]\nsources = ['bad.s']\n")
    _run(project, "-W", "default", "test_other.py").assert_outcomes(passed=1)


@pytest.mark.parametrize("how", ["", "--romproof-strict", "ini"])
def test_contracts_that_nobody_reads_are_told(how: str, project: pytest.Pytester) -> None:
    source = project.path / "prog.s"
    lost = "\n;; add_five – x\n; in: A\n\n"
    source.write_text(source.read_text("utf-8") + lost, "utf-8")
    project.makepyfile("def test_one(rom):\n    assert rom.call('add_five', a=1).a == 6\n")
    if how == "ini":
        how = "--override-ini=romproof_strict=true"
    result = _run(project, "-W", "default", *([how] if how.startswith("-") else []))
    if how:
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["*error: this contract is not read*"])
    else:
        result.assert_outcomes(passed=1, warnings=1)
        result.stdout.fnmatch_lines(["*ContractWarning: *this contract is not read*"])


def test_comments_of_other_people_stop_no_test(project: pytest.Pytester) -> None:
    (project.path / "prog.s").write_text(
        ".export it\n;; Draws a tile\n; In: A = tile number\nit: lda #6\n rts\n", "utf-8"
    )
    project.makepyprojecttoml("[tool.romproof]\nsources = ['prog.s']\n")
    project.makepyfile("def test_one(rom):\n    assert rom.call('it').a == 6\n")
    _run(project, "-W", "default").assert_outcomes(passed=1, warnings=1)
    _run(project, "--romproof-strict").assert_outcomes(errors=1)

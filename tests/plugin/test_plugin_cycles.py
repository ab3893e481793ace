"""``pytest --romproof-cycles`` and ``--romproof-budget``, as their users see them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import romproof.pytest_plugin.cycles
import romproof.pytest_plugin.programs  # noqa: F401, what is imported here no session imports anew
from romproof.harness.calls.listening import LISTENERS
from romproof.measure.cost_file import BadCosts, read_costs
from romproof.text.span import Source

SOURCE = """\
.segment "BSS"
.export count
count: .res 1
.segment "CODE"
.export outer, delay, count_down
;; outer - waits
; in: none
; out: none
; clobbers: A X N Z
; stack: 2
; budget: 0.002 frames
.proc outer
  jsr delay
  rts
.endproc
.proc delay
  ldx #3
again:
  dex
  bne again
  rts
.endproc
.proc count_down
  ldx count
again:
  dex
  bne again
  rts
.endproc
"""
TESTS = """\
import pytest

def test_outer(rom):
    rom.call("outer")

@pytest.mark.parametrize("count", [3, 9])
def test_count(rom, count):
    rom.call("count_down", mem={"count": count})
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    (pytester.path / "prog.s").write_text(SOURCE, "utf-8")
    say(pytester, "")
    pytester.makepyfile(test_it=TESTS)
    return pytester


def say(pytester: pytest.Pytester, more: str) -> None:
    text = f'[tool.romproof]\nsources = ["prog.s"]\n{more}\n'
    (pytester.path / "pyproject.toml").write_text(text, "utf-8")


def change(pytester: pytest.Pytester, name: str, old: str, new: str) -> None:
    path = pytester.path / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    usual = ("-p", "no:cacheprovider", "-p", "no:randomly", "--romproof-engine=plain")
    result = pytester.runpytest_inprocess(*plugin, *usual, *arguments)
    assert not LISTENERS, "nobody listens after the session"
    return result


def update(pytester: pytest.Pytester, *arguments: str) -> None:
    result = run(pytester, "--romproof-cycles=c.json", "--romproof-cycles-update", *arguments)
    assert result.ret == 0


def test_the_file_has_a_line_for_each_routine(project: pytest.Pytester) -> None:
    """Cycles by the table of the 6502: of what tests call, and of what is called inside."""
    update(project)
    text = (project.path / "c.json").read_text("utf-8")
    rows = json.loads(text)["programs"]["rom.bin"]
    assert list(rows) == ["count_down", "delay", "outer"]
    delay = 2 + 2 * 5 + 4 + 6
    assert [rows["delay"][key] for key in ("calls", "min", "mean", "max")] == [1, *[delay] * 3]
    assert rows["outer"]["max"] == 6 + delay + 6
    few, many = (4 + 5 * n - 1 + 6 for n in (3, 9))
    assert [rows["count_down"][key] for key in ("min", "mean", "max")] == [
        few,
        (few + many) / 2,
        many,
    ]
    assert rows["count_down"]["most"] == 'rom.call("count_down", mem={"count": 9})'
    assert rows["delay"]["most"] == 'rom.call("outer")'
    assert len(text.splitlines()) == 10
    again = run(project, "--romproof-cycles=c.json")
    assert again.ret == 0
    assert "as c.json says: 4 calls" in again.stdout.str()
    update(project)
    assert (project.path / "c.json").read_text("utf-8") == text


@pytest.mark.slow
def test_workers_measure_the_same(project: pytest.Pytester) -> None:
    update(project)
    result = run(project, "-p", "xdist", "-n", "2", "--romproof-cycles=c.json")
    assert "as c.json says: 4 calls" in result.stdout.str()


def test_other_code_is_told_from_other_inputs(project: pytest.Pytester) -> None:
    update(project)
    change(project, "prog.s", "ldx #3", "ldx #4")
    change(project, "test_it.py", "[3, 9]", "[3, 19]")
    result = run(project, "--romproof-cycles=c.json")
    assert result.ret == 1
    lines = [re.sub(r" +", " ", line.strip()) for line in result.stdout.lines]
    assert "delay slower 22 -> 27 22 -> 27 22 -> 27 +22.7% other code" in lines
    assert "outer slower 34 -> 39 34 -> 39 34 -> 39 +14.7% other code" in lines
    assert "count_down slower 24 39 -> 64 54 -> 104 +92.6% other inputs" in lines
    assert 'max: rom.call("count_down", mem={"count": 19})' in lines
    accepts = "--romproof-cycles-update accepts the new cycles"
    assert f"ERROR: 2 routines slower than recorded in c.json; {accepts}" in lines


def test_other_inputs_alone_do_not_fail_and_faster_code_neither(project: pytest.Pytester) -> None:
    update(project)
    change(project, "test_it.py", "[3, 9]", "[3, 19]")
    change(project, "prog.s", "ldx #3", "ldx #2")
    result = run(project, "--romproof-cycles=c.json")
    assert result.ret == 0
    assert "faster" in result.stdout.str()
    assert "other inputs" in result.stdout.str()


def test_code_that_moved_is_the_same_code(project: pytest.Pytester) -> None:
    """A page boundary in a branch costs a cycle each time: neither code nor inputs are others."""
    update(project)
    padding = '.segment "CODE"\n.res 211\n.proc delay\n.align 1\n'  # bne at $10FE
    change(project, "prog.s", ".proc delay\n", padding)
    result = run(project, "--romproof-cycles=c.json")
    output = re.sub(r" +", " ", result.stdout.str())
    found = re.search(r"delay (\w+) .* same code and inputs, but other addresses", output)
    assert found is None or found[1] == "slower"
    assert "other code" not in output


def test_what_is_new_or_gone_is_told(project: pytest.Pytester) -> None:
    update(project)
    project.makepyfile(test_it="def test_delay(rom):\n    rom.call('delay')\n")
    output = run(project, "--romproof-cycles=c.json").stdout.str()
    assert "in the file, but no test called them: count_down, outer" in output
    (project.path / "c.json").write_text('{"romproof-cycles": 1, "programs": {}}', "utf-8")
    result = run(project, "--romproof-cycles=c.json")
    assert "not in the file; --romproof-cycles-update adds them: delay" in result.stdout.str()


def test_it_is_not_written_when_tests_fail(project: pytest.Pytester) -> None:
    project.makepyfile(test_it="def test_wrong(rom):\n    assert rom.call('delay').a == 300\n")
    result = run(project, "--romproof-cycles=c.json", "--romproof-cycles-update")
    assert "ERROR: file not written: not all tests passed" in result.stdout.str()
    assert not (project.path / "c.json").exists()


ROW = '{"calls": 1, "min": 1, "mean": 1.0, "max": 1, "code": "", "inputs": "", "most": ""}'
FILE = '{\n "romproof-cycles": 1,\n "programs": {\n  "rom.bin": {\n   "delay": ROW\n  }\n }\n}\n'


def with_row(old: str, new: str) -> str:
    """A file with a row that is another."""
    return FILE.replace("ROW", ROW.replace(old, new))


@pytest.mark.parametrize(
    ("text", "near", "message"),
    [
        ("", "", "this is not JSON: Expecting value"),
        (FILE[:10], '"rom', "this is not JSON: Unterminated string starting at"),
        ("[" * 100_000, "[", "this JSON cannot be read"),
        ("[]", "[", "this is not a file of recorded cycles: 'romproof-cycles' is missing"),
        (FILE.replace(": 1,", ": 2,", 1).replace("ROW", ROW), '"rom',
         "'romproof-cycles' is 2, but only version 1 can be read"),
        (FILE[:37] + "3}", '"programs"', "'programs' must be an object"),
        (FILE.replace("ROW", "3"), '"delay"', "'delay' must be an object"),
        (with_row('"max": 1, ', ""), '"delay"', "'delay' has no 'max'"),
        (with_row('"max": 1', '"max": "x"'), '"max"', "'max' must be a number of cycles"),
        (with_row('"max": 1', '"max": true'), '"max"', "'max' must be a number of cycles"),
        (with_row('"max": 1', '"max": 0'), '"min"',
         "'delay' has min 1, mean 1.0, max 0, which are not in order"),
        (with_row('"max": 1', '"max": 9' + "9" * 20), '"max"',
         "'max' must be within 0..1000000000000"),
        (with_row('"max": 1', '"max": NaN'), "NaN", "NaN is not a number"),
        (with_row('"max": 1', '"min": 1'), '"min"', "'min' appears twice"),
        ("\ufeff" + FILE, "\ufeff", "this is not JSON: Unexpected UTF-8 BOM"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used(text: str, near: str, message: str) -> None:
    with pytest.raises(BadCosts) as caught:
        read_costs(Source("c.json", text))
    before = text[: text.index(near)]
    place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    error = str(caught.value)
    assert error.startswith(f"c.json:{place}: error: {message}")
    assert error.count("error:") == 1


def test_other_files_that_cannot_be_used(project: pytest.Pytester) -> None:
    (project.path / "folder").mkdir()
    (project.path / "cut").write_text(FILE[:50], "utf-8")
    (project.path / "bytes").write_bytes(b"{\xff}")
    for name, message in (
        ("folder", "folder: Is a directory"),
        ("cut", "cut:4:3: error: this is not JSON"),
        ("bytes", "bytes: this is not UTF-8, from byte 1 on"),
        ("nowhere", "nowhere: file not found; --romproof-cycles-update creates it"),
    ):
        result = run(project, f"--romproof-cycles={name}")
        assert result.ret == 4
        assert message in result.stderr.str()
        assert "Traceback" not in result.stderr.str()
    result = run(project, "--romproof-cycles-update")
    assert "--romproof-cycles-update needs --romproof-cycles FILE" in result.stderr.str()


# ---------------------------------------------------------------- budgets


def test_budgets_are_kept_by_bounds_or_as_observed(project: pytest.Pytester) -> None:
    say(project, '[tool.romproof.budgets]\ndelay = "22 cycles"\ncount_down = "60 cycles"')
    result = run(project, "--romproof-budget", "--romproof-github", "--junitxml=x.xml")
    assert result.ret == 0
    lines = [re.sub(r" +", " ", line) for line in result.stdout.lines]
    assert "ok delay 22 cycles the upper static bound is 22 cycles" in lines
    assert "ok outer 0.002 frames = 59 cycles the upper static bound is 34 cycles" in lines
    observed = (
        "ok as observed count_down 60 cycles 2 calls were observed, the longest with 54 cycles; "
        "the upper static bound is 1,289 cycles"
    )
    assert observed in lines
    assert "::error" not in result.stdout.str()
    root = ElementTree.parse(project.path / "x.xml").getroot()
    properties = {p.get("name"): p.get("value") or "" for p in root.iter("property")}
    assert properties["romproof_budget:rom:delay"] == (
        "ok; 22 cycles; the upper static bound is 22 cycles"
    )
    assert properties["romproof_budget:rom:count_down"].startswith("ok as observed; 60 cycles;")


def test_budgets_that_are_not_kept_fail(project: pytest.Pytester) -> None:
    say(project, '[tool.romproof.budgets]\ndelay = "21 cycles"\ncount_down = "53 cycles"')
    result = run(project, "--romproof-budget", "--romproof-github")
    assert result.ret == 1
    assert (
        "::error file=prog.s,line=23,col=1::count_down: budget 53 cycles: exceeded: a call took "
        '54 cycles: rom.call("count_down", mem={"count": 9})'
    ) in result.stdout.str()
    project.makepyfile(test_it="def test_nothing(rom):\n    pass\n")
    result = run(project, "--romproof-budget")
    assert result.ret == 1
    lines = [re.sub(r" +", " ", line) for line in result.stdout.lines]
    assert "exceeded delay 21 cycles no call takes fewer than 22 cycles" in lines
    unknown = "not known count_down 53 cycles no call was observed; the upper static bound is 1,289"
    assert f"{unknown} cycles" in lines


def test_a_budget_of_what_is_not_there(project: pytest.Pytester) -> None:
    say(project, '[tool.romproof.budgets]\ndeley = "21 cycles"')
    result = run(project, "--romproof-budget")
    assert result.ret == 1
    assert "ERROR: budgets: budget of 'deley': no symbol 'deley' in the image; did you mean" in (
        result.stdout.str()
    )
    assert run(project, "--romproof-github").ret == 4


def test_an_interrupt_handler_is_measured_where_it_happens(
    project: pytest.Pytester, tmp_path: Path
) -> None:
    """The sequence of 7 cycles is not the handler's: inc zp 5, rti 6."""
    (project.path / "prog.s").write_text(
        '.segment "CODE"\n.export start, nmi\n'
        "start: nop\n jmp start\n.proc nmi\n inc $10\n rti\n.endproc\n"
        '.segment "VECTORS"\n.addr nmi, start, start\n',
        "utf-8",
    )
    (project.path / "c.cfg").write_text(
        "MEMORY {\n ROM: start = $8000, size = $7FFA, type = ro, fill = yes, file = %O;\n"
        " TOP: start = $FFFA, size = 6, type = ro, file = %O;\n}\n"
        "SEGMENTS {\n CODE: load = ROM, type = ro;\n VECTORS: load = TOP, type = ro;\n}\n",
        "utf-8",
    )
    say(project, 'config = "c.cfg"\n[tool.romproof.budgets]\nnmi = "10 cycles"')
    project.makepyfile(
        test_it="""
        def test_nmi(rom):
            machine = rom.machine()
            machine.interrupt("nmi")
            machine.run_until("start")
            machine.run_until("start")
            assert machine.read(0x10, 1) != 0x100
        """
    )
    result = run(project, "--romproof-budget")
    assert "a call took 11 cycles: the program ran" in result.stdout.str()

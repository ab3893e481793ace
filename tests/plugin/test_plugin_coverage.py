"""``pytest --romproof-cov`` as its users see it: table, files, limits, workers."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import romproof.pytest_plugin.coverage
import romproof.pytest_plugin.programs  # noqa: F401, what is imported here no session imports anew
from romproof.harness.calls.listening import LISTENERS

SOURCE = """\
.macro add_to low
  clc
  adc #low
  bcs over
.endmacro
.segment "CODE"
.export add_two, unused
.proc add_two
  add_to 1
  add_to 1
  rts
over:
  lda #$FF
  rts
.endproc
.proc unused
  rts
.endproc
"""
TESTS = """\
def test_small(rom):
    assert rom.call("add_two", a=1).a == 3

def test_machine(rom):
    assert rom.machine().call("add_two", a=7).a == 9
"""
TABLE = """\
source  lines  missed  branches  missed  cover  instructions  missing
---------------------------------------------------------------------
prog.s      9       3         2       1    64%          7/10  13-17, 4 taken
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    (pytester.path / "prog.s").write_text(SOURCE, "utf-8")
    say(pytester, "")
    pytester.makepyfile(TESTS)
    return pytester


def say(pytester: pytest.Pytester, coverage: str) -> None:
    """Write the project's keys, with some about coverage."""
    text = '[tool.romproof]\nsources = ["prog.s"]\n'
    text += f"[tool.romproof.coverage]\n{coverage}\n" if coverage else ""
    (pytester.path / "pyproject.toml").write_text(text, "utf-8")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    usual = ("-p", "no:cacheprovider", "--romproof-engine=plain")
    result = pytester.runpytest_inprocess(*plugin, *usual, *arguments)
    assert not LISTENERS, "nobody listens after the session"
    return result


def test_the_table_has_what_is_missing(project: pytest.Pytester) -> None:
    result = run(project, "--romproof-cov")
    result.assert_outcomes(passed=2)
    assert TABLE in result.stdout.str()
    assert result.ret == 0


def test_without_the_option_nothing_is_said(project: pytest.Pytester) -> None:
    assert "coverage" not in run(project).stdout.str()


@pytest.mark.slow
def test_workers_are_put_together(project: pytest.Pytester) -> None:
    result = run(project, "-p", "xdist", "-n", "2", "--romproof-cov", "--romproof-cov-lcov=a.info")
    result.assert_outcomes(passed=2)
    assert TABLE in result.stdout.str()
    run(project, "--romproof-cov", "--romproof-cov-lcov=b.info")
    one, other = (project.path / name for name in ("a.info", "b.info"))
    assert one.read_text("utf-8") == other.read_text("utf-8")


@pytest.mark.slow
def test_a_worker_that_crashes_is_told(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_crash="import os\ndef test_crash(rom):\n    rom.call('unused')\n    os._exit(3)\n"
    )
    options = ("-p", "xdist", "-n", "1", "--max-worker-restart", "0", "--romproof-cov")
    output = run(project, *options).stdout.str()
    assert re.search(r"worker gw\d crashed: its coverage is missing from these numbers", output)


def test_tests_that_fail_count(project: pytest.Pytester) -> None:
    project.makepyfile("def test_wrong(rom):\n    assert rom.call('add_two', a=1).a == 9\n")
    result = run(project, "--romproof-cov")
    result.assert_outcomes(failed=1)
    assert TABLE in result.stdout.str()


def test_too_little_fails(project: pytest.Pytester) -> None:
    result = run(project, "--romproof-cov-fail-under=63.6")
    assert result.ret == 0
    result = run(project, "--romproof-cov-fail-under=63.7")
    assert result.ret == 1
    assert "ERROR: coverage is 63.64 %, less than 63.7 %" in result.stdout.str()
    result = run(project, "--romproof-cov-fail-under=101")
    assert result.ret == 4
    assert "--romproof-cov-fail-under is a share in percent" in result.stderr.str()


def test_the_project_says_where_to(project: pytest.Pytester) -> None:
    say(project, 'lcov = "out/lcov.info"\nhtml = "out/pages"\nfail_under = 99')
    assert run(project).ret == 0, "nothing is observed without an option"
    assert not (project.path / "out").exists()
    result = run(project, "--romproof-cov")
    assert result.ret == 1
    assert (project.path / "out/lcov.info").is_file()
    assert (project.path / "out/pages/index.html").is_file()
    assert run(project, "--romproof-cov", "--romproof-cov-fail-under=0").ret == 0


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("lcof = 'x'", "unknown key 'lcof'; did you mean 'lcov'?"),
        ("lcov = 3", "'lcov' must be a path"),
        ("html = ''", "'html' must be a path"),
        ("fail_under = true", "'fail_under' must be a number from 0 to 100, in percent"),
        ("fail_under = nan", "'fail_under' must be a number from 0 to 100, in percent"),
        ("omit = 'x'", "'omit' must be a list of patterns of paths"),
    ],
)
def test_a_key_that_cannot_be(project: pytest.Pytester, keys: str, message: str) -> None:
    say(project, keys)
    result = run(project, "--romproof-cov")
    assert result.ret == 4
    assert f"pyproject.toml: [tool.romproof.coverage]: {message}" in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


def test_files_that_are_left_out(project: pytest.Pytester) -> None:
    say(project, 'omit = ["pro*"]')
    output = run(project, "--romproof-cov").stdout.str()
    assert "no source lines are known for the code that was executed" in output


def test_a_file_that_cannot_be_written(project: pytest.Pytester) -> None:
    (project.path / "there").mkdir()
    result = run(project, "--romproof-cov-lcov=there")
    assert result.ret == 1
    assert re.search(
        r"ERROR: coverage is not written: .*there: Is a directory", result.stdout.str()
    )


def read_lcov(text: str) -> dict[str, dict[str, list[str]]]:
    """The records of a tracefile by source, as geninfo(1) describes them."""
    files: dict[str, dict[str, list[str]]] = {}
    records: dict[str, list[str]] | None = None
    for line in text.splitlines():
        if line == "end_of_record":
            assert records is not None
            records = None
            continue
        kind, _, value = line.partition(":")
        if kind == "TN":
            assert re.fullmatch(r"\w*", value)
        elif kind == "SF":
            assert Path(value).is_absolute()
            records = files.setdefault(value, {})
        else:
            assert records is not None
            records.setdefault(kind, []).append(value)
    assert records is None
    return files


def test_the_tracefile_is_as_geninfo_describes_it(project: pytest.Pytester) -> None:
    run(project, "--romproof-cov-lcov=lcov.info")
    files = read_lcov((project.path / "lcov.info").read_text("utf-8"))
    assert list(files) == [str(project.path / "prog.s")]
    (records,) = files.values()
    lines = {int(line): int(count) for line, count in (r.split(",") for r in records["DA"])}
    assert lines == {2: 4, 3: 4, 4: 4, 9: 2, 10: 2, 11: 2, 13: 0, 14: 0, 17: 0}
    assert (records["LF"], records["LH"]) == (["9"], ["6"])
    assert records["FN"] == ["9,add_two", "17,unused"]
    assert records["FNDA"] == ["2,add_two", "0,unused"]
    assert (records["FNF"], records["FNH"]) == (["2"], ["1"])
    assert {int(record.split(",")[0]) for record in records["FN"]} <= lines.keys()
    assert records["BRDA"] == ["4,0,0,0", "4,0,1,4"]
    assert (records["BRF"], records["BRH"]) == (["2"], ["1"])


def test_a_branch_that_never_ran_has_no_counts(project: pytest.Pytester) -> None:
    project.makepyfile("def test_other(rom):\n    rom.call('unused')\n")
    run(project, "--romproof-cov-lcov=lcov.info")
    (records,) = read_lcov((project.path / "lcov.info").read_text("utf-8")).values()
    assert records["BRDA"] == ["4,0,0,-", "4,0,1,-"]


class Page(HTMLParser):
    """The text of a page, its links, and whether all elements end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.links += [value or "" for key, value in attrs if key in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def page(path: Path) -> Page:
    read = Page()
    text = path.read_text("utf-8")
    read.feed(text)
    assert read.open == []
    assert not re.search(r"https?:|@import|url\(|<script", text), "nothing comes from elsewhere"
    return read


def test_the_pages_say_in_words_what_colours_say(project: pytest.Pytester) -> None:
    evil = SOURCE.replace("rts\nover", "rts ; </pre><script>alert(1)</script>\x07\nover")
    (project.path / "prog.s").write_text(evil, "utf-8")
    run(project, "--romproof-cov-html=pages")
    index = page(project.path / "pages/index.html")
    (link,) = index.links
    assert "13-17, 4 taken" in index.words
    source = page(project.path / "pages" / link)
    text = "".join(source.words)
    assert "</pre><script>alert(1)</script>\N{REPLACEMENT CHARACTER}" in text
    assert re.search(r"4\s*4×  bcs overbranch never taken", text)
    assert re.search(r"13\s*missed  lda", text)


def test_names_that_no_file_should_have(project: pytest.Pytester) -> None:
    name = 'a<b>"&\u202e.s'
    (project.path / name).write_text(SOURCE, "utf-8")
    project.makepyprojecttoml(f"[tool.romproof]\nsources = ['{name}']\n")
    result = run(project, "--romproof-cov-html=pages", "--romproof-cov-lcov=lcov.info")
    result.assert_outcomes(passed=2)
    (link,) = page(project.path / "pages/index.html").links
    assert (project.path / "pages" / link).is_file()
    assert len(read_lcov((project.path / "lcov.info").read_text("utf-8"))) == 1


def test_a_source_beside_the_project_is_shown_from_there(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.path / "pyproject.toml").unlink()
    beside = project.mkdir("checks")
    (beside / "pyproject.toml").write_text('[tool.romproof]\nsources = ["../prog.s"]\n', "utf-8")
    (beside / "test_it.py").write_text(TESTS, "utf-8")
    monkeypatch.chdir(beside)
    output = run(project, "--romproof-cov", "--romproof-cov-lcov=a.info").stdout.str()
    assert "\n../prog.s " in output
    assert "\nwritten: a.info\n" in output
    assert "SF:/" in (beside / "a.info").read_text("utf-8")


def test_paths_are_shown_from_the_folder_where_that_is_shorter() -> None:
    from romproof.report.coverage.text import show_path

    assert show_path("/a/b/src/c.s", "/a/b") == "src/c.s"
    assert show_path("/a/game/c.s", "/a/b") == "../game/c.s"
    assert show_path("/usr/inc/c.s", "/home/me/games/one") == "/usr/inc/c.s"
    assert show_path("/a/bc/c.s", "/a/b") == "../bc/c.s"

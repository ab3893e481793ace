"""``romproof report`` with files and frames, ``romproof compare``."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_programs import DEMO, Run

FASTER = (
    DEMO.replace(
        "        lda lfsr                ; 3\n        rts                     ; 6\n",
        "        rts                     ; 6\n",
    )
    .replace("out:      A lfsr[4]", "out:      lfsr[4]")
    .replace("cycles:   29", "cycles:   26")
)
NARROW = DEMO.replace("; in:       zp lfsr[4]", "; in:       zp lfsr[4]\n; requires: lfsr[0] < 16")


@pytest.mark.slow
def test_a_report_writes_all_files(romproof: Run, project: Path) -> None:
    names = {"callgrind": "callgrind.out.1", "speedscope": "s.json", "collapsed": "c", "html": "h"}
    options = [word for kind, name in names.items() for word in (f"--{kind}", f"out/{name}")]
    done = romproof("report", "demo", *options, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert sum(path["cycles"] for path in data["paths"]) == data["cycles"] == 148
    # lfsr is in the zero page: asl and rol read and write, lda reads; deck: three times sta
    writes = {a["page"]: a["writes"] for a in data["accesses"]}
    step = next(n for n, r in enumerate(data["routines"]) if r["name"] == "step")
    zero = [
        (a["reads"], a["writes"])
        for a in data["accesses"]
        if (a["routine"], a["page"]) == (step, 0)
    ]
    assert zero == [(3 * 5, 3 * 4)]
    assert 1 in writes
    stacks = (project / "out/c").read_text().splitlines()
    assert stacks == ["main 6", "main;fill 55", "main;fill;step 87"]
    assert (project / "out/callgrind.out.1").read_text().endswith("\ntotals: 148\n")
    assert json.loads((project / "out/s.json").read_text())["profiles"][0]["endValue"] == 148
    assert "<!DOCTYPE html>" in (project / "out/h").read_text()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ("report demo --frames 2", "flat memory has no picture"),
        ("report demo --frames 2 --call step", "use only one of them"),
        ("report demo --skip 2", "--skip needs --frames N"),
        ("report demo --frames -1", "not within 0.."),
        ("report demo --html .", "Is a directory"),
        ("compare demo", "name at least two programs"),
        ("compare demo nothing", "no ROM 'nothing'"),
        ("compare demo demo@STEP=x", "'STEP=x' is not a define"),
        ("compare demo demo --call stp", "did you mean 'step'?"),
        ("compare demo missing.nes", "missing.nes"),
        ("compare demo broken.nes", "broken.nes"),
        ("compare demo broken.gb", "broken.gb"),
        ("compare demo other/manifest.toml", "manifest.toml"),
    ],
)
def test_what_is_refused(romproof: Run, project: Path, args: str, told: str) -> None:
    (project / "broken.nes").write_bytes(b"NES\x1a\2")
    (project / "broken.gb").write_bytes(bytes(100))
    (project / "other").mkdir()
    (project / "other/manifest.toml").write_text("[rom]\nsources = [\n")
    done = romproof(*args.split())
    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("error:") + done.stderr.count("Error:") == 1


@pytest.fixture
def other(project: Path) -> Path:
    """A second build of the program, beside the first."""
    shutil.copytree(project / "rom/demo", project / "before/demo")
    return project / "before/demo/demo.s"


def test_two_builds_over_the_same_calls(romproof: Run, other: Path) -> None:
    other.write_text(FASTER, "utf-8")
    done = romproof("compare", "demo", "before/demo/manifest.toml", "--calls", "20", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert (data["schema"], data["ok"]) == ("romproof.compare/1", True)
    assert [p["bytes"] - data["programs"][1]["bytes"] for p in data["programs"]] == [2, 0]
    assert [p["ram"] for p in data["programs"]] == [7, 7]
    (step,) = data["routines"]
    assert (step["name"], step["calls"], step["tried"]) == ("step", 20, 20)
    first, second = step["sides"]
    assert (first["minimum"], first["mean"], first["maximum"]) == (29, 29.0, 29)
    assert (second["minimum"], second["mean"], second["maximum"]) == (26, 26.0, 26)
    assert (first["code"], second["code"], first["ram"], first["stack"]) == (11, 9, 4, 0)
    assert (first["on_front"], second["on_front"]) == (False, True)
    shown = romproof("compare", "demo", "before/demo/manifest.toml", "--calls", "5")
    row = next(line for line in shown.stdout.splitlines() if "26.0" in line)
    assert " ".join(row.split()[1:]) == "26 26.0 26 -10.3 9 4 0 yes"


def test_inputs_that_one_of_them_refuses(romproof: Run, other: Path) -> None:
    other.write_text(NARROW, "utf-8")
    done = romproof("compare", "demo", "before/demo/manifest.toml", "--calls", "50", "--json")
    assert done.returncode == 0, done.stderr
    (step,) = json.loads(done.stdout)["routines"]
    refused = step["sides"][1]["refused"]
    assert 0 < refused < 50
    assert step["calls"] == 50 - refused
    assert "lfsr[0] < 16" in step["sides"][1]["message"]
    shown = romproof("compare", "demo", "before/demo/manifest.toml", "--calls", "50")
    assert f"{refused} of 50 calls refused; the first: " in " ".join(shown.stdout.split())
    # what the first one does not allow is not among the inputs
    turned = romproof("compare", "before/demo/manifest.toml", "demo", "--calls", "50", "--json")
    (step,) = json.loads(turned.stdout)["routines"]
    assert [side["refused"] for side in step["sides"]] == [0, 0]
    assert step["calls"] == 50


def test_inputs_that_are_looked_for_are_told(romproof: Run, other: Path) -> None:
    # each of both is possible, and both together are not
    never = "lfsr[0] * lfsr[1] == 65025, lfsr[0] == 254"
    other.write_text(NARROW.replace("lfsr[0] < 16", never), "utf-8")
    done = romproof("compare", "before/demo/manifest.toml", "demo", "--calls", "$8000", "--json")
    assert done.returncode == 1
    told = done.stderr.splitlines()
    looked = "of the inputs drawn so far"
    assert told[:-1] == [
        f"step: its contract does not allow {n} {looked}" for n in ("2,000", "4,000")
    ]
    assert "of 4,000 inputs that were drawn" in told[-1]


def test_calls_that_fail_are_told(romproof: Run, other: Path) -> None:
    other.write_text(DEMO.replace("cycles:   29", "cycles:   28"), "utf-8")
    done = romproof("compare", "demo", "before/demo/manifest.toml", "--calls", "3")
    assert done.returncode == 1
    assert "3 of 3 calls failed" in done.stdout
    assert "0 calls with the same inputs" in done.stdout


def test_the_same_program_at_a_revision(romproof: Run, project: Path) -> None:
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], cwd=project, check=True)
    (project / "rom/demo/demo.s").write_text(FASTER, "utf-8")
    done = romproof("compare", "demo", "--against", "HEAD", "--calls", "3", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [p["name"] for p in data["programs"]] == ["demo", "demo at HEAD"]
    assert [side["mean"] for side in data["routines"][0]["sides"]] == [26.0, 29.0]
    wrong = romproof("compare", "demo", "--against", "nothing")
    assert (wrong.returncode, wrong.stderr.count("error:")) == (2, 1)
    assert "git knows no revision 'nothing'" in wrong.stderr


def test_a_variant_is_built_with_other_defines(romproof: Run, project: Path) -> None:
    source = DEMO.replace(
        "        lda lfsr ", "        .ifdef SLOW\n nop\n .endif\n        lda lfsr "
    )
    source = source.replace("cycles:   29", "cycles:   29..31")
    (project / "rom/demo/demo.s").write_text(source, "utf-8")
    done = romproof("compare", "demo", "demo@SLOW=1", "--call", "step", "--calls", "2", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [side["mean"] for side in data["routines"][0]["sides"]] == [29.0, 31.0]
    assert [p["name"] for p in data["programs"]] == ["demo", "demo@SLOW=1"]


@pytest.mark.slow
def test_a_page_of_a_game_whose_cpu_has_the_table_of_another(romproof: Run, tmp_path: Path) -> None:
    game = Path(__file__).parents[2] / "examples" / "nes-runner"
    shutil.copytree(game, tmp_path, dirs_exist_ok=True)
    done = romproof("report", "runner", "--frames", "3", "--html", "page.html")
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "page.html").read_text()
    assert "(OAM DMA)" in page
    assert "move_player" in page

"""What tools/ has is executed, in small: each option, with stand-ins for what lies elsewhere."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from romproof.prover.results import Proof

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"
TRIED = {
    "conformance_nes": {"--engine"},
    "conformance_pictures": {"--mealybug", "--docboy"},
    "conformance_rgbds": {"--jobs"},
    "conformance_sm83": {"--engine"},
    "mutants": {"-n", "--sample", "--seed", "--budget", "--only"},
    "projects_ca65": {"--ours"},
    "proofs": {"--cross", "--fresh", "--long"},
    "shots": {"--into"},
    "unchanged": {"--fresh"},  # test_unchanged.py
}
"""The options that tests of this folder give to a tool."""


def _options(text: str) -> Iterator[str]:
    """The options that a tool declares, or looks for among its words by hand."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(attr="add_argument" | "option"), args=args):
                # a browser has options, too: those are a variable
                found = [each for each in args if isinstance(each, ast.Constant)]
            case ast.Compare(left=ast.Constant() as one, ops=[ast.In()]):
                found = [one]
            case ast.Compare(ops=[ast.Eq()], comparators=[ast.List(elts=elements)]):
                found = [each for each in elements if isinstance(each, ast.Constant)]
            case _:
                continue
        yield from (str(each.value) for each in found if str(each.value).startswith("-"))


def test_every_option_is_tried() -> None:
    declared = {path.stem: set(_options(path.read_text("utf-8"))) for path in TOOLS.glob("*.py")}
    assert {name: found for name, found in declared.items() if found} == TRIED


def _load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = spec_from_file_location(f"tried_{name}", TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def _page(
    name: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """What a tool prints."""
    monkeypatch.setattr(sys, "argv", [name, *words])
    _load(name, monkeypatch).main()
    return capsys.readouterr().out


@pytest.fixture
def _conformance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "conformance"))


@pytest.mark.usefixtures("_conformance")
def test_a_page_of_test_roms_for_the_nes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from test_conformance_nes import rom

    folder = tmp_path / "nes-test-roms" / "ppu_vbl_nmi" / "rom_singles"
    folder.mkdir(parents=True)
    (folder / "01-vbl_basics.nes").write_bytes(rom(0))
    (folder / "02-vbl_set_time.nes").write_bytes(rom(2))
    words = [str(tmp_path), "--engine", "plain", "--engine", "plain"]
    page = _page("conformance_nes", words, monkeypatch, capsys)
    assert "on each engine: `plain` and `plain`." in page
    assert "| all | 2 | 1 | 1 | 0 |" in page


def test_a_page_of_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from PIL import Image

    monkeypatch.syspath_prepend(str(ROOT / "tests" / "machine"))
    from gameboy_programs import cartridge

    rom = cartridge(" ld a, {shade}\n ldh [$47], a\n db $40\nrest:\n jr rest".format(shade="$ff"))
    for name in ("roms", "expected/DMG-blob", "expected/CPU CGB C"):
        (tmp_path / "mealybug" / name).mkdir(parents=True)
    Image.new("L", (160, 144), 0).save(
        tmp_path / "mealybug" / "expected" / "DMG-blob" / "black.png"
    )
    (tmp_path / "mealybug" / "roms" / "black.gb").write_bytes(rom)
    for name in ("config", "roms/dmg/own", "results/dmg/own"):
        (tmp_path / "docboy" / name).mkdir(parents=True)
    test = {"rom": "own/black.gb", "framebuffer": "own/white.png", "check_at_instruction": "ld b,b"}
    (tmp_path / "docboy" / "config" / "dmg.json").write_text(json.dumps({"ppu": [test]}))
    (tmp_path / "docboy" / "config" / "cgb.json").write_text(json.dumps({"ppu": []}))
    (tmp_path / "docboy" / "roms" / "dmg" / "own" / "black.gb").write_bytes(rom)
    white = tmp_path / "docboy" / "results" / "dmg" / "own" / "white.png"
    Image.new("L", (160, 144), 0xFF).save(white)
    words = ["--mealybug", str(tmp_path / "mealybug"), "--docboy", str(tmp_path / "docboy")]
    page = _page("conformance_pictures", words, monkeypatch, capsys)
    assert "| mealybug-tearoom-tests, DMG-blob | 1 | 1 |" in page
    assert "| own, dmg | 1 | 0 |" in page
    assert "- own, dmg: black" in page


@pytest.mark.usefixtures("_conformance")
def test_a_page_of_test_roms_for_the_game_boy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from small_suites import microtest

    microtest(tmp_path / "gbmicrotest" / "bin", "is_if_set_during_ime0.gb")
    microtest(tmp_path / "gbmicrotest" / "bin", "int_timer_halt.gb", passes=False)
    words = [str(tmp_path), "--engine", "plain"]
    page = _page("conformance_sm83", words, monkeypatch, capsys)
    assert "on each engine: `plain`." in page
    assert "| all |  | 2 | 1 | 1 | 0 |" in page


@pytest.mark.slow
@pytest.mark.usefixtures("_conformance")
def test_a_page_of_the_tests_of_rgbds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from small_rgbds import write_suite

    write_suite(tmp_path)
    page = _page("conformance_rgbds", [str(tmp_path), "--jobs", "1"], monkeypatch, capsys)
    assert "# Results of RGBDS's tests" in page
    assert "| rgbds-asm |" in page


@pytest.mark.skipif(shutil.which("ca65") is None, reason="cc65 is not installed")
def test_a_table_of_projects_for_ca65(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = tmp_path / "one+two"
    repository.mkdir()
    (repository / "it.s").write_text("        .org $1000\n        lda #1\n        rts\n")
    git = ["git", "-C", str(repository), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    tool = _load("projects_ca65", monkeypatch)
    build = "ca65 it.s && ld65 -t none -o it.bin it.o"
    projects = [tool.Project(name, "one+two", (build,), ("*.bin",)) for name in ("mine", "other")]
    monkeypatch.setattr(tool, "PROJECTS", projects)
    ours = str(Path(sys.executable).with_name("romproof"))
    words = ["projects_ca65", str(tmp_path), "--ours", ours, "--ours", ours, "min"]
    monkeypatch.setattr(sys, "argv", words)
    tool.main()
    told = capsys.readouterr()
    rows = told.out.splitlines()[2:]
    assert told.err == ""
    assert len(rows) == 1
    assert rows[0].startswith("| mine | one/two ")
    assert "| 1 | 1 | 2 |" in rows[0]  # of one file one is equal, made by two tools
    assert rows[0].count("MiB") == 2


@pytest.mark.parametrize("words", [[], ["--cross"], ["--fresh"], ["--long", "--fresh"]])
def test_statements_are_proved_as_asked(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = _load("proofs", monkeypatch)
    asked = []

    def prove_all(statements: object, options: object) -> Iterator[tuple[object, Proof, bool]]:
        asked.append((statements, options))
        return iter(())

    monkeypatch.setattr(tool, "prove_all", prove_all)
    monkeypatch.setattr(tool, "PAGES", {long: tmp_path / f"{long}.md" for long in (False, True)})
    assert tool.main(words) == 0
    ((statements, options),) = asked
    assert (options.cross, options.fresh) == ("--cross" in words, "--fresh" in words)
    assert statements
    assert {each.long for each in statements} == {"--long" in words}


def test_a_scene_that_there_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyboy", reason="it plays the scenes")
    tool = _load("shots", monkeypatch)
    done = CliRunner().invoke(tool.main, ["--into", str(tmp_path / "made"), "wal"])
    assert done.exit_code == 2
    assert "'wal' is not one of" in done.output
    assert not (tmp_path / "made").exists()


def test_the_scenes_that_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = pytest.importorskip("PIL.Image", reason="it makes the pictures")
    tool = _load("shots", monkeypatch)
    dot = image.new("RGB", (2, 1), "white")
    monkeypatch.setitem(tool.SCENES, "wall-gb", lambda: iter([("wall-gb-dot", dot)]))
    done = CliRunner().invoke(tool.main, ["--into", str(tmp_path / "made"), "wall-gb"])
    assert done.exit_code == 0, done.output
    (made,) = (tmp_path / "made").iterdir()
    with image.open(made) as picture:
        assert (made.name, picture.size) == ("wall-gb-dot.png", (4, 2))


@pytest.mark.slow
def test_mutants_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _load("mutants", monkeypatch)
    build = tmp_path / "mutants"
    for name, path in {
        "BUILD": build, "LINES": build / "lines", "SECONDS": build / "tests.xml",
        "RESULT": build / "result.jsonl",
    }.items():  # fmt: skip
        monkeypatch.setattr(tool, name, path)
    rule = "terms/compare.py:145"
    run = ["run", "--sample", "1", "--seed", "2", "--budget", "5", "--only", f"{rule} False"]
    name = "test_a_choice_compared_with_one_of_its_own_is_a_condition"
    tests = f"tests/symbolic/test_smt_terms.py::{name}"
    told = [
        CliRunner().invoke(tool.main, words).output
        for words in (["list", "symbolic"], ["map", tests, "-n", "1"], run, run, ["score"])
    ]
    assert rule in told[0]
    assert "1/1 seen: " in told[2]
    assert told[3] == ""  # it is known
    assert "symbolic: {'seen': 1, 'survived': 0, 'not executed': 0}" in told[4]


@pytest.mark.skipif(shutil.which("script") is None, reason="script is not installed")
def test_a_picture_of_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _load("terminal_svg", monkeypatch)
    out = tmp_path / "it.svg"
    monkeypatch.setattr(sys, "argv", ["terminal_svg", str(tmp_path), str(out), "echo words; pwd"])
    assert tool.main() == 0
    text = out.read_text("utf-8").replace("&#160;", " ")
    assert text.startswith("<svg")
    assert "words" in text
    assert "@font-face" not in text


@pytest.mark.slow
def test_a_page_of_boards_of_the_nes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other emulator is ours, which in one program has another byte from the third frame on."""
    header = b"NES\x1a\x02\x01\x50\x00" + bytes(8)
    code = bytes.fromhex("e6 10 4c 00 e0")  # counts
    program = bytes(0x6000) + code.ljust(0x1FFA, b"\0") + bytes.fromhex("00 e0 00 e0 00 e0")
    for name in ("lala.nes", "mmc5test/mmc5test.nes"):
        file = tmp_path / "roms" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(header + program + bytes(0x2000))
    tool = _load("boards_nes", monkeypatch)

    def other(core: Path, rom: bytes, frames: int) -> list[bytes]:
        seen = tool.run_here(rom, "plain", frames)
        changed = [bytes([ram[0] ^ (frame > 1)]) + ram[1:] for frame, ram in enumerate(seen)]
        return changed if asked.pop() else seen

    asked = [True, False]
    monkeypatch.setattr(tool, "ENGINES", ("plain",))
    monkeypatch.setattr(tool, "FRAMES", 4)
    monkeypatch.setattr(tool, "run_there", other)
    monkeypatch.setattr(sys, "argv", ["boards_nes", "core.so", str(tmp_path)])
    tool.main()
    page = capsys.readouterr().out
    assert "\n4 frames: a minute." in page
    assert "| 5 | mmc5test | test; christopherpow/nes-test-roms 95d8f621ae; " in page
    assert " | 4 | 0 | 0 |\n" in page
    assert " | 2 | 1 | 2 |\n" in page
    assert "engines differ" not in page
    assert any(tool.buttons(frame) for frame in range(60, 120))

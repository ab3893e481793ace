"""Screens compared with golden files, seen from a user's test files."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest.importorskip("PIL", reason='Pillow is not installed: pip install "romproof[pictures]"')

for name in (  # once, not anew in each run of pytest
    "romproof.pytest_plugin.pictures",
    "romproof.pytest_plugin.programs",
    "romproof.machine.gameboy.board",
    "romproof.projects.builder",
    "romproof.projects.gameboy",
    "romproof.engine.recompiled.engine",
    "romproof.engine.llvm.chips.compiled",
    "romproof.engine.llvm.chips.method",
):
    import_module(name)

SOURCE = """
SECTION "entry", ROM0[$100]
    nop
    jp start
    ds $150 - @, 0
SECTION "main", ROM0
start::
    ld a, {shade}
    ldh [$FF47], a
.rest
    jr .rest
"""
PROJECT = """
[tool.romproof]
cpu = "sm83"
sources = ["main.asm"]
machine = "gameboy"
header = {title = "PICTURE"}
"""
TESTS = """
def test_title(rom, picture):
    machine = rom.machine()
    machine.run_frames()
    assert machine.screen == picture("title"MASKS)
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyprojecttoml(PROJECT)
    return pytester


def run(project: pytest.Pytester, *arguments: str, shade: str = "$00", masks: str = "") -> str:
    """The outcome of the test, as pytest prints it; the background has one shade."""
    (project.path / "main.asm").write_text(SOURCE.format(shade=shade), "utf-8")
    project.makepyfile(test_title=TESTS.replace("MASKS", masks))
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    options = ("-p", "no:cacheprovider", "-p", "no:randomly")
    return project.runpytest_inprocess(*plugin, *options, *arguments).stdout.str()


def golden(project: pytest.Pytester, name: str = "title.png") -> Path:
    return project.path / "pictures" / name


def test_a_new_picture_is_written_and_fails_once(project: pytest.Pytester) -> None:
    first = run(project)
    assert "1 failed" in first
    assert "title.png is new: look at it, and run the test again" in first
    assert golden(project).exists()
    assert "1 passed" in run(project)
    assert "1 failed" in run(project, shade="$ff")
    assert {path.name for path in golden(project).parent.iterdir()} == {
        "title.png",
        "title.actual.png",
        "title.diff.png",
    }
    assert "1 passed" in run(project)
    assert [path.name for path in golden(project).parent.iterdir()] == ["title.png"]


def test_a_difference_says_where_it_is_and_what_is_there(project: pytest.Pytester) -> None:
    run(project)
    told = run(project, shade="$ff")
    assert "23,040 pixels differ, within 160 x 144 from (0, 0)" in told
    assert "first: (0, 0) is #000000, expected #ffffff" in told
    assert "there: tile $00 at $9800 of the background" in told
    masked = run(project, shade="$ff", masks=", masks=[(0, 0, 160, 143)]")
    assert "160 pixels differ, within 160 x 1 from (0, 143)" in masked
    assert "1 passed" in run(project, shade="$ff", masks=", masks=[(0, 0, 160, 144)]")


@pytest.mark.slow
def test_pictures_are_updated_when_that_is_asked_for(project: pytest.Pytester) -> None:
    assert "1 passed" in run(project, "--romproof-update-new")
    assert "1 failed" in run(project, "--romproof-update-new", shade="$ff")
    assert "1 passed" in run(project, "--romproof-update", shade="$ff")
    assert "1 passed" in run(project, shade="$ff")


@pytest.mark.slow
def test_pictures_that_no_test_compared_are_named(project: pytest.Pytester) -> None:
    run(project)
    golden(project, "old.png").write_bytes(golden(project).read_bytes())
    told = run(project)
    assert "pictures that no test compared" in told
    assert "old.png" in told
    assert "old.png" not in run(project, "-k", "title")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"no picture", "is no picture that can be read"),
        ("small", "has 8 x 8 pixels, the screen 160 x 144"),
        ("green", "the pixel at (0, 0) has the colour #00ff00, which the machine does not have"),
    ],
)
def test_what_is_no_picture_of_the_machine(
    project: pytest.Pytester, data: bytes | str, told: str
) -> None:
    from PIL import Image

    golden(project).parent.mkdir()
    if isinstance(data, bytes):
        golden(project).write_bytes(data)
    else:
        size = (8, 8) if data == "small" else (160, 144)
        Image.new("RGB", size, (0, 0xFF, 0)).save(golden(project))
    before = golden(project).read_bytes()
    printed = run(project)
    assert told in printed
    assert "1 failed" in printed
    assert golden(project).read_bytes() == before

"""Manifests and projects: what is read from TOML, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.projects import (
    BadManifest,
    BadProject,
    Manifest,
    Overwrites,
    build,
    find_manifest,
    load,
    load_manifest,
    manifest_names,
    write_outputs,
)
from romproof.projects.coverage import coverage_settings
from romproof.projects.project import NoProject, find_project
from romproof.text.diagnostic import BuildFailed
from romproof.text.errors import RomproofError

LAYOUT = """
MEMORY { ROM: start = $8000, size = $100, file = %O; }
SEGMENTS { CODE: load = ROM, type = ro; }
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one ROM folder, which is the current folder."""
    (tmp_path / "rom" / "one").mkdir(parents=True)
    (tmp_path / "rom" / "one" / "main.s").write_text("start: lda #VALUE\n rts\n")
    (tmp_path / "rom" / "one" / "layout.cfg").write_text(LAYOUT)
    (tmp_path / "rom" / "one" / "manifest.toml").write_text(
        '[rom]\nsources = ["main.s"]\nconfig = "layout.cfg"\nentry = "start"\n'
        "[rom.defines]\nVALUE = 5\n"
    )
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nfolders = ["rom"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_manifest_is_read_from_its_own_folder(project: Path) -> None:
    manifest = load_manifest(Path("rom/one/manifest.toml"))
    assert manifest.name == "one"
    assert manifest.sources == (Path("rom/one/main.s"),)
    assert manifest.config == Path("rom/one/layout.cfg")
    assert manifest.image_name == "one.bin"
    assert manifest.defines == (("VALUE", 5),)


def test_roms_are_found_by_name_and_by_path(project: Path) -> None:
    assert manifest_names() == ["one"]
    for name in ("one", "rom/one", "rom/one/manifest.toml"):
        assert find_manifest(name).entry == "start"


def test_a_project_with_one_rom_tests_that_one(project: Path) -> None:
    assert load(project / "pyproject.toml").name == "one"


def test_a_rom_may_be_described_on_the_spot(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.romproof]\nsources = ["rom/one/main.s"]\ndefines = { VALUE = 7 }\n'
        'config = "rom/one/layout.cfg"\n'
        '[tool.romproof.roms.other]\nrom = "rom/one/manifest.toml"\n'
    )
    default = build(load(project / "pyproject.toml"))
    assert default.image.files[0].data == b"\xa9\x07\x60"
    assert load(project / "pyproject.toml", "other").entry == "start"
    assert manifest_names() == ["other", "rom"]


def test_outside_of_a_project_one_line_says_what_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for ask in (manifest_names, lambda: find_manifest("tarot")):
        with pytest.raises(NoProject, match=r"write a pyproject\.toml with the table") as told:
            ask()
        assert "\n" not in str(told.value)


def test_a_misspelt_name_gets_a_suggestion(project: Path) -> None:
    with pytest.raises(BadProject, match="no ROM 'onee'; did you mean 'one'"):
        find_manifest("onee")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "needs a table"),
        ("[rom]\n", "'sources' is missing"),
        ('[rom]\nsources = "main.s"\n', "'sources' must be a list"),
        ("[rom]\nsources = [1]\n", "list of strings"),
        ('[rom]\nsources = ["a.s"]\nsorces = []\n', "did you mean 'sources'"),
        ('[rom]\nsources = ["a.s"]\ncpu = "z80"\n', "the CPUs are 6502"),
        ('[rom]\nsources = ["a.s"]\ndefines = { A = "x" }\n', "define 'A' must be a number"),
        ("[rom\n", "line 1"),
    ],
)
def test_a_wrong_manifest_says_what_is_wrong(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(text)
    with pytest.raises(BadManifest, match=fault):
        load_manifest(path)


def test_a_missing_manifest_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadManifest, match="No such file"):
        load_manifest(tmp_path / "manifest.toml")


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("", "no table"),
        ("[tool.romproof]\n", "names no ROM"),
        ("[tool.romproof]\nrom = 5\n", "must be a manifest's path"),
        ("[tool.romproof]\nroms = { a = 1 }\n", "must be a table"),
    ],
)
def test_a_project_without_a_rom_says_so(tmp_path: Path, table: str, fault: str) -> None:
    (tmp_path / "pyproject.toml").write_text(table)
    with pytest.raises(BadProject, match=fault):
        load(tmp_path / "pyproject.toml")


def test_a_failed_build_leaves_the_old_rom(project: Path) -> None:
    folder = project / "build" / "rom"
    manifest = load_manifest(Path("rom/one/manifest.toml"))
    build(manifest, folder)
    old = {path.name: path.read_bytes() for path in folder.iterdir()}
    (project / "rom/one/main.s").write_text("start: lda #VALUE\n jmp nowhere\n")
    with pytest.raises(BuildFailed, match="Symbol 'nowhere' is undefined"):
        build(manifest, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == old


def test_faults_of_all_sources_and_the_layout_come_together(project: Path) -> None:
    (project / "rom/one/main.s").write_text(" lda\n")
    (project / "rom/one/more.s").write_text(" jmp nowhere\n")
    (project / "rom/one/layout.cfg").write_text("MEMORY { ROM: begin = 1; }")
    (project / "rom/one/manifest.toml").write_text(
        '[rom]\nsources = ["main.s", "more.s", "gone.s"]\nconfig = "layout.cfg"\n'
    )
    with pytest.raises(BuildFailed) as failure:
        build(load_manifest(Path("rom/one/manifest.toml")))
    text = str(failure.value)
    for fault in ("layout.cfg:1:", "main.s:1:", "more.s:1:", "gone.s"):
        assert fault in text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tool = 5", "no ROM|no table"),
        ("[tool]\nromproof = 5", "must be a table"),
        ('[tool.romproof]\nfolders = "rom"', "'folders' must be a list of strings"),
        ("[tool.romproof]\nfolders = [1]", "'folders' must be a list of strings"),
        ("[tool.romproof]\nroms = 5", "'roms' must be tables"),
        ("[tool.romproof]\nsources = ['a.s']\nname = 'a/b'", "without a folder"),
        ("[tool.romproof]\nsources = ['a.s']\nname = '..'", "without a folder"),
        ("[tool.romproof]\nsources = ['a.s']\nname = ''", "without a folder"),
        ("[tool.romproof]\nsources = ['a.s']\noutput = '../a.bin'", "without a folder"),
        ("[tool.romproof]\nsources = ['a.s']\noutput = 'a.lst'", r"cannot end in '\.lst'"),
        (
            "[tool.romproof]\nsources = ['a.s']\ndefines = { '1x' = 5 }",
            "not a valid name of a symbol",
        ),
        ("[tool.romproof]\nsources = ['a.s']\nbanks = 'B0'", "'banks' must be a list"),
    ],
)
def test_what_a_project_cannot_mean_is_told(project: Path, text: str, fault: str) -> None:
    (project / "pyproject.toml").write_text(text)
    with pytest.raises((BadManifest, BadProject), match=fault):
        load(project / "pyproject.toml")


def test_a_project_file_that_is_no_text_is_told(project: Path) -> None:
    (project / "pyproject.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadManifest, match="can't decode byte"):
        load(project / "pyproject.toml")


def test_no_output_replaces_a_source_or_another_output(project: Path) -> None:
    (project / "inc.s").write_text(" rts\n")
    (project / "main.s").write_text('.include "inc.s"\n')
    image = build(Manifest("m", (Path("main.s"),))).image
    for listing, labels in ((Path("inc.s"), None), (Path("m.bin"), None), (Path("x"), Path("x"))):
        with pytest.raises(Overwrites, match="cannot write"):
            write_outputs(image, Path(), listing, labels)
    assert (project / "inc.s").read_text() == " rts\n"
    assert not Path("m.bin").exists()
    assert not Path("x").exists()


def test_the_files_of_an_image_are_written_below_the_folder(project: Path) -> None:
    (project / "main.s").write_text(" rts\n")
    (project / "sub.cfg").write_text(
        'MEMORY { ROM: start = $C000, size = $10, file = "parts/%O"; }\n'
        "SEGMENTS { CODE: load = ROM, type = ro; }\n"
    )
    image = build(Manifest("m", (Path("main.s"),), config=Path("sub.cfg"))).image
    assert write_outputs(image, Path("out")) == [Path("out/parts/m.bin")]
    assert (project / "out/parts/m.bin").read_bytes() == b"\x60"


NEVER = 'sources = ["never.s"]\n'
"""A source whose assembly fails the test."""


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (NEVER + 'clock = "nes-nstc"', "no clock 'nes-nstc'; did you mean 'nes-ntsc'?"),
        (NEVER + 'clock = "vax"', "no clock 'vax'; known are: nes-ntsc"),
        (NEVER + 'engine = "llmv"', "no engine 'llmv'; did you mean 'llvm'?"),
        (NEVER + 'clock = "1mhz"\nbudgets = { f = "1 frame" }', "of the program has no frames"),
        (NEVER + 'banks = ["ROMX"]\nconfig = "layout.cfg"', "no memory area 'ROMX' for 'banks'"),
        (NEVER + 'config = "missing.cfg"', "Cannot open linker configuration 'missing.cfg'"),
        (NEVER + 'cpu = "sm83"\nconfig = "no.link"', "there is no linker script 'no.link'"),
        (NEVER + 'cpu = "sm83"\nbanks = ["RMOX[1]"]', "no memory 'RMOX[1]' for 'banks'; did you"),
        (NEVER + "[tool.romproof.coverage]\nhtlm = 'x'", "unknown key 'htlm'; did you mean 'html'"),
        ('rom = "rom/one/manifest.toml"\nbugdets = {}', "unknown key 'bugdets' beside 'rom'; did"),
        ('rom = "rom/one/manifest.toml"\nsources = []', "unknown key 'sources' beside 'rom'; its"),
        ('folders = ["rom"]\nfolder = "x"', "'folder' in [tool.romproof], which describes no"),
        ('image = "a.nes"\nclock = "vax"', "no clock 'vax'"),
        ('image = "a.nes"\nclock = "2mhz"\nbudgets = { f = "1 frame" }', "has no frames"),
        ('[tool.romproof.roms.x]\nsources = ["never.s"]\nclock = "vax"', "no clock 'vax'"),
        (
            '[tool.romproof.roms.x]\nrom = "rom/one/manifest.toml"\nentry = "a"',
            "unknown key 'entry'",
        ),
    ],
)
def test_keys_are_checked_before_anything_is_assembled(
    project: Path, monkeypatch: pytest.MonkeyPatch, table: str, fault: str
) -> None:
    (project / "never.s").write_text('.error "this was assembled"\n')
    (project / "layout.cfg").write_text(LAYOUT)
    (project / "pyproject.toml").write_text(f"[tool.romproof]\n{table}\n")
    with pytest.raises(RomproofError) as failure:
        _use(project)
    text = str(failure.value)
    if isinstance(failure.value, BuildFailed):
        text += " ".join(each.message for each in failure.value.diagnostics)
    assert fault in text
    assert "this was assembled" not in text


def _use(project: Path) -> None:
    """What commands and pytest do with a project, in their order."""
    found = find_project(project)
    assert found is not None
    found.engine()
    coverage_settings(found)
    build(load(project / "pyproject.toml"))


def test_an_engine_is_known_before_the_program_is_built(project: Path) -> None:
    import romproof

    (project / "rom" / "one" / "main.s").write_text('.error "this was assembled"\n')
    with pytest.raises(RomproofError, match="no engine 'x'"):
        romproof.load(project, "one", engine="x")

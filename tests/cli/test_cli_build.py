from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import DEMO, Run, romproof_in, write_rom


def test_all_roms(romproof: Run, project: Path) -> None:
    write_rom(project, "tiny", "        rts\n")
    done = romproof("build")
    assert (done.returncode, done.stderr) == (0, "")
    size = (project / "build/rom/demo.bin").stat().st_size
    assert done.stdout == (
        f"demo: build/rom/demo.bin ({size} bytes)\ntiny: build/rom/tiny.bin (1 bytes)\n"
    )
    made = {path.name for path in (project / "build/rom").iterdir()}
    assert made == {f"{n}.{e}" for n in ("demo", "tiny") for e in ("bin", "lst", "lbl", "map")}


def test_one_rom_from_a_sub_folder(project: Path) -> None:
    done = romproof_in(project / "rom", "build", "demo", "--json")
    data = json.loads(done.stdout)
    assert data["ok"] is True
    files = data["roms"][0]["files"]
    assert [Path(file["path"]) for file in files] == [
        project / f"build/rom/demo.{end}" for end in ("bin", "lst", "lbl", "map")
    ]


def test_a_rom_that_fails_keeps_its_old_files(romproof: Run, project: Path) -> None:
    write_rom(project, "bad", "        rts\n")
    assert romproof("build").returncode == 0
    before = (project / "build/rom/bad.bin").read_bytes()
    (project / "build/rom/demo.bin").unlink()
    (project / "rom/bad/bad.s").write_text("        nop\n        foo\n")
    done = romproof("build", "--json")
    assert done.returncode == 1
    assert "bad.s:2:9: error: " in done.stderr
    data = json.loads(done.stdout)
    assert [(rom["name"], rom["ok"]) for rom in data["roms"]] == [("bad", False), ("demo", True)]
    assert data["roms"][0]["diagnostics"][0]["line"] == 2
    assert data["ok"] is False
    assert (project / "build/rom/bad.bin").read_bytes() == before
    assert (project / "build/rom/demo.bin").exists()


def test_an_unknown_name(romproof: Run, project: Path) -> None:
    done = romproof("build", "demp")
    assert done.returncode == 2
    assert "no ROM 'demp'; did you mean 'demo'?" in done.stderr


def test_a_manifest_by_its_path(romproof: Run, project: Path) -> None:
    assert romproof("build", "rom/demo/manifest.toml").returncode == 0
    assert romproof("build", "rom/demo").returncode == 0
    nowhere = romproof("build", "nowhere/manifest.toml")
    assert nowhere.returncode == 2
    assert "there is no file or folder 'nowhere/manifest.toml'" in nowhere.stderr


def test_a_broken_manifest(romproof: Run, project: Path) -> None:
    (project / "rom/demo/manifest.toml").write_text("[rom]\nsorces = []\n")
    done = romproof("build")
    assert done.returncode == 1
    assert "did you mean 'sources'?" in done.stderr


def test_what_the_source_prints_does_not_disturb_json(romproof: Run, project: Path) -> None:
    (project / "rom/demo/demo.s").write_text(DEMO + '        .out "hello"\n', "utf-8")
    done = romproof("build", "--json")
    assert json.loads(done.stdout)["ok"] is True
    assert "hello" in done.stderr


def test_a_broken_manifest_does_not_keep_the_others_from_being_built(
    romproof: Run, project: Path
) -> None:
    write_rom(project, "odd", "        rts\n")
    (project / "rom/odd/manifest.toml").write_text("[rom]\nsorces = []\n")
    done = romproof("build", "--json")
    assert done.returncode == 1
    assert "unknown key 'sorces'; did you mean 'sources'?" in done.stderr
    data = json.loads(done.stdout)
    assert {rom["name"]: rom["ok"] for rom in data["roms"]} == {"odd": False, "demo": True}
    assert (project / "build/rom/demo.bin").exists()
    assert not (project / "build/rom/odd.bin").exists()


def test_what_has_not_changed_is_left_as_it_is(romproof: Run, project: Path) -> None:
    write_rom(project, "tiny", '        .include "more.inc"\n        rts\n')
    more = project / "rom/tiny/more.inc"
    more.write_text("        nop\n")
    assert "unchanged" not in romproof("build").stdout
    listing, image = (project / f"build/rom/tiny.{end}" for end in ("lst", "bin"))
    made = listing.stat().st_mtime_ns
    again = romproof("build", "--jobs", "2")
    assert again.returncode == 0
    assert again.stdout.count(", unchanged)") == 2
    assert listing.stat().st_mtime_ns == made

    def reused(*options: str) -> dict[str, bool]:
        done = romproof("build", "--json", *options)
        return {rom["name"]: rom["reused"] for rom in json.loads(done.stdout)["roms"]}

    more.write_text("        nop\n        nop\n")
    assert reused() == {"demo": True, "tiny": False}
    assert image.read_bytes() == b"\xea\xea\x60"
    image.write_bytes(b"\xea\xea\xea")  # not by us
    assert reused() == {"demo": True, "tiny": False}
    assert image.read_bytes() == b"\xea\xea\x60"
    assert reused("--no-bounds") == {"demo": False, "tiny": False}
    assert reused("--no-bounds", "--fresh") == {"demo": False, "tiny": False}


@pytest.mark.slow
def test_several_processes_build_the_same(romproof: Run, project: Path) -> None:
    write_rom(project, "tiny", "        rts\n")
    write_rom(project, "bad", "        foo\n")
    one = romproof("build", "--fresh")
    files = {path.name: path.read_bytes() for path in (project / "build/rom").iterdir()}
    two = romproof("build", "--fresh", "-j", "2")
    assert (two.returncode, two.stdout, two.stderr) == (1, one.stdout, one.stderr)
    assert {path.name: path.read_bytes() for path in (project / "build/rom").iterdir()} == files


def test_a_rom_that_warns_says_so_each_time(romproof: Run, project: Path) -> None:
    write_rom(project, "warns", '        .warning "look"\n        .out "printed"\n        rts\n')
    told = [romproof("build", "warns") for _ in range(3)]
    for done in told:
        assert "look" in done.stderr
        assert "printed" in done.stderr
    assert ["unchanged" in done.stdout for done in told] == [False, True, True]

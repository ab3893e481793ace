"""Manifests of Game Boy programs, and what is built of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.projects import BadManifest, Manifest, build, gameboy
from romproof.projects.manifest import manifest_from
from romproof.text.diagnostic import BuildFailed
from romproof.toolchains.rgbds.fix import BadMbc, check_header

MAIN = """\
INCLUDE "part.inc"
SECTION "Header", ROM0[$0100]
    nop
    jp main
    ds $150 - @, 0
SECTION "main", ROMX
main::
    ld a, VALUE
    jp far
"""
FAR = """\
SECTION "far", ROMX, BANK[2]
far::
    ret
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.asm").write_text(MAIN)
    (tmp_path / "far.asm").write_text(FAR)
    (tmp_path / "part.inc").write_text("assert VALUE < 10\n")
    return tmp_path


def _manifest(folder: Path, **keys: object) -> Manifest:
    table = {"cpu": "sm83", "sources": ["main.asm", "far.asm"], "defines": {"VALUE": 5}, **keys}
    return manifest_from(table, folder, "game", "[rom]")


def test_defaults(folder: Path) -> None:
    manifest = _manifest(folder)
    assert (manifest.image_name, manifest.clock_name) == ("game.gb", "gb")
    assert manifest.endings == (".lst", ".sym", ".map")
    assert manifest.header is None


def test_a_program_with_banks_and_a_header(folder: Path) -> None:
    header = {"title": "GAME", "mbc": "MBC1+RAM", "ram_size": 2, "color": "compatible", "sgb": True}
    header["old_licensee"] = 0x33
    built = build(_manifest(folder, header=header), folder / "out")
    rom = (folder / "out/game.gb").read_bytes()
    assert len(rom) == 0x10000, "three banks, padded to four"
    assert check_header(rom) == []
    assert rom[0x134:0x138] == b"GAME"
    assert (rom[0x143], rom[0x146], rom[0x147], rom[0x149], rom[0x14B]) == (0x80, 3, 2, 2, 0x33)
    assert rom[0x4000:0x4002] == b"\x3e\x05"
    assert rom[0xFFFF] == 0xFF
    header_block = next(b for b in built.image.blocks if b.address == 0x100)
    assert header_block.data == rom[0x100:0x150], "the machine's memory has the header too"
    assert [path.name for path in built.files] == ["game.gb", "game.lst", "game.sym", "game.map"]


def test_without_the_table_the_header_stays_as_it_is(folder: Path) -> None:
    rom = build(_manifest(folder)).image.files[0].data
    assert rom[0x104:0x150] == bytes(0x4C)


def test_defines_of_the_caller_win(folder: Path) -> None:
    rom = build(_manifest(folder), defines={"VALUE": 6}).image.files[0].data
    assert rom[0x4001] == 6


def test_a_linker_script_and_padding(folder: Path) -> None:
    (folder / "layout.link").write_text('ROMX $1\norg $4100\n"main"\nROMX $2\n"far"\n')
    manifest = _manifest(folder, config="layout.link", link={"pad": 0xAA})
    rom = build(manifest).image.files[0].data
    assert rom[0x4100:0x4102] == b"\x3e\x05"
    assert rom[0x40FF] == 0xAA


def test_faults_of_all_sources_are_told(folder: Path) -> None:
    (folder / "main.asm").write_text('SECTION "m", ROM0\n  foo\n')
    (folder / "far.asm").write_text('SECTION "f", ROM0\n\n  ld q, 1\n')
    with pytest.raises(BuildFailed) as caught:
        build(_manifest(folder), folder / "out")
    places = [(d.span.source.name, d.span.line) for d in caught.value.diagnostics if d.span]
    assert [(Path(name).name, line) for name, line in places] == [("main.asm", 2), ("far.asm", 3)]
    assert not (folder / "out").exists()


def test_a_missing_source_does_not_hide_the_faults_of_others(folder: Path) -> None:
    (folder / "main.asm").write_text('SECTION "m", ROM0\n  foo\n')
    (folder / "far.asm").unlink()
    with pytest.raises(BuildFailed) as caught:
        build(_manifest(folder), folder / "out")
    missing, unknown = caught.value.diagnostics
    assert "there is no file" in missing.message
    assert missing.message.endswith("far.asm', a source of 'game'")
    assert missing.help is not None
    assert "run the command that writes it" in missing.help
    assert unknown.span is not None
    assert unknown.span.line == 2


def test_of_the_6502_too(tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text("  foo\n")
    manifest = manifest_from({"sources": ["a.s", "b.s"]}, tmp_path, "demo", "[rom]")
    with pytest.raises(BuildFailed) as caught:
        build(manifest)
    assert [d.message.startswith("there is no file") for d in caught.value.diagnostics] == [
        True, False
    ]  # fmt: skip
    (tmp_path / "a.s").unlink()
    with pytest.raises(BuildFailed) as caught:
        build(manifest)
    assert len(caught.value.diagnostics) == 2


def test_an_unknown_mbc(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gameboy, "assemble", None)  # it is told before anything is assembled
    with pytest.raises(BadMbc, match="MBC1"):
        build(_manifest(folder, header={"mbc": "MCB1"}))


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"link": {"tinny": True}}, "unknown key 'tinny' in 'link'; did you mean 'tiny'?"),
        ({"link": {"tiny": 1}}, "'tiny' in 'link' must be true or false"),
        ({"link": {"pad": 256}}, "'pad' in 'link' must be a number within 0..255"),
        ({"header": {"mbc": True}}, "'mbc' in 'header' must be a string or a number within 0..255"),
        ({"header": {"color": "no"}}, 'must be one of "compatible", "only"'),
        ({"header": "x"}, "'header' must be a table"),
        ({"cpu": "6502", "header": {}}, "the table 'header' is for cpu = \"sm83\" only"),
        (
            {"cpu": "z80"},
            "CPUs are 6502, 6502X, none, 65SC02, 65C02, 65816, R65C02, 2a03, sm83",
        ),
        ({"output": "x.sym"}, "'output' cannot end in '.sym'"),
    ],
)
def test_faulty_manifests(folder: Path, keys: dict[str, object], text: str) -> None:
    with pytest.raises(BadManifest) as caught:
        _manifest(folder, **keys)
    assert text in str(caught.value)

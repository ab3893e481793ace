"""Linker scripts. Places and lines of errors are those of rgblink 1.0.3."""

from __future__ import annotations

from pathlib import Path

import pytest
from rgblink_objects import HRAM, ROM0, ROMX, SRAM, WRAM0, Maker, Outcome, linking

from romproof.text.diagnostic import BuildFailed, Diagnostics, render
from romproof.text.span import Source
from romproof.toolchains.rgbds.link import LinkOptions, link


def game(script: str, **options: object) -> Outcome:
    maker = Maker()
    maker.section("start", ROM0, 0x10)
    maker.section("one", ROMX, 0x20)
    maker.section("two", ROMX, 0x30, align=(4, 2))
    maker.section("bank 2", ROMX, 1, bank=2)
    maker.section("vars", WRAM0, 8)
    maker.section('say "hi"\t', SRAM, 4)
    maker.section("high", HRAM, 1, address=0xFF90)
    return linking(maker, script=script, **options)


def test_sections_are_placed_one_after_the_other() -> None:
    outcome = game(
        """
        ; a comment
        rom0
          org $150
          "start"             ; here
        ROMX 3
          "one"
          Align 4, 2
          "two"
        WRAM0
          DS &20
          "vars"
        SRAM %10
          "say \\"hi\\"\\t" OPTIONAL
        HRAM
          ORG 0xFF90
          "high"
        ROMX 0o2
          "bank 2"
          "what there is not" optional
        """
    )
    assert outcome.placed() == {
        "start": (0, 0x150),
        "one": (3, 0x4000),
        "two": (3, 0x4022),
        "vars": (0, 0xC010),
        'say "hi"\t': (2, 0xA000),
        "high": (0, 0xFF90),
        "bank 2": (2, 0x4000),
    }


def test_the_current_address_of_a_bank_is_kept() -> None:
    outcome = game('ROMX 1\n"one"\nROMX 2\n"bank 2"\nROMX 1\nalign 4,2\n"two"\n')
    assert outcome.placed()["two"] == (1, 0x4022)


def test_floating_sections() -> None:
    outcome = game(
        'ROMX 5\nFLOATING\n"one"\nALIGN 8, 3\nDS 2\n"two"\nROMX FLOATING\n"bank 2"\nROM0\n"start"'
    )
    # floating takes away what the sections themselves demand
    placed = outcome.placed()
    assert placed["one"] == (5, 0x4035)
    assert placed["two"] == (5, 0x4005)
    assert placed["bank 2"] == (1, 0x4000)


def test_crlf_and_no_line_end_at_the_end() -> None:
    assert game('ROMX 4\r\n"one"').placed()["one"] == (4, 0x4000)


@pytest.mark.parametrize(
    ("script", "messages"),
    [
        ("ROMX", ["1: a bank number must be specified for ROMX"]),
        ("\nROMX 0", ["2: ROMX bank 0 does not exist (the minimum is 1)"]),
        ("ROM0 1", ["1: ROM0 bank 1 does not exist (the maximum is 0)"]),
        ("ORG 1", ["1: cannot set the current address: no memory region is active"]),
        ("ROMX FLOATING\nORG $4000", ["2: cannot set the current address: the bank is floating"]),
        (
            "ROM0\nORG 2\nORG 1",
            ["3: cannot decrease the current address (from $0002 to $0001)"],
        ),
        ("ROM0\nORG $4000", ["2: cannot set the current address to $4000: ROM0 ends at $3FFF"]),
        ("FLOATING", ["1: cannot make the current address floating: no memory region is active"]),
        ("ALIGN 1", ["1: cannot align: no memory region is active"]),
        ("ROM0\nALIGN 17", ["2: cannot align: the alignment (17) must be less than 16"]),
        (
            "ROM0\nALIGN 1, 2",
            ["2: cannot align: the alignment offset (2) must be less than the alignment size (2)"],
        ),
        (
            "ROM0\nORG 1\nALIGN 15",
            ["3: cannot align: the next suitable address after $0001 is $8000, past $4000"],
        ),
        ("DS 1", ["1: cannot increase the current address: no memory region is active"]),
        (
            "OAM\nDS $A1",
            ["2: cannot increase the current address by 161 bytes: only 160 bytes to $FEA0"],
        ),
        ('"one"', ['1: no memory region has been specified to place section "one" in']),
        ('ROM0\n"none"', ['2: undefined section "none"']),
        (
            'ROM0\n"vars"',
            ['2: "vars" is specified to be a ROM0 section, but it is already a WRAM0 section'],
        ),
        (
            'ROMX 3\n"bank 2"',
            [
                '2: the linker script places section "bank 2" in ROMX bank 3,'
                " but it was already defined in bank 2"
            ],
        ),
        (
            'HRAM\n"high"',
            [
                '2: the linker script assigns section "high" to address $FF80,'
                " but it was already at $FF90"
            ],
        ),
        (
            'ROMX 1\n"two"',
            [
                '2: the linker script assigns section "two" to address $4000, but that would be'
                " ALIGN[4, 0] instead of the requested ALIGN[4, 2]"
            ],
        ),
        (
            'WRAM0\nORG $CFFF\n"vars"',
            [
                '3: the linker script assigns section "vars" to address $CFFF,'
                " but then it would overflow WRAM0 by 7 bytes"
            ],
        ),
        ("nonsense\nROM0 ?", ["1: unknown keyword `nonsense`", "2: unexpected character '?'"]),
        ('ROM0\n"start', ["2: unterminated string"]),
        ('ROM0\n"\\start"', ["2: character 's' cannot be escaped"]),
        ("ROM0 $", ["1: invalid integer constant, no digits after '$'"]),
        ("ROM0 0_", ["1: invalid integer constant, trailing '_'"]),
        ("ROM0 0__0", ["1: invalid integer constant, '_' after another '_'"]),
        (
            'ROM0 "start"\nORG\nROM0 0 0\n, 1\n',
            [
                "1: syntax error, unexpected string, expecting end of line or FLOATING or number",
                "2: syntax error, unexpected end of line, expecting number",
                "3: syntax error, unexpected number, expecting end of line",
                "4: syntax error, unexpected ',', expecting end of line or a memory type or string",
            ],
        ),
    ],
)
def test_faults(script: str, messages: list[str]) -> None:
    outcome = game(script)
    assert outcome.messages == [f"game.link:{message}" for message in messages]


def test_a_number_that_is_too_large() -> None:
    outcome = game("ROM0\nORG $1_0000_0000\n")
    assert outcome.messages == ["game.link:2: integer constant is too large [-Wlarge-constant]"]
    assert outcome.linked is not None


def test_one_bank_needs_no_number() -> None:
    assert game('VRAM\nWRAMX\nWRAM0\n"vars"', dmg=True, flat_wram=True).messages == [
        "game.link:2: a bank number must be specified for WRAMX"
    ]


def scripted(tmp_path: Path, script: str, **files: str) -> list[str]:
    """What the linker says to a script that may include the other files."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    maker = Maker()
    maker.section("start", ROM0, 0x10)
    diagnostics = Diagnostics()
    source = Source("game.link", script)
    try:
        linked = link([maker.object()], LinkOptions(script=source), diagnostics)
    except BuildFailed as fault:
        return [render(diagnostic) for diagnostic in fault.diagnostics]
    return [f"{section.at:04X}" for section in linked.sections]


def test_scripts_include_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = 'INCLUDE "one"\n"start"\n'
    assert scripted(tmp_path, script, one='ROM0\nINCLUDE "two"', two="ORG $20") == ["0020"]


def test_faults_in_included_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert scripted(tmp_path, '\nINCLUDE "one"\n', one="\n\n\nORG 0") == [
        "one:4:1: error: cannot set the current address: no memory region is active\n"
        "    4 | ORG 0\n"
        "      | ^^^\n"
        "  included at game.link:2:9"
    ]
    assert scripted(tmp_path, 'INCLUDE "none"')[0].startswith(
        "game.link:1:9: error: included linker script 'none': No such file or directory"
    )


def test_a_script_that_includes_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = scripted(tmp_path, 'INCLUDE "loop"', loop='INCLUDE "loop"')
    assert len(found) == 1
    assert "64 scripts include one another" in found[0]


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    with pytest.raises(BuildFailed, match=r"linker script '.*none': No such file"):
        link([Maker().object()], LinkOptions(script=tmp_path / "none"), diagnostics)

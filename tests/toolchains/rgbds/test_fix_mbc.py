"""Names of cartridge types. What they mean is what rgbfix 1.0.3 takes them for."""

from __future__ import annotations

import pytest

from romproof.toolchains.rgbds.fix import BadMbc, list_of_mbcs, parse_mbc
from romproof.toolchains.rgbds.fix.header_fields import CARTRIDGE_TYPES


@pytest.mark.parametrize(("code", "name"), CARTRIDGE_TYPES.items())
def test_all_names(code: int, name: str) -> None:
    for form in (name, name.lower(), name.replace(" ", "_"), name.replace("+", " + ")):
        assert parse_mbc(form).code == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("rom_only", 0x00),
        ("TAMA5", 0xFD),
        ("MBC5+BATTERY+RAM+RUMBLE", 0x1E),
        ("MBC3+TIMER", 0x0F),
        ("MBC3+RAM+TIMER", 0x10),
        (" MBC1 +\tRAM ", 0x02),
    ],
)
def test_other_names(name: str, code: int) -> None:
    assert parse_mbc(name).code == code


def test_tpp1() -> None:
    assert parse_mbc("tpp1_1.34+timer+rumble").revision == (1, 34)
    assert parse_mbc("TPP1 1.0+TIMER+RUMBLE").features == 0b0101
    assert parse_mbc("TPP1_1.0+MULTIRUMBLE+BATTERY").features == 0b1011


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MBC9", "unknown MBC 'MBC9'; did you mean"),
        ("", "unknown MBC ''; there is BANDAI_TAMA5, HUC1"),
        ("MBC1+RMA", "'MBC1\\+RMA': there is no 'RMA'; did you mean 'RAM'"),
        ("MBC2+TIMER", "'MBC2\\+TIMER' does not exist; there is MBC2, MBC2\\+BATTERY"),
        ("HUC1", "'HUC1' does not exist; there is HUC1\\+RAM\\+BATTERY"),
        ("MBC5+RUMBLE+BATTERY", "does not exist"),
        ("MBC3+TIMER+RUMBLE", "does not exist"),
        ("TPP1", "TPP1 needs a revision such as TPP1_1.0"),
        ("TPP1_2.0", "only revisions 1.x of TPP1 are known"),
        ("TPP1_1.256", "must be within 0..255"),
        ("TPP1_1.0+SENSOR", "TPP1 has no SENSOR"),
    ],
)
def test_what_there_is_not(name: str, message: str) -> None:
    with pytest.raises(BadMbc, match=message):
        parse_mbc(name)


def test_every_name_that_is_listed_exists() -> None:
    lines = list_of_mbcs().splitlines()
    assert lines[0] == "Accepted MBC names:"
    names = [
        entry.strip().partition(" ")[0]
        for line in lines[1:]
        for entry in line.split(",")
        if entry.strip()
    ]
    assert len(names) == len(CARTRIDGE_TYPES) + 12
    for name in names:
        assert parse_mbc(name).warnings == ()

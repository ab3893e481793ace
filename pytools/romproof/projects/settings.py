"""The tables [rom.link] and [rom.header] of a Game Boy program's manifest.

[rom.link]
tiny = true             # 32 KiB without banks
[rom.header]
title = "DECK"          # with this table, logo and checksums are put in, and the ROM is padded
mbc = "MBC1+RAM"
ram_size = 2
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from romproof.formats.layout import GAME_BOY, GameBoyModel
from romproof.text.diagnostic import suggest

MODELS = tuple(model.value for model in GameBoyModel)
"""What the key ``model`` may be."""
SettingValue = tuple[str, str | int | bool | Path]
"""A key and its value."""


@dataclass(frozen=True, slots=True)
class SettingKey:
    """What a key may be: one of ``types``; a number at most ``highest``; one of ``words``."""

    types: tuple[type, ...]
    highest: int = 0xFF
    words: tuple[str, ...] = ()
    is_path: bool = False

    @property
    def requirement(self) -> str:
        """What a value has to be, for people."""
        names = {
            str: "one of " + ", ".join(f'"{w}"' for w in self.words) if self.words else "a string",
            int: f"a number within 0..{self.highest}",
            bool: "true or false",
        }
        return " or ".join(names[kind] for kind in self.types)

    def takes(self, value: object) -> bool:
        """Whether a value is one of those."""
        if type(value) not in self.types:
            return False
        if isinstance(value, int):
            return 0 <= value <= self.highest
        return not self.words or value in self.words


_TEXT, _BYTE, _YES = SettingKey((str,)), SettingKey((int,)), SettingKey((bool,))

LINK_KEYS: Mapping[str, SettingKey] = {
    "tiny": _YES,
    "dmg": _YES,
    "flat_wram": _YES,
    "no_pad": _YES,
    "pad": _BYTE,
}
"""By the names of romproof.toolchains.rgbds.link's options."""

HEADER_KEYS: Mapping[str, SettingKey] = {
    "title": _TEXT,
    "game_id": _TEXT,
    "new_licensee": _TEXT,
    "old_licensee": _BYTE,
    "mbc": SettingKey((str, int)),
    "ram_size": _BYTE,
    "rom_version": _BYTE,
    "color": SettingKey((str,), words=("compatible", "only")),
    "sgb": _YES,
    "non_japanese": _YES,
    "logo": SettingKey((str,), is_path=True),
    "pad": _BYTE,
}
"""What rgbfix can be told; see romproof.projects.gameboy."""


def faults_of(table: Mapping[str, Any], name: str, keys: Mapping[str, SettingKey]) -> list[str]:
    """What is wrong with a table, a sentence each."""
    faults: list[str] = []
    for key, value in table.items():
        known = keys.get(key)
        if known is None:
            hint = suggest(key, keys) or "the keys are " + ", ".join(keys)
            faults.append(f"unknown key '{key}' in '{name}'; {hint}")
        elif not known.takes(value):
            faults.append(f"'{key}' in '{name}' must be {known.requirement}")
    return faults


def settings_of(
    table: Mapping[str, Any], keys: Mapping[str, SettingKey], folder: Path
) -> tuple[SettingValue, ...]:
    """A table without faults; its paths start at ``folder``."""
    return tuple(
        (key, from_here(folder / value) if keys[key].is_path else value)
        for key, value in table.items()
    )


def from_here(path: Path) -> Path:
    """The path without detours, relative when it is below the current folder."""
    full = Path(os.path.normpath(Path.cwd() / path))
    return full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full


def model_faults(model: object, is_game_boy: bool) -> list[str]:
    """What is wrong with the key ``model``, None where there is none: the Game Boy that a program
    runs on, which is for programs on the machine "gameboy"."""
    if not isinstance(model, str):
        return []  # what is no string is told with the other keys
    if not is_game_boy:
        return [f"the key 'model' is for machine = \"{GAME_BOY}\" only"]
    if model in MODELS:
        return []
    hint = suggest(model, MODELS) or f"the models are {', '.join(MODELS)}"
    return [f"no model '{model}'; {hint}"]

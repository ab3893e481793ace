"""The key ``model``: the Game Boy that a program runs on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from foreign_projects import gameboy_project

from romproof.formats.layout import GameBoyModel
from romproof.harness.built import rom_of
from romproof.projects import BadManifest, build
from romproof.projects.manifest import Manifest, manifest_from

BOOTED = {None: 0x01, "dmg": 0x01, "cgb": 0x11, "cgb-e": 0x11}
"""What A is after the boot ROM; the header of the program asks for no colours."""


def manifest(folder: Path = Path(), **table: Any) -> Manifest:
    return manifest_from(table, folder, "game", "there")


@every_case("model", list(BOOTED))
def test_a_program_runs_on_its_model(model: str | None, tmp_path: Path) -> None:
    gameboy_project(tmp_path)
    image = next(tmp_path.rglob("*.gb")).relative_to(tmp_path)
    keys = {} if model is None else {"model": model}
    rom = rom_of(build(manifest(tmp_path, image=str(image), **keys)), "plain")
    assert rom.machine_name == "gameboy"
    assert rom.machine().registers.a == BOOTED[model]


def test_of_sources() -> None:
    made = manifest(sources=["a.asm"], cpu="sm83", machine="gameboy", model="cgb")
    assert made.model == "cgb"
    assert {model.value for model in GameBoyModel} == BOOTED.keys() - {None}


@every_case(
    "table, words",
    [
        ({"image": "a.gb", "model": "cbg"}, "no model 'cbg'; did you mean 'cgb'"),
        ({"image": "a.gb", "model": "pocket"}, "the models are dmg, cgb, cgb-e"),
        ({"image": "a.gb", "model": 1}, "'model' must be a string"),
        ({"image": "a.nes", "model": "cgb"}, 'is for machine = "gameboy" only'),
        ({"sources": ["a.s"], "cpu": "sm83", "model": "dmg"}, 'is for machine = "gameboy" only'),
        (
            {"sources": ["a.s"], "cpu": "sm83", "machine": "gameboy", "model": "mgb"},
            "no model 'mgb'",
        ),
        ({"sources": ["a.s"], "cpu": "2a03", "machine": "nes", "model": "dmg"}, "only"),
    ],
)
def test_what_is_no_model(table: dict[str, Any], words: str) -> None:
    with pytest.raises(BadManifest, match=words):
        manifest(**table)

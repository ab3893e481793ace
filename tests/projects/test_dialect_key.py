"""The key ``dialect`` of a project, and what happens without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.projects.builder import build
from romproof.projects.manifest import BadManifest, Manifest, manifest_from
from romproof.text.diagnostic import BuildFailed


def _manifest(folder: Path, **keys: object) -> Manifest:
    return manifest_from({"sources": ["main.s"], **keys}, folder, "game", "here")


def test_sources_are_in_the_dialect(tmp_path: Path) -> None:
    (tmp_path / "main.s").write_text("@: lda #1\n bne @-\n ldz #2\n")
    built = build(_manifest(tmp_path, cpu="65CE02", dialect="2.19-git"))
    assert bytes(built.image.blocks[0].data) == bytes.fromhex("a901 d0fc a302")
    assert built.image.cpu == "csg65ce02"


def test_the_default_names_the_dialect(tmp_path: Path) -> None:
    (tmp_path / "main.s").write_text("foo = 1\n.refto foo\n")
    with pytest.raises(BuildFailed) as failure:
        build(_manifest(tmp_path))
    assert failure.value.diagnostics[0].help is not None
    assert "--dialect 2.19-git" in failure.value.diagnostics[0].help


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"dialect": "2.20"}, "no dialect '2.20'"),
        ({"dialect": 2}, "'dialect' must be a string"),
        ({"cpu": "4510"}, 'is not of the dialect 2.19; set dialect = "2.19-git"'),
        ({"cpu": "sm83", "dialect": "2.19"}, "the key 'dialect' is of programs for ca65"),
        ({"cpu": "z80", "dialect": "2.19-git"}, "the CPUs are 6502, 6502X, none"),
    ],
)
def test_faults_of_the_key(tmp_path: Path, keys: dict[str, object], told: str) -> None:
    with pytest.raises(BadManifest) as caught:
        _manifest(tmp_path, **keys)
    assert told in str(caught.value)

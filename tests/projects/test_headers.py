"""Programs for a machine that takes an image with a header: one without is no program for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.formats.errors import BadImage
from romproof.projects import build
from romproof.projects.manifest import manifest_from

CODE = ".code\n.export it\n.proc it\n rts\n.endproc\n"


def test_a_program_of_the_nes_has_a_header_whatever_is_done_with_it(tmp_path: Path) -> None:
    (tmp_path / "it.s").write_text(CODE, "utf-8")
    table = {"name": "it", "sources": ["it.s"]}
    machine = manifest_from({**table, "machine": "nes"}, tmp_path, "it", "test")
    with pytest.raises(BadImage, match="'it' is not an image for the machine 'nes'"):
        build(machine)
    with pytest.raises(BadImage, match="begin with a header"):
        build(machine, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    advised = {**table, "cpu": "2a03", "clock": "nes-ntsc"}
    assert build(manifest_from(advised, tmp_path, "it", "test")).image.cpu == "2a03"

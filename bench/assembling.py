"""Source to image by both tool chains, as commands; the images have to be equal."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from large_source import LINES, large_source
from rows import Row, best, command, missing

from fairdeck.data import rom_folder
from romproof.projects import load_manifest

_LAYOUT = """\
MEMORY { MAIN: start = $0, size = $100000, file = %O; }
SEGMENTS { CODE: load = MAIN, type = rw; }
"""


def tarot() -> list[Row]:
    """The project's own program: a few small files."""
    manifest = load_manifest(rom_folder() / "tarot" / "manifest.toml")
    assert manifest.config is not None
    return [_assemble("assemble tarot", manifest.sources, manifest.config, manifest.include)]


def large() -> list[Row]:
    """One large source of the usual mixture."""
    with tempfile.TemporaryDirectory() as folder:
        source, layout = Path(folder, "large.s"), Path(folder, "large.cfg")
        source.write_text(large_source(), "utf-8")
        layout.write_text(_LAYOUT, "utf-8")
        return [_assemble(f"assemble {LINES:,} lines", [source], layout, [])]


def _assemble(name: str, sources: Sequence[Path], layout: Path, include: Sequence[Path]) -> Row:
    includes = [word for path in include for word in ("-I", path)]
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "ours.bin"), Path(folder, "theirs.bin")
        main = (sys.executable, "-c", "from romproof.cli import main; main()")
        work = command(*main, "asm", *sources, "-o", ours, "-C", layout, *includes)
        absent = missing("ca65", "ld65")
        if absent is not None:
            return Row(name, "romproof asm", absent, best(work)[0])
        objects = [Path(folder, f"{number}.o") for number in range(len(sources))]
        steps = [
            command("ca65", source, "-o", made, *includes)
            for source, made in zip(sources, objects, strict=True)
        ]
        steps.append(command("ld65", "-C", layout, "-o", theirs, *objects))
        seconds = best(work, lambda: [step() for step in steps])
        assert ours.read_bytes() == theirs.read_bytes()
    return Row(name, "romproof asm", "ca65, ld65", *seconds)

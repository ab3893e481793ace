"""The debug file beside that of ld65 for the same sources: what a debugger reads of both."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from foreign_projects import BANKED, BANKED_GAME, GAME, NROM, make

from romproof.formats.dbg import DebugInfo, read_debug_info
from romproof.support.reading import read_text
from romproof.text.span import Source

pytestmark = pytest.mark.skipif(
    not (shutil.which("ca65") and shutil.which("ld65")), reason="ca65 and ld65 are not installed"
)

Bytes = tuple[str, int, int]
"""A segment's name, an offset in it, a size in bytes."""


@pytest.fixture(
    params=[("game", GAME, NROM), ("banked", BANKED_GAME, BANKED)], ids=["nrom", "mmc1"]
)
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[DebugInfo, DebugInfo]:
    """The debug information of romproof, and that of ld65."""
    name, source, config = request.param
    project = make(
        tmp_path,
        name,
        {f"{name}.s": source, "x.cfg": config},
        sources=[f"{name}.s"],
        config="x.cfg",
        output=f"{name}.nes",
    )
    subprocess.run(["ca65", "-g", f"{name}.s"], cwd=tmp_path, check=True)
    subprocess.run(
        ["ld65", "-C", "x.cfg", "-o", f"{name}.nes", "--dbgfile", "x.dbg", f"{name}.o"],
        cwd=tmp_path,
        check=True,
    )
    files = (project.symbols["dbg"], tmp_path / "x.dbg")
    own, other = (read_debug_info(Source(str(f), read_text(f))) for f in files)
    return own, other


def span(info: DebugInfo, number: int) -> Bytes:
    there = info.spans[number]
    return info.segments[there.segment].name, there.start, there.size


def test_segments(both: tuple[DebugInfo, DebugInfo]) -> None:
    own, other = both

    def described(info: DebugInfo) -> dict[str, tuple[object, ...]]:
        return {
            s.name: (s.start, s.size, s.is_zeropage, s.is_read_only, s.output is None, s.offset)
            for s in info.segments.values()
            if s.size
        }

    assert described(own) == described(other)


def test_files(both: tuple[DebugInfo, DebugInfo]) -> None:
    own, other = ({(Path(f.name).name, f.size) for f in info.files.values()} for info in both)
    assert own == other


def test_symbols(both: tuple[DebugInfo, DebugInfo]) -> None:
    own, other = both

    def described(info: DebugInfo) -> dict[str, tuple[object, ...]]:
        return {
            s.qualified: (
                s.value,
                s.is_label,
                s.is_zeropage,
                s.size,
                info.segments[s.segment].name if s.segment is not None else None,
                info.lines[s.definition].line if s.definition is not None else None,
            )
            for s in info.symbols.values()
        }

    assert described(own) == described(other)


def test_procedures(both: tuple[DebugInfo, DebugInfo]) -> None:
    own, other = both

    def described(info: DebugInfo) -> dict[str, tuple[str, list[Bytes]]]:
        return {
            scope.name: (info.symbols[scope.symbol].qualified, [span(info, n) for n in scope.spans])
            for scope in info.scopes.values()
            if scope.symbol is not None
        }

    assert described(own) == described(other)
    assert described(own)


def test_lines_and_what_they_made(both: tuple[DebugInfo, DebugInfo]) -> None:
    own, other = both

    def described(info: DebugInfo) -> dict[tuple[int, int, int], set[tuple[Bytes, bool]]]:
        return {
            (line.line, line.type, line.depth): {
                (span(info, n), info.spans[n].is_data) for n in line.spans
            }
            for line in info.lines.values()
            if line.spans
        }

    assert described(own) == described(other)

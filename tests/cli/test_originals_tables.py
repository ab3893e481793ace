"""The tables of options: each row is read by some command line, and changes settings there are."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from romproof.cli import output
from romproof.cli.originals import TOOLS
from romproof.cli.originals.options import (
    FILE,
    BadCommandLine,
    HelpWanted,
    Option,
    ReadingEnds,
    operand,
    read,
)
from romproof.cli.originals.rgbds_arguments import parse
from romproof.cli.originals.rgbds_options import RgbdsSettings
from romproof.cli.originals.setters import append, ignore, put, switch

TABLES = ("OPTIONS", "_OLD_OPTIONS")
ARGUMENTS = ("1", "c64", "6502", "near", "c_comments", "A=1", "equ:x", "01", "0123", "auto", "all",
             "MBC5", "lhg", "sram=2", "#fff", "0,0:1,1", "0.5", "2.19")  # fmt: skip
"""For each option that takes an argument, one of these is right."""
ROWS = [
    pytest.param(name, option, id=f"{name} {table} {option.display_name}")
    for name in sorted(set(TOOLS) - {"ar65"})
    for table in TABLES
    for option in getattr(import_module(f"romproof.cli.originals.{name}"), table, ())
    if option.key != FILE
]


@pytest.fixture(autouse=True)
def colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """What --color says is forgotten afterwards."""
    monkeypatch.setattr(output, "colour", None)


@pytest.mark.parametrize(("name", "option"), ROWS)
def test_a_row_changes_settings_that_there_are(name: str, option: Option) -> None:
    settings = import_module(f"romproof.cli.originals.{name}")._Settings()
    accepted = 0
    for argument in ARGUMENTS if option.argument else ("",):
        try:
            assert isinstance(
                option.setter(settings, option.display_name, argument), type(settings)
            )
        except BadCommandLine:
            continue
        except HelpWanted:
            assert option.long == "help"
        except ReadingEnds:
            assert option.long == "version"
        accepted += 1
    assert accepted


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_a_name_stands_in_one_row(name: str) -> None:
    for table in TABLES:
        options = getattr(import_module(f"romproof.cli.originals.{name}"), table, ())
        for names in ([o.short for o in options], [o.long for o in options]):
            given = [name for name in names if name]
            assert len(given) == len(set(given))


@dataclass(frozen=True)
class _Settings(RgbdsSettings):
    files: tuple[str, ...] = ()


def test_the_reader_applies_rows_in_order() -> None:
    def stop(settings: Any, *_: str) -> Any:
        raise ReadingEnds(settings)

    options = (
        operand(append("files")),
        Option("-r --release NAME", put("release", lambda name, text: f"{name}:{text}")),
        Option("-v", switch("verbose")),
        Option("-q", switch("verbose", "version", to=False)),
        Option("-n", ignore),
        Option("-e", stop),
    )
    words = ("a", "-vn", "--release=1", "-r2", "b", "-e", "--unknown")
    wanted = _Settings(files=("a", "b"), release="-r:2", verbose=True)
    assert read(words, options, _Settings(), parse) == wanted
    assert not read(("-vqe",), options, _Settings(), parse).verbose


def test_a_repeated_output_is_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from romproof.cli.originals.rgbasm import run

    source = tmp_path / "a.asm"
    source.write_text('SECTION "a", ROM0\n db 1\n')
    first, second = str(tmp_path / "1.o"), str(tmp_path / "2.o")
    assert run(["-o", first, f"-o{second}", str(source)]) == 0
    assert f"'-o {second}' is used instead of '-o {first}'" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.glob("*.o")) == ["2.o"]

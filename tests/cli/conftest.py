from __future__ import annotations

from pathlib import Path

import pytest
from cli_programs import DEMO, Done, Run, write_rom

from romproof.cli import run


@pytest.fixture
def romproof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """``romproof(*args)`` in an empty folder (``tmp_path``), in this process."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*args: str, env: dict[str, str] | None = None) -> Done:
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        code = run(args)
        shown = capsys.readouterr()
        assert "internal fault" not in shown.err
        return Done(args, code, shown.out, shown.err)

    return call


@pytest.fixture(autouse=True)
def _proved_anew(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests of ``prove`` prove: nothing of an earlier run stands for it."""
    if "prove" in request.path.name:
        monkeypatch.setattr("romproof.prover.routines.survey.recall", lambda *given: None)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the ROM ``demo`` in ``tmp_path``."""
    write_rom(tmp_path, "demo", DEMO, ['entry = "main"', 'clock = "c64-pal"'])
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nfolders = ["rom"]\n')
    return tmp_path

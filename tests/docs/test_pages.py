"""Every command and every block of code in README and docs is executed: ``make docs-test``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from page_blocks import NOT_EXECUTED, Block, Shown, blocks_of, console, matches

ROOT = Path(__file__).parents[2]
GENERATED = {
    "docs/proofs.md",
    "docs/proofs-long.md",
    *(f"docs/isa-{cpu}.md" for cpu in ("6502", "65c02", "sm83")),
}
PAGES = sorted(
    page
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/**/*.md")]
    if "decisions" not in page.parts and page.relative_to(ROOT).as_posix() not in GENERATED
)
MAX_SECONDS = 600
"""Ends what hangs; no block takes a tenth of it."""


def execute(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command in a page's folder, as in a terminal of 80 columns without colours.

    What is kept between runs begins empty with each page: nothing of another page or of another
    run of the tests, as what is printed says whether a proof was kept.
    """
    # a page knows nothing of the test run or the make that it is executed by, nor of the server
    # that runs both: pytest, rich and our own reports print other lines where one of these is set
    ours = ("PYTEST_", "COV_", "MAKE", "MFLAGS", "GITHUB_", "BUILD_NUMBER")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(ours) and k != "CI"}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env={
            **kept,
            "PATH": path,
            "COLUMNS": "80",
            "NO_COLOR": "1",
            "REPOSITORY": str(ROOT),
            "ROMPROOF_CACHE": str(folder.parent / "kept"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        timeout=MAX_SECONDS,
    )


def carry_out(block: Block, folder: Path) -> str | None:
    """What is wrong with a block, None when nothing is."""
    if block.title is not None:
        path = folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        return None
    if block.shown_only or block.language in NOT_EXECUTED:
        return None
    if block.language == "sh":
        done = execute(["bash", "-euo", "pipefail", "-c", block.text], folder)
        return None if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}"
    if block.language == "python":
        done = execute([sys.executable, "-c", block.text], folder)
        return None if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}"
    if block.language == "console":
        for shown in console(block.text):
            done = execute(["bash", "-uo", "pipefail", "-c", shown.command], folder)
            if not _as_shown(shown, done):
                return f"$ {shown.command}\nexit code {done.returncode}\n{done.stdout}"
        return None
    return f"a block of '{block.language}' has neither a title nor a reason to be shown only"


def _as_shown(shown: Shown, done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == shown.code and matches(shown.output, done.stdout)


@pytest.mark.docs
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    for block in blocks_of(page):
        folder = tmp_path / str(block.folder)
        folder.mkdir(exist_ok=True)
        wrong = carry_out(block, folder)
        assert wrong is None, f"{page.relative_to(ROOT)}:{block.line}: {wrong}"

"""The package as others get it: sdist, then wheel from it, in an environment without the sources.

Nothing is downloaded: the dependencies are those of the environment the tests run in.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_COPIED = {".git", ".venv", "build", "dist", "shared"}
JUNK = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*_cache", ".hypothesis")
SHUFFLE = ("tarot", "shuffle", "--seed", "12345678", "--on", "6502", "--json")


def run(*command: str | Path, cwd: Path) -> str:
    """The standard output of a command that has to succeed, with no tree of ours on its path."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(folder: Path) -> dict[str, bytes]:
    """The files below ``folder`` by their path in it, caches and hidden files left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith((".", "__pycache__")) for part in inside.parts)
        if path.is_file() and not hidden and not any(".egg-info" in p for p in inside.parts):
            found[inside.as_posix()] = path.read_bytes()
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist, built from a copy of the tree."""
    tree = tmp_path_factory.mktemp("packaging") / "tree"
    left_out = {ROOT / name for name in NOT_COPIED}
    shutil.copytree(
        ROOT,
        tree,
        ignore=lambda folder, names: {
            *JUNK(folder, names),
            *(name for name in names if Path(folder, name) in left_out),
        },
    )
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tree / "dist", cwd=tree)
    (made,) = (tree / "dist").glob("*.whl")
    assert list((tree / "dist").glob("*.tar.gz"))
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts' folder of a new environment with the wheel and its dependencies."""
    place = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", "environment", cwd=place)
    scripts = place / "environment" / "bin"
    python = scripts / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-compile", "--no-deps", "--no-index", wheel, cwd=place)
    where = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place
    ).strip()
    # a folder named in a .pth file comes last on the path, and its own .pth files are not read:
    # dependencies are found there, an editable romproof is not
    Path(where, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return scripts


def test_the_wheel_holds_every_file(wheel: Path) -> None:
    expected = files(ROOT / "pytools")
    for name in ("asm", "rom"):
        expected |= {f"fairdeck/{name}/{path}": data for path, data in files(ROOT / name).items()}
    assert any(name.endswith(".mac") for name in expected)
    assert any(name.endswith("manifest.toml") for name in expected)
    with zipfile.ZipFile(wheel) as archive:
        packed = {
            name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name
        }
    assert sorted(packed) == sorted(expected)
    assert packed == expected


def test_the_commands_work_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    origin = run(
        installed / "python", "-c", "import fairdeck; print(fairdeck.__file__)", cwd=tmp_path
    )
    assert Path(origin.strip()).is_relative_to(installed.parent)

    alone = subprocess.run(
        [installed / "romproof", "build"], cwd=tmp_path, capture_output=True, text=True
    )
    assert alone.returncode != 0
    assert alone.stderr.startswith("error: no project is here or above: write a pyproject.toml")
    assert not list(tmp_path.iterdir())

    elsewhere = json.loads(run(installed / "fairdeck", *SHUFFLE, cwd=tmp_path))
    path = f"import sys; sys.path.insert(0, {str(ROOT / 'pytools')!r}); "
    tree = run(
        sys.executable, "-c", path + "from fairdeck.cli import main; main()", *SHUFFLE, cwd=ROOT
    )
    assert elsewhere == json.loads(tree)
    assert sorted(elsewhere["deck"]) == list(range(78))


def test_the_example_of_the_readme_works(installed: Path, tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    blocks: dict[str, str] = {}  # of each language the first one
    for language, code in re.findall(r"```(asm|toml|python)[^\n]*\n(.*?)```", text, re.S):
        blocks.setdefault(language, code)
    (tmp_path / "tests").mkdir()
    (tmp_path / "prng.s").write_text(blocks["asm"], "utf-8")
    (tmp_path / "pyproject.toml").write_text(blocks["toml"], "utf-8")
    test = tmp_path / "tests" / "test_prng.py"
    test.write_text(blocks["python"], "utf-8")
    pytest_command = (installed / "python", "-m", "pytest", "-p", "no:cacheprovider")
    assert "1 passed" in run(*pytest_command, cwd=tmp_path)

    (tmp_path / "prng.s").write_text(blocks["asm"].replace("213..221", "213..220"), "utf-8")
    with pytest.raises(AssertionError, match=r"took 221 cycles; the claim is 213\.\.220"):
        run(*pytest_command, cwd=tmp_path)

    (tmp_path / "prng.s").write_text(blocks["asm"], "utf-8")
    for arguments in (
        ("build",),
        ("run", "prng", "--call", "next_byte", "--mem", "lfsr=12345678", "--read", "lfsr"),
        ("report", "prng", "--call", "next_byte", "--mem", "lfsr=12345678", "--repeat", "100"),
    ):
        run(installed / "romproof", *arguments, cwd=tmp_path)

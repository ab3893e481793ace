"""The two distributions as others get them, in environments without the sources.

Each sdist and wheel is built from a copy of what it is made of, the wheel also from the sdist.
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
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECTS = {"romproof": Path("."), "fairdeck": Path("pytools", "fairdeck")}
TREE = (
    "pyproject.toml",
    "hatch_build.py",
    "hatch_compile.py",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "pytools",
    "asm",
    "rom",
)
NOT_IN_FAIRDECK = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
WHEEL = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
"""What `build` has another process do, without the four that it starts around it."""
JUNK = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*_cache", ".hypothesis", "dist")
SHUFFLE = ("tarot", "shuffle", "--seed", "12345678", "--on", "6502", "--json")


def run(*command: str | Path, cwd: Path) -> str:
    """The standard output of a command that has to succeed, with no tree of ours on its path."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    environment["ROMPROOF_COMPILE"] = "0"  # it takes a minute; test_compiled_wheel.py
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


@dataclass(frozen=True)
class Built:
    """A distribution: the sdist, the wheel made from it, and the wheel made from the tree."""

    sdist: Path
    wheel: Path
    from_tree: Path


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the distributions are made of, and of nothing else."""
    copy = tmp_path_factory.mktemp("packaging") / "tree"
    copy.mkdir()
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=JUNK)
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def built(tree: Path) -> dict[str, Built]:
    """Both distributions."""
    found = {}
    for name, folder in PROJECTS.items():
        build = (sys.executable, "-m", "build", "--no-isolation", tree / folder, "--outdir")
        out = tree.parent / name
        run(*build, out / "both", cwd=tree.parent)
        (out / "tree").mkdir()
        run(sys.executable, "-c", WHEEL, out / "tree", cwd=tree / folder)
        (sdist,) = (out / "both").glob("*.tar.gz")
        (wheel,) = (out / "both").glob("*.whl")
        (from_tree,) = (out / "tree").iterdir()
        found[name] = Built(sdist, wheel, from_tree)
    return found


def environment(place: Path, *wanted: str | Path) -> Path:
    """The scripts' folder of a new environment with ``wanted``, and with what both depend on."""
    run(sys.executable, "-m", "venv", "--without-pip", "environment", cwd=place)
    scripts = place / "environment" / "bin"
    python = scripts / "python"
    where = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place
    ).strip()
    # a folder named in a .pth file comes last on the path, and its own .pth files are not read:
    # dependencies are found there, an editable romproof is not
    Path(where, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed")
    run(*pip, "install", *options, *wanted, cwd=place)
    return scripts


@pytest.fixture(scope="module")
def installed(built: dict[str, Built], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts' folder of a new environment with both wheels."""
    wheels = [each.wheel for each in built.values()]
    return environment(tmp_path_factory.mktemp("installed"), *wheels)


def packed(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel by name, without its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        return {name: archive.read(name) for name in names}


@pytest.mark.slow
def test_there_are_no_links(built: dict[str, Built]) -> None:
    links = [path for name in TREE for path in (ROOT / name).rglob("*") if path.is_symlink()]
    assert not links
    for each in built.values():
        with tarfile.open(each.sdist) as archive:
            assert all(member.isfile() for member in archive.getmembers())


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_is_the_same_from_the_tree_and_from_the_sdist(
    name: str, built: dict[str, Built]
) -> None:
    assert built[name].wheel.read_bytes() == built[name].from_tree.read_bytes()


@pytest.mark.slow
def test_the_wheel_of_romproof_holds_romproof_alone(built: dict[str, Built]) -> None:
    expected = files(ROOT / "pytools" / "romproof")
    expected = {f"romproof/{path}": data for path, data in expected.items()}
    assert any(name.endswith(".mac") for name in expected)
    expected["romproof/compiled.txt"] = b"not compiled: ROMPROOF_COMPILE is 0\n"
    found = packed(built["romproof"].wheel)
    assert sorted(found) == sorted(expected)
    assert found == expected
    games = re.compile(r"fairdeck|tarot|mahjong|riichi|tenhou|mjarcade|(^|/)(asm|rom)/.*\.(s|asm)$")
    assert not [name for name in found if games.search(name)]
    with tarfile.open(built["romproof"].sdist) as archive:
        assert not [name for name in archive.getnames() if games.search(name)]


@pytest.mark.slow
def test_the_wheel_of_fairdeck_holds_models_and_assembly(built: dict[str, Built]) -> None:
    expected = files(ROOT / "pytools" / "fairdeck")
    for name in NOT_IN_FAIRDECK:
        del expected[name]
    for name in ("asm", "rom"):
        expected |= {f"{name}/{path}": data for path, data in files(ROOT / name).items()}
    expected = {f"fairdeck/{path}": data for path, data in expected.items()}
    assert any(name.endswith("manifest.toml") for name in expected)
    found = packed(built["fairdeck"].wheel)
    assert sorted(found) == sorted(expected)
    assert found == expected


def test_both_have_one_version_and_one_licence() -> None:
    tables = {
        name: tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
        for name, folder in PROJECTS.items()
    }
    version = tables["romproof"]["version"]
    assert tables["fairdeck"]["version"] == version
    assert f"romproof=={version}" in tables["fairdeck"]["dependencies"]
    licences = {(ROOT / folder / "LICENSE").read_bytes() for folder in PROJECTS.values()}
    assert len(licences) == 1


@pytest.mark.slow
def test_an_editable_install_finds_the_assembly_of_the_tree(
    tree: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    wanted = [("-e", tree / folder) for folder in PROJECTS.values()]
    place = tmp_path_factory.mktemp("editable")
    scripts = environment(place, *(word for pair in wanted for word in pair))
    code = "import fairdeck.data, romproof; print(fairdeck.data.rom_folder(), romproof.__file__)"
    assert run(scripts / "python", "-c", code, cwd=tmp_path).split() == [
        str(tree / "rom"),
        str(tree / "pytools" / "romproof" / "__init__.py"),
    ]
    deck = json.loads(run(scripts / "fairdeck", *SHUFFLE, cwd=tmp_path))["deck"]
    assert sorted(deck) == list(range(78))
    assert not list(place.rglob("*.s"))  # nothing is copied


@pytest.mark.slow
def test_the_commands_work_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    origin = run(
        installed / "python", "-c", "import fairdeck; print(fairdeck.__file__)", cwd=tmp_path
    )
    assert Path(origin.strip()).is_relative_to(installed.parent)

    alone = subprocess.run(
        [installed / "romproof", "build"], cwd=tmp_path, capture_output=True, text=True
    )
    assert alone.returncode != 0
    assert alone.stderr.startswith(
        "error: no project in this folder or above: write a pyproject.toml"
    )
    assert not list(tmp_path.iterdir())

    elsewhere = json.loads(run(installed / "fairdeck", *SHUFFLE, cwd=tmp_path))
    path = f"import sys; sys.path.insert(0, {str(ROOT / 'pytools')!r}); "
    tree = run(
        sys.executable, "-c", path + "from fairdeck.cli import main; main()", *SHUFFLE, cwd=ROOT
    )
    assert elsewhere == json.loads(tree)
    assert sorted(elsewhere["deck"]) == list(range(78))


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", sorted(path.parent.name for path in (ROOT / "examples").glob("*/pyproject.toml"))
)
def test_the_examples_pass(example: str, installed: Path, tmp_path: Path) -> None:
    place = tmp_path / example
    shutil.copytree(ROOT / "examples" / example, place, ignore=JUNK)
    assert " passed" in run(
        installed / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=place
    )

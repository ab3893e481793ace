"""The project's own ROMs: every byte as the original tools make it."""

from __future__ import annotations

import hashlib
import itertools
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from romproof.cli import project
from romproof.contract.reading.parse import parse_contracts
from romproof.program.image import Image
from romproof.projects import Manifest, build, load_manifest
from romproof.projects.program_cache import build_cached

ROOT = Path(__file__).parents[2]
MANIFESTS = sorted((ROOT / "rom").glob("*/manifest.toml"))
HASHES = (ROOT / "rom" / "roms.sha256").read_text("utf-8").splitlines()
TAROT = [
    {"TAROT_FEEDBACK": feedback, "TAROT_REDUCTION": reduction}
    for feedback, reduction in itertools.product((0xA3, 0xC5, 0xCF), (0, 1))
]
VARIANTS = [
    pytest.param(path, chosen, id="-".join((path.parent.name, *map(str, chosen.values()))))
    for path in MANIFESTS
    for chosen in (TAROT if path.parent.name.startswith("tarot") else [{}])
]


def image_of(path: Path, chosen: dict[str, int]) -> Image:
    """The image of a program, which several tests look at, in other runs too."""
    return _image_of(path, tuple(chosen.items()))


@cache
def _image_of(path: Path, chosen: tuple[tuple[str, int], ...]) -> Image:
    return build_cached(load_manifest(path), dict(chosen)).image


def by_cc65(manifest: Manifest, defines: dict[str, int], folder: Path) -> bytes:
    """The image that ca65 and ld65 make of the same sources and layout."""
    objects = []
    for number, source in enumerate(manifest.sources):
        out = folder / f"{number}.o"
        options = [f"-I{path}" for path in manifest.include]
        options += [f"-D{name}={value}" for name, value in defines.items()]
        subprocess.run(["ca65", "--cpu", manifest.cpu, *options, source, "-o", out], check=True)
        objects.append(out)
    assert manifest.config is not None
    image = folder / manifest.output
    subprocess.run(["ld65", "-C", manifest.config, *objects, "-o", image], check=True)
    return image.read_bytes()


def by_rgbds(manifest: Manifest, defines: dict[str, int], folder: Path) -> bytes:
    """The ROM that rgbasm, rgblink and rgbfix make; of their options what our ROMs use."""
    assert manifest.config is None
    assert set(manifest.link) <= {("tiny", True)}
    objects = []
    for number, source in enumerate(manifest.sources):
        out = folder / f"{number}.o"
        options = [f"-I{path}" for path in (*manifest.include, source.parent)]
        options += [f"-D{name}={value}" for name, value in defines.items()]
        subprocess.run(["rgbasm", *options, source, "-o", out], check=True)
        objects.append(out)
    image = folder / manifest.image_name
    tiny = ["-t"] if manifest.link else []
    subprocess.run(["rgblink", *tiny, *objects, "-o", image], check=True)
    if manifest.header is None:
        return image.read_bytes()
    header = dict(manifest.header)
    letters = {"title": "t", "mbc": "m", "ram_size": "r", "old_licensee": "l", "rom_version": "n"}
    colours = {None: [], "compatible": ["-c"], "only": ["-C"]}[header.pop("color", None)]
    fields = [word for key, value in header.items() for word in (f"-{letters[key]}", str(value))]
    subprocess.run(["rgbfix", "-v", "-p", "0xFF", *colours, *fields, image], check=True)
    return image.read_bytes()


def test_there_are_roms() -> None:
    assert [path.parent.name for path in MANIFESTS] == [
        "riichi",
        "riichi-gb",
        "tarot",
        "tarot-gb",
        "tarot-nes",
        "wall-gb",
        "walls",
        "walls-gb",
    ]


def test_they_are_built_together(monkeypatch: pytest.MonkeyPatch) -> None:
    # refused when two ROMs would be written to the same files
    monkeypatch.chdir(ROOT)
    manifests, broken = project.choose_manifests(None)
    assert [manifest.name for manifest in manifests] == [path.parent.name for path in MANIFESTS]
    assert broken == {}


@pytest.mark.quick_cases(
    "riichi",
    "riichi-gb",
    "tarot-163-0",
    "tarot-gb-163-0",
    "tarot-gb-163-1",
    "tarot-gb-197-0",
    "tarot-gb-197-1",
    "tarot-gb-207-0",
    "tarot-gb-207-1",
    "wall-gb",
    "walls-gb",
)
@pytest.mark.parametrize(("path", "chosen"), VARIANTS)
def test_every_byte_equals_the_original(path: Path, chosen: dict[str, int], tmp_path: Path) -> None:
    manifest = load_manifest(path)
    original = by_rgbds if manifest.is_gameboy else by_cc65
    tool = "rgbasm" if manifest.is_gameboy else "ca65"
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    ours = image_of(path, chosen)
    assert len(ours.files) == 1
    defines = {**dict(manifest.defines), **chosen}
    assert ours.files[0].data == original(manifest, defines, tmp_path)


@pytest.mark.quick_cases("tarot")
@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_our_roms_build_without_a_warning(path: Path, tmp_path: Path) -> None:
    manifest = load_manifest(path)
    done = build(manifest, tmp_path)
    assert done.diagnostics == ()
    beside = [f"{manifest.stem}{ending}" for ending in manifest.endings]
    assert [file.name for file in done.files] == [manifest.image_name, *beside]
    assert all(file.stat().st_size for file in done.files)
    # and the image is the one that the repository tells of
    digest = hashlib.sha256((tmp_path / manifest.image_name).read_bytes()).hexdigest()
    assert f"{digest}  build/rom/{manifest.image_name}" in HASHES, "run: make hashes"


def test_the_hashes_are_of_our_roms() -> None:
    images = [f"build/rom/{load_manifest(path).image_name}" for path in MANIFESTS]
    assert sorted(line.split("  ")[1] for line in HASHES) == sorted(images)


@pytest.mark.quick_cases(
    "riichi",
    "tarot-163-0",
    "tarot-163-1",
    "tarot-197-0",
    "tarot-197-1",
    "tarot-207-0",
    "tarot-207-1",
    "tarot-nes-207-0",
    "walls",
)
@pytest.mark.parametrize(("path", "chosen"), VARIANTS)
def test_every_public_routine_of_the_library_has_a_contract(
    path: Path, chosen: dict[str, int]
) -> None:
    image = image_of(path, chosen)
    exported = {symbol.name for symbol in image.symbols if symbol.exported}
    public = {r.name for r in image.routines if "/asm/" in f"/{r.module}" and r.name in exported}
    assert len(public) >= 4
    contracts = parse_contracts(image)
    assert public <= set(contracts)
    for name in public:
        fields = set(dict(contracts[name].places))
        assert fields >= {"in", "out", "clobbers", "stack", "cycles"}, name

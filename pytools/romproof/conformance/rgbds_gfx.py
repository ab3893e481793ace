"""RGBDS's test suite of rgbgfx, its folder test/gfx.

Three kinds of cases: a picture, whose tiles, maps and palettes or messages are known; tiles that
have to be the same after they were a picture; random pictures that have to be the same after they
were tiles, maps and palettes. Messages are compared with their words.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from romproof.conformance.model import PASSED, SuiteFile, SuiteOutcome, fail
from romproof.conformance.rgbds_pictures import RandomPicture, random_picture
from romproof.conformance.rgbds_tools import (
    ExpectedRun,
    ToolRun,
    contents,
    run_tool,
    text_differences,
    text_of,
    verdict,
)
from romproof.toolchains.rgbds.gfx import PictureReport
from romproof.toolchains.rgbds.gfx.colors import is_transparent, picture_color
from romproof.toolchains.rgbds.gfx.png_pixels import read_png
from romproof.toolchains.rgbds.gfx.png_write import png_of_colors

PARENTS = ("test", "gfx")
"""The folder that the suite is recognised by."""
_OUTPUTS = {
    "1bpp": "-o",
    "2bpp": "-o",
    "pal": "-p",
    "tilemap": "-t",
    "attrmap": "-a",
    "palmap": "-q",
}
_MAPS = ("-o", "r.2bpp", "-t", "r.tilemap", "-p", "r.pal", "-a", "r.attrmap")
_VARIANTS = ((), ("-b", "200"), ("-N", "37,256"), ("-b", "200", "-N", "37,256"))
"""Of the two numbers the suite takes random ones; these are ours. They use both banks."""
_TO_STDOUT = "write_stdout"


def find_gfx(files: Sequence[Path]) -> list[SuiteFile]:
    """Every picture, every file of tiles, every file of random bits."""
    return [
        SuiteFile(file, file.name)
        for file in files
        if file.parts[-3:-1] == PARENTS and _is_input(file)
    ]


def _is_input(file: Path) -> bool:
    if file.suffix == ".png":
        return not file.name.endswith(".pal.png")
    if file.suffix in (".1bpp", ".2bpp"):
        # those with "out" are what a picture has to give
        return not file.stem.endswith(".out")
    return file.suffix == ".bin"


def run_gfx(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """The cases of one file."""
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        for neighbour in file.path.parent.iterdir():
            if neighbour.is_file() and neighbour.stem.split(".")[0] != "rgbgfx_test":
                # arguments name other files of the suite
                shutil.copy(neighbour, work)
        if file.path.suffix == ".png":
            return sum(_pictures(file.path, work), SuiteOutcome())
        if file.path.stem == _TO_STDOUT:
            return _to_stdout(file.path, work)
        if file.path.suffix == ".bin":
            return sum(_random(file.path, work), SuiteOutcome())
        return _there_and_back(file.path, work)


def _flags(path: Path) -> list[str]:
    flags = path.with_suffix(".flags")
    return [f"@{flags.name}"] if flags.is_file() else []


def _pictures(path: Path, work: Path) -> Iterator[SuiteOutcome]:
    """A picture as a file, and from standard input."""
    words, files = _flags(path), {}
    for extension, option in _OUTPUTS.items():
        wanted = path.with_suffix(f".out.{extension}")
        if wanted.is_file():
            words += [option, f"result.{extension}"]
            files[work / f"result.{extension}"] = wanted.read_bytes()
    error = path.with_suffix(".err")
    for given in (path.name, "-"):
        for made in files:
            made.unlink(missing_ok=True)
        stdin = path.read_bytes() if given == "-" else None
        ran = run_tool("rgbgfx", *words, given, folder=work, stdin=stdin)
        case = f"{path.name}, {'from stdin' if stdin else 'as a file'}"
        if not error.is_file():
            yield _find_failure(case, ran) or verdict(case, ran, ExpectedRun(files=files))
            continue
        text = text_of(error)
        if stdin is not None:
            text = text.replace(path.name, "<stdin>")
        wrong = next(text_differences("stderr", text.encode(), ran.stderr.encode()), None)
        aborted = "Conversion aborted" in text
        if wrong is None and bool(ran.status) != aborted:
            wrong = f"exit status {ran.status}, expected {int(aborted)}"
        yield PASSED if wrong is None else fail(case, wrong)


def _find_failure(case: str, ran: ToolRun) -> SuiteOutcome | None:
    """A failure, if a run has failed."""
    if ran.status == 0:
        return None
    return fail(case, f"exit status {ran.status}: {ran.stderr.strip()}")


def _there_and_back(path: Path, work: Path) -> SuiteOutcome:
    """Tiles to a picture, and the picture to tiles."""
    words = _flags(path)
    if path.suffix == ".1bpp":
        words += ["-d", "1"]
    there = run_tool("rgbgfx", *words, "-o", path.name, "-r", "1", "result.png", folder=work)
    back = run_tool("rgbgfx", *words, "-o", "result.2bpp", "result.png", folder=work)
    expected = ExpectedRun(files={work / "result.2bpp": path.read_bytes()})
    return (
        _find_failure(path.name, there)
        or _find_failure(path.name, back)
        or verdict(path.name, back, expected)
    )


def _to_stdout(path: Path, work: Path) -> SuiteOutcome:
    ran = run_tool("rgbgfx", "-m", "-o", "-", path.name, folder=work)
    wanted = contents(path.with_suffix(".out.2bpp"))
    if ran.stdout != wanted:
        return fail(path.name, f"{len(ran.stdout)} bytes on stdout are not those expected")
    return _find_failure(path.name, ran) or PASSED


def _random(path: Path, work: Path) -> Iterator[SuiteOutcome]:
    """A random picture to tiles and back, with several numberings of the tiles."""
    picture = random_picture(path.read_bytes())
    rows = [[picture_color(color) for color in row] for row in picture.rows]
    png = png_of_colors(rows, 8 * picture.width, 8 * picture.height)
    (work / "out0.png").write_bytes(png)
    for words in _VARIANTS:
        case = " ".join((path.name, *words))
        there = run_tool("rgbgfx", *_MAPS, "out0.png", *words, folder=work)
        back = run_tool(
            "rgbgfx", "-r", str(picture.width), *_MAPS, "result.png", *words, folder=work
        )
        yield (
            _find_failure(case, there)
            or _find_failure(case, back)
            or _same(case, picture, work / "result.png")
        )


def _same(case: str, picture: RandomPicture, path: Path) -> SuiteOutcome:
    """Whether a picture has the same colours."""
    made = read_png(path.read_bytes(), path.name, PictureReport())
    if (made.width, made.height) != (8 * picture.width, 8 * picture.height):
        return fail(case, f"the picture has {made.width}x{made.height} pixels")
    for y, row in enumerate(picture.rows):
        for x, color in enumerate(row):
            rgba = made.pixels[y * made.width + x]
            # the suite compares the low bits of each level, and transparent ones as such
            wanted = picture_color(color)
            clear = is_transparent(wanted)
            if clear != is_transparent(rgba) or (not clear and rgba != wanted):
                return fail(case, f"({x}, {y}) is #{rgba:08x}, expected #{wanted:08x}")
    return PASSED

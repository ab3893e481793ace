"""Compare pictures of test ROMs with those that others verified, and write what came of it.

    python tools/conformance_pictures.py --mealybug DIR --docboy DIR > docs/conformance-pictures.md

The folders are copies of mattcurrie/mealybug-tearoom-tests, whose ROMs are unpacked in its folder
``roms``, and of ``tests`` of Docheinstein/docboy, which are no part of this project.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from romproof.formats.layout import GameBoyModel
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.screen import Screen
from romproof.support.extras import need

_BREAKPOINTS = 4
"""Times that a test may call for the debugger until its picture has to be there."""
_LIMIT = 200 * FRAME
_FRAMES = range(4, 120)
"""When the picture of a test is looked for that does not call."""
_SHADES = (0xFF, 0xAA, 0x55, 0x00)

HEAD = """\
# Pictures of Game Boy test ROMs

`tools/conformance_pictures.py` runs test ROMs whose pictures others verified, on the engine
`recompiled`, and writes this page; neither the ROMs nor the pictures are part of this project.
*Equal* means that every pixel is: on a DMG the shade, on a Color the colour of 15 bits. A test is
looked at where it calls for the debugger (`ld b, b`), or else frame by frame for two seconds.
"""
_NO_REFERENCE = (
    "m3_lcdc_win_en_change_multiple_wx", "m3_wx_4_change", "m3_wx_5_change", "m3_wx_6_change",
)  # fmt: skip
"""Of mealybug-tearoom-tests' pictures for CPU CGB C: they only say that there is none yet."""


@dataclass(frozen=True)
class PictureCase:
    """A ROM and the picture that it is to show on a model; ``calls``: at ``ld b, b``."""

    suite: str
    name: str
    rom: Path
    picture: Path
    model: GameBoyModel
    calls: bool = True


def main() -> None:
    """Read the command line, run everything, print the page."""
    need("pictures need {}", "romproof[pictures]", "PIL")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mealybug", type=Path)
    parser.add_argument("--docboy", type=Path)
    arguments = parser.parse_args()
    cases: list[PictureCase] = []
    if arguments.mealybug is not None:
        cases += find_mealybug(arguments.mealybug)
    if arguments.docboy is not None:
        cases += find_docboy(arguments.docboy)
    print(page(list(run(cases))), end="")


def find_mealybug(folder: Path) -> list[PictureCase]:
    """The tests with their pictures for two revisions."""
    revisions = {"DMG-blob": GameBoyModel.DMG, "CPU CGB C": GameBoyModel.CGB}
    return [
        PictureCase(f"mealybug-tearoom-tests, {name}", path.stem, rom, path, model)
        for name, model in revisions.items()
        for path in sorted((folder / "expected" / name).glob("*.png"))
        if (rom := folder / "roms" / f"{path.stem}.gb").exists()
        and not (model is GameBoyModel.CGB and path.stem in _NO_REFERENCE)
    ]


def find_docboy(folder: Path) -> list[PictureCase]:
    """The tests of the PPU, as its own configuration lists them, and acid tests among them."""
    found = []
    for kind, model in (("dmg", GameBoyModel.DMG), ("cgb", GameBoyModel.CGB_E)):
        listed = json.loads((folder / "config" / f"{kind}.json").read_text("utf-8"))
        for test in listed["ppu"]:
            if "framebuffer" not in test or "inputs" in test or not test.get("enabled", True):
                continue
            calls = "check_at_instruction" in test
            rom, picture = Path(kind, test["rom"]), Path(kind, test["framebuffer"])
            suite = f"{test['rom'].partition('/')[0]}, {kind}"
            found.append(
                PictureCase(
                    suite,
                    rom.stem,
                    folder / "roms" / rom,
                    folder / "results" / picture,
                    model,
                    calls,
                )
            )
    return found


def run(cases: Sequence[PictureCase]) -> Iterator[tuple[PictureCase, bool]]:
    """Each case, and whether its picture is equal; says on stderr how far it is."""
    for case in cases:
        is_equal = shows(case)
        print("pass" if is_equal else "FAIL", case.suite, case.name, file=sys.stderr, flush=True)
        yield case, is_equal


def shows(case: PictureCase) -> bool:
    """Whether the picture comes."""
    is_reference = reference(case)
    machine = GameBoy(case.rom.read_bytes(), model=case.model)
    if case.calls:
        for _ in range(_BREAKPOINTS):
            machine.run_to_breakpoint(_LIMIT)
            if is_reference(machine.screen):
                return True
        return False
    for frame in range(_FRAMES.stop):
        machine.run(FRAME)
        if frame in _FRAMES and is_reference(machine.screen):
            return True
    return False


def reference(case: PictureCase) -> Callable[[Screen], bool]:
    """Whether a screen is what the reference shows. Where that gives the shades of a DMG colours of
    its own, only which is lighter than which can be compared."""
    from PIL import Image

    with Image.open(case.picture) as image:
        rgb, grey = image.convert("RGB").tobytes(), image.convert("L").tobytes()
    if case.model is not GameBoyModel.DMG:
        return lambda screen: screen.rgb == rgb
    if set(grey) <= set(_SHADES):
        shades = bytes(map(_SHADES.index, grey))
        return lambda screen: screen.indices == shades
    ranks = ranked(bytes(0xFF - light for light in grey))
    return lambda screen: ranked(screen.indices) == ranks


def ranked(shades: bytes) -> bytes:
    """The shades counted from the lightest that occurs."""
    return bytes(map(sorted(set(shades)).index, shades))


def page(results: Sequence[tuple[PictureCase, bool]]) -> str:
    """The page in Markdown."""
    lines = [HEAD, "| tests | pictures | equal |", "|---|--:|--:|"]
    for suite in dict.fromkeys(case.suite for case, _ in results):
        of_suite = [is_equal for case, is_equal in results if case.suite == suite]
        lines.append(f"| {suite} | {len(of_suite)} | {sum(of_suite)} |")
    lines += ["", "## Not equal", ""]
    lines += [f"- {case.suite}: {case.name}" for case, is_equal in results if not is_equal]
    lines += [
        "",
        "## Not compared",
        "",
        "- mealybug-tearoom-tests, CPU CGB C: " + ", ".join(_NO_REFERENCE) + ": their pictures say "
        "that there is no reference yet.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

"""RGBDS's test suite of rgbfix, its folder test/fix."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from romproof.conformance.model import SuiteFile, SuiteOutcome
from romproof.conformance.rgbds_tools import (
    ExpectedRun,
    ToolRun,
    contents,
    run_tool,
    text_of,
    verdict,
)

PARENTS = ("test", "fix")
"""The folder that the suite is recognised by."""
_COMMANDS = {
    "no-exist": ("no-exist",),
    "no-input": (),
    "multiple-to-one": ("one", "two", "three", "-o", "multiple-to-one"),
}
"""Command lines that must fail, by the name of what they say."""
_PADDING = (0x00, 0x3C, 0xFF)
"""The suite takes random values, as test.sh does it; these are ours."""


def find_fix(files: Sequence[Path]) -> list[SuiteFile]:
    """Every file of arguments, the command lines of test.sh, and the padding."""
    mine = [file for file in files if file.parts[-3:-1] == PARENTS]
    suite_files = [
        SuiteFile(file, file.name)
        for file in mine
        if file.suffix == ".flags" or (file.suffix == ".err" and file.stem in _COMMANDS)
    ]
    suite_files += [
        SuiteFile(file, f"{file.stem} -p {value:#04x}")
        for file in mine
        for value in _PADDING
        if file.name in ("padding.gb", "padding-large.gb", "padding-larger.gb")
    ]
    return suite_files


def run_fix(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A file of the suite: in place, from stdin to stdout, and to another file."""
    with tempfile.TemporaryDirectory() as made:
        work, suite = Path(made), file.path.resolve().parent
        if file.path.suffix == ".err":
            ran = run_tool("rgbfix", *_COMMANDS[file.path.stem], folder=work)
            return verdict(file.name, ran, ExpectedRun(text_of(file.path)))
        rom, error = file.path.with_suffix(".gb"), text_of(file.path.with_suffix(".err"))
        words, data = _arguments(suite / file.path.name), contents(rom)
        if file.path.suffix == ".gb":
            value = int(file.name.split()[-1], 16)
            words = ["-p", str(value)]
            # the suite's $FF is there for padding only
            data = data.replace(b"\xff", bytes([value]))
        given = file.path.with_suffix(".bin")
        if not given.is_file():
            given = file.path.parent / "default-input.bin"
        outcome = SuiteOutcome()
        for variant in ("in place", "from stdin", "to another file"):
            ran, name = _run(variant, words, given.read_bytes(), work)
            files = {work / "out.gb": data} if rom.is_file() else {}
            ran = ToolRun(ran.status, ran.stdout, ran.stderr.replace(f"{suite}/", ""))
            out = contents(file.path.with_suffix(".out"))
            if variant == "from stdin":
                # there the ROM is on stdout, and so is what else would be
                (work / "out.gb").write_bytes(ran.stdout)
                expected = ExpectedRun(error, None if files or not out else out, files)
            else:
                expected = ExpectedRun(error, out.replace(b"<filename>", name.encode()), files)
            outcome += verdict(f"{file.name}, {variant}", ran, expected)
        return outcome


def _arguments(flags: Path) -> list[str]:
    """The words of a .flags file; paths in it are relative to the suite."""
    text = text_of(flags)
    if " ./" not in text:
        return [f"@{flags}"]
    return [
        str(flags.parent / word) if word.startswith("./") else word
        for word in shlex.split(text.splitlines()[0])
    ]


def _run(variant: str, words: list[str], data: bytes, work: Path) -> tuple[ToolRun, str]:
    """One run, and the name that messages call the file by."""
    for old in ("out.gb", "input.gb"):
        (work / old).unlink(missing_ok=True)
    if variant == "from stdin":
        return run_tool("rgbfix", *words, "-", folder=work, stdin=data), "<stdin>"
    if variant == "in place":
        (work / "out.gb").write_bytes(data)
        return run_tool("rgbfix", *words, "out.gb", folder=work), "out.gb"
    (work / "input.gb").write_bytes(data)
    return run_tool("rgbfix", *words, "-o", "out.gb", "input.gb", folder=work), "input.gb"

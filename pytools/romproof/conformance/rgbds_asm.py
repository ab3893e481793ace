"""RGBDS's test suite of rgbasm, its folder test/asm."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from romproof.conformance.model import SuiteFile, SuiteOutcome, fail
from romproof.conformance.rgbds_tools import (
    ExpectedRun,
    ToolRun,
    contents,
    run_tool,
    text_differences,
    text_of,
    verdict,
)

PARENTS = ("test", "asm")
"""The folder that the suite is recognised by."""
_OPTIONS = ("-Weverything", "-Bcollapse")
"""Of every run that is not about the command line."""
_NOT_PIPED = ("include-recursion.asm", "make-deps.asm", "notexist.asm")
"""These name themselves, or are not there: they are run as files only."""
_DATE = "invalid-source-date-epoch"


def find_asm(files: Sequence[Path]) -> list[SuiteFile]:
    """The sources, the files of arguments in cli, the folders with an a.asm.

    Two expectations are about sources that are not there.
    """
    suite_files: list[SuiteFile] = []
    for file in files:
        inside = _inside(file)
        if inside is None:
            continue
        single = len(inside.parts) == 1 and file.suffix == ".asm"
        arguments = inside.parts[0] == "cli" and file.suffix == ".flags"
        if single or arguments or (len(inside.parts) == 2 and file.name == "a.asm"):
            suite_files.append(SuiteFile(file, inside.as_posix()))
        elif inside.name in ("notexist.err", f"{_DATE}.err"):
            source = file.with_suffix(".asm")
            suite_files.append(SuiteFile(source, source.name))
    return suite_files


def _inside(file: Path) -> Path | None:
    """The path within the suite, None for a file of something else."""
    for depth in (1, 2):
        if len(file.parts) > depth + 2 and file.parts[-depth - 2 : -depth] == PARENTS:
            return Path(*file.parts[-depth:])
    return None


def run_asm(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A file of the suite: one or two runs, as a file and from standard input."""
    with tempfile.TemporaryDirectory() as made:
        parts = file.name.split("/")
        if parts[0] == "cli":
            return _command_line(file)
        if parts[0] == "state-file":
            return _state(file, Path(made))
        if len(parts) == 2:
            return _dependencies(file, Path(made))
        if file.path.stem == _DATE:
            return _date(file)
        outcome = _source(file, Path(made), piped=False)
        if file.name not in _NOT_PIPED:
            outcome += _source(file, Path(made), piped=True)
        return outcome


def _source(file: SuiteFile, made: Path, piped: bool) -> SuiteOutcome:
    folder, name = file.path.parent, file.name
    expected_out = contents(file.path.with_suffix(".out"))
    expected_err = text_of(file.path.with_suffix(".err"))
    obj, rom = made / "o", made / "gb"
    words: list[str | Path] = [*_OPTIONS, *_arguments(file.path.with_suffix(".flags")), "-o", obj]
    if piped:
        ran = run_tool("rgbasm", *words, "-", folder=folder, stdin=file.path.read_bytes())
        expected_out = expected_out.replace(name.encode(), b"<stdin>")
        expected_err = expected_err.replace(name, "<stdin>")
    else:
        ran = run_tool("rgbasm", *words, name, folder=folder)
    case = f"{name} from stdin" if piped else name
    outcome = verdict(case, ran, ExpectedRun(expected_err, expected_out))
    image = file.path.with_suffix(".out.bin")
    if outcome.failed or not image.is_file():
        return outcome
    linked = run_tool("rgblink", "-x", "-o", rom, obj, folder=folder)
    return verdict(case, linked, ExpectedRun("", files={rom: contents(image)}))


def _arguments(file: Path) -> list[str]:
    return [f"@{file.name}"] if file.is_file() else []


def _command_line(file: SuiteFile) -> SuiteOutcome:
    ran = run_tool("rgbasm", f"@{file.name}", folder=file.path.parents[1])
    error, out = file.path.with_suffix(".err"), file.path.with_suffix(".out")
    return verdict(file.name, ran, ExpectedRun(text_of(error), contents(out)))


def _date(file: SuiteFile) -> SuiteOutcome:
    bad = {"SOURCE_DATE_EPOCH": "0x1234"}
    words = (*_OPTIONS, "/dev/null")
    ran = run_tool("rgbasm", *words, folder=file.path.parent, environment=bad)
    return verdict(file.name, ran, ExpectedRun(text_of(file.path.with_suffix(".err")), b""))


def _dependencies(file: SuiteFile, made: Path) -> SuiteOutcome:
    case = file.path.parent
    obj = made / "a.o"
    flags = case / "a.flags"
    words = [*_OPTIONS, "-M", "-", *([f"@{case.name}/a.flags"] if flags.is_file() else [])]
    ran = run_tool("rgbasm", *words, "-o", obj, f"{case.name}/a.asm", folder=case.parent)
    ran = ToolRun(ran.status, ran.stdout.replace(str(obj).encode(), b"a.o"), ran.stderr)
    expected = ExpectedRun(text_of(case / "a.err"), contents(case / "a.out"))
    return verdict(file.name, ran, expected)


def _state(file: SuiteFile, made: Path) -> SuiteOutcome:
    state, wanted = made / "state", contents(file.path.parent / "a.dump.asm")
    words = (*_OPTIONS, "-s", f"  all  :{state}")
    folder = file.path.parents[1]
    outcome = SuiteOutcome()
    for case, source, stdin in (
        (file.name, file.name, None),
        (f"{file.name} from stdin", "-", file.path.read_bytes()),
    ):
        ran = run_tool("rgbasm", *words, source, folder=folder, stdin=stdin)
        one = verdict(case, ran, ExpectedRun("", b""))
        wrong = next(text_differences("state file", wanted, contents(state)), None)
        if wrong is not None and not one.failed:
            one = fail(case, wrong)
        outcome += one
        state.unlink(missing_ok=True)
    return outcome

"""Every case under tests/cases: bytes, messages and places as its comments say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from romproof.asm import Options, assemble
from romproof.link import link, parse_config
from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.text.diagnostic import Diagnostic as Found
from romproof.text.span import Source

CASES = Path(__file__).parents[1] / "cases"
FOLDER = CASES / "ca65"
sys.path.insert(0, str(CASES))

from expectations import OUTPUT_NAME, Case, Diagnostic, read_cases  # noqa: E402


def options(case: Case, printed: list[str]) -> Options:
    """The case's ``args`` as options of the assembler."""
    defines: list[tuple[str, int]] = []
    include: list[Path] = []
    features: list[str] = []
    cpu = "6502"
    args = iter(case.args)
    for arg in args:
        if arg.startswith("-D"):
            name, _, value = (arg[2:] or next(args)).partition("=")
            defines.append((name, int(value.replace("$", "0x") or "0", 0)))
        elif arg.startswith("-I"):
            include.append(FOLDER / (arg[2:] or next(args)))
        elif arg == "--cpu":
            cpu = next(args)
        elif arg == "--feature":
            features.append(next(args))
        else:
            raise AssertionError(f"{case.name}: unknown option {arg}")
    return Options(tuple(defines), tuple(include), cpu, tuple(features), printed.append)


def build(case: Case, printed: list[str]) -> tuple[dict[str, bytes], list[Found]]:
    """Assemble and link; the files by name and everything that was said."""
    diagnostics = Diagnostics()
    try:
        objects = []
        for source in case.sources:
            objects.append(assemble(source, options(case, printed), diagnostics))
        path = FOLDER / case.config
        config = parse_config(Source(path.name, path.read_text("utf-8")), diagnostics)
        start = 0x200
        if case.link[:1] == ("-S",):
            start = int(case.link[1].replace("$", "0x"), 0)
        image = link(
            objects, config, output=OUTPUT_NAME, start_address=start, diagnostics=diagnostics
        )
    except BuildFailed as failure:
        return {}, list(failure.diagnostics) or diagnostics.items
    return {file.name: file.data for file in image.files}, diagnostics.items


def places(found: Found) -> set[str]:
    """Where a message may be expected: its line, and every line that led to it."""
    if found.span is None or found.span.source.name.endswith(".cfg"):
        return {"link"}
    spans = [found.span, *(step.span for step in found.span.chain())]
    return {f"{Path(span.source.name).name}:{span.line}" for span in spans}


def check_messages(
    kind: str, expected: tuple[Diagnostic, ...], found: list[Found]
) -> list[str]:
    """What is missing and what is too much."""
    problems = []
    for wanted in expected:
        if not any(
            wanted.place in places(got) and wanted.text.lower() in got.message.lower()
            for got in found
        ):
            problems.append(f"{kind} missing: {wanted}")
    allowed = {wanted.place for wanted in expected}
    for got in found:
        if not places(got) & allowed:
            problems.append(f"{kind} not expected: {got.span}: {got.message}")
    return problems


@pytest.mark.parametrize("case", read_cases(FOLDER), ids=lambda case: case.name)
def test_case(case: Case) -> None:
    printed: list[str] = []
    files, found = build(case, printed)
    errors = [d for d in found if d.severity is Severity.ERROR]
    problems = check_messages("error", case.errors, errors)
    assert not problems, "\n".join(problems)
    if case.errors:
        return
    expected = {name or OUTPUT_NAME: data for name, data in case.outputs.items()}
    assert {name: data.hex(" ") for name, data in files.items() if data} == {
        name: data.hex(" ") for name, data in expected.items() if data
    }
    assert printed == list(case.out)
    warnings = [d for d in found if d.severity is Severity.WARNING]
    problems = check_messages("warning", case.warnings, warnings)
    assert not problems, "\n".join(problems)

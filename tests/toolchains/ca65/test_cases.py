"""Every case under tests/cases: bytes, messages and places as its comments say."""

from __future__ import annotations

import sys
from pathlib import Path

from every_case import every_case

from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.text.diagnostic import Diagnostic as Found
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble
from romproof.toolchains.ca65.link import link, parse_config

CASES = Path(__file__).parents[2] / "cases"
FOLDER = CASES / "ca65"
sys.path.insert(0, str(CASES))

from expectations import OUTPUT_NAME, Case, Diagnostic, read_cases  # noqa: E402


def number(text: str) -> int:
    """A number as the command lines of the original take it."""
    return int(text.replace("$", "0x") or "0", 0)


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
            defines.append((name, number(value)))
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
        start: int | None = None
        defines: dict[str, int] = {}
        for option, value in zip(case.link[::2], case.link[1::2], strict=True):
            if option == "-S":
                start = number(value)
            else:
                name, _, text = value.partition("=")
                defines[name] = number(text)
        image = link(
            objects,
            config,
            output=OUTPUT_NAME,
            start_address=start,
            defines=defines,
            diagnostics=diagnostics,
        )
    except BuildFailed as failure:
        return {}, list(failure.diagnostics) or diagnostics.items
    return {file.name: file.data for file in image.files}, diagnostics.items


def places(found: Found) -> set[str]:
    """Where a message may be expected: its line, the lines that led to it, its notes."""
    if found.span is None:
        return {"link"}
    spans = [found.span, *(step.span for step in found.span.chain())]
    spans += [span for _, span in found.notes]
    return {f"{Path(span.source.name).name}:{span.line}" for span in spans}


def matches(wanted: Diagnostic, found: Found) -> bool:
    """The linker of the original names no line; ours may."""
    at = wanted.line is None or wanted.place in places(found)
    return at and wanted.text.lower() in found.message.lower()


LATE = ("is undefined", "Range error", "was never defined", "Undefined label", "unresolved")
"""The original looks for these only when nothing else was wrong; we report them too."""


def check_messages(kind: str, expected: tuple[Diagnostic, ...], found: list[Found]) -> list[str]:
    """What is missing and what is too much."""
    problems = [
        f"{kind} missing: {wanted}"
        for wanted in expected
        if not any(matches(wanted, got) for got in found)
    ]
    for got in found:
        late = kind == "error" and any(words in got.message for words in LATE)
        if not late and not any(matches(Diagnostic(w.file, w.line), got) for w in expected):
            problems.append(f"{kind} not expected: {got.span}: {got.message}")
    return problems


@every_case("case", read_cases(FOLDER), ids=lambda case: case.name)
def test_case(case: Case) -> None:
    printed: list[str] = []
    files, found = build(case, printed)
    errors = [d for d in found if d.severity is Severity.ERROR]
    expected_errors = case.errors + case.ours
    problems = check_messages("error", expected_errors, errors)
    assert not problems, "\n".join(problems)
    if expected_errors:
        return
    expected = {name or OUTPUT_NAME: data for name, data in case.outputs.items()}
    assert {name: data.hex(" ") for name, data in files.items() if data} == {
        name: data.hex(" ") for name, data in expected.items() if data
    }
    assert printed == list(case.out)
    warnings = [d for d in found if d.severity is Severity.WARNING]
    problems = check_messages("warning", case.warnings, warnings)
    assert not problems, "\n".join(problems)

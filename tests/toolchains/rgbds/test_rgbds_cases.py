"""Every case under tests/cases/rgbds: bytes, printed text, messages and their places."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.text.diagnostic import Diagnostic as Found
from romproof.toolchains.rgbds.asm import RgbdsOptions, assemble
from romproof.toolchains.rgbds.link import LinkOptions, link, rom_bytes

CASES = Path(__file__).parents[2] / "cases"
FOLDER = CASES / "rgbds"
sys.path.insert(0, str(CASES))

from expectations import Case, Diagnostic, read_case  # noqa: E402


def options(case: Case, printed: list[str]) -> RgbdsOptions:
    """The case's ``args`` as options of the assembler."""
    values: dict[str, list[str]] = {}
    args = iter(case.args)
    for arg in args:
        values.setdefault(arg[:2], []).append(arg[2:] or next(args))
    defines = [text.partition("=")[::2] for text in values.pop("-D", [])]
    made = RgbdsOptions(
        defines=tuple((name, text or "1") for name, text in defines),
        include=tuple(map(Path, values.pop("-I", []))),
        warnings=tuple(values.pop("-W", [])),
        binary_digits=values.pop("-b", ["01"])[-1],
        gfx_digits=values.pop("-g", ["0123"])[-1],
        pad=int(values.pop("-p", ["0"])[-1], 0),
        precision=int(values.pop("-Q", ["16"])[-1]),
        recursion_depth=int(values.pop("-r", ["64"])[-1]),
        out=printed.append,
    )
    assert not values, f"{case.name}: unknown options {values}"
    return made


def build(case: Case, printed: list[str]) -> tuple[bytes, list[Found]]:
    """Assemble and link as ``rgblink -x`` does; the ROM and everything that was said."""
    diagnostics = Diagnostics()
    try:
        made = assemble(Path(case.path.name), options(case, printed), diagnostics)
        linked = link([made], LinkOptions(tiny=True, no_pad=True), diagnostics)
    except BuildFailed as failure:
        return b"", list(failure.diagnostics)
    return rom_bytes(linked), diagnostics.items


def line_of(found: Found) -> str:
    """File and line of a message, or "link"; what the linker finds is known by its place."""
    return f"{found.span.source.name}:{found.span.line}" if found.span is not None else "link"


def matches(wanted: Diagnostic, found: Found) -> bool:
    """Same words, same place. The original's linker often names no place where ours does."""
    text = f"{found.message} [{found.option}]" if found.option else found.message
    return wanted.place in ("link", line_of(found)) and wanted.text.lower() in text.lower()


def check_messages(kind: str, expected: tuple[Diagnostic, ...], found: list[Found]) -> list[str]:
    """What is missing and what is too much."""
    missing = [w for w in expected if not any(matches(w, got) for got in found)]
    surplus = [got for got in found if not any(matches(w, got) for w in expected)]
    return [f"{kind} missing: {wanted}" for wanted in missing] + [
        f"{kind} not expected: {line_of(got)}: {got.message}" for got in surplus
    ]


@pytest.mark.parametrize(
    "case", [read_case(path) for path in sorted(FOLDER.glob("*.asm"))], ids=lambda case: case.name
)
def test_rgbds_case(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    printed: list[str] = []
    data, found = build(case, printed)
    by_severity = {severity: [d for d in found if d.severity is severity] for severity in Severity}
    problems = check_messages("error", case.errors, by_severity[Severity.ERROR])
    problems += check_messages("warning", case.warnings, by_severity[Severity.WARNING])
    assert not problems, "\n".join(problems)
    # the comments of a case are read byte by byte
    shown = "".join(printed).encode().decode("latin-1")
    assert shown == "".join(line + "\n" for line in case.out)
    if not case.errors:
        assert data.hex(" ") == case.outputs[""].hex(" ")

"""Test cases with expectations: the reader of the comments at the top of a case file.

The comments stand in the first lines of the file, one expectation per line:

    ; about: one line saying what the case shows
    ; args: -D FOO=3 -I inc         options of the assembler
    ; link: -S $2000                options of the linker
    ; config: banks.cfg             linker configuration, case.cfg without this line
    ; also: second.part.s           further sources, linked after this one
    ; = A9 10 8D 00 20              bytes of the default output, lines are joined
    ; = rom.bin: A9 10              bytes of another output file
    ; out: text                     one line printed by .out
    ; warning: 7: some words        warning in line 7; the words are optional
    ; error: 12                     error in line 12
    ; error: other.inc:3: words     error in line 3 of another file
    ; error: link: words            error that belongs to no source line
    ; ours: 5: words                error where only romproof reports it
    ; original: 6                   error where only the original reports it

A file name that the configuration derives from %O is written with the output name "out".
A line without a message stands for any message; several messages for the same line
may be covered by one expectation.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_CONFIG = "case.cfg"
OUTPUT_NAME = "out"

_COMMENT = re.compile(
    r";\s*(about|args|link|config|also|out|warning|error|ours|original)\s*:\s?(.*)", re.I
)
_BYTES = re.compile(r";\s*=\s*(?:([^\s:]+):)?((?:\s*[0-9A-Fa-f]{2})*)\s*$")
_PLACE = re.compile(r"(?:(?P<file>[^\s:]+):)?(?P<line>\d+)(?::\s*(?P<text>.*))?$")
_LINK = re.compile(r"link\s*(?::\s*(?P<text>.*))?$")


class ExpectationError(ValueError):
    """An expectation comment that cannot be read."""


@dataclass(frozen=True)
class Diagnostic:
    """A warning or an error; file and line are None where it has no source line."""

    file: str | None
    line: int | None
    text: str = ""

    @property
    def place(self) -> str:
        return "link" if self.line is None else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.text else self.place

    def covers(self, actual: Diagnostic) -> bool:
        """True if the actual diagnostic is at this place and has these words."""
        same_place = (self.file, self.line) == (actual.file, actual.line)
        return same_place and self.text.lower() in actual.text.lower()


@dataclass(frozen=True)
class Case:
    """One test case and what is expected of it."""

    path: Path
    about: str = ""
    args: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    config: str = DEFAULT_CONFIG
    also: tuple[str, ...] = ()
    outputs: dict[str, bytes] = field(default_factory=dict)
    out: tuple[str, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    ours: tuple[Diagnostic, ...] = ()
    original: tuple[Diagnostic, ...] = ()

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def sources(self) -> tuple[Path, ...]:
        return (self.path, *(self.path.parent / name for name in self.also))


def _diagnostic(text: str, path: Path, number: int) -> Diagnostic:
    if match := _LINK.match(text):
        return Diagnostic(None, None, (match["text"] or "").strip())
    if match := _PLACE.match(text):
        words = (match["text"] or "").strip()
        return Diagnostic(match["file"] or path.name, int(match["line"]), words)
    raise ExpectationError(f"{path.name}:{number}: place of the diagnostic expected: {text}")


def read_case(path: Path) -> Case:
    """Read the expectations of one case file."""
    texts: dict[str, list[str]] = {}
    outputs: dict[str, bytes] = {}
    found: dict[str, list[Diagnostic]] = {"warning": [], "error": [], "ours": [], "original": []}
    for number, line in enumerate(path.read_text("latin-1").splitlines(), start=1):
        if not line.startswith(";"):
            break
        if match := _BYTES.match(line):
            name = match[1] or ""
            outputs[name] = outputs.get(name, b"") + bytes.fromhex(match[2])
            continue
        match = _COMMENT.match(line)
        if match is None:
            raise ExpectationError(f"{path.name}:{number}: not an expectation: {line}")
        key, text = match[1].lower(), match[2].rstrip()
        if key in found:
            found[key].append(_diagnostic(text.strip(), path, number))
        else:
            texts.setdefault(key, []).append(text)
    wrong = found["error"] or found["original"]
    if wrong and outputs:
        raise ExpectationError(f"{path.name}: a case with errors has no output")
    if not wrong and not outputs:
        raise ExpectationError(f"{path.name}: neither output nor errors are expected")
    return Case(
        path=path,
        about=" ".join(texts.get("about", [])),
        args=tuple(shlex.split(" ".join(texts.get("args", [])))),
        link=tuple(shlex.split(" ".join(texts.get("link", [])))),
        config=" ".join(texts.get("config", [])).strip() or DEFAULT_CONFIG,
        also=tuple(" ".join(texts.get("also", [])).split()),
        outputs=outputs,
        out=tuple(texts.get("out", [])),
        warnings=tuple(found["warning"]),
        errors=tuple(found["error"]),
        ours=tuple(found["ours"]),
        original=tuple(found["original"]),
    )


def read_cases(folder: Path, pattern: str = "") -> list[Case]:
    """Read all cases of a folder whose file name contains the pattern."""
    paths = sorted(path for path in folder.glob("*.s") if not path.name.endswith(".part.s"))
    return [read_case(path) for path in paths if pattern in path.name]


def differences(
    kind: str, expected: Iterable[Diagnostic], actual: Iterable[Diagnostic]
) -> list[str]:
    """Compare diagnostics: every expected one occurs, and no other place has one."""
    expected, actual = list(expected), list(actual)
    places = {wanted.place for wanted in expected}
    missing = [w for w in expected if not any(w.covers(got) for got in actual)]
    surplus = [got for got in actual if got.place not in places]
    return [f"{kind} missing: {wanted}" for wanted in missing] + [
        f"{kind} not expected: {got}" for got in surplus
    ]

"""Check the expectations of the cases against the original ca65 and ld65 2.19.

Usage: python run_original.py [PATTERN]

Every case whose file name contains the pattern is assembled and linked; a table of
failures is printed. The exit status is 1 if any expectation does not hold.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from expectations import OUTPUT_NAME, Case, Diagnostic, differences, read_cases  # noqa: E402

_AT_LINE = re.compile(r"(?:ld65: )?(?:(Error|Warning): )?(\S+?)\((\d+)\): (.*)$")
_IN_MODULE = re.compile(r"ld65: (Error|Warning): (.*) in module '(.*)', line (\d+)$")
_PLAIN = re.compile(r"(?:ld65: )?(Error|Warning|Fatal error): (.*)$")
_FATAL = re.compile(r"Fatal error: User error: (.*)$")
_UNRESOLVED = re.compile(r"(Unresolved external '.*') referenced in:")
_REFERENCE = re.compile(r"  (\S+)\((\d+)\)$")
_OVERFLOW = re.compile(r"overflows memory area|is too small in|is too low in")
_SUMMARY = re.compile(r"\d+ unresolved external|Cannot generate (most of the )?files due to")


@dataclass
class Run:
    """What the original did with one case."""

    failed: bool = False
    outputs: dict[str, bytes] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)

    def add(self, kind: str, file: str | None, line: str | None, text: str) -> None:
        """Add a diagnostic; one about the configuration counts as one of the link."""
        if file is None or line is None or file.endswith(".cfg"):
            found = Diagnostic(None, None, text)
        else:
            found = Diagnostic(Path(file).name, int(line), text)
        is_warning = kind == "Warning" and not _OVERFLOW.search(text)
        (self.warnings if is_warning else self.errors).append(found)

    def read_messages(self, messages: str, source: Path) -> None:
        """Collect the diagnostics from the error output of ca65 or ld65."""
        unresolved = ""
        lines = messages.splitlines()
        for text, following in zip_longest(lines, lines[1:], fillvalue=""):
            if match := _UNRESOLVED.match(text):
                unresolved = match[1]
                if not _REFERENCE.match(following):
                    self.add("Error", None, None, unresolved)
            elif match := _REFERENCE.match(text):
                self.add("Error", match[1], match[2], unresolved)
            elif match := _IN_MODULE.match(text):
                self.add(match[1], match[3], match[4], match[2])
            elif match := _AT_LINE.match(text):
                kind, _, message = match[4].partition(": ")
                if match[1]:
                    kind, message = match[1], match[4]
                if kind in ("Error", "Warning"):
                    self.add(kind, match[2], match[3], message)
            elif match := _FATAL.match(text):
                self.add("Error", source.name, _fatal_line(source, match[1]), match[1])
            elif (match := _PLAIN.match(text)) and not _SUMMARY.match(match[2]):
                self.add(match[1], None, None, match[2])


def _fatal_line(source: Path, message: str) -> str | None:
    """Find the .fatal command with this message: the original does not tell its line."""
    for number, text in enumerate(source.read_text("latin-1").splitlines(), start=1):
        if text.strip().startswith(".fatal") and message in text:
            return str(number)
    return None


def run_original(case: Case) -> Run:
    """Assemble and link a case with the original tools."""
    run = Run()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        objects = []
        for source in case.sources:
            target = work / f"{source.stem}.o"
            command = ["ca65", *case.args, "-o", str(target), source.name]
            done = subprocess.run(command, cwd=FOLDER, capture_output=True, encoding="latin-1")
            run.read_messages(done.stderr, source)
            run.out += done.stdout.splitlines()
            run.failed |= done.returncode != 0
            objects.append(target)
        if run.failed:
            return run
        config = str(FOLDER / case.config)
        command = ["ld65", *case.link, "-C", config, "-o", OUTPUT_NAME, *map(str, objects)]
        done = subprocess.run(command, cwd=work, capture_output=True, encoding="latin-1")
        run.read_messages(done.stderr, case.path)
        run.failed = done.returncode != 0
        if not run.failed:
            for path in sorted(set(work.iterdir()) - set(objects)):
                run.outputs["" if path.name == OUTPUT_NAME else path.name] = path.read_bytes()
    return run


def check(case: Case) -> list[str]:
    """Return what differs between the case and the original."""
    run = run_original(case)
    found = differences("warning", case.warnings, run.warnings)
    found += differences("error", case.errors + case.original, run.errors)
    if run.failed != bool(case.errors or case.original):
        found.append("fails" if run.failed else "does not fail")
    if list(case.out) != run.out:
        found.append(f"prints {run.out}")
    if not run.failed:
        for name in sorted({*case.outputs, *run.outputs}):
            actual = run.outputs.get(name)
            if case.outputs.get(name) != actual:
                shown = "missing" if actual is None else actual.hex(" ").upper()
                found.append(f"{name or 'output'} is {shown}")
    return found


def main() -> int:
    cases = read_cases(FOLDER, sys.argv[1] if len(sys.argv) > 1 else "")
    failures = {case.name: found for case in cases if (found := check(case))}
    for name, found in failures.items():
        for text in found:
            print(f"{name:32} {text}")
    print(f"{len(cases)} cases, {len(failures)} failed")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())

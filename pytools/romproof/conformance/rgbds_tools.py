"""Running rgbasm, rgblink, rgbfix and rgbgfx as commands, and reading what they say.

The texts of messages are ours; what has to agree with RGBDS is their order, whether they
are errors or warnings, the line they are about and the option that governs a warning.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

from romproof.conformance.model import PASSED, SuiteOutcome, fail

ROMPROOF = (sys.executable, "-c", "from romproof.cli import main; main()")
"""``romproof`` as a command, wherever Python finds it."""
TOOLS: dict[str, tuple[str, ...]] = {
    name: (*ROMPROOF, name) for name in ("rgbasm", "rgblink", "rgbfix", "rgbgfx")
}
"""The commands that are tested, by the name the suites have for them."""
TIME_LIMIT = 120
"""Seconds for one run of one tool."""
ENVIRONMENT = {"LC_ALL": "C", "SOURCE_DATE_EPOCH": "609165296"}
"""What the suites set: the day the Game Boy came out is the date in their expectations."""

_OURS = re.compile(
    r"(?:(?P<file>.+?):(?P<line>\d+):\d+: )?(?P<kind>error|warning|FATAL): (?P<text>.*)"
)
_AT = re.compile(r"    at (?P<name>.+?)\((?P<line>\d+)\)")
_OPTION = re.compile(r"\[(-W[^\]\s]+)\]$")
_INTERNAL = ("internal fault", "Traceback (most recent")


@dataclass(frozen=True, slots=True)
class Message:
    """An error or a warning: the innermost line it is about, and its option.

    ``fatal``: the original stopped there. Ours may go on and find more.
    """

    kind: str
    file: str | None = None
    line: int | None = None
    option: str | None = None
    fatal: bool = False

    def covers(self, got: Message) -> bool:
        """Whether ``got`` says the same. Where no place is wanted it may have one."""
        if self.file is not None and (self.file, self.line) != (got.file, got.line):
            return False
        return (self.kind, self.option) == (got.kind, got.option)

    def __str__(self) -> str:
        place = f" at {self.file}:{self.line}" if self.file is not None else ""
        return f"{self.kind}{place}" + (f" [{self.option}]" if self.option else "")


def messages(text: str) -> list[Message]:
    """The messages in what a tool wrote to stderr: RGBDS's or ours."""
    read: list[Message] = []
    for line in text.splitlines():
        match = _OURS.fullmatch(line)
        if match is not None:
            kind = "warning" if match["kind"] == "warning" else "error"
            option = _OPTION.search(line)
            number = int(match["line"]) if match["line"] else None
            answer = option[1] if option else None
            fatal = match["kind"] == "FATAL"
            read.append(Message(kind, match["file"], number, answer, fatal))
            continue
        match = _AT.match(line)
        if match is not None and read and read[-1].file is None:
            last = read[-1]
            # a macro or a loop is named behind the file that it stands in
            file = match["name"].split("::")[0]
            # line 0 is before the first: what -P includes; ours says 1
            read[-1] = replace(last, file=file, line=max(1, int(match["line"])))
        elif read and _OPTION.search(line) and read[-1].option is None and read[-1].file is None:
            # the text of a message may have several lines
            option = _OPTION.search(line)
            read[-1] = replace(read[-1], option=option[1] if option else None)
    return read


@dataclass(frozen=True, slots=True)
class ToolRun:
    """What a tool did; ``status`` is None when it took too long."""

    status: int | None
    stdout: bytes
    stderr: str


def run_tool(
    name: str,
    *words: str | Path,
    folder: Path,
    stdin: bytes | None = None,
    environment: Mapping[str, str] | None = None,
) -> ToolRun:
    """Run a tool of TOOLS in ``folder``."""
    # the command has to be found where this package was
    path = os.pathsep.join((str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")))
    try:
        done = subprocess.run(
            [*TOOLS[name], *map(str, words)],
            cwd=folder,
            input=b"" if stdin is None else stdin,
            capture_output=True,
            timeout=TIME_LIMIT,
            env={**os.environ, "PYTHONPATH": path, **ENVIRONMENT, **(environment or {})},
        )
    except subprocess.TimeoutExpired as late:
        return ToolRun(None, late.stdout or b"", (late.stderr or b"").decode("utf-8", "replace"))
    return ToolRun(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class ExpectedRun:
    """What a suite says a run gives; fields that are None it says nothing about.

    ``stderr`` is the text of RGBDS's messages, ``files`` maps paths to contents;
    a file may be longer if it is among ``prefixes``.
    """

    stderr: str | None = None
    stdout: bytes | None = None
    files: Mapping[Path, bytes] = field(default_factory=dict)
    prefixes: frozenset[Path] = frozenset()


def verdict(case: str, ran: ToolRun, expected: ExpectedRun) -> SuiteOutcome:
    """Whether a run was as expected; the first difference is reported."""
    why = next(_differences(ran, expected), None)
    return PASSED if why is None else fail(case, why)


def _differences(ran: ToolRun, expected: ExpectedRun) -> Iterator[str]:
    if ran.status is None:
        yield f"still running after {TIME_LIMIT} s"
    for line in ran.stderr.splitlines():
        if any(word in line for word in _INTERNAL):
            yield line
    if expected.stderr is not None:
        wanted = messages(expected.stderr)
        failing = any(message.kind == "error" for message in wanted)
        yield from message_differences(wanted, messages(ran.stderr))
        if bool(ran.status) != failing:
            yield f"exit status {ran.status}, expected {int(failing)}"
    if expected.stdout is not None:
        yield from text_differences("stdout", expected.stdout, ran.stdout)
    for path, data in expected.files.items():
        made = path.read_bytes() if path.is_file() else b""
        if path.suffix in (".sym", ".map"):
            yield from text_differences(path.suffix[1:], data, made)
        else:
            yield from _byte_differences(
                data, made[: len(data)] if path in expected.prefixes else made
            )


def message_differences(wanted: Sequence[Message], got: Sequence[Message]) -> Iterator[str]:
    """What is wrong with a list of messages."""
    for number, (want, have) in enumerate(zip_longest(wanted, got), 1):
        if want is None:
            if wanted and wanted[-1].fatal:
                return
            yield f"one message too many: {have}"
        elif have is None:
            yield f"message {number} is missing: {want}"
        elif not want.covers(have):
            yield f"message {number} is {have}, expected {want}"


def text_differences(what: str, wanted: bytes, got: bytes) -> Iterator[str]:
    """The first line that differs between two texts; line ends do not count."""
    pairs = zip_longest(_lines(wanted), _lines(got))
    for number, (want, have) in enumerate(pairs, 1):
        if want != have:
            yield f"{what}, line {number}: {_quote(have)}, expected {_quote(want)}"


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")


def _quote(line: str | None) -> str:
    return "nothing" if line is None else repr(line if len(line) <= 60 else line[:57] + "...")


def _byte_differences(wanted: bytes, got: bytes) -> Iterator[str]:
    for at, (want, have) in enumerate(zip(wanted, got, strict=False)):
        if want != have:
            yield f"byte ${at:04X} of the ROM is ${have:02X}, expected ${want:02X}"
            return
    if len(wanted) != len(got):
        yield f"the ROM has {len(got)} bytes, expected {len(wanted)}"


def contents(path: Path) -> bytes:
    """What a file holds; nothing when the suite has no such file."""
    return path.read_bytes() if path.is_file() else b""


def text_of(path: Path) -> str:
    """The same as text."""
    return contents(path).decode("utf-8", "replace")

"""Cases carried out: in processes that are copies of one that has everything imported, or each in
a process of its own; and what must never come of one."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz_changes import Case

PYTOOLS = Path(__file__).resolve().parents[2] / "pytools"
SECONDS = 20
MEMORY = 1 << 30
BATCH = 100
"""Cases that one copy carries out."""
_NEVER = ("Traceback (most recent", "internal fault", "Exception ignored", "out of memory")
_OLD = b"what was here before"


@dataclass(frozen=True)
class Finding:
    """What should not have come of a case."""

    number: int
    what: str
    words: tuple[str, ...]


def forked(cases: Sequence[Case]) -> Iterator[tuple[int, list[Finding]]]:
    """Carry out the cases, BATCH of them in each copy of this process; the findings of each."""
    waiting = list(cases)
    while waiting:
        done = 0
        for findings in _batch(waiting[:BATCH]):
            yield 1, findings
            done += 1
        waiting = waiting[done:]


def _batch(cases: Sequence[Case]) -> Iterator[list[Finding]]:
    """As many cases as one copy survives; the one it does not survive is a finding."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _limit_memory()
            for case in cases:
                lines = [f"{found.what}" for found in in_process(case)]
                told = "\x1f".join(line.replace("\n", "\x1e") for line in lines) + "\n"
                os.write(writing, told.encode("utf-8", "replace"))
        finally:
            os._exit(0)
    os.close(writing)
    pending, number = b"", 0
    watch = _Watch(child)
    try:
        while number < len(cases):
            ready, _, _ = select.select([reading], [], [], 1)
            if not ready and not watch.is_stuck():
                continue
            part = os.read(reading, 1 << 16) if ready else b""
            if not part:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                child = 0
                how = "the process died" if ready else f"still at work after {SECONDS} s"
                yield [Finding(cases[number].number, how, cases[number].words)]
                return
            *lines, pending = (pending + part).split(b"\n")
            for line in lines:
                told = line.decode("utf-8", "replace")
                what = [one.replace("\x1e", "\n") for one in told.split("\x1f") if one]
                yield [Finding(cases[number].number, w, cases[number].words) for w in what]
                number += 1
                watch = _Watch(child)
    finally:
        if child:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(reading)


class _Watch:
    """Whether a process takes too long: of the processor, or asleep. On a busy machine it may
    wait for its turn, which is not its fault."""

    def __init__(self, pid: int) -> None:
        self._file = Path(f"/proc/{pid}/stat")
        self._first, _ = self._looked()
        self._used, self._since = self._first, time.monotonic()

    def is_stuck(self) -> bool:
        """To be asked again and again."""
        used, runs = self._looked()
        if used > self._used or runs:
            self._used, self._since = used, time.monotonic()
        return used - self._first > SECONDS or time.monotonic() - self._since > SECONDS

    def _looked(self) -> tuple[float, bool]:
        """Seconds of the processor so far, and whether it is in the queue for more."""
        try:
            fields = self._file.read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0, False
        ticks = int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK"), fields[0] == "R"


def _limit_memory() -> None:
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))


def in_process(case: Case) -> list[Finding]:
    """Carry out a case here."""
    from fairdeck.cli.group import fairdeck
    from romproof.cli import romproof, run_guarded

    command = romproof if case.program == "romproof" else fairdeck
    with _folder(case) as before:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "replace") for _ in range(2))
        stdin = sys.stdin
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            sys.stdin = open(os.devnull)  # noqa: SIM115  # until the command is done
            try:
                code: Any = run_guarded(command, case.words, case.program)
            except SystemExit as left:
                code = left.code
            except BaseException as fault:
                code = f"{type(fault).__name__}: {fault}"
            finally:
                sys.stdin.close()
                sys.stdin = stdin
        told = b"".join(stream.buffer.getvalue() for stream in (out, err))  # type: ignore[attr-defined]
        return _judged(case, code, told, before)


def own_process(case: Case) -> list[Finding]:
    """Carry out a case as people do."""
    program = f"from {case.program}.__main__ import main; main()"
    with _folder(case) as before:
        words = [word.encode("utf-8", "surrogateescape") for word in case.words]
        if any(b"\0" in word for word in words):
            return []
        with tempfile.TemporaryFile() as told:
            process = subprocess.Popen(
                [sys.executable, "-c", program, *words],
                env={**os.environ, "PYTHONPATH": str(PYTOOLS)},
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
            )
            watch = _Watch(process.pid)
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if watch.is_stuck():
                    process.kill()
                    os.wait4(process.pid, 0)
                    process.returncode = -9
                    return [_finding(case, f"still at work after {SECONDS} s")]
                time.sleep(0.005)
            process.returncode = os.waitstatus_to_exitcode(status)
            told.seek(0)
            found = _judged(case, process.returncode, told.read(), before)
        if usage.ru_maxrss * 1024 > MEMORY:
            found.append(_finding(case, f"took {usage.ru_maxrss >> 10} MiB"))
        return found


def _judged(case: Case, code: Any, told: bytes, before: dict[str, bytes]) -> list[Finding]:
    found = []
    text = told.decode("utf-8", "replace")
    for word in _NEVER:
        if word in text:
            at = text.index(word)
            found.append(_finding(case, f"'{word}': {text[at : at + 400]}"))
    if code not in (0, 1, 2):
        found.append(_finding(case, f"exit code {code!r}"))
    for name, data in before.items():
        if code == 0 and name in case.outputs:
            continue
        path = Path(name)
        if not path.is_file() or path.read_bytes() != data:
            if code == 0 and _is_named(case, name):
                continue  # it was told to write there
            if "rgbfix" in case.words and path.is_file() and _same_but_header(path, data):
                continue  # of several files, this one was put in order, and another was wrong
            found.append(_finding(case, f"exit code {code}, and the file {name} is damaged"))
    return found


def _same_but_header(path: Path, data: bytes) -> bool:
    """Whether a ROM is what it was, but for its header and padding behind its end."""
    now = path.read_bytes()
    return now[:0x104] == data[:0x104] and now[0x150 : len(data)] == data[0x150:]


def _is_named(case: Case, name: str) -> bool:
    return any(name in word or word in name for word in case.words if word)


def _finding(case: Case, what: str) -> Finding:
    return Finding(case.number, what, case.words)


@contextlib.contextmanager
def _folder(case: Case) -> Iterator[dict[str, bytes]]:
    """A folder with the files of a case, to work in; gives what must be there afterwards."""
    here = os.getcwd()
    folder = tempfile.mkdtemp(prefix="fuzz")
    os.chdir(folder)
    try:
        Path("folder").mkdir()
        Path("loop").symlink_to("loop")
        os.mkfifo("pipe")
        kept = dict.fromkeys((*case.outputs, "neighbour"), _OLD)
        for name, data in {**dict.fromkeys(kept, _OLD), **case.files}.items():
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            kept.pop(name, None)
            if _put(path, data, case.places.get(name)):
                kept[name] = data
        yield kept
    finally:
        os.chdir(here)
        shutil.rmtree(folder, ignore_errors=True)


def _put(path: Path, data: bytes, place: str | None) -> bool:
    """Put a file there, or what is to be in its place; whether it is a file that must stay."""
    match place:
        case "folder":
            path.mkdir()
        case "loop":
            path.symlink_to(path.name)
        case "zero":
            path.symlink_to("/dev/zero")
        case "gone":
            pass
        case "empty":
            path.write_bytes(b"")
        case _:
            path.write_bytes(data)
            if place == "unreadable":
                path.chmod(0)
            return place is None
    return False

"""Running the command that brings a program's image up to date: one at a time, once a test run."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from romproof.text.errors import RomproofError

DONE = "ROMPROOF_COMMANDS_DONE"
"""The environment variable with the commands that need not run: their keys with commas between.

A test run sets it for its processes; a command gets it with its own key, so that it may call
romproof itself.
"""
_MAX_LINES = 200
"""Lines of the output that an error has, the last ones."""
_KEY = 16


class CommandFailed(RomproofError):
    """The command of a project failed; the text ends with its output."""


def bring_up_to_date(command: Sequence[str] | str | None, folder: Path) -> None:
    """Run a command in a folder, unless it is done for this test run. Raises CommandFailed."""
    if command is not None and key_of(command, folder) not in _read_done():
        run_command(command, folder)


def key_of(command: Sequence[str] | str, folder: Path) -> str:
    """What stands for a command and its folder in ``DONE``."""
    words = command if isinstance(command, str) else "\0".join(command)
    data = f"{folder.resolve()}\0{words}".encode("utf-8", "surrogateescape")
    return hashlib.blake2b(data, digest_size=_KEY).hexdigest()


def mark_done(keys: Sequence[str]) -> None:
    """Commands that the processes of this test run need not run again; none: begin anew."""
    if keys:
        os.environ[DONE] = ",".join(keys)
    else:
        os.environ.pop(DONE, None)


def _read_done() -> set[str]:
    return set(os.environ.get(DONE, "").split(","))


def run_command(command: Sequence[str] | str, folder: Path) -> None:
    """Run a command in a folder, after any other process that is at it. Raises CommandFailed."""
    shown = command if isinstance(command, str) else " ".join(command)
    done = ",".join(sorted({key for key in _read_done() if key} | {key_of(command, folder)}))
    with _lock(folder):
        try:
            ended = subprocess.run(
                command,
                shell=isinstance(command, str),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, DONE: done},
                check=False,
            )
        except (OSError, ValueError) as fault:
            why = getattr(fault, "strerror", None) or fault
            raise CommandFailed(f"the command '{shown}' cannot be run in {folder}: {why}") from None
    if ended.returncode:
        lines = ended.stdout.decode("utf-8", "replace").rstrip().splitlines()
        cut = ["…"] if len(lines) > _MAX_LINES else []
        output = "\n".join([*cut, *lines[-_MAX_LINES:]]) or "(it printed nothing)"
        raise CommandFailed(
            f"the command '{shown}' failed in {folder} with exit code {ended.returncode}:\n{output}"
        )


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Wait until no other process is in here for the folder.

    Where folders can be locked, it is the folder itself: nothing is written into the project.
    """
    try:
        import fcntl
    except ImportError:
        with _lock_on_windows(folder):
            yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _lock_on_windows(folder: Path) -> Iterator[None]:
    import msvcrt

    path = Path(tempfile.gettempdir(), f"romproof-{key_of('', folder)}.lock")
    with open(path, "a+b") as file:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
        try:
            yield
        finally:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]

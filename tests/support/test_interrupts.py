"""Processes that work for another one: they are gone when that one is, however it ended."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from typing import Any

import pytest

from romproof.support import interrupts

PROGRAM = """
import os
import signal
import sys
import time
from romproof.support.interrupts import processes

def work(seconds):
    os.write(1, (str(os.getpid()) + chr(10)).encode())  # in one piece
    time.sleep(seconds)

if __name__ == "__main__":
    # a job in the background of a shell ignores it, and so does what it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with processes(2, sys.argv[1]) as pool:
        for done in [pool.submit(work, 600) for _ in range(2)]:
            done.result()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_workers_are_gone_when_the_process_is_that_they_work_for(
    how: signal.Signals, method: str, tmp_path: os.PathLike[str]
) -> None:
    script = os.path.join(tmp_path, "program.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    with subprocess.Popen(
        [sys.executable, script, method], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout is not None
        try:
            working = [int(parent.stdout.readline()) for _ in range(2)]
            assert len(set(working)) == 2
            parent.send_signal(how)
            # whoever lives holds the pipe open: at its end all are gone
            ready, _, _ = select.select([parent.stdout], [], [], 60)
            assert ready
            assert parent.stdout.read() == b""
        finally:
            parent.kill()


def test_nothing_is_at_work_any_more_when_its_result_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else Python could wait at its exit for a lock that nobody gives back."""
    held: list[bool] = []

    class Watched(set[Any]):
        def discard(self, busy: Any) -> None:
            held.append(busy.locked())
            super().discard(busy)

    monkeypatch.setattr(interrupts, "_at_work", Watched())
    assert interrupts.patiently(lambda: 7) == 7
    assert held == [True]
    assert interrupts._at_work == set()

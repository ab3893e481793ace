"""What the tests of the commands share: a small ROM, and how to run a command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

PYTOOLS = Path(__file__).parents[2] / "pytools"

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

DEMO = """\
        .segment "ZEROPAGE"
lfsr:   .res 4
        .exportzp lfsr
        .segment "BSS"
deck:   .res 3
        .segment "CODE"
        .export main, step, fill, deck
.proc main
        jsr fill
halt:   jmp halt
.endproc

;; step – turn the register by one bit.
; in:       zp lfsr[4]
; out:      A lfsr[4]
; clobbers: N Z C
; stack:    0
; cycles:   29
.proc step
        asl lfsr                ; 5
        rol lfsr+1              ; 5
        rol lfsr+2              ; 5
        rol lfsr+3              ; 5
        lda lfsr                ; 3
        rts                     ; 6
.endproc

.proc fill
        ldx #2                  ; 2
loop:   jsr step                ; 6
        sta deck,x              ; 5
        dex                     ; 2
        bpl loop                ; 3, 2
        rts                     ; 6
.endproc
"""


MAIN = "from romproof.cli import main; main()"


def romproof_in(
    folder: Path, *args: str, env: dict[str, str] | None = None, program: str = MAIN
) -> Done:
    """Run ``romproof`` as a process of its own; nothing may ever show a traceback."""
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, "-c", program, *args],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(PYTOOLS), "PYTHONIOENCODING": "utf-8", **(env or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert "internal fault" not in done.stderr
    return done


def write_rom(folder: Path, name: str, source: str, keys: Sequence[str] = ()) -> None:
    rom = folder / "rom" / name
    rom.mkdir(parents=True)
    (rom / f"{name}.s").write_text(source, "utf-8")
    lines = ["[rom]", f'sources = ["{name}.s"]', *keys]
    (rom / "manifest.toml").write_text("\n".join(lines) + "\n")

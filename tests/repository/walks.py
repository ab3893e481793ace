"""How far it is from the public interface to what does the work, counted in real runs.

Two walks are counted, of small routines that are assembled for it (``PROGRAM``):

- ``prove``: from ``prove``, the command ``romproof prove``, to a backend of the solver, that is a
  call of ``Z3.ask`` or ``Bitwuzla.ask``. Every question counts that is asked after the code was
  executed symbolically: of claims, of cycles, of ends of loops, of examples, and of invariants that
  are looked for;
- ``call``: from ``Rom.call`` to the ``run`` of the engine that executes the routine.

What is counted is what stands on Python's stack at that moment, from the function at the one end
to that at the other, both included: ``modules`` are the modules of romproof among the frames, each
once; ``returns`` are the frames of functions of romproof, each of which gives back what the next
one found. Frames of other packages (click) do not count, nor do comprehensions, which newer
versions of Python inline. What was called on the way and has returned does not count. The longest
of all walks counts, not the usual one.

``execute`` is shown for comparison, and has no limit: the walk to a question of symbolic execution,
as which way a branch can go. It leads through an interpreter of microcode, whose depth is its own.

    python tests/repository/walks.py       # the figures, and the longest walks
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

PROGRAM = """\
.export multiply, root, squares, add_words, fill, pick, guarded, wrong
.exportzp factor, product, odd, one, two, squared
.segment "ZEROPAGE"
factor:  .res 1
product: .res 2
odd:     .res 1
one:     .res 4
two:     .res 4
squared: .res 2
.segment "BSS"
.export buffer
buffer:  .res 48
.segment "RODATA"
table:   .byte 3, 1, 4, 1, 5, 9, 2, 6
.segment "CODE"

;; multiply – the product of two bytes.
; in:       A X
; out:      product[2]
; ensures:  product == old A * old X
; clobbers: A X N V Z C factor
; stack:    0
; cycles:   143..175
.proc multiply
  sta factor
  stx product
  lda #0
  ldx #8
  lsr product
@bit:
  bcc @shift
  clc
  adc factor
@shift:
  ror a
  ror product
  dex
  bne @bit
  sta product+1
  rts
.endproc

;; root – the largest number whose square is not above a byte.
; in:        A
; out:       X
; ensures:   X * X <= old A, old A < (X + 1) * (X + 1)
; clobbers:  A N V Z C odd
; invariant: @step: A + X * X == old A, odd == 2 * X + 1, X <= 15
; decreases: @step: A
; stack:     0
; cycles:    19..
.proc root
  ldx #1
  stx odd
  dex
@step:
  cmp odd
  bcc @done
  sbc odd
  inc odd
  inc odd
  inx
  bne @step
@done:
  rts
.endproc

;; squares – the sum of two squares, by two calls.
; in:       A X
; out:      squared[2]
; ensures:  squared == (old A * old A + old X * old X) % 65536
; clobbers: A X N V Z C factor product[2] odd
; stack:    2
.proc squares
  stx odd
  tax
  jsr multiply
  lda product
  sta squared
  lda product+1
  sta squared+1
  lda odd
  tax
  jsr multiply
  lda product
  clc
  adc squared
  sta squared
  lda product+1
  adc squared+1
  sta squared+1
  rts
.endproc

;; add_words – the sum of two numbers of 32 bits, one of them a secret.
; in:       one[4] two[4]
; secret:   two[4]
; requires: two <= $7FFFFFFF, one <= two
; out:      one[4]
; ensures:  one == old one + two, one >= two
; clobbers: A N V Z C
; stack:    0
; cycles:   44
.proc add_words
  clc
  lda one
  adc two
  sta one
  lda one+1
  adc two+1
  sta one+1
  lda one+2
  adc two+2
  sta one+2
  lda one+3
  adc two+3
  sta one+3
  rts
.endproc

;; fill – the first X bytes of the buffer set; its loop has no invariant.
; in:       A X
; requires: X in 1..48
; out:      buffer[48]
; ensures:  all j in 0..47: j < old X -> buffer[j] == old A
; clobbers: X N Z
; stack:    0
; cycles:   15..485
.proc fill
@next:
  sta buffer-1,x
  dex
  bne @next
  rts
.endproc

;; pick – a byte of the table, or of the buffer.
; in:       X Y buffer[48]
; requires: X < 8, Y < 48
; out:      A
; clobbers: N Z C
; stack:    0
; cycles:   17..20
.proc pick
  lda buffer,y
  cmp table,x
  bcs @done
  lda table,x
@done:
  rts
.endproc

;; guarded – the sum as above, with a branch for what is never true: that is asked.
; in:       one[4] two[4]
; requires: two <= $7FFFFFFF, one <= two
; out:      one[4]
; ensures:  one == old one + two
; clobbers: A N V Z C
; stack:    0
.proc guarded
  clc
  lda one
  adc two
  sta one
  lda one+1
  adc two+1
  sta one+1
  lda one+2
  adc two+2
  sta one+2
  lda one+3
  adc two+3
  sta one+3
  bcs @never
  rts
@never:
  jmp @never
.endproc

;; wrong – not what it says: one is not always above two in the end.
; in:       one[4] two[4]
; requires: two <= $7FFFFFFF, one <= two
; out:      one[4]
; ensures:  one > two
; clobbers: A N V Z C
; stack:    0
.proc wrong
  jmp add_words
.endproc
"""


@dataclass(frozen=True)
class Walk:
    """The functions on the way, as (module, name), the first one first; ``arguments`` is the most
    that one after the first takes, without the object it belongs to."""

    steps: tuple[tuple[str, str], ...]
    arguments: int

    @property
    def modules(self) -> int:
        """Modules that are passed."""
        return len({module for module, _ in self.steps})

    @property
    def returns(self) -> int:
        """Functions that are passed."""
        return len(self.steps)

    def __str__(self) -> str:
        lines = [f"{self.modules} modules, {self.returns} returns"]
        last = ""
        for module, name in self.steps:
            lines.append(f"    {'' if module == last else module:48} {name}")
            last = module
        return "\n".join(lines)


@contextmanager
def walks_to(method: str, owners: Sequence[type], begin: str) -> Iterator[list[Walk]]:
    """The walks to a method of some classes, from the outermost function called ``begin``. It is
    replaced meanwhile by one that looks at the stack, and then does what it would do."""
    found: list[Walk] = []

    def watch(owner: type) -> Callable[..., Any]:
        original = getattr(owner, method)

        def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
            end = (owner.__module__, f"{type(self).__name__}.{method}")
            found.append(_walk_from(begin, sys._getframe(1), end))
            return original(self, *args, **kwargs)

        return watched

    with ExitStack() as stack:
        for owner in owners:
            stack.enter_context(patch.object(owner, method, watch(owner)))
        yield found


def _walk_from(begin: str, frame: FrameType | None, end: tuple[str, str]) -> Walk:
    steps, counts = [end], [0]
    while frame is not None:
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        if module.startswith("romproof.") and name not in ("<listcomp>", "<dictcomp>", "<setcomp>"):
            owner = frame.f_locals.get("self")
            is_method = "self" in frame.f_code.co_varnames[:1]
            steps.append((module, f"{type(owner).__name__}.{name}" if is_method else name))
            code = frame.f_code
            counts.append(code.co_argcount + code.co_kwonlyargcount - is_method)
        frame = frame.f_back
    first = max(at for at, (_, name) in enumerate(steps) if name.split(".")[-1] == begin)
    return Walk(tuple(reversed(steps[: first + 1])), max(counts[:first]))


def longest(walks: list[Walk]) -> Walk:
    """The walk with the most functions, and of those with the most modules."""
    return max(walks, key=lambda each: (each.returns, each.modules))


def _program(folder: Path) -> Path:
    (folder / "main.s").write_text(PROGRAM)
    manifest = folder / "pyproject.toml"
    manifest.write_text('[tool.romproof]\nsources = ["main.s"]\n')
    return manifest


def proving_walks() -> tuple[list[Walk], list[Walk]]:
    """The walks of obligations, and those of symbolic execution."""
    from click.testing import CliRunner

    from romproof.cli.group import romproof
    from romproof.symbolic.execute.executor import Executor
    from romproof.symbolic.solve.ask_bitwuzla import Bitwuzla
    from romproof.symbolic.solve.ask_z3 import Z3

    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        _program(Path(name))
        os.chdir(name)
        try:
            with walks_to("ask", (Z3, Bitwuzla), "prove") as found:
                done = CliRunner().invoke(
                    romproof, ["prove", "--fresh", "--timeout", "3600"], catch_exceptions=False
                )
        finally:
            os.chdir(before)
    assert not done.exception or isinstance(done.exception, SystemExit), done.output
    inside = f"{Executor.__name__}.{Executor.run.__name__}"
    executing = [each for each in found if any(name == inside for _, name in each.steps)]
    return [each for each in found if each not in executing], executing


def calling_walks(engine: str) -> list[Walk]:
    """The walks of a call."""
    import romproof
    from romproof.engine.base import MicrocodeEngine

    with tempfile.TemporaryDirectory() as name:
        rom = romproof.load(_program(Path(name)), engine=engine)
        with walks_to("run", (MicrocodeEngine,), "call") as found:
            rom.call("multiply", a=7, x=3)
            rom.call("fill", a=1, x=7)
    return found


if __name__ == "__main__":
    obligations, executing = proving_walks()
    print(len(obligations), "questions; prove:", longest(obligations))
    print(len(executing), "questions; execute:", longest(executing) if executing else "none")
    for engine in ("plain", "llvm"):
        print(f"call, {engine}:", longest(calling_walks(engine)))

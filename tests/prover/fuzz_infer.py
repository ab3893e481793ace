"""Random programs without contracts: what is inferred of them, against runs.

    python tests/prover/fuzz_infer.py --count 500 --seed 1

Half of the programs are those of ``fuzz_prover.py``, without their contracts; half have loops whose
count, pointers and end come from the caller, as constants. Each contract that is inferred is
executed for 10,000 inputs that it allows, or for all, and every statement of it is compared. Ends
with exit code 1 where a run breaks one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))

from fuzz_draft import Callee, Generator, routine_of
from fuzz_gen_6502 import Generator6502
from fuzz_gen_sm83 import GeneratorSm83
from fuzz_nouns import Program
from fuzz_terms import Reg

import romproof
from romproof.harness.rom import Rom
from romproof.prover.infer.examine import EFFORT
from romproof.prover.infer.infer import Grade, Inference, Inferred
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.entry import start_of
from romproof.prover.states.program import program_of
from romproof.text.diagnostic import BuildFailed
from romproof.witness.subject import subject_of
from romproof.witness.witness import Plan, witness

CPUS = ("6502", "sm83")
RUNS = 10_000
"""Inputs that each contract is executed for, if there are not fewer."""
PROVED = (Grade.TIGHT, Grade.SOUND, Grade.WAITS)
"""Grades with a contract."""


@dataclass
class Judged:
    """What came of programs: routines by their grade, and what runs break."""

    grades: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    runs: int = 0


def source_of(seed: int) -> tuple[str, str]:
    """The CPU and the program of a seed."""
    chance = Random(f"infer {seed}")
    cpu = chance.choice(CPUS)
    if chance.random() < 0.5:
        return cpu, _mixed(cpu, chance)
    return cpu, (_loops_6502 if cpu == "6502" else _loops_sm83)(chance)


def _mixed(cpu: str, chance: Random) -> str:
    """A program of the prover's fuzzer, of a routine or two."""
    generator: Generator = Generator6502(chance) if cpu == "6502" else GeneratorSm83(chance)
    drafts = []
    for name in ("sub0", "main")[chance.randrange(2) :]:
        draft = generator.routine(name, chance.choice((0, 1, 2)), 3)
        ranges = tuple((t.name, low, high) for t, low, high in draft.ranges if isinstance(t, Reg))
        generator.callees.append(Callee(name, ranges, frozenset(draft.touches)))
        drafts.append(draft)
    page = chance.choice((0x80, 0xFC, 0xF9))
    return Program(generator.machine, tuple(map(routine_of, drafts)), page).source()


# ---------------------------------------------------------------- loops


def _loops_sm83(chance: Random) -> str:
    """A loop that callers give pointers and a count, or where its strings end."""
    size, base = chance.choice((5, 12, 40)), chance.choice((0xC100, 0xC1F0))
    step = chance.choice(("inc de", "inc de", "inc de", "inc e", "dec de"))
    load = chance.choice(("ld a, [hl+]", "ld a, [hl+]", "ld a, [hl-]", "ld a, [hl]\n  inc hl"))
    change = chance.choice(("", "  xor b\n", "  inc a\n", "  cpl\n"))
    count = chance.choice(("c", "c", "b", "memory", "text", "bits"))
    close = {
        "memory": "  ld a, [wCount]\n  dec a\n  ld [wCount], a\n  jr nz, Work\n",
        "text": "  or a\n  jr nz, Work\n",
        "bits": "  srl c\n  jr nz, Work\n",
    }.get(count, f"  dec {count}\n  jr nz, Work\n")
    both = chance.random() < 0.5
    work = f"  {load}\n{change}  ld [de], a\n  {step}\n" if both else f"  ld [de], a\n  {step}\n"
    first = chance.choice(("wOne", "wTwo", "Text"))
    calls = "".join(
        f"  ld hl, {first}\n  ld de, {chance.choice(('wOne', 'wTwo'))}\n"
        f"  ld c, {chance.randint(0, 12)}\n  ld b, {chance.randint(0, 12)}\n  call Work\n"
        for _ in range(chance.randint(1, 2))
    )
    return (
        f'SECTION "v", WRAM0[${base:04X}]\nwCount:: ds 1\nwOne:: ds {size}\nwTwo:: ds 9\n'
        'wAfter:: ds 1\nSECTION "c", ROM0[$0150]\n'
        f"Main::\n{calls}  ret\nWork::\n{work}{close}  ret\n"
        'Text:: db "abc", 0, "de", 0, 0, 0, 0, 0, 0, 0, 0\n'
    )


def _loops_6502(chance: Random) -> str:
    """A loop over an array whose index and count callers give."""
    index = chance.choice("xy")
    off = chance.choice((0, 0, -1, 1))
    array = f"one{off:+d},{index}" if off else f"one,{index}"
    change = chance.choice(("", "  eor two\n", "  clc\n  adc two\n", "  asl a\n"))
    body = chance.choice((f"  sta {array}\n", f"  lda {array}\n{change}  sta {array}\n"))
    close = chance.choice(
        (
            f"  de{index}\n  bne @l\n",
            f"  de{index}\n  bpl @l\n",
            f"  in{index}\n  cp{index} count\n  bne @l\n",
            f"  in{index}\n  cp{index} #7\n  bcc @l\n",
            f"  in{index}\n  dec count\n  bne @l\n",
            "  lsr count\n  bne @l\n",
        )
    )
    calls = "".join(
        f"  ld{index} #{chance.randint(0, 9)}\n  lda #{chance.randint(1, 9)}\n"
        f"  sta count\n  jsr work\n"
        for _ in range(chance.randint(1, 2))
    )
    page = chance.choice((0x10, 0xF8))
    return (
        '.segment "ZEROPAGE"\n.exportzp count, two\ncount: .res 1\ntwo: .res 1\n'
        f'.segment "BSS"\n.align 256\n.res {page}\none: .res {chance.choice((6, 12))}\n'
        'after: .res 1\n.export one, after\n.segment "CODE"\n.export main, work\n'
        f".proc work\n@l:\n{body}{close}  rts\n.endproc\n.proc main\n{calls}  rts\n.endproc\n"
    )


# ---------------------------------------------------------------- judged


def judged(
    seed: int, folder: Path, timeout: float, runs: int = RUNS, effort: float = 1.0
) -> Judged:
    """What is inferred of a program, and what runs say of it; programs that are refused have no
    routines."""
    cpu, text = source_of(seed)
    name = "it.s" if cpu == "6502" else "it.asm"
    (folder / name).write_text(text)
    (folder / "pyproject.toml").write_text(
        f'[tool.romproof]\nname = "it"\nsources = ["{name}"]\ncpu = "{cpu}"\n'
    )
    outcome = Judged()
    try:
        rom = romproof.load(folder)
        work = Inference(rom, ProofOptions(timeout, effort=EFFORT * effort))
        rows = list(work.infer(work.order()))
    except BuildFailed:
        outcome.grades["refused"] += 1
        return outcome
    for row in rows:
        outcome.grades[row.grade.value] += 1
        if row.grade in PROVED:
            _execute(rom, row, seed, runs, outcome)
        elif row.reason is not None and "fault of the prover" in row.reason.detail:
            outcome.faults.append(f"{seed} {row.name}: {row.reason.detail}")
    return outcome


def _execute(rom: Rom, row: Inferred, seed: int, runs: int, outcome: Judged) -> None:
    """Run a routine with its contract, with other inputs than the proof did."""
    program = program_of(rom)
    contract = piece_of(program.image, row.block, row.address).contract
    subject = subject_of(
        rom,
        contract,
        row.address,
        program.is_fixed,
        (),
        start_of(program, contract, row.address, {}).stacks,
    )
    plan = Plan(runs=runs, sample=256, seed=seed + 1)
    seen = witness(subject, plan, ends=row.grade is not Grade.WAITS)
    outcome.runs += seen.runs
    for each in seen.disagreements:
        outcome.faults.append(f"{seed} {row.name}: {each.statement}: {each.detail}\n{row.block}")


def total(outcomes: Iterator[Judged]) -> Judged:
    """All of them together."""
    whole = Judged()
    for each in outcomes:
        whole.grades += each.grades
        whole.faults += each.faults
        whole.runs += each.runs
    return whole


def said(whole: Judged) -> str:
    """The counts in a line."""
    grades: Mapping[str, int] = whole.grades
    names = ", ".join(f"{count} {name}" for name, count in sorted(grades.items()))
    return f"{names}; {whole.runs:,} runs, {len(whole.faults)} faults"


def main() -> int:
    """The whole run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500, help="how many programs")
    parser.add_argument("--seed", type=int, default=1, help="the first one's")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for each routine")
    parser.add_argument("--effort", type=float, default=0.5, help="see romproof infer")
    chosen = parser.parse_args()
    whole, begun = Judged(), time.monotonic()
    with TemporaryDirectory() as folder:
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            one = judged(seed, Path(folder), chosen.timeout, effort=chosen.effort)
            whole = total(iter((whole, one)))
            for fault in one.faults:
                print(fault, flush=True)
            if seed % 20 == 0:
                print(f"{seed}: {said(whole)}, {time.monotonic() - begun:.0f} s", flush=True)
    print(said(whole))
    return 1 if whole.faults else 0


if __name__ == "__main__":
    sys.exit(main())

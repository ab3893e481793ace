"""Ten claims put to angr and to romproof: the same code, the same question, CPU time limited."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from py65.devices.mpu6502 import MPU

import romproof
from peers.amount import WHOLE, Amount
from peers.claims import MAX, Claim, number

BENCH = Path(__file__).parents[1]
PROGRAM = BENCH / "peers/routines.toml"
LIMIT = 300
"""Seconds of processor time for a question; what takes longer is unknown."""
QUICK = 10.0
"""Seconds of all turns of a question after which it is not put again."""
_STOP, _STACK, _STEPS = 0xF000, 0xFD, 100_000
_OUT_OF_TIME = (-signal.SIGKILL, -signal.SIGXCPU)


@dataclass(frozen=True)
class Answer:
    """What a tool says of a claim. ``seconds`` are of processor time, those for loading the tool
    apart. ``real``: whether the claim is wrong for the example on a 6502; None without one."""

    verdict: str
    seconds: float
    loading: float = 0.0
    paths: int | None = None
    detail: str = ""
    example: Mapping[str, int] | None = None
    real: bool | None = None
    by: str = ""

    def right(self, holds: bool) -> bool | None:
        """Whether it is the truth; None: the tool does not know."""
        if self.verdict == "proved":
            return holds
        return not holds and bool(self.real) if self.verdict == "refuted" else None


def ask_all(
    python: Path, tell: Callable[[str], None], amount: Amount = WHOLE
) -> dict[str, tuple[Answer, Answer]]:
    """The answers of angr, which is installed for ``python``, and of romproof to the claims."""
    image = romproof.load(PROGRAM).loaded
    names = {symbol.name: symbol.value for symbol in image.symbols}
    (code,) = image.blocks
    found = {}
    for claim in amount.claims:
        tell(claim.name)
        question = {
            "name": claim.name,
            "at": code.address,
            "code": code.data.hex(),
            "entry": names[claim.name],
            "places": {name: names[name] for name in claim.memory},
            "timeout": LIMIT,
        }
        theirs = _ask(
            [str(python.absolute()), "-m", "peers.answer_angr"], question, claim, amount.turns
        )
        ours = _ask([sys.executable, "-m", "peers.answer_romproof"], question, claim, amount.turns)
        found[claim.name] = (theirs, ours)
    return found


def _ask(command: Sequence[str], question: Mapping[str, Any], claim: Claim, turns: int) -> Answer:
    """The quickest of a few answers, or the one that took long."""
    answers: list[Answer] = []
    while len(answers) < turns and sum(a.seconds for a in answers) < QUICK:
        answers.append(_answer(command, question, claim))
    return min(answers, key=lambda answer: answer.seconds)


def _answer(command: Sequence[str], question: Mapping[str, Any], claim: Claim) -> Answer:
    if not Path(command[0]).exists():
        return Answer("unknown", 0.0, detail="not installed")

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))

    with tempfile.TemporaryDirectory() as folder:  # nothing is known from an earlier run
        ended = subprocess.run(
            command,
            input=json.dumps(question),
            capture_output=True,
            text=True,
            preexec_fn=limited,
            cwd=BENCH,
            env={**os.environ, "ROMPROOF_CACHE": folder},
        )
    if ended.returncode in _OUT_OF_TIME:
        return Answer("unknown", LIMIT, detail=f"not finished after {LIMIT} s")
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or ["no message"])[-1]
        return Answer("unknown", 0.0, detail=f"failed: {last}")
    found = json.loads(ended.stdout.splitlines()[-1])
    example = found["example"]
    return Answer(
        verdict=found["verdict"],
        seconds=found["asking"],
        loading=found["loading"],
        paths=found["paths"],
        detail=found.get("detail") or "",
        example=example,
        real=None if example is None else not kept(claim, example, question),
        by=found["by"],
    )


def kept(claim: Claim, inputs: Mapping[str, int], question: Mapping[str, Any]) -> bool:
    """Whether the claim holds for an input, executed by py65, a third party."""
    memory = [0] * 0x10000
    code = bytes.fromhex(question["code"])
    memory[question["at"] : question["at"] + len(code)] = code
    mpu = MPU(memory=memory, pc=question["entry"])
    for name in claim.registers:
        setattr(mpu, name, inputs[name])
    for name, size in claim.memory.items():
        for i in range(size):
            memory[question["places"][name] + i] = inputs[f"{name}+{i}"]
    old = values_of(claim, inputs)
    if not all(claim.requires(old)):
        return True  # the claim says nothing of it
    mpu.sp = _STACK
    back = _STOP - 1
    memory[0x100 + _STACK + 1], memory[0x100 + _STACK + 2] = back & 0xFF, back >> 8
    for _ in range(_STEPS):
        if mpu.pc == _STOP:
            return all(claim.ensures(old, _values(claim, mpu, question["places"]), number))
        mpu.step()
    return False


def values_of(claim: Claim, inputs: Mapping[str, int]) -> dict[str, Any]:
    """What the conditions speak of, for inputs that have a name for each byte."""
    found: dict[str, Any] = {name: inputs[name] for name in claim.registers}
    for name, size in claim.memory.items():
        found[name] = _number([inputs[f"{name}+{i}"] for i in range(size)])
    return found


def _values(claim: Claim, mpu: MPU, places: Mapping[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(mpu, name) for name in claim.registers}
    for name, size in claim.memory.items():
        found[name] = _number([mpu.memory[places[name] + i] for i in range(size)])
    return found


def _number(data: Sequence[int]) -> Any:
    return list(data) if len(data) > MAX else sum(b << 8 * i for i, b in enumerate(data))

"""Asks every model what its opcodes do, and counts the right ones."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from peers.amount import WHOLE, Amount
from peers.cases import Case, described, question, results, silicon, steps
from peers.scoreboard import Board, Opcode, board
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy

BENCH = Path(__file__).parents[1]
OURS = "romproof"
SILICON, STEPS, DESCRIBED, ROMS = "silicon", "SingleStepTests", "description", "ROMs"
MODELS_6502: Mapping[str, Sequence[str]] = {
    "SLEIGH 6502": ("sleigh", "6502"),
    "SLEIGH 6510": ("sleigh", "6510"),
    "py65": ("emulators", "py65"),
    "py65emu": ("emulators", "py65emu"),
    "jennings": ("emulators", "jennings"),
}
NO_IME = ("ime",)
"""What models of the SM83 in SLEIGH have no register for."""
SEED = 83
_FRAMES = 600
"""More than any of these ROMs needs."""


class Missing(Exception):
    """A peer is not installed, or does not run: the last line of what it said."""


@dataclass(frozen=True)
class Score:
    """What a model gets right, by each source of truth. ``by`` are names and versions; ``missing``
    why nothing is known. ``without`` are registers that were not compared."""

    model: str
    by: str
    boards: Mapping[str, Board]
    without: Sequence[str] = ()
    missing: str = ""


def scores_6502(python: Path, tell: Callable[[str], None], amount: Amount = WHOLE) -> list[Score]:
    """Ours against the silicon; every other model also against ours."""
    tell("6502: the cases")
    truths = {SILICON: list(silicon()), DESCRIBED: list(described("mos6502", amount.each))}
    found = [_ours("mos6502", {SILICON: truths[SILICON]})]
    for model, command in MODELS_6502.items():
        tell(f"6502: {model}")
        found.append(_score(python, model, command, truths))
    return found


def scores_sm83(
    python: Path,
    tell: Callable[[str], None],
    folder: Path | None,
    model: str,
    amount: Amount = WHOLE,
) -> list[Score]:
    """The same for the SM83. ``folder`` has SingleStepTests' files, or is None; ``model`` is the
    name of a model in SLEIGH, ``=`` and its file, or empty."""
    tell("SM83: the cases")
    truths = {DESCRIBED: list(described("sm83", amount.each))}
    found: list[Score] = []
    if folder is not None:
        truths = {STEPS: list(steps(folder, amount.each)), **truths}
        found.append(_ours("sm83", {STEPS: truths[STEPS]}))
    tell("SM83: PyBoy")
    found.append(_pyboy(python, amount.pieces))
    if model:
        tell(f"SM83: {model}")
        name, _, file = model.partition("=")
        found.append(_score(python, name, ("sleigh", str(Path(file).resolve())), truths, NO_IME))
    return found


def _ours(cpu: str, truths: Mapping[str, Sequence[Case]]) -> Score:
    boards = {name: board(cases, results(cpu, cases)) for name, cases in truths.items()}
    return Score(OURS, "this description", boards)


def _score(
    python: Path,
    model: str,
    command: Sequence[str],
    truths: Mapping[str, Sequence[Case]],
    without: Sequence[str] = (),
) -> Score:
    every = [case for cases in truths.values() for case in cases]
    try:
        answer = ask(python, command, question(every))
    except Missing as missing:
        return Score(model, "", {}, missing=str(missing))
    boards, rest = {}, answer["results"]
    for name, cases in truths.items():
        boards[name] = board(cases, rest[: len(cases)], without)
        rest = rest[len(cases) :]
    return Score(model, answer["by"], boards, without)


def ask(python: Path, command: Sequence[str], asked: str) -> Any:
    """The answer of a program that runs with the peers installed. Raises Missing."""
    module, *arguments = command
    if not python.exists():
        raise Missing("not installed")
    ended = subprocess.run(
        [str(python.absolute()), "-m", f"peers.{module}", *arguments],
        input=asked,
        capture_output=True,
        text=True,
        cwd=BENCH,
    )
    if ended.returncode:
        raise Missing((ended.stderr.strip().splitlines() or ["it says nothing"])[-1])
    return json.loads(ended.stdout.splitlines()[-1])


def _pyboy(python: Path, each: int) -> Score:
    """Cartridges of tests/isa, run by PyBoy and by us: what each instruction wrote to RAM."""
    pieces: Any = import_module("sm83_pieces")
    trials: Any = import_module("sm83_trials")
    tried = [*trials.effects(each, random.Random(SEED))]
    made = list(pieces.cartridges(tried, SEED))
    areas = [(pieces.RAM, pieces.RAM_END), (pieces.HIGH_RAM, pieces.IE)]
    asked = {
        "roms": [cartridge.rom.hex() for cartridge in made],
        "done": pieces.DONE,
        "finished": pieces.FINISHED,
        "areas": areas,
    }
    try:
        answer = ask(python, ("pyboys",), json.dumps(asked))
    except Missing as missing:
        return Score("PyBoy", "", {}, missing=str(missing))
    found: Board = {}
    scratch = pieces.SCRATCH - pieces.RAM
    behind = pieces.RAM_END - pieces.RAM
    same = True
    for cartridge, theirs in zip(made, map(bytes.fromhex, answer["rams"]), strict=True):
        machine = GameBoy(cartridge.rom, "plain")
        machine.run_until(lambda m: m.peek(pieces.DONE) == pieces.FINISHED, limit=_FRAMES * FRAME)
        ours = bytes(machine.peek(at) for start, end in areas for at in range(start, end))
        compare_pieces(cartridge, pieces.RAM, ours, theirs, found)
        for written in (slice(scratch, scratch + pieces.SCRATCH_SIZE), slice(behind, None)):
            same &= ours[written] == theirs[written]
    memory = "" if same else ", whose memory is another at the end"
    return Score("PyBoy", answer["by"] + memory, {ROMS: found})


def compare_pieces(cartridge: Any, start: int, ours: bytes, theirs: bytes, found: Board) -> None:
    """Count the pieces of code that wrote the same results, each by its opcode."""
    for piece, place in zip(cartridge.pieces, cartridge.places, strict=True):
        opcode = found.setdefault(piece.opcode.index, Opcode())
        at = slice(place - start, place - start + piece.size)
        differ = ours[at] != theirs[at]
        opcode.cases += 1
        opcode.failed += differ
        opcode.failed_binary += differ
        opcode.wrong |= {"registers"} if differ else set()

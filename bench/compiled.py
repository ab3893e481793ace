"""The same shuffle in C, compiled by cc65 and run on the same engine."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fairdeck.tarot.on_machine import start
from fairdeck.tarot.runs import Request
from fairdeck.tarot.shuffle import CARDS, SORTED
from romproof.engine.protocol import Stop
from romproof.engine.py65_engine import Py65Engine

SOURCE = Path(__file__).with_name("tarot_cc65.c")
FLAGS = ("-O", "-Cl")
HEADER = 12
"""Bytes before the program in a file for sim65; at 8 stands the address it is loaded to."""
STACK = 0xFDF0
"""The top of the compiler's own stack."""
RETURN = 0xFFF0
LIMIT = 20_000_000


def compiled_shuffle(request: Request) -> tuple[tuple[int, ...], int]:
    """The deck after one shuffle, and the cycles from the routine's start to its RTS.

    Raises CalledProcessError when cl65 fails, KeyError when the source lacks a variable.
    """
    with tempfile.TemporaryDirectory() as folder:
        program, names = Path(folder, "tarot"), Path(folder, "tarot.lbl")
        # cl65 leaves object files beside a source; -g brings the names of static functions
        shutil.copy(SOURCE, folder)
        words = ("cl65", "-t", "sim6502", *FLAGS, "-g", "-o", program, "-Ln", names, SOURCE.name)
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        data = program.read_bytes()
        lines = [line.split() for line in names.read_text("utf-8").splitlines()]
    labels = {name: int(address, 16) for _, address, name in lines}
    engine = Py65Engine()
    load = int.from_bytes(data[8:10], "little")
    engine.memory[load : load + len(data) - HEADER] = data[HEADER:]
    values = {f"._{name}": value for name, value in variables(request).items()}
    for name, value in {".sp": STACK.to_bytes(2, "little"), **values}.items():
        engine.memory[labels[name] : labels[name] + len(value)] = value
    engine.memory[0x1FE:0x200] = (RETURN - 1).to_bytes(2, "little")
    engine.registers.pc, engine.registers.s = labels["._shuffle"], 0xFD
    stop = engine.run((RETURN,), LIMIT)
    assert stop is Stop.REACHED
    deck = labels["._deck"]
    return tuple(engine.memory[deck : deck + CARDS]), engine.cycles


def variables(request: Request) -> Mapping[str | int, bytes]:
    """What stands in memory before a shuffle, by the name of the variable."""
    return {**start(request), "deck": bytes(SORTED)}

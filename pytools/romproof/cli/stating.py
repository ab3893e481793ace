"""The files of states that ``romproof run`` reads and writes."""

from __future__ import annotations

from pathlib import Path

from romproof.harness.machine import Machine
from romproof.machine.statefile import MAGIC
from romproof.machine.statevalues import BadState
from romproof.support.files import write_atomically
from romproof.support.reading import read_input
from romproof.text.errors import BadInput


def check_state_file(path: str | None) -> None:
    """That a state may be written there: nothing else is replaced. Raises BadInput."""
    if path is None or not Path(path).is_file():
        return
    with open(path, "rb") as file:
        start = file.read(len(MAGIC))
    if start and start != MAGIC:
        raise BadInput(
            f"{path}: this file is there and is no state of romproof: give --state another name"
        )


def write_state(path: str, machine: Machine) -> None:
    """Write the state of a machine. Raises OSError."""
    write_atomically(Path(path), machine.save().to_bytes())


def read_state(path: str, machine: Machine) -> None:
    """Bring a machine to the state in a file. Raises OSError and BadState."""
    data = read_input(path)
    try:
        machine.restore(data)
    except BadState as fault:
        raise BadState(f"{path}: {fault}") from None

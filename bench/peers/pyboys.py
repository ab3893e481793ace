"""Runs Game Boy ROMs in PyBoy; gives what they left in RAM. A process of its own.

    python -m peers.pyboys < roms > rams

Standard input is JSON: ``roms``, as hexadecimal digits; ``done``, the address at which a ROM puts
``finished`` when it is at its end; ``areas``, the first address of each wanted area of RAM and the
one behind it. The answer has ``by`` and ``rams``, all the areas of each ROM in one.
"""

from __future__ import annotations

import io
import json
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

FRAMES = 600
"""More than PyBoy needs for its boot ROM and any of these ROMs."""


def ram_after(rom: bytes, done: int, finished: int, areas: Sequence[tuple[int, int]]) -> bytes:
    """Run a ROM to its end. Raises RuntimeError if it does not come there."""
    with warnings.catch_warnings(action="ignore"):  # it tells where its SDL2 comes from
        pyboy = import_module("pyboy")
    player = pyboy.PyBoy(io.BytesIO(rom), window="null", sound_emulated=False, log_level="ERROR")
    player.set_emulation_speed(0)
    for _ in range(FRAMES):
        if player.memory[done] == finished:
            break
        player.tick(1, False, False)
    else:
        raise RuntimeError("PyBoy does not come to the end of a ROM")
    found = b"".join(bytes(player.memory[start:end]) for start, end in areas)
    player.stop(save=False)
    return found


def main() -> None:
    """Run the ROMs of standard input."""
    asked = json.load(sys.stdin)
    rams = [
        ram_after(bytes.fromhex(rom), asked["done"], asked["finished"], asked["areas"]).hex()
        for rom in asked["roms"]
    ]
    print(json.dumps({"by": f"PyBoy {version('pyboy')}", "rams": rams}))


if __name__ == "__main__":
    main()

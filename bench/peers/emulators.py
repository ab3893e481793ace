"""Executes cases with the 6502 of a Python package. A process of its own.

    python -m peers.emulators MODEL < cases > results

MODEL is a key of MODELS. Cases and results are JSON, described in cases.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import version
from typing import Any

from peers.watched import Watched, memory_of

Machine = tuple[Any, Callable[[], Any], Mapping[str, str]]
"""Where the registers are, what executes an instruction, and the names that they have there."""


def _py65(memory: Watched) -> Machine:
    mpu = import_module("py65.devices.mpu6502").MPU(memory=memory)
    return mpu, mpu.step, {"s": "sp"}


def _jennings(memory: Watched) -> Machine:
    mpu = import_module("jennings.devices.mpu6502").MPU(memory=memory)
    return mpu, mpu.step, {"s": "sp"}


def _py65emu(memory: Watched) -> Machine:
    cpu = import_module("py65emu.cpu").CPU(memory)
    return cpu.r, cpu.step, {}


MODELS: Mapping[str, Callable[[Watched], Machine]] = {
    "py65": _py65,
    "jennings": _jennings,
    "py65emu": _py65emu,
}
REGISTERS = ("a", "x", "y", "s", "p", "pc")


def run(model: str, case: Mapping[str, Any], base: bytes) -> dict[str, Any]:
    """One case; what came of it."""
    ram = Watched(memory_of(base, case["ram"]))
    registers, step, names = MODELS[model](ram)
    for name in REGISTERS:
        setattr(registers, names.get(name, name), case["before"][name])
    try:
        step()
    except Exception as error:  # whatever it is, this instruction is not executed
        return {"open": f"{type(error).__name__}: {error}"}
    after = {name: getattr(registers, names.get(name, name)) for name in REGISTERS}
    return {"after": after, "written": ram.written}


def main(model: str) -> None:
    """Execute the cases of standard input with a model."""
    asked = json.load(sys.stdin)
    base = bytes.fromhex(asked["base"])
    results = [run(model, case, base) for case in asked["cases"]]
    print(json.dumps({"by": f"{model} {version(model)}", "results": results}))


if __name__ == "__main__":
    main(sys.argv[1])

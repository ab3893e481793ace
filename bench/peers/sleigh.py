"""Executes cases with a model in SLEIGH: pypcode decodes, pcode executes. A process of its own.

    python -m peers.sleigh MODEL < cases > results

MODEL is 6502 (pypcode's own), 6510 (of deity-informant), or the .ldefs file of a compiled model of
the SM83. Cases and results are JSON, described in cases.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from peers.pcode import NotModelled, Op, Place, State, execute
from peers.watched import Watched, memory_of

FLAGS_6502 = (("N", 7), ("V", 6), ("D", 3), ("I", 2), ("Z", 1), ("C", 0))
PLAIN = {
    "6502": ("a", "x", "y"),
    "sm83": ("a", "f", "b", "c", "d", "e", "h", "l", "sp"),
}
"""Registers that the models have by the same name, in capital letters."""
STACK = 0x0100
"""The stack pointer of these models has 16 bits: one that leaves this page is wrong."""


def open_model(name: str) -> tuple[Any, str, str]:
    """What decodes, the CPU, and who made it."""
    pypcode = import_module("pypcode")
    by = f"pypcode {version('pypcode')}"
    if name == "6502":
        return pypcode.Context("6502:LE:16:default"), "6502", by
    if name == "6510":  # of a package that builds upon pypcode's own
        sleigh = import_module("deity_informant.sleigh")
        with tempfile.TemporaryDirectory() as folder:
            context = sleigh.pypcode_context(folder)
        return context, "6502", f"deity-informant {version('deity-informant')} on {by}"
    language = pypcode.Arch(Path(name).stem, name).languages[0]
    return pypcode.Context(language), "sm83", f"{Path(name).name} on {by}"


def operations(context: Any, code: bytes, at: int) -> tuple[list[Op], int]:
    """The operations of the instruction at an address, and how many bytes it has."""
    pypcode = import_module("pypcode")
    try:
        found = context.translate(code, at, 0, 0, 1).ops
    except (pypcode.BadDataError, pypcode.UnimplError, pypcode.LowlevelError) as error:
        raise NotModelled(f"not decoded: {type(error).__name__}") from None
    return [_op(op) for op in found], sum(p.size for p in found[0].inputs)


def _op(op: Any) -> Op:
    name = op.opcode.__name__
    inputs, space, called = list(op.inputs), "", ""
    if name in ("LOAD", "STORE"):
        space = inputs.pop(0).getSpaceFromConst().name.lower()
    elif name == "CALLOTHER":
        called = inputs[0].getUserDefinedOpName()
    output = None if op.output is None else _place(op.output)
    return Op(name, tuple(map(_place, inputs)), output, space, called)


def _place(varnode: Any) -> Place:
    return Place(varnode.space.name.lower(), varnode.offset, varnode.size)


def run(context: Any, cpu: str, case: Mapping[str, Any], base: bytes) -> dict[str, Any]:
    """One case; what came of it."""
    before = case["before"]
    ram = Watched(memory_of(base, case["ram"]))
    named = {name: _place(varnode) for name, varnode in context.registers.items()}
    state = State(ram)
    for name in PLAIN[cpu]:
        state.write(named[name.upper()], before[name])
    if cpu == "6502":
        state.write(named["SP"], STACK + before["s"])
        for name, bit in FLAGS_6502:
            state.write(named[name], before["p"] >> bit & 1)
    code = bytes(ram[before["pc"] + i & 0xFFFF] for i in range(4))
    try:
        ops, size = operations(context, code, before["pc"])
        after = {"pc": execute(ops, state, before["pc"] + size)}
    except NotModelled as fault:
        return {"open": str(fault)}
    after |= {name: state.read(named[name.upper()]) for name in PLAIN[cpu]}
    if cpu == "6502":
        after["s"] = state.read(named["SP"]) - STACK
        after["p"] = sum((state.read(named[name]) & 1) << bit for name, bit in FLAGS_6502)
    return {"after": after, "written": ram.written}


def main(name: str) -> None:
    """Execute the cases of standard input with a model."""
    context, cpu, by = open_model(name)
    asked = json.load(sys.stdin)
    base = bytes.fromhex(asked["base"])
    results = [run(context, cpu, case, base) for case in asked["cases"]]
    print(
        json.dumps({"by": by, "results": results})
    )  # in the last line: the others are a compiler's


if __name__ == "__main__":
    main(sys.argv[1])

"""Asks angr whether a routine keeps its claim for all inputs. A process of its own.

    python -m peers.answer_angr < question > answer

The question is JSON: ``name`` of claims.py, ``code`` (hexadecimal digits) that lies at ``at``,
``entry``, and ``places``, the addresses of variables. Symbolic execution follows every path with
angr's engine for p-code and all inputs unknown; for the end of each path z3 is asked for inputs
that the claim is wrong for. The answer: ``verdict``, ``example`` (values by name), ``paths``,
``detail``, ``loading`` and ``asking`` (processor time in seconds), ``by``.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any

from peers.claims import BY_NAME, MAX, Claim

LANGUAGE = "6502:LE:16:default"
END = 0xF0F0
"""Where the routine returns to: SLEIGH's RTS goes to the pushed address, chips one further."""
STACK = 0x01FD
WIDE = 40
FLAGS = "nvbizc"


class Asked:
    """A routine with all of its inputs unknown."""

    def __init__(self, question: Mapping[str, Any]) -> None:
        self.angr: Any = import_module("angr")
        self.claripy: Any = import_module("claripy")
        self.claim: Claim = BY_NAME[question["name"]]
        self.places: Mapping[str, int] = question["places"]
        archinfo: Any = import_module("archinfo")
        self.project: Any = self.angr.load_shellcode(
            bytes.fromhex(question["code"]),
            arch=archinfo.ArchPcode(LANGUAGE),
            load_address=question["at"],
            engine=self.angr.engines.UberEnginePcode,
        )
        self.inputs: dict[str, Any] = {}
        self.left_out = False
        self.state = self._start(question["entry"])
        self.old = self._values(self.state)

    def _start(self, entry: int) -> Any:
        claripy, options = self.claripy, self.angr.options
        wanted = {
            options.SYMBOL_FILL_UNCONSTRAINED_MEMORY,
            options.SYMBOL_FILL_UNCONSTRAINED_REGISTERS,
            options.SYMBOLIC_WRITE_ADDRESSES,  # else one address of a table stands for all
        }
        state = self.project.factory.blank_state(addr=entry, add_options=wanted)
        after = self.angr.state_plugins.inspect.BP_AFTER
        state.inspect.b("address_concretization", when=after, action=self._note_address)
        for flag in FLAGS:
            value = claripy.BVS(flag, 8)
            state.solver.add(value <= 1)
            setattr(state.regs, flag, value)
        state.regs.d = 0
        state.regs.sp = STACK
        state.memory.store(STACK + 1, END.to_bytes(2, "little"))
        for name in self.claim.registers:
            self.inputs[name] = claripy.BVS(name, 8)
            setattr(state.regs, name, self.inputs[name])
        for name, size in self.claim.memory.items():
            for i in range(size):
                byte = self.inputs[f"{name}+{i}"] = claripy.BVS(f"{name}{i}", 8)
                state.memory.store(self.places[name] + i, byte)
        state.solver.add(*list(self.claim.requires(self._values(state))))
        return state

    def _note_address(self, state: Any) -> None:
        """Of an unknown address angr may take one value, and leave all others out."""
        address = state.inspect.address_concretization_expr
        taken: list[int] = state.inspect.address_concretization_result or []
        if address.symbolic and len(taken) == 1:
            self.left_out |= state.solver.satisfiable([address != taken[0]])

    def _values(self, state: Any) -> dict[str, Any]:
        found = {name: self._wide(getattr(state.regs, name)) for name in self.claim.registers}
        for name, size in self.claim.memory.items():
            at = self.places[name]
            bytes_ = [self._wide(state.memory.load(at + i, 1)) for i in range(size)]
            found[name] = bytes_ if size > MAX else sum(b << 8 * i for i, b in enumerate(bytes_))
        return found

    def _wide(self, value: Any) -> Any:
        return value.zero_extend(WIDE - value.size())

    def answer(self) -> dict[str, Any]:
        """Follow all paths; look for inputs that the claim is wrong for."""
        manager = self.project.factory.simulation_manager(self.state)
        ends = (END, END + 1)
        manager.explore(find=ends, num_find=1 << 30)
        found = {"paths": len(manager.found), "example": None}
        for path in manager.found:
            new = self._values(path)
            wrong = self.claripy.Not(
                self.claripy.And(*self.claim.ensures(self.old, new, self.claripy.If))
            )
            if path.solver.satisfiable([wrong]):
                path.solver.add(wrong)
                example = {name: path.solver.eval(byte) for name, byte in self.inputs.items()}
                return found | {"verdict": "refuted", "example": example}
        if manager.errored or manager.deadended or not manager.found:
            reasons = [str(each.error) for each in manager.errored] or ["paths without an end"]
            return found | {"verdict": "unknown", "detail": reasons[0]}
        if self.left_out:
            return found | {"verdict": "unknown", "detail": "one address taken for many"}
        return found | {"verdict": "proved"}


def main(arguments: Sequence[str]) -> None:
    """Answer the question of standard input."""
    question = json.load(sys.stdin)
    logging.disable(logging.CRITICAL)
    import_module("angr")
    loaded = time.process_time()
    answer = Asked(question).answer()
    asking = time.process_time() - loaded
    by = f"angr {version('angr')}, pypcode {version('pypcode')}, z3 {version('z3-solver')}"
    print(json.dumps(answer | {"loading": loaded, "asking": asking, "by": by}))


if __name__ == "__main__":
    main(sys.argv[1:])

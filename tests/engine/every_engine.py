"""The engines that can be used here, by name; what runs on one must run on all."""

from __future__ import annotations

from typing import Any

from romproof.engine.engines import ENGINES, Ability, make_engine
from romproof.engine.space import AddressSpace

HERE = [name for name, row in ENGINES.items() if row.missing() is None]


def engines_with(ability: Ability | None = None, cpu: str = "mos6502") -> list[str]:
    """The names of those that know a CPU and can do something."""
    return [
        name
        for name in HERE
        if ENGINES[name].refusal(cpu) is None
        and (ability is None or ability in ENGINES[name].abilities)
    ]


def engine_with(
    name: str,
    code: bytes = b"",
    at: int = 0x0200,
    space: AddressSpace | None = None,
    cpu: str = "mos6502",
    **registers: int,
) -> Any:
    """An engine with ``code`` in memory, the program counter at its first byte."""
    engine: Any = make_engine(name, cpu, space)
    engine.memory[at : at + len(code)] = code
    for register, value in {"pc": at, **registers}.items():
        setattr(engine.registers, register, value)
    return engine

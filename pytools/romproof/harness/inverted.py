"""A call again with other values in what is no input: does it really leave them alone?

A routine that ends with SEC changes C, but nobody sees it while C was set
before. So what neither the test nor the contract's ``in:`` names is inverted,
and the call is made once more: what must be preserved must come back this time
too.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from romproof.contract.check import Call, State, Violation, check_preserved
from romproof.contract.model import Contract, Flag, Register
from romproof.engine.protocol import Engine, EngineFault, Stop
from romproof.engine.registers import Registers
from romproof.harness.replay import Scenario


def inverted(scenario: Scenario, contract: Contract, given: Collection[str]) -> Scenario | None:
    """The scenario with what is no input inverted; None when all is input.

    ``given`` are the registers and flags the test sets, in lower case. D stays:
    hardly any routine is meant for decimal mode. A contract without ``in:``
    does not say what is no input.
    """
    if "in" not in dict(contract.places):
        return None
    registers = scenario.registers.copy()
    for register in (Register.A, Register.X, Register.Y):
        name = register.value.lower()
        if name not in given and register not in contract.inputs:
            setattr(registers, name, getattr(registers, name) ^ 0xFF)
    for flag in Flag:
        free = flag.value.lower() not in given and flag not in contract.inputs
        if free and flag is not Flag.D:
            registers.p ^= flag.mask
    return replace(scenario, registers=registers) if registers != scenario.registers else None


def changed_when_inverted(
    engine: Engine, scenario: Scenario, contract: Contract
) -> list[Violation]:
    """What the call does not preserve; nothing when it does not come to its end.

    A call that fails only with inverted values has an input that its contract
    does not name; the call that the test made did not.
    """
    engine.memory[:] = scenario.memory
    engine.registers.set(scenario.registers)
    engine.guard = scenario.guard
    engine.lowest_s = scenario.registers.s
    try:
        if engine.run(scenario.until, scenario.limit) is Stop.LIMIT:
            return []
    except EngineFault:
        return []
    end: Registers = engine.registers.copy()
    memory = scenario.memory  # it plays no part here
    call = Call(State(scenario.registers, memory), State(end, memory), 0, engine.lowest_s)
    return check_preserved(contract, call)

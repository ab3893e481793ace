"""A call again with other values in what is not an input: does it really leave them alone?

A routine that ends with SEC changes C, but nobody sees it while C was set
before. So what neither the test nor the contract's ``in:`` names is inverted,
and the call is made once more: what must be preserved must come back this time
too.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from romproof.contract.checks.check import Violation, check_preserved
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.state import Call, State
from romproof.engine.probe import Probed, register_bits
from romproof.engine.protocol import EngineFault, Stop
from romproof.harness.replay.run import Scenario
from romproof.harness.state.stubbed_board import StubbedBoard
from romproof.isa.abi import Abi, Flag
from romproof.isa.cpus import cpu_named


def invert(scenario: Scenario, contract: Contract, given: Collection[str]) -> Scenario | None:
    """The scenario with what is not an input inverted; None when all is input.

    ``given`` are the registers and flags the test sets, as contracts write them. The 6502's
    D stays: hardly any routine is meant for decimal mode. A contract without ``in:``
    does not say what is not an input.
    """
    if not contract.says("in"):
        return None
    abi, registers = scenario.abi, scenario.registers.copy()
    for register in abi.registers:
        if register.name not in given and register.name not in contract.input_names:
            name = register.attribute
            abi.set(registers, name, abi.get(registers, name) ^ register.mask)
    byte = abi.flags_of(registers)
    for flag in abi.flags:
        free = flag.name not in given and flag.name not in contract.input_names
        if free and flag.letter not in abi.not_inverted:
            byte ^= flag.mask
    abi.set(registers, abi.flag_byte, byte)
    return replace(scenario, registers=registers) if registers != scenario.registers else None


def depends_on_inverted(
    abi: Abi, contract: Contract, bits: tuple[int, int], probed: Probed
) -> bool:
    """Whether a call that kept its contract may break it with ``invert`` registers, by what it
    did with them; ``bits`` are the ``bits_to_invert``.

    When it has read none of them before it set it, the inverted call goes the same way, and what
    it sets gets the same values. A register it has not set comes back as it was in both. Only one
    that it has set, to the value it happened to have, and must preserve, comes back otherwise.
    """
    free, preserved = bits
    handler = contract.entry(abi).by_interrupt  # its flags are compared with those on the stack
    return handler or bool(probed.read & free or probed.set & preserved)


def bits_to_invert(abi: Abi, contract: Contract, given: Collection[str]) -> tuple[int, int]:
    """What ``invert`` inverts, and what of that must come back, as bits of Probed."""
    bits = register_bits(tuple(cpu_named(abi.cpu).registers))
    free = preserved = 0
    for item in abi.contents:
        stays = isinstance(item, Flag) and item.letter in abi.not_inverted
        if stays or item.name in given or item.name in contract.input_names:
            continue
        free |= bits[item.name.lower()]
        if not contract.may_change(item):
            preserved |= bits[item.name.lower()]
    return free, preserved


def run_inverted(stage: StubbedBoard, scenario: Scenario, contract: Contract) -> list[Violation]:
    """What the call does not preserve; nothing when it does not end.

    A call that fails only with inverted values has an input that its contract
    does not name; the call that the test made did not.
    """
    scenario.set_up(stage)
    engine = stage.engine
    try:
        if stage.run(scenario.until, scenario.limit) is Stop.LIMIT:
            return []
    except EngineFault:
        return []
    end = engine.registers.copy()
    memory = scenario.memory  # it plays no part here
    before = State(scenario.registers, memory)
    call = Call(before, State(end, memory), 0, engine.lowest_s, scenario.abi)
    return check_preserved(contract, call)

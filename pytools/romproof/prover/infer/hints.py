"""The constants that callers put into pairs of registers before they call."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.prover.infer.flows import Flows

_BACK = 10
"""Instructions before a call that are looked at."""
_WORDS = ("bc", "de", "hl", "a", "b", "c", "d", "e")
_IMMEDIATE = ("n16", "n8", "a16")


def hints_of(flows: Flows, entry: int) -> Mapping[str, tuple[int, ...]]:
    """By pair (``HL``), the addresses that calls and jumps to a routine are seen to pass."""
    values_of: dict[str, dict[int, None]] = {}
    before = {step.following: address for address, step in flows.steps.items()}
    last = [before.get(site) for site in flows.sites.get(entry, ())]
    # what falls into it may end with a constant
    last += [a for a, step in flows.steps.items() if entry in step.nexts and step.call is None]
    for at in last:
        seen: set[str] = set()
        for _ in range(_BACK):
            if at is None or flows.steps[at].call is not None:
                break
            instruction = flows.steps[at].instruction
            word, _, operand = instruction.opcode.mode.replace(" ", "").partition(",")
            loads = instruction.opcode.mnemonic == "ld" and operand in _IMMEDIATE
            if loads and word in _WORDS and word not in seen:
                values_of.setdefault(word.upper(), {})[instruction.operand] = None
            seen.update(w for w in _WORDS if set(w) & set(word))
            at = before.get(at)
    return {pair: tuple(values) for pair, values in values_of.items()}


def in_rom(hints: Mapping[str, tuple[int, ...]], is_fixed: bytes) -> Mapping[str, tuple[int, ...]]:
    """The hints with those of a pair that lie in ROM alone, where some do and others do not."""
    fixed = {pair: tuple(a for a in seen if is_fixed[a]) for pair, seen in hints.items()}
    return {
        pair: fixed[pair] if len(pair) == 2 and fixed[pair] else seen
        for pair, seen in hints.items()
    }

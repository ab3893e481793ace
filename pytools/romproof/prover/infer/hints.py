"""The constants that callers put into pairs of registers before they call."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.prover.infer.flows import Flows

_BACK = 10
"""Instructions before a call that are looked at."""
_WORDS = ("bc", "de", "hl")


def hints_of(flows: Flows, entry: int) -> Mapping[str, tuple[int, ...]]:
    """By pair (``HL``), the addresses that calls and jumps to a routine are seen to pass."""
    found: dict[str, dict[int, None]] = {}
    sites = list(flows.sites.get(entry, ()))
    sites += [a for a, step in flows.steps.items() if entry in step.nexts and step.call is None]
    before = {step.following: address for address, step in flows.steps.items()}
    for site in sites:
        at: int | None = site
        seen: set[str] = set()
        for _ in range(_BACK):
            at = before.get(at) if at is not None else None
            if at is None:
                break
            opcode = flows.steps[at].instruction.opcode
            if opcode.mnemonic == "ld" and opcode.placeholder == "a16" or opcode.size == 3:
                word = opcode.mode.partition(",")[0]
                if opcode.mnemonic == "ld" and word in _WORDS and word not in seen:
                    value = flows.steps[at].instruction.operand
                    found.setdefault(word.upper(), {})[value] = None
            seen.update(w for w in _WORDS if opcode.mode.startswith(w))
            if flows.steps[at].call is not None:
                break
    return {pair: tuple(values) for pair, values in found.items()}

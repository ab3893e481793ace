"""The rule for ports of callees: what is a port for a routine is one for all that come to it.

The argument stands in the head page: ``romproof.prover.calls``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.apart import off_ports, ranges_of


def with_ports(contract: Contract, ports: Collection[int]) -> Contract:
    """The contract with further ports."""
    ranges = ranges_of(ports)
    return replace(
        contract,
        volatile=(
            *contract.volatile,
            *(MemoryRange(f"${run.start:04X}", run.start, len(run)) for run in ranges),
        ),
        requires=(
            *contract.requires,
            *(off_ports(pointer, ranges) for pointer in contract.pointers),
        ),
    )

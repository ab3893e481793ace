"""The rule for ports of callees: what is a port for a routine is one for all that come to it.

Whether an address is a port is a matter of the machine. So a routine has, besides the ports that
its own contract lists, those of each routine with a contract that it comes to, however deep. What
it says of its blocks is then what it would say if it listed them itself: that they lie apart from
these ports, too. Nothing else is added: what it reads has to be listed under ``in:`` all the same.
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

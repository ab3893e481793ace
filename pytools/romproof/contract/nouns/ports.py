"""Which addresses are not memory but ports: reading one twice need not bring the same."""

from __future__ import annotations

from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Abi


def volatile_addresses(contract: Contract | None, abi: Abi) -> frozenset[int]:
    """The addresses of which each read brings a new value, whatever was written there.

    Those are what ``contract`` lists as ``volatile`` and ``abi.volatile``: the SM83's I/O
    registers at $FF00..$FF7F, the NES's at $2000..$401F and the C64's at $D000..$DFFF, whether a
    contract names them or not. High RAM and IE behind the SM83's
    are memory, and so are the video RAM and OAM, as long as the screen does not use them. A 6502
    in flat memory has no such range: where its machine has ports, the contract says so.
    """
    listed = () if contract is None else contract.volatile
    addresses = {address for memory in listed for address in memory.addresses()}
    for start, end in abi.volatile:
        addresses.update(range(start, end))
    return frozenset(addresses)

"""Loops that wait for a device, known when code is translated: nobody has to look for them then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from romproof.engine.llvm.waiting import mos6502_loop, sm83_loop
from romproof.engine.recompiled.discover import PlacedInstruction
from romproof.engine.space import AddressSpace
from romproof.isa.algebra import Op

_LOOPS: Mapping[str, Callable[..., tuple[int, int, int]]] = {
    "sm83": sm83_loop,
    "ricoh2a03": mos6502_loop,
}
_MAX = 3
"""Instructions of a loop that waits, at most."""


@dataclass(frozen=True)
class _Bytes:
    """As much of an address space as is asked for."""

    data: Mapping[int, int]
    actions: bytes

    def peek(self, address: int) -> int:
        return self.data.get(address, 0)


def table_of(
    cpu: str,
    placed: Mapping[int, PlacedInstruction],
    actions: bytes,
    instruction: PlacedInstruction,
) -> bytes | None:
    """What compiled devices are told of the loop that an instruction which reads begins; see
    ``GOES_ROUND``. All is 0 when it begins none; None when that is not known, as what follows is
    not translated."""
    none = bytes(3 + 0x100)
    reads = [
        step.address.number
        for part in instruction.parts
        for step in part.steps
        if step.kind.is_read and step.address is not None and step.address.op is Op.CONST
    ]
    if cpu not in _LOOPS or len(reads) != 1:
        return none
    data = dict[int, int]()
    place, back = instruction.address, False
    for _ in range(_MAX):
        following = placed.get(place)
        if following is None:
            return None
        data |= {place + at: byte for at, byte in enumerate(following.data)}
        place += following.size
        back = instruction.address in (following.targets or ())
        if back or len(following.targets or ()) != 1:
            break
    if not back:
        return none
    space = cast(AddressSpace, _Bytes(data, actions))
    loops: list[Any] = [
        _LOOPS[cpu](space, instruction.address, reads[0], value) for value in range(0x100)
    ]
    shape = next((loop for loop in loops if loop[0]), (0, 0, 0))
    assert all(loop in (shape, (0, 0, 0)) for loop in loops)
    return bytes([*shape, *(loop[0] > 0 for loop in loops)])

"""What names of banks, addresses and routines stand for on a machine, for a trace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from romproof.harness.machine import Machine
from romproof.harness.state.traced_places import TracedPlace, TracedPlaces
from romproof.harness.state.values import BadValue
from romproof.machine.board import Board, BoardError, InBank
from romproof.measure.code_locations import routine_starts
from romproof.program.image import Image
from romproof.text.numbers import whole

_NUMBER = r"(?:\$|0[xX])[0-9A-Fa-f]{1,8}|[0-9]{1,8}"
_RANGE = re.compile(rf"({_NUMBER})-({_NUMBER})")
_BANK = re.compile(r"(\w+)\[([0-9]{1,5})\]")
_END = 0x10000


def find_traced(machine: Machine, names: Sequence[str]) -> TracedPlaces:
    """What ``names`` say: ``$8000-$80FF`` is a range of addresses, ``ROMX[2]`` a bank or an area
    of memory, all else a routine, up to where the next one begins.

    The machine's banks are switched meanwhile. Raises UnknownSymbol and BadValue.
    """
    return TracedPlaces(tuple(place for name in names for place in _find(machine, name)))


def _find(machine: Machine, name: str) -> list[TracedPlace]:
    match = _RANGE.fullmatch(name)
    if match is not None:
        first, last = _address(match[1]), _address(match[2])
        if not first <= last < _END:
            raise BadValue(f"'{name}' is empty or outside $0000-$FFFF")
        return [TracedPlace(first, last)]
    board, image = machine.board, machine.image
    match = _BANK.fullmatch(name)
    windows = [w for w in board.windows if w.kind == (match[1] if match else name)]
    if windows:
        return _find_bank(board, name, None if match is None else int(match[2]))
    area = next((area for area in image.areas if area.name == name), None)
    if area is not None:
        return [TracedPlace(area.start, min(area.start + area.size, _END) - 1)]
    if match is not None:
        kinds = ", ".join(dict.fromkeys(w.kind for w in board.windows)) or "none"
        raise BadValue(f"no bank '{name}' on this machine; kinds of banks there are: {kinds}")
    return [_find_routine(machine, name)]


def _find_bank(board: Board, name: str, number: int | None) -> list[TracedPlace]:
    """A bank, in each window where it can be; without a number all of them."""
    kind = name.partition("[")[0]
    found: list[TracedPlace] = []
    refused: BoardError | None = None
    for index, window in enumerate(board.windows):
        if window.kind != kind:
            continue
        first, last = window.addresses[0], window.addresses[-1]
        if number is None:
            found.append(TracedPlace(first, last))
            continue
        try:
            board.select(index, number)
        except BoardError as fault:
            refused = fault
        else:
            found.append(TracedPlace(first, last, InBank(index, number)))
    if not found and refused is not None:
        raise BadValue(f"'{name}': {refused}")
    return found


def _find_routine(machine: Machine, name: str) -> TracedPlace:
    target: str | int = _address(name) if re.fullmatch(_NUMBER, name) else name
    (first,), homes = machine.places([target])
    end = _end_of_routine(machine.show(target), first)
    home = next(iter(homes.get(first, ())), None)
    return TracedPlace(first, end - 1, home)


def _end_of_routine(image: Image, first: int) -> int:
    """Where a routine ends: its ``.proc``, or the next routine begins, or its segment ends."""
    own = [r.size for r in image.routines if r.address == first]
    if own:
        return first + max(own)
    starts = routine_starts(image) | {s.value for s in image.symbols if s.is_label and s.exported}
    segment = image.segment_at(first)
    end = _END if segment is None else segment.run + segment.size
    return min((start for start in starts if first < start < end), default=end)


def _address(text: str) -> int:
    if text.startswith("$"):
        return whole(text[1:], 16)
    return whole(text[2:], 16) if text[:2].lower() == "0x" else whole(text)

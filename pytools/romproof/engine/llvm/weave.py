"""What is woven into compiled code: each combination is a variant of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weave:
    """What compiled code does besides executing; what is off is not there at all.

    ``paged``: memory is reached through the page tables. ``reads``, ``writes``: the bits
    ON_READ and ON_WRITE are checked. ``interrupts``: so are the interrupt lines. ``steals``:
    devices may take cycles from the CPU. ``chips``: they are compiled, too.
    ``guard``: the stack pointer is checked, and BRK.
    ``counts``: executions and cycles of each address.
    ``access``: which addresses were read (1), written (2), executed (4). ``records``: one
    Record for each instruction; ``calls``: for each call and return. ``dirty``: one byte for
    each page that was written.
    ``explore``: where instructions were executed (1) and where a jump led whose target is not
    in the code (2). ``banked``: these are
    noted by their places in the store. ``probe``: what is read before it is set, see probe.py.
    """

    cpu: str
    paged: bool = False
    reads: bool = False
    writes: bool = False
    interrupts: bool = False
    steals: bool = False
    chips: bool = False
    guard: bool = False
    counts: bool = False
    access: bool = False
    records: bool = False
    calls: bool = False
    dirty: bool = False
    explore: bool = False
    banked: bool = False
    probe: bool = False

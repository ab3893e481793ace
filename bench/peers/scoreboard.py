"""Which opcodes of a model are right: its results against those that are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from peers.cases import Case, changes

FLAGS: Mapping[str, str] = {"p": "NV-BDIZC", "f": "ZNHC----"}
_IN_THE_CHIP = 0xCF
"""Flags of the 6502 that are more than bits on the stack."""
DECIMAL = 0x08
MEMORY = "memory"


@dataclass
class Opcode:
    """What was seen of one opcode. ``wrong`` are registers, flags and ``memory`` that were not
    as they should be in any case; ``open_`` says why there was no result."""

    cases: int = 0
    failed: int = 0
    failed_binary: int = 0
    """Those of them with D clear; of the SM83 all."""
    wrong: set[str] = field(default_factory=set)
    open_: str = ""

    @property
    def right(self) -> bool:
        """Whether all of its cases are."""
        return not self.failed and not self.open_

    @property
    def decimal_only(self) -> bool:
        """Whether it is wrong in decimal mode alone."""
        return bool(self.failed) and not self.failed_binary and not self.open_


Board = dict[int, Opcode]
"""By the index of the opcode's row."""


def board(
    cases: Sequence[Case], results: Sequence[Mapping[str, Any]], without: Iterable[str] = ()
) -> Board:
    """The score of a model. ``without`` are registers that it does not have."""
    found: Board = {}
    left_out = frozenset(without)
    for case, result in zip(cases, results, strict=True):
        opcode = found.setdefault(case.opcode, Opcode())
        opcode.cases += 1
        if "open" in result:
            opcode.open_ = result["open"]
            continue
        differ = differences(case, result) - left_out
        opcode.wrong |= differ
        opcode.failed += bool(differ)
        opcode.failed_binary += bool(differ) and not case.before.get("p", 0) & DECIMAL
    return found


def differences(case: Case, result: Mapping[str, Any]) -> set[str]:
    """What a result has otherwise than it should be: registers, flags by their letters, memory."""
    found: set[str] = set()
    for name, right in case.after.items():
        got = result["after"].get(name)
        if got is None:
            found.add(name)
        elif name in FLAGS:
            existing = _IN_THE_CHIP if name == "p" else 0xFF
            found |= _letters(FLAGS[name], (got ^ right) & existing)
        elif got != right:
            found.add(name)
    written = dict(result["written"])
    if changes(case.ram, written) != dict(case.changed):
        found.add(MEMORY)
    return found


def _letters(names: str, bits: int) -> set[str]:
    return {letter.upper() for i, letter in enumerate(names) if bits >> 7 - i & 1}


def merged(boards: Iterable[Board]) -> Board:
    """What is known of a model by several sets of cases together."""
    found: Board = {}
    for each in boards:
        for number, opcode in each.items():
            total = found.setdefault(number, Opcode())
            total.cases += opcode.cases
            total.failed += opcode.failed
            total.failed_binary += opcode.failed_binary
            total.wrong |= opcode.wrong
            total.open_ = total.open_ or opcode.open_
    return found

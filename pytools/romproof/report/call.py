"""The nouns of a call report: what one call of a routine left behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from romproof.harness.state.result import Result
from romproof.program.image import Image
from romproof.report.json_object import JsonObject


@dataclass(frozen=True, slots=True)
class ChangedByte:
    """The byte at ``address``; ``symbol`` has it at ``offset`` (None: no symbol's)."""

    address: int
    symbol: str | None
    offset: int
    old: int
    new: int

    @property
    def name(self) -> str | None:
        """``lfsr+1``, ``lfsr`` for the first byte, None where no symbol is known."""
        if self.symbol is None or self.offset == 0:
            return self.symbol
        return f"{self.symbol}+{self.offset}"


@dataclass(frozen=True, slots=True)
class ChangedBlock:
    """Bytes of one symbol, or of none: from the first changed one to the last."""

    address: int
    symbol: str | None
    offset: int
    old: bytes
    new: bytes


@dataclass(frozen=True)
class CallReport:
    """A call of ``symbol``: ``memory`` holds what was asked for, by name; ``followed`` has further
    keys of the JSON object."""

    symbol: str
    result: Result = field(repr=False)
    changed: tuple[ChangedByte, ...]
    memory: Mapping[str, bytes]
    followed: JsonObject = field(default_factory=dict)

    @property
    def blocks(self) -> tuple[ChangedBlock, ...]:
        """The changed bytes put together by symbol, or by neighbourhood."""
        groups: list[list[ChangedByte]] = []
        for byte in self.changed:
            last = groups[-1][-1] if groups else None
            joined = last is not None and (
                byte.symbol == last.symbol
                if byte.symbol is not None
                else last.symbol is None and last.address + 1 == byte.address
            )
            if joined:
                groups[-1].append(byte)
            else:
                groups.append([byte])
        return tuple(self._block(group) for group in groups)

    def _block(self, group: list[ChangedByte]) -> ChangedBlock:
        first, last = group[0], group[-1]
        place = slice(first.address, last.address + 1)
        old, new = self.result.before[place], self.result.after[place]
        return ChangedBlock(first.address, first.symbol, first.offset, old, new)


def call_report(
    result: Result, memory: Mapping[str, bytes], followed: JsonObject | None = None
) -> CallReport:
    """The report on ``result``; ``memory`` is what was read after the call, by name."""
    owners = _owners(result.image)
    changed: list[ChangedByte] = []
    for address, (old, new) in sorted(result.changed.items()):
        symbol, offset = owners.get(address, (None, 0))
        changed.append(ChangedByte(address, symbol, offset, old, new))
    return CallReport(result.name, result, tuple(changed), memory, followed or {})


def _owners(image: Image) -> dict[int, tuple[str, int]]:
    """Address -> the label that holds it and the offset within; the best one wins.

    That is one of the source before one of the linker, one of known size before
    one without, then the smallest.
    """
    labels = [s for s in image.symbols if s.is_label and 0 <= s.value <= 0xFFFF]
    owners: dict[int, tuple[str, int]] = {}
    for label in sorted(labels, key=lambda s: (s.span is not None, bool(s.size), -(s.size or 0))):
        for offset in range(max(1, label.size or 1)):
            owners[label.value + offset] = (label.name, offset)
    return owners

"""Giving every section a bank and an address, in the order rgblink does it.

Those that demand most go first: a bank before an address before an alignment. Among equals the
larger go first, and of equal sizes the one that was defined last. Each goes to the first free
place of the first bank that has one ("first fit decreasing").
"""

from __future__ import annotations

from collections.abc import Iterator

from romproof.toolchains.rgbds.link.state import LinkState, ProgramSection
from romproof.toolchains.rgbds.obj.types import MemoryRegion, SectionType

_LISTED = 10
"""How many sections a message names."""


def assign(state: LinkState) -> list[ProgramSection]:
    """Place all sections and give them in that order; report those that fit nowhere."""
    order = list(reversed(state.sections.values()))
    if state.options.by_hash:
        order.sort(key=lambda section: -_hash(section.name))
    order.sort(key=_urgency)
    if state.options.overlay is not None and not _all_fixed(state, order):
        return order
    banks = {type_: _Banks(state, type_) for type_ in SectionType}
    placed: list[ProgramSection] = []
    homeless = 0
    for section in order:
        if not section.size:
            memory = state.memories[section.type]
            section.address = memory.start if section.address is None else section.address
            section.bank = memory.first_bank if section.bank is None else section.bank
        elif banks[section.type].place(section):
            placed.append(section)
        else:
            homeless += 1
            if homeless <= _LISTED:
                _report(state, section, placed, banks[section.type].largest_gap(section))
    if homeless > _LISTED:
        state.diagnostics.error(f"and {homeless - _LISTED} more sections have no place")
    return order


def _hash(name: str) -> int:
    """The low half of FNV-1a of a name (32 bits): the place in rgblink's table up to 0.7."""
    value = 0x811C9DC5
    for byte in name.encode("utf-8", "surrogateescape"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value & 0xFFFF


def _urgency(section: ProgramSection) -> tuple[bool, bool, bool, int]:
    """Sorts sections into the order in which they are placed."""
    return (
        section.bank is None,
        section.address is None,
        not section.align_mask,
        -section.size,
    )


def _all_fixed(state: LinkState, order: list[ProgramSection]) -> bool:
    """Whether all sections have bank and address, as an overlay needs it; if not, say which."""
    missing = [section for section in order if section.bank is None or section.address is None]
    if not missing:
        return True
    listed = [(f'"{section.name}" {_lacks(section)}', state.span(section)) for section in missing]
    count = f"{len(missing)} {'is' if len(missing) == 1 else 'are'} not"
    more = f", {len(missing) - _LISTED} more" if len(missing) > _LISTED else ""
    state.diagnostics.error(
        f"all sections must be fixed when there is an overlay; {count}: {listed[0][0]}{more}",
        listed[0][1],
        notes=tuple(listed[1:_LISTED]),
    )
    return False


def _lacks(section: ProgramSection) -> str:
    """What is not fixed."""
    if section.bank is not None:
        return "has no address"
    return "has no bank" if section.address is not None else "has no bank and no address"


class _Banks:
    """The free memory of all banks of one type."""

    def __init__(self, state: LinkState, type_: SectionType) -> None:
        self._memory: MemoryRegion = state.memories[type_]
        self._free: dict[int, _Bank] = {}
        self._scramble = state.options.scramble.get(type_, 0)
        self._scrambled = 0

    def place(self, section: ProgramSection) -> bool:
        """Put ``section`` into the first place it fits; False if there is none."""
        for number in self._candidates(section):
            bank = self._free.setdefault(number, _Bank(self._memory))
            address = bank.allocate(section)
            if address is not None:
                section.address, section.bank = address, number
                return True
        return False

    def largest_gap(self, section: ProgramSection) -> int:
        """Bytes of the largest free place in the banks that ``section`` may be in."""
        numbers = range(self._memory.first_bank, self._memory.last_bank + 1)
        wanted = numbers if section.bank is None else (section.bank,)
        if any(number not in self._free for number in wanted):
            return self._memory.size
        return max(self._free[number].largest_gap() for number in wanted)

    def _candidates(self, section: ProgramSection) -> Iterator[int]:
        """The banks to try, in order."""
        if section.bank is not None:
            yield section.bank
            return
        first, last = self._memory.first_bank, self._memory.last_bank
        if self._scramble:
            # each section begins one bank below the one before it; the banks behind those to
            # scramble come last, without the first of them in types whose banks begin at 0
            self._scrambled = (self._scrambled or self._scramble) - 1
            yield from range(first + self._scrambled, first - 1, -1)
            first = self._scramble + 1
        yield from range(first, last + 1)


class _Bank:
    """The free parts of a bank, by address; ``largest`` is at least the size of the largest."""

    def __init__(self, memory: MemoryRegion) -> None:
        self._free = [(memory.start, memory.end)]
        self._largest = memory.size

    def allocate(self, section: ProgramSection) -> int | None:
        """Take the first place that suits ``section``; gives its address, or None."""
        if section.size > self._largest:
            return None
        for index, (start, end) in enumerate(self._free):
            address = section.address
            if address is None:
                # the first address from ``start`` on that is aligned as wanted
                address = start + (section.align_offset - start & section.align_mask)
            if start <= address and address + section.size <= end:
                rest = [(start, address), (address + section.size, end)]
                self._free[index : index + 1] = [(a, b) for a, b in rest if a < b]
                return address
        if section.address is None and not section.align_mask:
            self._largest = self.largest_gap()
        return None

    def largest_gap(self) -> int:
        """Bytes of the largest free part."""
        return max((end - start for start, end in self._free), default=0)


def _report(
    state: LinkState, section: ProgramSection, placed: list[ProgramSection], gap: int
) -> None:
    """Say why a section has no place; ``gap`` is the size of the largest free one."""
    described = f'unable to place section "{section.name}" ({section.type.name},'
    described += f" ${section.size:X} byte{'' if section.size == 1 else 's'})"
    where = []
    if section.bank is not None and state.memories[section.type].has_banks:
        where.append(f"in bank {section.bank}")
    if section.address is not None:
        where.append(f"at ${section.address:04X}")
    elif section.align_mask:
        where.append(f"with ALIGN[{section.align_mask.bit_length()}, {section.align_offset}]")
    other = _overlapping(section, placed)
    if other is None:
        state.diagnostics.error(
            f"{described} {' '.join(where) or 'anywhere'}",
            state.span(section),
            help=f"the largest gap left there has ${gap:X} byte{'' if gap == 1 else 's'}",
        )
        return
    span = f"${other.at:04X}-${other.end - 1:04X}"
    state.diagnostics.error(
        f'{described} {" ".join(where)}: it overlaps with "{other.name}" at {span}',
        state.span(section),
        notes=((f'"{other.name}" is defined', state.span(other)),),
    )


def _overlapping(section: ProgramSection, placed: list[ProgramSection]) -> ProgramSection | None:
    """A placed section that is where ``section`` has to be; None if it may be elsewhere."""
    if section.address is None or section.bank is None:
        return None
    for other in placed:
        here = other.type is section.type and other.bank == section.bank
        if here and other.at < section.end and section.at < other.end:
            return other
    return None

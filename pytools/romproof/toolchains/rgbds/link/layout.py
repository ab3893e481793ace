"""What a linker script's directives do: where the next section goes, and what it had demanded."""

from __future__ import annotations

from romproof.text.span import Span
from romproof.toolchains.rgbds.link.state import LinkState, ProgramSection
from romproof.toolchains.rgbds.obj.types import MemoryRegion, SectionType


class Layout:
    """The active memory and the current address of each bank.

    ``span`` is the directive that is being carried out.
    """

    def __init__(self, state: LinkState) -> None:
        self._state = state
        self.span: Span | None = None
        self._addresses: dict[tuple[SectionType, int], int] = {}
        self._type: SectionType | None = None
        self._bank: int | None = None  # None with an active type: any bank
        self._floating = False
        self._align_mask = 0
        self._align_offset = 0

    def set_type(self, type_: SectionType) -> None:
        """The type alone: for memory with one bank."""
        memory = self._state.memories[type_]
        if memory.has_banks:
            self._error(f"a bank number must be specified for {type_.name}")
        self._activate(type_, memory.first_bank)

    def set_bank(self, type_: SectionType, bank: int) -> None:
        """The type and a bank of it."""
        memory = self._state.memories[type_]
        if bank < memory.first_bank:
            self._error(
                f"{type_.name} bank {bank} does not exist (the minimum is {memory.first_bank})"
            )
            bank = memory.first_bank
        elif bank > memory.last_bank:
            self._error(
                f"{type_.name} bank {bank} does not exist (the maximum is {memory.last_bank})"
            )
        self._activate(type_, bank)

    def float_bank(self, type_: SectionType) -> None:
        """The type and any bank of it."""
        memory = self._state.memories[type_]
        if not memory.has_banks:
            self._activate(type_, memory.first_bank)
            return
        self._type, self._bank = type_, None
        self._float()

    def float_address(self) -> None:
        """Sections go anywhere in the bank."""
        if self._type is None:
            self._error("cannot make the current address floating: no memory region is active")
        else:
            self._float()

    def set_address(self, address: int) -> None:
        """ORG: the current address from now on."""
        if self._type is None:
            self._error("cannot set the current address: no memory region is active")
            return
        if self._bank is None:
            self._error("cannot set the current address: the bank is floating")
            return
        last = self._memory.end - 1
        if address < self._address:
            self._error(
                f"cannot decrease the current address (from ${self._address:04X} to ${address:04X})"
            )
        elif address > last:
            self._error(
                f"cannot set the current address to ${address:04X}:"
                f" {self._type.name} ends at ${last:04X}"
            )
            self._address = last
        else:
            self._address = address
        self._floating = False

    def align(self, alignment: int, offset: int) -> None:
        """ALIGN: on to the next address whose lower ``alignment`` bits are ``offset``."""
        if self._type is None:
            self._error("cannot align: no memory region is active")
            return
        if self._floating and alignment >= 16:
            self.set_address(self._align_offset)
            return
        if alignment > 16:
            self._error(f"cannot align: the alignment ({alignment}) must be less than 16")
            return
        size = 1 << alignment
        if alignment < 16 and offset >= size:
            self._error(
                f"cannot align: the alignment offset ({offset}) must be less than"
                f" the alignment size ({size})"
            )
            return
        if self._floating:
            self._align_mask, self._align_offset = size - 1, offset
            return
        length = offset - self._address & size - 1
        if length > self._memory.end - self._address:
            self._error(
                f"cannot align: the next suitable address after ${self._address:04X} is"
                f" ${self._address + length & 0xFFFF:04X}, past ${self._memory.end:04X}"
            )
            return
        self._address += length

    def skip(self, length: int) -> None:
        """DS: leave ``length`` bytes free."""
        if self._type is None:
            self._error("cannot increase the current address: no memory region is active")
            return
        if self._floating:
            self._align_offset = self._align_offset + length & self._align_mask
            return
        left = self._memory.end - self._address
        if length > left:
            self._error(
                f"cannot increase the current address by {length} bytes:"
                f" only {left} bytes to ${self._memory.end:04X}"
            )
            return
        self._address += length

    def place(self, name: str, optional: bool) -> None:
        """Put the section ``name`` at the current address."""
        if self._type is None:
            self._error(f'no memory region has been specified to place section "{name}" in')
            return
        # a name in an object file ends before its first zero character
        section = self._state.sections.get(name.partition("\0")[0])
        if section is None:
            if not optional:
                self._error(f'undefined section "{name}"')
            return
        if section.typeless:
            self._give_type(section, self._type)
        elif section.type is not self._type:
            self._error(
                f'"{name}" is specified to be a {self._type.name} section,'
                f" but it is already a {section.type.name} section"
            )
        self._set_section_bank(section)
        if self._floating:
            section.address = None
            section.align_mask, section.align_offset = self._align_mask, self._align_offset
            self._align_offset = self._align_offset + section.size & self._align_mask
        else:
            self._set_section_address(section)

    def _give_type(self, section: ProgramSection, type_: SectionType) -> None:
        if section.size and type_.has_data != bool(section.data):
            has = "contains data" if section.data else "does not contain data"
            self._error(f'"{section.name}" is specified to be a {type_.name} section, but it {has}')
        else:
            section.type, section.typeless = type_, False

    def _set_section_bank(self, section: ProgramSection) -> None:
        if self._bank is not None and section.bank is not None and section.bank != self._bank:
            self._error(
                f'the linker script places section "{section.name}" in {section.type.name} bank'
                f" {self._bank}, but it was already defined in bank {section.bank}"
            )
        section.bank = self._bank

    def _set_section_address(self, section: ProgramSection) -> None:
        address, mask = self._address, section.align_mask
        message = f'the linker script assigns section "{section.name}" to address ${address:04X},'
        if section.address is not None and section.address != address:
            self._error(f"{message} but it was already at ${section.address:04X}")
        elif address & mask != section.align_offset:
            bits = mask.bit_length()
            self._error(
                f"{message} but that would be ALIGN[{bits}, {address & mask}]"
                f" instead of the requested ALIGN[{bits}, {section.align_offset}]"
            )
        section.address = address
        section.align_mask = section.align_offset = 0
        over = section.size - (self._memory.end - address)
        if over > 0:
            assert self._type is not None
            self._error(
                f"{message} but then it would overflow {self._type.name} by {over}"
                f" byte{'' if over == 1 else 's'}"
            )
        self._address = min(address + section.size, self._memory.end)

    @property
    def _memory(self) -> MemoryRegion:
        assert self._type is not None
        return self._state.memories[self._type]

    @property
    def _address(self) -> int:
        assert self._type is not None
        assert self._bank is not None
        return self._addresses[self._type, self._bank]

    @_address.setter
    def _address(self, address: int) -> None:
        assert self._type is not None
        assert self._bank is not None
        self._addresses[self._type, self._bank] = address

    def _activate(self, type_: SectionType, bank: int) -> None:
        self._type, self._bank = type_, bank
        self._floating = False
        self._addresses.setdefault((type_, bank), self._memory.start)

    def _float(self) -> None:
        self._floating = True
        self._align_mask = self._align_offset = 0

    def _error(self, message: str) -> None:
        self._state.diagnostics.error(message, self.span)

"""The contracts of a program by address, as calls look them up."""

from __future__ import annotations

from typing import Any

from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import ReadContracts
from romproof.program.image import Image
from romproof.text.diagnostic import BuildFailed, Diagnostic


class ContractsAt(dict[int, Contract]):
    """The contracts by the address of their routine; the first one of an address counts.

    ``loaded`` is the part of the program that is in memory. An address whose contract is malformed
    is among them, and looking it up raises BuildFailed with what is wrong with this one: it is a
    failure of the calls of its routine only. Those are left out of what ``dict`` copies.
    """

    def __init__(self, read: ReadContracts, loaded: Image) -> None:
        super().__init__()
        self._malformed: dict[int, tuple[Diagnostic, ...]] = {}
        for symbol in loaded.symbols:
            address = symbol.value
            if not (symbol.exported and symbol.is_label) or address in self:
                continue
            if symbol.name in read.malformed:
                self._malformed[address] = read.malformed[symbol.name]
            elif symbol.name in read.contracts:
                self[address] = read.contracts[symbol.name]

    def __contains__(self, address: object) -> bool:
        return super().__contains__(address) or address in self._malformed

    def __getitem__(self, address: int) -> Contract:
        if address in self._malformed:
            raise BuildFailed(self._malformed[address])
        return super().__getitem__(address)

    def get(self, address: int, default: Any = None) -> Any:
        """The contract of the routine at an address. Raises BuildFailed."""
        if address in self._malformed:
            return self[address]
        return super().get(address, default)

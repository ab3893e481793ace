"""The banks of a program, looked at one after the other.

What is said of code from its bytes alone, bounds and proofs, is said of an address space: of banks
that share addresses one is in it. Each of the others is looked at in one of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from click import BadParameter

from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.isa.abi import abi_of
from romproof.machine.memory import bank_views
from romproof.projects.built import Built
from romproof.timing.survey import Survey, survey


@dataclass(frozen=True)
class BankView:
    """A program with some of its banks in sight.

    ``bank`` is the area that no view before has, None in the first one; ``names`` are the labels
    that this view is there for: in the first one all that are in sight.
    """

    title: str
    rom: Rom
    bank: str | None
    names: frozenset[str]


def views_of(built: Built) -> list[BankView]:
    """All views, those that are looked at first before others."""
    image, manifest = built.image, built.manifest
    areas = {segment.name: segment.area for segment in image.segments}
    views: list[BankView] = []
    for number, banks in enumerate(
        bank_views(image, manifest.banks, abi_of(image.cpu).first_areas)
    ):
        rom = Rom(image, banks=banks)
        bank = banks[0] if number else None
        names = frozenset(
            symbol.name
            for symbol in rom.loaded.symbols
            if bank is None or areas.get(symbol.segment or "") == bank
        )
        title = f"{manifest.name}, {bank}" if bank else manifest.name
        views.append(BankView(title, rom, bank, names))
    return views


def view_with(views: Collection[BankView], routine: str | int) -> BankView:
    """The view that a routine is in sight in: by its name, or by an address at which one bank only
    has something. Raises BadParameter where several have; the first view where none does."""
    first, *_ = views
    if isinstance(routine, str):
        return next((view for view in views if routine in view.names), first)
    there = [view for view in views if view.rom.memory_map.executable[routine & 0xFFFF]]
    banked = [view for view in there if view.bank is None or _is_of(view, routine)]
    if len(banked) > 1:
        names = ", ".join(sorted(filter(None, (_name(view, routine) for view in banked))))
        raise BadParameter(
            f"${routine:04X} is ambiguous, as several banks lie there: name the routine ({names})",
            param_hint="'NAME:ROUTINE'",
        )
    return banked[0] if banked else first


def survey_view(
    view: BankView,
    contracts: Mapping[str, Contract],
    *,
    routine: str | int | None = None,
    private: bool = False,
) -> Survey:
    """The bounds of the routines of a view. Raises UnknownSymbol and NoCode."""
    image, banks = view.rom.image, view.rom.banks
    found = survey(view.title, image, contracts, banks=banks, routine=routine, private=private)
    if view.bank is None or routine is not None:
        return found
    return replace(found, rows=tuple(row for row in found.rows if row.name in view.names))


def _is_of(view: BankView, address: int) -> bool:
    segments = view.rom.loaded.segments
    return any(s.area == view.bank and s.run <= address < s.run + s.size for s in segments)


def _name(view: BankView, address: int) -> str:
    return view.rom.loaded.format_address(address) or ""

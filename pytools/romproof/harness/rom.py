"""The way in: an image, and calls into it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import ReadContracts, parse_contracts, read_contracts
from romproof.engine.checks import checks_of
from romproof.engine.engines import DEFAULT_ENGINE, make_engine, usable_engine
from romproof.engine.protocol import Engine
from romproof.harness.calls.batch import ENGINE as MANY
from romproof.harness.calls.batch import ManyResults, call_many, observe_many
from romproof.harness.calls.calling import LIMIT, CallRequest, Routines
from romproof.harness.calls.listening import LISTENERS
from romproof.harness.calls.runner import MachineSetup
from romproof.harness.checks.journal import Journal, NotedRead
from romproof.harness.checks.running import Plans
from romproof.harness.errors import CallRecord
from romproof.harness.machine import Machine
from romproof.harness.state.result import Result
from romproof.harness.state.stubbed_board import Homes
from romproof.harness.state.values import BadValue, GivenValue, Target
from romproof.isa.abi import SM83, abi_of
from romproof.machine.board import Board
from romproof.machine.boards import FLAT, make_board
from romproof.machine.memory import FILL, MemoryMap, load_image, part_in_memory
from romproof.program.image import Image
from romproof.text.diagnostic import BuildFailed, Diagnostic

_INES = b"NES\x1a"
"""How such an image begins (NESdev Wiki, "INES")."""


class Rom(Routines):
    """A linked program whose routines can be called.

    ``engine`` names the engine, "auto" the fastest there is; the attribute
    ``engine`` says which one it came to be, ``loaded`` is the part of the image
    that is in memory at the start. ``fill`` is the byte of memory that
    nothing was loaded to; ``banks`` chooses among overlapping memory areas; ``uninitialised`` is
    the level for reads of uninitialised variables, unless a call has its own. ``machine`` is the
    machine of the program: "flat" memory, or one of romproof.machine.boards. ``checks`` has
    levels that differ from those of the machine (see romproof.engine.checks).
    Raises NoSuchEngine, MissingExtra, OverlappingAreas, NoAbi, BoardError, and BadInput for an
    image that the machine cannot run.
    """

    def __init__(
        self,
        image: Image,
        engine: str = DEFAULT_ENGINE,
        *,
        fill: int = FILL,
        banks: Collection[str] = (),
        uninitialised: bool | None = None,
        machine: str = FLAT,
        checks: Mapping[str, str] | None = None,
        model: str | None = None,
    ) -> None:
        self.image = image
        self.machine_name, self.model = machine, model
        self._uninitialised = uninitialised
        self.checks = checks_of(machine, checks)
        abi = abi_of(image.cpu)
        self._cpu = abi.cpu
        self.engine = usable_engine(engine, self._cpu).name
        self._wanted = engine
        self._fill, self._banks, self._first_areas = fill, banks, abi.first_areas
        self._journal = Journal()
        self._contracts_of: dict[tuple[str, ...], Mapping[int, Contract]] = {}
        self._contracts_seen: WeakKeyDictionary[Image, Mapping[int, Contract]] = WeakKeyDictionary()
        if machine == FLAT:
            self._plans = Plans(self.memory_map.executable, abi)
        else:
            self._plans = Plans(self._shared_machine.board.executable, abi)

    @property
    def banks(self) -> tuple[str, ...]:
        """The memory areas that were chosen among overlapping ones."""
        return tuple(self._banks)

    @property
    def is_cartridge(self) -> bool:
        """Whether the program is a ROM for the Game Boy."""
        return self._cpu == SM83.cpu and bool(self.image.files)

    @property
    def is_ines(self) -> bool:
        """Whether the program is a cartridge of the NES."""
        files = self.image.files
        return bool(files) and files[0].data.startswith(_INES)

    @cached_property
    def memory_map(self) -> MemoryMap:
        """The memory at the start as flat memory, and what may be done with it.

        Raises OverlappingAreas where it is not said which banks are in sight.
        """
        if self.machine_name == FLAT:
            return load_image(self.image, self._fill, self._banks, self._first_areas)
        board = self._shared_machine.board
        shown = [f"{w.kind}[{n}]" for w, n in zip(board.windows, board.banks(), strict=True)]
        hidden = {
            area.name
            for area in self.image.areas
            for window in board.windows
            if area.start in window.addresses and area.name.partition("[")[0] == window.kind
        }
        hidden -= {*shown, *self._first_areas, *self._banks}
        hidden -= {
            w.kind for w, n in zip(board.windows, board.banks(), strict=True) if n == w.first
        }
        image, first = part_in_memory(self.image, hidden), [*self._first_areas, *shown]
        found = load_image(image, self._fill, self._banks, first)
        return replace(found, left_out=found.left_out | hidden)

    @cached_property
    def loaded(self) -> Image:
        """The part of the image that is in memory at the start."""
        return part_in_memory(self.image, self.memory_map.left_out)

    @property
    def last_call(self) -> CallRecord | None:
        """The last call made on this ROM or one of its machines."""
        return self._journal.last

    def forget(self) -> None:
        """Forget the last call, and what was read after it."""
        self._journal.forget()

    @property
    def reads(self) -> Sequence[NotedRead]:
        """What was read of memory after calls lately, by results and machines."""
        return tuple(self._journal.reads)

    @cached_property
    def contracts(self) -> Mapping[str, Contract]:
        """The contracts of the public routines. Raises BuildFailed if one is malformed."""
        if self._read_contracts.malformed:
            return parse_contracts(self.image)  # tells of all
        return self._read_contracts.contracts

    @property
    def readable(self) -> Mapping[str, Contract]:
        """The contracts of the public routines, without those that are malformed."""
        return self._read_contracts.contracts

    @property
    def malformed(self) -> Mapping[str, tuple[Diagnostic, ...]]:
        """The errors in the contracts that are not ``readable``, by the routine's name."""
        return self._read_contracts.malformed

    @cached_property
    def _read_contracts(self) -> ReadContracts:
        return read_contracts(self.image)

    def not_loaded(self) -> Mapping[str, str]:
        """The routines with contracts that are in banks not in memory at the start, with their
        areas: statements about the program do not cover them."""
        here = {symbol.name for symbol in self.loaded.symbols}
        areas = {segment.name: segment.area for segment in self.image.segments}
        away = self.readable.keys() - here
        return {
            s.name: areas.get(s.segment or "", "") for s in self.image.symbols if s.name in away
        }

    def contract_of(self, routine: str) -> Contract | None:
        """The contract of a public routine, None without one. Raises BuildFailed when it is
        malformed; those of other routines do not matter."""
        malformed = self._read_contracts.malformed.get(routine)
        if malformed is not None:
            raise BuildFailed(malformed)
        return self._read_contracts.contracts.get(routine)

    def _contracts_in(self, loaded: Image) -> Mapping[int, Contract]:
        """The contracts of what is in sight, by the address of their routine; see ContractsAt."""
        known = self._contracts_seen.get(loaded)
        if known is not None:
            return known
        areas = tuple(area.name for area in loaded.areas)
        if areas not in self._contracts_of:
            self._contracts_of[areas] = ContractsAt(self._read_contracts, loaded)
        self._contracts_seen[loaded] = self._contracts_of[areas]
        return self._contracts_of[areas]

    def places(self, targets: Collection[Target]) -> tuple[tuple[int, ...], Homes]:
        """The addresses of places, and of those in banks in which of them. Raises UnknownSymbol,
        and BadValue."""
        return self._shared_machine.places(targets)

    def with_checks(self, levels: Mapping[str, str]) -> Rom:
        """The same program with other checks; its calls are remembered together with those here.

        Raises BadCheck.
        """
        other = copy(self)
        other.checks = self.checks.with_levels(levels)
        if self.machine_name == FLAT:
            other.__dict__.pop("_shared_machine", None)
        else:  # what is known of the program goes with it
            other.__dict__["_shared_machine"] = other.machine()
        return other

    def machine(self) -> Machine:
        """A machine with the program freshly loaded; its memory persists between calls."""
        plans = getattr(self, "_plans", None)  # the first machine is there before the plans
        return Machine(
            MachineSetup(
                self.image,
                self._make,
                self._contracts_in,
                self._journal,
                plans,
                self.checks,
                self._uninitialised,
            )
        )

    @cached_property
    def _shared_machine(self) -> Machine:
        return self.machine()

    def _make(self, engine: str | None = None) -> Board:
        flat = self.memory_map if self.machine_name == FLAT else None
        wanted = engine or self._wanted
        return make_board(self.machine_name, self.image, wanted, self._fill, flat, self.model)

    def _carry_out(self, call: CallRequest) -> Result:
        """See Routines."""
        self._shared_machine.reset()
        return self._shared_machine._carry_out(call)

    def call_many(
        self,
        routine: Target,
        each: Mapping[Target, Any],
        outputs: Collection[Target | tuple[Target, int]] = (),
        *,
        flags: Mapping[str, int] | None = None,
        mem: Mapping[Target, GivenValue] | None = None,
        limit: int = LIMIT,
        workers: int | None = None,
        **registers: int | None,
    ) -> ManyResults:
        """Call a routine once for each row of bytes, in freshly loaded memory, on all cores.

        ``each`` has an array (calls, bytes) for each place that differs between the calls, ``mem``
        the bytes that are the same for all; ``outputs`` are the places whose bytes are returned
        for each call, with a size if the symbol has none. The first call is also made by
        ``call``, with all checks and errors; the others have its guards, but their contracts are
        not checked. Results do not depend on ``workers``, the number of threads.

        Raises what call() raises, NoReturn, BadValue, BadBatch, and MissingExtra without numpy
        and llvmlite.
        """
        if self.machine_name != FLAT:
            raise BadValue(f"call_many() is for flat memory, not for '{self.machine_name}'")
        first = {target: bytes(rows[0]) for target, rows in each.items()}
        given: dict[str, Any] = dict(registers)
        self.call(routine, flags=flags, mem={**(mem or {}), **first}, limit=limit, **given)
        record = self._journal.last
        assert record is not None, "every call is recorded"
        done = call_many(self._fast, self.image, record, each, outputs, workers)
        if LISTENERS:
            asked = CallRequest(routine, given, flags, mem, limit, True, False, None, None, None)
            observe_many(self.image, record, asked, each, done.cycles)
        return done

    @cached_property
    def _fast(self) -> Engine:
        return make_engine(MANY, self._cpu)


class ContractsAt(dict[int, Contract]):
    """The contracts of a program by the address of their routine, as calls look them up; the first
    one of an address counts.

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

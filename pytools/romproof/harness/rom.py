"""The way in: an image, and calls into it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from romproof.contract.model import Contract
from romproof.contract.parse import parse_contracts
from romproof.engine.engines import DEFAULT_ENGINE, make_engine, usable_engine
from romproof.engine.protocol import Engine, Observer
from romproof.harness.errors import CallRecord
from romproof.harness.machine import LIMIT, Check, Machine
from romproof.harness.result import Result
from romproof.harness.values import Target, Value
from romproof.machine.memory import FILL, load_image
from romproof.obj.image import Image


class Rom:
    """A linked program whose routines can be called.

    ``engine`` names the engine, "auto" the fastest there is; the attribute
    ``engine`` says which one it came to be. ``fill`` is the byte of memory that
    nothing was loaded to; ``banks`` chooses among overlapping memory areas.
    Raises NoSuchEngine, MissingExtra, OverlappingAreas.
    """

    def __init__(
        self,
        image: Image,
        engine: str = DEFAULT_ENGINE,
        *,
        fill: int = FILL,
        banks: Collection[str] = (),
    ) -> None:
        self.image = image
        self.engine = usable_engine(engine).name
        self._wanted = engine
        self._map = load_image(image, fill, banks)
        self._journal: list[CallRecord] = []

    @property
    def last_call(self) -> CallRecord | None:
        """The last call made on this ROM or one of its machines."""
        return self._journal[-1] if self._journal else None

    def forget(self) -> None:
        """Forget the last call."""
        self._journal.clear()

    @cached_property
    def contracts(self) -> Mapping[str, Contract]:
        """The contracts of the public routines. Raises BuildFailed if one is malformed."""
        return parse_contracts(self.image)

    @cached_property
    def _contracts_at(self) -> Mapping[int, Contract]:
        """The contracts by the address of their routine; the first one of an address counts."""
        found: dict[int, Contract] = {}
        for name, contract in self.contracts.items():
            found.setdefault(self.image.address(name), contract)
        return found

    def machine(self) -> Machine:
        """A machine with the program freshly loaded; its memory persists between calls."""
        return Machine(self.image, self._map, self._make, lambda: self._contracts_at, self._journal)

    @cached_property
    def _shared(self) -> Machine:
        return self.machine()

    def _make(self) -> Engine:
        return make_engine(self._wanted)

    def call(
        self,
        routine: Target,
        *,
        a: int | None = None,
        x: int | None = None,
        y: int | None = None,
        flags: Mapping[str, int] | None = None,
        mem: Mapping[Target, Value] | None = None,
        limit: int = LIMIT,
        check: Check = True,
        allow_brk: bool = False,
        observer: Observer | None = None,
    ) -> Result:
        """Call a routine in a freshly loaded machine; see Machine.call()."""
        self._shared.reset()
        return self._shared.call(
            routine,
            a=a,
            x=x,
            y=y,
            flags=flags,
            mem=mem,
            limit=limit,
            check=check,
            allow_brk=allow_brk,
            observer=observer,
        )

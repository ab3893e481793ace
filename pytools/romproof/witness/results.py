"""What came of executing what was proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from romproof.contract.nouns.statement import Statement
from romproof.witness.subject import InputKey


@dataclass(frozen=True, slots=True)
class Point:
    """One input: registers and flags by their names in the microcode, bytes by address.

    What it does not name, or what is not an input, may be anything.
    """

    registers: Mapping[str, int]
    memory: Mapping[int, int] = field(default_factory=dict)

    def get(self, key: InputKey) -> int | None:
        """The value of a register, flag or byte; None where it may be anything."""
        return self.memory.get(key) if isinstance(key, int) else self.registers.get(key)

    @property
    def size(self) -> tuple[int, tuple[int, ...]]:
        """Inputs are ordered by it, the smallest first."""
        values = (*self.registers.values(), *self.memory.values())
        return sum(values), values

    def __str__(self) -> str:
        parts = [f"{name.upper()}=${value:02X}" for name, value in self.registers.items()]
        parts += [f"${address:04X}=[{value:02X}]" for address, value in self.memory.items()]
        return ", ".join(parts) or "any input"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All a run begins with: every register of the microcode, and 65,536 bytes."""

    registers: Mapping[str, int]
    memory: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A statement that does not hold when it is executed.

    ``input`` has what the contract lists as inputs, ``before`` the whole machine at the first
    instruction; ``other`` is the second one where it takes two runs to show it. ``of_model``: it is
    not as a model says, and not as a contract does. ``is_cut_off``: the run had not ended.
    """

    statement: Statement
    detail: str
    input: Point
    before: Snapshot
    other: Snapshot | None = None
    of_model: bool = False
    is_cut_off: bool = False

    def __str__(self) -> str:
        return f"{self.statement}: {self.detail}, for {self.input}"


@dataclass(frozen=True, slots=True)
class Extreme:
    """A number of cycles that was seen, with the smallest of some inputs that take it.

    ``before`` is the whole machine at the first instruction.
    """

    cycles: int
    input: Point
    before: Snapshot = field(repr=False)


@dataclass(frozen=True)
class Witnessed:
    """What was executed, and what of it is not as it was proved.

    ``runs`` counts all runs that were compared, ``inputs`` the different inputs among them,
    ``watched`` the runs on the engine ``plain`` in which every access was checked; ``engine``
    executed the others. ``exhaustive``: ``inputs`` are all there are. ``unfinished`` runs came to
    no end within the cycles they had; that is not a disagreement unless the end was claimed.
    ``stopped``: there was no time left for more inputs.

    ``least`` and ``most`` are the fewest and the most cycles seen. ``returns`` are the addresses
    of the instructions executed last, ``ends`` the places reached, ``labels`` has how often
    each address with an invariant, or a bound of iterations, was visited in the watched runs.
    """

    runs: int
    inputs: int
    exhaustive: bool
    engine: str
    watched: int = 0
    unfinished: int = 0
    least: Extreme | None = None
    most: Extreme | None = None
    returns: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    labels: Mapping[int, int] = field(default_factory=dict)
    disagreements: tuple[Disagreement, ...] = ()
    stopped: bool = False

    @property
    def agrees(self) -> bool:
        """Whether everything is as it was proved, as far as it was executed."""
        return not self.disagreements

"""What a variable stands for: its origin, from which its name is made and never read back.

A name is a text that says to people what a variable is, and by which solvers, samples and models
tell variables apart: variables of different origins have different names. Code asks the origin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache, lru_cache


class OriginKind(Enum):
    """Why nothing is known of a variable."""

    ENTRY = auto()
    """It is what a location holds at the entry."""
    COUNT = auto()
    """It is how often a loop was come to before a cut point."""
    ANY = auto()
    """It is any one of several values: what is proved of it holds for each of them."""
    UNTOUCHED = auto()
    """It is whether a byte is still, in each of two runs, what that run found there."""
    AUXILIARY = auto()
    """It stands for a part of a question, or is a number of a model: it is no location's."""
    CUT = auto()
    """It is what a location holds at a cut point."""
    CALL = auto()
    """It is what a callee leaves, of which only the callee's contract is known."""
    PORT = auto()
    """It was read from a port."""
    HAVOC = auto()
    """It took the place of a value that nobody keeps."""


class LocationKind(Enum):
    """What of the machine a variable speaks of."""

    NONE = auto()
    REGISTER = auto()
    """A register or flag, as the microcode names it."""
    BYTE = auto()
    """A byte of memory."""
    ARRAY = auto()
    """The bytes of an object that is reached with an index."""
    MARKS = auto()
    """Which bytes of an array were written."""
    STACK = auto()
    """A byte of the stack, by its offset from the stack pointer at the entry, if that is known."""
    RETURN_ADDRESS = auto()
    PUSHED_FLAGS = auto()
    """The flags that an interrupt has pushed."""
    PORT = auto()
    """A port, where it is not known which."""
    CYCLES = auto()
    """How long a call takes."""
    ELSEWHERE = auto()
    """A byte that belongs to nothing that is named."""


@dataclass(frozen=True, slots=True)
class Location:
    """A location of the machine: ``text`` names it; ``address`` is where a byte or an array of
    ``size`` bytes lies, or how far from the stack pointer of the entry a byte of the stack."""

    kind: LocationKind
    text: str = ""
    address: int | None = None
    size: int = 0

    @property
    def name(self) -> VariableName:
        """The name of what it holds at the entry."""
        return _name_at_entry(self)


NOWHERE = Location(LocationKind.NONE)


@dataclass(frozen=True, slots=True)
class Origin:
    """What a variable stands for: the ``location`` it is about, for CUT the ``address`` of the
    cut point, and whether it ``is_second``: of the second of two runs or routines."""

    kind: OriginKind
    location: Location = NOWHERE
    address: int | None = None
    is_second: bool = False


class VariableName(str):
    """The name of a variable, which knows its origin. It equals any text that is the same."""

    __slots__ = ("origin",)

    origin: Origin

    def __new__(cls, text: str, origin: Origin) -> VariableName:
        name = super().__new__(cls, text)
        name.origin = origin
        return name

    def __reduce__(self) -> tuple[type[VariableName], tuple[str, Origin]]:
        return VariableName, (str(self), self.origin)

    @property
    def kind(self) -> OriginKind:
        """Why nothing is known of the variable."""
        return self.origin.kind

    @property
    def location(self) -> Location:
        """What of the machine it speaks of."""
        return self.origin.location

    @property
    def is_at_entry(self) -> bool:
        """Whether the variable is the same all through a run: what is found at the entry, or what
        belongs to no moment."""
        return self.origin.kind not in _LATER

    @property
    def address(self) -> int | None:
        """The address of the byte of memory that the variable speaks of; None of others."""
        location = self.origin.location
        return location.address if location.kind is LocationKind.BYTE else None


_LATER = frozenset((OriginKind.CUT, OriginKind.CALL, OriginKind.PORT, OriginKind.HAVOC))

_MARKS = {OriginKind.CUT: "@", OriginKind.CALL: "@~", OriginKind.PORT: "@!", OriginKind.HAVOC: "@?"}
"""What stands between the location and what comes after it, for people."""

NO_NAME = VariableName("", Origin(OriginKind.AUXILIARY))
"""The name of terms that are no variables."""


@lru_cache(maxsize=1 << 16)
def _name_at_entry(location: Location) -> VariableName:
    return VariableName(location.text, Origin(OriginKind.ENTRY, location))


@cache
def register_variable(register: str) -> VariableName:
    """The name of what a register or flag holds at the entry, as the microcode names it."""
    return Location(LocationKind.REGISTER, register).name


@cache
def byte_name(address: int) -> VariableName:
    """The name of what a byte of memory holds at the entry."""
    return Location(LocationKind.BYTE, f"${address:04X}", address).name


@cache
def stack_name(offset: int) -> VariableName:
    """The name of what a byte of the stack holds at the entry, by its offset from the stack
    pointer there."""
    return Location(LocationKind.STACK, f"stack{offset:+d}", offset).name


@lru_cache(maxsize=1 << 12)
def array_name(address: int, size: int) -> VariableName:
    """The name of an array for so many bytes from an address."""
    return Location(LocationKind.ARRAY, f"${address:04X}+{size}", address, size).name


@lru_cache(maxsize=1 << 12)
def marks_name(address: int, size: int) -> VariableName:
    """The name of an array that says which bytes of that array were written."""
    return Location(LocationKind.MARKS, f"written ${address:04X}+{size}", address, size).name


STACK = Location(LocationKind.STACK, "stack")
"""A byte of the stack, nobody says which."""
CYCLES = Location(LocationKind.CYCLES, "cycles")
WHETHER_WRITTEN = Location(LocationKind.NONE, "written")
"""Whether a callee wrote a byte."""
ANY_PORT = Location(LocationKind.PORT, "port")
RETURN_ADDRESS = Location(LocationKind.RETURN_ADDRESS, "return").name
"""The name of the return address as it is pushed."""
PUSHED_FLAGS = Location(LocationKind.PUSHED_FLAGS, "status").name
"""The name of the flags that an interrupt has pushed."""


@lru_cache(maxsize=1 << 16)
def cut_name(location: Location, address: int) -> VariableName:
    """The name of what a location holds at the cut point at an address."""
    text = f"{location.text}{_MARKS[OriginKind.CUT]}{address:04X}"
    return VariableName(text, Origin(OriginKind.CUT, location, address))


def stem_of(kind: OriginKind, location: Location = NOWHERE) -> VariableName:
    """What the names of variables of an origin begin with that are told apart by a number."""
    return VariableName(f"{location.text}{_MARKS.get(kind, '')}", Origin(kind, location))


ELSEWHERE = VariableName(
    "elsewhere ", Origin(OriginKind.ENTRY, Location(LocationKind.ELSEWHERE, "elsewhere"))
)
"""What the names of bytes begin with that belong to nothing that is named."""
HAVOC = stem_of(OriginKind.HAVOC)
"""What the names of variables begin with that take the place of a value."""


def any_name(what: str = "") -> VariableName:
    """The name of any one of several values, or what that begins with."""
    return VariableName(f"any {what}", Origin(OriginKind.ANY))


def count_name(loop: int, address: int) -> VariableName:
    """The name of how often a loop was come to before the cut point at an address."""
    text = f"iterations of ${loop:04X} at ${address:04X}"
    return VariableName(text, Origin(OriginKind.COUNT, NOWHERE, address))


def name_untouched(variable: VariableName) -> VariableName:
    """The name of the bit that says: this byte is still as each of two runs found it."""
    return VariableName(f"untouched {variable}", Origin(OriginKind.UNTOUCHED))


def second_name(variable: VariableName, cell: int | None = None) -> VariableName:
    """The name that a variable, or a cell of an array, has in the second of two runs."""
    inside = "" if cell is None else f"[{cell:04X}]"
    return VariableName(f"{variable}{inside}'", replace(variable.origin, is_second=True))


def part_name(variable: VariableName, part: str) -> VariableName:
    """The name of a part of a variable or of an array, which is of the same origin."""
    return VariableName(f"{variable}[{part}]", variable.origin)


@lru_cache(maxsize=1 << 12)
def auxiliary_name(text: str) -> VariableName:
    """The name of a variable that stands for nothing of the machine."""
    return VariableName(text, Origin(OriginKind.AUXILIARY))

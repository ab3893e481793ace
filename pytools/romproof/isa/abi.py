"""How code of a CPU is called from outside: its registers, its flags, its stack.

The harness, contracts, profiles and reports take from here what differs between the CPUs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType

from romproof.isa.sm83 import EI_DELAY, HALTED
from romproof.text.errors import RomproofError


class NoAbi(RomproofError):
    """Code of a CPU that cannot be called."""


@dataclass(frozen=True)
class Register:
    """A register; ``name`` as contracts write it, ``bits`` wide: one of 1 bit is a switch."""

    name: str
    bits: int = 8

    @cached_property
    def attribute(self) -> str:
        """The name in Python: of call's arguments, results and engines."""
        return self.name.lower()

    @property
    def mask(self) -> int:
        """All bits it has."""
        return (1 << self.bits) - 1

    def shown(self, value: int) -> str:
        """A value of it as people read it: ``$0A``; of a single bit ``0`` or ``1``."""
        return str(value) if self.bits == 1 else f"${value:0{self.bits // 4}X}"


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag: ``name`` as contracts write it, ``letter`` in Python, ``mask`` in the flag byte."""

    name: str
    letter: str
    mask: int


@dataclass(frozen=True)
class Abi:
    """The calling side of a CPU.

    ``cpu`` names the CPU (romproof.isa.cpus) and its instruction table. ``registers`` are
    those that a call can set and that a contract can name, of 8 bits or of one; ``pairs`` are two
    registers as one, the high one first. ``groups`` are names that stand for several items
    of a contract. ``poison`` has the values of registers that a call does not set; the flags
    ``not_inverted`` keep them always. ``shown`` are the registers people see, the flags apart.

    A byte that is pushed last stands at ``stack_base`` plus the stack pointer; that is
    ``stack_start`` when nothing has set it. The stack of a call lies within one of
    ``stack_rooms``, pairs of the lowest and highest stack pointer, where the program has
    nothing; without any it is always the same. What a call pushes, ``return_size`` bytes, is
    the address after it less ``return_bias``. A called routine returns to ``highest_nowhere``,
    or below when code is there. ``interrupt_vector`` holds the address of the handler of a
    software interrupt; None on a CPU without such an instruction.

    ``halted`` is the register, with its value, that says that the CPU waits for an interrupt.
    ``delayed`` are switches that turn 1 by themselves as soon as the next instruction begins, each
    with the register, and its value, that says so: SM83 ``ei`` has enabled interrupts, as
    contracts see it, although IME follows an instruction later. ``masking`` is the flag or
    register that keeps further interrupts away, with its value when a handler begins.
    ``jump_wraps`` says that ``jmp ($xxFF)`` takes the high byte of its target from the start of the
    same page. ``by_interrupt`` says that this is how an interrupt enters its handler (see
    ``handler``): ``pushes_flags`` tells whether it has pushed them. ``volatile`` are ranges of
    addresses, the end not included, where no machine with this CPU has memory but ports; ``ram``
    are such where every machine gives back what was written, none where the program says it.
    ``entry`` is where a program begins, None where it says so itself. ``cycle`` is the unit
    of durations; ``first_areas`` are the memory areas with contents that
    are there at the start of a program, among others at the same addresses.
    """

    cpu: str
    registers: tuple[Register, ...]
    pairs: Mapping[str, tuple[str, str]]
    stack_pointer: Register
    flag_byte: str
    flags: tuple[Flag, ...]
    groups: Mapping[str, tuple[str, ...]]
    poison: Mapping[str, int]
    not_inverted: Collection[str]
    shown: tuple[str, ...]
    stack_base: int
    stack_start: int
    stack_rooms: tuple[tuple[int, int], ...]
    return_bias: int
    highest_nowhere: int
    interrupt_vector: int | None
    cycle: str
    first_areas: Collection[str] = ()
    entry: int | None = None
    halted: tuple[str, int] | None = None
    delayed: Mapping[str, tuple[str, int]] = field(default_factory=lambda: MappingProxyType({}))
    volatile: tuple[tuple[int, int], ...] = ()
    ram: tuple[tuple[int, int], ...] = ()
    return_size: int = 2
    masking: tuple[str, int] = ("", 0)
    jump_wraps: bool = False
    by_interrupt: bool = False

    @property
    def is_6502(self) -> bool:
        """Whether the CPU is one of the 6502's family, with its registers and its stack page."""
        return self.cpu != SM83.cpu

    @cached_property
    def flag_names(self) -> dict[str, str]:
        """What contracts call each flag, by its letter: on the SM83 C is a register as well."""
        return {flag.letter: flag.name for flag in self.flags}

    @cached_property
    def handler(self) -> Abi:
        """How an interrupt enters its handler: it pushes the very address to return to, and then
        the flags where a software interrupt does so too. ``rti`` or ``reti`` ends the handler."""
        flags = self.interrupt_vector is not None
        return replace(self, return_size=2 + flags, return_bias=0, by_interrupt=True)

    @property
    def pushes_flags(self) -> bool:
        """Whether what is pushed begins with the byte of flags."""
        return self.by_interrupt and self.interrupt_vector is not None

    @property
    def cycles(self) -> str:
        """``cycle`` in the plural."""
        return f"{self.cycle}s"

    @cached_property
    def contents(self) -> tuple[Register | Flag, ...]:
        """All that must come back as it was, unless a contract lists it; memory apart."""
        return (*self.registers, *self.flags)

    @cached_property
    def items(self) -> Mapping[str, tuple[Register | Flag, ...]]:
        """What a contract may write, and which registers and flags that means."""
        single: dict[str, Register | Flag] = {r.name: r for r in self.registers}
        single |= {flag.name: flag for flag in self.flags}
        single[self.stack_pointer.name] = self.stack_pointer
        groups = {name: tuple(single[n] for n in names) for name, names in self.groups.items()}
        return {name: (item,) for name, item in single.items()} | groups

    @cached_property
    def widths(self) -> Mapping[str, int]:
        """The registers and pairs a result has, with their widths in bits."""
        singles = (*self.registers, self.stack_pointer)
        widths = {register.attribute: register.bits for register in singles}
        return widths | dict.fromkeys(self.pairs, 16) | {self.flag_byte: 8, "pc": 16}

    @cached_property
    def settable(self) -> Mapping[str, int]:
        """The registers and pairs a call can set, with their widths in bits."""
        singles = {register.attribute: register.bits for register in self.registers}
        return singles | {
            pair: 16 for pair, parts in self.pairs.items() if singles.keys() >= set(parts)
        }

    @cached_property
    def letters(self) -> Mapping[str, int]:
        """The flags as Python writes them, with their bits in the flag byte."""
        return {flag.letter: flag.mask for flag in self.flags}

    @cached_property
    def flags_by_name(self) -> Mapping[str, Flag]:
        """The flags by the names of contracts, in lower case."""
        return {flag.name.lower(): flag for flag in self.flags}

    @cached_property
    def flags_by_letter(self) -> Mapping[str, Flag]:
        """The flags as Python writes them."""
        return {flag.letter: flag for flag in self.flags}

    @cached_property
    def stack_mask(self) -> int:
        """The bits a stack pointer has."""
        return (1 << self.stack_pointer.bits) - 1

    def get(self, registers: object, name: str) -> int:
        """The value of a register or pair among an engine's ``registers``."""
        if name in self.pairs:
            high, low = self.pairs[name]
            return self.get(registers, high) << 8 | self.get(registers, low)
        value: int = getattr(registers, name)
        if name in self.delayed:
            other, when = self.delayed[name]
            return value | int(getattr(registers, other) == when)
        return value

    def set(self, registers: object, name: str, value: int) -> None:
        """Set a register or pair, to a value that fits."""
        if name in self.pairs:
            high, low = self.pairs[name]
            setattr(registers, high, value >> 8)
            setattr(registers, low, value & 0xFF)
        else:
            setattr(registers, name, value)

    @cached_property
    def stack_of(self) -> Callable[[object], int]:
        """The stack pointer among some registers. Made once: a call asks it six times."""
        return attrgetter(self.stack_pointer.attribute)

    @cached_property
    def flags_of(self) -> Callable[[object], int]:
        """The flag byte among some registers."""
        return attrgetter(self.flag_byte)

    def is_halted(self, registers: object) -> bool:
        """Whether the CPU waits for an interrupt."""
        return self.halted is not None and self.get(registers, self.halted[0]) == self.halted[1]

    def on_stack(self, lowest: int, end: int) -> range:
        """The addresses of what was pushed while the stack pointer went from ``end`` down."""
        return range(self.stack_base + lowest, self.stack_base + end)

    def format_flags(self, byte: int) -> str:
        """The flag byte as ``NvdIzC``: upper case is set."""
        return "".join(
            letter.upper() if byte & mask else letter for letter, mask in self.letters.items()
        )


def _flags(names: str, letters: str, first_bit: int = 7) -> tuple[Flag, ...]:
    """Flags from the highest bit down; ``-`` stands for a bit that is none."""
    masks = (1 << bit for bit in range(first_bit, -1, -1))
    rows = zip(names.split(), letters, masks, strict=False)
    return tuple(Flag(name, letter, mask) for name, letter, mask in rows if letter != "-")


WAITING = 2
"""The 65C02's register ``interrupt`` after ``wai``."""

MOS6502 = Abi(
    cpu="mos6502",
    registers=(Register("A"), Register("X"), Register("Y")),
    pairs=MappingProxyType({}),
    stack_pointer=Register("S"),
    flag_byte="p",
    flags=_flags("N V - - D I Z C", "nv--dizc"),
    groups=MappingProxyType({}),
    # N, V, C and I are set; hardly any routine is meant for decimal mode
    poison=MappingProxyType({"a": 0xA5, "x": 0xC3, "y": 0x96, "p": 0xE5}),
    not_inverted=("d",),
    shown=("a", "x", "y", "s"),
    stack_base=0x101,
    stack_start=0xFF,
    stack_rooms=(),
    return_bias=1,
    highest_nowhere=0xFFF9,  # the vectors follow
    interrupt_vector=0xFFFE,
    cycle="cycle",
    masking=("i", 1),
    jump_wraps=True,
)

RICOH2A03 = replace(MOS6502, cpu="ricoh2a03", volatile=((0x2000, 0x4020), (0x5000, 0x5C00)))
"""The NES's: the registers of picture and sound have the same addresses on all boards, and those
of an MMC5 are where no other board has memory."""

MOS6510 = replace(MOS6502, volatile=((0x0000, 0x0002), (0xD000, 0xE000)))
"""The C64's: a port of its own at 0 and 1, and chips, unless RAM is in sight there."""

SYNERTEK65C02 = replace(MOS6502, cpu="synertek65c02", jump_wraps=False)
ROCKWELL65C02 = replace(MOS6502, cpu="rockwell65c02", jump_wraps=False)
WDC65C02 = replace(SYNERTEK65C02, cpu="wdc65c02", halted=("interrupt", WAITING))
"""``wai`` waits."""

SM83 = Abi(
    cpu="sm83",
    registers=(*map(Register, "ABCDEHL"), Register("IME", 1)),
    pairs=MappingProxyType(
        {"af": ("a", "f"), "bc": ("b", "c"), "de": ("d", "e"), "hl": ("h", "l")}
    ),
    stack_pointer=Register("SP", 16),
    flag_byte="f",
    # C and H are registers, so the flags of contracts have two letters
    flags=_flags("ZF NF HF CF", "znhc"),
    groups=MappingProxyType(
        {
            "F": ("ZF", "NF", "HF", "CF"),
            "AF": ("A", "ZF", "NF", "HF", "CF"),
            "BC": ("B", "C"),
            "DE": ("D", "E"),
            "HL": ("H", "L"),
        }
    ),
    # N, H and C are set; the pairs point into ROM, where a write is noticed; interrupts are
    # enabled, as they are while most programs run
    poison=MappingProxyType(
        {"a": 0xA5, "f": 0x70, "b": 0x3C, "c": 0x96, "d": 0x5B, "e": 0xD2, "h": 0x69, "l": 0x87}
        | {"ime": 1}
    ),
    not_inverted=(),
    shown=("a", "bc", "de", "hl", "sp"),
    stack_base=0,
    stack_start=0xFFFE,  # as the boot ROM leaves it (Pan Docs, "Power-Up Sequence")
    stack_rooms=((0xC000, 0xE000), (0xFF80, 0xFFFE)),  # work RAM and high RAM
    return_bias=0,
    highest_nowhere=0xFEFF,  # nothing is at $FEA0..$FEFF on any Game Boy
    interrupt_vector=None,
    cycle="M-cycle",
    first_areas=("ROMX[1]",),  # every mapper begins with bank 1 at $4000
    entry=0x0100,
    halted=("mode", HALTED),
    delayed=MappingProxyType({"ime": ("mode", EI_DELAY)}),
    masking=("ime", 0),
    volatile=((0xFF00, 0xFF80),),
    ram=((0xC000, 0xE000), (0xFF80, 0xFFFF)),
)

_ABIS: Mapping[str, Abi] = MappingProxyType(
    {
        **dict.fromkeys(("6502", "6502X", "none", "mos6502", "perfect6502"), MOS6502),
        **dict.fromkeys(("2a03", "ricoh2a03"), RICOH2A03),
        "6510": MOS6510,
        **dict.fromkeys(("65SC02", "synertek65c02"), SYNERTEK65C02),
        **dict.fromkeys(("R65C02", "rockwell65c02"), ROCKWELL65C02),
        **dict.fromkeys(("65C02", "W65C02", "wdc65c02"), WDC65C02),
        "sm83": SM83,
    }
)
"""By the CPU's name, as manifests, images and engines have it."""

ABIS = (MOS6502, RICOH2A03, MOS6510, SYNERTEK65C02, ROCKWELL65C02, WDC65C02, SM83)
"""All there are."""

_ONLY_ASSEMBLED = MappingProxyType(
    {
        "65816": "wdc65816",
        "65CE02": "csg65ce02",
        **dict.fromkeys(("4510", "45GS02"), "csg4510"),
        "HuC6280": "huc6280",
        "m740": "melps740",
        **{
            name: name
            for name in ("wdc65816", "csg65ce02", "csg4510", "huc6280", "melps740", "sweet16")
        },
    }
)
"""CPUs without an engine, and their instruction tables."""


def abi_of(cpu: str) -> Abi:
    """How code for ``cpu`` is called. Raises NoAbi."""
    abi = _ABIS.get(cpu)
    if cpu in _ONLY_ASSEMBLED:
        raise NoAbi(f"code for the {cpu} is assembled, linked and listed; nothing here executes it")
    if abi is None:
        raise NoAbi(f"code for the CPU '{cpu}' cannot be called; those are {', '.join(_ABIS)}")
    return abi


def instructions_of(cpu: str) -> str:
    """The instruction table of code for ``cpu``, also of a CPU that no engine executes. Raises
    NoAbi."""
    return _ONLY_ASSEMBLED.get(cpu) or abi_of(cpu).cpu

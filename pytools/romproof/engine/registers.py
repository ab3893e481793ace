"""The registers of the CPUs as users see them: flags in one byte, and one by one for engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, Self

from romproof.engine.inputs import BadEngineInput
from romproof.isa.cpu import Cpu

_FLAGS_6502 = (("n", 7), ("v", 6), ("d", 3), ("i", 2), ("z", 1), ("c", 0))
_FLAGS_SM83 = (("zf", 7), ("nf", 6), ("hf", 5), ("cf", 4))
FLAG_BYTES = MappingProxyType({"p": (_FLAGS_6502, 0x20), "f": (_FLAGS_SM83, 0)})
"""The flags in the byte that holds them, each with its bit; and the bits that are always 1."""
_OTHER_WIDTHS = {"pc": 16, "sp": 16, "interrupt": 1, "ime": 1}
"""Of registers that do not have 8 bits."""


@dataclass(slots=True)
class RegisterFile:
    """What the registers of all CPUs have in common: they can be copied and set.

    ``pc`` is the program counter, 16 bits. ``names`` are those of all registers, in order.
    """

    names: ClassVar[tuple[str, ...]] = ()

    def copy(self) -> Self:
        """The same values, to keep."""
        return type(self)(*[getattr(self, name) for name in self.names])

    def set(self, other: Self) -> None:
        """Take over the values of ``other``."""
        for name in self.names:
            setattr(self, name, getattr(other, name))

    def _refuse(self) -> BadEngineInput:
        """The error for the first register that holds what does not fit into it."""
        for name in self.names:
            value = getattr(self, name)
            bits = _OTHER_WIDTHS.get(name, 8)
            if not isinstance(value, int) or not 0 <= value < 1 << bits:
                unit = "1 bit" if bits == 1 else f"{bits} bits"
                return BadEngineInput(
                    f"register {name.upper()} is {value!r}, which does not fit {unit}"
                )
        raise AssertionError("all registers fit")


@dataclass(slots=True)
class Registers(RegisterFile):
    """The 6502's registers: 8 bits each, ``pc`` 16. ``p`` is the flag byte NV-BDIZC.

    Bit 5 of ``p`` is always read as 1 and bit 4 as 0: neither exists in the chip.
    ``interrupt`` is 1 when the interrupt sequence comes next.
    """

    a: int = 0
    x: int = 0
    y: int = 0
    s: int = 0xFF
    p: int = 0x24
    pc: int = 0
    interrupt: int = 0

    def check(self) -> None:
        """Raises BadInput when a value does not fit its register."""
        bytes_ = self.a | self.x | self.y | self.s | self.p
        if bytes_ & ~0xFF or self.pc & ~0xFFFF or self.interrupt & ~1:
            raise self._refuse()

    def copy(self) -> Registers:
        """The same values, to keep."""
        return Registers(self.a, self.x, self.y, self.s, self.p, self.pc, self.interrupt)

    def set(self, other: Self) -> None:
        """Take over the values of ``other``: several times in each call, so no loop."""
        self.a, self.x, self.y, self.s = other.a, other.x, other.y, other.s
        self.p, self.pc, self.interrupt = other.p, other.pc, other.interrupt

    def unpack(self) -> dict[str, int]:
        """Every register and flag by its name in the microcode."""
        values = {name: self.p >> bit & 1 for name, bit in _FLAGS_6502}
        return values | {
            "pc": self.pc, "a": self.a, "x": self.x, "y": self.y, "s": self.s,
            "interrupt": self.interrupt,
        }  # fmt: skip

    def store(self, state: Any) -> None:
        """Set the fields ``r_`` with their names in the microcode: of each run, so no loops."""
        p = self.p
        state.r_pc, state.r_a, state.r_x, state.r_y = self.pc, self.a, self.x, self.y
        state.r_s, state.r_interrupt = self.s, self.interrupt
        state.r_n, state.r_v, state.r_d = p >> 7, p >> 6 & 1, p >> 3 & 1
        state.r_i, state.r_z, state.r_c = p >> 2 & 1, p >> 1 & 1, p & 1

    def load(self, state: Any) -> None:
        """Take over what ``store`` sets."""
        self.pc, self.a, self.x, self.y = state.r_pc, state.r_a, state.r_x, state.r_y
        self.s, self.interrupt = state.r_s, state.r_interrupt
        high = state.r_n << 7 | state.r_v << 6 | state.r_d << 3
        self.p = 0x20 | high | state.r_i << 2 | state.r_z << 1 | state.r_c

    def pack(self, values: dict[str, int]) -> None:
        """Take over registers and flags by their names in the microcode."""
        self.pc, self.a, self.x, self.y = values["pc"], values["a"], values["x"], values["y"]
        self.s, self.interrupt = values["s"], values["interrupt"]
        self.p = 0x20 | sum(values[name] << bit for name, bit in _FLAGS_6502)


@dataclass(slots=True)
class CmosRegisters(Registers):
    """The 65C02's registers; ``interrupt`` is 2 while ``wai`` waits."""

    def check(self) -> None:
        """Raises BadInput when a value does not fit its register."""
        waits = self.interrupt == 2
        try:
            self.interrupt -= 2 * waits
            Registers.check(self)
        finally:
            self.interrupt += 2 * waits


@dataclass(slots=True)
class Sm83Registers(RegisterFile):
    """The SM83's registers: 8 bits each, ``sp`` and ``pc`` 16. ``f`` is the flag byte ZNHC----.

    ``ime`` is 1 when interrupts are enabled; ``mode`` is 0 while the CPU runs (see
    romproof.isa.sm83 for the others: halted, stopped …).
    """

    a: int = 0
    f: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    e: int = 0
    h: int = 0
    l: int = 0  # noqa: E741  # the register's name
    sp: int = 0xFFFE
    pc: int = 0
    ime: int = 0
    mode: int = 0

    def check(self) -> None:
        """Raises BadInput when a value does not fit its register."""
        bytes_ = self.a | self.f | self.b | self.c | self.d | self.e | self.h | self.l | self.mode
        if bytes_ & ~0xFF or (self.pc | self.sp) & ~0xFFFF or self.ime & ~1:
            raise self._refuse()

    def copy(self) -> Sm83Registers:
        """The same values, to keep."""
        return Sm83Registers(
            self.a, self.f, self.b, self.c, self.d, self.e, self.h, self.l,
            self.sp, self.pc, self.ime, self.mode,
        )  # fmt: skip

    def unpack(self) -> dict[str, int]:
        """Every register and flag by its name in the microcode."""
        values = {name: getattr(self, name) for name in self.names}
        del values["f"]
        return values | {name: self.f >> bit & 1 for name, bit in _FLAGS_SM83}

    def store(self, state: Any) -> None:
        """Set the fields ``r_`` with their names in the microcode: of each run, so no loops."""
        f = self.f
        state.r_a, state.r_b, state.r_c, state.r_d = self.a, self.b, self.c, self.d
        state.r_e, state.r_h, state.r_l = self.e, self.h, self.l
        state.r_sp, state.r_pc, state.r_ime, state.r_mode = self.sp, self.pc, self.ime, self.mode
        state.r_zf, state.r_nf = f >> 7, f >> 6 & 1
        state.r_hf, state.r_cf = f >> 5 & 1, f >> 4 & 1

    def load(self, state: Any) -> None:
        """Take over what ``store`` sets."""
        self.a, self.b, self.c, self.d = state.r_a, state.r_b, state.r_c, state.r_d
        self.e, self.h, self.l = state.r_e, state.r_h, state.r_l
        self.sp, self.pc, self.ime, self.mode = state.r_sp, state.r_pc, state.r_ime, state.r_mode
        self.f = state.r_zf << 7 | state.r_nf << 6 | state.r_hf << 5 | state.r_cf << 4

    def pack(self, values: dict[str, int]) -> None:
        """Take over registers and flags by their names in the microcode."""
        for name in self.names:
            if name != "f":
                setattr(self, name, values[name])
        self.f = sum(values[name] << bit for name, bit in _FLAGS_SM83)


for _kind in (Registers, CmosRegisters, Sm83Registers):
    _kind.names = tuple(field.name for field in fields(_kind))


_REGISTERS: Mapping[str, type[Registers] | type[Sm83Registers]] = MappingProxyType(
    {
        "mos6502": Registers,
        **dict.fromkeys(("synertek65c02", "rockwell65c02", "wdc65c02"), CmosRegisters),
        "sm83": Sm83Registers,
    }
)
"""By the name of the instruction table."""


def registers_of(cpu: Cpu) -> Registers | Sm83Registers:
    """The registers of a CPU as users see them, with the values of a new engine."""
    return _REGISTERS[cpu.table]()

"""The registers and flags of a machine between runs, to read and to set."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from romproof.engine.protocol import Engine
from romproof.harness.state.arguments import fit
from romproof.harness.state.values import BadValue
from romproof.isa.abi import Abi
from romproof.text.diagnostic import suggest


class RegisterView:
    """``m.registers.a``, ``.hl``, ``.pc``; the 6502's flags ``.n .v .d .i .z .c``, those of the
    SM83 ``.zf .nf .hf .cf``. Setting one that does not exist, or a value that does not fit,
    raises BadValue; reading one raises AttributeError."""

    __slots__ = ("_abi", "_changed", "_engine", "_flags", "_widths")

    _abi: Abi
    _changed: Callable[[str, int], None]
    _engine: Engine
    _flags: Mapping[str, int]
    _widths: Mapping[str, int]

    def __init__(self, engine: Engine, abi: Abi, changed: Callable[[str, int], None]) -> None:
        put = object.__setattr__
        put(self, "_engine", engine)
        put(self, "_abi", abi)
        put(self, "_changed", changed)
        put(self, "_widths", abi.widths)
        put(self, "_flags", {flag.name.lower(): flag.mask for flag in abi.flags})

    def __getattr__(self, name: str) -> int:
        registers = self._engine.registers
        if name in self._widths:
            return self._abi.get(registers, name)
        if name in self._flags:
            return int(bool(self._abi.flags_of(registers) & self._flags[name]))
        raise AttributeError(self._unknown(name))

    def __setattr__(self, name: str, value: int) -> None:
        abi, registers = self._abi, self._engine.registers
        if name in self._widths:
            abi.set(registers, name, fit(name, value, self._widths[name]))
        elif name in self._flags and value in (0, 1):
            byte, mask = abi.flags_of(registers), self._flags[name]
            abi.set(registers, abi.flag_byte, byte | mask if value else byte & ~mask)
        elif name in self._flags:
            raise BadValue(f"the flag {name} is 0 or 1, not {value!r}")
        else:
            raise BadValue(self._unknown(name))
        self._changed(name, value)

    def _unknown(self, name: str) -> str:
        known = (*self._widths, *self._flags)
        return f"the {self._abi.cpu} has no register '{name}'; " + (
            suggest(name, known) or f"there are {' '.join(known)}"
        )

"""A saved state as JSON values and back: only what is listed here can be in one, and nothing of it
is executed.

Numbers, truth values, text and None are themselves. Everything else is an object with one key that
says what it is: ``bytes`` and ``bytearray`` (base64; ``rom``: so many bytes of the program come
first), ``array`` of numbers, ``tuple``, ``list``, ``deque``, ``set``, ``dict`` (pairs), ``part``
(another device of the machine, by its number), ``chip`` (fields by name, ``memory`` besides),
``device`` (attributes by name), ``devices``, and ``object`` (its class, with its attributes). What
can be changed and is met again is ``again``, with its number in the order of first meetings, so
that devices that share it still do.

A state is read with one of the machine it is for as its *pattern*: what the machine's devices have
decides what a state can say.
"""

from __future__ import annotations

import ctypes
from array import array
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from typing import Any

from romproof.engine.chips import Chip, fields_of
from romproof.engine.inputs import BadEngineInput
from romproof.engine.registers import Registers, Sm83Registers
from romproof.engine.space import PAGE
from romproof.machine.saved import SavedAttributes, SavedChip, SavedDevices, SavedPart
from romproof.text.errors import BadInput

_CLASSES = {
    "Banks": "romproof.machine.gameboy.mappers",
    "CmosRegisters": "romproof.engine.registers",
    "DiskFiles": "romproof.machine.c64.files",
    "Editor": "romproof.machine.c64.kernal",
    "Nothing": "romproof.machine.c64.cia",
    "OpenFile": "romproof.machine.c64.files",
    "Registers": "romproof.engine.registers",
    "Saved": "romproof.machine.c64.machine",
    "SavedFlat": "romproof.machine.flat",
    "Scanner": "romproof.machine.c64.scan",
    "SgbPacket": "romproof.machine.gameboy.sgb",
    "Sm83Registers": "romproof.engine.registers",
}
"""The modules of the classes of which there can be objects in a state."""
_COLLECTIONS: Mapping[type, str] = {tuple: "tuple", list: "list", set: "set", deque: "deque"}
_MUTABLE = (bytearray, list, set, deque, dict)
_TYPES: Mapping[str, type] = {"int": int, "bool": bool, "str": str, "bytes": bytes}
"""By what the fields of dataclasses say."""
_INT64 = range(-(1 << 63), 1 << 63)


class BadState(BadInput):
    """A state of a machine cannot be read, or is not one of this machine."""


@dataclass(slots=True)
class StateWriter:
    """Makes JSON values of a saved state; ``rom`` is left out where memory begins with it."""

    rom: bytes = b""
    _met: dict[int, int] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)
    _parts: dict[int, int] = field(default_factory=dict)

    def write(self, value: Any) -> Any:
        """The JSON value of a part of a state. Raises TypeError for what no state has."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if id(value) in self._parts:
            return {"part": self._parts[id(value)]}
        if isinstance(value, _MUTABLE) or type(value).__name__ in _CLASSES:
            if id(value) in self._met:
                return {"again": self._met[id(value)]}
            self._met[id(value)] = len(self._met)
            self._kept.append(value)  # so that no other object gets its number
        return self._write_object(value)

    def _write_object(self, value: Any) -> Any:
        kind = type(value)
        if kind is bytes or kind is bytearray:
            return self._write_bytes(value)
        if kind is array:
            return {"array": value.tolist()}
        if kind in _COLLECTIONS:
            members = sorted(value) if kind is set else value
            return {_COLLECTIONS[kind]: [self.write(one) for one in members]}
        if kind is dict:
            return {"dict": [[self.write(key), self.write(one)] for key, one in value.items()]}
        if kind is SavedDevices:
            self._parts |= {id(part): number for number, part in enumerate(value.parts)}
            return {"devices": [self._write_object(row) for row in value.attributes]}
        if kind is SavedChip:
            memory = {name: self._write_bytes(data) for name, data in value.memory.items()}
            return {"chip": _chip_fields(value.kind, value.fields), "memory": memory}
        if isinstance(value, Chip):
            return {"chip": _chip_fields(kind, bytes(value)), "memory": {}}
        if kind is SavedAttributes:
            rows = (value.simple | value.others).items()
            return {"device": {name: self.write(one) for name, one in rows}}
        if kind.__name__ in _CLASSES:
            rows = attributes_of(value).items()
            return {"object": kind.__name__, "has": {n: self.write(one) for n, one in rows}}
        raise TypeError(f"no state of a machine has a {kind.__name__}")

    def _write_bytes(self, data: bytes | bytearray) -> Any:
        name, rom = type(data).__name__, self.rom
        if rom and data.startswith(rom):
            return {name: _text(data[len(rom) :]), "rom": len(rom)}
        return {name: _text(data)}


@dataclass(slots=True)
class StateReader:
    """Makes a saved state of JSON values; see StateWriter. ``store_size`` is how many bytes of
    memory the machine has."""

    rom: bytes = b""
    store_size: int = 0
    _met: list[Any] = field(default_factory=list)
    _parts: Sequence[SavedPart] = ()

    def read(self, value: Any, pattern: Any) -> Any:
        """A part of a state that is like ``pattern``. Raises BadState."""
        made = self._read_like(value, pattern)
        if not _is_like(made, pattern):
            raise unlike(f"a {type(made).__name__} is in place of a {type(pattern).__name__}")
        if type(pattern) is bytes and len(made) != len(pattern):
            raise unlike(f"it has {len(made):,} bytes of memory instead of {len(pattern):,}")
        return made

    def _read_like(self, value: Any, pattern: Any) -> Any:
        kind = type(pattern)
        if kind is SavedDevices:
            return self._read_devices(_member(value, "devices", list), pattern)
        if kind is SavedChip:
            return self._read_chip(value, pattern)
        if isinstance(pattern, Chip):
            saved = self._read_chip(value, SavedChip(bytes(pattern), {}, kind))
            return kind.from_buffer_copy(saved.fields)
        if kind is SavedAttributes:
            return self._read_device(_member(value, "device", dict), pattern)
        if kind is tuple:
            members = _member(value, "tuple", list)
            if len(members) != len(pattern):
                raise unlike(f"it has {len(members)} parts instead of {len(pattern)}")
            return tuple(self.read(one, like) for one, like in zip(members, pattern, strict=True))
        if kind.__name__ in _CLASSES and isinstance(value, dict) and "object" in value:
            return self._read_object(value, pattern)
        if kind is array:
            return self._read_pages(_member(value, "array", list), pattern)
        return self._read_any(value)

    def _read_devices(self, rows: list[Any], pattern: SavedDevices) -> SavedDevices:
        if len(rows) != len(pattern.attributes):
            raise unlike(f"it has {len(rows)} devices instead of {len(pattern.attributes)}")
        outer, self._parts = self._parts, pattern.parts
        pairs = zip(rows, pattern.attributes, strict=True)
        made = [self._read_like(row, like) for row, like in pairs]
        self._parts = outer
        return SavedDevices(pattern.parts, tuple(made))

    def _read_chip(self, value: Any, pattern: SavedChip) -> SavedChip:
        given, memory = _member(value, "chip", dict), _member(value, "memory", dict)
        kind, name = pattern.kind, pattern.kind.__name__
        is_cut = len(pattern.fields) < ctypes.sizeof(kind)
        kinds = fields_of(kind)
        known = dict(zip(kinds, given, strict=False)) if is_cut else kinds
        _check_names(given, known, name)
        _check_names(memory, pattern.memory, name)
        chip = _chip_of(kind, pattern.fields)
        end = 0
        for field_name, one in given.items():
            last = is_cut and field_name == list(known)[-1]
            end = _set_field(chip, field_name, kinds[field_name], one, last)
        data = {name: self.read(memory[name], like) for name, like in pattern.memory.items()}
        return SavedChip(bytes(chip)[: end if is_cut else None], data, kind)

    def _read_device(self, given: dict[str, Any], pattern: SavedAttributes) -> SavedAttributes:
        known = pattern.simple | pattern.others
        _check_names(given, known, "a device")
        made = {name: self._read_attribute(given[name], known[name]) for name in given}
        for name, one in made.items():
            if not _is_like(one, known[name]):
                raise unlike(f"{name} of a device is {one!r:.40}")
        return SavedAttributes(
            {name: made[name] for name in made if name in pattern.simple},
            {name: made[name] for name in made if name in pattern.others},
        )

    def _read_attribute(self, value: Any, pattern: Any) -> Any:
        """As ``read``, but collections of what a device has are as long as they are, and what can
        be None at times is not decided by the pattern."""
        if value is None or type(pattern) in (tuple, bytes):
            made = self._read_any(value)
            if made is None or type(made) is type(pattern):
                return made
        return self.read(value, pattern)

    def _read_object(self, value: dict[str, Any], pattern: Any) -> Any:
        """An object of a class of which the machine has one."""
        if value["object"] != type(pattern).__name__:
            raise unlike(f"a {value['object']} is in place of a {type(pattern).__name__}")
        return self._make(type(pattern), value, attributes_of(pattern), self._read_attribute)

    def _make(
        self,
        kind: Any,
        value: dict[str, Any],
        known: Mapping[str, Any],
        read: Callable[[Any, Any], Any],
    ) -> Any:
        given = _member(value, "has", dict)
        _check_names(given, known, kind.__name__)
        if issubclass(kind, tuple):
            self._met.append(None)
            number = len(self._met) - 1
            made = kind(*(self.read(given[name], like) for name, like in known.items()))
            self._met[number] = made
            return made
        made = kind.__new__(kind)
        self._met.append(made)
        types = _types_of(kind)
        for name, like in known.items():
            one = read(given[name], like)
            wanted = _TYPES.get(types.get(name, ""))
            if wanted is not None and type(one) is not wanted:
                raise unlike(f"{name} of {kind.__name__} is {one!r:.40}")
            object.__setattr__(made, name, one)
        if isinstance(made, (Registers, Sm83Registers)):
            try:
                made.check()
            except BadEngineInput as fault:
                raise unlike(str(fault)) from None
        return made

    def _read_pages(self, pages: list[Any], pattern: array[int]) -> array[int]:
        last = self.store_size - PAGE
        if len(pages) != len(pattern) or not all(
            type(at) is int and 0 <= at <= last for at in pages
        ):
            raise unlike("its pages are not in the machine's memory")
        return array(pattern.typecode, pages)

    def _read_any(self, value: Any) -> Any:
        """What no pattern is needed for."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if not isinstance(value, dict):
            raise unlike("something is in it that no state has")
        for kind, name in (*_COLLECTIONS.items(), (dict, "dict")):
            if name in value:
                return self._read_members(kind, _member(value, name, list))
        for made_of in (bytes, bytearray):
            if made_of.__name__ in value:
                return self._read_bytes(made_of, value)
        if "part" in value:
            return self._parts[_number(value["part"], len(self._parts))]
        if "again" in value:
            return self._met[_number(value["again"], len(self._met))]
        called = value.get("object")
        if called not in _CLASSES:
            raise unlike("something is in it that no state has")
        of = getattr(import_module(_CLASSES[called]), called)
        known = dict.fromkeys(_types_of(of))
        return self._make(of, value, known, lambda one, like: self._read_any(one))

    def _read_members(self, kind: Any, members: list[Any]) -> Any:
        if kind is tuple:
            return tuple(self._read_any(one) for one in members)
        made = kind()
        self._met.append(made)
        for one in members:
            if kind is dict:
                if not isinstance(one, list) or len(one) != 2:
                    raise unlike("a table in it has no pairs")
                made[_key(self._read_any(one[0]))] = self._read_any(one[1])
            elif kind is set:
                made.add(_key(self._read_any(one)))
            else:
                made.append(self._read_any(one))
        return made

    def _read_bytes(self, kind: Any, value: dict[str, Any]) -> Any:
        try:
            data = b64decode(value[kind.__name__], validate=True)
        except (ValueError, TypeError):
            raise unlike("bytes in it are not base64") from None
        before = value.get("rom", 0)
        if before:
            if before != len(self.rom):
                raise unlike("the program is not as long as the machine's")
            data = self.rom + data
        if kind is bytes:
            return data
        made = bytearray(data)
        self._met.append(made)
        return made


def attributes_of(one: Any) -> dict[str, Any]:
    """What an object in a state consists of, by name."""
    if isinstance(one, tuple):
        return dict(zip(one._fields, one, strict=True))  # type: ignore[attr-defined]
    names = _types_of(type(one)) or vars(one)
    return {name: getattr(one, name) for name in names}


def _types_of(kind: Any) -> dict[str, str]:
    """The fields of a dataclass, with what it says that they are; none for other classes."""
    return {one.name: str(one.type) for one in fields(kind)} if is_dataclass(kind) else {}


def _chip_of(kind: type[Chip], data: bytes) -> Chip:
    """A chip with fields that were saved: all, or those at the start."""
    return kind.from_buffer_copy(data.ljust(ctypes.sizeof(kind), b"\0"))


def _chip_fields(kind: type[Chip], data: bytes) -> dict[str, Any]:
    """The fields that were saved of a chip, by name; of the last array perhaps the first members
    only."""
    chip, found = _chip_of(kind, data), dict[str, Any]()
    for name, of in fields_of(kind).items():
        room = len(data) - getattr(kind, name).offset
        if room <= 0:
            break
        value = getattr(chip, name)
        if not isinstance(value, (int, bool)):
            value = value[: room // ctypes.sizeof(of._type_)]
        found[name] = value
    return found


def _set_field(chip: Chip, name: str, kind: Any, value: Any, may_be_cut: bool) -> int:
    """Set a field of a chip to what fits into it; where it ends. ``may_be_cut``: an array may be
    shorter. Raises BadState."""
    what, start = f"{name} of {type(chip).__name__}", getattr(type(chip), name).offset
    if issubclass(kind, ctypes.Array):
        limits = range(256) if kind._type_ is ctypes.c_uint8 else _INT64
        length: int = kind._length_
        if not isinstance(value, list) or not (
            len(value) == length or (may_be_cut and len(value) < length)
        ):
            raise unlike(f"{what} has not {length} members")
        if not all(type(one) is int and one in limits for one in value):
            raise unlike(f"{what} has a member that does not fit")
        getattr(chip, name)[: len(value)] = value
        return int(start + len(value) * ctypes.sizeof(kind._type_))
    wanted: type = bool if kind is ctypes.c_bool else int
    if type(value) is not wanted or value not in _INT64:
        raise unlike(f"{what} is {value!r:.40}")
    setattr(chip, name, value)
    return int(start + ctypes.sizeof(kind))


def _is_like(made: Any, pattern: Any) -> bool:
    """Whether a value can be in place of another: of one type, or both numbers, or None is in
    place of what is not just a value, or the other way round."""
    kinds = {type(made), type(pattern)}
    if made is None:
        return not isinstance(pattern, (bool, int, str))
    return len(kinds) == 1 or pattern is None or kinds == {bool, int}


def _member(value: Any, name: str, kind: type) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(name), kind):
        raise unlike(f"a {name} is missing")
    return value[name]


def _check_names(given: Mapping[str, Any], known: Mapping[str, Any], of: str) -> None:
    if given.keys() != known.keys():
        names = ", ".join(sorted(given.keys() ^ known.keys()))
        raise unlike(f"{of} differs in {names}")


def _number(value: Any, end: int) -> int:
    if type(value) is not int or not 0 <= value < end:
        raise unlike("a reference in it leads nowhere")
    return value


def _key(value: Any) -> Any:
    if not isinstance(value, (int, str, bytes, tuple)):
        raise unlike("a key in it cannot be one")
    return value


def _text(data: bytes | bytearray) -> str:
    return b64encode(data).decode("ascii")


def unlike(why: str) -> BadState:
    """The error of a state that is none of the machine, and why."""
    return BadState(
        f"the state does not fit this machine: {why}; it was saved by another version of "
        "romproof, or changed: save it again"
    )

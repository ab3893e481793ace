"""Writing to a section: bytes that are known, and patches for the linker where they are not."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.model import Expression, PendingPatch, Section
from romproof.toolchains.rgbds.asm.nodes import Nodes
from romproof.toolchains.rgbds.asm.position import Position
from romproof.toolchains.rgbds.asm.report import Reporter, check_bits
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.obj.model import ObjLine, PatchKind

Mark = tuple[Section | None, Section | None, int]
"""Where something was written: the section, that of the LOAD block, and the offset there."""

_SMALLEST_ROM = 0x4000
"""No section that has data is limited to fewer bytes."""


_KINDS = {1: PatchKind.BYTE, 2: PatchKind.WORD, 4: PatchKind.LONG}


class SectionWriter(Position):
    """Writes at the position that it is."""

    def __init__(
        self, report: Reporter, settings: Settings, contexts: Contexts, nodes: Nodes
    ) -> None:
        super().__init__()
        self._report = report
        self._settings = settings
        self._contexts = contexts
        self._nodes = nodes

    def require_section(self) -> bool:
        """Whether there is a section; else an error."""
        if self.output is None:
            self._report.error("Cannot output data outside of a `SECTION`")
            return False
        return True

    def require_code(self) -> bool:
        """Whether there is one for code and data; else an error."""
        output = self.output
        if output is not None and output.has_data:
            return True
        if not self.require_section():
            return False
        assert self.output is not None
        self._report.error(
            f'Section "{self.output.name}" cannot contain code or data (not `ROM0` or `ROMX`)'
        )
        return False

    def _write(self, data: bytes) -> None:
        section = self.output
        assert section is not None
        at = self.output_offset
        limit = section.limit
        if at < limit:
            fitting = data[: limit - at]
            missing = at - len(section.data)
            if missing > 0:
                section.data.extend(bytes(missing))
            section.data[at : at + len(fitting)] = fitting
        self._grow(len(data))

    def put(self, data: bytes) -> None:
        """Bytes that are known, into a section that is there and has data."""
        section = self.output
        assert section is not None
        end = self.offset + len(data)
        if self.load is None and end <= _SMALLEST_ROM and len(section.data) == self.offset:
            section.data += data
            self.offset = end
            if end > section.size:
                section.size = end
        else:
            self._write(data)

    def _grow(self, count: int) -> None:
        if self.offset + count > 0xFFFF_FFFF:
            self._report.fatal("Section size would overflow internal counter")
        self.offset += count
        assert self.output is not None
        self.output.size = max(self.output.size, self.output_offset)
        if self.load is not None:
            self.load.size = max(self.load.size, self.offset)

    def write(self, data: bytes) -> None:
        """Bytes that are known."""
        if self.require_code():
            self._write(data)

    def write_units(self, units: Sequence[int], size: int) -> None:
        """The units of a string, ``size`` bytes each."""
        if not self.require_code():
            return
        if size == 1 and units and min(units) >= 0 and max(units) <= 0xFF:
            self.put(bytes(units))
            return
        if size < 4:
            for unit in units:
                if not check_bits(self._report, unit, 8 * size, "All character units"):
                    break
        mask = (1 << 8 * size) - 1
        self._write(b"".join((unit & mask).to_bytes(size, "little") for unit in units))

    def write_value(self, expression: Expression, size: int, pc_shift: int = 0) -> None:
        """A number of 1, 2 or 4 bytes; ``pc_shift`` bytes of its statement are written."""
        if not self.require_code():
            return
        if expression.value is None:
            self._patch(_KINDS[size], expression, pc_shift)
            self.put(bytes(size))
        else:
            mask = (1 << 8 * size) - 1
            self.put((expression.value & mask).to_bytes(size, "little"))

    def write_patched(self, kind: PatchKind, expression: Expression, pc_shift: int) -> None:
        """What the linker works out, as ``kind`` says; ``pc_shift`` as of write_value."""
        if self.require_code():
            self._patch(kind, expression, pc_shift)
            self.put(bytes(kind.size))

    def _patch(self, kind: PatchKind, expression: Expression, pc_shift: int) -> None:
        assert self.output is not None
        place = self._contexts.place()
        self._nodes.register(place.node)
        self._nodes.number_symbols(expression)
        self.output.patches.append(
            PendingPatch(
                place,
                self.output_offset,
                self.current,
                self.offset - pc_shift,
                kind,
                expression,
            )
        )

    def write_repeated(self, count: int, values: Sequence[Expression]) -> None:
        """DS with values: ``count`` bytes, the values over and over."""
        if not self.require_code():
            return
        if all(value.value is not None for value in values):
            cycle = bytes((value.value or 0) & 0xFF for value in values)
            self._write((cycle * (count // len(cycle) + 1))[:count])
            return
        for i in range(count):
            self.write_value(values[i % len(values)], 1, i)

    def skip(self, count: int, directive: str | None = None) -> None:
        """``count`` bytes without contents; ``directive`` is DB, DW or DL, None for DS."""
        if not self.require_section():
            return
        assert self.output is not None
        if not self.output.type.has_data:
            self._grow(count)
            return
        if directive is not None:
            self._report.warning(
                "empty-data-directive", f"`{directive}` directive without data in ROM"
            )
        limit = self.output.limit
        written = min(count, max(0, limit - self.output_offset))
        self._write(bytes([self._settings.pad]) * written)
        if count > written:
            self._grow(count - written)

    def mark(self) -> Mark:
        """Where a statement starts to write; for note_line."""
        return self.output, self.load, self.offset

    def note_line(self, start: Mark, is_code: bool) -> None:
        """Remember which source line made the bytes since ``start``.

        What a LOAD block makes is in two sections: where it is stored and where it will run.
        """
        output, load, offset = start
        size = self.offset - offset
        if output is None or output is not self.output or load is not self.load or size <= 0:
            return
        place = self._contexts.place()
        output.lines.append(ObjLine(offset + self.load_offset, size, is_code, place))
        if load is not None:
            load.lines.append(ObjLine(offset, size, is_code, place))

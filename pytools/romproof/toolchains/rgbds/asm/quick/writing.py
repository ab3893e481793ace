"""Plain statements that write: instructions, data and space."""

from __future__ import annotations

from collections.abc import Callable

from romproof.isa.encodings import Encoding
from romproof.toolchains.rgbds.asm import instructions
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import Context
from romproof.toolchains.rgbds.asm.instruction_forms import BITS, plain_form
from romproof.toolchains.rgbds.asm.model import SymbolType, known
from romproof.toolchains.rgbds.asm.operands import Immediate, Operand, Register
from romproof.toolchains.rgbds.asm.quick.operands import Given, Item, Scanner
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, PlainValue
from romproof.toolchains.rgbds.obj.model import PatchKind

Act = Callable[[Context], None]
"""Does what a statement does. Raises NotPlain before anything is done."""
_RANGES = {1: (-0x80, 0xFF), 2: (-0x8000, 0xFFFF), 4: (-0x8000_0000, 0x7FFF_FFFF)}
"""What fits 1, 2 and 4 bytes, with or without a sign."""


def _is_rom(asm: Assembly) -> bool:
    """Whether bytes can be written here."""
    output = asm.sections.output
    return output is not None and output.has_data


def _note_lines(asm: Assembly, write: Act, is_code: bool) -> Act:
    """An act that writes, and lines remembered for it if anybody wants them."""
    sections = asm.sections
    if not asm.options.lines:
        return write

    def act(context: Context) -> None:
        start = sections.mark()
        write(context)
        sections.note_line(start, is_code)

    return act


_ROWS: dict[tuple[object, ...], tuple[str, tuple[Operand, ...], Encoding | None]] = {}
"""What instructions are, by mnemonic and operands."""


# -- instructions ----------------------------------------------------------------------------


def instruction(asm: Assembly, word: str, scanner: Scanner) -> Act:
    """An instruction, whose operands are next."""
    forms, used = scanner.operands()
    key = word, *map(id, forms)  # of the few objects that operands.py has for them
    row = _ROWS.get(key)
    if row is None:
        mnemonic, operands = plain_form(word.lower(), tuple(forms))
        row = _ROWS[key] = mnemonic, operands, instructions.opcode_for(mnemonic, operands)
    mnemonic, operands, opcode = row
    if mnemonic == "stop":
        raise NotPlain
    if mnemonic == "rst":
        if len(used) != 1 or not isinstance(operands[0], Immediate):
            raise NotPlain
        return _note_lines(asm, _restart(asm, used[0]), is_code=True)
    if mnemonic in BITS:
        return _note_lines(asm, _bit(asm, mnemonic, operands, used), is_code=True)
    if opcode is None or len(used) > 1:
        raise NotPlain
    code = opcode.prefix + bytes([opcode.byte])
    if not used:
        return _note_lines(asm, _bytes(asm, code), is_code=True)
    if opcode.placeholder == "e8" and opcode.mnemonic == "jr":
        return _note_lines(asm, _jump(asm, code, used[0]), is_code=True)
    return _note_lines(asm, _with_value(asm, opcode, code, used[0]), is_code=True)


def _bytes(asm: Assembly, code: bytes) -> Act:
    sections = asm.sections

    def write(context: Context) -> None:
        output = sections.output
        if output is None or not output.has_data:
            raise NotPlain
        sections.put(code)

    return write


def _with_value(asm: Assembly, opcode: Encoding, code: bytes, value: PlainValue) -> Act:
    sections, expressions = asm.sections, asm.expressions
    probe, build = value
    is_high = opcode.placeholder == "a8"
    wide = opcode.placeholder.endswith("16")
    size = 2 if wide else 1
    lowest, highest = _RANGES[instructions.width(opcode) // 8]
    if is_high:
        lowest, highest = 0xFF00, 0xFFFF
    mask = 0xFFFF if wide else 0xFF

    def write(context: Context) -> None:
        number = probe()
        if not _is_rom(asm):
            raise NotPlain
        if number is not None:
            if not lowest <= number <= highest:
                raise NotPlain
            sections.put(code + (number & mask).to_bytes(size, "little"))
            return
        expression = build()
        if is_high:
            expression = expressions.check_hram(expression)
        sections.put(code)
        sections.write_value(expression, size, 1)

    return write


def _jump(asm: Assembly, code: bytes, value: PlainValue) -> Act:
    """JR: the distance, or a patch."""
    sections = asm.sections
    probe, build = value

    def write(context: Context) -> None:
        number = probe()
        if not _is_rom(asm) or (number is not None and not -0x8000 <= number <= 0xFFFF):
            raise NotPlain
        expression = known(number) if number is not None else build()
        target = expression.symbol
        if (
            target is not None
            and target.type is SymbolType.LABEL
            and target.section is sections.current
        ):
            distance = (target.value - sections.offset - 2 + 0x8000) % 0x10000 - 0x8000
            if not -128 <= distance <= 127:
                raise NotPlain
            sections.put(code + (distance & 0xFF).to_bytes(1, "little"))
            return
        sections.put(code)
        sections.write_patched(PatchKind.JR, expression, 1)

    return write


def _restart(asm: Assembly, value: PlainValue) -> Act:
    sections, expressions = asm.sections, asm.expressions
    probe, build = value

    def write(context: Context) -> None:
        number = probe()
        if not _is_rom(asm) or (number is not None and number & ~0x38):
            raise NotPlain
        if number is not None:
            sections.put(bytes((0xC7 | number,)))
        else:
            sections.write_value(expressions.check_rst(build()), 1, 0)

    return write


def _bit(
    asm: Assembly, mnemonic: str, operands: tuple[Operand, ...], used: list[PlainValue]
) -> Act:
    match operands:
        case (Immediate(), Register(text)) if len(used) == 1:
            opcode = instructions.bit_opcode(mnemonic, text)
        case _:
            raise NotPlain
    if opcode is None:
        raise NotPlain
    sections, probe = asm.sections, used[0][0]
    prefix, byte = opcode.prefix, opcode.byte

    def write(context: Context) -> None:
        number = probe()
        if number is None or not 0 <= number <= 7 or not _is_rom(asm):
            raise NotPlain
        sections.put(prefix + bytes((byte | number << 3,)))

    return write


# -- data ------------------------------------------------------------------------------------


def known_bytes(asm: Assembly, numbers: bytes) -> Act:
    """DB with these."""
    return _note_lines(asm, _bytes(asm, numbers), is_code=False)


def data(asm: Assembly, scanner: Scanner, size: int) -> Act:
    """DB, DW or DL, whose values are next."""
    if scanner.kind == "END":
        return _note_lines(asm, _unwritten(asm, size), is_code=False)
    items: list[Item | Given] = []
    while True:
        given = scanner.arguments()
        if given is not None:
            items.append(given)
        elif scanner.kind == "STRING":
            items.append((None, str(scanner.take()[1])))
        else:
            items.append((scanner.expression(), ""))
        if scanner.kind == "END":
            break
        scanner.expect(",")
        if scanner.kind == "END":
            break
    return _note_lines(asm, _written(asm, items, size), is_code=False)


def _unwritten(asm: Assembly, size: int) -> Act:
    sections = asm.sections

    def write(context: Context) -> None:
        if sections.output is None or sections.output.has_data:
            raise NotPlain
        sections.skip(size)

    return write


def _written(asm: Assembly, items: list[Item | Given], size: int) -> Act:
    sections, plain = asm.sections, asm.charmaps.plain
    lowest, highest = _RANGES[size]
    mask = (1 << 8 * size) - 1

    def write(context: Context) -> None:
        if not _is_rom(asm):
            raise NotPlain
        pieces: list[bytes | PlainValue] = []
        now: list[Item] = []
        for item in items:
            now += (item,) if isinstance(item, tuple) else item()
        for value, text in now:
            if value is None:
                units = plain(text)
                if units is None:
                    raise NotPlain
                if size == 1:
                    try:
                        pieces.append(bytes(units))
                    except ValueError:
                        raise NotPlain from None
                    continue
                for unit in units:
                    if not lowest <= unit <= highest:
                        raise NotPlain
                    pieces.append((unit & mask).to_bytes(size, "little"))
                continue
            number = value[0]()
            if number is None:
                pieces.append(value)
            elif lowest <= number <= highest:
                pieces.append((number & mask).to_bytes(size, "little"))
            else:
                raise NotPlain
        known = b""
        for piece in pieces:
            if isinstance(piece, bytes):
                known += piece
                continue
            if known:
                sections.put(known)
                known = b""
            sections.write_value(piece[1](), size)
        if known:
            sections.put(known)

    return write


def space(asm: Assembly, scanner: Scanner) -> Act:
    """DS, whose operands are next."""
    probe = scanner.expression()[0]
    fill = scanner.expression()[0] if scanner.accept(",") else None
    if scanner.kind != "END":
        raise NotPlain
    sections = asm.sections

    def write(context: Context) -> None:
        count = probe()
        output = sections.output
        if count is None or count < 0 or output is None:
            raise NotPlain
        if fill is None:
            sections.skip(count)
            return
        byte = fill()
        if byte is None or not -0x80 <= byte <= 0xFF or not output.has_data:
            raise NotPlain
        sections.write_repeated(count, (known(byte),))

    return _note_lines(asm, write, is_code=False)

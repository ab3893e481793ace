"""Programs written as bytes by hand, and py65 to run them under an observer."""

from __future__ import annotations

from py65.devices.mpu6502 import MPU

from romproof.engine.protocol import Observer
from romproof.isa.codec import decode
from romproof.program.address_size import AddressSize
from romproof.program.image import Block, Image, ImageLine, Routine, Segment, Symbol
from romproof.text.span import Source, Span

START = 0x8000
STOP = 0xFFF0


def image_of(
    code: dict[int, str],
    procs: dict[str, tuple[int, int]] | None = None,
    labels: dict[str, int] | None = None,
    cpu: str = "mos6502",
) -> Image:
    """An image of hexadecimal ``code`` by address; ``procs`` are (address, size)."""
    data = {address: bytes.fromhex(text) for address, text in code.items()}
    lines: list[ImageLine] = []
    texts: list[str] = []
    for address, block in sorted(data.items()):
        offset = 0
        while offset < len(block):
            instruction = decode(block[offset:], address + offset, cpu)
            assert instruction is not None
            size = instruction.opcode.size
            texts.append(f"  {instruction.opcode.syntax}")
            span = Span(Source("program.s", ""), len(texts), 1)
            lines.append(
                ImageLine(address + offset, size, block[offset : offset + size], True, "CODE", span)
            )
            offset += size
    source = Source("program.s", "\n".join(texts))
    lines = [
        ImageLine(x.address, x.size, x.data, True, x.segment, Span(source, x.span.line, 1))
        for x in lines
    ]
    span = Span(source, 1, 1)
    names = {**{name: place[0] for name, place in (procs or {}).items()}, **(labels or {})}
    return Image(
        cpu=cpu,
        files=(),
        blocks=tuple(Block("ROM", a, block, False) for a, block in data.items()),
        areas=(),
        segments=(Segment("CODE", START, START, 0x1000, 1, "ro", "ROM", None, 0, ()),),
        symbols=tuple(
            Symbol(name, value, AddressSize.ABSOLUTE, True, False, None, "program", span)
            for name, value in names.items()
        ),
        lines=tuple(lines),
        routines=tuple(
            Routine(name, address, size, "program", span)
            for name, (address, size) in (procs or {}).items()
        ),
        sources=(source,),
    )


def execute(image: Image, entry: int, observer: Observer, limit: int = 10_000, **regs: int) -> int:
    """Call ``entry`` as a routine until it returns or ``limit`` cycles; the cycles."""
    mpu = MPU()
    for block in image.blocks:
        for offset, byte in enumerate(block.data):
            mpu.memory[block.address + offset] = byte
    mpu.pc = entry
    mpu.memory[0x1FE], mpu.memory[0x1FF] = (STOP - 1) & 0xFF, (STOP - 1) >> 8
    mpu.sp = 0xFD
    for name, value in regs.items():
        setattr(mpu, name, value)
    while mpu.pc != STOP and mpu.processorCycles < limit:
        pc, byte, before = mpu.pc, mpu.memory[mpu.pc], mpu.processorCycles
        mpu.step()
        observer.instruction(pc, byte, mpu.processorCycles - before, mpu.sp, mpu.pc)
    return int(mpu.processorCycles)

"""Running a whole program on a Game Boy: with its timer, its screen's lines and interrupts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from romproof.engine.protocol import EngineFault, Observer, Stop
from romproof.harness.rom import Rom
from romproof.harness.values import Target, Value, encode, place
from romproof.machine.gameboy.machine import GameBoy


def run_on_gameboy(
    rom: Rom,
    entry: Target,
    stops: Collection[int],
    *,
    mem: Mapping[Target, Value],
    limit: int,
    observer: Observer,
) -> bool:
    """Run from ``entry`` until the program rests at one of ``stops`` or stops the clock.

    ``stops`` are jumps to themselves; with interrupts enabled such a jump is no end but a
    wait. False when ``limit`` M-cycles were not enough. No button is pressed. ``mem`` is
    written first. Raises BadCartridge, EngineFault, UnknownSymbol and BadValue.
    """
    machine = GameBoy(rom.image.files[0].data, rom.engine)
    space, engine = machine.memory.space, machine.engine
    for target, value in mem.items():
        address, data = encode(rom.image, target, value)
        for at, byte in enumerate(data, address):
            space.store[space.write_pages[at >> 8] + (at & 0xFF)] = byte
    machine.registers.pc, _ = place(rom.image, entry)
    end = machine.cycles + limit
    try:
        stop = engine.run(stops, limit, observer)
        if stop is Stop.REACHED and machine.registers.ime and machine.cycles < end:
            stop = engine.run((), end - machine.cycles, observer)
    except EngineFault as fault:
        named = rom.loaded.describe(fault.address)
        raise EngineFault(
            fault.kind, fault.engine, fault.address, fault.opcode, fault.explain(named)
        ) from None
    return stop is not Stop.LIMIT

"""Running a whole program on a Game Boy: with its timer, its screen's lines and interrupts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from romproof.engine.protocol import EngineFault, Observer, Stop
from romproof.engine.space import PAGE
from romproof.harness.rom import Rom
from romproof.harness.state.values import GivenValue, Target, encode, place
from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow
from romproof.machine.gameboy.board import windows_of
from romproof.machine.gameboy.machine import GameBoy
from romproof.measure.code_locations import BANK, CodeLocations


def machine_of(rom: Rom) -> GameBoy:
    """A Game Boy with the program in it. Raises BadCartridge."""
    return GameBoy(rom.image.files[0].data, rom.engine)


def places_of(rom: Rom, machine: GameBoy) -> CodeLocations:
    """Where the program's code stands while ``machine`` runs it from the start."""
    banked = any("[" in area.name for area in rom.image.areas)
    places = CodeLocations(rom.image, windows_of(machine) if banked else ())
    if banked:
        machine.memory.tell_banks(places.switch)
    return places


def run_on_gameboy(
    rom: Rom,
    machine: GameBoy,
    entry: Target,
    stops: Collection[int],
    *,
    mem: Mapping[Target, GivenValue],
    limit: int,
    observer: Observer,
) -> bool:
    """Run from ``entry`` until the program rests at one of ``stops`` or stops the clock.

    ``stops`` are the addresses of jumps to themselves, in whatever bank; with interrupts enabled
    such a jump waits and does not end the run. False when ``limit`` M-cycles were not enough. No
    button is pressed. ``mem`` is written first. Raises EngineFault, UnknownSymbol and BadValue.
    """
    space = machine.memory.space
    for target, value in mem.items():
        address, data = encode(rom.image, target, value)
        for at, byte in enumerate(data, address):
            space.store[space.write_pages[at >> 8] + (at & 0xFF)] = byte
    machine.registers.pc, _ = place(rom.image, entry)
    try:
        return _to_the_end(machine, stops, machine.cycles + limit, observer)
    except EngineFault as fault:
        raise EngineFault(
            fault.kind,
            fault.engine,
            fault.address,
            fault.opcode,
            fault.explain(_name_at(rom, machine, fault.address)),
            fault.write,
        ) from None


def _to_the_end(machine: GameBoy, stops: Collection[int], end: int, observer: Observer) -> bool:
    while True:
        stop = machine.go_on(end - machine.cycles, stops, observer)
        if stop is not Stop.REACHED:
            return stop is not Stop.LIMIT
        if _rests(machine) and not machine.registers.ime:
            return True
        if machine.cycles >= end:
            return False
        if machine.registers.ime:
            stops = ()


def _rests(machine: GameBoy) -> bool:
    """Whether what comes next, in the bank that is in sight, is a jump to itself."""
    pc, peek = machine.registers.pc, machine.memory.space.peek
    data = bytes(peek((pc + offset) % BANK) for offset in range(3))
    instruction = decode(data, pc, "sm83")
    return instruction is not None and stays(instruction)


def stays(instruction: Instruction) -> bool:
    """Whether an instruction jumps to itself, whatever the flags are."""
    opcode = instruction.opcode
    # the target of an indirect jump is not the address that its operand names
    to_itself = instruction.target == instruction.address and "(" not in opcode.mode
    return opcode.flow is Flow.JUMP and to_itself


def _name_at(rom: Rom, machine: GameBoy, address: int) -> str:
    """What the program calls an address, in the bank that is in sight there."""
    places = places_of(rom, machine)
    places.advance(machine.cycles)
    return places.image_at(address + places.offsets[address // PAGE]).describe(address)

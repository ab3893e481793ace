"""The loops that checks at run time know are those that bounds are worked out from."""

from __future__ import annotations

from pathlib import Path

import pytest
from slow import slow_but

from romproof.contract.nouns.surroundings import routine_at
from romproof.harness.rom import Rom
from romproof.isa.abi import abi_of
from romproof.projects import build, load_manifest
from romproof.timing.graph import Code, graph_of
from romproof.timing.loops import nest_of

ROOT = Path(__file__).parents[2]
ROMS = ("tarot", "tarot-gb", "walls", "walls-gb", "riichi", "riichi-gb")
MAX = 8
"""Blocks of a routine that are compared, at most."""


QUICK = [name for name in ROMS if not name.startswith("walls")]
"""The largest two, walls, are left to make test-slow."""


@pytest.mark.slow_cases("tarot-gb", "riichi", "riichi-gb")
@pytest.mark.parametrize("name", slow_but(QUICK, ROMS))
def test_the_loop_around_each_instruction(name: str) -> None:
    manifest = load_manifest(ROOT / "rom" / name / "manifest.toml")
    rom = Rom(build(manifest).image, banks=manifest.banks)
    memory, abi = rom.memory_map, abi_of(rom.image.cpu)
    code = Code(abi, memory.initial, memory.executable, memory.protected, bytes(0x10000))
    entries = {s.value for s in rom.loaded.symbols if s.exported and s.is_label}
    compared = 0
    for entry in sorted(entries):
        line = rom.loaded.line_at(entry)
        if line is None or not line.is_code:
            continue
        graph = graph_of(code, entry, rom.loaded.describe)
        nest = nest_of(graph)
        routine = routine_at(entry, memory.initial, memory.executable, abi.cpu)
        assert set(graph.block_of) <= set(routine.successors)
        assert routine.calls >= graph.calls
        if nest.irreducible:
            continue
        bodies = {loop.head: loop.body for loop in nest.loops}
        # a block is in one loop; some of each routine are enough
        for block in sorted(graph.blocks)[:: 1 + len(graph.blocks) // MAX]:
            address = graph.blocks[block].last.address
            around = nest.around[block]
            found = routine.loop_around(address)
            assert (None if found is None else found.head) == around
            if found is not None and around is not None:
                targets = {
                    edge.target
                    for start in bodies[around]
                    for edge in graph.blocks[start].edges
                    if edge.target is not None
                }
                assert found.exits == targets - bodies[around]
                compared += 1
    assert compared > 2

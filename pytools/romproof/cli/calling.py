"""What ``romproof run --call`` does between its options and its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from romproof.cli.following import FollowOptions, read_of, run_following
from romproof.cli.naming import check_call, check_memory
from romproof.cli.output import waiting
from romproof.cli.stating import check_state_file, read_state, write_state
from romproof.cli.values import registers_and_flags
from romproof.harness.built import rom_of
from romproof.harness.measured import with_own_machine
from romproof.harness.state.result import Result
from romproof.harness.state.values import Target
from romproof.projects import Built
from romproof.report.call import CallReport, call_report


@dataclass(frozen=True, slots=True)
class CallOptions:
    """The options of a call, read: ``start`` and ``state`` are files of states."""

    symbol: Target
    registers: Sequence[tuple[str, int]]
    memory: Mapping[Target, bytes]
    limit: int
    start: str | None
    state: str | None
    checks: Mapping[str, str]
    follow: FollowOptions


def run_call(built: Built, engine: str, wanted: CallOptions, keys: dict[str, Any]) -> CallReport:
    """Call a routine of a program; ``keys`` gets what JSON has of what is followed.

    With files of states the program is on its machine. Raises BadParameter, BadInput, OSError, and
    what Rom.call() does.
    """
    rom = rom_of(built, engine, checks=wanted.checks)
    has_state = wanted.start is not None or wanted.state is not None
    if has_state:
        rom = with_own_machine(rom, {**dict(built.manifest.checks), **wanted.checks})
    check_call(rom, wanted.symbol)
    check_memory(rom, wanted.memory.items(), wanted.follow.reads)
    check_state_file(wanted.state)
    given, flags = registers_and_flags(wanted.registers, built.image.cpu)
    machine = rom.machine() if has_state else None
    if machine is not None and wanted.start is not None:
        read_state(wanted.start, machine)

    def call() -> Result:
        with waiting("running"):
            return (machine or rom).call(
                wanted.symbol, flags=flags, mem=dict(wanted.memory), limit=wanted.limit, **given
            )

    follow = wanted.follow
    result = run_following(rom, call, follow, keys) if follow.is_requested else call()
    if machine is not None and wanted.state is not None:
        write_state(wanted.state, machine)
    return call_report(result, read_of(result.image, result.after, follow.reads), keys)

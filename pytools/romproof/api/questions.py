"""What can be asked of a program: what holds, what it costs, where its cycles go."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from romproof.cli.measuring import ReportOptions, measure
from romproof.cli.output import terminal_width, wants_colour
from romproof.engine.engines import DEFAULT_ENGINE
from romproof.harness.calls.calling import LIMIT
from romproof.harness.errors import ContractViolation
from romproof.harness.rom import Rom
from romproof.projects import Built
from romproof.prover.results import Proof
from romproof.report.cycles import CycleReport
from romproof.report.json import JsonReporter
from romproof.report.text import TextReporter
from romproof.support.extras import need_for_proofs
from romproof.timing.survey import BoundsRow, survey

if TYPE_CHECKING:
    from romproof.prover.routines.routine import ProofOptions


def prove(rom: Rom, *routines: str, options: ProofOptions | None = None) -> tuple[Proof, ...]:
    """The proofs of the contracts of some routines and of their callees; without names, of all.

    Callees come first: the results of a proved routine replace its code in its callers.
    docs/proved.md defines "proved". Raises NoSuchRoutine, BuildFailed for a malformed contract,
    MissingExtra without a solver.
    """
    need_for_proofs()
    from romproof.prover.routines.program_proof import prove_rom

    return tuple(prove_rom(rom, routines, options))


def bounds(rom: Rom, *routines: str) -> tuple[BoundsRow, ...]:
    """The fewest and the most cycles of routines, from their code alone, with the claims.

    Without names, those of all exported routines. Each row has ``bounds.best`` and ``bounds.worst``
    (None: not known), in cycles, SM83: M-cycles. Raises UnknownSymbol, NoCode, BuildFailed.
    """
    all_rows: list[BoundsRow] = []
    for routine in routines or (None,):
        rows = survey("", rom.loaded, rom.contracts, routine=routine).rows
        all_rows += rows
    return tuple(all_rows)


@dataclass(frozen=True)
class Profile:
    """Where the cycles of some calls went. ``violation`` is the first broken contract, if any."""

    report: CycleReport
    violation: ContractViolation | None

    def text(self, width: int | None = None, colour: bool | None = None) -> str:
        """The table that ``romproof report`` prints, in so many columns; by default as standard
        output has them, and in colours if that is a terminal."""
        columns = terminal_width() if width is None else width
        coloured = wants_colour(sys.stdout) if colour is None else colour
        return TextReporter(columns, coloured).cycles(self.report)

    def json(self) -> str:
        """The object that ``romproof report --json`` prints."""
        return JsonReporter().cycles(self.report)


def profile(
    built: Built,
    routine: str | int | None = None,
    *,
    mem: Mapping[str | int, bytes] | None = None,
    runs: int = 1,
    lines: int = 10,
    clock: str | None = None,
    limit: int = LIMIT,
    engine: str = DEFAULT_ENGINE,
    **registers: int,
) -> Profile:
    """Call a routine ``runs`` times on one machine, and list where its cycles went.

    Without a routine the whole program is run from its entry until it halts. ``mem`` is written
    before the first call; ``registers`` and flags are set before each. ``lines`` is the
    number of source lines with the most cycles; ``clock`` is the name of a machine, in whose time
    and frames the cycles are given. ``limit`` is in cycles, SM83: M-cycles. Raises the errors of
    calls, except for broken contracts, and UnknownClock.
    """
    wanted = ReportOptions(
        symbol=routine,
        memory=mem or {},
        repeat=runs,
        clock=clock,
        lines=lines,
        limit=limit,
        engine=engine,
        registers=tuple(registers.items()),
    )
    report, measured = measure(built, wanted, lambda: None)
    return Profile(report, measured.violation)

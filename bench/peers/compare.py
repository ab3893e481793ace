"""Compares romproof with its peers, and writes docs/peers.md; ``make bench-peers`` runs it.

    python -m peers.compare [--small] [--python PYTHON] [--steps DIR] [--sm83 NAME=FILE.ldefs]

It runs with the folder bench on Python's path. PYTHON has the peers of requirements.txt installed
(build/peers/bin/python). DIR has the files of SingleStepTests/sm83, v1; FILE is a compiled model of
the SM83 in SLEIGH, to be shown as NAME. What is not installed is told and left out. The numbers are
also written to build/peers.json.

With --small little is asked, the page is build/peers-small.md, and a peer that is not installed is
no failure as long as another one is compared: does it work?
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/isa"))

from peers.amount import SMALL, WHOLE  # noqa: E402
from peers.asking import Answer, ask_all  # noqa: E402
from peers.models import OURS, Score, scores_6502, scores_sm83  # noqa: E402
from peers.page import INSTALL, page  # noqa: E402
from romproof.support.files import write_atomically  # noqa: E402

PAGE = ROOT / "docs/peers.md"
RESULTS = ROOT / "build/peers.json"
SMALL_PAGE, SMALL_RESULTS = ROOT / "build/peers-small.md", ROOT / "build/peers-small.json"


def main(arguments: Sequence[str]) -> int:
    """Ask all, write the page and the numbers. Gives the exit code: 1 if a peer was missing; of
    little that is asked, if all were."""
    parser = argparse.ArgumentParser(description="Compare romproof with its peers.")
    parser.add_argument("--small", action="store_true", help="ask little: does it work?")
    parser.add_argument("--python", type=Path, default=ROOT / "build/peers/bin/python")
    parser.add_argument("--steps", type=Path)
    parser.add_argument("--sm83", default="", metavar="NAME=FILE")
    given = parser.parse_args(arguments)
    if given.steps is not None and not given.steps.is_dir():
        parser.error(f"--steps: there is no folder {given.steps}")
    name, _, file = given.sm83.partition("=")
    if given.sm83 and not (name and Path(file).is_file()):
        parser.error(f"--sm83: {given.sm83} is not NAME=FILE of a file that is there")
    amount = SMALL if given.small else WHOLE
    ours_6502 = scores_6502(given.python, _tell, amount)
    ours_sm83 = scores_sm83(given.python, _tell, given.steps, given.sm83, amount)
    answers = ask_all(given.python, lambda name: _tell(f"asking: {name}"), amount)
    scores = [*ours_6502, *ours_sm83]
    text, results = (SMALL_PAGE, SMALL_RESULTS) if given.small else (PAGE, RESULTS)
    results.parent.mkdir(exist_ok=True)
    write_atomically(text, page(answers, ours_6502, ours_sm83, amount))
    write_atomically(results, json.dumps(_numbers(answers, scores), indent=1) + "\n")
    missing = [score.model for score in scores if score.missing]
    missing += ["angr"] if not any(theirs.by for theirs, _ in answers.values()) else []
    if missing:
        print(f"not compared: {', '.join(missing)}; to install them: {INSTALL}", file=sys.stderr)
    if given.small:
        return 0 if any(score.model != OURS and not score.missing for score in scores) else 1
    return 1 if missing else 0


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def _numbers(answers: Mapping[str, tuple[Answer, Answer]], scores: Sequence[Score]) -> Any:
    """For programs: what is on the page."""
    return {
        "routines": {
            name: {"angr": asdict(theirs), "romproof": asdict(ours)}
            for name, (theirs, ours) in answers.items()
        },
        "models": [
            {
                "model": score.model,
                "by": score.by,
                "missing": score.missing,
                "boards": {
                    name: {"right": sum(o.right for o in board.values()), "of": len(board)}
                    for name, board in score.boards.items()
                },
            }
            for score in scores
        ],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

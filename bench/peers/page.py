"""docs/peers.md: what `make bench-peers` has found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template

from peers.amount import WHOLE, Amount
from peers.asking import LIMIT, Answer
from peers.cases import documented
from peers.claims import Claim
from peers.models import DESCRIBED, OURS, ROMS, SILICON, STEPS, Score
from peers.scoreboard import Opcode, merged
from romproof.isa.cpus import cpu_named

INSTALL = (
    "python3 -m venv build/peers && build/peers/bin/pip install -r bench/peers/requirements.txt"
)
"""The line that installs every peer."""

TEMPLATE = Path(__file__).parent / "page.template.md"


def page(
    answers: Mapping[str, tuple[Answer, Answer]],
    scores_6502: Sequence[Score],
    scores_sm83: Sequence[Score],
    amount: Amount = WHOLE,
) -> str:
    """All of it."""
    return Template(TEMPLATE.read_text("utf-8")).substitute(
        limit=LIMIT,
        versions=_versions(answers),
        questions=_questions(answers, amount.claims),
        tally=_tally(answers, amount.claims),
        each=amount.each,
        pieces=amount.pieces,
        mos6502="\n\n".join(_scores("mos6502", scores_6502)),
        sm83="\n\n".join(_scores("sm83", scores_sm83)),
        errors=_errors([*scores_6502, *scores_sm83]),
    )


def _versions(answers: Mapping[str, tuple[Answer, Answer]]) -> str:
    of_each = zip(*answers.values(), strict=True)
    shown = [
        next((a.by for a in each if a.by), f"angr is not installed: `{INSTALL}`")
        for each in of_each
    ]
    return "; ".join(shown)


def _questions(answers: Mapping[str, tuple[Answer, Answer]], claims: Sequence[Claim]) -> str:
    rows = [
        "| routine | claim | it is | angr | s | paths | romproof | s |",
        "|---|---|---|---|--:|--:|---|--:|",
    ]
    for claim in claims:
        theirs, ours = answers[claim.name]
        cells = [f"`{claim.name}`", claim.about, "true" if claim.holds else "false"]
        cells += [verdict(theirs, claim), _seconds(theirs), str(theirs.paths or "")]
        cells += [verdict(ours, claim), _seconds(ours)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def verdict(answer: Answer, claim: Claim) -> str:
    """A verdict with what is to be known of it: **wrong** where it is."""
    shown = answer.verdict
    if answer.real is not None:
        shown += f", {'real' if answer.real else 'not real'}"
    if answer.verdict == "unknown":
        shown += f": {answer.detail}"
    return f"**wrong**: {shown}" if answer.right(claim.holds) is False else shown


def _seconds(answer: Answer) -> str:
    return f"{answer.seconds:.2f} + {answer.loading:.1f}" if answer.by else "–"


def _tally(answers: Mapping[str, tuple[Answer, Answer]], claims: Sequence[Claim]) -> str:
    def count(which: int) -> str:
        said = [answers[claim.name][which].right(claim.holds) for claim in claims]
        seconds = sum(answers[claim.name][which].seconds for claim in claims)
        unknown = f", {said.count(None)} unknown" if None in said else ""
        return f"{said.count(True)} right, {said.count(False)} wrong{unknown}, {seconds:.1f} s"

    return f"Of {len(claims)}: angr {count(0)}; romproof {count(1)}."


def _scores(cpu: str, scores: Iterable[Score]) -> list[str]:
    heads = (SILICON,) if cpu == "mos6502" else (STEPS, ROMS)
    columns = [*heads, DESCRIBED]
    rows = [f"| model | version | {' | '.join(columns)} | decimal only | open |"]
    rows.append("|---|---|" + "--:|" * (len(columns) + 2))
    lists: list[str] = []
    for score in scores:
        if score.missing:
            rows.append(
                f"| {score.model} | not compared: {score.missing}; `{INSTALL}` |"
                + " |" * (len(columns) + 2)
            )
            continue
        every = merged(score.boards.values())
        cells = [_count(score, name) for name in columns]
        decimal = sum(opcode.decimal_only for opcode in every.values())
        cells += [
            str(decimal) if cpu == "mos6502" else "–",
            str(sum(bool(o.open_) for o in every.values())),
        ]
        rows.append(f"| {score.model} | {score.by} | {' | '.join(cells)} |")
        lists += _list(cpu, score, every)
    if cpu == "sm83":
        lists += [_sm83_notes(scores)]
    return ["\n".join(rows), *lists]


def _count(score: Score, name: str) -> str:
    board = score.boards.get(name)
    if board is None:
        return "–"
    return f"{sum(opcode.right for opcode in board.values())} of {len(board)}"


def _list(cpu: str, score: Score, every: Mapping[int, Opcode]) -> list[str]:
    """The wrong opcodes by their mnemonics: bytes, and what differs."""
    rows = cpu_named(cpu).opcodes
    wrong: dict[str, list[int]] = defaultdict(list)
    for number in sorted(every):
        if not every[number].right:
            wrong[rows[number].mnemonic].append(number)
    if not wrong:
        return []
    total = len(documented(cpu))
    right = total - sum(map(len, wrong.values()))
    lines = [
        f"*{score.model}*: {right} of {total} are right by all of these; wrong are",
        "",
    ]
    for mnemonic, numbers in sorted(wrong.items()):
        bytes_ = ", ".join(
            f"${(rows[n].prefix + bytes([rows[n].byte])).hex().upper()}" for n in numbers
        )
        lines.append(f"- `{mnemonic}` {bytes_}: {_differs([every[n] for n in numbers])}")
    return ["\n".join(lines)]


def _differs(opcodes: Sequence[Opcode]) -> str:
    names = sorted({name for opcode in opcodes for name in opcode.wrong}, key=str.lower)
    shown = [
        {"memory": "memory", "-": "the low bits of F"}.get(n, f"flag {n}" if n.isupper() else n)
        for n in names
    ]
    opened = sorted({f"open ({opcode.open_})" for opcode in opcodes if opcode.open_})
    failed, cases = sum(o.failed for o in opcodes), sum(o.cases for o in opcodes)
    decimal = ", in decimal mode only" if all(o.decimal_only for o in opcodes) else ""
    counted = [f"{', '.join(shown)} in {failed:,} of {cases:,} cases{decimal}"] if failed else []
    return "; ".join([*counted, *opened])


def _sm83_notes(scores: Iterable[Score]) -> str:
    found = list(scores)
    notes = ["pypcode ships no SM83."]
    if any(score.without for score in found):
        notes.append("The model in SLEIGH has no register IME, which is not compared.")
    else:
        notes.append("A compiled model in SLEIGH can be given, and was not:")
        notes.append("`make bench-peers SM83=NAME=FILE.ldefs`.")
    if all(STEPS not in score.boards for score in found):
        notes.append("SingleStepTests were not at hand in this run.")
    notes.append("Of romproof [all 500,000 cases of SingleStepTests](conformance.md) are right.")
    return " ".join(notes)


def _errors(scores: Iterable[Score]) -> str:
    """Errors of romproof's own, if there are any."""
    wrong = [
        f"{name}: {sum(not o.right for o in board.values())} of {len(board)} opcodes"
        for score in scores
        if score.model == OURS
        for name, board in score.boards.items()
        if not all(o.right for o in board.values())
    ]
    return "; ".join(wrong) or "none in this run"

"""Proves all statements and writes the page about them; ``make proofs`` runs it.

    python tools/proofs.py [--cross] [--fresh] [--long]

The page is only written when everything is proved; what ends with probability one may be proved
if it ends. Exit code 1 when it is not. With --cross two solvers have to agree. What was proved of
the same code in an earlier run is not proved again, unless --fresh is given. With --long it is the
statements that take minutes, and their page.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fairdeck.proofs.every import every, prove_all
from fairdeck.proofs.statement import Statement
from romproof.prover.results import Proof, Verdict
from romproof.prover.routines.routine import ProofOptions
from romproof.support.ctrl_c import end_now, take_over
from romproof.support.files import write_atomically

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {False: DOCS / "proofs.md", True: DOCS / "proofs-long.md"}
TIMEOUT = 1800.0
"""Seconds for each statement."""

HEAD = """\
# Proofs of our own code

`make proofs` proves each of these statements and writes this page. It proves a statement again only
if the code has changed since an earlier run (`make proofs FRESH=1` proves all of them).
`fairdeck prove` proves the statements that its arguments name; `romproof prove` proves the
contracts of any program.

A statement holds for **all** inputs that the contract of the routine allows: the code is executed
symbolically, all paths at once, on the same description of the CPU from which the engines are made;
its results are compared with the model, or with the contract, as formulas. Then it is executed, for
all inputs or at least a thousand, and compared again. The proofs rest on these things
([proved.md](proved.md) has the complete list):

- the description of the CPUs, checked against silicon and public test suites
  ([conformance.md](conformance.md)), and each opcode's formulas against the engine `plain`
- z3 and Bitwuzla, for formulas that do not simplify to the same form
- no interrupts, no code that changes itself, and a stack that only the routine uses, wherever it is
- the models, which are tested against the standard library and published vectors

"Limits" are the fewest and the most cycles (SM83: M-cycles) of any call, both of them reached;
"executed" counts the runs that were compared ("all": those of all inputs). Statements that take
minutes are on [another page](proofs-long.md). [library.md](library.md) lists the claims that are
not proved, with the reasons.
"""

LONG_HEAD = """\
# Proofs that take minutes

`make proofs LONG=1` proves each of these statements and writes this page. `make proofs`, which CI
runs, has ten minutes and leaves them out. [The other page](proofs.md) explains the statements and
the assumptions; `fairdeck prove` proves the statements that its arguments name.
"""


def main(arguments: Sequence[str]) -> int:
    """Prove everything; write the page."""
    options = ProofOptions(TIMEOUT, cross="--cross" in arguments, fresh="--fresh" in arguments)
    begun = time.monotonic()
    proofs: dict[str, Proof] = {}
    open_: list[str] = []
    kept_ones = 0
    is_long = "--long" in arguments
    for statement, proof, kept in prove_all(_those(is_long), options):
        proofs[statement.name] = proof
        kept_ones += kept
        how = "kept" if kept else f"{proof.seconds:.1f} s"
        print(f"{proof.verdict.value:8} {statement.name}  {how}", flush=True)
        open_ += [] if statement.is_shown(proof) else [statement.name]
    if open_:
        print(f"not proved: {', '.join(open_)}", file=sys.stderr)
        return 1
    seconds = time.monotonic() - begun
    if kept_ones == len(proofs):
        print("nothing has changed since all of it was proved: the page stays as it is")
        return 0
    took = f"{seconds:,.0f} seconds on {os.cpu_count()} cores"
    if kept_ones:
        took += f", with {kept_ones} kept from an earlier run"
    write_atomically(PAGES[is_long], page(proofs, took, is_long))
    return 0


def _those(is_long: bool) -> list[Statement]:
    return [statement for statement in every().values() if statement.long == is_long]


def page(proofs: dict[str, Proof], took: str, is_long: bool) -> str:
    """The page as text."""
    return "".join(f"{line}\n" for line in _lines(proofs, took, is_long))


def _lines(proofs: dict[str, Proof], took: str, is_long: bool) -> Iterator[str]:
    yield from (LONG_HEAD if is_long else HEAD).splitlines()
    count = Counter(proof.verdict for proof in proofs.values())
    yield ""
    partial = count[Verdict.PARTIAL]
    yield (
        f"{count[Verdict.PROVED]} of {len(proofs)} statements are proved, {partial} are proved if "
        f"the routine ends, which it does with probability one; it took {took}."
    )
    for topic in dict.fromkeys(statement.topic for statement in _those(is_long)):
        yield ""
        yield f"## {topic}"
        for subject, rows in _by_subject(topic, is_long):
            yield ""
            yield f"### {subject}"
            yield ""
            yield from _section(rows, proofs)


def _by_subject(topic: str, is_long: bool) -> Iterator[tuple[str, list[Statement]]]:
    own = [statement for statement in _those(is_long) if statement.topic == topic]
    for subject in dict.fromkeys(statement.subject for statement in own):
        yield subject, [statement for statement in own if statement.subject == subject]


def _section(rows: list[Statement], proofs: dict[str, Proof]) -> Iterator[str]:
    claims = list(dict.fromkeys(statement.claim for statement in rows))
    for claim in claims:
        yield f"{claim[0].upper()}{claim[1:]}."
    yield ""
    yield "| CPU | verdict | findings | limits | executed | assumed | lemmas |"
    yield "|---|---|---|---|---|---|---|"
    for statement in rows:
        proof = proofs[statement.name]
        cells = (
            statement.cpu,
            proof.verdict.value,
            f"{len(proof.findings)}",
            _limits(proof),
            f"{proof.runs:,}{' all' * proof.all_inputs}",
            _several(proof.assumed),
            _several(proof.lemmas),
        )
        yield f"| {' | '.join(cells)} |"


def _limits(proof: Proof) -> str:
    cycles = proof.cycles
    if cycles is None or cycles.least is None:
        return ""
    if cycles.most is None:
        return f"{cycles.least:,}.."
    if cycles.least == cycles.most:
        return f"{cycles.least:,}"
    return f"{cycles.least:,}..{cycles.most:,}"


def _several(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts).replace("|", "\\|")


if __name__ == "__main__":
    take_over()
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        end_now(report=False)

"""Forged copies of game logs, and which of them the verifier finds.

As a program it forges the logs in a folder, and prints for each kind of forgery and of event how
many copies were found out: python tests/fairdeck/forgeries.py FOLDER --every 20 --sample 3
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from fairdeck.tenhou.batch import check_log
from fairdeck.tenhou.logs import LogFile, find_logs, read_bytes
from fairdeck.tenhou.mjlog import BadLog, read_log
from fairdeck.tenhou.verify import Verdict, verify

_ELEMENT = re.compile(r'<(\w+)((?:\s+\w+="[^"]*")*)\s*/?>')
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_DRAWS, _DISCARDS = "TUVW", "DEFG"
_MOVE = re.compile(rf"([{_DRAWS}{_DISCARDS}])(\d+)\Z")
REPORTED = {
    "UN": {"n0", "n1", "n2", "n3", "dan", "rate", "sx"},
    "GO": {"lobby"},
    "SHUFFLE": {"ref"},
}
"""What a log merely reports: nothing else in it depends on these."""
OUTCOMES = ("mismatch", "unverifiable", "incomplete", "open")
"""Of a copy: ``incomplete`` is verified and told to leave something out, ``open`` passes."""


@dataclass(frozen=True)
class Element:
    """An element of a log."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """As XML."""
        pairs = "".join(f' {key}="{value}"' for key, value in self.attributes)
        return f"<{self.name}{pairs}/>"

    @property
    def move(self) -> tuple[str, int] | None:
        """The letter and tile of a draw or discard."""
        match = _MOVE.match(self.name)
        return (match[1], int(match[2])) if match else None

    @property
    def kind(self) -> str:
        """What the tables call it."""
        if self.move is not None:
            return "draw" if self.move[0] in _DRAWS else "discard"
        if self.name == "REACH":
            return f"REACH {dict(self.attributes).get('step')}"
        if self.name == "UN" and len([k for k, _ in self.attributes if k[0] == "n"]) == 1:
            return "UN, coming back"
        return self.name

    def with_value(self, key: str, value: str) -> Element:
        """The same with another value of an attribute."""
        changed = tuple((k, value if k == key else v) for k, v in self.attributes)
        return replace(self, attributes=changed)


Log = list[Element]


def elements(text: str) -> Log:
    """The elements of a log but the outermost."""
    found = _ELEMENT.finditer(text)
    return [Element(m[1], tuple(_ATTRIBUTE.findall(m[2]))) for m in found if m[1] != "mjloggm"]


def xml(log: Log) -> bytes:
    """The log as a file."""
    inner = "".join(element.text for element in log)
    return f'<mjloggm ver="2.3">{inner}</mjloggm>'.encode()


@dataclass(frozen=True)
class Forgery:
    """A copy: how it was forged, at what kind of event, and its elements."""

    how: str
    what: str
    log: Log


def of_event(log: Log, at: int, rng: random.Random) -> Iterator[Forgery]:
    """All forgeries of the element at ``at``; those that change nothing are left out."""
    element = log[at]
    before, after = log[:at], log[at + 1 :]

    def copy(how: str, *instead: Element, rest: Log = after) -> Iterator[Forgery]:
        forged = [*before, *instead, *rest]
        if forged != log:
            yield Forgery(how, element.kind, forged)

    yield from copy("deleted")
    yield from copy("doubled", element, element)
    if after:
        yield from copy("swapped with the next", after[0], element, rest=after[1:])
    others = [*before, *after]
    place = rng.randrange(len(others) + 1)
    if place != at:
        yield Forgery("moved", element.kind, [*others[:place], element, *others[place:]])
    for changed in _other_seat(element, rng):
        yield from copy("another seat", changed)
    for changed in _other_tile(element, rng):
        yield from copy("another tile", changed)
    for how, changed in _other_values(element, rng):
        yield from copy(how, changed)


def _other_seat(element: Element, rng: random.Random) -> Iterator[Element]:
    if element.move is not None:
        letter, tile = element.move
        letters = _DRAWS if letter in _DRAWS else _DISCARDS
        yield Element(f"{rng.choice(letters.replace(letter, ''))}{tile}")
    for key, value in element.attributes:
        if key in ("who", "fromWho", "paoWho", "oya") and value.isdigit():
            seat = rng.choice([n for n in range(4) if n != int(value)])
            yield element.with_value(key, str(seat))
    if element.kind == "UN, coming back":
        ((key, value),) = [pair for pair in element.attributes if pair[0][0] == "n"][:1]
        yield Element("UN", ((f"n{(int(key[1]) + rng.randrange(1, 4)) % 4}", value),))


_TILES = ("hai", "machi", "doraHai", "doraHaiUra", "hai0", "hai1", "hai2", "hai3")


def _other_tile(element: Element, rng: random.Random) -> Iterator[Element]:
    if element.move is not None:
        letter, tile = element.move
        yield Element(f"{letter}{_other(tile, rng)}")
    for key, value in element.attributes:
        if key in _TILES and value:
            tiles = value.split(",")
            place = rng.randrange(len(tiles))
            tiles[place] = str(_other(int(tiles[place]), rng))
            yield element.with_value(key, ",".join(tiles))
        elif key == "m" and value:
            code = int(value.split(",")[0])
            yield element.with_value(
                "m", ",".join([str(code ^ 1 << rng.randrange(16)), *value.split(",")[1:]])
            )


def _other(tile: int, rng: random.Random) -> int:
    return (tile + rng.randrange(1, 136)) % 136


def _other_values(element: Element, rng: random.Random) -> Iterator[tuple[str, Element]]:
    """One number of every further attribute changed; what is merely reported is told apart."""
    for key, value in element.attributes:
        if key in (*_TILES, "m", "who", "fromWho", "paoWho", "oya", "chip", "ratio"):
            continue
        if key in REPORTED.get(element.name, ()):
            yield "reported: " + key.rstrip("0123"), element.with_value(key, value + "1")
            continue
        if element.name == "GO":
            for bit in range(8):
                yield (
                    f"bit {bit:#04x}".replace("bit 0x0", "bit ") + " of type",
                    element.with_value(key, str(int(value) ^ 1 << bit)),
                )
            continue
        numbers = list(re.finditer(r"-?\d+", value))
        if element.name == "SHUFFLE" or not numbers:
            yield f"another {key}", element.with_value(key, _other_text(value, rng))
            continue
        match = rng.choice(numbers)
        changed = str(int(match[0]) + rng.choice((-1, 1, 10)))
        yield (
            f"another number in {key}",
            element.with_value(key, value[: match.start()] + changed + value[match.end() :]),
        )


def _other_text(value: str, rng: random.Random) -> str:
    """One character changed, in the middle."""
    if not value:
        return "x"
    at = rng.randrange(len(value) // 2, len(value))
    return value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :]


def of_log(log: Log) -> Iterator[Forgery]:
    """Forgeries of a whole log."""
    draws = [e for e in log if e.kind == "draw"]

    def each(how: str, change: Callable[[Element], Element | None]) -> Iterator[Forgery]:
        forged = [new for e in log if (new := change(e)) is not None]
        if forged != log:
            yield Forgery(how, "log", forged)

    def is_draw(e: Element) -> bool:
        return e.kind == "draw"

    turned = str.maketrans(_DRAWS, _DRAWS[1:] + _DRAWS[0])
    yield from each("all draws removed", lambda e: None if is_draw(e) else e)
    yield from each(
        "all draws given to the next seat",
        lambda e: Element(e.name.translate(turned)) if is_draw(e) else e,
    )
    yield from each("draws in lower case", lambda e: Element(e.name.lower()) if is_draw(e) else e)
    yield from each(
        "all discards of tile 0", lambda e: Element(f"{e.name[0]}0") if e.kind == "discard" else e
    )
    yield from each("no seed", lambda e: None if e.name == "SHUFFLE" else e)
    if not draws:
        return
    starts = [at for at, e in enumerate(log) if e.name == "INIT"]
    yield Forgery("the last round removed", "log", log[: starts[-1]])
    yield Forgery("cut off in the middle", "log", log[: len(log) * 2 // 3])
    yield from _shortened(log, starts)


def _shortened(log: Log, starts: list[int]) -> Iterator[Forgery]:
    """The last draw and its discard removed in each round, and whole rounds."""
    for start, end in zip(starts, [*starts[1:], len(log)], strict=True):
        last = max((n for n in range(start, end) if log[n].kind == "draw"), default=None)
        if last is not None:
            discards = (n for n in range(last, end) if log[n].kind == "discard")
            gone = {last, next(discards, last)}
            kept = [e for n, e in enumerate(log) if n not in gone]
            yield Forgery("a round's last draw and discard removed", "round", kept)
        yield Forgery("a round removed", "round", [*log[:start], *log[end:]])


def outcome(forgery: Forgery) -> str:
    """What the verifier says of a copy: one of OUTCOMES."""
    try:
        report = verify(read_log(xml(forgery.log)))
    except BadLog:
        return "unverifiable"
    if report.verdict is not Verdict.VERIFIED:
        return report.verdict.value
    return "open" if report.complete else "incomplete"


Tally = Counter[tuple[str, str, str]]
"""Copies by how, what and outcome."""


def forge(path: LogFile, every: bool, sample: int, seed: int) -> tuple[Tally, list[str]]:
    """Forge one log: ``every`` event, or ``sample`` of each kind; and examples of what is open."""
    log = elements(read_bytes(path).decode("utf-8", "replace"))
    rng = random.Random(f"{seed} {path}")
    places = range(len(log)) if every else _sampled(log, sample, rng)
    tally: Tally = Counter()
    left = []
    forged = (f for at in places for f in of_event(log, at, rng))
    for forgery in (*forged, *of_log(log)):
        found = outcome(forgery)
        tally[forgery.how, forgery.what, found] += 1
        if found == "open":
            left.append(f"{path}: {forgery.how}: {_where(log, forgery.log)}")
    return tally, left


def _sampled(log: Log, sample: int, rng: random.Random) -> list[int]:
    kinds: dict[str, list[int]] = {}
    for at, element in enumerate(log):
        kinds.setdefault(element.kind, []).append(at)
    return [at for them in kinds.values() for at in rng.sample(them, min(sample, len(them)))]


def _where(log: Log, forged: Log) -> str:
    """The elements around the first difference, for people."""
    at = next((n for n, (a, b) in enumerate(zip(log, forged, strict=False)) if a != b), 0)
    return (
        " ".join(e.text[:60] for e in log[max(0, at - 2) : at + 3])
        + "  =>  "
        + " ".join(e.text[:60] for e in forged[max(0, at - 2) : at + 3])
    )


def table(tally: Tally) -> str:
    """As Markdown."""
    lines = [
        "| forgery | of | copies | found | told incomplete | open |",
        "|---|---|---|---|---|---|",
    ]
    for how, what in dict.fromkeys((how, what) for how, what, _ in sorted(tally)):
        counts = [tally[how, what, found] for found in OUTCOMES]
        total = sum(counts)
        lines.append(
            f"| {how} | {what} | {total:,} | {counts[0] + counts[1]:,} | {counts[2]:,} "
            f"| {counts[3]:,} ({100 * counts[3] / total:.1f} %) |"
        )
    return "\n".join(lines)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=0, help="logs of which every event is forged")
    parser.add_argument("--sample", type=int, default=2, help="events of each kind in the others")
    parser.add_argument("--most", type=int, default=10**9, help="logs at all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--open", type=Path, help="a file for what is left open")
    given = parser.parse_args()
    checked = (check_log(path) for path in find_logs(given.folder))
    complete = [c.log for c in checked if c.report is not None and c.report.complete]
    random.Random(given.seed).shuffle(complete)
    chosen = complete[: given.most]
    tally: Tally = Counter()
    left: list[str] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        work = partial(forge, sample=given.sample, seed=given.seed)
        every = [number < given.every for number in range(len(chosen))]
        for found, examples in pool.map(work, chosen, every):
            tally += found
            left += examples
    print(f"{len(complete):,} complete logs; {len(chosen):,} of them forged\n")
    print(table(tally))
    if given.open is not None:
        given.open.write_text("\n".join(left), "utf-8")


if __name__ == "__main__":
    main()

"""Forged copies of whole games that no rule allows: each is wrong by how it was made.

Several elements are changed together, as a forger would who knows the format: points that go on as
they were forged, rounds that end without a result, players who act while they are away. So no copy
may pass as verified and complete. Most contradict themselves; of some nothing but their being
incomplete can be told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from urllib.parse import quote

from forgeries import Element, Log, elements, xml

from fairdeck.tenhou.commitment import commitment
from fairdeck.tenhou.game.melds import decode
from fairdeck.tenhou.mjlog import read_log
from fairdeck.tenhou.seed import parse_seed

PLAIN_NAMES = ("ANN", "BEN", "CHO", "DAN", "EVE", "FAY", "GUS", "HAL")
"""Names whose order is the same in whatever way they are sorted."""


class Must(Enum):
    """What has to be said of a copy."""

    MISMATCH = "a contradiction"
    NOT_COMPLETE = "a contradiction, or that it is not complete"


@dataclass(frozen=True)
class Copy:
    """A forged copy, the hash that is said to have been published, and what has to be said."""

    how: str
    data: bytes
    must: Must = Must.MISMATCH
    published: str | None = None


Forger = Callable[[Log, random.Random], Iterator[tuple[Log, Must]]]


def attribute(element: Element, key: str) -> str | None:
    """The value of an attribute."""
    return dict(element.attributes).get(key)


def numbers(element: Element, key: str) -> list[int]:
    """An attribute that is a list of numbers."""
    return [int(one) for one in (attribute(element, key) or "").split(",") if one]


def without(element: Element, key: str) -> Element:
    """The same without an attribute."""
    return Element(element.name, tuple(pair for pair in element.attributes if pair[0] != key))


def listed(values: list[int]) -> str:
    """Numbers as logs write them."""
    return ",".join(map(str, values))


def places(log: Log, *names: str) -> list[int]:
    """Where elements of these names are."""
    return [at for at, element in enumerate(log) if element.name in names]


def replaced(log: Log, at: int, *instead: Element) -> Log:
    """The log with others for one element."""
    return [*log[:at], *instead, *log[at + 1 :]]


def scores_from(log: Log, at: int, change: list[int]) -> Log:
    """The log with the scores after a place changed, as if ``change`` had been moved there."""
    made = list(log[: at + 1])
    for element in log[at + 1 :]:
        if element.name in ("INIT", "REACH") and attribute(element, "ten") is not None:
            ten = numbers(element, "ten")
            moved = [n + c for n, c in zip(ten, change, strict=False)] + ten[len(change) :]
            element = element.with_value("ten", listed(moved))
        elif element.name in ("AGARI", "RYUUKYOKU") and attribute(element, "sc") is not None:
            sc = numbers(element, "sc")
            for seat, by in enumerate(change):
                sc[2 * seat] += by
            element = element.with_value("sc", listed(sc))
        made.append(element)
    return made


def moved_points(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """A result moves other points, and all that follows goes on from there."""
    for at in rng.sample(places(log, "AGARI", "RYUUKYOKU"), 2):
        sc = numbers(log[at], "sc")
        if attribute(log[at], "owari") is not None:
            continue
        seats = [seat for seat in range(4) if sc[2 * seat] or sc[2 * seat + 1]]
        one, other = rng.sample(seats, 2)
        by = rng.choice((10, 20, -10))
        change = [0] * 4
        change[one], change[other] = by, -by
        for seat in (one, other):
            sc[2 * seat + 1] += change[seat]
        forged = replaced(log, at, log[at].with_value("sc", listed(sc)))
        yield scores_from(forged, at, change), Must.MISMATCH


def nothing_moved(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """A win, or payments at an exhaustive draw, that move nothing."""
    for at in rng.sample(places(log, "AGARI", "RYUUKYOKU"), 2):
        sc = numbers(log[at], "sc")
        change = [-sc[2 * seat + 1] for seat in range(4)]
        if not any(change) or attribute(log[at], "owari") is not None:
            continue
        for seat in range(4):
            sc[2 * seat + 1] = 0
        forged = replaced(log, at, log[at].with_value("sc", listed(sc)))
        yield scores_from(forged, at, change), Must.MISMATCH


def no_result(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """A round's end is left out, and the next begins with the scores before it."""
    at = rng.choice(places(log, "AGARI", "RYUUKYOKU"))
    sc = numbers(log[at], "sc")
    change = [-sc[2 * seat + 1] for seat in range(4)]
    if attribute(log[at], "owari") is None and any(change):
        gone = scores_from(log, at, change)
        yield [*gone[:at], *gone[at + 1 :]], Must.NOT_COMPLETE
    yield [*log[:at], *log[at + 1 :]], Must.NOT_COMPLETE


def drawn_instead(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """A win becomes a drawn round of some kind, which moves nothing or says nothing."""
    at = rng.choice([n for n in places(log, "AGARI") if attribute(log[n], "owari") is None])
    win = log[at]
    sc = numbers(win, "sc")
    change = [-sc[2 * seat + 1] for seat in range(4)]
    still = [n if place % 2 == 0 else 0 for place, n in enumerate(sc)]
    kind = rng.choice(("yao9", "reach4", "ron3", "kan4", "kaze4", "nm", ""))
    told: tuple[tuple[str, str], ...] = (("type", kind),) if kind else ()
    ba = attribute(win, "ba") or "0,0"
    for more in ((("ba", ba), ("sc", listed(still))), ()):
        forged = replaced(log, at, Element("RYUUKYOKU", (*told, *more)))
        yield scores_from(forged, at, change), Must.MISMATCH


def _declared(log: Log) -> list[int]:
    return [at for at in places(log, "REACH") if attribute(log[at], "step") == "2"]


def riichi_for_nothing(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """A riichi that nobody paid for: without step 2, or without its scores, and none are less."""
    at = rng.choice(_declared(log))
    seat = int(attribute(log[at], "who") or 0)
    change = [0] * 4
    change[seat] = 10
    free = scores_from(log, at, change)
    yield [*free[:at], *free[at + 1 :]], Must.MISMATCH
    yield replaced(free, at, without(log[at], "ten")), Must.MISMATCH
    kept = numbers(log[at], "ten")
    kept[seat] += 10
    yield replaced(free, at, log[at].with_value("ten", listed(kept))), Must.MISMATCH
    yield replaced(log, at, without(log[at], "ten")), Must.NOT_COMPLETE
    yield [*log[:at], *log[at + 1 :]], Must.MISMATCH
    yield replaced(log, at, log[at], log[at]), Must.MISMATCH
    other = str((seat + 1) % 3)
    yield replaced(log, at, log[at].with_value("who", other)), Must.MISMATCH


def riichi_of_the_open(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """Who called a tile declares riichi at the next discard."""
    for at in places(log, "N"):
        seat = int(attribute(log[at], "who") or 0)
        if decode(int(attribute(log[at], "m") or 0), seat).source is None:
            continue
        then = next((n for n in range(at + 1, len(log)) if log[n].name[0] == "DEFG"[seat]), None)
        if then is not None and log[then].move is not None:
            step = Element("REACH", (("who", str(seat)), ("step", "1")))
            yield [*log[:then], step, *log[then:]], Must.MISMATCH
            return
    del rng


def away(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """Who has just left calls, declares, wins, or discards another tile than the drawn one."""
    acts = [
        at
        for at, element in enumerate(log)
        if element.name in ("N", "AGARI") or element.kind == "REACH 1"
    ]
    for at in rng.sample(acts, min(3, len(acts))):
        seat = attribute(log[at], "who") or "0"
        yield [*log[:at], Element("BYE", (("who", seat),)), *log[at:]], Must.MISMATCH
    chosen = [
        at
        for at in range(1, len(log))
        if (new := log[at].move) is not None
        and (drawn := log[at - 1].move) is not None
        and "DEFG".find(new[0]) == "TUVW".find(drawn[0])
        and new[1] != drawn[1]
    ]
    for at in rng.sample(chosen, 2):
        seat = str("DEFG".index(log[at].name[0]))
        yield [*log[:at], Element("BYE", (("who", seat),)), *log[at:]], Must.MISMATCH


def another_winner(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """The winner and another change seats in the result, or another paid."""
    at = rng.choice(places(log, "AGARI"))
    win = log[at]
    who, source = int(attribute(win, "who") or 0), int(attribute(win, "fromWho") or 0)
    other = rng.choice([seat for seat in range(3) if seat != who])
    yield replaced(log, at, win.with_value("who", str(other))), Must.MISMATCH
    if source != who:
        yield replaced(log, at, win.with_value("fromWho", str(who))), Must.MISMATCH
    payer = rng.choice([seat for seat in range(3) if seat not in (who, source)] or [3])
    yield replaced(log, at, win.with_value("fromWho", str(payer))), Must.MISMATCH
    yield replaced(log, at, win, win), Must.MISMATCH


def own_rules(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """Rules of its own, and points that do not add up, or go to who did not win."""
    go = places(log, "GO")[0]
    kind = int(attribute(log[go], "type") or 0)
    changed = rng.choice(
        (
            Element("GO", (("rule", "1"), *log[go].attributes)),
            Element("GO", (("csrule", "2"), *log[go].attributes)),
            log[go].with_value("type", str(kind | 0x100)),
        )
    )
    own = replaced(log, go, changed)
    yield own, Must.NOT_COMPLETE
    at = rng.choice([n for n in places(own, "AGARI") if attribute(own[n], "owari") is None])
    sc = numbers(own[at], "sc")
    who = int(attribute(own[at], "who") or 0)
    change = [0] * 4
    change[who] = rng.choice((10, -10, 100))
    sc[2 * who + 1] += change[who]
    forged = replaced(own, at, own[at].with_value("sc", listed(sc)))
    yield scores_from(forged, at, change), Must.MISMATCH
    start = rng.choice(places(own, "INIT")[1:])
    ten = numbers(own[start], "ten")
    ten[0], ten[1] = ten[0] + 10, ten[1] - 10
    yield replaced(own, start, own[start].with_value("ten", listed(ten))), Must.MISMATCH
    end = next((n for n in range(len(own)) if attribute(own[n], "owari") is not None), None)
    if end is not None:
        told = (attribute(own[end], "owari") or "").split(",")
        told[0] = str(int(told[0]) + 50)
        forged = replaced(own, end, own[end].with_value("owari", ",".join(told)))
        yield forged, Must.MISMATCH


def end_of_the_game(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """Final scores of another round, or two of them exchanged."""
    end = next(n for n in range(len(log)) if attribute(log[n], "owari") is not None)
    told = (attribute(log[end], "owari") or "").split(",")
    swapped = [*told[2:4], *told[:2], *told[4:]]
    if swapped != told:
        yield (
            replaced(log, end, log[end].with_value("owari", ",".join(swapped))),
            Must.MISMATCH,
        )
    early = rng.choice([n for n in places(log, "AGARI", "RYUUKYOKU") if n != end])
    result = log[early]
    stopped = Element(result.name, (*result.attributes, ("owari", ",".join(told))))
    yield [*log[:early], stopped], Must.MISMATCH
    yield replaced(log, end, without(log[end], "owari")), Must.NOT_COMPLETE


def exchanged_walls(log: Log, rng: random.Random) -> Iterator[tuple[Log, Must]]:
    """What one round drew at a place, another did; or two players' hands change seats."""
    first, second = sorted(rng.sample(places(log, "INIT"), 2))
    one, two = log[first], log[second]
    for key in ("hai0", "hai1"):
        mine, theirs = attribute(one, key) or "", attribute(two, key) or ""
        forged = replaced(log, first, one.with_value(key, theirs))
        yield replaced(forged, second, two.with_value(key, mine)), Must.MISMATCH
    hands = attribute(one, "hai0") or "", attribute(one, "hai1") or ""
    swapped = one.with_value("hai0", hands[1]).with_value("hai1", hands[0])
    yield replaced(log, first, swapped), Must.MISMATCH


FORGERS: tuple[Forger, ...] = (
    moved_points, nothing_moved, no_result, drawn_instead, riichi_for_nothing, riichi_of_the_open,
    away, another_winner, own_rules, end_of_the_game, exchanged_walls,
)  # fmt: skip


def seats(text: str, rng: random.Random) -> Iterator[Copy]:
    """Hashes of other seats, and players who changed seats under the hash of the true ones."""
    log = [element for element in elements(text) if element.name not in ("BYE",)]
    log = [element for element in log if element.kind != "UN, coming back"]
    at = places(log, "UN")[0]
    count = 3 if not attribute(log[at], "n3") else 4
    names = rng.sample(PLAIN_NAMES, count)
    true = "".join(str(sorted(names).index(name)) for name in names) + ("3" if count == 3 else "")

    def seated(order: list[str]) -> bytes:
        told = tuple((f"n{n}", quote(name)) for n, name in enumerate([*order, ""][:4]))
        rest = tuple(pair for pair in log[at].attributes if pair[0][0] != "n")
        return xml(replaced(log, at, Element("UN", (*told, *rest))))

    seed = parse_seed(read_log(seated(names)).seed or "")
    mixed = names
    while mixed == names:
        mixed = rng.sample(names, count)
    wrong = true
    while wrong == true:
        wrong = "".join(rng.sample(true[:count], count)) + true[count:]
    yield Copy("other seats in the hash", seated(names), published=commitment(wrong, seed))
    yield Copy("names exchanged under it", seated(mixed), published=commitment(true, seed))
    bits = bytearray.fromhex(commitment(true, seed))
    bits[rng.randrange(len(bits))] ^= 1 << rng.randrange(8)
    yield Copy("a bit of the hash", seated(names), published=bits.hex())


def copies(text: str, seed: int) -> Iterator[Copy]:
    """Forged copies of a whole game, of every kind that it has occasion for."""
    log = elements(text)
    for make in FORGERS:
        rng = random.Random(f"{make.__name__} {seed}")
        how = make.__name__.replace("_", " ")
        try:
            for forged, must in make(log, rng):
                if forged != log:
                    yield Copy(how, xml(forged), must)
        except (IndexError, ValueError):
            if make not in (riichi_for_nothing, away, moved_points, nothing_moved):
                raise  # there are games without a riichi, or with a single result
    yield from seats(text, random.Random(f"seats {seed}"))

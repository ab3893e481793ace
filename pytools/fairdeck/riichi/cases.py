"""Questions about hands and their answers as JSON objects, by the names the test vectors use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairdeck.riichi.calls import calls, own_kans
from fairdeck.riichi.hand import (
    BadHand,
    Counts,
    Hand,
    Meld,
    counts_of,
    make_hand,
    parse_kinds,
    parse_meld,
)
from fairdeck.riichi.shanten import shanten
from fairdeck.riichi.situation import situation
from fairdeck.riichi.ukeire import best, discards, riichi_discards, ukeire
from fairdeck.riichi.win import check_win
from fairdeck.tiles import NAMES

Case = Mapping[str, Any]
Answer = dict[str, Any]


def text_in(case: Case, key: str, default: str | None = None) -> str:
    """A text of a case. Raises BadHand."""
    value = case.get(key, default)
    if not isinstance(value, str):
        raise BadHand(f'"{key}" has to be text, such as "123m"')
    return value


def _truth(case: Case, key: str, default: bool) -> bool:
    value = case.get(key, default)
    if not isinstance(value, bool):
        raise BadHand(f'"{key}" has to be true or false')
    return value


def _melds(case: Case) -> list[Meld]:
    given = case.get("melds", [])
    if not isinstance(given, list):
        raise BadHand('"melds" has to be a list')
    melds = []
    for one in given:
        if not isinstance(one, Mapping):
            raise BadHand('a meld has to be an object with "type" and "tiles"')
        melds.append(parse_meld(text_in(one, "type"), text_in(one, "tiles")))
    return melds


def hand_in(case: Case, key: str) -> Hand:
    """The hand under ``key``, with the case's melds. Raises BadHand."""
    return make_hand(parse_kinds(text_in(case, key)), _melds(case))


def tile_in(case: Case, key: str) -> int:
    """The kind of the one tile under ``key``. Raises BadHand."""
    kinds = parse_kinds(text_in(case, key))
    if len(kinds) != 1:
        raise BadHand(f'"{key}" has to be one tile, not "{case[key]}"')
    return kinds[0]


def visible_in(case: Case) -> Counts:
    """The counts of the tiles that are seen elsewhere. Raises BadHand."""
    return counts_of(parse_kinds(text_in(case, "visible", "")))


def name_tiles(tiles: Mapping[int, int]) -> dict[str, int]:
    """Counts by the tiles' names."""
    return {NAMES[kind]: count for kind, count in tiles.items()}


def analyze(case: Case) -> Answer:
    """Shanten; ukeire of 3k+1 tiles, discards of 3k+2. ``tiles``, ``melds``, ``visible``."""
    hand = hand_in(case, "tiles")
    visible = visible_in(case)
    count = shanten(hand)
    answer: Answer = {
        "normal": count.normal,
        "chiitoi": count.chiitoi,
        "kokushi": count.kokushi,
        "shanten": count.best,
    }
    if hand.size % 3 == 1:
        helps = ukeire(hand, visible)
        answer["ukeire"] = name_tiles(helps.tiles)
        answer["ukeire_count"] = helps.count
        answer["share"] = helps.share
        return answer
    options = discards(hand, visible)
    chosen = best(options)
    answer["discards"] = {NAMES[o.kind]: [o.shanten, o.ukeire.count] for o in options}
    answer["best"] = {
        "shanten": chosen[0].shanten,
        "ukeire_count": chosen[0].ukeire.count,
        "tiles": [NAMES[o.kind] for o in chosen],
    }
    riichi = riichi_discards(hand, visible)
    if riichi:
        answer["riichi_discards"] = {NAMES[k]: name_tiles(v.tiles) for k, v in riichi.items()}
    return answer


def win(case: Case) -> Answer:
    """Is ``win`` a win for ``closed`` and ``melds``? With ``tsumo``, winds, rules and flags."""
    hand = hand_in(case, "closed")
    if hand.size % 3 != 1:
        raise BadHand(f"the hand has {hand.size} tiles; it is given without the winning tile")
    flags = case.get("flags", [])
    if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
        raise BadHand('"flags" has to be a list of names')
    here = situation(
        _truth(case, "tsumo", False),
        text_in(case, "seat_wind", "E"),
        text_in(case, "round_wind", "E"),
        _truth(case, "open_tanyao", True),
        flags,
    )
    judged = check_win(hand, tile_in(case, "win"), here)
    answer: Answer = {"yaku": list(judged.yaku), "wins": judged.wins, "complete": judged.complete}
    if judged.wins:
        answer |= {"han": judged.han, "fu": judged.fu}
    return answer


def call(case: Case) -> Answer:
    """Calls on ``discard`` from ``discarder``; without one, kans with the ``drawn`` tile."""
    hand = hand_in(case, "hand")
    if "discard" not in case:
        if hand.size % 3 != 2:
            raise BadHand(f"the hand has {hand.size} tiles; on one's own turn it has the drawn one")
        own = own_kans(hand)
        return {
            "closed_kan": [NAMES[kind] for kind in own.closed],
            "added_kan": [NAMES[kind] for kind in own.added],
        }
    if hand.size % 3 != 1:
        raise BadHand(f"the hand has {hand.size} tiles; before a call it has none drawn")
    answer = calls(hand, tile_in(case, "discard"), text_in(case, "discarder", "left"))
    options = []
    for option in answer.options:
        one: Answer = {
            "call": option.call,
            "use": [NAMES[kind] for kind in option.use],
            "shanten_after": option.shanten_after,
        }
        if option.call != "kan":
            one["shanten_after_no_swap_discard"] = option.without_swap
        options.append(one)
    return {
        "can_pon": answer.can_pon,
        "can_kan": answer.can_kan,
        "chii": [[NAMES[kind] for kind in use] for use in answer.chii],
        "completes_hand": answer.completes_hand,
        "shanten_before": answer.shanten_before,
        "calls": options,
    }


QUESTIONS: Mapping[str, Callable[[Case], Answer]] = {
    "analyze": analyze,
    "win": win,
    "calls": call,
}
"""By the command's name."""

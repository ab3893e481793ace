"""Made-up games by Tenhou's rules, as logs: out of a seed, by players who want to win.

As a program it writes tests/vectors/tenhou_games.json: python tests/fairdeck/tenhou_play.py
What the rules are was learnt from real logs (docs/verifying.md), which are not kept here.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tenhou_write import (
    NAMES,
    agari,
    encode,
    init_text,
    listed,
    owari_text,
    players_text,
    settled_text,
)

from fairdeck.riichi.hand import Hand
from fairdeck.riichi.shanten import shanten
from fairdeck.tenhou.game import wins
from fairdeck.tenhou.game.contradiction import Contradiction
from fairdeck.tenhou.game.events import (
    Call,
    Discard,
    Dora,
    Draw,
    NoWin,
    Riichi,
    RoundLog,
    Rules,
    Settlement,
    Win,
)
from fairdeck.tenhou.game.melds import Called, Meld
from fairdeck.tenhou.game.payments import orphans_change, payments_of_draw, shares
from fairdeck.tenhou.game.round_end import Round
from fairdeck.tenhou.game.seats import Seat
from fairdeck.tenhou.game.succession import START, Next, following, outcome
from fairdeck.tenhou.game.turns import Phase, nine_orphans
from fairdeck.tenhou.seed import parse_seed
from fairdeck.tenhou.table import TABLES
from fairdeck.tenhou.wall import Round as Wall
from fairdeck.tenhou.wall import rounds
from fairdeck.tiles import kind

VECTORS = Path(__file__).parents[1] / "vectors" / "tenhou_games.json"
GAMES = (("east", 6, 0x01), ("south", 6, 0x09), ("three", 10, 0x19), ("plain", 12, 0x07))
"""Name, number of the random sequence, and the rules: GO's ``type``."""
_CALLS = 0.35
"""How often a player calls who could."""


def made_seed(label: str) -> str:
    """A seed of the usual form, out of a label."""
    data = hashlib.shake_256(label.encode()).digest(2496)
    return "mt19937ar-sha512-n288-base64," + base64.b64encode(data).decode("ascii")


class Play:
    """A round being played; ``parts`` are the log's elements so far."""

    def __init__(self, start: RoundLog, rules: Rules, wall: Wall, rng: random.Random) -> None:
        self.round = Round(start, rules)
        self.rules, self.wall, self.rng = rules, wall, rng
        self.live, self.indicators = wall.table.first_draw, 1
        self.away: int | None = None
        self.parts: list[str] = []

    def play(self) -> None:
        """To the end of the round."""
        self._draw()
        while self.round.phase is not Phase.OVER:
            if self.round.phase is Phase.ACT:
                self._act()
            elif self.round.phase in (Phase.CALLED, Phase.DECLARED):
                self._discard(self._worst(self.round.turn))
            elif self.round.phase is Phase.KAN:
                if not self._ron():
                    self._turn_indicators("owed")
                    self._draw()
            else:
                self._react()

    def _draw(self) -> None:
        play, wall = self.round, self.wall
        if play.phase is Phase.KAN:
            index = wall.table.replacement(play.replacements, wall.pairs)
        else:
            index, self.live = self.live, self.live - 1
        seat = play.turn if play.phase is not Phase.REACT else (play.turn + 1) % play.players
        tile = wall.logged[index]
        play.draw(Draw(seat, tile))
        self.parts.append(f"<{'TUVW'[seat]}{tile}/>")

    def _act(self) -> None:
        play = self.round
        seat = play.seats[play.turn]
        drawn = seat.drawn
        assert drawn is not None
        if self._win(seat.number, seat.number, drawn):
            return
        if self.away == seat.number:
            self._discard(drawn)
            return
        if play.untouched and not seat.discards and nine_orphans(seat):
            self._no_win("yao9")
            return
        for meld in self._own_melds(seat):
            if self.rng.random() < 2 * _CALLS and self._call(seat, meld):
                return
        if self._riichi(seat):
            return
        self._discard(drawn if seat.riichi else self._worst(seat.number))

    def _own_melds(self, seat: Seat) -> Iterator[Meld]:
        for tile in sorted(seat.tiles):
            four = tuple(range(tile // 4 * 4, tile // 4 * 4 + 4))
            if tile % 4 == 0 and set(four) <= seat.tiles:
                yield Meld(Called.CLOSED_KAN, four)
            if self.rules.players == 3 and kind(tile) == 30:
                yield Meld(Called.NORTH, (tile,))
        for pon in list(seat.melds):
            if pon.called is Called.PON:
                for tile in sorted(seat.tiles):
                    if kind(tile) == pon.kinds[0]:
                        tiles = tuple(sorted((*pon.tiles, tile)))
                        yield Meld(Called.ADDED_KAN, tiles, pon.taken, pon.source, tile)

    def _call(self, seat: Seat, meld: Meld) -> bool:
        if seat.riichi is not None and seat.drawn not in meld.own:
            return False
        if seat.riichi is not None and meld.called is not Called.NORTH:
            return False  # the wait might change
        try:
            self.round.call(Call(seat.number, meld))
        except Contradiction:
            return False
        self.parts.append(f'<N who="{seat.number}" m="{encode(meld, seat.number)}" />')
        if meld.called is not Called.CLOSED_KAN and not meld.called.is_replaced:
            self._discard(self._worst(seat.number))
        return True

    def _riichi(self, seat: Seat) -> bool:
        play = self.round
        ready = [t for t in sorted(seat.tiles) if self._waits_after(seat, t)]
        if not ready or not seat.is_closed or self.rng.random() < 0.3:
            return False
        try:
            play.riichi(Riichi(seat.number, 1, None))
        except Contradiction:
            return False
        self.parts.append(f'<REACH who="{seat.number}" step="1"/>')
        self._discard(ready[0])
        return True

    def _waits_after(self, seat: Seat, tile: int) -> bool:
        kept = set(seat.tiles) - {tile}
        return bool(Seat(seat.number, kept, list(seat.melds)).waits())

    def _discard(self, tile: int) -> None:
        play = self.round
        self._turn_indicators("late")
        seat = play.turn
        if self.away is None and self.rng.random() < 0.01:
            self.away = seat if tile == play.seats[seat].drawn else None
            if self.away is not None:
                self.parts.append(f'<BYE who="{seat}" />')
        play.discard(Discard(seat, tile))
        self.parts.append(f"<{'DEFG'[seat]}{tile}/>")

    def _turn_indicators(self, which: str) -> None:
        play, wall = self.round, self.wall
        while getattr(play, which):
            tile = wall.logged[wall.table.dora(self.indicators, wall.pairs)]
            play.dora(Dora(tile))
            self.indicators += 1
            self.parts.append(f'<DORA hai="{tile}" />')

    def _worst(self, number: int) -> int:
        """The tile whose loss leaves the hand nearest to a win."""
        seat = self.round.seats[number]
        allowed = [t for t in sorted(seat.tiles) if kind(t) not in seat.forbidden]
        whole = seat.hand()

        def distance(tile: int) -> tuple[int, int]:
            after = Hand(whole.minus(kind(tile)).closed, whole.melds)
            own = kind(tile)
            near = sum(whole.closed[k] for k in range(max(0, own - 2), min(34, own + 3)))
            return shanten(after).best, near

        return min(allowed, key=distance)

    def _react(self) -> None:
        play = self.round
        if self._ron():
            return
        if play.unpaid is not None:
            who = play.unpaid
            play.riichi(Riichi(who, 2, None))
            ten = ",".join(map(str, play.scores))
            self.parts.append(f'<REACH who="{who}" ten="{ten}" step="2"/>')
        for why, holds in (
            ("reach4", play.all_riichi),
            ("kan4", play.kan_ends),
            ("kaze4", play.same_winds),
        ):
            if holds:
                self._no_win(why)
                return
        if play.left == 0:
            orphans = any(seat.all_orphans for seat in play.seats)
            self._no_win("nm" if orphans else None)
        elif not self._open_call():
            if self.away is not None and self.away != play.turn and self.rng.random() < 0.2:
                self.parts.append(f'<UN n{self.away}="{NAMES[self.away]}"/>')
                self.away = None
            self._draw()

    def _open_call(self) -> bool:
        play, last = self.round, self.round.last
        assert last is not None
        for step in range(1, play.players):
            seat = play.seats[(play.turn + step) % play.players]
            if seat.riichi is not None or self.away == seat.number:
                continue
            if self.rng.random() < _CALLS:
                for meld in self._open_melds(seat, last, step):
                    if self._call(seat, meld):
                        return True
        return False

    def _open_melds(self, seat: Seat, last: int, step: int) -> Iterator[Meld]:
        turn, own = self.round.turn, kind(last)
        same = [t for t in sorted(seat.tiles) if kind(t) == own]
        valued = own >= 31 or self.rng.random() < 0.3
        if len(same) == 3:
            yield Meld(Called.OPEN_KAN, tuple(sorted((*same, last))), last, turn)
        if len(same) >= 2 and valued:
            yield Meld(Called.PON, tuple(sorted((*same[:2], last))), last, turn)
        if step == 1 and own < 27 and not seat.is_closed:
            for first in range(max(own - 2, own // 9 * 9), min(own, own // 9 * 9 + 6) + 1):
                others = [
                    next((t for t in sorted(seat.tiles) if kind(t) == k), None)
                    for k in range(first, first + 3)
                    if k != own
                ]
                if None not in others:
                    tiles = tuple(sorted([last, *(t for t in others if t is not None)]))
                    yield Meld(Called.CHII, tiles, last, turn)

    def _ron(self) -> bool:
        play, tile, source = self.round, self.round.last, self.round.turn
        if tile is None or play.last_call is Called.CLOSED_KAN:
            return False
        turns = [(source + step) % play.players for step in range(1, play.players)]
        winners = [n for n in turns if self._won(n, source, tile) is not None]
        if len(winners) == 3:
            self._no_win("ron3")
            return True
        done = [self._win(number, source, tile) for number in winners[:2]]
        return any(done)

    def _won(self, number: int, source: int, tile: int) -> Win | None:
        """The win with all that is told of it, or None."""
        play = self.round
        seat = play.seats[number]
        if source != number:
            passed = seat.passed | {kind(t) for t in seat.discards}
            if kind(tile) not in seat.waits() or seat.waits() & passed:
                return None
        wall, again = self.wall, bool(play.results)
        ura = [wall.table.ura(n, wall.pairs) for n in range(len(play.indicators))]
        settled = Settlement(tuple(play.scores), (), 0, 0)
        win = Win(
            seat=number,
            source=source,
            liable=None,
            hand=tuple(sorted(seat.tiles | {tile})),
            melds=(*seat.melds, *(Meld(Called.NORTH, (t,)) for t in seat.norths)),
            tile=tile,
            fu=0,
            value=0,
            limit=0,
            yaku=(),
            yakuman=(),
            dora=tuple(play.indicators),
            ura=tuple(wall.logged[place] for place in ura) if seat.riichi else (),
            settlement=settled,
        )
        here = play.circumstances(win, again=again)
        found = wins.win_value(win, seat, here)
        if found is None:
            return None
        paid = shares(found.base, number, source, play.log.dealer, play.players)
        win = replace(
            win,
            fu=found.fu,
            value=100 * sum(paid),
            limit=found.limit,
            yaku=tuple(sorted(found.yaku.items())),
            yakuman=tuple(sorted(found.yakuman)),
            liable=wins.liable_for(found, seat),
        )
        change = wins.change_of(win, seat, found, here)
        counters = (play.log.honba, here.counters[1])
        return replace(win, settlement=Settlement(settled.before, change, *counters))

    def _win(self, number: int, source: int, tile: int) -> bool:
        win = self._won(number, source, tile)
        if win is None:
            return False
        self.round.win(win)
        self.parts.append(agari(win))
        return True

    def _no_win(self, why: str | None) -> None:
        play = self.round
        change = (0,) * play.players
        ready = play.ready
        if why is None:
            change = payments_of_draw(ready, play.players)
        elif why == "nm":
            orphans = [s.number for s in play.seats if s.all_orphans]
            change = orphans_change(orphans, play.log.dealer, play.players)
        shown = play.find_open_hands(why)
        hands = tuple(tuple(sorted(s.tiles)) if s.number in shown else None for s in play.seats)
        settled = Settlement(tuple(play.scores), change, play.log.honba, play.sticks)
        event = NoWin(why, hands, settled)
        play.end(event)
        kept = "".join(
            f' hai{n}="{listed(hand)}"' for n, hand in enumerate(hands) if hand is not None
        )
        typed = f' type="{why}"' if why else ""
        self.parts.append(f"<RYUUKYOKU{typed} {settled_text(settled)}{kept} />")


def made_log(label: str, number: int, type_: int) -> str:
    """A game from its seed to its final scores."""
    rules = Rules(type_, known=True)
    text = made_seed(f"fairdeck {label}")
    walls = rounds(parse_seed(text), TABLES[rules.players])
    rng = random.Random(number)
    parts = [
        f'<mjloggm ver="2.3"><SHUFFLE seed="{text}" ref=""/><GO type="{type_}" lobby="0"/>',
        players_text(rules.players),
        '<TAIKYOKU oya="0"/>',
    ]
    left = Next(False, 0, 0, (START[rules.players],) * rules.players, False)
    at, dealer, away = 0, 0, None
    while True:
        wall = next(walls)
        start = RoundLog(
            at, left.honba, left.sticks, left.scores, dealer, wall.dice, wall.dora,
            wall.hands(dealer), (),
        )  # fmt: skip
        parts.append(init_text(start))
        play = Play(start, rules, wall, rng)
        play.away = away
        play.play()
        away = play.away
        parts += play.parts
        left = outcome(play.round)
        if left.ends is not False:
            break
        if not left.stays:
            at, dealer = following(at, rules.players), (dealer + 1) % rules.players
    parts[-1] = parts[-1].removesuffix("/>") + f'owari="{owari_text(left, rules)}" />'
    return "".join([*parts, "</mjloggm>"])


def made_games() -> list[dict[str, str]]:
    """All games that the tests read."""
    return [{"name": name, "xml": made_log(name, number, type_)} for name, number, type_ in GAMES]


def main() -> None:
    """Write the games."""
    about = "own made-up games, whole and by the rules, from tests/fairdeck/tenhou_play.py"
    text = json.dumps({"about": about, "logs": made_games()}, ensure_ascii=False, indent=1)
    VECTORS.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""How a round ends: wins, a drawn wall, and the ways to break it off."""

from __future__ import annotations

from fairdeck.tenhou.game.contradiction import Contradiction, Kind, require
from fairdeck.tenhou.game.events import NoWin, RoundLog, Rules, Settlement, Win
from fairdeck.tenhou.game.melds import Called
from fairdeck.tenhou.game.payments import orphans_change, payments_of_draw
from fairdeck.tenhou.game.seats import Seat
from fairdeck.tenhou.game.sentences import list_values, tile_text
from fairdeck.tenhou.game.turns import Phase, Turns, nine_orphans
from fairdeck.tenhou.game.wins import Circumstances, check_win_of, is_furiten, win_value
from fairdeck.tiles import kind

_BROKEN_OFF = frozenset({"yao9", "kaze4", "reach4", "ron3", "kan4"})
_ORPHANS = "nm"
NINE_ORPHANS = "yao9"
"""The words of the log for a drawn mangan, and for nine kinds of terminals and honours."""
_WINNERS = 2
"""Players who may win on one tile; three of four break the round off."""


class Round(Turns):
    """A round from the deal to its result."""

    def __init__(self, log: RoundLog, rules: Rules) -> None:
        super().__init__(log, rules)
        self.results: list[Win] = []
        self.no_win: NoWin | None = None
        self.early = False
        """Whether the log breaks it off: it tells no result, and there would be one."""

    def win(self, event: Win) -> None:
        """Somebody wins; on a discard, a second one may."""
        again = self.phase is Phase.OVER and bool(self.results)
        tsumo = event.source == event.seat
        if again:
            self._check_again(event)
        elif tsumo:
            require(
                self.phase is Phase.ACT and event.seat == self.turn,
                Kind.TURN,
                "seat {seat} wins by a draw; {expected}",
                seat=event.seat,
                expected=self._describe_expected(),
            )
            drawn = self.seats[event.seat].drawn
            require(
                not self.turned,
                Kind.DORA,
                "seat {seat} wins behind the dora indicator of a kan",
                seat=event.seat,
            )
            require(
                drawn == event.tile,
                Kind.WIN,
                "seat {seat} wins on {tile}; it drew {drawn}",
                seat=event.seat,
                tile=tile_text(event.tile),
                drawn=tile_text(drawn or 0),
            )
        else:
            self._check_ron(event)
            self._check_robbed(event)
        here = self.circumstances(event, again=again)
        change = check_win_of(event, self.seats[event.seat], here)
        # of a second winner the log repeats the counters, which the first one gets
        told_counters = (self.log.honba, here.counters[1])
        self._settle(event.settlement, change, told_counters)
        self.results.append(event)
        self.sticks, self.phase = 0, Phase.OVER

    def circumstances(self, win: Win, *, again: bool) -> Circumstances:
        """What a win depends on; ``again``: it is the second one on the tile."""
        return Circumstances(
            rules=self.rules,
            dealer=self.log.dealer,
            wind=self.log.number // 4,
            flags=self._flags(win),
            first=self.untouched and not self.seats[win.seat].discards,
            indicators=tuple(self.indicators),
            counters=(0, 0) if again else (self.log.honba, self.sticks),
        )

    def _check_again(self, event: Win) -> None:
        first = self.results[-1]
        require(
            event.source != event.seat and (event.source, event.tile) == (first.source, first.tile),
            Kind.TURN,
            "seat {seat} wins, and the round is over",
            seat=event.seat,
        )
        require(
            self._distance(event) > self._distance(first) and len(self.results) < _WINNERS,
            Kind.TURN,
            "seat {seat} wins out of turn: winners follow in the order of their seats",
            seat=event.seat,
        )

    def _distance(self, win: Win) -> int:
        return (win.seat - win.source) % self.players

    def _check_ron(self, event: Win) -> None:
        require(
            self.phase is Phase.REACT or self._robbing,
            Kind.TURN,
            "seat {seat} wins on a discard; {expected}",
            seat=event.seat,
            expected=self._describe_expected(),
        )
        require(
            (event.source, event.tile) == (self.turn, self.last),
            Kind.WIN,
            "seat {seat} wins on {tile} of seat {source}; seat {turn} gave {last}",
            seat=event.seat,
            tile=tile_text(event.tile),
            source=event.source,
            turn=self.turn,
            last=tile_text(self.last or 0),
        )

    @property
    def _robbing(self) -> bool:
        """Whether a kan or north may be won on: its tile, before the replacement is drawn."""
        return self.phase is Phase.KAN and self.last_call is not Called.OPEN_KAN

    def _check_robbed(self, event: Win) -> None:
        closed = self.phase is Phase.KAN and self.last_call is Called.CLOSED_KAN
        require(
            not closed or self.seats[event.seat].waits_for_orphans,
            Kind.WIN,
            "seat {seat} wins on a closed kan, which only thirteen orphans may",
            seat=event.seat,
        )

    def _flags(self, event: Win) -> frozenset[str]:
        seat, tsumo = self.seats[event.seat], event.source == event.seat
        robbed = not tsumo and self.last_call is Called.ADDED_KAN
        facts = {
            "ippatsu": seat.ippatsu,
            "rinshan": tsumo and self.replaced,
            "haitei": tsumo and self.left == 0 and not self.replaced,
            "houtei": not tsumo and self.left == 0 and not robbed,
            "chankan": robbed,
        }
        flags = {flag for flag, holds in facts.items() if holds}
        return frozenset(flags | ({seat.riichi} if seat.riichi else set()))

    def end(self, event: NoWin) -> None:
        """The round ends without a win."""
        require(self.phase is not Phase.OVER, Kind.TURN, "the round is over and ends again")
        change = (0,) * self.players
        if event.why is None:
            change = self._settle_draw(event)
        elif event.why == _ORPHANS:
            change = self._all_orphans(event)
        elif event.why in _BROKEN_OFF:
            self._check_broken_off(event)
        else:
            raise Contradiction(Kind.ROUND_END, "no round ends by '{why}'", why=event.why[:20])
        self._check_shown(event)
        told = event.settlement
        counters = event.counters if told is None else (told.honba, told.sticks)
        if counters is not None:
            self._check_counters(counters, (self.log.honba, self.sticks))
        if told is not None:
            self._check_moved(told, change)
        self._move(change)
        self.no_win, self.phase = event, Phase.OVER

    def _settle_draw(self, event: NoWin) -> tuple[int, ...]:
        drawn = self.left == 0 and self.phase is Phase.REACT
        if event.is_blank and self.phase in (Phase.ACT, Phase.REACT) and self.unpaid is None:
            self.early = not drawn or bool(self.ready)
            if self.early and not (drawn and event.settlement is None):
                return (0,) * self.players
        require(
            drawn,
            Kind.ROUND_END,
            "the round ends as if the wall were drawn; {left} of {all} tiles are left",
            left=self.left,
            all=self.table.draws,
        )
        self._must_go_on()
        self._check_paid()
        orphans = [seat.number for seat in self.seats if seat.all_orphans]
        require(not orphans, Kind.ROUND_END, "the discards of a seat are all orphans: a mangan")
        return payments_of_draw(self.ready, self.players)

    @property
    def ready(self) -> list[int]:
        """The seats that wait for one tile."""
        return [seat.number for seat in self.seats if seat.waits()]

    def _all_orphans(self, event: NoWin) -> tuple[int, ...]:
        require(
            self.left == 0 and self.phase is Phase.REACT and self.unpaid is None,
            Kind.ROUND_END,
            "the round ends as if the wall were drawn; {left} tiles are left",
            left=self.left,
        )
        winners = [seat.number for seat in self.seats if seat.all_orphans]
        require(bool(winners), Kind.ROUND_END, "no player discarded terminals and honours only")
        return orphans_change(winners, self.log.dealer, self.players)

    def _check_broken_off(self, event: NoWin) -> None:
        seat, why = self.seats[self.turn], event.why
        if why == NINE_ORPHANS:
            holds = (
                self.phase is Phase.ACT
                and self.untouched
                and not seat.discards
                and nine_orphans(seat)
            )
        elif why == "kaze4":
            holds = self.phase is Phase.REACT and self.same_winds
        elif why == "reach4":
            holds = self.phase is Phase.REACT and self.all_riichi and self.unpaid is None
        elif why == "kan4":
            holds = self.phase is Phase.REACT and self.kan_ends
        else:
            holds = (self.phase is Phase.REACT or self._robbing) and len(self._winners()) == 3
        require(
            holds,
            Kind.ROUND_END,
            "the round is broken off by '{why}', which is not so",
            why=why or "",
        )

    def _winners(self) -> list[int]:
        """The seats that may win on the last discard, or on the tile of a kan."""
        last = self.last
        if last is None:
            return []
        return [s.number for s in self.seats if s.number != self.turn and self._may_win(s, last)]

    def _may_win(self, seat: Seat, tile: int) -> bool:
        """Whether a player may win on another's tile: not one who is away or furiten, nor
        without yaku."""
        if seat.number in self.away or kind(tile) not in seat.waits() or is_furiten(seat):
            return False
        if self.last_call is Called.CLOSED_KAN and not seat.waits_for_orphans:
            return False
        win = Win(
            seat=seat.number,
            source=self.turn,
            liable=None,
            hand=(*seat.tiles, tile),
            melds=tuple(seat.melds),
            tile=tile,
            fu=0,
            value=0,
            limit=0,
            yaku=(),
            yakuman=(),
            dora=tuple(self.indicators),
            ura=(),
            settlement=Settlement(tuple(self.scores), (0,) * self.players, 0, 0),
        )
        return win_value(win, seat, self.circumstances(win, again=False)) is not None

    def find_open_hands(self, why: str | None) -> list[int]:
        """The seats whose hands are laid open when the round ends by ``why``."""
        if why in (None, _ORPHANS):
            return self.ready
        if why == "ron3":
            return self._winners()
        return {NINE_ORPHANS: [self.turn], "reach4": list(range(self.players))}.get(why or "", [])

    def _check_shown(self, event: NoWin) -> None:
        if self.early:
            return
        wanted = self.find_open_hands(event.why)
        shown = [n for n, hand in enumerate(event.shown) if hand is not None]
        require(
            shown == wanted,
            Kind.ROUND_END,
            "the hands of seats {shown} are shown; those of {wanted} have to be",
            shown=list_values(shown, " and ", "nobody"),
            wanted=list_values(wanted, " and ", "nobody"),
        )
        for number in shown:
            hand = event.shown[number] or ()
            require(
                sorted(hand) == sorted(self.seats[number].tiles),
                Kind.ROUND_END,
                "seat {seat} shows another hand than it has",
                seat=number,
            )

    def _settle(
        self, settled: Settlement, change: tuple[int, ...], counters: tuple[int, int]
    ) -> None:
        self._check_counters((settled.honba, settled.sticks), counters)
        self._check_moved(settled, change)
        self._move(change)

    def _check_counters(self, told: tuple[int, int], counters: tuple[int, int]) -> None:
        require(
            told == counters,
            Kind.SCORE,
            "the result counts {honba} counters and {sticks} sticks; "
            "there are {honba_due} and {sticks_due}",
            honba=told[0],
            sticks=told[1],
            honba_due=counters[0],
            sticks_due=counters[1],
        )

    def _check_moved(self, settled: Settlement, change: tuple[int, ...]) -> None:
        require(
            list(settled.before) == self.scores,
            Kind.SCORE,
            "before the result the scores are reported as {logged}; they are {wanted}",
            logged=str(settled.before),
            wanted=str(tuple(self.scores)),
        )
        require(
            settled.change == change,
            Kind.SCORE,
            "the result moves {logged}; it has to move {wanted}",
            logged=str(settled.change),
            wanted=str(change),
        )

    def _move(self, change: tuple[int, ...]) -> None:
        """What the rules move is moved, whether the log tells it or not."""
        self.scores = [score + moved for score, moved in zip(self.scores, change, strict=True)]

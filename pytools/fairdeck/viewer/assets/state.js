// What lies where after some events of a round. A forged log may do impossible things: what is not
// held is simply not taken away, and nothing here throws.
function replay(game, round, steps) {
  const seats = [];
  for (let seat = 0; seat < game.players; seat++) {
    seats.push({
      hand: [...((round.hands || [])[seat] || [])], drawn: null, melds: [], river: [], riichi: false,
      score: round.scores ? round.scores[seat] : null, declared: false,
    });
  }
  const state = { seats, turned: 1, replaced: 0, last: null, turn: null, gone: new Set(), draws: 0 };
  if (round.wall && round.hands) for (let n = 0; n < 13 * game.players; n++) state.gone.add(round.wall.length - 1 - n);
  for (const event of round.events.slice(0, steps)) happen(state, event);
  return state;
}

function without(tiles, tile) {
  const at = tiles.indexOf(tile);
  return at < 0 ? tiles : [...tiles.slice(0, at), ...tiles.slice(at + 1)];
}

function settle(seat) {
  if (seat.drawn !== null) seat.hand.push(seat.drawn);
  seat.drawn = null;
  seat.hand.sort((a, b) => a - b);
}

function happen(state, event) {
  const seat = state.seats[event.seat];
  state.last = null;
  if (seat) state.turn = event.seat;
  if (event.type === "draw" && seat) {
    settle(seat);
    seat.drawn = event.tile;
    state.draws += 1;
    if (event.at !== undefined) {
      state.gone.add(event.at);
      state.last = event.at;
    }
  } else if (event.type === "discard" && seat) {
    const away = seat.drawn === event.tile;
    if (away) seat.drawn = null;
    else {
      settle(seat);
      seat.hand = without(seat.hand, event.tile);
    }
    seat.river.push({ tile: event.tile, away, taken: false, sideways: seat.declared });
    seat.declared = false;
  } else if (event.type === "call" && seat) {
    call(state, seat, event);
  } else if (event.type === "riichi" && seat) {
    if (event.step === 1) seat.declared = seat.riichi = true;
    else if (seat.score !== null) seat.score -= 10;
  } else if (event.type === "dora") {
    state.turned += 1;
  } else if ((event.type === "win" || event.type === "no_win") && event.change) {
    state.seats.forEach((one, n) => { if (one.score !== null && event.change[n] !== undefined) one.score += event.change[n]; });
  }
}

function call(state, seat, event) {
  settle(seat);
  for (const own of event.own) seat.hand = without(seat.hand, own);
  const giver = state.seats[event.source];
  if (event.taken !== null && event.added === null && giver && giver.river.length) giver.river[giver.river.length - 1].taken = true;
  if (event.added !== null) seat.melds = seat.melds.filter((one) => !(one.tiles.length === 3 && one.tiles.every((id) => event.tiles.includes(id))));
  seat.melds.push({ tiles: event.tiles, taken: event.taken, closed: event.called === "closed_kan" });
}

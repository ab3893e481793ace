// A round: hands, discards, walls, and the words for each step.
function seatName(game, round, seat) {
  return game.names[seat] || t(`seat.${(seat - round.dealer + game.players) % game.players}`);
}

function seatView(game, round, state, number) {
  const seat = state.seats[number];
  const who = seatName(game, round, number);
  const wind = t(`wind.${(number - round.dealer + game.players) % game.players}`);
  const heading = make("h3", {},
    make("span", { text: game.names[number] ? `${wind} · ${game.names[number]}` : wind }),
    number === round.dealer ? make("span", { class: "flag", text: t("seat.dealer") }) : null,
    seat.score === null ? null : make("span", { text: t("seat.points", { points: (seat.score * 100).toLocaleString(language) }) }),
    seat.riichi ? make("span", { class: "flag", text: t("seat.riichi") }) : null);
  let words = t("seat.hand", { who, tiles: spokenAll(seat.hand, game.reds) });
  const pieces = seat.hand.map((id) => tile(id, game.reds));
  if (seat.drawn !== null) {
    words += `; ${t("seat.drawn", { tile: spoken(seat.drawn, game.reds) })}`;
    pieces.push(tile(seat.drawn, game.reds, "apart"));
  }
  const parts = [heading, group(words, "tiles", pieces)];
  if (seat.melds.length) {
    const label = t("seat.melds", { who, tiles: seat.melds.map((one) => spokenAll(one.tiles, game.reds)).join("; ") });
    parts.push(group(label, "tiles", seat.melds.map((one) => make("span", { class: "meld" },
      ...one.tiles.map((id) => tile(id, game.reds, id === one.taken ? "sideways" : ""))))));
  }
  const river = seat.river.map((one) => one.taken ? t("called", { tile: spoken(one.tile, game.reds) }) : spoken(one.tile, game.reds));
  parts.push(group(t("seat.discards", { who, tiles: river.join(", ") || t("seat.no_tiles") }), "river", seat.river.map((one) =>
    tile(one.tile, game.reds, `${one.taken ? "taken " : ""}${one.sideways ? "sideways " : ""}${one.away ? "drawn-away" : ""}`))));
  return make("div", { class: number === state.turn ? "seat turn" : "seat" }, ...parts);
}

// Pairs of the wall from its drawing end on, the upper tile first.
function pairs(round, from, to) {
  const found = [];
  for (let low = from; low >= to; low -= 2) found.push(round.dead && !round.dead.upper ? [low, low + 1] : [low + 1, low]);
  return found;
}

function wallView(game, round, state) {
  const size = round.dead.size;
  const order = [];
  for (let at = round.wall.length - 1; at >= size; at--) order.push(round.wall[at]);
  const shown = pairs(round, round.wall.length - 2, size).map((pair) => make("span", { class: "stack" },
    ...pair.map((at) => tile(round.wall[at], game.reds, at === state.last ? "now" : state.gone.has(at) ? "gone" : ""))));
  const left = (game.players === 3 ? 55 : 70) - state.draws;
  return [make("h3", { text: t("wall.title") }), make("p", { class: "small", text: t("wall.text") }),
    group(t("wall.label", { tiles: spokenAll(order, game.reds) }), "stacks", shown),
    make("p", { text: t("wall.left", { count: Math.max(left, 0) }) }), ...deadView(game, round, state)];
}

function deadView(game, round, state) {
  const { dora, ura, rinshan, size } = round.dead;
  const words = (indices) => spokenAll(indices.map((at) => round.wall[at]), game.reds);
  const label = t("wall.dead_label", { dora: words(dora.slice(0, state.turned)), ura: words(ura.slice(0, state.turned)), rinshan: words(rinshan) });
  const stacks = pairs(round, size - 2, 0).map((pair) => make("span", { class: "stack" }, ...pair.flatMap((at) => {
    const turned = dora.indexOf(at) >= 0 && dora.indexOf(at) < state.turned;
    const piece = tile(round.wall[at], game.reds, at === state.last ? "now" : state.gone.has(at) ? "gone" : turned ? "turned" : "");
    return rinshan.includes(at) ? [piece, make("span", { text: `R${rinshan.indexOf(at) + 1}` })] : [piece];
  })));
  return [make("h3", { text: t("wall.dead") }), make("p", { class: "small", text: t("wall.dead_text") }), group(label, "stacks dead", stacks)];
}

// The four sides as one looks down on them, the first dealer's below; each from its player's right.
function tableView(game, round) {
  const sides = round.table.sides;
  const stacks = sides[0].stacks.length;
  const opened = { side: sides.findIndex((side) => side.seat === round.table.opened.seat), stack: round.table.opened.stack };
  const name = (number) => t(`side.${number}`);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 800 800");
  svg.setAttribute("class", "board");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", t("table.label", { sides: sides.length, stacks, first: round.dice[0], second: round.dice[1], stack: opened.stack + 1, side: name(opened.side) }));
  const pitch = 527 / stacks; // as long as 17 stacks, however many there are
  sides.forEach((side, number) => {
    const g = document.createElementNS(SVG, "g");
    g.setAttribute("transform", `rotate(${-90 * number} 400 400)`);
    side.stacks.forEach((stack, at) => {
      const x = 400 + pitch * (stacks / 2 - 1 - at);
      stack.forEach((id, level) => g.append(use(`t-${tileName(id, false)}`, { x, y: 670 + 42 * level, width: pitch - 1, height: 40 })));
      if (number === opened.side && at === opened.stack) {
        const line = document.createElementNS(SVG, "line");
        for (const [key, value] of Object.entries({ x1: x - 0.5, x2: x - 0.5, y1: 660, y2: 760, class: "opened" })) line.setAttribute(key, value);
        g.append(line);
      }
    });
    const label = document.createElementNS(SVG, "text");
    for (const [key, value] of Object.entries({ x: 400, y: 785, transform: number === 2 ? "rotate(180 400 778)" : "" })) label.setAttribute(key, value);
    label.textContent = name(number);
    g.append(label);
    svg.append(g);
  });
  round.dice.forEach((face, n) => svg.append(use(`d-${face}`, { x: 350 + 54 * n, y: 376, width: 48, height: 48 })));
  return [make("h3", { text: t("table.title") }), svg, ...sides.map((side, number) => sideList(side, number, opened, name))];
}

function sideList(side, number, opened, name) {
  const rows = [0, 1].map((level) => {
    const ids = side.stacks.map((stack) => stack[level]);
    const label = `${name(number)}, ${t(level ? "table.lower" : "table.upper")}: ${spokenAll(ids, false)}`;
    return group(label, "stacks side", ids.map((id) => tile(id, false)));
  });
  const where = number === opened.side ? ` – ${t("table.opened", { stack: opened.stack + 1 })}` : "";
  return make("div", {}, make("h3", { text: t("table.side", { side: name(number), stacks: side.stacks.length }) + where }), ...rows);
}

function told(game, round, event) {
  if (event === null) return round.dora === undefined ? t("event.deal") : t("event.deal_dora", { tile: spoken(round.dora, game.reds) });
  const who = event.seat === undefined ? "" : seatName(game, round, event.seat);
  const name = event.tile === undefined ? "" : spoken(event.tile, game.reds);
  if (event.type === "call") return t("event.call", { who, call: t(`call.${event.called}`), tiles: spokenAll(event.tiles, game.reds) });
  if (event.type === "riichi") return t(event.step === 1 ? "event.riichi1" : "event.riichi2", { who });
  if (event.type === "stray") return t("event.stray", { name: event.name });
  if (event.type === "win" || event.type === "no_win") return ending(game, round, event, who, name);
  return t(`event.${event.type}`, { who, tile: name });
}

function ending(game, round, event, who, name) {
  const number = (value) => value.toLocaleString(language);
  const list = (values, sign) => values.slice(0, game.players).map((value, seat) => `${seatName(game, round, seat)} ${sign && value > 0 ? "+" : ""}${number(value * 100)}`).join(", ");
  const more = [];
  if (event.change) more.push(t("event.points", { changes: list(event.change, true) }));
  if (event.final) more.push(t("event.final", { scores: list(event.final, false) }));
  if (event.type === "no_win") {
    const why = event.why === null ? t("why.exhausted") : WORDS[`why.${event.why}`] ? t(`why.${event.why}`) : t("why.other", { why: event.why });
    return [t("event.no_win", { why }), ...more].join(" ");
  }
  const worth = event.yakuman ? t("worth.yakuman", { count: event.yakuman }) : t("worth.han", { han: event.han, fu: event.fu });
  const values = { who, tile: name, worth, points: number(event.value), source: seatName(game, round, event.source) };
  return [t(event.source === event.seat ? "event.win_drawn" : "event.win_from", values), ...more].join(" ");
}

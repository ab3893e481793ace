// Wires the page: what is pasted goes to the viewer that serves it; without one it shows its game.
const byId = (id) => document.getElementById(id);
const SERVED = byId("form") !== null;
const MOST = Number(document.body.dataset.most || 8388608);
let game = JSON.parse(byId("document").textContent);
let source = null;
let number = 0;
let step = 0;

function say(key, values = {}) {
  byId("status").textContent = key === null ? "" : t(key, values);
}

function showAll() {
  translate();
  byId("trust").replaceChildren(...trustView());
  if (game === null) return;
  byId("result").hidden = false;
  byId("verdict").replaceChildren(...verdictView(game, goTo));
  byId("downloads").replaceChildren(...downloads());
  showRound();
}

function goTo(round, event) {
  number = round;
  step = Math.min(event, game.rounds[round].events.length);
  showRound();
  byId("play").scrollIntoView();
  byId("slider").focus();
}

function roundName(round, place) {
  if (round.honba === null || round.honba === undefined) return t("round.made", { number: place + 1 });
  return t("round.logged", { wind: t(`wind.${Math.floor(round.number / 4) % 4}`), number: (round.number % 4) + 1, honba: round.honba });
}

// On a narrow page only the sign is seen; the words stay for who hears them.
function button(key, id, sign, disabled, act) {
  return make("button", { type: "button", id, disabled, title: t(key), on: { click: act } },
    make("span", { class: "sign", "aria-hidden": "true", text: sign }), make("span", { class: "words", text: t(key) }));
}

function showRound() {
  const round = game.rounds[number];
  const kept = document.activeElement && byId("play").contains(document.activeElement) ? document.activeElement.id : null;
  const parts = [make("h2", { id: "round-title" }, make("span", { text: t("round.title") }))];
  if (game.rounds_in_all > game.rounds.length) parts.push(make("p", { class: "small", text: t("status.first_rounds", { shown: game.rounds.length, all: game.rounds_in_all }) }));
  if (round === undefined) return byId("play").replaceChildren(...parts), byId("machines").replaceChildren();
  const select = make("select", { id: "rounds", "aria-label": t("round.choose"), on: { change: (event) => turn(Number(event.target.value)) } },
    ...game.rounds.map((one, place) => make("option", { value: place, selected: place === number, text: roundName(one, place) + (one.mark === "differs" || one.events.some((event) => event.mark === "differs") ? " ✗" : "") })));
  const choice = game.rounds.length === 1 ? [] : [button("round.previous", "previous-round", "‹", number === 0, () => turn(number - 1)), select,
    button("round.next", "next-round", "›", number + 1 >= game.rounds.length, () => turn(number + 1))];
  parts[0].append(dice(round.dice));
  if (choice.length) parts.push(make("div", { class: "bar" }, ...choice));
  const steps = round.events.length;
  const near = make("div", { class: "near" });
  if (steps) {
    near.append(make("div", { class: "bar", role: "group", "aria-label": t("step.slider") },
      button("step.first", "first", "«", step === 0, () => go(0)), button("step.previous", "back", "‹", step === 0, () => go(step - 1)),
      make("input", { type: "range", id: "slider", min: 0, max: steps, value: step, "aria-label": t("step.slider"), "aria-valuetext": t("step.of", { step, steps }), on: { input: (event) => go(Number(event.target.value)) } }),
      button("step.next", "forward", "›", step === steps, () => go(step + 1)), button("step.last", "last", "»", step === steps, () => go(steps))));
  }
  const line = byId("told") || make("p", { id: "told", class: "told", role: "status", "aria-live": "polite" });
  line.replaceChildren();
  if (round.hands) {
    const event = step === 0 ? null : round.events[step - 1];
    const count = steps ? `${t("step.of", { step, steps })}. ` : "";
    line.append(make("span", { text: `${count}${told(game, round, event)} ` }));
    if (game.verdict !== "made") line.append(mark(event === null ? round.mark : event.mark));
    near.append(line);
  }
  parts.push(near);
  const felt = make("div", { class: "felt" });
  if (round.table) felt.append(...tableView(game, round));
  else {
    const state = replay(game, round, step);
    felt.append(make("div", { class: "seats" }, ...state.seats.map((_, seat) => seatView(game, round, state, seat))));
    felt.append(...(round.wall ? wallView(game, round, state) : [make("p", { text: t("wall.missing") })]));
  }
  parts.push(felt);
  if (round.events_in_all > steps) parts.push(make("p", { class: "small", text: t("status.first_events", { shown: steps, all: round.events_in_all }) }));
  if (steps) parts.push(make("p", { class: "small", text: t("step.keys") }));
  byId("play").replaceChildren(...parts);
  if (kept && byId(kept)) (byId(kept).disabled ? byId("slider") : byId(kept))?.focus();
  byId("machines").replaceChildren(...machineView(game, number, SERVED ? runMachine : null));
}

function go(to) {
  step = Math.max(0, Math.min(to, game.rounds[number].events.length));
  showRound();
}

function turn(to) {
  if (to < 0 || to >= game.rounds.length) return;
  number = to;
  step = 0;
  showRound();
}

function keys(event) {
  if (game === null || !game.rounds.length || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, summary")) return;
  const act = { ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(Infinity), PageUp: () => turn(number - 1), PageDown: () => turn(number + 1) }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function save(name, type, data) {
  const link = make("a", { href: URL.createObjectURL(new Blob([data], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function downloads() {
  const json = make("button", { type: "button", id: "save-json", text: t("download.json"), on: { click: () => save("fairdeck.json", "application/json", JSON.stringify(game, null, 1)) } });
  if (!SERVED) return [json];
  const html = make("button", { type: "button", id: "save-html", text: t("download.html"), on: { click: async () => {
    const answer = await ask("page", source);
    if (answer) save("fairdeck.html", "text/html", await answer.text());
  } } });
  return [json, html];
}

// Gives the answer, or null when it was an error, which is then told.
async function ask(what, from, more = {}) {
  try {
    const answer = await fetch(`${what}?${new URLSearchParams({ ...from.options, ...more })}`, { method: "POST", body: from.data });
    if (answer.ok) return answer;
    say("status.error", { error: (await answer.json()).error });
  } catch {
    say("status.lost");
  }
  return null;
}

async function show(data) {
  if (!data || data.size === 0) return say("status.empty");
  if (data.size > MOST) return say("status.too_big", { size: Math.ceil(data.size / 1048576), most: Math.floor(MOST / 1048576) });
  const options = { players: byId("players").value, commitment: byId("commitment").value.trim(), lang: language };
  if (byId("uncertain").value.trim()) options.uncertain = byId("uncertain").value.trim();
  say("status.reading");
  const from = { data, options };
  const answer = await ask("show", from);
  if (!answer) return;
  source = from;
  game = await answer.json();
  number = step = 0;
  showAll();
  say("status.shown", { kind: t(`kind.${game.kind}`), rounds: game.rounds.length, verdict: t(`verdict.${game.verdict}`) });
  byId("result").focus({ preventScroll: true });
  byId("verdict").scrollIntoView();
}

async function runMachine(cpu, round) {
  const results = byId("machine-results");
  const waiting = make("p", { text: t("machine.running", { cpu: cpu.toUpperCase() }) });
  results.append(waiting);
  const asked = game;
  const answer = await ask("machine", source, { cpu, round });
  waiting.remove();
  if (!answer || asked !== game) return;
  const found = await answer.json();
  game.machines = (game.machines || []).filter((one) => one.cpu !== cpu || one.round !== round).concat(found);
  if (round === number) byId("machine-results").replaceChildren(...game.machines.filter((one) => one.round === number).map(machineLine));
}

function listen() {
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    show(new Blob([byId("text").value]));
  });
  byId("file").addEventListener("change", (event) => {
    show(event.target.files[0]);
    event.target.value = "";
  });
  byId("text").addEventListener("paste", (event) => {
    const pasted = event.clipboardData.getData("text");
    if (pasted.length <= MOST) return;
    event.preventDefault(); // a field with so much text would be slow for nothing
    say("status.too_big", { size: Math.ceil(pasted.length / 1048576), most: Math.floor(MOST / 1048576) });
  });
  document.addEventListener("dragover", (event) => { event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    show(event.dataTransfer.files[0] || new Blob([event.dataTransfer.getData("text")]));
  });
}

byId("language").addEventListener("change", (event) => {
  language = event.target.value;
  say(null);
  showAll();
});
document.addEventListener("keydown", keys);
language = Object.keys(COLUMN).find((one) => document.documentElement.lang.startsWith(one)) || "en";
byId("language").value = language;
if (SERVED) listen();
showAll();
if (SERVED && document.body.dataset.start) {
  const options = JSON.parse(document.body.dataset.start);
  for (const [name, value] of Object.entries(options)) if (value !== null) byId(name).value = value;
  fetch("start").then((answer) => answer.blob()).then(show, () => say("status.lost"));
}

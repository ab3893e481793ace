// The verdict, the checks, the machines and the table of trust.
function verdictView(game, goTo) {
  const icon = { verified: "equal", mismatch: "differs", unverifiable: "unchecked", made: "none" }[game.verdict];
  const parts = [make("h2", { id: "verdict-title", text: t("verdict.title") }),
    make("p", {}, make("strong", { class: `verdict ${game.verdict}` }, drawing(`v-${icon}`), make("span", { text: t(`verdict.${game.verdict}`) })))];
  const told = (game.unchecked || []).map((name) => t(`unchecked.${name.replaceAll(" ", "_")}`)).join(t("list.between"));
  const part = game.verdict !== "verified" ? "text" : game.left_out.length ? "part" : told ? "own" : "text";
  parts.push(make("p", { text: t(`verdict.${game.verdict}.${part}`, { what: told }) }));
  if (part === "part" && told) parts.push(make("p", { text: t("unchecked.text", { what: told }) }));
  if (game.difference) {
    parts.push(make("p", { class: "message", text: game.difference.message[language] }));
    const { round, event } = game.difference;
    if (round !== null && round < game.rounds.length) parts.push(make("p", {}, make("button", { type: "button", id: "goto", text: t("verdict.goto"), on: { click: () => goTo(round, event || 0) } })));
  }
  if (game.checks.length) parts.push(...checksView(game));
  if (game.commitment) parts.push(...commitmentView(game.commitment));
  for (const [title, items] of [["left_out", game.left_out.map((text) => text[language])], ["not_checked", game.not_checked.map((key) => t(key))], ["assumption", game.assumptions.map((key) => t(`assumption.${key}`))]]) {
    if (items.length) parts.push(make("h3", { text: t(`${title}.title`) }), make("ul", {}, ...items.map((text) => make("li", { text }))));
  }
  return parts;
}

function checksView(game) {
  const head = make("thead", {}, make("tr", {}, ...["what", "mark", "count"].map((key) => make("th", { scope: "col", text: t(`checks.${key}`) }))));
  const rows = game.checks.map((line) => make("tr", { "data-check": line.name },
    make("th", { scope: "row", text: t(`check.${line.name}`) }), make("td", {}, mark(line.mark)),
    make("td", { class: "count", text: line.count === null ? "" : line.count.toLocaleString(language) })));
  const table = make("table", { id: "checks" }, head, make("tbody", {}, ...rows));
  const note = game.verdict === "mismatch" ? [make("p", { class: "small", text: t("checks.upto") })] : [];
  return [make("h3", { text: t("checks.title") }), make("div", { class: "scroll" }, table), ...note];
}

function commitmentView(found) {
  const fits = { "as named": "match", other: "other_seats", unchecked: "seed_only" }[found.fit];
  const key = found.match === null ? "absent" : found.match ? fits : found.hash ? "mismatch" : "no_names";
  const why = found.seats_unchecked ? found.seats_unchecked[language] : "";
  const hash = found.hash ? [make("p", { text: t("commitment.text", { seats: found.seats }) }), make("p", { class: "hash", text: found.hash })] : [];
  return [make("h3", { text: t("commitment.title") }), ...hash, make("p", { text: t(`commitment.${key}`, { why }) })];
}

function machineView(game, number, run) {
  const parts = [make("h2", { id: "machine-title", text: t("machine.title") }), make("p", { text: t("machine.text") })];
  const done = (game.machines || []).filter((one) => one.round === number);
  if (run && game.rounds[number].wall) {
    parts.push(make("div", { class: "row" }, ...["6502", "SM83"].map((cpu) =>
      make("button", { type: "button", "data-cpu": cpu.toLowerCase(), text: t("machine.run", { cpu }), on: { click: () => run(cpu.toLowerCase(), number) } }))));
  } else if (!done.length) parts.push(make("p", { class: "small", text: t("machine.none") }));
  parts.push(make("div", { id: "machine-results", role: "status", "aria-live": "polite" }, ...done.map(machineLine)));
  return parts;
}

function machineLine(one) {
  const key = one.cpu === "sm83" ? "machine.result_m" : "machine.result";
  const text = t(key, { cpu: one.cpu.toUpperCase(), cycles: one.cycles.toLocaleString(language), ms: one.milliseconds.toLocaleString(language), clock: one.clock });
  return make("p", {}, mark(one.mark), make("span", { text: ` ${text}` }));
}

function trustView() {
  const systems = ["tenhou", "mjarcade", "mahjongsoul"];
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col", text: t("trust.question") }),
    ...systems.map((name) => make("th", { scope: "col", text: t(`trust.name.${name}`) }))));
  const rows = ["chosen_by", "committed", "revealed", "verifiable", "unverifiable"].map((question) => make("tr", {},
    make("th", { scope: "row", text: t(`question.${question}`) }),
    ...systems.map((name) => make("td", { "data-name": t(`trust.name.${name}`), text: t(`trust.${name}.${question}`) }))));
  return [make("h2", { id: "trust-title", text: t("trust.title") }), make("p", { text: t("trust.text") }),
    make("div", { class: "scroll" }, make("table", {}, head, make("tbody", {}, ...rows)))];
}

// Words, tiles and small pieces of the page. Everything shown is put in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";
const WORDS = JSON.parse(document.getElementById("strings").textContent);
const COLUMN = { en: 0, ja: 1, zh: 2 };
let language = "en";

function t(key, values = {}) {
  const row = WORDS[key];
  if (row === undefined) throw new Error(`no words for ${key}`);
  return row[COLUMN[language]].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function drawing(name, attributes = {}) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  svg.append(use(name, attributes));
  return svg;
}

function use(name, attributes = {}) {
  const element = document.createElementNS(SVG, "use");
  element.setAttribute("href", `#${name}`);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Tile ids are those of Tenhou's logs, 0..135; a red five is copy 0.
function tileName(id, reds) {
  const kind = Math.floor(id / 4);
  if (!Number.isInteger(id) || id < 0 || kind > 33) return "back";
  if (reds && (id === 16 || id === 52 || id === 88)) return "0" + "mps"[Math.floor(kind / 9)];
  return kind < 27 ? (kind % 9) + 1 + "mps"[Math.floor(kind / 9)] : kind - 26 + "z";
}

function spoken(id, reds) {
  const name = tileName(id, reds);
  if (name === "back") return t("tile.unknown");
  if (name[1] === "z") return t("tile.z" + name[0]);
  const plain = t("tile." + name[1], { n: name[0] === "0" ? 5 : name[0] });
  return name[0] === "0" ? t("tile.red", { tile: plain }) : plain;
}

function spokenAll(ids, reds) {
  return ids.length ? ids.map((id) => spoken(id, reds)).join(", ") : t("seat.no_tiles");
}

// One tile; its group has the words for those who do not see it.
function tile(id, reds, extra = "") {
  const place = make("span", { class: `tile ${extra}`.trim(), title: spoken(id, reds) });
  place.append(drawing(`t-${tileName(id, reds)}`));
  return place;
}

function group(label, className, pieces) {
  return make("div", { class: className, role: "img", "aria-label": label }, ...pieces);
}

function dice(faces) {
  const label = t("dice.label", { first: faces[0], second: faces[1] });
  return make("span", { class: "dice", role: "img", "aria-label": label, title: label },
    ...faces.map((face) => drawing(`d-${face}`)));
}

function mark(name) {
  return make("span", { class: `mark ${name}` }, drawing(`v-${name}`), make("span", { text: t(`mark.${name}`) }));
}

function translate() {
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  document.title = t("title");
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
}

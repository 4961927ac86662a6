// The page that checks proofs offline. It sends nothing.

import { ProofError, verify } from "../verify.js";
import { drawBoard, framesOf } from "./board.js";
import { recognise } from "./read.js";
import { refusal, report } from "./report.js";
import { texts } from "./texts.js";

/** @typedef {import("./report.js").Report} Report */
/** @typedef {import("./report.js").Sentence} Sentence */
/** @typedef {{ ply: number, part: number, token: string, isWrong?: boolean, expected?: string | null }} Roll */

/** Maximum size of a file. No proof comes near it. */
const LARGEST = 16 * 1024 * 1024;
const KEPT_LANGUAGE = "assam.language";
const HANDED = "assam.proof";

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const inputOf = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));

/** Accesses the browser's storage, or returns null if it has none.
 * @param {() => string | null} act */
function ifKept(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

const wanted = [ifKept(() => localStorage.getItem(KEPT_LANGUAGE)), ...navigator.languages.map((tag) => tag.slice(0, 2))];
let language = wanted.find((code) => code !== null && Object.hasOwn(texts, code)) ?? "en";

/** @param {string} key @param {Record<string, unknown>} [values]
 * @returns {string} */
function text(key, values = {}) {
  const { ply } = values;
  const step = () => text(ply === "" ? "step.no" : `${ply}` === "0" ? "step.0" : "step", { ply });
  return (texts[language][key] ?? key).replace(/\{(\w+)\}/g, (_, name) => (name === "step" ? step() : `${values[name] ?? ""}`));
}
const sentence = (/** @type {Sentence} */ [key, values]) => text(key, values);

/** @param {string} name @param {Record<string, string | boolean | ((event: Event) => void)>} [attributes] @param {...(Node | string)} children */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {...Element} children */
function draw(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`);
  element.append(...children);
  return element;
}

const listOf = (/** @type {string[]} */ sentences) => sentences.map((told) => make("li", {}, told));

/** The pieces given so far, in order. @type {import("./read.js").Piece[]} */
let pieces = [];
const given = (/** @type {string} */ kind) => pieces.filter((piece) => piece.kind === kind);
/** The number of the last check. Earlier checks that end later are not shown. */
let checks = 0;

/** Takes pieces, and checks everything given so far.
 * @param {[string, string][]} taken names and texts */
function take(taken) {
  const found = taken.map(([name, raw]) => (raw.length > LARGEST ? { kind: "other", value: "large", name } : recognise(name, raw)));
  // New pieces replace unrecognised ones, and kinds of which there can be only one.
  const isOne = (/** @type {string} */ kind) => ["proof", "inclusion"].includes(kind) && found.some((piece) => piece.kind === kind);
  pieces = [...pieces.filter(({ kind }) => kind !== "other" && !isOne(kind)), ...found];
  return judge();
}

/** @param {Iterable<File>} files */
async function takeFiles(files) {
  const read = Array.from(files, async (file) => /** @type {[string, string]} */ ([file.name, file.size > LARGEST ? " ".repeat(LARGEST + 1) : await file.text()]));
  if (read.length > 0) await take(await Promise.all(read));
}

/** @param {...Sentence} sentences @returns {Report} */
const unsure = (...sentences) => ({ tone: "unsure", title: ["unsure"], text: sentences, shown: [], open: [] });

/** Returns the game of a receipt or a log entry. @param {any} value @returns {string | undefined} */
function gameIn(value) {
  if (typeof value?.id === "string") return value.id;
  return /\ngame ([0-9a-f]{32})\n/.exec(`${value?.receipt ?? value?.entries?.[0]?.receipt ?? value}`)?.[1];
}

/** Checks everything given so far.
 * @returns {Promise<{ report: Report, details: string[], rolls: Roll[], proof: any }>} */
async function found() {
  const nothing = (/** @type {Report} */ report, proof = null) => ({ report, details: [], rolls: [], proof });
  const [stray] = given("other");
  if (stray) return nothing(unsure([`other.${stray.value}`, stray.values], ["get"]));
  const proof = given("proof")[0]?.value;
  if (!proof) return nothing({ ...unsure(["no-proof"], ["get"]), title: ["no-proof.title"] });
  if (!globalThis.crypto?.subtle) return nothing(unsure(["no-crypto"]), proof);
  const receipts = given("receipt").map(({ value }) => value);
  const inclusion = given("inclusion")[0]?.value;
  for (const value of [...receipts, inclusion]) {
    const game = value && gameIn(value);
    if (game && game !== proof.game) return nothing(unsure(["other-game", { game, own: proof.game }]), proof);
  }
  const keys = given("keys").flatMap(({ value }) => value.map(String));
  // The kind of a key is its first byte: 04 in base64 is a B, then A to P.
  const isWitness = (/** @type {string} */ key) => /\+B[A-P][^+]*$/.test(key);
  const digits = [...given("digits").map(({ name, value }) => [name === "entropy" ? name : "", value]), ...["commitment", "entropy"].map((id) => [id, inputOf(id).value.trim().toLowerCase()])];
  /** @type {any} */
  const kept = { receipt: receipts, inclusion, keys: keys.filter((key) => !isWitness(key)), witnesses: keys.filter(isWitness) };
  for (const [id, value] of digits.filter(([, value]) => value !== "")) {
    const isEntropy = proof.seats.some((/** @type {any} */ seat) => seat?.entropy === value);
    const what = id || (value === proof.commitment ? "commitment" : isEntropy ? "entropy" : "");
    if (!/^[0-9a-f]{64}$/.test(value)) return nothing(unsure(["other.no-digits"]), proof);
    const ply = proof.words.find((/** @type {any} */ word) => word?.head === value)?.ply;
    if (what) kept[what] = value;
    else if (ply === undefined) return nothing(unsure(["other.digits"]), proof);
    else kept.heads = [...(kept.heads ?? []), { ply, hash: value }];
  }
  try {
    const told = await verify(proof, kept);
    const details = [...told.verified.map((line) => `✓ ${line}`), ...told.notVerified.map((line) => `– not checked: ${line}`)];
    return { report: report(proof, told), details, rolls: told.rolls, proof };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { report: refusal(error, wordsOf), details: [`✗ ${error.message}`, ...error.notes], rolls: rollsUpTo(proof, error), proof };
  }
}

/** Returns the rolls up to the wrong one, if there is one.
 * @param {any} proof @param {any} error @returns {Roll[]} */
function rollsUpTo({ seed, setup, words }, { where, expected, found }) {
  const [, ply, part] = /^ply (\d+), part (\d+): (?:chance|choice)$/.exec(where)?.map(Number) ?? [];
  if (ply === undefined) return [];
  const isTold = (/** @type {string} */ token) => seed !== null || token.includes("/") || !setup.includes(" marrakesh/");
  const rolls = words.flatMap((/** @type {any} */ word) => word.parts.map((/** @type {any} */ one) => ({ ply: word.ply, part: one.part, token: one.token })));
  const before = rolls.filter((/** @type {Roll} */ roll) => roll.part > 0 && isTold(roll.token) && (roll.ply < ply || (roll.ply === ply && roll.part < part)));
  return [...before, { ply, part, token: found, isWrong: true, expected }];
}

const cardsIn = (/** @type {string} */ token) => token.replace(/(.)([shdc])/g, (_, rank, suit) => `${rank}${"♠♥♦♣"["shdc".indexOf(suit)]} `).trim();

/** Describes a result in words. @param {string} token @param {number} part */
function wordsOf(token, part) {
  if (/^\d+$/.test(token)) return text("roll.die", { die: token });
  if (/^[rybg]$/.test(token)) return text("roll.rug", { colour: text(`colour.${token}`) });
  const [blue, red] = token.split("/").map((dice) => [...dice].join(" "));
  if (red) return text("roll.dice", { blue, red });
  if (token[1] === ":") return text(token[0] === "b" ? "roll.blue" : "roll.red", { cards: cardsIn(token.slice(2)) });
  return text(part === 0 ? "roll.choice" : "roll.card", { card: cardsIn(token) });
}

/** Shows the rolls one by one, each with its board. @param {Roll[]} rolls @param {any} proof */
function showRolls(rolls, proof) {
  const home = byId("rolls");
  home.hidden = rolls.length === 0;
  if (home.hidden) return;
  const frames = proof.setup.includes(" marrakech/") ? framesOf(proof) : new Map();
  const told = (/** @type {Roll} */ { ply, part, token, isWrong, expected }) => {
    const values = { ply, drawn: wordsOf(token, part), other: isWrong ? wordsOf(`${expected}`, part) : "" };
    return text(isWrong ? "rolls.line.wrong" : "rolls.line", values);
  };
  const board = make("div", { class: "small-board" });
  const line = make("p", { id: "roll", "aria-live": "polite" });
  const slider = /** @type {HTMLInputElement} */ (make("input", { type: "range", min: "1", max: `${rolls.length}`, "aria-label": text("rolls.slider") }));
  const show = () => {
    const number = Number(slider.value);
    const roll = rolls[number - 1];
    slider.setAttribute("aria-valuetext", text("rolls.place", { number, count: rolls.length }));
    const mark = make("b", { class: roll.isWrong ? "bad" : "good" }, roll.isWrong ? "✗ " : "✓ ");
    line.replaceChildren(make("span", { class: "faint" }, `${slider.getAttribute("aria-valuetext")} `), make("br"), mark, told(roll));
    const frame = frames.get(`${roll.ply}.${roll.part}`);
    const big = make("p", { class: "token", "aria-hidden": "true" }, roll.token.includes("/") ? roll.token.replace("/", " / ") : cardsIn(roll.token.replace(/^.:/, "")));
    board.replaceChildren(frame ? drawBoard(frame, draw, text("rolls.board", { ply: roll.ply })) : big);
  };
  const move = (/** @type {number} */ by) => () => {
    slider.value = `${Number(slider.value) + by}`;
    show();
  };
  slider.addEventListener("input", show);
  slider.value = `${rolls.at(-1)?.isWrong ? rolls.length : 1}`;
  const back = make("button", { type: "button", "aria-label": text("rolls.back"), click: move(-1) }, "◀");
  const next = make("button", { type: "button", "aria-label": text("rolls.next"), click: move(1) }, "▶");
  const all = make("details", {}, make("summary", {}, text("rolls.all")), make("ol", {}, ...listOf(rolls.map((roll) => `${roll.isWrong ? "✗" : "✓"} ${told(roll)}`))));
  home.replaceChildren(make("h2", {}, text("rolls.title")), line, make("div", { class: "row" }, back, slider, next), board, make("p", { class: "faint" }, frames.size > 0 ? text("rolls.about") : ""), all);
  show();
}

/** Shows the pieces given, each with a button that removes it. */
function showPieces() {
  const row = (/** @type {import("./read.js").Piece} */ piece) => {
    const name = `${text(`piece.${piece.kind}`)}${piece.name ? ` (${piece.name})` : ""}`;
    const away = () => {
      pieces = pieces.filter((other) => other !== piece);
      return judge();
    };
    return make("li", {}, name, " ", make("button", { type: "button", "aria-label": `${text("give.remove")}: ${name}`, click: away }, "×"));
  };
  byId("pieces").replaceChildren(...pieces.map(row));
  const isEmpty = pieces.length === 0;
  byId("give-title").textContent = text(isEmpty ? "give.title" : "give.more");
  byId("lead").hidden = !isEmpty;
  if (!isEmpty) return;
  for (const id of ["evidence", "rolls", "details"]) byId(id).hidden = true;
  // Screen readers announce changes of an element that stays.
  byId("verdict").className = "";
  byId("verdict").replaceChildren();
}

/** Checks the pieces and shows the verdict. */
async function judge() {
  checks += 1;
  const own = checks;
  showPieces();
  if (pieces.length === 0) return;
  const result = await found().catch((error) => ({ report: unsure(["failed"]), details: [`${error}`], rolls: [], proof: null }));
  if (own !== checks) return;
  const { report: { tone, title, text: told, shown, open }, details, rolls, proof } = result;
  const mark = { good: "✓", bad: "✗", unsure: "?" }[tone];
  byId("verdict").className = `card ${tone}`;
  byId("verdict").replaceChildren(make("h2", {}, `${mark} ${sentence(title)}`), ...told.map((one) => make("p", {}, sentence(one))));
  byId("evidence").hidden = shown.length + open.length === 0;
  byId("shown").replaceChildren(...listOf(shown.map(sentence)));
  byId("open").replaceChildren(...listOf(open.map(sentence)));
  byId("shown-part").hidden = shown.length === 0;
  showRolls(rolls, proof);
  const about = proof === null ? [] : [`${proof.game}, ${proof.setup}`];
  byId("details").hidden = details.length === 0;
  byId("lines").replaceChildren(...[...about, ...details].map((line) => make("li", {}, line)));
  byId("verdict").scrollIntoView?.({ block: "nearest" });
}

/** Shows the page in a language, and repeats the check. @param {string} code */
function speak(code) {
  language = code;
  document.documentElement.lang = code;
  document.title = text("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.getAttribute("data-text") ?? "");
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", text(element.getAttribute("data-label") ?? ""));
  return judge();
}

for (const [code, { name }] of Object.entries(texts)) byId("language").append(make("option", { value: code, lang: code, selected: code === language }, name));
byId("language").addEventListener("change", () => {
  const code = inputOf("language").value;
  ifKept(() => (localStorage.setItem(KEPT_LANGUAGE, code), null));
  void speak(code);
});
inputOf("file").addEventListener("change", async () => {
  await takeFiles(inputOf("file").files ?? []);
  inputOf("file").value = "";
});
byId("paste").addEventListener("click", () => {
  void take([["", inputOf("pasted").value]]);
  inputOf("pasted").value = "";
});
for (const id of ["commitment", "entropy"]) byId(id).addEventListener("change", () => void judge());
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const { files, types } = /** @type {DataTransfer} */ (event.dataTransfer);
  if (files.length > 0) void takeFiles(files);
  else if (types.includes("text/plain")) void take([["", event.dataTransfer?.getData("text/plain") ?? ""]]);
});
addEventListener("paste", (event) => {
  const pasted = event.clipboardData?.getData("text/plain") ?? "";
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || pasted === "") return;
  void take([["", pasted]]);
});
await speak(language);
// Pieces passed on by a game page.
const handed = ifKept(() => sessionStorage.getItem(HANDED));
if (handed !== null) {
  ifKept(() => (sessionStorage.removeItem(HANDED), null));
  await take(JSON.parse(handed));
}

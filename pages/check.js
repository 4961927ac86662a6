// The page that checks records. It shows what is wrong and where, and every position up to there.

import { AnalysisPanel } from "./analysis.js";
import { ask, askText, sentenceOf } from "./api.js";
import { at } from "./base.js";
import { handOver, needSecret, takeHandedOver } from "./kept.js";
import { button, byId, make, showProblem, startPage } from "./page.js";
import { readPicture } from "./picture.js";
import { reasonOf } from "./reasons.js";
import { wait } from "./retry.js";
import { Speech } from "./speech.js";
import { counted, hasText, language, listed, text } from "./text.js";

/** Where and why a record is invalid.
 * @typedef {{code: string, detail: string, line: number | null, column: number | null, rule: string | null, why?: string | null, expected?: string | null}} Flaw */

/** The response of `POST /v1/validate`.
 * @typedef {object} Verdict
 * @property {boolean} valid
 * @property {boolean} masked
 * @property {Flaw | null} error
 * @property {string | null} setup
 * @property {string[]} words
 * @property {number | null} ply
 * @property {string | null} canonical
 * @property {string | null} position
 * @property {number | null} seat
 * @property {{over: boolean, scores: number[]} | null} score */

/** The lines of `POST /v1/validate/bulk` and `POST /v1/imports/bulk`.
 * @typedef {{kind: "record", number: number, line: number, valid: boolean, ply: number, error: Flaw | null}} Row
 * @typedef {{kind: "stopped", detail?: string}} Stopped
 * @typedef {Row | Stopped | {kind: "summary"} | {kind: "record", game: string | null}} Line */

/** Maximum characters shown in the field. Longer files are checked all the same. */
const SHOWN = 500_000;

/** Maximum records listed. */
const LISTED = 200;

/** How long a position must stay selected before it is drawn, in milliseconds. Positions passed over are not drawn. */
const DWELL = 100;

const EXAMPLE = "MKN/1 marrakech/1 seats=3\n\nN+3 c6c7\nW+2 b6c6\nW+3 b5c5\nS+4 c2d2\nE+3 d2d4\n";

const field = /** @type {HTMLTextAreaElement} */ (byId("record"));
const file = /** @type {HTMLInputElement} */ (byId("file"));

/** The unchanged bytes of the chosen files, because a text field changes line ends and drops what is not text. Null once the
 * field is edited.
 * @type {Uint8Array<ArrayBuffer> | null} */
let given = null;

/** Decodes a record for the field, where a byte order mark is an ordinary character. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Announcements for screen readers. */
const speech = new Speech(byId("said"));

/** The check in progress. */
let checking = new AbortController();

/** Starts a check that replaces the one in progress.
 * @param {(signal: AbortSignal) => Promise<void>} act */
async function instead(act) {
  checking.abort();
  checking = new AbortController();
  const { signal } = checking;
  showProblem("");
  const main = byId("main");
  main.setAttribute("aria-busy", "true");
  try {
    await act(signal);
  } catch (error) {
    if (!signal.aborted) showProblem(sentenceOf(error));
  }
  if (!signal.aborted) main.removeAttribute("aria-busy");
}

/** Checks the files, or the text in the field, as `assam validate` does. A single record is shown in full. */
async function check() {
  const bytes = given ?? new TextEncoder().encode(field.value);
  byId("list").hidden = true;
  await instead(async (signal) => {
    const lines = linesOf(await askText("/v1/validate/bulk", { method: "POST", body: bytes, signal }));
    signal.throwIfAborted();
    const rows = lines.flatMap((line) => (line.kind === "record" && "valid" in line ? [line] : []));
    if (rows.length > 1 || lines.some(({ kind }) => kind === "stopped")) list(bytes, lines, rows);
    else await judge(bytes, 1, signal);
  });
}

/** Returns where each line of a text begins. A CR without a line feed also ends a line.
 * @param {Uint8Array<ArrayBuffer>} bytes */
function startsOf(bytes) {
  const ends = (/** @type {number} */ at) => bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] !== 10);
  const starts = [0];
  for (let at = 0; at < bytes.length; at += 1) if (ends(at)) starts.push(at + 1);
  return starts;
}

/** Returns where a record begins on its line, as notation/GRAMMAR.md defines.
 * @param {string} line
 * @param {string} before the previous record, up to this line */
function beginningOn(line, before) {
  const mark = /MKN\/|seats=/i.exec(line)?.index ?? 0;
  const head = line.slice(0, mark);
  const afterControl = /^[^]*[\x00-\x08\x0b-\x1f\x7f]/.exec(head)?.[0].length ?? 0;
  const body = /^.*(?:MKN\/|seats=)[^]*?\n\n([^]*)/i.exec(before.replace(/\r\n?/g, "\n"))?.[1];
  if (body === undefined || /(?:^|[ \t\n\f])[*=]/.test(body)) return afterControl;
  const marker = /^(?:.*[ \t\f])?[*=][-0-9 \t]*/.exec(head);
  if (marker) return Math.max(afterControl, marker[0].length);
  return /^MKN/i.test(line.slice(mark)) ? head.replace(/(?:[^!-~\x00-\x1f\x7f]|[\t>`"'|#])*$/, "").length : afterControl;
}

/** Returns the lines of a response, or the complete ones if it was cut off.
 * @param {string} response
 * @returns {Line[]} */
function linesOf(response) {
  const lines = response.split("\n");
  // Every line ends with a line feed.
  const rest = lines.pop();
  const whole = lines.map((line) => JSON.parse(line));
  return rest === "" ? whole : [...whole, { kind: "stopped" }];
}

/** Lists records, the invalid ones first.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Line[]} lines
 * @param {Row[]} rows */
function list(bytes, lines, rows) {
  byId("verdict").hidden = true;
  byId("list").hidden = false;
  const starts = startsOf(bytes);
  const written = (/** @type {number} */ from, /** @type {number} */ to) => new TextDecoder("latin1").decode(bytes.subarray(from, to));
  // After a file without a final line end, the next record begins within a line.
  const beginnings = rows.map(({ line }, index) => {
    const start = starts[line - 1];
    const before = index === 0 ? start : starts[rows[index - 1].line - 1];
    return start + beginningOn(written(start, starts[line]), written(before, start));
  });
  const item = (/** @type {Row} */ row) => {
    const [from, to] = [beginnings[row.number - 1], beginnings[row.number] ?? bytes.length];
    const show = () => instead((signal) => judge(bytes.slice(from, to), row.line, signal));
    const words = row.valid
      ? text("check.row.valid", { number: row.number, line: row.line, ply: row.ply })
      : text("check.row.refused", { number: row.number, line: row.error?.line ?? row.line });
    return make("li", {}, button(words, show));
  };
  const refused = rows.filter(({ valid }) => !valid);
  const order = [...refused, ...rows.filter(({ valid }) => valid)];
  const headline = text("check.many", { records: counted("check.records", rows.length), refused: refused.length });
  byId("list").replaceChildren(
    make("h2", {}, headline),
    ...(lines.some(({ kind }) => kind === "stopped") ? [make("p", { class: "problem" }, text("check.stopped"))] : []),
    make("ol", { class: "records" }, ...order.slice(0, LISTED).map(item)),
    ...(order.length > LISTED ? [make("p", {}, text("check.more", { count: order.length - LISTED }))] : []),
    ...(refused.length < rows.length ? [publication(bytes)] : []),
  );
  speech.say(headline);
}

/** Checks one record and shows the verdict.
 * @param {Uint8Array<ArrayBuffer>} record
 * @param {number} first the line of the file on which the record begins
 * @param {AbortSignal} signal */
async function judge(record, first, signal) {
  /** @type {Verdict} */
  const verdict = await ask("/v1/validate", { method: "POST", body: record, signal });
  const { error } = verdict;
  const reason = await reasonOf(error?.rule ?? null);
  signal.throwIfAborted();
  const headline = text(error ? "check.refused" : verdict.masked ? "check.valid.masked" : "check.valid");
  const place = error?.line ? text("check.place", { line: error.line + first - 1, column: error.column ?? 1 }) : "";
  const section = byId("verdict");
  section.hidden = false;
  section.replaceChildren(
    make("h2", { tabindex: "-1", class: error ? "bad" : "good" }, headline),
    ...(error ? [make("p", {}, place), ...reasons(error, reason, decoder.decode(record), first)] : []),
    make("p", {}, summary(verdict)),
    ...(verdict.valid && verdict.setup?.startsWith("MKN/") && verdict.score?.over ? [publication(record)] : []),
    ...(verdict.ply === null ? [] : [boards(record, verdict, verdict.ply, signal)]),
    ...(verdict.canonical ? [copied("check.canonical", verdict.canonical)] : []),
    ...(verdict.position ? [copied("check.position", verdict.position)] : []),
  );
  speech.say(`${headline} ${place}`);
  section.querySelector("h2")?.focus();
}

/** Offers to publish records. Invalid ones are left out.
 * @param {Uint8Array<ArrayBuffer>} records */
function publication(records) {
  const told = make("div", { role: "status" });
  const publish = button(text("check.publish"), async () => {
    publish.disabled = true;
    showProblem("");
    try {
      // With a secret, the publisher can remove the names later.
      await needSecret();
      const lines = linesOf(await askText("/v1/imports/bulk", { method: "POST", body: records }));
      const games = lines.flatMap((line) => ("game" in line && line.game ? [line.game] : []));
      const link = (/** @type {string} */ game) => make("li", {}, make("a", { href: at(`/games/${game}`) }, game));
      const more = games.length > LISTED ? make("p", {}, text("check.more", { count: games.length - LISTED })) : null;
      told.replaceChildren(make("p", {}, counted("check.published", games.length)), make("ul", {}, ...games.slice(0, LISTED).map(link)), more ?? "");
    } catch (error) {
      publish.disabled = false;
      showProblem(sentenceOf(error));
    }
  });
  return make("div", { class: "publish" }, make("p", {}, text("check.publish.lead")), publish, told);
}

/** Shows a few lines of a record with a caret at the fault, and the reason.
 * @param {Flaw} error
 * @param {string | null} reason the reason in the reader's language, unless that is English
 * @param {string} record
 * @param {number} first */
function reasons(error, reason, record, first) {
  const line = error.line ?? 1;
  // Characters without a width would shift the caret.
  const source = record.split(/\r\n?|\n/).map((text) => text.replace(/\t/g, " ").replace(/[\p{Cc}\p{Cf}\p{Mn}]/gu, "\u{fffd}"));
  const width = String(line + first).length;
  /** @param {string | number} label @param {string} text */
  const row = (label, text) => `${String(label).padStart(width)} | ${text}\n`;
  const above = source.slice(Math.max(0, line - 3), line).map((text, index, { length }) => row(line - length + index + first, text));
  const column = error.column ?? 1;
  // Columns count characters, some of which are two units of a string.
  const rest = [...(source[line - 1] ?? "")].slice(column - 1).join("");
  const length = /^[!-~]*/.exec(rest)?.[0].length || 1;
  const caret = row("", " ".repeat(column - 1) + "^".repeat(length));
  const english = { lang: "en" };
  const title = `fault.${error.code}`;
  return [
    ...(hasText(title) ? [make("p", {}, make("strong", {}, text(title)))] : []),
    make("pre", { class: "excerpt", tabindex: "0", "aria-label": text("check.excerpt") }, above.join(""), make("b", {}, caret)),
    ...(reason ? [make("p", {}, reason)] : []),
    make("p", reason ? { ...english, class: "faint" } : english, ...quoted(error.why ? `${error.why}. ${error.detail}` : error.detail)),
    ...(error.expected ? [make("p", {}, text("check.expected"), " ", make("code", english, error.expected))] : []),
    ...(error.rule ? [make("p", { class: "faint" }, text("check.rule"), " ", make("code", english, error.rule))] : []),
  ];
}

/** Returns a sentence with the text between backticks as code.
 * @param {string} sentence */
function quoted(sentence) {
  return sentence.split("`").map((part, index) => (index % 2 === 1 ? make("code", {}, part) : part));
}

/** Summarises the position of a game.
 * @param {Verdict} verdict */
function summary({ setup, ply, score, seat }) {
  if (setup === null || score === null) return text("check.no-setup");
  const scores = listed(score.scores.map((points, index) => text("check.score", { seat: index + 1, points })));
  const state = score.over ? text("check.over") : seat === null ? "" : text("check.turn", { seat });
  return [text("check.stands", { ply: ply ?? 0 }), state, text("check.scores", { scores })].filter(Boolean).join(" ");
}

/** Shows a text with a button that copies it.
 * @param {string} key
 * @param {string} content */
function copied(key, content) {
  const copy = button(text("check.copy"), () => navigator.clipboard?.writeText(content).then(() => speech.say(text("check.copied"))));
  const pre = make("pre", { class: "excerpt", tabindex: "0", "aria-label": text(key) }, content);
  return make("details", {}, make("summary", {}, text(key)), pre, navigator.clipboard ? copy : null);
}

/** Shows every position of a record, starting with the last one.
 * @param {Uint8Array<ArrayBuffer>} record
 * @param {Verdict} verdict
 * @param {number} last
 * @param {AbortSignal} signal */
function boards(record, { words, setup, valid, masked, score, seat }, last, signal) {
  // A word may lead to ply 0.
  const offset = words.length > last ? 0 : 1;
  /** @type {Map<number, Promise<string>>} */
  const pictures = new Map();
  // The text next to the board is English, and the page repeats it below.
  const isAlone = language() !== "en" || matchMedia("(max-width: 45rem)").matches;
  const query = isAlone ? "&board_only=true" : "";
  const picture = (/** @type {number} */ ply) => {
    const path = `/v1/validate/picture?ply=${ply}${query}`;
    const known = pictures.get(ply) ?? askText(path, { method: "POST", body: record, signal });
    pictures.set(ply, known);
    known.catch(() => pictures.delete(ply));
    return known;
  };
  const image = make("div", { class: "drawn" });
  const word = make("output", {});
  const slider = make("input", { type: "range", min: "0", max: `${last}`, value: `${last}`, "aria-label": text("check.ply") });
  const step = (/** @type {number} */ by) => show(Math.min(Math.max(Number(slider.value) + by, 0), last));
  const [back, on] = [button(text("check.back"), () => step(-1)), button(text("check.on"), () => step(1))];
  const marks = words.map((written) => make("span", { translate: "no" }, written));

  /** @param {number} ply */
  async function show(ply) {
    slider.value = `${ply}`;
    const written = words[ply - offset];
    const named = written === undefined ? text("check.start") : text("check.after", { ply, word: written });
    word.textContent = named;
    slider.setAttribute("aria-valuetext", named);
    back.disabled = ply === 0;
    on.disabled = ply === last;
    marks.forEach((mark, index) => mark.classList.toggle("now", index === ply - offset));
    const isChosen = () => Number(slider.value) === ply && !signal.aborted;
    if (image.hasChildNodes() && !pictures.has(ply)) await wait(DWELL);
    if (!isChosen()) return;
    try {
      const svg = await picture(ply);
      if (!isChosen()) return;
      image.replaceChildren(readPicture(svg));
      analysed?.at(ply, image.firstElementChild);
      if (ply > 0) void picture(ply - 1).catch(() => {});
    } catch (error) {
      if (isChosen()) showProblem(sentenceOf(error));
    }
  }

  /** The analysis, once the reader has opened it.
   * @type {AnalysisPanel | null} */
  let analysed = null;
  const home = make("div", { class: "stack" });

  /** Shows the analysis when the reader opens it. */
  async function analyse() {
    if (analysed !== null || home.hasChildNodes()) return;
    home.replaceChildren(make("p", { role: "status" }, text("analysis.wait")));
    try {
      const analysis = await ask("/v1/analysis", { method: "POST", body: record, signal });
      const names = (score?.scores ?? []).map((_, index) => text("seat.numbered", { seat: index + 1 }));
      const letters = [...(setup?.includes("marrakesh") ? "br" : "rybg")];
      analysed = new AnalysisPanel(home, analysis, { turn: seat, names, ruleset: setup?.split(" ")[1] ?? "", letters, show: (ply) => void show(ply) });
      analysed.at(Number(slider.value), image.firstElementChild);
    } catch (error) {
      if (!signal.aborted) home.replaceChildren(make("p", {}, sentenceOf(error)));
    }
  }

  slider.addEventListener("input", () => void show(Number(slider.value)));
  void show(last);
  const analysis = make("details", { id: "analysed", toggle: () => void analyse() }, make("summary", {}, text("analysis.title")), home);
  const separated = marks.flatMap((mark) => [mark, " "]);
  return make(
    "div",
    { class: "boards", role: "group", "aria-label": text("check.boards") },
    image,
    make("div", { class: "row" }, back, slider, on),
    word,
    make("p", { class: "words" }, make("span", { class: "faint" }, setup ?? ""), " ", ...separated),
    valid && !masked ? analysis : null,
  );
}

/** Takes files and checks them as one.
 * @param {Iterable<File>} files */
async function take(files) {
  await instead(async (signal) => {
    const chosen = [...files];
    // Each file begins on a new line.
    const all = new Blob(chosen.flatMap((file, index) => (index === 0 ? [file] : ["\n", file])));
    const bytes = new Uint8Array(await all.arrayBuffer());
    if (signal.aborted) return;
    field.value = bytes.length > SHOWN ? "" : decoder.decode(bytes);
    given = bytes;
    void check();
  });
}

/** Checks the record passed on by the first page, or by this page in another language. */
async function takePasted() {
  const pasted = takeHandedOver();
  if (pasted === null) return;
  field.value = pasted;
  given = null;
  await check();
}

startPage();
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void check();
});
field.addEventListener("input", () => {
  given = null;
});
byId("example").addEventListener("click", () => {
  given = null;
  field.value = EXAMPLE;
  void check();
});
file.addEventListener("change", () => void take(file.files ?? []));
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    const { dataTransfer } = /** @type {DragEvent} */ (event);
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop") void take(dataTransfer.files);
  });
}
// The buttons are disabled until their handlers exist.
for (const waiting of document.querySelectorAll("form button")) waiting.removeAttribute("disabled");
void takePasted();
// Changing the language reloads the page.
byId("language").addEventListener("change", () => {
  if (field.value !== "") handOver(field.value);
});

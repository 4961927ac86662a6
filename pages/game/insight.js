// The panels next to the board: scores over time, and whether the dice were fair.

import { ask, sentenceOf } from "./api.js";
import { at } from "./base.js";
import { chart, dirhamsOf, scoresOf } from "./chart.js";
import { confirmSeat } from "./join.js";
import { handOver, receiptOf, sentFor } from "./kept.js";
import { pointsOf } from "./marrakesh.js";
import { button, byId, make, save, showProblem } from "./page.js";
import { checkProof } from "./proof.js";
import { text } from "./text.js";

/** @typedef {import("./known.js").Known} Known */

/** Draws scores and dirhams over time, if the panel is open.
 * @param {Known} known
 * @param {number} ply the marked ply */
export function drawScores(known, ply) {
  const home = byId("scores");
  if (!(/** @type {HTMLDetailsElement} */ (home.parentElement).open) || known.last < 0) return;
  const isMarrakesh = known.state.game === "marrakesh";
  const x = text(isMarrakesh ? "insight.rounds" : "insight.plies");
  const at = isMarrakesh ? {} : { at: ply };
  const drawn = (/** @type {import("./chart.js").Series[]} */ series, /** @type {string} */ title) =>
    make("figure", {}, make("figcaption", {}, title), chart(series, { title, x, ...at }));
  const charts = [drawn(scoresOf(known.plies, known.names), text("insight.scores"))];
  if (!isMarrakesh) charts.push(drawn(dirhamsOf(known.plies, known.names), text("insight.dirhams")));
  home.replaceChildren(...charts, ...(isMarrakesh ? [tableOfRounds(known)] : []));
}

/** Returns a table of both sides' points in each round, with what they are for.
 * @param {Known} known */
function tableOfRounds({ plies, names, state }) {
  const rounds = plies.flatMap(({ events }) => events.filter(({ event }) => event === "round_scored"));
  const row = (/** @type {string} */ label, /** @type {string[]} */ cells) =>
    make("tr", {}, make("th", { scope: "row" }, label), ...cells.map((cell) => make("td", {}, cell)));
  const columns = [text("insight.round"), ...names].map((name) => make("th", { scope: "col" }, name));
  const points = (/** @type {any} */ scored) => [0, 1].map((side) => `${pointsOf(scored, side)}`);
  const totals = state.seats.map((/** @type {{ score: number }} */ { score }) => `${score}`);
  return make(
    "table",
    { class: "rounds" },
    make("caption", {}, text("insight.rounds")),
    make("thead", {}, make("tr", {}, ...columns)),
    make("tbody", {}, ...rounds.map((scored) => row(`${scored.round}`, points(scored)))),
    make("tfoot", {}, row(text("insight.total"), totals)),
  );
}

/** Whether the address leads to the proof. Replays change it. */
const wantsProof = /[#&]proof\b/.test(location.hash);

/** Lets the browser check the dice, here or on the offline page.
 * @param {Known} known */
export function offerProof(known) {
  const home = byId("proof");
  const told = make("div", { role: "status" });
  // Entropy counts even if its response was lost, as long as the seat is the player's.
  const keptHere = () => receiptOf(known.id) ?? (known.game?.your_seat == null ? null : sentFor(known.id));
  const check = async () => {
    // Screen readers read only changes.
    told.replaceChildren();
    try {
      if (known.game !== null) await confirmSeat(known.game);
      const kept = keptHere();
      const proof = await ask(`${known.path}/proof`);
      const { ok, steps, open } = await checkProof(proof, kept?.entropy, kept?.receipt ?? undefined);
      const rows = steps.map((step) => make("li", {}, `${step.ok ? "✓" : "✗"} ${step.name} `, make("small", { class: "faint" }, step.detail)));
      const left = open.map((sentence) => make("li", { class: "faint" }, sentence));
      told.replaceChildren(
        make("p", {}, make("strong", {}, text(ok ? "insight.fair" : "insight.unfair"))),
        make("ul", { class: "steps" }, ...rows, ...left),
      );
    } catch (error) {
      showProblem(sentenceOf(error));
    }
  };
  const proof = async () => JSON.stringify(await ask(`${known.path}/proof`));
  const orSay = (/** @type {() => Promise<void>} */ act) => () => void act().catch((error) => showProblem(sentenceOf(error)));
  const saveProof = orSay(async () => save(await proof(), `assam-proof-${known.id}.json`));
  const saveReceipt = () => save(JSON.stringify(receiptOf(known.id)?.receipt), `assam-receipt-${known.id}.json`);
  const alone = at("/verify.html");
  const goAlone = orSay(async () => {
    const kept = keptHere();
    const files = [["proof.json", await proof()]];
    if (kept !== null && kept.receipt !== null) files.push(["receipt.json", JSON.stringify(kept.receipt)]);
    if (kept !== null) files.push(["entropy", kept.entropy]);
    handOver(JSON.stringify(files), "assam.proof");
    location.assign(alone);
  });
  const click = (/** @type {Event} */ event) => {
    event.preventDefault();
    goAlone();
  };
  const receipt = button(text("insight.save-receipt"), saveReceipt);
  const files = make("div", { class: "row" }, button(text("insight.save-proof"), saveProof), receipt);
  // The player may take a seat while the page is open.
  home.parentElement?.addEventListener("toggle", () => (receipt.hidden = receiptOf(known.id) === null));
  const link = make("a", { href: alone, click }, text("insight.alone"));
  byId("fair").querySelector("a")?.addEventListener("click", click);
  home.replaceChildren(make("p", {}, text("insight.about")), button(text("insight.check"), check), told, files, make("p", {}, link));
  if (!wantsProof) return;
  home.closest("details")?.setAttribute("open", "");
  home.querySelector("button")?.focus();
}

// What a game gives beside its board: how the scores went, and whether its dice were fair.

import { ask, sentenceOf } from "./api.js";
import { chart, dirhamsOf, scoresOf } from "./chart.js";
import { receiptOf } from "./kept.js";
import { pointsOf } from "./marrakesh.js";
import { button, byId, make, showProblem } from "./page.js";
import { checkProof } from "./proof.js";
import { text } from "./text.js";

/** @typedef {import("./known.js").Known} Known */

/** Draws how scores and dirhams went, while the chart is open.
 * @param {Known} known
 * @param {number} ply the ply that is marked */
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

/** Returns the points of both sides in each round, and what they are for.
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

/** Lets the browser check the dice.
 * @param {Known} known */
export function offerProof(known) {
  const home = byId("proof");
  const told = make("div", { role: "status" });
  const check = async () => {
    const kept = receiptOf(known.id);
    // Screen readers read only what has changed.
    told.replaceChildren();
    try {
      const proof = await ask(`${known.path}/proof`);
      const { ok, steps, open } = await checkProof(proof, kept?.entropy, kept === null ? undefined : /** @type {object} */ (kept.receipt));
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
  home.replaceChildren(make("p", {}, text("insight.about")), button(text("insight.check"), check), told);
}

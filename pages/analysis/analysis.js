// The analysis of a game: who was lucky, who made errors, and what would have been better.

import { bars, chart } from "./chart.js";
import { drawGhosts } from "./ghosts.js";
import { button, make } from "./page.js";
import { language, text } from "./text.js";

/** @typedef {{win: number, points: number}} Amount in 10,000ths of the win and 1,000ths of a point
 * @typedef {{move: string, equity: Amount[]}} Line
 * @typedef {{ply: number, move: string, kind: string, seat: number | null, mark: string | null, before: Amount[], after: Amount[],
 *   hidden: boolean, lines: Line[]}} Move
 * @typedef {{seat: number, start: Amount, luck: Amount, errors: Amount, gifts: Amount, hidden: Amount, corrections: Amount, result: Amount}} Seat
 * @typedef {{over: boolean, seats: Seat[], moves: Move[], next: Line[]}} Analysis as `GET /v1/games/{id}/analysis` returns it */

/** How an analysis is shown.
 * @typedef {object} Options
 * @property {number | null} turn the seat on turn after the last move
 * @property {string[]} names of the seats, in order
 * @property {string} ruleset such as `marrakech/1`
 * @property {string[]} letters of the seats' colours: r, y, b or g
 * @property {(ply: number) => void} show shows the position after a ply */

const COLUMNS = /** @type {const} */ (["start", "luck", "errors", "gifts", "hidden", "corrections"]);

/** How many rolls are listed. */
const ROLLS = 5;

/** The correction in 10,000ths of the win from which luck and errors are rough. */
const ROUGH = 2000;

/** The signs of the suits in notation. @type {Record<string, string>} */
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** Returns a move with the signs of its cards.
 * @param {string} move in notation */
const shown = (move) => (/^([br]:.*|[2-6AQ][shdc])$/.test(move) ? move.replace(/^[br]:/, "").replace(/[shdc]/g, (suit) => SUITS[suit]) : move);

/** @param {"auto" | "exceptZero"} signDisplay */
const percents = (signDisplay) =>
  new Intl.NumberFormat(language(), { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay });
const [share, change] = [percents("auto"), percents("exceptZero")];
const points = new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const moved = new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Returns what a move changed for a seat.
 * @param {Move} move
 * @param {number} seat from 0
 * @returns {Amount} */
const changeOf = ({ before, after }, seat) => ({ win: after[seat].win - before[seat].win, points: after[seat].points - before[seat].points });

/** Returns the largest item.
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => number} size
 * @returns {Item | undefined} */
const largest = (items, size) => items.reduce((/** @type {Item | undefined} */ best, item) => (best === undefined || size(item) > size(best) ? item : best), undefined);

/** Returns a table of the best decisions.
 * @param {Line[]} lines best first
 * @param {number} seat which decides
 * @param {string} name of the seat
 * @param {number} ply of the decision
 * @param {string} [made] the decision that was made
 * @returns {HTMLElement} */
export function choicesOf(lines, seat, name, ply, made) {
  const row = (/** @type {Line} */ { move, equity }, /** @type {number} */ index) =>
    make(
      "tr",
      move === made ? { class: "made", "aria-current": "true" } : {},
      make("th", { scope: "row" }, `${index + 1}. `, make("code", {}, shown(move))),
      make("td", {}, share.format(equity[seat - 1].win / 10_000)),
      make("td", {}, points.format(equity[seat - 1].points / 1000)),
    );
  const columns = ["analysis.choice", "analysis.win", "analysis.points"].map((key) => make("th", { scope: "col" }, text(key)));
  const caption = made === undefined ? text("analysis.choices-now", { name, ply }) : text("analysis.choices", { name, ply, move: shown(made) });
  return make(
    "table",
    { class: "rounds" },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...columns)),
    make("tbody", {}, ...lines.map(row)),
  );
}

/** The panel with an analysis. */
export class AnalysisPanel {
  #here = make("div", { class: "here", role: "status" });

  /** Shows an analysis in an element.
   * @param {HTMLElement} home
   * @param {Analysis} analysis
   * @param {Options} options */
  constructor(home, analysis, options) {
    this.analysis = analysis;
    this.options = options;
    home.replaceChildren(
      ...this.#sentences().map((sentence) => make("p", {}, sentence)),
      this.#table(),
      make("p", { class: "faint" }, this.#legend().join(" ")),
      this.#charts(-1),
      this.#here,
      ...this.#lists(),
    );
    this.home = home;
  }

  /** Describes the decision after a ply, and draws the best ones on its picture.
   * @param {number} ply
   * @param {Element | null} picture of the position after the ply */
  at(ply, picture) {
    const { moves, next } = this.analysis;
    const last = moves.at(-1)?.ply ?? 0;
    const decision = moves.find((move) => move.ply === ply + 1 && move.lines.length > 0);
    const lines = decision?.lines ?? (ply === last ? next : []);
    const seat = decision === undefined ? this.options.turn : decision.seat;
    const chance = moves.filter((move) => move.ply === ply && move.kind === "chance");
    const rolled = chance.flatMap((move) =>
      this.options.names.map((name, seat) => text("analysis.roll", { ply, move: shown(move.move), name, change: change.format(changeOf(move, seat).win / 10_000) })),
    );
    this.#here.replaceChildren(
      ...rolled.map((sentence) => make("p", { class: "faint" }, sentence)),
      ...(lines.length === 0 || seat === null ? [] : [choicesOf(lines, seat, this.options.names[seat - 1], ply + 1, decision?.move)]),
    );
    this.home.querySelector(".analysis-charts")?.replaceWith(this.#charts(ply));
    if (picture !== null) drawGhosts(picture, lines.map(({ move }) => move), seat ?? 1);
  }

  /** Sums up the game: luck and errors of each seat, who played better, and when the game was decided. */
  #sentences() {
    const { seats, moves, over } = this.analysis;
    const { names } = this.options;
    const sentences = seats.flatMap(({ luck, errors }, seat) => this.#ofSeat(seat, luck, errors));
    const best = largest(seats, ({ errors }) => errors.win);
    if (best !== undefined && seats.some(({ errors }) => errors.win < best.errors.win)) {
      sentences.push(text(seats.length > 2 ? "analysis.best" : "analysis.better", { name: names[best.seat - 1] }));
    }
    if (seats.some(({ corrections }) => Math.abs(corrections.win) >= ROUGH)) sentences.push(text("analysis.rough"));
    const winner = largest(seats, ({ result }) => result.win);
    if (!over || winner === undefined) return sentences;
    const place = winner.seat - 1;
    const isBehind = (/** @type {Move} */ { after }) => after.some(({ win }, seat) => seat !== place && win >= after[place].win);
    const behind = moves.filter(isBehind).at(-1);
    const lead = moves[behind === undefined ? 0 : moves.indexOf(behind) + 1];
    if (lead !== undefined) sentences.push(text("analysis.lead", { name: names[place], ply: lead.ply }));
    const roll = moves.filter(({ kind }) => kind === "chance").at(-1);
    if (roll !== undefined) {
      const { win } = changeOf(roll, place);
      sentences.push(text("analysis.last-roll", { ply: roll.ply, move: shown(roll.move), name: names[place], change: change.format(win / 10_000) }));
    }
    return sentences;
  }

  /** Sums up the luck and the errors of a seat.
   * @param {number} seat from 0
   * @param {Amount} luck
   * @param {Amount} errors */
  #ofSeat(seat, luck, errors) {
    const { moves } = this.analysis;
    const told = (/** @type {Amount} */ amount) => ({ win: change.format(amount.win / 10_000), points: moved.format(amount.points / 1000) });
    const parts = [text("analysis.luck", { name: this.options.names[seat], ...told(luck) })];
    const roll = largest(moves.filter(({ kind }) => kind === "chance"), (move) => Math.sign(luck.win || 1) * changeOf(move, seat).win);
    if (roll !== undefined) parts.push(text("analysis.most-luck", { move: shown(roll.move), ply: roll.ply, ...told(changeOf(roll, seat)) }));
    parts.push(text(errors.win === 0 ? "analysis.no-errors" : "analysis.errors", told(errors)));
    const worst = largest(moves.filter((move) => move.seat === seat + 1), (move) => -changeOf(move, seat).win);
    if (worst !== undefined && changeOf(worst, seat).win < 0) {
      const values = { move: shown(worst.move), ply: worst.ply, loss: share.format(-changeOf(worst, seat).win / 10_000) };
      const better = worst.lines[0]?.move;
      parts.push(text(better === undefined ? "analysis.worst-leave" : "analysis.worst", { better: shown(better ?? ""), ...values }));
    }
    return [parts.join(" ")];
  }

  /** Whether cards were hidden in this game. */
  get #hasHidden() {
    return this.analysis.moves.some(({ hidden }) => hidden);
  }

  /** Explains the columns and the marks. */
  #legend() {
    const keys = ["analysis.marks", "analysis.parts", ...(this.#hasHidden ? ["analysis.hidden"] : []), `analysis.points.${this.options.ruleset}`];
    return keys.map((key) => text(key));
  }

  #table() {
    const { seats } = this.analysis;
    const { names } = this.options;
    const parts = COLUMNS.filter((part) => part !== "hidden" || this.#hasHidden);
    const cell = (/** @type {Amount} */ amount, /** @type {string} */ part) => {
      const isWhole = part === "start" || part === "result";
      const [win, rest] = [(isWhole ? share : change).format(amount.win / 10_000), (isWhole ? points : moved).format(amount.points / 1000)];
      return make("td", {}, win, make("br"), make("small", { class: "faint" }, rest));
    };
    const row = (/** @type {typeof COLUMNS[number] | "result"} */ part) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, text(`analysis.column.${part}`)),
        ...seats.map((seat) => cell(seat[part], part)),
      );
    const head = [make("td"), ...names.map((name) => make("th", { scope: "col" }, name))];
    return make(
      "div",
      { class: "wide", tabindex: "0", role: "group", "aria-label": text("analysis.sum") },
      make(
        "table",
        { class: "rounds" },
        make("caption", {}, text("analysis.sum")),
        make("thead", {}, make("tr", {}, ...head)),
        make("tbody", {}, ...parts.map(row)),
        make("tfoot", {}, row("result")),
      ),
    );
  }

  /** Draws the chances of the seats over time, and the luck of each roll.
   * @param {number} at the marked ply, or -1 */
  #charts(at) {
    const { seats, moves } = this.analysis;
    const { names, letters } = this.options;
    const percent = (/** @type {number} */ win) => Math.round(win / 10) / 10;
    const lines = names.map((name, seat) => ({
      name,
      letter: letters[seat],
      points: [{ x: 0, y: percent(seats[seat].start.win) }, ...moves.map(({ ply, after }) => ({ x: ply, y: percent(after[seat].win) }))],
    }));
    const rolls = moves.filter(({ kind }) => kind === "chance");
    const luck = names.map((name, seat) => ({
      name,
      letter: letters[seat],
      points: rolls.map((move) => ({ x: move.ply, y: percent(changeOf(move, seat).win) })),
    }));
    const options = { x: text("insight.plies"), ...(at < 0 ? {} : { at }) };
    const drawn = (/** @type {string} */ title, /** @type {SVGElement} */ picture) => make("figure", {}, make("figcaption", {}, title), picture);
    const [chances, lucky] = [text("analysis.chances"), text("analysis.rolls")];
    return make(
      "div",
      { class: "analysis-charts stack" },
      drawn(chances, chart(lines, { title: chances, ...options })),
      drawn(lucky, bars(luck, { title: lucky, ...options })),
    );
  }

  /** Lists the marked decisions, the most expensive first, and the rolls that changed most. */
  #lists() {
    const { moves } = this.analysis;
    const { names, show } = this.options;
    const entry = (/** @type {number} */ ply, /** @type {string} */ told) => make("li", {}, button(told, () => show(ply), { class: "ply" }));
    const costOf = (/** @type {Move} */ move) => -changeOf(move, Number(move.seat) - 1).win;
    const expensive = moves.filter(({ mark }) => mark !== null).sort((one, other) => costOf(other) - costOf(one));
    const marked = expensive.map((move) => {
      const name = names[Number(move.seat) - 1];
      const values = { ply: move.ply, name, move: `${shown(move.move)} (${move.mark})`, loss: share.format(costOf(move) / 10_000) };
      const better = move.lines[0]?.move;
      // The position before it shows what was better.
      return entry(move.ply - 1, text(better === undefined ? "analysis.left" : "analysis.error", { better: shown(better ?? ""), ...values }));
    });
    const most = (/** @type {Move} */ move) => Math.max(...names.map((_, seat) => changeOf(move, seat).win));
    const rolls = moves.filter(({ kind }) => kind === "chance").sort((one, other) => most(other) - most(one)).slice(0, ROLLS);
    const lucky = rolls.map((move) => {
      const seat = names.findIndex((_, seat) => changeOf(move, seat).win === most(move));
      return entry(move.ply, text("analysis.roll", { ply: move.ply, move: shown(move.move), name: names[seat], change: change.format(most(move) / 10_000) }));
    });
    const list = (/** @type {string} */ title, /** @type {HTMLElement[]} */ entries) =>
      entries.length === 0 ? [] : [make("h3", {}, text(title)), make("ol", { class: "words" }, ...entries)];
    return [...list("analysis.list.errors", marked), ...list("analysis.list.rolls", lucky)];
  }
}

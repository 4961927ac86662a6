// Charts of a game over time, as SVG with classes. The colours are in style.css.

import { draw } from "./page.js";
import { text } from "./text.js";

/** A line of a chart.
 * @typedef {object} Series
 * @property {string} name its name in the legend
 * @property {string} letter its colour: r, y, b or g
 * @property {{x: number, y: number}[]} points ordered by x */

/** @typedef {object} Options
 * @property {string} title what the chart shows
 * @property {string} x what the horizontal axis counts
 * @property {number} [at] the marked place on it */

/** The parts of a state that charts use.
 * @typedef {object} State
 * @property {string} game
 * @property {{seat: number, dirhams?: number, score: number, colours?: string[]}[]} seats
 *
 * @typedef {object} Step
 * @property {number} ply
 * @property {State} state
 * @property {{event: string, [member: string]: unknown}[]} events */

const [WIDTH, LEFT, RIGHT, TOP, HEIGHT, BOTTOM, ROW] = [360, 34, 336, 10, 200, 174, 18];

/** Solid, dashed, dotted and mixed lines, so that lines differ by more than colour. */
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];

/** Draws a shape.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children */
const shape = (name, attributes, ...children) =>
  draw(name, Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, `${value}`])), ...children);

/** Returns round numbers for the ticks of an axis, about as many as wanted.
 * @param {number} low
 * @param {number} high
 * @param {number} wanted */
function ticks(low, high, wanted) {
  const rough = Math.max((high - low) / wanted, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Shortens a name to fit the legend.
 * @param {string} name */
const short = (name) =>
  [...name].length > 40 ? `${[...name].slice(0, 39).join("")}…${name.startsWith("\u2068") ? "\u2069" : ""}` : name;

/** Describes a line in words.
 * @param {Series} series */
function spoken({ name, points }) {
  const values = points.map(({ y }) => y);
  const [first, last] = [values[0], values[values.length - 1]];
  return text("chart.line", { name, first, last, least: Math.min(...values), most: Math.max(...values) });
}

/** Draws a line chart with a legend. Its label describes the lines in words.
 * @param {Series[]} series
 * @param {Options} options
 * @returns {SVGElement} */
export function chart(series, { title, x, at }) {
  const lines = series.filter(({ points }) => points.length > 0);
  const [xs, ys] = [lines.flatMap(({ points }) => points.map((point) => point.x)), lines.flatMap(({ points }) => points.map((point) => point.y))];
  const [left, right] = [Math.min(...xs, at ?? Infinity, 0), Math.max(...xs, at ?? 0, 1)];
  const [low, high] = [Math.min(...ys, 0), Math.max(...ys, 1)];
  const across = (/** @type {number} */ value) => round(LEFT + ((value - left) / (right - left)) * (RIGHT - LEFT));
  const up = (/** @type {number} */ value) => round(BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP));
  const height = HEIGHT + ROW * lines.length + 6;
  const label = [title, ...lines.map(spoken)].join(" ");
  const drawn = shape("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
  for (const value of ticks(low, high, 4)) {
    drawn.append(
      shape("line", { class: "chart-grid", x1: LEFT, x2: RIGHT, y1: up(value), y2: up(value) }),
      shape("text", { class: "chart-tick", "font-size": 11, x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, `${value}`),
    );
  }
  for (const value of ticks(left, right, 6)) {
    drawn.append(shape("text", { class: "chart-tick", "font-size": 11, x: across(value), y: BOTTOM + 15, "text-anchor": "middle" }, `${value}`));
  }
  drawn.append(shape("text", { class: "chart-tick", "font-size": 11, x: RIGHT, y: HEIGHT, "text-anchor": "end" }, x));
  if (at !== undefined) {
    drawn.append(shape("line", { class: "chart-at", x1: across(at), x2: across(at), y1: TOP, y2: BOTTOM }));
  }
  lines.forEach(({ name, letter, points }, index) => {
    const stroke = { class: `chart-line chart-${letter}`, fill: "none", "stroke-width": 2.5, "stroke-dasharray": DASHES[index % 4] };
    const path = points.map((point) => `${across(point.x)},${up(point.y)}`).join(" ");
    const row = HEIGHT + ROW * (index + 1);
    const last = points[points.length - 1];
    drawn.append(
      shape("polyline", { ...stroke, points: path }),
      shape("circle", { class: `chart-dot chart-${letter}`, cx: across(last.x), cy: up(last.y), r: 3.5 }),
      shape("line", { ...stroke, x1: LEFT, x2: LEFT + 30, y1: row - 4, y2: row - 4 }),
      shape("text", { class: "chart-name", "font-size": 13, x: LEFT + 38, y: row }, shape("title", {}, name), `${short(name)}: ${last.y}`),
    );
  });
  return drawn;
}

/** The height of a chart of bars, and its middle. */
const [LOW, MIDDLE] = [90, 45];

/** Draws bars up and down from a line. At each place, the series are next to each other.
 * @param {Series[]} series
 * @param {Options} options
 * @returns {SVGElement} */
export function bars(series, { title, x, at }) {
  const all = series.flatMap(({ points }) => points);
  const [right, most] = [Math.max(...all.map((point) => point.x), at ?? 0, 1), Math.max(...all.map(({ y }) => Math.abs(y)), 1)];
  const across = (/** @type {number} */ value) => round(LEFT + (value / right) * (RIGHT - LEFT));
  const wide = Math.max(1, Math.min(4, (RIGHT - LEFT) / right / series.length));
  const label = [title, ...series.filter(({ points }) => points.length > 0).map(spoken)].join(" ");
  const drawn = shape("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${LOW + 14}`, role: "img", "aria-label": label });
  drawn.append(shape("line", { class: "chart-grid", x1: LEFT, x2: RIGHT, y1: MIDDLE, y2: MIDDLE }));
  for (const value of [most, -most]) {
    const tick = { class: "chart-tick", "font-size": 11, x: LEFT - 6, y: MIDDLE - (value / most) * 36 + 4, "text-anchor": "end" };
    drawn.append(shape("text", tick, `${Math.round(value)}`));
  }
  if (at !== undefined) drawn.append(shape("line", { class: "chart-at", x1: across(at), x2: across(at), y1: 4, y2: LOW - 4 }));
  series.forEach(({ letter, points }, index) => {
    for (const point of points) {
      const place = round(across(point.x) + index * wide);
      const ends = { x1: place, x2: place, y1: MIDDLE, y2: round(MIDDLE - (point.y / most) * 36) };
      drawn.append(shape("line", { class: `chart-${letter}`, "stroke-width": wide, ...ends }));
    }
  });
  drawn.append(shape("text", { class: "chart-tick", "font-size": 11, x: RIGHT, y: LOW + 10, "text-anchor": "end" }, x));
  return drawn;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** Returns the scores of the seats: by ply in Marrakech, by round in Marrakesh.
 * @param {Step[]} steps the states of a game from its start
 * @param {string[]} names of the seats, in order
 * @returns {Series[]} */
export function scoresOf(steps, names) {
  const isMarrakesh = steps[0]?.state.game === "marrakesh";
  const scored = isMarrakesh ? roundsOf(steps) : steps.map(({ ply, state }) => ({ x: ply, state }));
  return names.map((name, seat) => ({
    name,
    letter: steps[0]?.state.seats[seat].colours?.[0] ?? "br"[seat],
    points: scored.map(({ x, state }) => ({ x, y: state.seats[seat].score })),
  }));
}

/** Returns the dirhams of the seats of a game of Marrakech, by ply.
 * @param {Step[]} steps
 * @param {string[]} names
 * @returns {Series[]} */
export function dirhamsOf(steps, names) {
  return scoresOf(steps, names).map((series, seat) => ({
    ...series,
    points: steps.map(({ ply, state }) => ({ x: ply, y: state.seats[seat].dirhams ?? 0 })),
  }));
}

/** Returns the start of a match and the state after each scored round.
 * @param {Step[]} steps */
function roundsOf(steps) {
  const scored = steps.flatMap(({ state, events }) =>
    events.filter(({ event }) => event === "round_scored").map(({ round }) => ({ x: Number(round), state })),
  );
  return [{ x: 0, state: steps[0].state }, ...scored];
}

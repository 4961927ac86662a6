// Draws the best decisions on a board, as ghosts.

import { frame } from "./board.js";
import { draw } from "./page.js";

/** How many decisions are drawn. */
const MOST = 3;

const AHEAD = /** @type {Record<string, [number, number, string]>} */ ({ N: [0, 1, "↑"], E: [1, 0, "→"], S: [0, -1, "↓"], W: [-1, 0, "←"] });

/** Returns what a decision touches in a picture, and its sign.
 * @param {Element} picture
 * @param {string} move
 * @param {number} seat
 * @returns {[(Element | null)[], string]} */
function touched(picture, move, seat) {
  const square = (/** @type {string} */ name) => picture.querySelector(`[data-square="${name}"]`);
  if (move in AHEAD) {
    const [east, north, sign] = AHEAD[move];
    const home = (picture.getAttribute("data-merchant") ?? picture.querySelector("[data-merchant]")?.getAttribute("data-merchant")) ?? "";
    const next = String.fromCharCode(home.charCodeAt(0) + east) + (Number(home[1]) + north);
    return [[square(next) ?? square(home)], sign];
  }
  if (/^[a-g]\d[a-g]\d$/.test(move)) return [[square(move.slice(0, 2)), square(move.slice(2))], ""];
  const of = `[data-seat="${seat}"]`;
  if (move.includes("@")) return [[picture.querySelector(`[data-point="${move[2]}"]${of}`)], move[0]];
  return [[picture.querySelector(`[data-place="hand"][data-card="${move}"]${of}`)], ""];
}

/** Draws decisions on the picture of the position before them, each with its rank. Earlier ghosts disappear.
 * @param {Element} picture which is in the page
 * @param {string[]} moves best first
 * @param {number} seat which decides */
export function drawGhosts(picture, moves, seat) {
  picture.querySelector(".ghosts")?.remove();
  const layer = draw("g", { class: "ghosts", "pointer-events": "none", "aria-hidden": "true" });
  (picture.querySelector("[data-board]") ?? picture).append(layer);
  moves.slice(0, MOST).forEach((move, index) => {
    const [cells, sign] = touched(picture, move, seat);
    cells.forEach((cell, part) => {
      const drawn = cell === null ? null : frame(layer, /** @type {SVGGraphicsElement} */ (cell), `ghost ghost-${index + 1}`);
      if (drawn === null || part > 0) return;
      const at = (/** @type {string} */ start, /** @type {string} */ size) => Number(drawn.getAttribute(start)) + Number(drawn.getAttribute(size)) / 2;
      const place = { x: `${at("x", "width")}`, y: `${at("y", "height") + 5}`, transform: drawn.getAttribute("transform") ?? "" };
      layer.append(draw("text", { class: "ghost-rank", "font-size": "14", "text-anchor": "middle", ...place }, `${index + 1}${sign}`));
    });
  });
}

// Draws the game next to its rolls, from the words of a proof. It checks nothing, and draws no board for words that make no sense.

/** @typedef {[number, number]} Square file and rank, from 0 */
/** @typedef {{ board: string[][], assam: Square, facing: string, trail: Square[] }} Frame ranks of colours from the first one, with `.` for bare squares */

const SIDES = "NESW";
const STEPS = /** @type {Square[]} */ ([[0, 1], [1, 0], [0, -1], [-1, 0]]);
const squareAt = (/** @type {string} */ text) => /** @type {Square} */ ([text.charCodeAt(0) - 97, Number(text[1]) - 1]);

/** Moves Assam one step. If he would leave the market, he follows the turn-around.
 * @param {Square} from
 * @param {string} facing
 * @param {boolean} isOdd which exits are joined
 * @returns {[Square, string]} */
function step([file, rank], facing, isOdd) {
  const side = SIDES.indexOf(facing);
  const to = /** @type {Square} */ ([file + STEPS[side][0], rank + STEPS[side][1]]);
  if (to.every((place) => place >= 0 && place < 7)) return [to, facing];
  const exit = 7 * side + [file, 6 - rank, 6 - file, rank][side];
  const other = isOdd ? (((exit + 1) ^ 1) + 27) % 28 : exit ^ 1;
  const [out, along] = [Math.floor(other / 7), other % 7];
  const back = /** @type {Square[]} */ ([[along, 6], [6, 6 - along], [6 - along, 0], [0, along]])[out];
  return [back, SIDES[(out + 2) % 4]];
}

/** Returns the position of Marrakech after each outcome, by `ply.part`, as long as the words make sense.
 * @param {any} proof
 * @returns {Map<string, Frame>} */
export function framesOf({ setup, seats, words }) {
  const frames = new Map();
  const option = (/** @type {string} */ name, /** @type {string} */ usual) => RegExp(` ${name}=([^ ]+)`).exec(setup)?.[1] ?? usual;
  const hasPairs = seats.length === 2 && option("two_player", "two-colours") === "two-colours";
  const colours = hasPairs ? ["ry", "bg"] : [..."rbyg"].slice(0, seats.length);
  const all = colours.join("");
  const each = Number(option("rugs_per_player", hasPairs ? "24" : seats.length === 4 ? "12" : "15")) / (hasPairs ? 2 : 1);
  const ownerOf = (/** @type {string} */ colour) => colours.findIndex((own) => own.includes(colour));
  /** @type {string[][]} */
  let board = Array.from({ length: 7 }, () => Array(7).fill("."));
  let [assam, facing, turn, hand] = [/** @type {Square} */ ([3, 3]), option("start_facing", "N"), 0, hasPairs ? "" : all[0]];
  let dirhams = seats.map(() => Number(option("start_dirhams", "30")));
  /** @type {Record<string, number>} */
  const left = Object.fromEntries([...all].map((colour) => [colour, each]));
  /** @type {Set<number>} */
  const out = new Set();
  const begun = / position=(\S+)/.exec(setup)?.[1].split(";");
  if (begun) {
    board = begun[0].replace(/\d/g, (run) => ".".repeat(Number(run))).split("/").reverse().map((row) => [...row]);
    [assam, facing, turn] = [squareAt(begun[2]), begun[2][2], Number(begun[3]) - 1];
    dirhams = begun[5].split(",").map(Number);
    for (const [, colour, count] of begun[6].matchAll(/([rybg])(\d+)/g)) left[colour] = Number(count);
    hand = begun[7];
    for (const seat of begun[8].matchAll(/\d/g)) out.add(Number(seat[0]) - 1);
  }
  const hasRugs = (/** @type {number} */ seat) => [...colours[seat]].some((colour) => left[colour] > 0);
  const next = () => {
    for (let tries = 0; tries < seats.length; tries += 1) {
      turn = (turn + 1) % seats.length;
      if (hasRugs(turn)) break;
    }
    hand = hasPairs ? "" : colours[turn];
  };
  const putOut = (/** @type {number} */ seat) => {
    out.add(seat);
    dirhams[seat] = 0;
    for (const colour of colours[seat]) left[colour] = 0;
    if (seat === turn) next();
  };
  const colourAt = (/** @type {Square} */ [file, rank]) => board[rank]?.[file] ?? ".";
  const pay = () => {
    const colour = colourAt(assam);
    const payee = colour === "." ? turn : ownerOf(colour);
    if (payee === turn || out.has(payee)) return;
    const field = new Set([`${assam}`]);
    const isOf = option("region", "colour") === "owner" ? colours[payee] : colour;
    for (const square of field) {
      const [file, rank] = square.split(",").map(Number);
      for (const [east, north] of STEPS) {
        const neighbour = /** @type {Square} */ ([file + east, rank + north]);
        if (isOf.includes(colourAt(neighbour))) field.add(`${neighbour}`);
      }
    }
    const [due, purse, rule] = [field.size, dirhams[turn], option("insolvency", "eliminate")];
    dirhams[turn] -= Math.min(due, purse);
    dirhams[payee] += Math.min(due, purse);
    if (rule === "eliminate" ? due > purse : rule === "eliminate-at-zero" && due >= purse) putOut(turn);
  };
  /** @param {string} token
   * @returns {Square[]} where Assam went */
  const apply = (token) => {
    const trail = [assam];
    if (/^[NESW]$/.test(token)) {
      facing = token;
      if (option("orientation", "start") === "end") next();
    } else if (/^[1-4]$/.test(token)) {
      for (let steps = Number(token); steps > 0; steps -= 1) {
        [assam, facing] = step(assam, facing, option("track", "ne-sw") === "nw-se");
        trail.push(assam);
      }
      pay();
    } else if (/^[rybg]$/.test(token)) {
      hand = token;
    } else if (/^([a-g][1-7]){2}$/.test(token)) {
      for (const [file, rank] of [squareAt(token), squareAt(token.slice(2))]) board[rank][file] = hand;
      left[hand] -= 1;
      if (option("orientation", "start") !== "end") next();
    } else if (/^!(resign|timeout)[1-4]$/.test(token)) {
      putOut(Number(token.at(-1)) - 1);
    }
    return trail;
  };
  try {
    for (const word of words) {
      for (const { part, token } of word.parts) {
        const trail = apply(token);
        frames.set(`${word.ply}.${part}`, { board: board.map((row) => [...row]), assam, facing, trail });
      }
    }
  } catch {
    // The rest has no board.
  }
  return frames;
}

/** Draws a frame.
 * @param {Frame} frame
 * @param {(name: string, attributes: Record<string, string | number>, ...children: Element[]) => SVGElement} draw
 * @param {string} label
 * @returns {SVGElement} */
export function drawBoard({ board, assam, facing, trail }, draw, label) {
  const middle = (/** @type {Square} */ [file, rank]) => [file + 0.5, 6.5 - rank];
  const squares = board.flatMap((row, rank) =>
    row.map((colour, file) => draw("rect", { class: `half ${colour === "." ? "bare" : colour}`, x: file + 0.04, y: 6.04 - rank, width: 0.92, height: 0.92, rx: 0.08 })));
  const path = draw("polyline", { class: "trail", points: trail.map((at) => middle(at).join()).join(" ") });
  const [x, y] = middle(assam);
  const merchant = draw("path", { class: "merchant", d: "M0-.36L.28.3L0 .16L-.28.3z", transform: `translate(${x} ${y}) rotate(${90 * SIDES.indexOf(facing)})` });
  return draw("svg", { viewBox: "-.1 -.1 7.2 7.2", role: "img", "aria-label": label }, ...squares, path, merchant);
}

// Marrakech on the board: what can be chosen, what a choice means, and what happened.

import { wait } from "./retry.js";
import { button, draw, isCalm, make } from "./page.js";
import { pace } from "./kept.js";
import { counted, listed, text } from "./text.js";

/** @typedef {import("./games.js").Ply} Ply */
/** @typedef {import("./games.js").Offer} Offer */
/** @typedef {import("./games.js").NameOf} NameOf */

const AHEAD = /** @type {Record<string, [number, number]>} */ ({ N: [0, 1], E: [1, 0], S: [0, -1], W: [-1, 0] });
const ARROWS = /** @type {Record<string, string>} */ ({ N: "↑", E: "→", S: "↓", W: "←" });
/** The side of a square in units of the picture, and Assam's time for one square in milliseconds. */
const SQUARE = 40;
const STEP = 170;

/** Returns the letter of the colour visible on a square, or `.`.
 * @param {any} state
 * @param {string} square */
function colourOn(state, square) {
  return state.board[7 - Number(square[1])][square.charCodeAt(0) - 97];
}

/** Names the rug of a colour and its owner in words.
 * @param {any} state
 * @param {string} colour
 * @param {NameOf} nameOf */
function rugOf(state, colour, nameOf) {
  const owner = state.seats.find((/** @type {any} */ seat) => seat.colours.includes(colour));
  return text("marrakech.rug", { colour: text(`marrakech.colour.${colour}`), name: nameOf(owner.seat) });
}

/** Describes in a sentence what a rug covers.
 * @param {any} state before the rug is laid
 * @param {string} rug
 * @param {NameOf} nameOf */
function covered(state, rug, nameOf) {
  const squares = [rug.slice(0, 2), rug.slice(2)].filter((square) => colourOn(state, square) !== ".");
  if (squares.length === 0) return "";
  const rugs = squares.map((square) => text("marrakech.on", { rug: rugOf(state, colourOn(state, square), nameOf), square }));
  return text("marrakech.covers", { rugs: listed(rugs) });
}

/** Names a square and what is on it.
 * @param {SVGElement} cell
 * @param {any} state
 * @param {NameOf} nameOf */
function label(cell, state, nameOf) {
  const square = cell.dataset.square ?? "";
  const colour = colourOn(state, square);
  const parts = [square, colour === "." ? text("marrakech.bare") : rugOf(state, colour, nameOf)];
  if (state.assam.square === square) {
    parts.push(text("marrakech.assam", { direction: text(`marrakech.direction.${state.assam.facing}`) }));
  }
  return parts.join(", ");
}

/** Describes a ply in sentences.
 * @param {Ply | null} before
 * @param {Ply} now
 * @param {NameOf} nameOf
 * @returns {string[]} */
function sentences(before, now, nameOf) {
  const [decision, ...chance] = (now.word ?? "").split("+");
  const said = [];
  const name = before?.state.seat == null ? "" : nameOf(before.state.seat);
  if (decision.length === 1) {
    said.push(text("marrakech.turns", { name, direction: text(`marrakech.direction.${decision}`) }));
  } else if (decision.length === 4 && before !== null) {
    const colour = text(`marrakech.colour.${before.state.hand}`);
    said.push(text("marrakech.lays", { name, colour, low: decision.slice(0, 2), high: decision.slice(2) }));
    said.push(covered(before.state, decision, nameOf));
  }
  for (const drawn of chance.filter((drawn) => /\d/.test(drawn))) {
    said.push(text("marrakech.walks", { die: drawn, square: now.state.assam.square }));
  }
  for (const payment of now.events.filter(({ event }) => event === "payment")) {
    const values = { name: nameOf(payment.payer), payee: nameOf(payment.payee), due: payment.due };
    said.push(counted("marrakech.pays", payment.paid, values));
    if (payment.eliminated) said.push(text("marrakech.out", values));
  }
  const colour = chance.find((drawn) => /[a-z]/.test(drawn));
  if (colour !== undefined && now.state.seat !== null) {
    said.push(text("marrakech.next", { name: nameOf(now.state.seat), colour: text(`marrakech.colour.${colour}`) }));
  }
  return said.filter((sentence) => sentence !== "");
}

/** Returns the next decision in a sentence.
 * @param {any} state
 * @param {NameOf} nameOf
 * @param {boolean} isMine */
function due(state, nameOf, isMine) {
  const kind = state.phase === "lay" ? "lay" : "turn";
  const colour = state.hand === null ? "" : text(`marrakech.colour.${state.hand}`);
  return text(`marrakech.${isMine ? "do" : "wait"}.${kind}`, { name: nameOf(state.seat), colour });
}

/** Offers the legal moves.
 * @param {Offer} offer */
function offer(offer) {
  if (offer.moves[0]?.length === 1) offerTurns(offer);
  else offerRugs(offer, null);
}

/** @param {Offer} offer */
function offerTurns({ board, moves, state, submit, panel }) {
  const choices = new Map();
  const { square } = state.assam;
  const home = board.find(`[data-square="${square}"]`);
  const arrows = [];
  for (const move of moves) {
    const [east, north] = AHEAD[move];
    const beside = String.fromCharCode(square.charCodeAt(0) + east) + (Number(square[1]) + north);
    const kind = move === state.assam.facing ? "ahead" : "turn";
    const choice = { act: () => submit([move]), name: text(`marrakech.${kind}.${move}`) };
    const cell = board.find(`[data-square="${beside}"]`);
    if (cell !== null) choices.set(cell, choice);
    if (home !== null) {
      const [x, y] = [Number(home.getAttribute("x")) + 19, Number(home.getAttribute("y")) + 19];
      const at = (/** @type {number} */ far, /** @type {number} */ across) =>
        `${x + east * far + north * across} ${y - north * far + east * across}`;
      const arrow = draw("path", { class: "arrow", "data-turn": move, "pointer-events": "all" });
      arrow.setAttribute("d", `M${at(36, 0)}L${at(24, 9)}L${at(24, -9)}z`);
      arrow.addEventListener("click", choice.act);
      arrows.push(arrow);
    }
    panel.append(button(`${ARROWS[move]} ${choice.name}`, choice.act, { class: "go", "data-move": move }));
  }
  board.offer(choices);
  for (const arrow of arrows) board.add(arrow);
}

/** Offers the squares of a rug: the first one, and once it is picked the second one.
 * @param {Offer} offer
 * @param {string | null} picked */
function offerRugs(offer, picked) {
  const { board, moves, state, submit, panel, nameOf } = offer;
  const cellOf = (/** @type {string} */ square) => board.find(`[data-square="${square}"]`);
  const choices = new Map();
  const told = make("p", { class: "preview-text" }, text(picked === null ? "marrakech.first" : "marrakech.second"));
  const others = new Map(
    moves.map((move) => [move.slice(0, 2), move.slice(2), move]).flatMap(([low, high, move]) => {
      if (picked === null) return [[low, move], [high, move]];
      return low === picked ? [[high, move]] : high === picked ? [[low, move]] : [];
    }),
  );
  const preview = (/** @type {string} */ move) => {
    board.unmark("preview");
    board.add(rugAt(board, move, state.hand));
    const [low, high] = [move.slice(0, 2), move.slice(2)];
    const covers = covered(state, move, nameOf);
    told.textContent = `${text("marrakech.would", { low, high })} ${covers === "" ? text("marrakech.covers-nothing") : covers}`;
  };
  for (const [square, move] of others) {
    const cell = cellOf(square);
    if (cell === null) continue;
    const choice = picked === null
      ? { act: () => offerRugs(offer, square), name: text("marrakech.pick", { square }) }
      : { act: () => submit([move]), look: () => preview(move), name: text("marrakech.would", { low: move.slice(0, 2), high: move.slice(2) }) };
    choices.set(cell, choice);
  }
  const back = () => offerRugs(offer, null);
  const first = picked === null ? null : cellOf(picked);
  if (first !== null) choices.set(first, { act: back, name: text("marrakech.back") });
  board.offer(choices, first);
  board.cancel = picked === null ? () => {} : back;
  panel.replaceChildren(told);
  if (picked !== null) {
    panel.append(button(text("marrakech.back"), back));
    if (others.size === 1) {
      const [[square, move]] = others;
      preview(move);
      told.textContent += ` ${text("marrakech.only", { square })}`;
    }
  }
}

/** Draws a preview of a rug.
 * @param {import("./board.js").Board} board
 * @param {string} move
 * @param {string} colour */
function rugAt(board, move, colour) {
  const low = board.find(`[data-square="${move.slice(0, 2)}"]`);
  const [x, y] = ["x", "y"].map((name) => Number(low?.getAttribute(name)) - 1);
  const turn = move[0] === move[2] ? " rotate(-90 20 20)" : "";
  return draw("use", { class: "preview", href: `#assam-rug-${colour}${colour}`, transform: `translate(${x} ${y})${turn}` });
}

/** Shows how the position came about: Assam walks, and the field shows what was paid.
 * @param {import("./board.js").Board} board
 * @param {Ply} now
 * @param {boolean} isMoving */
async function stage(board, now, isMoving) {
  const isRoll = /\+\d/.test(now.word ?? "");
  const trail = isRoll ? board.find("[data-trail]")?.dataset.trail?.split(" ") ?? [] : [];
  if (isMoving && !isCalm()) await walk(board, trail);
  const payment = now.events.find(({ event }) => event === "payment");
  const field = payment === undefined ? null : board.find("[data-paid]");
  if (field != null) {
    const { x, y, width, height } = field.getBBox();
    board.add(draw("text", { class: "sum", "font-size": "20", x: `${x + width / 2}`, y: `${y + height / 2 + 7}` }, `−${payment.paid}`));
  }
}

/** @param {import("./board.js").Board} board
 * @param {string[]} trail the squares in order */
async function walk(board, trail) {
  const assam = board.find("[data-merchant]");
  const place = assam?.getAttribute("transform") ?? "";
  const end = trail.at(-1);
  if (assam === null || end === undefined) return;
  const offset = (/** @type {string} */ square) => [
    SQUARE * (square.charCodeAt(0) - end.charCodeAt(0)),
    SQUARE * (Number(end[1]) - Number(square[1])),
  ];
  const begun = performance.now();
  const step = STEP / pace();
  for (;;) {
    const far = Math.min((performance.now() - begun) / step, trail.length - 1);
    const [from, to] = [trail[Math.floor(far)], trail[Math.ceil(far)]].map(offset);
    const [x, y] = [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * (far % 1));
    assam.setAttribute("transform", `translate(${x} ${y}) ${place}`);
    if (far >= trail.length - 1 || !assam.isConnected) return;
    // A hidden page draws no frames, and the timer ends the walk.
    await Promise.race([new Promise((done) => requestAnimationFrame(done)), wait(100)]);
  }
}

/** @type {import("./games.js").GamePages} */
export const marrakech = {
  cells: "[data-square]",
  rows: "[data-rank]",
  label,
  sentences,
  due,
  offer,
  stage,
  begins: (before, previous) => before.state.phase !== "lay" || previous?.state.seat !== before.state.seat,
  heading: (count, before, nameOf) => text("marrakech.heading", { turn: count, name: nameOf(before.state.seat) }),
  about: (state) => counted("marrakech.about", rugsLeft(state)),
  result: () => "",
  columns: (state, seat) => {
    const { dirhams, rugs_left, visible, score } = state.seats[seat - 1];
    const left = Object.values(rugs_left).reduce((sum, count) => Number(sum) + Number(count), 0);
    return [
      [text("marrakech.dirhams"), dirhams],
      [text("marrakech.rugs"), left],
      [text("marrakech.visible"), visible],
      [text("marrakech.score"), score],
    ];
  },
  colours: (state, seat) => state.seats[seat - 1].colours,
};

/** @param {any} state */
function rugsLeft(state) {
  let left = 0;
  for (const seat of state.seats) for (const count of Object.values(seat.rugs_left)) left += Number(count);
  return left;
}

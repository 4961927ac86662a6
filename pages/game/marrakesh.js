// Marrakesh on the board: which cards and pieces can be chosen, what a choice means, and what happened.

import { button, make } from "./page.js";
import { counted, listed, text } from "./text.js";

/** @typedef {import("./games.js").Ply} Ply */
/** @typedef {import("./games.js").Offer} Offer */
/** @typedef {import("./games.js").NameOf} NameOf */

/** Names a card in words.
 * @param {string} card
 * @returns {string} */
function cardName(card) {
  if (card === "??") return text("marrakesh.hidden");
  return text("marrakesh.card", { rank: text(`marrakesh.rank.${card[0]}`), suit: text(`marrakesh.suit.${card[1]}`) });
}

/** Names the mark of an oval in words.
 * @param {string} mark */
function markName(mark) {
  const known = /** @type {Record<string, string>} */ ({ "-": "empty", 0: "chip", X: "closed" });
  return mark in known ? text(`marrakesh.oval.${known[mark]}`) : counted("marrakesh.pieces", Number(mark));
}

/** The name of a point, an oval or a card.
 * @param {SVGElement} cell
 * @param {any} _state
 * @param {NameOf} nameOf */
function label(cell, _state, nameOf) {
  const { point, checkers, oval, mark, card, place, seat } = cell.dataset;
  const name = seat === undefined ? "" : nameOf(Number(seat));
  if (point !== undefined) return text("marrakesh.label.point", { name, point, pieces: counted("marrakesh.pieces", Number(checkers)) });
  if (oval !== undefined) return text("marrakesh.label.oval", { name, oval, mark: markName(mark ?? "-") });
  return text(`marrakesh.label.${place}`, { name, card: cardName(card ?? "??") });
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
  if (before !== null && decision.includes("@")) {
    const [number, point] = decision.split("@").map(Number);
    const isOff = number >= point;
    said.push(text(isOff ? "marrakesh.bears-off" : "marrakesh.moves", { name, number, point, to: point - number }));
  } else if (before !== null && decision.length === 2) {
    const kind = before.state.phase === "reply" ? "replies" : decision === "??" ? "leads-hidden" : "leads";
    said.push(text(`marrakesh.${kind}`, { name, card: cardName(decision) }));
  }
  for (const event of now.events) said.push(eventSentence(event, nameOf));
  if (chance.some((drawn) => drawn.includes("/"))) {
    said.push(text("marrakesh.round-begins", { round: now.state.round, name: nameOf(now.state.seat) }));
  }
  return said.filter((sentence) => sentence !== "");
}

/** @param {any} event
 * @param {NameOf} nameOf
 * @returns {string} */
function eventSentence(event, nameOf) {
  switch (event.event) {
    case "trick_won": {
      const { trick } = event;
      const card = cardName(trick.winner === trick.leader ? trick.lead : trick.reply);
      return text("marrakesh.wins", { name: nameOf(trick.winner), card, lead: cardName(trick.lead) });
    }
    case "bonus_drawn":
      return counted("marrakesh.bonus", event.times, { card: cardName(event.card), number: numberOf(event.card) });
    case "oval_marked":
      return text("marrakesh.marks", { name: nameOf(event.seat), oval: event.oval, mark: markName(event.mark) });
    case "round_scored": {
      const [one, two] = [0, 1].map((side) => pointsOf(event, side));
      return text("marrakesh.scored", { round: event.round, name: nameOf(1), other: nameOf(2), one, two });
    }
    default:
      return "";
  }
}

/** Describes how the last finished round ended, with the points so far.
 * @param {Ply[]} plies
 * @param {NameOf} nameOf
 * @returns {string} */
function result(plies, nameOf) {
  const scored = plies.flatMap(({ events }) => events.filter(({ event }) => event === "round_scored")).at(-1);
  if (scored === undefined) return "";
  const [one, two] = plies[plies.length - 1].state.seats.map((/** @type {{ score: number }} */ { score }) => score);
  return `${eventSentence(scored, nameOf)} ${text("marrakesh.total", { one, two })}`;
}

/** Returns a side's points in a round, with what they are for.
 * @param {any} event
 * @param {number} side */
export function pointsOf({ scores, categories }, side) {
  const names = categories[side].map((/** @type {string} */ name) => text(`marrakesh.category.${name}`));
  return names.length === 0 ? scores[side] : text("marrakesh.points", { points: scores[side], names: listed(names) });
}

/** @param {string} card */
function numberOf(card) {
  return card[0] === "A" ? "1" : card[0] === "Q" ? "0" : card[0];
}

/** Returns the next decision in a sentence.
 * @param {any} state
 * @param {NameOf} nameOf
 * @param {boolean} isMine */
function due(state, nameOf, isMine) {
  const values = /** @type {number[]} */ (state.trick?.values ?? []);
  const times = (/** @type {number} */ number) => values.filter((value) => value === number).length;
  const told = [...new Set(values)].map((number) => (times(number) === 1 ? `${number}` : text("marrakesh.times", { number, count: times(number) })));
  const numbers = listed(told);
  const lead = cardName(state.trick?.lead ?? "??");
  return text(`marrakesh.${isMine ? "do" : "wait"}.${state.phase}`, { name: nameOf(state.seat), numbers, lead });
}

/** Offers the legal moves.
 * @param {Offer} offer */
function offer(offer) {
  if (offer.moves[0]?.includes("@")) offerUses(offer, null);
  else offerCards(offer);
}

/** @param {Offer} offer */
function offerCards({ board, moves, state, submit, panel }) {
  const choices = new Map();
  for (const move of moves) {
    const name = text(`marrakesh.play.${state.phase}`, { card: cardName(move) });
    // A hand may have the same card twice.
    for (const cell of board.findAll(`[data-place="hand"][data-seat="${state.seat}"][data-card="${move}"]`)) {
      choices.set(cell, { act: () => submit([move]), name });
    }
  }
  board.offer(choices);
  panel.append(make("p", { class: "faint" }, text("marrakesh.suits")));
}

/** Offers the pieces that a number can move, and the numbers if there are several.
 * @param {Offer} offer
 * @param {string | null} wanted */
function offerUses(offer, wanted) {
  const { board, moves, state, submit, panel } = offer;
  const numbers = [...new Set(moves.map((move) => move[0]))];
  const number = wanted ?? numbers[0];
  const { seat } = state;
  const choices = new Map();
  const told = make("p", { class: "preview-text" }, text("marrakesh.pick", { number }));
  for (const move of moves.filter((move) => move[0] === number)) {
    const point = Number(move[2]);
    const target = point - Number(number);
    const cell = board.find(`[data-point="${point}"][data-seat="${seat}"]`);
    const name = target > 0 ? text("marrakesh.would-move", { point, to: target }) : text("marrakesh.would-bear-off", { point });
    const goal = target > 0 ? `[data-point="${target}"]` : `[data-oval][data-mark="-"]`;
    const look = () => {
      told.textContent = name;
      board.unmark("preview");
      const there = board.find(`${goal}[data-seat="${seat}"]`);
      if (there !== null) board.mark(there, "preview");
    };
    if (cell !== null) choices.set(cell, { act: () => submit([move]), look, name });
  }
  board.offer(choices);
  const buttons = numbers.map((other) =>
    button(text("marrakesh.number", { number: other }), () => offerUses(offer, other), {
      "aria-pressed": String(other === number),
      "data-number": other,
    }),
  );
  const hadFocus = panel.contains(document.activeElement);
  panel.replaceChildren(told);
  if (numbers.length > 1) panel.append(make("div", { class: "row", role: "group", "aria-label": text("marrakesh.numbers") }, ...buttons));
  if (hadFocus) buttons.find((one) => one.dataset.number === number)?.focus();
}

/** @type {import("./games.js").GamePages} */
export const marrakesh = {
  cells: "[data-point], [data-oval], [data-card]",
  rows: "[data-half], .table",
  label,
  sentences,
  due,
  offer,
  stage: async () => {},
  begins: (before) => before.state.phase === "lead",
  heading: (_count, before) => text("marrakesh.heading", { round: before.state.round, trick: before.state.tricks.length + 1 }),
  about: (state) => text("marrakesh.about", { round: state.round, trick: Math.min(6, state.tricks.length + 1) }),
  result,
  columns: (state, seat) => {
    const { points, ovals, score } = state.seats[seat - 1];
    const onBoard = points.reduce((/** @type {number} */ sum, /** @type {number} */ count) => sum + count, 0);
    return [
      [text("marrakesh.on-board"), onBoard],
      [text("marrakesh.ovals"), ovals.join(" ")],
      [text("marrakesh.score"), score],
    ];
  },
  colours: (_state, seat) => [seat === 1 ? "blue" : "red"],
};

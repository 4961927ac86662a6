// Offers who plays the other seats of a new game: at each of them a person or a built-in player.

import { make } from "./page.js";
import { portrait } from "./players.js";
import { text } from "./text.js";

/** @typedef {import("./players.js").Player} Player */

/** The choice of a person, who takes the seat on the page of the game.
 * @type {Player} */
const PERSON = { kind: "open", title: text("seat.person"), level: null, meaning: "" };

/** Returns the default player of a seat: a merchant of middle level, or the lowest of a few, at each seat another one. Without merchants, the strongest player.
 * @param {Player[]} players weakest first
 * @param {number} seat */
function usual(players, seat) {
  const merchants = players.filter(({ level }) => level !== null);
  return merchants[(Math.max(0, Math.floor((merchants.length - 2) / 2)) + seat - 2) % merchants.length] ?? players[players.length - 1];
}

/** Returns portrait, title, level and character of a player.
 * @param {Player} player
 * @param {number} size of the portrait in pixels */
function described({ kind, title, level, meaning }, size) {
  const small = [level === null ? "" : text("seat.level", { level }), meaning].filter((part) => part !== "");
  const about = small.map((part) => make("small", {}, part));
  return [portrait(kind, size), make("span", { class: "told" }, make("strong", {}, title), ...about)];
}

/** Offers the players of one seat.
 * @param {number} seat
 * @param {Player[]} choices
 * @param {Player} selected */
function offered(seat, choices, selected) {
  const shown = make("span", { class: "shown" });
  const show = (/** @type {Player} */ player) => shown.replaceChildren(...described(player, 56));
  const options = choices.map((player) => {
    const attributes = { type: "radio", name: `seat-${seat}`, value: player.kind, checked: player === selected, change: () => show(player) };
    return make("label", { class: "option" }, make("input", attributes), ...described(player, 48));
  });
  show(selected);
  const name = text("seat.numbered", { seat });
  const summary = make("summary", {}, make("span", { class: "faint" }, name), shown, make("span", { class: "change" }, text("home.change")));
  return make("details", { class: "opponent" }, summary, make("fieldset", { class: "faces", "aria-label": name }, ...options));
}

/** The choices and the number of seats that an element offers.
 * @type {WeakMap<HTMLElement, { list: string, seats: number }>} */
const shownIn = new WeakMap();

/** Offers the seats from 2 on. If only their number changes, the others keep their choice.
 * @param {HTMLElement} home
 * @param {{ players: Player[], seats: number, withPeople: boolean, wanted: string[] }} offer the built-in players; the number of seats; whether
 * people may join, who are then the default; and the built-in players chosen last time, in the order of the seats */
export function offerOpponents(home, { players, seats, withPeople, wanted }) {
  const merchants = players.filter(({ level }) => level !== null);
  const others = players.filter(({ level }) => level === null);
  const choices = [...(withPeople ? [PERSON] : []), ...merchants, ...others];
  const list = JSON.stringify(choices);
  const old = shownIn.get(home);
  if (old?.list === list && old.seats === seats) return;
  shownIn.set(home, { list, seats });
  const before = old?.list === list ? opponentsIn(home) : [];
  const rows = Array.from({ length: seats - 1 }, (_, index) => {
    const kept = choices.find(({ kind }) => kind === (before[index] ?? (withPeople ? "open" : wanted[index])));
    return offered(index + 2, choices, kept ?? usual(players, index + 2));
  });
  home.replaceChildren(...rows);
}

/** Returns the chosen kinds of the seats from 2 on.
 * @param {HTMLElement} home
 * @returns {string[]} */
export function opponentsIn(home) {
  return [...home.querySelectorAll("input:checked")].map((input) => /** @type {HTMLInputElement} */ (input).value);
}

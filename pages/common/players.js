// The built-in players as the service lists them, in the language of the reader, and their portraits.

import { ask } from "./api.js";
import { at } from "./base.js";
import { make } from "./page.js";
import { isolated, language, text } from "./text.js";

/** @typedef {{ kind: string, title: string, level: number | null, meaning: string }} Player a built-in player; only merchants have a level */

/** The players of each rule set, weakest first.
 * @type {Promise<Map<string, Player[]>> | null} */
let asked = null;

/** The players read so far, by kind.
 * @type {Map<string, Player>} */
const known = new Map();

/** Returns whether the service plays a seat of this kind.
 * @param {string} kind */
export const isBuiltIn = (kind) => kind !== "open" && kind !== "human";

/** Returns a kind without its version, which names portraits and translations.
 * @param {string} kind */
const family = (kind) => kind.split("/")[0];

/** Reads the translations of titles and meanings. The service describes its players in English.
 * @returns {Promise<Record<string, { title: string, meaning: string }>>} */
async function translations() {
  if (language() === "en") return {};
  const response = await fetch(at(`/pages/players/${language()}.json`)).catch(() => null);
  return response?.ok ? response.json().catch(() => ({})) : {};
}

async function read() {
  const [{ rulesets }, translated] = await Promise.all([ask("/v1/rulesets"), translations()]);
  const inLanguage = (/** @type {Player} */ player) => ({ ...player, ...translated[family(player.kind)] });
  const players = new Map(rulesets.map((/** @type {any} */ { id, players }) => [id, players.map(inLanguage)]));
  for (const player of [...players.values()].flat()) known.set(player.kind, player);
  return players;
}

/** Returns the built-in players of each rule set, weakest first.
 * @returns {Promise<Map<string, Player[]>>} */
export function readPlayers() {
  asked ??= read().catch((error) => {
    // The next call tries again.
    asked = null;
    throw error;
  });
  return asked;
}

/** Returns the title of a built-in player. Before the players are read, and for players of older versions, returns its kind without the version.
 * @param {string} kind */
export function titleOf(kind) {
  return known.get(kind)?.title ?? family(kind);
}

/** Returns the level of a merchant. Returns null for other players, and before the players are read.
 * @param {string} kind */
export function levelOf(kind) {
  return known.get(kind)?.level ?? null;
}

/** Returns the name shown for a seat: its label, or else the title of a built-in player, or else the number of the seat.
 * @param {{ kind: string, name: string | null, seat: number }} seat
 * @returns {string} */
export function nameOf({ kind, name, seat }) {
  if (name !== null) return isolated(name);
  if (isBuiltIn(kind)) return titleOf(kind);
  return kind === "open" ? text("seat.open") : text("seat.numbered", { seat });
}

/** Creates the portrait of a built-in player, or of a person (`open`). A player without a portrait shows none.
 * @param {string} kind
 * @param {number} size in pixels
 * @returns {HTMLImageElement} */
export function portrait(kind, size) {
  /** @type {HTMLImageElement} */
  const image = make("img", {
    class: "portrait",
    src: at(`/pages/players/${family(kind)}.svg`),
    alt: "",
    width: `${size}`,
    height: `${size}`,
    error: () => image.remove(),
  });
  return image;
}

// What the pages need to show and play a game, and the games that they support.

import { marrakech } from "./marrakech.js";
import { marrakesh } from "./marrakesh.js";

/** @typedef {{ ply: number, word: string | null, events: any[], state: any }} Ply as `GET /v1/games/{id}/states` lists it */
/** @typedef {(seat: number) => string} NameOf */
/** @typedef {{
 *   board: import("./board.js").Board,
 *   moves: string[],
 *   state: any,
 *   submit: (moves: string[]) => void,
 *   panel: HTMLElement,
 *   nameOf: NameOf,
 * }} Offer the legal moves, where they are offered, and what submits them */
/** @typedef {{
 *   cells: string,
 *   rows: string,
 *   label: (cell: SVGElement, state: any, nameOf: NameOf) => string,
 *   sentences: (before: Ply | null, now: Ply, nameOf: NameOf) => string[],
 *   due: (state: any, nameOf: NameOf, isMine: boolean) => string,
 *   offer: (offer: Offer) => void,
 *   stage: (board: import("./board.js").Board, now: Ply, isMoving: boolean) => Promise<void>,
 *   begins: (before: Ply, previous: Ply | null) => boolean,
 *   heading: (count: number, before: Ply, nameOf: NameOf) => string,
 *   about: (state: any) => string,
 *   result: (plies: Ply[], nameOf: NameOf) => string,
 *   columns: (state: any, seat: number) => [string, string | number][],
 *   colours: (state: any, seat: number) => string[],
 * }} GamePages `begins` returns whether a turn begins with the decision after `before`, and `previous` is the ply before that.
 * `result` describes how the last finished part of a game ended */

const GAMES = /** @type {Record<string, GamePages>} */ ({ marrakech, marrakesh });

/** Returns the pages of a state's game.
 * @param {any} state
 * @returns {GamePages} */
export function gameOf(state) {
  return GAMES[state.game];
}

// What the pages must know of a game to show it and to play it, and which games they know.

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
 * }} Offer what may be decided, where it is offered, and what happens then */
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
 * }} GamePages `begins` says whether a turn begins with the decision after `before`; `previous` is the ply before that;
 * `result` says how the last part of a game ended that is over */

const GAMES = /** @type {Record<string, GamePages>} */ ({ marrakech, marrakesh });

/** Returns what is known of the game of a state.
 * @param {any} state
 * @returns {GamePages} */
export function gameOf(state) {
  return GAMES[state.game];
}

// Plays a seat: offers the legal decisions, and sends the chosen one.

import { ask, sentenceOf } from "./api.js";
import { gameOf } from "./games.js";
import { insist } from "./insist.js";
import { byId, empty, showProblem } from "./page.js";

/** Offers the legal decisions if it is the seat's turn and the last ply is shown.
 * @param {import("./known.js").Known} known
 * @param {import("./board.js").Board} board
 * @param {() => boolean} isShown whether the last ply is still shown */
export async function offerChoices(known, board, isShown) {
  const panel = byId("choices");
  empty(panel);
  const { state, game, nameOf, last } = known;
  if (!known.isRunning || state === null || state.seat === null || state.seat !== game.your_seat || !isShown()) return;
  await insist(() => ask(`${known.path}/legal-moves`), isShown, (legal) => {
    if (legal.ply !== last + 1 || !legal.moves?.length) return;
    panel.replaceChildren();
    const submit = async (/** @type {string[]} */ moves) => {
      empty(panel);
      board.offer(new Map());
      known.sent = legal.ply;
      try {
        await ask(`${known.path}/moves/${legal.ply}`, { method: "PUT", body: moves.length === 1 ? { move: moves[0] } : { moves } });
        showProblem("");
      } catch (error) {
        showProblem(sentenceOf(error));
        await offerChoices(known, board, isShown);
      }
    };
    gameOf(state).offer({ board, moves: legal.moves, state, submit, panel, nameOf });
  });
}

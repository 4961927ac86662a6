// Plays a seat: offers the legal decisions, and sends the chosen one.

import { choicesOf } from "./analysis.js";
import { ask, sentenceOf } from "./api.js";
import { gameOf } from "./games.js";
import { drawGhosts } from "./ghosts.js";
import { insist } from "./insist.js";
import { button, byId, empty, showProblem } from "./page.js";
import { isBuiltIn } from "./players.js";
import { text } from "./text.js";

/** Offers the legal decisions if it is the seat's turn and the last ply is shown.
 * @param {import("./known.js").Known} known
 * @param {import("./board.js").Board} board
 * @param {() => boolean} isShown whether the last ply is still shown */
export async function offerChoices(known, board, isShown) {
  const panel = byId("choices");
  empty(panel);
  empty(byId("hint"));
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
    if (allowsHints(game) && legal.moves.length > 1) offerHint(known, board, isShown);
  });
}

/** Returns whether a game is an unrated one against built-in players, which has hints.
 * @param {any} game */
function allowsHints({ rated, imported, seats }) {
  const builtIn = seats.filter((/** @type {any} */ { kind }) => isBuiltIn(kind));
  return !rated && !imported && builtIn.length + 1 === seats.length;
}

/** Offers to show the best decisions.
 * @param {import("./known.js").Known} known
 * @param {import("./board.js").Board} board
 * @param {() => boolean} isShown */
function offerHint(known, board, isShown) {
  const home = byId("hint");
  const show = async () => {
    try {
      const { ply, hints } = await ask(`${known.path}/legal-moves?include=hints`);
      const picture = board.find("svg");
      if (!isShown() || picture === null) return;
      const { seat } = known.state;
      drawGhosts(picture, hints.map((/** @type {any} */ { move }) => move), seat);
      home.replaceChildren(choicesOf(hints, seat, known.nameOf(seat), ply));
    } catch (error) {
      showProblem(sentenceOf(error));
    }
  };
  home.replaceChildren(button(text("analysis.hint"), () => void show()));
}

// Plays both games to the end, against built-in players and between two people, and checks the results:
//
//     node play.mjs http://127.0.0.1:8080

import { Assam, newSecret } from "assam-client";

/** @typedef {import("assam-client").Game} Game */
/** @typedef {import("assam-client").Schemas["SeatChoice"]} SeatChoice */

const service = process.argv[2] ?? "http://127.0.0.1:8080";
const aisha = new Assam(service, { secret: newSecret() });
const omar = new Assam(service, { secret: newSecret() });

/** @param {Game} game */
async function playToTheEnd(game) {
  for await (const turn of game.turns()) {
    const move = turn.moves[Math.floor(Math.random() * turn.moves.length)];
    await turn.play(move);
  }
}

/**
 * Replays a game, validates its record and verifies its proof. Returns a position near its end that hides nothing.
 *
 * @param {Game} game
 * @param {string} who
 */
async function check(game, who) {
  const { ruleset, result, head } = game.view;
  if (!result || !head) throw new Error("the game is not over");
  let open, last;
  for await (last of game.replay()) {
    const { state } = last;
    const hidesNothing = state.game === "marrakech" || state.seats.every((seat) => !seat.cards);
    if (last.ply <= head.ply - 12 && hidesNothing) open = last.position;
  }
  const verdict = await aisha.validate(await game.record());
  if (!last || !verdict.valid || verdict.position !== last.position || String(verdict.score?.scores) !== String(result.scores)) {
    throw new Error(`the record does not match the game: ${verdict.error?.detail ?? verdict.position}`);
  }
  const { heads, keptHeads, outcomes } = await game.verify();
  const { length } = await game.picture(last.ply);
  console.log(`${ruleset}, ${who}: ${result.scores.join(" to ")} after ${last.ply} plies`);
  console.log(`  ${heads} heads verified, ${keptHeads} of them kept, ${outcomes} outcomes; a picture of ${length} characters`);
  return open;
}

/**
 * @param {string} ruleset
 * @param {SeatChoice[]} opponents
 */
async function playBoth(ruleset, opponents) {
  const take = { seat: 1, name: "Aisha" };
  // A game against built-in players, who answer at once.
  const game = await aisha.createGame({ ruleset, seats: ["open", ...opponents], take });
  await playToTheEnd(game);
  const position = await check(game, `against ${opponents.join(" and ")}`);

  // The end once more, from a position, between two people who wait for each other.
  /** @type {SeatChoice[]} */
  const seats = ["open", "open", ...opponents.slice(1)];
  const hers = await aisha.createGame({ ruleset, seats, take, position, visibility: "private", join_code: "mint tea" });
  const his = await omar.join(hers.id, { name: "Omar", joinCode: "mint tea" });
  await Promise.all([playToTheEnd(hers), playToTheEnd(his)]);
  await check(hers, "between two people");
  await check(his, "as the other sees it");
}

await Promise.all([playBoth("marrakech/1", ["random", "random"]), playBoth("marrakesh/1", ["solitaire-ai"])]);

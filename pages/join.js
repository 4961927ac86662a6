// Takes seats: with entropy that the service could not know when it committed itself to its dice, and keeps the receipt.

import { ask } from "./api.js";
import { entropyFor, keepName, keepReceipt, keptName, needSecret } from "./kept.js";
import { Problem } from "./retry.js";

/** @typedef {{ name: string, joinCode?: string }} Wishes */

/** Takes a seat of a game whose commitment was shown.
 * @param {string} id
 * @param {number} seat
 * @param {string | null} commitment
 * @param {Wishes} wishes
 * @returns {Promise<void>} */
export async function takeSeat(id, seat, commitment, { name, joinCode }) {
  await needSecret();
  keepName(name);
  const entropy = entropyFor(id);
  const chance = commitment === null ? {} : { commitment, entropy };
  const named = name === "" ? {} : { name };
  const code = joinCode === undefined ? {} : { join_code: joinCode };
  const body = { ...chance, ...named, ...code, forced: "play" };
  const receipt = await ask(`/v1/games/${id}/seats/${seat}`, { method: "PUT", body });
  keepReceipt(id, receipt);
}

/** Takes the seat of a rematch that is kept for whoever sat in the game before.
 * @param {any} game
 * @returns {Promise<void>} */
export async function takeKeptSeat({ id, seats, commitment }) {
  const { player } = await ask("/v1/me");
  const kept = seats.find((/** @type {any} */ { kind, reserved_for }) => kind === "open" && reserved_for === player);
  if (kept !== undefined) await takeSeat(id, kept.seat, commitment, { name: keptName() });
}

/** Takes the first open seat of a private game that cannot be seen before.
 * @param {string} id
 * @param {Wishes} wishes
 * @returns {Promise<void>} */
export async function takeHiddenSeat(id, wishes) {
  await needSecret();
  const commitment = await hiddenCommitment(id, wishes.joinCode ?? "");
  let taken = null;
  // Whoever has created it sits on the first one.
  for (const seat of [2, 3, 4, 1]) {
    try {
      return await takeSeat(id, seat, commitment, wishes);
    } catch (error) {
      if (!(error instanceof Problem && ["seat_taken", "seat_not_found"].includes(error.code))) throw error;
      taken ??= error;
    }
  }
  throw taken;
}

/** Asks for the commitment: whoever sends another one is told it, and takes no seat.
 * @param {string} id
 * @param {string} joinCode
 * @returns {Promise<string>} */
async function hiddenCommitment(id, joinCode) {
  const body = { commitment: "0".repeat(64), join_code: joinCode };
  try {
    await ask(`/v1/games/${id}/seats/1`, { method: "PUT", body });
  } catch (error) {
    if (error instanceof Problem && error.code === "commitment_mismatch") return error.told.expected;
    throw error;
  }
  throw new Problem("internal", "the service took a commitment that is none");
}

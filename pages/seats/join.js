// Takes seats with entropy that the service could not know when it committed to its dice, and keeps the receipts.

import { ask, askText } from "./api.js";
import { keepEntropy, keepName, keepReceipt, keptName, needSecret, secret, sentFor } from "./kept.js";
import { Problem } from "./retry.js";
import { ProofError, checkResponse, checkShown } from "./verify.js";

/** @typedef {{ name: string, joinCode?: string }} Wishes */

/** A game if it is visible, its commitment, and its seats as the service signed them.
 * @typedef {{ game: any, commitment: string | null, signed: string }} Before */

/** Whether the page can hash. Pages on http: other than localhost cannot, so they send no entropy and keep no receipt. */
const canCheck = () => Boolean(globalThis.crypto?.subtle);

/** Maximum reads of a game whose seats change between its two requests. */
const LOOKS = 3;

/** Takes a seat of a game whose commitment was shown. Sends entropy only after the service has signed the seats.
 * @param {string} id
 * @param {number} seat
 * @param {string | null} commitment
 * @param {Wishes} wishes
 * @returns {Promise<void>} */
export async function takeSeat(id, seat, commitment, wishes) {
  await needSecret();
  await take(id, await look(id, commitment, codeOf(wishes)), seat, wishes);
}

/** Repeats the request for a seat that the player holds, if entropy was sent and the response was lost.
 * @param {any} game
 * @returns {Promise<void>} */
export async function confirmSeat({ id, your_seat, seats, commitment }) {
  const isSent = your_seat !== null && seats[your_seat - 1].entropy !== null;
  if (isSent && sentFor(id)?.receipt === null) await takeSeat(id, your_seat, commitment, { name: keptName() });
}

/** @param {Wishes} wishes */
const codeOf = ({ joinCode }) => (joinCode === undefined ? {} : { join_code: joinCode });

/** @param {string} signed @returns {string | undefined} */
const digestIn = (signed) => /^seats ([0-9a-f]{64})$/m.exec(signed)?.[1];

/** Waits for a check, and turns a false answer of the service into a problem.
 * @param {Promise<void>} check */
const passed = (check) => check.catch((error) => {
  throw error instanceof ProofError ? new Problem("seat_untrue", error.message) : error;
});

/** Takes a seat once.
 * @param {string} id
 * @param {Before} before
 * @param {number} seat
 * @param {Wishes} wishes
 * @returns {Promise<void>} */
async function take(id, { game, commitment, signed }, seat, wishes) {
  keepName(wishes.name);
  const sent = canCheck() ? entropyFor(id, game, signed, seat) : null;
  const digest = digestIn(sent?.seats ?? "");
  const chance = digest === undefined ? {} : { commitment, seats_digest: digest, entropy: sent?.entropy };
  const body = { ...chance, ...(wishes.name === "" ? {} : { name: wishes.name }), ...codeOf(wishes), forced: "play" };
  // If the seats have changed, the service knows this entropy. An automatic retry would let it choose among several.
  const response = await ask(`/v1/games/${id}/seats/${seat}?include=receipt`, { method: "PUT", body });
  if (!canCheck()) return;
  const asked = { id, commitment, seat, player: await ownPlayer(), shown: game };
  await passed(checkResponse(response, sent === null ? asked : { ...asked, entropy: sent.entropy, digest }));
  if (sent !== null) keepReceipt(id, { ...response, seats_receipt: sent.seats });
}

/** Returns the entropy for a seat, stored before it is sent. Returns null for a seat of the player that has other entropy, or can no longer get any.
 * Entropy is sent again only with the same seats, because a service that knows it could choose different ones.
 * @param {string} id
 * @param {any} game
 * @param {string} signed the seats as the service signed them
 * @param {number} seat
 * @returns {import("./kept.js").KeptReceipt | null} */
function entropyFor(id, game, signed, seat) {
  const last = sentFor(id);
  const found = game?.seats[seat - 1]?.entropy ?? null;
  const isTooLate = game !== null && (game.status !== "open" || game.beacon?.round != null);
  const isFixed = game?.your_seat === seat && (found !== null || isTooLate);
  if (last !== null && last.receipt !== null) {
    if (isFixed && found === last.entropy) return null;
    throw new Problem("seat_forgotten", "the service has lost the seat that was taken here");
  }
  if (last !== null && (isFixed || last.seats === signed)) return last;
  return isFixed ? null : keepEntropy(id, signed);
}

/** Returns the public id of this browser's secret.
 * @returns {Promise<string>} */
async function ownPlayer() {
  const text = new TextEncoder().encode(`assam/player\n${secret()}`);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(hash.slice(0, 10), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads a game if it is visible, and its seats as the service signs them.
 * @param {string} id
 * @param {string | null} commitment
 * @param {{ join_code?: string }} code
 * @returns {Promise<Before>} */
async function look(id, commitment, code) {
  const mustSign = commitment !== null && canCheck();
  for (let looks = 1; ; looks += 1) {
    try {
      const game = await ask(`/v1/games/${id}`);
      const signed = mustSign ? await askText(`/v1/games/${id}/receipt`) : "";
      if (mustSign) await passed(checkShown({ ...game, commitment }, signed));
      return { game, commitment, signed };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // The seats may have changed between the two requests.
      if (error.code === "seat_untrue" && looks < LOOKS) continue;
      if (error.code !== "game_not_found") throw error;
      const { receipt } = await hidden(id, { commitment, seats_digest: ZEROS, ...code }, "seats_changed");
      return { game: null, commitment, signed: receipt };
    }
  }
}

/** Takes the seat of a rematch that is reserved for this player.
 * @param {any} game
 * @returns {Promise<void>} */
export async function takeKeptSeat({ id, seats, commitment }) {
  const { player } = await ask("/v1/me");
  const kept = seats.find((/** @type {any} */ { kind, reserved_for }) => kind === "open" && reserved_for === player);
  if (kept !== undefined) await takeSeat(id, kept.seat, commitment, { name: keptName() });
}

/** Takes the first open seat of a private game that is not visible yet. Reads the seats once, so that all attempts use the same entropy.
 * @param {string} id
 * @param {Wishes} wishes
 * @returns {Promise<void>} */
export async function takeHiddenSeat(id, wishes) {
  await needSecret();
  const { expected: commitment } = await hidden(id, { commitment: ZEROS, join_code: wishes.joinCode ?? "" }, "commitment_mismatch");
  const before = await look(id, commitment, codeOf(wishes));
  const own = before.game?.your_seat ?? null;
  let taken = null;
  // The creator usually holds the first seat.
  for (const seat of own === null ? [2, 3, 4, 1] : [own]) {
    try {
      return await take(id, before, seat, wishes);
    } catch (error) {
      if (!(error instanceof Problem && ["seat_taken", "seat_not_found"].includes(error.code))) throw error;
      taken ??= error;
    }
  }
  throw taken;
}

const ZEROS = "0".repeat(64);

/** Learns a value of a game that is not visible: a request with zeros is refused with the right value, and takes no seat.
 * @param {string} id
 * @param {object} body
 * @param {string} code
 * @returns {Promise<any>} */
async function hidden(id, body, code) {
  try {
    await ask(`/v1/games/${id}/seats/1`, { method: "PUT", body });
  } catch (error) {
    if (error instanceof Problem && error.code === code) return error.told;
    throw error;
  }
  throw new Problem("internal", "the service accepted zeros as a value of the game");
}

// The verdict on the chance of a game, computed in this browser.

import { text } from "./text.js";
import { verify } from "./verify.js";

/** @typedef {import("./verify.js").Proof} Proof */

/** @typedef {{name: string, ok: boolean, detail: string}} Step */

/** What was found: whether nothing is wrong, what was checked, and what cannot be checked yet or here.
 * @typedef {{ok: boolean, steps: Step[], open: string[]}} Verdict */

/** Checks that everything that was drawn in a game follows from what the service committed to before its first move. With
 * the entropy that this browser added, or with the receipt that it kept, it checks that the game is the one it joined.
 *
 * @param {object} proof what `GET /v1/games/{id}/proof` returned
 * @param {string} [secretEntropy] what this browser added to the chance
 * @param {object} [receipt] the response to taking the seat
 * @returns {Promise<Verdict>} */
export async function checkProof(proof, secretEntropy, receipt) {
  if (!globalThis.crypto?.subtle) return { ok: false, steps: [step("browser", false)], open: [] };
  const known = /** @type {Proof} */ (proof);
  const { steps, open } = await chance(known);
  if (secretEntropy !== undefined) {
    const seat = known.seats?.find(({ entropy }) => entropy === secretEntropy);
    steps.push(seat ? step("entropy", true, { seat: seat.seat }) : step("no-entropy", false));
  }
  if (receipt !== undefined) steps.push(await kept(known, receipt));
  return { ok: steps.every(({ ok }) => ok), steps, open };
}

/** @param {string} key @param {boolean} ok @param {Record<string, string | number>} [values] @returns {Step} */
const step = (key, ok, values) => ({ name: text(`proof.${key}`), ok, detail: text(`proof.${key}.detail`, values) });

/** @param {unknown} error */
const failed = (error) => step("failed", false, { reason: error instanceof Error ? error.message : `${error}` });

/** Checks all that needs nothing but the proof.
 * @param {Proof} proof
 * @returns {Promise<{steps: Step[], open: string[]}>} */
async function chance(proof) {
  try {
    const { heads, outcomes } = await verify(proof);
    const steps = [step("heads", true, { count: heads })];
    if (proof.imported) return { steps, open: [text("proof.open.imported")] };
    steps.push(step("commitment", true, { commitment: proof.commitment ?? "" }));
    if (proof.seed !== null) steps.push(step("seed", true));
    steps.push(step(proof.seed === null ? "so-far" : "chance", true, { count: outcomes ?? 0 }));
    return { steps, open: openOf(proof) };
  } catch (error) {
    return { steps: [failed(error)], open: [] };
  }
}

/** Says what this verdict leaves open.
 * @param {Proof} proof */
function openOf({ seed, seats, beacon }) {
  const open = seed === null ? [text("proof.open.seed")] : [];
  const last = seats.reduce((one, other) => ((other.revision ?? 0) > (one.revision ?? 0) ? other : one));
  if (beacon) open.push(text("proof.open.beacon"));
  else if (seats.every(({ entropy }) => entropy === null)) open.push(text("proof.open.no-entropy"));
  else open.push(text(last.entropy === null ? "proof.open.last-without" : "proof.open.last", { seat: last.seat }));
  for (const { seat, kind } of seats) {
    if (kind === "random" || kind === "solitaire-ai") open.push(text("proof.open.player", { seat, player: text(`seat.${kind}`) }));
  }
  return open;
}

/** Checks that a receipt belongs to the game of a proof.
 * @param {Proof} proof
 * @param {object} receipt
 * @returns {Promise<Step>} */
async function kept(proof, receipt) {
  const known = /** @type {NonNullable<import("./verify.js").Kept["receipt"]>} */ (receipt);
  try {
    await verify(proof, { receipt: known });
    return step("receipt", true, { seat: known.your_seat ?? "" });
  } catch (error) {
    return failed(error);
  }
}

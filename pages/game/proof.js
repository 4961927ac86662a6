// Checks the dice and cards of a game in this browser.

import { isBuiltIn, titleOf } from "./players.js";
import { text } from "./text.js";
import { verify } from "./verify.js";

/** @typedef {import("./verify.js").Proof} Proof */

/** @typedef {{name: string, ok: boolean, detail: string}} Step */

/** The verdict: whether nothing is wrong, what was checked, and what cannot be checked yet or here.
 * @typedef {{ok: boolean, steps: Step[], open: string[]}} Verdict */

/** Checks that all chance in a game follows from the service's commitment before the first move. With the entropy that this
 * browser added, or the receipt that it kept, also checks that the game is the one it joined.
 *
 * @param {object} proof the response of `GET /v1/games/{id}/proof`
 * @param {string} [secretEntropy] the entropy that this browser added
 * @param {object} [receipt] the response to taking the seat
 * @returns {Promise<Verdict>} */
export async function checkProof(proof, secretEntropy, receipt) {
  if (!globalThis.crypto?.subtle) return { ok: false, steps: [step("browser", false)], open: [] };
  const known = /** @type {Proof} */ (proof);
  const steps = await chance(known);
  if (secretEntropy !== undefined) {
    const seat = known.seats?.find(({ entropy }) => entropy === secretEntropy);
    steps.push(seat ? step("entropy", true, { seat: seat.seat }) : step("no-entropy", false));
  }
  if (receipt !== undefined) {
    steps.push(...(await kept(known, receipt)));
  }
  const ok = steps.every(({ ok }) => ok);
  return { ok, steps, open: ok ? openOf(known, steps) : [] };
}

/** @param {string} key @param {boolean} ok @param {Record<string, string | number>} [values] @returns {Step} */
const step = (key, ok, values) => ({ name: text(`proof.${key}`), ok, detail: text(`proof.${key}.detail`, values) });

/** @param {unknown} error */
const failed = (error) => step("failed", false, { reason: error instanceof Error ? error.message : `${error}` });

/** Runs the checks that need only the proof.
 * @param {Proof} proof
 * @returns {Promise<Step[]>} */
async function chance(proof) {
  try {
    const { heads, outcomes } = await verify(proof);
    const steps = [step("heads", true, { count: heads })];
    if (proof.imported) return steps;
    steps.push(step("commitment", true, { commitment: proof.commitment ?? "" }));
    if (proof.seed !== null) steps.push(step("seed", true));
    steps.push(step(proof.seed === null ? "so-far" : "chance", true, { count: outcomes ?? 0 }));
    return steps;
  } catch (error) {
    return [failed(error)];
  }
}

/** Returns what the verdict leaves open.
 * @param {Proof} proof
 * @param {Step[]} steps what was checked */
function openOf({ imported, seed, seats, beacon }, steps) {
  if (imported) return [text("proof.open.imported")];
  const open = seed === null ? [text("proof.open.seed")] : [];
  const last = seats.reduce((one, other) => ((other.revision ?? 0) > (one.revision ?? 0) ? other : one));
  if (beacon) open.push(text("proof.open.beacon"));
  else if (seats.every(({ entropy }) => entropy === null)) open.push(text("proof.open.no-entropy"));
  else if (!steps.some(({ name }) => name === text("proof.unchosen"))) {
    open.push(text(last.entropy === null ? "proof.open.last-without" : "proof.open.last", { seat: last.seat }));
  }
  for (const { seat, kind } of seats) {
    if (isBuiltIn(kind)) open.push(text("proof.open.player", { seat, player: titleOf(kind) }));
  }
  return open;
}

/** Checks that a receipt belongs to the game of a proof, and whether it shows that no one could choose the chance.
 * @param {Proof} proof
 * @param {object} receipt
 * @returns {Promise<Step[]>} */
async function kept(proof, receipt) {
  const known = /** @type {import("./verify.js").SeatReceipt} */ (receipt);
  try {
    const { facts } = await verify(proof, { receipt: known });
    const isUnchosen = facts.some(({ code, isGood }) => code === "nobody" && isGood);
    return [step("receipt", true, { seat: known.your_seat ?? "" }), ...(isUnchosen ? [step("unchosen", true)] : [])];
  } catch (error) {
    return [failed(error)];
  }
}

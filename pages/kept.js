// What this browser keeps: the secret that plays all of its seats, the receipts of these, and a few habits.

const SECRET = "assam.secret";
const NAME = "assam.name";
const PACE = "assam.pace";

/** Returns 32 random bytes as hex digits.
 * @returns {string} */
export function randomHex() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the secret, or null where none was needed yet.
 * @returns {string | null} */
export function secret() {
  return localStorage.getItem(SECRET);
}

/** Returns the secret, which is made where there is none.
 * @returns {string} */
export function needSecret() {
  const kept = secret();
  if (kept !== null) return kept;
  const made = randomHex();
  localStorage.setItem(SECRET, made);
  return made;
}

/** Takes over a secret; returns whether it is one.
 * @param {string} entered
 * @returns {boolean} */
export function enterSecret(entered) {
  const secret = entered.trim().toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(secret)) return false;
  localStorage.setItem(SECRET, secret);
  return true;
}

/** @typedef {{ receipt: unknown, entropy: string, by: string }} KeptReceipt the response to taking a seat, null until it came; the entropy that
 * was sent; and the beginning of the secret that took it */

/** Returns how the secret is told from others. */
const mark = () => (secret() ?? "").slice(0, 16);

/** @param {string} game
 * @returns {KeptReceipt | null} */
function sent(game) {
  const kept = JSON.parse(localStorage.getItem(`assam.receipt.${game}`) ?? "null");
  return kept?.by === mark() ? kept : null;
}

/** @param {string} game
 * @param {KeptReceipt} receipt */
function keep(game, receipt) {
  localStorage.setItem(`assam.receipt.${game}`, JSON.stringify(receipt));
}

/** Returns the entropy for a seat of a game: the same one each time, as the service takes the first that comes. It is kept before it is sent.
 * @param {string} game
 * @returns {string} */
export function entropyFor(game) {
  const kept = sent(game) ?? { receipt: null, entropy: randomHex(), by: mark() };
  keep(game, kept);
  return kept.entropy;
}

/** Keeps the receipt of a seat.
 * @param {string} game
 * @param {unknown} receipt */
export function keepReceipt(game, receipt) {
  keep(game, { receipt, entropy: entropyFor(game), by: mark() });
}

/** Forgets the receipt of a seat that was left.
 * @param {string} game */
export function forgetReceipt(game) {
  localStorage.removeItem(`assam.receipt.${game}`);
}

/** Returns the receipt of the seat in a game, or null.
 * @param {string} game
 * @returns {KeptReceipt | null} */
export function receiptOf(game) {
  const kept = sent(game);
  return kept?.receipt == null ? null : kept;
}

/** Returns the name that was used last. */
export function keptName() {
  return localStorage.getItem(NAME) ?? "";
}

/** Keeps the name for the next seat.
 * @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME, name);
}

/** Returns how fast games are shown: 1 is usual. */
export function pace() {
  return Number(localStorage.getItem(PACE) ?? "1") || 1;
}

/** Keeps how fast games are shown.
 * @param {number} speed */
export function keepPace(speed) {
  localStorage.setItem(PACE, String(speed));
}

/** @typedef {{ joinCode?: string }} KeptGame what whoever created a game knows of it */

/** Keeps that a game was created here: whoever did may abort and remove it, and knows its join code.
 * @param {string} game
 * @param {KeptGame} kept */
export function keepCreated(game, kept) {
  localStorage.setItem(`assam.created.${game}`, JSON.stringify(kept));
}

/** Returns what is known of a game that was created here, or null.
 * @param {string} game
 * @returns {KeptGame | null} */
export function createdHere(game) {
  return JSON.parse(localStorage.getItem(`assam.created.${game}`) ?? "null");
}

// Storage of this browser: the secret that plays its seats, their receipts, and a few preferences. People, other programs and full disks change it, so
// invalid values are discarded when read.

const SECRET = "assam.secret";
const NAME = "assam.name";
const PACE = "assam.pace";
const PROBE = "assam.probe";
const RECORD = "assam.record";

/** Replay speeds. 1 is normal. */
export const PACES = [0.5, 1, 2, 4, 20];

/** The form of a secret, and of entropy. */
const DIGITS = /^[0-9a-f]{64}$/;

/** How long another page may take to notice a new secret, in milliseconds. */
const HEARSAY = 100;

/** Values that the browser refused to store. They last as long as this page is open.
 * @type {Map<string, string>} */
const unkept = new Map();

/** Returns whether the browser stores anything for this page.
 * @returns {boolean} */
export function keepsAnything() {
  try {
    localStorage.setItem(PROBE, "");
    localStorage.removeItem(PROBE);
    return true;
  } catch {
    return false;
  }
}

/** Returns the value stored under a key, or null. Discards unreadable values.
 * @template Value
 * @param {string} key
 * @param {(kept: string) => Value | null} read returns null or throws if the value is invalid
 * @returns {Value | null} */
export function recall(key, read) {
  try {
    const kept = unkept.get(key) ?? localStorage.getItem(key);
    if (kept === null) return null;
    const value = read(kept);
    if (value !== null) return value;
  } catch {
    // The value is not JSON, or the browser stores nothing.
  }
  forget(key);
  return null;
}

/** Stores a value under a key, for this page only if the browser refuses.
 * @param {string} key
 * @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
    unkept.delete(key);
  } catch {
    unkept.set(key, value);
  }
}

/** @param {string} key */
function forget(key) {
  unkept.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // The browser stores nothing.
  }
}

/** Returns 32 random bytes as hex digits.
 * @returns {string} */
export function randomHex() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the secret, or null if none was needed yet.
 * @returns {string | null} */
export function secret() {
  return recall(SECRET, (kept) => (DIGITS.test(kept) ? kept : null));
}

/** Returns the secret, and creates one if there is none. Pages that need one at the same time share it: one of them creates it, and the
 * others pick it up. Pages on http: other than localhost have no locks, and the last secret written wins.
 * @returns {Promise<string>} */
export async function needSecret() {
  const make = async () => {
    const made = secret() ?? randomHex();
    if (secret() === null) {
      remember(SECRET, made);
      await new Promise((done) => setTimeout(done, HEARSAY));
    }
    return secret() ?? made;
  };
  return secret() ?? (navigator.locks === undefined ? make() : navigator.locks.request(SECRET, make).catch(make));
}

/** Calls back when another page of this browser has created or entered a secret.
 * @param {(isFirst: boolean) => void} act */
export function onOtherSecret(act) {
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    if (key === SECRET && newValue !== oldValue) act(oldValue === null);
  });
}

/** Returns the secret in a user's input, or null if it is not one.
 * @param {string} entered
 * @returns {string | null} */
export function secretIn(entered) {
  const written = entered.trim().toLowerCase();
  return DIGITS.test(written) ? written : null;
}

/** Replaces the secret of this browser.
 * @param {string} other */
export function takeSecret(other) {
  remember(SECRET, other);
}

/** Parses an object. Throws if the text is not one.
 * @param {string} text
 * @returns {Record<string, any>} */
function objectIn(text) {
  const value = JSON.parse(text);
  if (Object.prototype.toString.call(value) !== "[object Object]") throw new TypeError("the stored value is not an object");
  return value;
}

/** @typedef {{ receipt: object | null, entropy: string, seats: string, by: string }} KeptReceipt the response to taking a seat, null until it arrives; the
 * entropy sent; the seats that the service had signed before; and the start of the secret used */

/** Returns the start of the secret, which tells it apart from others. */
const mark = () => (secret() ?? "").slice(0, 16);

/** Returns what was sent for a seat of a game, answered or not. Returns null if it was sent with another secret.
 * @param {string} game
 * @returns {KeptReceipt | null} */
export function sentFor(game) {
  const kept = recall(`assam.receipt.${game}`, (text) => {
    const { receipt, entropy, seats = "", by } = objectIn(text);
    const isWhole = DIGITS.test(entropy) && [seats, by].every((kept) => typeof kept === "string") && (receipt === null || isReceipt(receipt, game));
    return isWhole ? { receipt, entropy, seats, by } : null;
  });
  return kept?.by === mark() ? kept : null;
}

/** Returns whether a value has the form of a seat's receipt in a game.
 * @param {any} receipt
 * @param {string} game */
function isReceipt({ id, setup, commitment, seats, your_seat }, game) {
  const isStart = id === game && typeof setup === "string" && (commitment === null || typeof commitment === "string");
  return isStart && Number.isInteger(your_seat) && Array.isArray(seats) && seats.every((seat) => Number.isInteger(seat?.seat));
}

/** @param {string} game
 * @param {KeptReceipt} receipt */
function keep(game, receipt) {
  remember(`assam.receipt.${game}`, JSON.stringify(receipt));
}

/** Draws entropy for a seat of a game, and stores it before it is sent.
 * @param {string} game
 * @param {string} seats the seats as the service signed them
 * @returns {KeptReceipt} */
export function keepEntropy(game, seats) {
  const kept = { receipt: null, entropy: randomHex(), seats, by: mark() };
  keep(game, kept);
  return kept;
}

/** Stores the receipt of a seat whose entropy is already stored.
 * @param {string} game
 * @param {any} receipt */
export function keepReceipt(game, receipt) {
  const kept = sentFor(game);
  // An invalid receipt would be discarded at the next read, together with the entropy.
  if (kept === null || !isReceipt(receipt, game)) throw new TypeError("the receipt is invalid and cannot be stored");
  keep(game, { ...kept, receipt });
}

/** Deletes the receipt of a seat that the player left.
 * @param {string} game */
export function forgetReceipt(game) {
  forget(`assam.receipt.${game}`);
}

/** Returns the receipt of this browser's seat in a game, or null.
 * @param {string} game
 * @returns {KeptReceipt | null} */
export function receiptOf(game) {
  const kept = sentFor(game);
  return kept?.receipt == null ? null : kept;
}

/** Returns the player name used last. */
export function keptName() {
  return recall(NAME, (kept) => (kept.length <= 64 ? kept : null)) ?? "";
}

/** Stores the player name for the next seat.
 * @param {string} name */
export function keepName(name) {
  remember(NAME, name);
}

/** Returns the built-in players that were chosen last as opponents in a game, in the order of their seats.
 * @param {string} game
 * @returns {string[]} */
export function keptOpponents(game) {
  return recall(`assam.opponents.${game}`, (kept) => kept.split(" ")) ?? [];
}

/** Stores the built-in opponents for the next game.
 * @param {string} game
 * @param {string[]} kinds */
export function keepOpponents(game, kinds) {
  remember(`assam.opponents.${game}`, kinds.join(" "));
}

/** Returns the replay speed. */
export function pace() {
  return recall(PACE, (kept) => PACES.find((pace) => `${pace}` === kept) ?? null) ?? 1;
}

/** Stores the replay speed.
 * @param {number} speed */
export function keepPace(speed) {
  remember(PACE, String(speed));
}

/** @typedef {{ joinCode?: string }} KeptGame what only the creator of a game knows */

/** Stores that this browser created a game. Its creator may abort and remove it, and knows its join code.
 * @param {string} game
 * @param {KeptGame} kept */
export function keepCreated(game, kept) {
  remember(`assam.created.${game}`, JSON.stringify(kept));
}

/** Returns what is stored about a game created here, or null.
 * @param {string} game
 * @returns {KeptGame | null} */
export function createdHere(game) {
  return recall(`assam.created.${game}`, (text) => {
    const { joinCode } = objectIn(text);
    return joinCode === undefined ? {} : typeof joinCode === "string" ? { joinCode } : null;
  });
}

/** Passes a record to the page that opens next in this tab. Returns whether the browser could store it.
 * @param {string} record
 * @param {string} [key] */
export function handOver(record, key = RECORD) {
  try {
    sessionStorage.setItem(key, record);
    return true;
  } catch {
    return false;
  }
}

/** Takes the record that another page passed on, or null.
 * @returns {string | null} */
export function takeHandedOver() {
  try {
    const record = sessionStorage.getItem(RECORD);
    sessionStorage.removeItem(RECORD);
    return record;
  } catch {
    return null;
  }
}

// What this browser keeps: the secret that plays all of its seats, the receipts of these, and a few habits. People, other programs and full disks
// change what is kept: what is not as it should be is thrown away when it is read.

const SECRET = "assam.secret";
const NAME = "assam.name";
const PACE = "assam.pace";
const PROBE = "assam.probe";
const RECORD = "assam.record";

/** How fast games can be shown: 1 is usual. */
export const PACES = [0.5, 1, 2, 4, 20];

/** What a secret, or entropy, looks like. */
const DIGITS = /^[0-9a-f]{64}$/;

/** How long another page may take to hear of a secret, in milliseconds. */
const HEARSAY = 100;

/** What the browser refused to keep: it is kept as long as this page is open.
 * @type {Map<string, string>} */
const unkept = new Map();

/** Returns whether the browser keeps anything for this page.
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

/** Returns what is kept under a key, or null. What cannot be read is thrown away.
 * @template Value
 * @param {string} key
 * @param {(kept: string) => Value | null} read returns null, or throws, where it is not what it should be
 * @returns {Value | null} */
export function recall(key, read) {
  try {
    const kept = unkept.get(key) ?? localStorage.getItem(key);
    if (kept === null) return null;
    const value = read(kept);
    if (value !== null) return value;
  } catch {
    // It is no JSON, or the browser keeps nothing.
  }
  forget(key);
  return null;
}

/** Keeps a value under a key, if need be for this page only.
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
    // Nothing was kept there.
  }
}

/** Returns 32 random bytes as hex digits.
 * @returns {string} */
export function randomHex() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the secret, or null where none was needed yet.
 * @returns {string | null} */
export function secret() {
  return recall(SECRET, (kept) => (DIGITS.test(kept) ? kept : null));
}

/** Returns the secret, which is made where there is none. Pages that need one at once get the same one: one of them makes it, and
 * the others hear of it. Where there are no locks, which is on http: pages but for localhost, the one that was written last counts.
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

/** Does something when another page of this browser has made or entered a secret.
 * @param {(isFirst: boolean) => void} act */
export function onOtherSecret(act) {
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    if (key === SECRET && newValue !== oldValue) act(oldValue === null);
  });
}

/** Returns what was entered as a secret, or null if it is none.
 * @param {string} entered
 * @returns {string | null} */
export function secretIn(entered) {
  const written = entered.trim().toLowerCase();
  return DIGITS.test(written) ? written : null;
}

/** Takes over a secret in place of the one that is here.
 * @param {string} other */
export function takeSecret(other) {
  remember(SECRET, other);
}

/** Reads an object. Throws where there is none.
 * @param {string} text
 * @returns {Record<string, any>} */
function objectIn(text) {
  const value = JSON.parse(text);
  if (Object.prototype.toString.call(value) !== "[object Object]") throw new TypeError("no object is kept");
  return value;
}

/** @typedef {{ receipt: object | null, entropy: string, seats: string, by: string }} KeptReceipt the response to taking a seat, null until it came; the
 * entropy that was sent; what the service had signed of the seats before; and the beginning of the secret that took it */

/** Returns how the secret is told from others. */
const mark = () => (secret() ?? "").slice(0, 16);

/** Returns what was sent for a seat of a game, whether or not it was answered; null if it was sent with another secret.
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

/** Returns whether something can be the receipt of a seat in a game.
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

/** Draws entropy for a seat of a game, and keeps it before it is sent.
 * @param {string} game
 * @param {string} seats what the service has signed of the seats
 * @returns {KeptReceipt} */
export function keepEntropy(game, seats) {
  const kept = { receipt: null, entropy: randomHex(), seats, by: mark() };
  keep(game, kept);
  return kept;
}

/** Keeps the receipt of a seat whose entropy was kept before.
 * @param {string} game
 * @param {any} receipt */
export function keepReceipt(game, receipt) {
  const kept = sentFor(game);
  // What cannot be read again would be thrown away with all that was sent.
  if (kept === null || !isReceipt(receipt, game)) throw new TypeError("the receipt cannot be kept");
  keep(game, { ...kept, receipt });
}

/** Forgets the receipt of a seat that was left.
 * @param {string} game */
export function forgetReceipt(game) {
  forget(`assam.receipt.${game}`);
}

/** Returns the receipt of the seat in a game, or null.
 * @param {string} game
 * @returns {KeptReceipt | null} */
export function receiptOf(game) {
  const kept = sentFor(game);
  return kept?.receipt == null ? null : kept;
}

/** Returns the name that was used last. */
export function keptName() {
  return recall(NAME, (kept) => (kept.length <= 64 ? kept : null)) ?? "";
}

/** Keeps the name for the next seat.
 * @param {string} name */
export function keepName(name) {
  remember(NAME, name);
}

/** Returns how fast games are shown. */
export function pace() {
  return recall(PACE, (kept) => PACES.find((pace) => `${pace}` === kept) ?? null) ?? 1;
}

/** Keeps how fast games are shown.
 * @param {number} speed */
export function keepPace(speed) {
  remember(PACE, String(speed));
}

/** @typedef {{ joinCode?: string }} KeptGame what whoever created a game knows of it */

/** Keeps that a game was created here: whoever did may abort and remove it, and knows its join code.
 * @param {string} game
 * @param {KeptGame} kept */
export function keepCreated(game, kept) {
  remember(`assam.created.${game}`, JSON.stringify(kept));
}

/** Returns what is known of a game that was created here, or null.
 * @param {string} game
 * @returns {KeptGame | null} */
export function createdHere(game) {
  return recall(`assam.created.${game}`, (text) => {
    const { joinCode } = objectIn(text);
    return joinCode === undefined ? {} : typeof joinCode === "string" ? { joinCode } : null;
  });
}

/** Hands a record over to the page that is opened next in this tab. Returns whether the browser keeps it so long.
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

/** Takes the record that was handed over; null where there is none.
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

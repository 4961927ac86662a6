// Asks for a game as soon as it can be, before the texts of the page are there: so its board is drawn a round trip earlier.

import { secret } from "./kept.js";

/** Reads something in the name of whoever is here; null where that fails, as it is read again by those who can say why.
 * @param {string} path
 * @returns {Promise<Response | null>} */
async function read(path) {
  const known = secret();
  /** @type {Record<string, string>} */
  const headers = known === null ? {} : { Authorization: `Bearer ${known}` };
  const response = await fetch(path, { headers, cache: "no-cache" }).catch(() => null);
  return response?.ok ? response : null;
}

/** Returns the address of a picture.
 * @param {string} path of the game
 * @param {number} ply */
export function pictureAddress(path, ply) {
  return `${path}/states/${ply}.svg?board_only=true`;
}

/** What was asked for early: the number of the ply that is shown first, its picture, and all states.
 * @typedef {{ ply: number, picture: Promise<string | null>, states: Promise<any[] | null> }} Early */

/** Asks for the ply that the address names, or the last one.
 * @returns {Promise<Early | null>} null where there is none */
async function ask() {
  // Whoever comes with a code has no seat yet, and may see nothing.
  if (location.hash.includes("join=")) return null;
  const path = `/v1${location.pathname}`;
  const head = (await (await read(path))?.json())?.head;
  if (head == null) return null;
  const named = Number(/ply=(\d+)/.exec(location.hash)?.[1] ?? head.ply);
  const ply = Math.min(named, head.ply);
  return {
    ply,
    picture: read(pictureAddress(path, ply)).then(async (response) => (await response?.text()) ?? null).catch(() => null),
    states: read(`${path}/states`).then(async (response) => (await response?.json())?.states ?? null).catch(() => null),
  };
}

/** @type {Promise<Early | null>} */
export const early = ask().catch(() => null);

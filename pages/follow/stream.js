// Follows a stream through lost connections.

import { Problem, isPassing, pause } from "./retry.js";

/** After how long without a message a connection is dead, how long it may be without one, and how long is waited at most before the
 * next one, in milliseconds. */
const SILENCE = 30_000;
export const HEARTBEAT = 16_000;
const LONGEST = 30_000;

/** @typedef {Record<string, any> & { type: string }} Message */
/** @typedef {{ heard: number, isStale: boolean, end: () => void }} Connection */
/** @typedef {{
 *   address: () => string,
 *   secret: string | null,
 *   hear: (message: Message, game: string | null) => void,
 *   connected: (isConnected: boolean) => void,
 *   signal: AbortSignal,
 * }} Stream `address` is asked for with each connection, as it names the place to go on from */

/** The connections there are. @type {Set<Connection>} */
const connections = new Set();

/** Connects again at once where nothing was heard for some time: the network may have been away.
 * @param {number} silence in milliseconds */
export function reconnect(silence) {
  for (const connection of connections) {
    if (Date.now() - connection.heard < silence) continue;
    connection.isStale = true;
    connection.end();
  }
}

/** Follows a stream until that is not wanted any more. Throws the problem where the service refuses it.
 * @param {Stream} stream
 * @returns {Promise<void>} */
export async function follow({ address, secret, hear, connected, signal }) {
  let tries = 0;
  while (!signal.aborted) {
    let rest = tries === 0 ? 0 : Math.min(LONGEST, 500 * 2 ** tries) * (0.75 + Math.random() / 2);
    // What is tried early, such as when the network has just come back, is tried again soon.
    if (rest > 0 && (await pause(rest))) tries = 0;
    if (signal.aborted) return;
    tries += 1;
    rest = 0;
    const ending = new AbortController();
    /** @type {Connection} */
    const connection = { heard: Date.now(), isStale: false, end: () => ending.abort() };
    signal.addEventListener("abort", connection.end);
    connections.add(connection);
    try {
      for await (const line of lines(address(), secret, connection, ending.signal)) {
        if (signal.aborted) return;
        // Of several games, it stands beside the one that it is about.
        const { game_id: game = null, message = line } = line;
        // Before that, whatever comes may break off at the same place each time.
        if (message.type === "caught-up") tries = 0;
        connected(true);
        hear(message, game);
        if (message.type === "closing") rest = message.retry;
      }
    } catch (error) {
      if (!signal.aborted && error instanceof Problem && !isPassing(error)) throw error;
    } finally {
      connections.delete(connection);
      signal.removeEventListener("abort", connection.end);
      connection.end();
    }
    if (signal.aborted) return;
    if (connection.isStale) {
      tries = 0;
      continue;
    }
    connected(false);
    await pause(rest);
  }
}

/** Returns the lines of one connection.
 * @param {string} address
 * @param {string | null} secret
 * @param {Connection} connection
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any>} */
async function* lines(address, secret, connection, signal) {
  let alarm = setTimeout(connection.end, SILENCE);
  try {
    const accepted = { Accept: "application/x-ndjson" };
    const headers = secret === null ? accepted : { ...accepted, Authorization: `Bearer ${secret}` };
    const response = await fetch(address, { headers, signal, cache: "no-store" });
    if (!response.ok || response.body === null) {
      const told = await response.json().catch(() => ({ status: response.status }));
      throw new Problem(told.code ?? "internal", told.detail ?? response.statusText, told);
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(alarm);
      alarm = setTimeout(connection.end, SILENCE);
      connection.heard = Date.now();
      const whole = (rest + value).split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole) if (line.trim() !== "") yield JSON.parse(line);
    }
  } finally {
    clearTimeout(alarm);
  }
}

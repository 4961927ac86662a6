// Follows a stream, and reconnects when the connection is lost.

import { Problem, isPassing, pause } from "./retry.js";

/** How long a connection may be silent before it is dead, how long it may be silent after a wake-up, and the longest pause before
 * the next connection, in milliseconds. */
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
 * }} Stream `address` is called for each connection, because it contains the place to resume from */

/** The open connections. @type {Set<Connection>} */
const connections = new Set();

/** Reconnects connections that have been silent for some time, because the network may have been down.
 * @param {number} silence in milliseconds */
export function reconnect(silence) {
  for (const connection of connections) {
    if (Date.now() - connection.heard < silence) continue;
    connection.isStale = true;
    connection.end();
  }
}

/** Follows a stream until it is aborted. Throws the problem if the service refuses.
 * @param {Stream} stream
 * @returns {Promise<void>} */
export async function follow({ address, secret, hear, connected, signal }) {
  let tries = 0;
  while (!signal.aborted) {
    let rest = tries === 0 ? 0 : Math.min(LONGEST, 500 * 2 ** tries) * (0.75 + Math.random() / 2);
    // A retry that came early, such as when the network has just returned, is repeated soon.
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
        // A stream of several games wraps each message with the id of its game.
        const { game_id: game = null, message = line } = line;
        // Until the stream has caught up, it may break at the same place each time.
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

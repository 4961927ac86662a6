// Follows a stream through lost connections: every message once, in order.

import { Problem, isPassing, signed, wait } from "./api.js";

/** After how long without a message a connection is dead, and how long is waited at most before the next one, in milliseconds. */
const SILENCE = 30_000;
const LONGEST = 30_000;

/** @typedef {Record<string, any> & { type: string }} Message */
/** @typedef {{
 *   place: (message: Message) => string | null,
 *   hear: (message: Message) => void,
 *   connected: (isConnected: boolean) => void,
 *   last: (message: Message) => boolean,
 *   since?: string | null,
 *   signal?: AbortSignal,
 * }} Follower `place` says where a message is, to go on after it; `last` whether nothing comes after it; `since` is where to begin */

/** Follows a stream until its last message. Throws the problem where the service refuses it.
 * @param {string} path
 * @param {Follower} follower
 * @returns {Promise<void>} */
export async function follow(path, { place, hear, connected, last, since = null, signal }) {
  let tries = 0;
  while (!signal?.aborted) {
    let pause = tries === 0 ? 0 : Math.min(LONGEST, 500 * 2 ** tries) * (0.75 + Math.random() / 2);
    await wait(pause);
    tries += 1;
    pause = 0;
    try {
      /** @type {string} */
      const address = since === null ? path : `${path}${path.includes("?") ? "&" : "?"}since=${encodeURIComponent(since)}`;
      for await (const message of messages(address, signal)) {
        if (signal?.aborted) return;
        // Before that, whatever comes may break off at the same place each time.
        if (message.type === "caught-up") tries = 0;
        connected(true);
        hear(message);
        if (last(message)) return;
        since = place(message) ?? since;
        if (message.type === "closing") pause = message.retry;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Problem && !isPassing(error)) throw error;
    }
    if (signal?.aborted) return;
    connected(false);
    await wait(pause);
  }
}

/** Returns the messages of one connection.
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Message>} */
async function* messages(path, signal) {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal?.addEventListener("abort", end);
  let alarm = setTimeout(end, SILENCE);
  try {
    const headers = signed({ Accept: "application/x-ndjson" });
    const response = await fetch(path, { headers, signal: ending.signal, cache: "no-store" });
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
      alarm = setTimeout(end, SILENCE);
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
    }
  } finally {
    clearTimeout(alarm);
    signal?.removeEventListener("abort", end);
    end();
  }
}

// Requests a game as soon as its page begins to load. The service embeds this script in the page, because a linked script
// arrives one round trip later.
"use strict";

/** The early requests: the game, the ply shown first, its picture, and all states.
 * @typedef {{ game: any, ply: number, picture: Promise<string | null>, states: Promise<any[] | null> }} Early */

{
  /** Reads a path with the secret of this browser. Returns null on failure, because the page reads it again and reports the reason.
   * @param {string} path
   * @param {(response: Response) => Promise<any>} take
   * @returns {Promise<any>} */
  const read = async (path, take) => {
    try {
      const secret = /^[0-9a-f]{64}$/.exec(localStorage.getItem("assam.secret") ?? "")?.[0];
      /** @type {Record<string, string>} */
      const headers = secret === undefined ? {} : { Authorization: `Bearer ${secret}` };
      const response = await fetch(path, { headers, cache: "no-cache", signal: AbortSignal.timeout(10_000) });
      return response.ok ? await take(response) : null;
    } catch {
      return null;
    }
  };

  /** Requests the ply in the address, or the last one.
   * @returns {Promise<Early | null>} null if the game has no plies */
  const ask = async () => {
    const path = `../v1/games/${location.pathname.split("/").pop()}`;
    // Visitors with a join code have no seat yet, and may not see the game.
    const game = location.hash.includes("join=") ? null : await read(path, (response) => response.json());
    if (game?.head == null) return null;
    const { ply: last } = game.head;
    const ply = Math.min(Number(/ply=(\d+)/.exec(location.hash)?.[1] ?? last), last);
    return {
      game,
      ply,
      picture: read(`${path}/states/${ply}.svg?board_only=true`, (response) => response.text()),
      states: read(`${path}/states`, async (response) => (await response.json()).states),
    };
  };

  Object.assign(globalThis, { early: ask() });
}

// Asks for a game as soon as its page begins to load. The service puts this into the page itself, as nothing that the page
// names can be there before it: so the board is drawn a round trip earlier.
"use strict";

/** What was asked for early: the game, the number of the ply that is shown first, its picture, and all states.
 * @typedef {{ game: any, ply: number, picture: Promise<string | null>, states: Promise<any[] | null> }} Early */

{
  /** Reads something in the name of whoever is here; null where that fails, as it is read again by those who can say why.
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

  /** Asks for the ply that the address names, or the last one.
   * @returns {Promise<Early | null>} null where there is none */
  const ask = async () => {
    const path = `../v1/games/${location.pathname.split("/").pop()}`;
    // Whoever comes with a code has no seat yet, and may see nothing.
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

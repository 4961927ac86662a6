// What is known of a game: as its stream tells it, with the position after every ply, and its pictures.

import { ask, askText } from "./api.js";

/** @typedef {import("./games.js").Ply} Ply */

/** What early.js has asked for, or null.
 * @type {Promise<Early | null>} */
export const early = /** @type {any} */ (globalThis).early;

/** How many pictures are kept. */
const MOST = 60;

/** A game as it is known here. */
export class Known {
  /** The game as the interface shows it; null until it was told.
   * @type {any} */
  game = null;
  /** @type {Ply[]} */
  plies = [];
  /** The names of the seats, in order.
   * @type {string[]} */
  names = [];
  /** @type {number[]} */
  connected = [];
  /** The ply that the reader has decided last; -1 before that. */
  sent = -1;
  /** @type {Map<number, Promise<string>>} */
  #pictures = new Map();

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.path = `/v1/games/${id}`;
  }

  /** The number of the last ply; -1 before the start. */
  get last() {
    return this.plies.length - 1;
  }

  /** The position as it stands; null before the start.
   * @returns {any} */
  get state() {
    return this.plies.at(-1)?.state ?? null;
  }

  /** Whether it goes on. */
  get isRunning() {
    return this.game?.status === "running";
  }

  /** Returns the name of a seat.
   * @type {import("./games.js").NameOf} */
  nameOf = (seat) => this.names[seat - 1] ?? String(seat);

  /** Takes over what was asked for early, or else reads all plies. */
  async begin() {
    const { ply, picture, states } = (await early) ?? {};
    this.plies = (await states) ?? [];
    if (this.last < this.game.head.ply) return this.read();
    const drawn = await picture;
    if (ply !== undefined && drawn != null) this.#pictures.set(ply, Promise.resolve(drawn));
  }

  /** Reads all plies. */
  async read() {
    this.#pictures.clear();
    const { states } = await ask(`${this.path}/states`);
    this.plies = states;
  }

  /** Reads the game without its plies. */
  async readGame() {
    this.game = await ask(this.path);
  }

  /** Reads a ply that was written, or that shows more than it did.
   * @param {number} ply */
  async readPly(ply) {
    const asked = ask(`${this.path}/states/${ply}`);
    // It is shown next, and does not wait for its state.
    if (ply > this.last) this.picture(ply).catch(() => {});
    this.plies[ply] = await asked;
  }

  /** Forgets the pictures from a ply on. They show more now.
   * @param {number} first */
  forgetPictures(first) {
    for (const ply of this.#pictures.keys()) if (ply >= first) this.#pictures.delete(ply);
  }

  /** Returns the picture after a ply.
   * @param {number} ply
   * @returns {Promise<string>} */
  picture(ply) {
    const kept = this.#pictures.get(ply);
    if (kept !== undefined) return kept;
    const asked = askText(`${this.path}/states/${ply}.svg?board_only=true`);
    this.#pictures.set(ply, asked);
    asked.catch(() => this.#pictures.delete(ply));
    for (const old of this.#pictures.keys()) {
      if (this.#pictures.size <= MOST) break;
      this.#pictures.delete(old);
    }
    return asked;
  }
}

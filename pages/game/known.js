// The state of a game on this page: the game as its stream reports it, the position after every ply, and pictures.

import { ask, askText } from "./api.js";

/** @typedef {import("./games.js").Ply} Ply */

/** The early requests of early.js, or null.
 * @type {Promise<Early | null>} */
export const early = /** @type {any} */ (globalThis).early;

/** Maximum cached pictures. */
const MOST = 60;

/** A game as this page knows it. */
export class Known {
  /** The game as the API shows it, or null before the first message.
   * @type {any} */
  game = null;
  /** @type {Ply[]} */
  plies = [];
  /** The names of the seats, in order.
   * @type {string[]} */
  names = [];
  /** @type {number[]} */
  connected = [];
  /** The ply that the reader decided last, or -1. */
  sent = -1;
  /** @type {Map<number, Promise<string>>} */
  #pictures = new Map();

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.path = `/v1/games/${id}`;
  }

  /** The number of the last ply, or -1 before the start. */
  get last() {
    return this.plies.length - 1;
  }

  /** The current position, or null before the start.
   * @returns {any} */
  get state() {
    return this.plies.at(-1)?.state ?? null;
  }

  /** Whether the game is running. */
  get isRunning() {
    return this.game?.status === "running";
  }

  /** Returns the name of a seat.
   * @type {import("./games.js").NameOf} */
  nameOf = (seat) => this.names[seat - 1] ?? String(seat);

  /** Uses the early requests, or else reads all plies. */
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

  /** Reads a ply that is new or now shows more.
   * @param {number} ply */
  async readPly(ply) {
    const asked = ask(`${this.path}/states/${ply}`);
    // The picture is shown next, so it is requested in parallel with the state.
    if (ply > this.last) this.picture(ply).catch(() => {});
    this.plies[ply] = await asked;
  }

  /** Drops the pictures from a ply on, because they show more now.
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

import { isProblem } from "./problem.js";
import { answered, sleep, told, type Asking, type Requests } from "./requests.js";
import type { components } from "./schema.js";
import { newSecret } from "./secret.js";
import { ProofError, verify, type Kept, type Verified } from "./verify.js";

type Schemas = components["schemas"];

/** How a seat is taken. */
export interface SeatWishes {
  name?: string;
  /** What you add to the chance of the game: 64 lower-case hex digits that the service cannot know. Made at random if you give none. */
  entropy?: string;
  /** With `play`, the service makes decisions of your seat that leave it no choice. */
  forced?: Schemas["Forced"];
  /** The join code of a private game. */
  joinCode?: string;
}

/** How others are waited for. */
export interface Waiting extends Asking {
  /** How long to pause before the game is asked for again, in milliseconds: 1,000 by default, and at least. */
  pause?: number;
}

/** What was written, with the position and the legal moves that come next, as they are now. */
export type Written = Schemas["MovesAnswer"] & Required<Pick<Schemas["MovesAnswer"], "state" | "legal_moves">>;

const SHORTEST_PAUSE = 1000;

/** A game that was told, as it was told. */
export type Told = { data: Schemas["GameView"]; response: Response };

/** What was shown of a game before a seat of it is taken; its seats, where they could be seen. */
type Shown = Pick<Schemas["GameView"], "id" | "commitment"> & Partial<Pick<Schemas["GameView"], "seats" | "your_seat">>;

/** Takes a seat of a game, with entropy and with the commitment that was shown: so the service cannot have known the entropy when
 * it committed itself. Throws a {@link ProofError} where the answer has another commitment, or the seat without the entropy. */
export async function takeSeat(
  requests: Requests,
  shown: Shown,
  seat: number,
  wishes: SeatWishes,
  asking: Asking,
): Promise<Told> {
  const { joinCode, entropy = newSecret(), ...others } = wishes;
  const { id, commitment } = shown;
  const body = {
    ...others,
    ...(commitment === null ? {} : { entropy, commitment }),
    ...(joinCode === undefined ? {} : { join_code: joinCode }),
  };
  const params = { path: { id, seat } };
  const taken = await answered(requests.PUT("/v1/games/{id}/seats/{seat}", { params, body, ...asking }));
  if (taken.data.commitment !== commitment) {
    throw new ProofError(`commitment: expected ${commitment}, found ${taken.data.commitment}`);
  }
  const entropies = [shown.seats, taken.data.seats].map((seats) => seats?.find((one) => one.seat === seat)?.entropy ?? null);
  const [before, found] = entropies;
  // Who holds the seat already may have given entropy before, or be too late to give any.
  const isAsHeld = found === before && (found !== null || taken.data.status !== "open");
  if (commitment !== null && found !== entropy && !(shown.your_seat === seat && isAsHeld)) {
    throw new ProofError(`seat ${seat}: entropy: expected ${entropy}, found ${found ?? "none"}`);
  }
  return taken;
}

/** Asks for the commitment of a private game that cannot be seen before a seat is taken: whoever sends another one is told it,
 * and takes no seat. */
export async function hiddenCommitment(requests: Requests, id: string, joinCode: string, asking: Asking): Promise<string> {
  const body = { commitment: "0".repeat(64), join_code: joinCode };
  const params = { path: { id, seat: 1 } };
  try {
    await told(requests.PUT("/v1/games/{id}/seats/{seat}", { params, body, ...asking }));
  } catch (error) {
    if (isProblem(error, "commitment_mismatch") && error.expected !== null) {
      return error.expected;
    }
    throw error;
  }
  throw new ProofError("commitment: expected that of the game, found one that is all zeros");
}

/** A game, as the holder of one secret sees and plays it.
 *
 * ```ts
 * for await (const turn of game.turns()) {
 *   await turn.play(turn.moves[0]);
 * }
 * ```
 */
export class Game {
  readonly id: string;
  readonly #requests: Requests;
  readonly #sending: (secret: string) => Requests;
  #view: Schemas["GameView"];
  #etag: string | null;
  /** The moves that are legal now, where the service told them last. */
  #legal: Schemas["LegalMoves"] | null = null;
  /** When the service told something of this game last. */
  #at = Date.now();
  readonly #heads = new Map<number, string>();
  readonly #entropy = newSecret();
  #receipt: Schemas["GameView"] | null;

  /** Is made by {@link Assam}; the receipt is the answer to taking a seat. */
  constructor(
    requests: Requests,
    sending: (secret: string) => Requests,
    view: Schemas["GameView"],
    etag: string | null,
    receipt: Schemas["GameView"] | null = null,
  ) {
    this.id = view.id;
    this.#requests = requests;
    this.#sending = sending;
    this.#view = view;
    this.#etag = etag;
    this.#receipt = receipt;
    this.#keep(view.head);
  }

  /** The game as it was told last: its seats, status, head, position and result. */
  get view(): Schemas["GameView"] {
    return this.#view;
  }

  /** The answer to taking your seat with this object, or to joining or creating the game; null if you did neither. */
  get receipt(): Schemas["GameView"] | null {
    return this.#receipt;
  }

  /** Is the game over, as far as was told? */
  get isOver(): boolean {
    return ["finished", "aborted"].includes(this.#view.status);
  }

  // ---- The lobby ----

  /** Asks how the game stands. Costs next to nothing if it stands as before. */
  async refresh(asking: Asking = {}): Promise<Schemas["GameView"]> {
    const header = this.#etag === null ? {} : { "If-None-Match": this.#etag };
    const asked = this.#requests.GET("/v1/games/{id}", { params: { path: { id: this.id }, header }, ...asking });
    if ((await asked).response.status === 304) {
      this.#at = Date.now();
      return this.#view;
    }
    return this.#see(await answered(asked));
  }

  /** Takes a seat. The last one that is taken starts the game. Your seat already: adds entropy where there is none, before the start. */
  async takeSeat(seat: number, wishes: SeatWishes = {}, asking: Asking = {}): Promise<Schemas["GameView"]> {
    // The same entropy each time, as the answer to an earlier attempt may have been lost.
    const taken = await takeSeat(this.#requests, this.#view, seat, { entropy: this.#entropy, ...wishes }, asking);
    this.#receipt = taken.data;
    return this.#see(taken);
  }

  /** Changes the name of your seat, or erases it. */
  async rename(name: string | null, asking: Asking = {}): Promise<Schemas["GameView"]> {
    const params = { path: { id: this.id, seat: this.#seat() } };
    return this.#see(await answered(this.#requests.PATCH("/v1/games/{id}/seats/{seat}", { params, body: { name }, ...asking })));
  }

  /** Leaves your seat, before the start. */
  async leaveSeat(asking: Asking = {}): Promise<void> {
    const params = { path: { id: this.id, seat: this.#seat() } };
    await gone(told(this.#requests.DELETE("/v1/games/{id}/seats/{seat}", { params, ...asking })), "not_your_seat");
    this.#view = { ...this.#view, your_seat: null };
    this.#receipt = null;
    this.#etag = null;
  }

  /** Removes the game, if you own it and it has not started. */
  async remove(asking: Asking = {}): Promise<void> {
    await gone(told(this.#requests.DELETE("/v1/games/{id}", { params: { path: { id: this.id } }, ...asking })), "game_not_found");
  }

  /** Binds your seat to another secret, as the present one may have leaked. Keep the new one before you call this. Returns
   * the game as its holder plays it; this object is of no use then. */
  async replaceSecret(secret: string, asking: Asking = {}): Promise<Game> {
    const renewed = this.#sending(secret);
    const params = { path: { id: this.id, seat: this.#seat() } };
    const replace = (requests: Requests) => told(requests.PUT("/v1/games/{id}/seats/{seat}/secret", { params, body: { secret }, ...asking }));
    try {
      await replace(this.#requests);
    } catch (error) {
      // It may have taken effect before the answer was lost. Then the new secret may say so.
      await replace(renewed).catch(() => {
        throw error;
      });
    }
    const game = new Game(renewed, this.#sending, this.#view, null, this.#receipt);
    this.#heads.forEach((hash, ply) => game.#heads.set(ply, hash));
    await game.refresh(asking);
    return game;
  }

  // ---- Play ----

  /** Lists the legal moves of the seat on turn. `moves` is null where they depend on a hand that is hidden from you. */
  async legalMoves(asking: Asking = {}): Promise<Schemas["LegalMoves"]> {
    const legal = await told(this.#requests.GET("/v1/games/{id}/legal-moves", { params: { path: { id: this.id } }, ...asking }));
    this.#keep(legal.head);
    return legal;
  }

  /** Writes a decision, or several of your seat in a row, at a ply. {@link turns} is simpler.
   *
   * The same decisions at the same ply can be sent again at any time: nothing is written or drawn twice. */
  async move(ply: number, decisions: string | readonly string[], asking: Asking = {}): Promise<Written> {
    const body = typeof decisions === "string" ? { move: decisions } : { moves: [...decisions] };
    const params = { path: { id: this.id, ply }, query: { include: ["state" as const, "legal-moves" as const] } };
    const written = (await told(this.#requests.PUT("/v1/games/{id}/moves/{ply}", { params, body, ...asking }))) as Written;
    this.#keep(written.head);
    this.#legal = written.legal_moves;
    if (written.legal_moves !== null) {
      const { head, seat } = written.legal_moves;
      this.#keep(head);
      this.#view = { ...this.#view, head, seat_on_turn: seat, state: written.state };
    }
    this.#etag = null;
    this.#at = Date.now();
    return written;
  }

  /** Gives up your seat, on turn or not. */
  async resign(asking: Asking = {}): Promise<void> {
    for (;;) {
      const { head } = await this.refresh(asking);
      if (this.isOver) {
        return;
      }
      try {
        await this.move((head?.ply ?? 0) + 1, "!resign", asking);
        return;
      } catch (error) {
        // Others have written this ply meanwhile.
        if (!isProblem(error, "ply_taken", "game_over")) {
          throw error;
        }
      }
    }
  }

  /** Ends the game for everyone: only its owner may, after the start and before ply 1. */
  async abort(asking: Asking = {}): Promise<void> {
    await this.move(1, "!abort", asking);
  }

  /** Claims out a seat that has been on turn for longer than the game's `patience_hours`. If it has moved meanwhile, the problem is `ply_taken`. */
  async timeOut(seat: number, asking: Asking = {}): Promise<void> {
    const { head } = await this.refresh(asking);
    await this.move((head?.ply ?? 0) + 1, `!timeout${seat}`, asking);
  }

  // ---- Waiting ----

  /** Waits until it is your turn, and gives it; null when the game is over, and the result is in {@link view}. */
  async turn(waiting: Waiting = {}): Promise<Turn | null> {
    const { signal } = waiting;
    for (let isFirst = true; ; isFirst = false) {
      const seat = this.#seat();
      if (this.isOver) {
        return null;
      }
      if (this.#view.seat_on_turn === seat) {
        const legal = this.#legal ?? (await this.legalMoves({ signal }));
        this.#legal = null;
        const isNext = legal.ply === (this.#view.head?.ply ?? 0) + 1;
        if (legal.seat === seat && legal.moves !== null && isNext) {
          return new Turn(this, legal.ply, seat, legal.moves, this.#view.state);
        }
      }
      // Where the last move ended the game, or the game went on while it was looked at, there is nothing to wait for.
      const isBehind = isFirst && this.#view.status === "running" && [null, seat].includes(this.#view.seat_on_turn);
      await this.#ask(isBehind ? { signal, pause: 0 } : waiting);
    }
  }

  /** Gives your turns one after another, until the game is over. Play each before you ask for the next. */
  async *turns(waiting: Waiting = {}): AsyncGenerator<Turn, void, undefined> {
    for (let turn = await this.turn(waiting); turn !== null; turn = await this.turn(waiting)) {
      yield turn;
    }
  }

  /** Waits until the game is over, and gives its result; also for spectators. */
  async over(waiting: Waiting = {}): Promise<Schemas["Score"] | null> {
    while (!this.isOver) {
      await this.#ask(waiting);
    }
    return this.#view.result;
  }

  /** Asks how the game stands, a pause after it was told last. */
  async #ask({ signal, pause = SHORTEST_PAUSE }: Waiting): Promise<void> {
    const due = this.#at + (pause === 0 ? 0 : Math.max(pause, SHORTEST_PAUSE));
    await sleep(Math.max(0, due - Date.now()), signal);
    await this.refresh({ signal });
  }

  // ---- The record ----

  /** Fetches the record as text, in MKN. */
  async record(asking: Asking = {}): Promise<string> {
    const params = { path: { id: this.id } };
    const headers = { Accept: "text/plain" };
    return told(this.#requests.GET("/v1/games/{id}/log", { params, headers, parseAs: "text", ...asking }));
  }

  /** Fetches the words of the record, each with its ply and when it was written. */
  async log(asking: Asking = {}): Promise<Schemas["LogView"]> {
    const params = { path: { id: this.id } };
    const headers = { Accept: "application/json" };
    return (await told(this.#requests.GET("/v1/games/{id}/log", { params, headers, ...asking }))) as Schemas["LogView"];
  }

  /** Fetches the position after a ply, and what the ply brought about. Ply 0 is the start. */
  async state(ply: number, asking: Asking = {}): Promise<Schemas["StateAtPly"]> {
    return told(this.#requests.GET("/v1/games/{id}/states/{ply}", { params: { path: { id: this.id, ply } }, ...asking }));
  }

  /** Fetches a picture of the position after a ply: the text of an SVG file. */
  async picture(ply: number, asking: Asking = {}): Promise<string> {
    const params = { path: { id: this.id, ply } };
    return told(this.#requests.GET("/v1/games/{id}/states/{ply}.svg", { params, parseAs: "text", ...asking }));
  }

  /** Replays what has been played: gives the position at the start, and after each ply. */
  async *replay(asking: Asking = {}): AsyncGenerator<Schemas["StateAtPly"], void, undefined> {
    const { head } = await this.refresh(asking);
    for (let ply = 0; head !== null && ply <= head.ply; ply += 1) {
      yield this.state(ply, asking);
    }
  }

  /** Fetches scores and ranking, now or after a ply. */
  async score(ply?: number, asking: Asking = {}): Promise<Schemas["ScoreAtPly"]> {
    const query = ply === undefined ? {} : { ply };
    return told(this.#requests.GET("/v1/games/{id}/score", { params: { path: { id: this.id }, query }, ...asking }));
  }

  /** Fetches what the heads are made of, as far as you may know it. */
  async proof(asking: Asking = {}): Promise<Schemas["Proof"]> {
    return told(this.#requests.GET("/v1/games/{id}/proof", { params: { path: { id: this.id } }, ...asking }));
  }

  /** Fetches the proof, and {@link verify}s it: also that every head this object was told belongs to it, and that the service keeps to
   * the commitment that it was told first and to the {@link receipt}. Can be called while the game goes on, too. */
  async verify(asking: Asking = {}): Promise<Verified> {
    return verify(await this.proof(asking), this.kept());
  }

  /** The heads that this object was told, the commitment, and the receipt. Keep them to verify the game later. */
  kept(): Kept {
    const heads = Array.from(this.#heads, ([ply, hash]) => ({ ply, hash }));
    return { game: this.id, commitment: this.#view.commitment, heads, receipt: this.#receipt };
  }

  /** The seat that you hold. */
  #seat(): number {
    if (this.#view.your_seat === null) {
      throw new Error(`no seat of game ${this.id} is held with this secret`);
    }
    return this.#view.your_seat;
  }

  #see({ data, response }: Told): Schemas["GameView"] {
    // The commitment is the one that was told first.
    this.#view = { ...data, commitment: this.#view.commitment };
    this.#etag = response.headers.get("ETag");
    this.#legal = null;
    this.#at = Date.now();
    this.#keep(data.head);
    return this.#view;
  }

  /** Keeps a head for {@link verify}: the first that was told of a ply. */
  #keep(head: Schemas["HeadView"] | null): void {
    if (head !== null && !this.#heads.has(head.ply)) {
      this.#heads.set(head.ply, head.hash);
    }
  }
}

/** A decision that you have to take. */
export class Turn {
  readonly game: Game;
  readonly ply: number;
  readonly seat: number;
  /** Every legal decision, in notation. */
  readonly moves: readonly string[];
  /** The position, as you may see it. */
  readonly state: Schemas["State"] | null;

  /** Is made by {@link Game.turn}. */
  constructor(game: Game, ply: number, seat: number, moves: readonly string[], state: Schemas["State"] | null) {
    this.game = game;
    this.ply = ply;
    this.seat = seat;
    this.moves = moves;
    this.state = state;
  }

  /** Plays a decision, or several in a row that bring nothing new in between. Gives the words that were written, with the chance that
   * they triggered and the words of built-in players after them; null where the game had gone on without you, as another seat
   * resigned or your time ran out. */
  async play(decisions: string | readonly string[], asking: Asking = {}): Promise<Written | null> {
    try {
      return await this.game.move(this.ply, decisions, asking);
    } catch (error) {
      if (isProblem(error, "ply_taken", "game_over")) {
        await this.game.refresh(asking);
        return null;
      }
      throw error;
    }
  }
}

/** Waits for a deletion. What is gone already, as an earlier attempt took effect, is no problem. */
async function gone(deleted: Promise<unknown>, code: "not_your_seat" | "game_not_found"): Promise<void> {
  try {
    await deleted;
  } catch (error) {
    if (!isProblem(error, code, "game_not_found")) {
      throw error;
    }
  }
}

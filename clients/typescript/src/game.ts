import { isProblem } from "./problem.js";
import { answered, sleep, told, type Asking, type Requests } from "./requests.js";
import type { components, operations } from "./schema.js";
import { join, takeSeat, type Receipt, type SeatWishes, type Told } from "./seats.js";
import { messages, placeAt, placeInGame, type GameNews } from "./stream.js";
import { verify, type Kept, type Verified } from "./verify.js";

type Schemas = components["schemas"];

/** How a game is followed. */
export interface Following extends Asking {
  /** The head that you have. Without it, a snapshot comes first. */
  since?: Schemas["HeadView"];
  /** With `["state"]`, words contain the position after them. */
  include?: readonly "state"[];
  /** Whether the other seats see that you are connected. */
  presence?: boolean;
}

/** The form of a picture: the theme, and whether to omit the panel next to the board. */
export type PictureForm = NonNullable<operations["get_picture"]["parameters"]["query"]>;

/** The length of a long poll, in seconds. */
const LONGEST_WAIT = 30;

/** The words written, with the current position and legal moves. */
export type Written = Schemas["MovesAnswer"] & Required<Pick<Schemas["MovesAnswer"], "state" | "legal_moves">>;

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
  /** The current legal moves, if the service has sent them. */
  #legal: Schemas["LegalMoves"] | null = null;
  readonly #heads = new Map<number, string>();
  #receipt: Receipt | null;

  /** Created by {@link Assam}. The receipt is the answer to taking a seat. */
  constructor(
    requests: Requests,
    sending: (secret: string) => Requests,
    view: Schemas["GameView"],
    etag: string | null,
    receipt: Receipt | null = null,
  ) {
    this.id = view.id;
    this.#requests = requests;
    this.#sending = sending;
    this.#view = view;
    this.#etag = etag;
    this.#receipt = receipt;
    this.#keep(view.head);
  }

  /** The game as last received: seats, status, head, position and result. */
  get view(): Schemas["GameView"] {
    return this.#view;
  }

  /** The answer to taking your seat with this object, or to joining or creating the game, with the seats signed before. Null if you did
   * neither. */
  get receipt(): Receipt | null {
    return this.#receipt;
  }

  /** Whether the game is over, as last received. */
  get isOver(): boolean {
    return ["finished", "aborted"].includes(this.#view.status);
  }

  // ---- The lobby ----

  /** Fetches the game again. Costs next to nothing if it has not changed. */
  async refresh(asking: Asking = {}): Promise<Schemas["GameView"]> {
    const header = this.#etag === null ? {} : { "If-None-Match": this.#etag };
    const asked = this.#requests.GET("/v1/games/{id}", { params: { path: { id: this.id }, header }, ...asking });
    if ((await asked).response.status === 304) {
        return this.#view;
    }
    return this.#see(await answered(asked));
  }

  /** Takes a seat. The last one starts the game. If you already hold the seat without entropy, adds it, before the start. */
  async takeSeat(seat: number, wishes: SeatWishes = {}, asking: Asking = {}): Promise<Schemas["GameView"]> {
    const { receipt, ...taken } = await takeSeat(this.#requests, this.id, seat, wishes, asking);
    // A seat that you already hold has its receipt.
    this.#receipt = this.#receipt === null || receipt.seats_receipt !== undefined ? receipt : this.#receipt;
    return this.#see(taken);
  }

  /** Changes or erases the name of your seat. */
  async rename(name: string | null, asking: Asking = {}): Promise<Schemas["GameView"]> {
    const params = { path: { id: this.id, seat: this.#seat() } };
    return this.#see(await answered(this.#requests.PATCH("/v1/games/{id}/seats/{seat}", { params, body: { name }, ...asking })));
  }

  /** Leaves your seat, before the start. */
  async leaveSeat(asking: Asking = {}): Promise<void> {
    const params = { path: { id: this.id, seat: this.#seat() } };
    await gone(told(this.#requests.DELETE("/v1/games/{id}/seats/{seat}", { params, ...asking })), "not_your_seat");
    this.#requests.sent.delete(this.id);
    this.#view = { ...this.#view, your_seat: null };
    this.#receipt = null;
    this.#etag = null;
  }

  /** Removes the game, if you own it and it has not started. */
  async remove(asking: Asking = {}): Promise<void> {
    await gone(told(this.#requests.DELETE("/v1/games/{id}", { params: { path: { id: this.id } }, ...asking })), "game_not_found");
  }

  /** Gives your seat to a new secret, for example after a leak. Store the new secret before you call this. Returns the game for
   * the new secret. Do not use this object afterwards. */
  async replaceSecret(secret: string, asking: Asking = {}): Promise<Game> {
    const renewed = this.#sending(secret);
    const params = { path: { id: this.id, seat: this.#seat() } };
    const replace = (requests: Requests) => told(requests.PUT("/v1/games/{id}/seats/{seat}/secret", { params, body: { secret }, ...asking }));
    try {
      await replace(this.#requests);
    } catch (error) {
      // If the first request took effect, the new secret holds the seat.
      await replace(renewed).catch(() => {
        throw error;
      });
    }
    const game = new Game(renewed, this.#sending, this.#view, null, this.#receipt);
    this.#heads.forEach((hash, ply) => game.#heads.set(ply, hash));
    await game.refresh(asking);
    return game;
  }

  /** Delivers the beacon round that the game waits for, which starts it. Anyone can, once the round is published. */
  async deliverBeacon(round: number, signature: string, asking: Asking = {}): Promise<Schemas["GameView"]> {
    const params = { path: { id: this.id } };
    return this.#see(await answered(this.#requests.PUT("/v1/games/{id}/beacon", { params, body: { round, signature }, ...asking })));
  }

  /** Takes your seat in the rematch of a finished game, which starts when all its players have taken theirs. The first request creates
   * it. */
  async rematch(wishes: Omit<SeatWishes, "joinCode"> = {}, asking: Asking = {}): Promise<Game> {
    const params = { path: { id: this.id } };
    const { id } = await told(this.#requests.POST("/v1/games/{id}/rematch", { params, ...asking }));
    const { data, response, receipt } = await join(this.#requests, id, wishes, asking);
    return new Game(this.#requests, this.#sending, data, response.headers.get("ETag"), receipt);
  }

  // ---- Play ----

  /** Lists the legal moves of the seat on turn. `moves` is null if they depend on a hand that you cannot see. */
  async legalMoves(asking: Asking = {}): Promise<Schemas["LegalMoves"]> {
    const legal = await told(this.#requests.GET("/v1/games/{id}/legal-moves", { params: { path: { id: this.id } }, ...asking }));
    this.#keep(legal.head);
    return legal;
  }

  /** Fetches the best decisions for you, best first, in an unrated game against built-in players. Empty if it is not your turn. */
  async hints(asking: Asking = {}): Promise<Schemas["MoveEquity"][]> {
    const params = { path: { id: this.id }, query: { include: ["hints" as const] } };
    const legal = await told(this.#requests.GET("/v1/games/{id}/legal-moves", { params, ...asking }));
    this.#keep(legal.head);
    return legal.hints ?? [];
  }

  /** Writes a decision, or several of your seat in a row, at a ply. {@link turns} is simpler.
   *
   * You can repeat the same decisions at the same ply at any time. Nothing is written or drawn twice. */
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
    return written;
  }

  /** Resigns your seat, on turn or not. */
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
        // Another word was written at this ply first.
        if (!isProblem(error, "ply_taken", "game_over")) {
          throw error;
        }
      }
    }
  }

  /** Aborts the game. Only its owner may, after the start and before ply 1. */
  async abort(asking: Asking = {}): Promise<void> {
    await this.move(1, "!abort", asking);
  }

  /** Claims the timeout of a seat that has exceeded the game's `patience_hours` or has no time left on its `clock`. If it has moved since, the problem is `ply_taken`. */
  async timeOut(seat: number, asking: Asking = {}): Promise<void> {
    const { head } = await this.refresh(asking);
    await this.move((head?.ply ?? 0) + 1, `!timeout${seat}`, asking);
  }

  // ---- Waiting ----

  /** Waits until it is your turn and returns it. Returns null when the game is over, with the result in {@link view}. Also waits for a
   * service that is down. */
  async turn(asking: Asking = {}): Promise<Turn | null> {
    return this.#requests.retries.enduring(async () => {
      for (;;) {
        const seat = this.#seat();
        if (this.isOver) {
          return null;
        }
        if (this.#view.seat_on_turn === seat) {
          const legal = this.#legal ?? (await this.legalMoves(asking));
          this.#legal = null;
          const isNext = legal.ply === (this.#view.head?.ply ?? 0) + 1;
          if (legal.seat === seat && legal.moves !== null && isNext) {
            return new Turn(this, legal.ply, seat, legal.moves, this.#view.state);
          }
        }
        await this.#change(asking);
      }
    });
  }

  /** Yields your turns one after another, until the game is over. Play each before you ask for the next. Until the end, no request times
   * out. */
  async *turns(asking: Asking = {}): AsyncGenerator<Turn, void, undefined> {
    const end = this.#requests.retries.endure();
    try {
      for (let turn = await this.turn(asking); turn !== null; turn = await this.turn(asking)) {
        yield turn;
      }
    } finally {
      end();
    }
  }

  /** Waits until the game is over and returns its result. Also works for spectators. */
  async over(asking: Asking = {}): Promise<Schemas["Score"] | null> {
    return this.#requests.retries.enduring(async () => {
      const { head } = this.#view;
      if (!this.isOver) {
        for await (const _ of this.follow(head === null ? asking : { since: head, ...asking }));
        await this.refresh(asking);
      }
      return this.#view.result;
    });
  }

  /** Follows the game: yields a `snapshot` first, or everything since a head that you have, then each `word` once. Ends after `over` or
   * `gone`. Reconnects without a limit. Throws a {@link Problem} if the service refuses. */
  async *follow({ since, include, presence, signal }: Following = {}): AsyncGenerator<GameNews, void, undefined> {
    const shown = { ...(include === undefined ? {} : { include: [...include] }), ...(presence === undefined ? {} : { presence }) };
    const source = {
      connect: (place: { since?: string }, how: object) =>
        this.#requests.GET("/v1/games/{id}/events", { params: { path: { id: this.id }, query: { ...shown, ...place } }, ...how }),
      place: placeInGame,
      last: ["over", "gone"],
      retries: this.#requests.retries,
    };
    for await (const message of messages<Schemas["GameMessage"]>(source, { ...placeAt(since), signal })) {
      if ("head" in message) {
        this.#keep(message.head);
      }
      yield message;
    }
  }

  /** Runs some work without a timeout. {@link Turn.play} calls it. */
  enduring<T>(work: () => Promise<T>): Promise<T> {
    return this.#requests.retries.enduring(work);
  }

  /** Returns the turn in a message of another stream. {@link Assam.turns} calls it. */
  told({ game, state, legal_moves: legal }: Schemas["TurnMessage"]): Turn | null {
    const { status, head, seat_on_turn, your_seat } = game;
    this.#view = { ...this.#view, status, head, seat_on_turn, your_seat, state: state ?? null };
    this.#etag = null;
    this.#keep(head);
    return legal?.moves ? new Turn(this, legal.ply, this.#seat(), legal.moves, state ?? null) : null;
  }

  /** Waits until the game has moved on from the last known head. */
  async #change(asking: Asking): Promise<void> {
    const began = Date.now();
    const { head } = this.#view;
    await this.#ask({ wait: LONGEST_WAIT, ...placeAt(head) }, asking);
    if (this.#view.head?.hash === head?.hash && !this.isOver && Date.now() - began < 1000) {
      // A service that is shutting down answers at once.
      await sleep(1000, asking.signal);
    }
  }

  async #ask(query: { wait?: number; since?: string }, asking: Asking): Promise<Schemas["GameView"]> {
    const header = this.#etag === null ? {} : { "If-None-Match": this.#etag };
    const asked = this.#requests.GET("/v1/games/{id}", { params: { path: { id: this.id }, query, header }, ...asking });
    return (await asked).response.status === 304 ? this.#view : this.#see(await answered(asked));
  }

  // ---- The record ----

  /** Fetches the record as text, in MKN. */
  async record(asking: Asking = {}): Promise<string> {
    const params = { path: { id: this.id } };
    const headers = { Accept: "text/plain" };
    return told(this.#requests.GET("/v1/games/{id}/log", { params, headers, parseAs: "text", ...asking }));
  }

  /** Fetches the words of the record, each with its ply and time. */
  async log(asking: Asking = {}): Promise<Schemas["LogView"]> {
    const params = { path: { id: this.id } };
    const headers = { Accept: "application/json" };
    return (await told(this.#requests.GET("/v1/games/{id}/log", { params, headers, ...asking }))) as Schemas["LogView"];
  }

  /** Fetches the position after a ply, and the consequences of the ply. Ply 0 is the start. */
  async state(ply: number, asking: Asking = {}): Promise<Schemas["StateAtPly"]> {
    return told(this.#requests.GET("/v1/games/{id}/states/{ply}", { params: { path: { id: this.id, ply } }, ...asking }));
  }

  /** Fetches a picture of the position after a ply, as SVG text. */
  async picture(ply: number, form: PictureForm = {}, asking: Asking = {}): Promise<string> {
    const params = { path: { id: this.id, ply }, query: form };
    return told(this.#requests.GET("/v1/games/{id}/states/{ply}.svg", { params, headers: { Accept: "image/svg+xml" }, parseAs: "text", ...asking }));
  }

  /** Yields the position at the start and after each ply, in one request. */
  async *replay(asking: Asking = {}): AsyncGenerator<Schemas["StateAtPly"], void, undefined> {
    const asked = this.#requests.GET("/v1/games/{id}/states", { params: { path: { id: this.id } }, ...asking });
    yield* ((await told(asked)) as Schemas["GameStates"]).states;
  }

  /** Fetches scores and ranking, now or after a ply. */
  async score(ply?: number, asking: Asking = {}): Promise<Schemas["ScoreAtPly"]> {
    const query = ply === undefined ? {} : { ply };
    return told(this.#requests.GET("/v1/games/{id}/score", { params: { path: { id: this.id }, query }, ...asking }));
  }

  /** Fetches what chance and the players did in a game that is over, and what would have been better. Waits while it is made. */
  async analysis(asking: Asking = {}): Promise<Schemas["Analysis"]> {
    for (;;) {
      const made = await told(this.#requests.GET("/v1/games/{id}/analysis", { params: { path: { id: this.id } }, ...asking }));
      if (!("retry_after" in made)) {
        return made;
      }
      await sleep(made.retry_after * 1000, asking.signal);
    }
  }

  /** Fetches the proof, as far as you may see it. */
  async proof(asking: Asking = {}): Promise<Schemas["Proof"]> {
    return told(this.#requests.GET("/v1/games/{id}/proof", { params: { path: { id: this.id } }, ...asking }));
  }

  /** Fetches the proof and {@link verify}s it. Also checks that it has every head this object received, and matches the first commitment
   * received and the {@link receipt}. Also works while the game is running. */
  async verify(asking: Asking = {}): Promise<Verified> {
    return verify(await this.proof(asking), this.kept());
  }

  /** Returns the heads that this object received, the commitment, and the receipt. Keep them to verify the game later. */
  kept(): Kept {
    const heads = Array.from(this.#heads, ([ply, hash]) => ({ ply, hash }));
    return { game: this.id, commitment: this.#view.commitment, heads, receipt: this.#receipt };
  }

  /** Returns the seat that you hold. */
  #seat(): number {
    if (this.#view.your_seat === null) {
      throw new Error(`this secret holds no seat of game ${this.id}`);
    }
    return this.#view.your_seat;
  }

  #see({ data, response }: Told): Schemas["GameView"] {
    // The first commitment received stays.
    this.#view = { ...data, commitment: this.#view.commitment };
    this.#etag = response.headers.get("ETag");
    this.#legal = null;
    this.#keep(data.head);
    return this.#view;
  }

  /** Keeps the first head received for a ply, for {@link verify}. */
  #keep(head: Schemas["HeadView"] | null): void {
    if (head !== null && !this.#heads.has(head.ply)) {
      this.#heads.set(head.ply, head.hash);
    }
  }
}

/** A decision for you to make. */
export class Turn {
  readonly game: Game;
  readonly ply: number;
  readonly seat: number;
  /** Every legal decision, in notation. */
  readonly moves: readonly string[];
  /** The position, as far as you may see it. */
  readonly state: Schemas["State"] | null;

  /** Created by {@link Game.turn} and {@link Assam.turns}. */
  constructor(game: Game, ply: number, seat: number, moves: readonly string[], state: Schemas["State"] | null) {
    this.game = game;
    this.ply = ply;
    this.seat = seat;
    this.moves = moves;
    this.state = state;
  }

  /** Plays a decision, or several in a row that reveal nothing new in between. Returns the words written, with the chance that they
   * triggered and the words of built-in players after them. Returns null if the game continued without you, because another seat
   * resigned or your time ran out. If the service is down, retries until it is back. */
  async play(decisions: string | readonly string[], asking: Asking = {}): Promise<Written | null> {
    try {
      return await this.game.enduring(() => this.game.move(this.ply, decisions, asking));
    } catch (error) {
      if (isProblem(error, "game_removed")) {
        return null;
      }
      if (isProblem(error, "ply_taken", "not_your_turn", "game_over")) {
        await this.game.refresh(asking);
        return null;
      }
      throw error;
    }
  }
}

/** Waits for a deletion. Ignores that an earlier attempt has already deleted it. */
async function gone(deleted: Promise<unknown>, code: "not_your_seat" | "game_not_found"): Promise<void> {
  try {
    await deleted;
  } catch (error) {
    if (!isProblem(error, code, "game_not_found")) {
      throw error;
    }
  }
}

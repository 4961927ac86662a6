import { Game, hiddenCommitment, takeSeat, type SeatWishes, type Told } from "./game.js";
import { isProblem } from "./problem.js";
import { answered, requests, told, type Asking, type Requests, type Settings } from "./requests.js";
import type { components, operations } from "./schema.js";
import { newSecret } from "./secret.js";

type Schemas = components["schemas"];
type Query<Operation extends "list_games" | "list_own_games"> = Omit<NonNullable<operations[Operation]["parameters"]["query"]>, "cursor">;

/** Which public games are listed, and in what order; `limit` is the number of games that one request brings. */
export type GameFilter = Query<"list_games">;
/** Which of your own games are listed, and in what order. */
export type OwnGameFilter = Query<"list_own_games">;

/** An Assam service, and who you are there.
 *
 * ```ts
 * const assam = new Assam("https://assam.example", { secret: newSecret() });
 * ```
 */
export class Assam {
  readonly #base: string | URL;
  readonly #settings: Settings;
  readonly #requests: Requests;

  /** Names a service by its address. Sends nothing. */
  constructor(base: string | URL, settings: Settings = {}) {
    this.#base = base;
    this.#settings = { ...settings };
    this.#requests = requests(base, settings);
  }

  /** The same service for another secret. */
  withSecret(secret: string): Assam {
    return new Assam(this.#base, { ...this.#settings, secret });
  }

  /** Returns your player id, which is public. */
  async playerId(asking: Asking = {}): Promise<string> {
    return (await told(this.#requests.GET("/v1/me", { ...asking }))).player;
  }

  /** Creates a game; `take` takes one of its open seats with it. It starts when no seat is open any more.
   *
   * Entropy for the seat (the `entropy` of `asking`, or some made at random) is sent when the commitment of the game is known. So
   * a seat that is the only open one is taken in a second request, as the game would start without the entropy.
   *
   * The request carries an `Idempotency-Key`, so that the game is created once however often it is sent. Give a `key` of your
   * own ({@link newSecret} makes one) to be able to repeat it after your program has ended. */
  async createGame(wanted: Schemas["NewGame"], asking: Asking & { key?: string; entropy?: string } = {}): Promise<Game> {
    const { key = newSecret(), entropy, signal } = asking;
    const params = { header: { "Idempotency-Key": key } };
    const { take, ...others } = wanted;
    const isLast = take != null && wanted.seats.every((kind, index) => (kind === "open") === (index + 1 === take.seat));
    // Without a secret nobody could take the seat, and the service says so.
    const isLeft = isLast && this.#settings.secret !== undefined;
    const body = isLeft ? others : wanted;
    const created = await answered(this.#requests.POST("/v1/games", { params, body, signal }));
    const { data } = created;
    if (take == null || (data.your_seat !== null && data.status !== "open")) {
      // Where it was created before, it may have started.
      return this.#game(created, data.your_seat !== null);
    }
    const { seat, name, forced } = take;
    const wishes: SeatWishes = {
      ...(name == null ? {} : { name }),
      ...(forced == null ? {} : { forced }),
      ...(entropy === undefined ? {} : { entropy }),
    };
    try {
      // Others may have started the game before the entropy came: then the receipt has none.
      return this.#game(await takeSeat(this.#requests, data, seat, wishes, { signal }), true);
    } catch (error) {
      if (isLeft && isProblem(error, "bad_request")) {
        await this.#game(created).remove({ signal });
      }
      throw error;
    }
  }

  /** Fetches a game. */
  async game(id: string, asking: Asking = {}): Promise<Game> {
    return this.#game(await answered(this.#requests.GET("/v1/games/{id}", { params: { path: { id } }, ...asking })));
  }

  /** Takes an open seat of a game, the first that is left; for a private game with its code. If you hold a seat of it, you keep that. */
  async join(id: string, wishes: SeatWishes = {}, asking: Asking = {}): Promise<Game> {
    // Who has no seat in a private game cannot see which seats it has. So there all are tried.
    let seats = [1, 2, 3, 4];
    let commitment: string | null;
    try {
      const game = await this.game(id, asking);
      if (game.view.your_seat !== null) {
        return game;
      }
      const open = game.view.seats.filter((seat) => seat.kind === "open").map((seat) => seat.seat);
      // Where none is open, the first one says so.
      seats = open.length > 0 ? open : [1];
      commitment = game.view.commitment;
    } catch (error) {
      if (!isProblem(error, "game_not_found") || wishes.joinCode === undefined) {
        throw error;
      }
      commitment = await hiddenCommitment(this.#requests, id, wishes.joinCode, asking);
    }
    let taken: unknown;
    for (const seat of seats) {
      try {
        return this.#game(await takeSeat(this.#requests, { id, commitment }, seat, wishes, asking), true);
      } catch (error) {
        if (isProblem(error, "seat_not_found") && taken !== undefined) {
          break;
        }
        if (!isProblem(error, "seat_taken")) {
          throw error;
        }
        taken = error;
      }
    }
    throw taken;
  }

  /** Lists public games, newest first, as far as you ask for them: `for await (const game of assam.games({ status: ["open"] }))`. */
  games(filter: GameFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["GameSummary"], void, undefined> {
    return pages((cursor) => told(this.#requests.GET("/v1/games", { params: { query: { ...filter, ...cursor } }, ...asking })));
  }

  /** Lists your own games, private ones too; with `your_turn: true` those that wait for you. */
  myGames(filter: OwnGameFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["OwnGame"], void, undefined> {
    return pages((cursor) => told(this.#requests.GET("/v1/me/games", { params: { query: { ...filter, ...cursor } }, ...asking })));
  }

  /** Validates one record, finished or not, or a position line, by replaying it. Nothing is stored. A record that is refused is no
   * {@link Problem}: `valid` is false, and `error` says where and why. */
  async validate(record: string, asking: Asking = {}): Promise<Schemas["Verdict"]> {
    return told(this.#requests.POST("/v1/validate", { body: { record }, ...asking }));
  }

  /** Stores a finished record as a game. It is public, and has no owner. Storing it again changes nothing. */
  async importRecord(record: string, asking: Asking = {}): Promise<Game> {
    return this.#game(await answered(this.#requests.POST("/v1/imports", { body: { record }, ...asking })));
  }

  /** Lists every rule set with its options and its rules. */
  async rulesets(asking: Asking = {}): Promise<Schemas["RulesetView"][]> {
    return (await told(this.#requests.GET("/v1/rulesets", { ...asking }))).rulesets;
  }

  #game({ data, response }: Told, isReceipt = false): Game {
    const sending = (secret: string) => requests(this.#base, { ...this.#settings, secret });
    return new Game(this.#requests, sending, data, response.headers.get("ETag"), isReceipt ? data : null);
  }
}

/** Goes through a list page by page: the next page is asked for when it is needed. */
async function* pages<T>(page: (cursor: { cursor?: string }) => Promise<{ games: T[]; next: string | null }>) {
  let cursor: string | null = null;
  do {
    const { games, next }: { games: T[]; next: string | null } = await page(cursor === null ? {} : { cursor });
    yield* games;
    cursor = next;
  } while (cursor !== null);
}

import { Game, type Turn } from "./game.js";
import { isProblem } from "./problem.js";
import { bulk, exported, type ExportFilter, type Including, type Judging, type Records } from "./records.js";
import { answered, requests, retriesOf, told, type Asking, type Requests, type Settings } from "./requests.js";
import type { components, operations } from "./schema.js";
import { join, ownOnly, same, takeSeat, type Receipt, type SeatWishes, type Told } from "./seats.js";
import { newSecret } from "./secret.js";
import { messages, type FeedNews, type OwnNews } from "./stream.js";

type Schemas = components["schemas"];
type Query<Operation extends "list_games" | "list_own_games" | "list_leaders"> = Omit<NonNullable<operations[Operation]["parameters"]["query"]>, "cursor">;

/** Which public games are listed, and in what order. `limit` is the number of games per request. */
export type GameFilter = Query<"list_games">;
/** Which of your own games are listed, and in what order. */
export type OwnGameFilter = Query<"list_own_games">;

/** Which leaders are listed: the rule set, the order, the number of seats, and the period. */
export type LeaderFilter = Query<"list_leaders">;

/** A client for an Assam service, with your secret.
 *
 * ```ts
 * const assam = new Assam("https://assam.example", { secret: newSecret() });
 * ```
 */
export class Assam {
  readonly #base: string | URL;
  readonly #settings: Settings;
  readonly #requests: Requests;

  /** Creates a client for the service at an address. Sends nothing. */
  constructor(base: string | URL, settings: Settings = {}) {
    this.#base = base;
    this.#settings = { ...settings };
    this.#requests = requests(base, settings, retriesOf(settings));
  }

  /** Returns a client for the same service with another secret. */
  withSecret(secret: string): Assam {
    return new Assam(this.#base, { ...this.#settings, secret });
  }

  /** Returns your player id, which is public. */
  async playerId(asking: Asking = {}): Promise<string> {
    return (await told(this.#requests.GET("/v1/me", { ...asking }))).player;
  }

  /** Creates a game, and with `take` takes one of its open seats. The game starts once no seat is open.
   *
   * Entropy for the seat (the `entropy` of `asking`, random by default) is sent only after the commitment of the game is known. If
   * the seat is the only open one, a second request takes it, because the game would otherwise start without the entropy.
   *
   * The request has an `Idempotency-Key`, so that repeats create only one game. Pass your own `key` ({@link newSecret} creates one)
   * to repeat the request after your program has ended. */
  async createGame(wanted: Schemas["NewGame"], asking: Asking & { key?: string; entropy?: string } = {}): Promise<Game> {
    const { key = newSecret(), entropy, signal } = asking;
    const params = { header: { "Idempotency-Key": key } };
    const { take, ...others } = wanted;
    const isLast = take != null && wanted.seats.every((kind, index) => (kind === "open") === (index + 1 === take.seat));
    // Without a secret, the service refuses the seat.
    const isLeft = isLast && this.#settings.secret !== undefined;
    const body = isLeft ? others : wanted;
    const created = await answered(this.#requests.POST("/v1/games", { params, body, signal }));
    const { data } = created;
    if (take == null) {
      return this.#game(created, data.your_seat === null ? null : ownOnly(data));
    }
    // A game of an earlier request with the same key may have started.
    if (asking.key === undefined) {
      same("status", "open", data.status);
    }
    const { seat, name, forced } = take;
    const wishes: SeatWishes = {
      ...(name == null ? {} : { name }),
      ...(forced == null ? {} : { forced }),
      ...(entropy === undefined ? {} : { entropy }),
    };
    try {
      // If others started the game before the entropy arrived, the receipt has none.
      const { receipt, ...taken } = await takeSeat(this.#requests, data.id, seat, wishes, { signal });
      return this.#game(taken, receipt);
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

  /** Takes the first open seat of a game. A private game needs its join code. Keeps a seat that you already hold. */
  async join(id: string, wishes: SeatWishes = {}, asking: Asking = {}): Promise<Game> {
    const { receipt, ...told } = await join(this.#requests, id, wishes, asking);
    return this.#game(told, receipt);
  }

  /** Lists public games, newest first. Fetches pages as you iterate: `for await (const game of assam.games({ status: ["open"] }))`. */
  games(filter: GameFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["GameSummary"], void, undefined> {
    const page = (cursor: Cursor) => told(this.#requests.GET("/v1/games", { params: { query: { ...filter, ...cursor } }, ...asking }));
    return pages(page, ({ games }) => games);
  }

  /** Lists your own games, including private ones. With `your_turn: true`, only those that wait for you. */
  myGames(filter: OwnGameFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["OwnGame"], void, undefined> {
    const page = (cursor: Cursor) => told(this.#requests.GET("/v1/me/games", { params: { query: { ...filter, ...cursor } }, ...asking }));
    return pages(page, ({ games }) => games);
  }

  /** Follows all public games, except for their moves, from now on or since the `cursor` of a message. After `reset`, list the games
   * again. Like all streams, reconnects without a limit. */
  followAll({ signal, since, ...filter }: Asking & { ruleset?: string; since?: string } = {}): AsyncGenerator<FeedNews, void, undefined> {
    const source = {
      connect: (place: { since?: string }, how: object) =>
        this.#requests.GET("/v1/events", { params: { query: { ...filter, ...place } }, ...how }),
      place: (message: Schemas["FeedMessage"], before: string | undefined) => ("cursor" in message ? message.cursor : before),
      retries: this.#requests.retries,
    };
    return messages<Schemas["FeedMessage"]>(source, { since, signal });
  }

  /** Follows your games: yields `turn` whenever a game waits for you, and `over` or `gone` when one ends. Each connection starts with the
   * games that wait for you then. */
  followOwn({ signal }: Asking = {}): AsyncGenerator<OwnNews, void, undefined> {
    const query = { include: ["state" as const, "legal-moves" as const] };
    const source = {
      connect: (_: object, how: object) => this.#requests.GET("/v1/me/events", { params: { query }, ...how }),
      place: () => undefined,
      retries: this.#requests.retries,
    };
    return messages<Schemas["OwnMessage"]>(source, { signal });
  }

  /** Yields your turns in all your games, present and future. Never ends: `for await (const turn of assam.turns())` is a bot. Play each
   * turn before you ask for the next. */
  async *turns(asking: Asking = {}): AsyncGenerator<Turn, void, undefined> {
    const games = new Map<string, Game>();
    for await (const message of this.followOwn(asking)) {
      if (message.type === "turn") {
        const { id } = message.game;
        const game = games.get(id) ?? (await this.game(id, asking));
        games.set(id, game);
        const turn = game.told(message);
        if (turn !== null) {
          yield turn;
        }
      } else if (message.type === "over") {
        games.delete(message.game.id);
      } else if (message.type === "gone") {
        games.delete(message.game_id);
      }
    }
  }

  /** Fetches the ratings and results of a player, or of a built-in player by name. `period` is a year, a month or a day. */
  async standings(player: string, { period, ...asking }: Asking & { period?: string } = {}): Promise<Schemas["PlayerStandings"]> {
    const params = { path: { player }, query: period === undefined ? {} : { period } };
    return told(this.#requests.GET("/v1/players/{player}", { params, ...asking }));
  }

  /** Lists the leaders of a rule set, best first. Any order except `rating` needs `seats`. */
  leaders(filter: LeaderFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["LeaderView"], void, undefined> {
    const page = (cursor: Cursor) => told(this.#requests.GET("/v1/scores", { params: { query: { ...filter, ...cursor } }, ...asking }));
    return pages(page, ({ leaders }) => leaders);
  }

  /** Fetches how often each face came for a player, or for all players, whether that is usual, and the rolls of the last games. */
  async dice(player?: string, asking: Asking = {}): Promise<Schemas["DicePage"]> {
    return this.#dicePage(player, {}, asking);
  }

  /** Lists the rolls of a player, or of all players, from the games that ended last on. */
  rolls(player?: string, asking: Asking = {}): AsyncGenerator<Schemas["RollView"], void, undefined> {
    return pages((cursor) => this.#dicePage(player, cursor, asking), ({ rolls }) => rolls);
  }

  async #dicePage(player: string | undefined, query: Cursor, asking: Asking): Promise<Schemas["DicePage"]> {
    if (player === undefined) return told(this.#requests.GET("/v1/dice", { params: { query }, ...asking }));
    return told(this.#requests.GET("/v1/players/{player}/dice", { params: { path: { player }, query }, ...asking }));
  }

  /** Validates a record, finished or not, or a position line, by replaying it. Stores nothing. An invalid record does not throw a
   * {@link Problem}: `valid` is false, and `error` states where and why. */
  async validate(record: string, asking: Asking = {}): Promise<Schemas["Verdict"]> {
    return told(this.#requests.POST("/v1/validate", { body: { record }, ...asking }));
  }

  /** Analyses a record, finished or not, as {@link Game.analysis} does a game. For a position line, `next` has the best decisions there. The
   * `judge` is a merchant, such as `merchant-8`. */
  async analyse(record: string, { judge, ...asking }: Asking & Judging = {}): Promise<Schemas["Analysis"]> {
    const params = { query: judge === undefined ? {} : { judge } };
    return told(this.#requests.POST("/v1/analysis", { body: { record }, params, ...asking }));
  }

  /** Lists the possible results of moves in up to 256 positions: every outcome of chance with its probability, position, score and legal
   * moves (or the parts in `include`), or the `error` of a position. */
  async outcomes(positions: Schemas["PositionInput"][], { include, ...asking }: Asking & Including = {}): Promise<Schemas["PositionOutcomes"][]> {
    const params = { query: include === undefined ? {} : { include: [...include] } };
    return (await told(this.#requests.POST("/v1/outcomes", { body: { positions }, params, ...asking }))).positions;
  }

  /** Stores a finished record as a public game without an owner. Storing it again changes nothing. */
  async importRecord(record: string, asking: Asking = {}): Promise<Game> {
    return this.#game(await answered(this.#requests.POST("/v1/imports", { body: { record }, ...asking })));
  }

  /** Yields a verdict on each of any number of records, in order. Pass strings with one record each, or a file that the service splits:
   * `assam.validateRecords(createReadStream("games.mkn"))`. Batches are sent as you read, with retries. An invalid record never stops
   * the rest. Verdicts contain the parts in `include` of the position after the valid words. */
  validateRecords(records: Records, { include, ...asking }: Asking & Including = {}): AsyncGenerator<Schemas["RecordRow"], void, undefined> {
    const query = include === undefined ? {} : { include: [...include] };
    return bulk<Schemas["RecordRow"]>(this.#requests, "/v1/validate/bulk", records, query, asking);
  }

  /** Yields the analysis of each of any number of records in the same way. */
  analyseRecords(records: Records, { judge, ...asking }: Asking & Judging = {}): AsyncGenerator<Schemas["AnalysedRecord"], void, undefined> {
    return bulk<Schemas["AnalysedRecord"]>(this.#requests, "/v1/analysis/bulk", records, judge === undefined ? {} : { judge }, asking);
  }

  /** Stores any number of records of finished games in the same way, and yields the result of each. Stores nothing until you iterate. */
  importRecords(records: Records, asking: Asking = {}): AsyncGenerator<Schemas["ImportRow"], void, undefined> {
    return bulk<Schemas["ImportRow"]>(this.#requests, "/v1/imports/bulk", records, {}, asking);
  }

  /** Yields finished public games, or those with another `status`, oldest first, each with its record and with `states` also every
   * position. Reads them as they arrive, and resumes after the last one if the connection breaks. */
  exportGames(filter: ExportFilter & { states?: boolean } = {}, asking: Asking = {}): AsyncGenerator<Schemas["ExportedGame"], void, undefined> {
    return exported<Schemas["ExportedGame"]>(this.#requests, filter, asking);
  }

  /** Yields the proofs of the same games. */
  exportProofs(filter: ExportFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["ExportedProof"], void, undefined> {
    return exported<Schemas["ExportedProof"]>(this.#requests, { ...filter, proofs: true }, asking);
  }

  /** Lists every rule set with its options and rules. */
  async rulesets(asking: Asking = {}): Promise<Schemas["RulesetView"][]> {
    return (await told(this.#requests.GET("/v1/rulesets", { ...asking }))).rulesets;
  }

  #game({ data, response }: Told, receipt: Receipt | null = null): Game {
    const sending = (secret: string) => requests(this.#base, { ...this.#settings, secret }, this.#requests.retries);
    return new Game(this.#requests, sending, data, response.headers.get("ETag"), receipt);
  }
}

type Cursor = { cursor?: string };

/** Iterates over a list page by page, and fetches the next page only when it is needed. */
async function* pages<Page extends { next: string | null }, T>(fetch: (cursor: Cursor) => Promise<Page>, things: (page: Page) => T[]) {
  for (let cursor: Cursor | null = {}; cursor !== null; ) {
    const page: Page = await fetch(cursor);
    yield* things(page);
    cursor = page.next === null ? null : { cursor: page.next };
  }
}

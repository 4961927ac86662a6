import { Game, type Turn } from "./game.js";
import { isProblem } from "./problem.js";
import { bulk, exported, type ExportFilter, type Including, type Records } from "./records.js";
import { answered, requests, retriesOf, told, type Asking, type Requests, type Settings } from "./requests.js";
import type { components, operations } from "./schema.js";
import { join, ownOnly, same, takeSeat, type Receipt, type SeatWishes, type Told } from "./seats.js";
import { newSecret } from "./secret.js";
import { messages, type FeedNews, type OwnNews } from "./stream.js";

type Schemas = components["schemas"];
type Query<Operation extends "list_games" | "list_own_games" | "list_leaders"> = Omit<NonNullable<operations[Operation]["parameters"]["query"]>, "cursor">;

/** Which public games are listed, and in what order; `limit` is the number of games that one request brings. */
export type GameFilter = Query<"list_games">;
/** Which of your own games are listed, and in what order. */
export type OwnGameFilter = Query<"list_own_games">;

/** Who leads: in which rule set, by what, with how many seats, and when. */
export type LeaderFilter = Query<"list_leaders">;

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
    this.#requests = requests(base, settings, retriesOf(settings));
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
    if (take == null) {
      return this.#game(created, data.your_seat === null ? null : ownOnly(data));
    }
    // With a key that was used before, the game may have started.
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
      // Others may have started the game before the entropy came: then the receipt has none.
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

  /** Takes an open seat of a game, the first that is left; for a private game with its code. If you hold a seat of it, you keep that. */
  async join(id: string, wishes: SeatWishes = {}, asking: Asking = {}): Promise<Game> {
    const { receipt, ...told } = await join(this.#requests, id, wishes, asking);
    return this.#game(told, receipt);
  }

  /** Lists public games, newest first, as far as you ask for them: `for await (const game of assam.games({ status: ["open"] }))`. */
  games(filter: GameFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["GameSummary"], void, undefined> {
    const page = (cursor: Cursor) => told(this.#requests.GET("/v1/games", { params: { query: { ...filter, ...cursor } }, ...asking }));
    return pages(page, ({ games }) => games);
  }

  /** Lists your own games, private ones too; with `your_turn: true` those that wait for you. */
  myGames(filter: OwnGameFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["OwnGame"], void, undefined> {
    const page = (cursor: Cursor) => told(this.#requests.GET("/v1/me/games", { params: { query: { ...filter, ...cursor } }, ...asking }));
    return pages(page, ({ games }) => games);
  }

  /** Follows all public games, but for their moves: gives what happens from now on, or since the `cursor` of a message. After `reset`, list
   * the games again. It connects again by itself, as long as it takes, like all streams. */
  followAll({ signal, since, ...filter }: Asking & { ruleset?: string; since?: string } = {}): AsyncGenerator<FeedNews, void, undefined> {
    const source = {
      connect: (place: { since?: string }, how: object) =>
        this.#requests.GET("/v1/events", { params: { query: { ...filter, ...place } }, ...how }),
      place: (message: Schemas["FeedMessage"], before: string | undefined) => ("cursor" in message ? message.cursor : before),
      retries: this.#requests.retries,
    };
    return messages<Schemas["FeedMessage"]>(source, { since, signal });
  }

  /** Follows your games: gives a `turn` for each that waits for you, and whenever one begins to; `over` and `gone` for those that end.
   * Whoever connects, also again, is told what waits then. */
  followOwn({ signal }: Asking = {}): AsyncGenerator<OwnNews, void, undefined> {
    const query = { include: ["state" as const, "legal-moves" as const] };
    const source = {
      connect: (_: object, how: object) => this.#requests.GET("/v1/me/events", { params: { query }, ...how }),
      place: () => undefined,
      retries: this.#requests.retries,
    };
    return messages<Schemas["OwnMessage"]>(source, { signal });
  }

  /** Gives your turns in all of your games, those that are to come, too. It does not end: `for await (const turn of assam.turns())` is a
   * bot. Play each before you ask for the next. */
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

  /** Fetches the ratings of a player, or of a built-in one by its name, and their results; `period` is a year, a month or a day. */
  async standings(player: string, { period, ...asking }: Asking & { period?: string } = {}): Promise<Schemas["PlayerStandings"]> {
    const params = { path: { player }, query: period === undefined ? {} : { period } };
    return told(this.#requests.GET("/v1/players/{player}", { params, ...asking }));
  }

  /** Lists who leads in a rule set, the first first. What is not sorted by rating needs `seats`. */
  leaders(filter: LeaderFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["LeaderView"], void, undefined> {
    const page = (cursor: Cursor) => told(this.#requests.GET("/v1/scores", { params: { query: { ...filter, ...cursor } }, ...asking }));
    return pages(page, ({ leaders }) => leaders);
  }

  /** Validates one record, finished or not, or a position line, by replaying it. Nothing is stored. A record that is refused is no
   * {@link Problem}: `valid` is false, and `error` says where and why. */
  async validate(record: string, asking: Asking = {}): Promise<Schemas["Verdict"]> {
    return told(this.#requests.POST("/v1/validate", { body: { record }, ...asking }));
  }

  /** Lists what can come of moves in up to 256 positions: for each every outcome of chance with its probability, position, score and
   * legal moves (or what `include` names), or the `error` of that position. */
  async outcomes(positions: Schemas["PositionInput"][], { include, ...asking }: Asking & Including = {}): Promise<Schemas["PositionOutcomes"][]> {
    const params = { query: include === undefined ? {} : { include: [...include] } };
    return (await told(this.#requests.POST("/v1/outcomes", { body: { positions }, params, ...asking }))).positions;
  }

  /** Stores a finished record as a game. It is public, and has no owner. Storing it again changes nothing. */
  async importRecord(record: string, asking: Asking = {}): Promise<Game> {
    return this.#game(await answered(this.#requests.POST("/v1/imports", { body: { record }, ...asking })));
  }

  /** Gives a verdict on each of any number of records, in order: strings with a record each, or a file with all of them, which the service
   * takes apart: `assam.validateRecords(createReadStream("games.mkn"))`. They are sent in batches as they come, each again if need be. A
   * bad one never stops the rest. Each verdict brings what `include` names of the position after the valid words. */
  validateRecords(records: Records, asking: Asking & Including = {}): AsyncGenerator<Schemas["RecordRow"], void, undefined> {
    return bulk<Schemas["RecordRow"]>(this.#requests, "/v1/validate/bulk", records, asking);
  }

  /** Stores any number of records of finished games, in the same way, and gives what became of each. Nothing is stored before you read. */
  importRecords(records: Records, asking: Asking = {}): AsyncGenerator<Schemas["ImportRow"], void, undefined> {
    return bulk<Schemas["ImportRow"]>(this.#requests, "/v1/imports/bulk", records, asking);
  }

  /** Gives public games that are over, or of other `status`, each with its record, oldest first; with `states` also every position. They are
   * read as they come. If the connection breaks, it goes on after the last one. */
  exportGames(filter: ExportFilter & { states?: boolean } = {}, asking: Asking = {}): AsyncGenerator<Schemas["ExportedGame"], void, undefined> {
    return exported<Schemas["ExportedGame"]>(this.#requests, filter, asking);
  }

  /** Gives the proofs of the same games. */
  exportProofs(filter: ExportFilter = {}, asking: Asking = {}): AsyncGenerator<Schemas["ExportedProof"], void, undefined> {
    return exported<Schemas["ExportedProof"]>(this.#requests, { ...filter, proofs: true }, asking);
  }

  /** Lists every rule set with its options and its rules. */
  async rulesets(asking: Asking = {}): Promise<Schemas["RulesetView"][]> {
    return (await told(this.#requests.GET("/v1/rulesets", { ...asking }))).rulesets;
  }

  #game({ data, response }: Told, receipt: Receipt | null = null): Game {
    const sending = (secret: string) => requests(this.#base, { ...this.#settings, secret }, this.#requests.retries);
    return new Game(this.#requests, sending, data, response.headers.get("ETag"), receipt);
  }
}

type Cursor = { cursor?: string };

/** Goes through a list page by page: the next page is asked for when it is needed. */
async function* pages<Page extends { next: string | null }, T>(fetch: (cursor: Cursor) => Promise<Page>, things: (page: Page) => T[]) {
  for (let cursor: Cursor | null = {}; cursor !== null; ) {
    const page: Page = await fetch(cursor);
    yield* things(page);
    cursor = page.next === null ? null : { cursor: page.next };
  }
}

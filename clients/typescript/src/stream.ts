import { Problem, Unanswered } from "./problem.js";
import { LINES, retryAfter, sleep, unless, type Answer, type Asking } from "./requests.js";
import type { components } from "./schema.js";

type Schemas = components["schemas"];
type Message = { type: string };

/** What is told of what is followed: all messages but those about the connection. */
type News<M extends Message> = Exclude<M, { type: "heartbeat" | "closing" }>;
/** What a game's stream tells. */
export type GameNews = News<Schemas["GameMessage"]>;
/** What the stream of all public games tells. */
export type FeedNews = News<Schemas["FeedMessage"]>;
/** What the stream of your own games tells. */
export type OwnNews = News<Schemas["OwnMessage"]>;

/** What is followed. */
export interface Source<M extends Message> {
  /** Asks for the stream once, from a place on. */
  connect: (since: { since?: string }, how: { signal?: AbortSignal | undefined; headers: { Accept: string }; parseAs: "stream" }) => Promise<Answer<unknown>>;
  /** Where to resume after a message, given where one would have resumed before it. */
  place: (message: M, before: string | undefined) => string | undefined;
  /** The types of messages after which nothing comes. */
  last?: readonly string[];
  /** How often the first connection is tried. */
  attempts: number;
}

/** How long a connection lasts that was no failure, in milliseconds. */
const HELD = 1000;
const LONGEST_PAUSE = 30_000;
const LONGEST_REST = 60_000;

/** The place in a game that a head is; before the start there is none. */
export function placeAt(head: Schemas["HeadView"] | null | undefined): { since?: string } {
  return head == null ? {} : { since: `${head.ply}.${head.hash}` };
}

/** Where to resume the stream of a game. */
export function placeInGame(message: Schemas["GameMessage"], before: string | undefined): string | undefined {
  switch (message.type) {
    case "snapshot":
      return placeAt(message.game.head).since;
    case "word":
      return placeAt(message.head).since;
    case "reset":
      // What came before it is of no use any more: without a place, a snapshot comes.
      return undefined;
    default:
      return before;
  }
}

/** Gives the messages of a stream, each once, for as long as it takes.
 *
 * It connects again at once where the connection breaks, then after 1, 2, 4 .. seconds; after `closing`, when that says. Where the first
 * connection does not come about, it is tried as often as any request. */
export async function* messages<M extends Message>(
  source: Source<M | Schemas["ClosingMessage"]>,
  { since: place, signal }: Asking & { since?: string | undefined },
): AsyncGenerator<News<M>, void, undefined> {
  const { connect, last = [], attempts } = source;
  for (let [isNew, breaks] = [true, 0]; ; breaks += 1) {
    let began: number | undefined;
    let pause: number | undefined;
    let failure: Problem | Unanswered | undefined;
    try {
      const since = place === undefined ? {} : { since: place };
      const connecting = connect(since, { signal, headers: { Accept: LINES }, parseAs: "stream" });
      const { data, error, response } = await unless(signal, connecting);
      if (response.status === 204) {
        return;
      }
      if (!response.ok) {
        failure = new Problem(error as Schemas["Problem"]);
        pause = retryAfter(response);
      } else {
        [isNew, began] = [false, Date.now()];
        for await (const message of lines<M | Schemas["ClosingMessage"]>(data as ReadableStream<Uint8Array>, signal)) {
          if (isClosing(message)) {
            pause = message.retry;
            break;
          }
          place = source.place(message, place);
          if (message.type !== "heartbeat") {
            yield message as News<M>;
          }
          if (last.includes(message.type)) {
            return;
          }
        }
      }
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SyntaxError) {
        throw cause;
      }
      failure = cause instanceof Unanswered ? cause : undefined;
    }
    if (began !== undefined && Date.now() - began >= HELD) {
      breaks = 0;
    }
    pause ??= pauseAfter(breaks);
    if (failure !== undefined && (isFinal(failure) || pause > LONGEST_REST || (isNew && breaks + 1 >= attempts))) {
      throw failure;
    }
    await sleep(pause, signal);
  }
}

/** Asks until the service answers, however long that takes. What it refuses is a {@link Problem}. */
export async function insist<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let breaks = 1; ; breaks += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Unanswered) || isFinal(error)) {
        throw error;
      }
    }
    await sleep(pauseAfter(breaks), signal);
  }
}

function isClosing(message: Message): message is Schemas["ClosingMessage"] {
  return message.type === "closing";
}

/** Would asking again not help? */
function isFinal({ status }: Problem | Unanswered): boolean {
  return status !== null && status < 500 && status !== 429;
}

/** How long to wait, in milliseconds, after so many breaks before this one. Not all who lost their service come back at the same time. */
function pauseAfter(breaks: number): number {
  return breaks === 0 ? 0 : Math.min(500 * 2 ** breaks, LONGEST_PAUSE) * (0.75 + Math.random() / 2);
}

/** Gives the lines of a stream as they come. One that breaks off is none. */
async function* lines<M>(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<M, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await unless(signal, reader.read());
      if (done) {
        return;
      }
      const whole = (text + decoder.decode(value, { stream: true })).split("\n");
      text = whole.pop() ?? "";
      for (const line of whole) {
        yield JSON.parse(line) as M;
      }
    }
  } finally {
    // Whether it ends well or not, nothing of it is wanted any more.
    reader.cancel().catch(() => {});
  }
}

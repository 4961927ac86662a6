import { Problem, Unanswered } from "./problem.js";
import { answered, LINES, sleep, unless, type Answer, type Asking } from "./requests.js";
import { Attempts, type Retries } from "./retries.js";
import type { components } from "./schema.js";

type Schemas = components["schemas"];
type Message = { type: string };

/** All messages of a stream except those about the connection. */
type News<M extends Message> = Exclude<M, { type: "heartbeat" | "closing" }>;
/** A message about a game. */
export type GameNews = News<Schemas["GameMessage"]>;
/** A message about public games. */
export type FeedNews = News<Schemas["FeedMessage"]>;
/** A message about your own games. */
export type OwnNews = News<Schemas["OwnMessage"]>;

/** A stream to follow. */
export interface Source<M extends Message> {
  /** Requests the stream once, from a place. */
  connect: (since: { since?: string }, how: { signal?: AbortSignal | undefined; headers: { Accept: string }; parseAs: "stream" }) => Promise<Answer<unknown>>;
  /** Returns the place to resume from after a message, given the place before it. */
  place: (message: M, before: string | undefined) => string | undefined;
  /** The types of messages that end the stream. */
  last?: readonly string[];
  /** The retry policy. */
  retries: Retries;
}

/** How long a connection must last to count as successful, in milliseconds. */
const HELD = 1000;

/** Returns a head as a place in its game, or no place before the start. */
export function placeAt(head: Schemas["HeadView"] | null | undefined): { since?: string } {
  return head == null ? {} : { since: `${head.ply}.${head.hash}` };
}

/** Returns the place to resume the stream of a game from. */
export function placeInGame(message: Schemas["GameMessage"], before: string | undefined): string | undefined {
  switch (message.type) {
    case "snapshot":
      return placeAt(message.game.head).since;
    case "word":
      return placeAt(message.head).since;
    case "reset":
      // A reset invalidates the place. Without one, the service sends a snapshot.
      return undefined;
    default:
      return before;
  }
}

/** Yields the messages of a stream, each once, without a time limit.
 *
 * Reconnects at once after a break, then after increasing pauses, or after the pause in `closing`. The first connection has the timeout of
 * any request. From then on, no request of the client times out. */
export async function* messages<M extends Message>(
  source: Source<M | Schemas["ClosingMessage"]>,
  { since: place, signal }: Asking & { since?: string | undefined },
): AsyncGenerator<News<M>, void, undefined> {
  const { connect, last = [], retries } = source;
  const attempts = new Attempts(retries);
  let endured: (() => void) | undefined;
  try {
    for (;;) {
      let began: number | undefined;
      let pause: number | undefined;
      let failure: Problem | Unanswered | undefined;
      try {
        const since = place === undefined ? {} : { since: place };
        const connecting = connect(since, { signal, headers: { Accept: LINES }, parseAs: "stream" });
        const { data, response } = await answered(unless(signal, connecting));
        if (response.status === 204) {
          return;
        }
        began = Date.now();
        endured ??= retries.endure();
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
      } catch (cause) {
        signal?.throwIfAborted();
        // Any other error is a broken connection.
        failure = cause instanceof Problem || cause instanceof Unanswered ? cause : undefined;
      }
      if (began !== undefined && Date.now() - began >= HELD) {
        attempts.restart();
      }
      if (failure !== undefined) {
        pause = attempts.failed(failure);
      } else {
        const after = attempts.ended();
        pause ??= after;
      }
      await sleep(pause, signal);
    }
  } finally {
    endured?.();
  }
}

function isClosing(message: Message): message is Schemas["ClosingMessage"] {
  return message.type === "closing";
}

/** Yields the lines of a stream as they arrive. Ignores an incomplete line. */
export async function* lines<M>(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<M, void, undefined> {
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
    // However it ended, the rest is not needed.
    reader.cancel().catch(() => {});
  }
}

import { Problem, Unanswered } from "./problem.js";
import { answered, LINES, sleep, unless, type Answer, type Asking } from "./requests.js";
import { Attempts, type Retries } from "./retries.js";
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
  /** When it is connected again. */
  retries: Retries;
}

/** How long a connection lasts that was no failure, in milliseconds. */
const HELD = 1000;

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
 * It connects again at once where the connection breaks, then after longer and longer; after `closing`, when that says. The first connection is
 * tried as any request. From then on, nothing that the client does is given up because it takes long. */
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
        // All else broke in the middle.
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

/** Gives the lines of a stream as they come. One that breaks off is none. */
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
    // Whether it ends well or not, nothing of it is wanted any more.
    reader.cancel().catch(() => {});
  }
}

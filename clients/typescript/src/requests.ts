import createClient, { type Client } from "openapi-fetch";

import { Problem, Unanswered } from "./problem.js";
import { Attempts, Retries } from "./retries.js";
import type { paths } from "./schema.js";
import { checkSecret, playerOf } from "./secret.js";

/** How requests are sent. */
export interface Settings {
  /** Your secret ({@link newSecret}). Without one you are a spectator. */
  secret?: string;
  /** How long a request goes on, in milliseconds, with all its attempts: 60,000 by default, `Infinity` for as long as it takes. It is sent again if
   * the network fails, if the service is busy or away, and if something else answers in its place, after the pause that `Retry-After` asks
   * for. All requests of this client can be repeated. While the client is in a stream, or in the turns of a game, they are sent again
   * for as long as it takes. */
  timeout?: number;
  /** How long a connection may say nothing before it is dead, in milliseconds: 30,000 by default. Heartbeats of streams come every 15 seconds. */
  silence?: number;
  /** What sends requests in place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** What any request takes. */
export interface Asking {
  /** Ends the request, and whatever pauses between its attempts. */
  signal?: AbortSignal | undefined;
}

/** Entropy that was sent for a seat. */
export interface Sent {
  readonly entropy: string;
  /** What the service had signed of the seats before. */
  readonly receipt: string;
  /** Whether the response came, and had it. */
  readonly isAnswered: boolean;
}

/** Every operation of the document, typed, and when each is tried again. */
export type Requests = Client<paths> & {
  readonly retries: Retries;
  /** The player's public id, or null without a secret. */
  readonly player: () => Promise<string | null>;
  /** The entropy that was sent last for a seat, by game. */
  readonly sent: Map<string, Sent>;
};

/** What is asked for as a stream: it is sent once, and read as it comes. */
export const LINES = "application/x-ndjson";
export const TEXT = "text/plain";
const PROBLEM = "application/problem+json";
/** The longest that a timer can wait, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

const JSONS = "application/json";
const TIMEOUT = 60_000;
const SILENCE = 30_000;

/** The policy that settings ask for. */
export function retriesOf({ timeout = TIMEOUT, silence = SILENCE }: Settings): Retries {
  return new Retries(timeout, silence);
}

/** Makes a client of every operation of the document, whose requests carry the secret and are repeated. */
export function requests(base: string | URL, settings: Settings, retries: Retries): Requests {
  const { secret } = settings;
  if (secret !== undefined) {
    checkSecret(secret);
  }
  const client = createClient<paths>({
    baseUrl: String(base).replace(/\/+$/, ""),
    // Lists in queries are `status=open,running`.
    querySerializer: { array: { style: "form", explode: false } },
    fetch: (request) => {
      if (secret !== undefined) {
        request.headers.set("Authorization", `Bearer ${secret}`);
      }
      if (!request.headers.has("Accept")) {
        request.headers.set("Accept", JSONS);
      }
      const sent = settings.fetch ?? fetch;
      return isStream(request) ? answer(request, sent, retries, retries.silence) : send(request, sent, retries);
    },
  });
  const player = async () => (secret === undefined ? null : playerOf(secret));
  return Object.assign(client, { retries, player, sent: new Map() });
}

/** Whether the answer is read as it comes: lines, but for those about many records that are sent. */
function isStream({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  return method === "GET" && headers.get("Accept") === LINES;
}

/** Sends a request until it is answered, or time is up. */
async function send(request: Request, sent: typeof fetch, retries: Retries): Promise<Response> {
  // The service may be asked to wait before it answers.
  const wait = Number(new URL(request.url).searchParams.get("wait")) * 1000;
  const attempts = new Attempts(retries, wait);
  for (;;) {
    let failure: Problem | Unanswered;
    try {
      const limit = Math.min(retries.silence + wait, attempts.timeLeft());
      const response = await answer(request.clone(), sent, retries, limit);
      const text = await response.text();
      const { status, headers } = response;
      const content = contentOf(request, status, headers, text);
      if (status < 400) {
        return new Response([204, 304].includes(status) ? null : text, { status, headers });
      }
      failure = new Problem(content as ConstructorParameters<typeof Problem>[0], retryAfter(response));
    } catch (cause) {
      request.signal.throwIfAborted();
      failure = cause instanceof Unanswered ? cause : new Unanswered(shown(request), null, cause);
    }
    await sleep(attempts.failed(failure), request.signal);
  }
}

/** What a text says that is JSON. One that is not what its type promises is none of the service. */
function contentOf(request: Request, status: number, headers: Headers, text: string): unknown {
  const type = typeOf(headers);
  if (type !== JSONS && type !== PROBLEM) {
    return text;
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === "object" && content !== null && !Array.isArray(content)) {
      return content;
    }
  } catch {
    // It is told below.
  }
  throw new Unanswered(shown(request), status, undefined, { type });
}

/** Sends a request once, and gives the answer as it comes: one of the service, of the type that was asked for. When nothing comes for too long, the
 * connection is dead. */
async function answer(request: Request, send: typeof fetch, retries: Retries, limit: number): Promise<Response> {
  const dead = new AbortController();
  const watched = async <T>(next: Promise<T>): Promise<T> => {
    const nothing = () => dead.abort(new Error(`nothing came for ${limit / 1000} s`));
    const timer = limit <= LONGEST_TIMER ? setTimeout(nothing, limit) : undefined;
    return unless(dead.signal, next).finally(() => clearTimeout(timer));
  };
  let response: Response;
  try {
    response = await watched(send(request, { signal: AbortSignal.any([request.signal, dead.signal]) }));
  } catch (cause) {
    throw new Unanswered(shown(request), null, cause);
  }
  const { status, headers, body } = response;
  if (!isExpected(request, response)) {
    body?.cancel().catch(() => {});
    throw new Unanswered(shown(request), status, undefined, { type: typeOf(headers), retryAfter: retryAfter(response) });
  }
  retries.isKnown = true;
  if (body === null || status === 204 || status === 304) {
    return new Response(null, { status, headers });
  }
  const reader = body.getReader();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      const { done, value } = await watched(reader.read());
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  };
  // Nothing is read before it is asked for: who thinks for long does not lose the connection.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { status, headers });
}

/** Whether this can be the answer of the service: a problem, or of the type that was asked for. */
function isExpected({ method, headers, url }: Request, response: Response): boolean {
  const { status } = response;
  const type = typeOf(response.headers);
  if (status >= 400) {
    return type === PROBLEM;
  }
  if (status === 304) {
    return headers.has("If-None-Match");
  }
  if (status === 204) {
    return method === "DELETE" || new URL(url).pathname.endsWith("/secret") || isStream({ method, headers });
  }
  return response.ok && type === headers.get("Accept");
}

/** What errors show of a request. */
function shown({ method, url, headers }: Request): { method: string; path: string; accept: string | null } {
  return { method, path: new URL(url).pathname, accept: headers.get("Accept") };
}

/** The type of a content, without its parameters. */
function typeOf(headers: Headers): string | null {
  return headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? null;
}

/** How long the service wants to be left alone, in milliseconds, if it says so. */
function retryAfter({ headers }: Response): number | undefined {
  const asked = Number(headers.get("Retry-After") ?? NaN) * 1000;
  return Number.isFinite(asked) ? asked : undefined;
}

/** Waits for something, or throws the reason of the signal when that comes first. A signal that only follows another one may be collected
 * as garbage, and then nothing ends: so whoever waits listens to the first one. */
export async function unless<T>(signal: AbortSignal | undefined, next: Promise<T>): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort);
  });
  if (signal?.aborted) {
    abort();
  }
  return Promise.race([next, aborted]).finally(() => signal?.removeEventListener("abort", abort));
}

/** Waits so many milliseconds, or throws the reason of the signal when that comes first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) {
      abort();
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** An answer of the generated client. */
export interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Gives what the service answered, or throws the {@link Problem} that it told. */
export async function told<T>(asked: Promise<Answer<T>>): Promise<T> {
  return (await answered(asked)).data;
}

/** The same, with the headers. */
export async function answered<T>(asked: Promise<Answer<T>>): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await asked;
  if (response.ok) {
    return { data: data as T, response };
  }
  throw new Problem(error as ConstructorParameters<typeof Problem>[0], retryAfter(response));
}

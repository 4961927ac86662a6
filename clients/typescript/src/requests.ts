import createClient, { type Client } from "openapi-fetch";

import { Problem, Unanswered } from "./problem.js";
import { Attempts, Retries } from "./retries.js";
import type { paths } from "./schema.js";
import { checkSecret, playerOf } from "./secret.js";

/** How requests are sent. */
export interface Settings {
  /** Your secret ({@link newSecret}). Without one you are a spectator. */
  secret?: string;
  /** How long a request may take with all its attempts, in milliseconds: 60,000 by default, `Infinity` for no limit. Requests are retried if the
   * network fails, the service is busy or down, or something else answers in its place, after the pause in `Retry-After` if there is one.
   * All requests of this client are safe to repeat. While the client is in a stream or in the turns of a game, there is no limit. */
  timeout?: number;
  /** How long a connection may be silent before it is dead, in milliseconds: 30,000 by default. Streams send heartbeats every 15 seconds. */
  silence?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** Options of any request. */
export interface Asking {
  /** Ends the request and the pauses between its attempts. */
  signal?: AbortSignal | undefined;
}

/** Entropy that was sent for a seat. */
export interface Sent {
  readonly entropy: string;
  /** The seats as the service had signed them before. */
  readonly receipt: string;
  /** Whether a response with it arrived. */
  readonly isAnswered: boolean;
}

/** All operations of the OpenAPI document, typed, with the retry policy. */
export type Requests = Client<paths> & {
  readonly retries: Retries;
  /** Returns the player's public id, or null without a secret. */
  readonly player: () => Promise<string | null>;
  /** The entropy sent last, by game. */
  readonly sent: Map<string, Sent>;
};

/** The type of streams, whose requests are sent once and read as they arrive. */
export const LINES = "application/x-ndjson";
export const TEXT = "text/plain";
const PROBLEM = "application/problem+json";
/** The longest wait of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

const JSONS = "application/json";
const TIMEOUT = 60_000;
const SILENCE = 30_000;

/** Returns the retry policy of some settings. */
export function retriesOf({ timeout = TIMEOUT, silence = SILENCE }: Settings): Retries {
  return new Retries(timeout, silence);
}

/** Creates a client for all operations, which sends the secret and retries requests. */
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

/** Returns whether the answer is read as it arrives: lines, except for those about records in a request. */
function isStream({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  return method === "GET" && headers.get("Accept") === LINES;
}

/** Sends a request until it is answered or times out. */
async function send(request: Request, sent: typeof fetch, retries: Retries): Promise<Response> {
  // A long poll may take longer.
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

/** Parses a JSON text. Throws if it does not match its type, because then it is not from the service. */
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
    // Thrown below.
  }
  throw new Unanswered(shown(request), status, undefined, { type });
}

/** Sends a request once and returns the answer as it arrives. It must be from the service and of the requested type. A connection that is silent
 * for too long is dead. */
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
  // Reads only on demand, so that a slow consumer does not lose the connection.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { status, headers });
}

/** Returns whether an answer can be from the service: a problem, or of the requested type. */
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

/** Returns the parts of a request that errors show. */
function shown({ method, url, headers }: Request): { method: string; path: string; accept: string | null } {
  return { method, path: new URL(url).pathname, accept: headers.get("Accept") };
}

/** Returns the content type without its parameters. */
function typeOf(headers: Headers): string | null {
  return headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? null;
}

/** Returns the pause that the service asks for, in milliseconds. */
function retryAfter({ headers }: Response): number | undefined {
  const asked = Number(headers.get("Retry-After") ?? NaN) * 1000;
  return Number.isFinite(asked) ? asked : undefined;
}

/** Waits for a promise, or throws the reason of the signal if that fires first. Listens to the original signal, because a dependent signal
 * may be garbage-collected, and then nothing would end the wait. */
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

/** Waits so many milliseconds, or throws the reason of the signal if that fires first. */
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

/** Returns the content of an answer, or throws its {@link Problem}. */
export async function told<T>(asked: Promise<Answer<T>>): Promise<T> {
  return (await answered(asked)).data;
}

/** Returns an answer with its headers, or throws its {@link Problem}. */
export async function answered<T>(asked: Promise<Answer<T>>): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await asked;
  if (response.ok) {
    return { data: data as T, response };
  }
  throw new Problem(error as ConstructorParameters<typeof Problem>[0], retryAfter(response));
}

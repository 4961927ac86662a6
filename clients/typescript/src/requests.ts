import createClient, { type Client } from "openapi-fetch";

import { Problem, Unanswered } from "./problem.js";
import type { paths } from "./schema.js";
import { checkSecret } from "./secret.js";

/** How requests are sent. */
export interface Settings {
  /** Your secret ({@link newSecret}). Without one you are a spectator. */
  secret?: string;
  /** How often a request is sent at most, 5 by default. It is sent again where the network fails or the service answers
   * 429 or 5xx, after the pause that `Retry-After` asks for, unless that is longer than a minute. All requests of this client can
   * be repeated. */
  attempts?: number;
  /** How long one attempt may take, in milliseconds: 30,000 by default. */
  timeout?: number;
  /** How long a stream may say nothing before it connects again, in milliseconds: 30,000 by default. Heartbeats come every 15 seconds. */
  silence?: number;
  /** What sends requests in place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** What any request takes. */
export interface Asking {
  /** Ends the request, and whatever pauses between its attempts. */
  signal?: AbortSignal | undefined;
}

/** Every operation of the document, typed, and how often each is tried. */
export type Requests = Client<paths> & { readonly attempts: number };

/** What is asked for as a stream: it is sent once, and read as it comes. */
export const LINES = "application/x-ndjson";

const ATTEMPTS = 5;
const TIMEOUT = 30_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 60_000;

/** Makes a client of every operation of the document, whose requests carry the secret and are repeated. */
export function requests(base: string | URL, settings: Settings): Requests {
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
      return request.headers.get("Accept") === LINES ? listen(request, settings) : send(request, settings);
    },
  });
  return Object.assign(client, { attempts: settings.attempts ?? ATTEMPTS });
}

async function send(request: Request, settings: Settings): Promise<Response> {
  const attempts = settings.attempts ?? ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    let pause = FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random());
    try {
      const response = await unless(request.signal, once(request.clone(), settings));
      const asked = retryAfter(response) ?? 0;
      const isLater = (response.status === 429 || response.status >= 500) && asked <= LONGEST_PAUSE;
      if (!isLater || attempt >= attempts) {
        if (response.status < 400 || isProblemTold(response)) {
          return response;
        }
        throw new Unanswered(request, response.status);
      }
      pause = Math.max(asked, pause);
    } catch (cause) {
      request.signal.throwIfAborted();
      if (cause instanceof Unanswered) {
        throw cause;
      }
      if (attempt >= attempts) {
        throw new Unanswered(request, null, cause);
      }
    }
    await sleep(Math.min(pause, LONGEST_PAUSE), request.signal);
  }
}

/** Sends a request once, and waits for the whole answer: one that breaks off is none. */
async function once(request: Request, settings: Settings): Promise<Response> {
  const send = settings.fetch ?? fetch;
  // The service may be asked to wait before it answers.
  const wait = Number(new URL(request.url).searchParams.get("wait")) * 1000;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout((settings.timeout ?? TIMEOUT) + wait)]);
  const response = await send(request, { signal });
  const body = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response([204, 304].includes(status) ? null : body, { status, headers });
}

/** Sends a request once, and gives the answer as it comes. Where nothing comes for too long, the connection is dead. */
async function listen(request: Request, settings: Settings): Promise<Response> {
  const send = settings.fetch ?? fetch;
  const dead = new AbortController();
  const watched = async <T>(next: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => dead.abort(new Error("nothing comes")), settings.silence ?? TIMEOUT);
    return unless(dead.signal, next).finally(() => clearTimeout(timer));
  };
  let response: Response;
  try {
    response = await watched(send(request, { signal: AbortSignal.any([request.signal, dead.signal]) }));
  } catch (cause) {
    throw new Unanswered(request, null, cause);
  }
  const { status, headers, body } = response;
  if (status === 204 || isProblemTold(response)) {
    return response;
  }
  if (status !== 200 || !headers.get("Content-Type")?.startsWith(LINES) || body === null) {
    await body?.cancel();
    throw new Unanswered(request, status);
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

function isProblemTold({ headers }: Response): boolean {
  return headers.get("Content-Type") === "application/problem+json";
}

/** How long the service wants to be left alone, in milliseconds, if it says so. */
export function retryAfter({ headers }: Response): number | undefined {
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
  throw new Problem(error as ConstructorParameters<typeof Problem>[0]);
}

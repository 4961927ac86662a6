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
  /** What sends requests in place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** What any request takes. */
export interface Asking {
  /** Ends the request, and whatever pauses between its attempts. */
  signal?: AbortSignal | undefined;
}

/** Every operation of the document, typed. */
export type Requests = Client<paths>;

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 60_000;

/** Makes a client of every operation of the document, whose requests carry the secret and are repeated. */
export function requests(base: string | URL, settings: Settings): Requests {
  const { secret } = settings;
  if (secret !== undefined) {
    checkSecret(secret);
  }
  return createClient<paths>({
    baseUrl: String(base).replace(/\/+$/, ""),
    // Lists in queries are `status=open,running`.
    querySerializer: { array: { style: "form", explode: false } },
    fetch: (request) => {
      if (secret !== undefined) {
        request.headers.set("Authorization", `Bearer ${secret}`);
      }
      return send(request, settings);
    },
  });
}

async function send(request: Request, settings: Settings): Promise<Response> {
  const attempts = settings.attempts ?? 5;
  for (let attempt = 1; ; attempt += 1) {
    let pause = FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random());
    try {
      const response = await once(request.clone(), settings);
      const isTold = response.status < 400 || response.headers.get("Content-Type") === "application/problem+json";
      const asked = Number(response.headers.get("Retry-After") ?? NaN) * 1000;
      const isLater = (response.status === 429 || response.status >= 500) && !(asked > LONGEST_PAUSE);
      if (!isLater || attempt >= attempts) {
        if (isTold) {
          return response;
        }
        throw new Unanswered(request, response.status);
      }
      pause = Number.isFinite(asked) ? Math.max(asked, pause) : pause;
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
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(settings.timeout ?? 30_000)]);
  const response = await send(request, { signal });
  const body = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response([204, 304].includes(status) ? null : body, { status, headers });
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
interface Answer<T> {
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

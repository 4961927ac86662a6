import type { components } from "./schema.js";

/** What a problem is, for programs to match on: a closed list. A newer service may have codes that are not in it yet. */
export type Code = components["schemas"]["Code"];

/** Something that is wrong with a body or a query, and where. */
export type Flaw = components["schemas"]["FlawView"];

type Told = components["schemas"]["Problem"];

/** A request that the service refused, or could not serve. Match on `code`, and show `detail` to people. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: Code;
  readonly status: number;
  /** A short name for people, the same for every problem with this code. */
  readonly title: string;
  /** A sentence for people about this request in particular. */
  readonly detail: string;
  /** Everything that is wrong with the body or the query. */
  readonly errors: readonly Flaw[];
  /** The rule that was broken, finer than the code: `marrakech.rug.covers-whole-rug`. */
  readonly rule: string | null;
  /** Why the rule applies here. */
  readonly why: string | null;
  /** The text or the moves that would have been right. */
  readonly expected: string | null;
  /** How long the service wants to be left alone, in milliseconds, if it said so. */
  readonly retryAfter: number | undefined;
  /** All that the service said: also `line`, `column`, `word`, `ply`, `seat`, `head` and `result`, where they apply. */
  readonly told: Told;

  constructor(told: Told, retryAfter?: number) {
    super(`${told.code}: ${told.detail}`);
    this.told = told;
    this.retryAfter = retryAfter;
    this.code = told.code;
    this.status = told.status;
    this.title = told.title;
    this.detail = told.detail;
    this.errors = told.errors ?? [];
    this.rule = told.rule ?? null;
    this.why = told.why ?? null;
    this.expected = told.expected ?? null;
  }
}

/** A request to which the service gave no answer: the network failed, or something between answered in its place, such as a proxy or the
 * login page of a network; or the address is wrong. It may have taken effect; sending it again finds out. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  /** The HTTP status of what answered in place of the service; null where nothing did. */
  readonly status: number | null;
  /** The type of what came in place of the answer. */
  readonly contentType: string | null;
  /** How long whatever answered wants to be left alone, in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(
    request: { method: string; path: string; accept: string | null },
    status: number | null,
    cause?: unknown,
    { type = null, retryAfter }: { type?: string | null; retryAfter?: number | undefined } = {},
  ) {
    const { method, path, accept } = request;
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    const told = `not the service's answer: ${type ?? "no content type"} with status ${status}, expected ${accept}`;
    super(`${method} ${path}: ${status === null ? `no answer${why}` : told}`, { cause });
    this.status = status;
    this.contentType = type;
    this.retryAfter = retryAfter;
  }
}

/** Is this a problem with one of these codes? */
export function isProblem(error: unknown, ...codes: Code[]): error is Problem {
  return error instanceof Problem && codes.includes(error.code);
}

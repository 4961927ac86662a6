import type { components } from "./schema.js";

/** The kind of a problem, to match on. A newer service may have codes that are not in this list. */
export type Code = components["schemas"]["Code"];

/** A fault of a body or a query, and its place. */
export type Flaw = components["schemas"]["FlawView"];

type Told = components["schemas"]["Problem"];

/** A request that the service refused or could not serve. Match on `code`, and show `detail` to people. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: Code;
  readonly status: number;
  /** A short name for people, the same for every problem with this code. */
  readonly title: string;
  /** A sentence for people about this particular request. */
  readonly detail: string;
  /** All faults of the body or the query. */
  readonly errors: readonly Flaw[];
  /** The rule broken, more specific than the code: `marrakech.rug.covers-whole-rug`. */
  readonly rule: string | null;
  /** Why the rule applies here. */
  readonly why: string | null;
  /** The text or the moves that would have been accepted. */
  readonly expected: string | null;
  /** The pause that the service asks for, in milliseconds. */
  readonly retryAfter: number | undefined;
  /** The whole problem, with `line`, `column`, `word`, `ply`, `seat`, `head` and `result` if they apply. */
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

/** A request that the service did not answer: the network failed, something else answered, such as a proxy or the login page of a
 * network, or the address is wrong. The request may have taken effect. Send it again to find out. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  /** The HTTP status of the answer that was not from the service, or null without one. */
  readonly status: number | null;
  /** The content type of that answer. */
  readonly contentType: string | null;
  /** The pause that it asks for, in milliseconds. */
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

/** Returns whether an error is a problem with one of these codes. */
export function isProblem(error: unknown, ...codes: Code[]): error is Problem {
  return error instanceof Problem && codes.includes(error.code);
}

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
  /** All that the service said: also `line`, `column`, `word`, `ply`, `seat`, `head` and `result`, where they apply. */
  readonly told: Told;

  constructor(told: Told) {
    super(`${told.code}: ${told.detail}`);
    this.told = told;
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

/** A request to which the service gave no answer: the network failed, or something between answered in its place. It may
 * have taken effect; sending it again finds out. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  /** The HTTP status of what answered in place of the service; null where nothing did. */
  readonly status: number | null;

  constructor(request: { method: string; url: string }, status: number | null, cause?: unknown) {
    const { pathname } = new URL(request.url);
    super(`${request.method} ${pathname}: ${status === null ? "no answer" : `not the service's answer, with status ${status}`}`, { cause });
    this.status = status;
  }
}

/** Is this a problem with one of these codes? */
export function isProblem(error: unknown, ...codes: Code[]): error is Problem {
  return error instanceof Problem && codes.includes(error.code);
}

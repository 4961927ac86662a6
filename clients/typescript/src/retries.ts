import { Problem, Unanswered } from "./problem.js";

/** The longest pause between two attempts, in milliseconds, unless the service asks for more. */
const LONGEST_PAUSE = 5000;
/** Statuses below 500 that a retry may avoid. */
const AGAIN = [408, 429];

/** The retry policy of a client. */
export class Retries {
  /** How long a request may take with all its attempts, in milliseconds. */
  readonly timeout: number;
  /** How long a connection may be silent, in milliseconds. */
  readonly silence: number;
  /** Whether the service has ever answered. Before that, a wrong answer means a wrong address. */
  isKnown = false;
  readonly #enduring = new Set<object>();

  constructor(timeout: number, silence: number) {
    this.timeout = timeout;
    this.silence = silence;
  }

  /** Suspends the timeout of all requests. Returns a function that ends this. */
  endure(): () => void {
    const token = {};
    this.#enduring.add(token);
    return () => this.#enduring.delete(token);
  }

  /** Runs some work while the timeout of all requests is suspended. */
  async enduring<T>(work: () => Promise<T>): Promise<T> {
    const end = this.endure();
    try {
      return await work();
    } finally {
      end();
    }
  }

  get isEnduring(): boolean {
    return this.#enduring.size > 0;
  }
}

/** The attempts of one request. */
export class Attempts {
  readonly #retries: Retries;
  readonly #longer: number;
  #end = 0;
  #failures = 0;

  /** Creates the attempts of a request, which may take so many milliseconds `longer` if the service was asked to wait. */
  constructor(retries: Retries, longer = 0) {
    this.#retries = retries;
    this.#longer = longer;
    this.restart();
  }

  /** Resets failures and timeout after progress. */
  restart(): void {
    this.#failures = 0;
    this.#end = Date.now() + this.#retries.timeout + this.#longer;
  }

  timeLeft(): number {
    return this.#retries.isEnduring ? Infinity : this.#end - Date.now();
  }

  /** Returns the pause before the next attempt. Throws the failure if a retry would not help or be too late. */
  failed(failure: Problem | Unanswered): number {
    const isBroken = failure instanceof Unanswered && failure.status === null;
    const pause = Math.max(pauseAfter(this.#failures + (isBroken ? 0 : 1)), failure.retryAfter ?? 0);
    this.#failures += 1;
    const { status } = failure;
    const isTaken = failure instanceof Problem || !this.#retries.isKnown;
    const isFinal = isTaken && status !== null && status < 500 && !AGAIN.includes(status);
    if (isFinal || pause >= this.timeLeft()) {
      throw failure;
    }
    return pause;
  }

  /** Returns the pause after a connection that ended normally. */
  ended(): number {
    this.#failures += 1;
    return pauseAfter(this.#failures - 1);
  }
}

/** Returns the pause in milliseconds after so many earlier failures, with jitter so that clients do not return all at once. */
function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(250 * 2 ** failures, LONGEST_PAUSE) * (0.75 + Math.random() / 2);
}

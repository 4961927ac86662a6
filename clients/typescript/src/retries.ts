import { Problem, Unanswered } from "./problem.js";

/** Between two attempts, in milliseconds, unless the service asks for more. */
const LONGEST_PAUSE = 5000;
/** Below 500, what the same request may not get the next time. */
const AGAIN = [408, 429];

/** When requests are sent again, and when they are given up: one policy for all that a client does. */
export class Retries {
  /** How long a request goes on with all its attempts, in milliseconds. */
  readonly timeout: number;
  /** How long a connection may say nothing, in milliseconds. */
  readonly silence: number;
  /** Whether the service has ever answered: before that, a wrong answer means a wrong address. */
  isKnown = false;
  readonly #enduring = new Set<object>();

  constructor(timeout: number, silence: number) {
    this.timeout = timeout;
    this.silence = silence;
  }

  /** Begins something during which nothing is given up because it takes long. Returns what ends it. */
  endure(): () => void {
    const token = {};
    this.#enduring.add(token);
    return () => this.#enduring.delete(token);
  }

  /** Does something during which nothing is given up because it takes long. */
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

  /** A request may take so many milliseconds `longer`, if the service was asked to wait. */
  constructor(retries: Retries, longer = 0) {
    this.#retries = retries;
    this.#longer = longer;
    this.restart();
  }

  /** Begins again: there was progress. */
  restart(): void {
    this.#failures = 0;
    this.#end = Date.now() + this.#retries.timeout + this.#longer;
  }

  timeLeft(): number {
    return this.#retries.isEnduring ? Infinity : this.#end - Date.now();
  }

  /** Returns how long to pause before the next attempt, or throws the failure if that would not help or come too late. */
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

  /** Returns how long to pause after something that ended well. */
  ended(): number {
    this.#failures += 1;
    return pauseAfter(this.#failures - 1);
  }
}

/** How long to wait, in milliseconds, after so many failures before this one. Clients that lost their service together come back apart. */
function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(250 * 2 ** failures, LONGEST_PAUSE) * (0.75 + Math.random() / 2);
}

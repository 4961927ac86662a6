// Retries after a pause, or at once when something suggests that it works now.

/** A problem that the service reported, or that the service was unreachable (`code` is `unreachable`). */
export class Problem extends Error {
  /** @param {string} code
   * @param {string} detail
   * @param {Record<string, any>} [told] the whole problem */
  constructor(code, detail, told = {}) {
    super(detail);
    this.code = code;
    this.told = told;
  }
}

/** Returns whether a request with this status may succeed later.
 * @param {number} status */
export const passes = (status) => [408, 429].includes(status) || status >= 500;

/** Returns whether a failure may be transient.
 * @param {unknown} error */
export function isPassing(error) {
  return error instanceof Problem && (error.told.status === undefined || passes(error.told.status));
}

/** Waits for some time.
 * @param {number} milliseconds
 * @returns {Promise<void>} */
export function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Functions that end the current pauses. @type {Set<() => void>} */
const pauses = new Set();

/** Waits before the next try. Returns whether `tryAgain` ended the pause early.
 * @param {number} milliseconds
 * @returns {Promise<boolean>} */
export function pause(milliseconds) {
  return new Promise((done) => {
    const timer = setTimeout(() => {
      pauses.delete(end);
      done(false);
    }, milliseconds);
    const end = () => {
      clearTimeout(timer);
      done(true);
    };
    pauses.add(end);
  });
}

/** Ends all pauses, so that everything is tried again at once. */
export function tryAgain() {
  for (const end of pauses) end();
  pauses.clear();
}

// What may work later: it is tried again after a pause, or at once when there is reason to think that it works now.

/** A problem that the service told, or that it could not be reached (`code` is `unreachable`). */
export class Problem extends Error {
  /** @param {string} code
   * @param {string} detail
   * @param {Record<string, any>} [told] all of it */
  constructor(code, detail, told = {}) {
    super(detail);
    this.code = code;
    this.told = told;
  }
}

/** Returns whether a request with this status may be answered otherwise later.
 * @param {number} status */
export const passes = (status) => [408, 429].includes(status) || status >= 500;

/** Returns whether what failed may work later.
 * @param {unknown} error */
export function isPassing(error) {
  return error instanceof Problem && (error.told.status === undefined || passes(error.told.status));
}

/** Waits.
 * @param {number} milliseconds
 * @returns {Promise<void>} */
export function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** What ends the pauses that last. @type {Set<() => void>} */
const pauses = new Set();

/** Waits before the next try. Returns whether there was reason to try earlier.
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

/** Tries at once what waits for its next try. */
export function tryAgain() {
  for (const end of pauses) end();
  pauses.clear();
}

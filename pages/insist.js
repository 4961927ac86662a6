// Asks again for what a page cannot do without.

import { isPassing, sentenceOf, wait } from "./api.js";
import { showProblem } from "./page.js";

/** How long is waited before the next try, in milliseconds. */
const PAUSE = 5000;

/** What waits for its next try. @type {Set<() => void>} */
const waiting = new Set();

/** Whether the page says that something failed, which may have been something that is not wanted any more. */
let hasFailed = false;

/** Tries at once what waits: the service can be reached again. */
export function tryAgain() {
  for (const wake of waiting) wake();
  waiting.clear();
}

/** Asks for something, and shows it. Where it fails, it is asked for again until it is not wanted any more; nobody waits for that.
 * @template Value
 * @param {() => Promise<Value>} ask
 * @param {() => boolean} isWanted
 * @param {(value: Value) => Promise<void> | void} show
 * @returns {Promise<void>} */
export async function insist(ask, isWanted, show) {
  /** @type {Value} */
  let value;
  try {
    value = await ask();
  } catch (error) {
    if (!isWanted()) return;
    hasFailed = true;
    showProblem(sentenceOf(error));
    if (!isPassing(error)) return;
    const again = () => (isWanted() ? insist(ask, isWanted, show) : undefined);
    void Promise.race([wait(PAUSE), new Promise((wake) => waiting.add(() => wake(null)))]).then(again);
    return;
  }
  if (!isWanted()) return;
  if (hasFailed) showProblem("");
  hasFailed = false;
  await show(value);
}

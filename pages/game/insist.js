// Repeats requests that a page depends on.

import { sentenceOf } from "./api.js";
import { showProblem } from "./page.js";
import { isPassing, pause } from "./retry.js";

/** Pause before the next try, in milliseconds. */
const PAUSE = 5000;

/** Whether the page shows a failure, possibly of a request that is no longer wanted. */
let hasFailed = false;

/** Requests a value and shows it. Repeats transient failures in the background as long as the value is wanted.
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
    void pause(PAUSE).then(again);
    return;
  }
  if (!isWanted()) return;
  if (hasFailed) showProblem("");
  hasFailed = false;
  await show(value);
}

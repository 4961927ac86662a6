// Asks again for what a page cannot do without.

import { sentenceOf } from "./api.js";
import { showProblem } from "./page.js";
import { isPassing, pause } from "./retry.js";

/** How long is waited before the next try, in milliseconds. */
const PAUSE = 5000;

/** Whether the page says that something failed, which may have been something that is not wanted any more. */
let hasFailed = false;

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
    void pause(PAUSE).then(again);
    return;
  }
  if (!isWanted()) return;
  if (hasFailed) showProblem("");
  hasFailed = false;
  await show(value);
}

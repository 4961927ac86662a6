// Why records break, in the language of the reader. In English the service says it, with the squares and cards that it is about; another
// language has a sentence for each rule, in a file in `reasons/`.

import { at } from "./base.js";
import { language } from "./text.js";

/** @type {Promise<Record<string, string>> | null} */
let reasons = null;

/** How long a reason may take, in milliseconds: without it, the service's own is shown. */
const PATIENCE = 2000;

async function read() {
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(at(`/pages/reasons/${language()}.json`), { signal }).catch(() => null);
  const found = response?.ok ? await response.json().catch(() => null) : null;
  // Next time it may come.
  if (found === null) reasons = null;
  return found ?? {};
}

/** Returns what a rule says in the language of the reader; null where that is English, or where nobody has said it yet.
 * @param {string | null} rule its id
 * @returns {Promise<string | null>} */
export async function reasonOf(rule) {
  if (language() === "en" || rule === null) return null;
  reasons ??= read();
  return (await reasons)[rule] ?? null;
}

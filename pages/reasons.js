// Explains in the reader's language why a record is invalid. The service explains it in English, with the squares and cards involved. Other
// languages have a sentence for each rule, in a file in `reasons/`.

import { at } from "./base.js";
import { language } from "./text.js";

/** @type {Promise<Record<string, string>> | null} */
let reasons = null;

/** How long a reason may take, in milliseconds. After that, the service's own is shown. */
const PATIENCE = 2000;

async function read() {
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(at(`/pages/reasons/${language()}.json`), { signal }).catch(() => null);
  const found = response?.ok ? await response.json().catch(() => null) : null;
  // The next call tries again.
  if (found === null) reasons = null;
  return found ?? {};
}

/** Returns the reason for a rule in the reader's language. Returns null for English, and for rules without a translation.
 * @param {string | null} rule its id
 * @returns {Promise<string | null>} */
export async function reasonOf(rule) {
  if (language() === "en" || rule === null) return null;
  reasons ??= read();
  return (await reasons)[rule] ?? null;
}

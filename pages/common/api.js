// Requests to the public HTTP API, sent with the secret of this browser.

import { at } from "./base.js";
import { secret } from "./kept.js";
import { Problem, passes, pause } from "./retry.js";
import { hasText, text } from "./text.js";

/** Returns the sentence that describes a problem to the reader.
 * @param {unknown} error
 * @returns {string} */
export function sentenceOf(error) {
  if (!(error instanceof Problem)) {
    console.error(error);
    return text("problem.page");
  }
  const key = `problem.${error.code}`;
  return hasText(key) ? text(key) : text("problem.other", { detail: error.message });
}

/** Milliseconds by which the service's clock is ahead of this one. */
let ahead = 0;

/** Returns the service's time in milliseconds. */
export function serviceTime() {
  return Date.now() + ahead;
}

/** Maximum attempts per request. */
const ATTEMPTS = 6;

/** @typedef {{ method?: string, body?: object | string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>, signal?: AbortSignal }} Asking */

/** Sends a request and returns its response. Retries transient failures, which is safe because every request here is idempotent.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<Response>} */
async function send(path, { method = "GET", body, headers = {}, signal } = {}) {
  const isText = typeof body === "string" || body instanceof Uint8Array;
  const type = isText ? "text/plain" : "application/json";
  const content = isText || body === undefined ? body : JSON.stringify(body);
  const typed = content === undefined ? headers : { "Content-Type": type, ...headers };
  const known = secret();
  const all = known === null ? typed : { ...typed, Authorization: `Bearer ${known}` };
  for (let attempt = 1; ; attempt += 1) {
    let response = null;
    try {
      response = await fetch(at(path), { method, body: content, headers: all, signal, cache: "no-cache" });
    } catch (error) {
      if (signal?.aborted) throw error;
    }
    // It is still being made.
    if (response?.status === 202) {
      await pause(Number(response.headers.get("Retry-After") ?? "1") * 1000);
      attempt = 0;
      continue;
    }
    if (response?.ok) {
      const date = Date.parse(response.headers.get("Date") ?? "");
      if (!Number.isNaN(date)) ahead = date - Date.now();
      return response;
    }
    if (attempt === ATTEMPTS || (response !== null && !passes(response.status))) throw await problemOf(response);
    const after = Number(response?.headers.get("Retry-After") ?? "0") * 1000;
    await pause(after || 250 * 2 ** attempt);
  }
}

/** @param {Response | null} response
 * @returns {Promise<Problem>} */
async function problemOf(response) {
  if (response === null) return new Problem("unreachable", "the service is unreachable");
  const told = await response.json().catch(() => ({}));
  return new Problem(told.code ?? "internal", told.detail ?? response.statusText, { status: response.status, ...told });
}

/** Sends a request and returns its response as an object.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<any>} */
export async function ask(path, asking) {
  const response = await send(path, asking);
  return response.status === 204 ? null : response.json().catch((error) => brokenOff(error, asking));
}

/** Sends a request and returns its response as text.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<string>} */
export async function askText(path, asking) {
  const response = await send(path, asking);
  return response.text().catch((error) => brokenOff(error, asking));
}

/** Throws the error for a response that was cut off.
 * @param {unknown} error
 * @param {Asking} [asking]
 * @returns {never} */
function brokenOff(error, asking) {
  throw asking?.signal?.aborted ? error : new Problem("unreachable", "the response was cut off");
}

// Requests to the service: by the interface that everybody has, with the secret of this browser.

import { secret } from "./kept.js";
import { hasText, text } from "./text.js";

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

/** Returns a problem in a sentence for people.
 * @param {unknown} error
 * @returns {string} */
export function sentenceOf(error) {
  if (!(error instanceof Problem)) return String(error);
  const key = `problem.${error.code}`;
  return hasText(key) ? text(key) : text("problem.other", { detail: error.message });
}

/** How many milliseconds the clock of the service is ahead of the one here. */
let ahead = 0;

/** Returns the time of the service in milliseconds. */
export function serviceTime() {
  return Date.now() + ahead;
}

/** How often a request is sent at most, and what is worth to be sent again. */
const ATTEMPTS = 6;
const PASSING = [408, 429, 500, 502, 503, 504];

/** @typedef {{ method?: string, body?: object | string, headers?: Record<string, string>, signal?: AbortSignal }} Asking */

/** Waits.
 * @param {number} milliseconds
 * @returns {Promise<void>} */
export function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Returns the headers of a request in the name of whoever is here.
 * @param {Record<string, string>} headers
 * @returns {Record<string, string>} */
export function signed(headers) {
  const known = secret();
  return known === null ? headers : { ...headers, Authorization: `Bearer ${known}` };
}

/** Sends a request, and returns its response. Whatever may pass is tried again: everything that is sent here can be repeated.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<Response>} */
async function send(path, { method = "GET", body, headers = {}, signal } = {}) {
  const type = typeof body === "string" ? "text/plain" : "application/json";
  const content = typeof body === "object" ? JSON.stringify(body) : body;
  const all = signed(content === undefined ? headers : { "Content-Type": type, ...headers });
  for (let attempt = 1; ; attempt += 1) {
    let response = null;
    try {
      response = await fetch(path, { method, body: content, headers: all, signal, cache: "no-cache" });
    } catch (error) {
      if (signal?.aborted) throw error;
    }
    if (response?.ok) {
      const date = Date.parse(response.headers.get("Date") ?? "");
      if (!Number.isNaN(date)) ahead = date - Date.now();
      return response;
    }
    if (attempt === ATTEMPTS || (response !== null && !PASSING.includes(response.status))) throw await problemOf(response);
    const after = Number(response?.headers.get("Retry-After") ?? "0") * 1000;
    await wait(after || 250 * 2 ** attempt);
  }
}

/** @param {Response | null} response
 * @returns {Promise<Problem>} */
async function problemOf(response) {
  if (response === null) return new Problem("unreachable", "the service cannot be reached");
  const told = await response.json().catch(() => ({}));
  return new Problem(told.code ?? "internal", told.detail ?? response.statusText, told);
}

/** Sends a request, and returns its response as an object.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<any>} */
export async function ask(path, asking) {
  const response = await send(path, asking);
  return response.status === 204 ? null : response.json();
}

/** Sends a request, and returns its response as text.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<string>} */
export async function askText(path, asking) {
  return (await send(path, asking)).text();
}

// All texts of the pages, in the language of the reader. To add a language, add a file in `text/` and a line here.

import { at } from "./base.js";
import { recall, remember } from "./kept.js";

/** Languages by code, each with its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" };

const KEPT = "assam.language";

/** Returns the language code: the chosen one, or the browser's first preference that these pages have.
 * @returns {string} */
export function language() {
  const chosen = recall(KEPT, (kept) => (Object.hasOwn(LANGUAGES, kept) ? kept : null));
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return chosen ?? wanted.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? "en";
}

/** Sets the language and reloads the page.
 * @param {string} code */
export function setLanguage(code) {
  remember(KEPT, code);
  location.reload();
}

/** Reads the texts. If that fails, a page keeps the texts of its HTML.
 * @returns {Promise<Record<string, string>>} */
async function read() {
  for (const pause of [0, 500, 2000]) {
    await new Promise((done) => setTimeout(done, pause));
    const response = await fetch(at(`/pages/text/${language()}.json`)).catch(() => null);
    const found = response?.ok ? await response.json().catch(() => null) : null;
    if (found !== null) return found;
  }
  return {};
}

const texts = await read();
const plurals = new Intl.PluralRules(language());

/** @typedef {Record<string, string | number>} Values the values of placeholders such as `{name}` */

/** Returns a text with its placeholders filled.
 * @param {string} key
 * @param {Values} [values]
 * @returns {string} */
export function text(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** Bidirectional control characters. Names must not contain them, but some older ones do. */
const STEERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Letters written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns foreign text, such as a name, isolated so that it does not reorder the text around it: in sentences, titles and
 * labels.
 * @param {string} written
 * @returns {string} */
export function isolated(written) {
  const plain = written.replace(STEERING, "");
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** Returns whether a text exists.
 * @param {string} key */
export function hasText(key) {
  return key in texts;
}

/** Returns the singular or plural text for a count, which also fills `{count}`.
 * @param {string} key for which `key.one` and `key.other` exist
 * @param {number} count
 * @param {Values} [values]
 * @returns {string} */
export function counted(key, count, values = {}) {
  return text(`${key}.${plurals.select(count) === "one" ? "one" : "other"}`, { ...values, count });
}

/** Returns items as a list in words.
 * @param {string[]} items
 * @returns {string} */
export function listed(items) {
  return new Intl.ListFormat(language()).format(items);
}

/** Fills elements with their texts: `data-text` names the content, `data-label` the accessible name, `data-hint` the placeholder.
 * @param {ParentNode} root */
export function fill(root) {
  for (const element of root.querySelectorAll("[data-text]")) {
    const key = element.getAttribute("data-text") ?? "";
    if (hasText(key)) element.textContent = text(key);
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(element.getAttribute("data-label") ?? ""));
  }
  for (const element of root.querySelectorAll("[data-hint]")) {
    element.setAttribute("placeholder", text(element.getAttribute("data-hint") ?? ""));
  }
}

// Everything that the pages show or say, in the language of the reader. Another language is a file in `text/` and a line here.

import { at } from "./base.js";
import { recall, remember } from "./kept.js";

/** The languages by their codes, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" };

const KEPT = "assam.language";

/** Returns the code of the language: the chosen one, or the first that the browser prefers and these pages have.
 * @returns {string} */
export function language() {
  const chosen = recall(KEPT, (kept) => (Object.hasOwn(LANGUAGES, kept) ? kept : null));
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return chosen ?? wanted.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? "en";
}

/** Chooses the language, and shows the page in it.
 * @param {string} code */
export function setLanguage(code) {
  remember(KEPT, code);
  location.reload();
}

/** Reads the texts. Without them, a page has those that stand in it.
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

/** @typedef {Record<string, string | number>} Values what stands in place of `{name}` */

/** Returns a text, with its places filled.
 * @param {string} key
 * @param {Values} [values]
 * @returns {string} */
export function text(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** Characters that turn round what stands beside them. Names must not have them, and some older ones have. */
const STEERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns what a stranger wrote, such as a name, so that it turns round nothing beside it: in sentences, in titles, and in what
 * is read aloud.
 * @param {string} written
 * @returns {string} */
export function isolated(written) {
  const plain = written.replace(STEERING, "");
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** Returns whether there is a text.
 * @param {string} key */
export function hasText(key) {
  return key in texts;
}

/** Returns the text for a number of things, which also stands in place of `{count}`.
 * @param {string} key of which `key.one` and `key.other` are there
 * @param {number} count
 * @param {Values} [values]
 * @returns {string} */
export function counted(key, count, values = {}) {
  return text(`${key}.${plurals.select(count) === "one" ? "one" : "other"}`, { ...values, count });
}

/** Returns a list in words.
 * @param {string[]} items
 * @returns {string} */
export function listed(items) {
  return new Intl.ListFormat(language()).format(items);
}

/** Fills what names its text: `data-text` its content, `data-label` its accessible name, `data-hint` its placeholder.
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

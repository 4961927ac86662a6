// Shared by all pages: their texts, the language menu, and helpers that build elements.

import { keepsAnything } from "./kept.js";
import { tryAgain } from "./retry.js";
import { LANGUAGES, fill, language, setLanguage, text } from "./text.js";

/** Returns the element with an id.
 * @param {string} id
 * @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

/** @typedef {Record<string, string | boolean | ((event: Event) => void)>} Attributes functions listen to events */

/** Creates an element. Omits attributes that are false, and leaves those that are true empty.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Name]} */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  // Notation is the same in all languages.
  if (name === "code" || name === "pre") element.translate = false;
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Creates an SVG element.
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElement} */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Creates a button.
 * @param {string} label
 * @param {() => void} act
 * @param {Attributes} [attributes]
 * @returns {HTMLButtonElement} */
export function button(label, act, attributes = {}) {
  return make("button", { type: "button", click: () => act(), ...attributes }, label);
}

/** Creates a form. Enter in a field clicks its first submit button, and nothing else happens.
 * @param {Attributes} attributes
 * @param {...Node} parts */
export function form(attributes, ...parts) {
  return make("form", { submit: (event) => event.preventDefault(), ...attributes }, ...parts);
}

/** Asks for confirmation before an action that cannot be undone.
 * @param {string} question
 * @param {string} label of the button that confirms
 * @param {() => void} act */
export function askFirst(question, label, act) {
  const yes = button(label, () => { dialog.close(); act(); }, { class: "go" });
  const no = button(text("page.no"), () => dialog.close(), { autofocus: true });
  const dialog = make("dialog", { close: () => dialog.remove() }, make("p", {}, question), make("div", { class: "row" }, yes, no));
  document.body.append(dialog);
  dialog.showModal();
}

/** Returns whether the reader prefers reduced motion. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Starts a page: fills its texts, offers the languages, marks the current page, and warns if the browser stores nothing. */
export function startPage() {
  document.documentElement.lang = language();
  fill(document);
  const select = byId("language");
  for (const [code, name] of Object.entries(LANGUAGES)) {
    select.append(make("option", { value: code, lang: code, selected: code === language() }, name));
  }
  select.addEventListener("change", () => setLanguage(/** @type {HTMLSelectElement} */ (select).value));
  for (const link of document.querySelectorAll("nav a")) {
    if (/** @type {HTMLAnchorElement} */ (link).href === location.origin + location.pathname) link.setAttribute("aria-current", "page");
  }
  for (const [target, name] of /** @type {[EventTarget, string][]} */ ([[window, "online"], [window, "pageshow"], [document, "visibilitychange"]])) {
    target.addEventListener(name, tryAgain);
  }
  if (!keepsAnything()) byId("main").prepend(make("p", { id: "unkept", class: "notice" }, text("page.unkept")));
}

/** Shows a failure at the top of the page. An empty sentence removes it.
 * @param {string} sentence */
export function showProblem(sentence) {
  document.getElementById("problem")?.remove();
  if (sentence === "") return;
  const close = button("×", () => showProblem(""), { "aria-label": text("page.close"), class: "plain" });
  byId("main").prepend(make("p", { id: "problem", class: "problem", role: "alert" }, make("span", {}, sentence), close));
}

/** Shows an SVG text in an image.
 * @param {HTMLImageElement} image
 * @param {string} svg */
export function showSvg(image, svg) {
  // An earlier picture that never loaded would keep its blob.
  if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  image.addEventListener("load", () => URL.revokeObjectURL(address), { once: true });
  image.src = address;
}

/** Empties an element next to the board. If it had the focus, the board takes it, so that keys keep working.
 * @param {HTMLElement} element */
export function empty(element) {
  if (element.contains(document.activeElement)) /** @type {SVGElement | null} */ (document.querySelector('#board [tabindex="0"]'))?.focus();
  element.replaceChildren();
}

/** Offers a text as a download.
 * @param {string} content
 * @param {string} name */
export function save(content, name) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  // Some browsers read it only after a while.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

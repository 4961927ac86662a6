// Reads pictures that the service drew.

import { text as told } from "./text.js";

/** Reads a picture. Its stylesheet is that of the page, its parts have no names: these are given in the language of the page, in
 * which its signs are written, too.
 * @param {string} text
 * @returns {SVGSVGElement} */
export function readPicture(text) {
  const plain = text.replace(/<style>[^]*?<\/style>/, "");
  const read = document.importNode(new DOMParser().parseFromString(plain, "image/svg+xml").documentElement, true);
  for (const part of read.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  for (const english of read.querySelectorAll("title, desc")) english.setAttribute("lang", "en");
  for (const sign of read.querySelectorAll("[data-sign]")) {
    const numbers = sign.getAttribute("data-numbers") ?? "";
    const [first, second] = numbers.split(" ");
    sign.textContent = told(`sign.${sign.getAttribute("data-sign")}`, { numbers, first, second });
  }
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (read));
}

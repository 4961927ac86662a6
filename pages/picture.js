// Reads pictures that the service drew.

import { askText } from "./api.js";
import { showSvg } from "./page.js";
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
  writeSigns(read);
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (read));
}

/** Returns a picture that stands by itself, with its signs in the language of the page.
 * @param {string} text
 * @returns {string} */
export function translated(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  writeSigns(read.documentElement);
  return new XMLSerializer().serializeToString(read);
}

/** Shows a picture that an address alone would not show, or not in the language of the page.
 * @param {HTMLImageElement} image
 * @param {string} source */
export async function showTranslated(image, source) {
  const svg = await askText(source).catch(() => null);
  if (svg !== null) showSvg(image, translated(svg));
}

/** Writes the signs of a picture.
 * @param {Element} picture */
function writeSigns(picture) {
  for (const sign of picture.querySelectorAll("[data-sign]")) {
    const numbers = sign.getAttribute("data-numbers") ?? "";
    const [first, second] = numbers.split(" ");
    sign.textContent = told(`sign.${sign.getAttribute("data-sign")}`, { numbers, first, second });
  }
}

// Reads pictures that the service drew.

import { askText } from "./api.js";
import { showSvg } from "./page.js";
import { hasText, text as told } from "./text.js";

const STYLE = /<style>[^]*?<\/style>/;

/** Reads a picture. Its stylesheet is that of the page, its parts have no names: these are given in the language of the page, in
 * which its signs are written, too.
 * @param {string} text
 * @returns {SVGSVGElement} */
export function readPicture(text) {
  const read = document.importNode(new DOMParser().parseFromString(text.replace(STYLE, ""), "image/svg+xml").documentElement, true);
  for (const part of read.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  for (const english of read.querySelectorAll("title, desc")) english.setAttribute("lang", "en");
  // Letters of files are no words, and signs are in the language of the page.
  read.setAttribute("translate", "no");
  writeSigns(read);
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (read));
}

/** Returns a picture that stands by itself, with its signs in the language of the page.
 * @param {string} text
 * @returns {string} */
export function translated(text) {
  // A style would be against the policy of the page where it is read, and is not where the picture stands by itself.
  const style = STYLE.exec(text)?.[0] ?? "";
  const read = new DOMParser().parseFromString(text.replace(STYLE, ""), "image/svg+xml");
  writeSigns(read.documentElement);
  return new XMLSerializer().serializeToString(read).replace(/<svg[^>]*>/, (root) => root + style);
}

/** Shows a picture that an address alone would not show, or not in the language of the page; what the image is to show meanwhile stays.
 * @param {HTMLImageElement} image whose `data-source` is the address
 * @param {string} source */
export async function showTranslated(image, source) {
  const svg = await askText(source).catch(() => null);
  if (image.dataset.source !== source) return;
  // It is asked for again with the next look.
  if (svg === null) delete image.dataset.source;
  else showSvg(image, translated(svg));
}

/** Writes the signs of a picture.
 * @param {Element} picture */
function writeSigns(picture) {
  for (const sign of picture.querySelectorAll("[data-sign]")) {
    const key = `sign.${sign.getAttribute("data-sign")}`;
    if (!hasText(key)) continue;
    const numbers = sign.getAttribute("data-numbers") ?? "";
    const [first, second] = numbers.split(" ");
    sign.textContent = told(key, { numbers, first, second });
  }
}

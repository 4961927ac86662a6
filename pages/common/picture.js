// Reads the pictures that the service draws.

import { askText } from "./api.js";
import { showSvg } from "./page.js";
import { hasText, text as told } from "./text.js";

const STYLE = /<style>[^]*?<\/style>/;

/** Reads a picture for use in the page. Drops its stylesheet and its labels, because the page has its own, and writes its signs in the
 * language of the page.
 * @param {string} text
 * @returns {SVGSVGElement} */
export function readPicture(text) {
  const read = document.importNode(new DOMParser().parseFromString(text.replace(STYLE, ""), "image/svg+xml").documentElement, true);
  for (const part of read.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  for (const english of read.querySelectorAll("title, desc")) english.setAttribute("lang", "en");
  // File letters are not words, and the signs are already in the language of the page.
  read.setAttribute("translate", "no");
  writeSigns(read);
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (read));
}

/** Returns a stand-alone picture with its signs in the language of the page.
 * @param {string} text
 * @returns {string} */
export function translated(text) {
  // The page's content security policy forbids a style while the picture is parsed here, but not in a stand-alone picture.
  const style = STYLE.exec(text)?.[0] ?? "";
  const read = new DOMParser().parseFromString(text.replace(STYLE, ""), "image/svg+xml");
  writeSigns(read.documentElement);
  return new XMLSerializer().serializeToString(read).replace(/<svg[^>]*>/, (root) => root + style);
}

/** Shows a picture that needs the secret or a translation. If the image is given another source while this one loads, that one stays.
 * @param {HTMLImageElement} image whose `data-source` is the address
 * @param {string} source */
export async function showTranslated(image, source) {
  const svg = await askText(source).catch(() => null);
  if (image.dataset.source !== source) return;
  // The next refresh asks again.
  if (svg === null) delete image.dataset.source;
  else showSvg(image, translated(svg));
}

/** Writes the signs of a picture in the language of the page.
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

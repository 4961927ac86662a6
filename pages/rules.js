// The page of the rules.

import { askText } from "./api.js";
import { showSvg, startPage } from "./page.js";
import { translated } from "./picture.js";
import { language } from "./text.js";

/** Writes the signs of a picture in the language of the page.
 * @param {HTMLImageElement} image */
async function translate(image) {
  const svg = await askText(image.getAttribute("src") ?? "").catch(() => null);
  if (svg !== null) showSvg(image, translated(svg));
}

startPage();
// The pictures of Marrakesh have signs, which are English.
if (language() !== "en") {
  for (const image of document.querySelectorAll("img[src*=marrakesh-]")) void translate(/** @type {HTMLImageElement} */ (image));
}

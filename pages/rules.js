// The page with the rules.

import { startPage } from "./page.js";
import { showTranslated } from "./picture.js";
import { language } from "./text.js";

startPage();
// The signs on Marrakesh pictures are English.
if (language() !== "en") {
  for (const image of document.querySelectorAll("img[src*=marrakesh-]")) {
    const source = `/${image.getAttribute("src")}`;
    image.setAttribute("data-source", source);
    void showTranslated(/** @type {HTMLImageElement} */ (image), source);
  }
}

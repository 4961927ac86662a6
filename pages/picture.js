// Reads pictures that the service drew.

/** Reads a picture. Its stylesheet is that of the page, and its parts have no names: these are given in the
 * language of the page.
 * @param {string} text
 * @returns {SVGSVGElement} */
export function readPicture(text) {
  const plain = text.replace(/<style>[^]*?<\/style>/, "");
  const read = document.importNode(new DOMParser().parseFromString(plain, "image/svg+xml").documentElement, true);
  for (const part of read.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  for (const told of read.querySelectorAll("title, desc")) told.setAttribute("lang", "en");
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (read));
}

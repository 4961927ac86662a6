// The secret of this browser, for people: it can be shown, saved as a file, and entered in another browser.

import { enterSecret, needSecret } from "./kept.js";
import { button, make, showProblem } from "./page.js";
import { text } from "./text.js";

/** Makes what shows, saves and enters the secret.
 * @param {() => void} changed what happens when another one was entered
 * @returns {HTMLElement[]} */
export function secretTools(changed) {
  const shown = make("code", { class: "secret", hidden: true });
  const show = button(text("secret.show"), () => {
    shown.textContent = needSecret();
    shown.hidden = !shown.hidden;
  });
  const save = button(text("secret.save"), () => {
    const address = URL.createObjectURL(new Blob([`${needSecret()}\n`], { type: "text/plain" }));
    make("a", { href: address, download: "assam-secret.txt" }).click();
    URL.revokeObjectURL(address);
  });
  const input = make("input", { autocomplete: "off", spellcheck: "false", maxlength: "80" });
  const enter = button(text("secret.enter"), () => {
    if (enterSecret(input.value)) changed();
    else showProblem(text("secret.none"));
  });
  return [
    make("p", {}, text("secret.about")),
    make("div", { class: "row" }, show, save),
    shown,
    make("div", { class: "row" }, make("label", {}, text("secret.other"), " ", input), enter),
  ];
}

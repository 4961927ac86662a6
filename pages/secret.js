// The secret of this browser, for people: it can be shown, saved as a file, and entered in another browser.

import { enterSecret, needSecret } from "./kept.js";
import { button, make, save, showProblem } from "./page.js";
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
  const saving = button(text("secret.save"), () => save(`${needSecret()}\n`, "assam-secret.txt"));
  const input = make("input", { autocomplete: "off", spellcheck: "false", maxlength: "80" });
  const enter = button(text("secret.enter"), () => {
    if (enterSecret(input.value)) changed();
    else showProblem(text("secret.none"));
  });
  return [
    make("p", {}, text("secret.about")),
    make("div", { class: "row" }, show, saving),
    shown,
    make("div", { class: "row" }, make("label", {}, text("secret.other"), " ", input), enter),
  ];
}

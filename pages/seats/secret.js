// The panel that shows the secret of this browser, saves it as a file, and accepts another one.

import { keepsAnything, needSecret, secret, secretIn, takeSecret } from "./kept.js";
import { askFirst, button, make, save, showProblem } from "./page.js";
import { text } from "./text.js";

/** Creates the controls that show, save and enter the secret.
 * @param {() => void} changed called after a new secret was entered, if a reload would lose it
 * @returns {HTMLElement[]} */
export function secretTools(changed) {
  const shown = make("code", { class: "secret", hidden: true });
  const show = button(text("secret.show"), async () => {
    shown.textContent = await needSecret();
    shown.hidden = !shown.hidden;
  });
  const saving = button(text("secret.save"), async () => save(`${await needSecret()}\n`, "assam-secret.txt"));
  const input = make("input", { autocomplete: "off", spellcheck: "false", maxlength: "80" });
  const enter = button(text("secret.enter"), () => {
    const other = secretIn(input.value);
    if (other === null) return showProblem(text("secret.none"));
    const take = () => {
      takeSecret(other);
      if (keepsAnything()) location.reload();
      else changed();
    };
    if ([null, other].includes(secret())) take();
    else askFirst(text("secret.replace"), text("secret.enter"), take);
  }, { "data-act": "enter" });
  return [
    make("p", {}, text("secret.about")),
    make("div", { class: "row" }, show, saving),
    shown,
    make("div", { class: "row" }, make("label", {}, text("secret.other"), " ", input), enter),
  ];
}

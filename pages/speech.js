// Says what happens: in a line that everybody reads, and that screen readers read aloud.

/** A line that says what has happened last. */
export class Speech {
  /** @type {HTMLElement} */
  #line;

  /** @param {HTMLElement} line a live region */
  constructor(line) {
    this.#line = line;
  }

  /** Says sentences in place of those before.
   * @param {string[]} sentences */
  say(sentences) {
    const said = sentences.join(" ");
    if (said !== "" && said !== this.#line.textContent) this.#line.textContent = said;
  }
}

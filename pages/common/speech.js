// Says what happens: in a line that everybody reads, and that screen readers read aloud.

/** How long a line is empty before it says the same once more, in milliseconds: screen readers read only what has changed. */
const EMPTY = 100;

/** A line that says what has happened last. */
export class Speech {
  /** @type {HTMLElement} */
  #line;
  /** What it is about. @type {unknown} */
  #about;
  /** What it says as soon as it was empty. @type {{ said: string, timer: ReturnType<typeof setTimeout> } | null} */
  #soon = null;

  /** @param {HTMLElement} line a live region */
  constructor(line) {
    this.#line = line;
  }

  /** Says something in place of what it said before, also where that was the same, but about something else.
   * @param {string} said
   * @param {unknown} [about] what it is about; each time something else, where that is left out */
  say(said, about = {}) {
    if (said === (this.#soon?.said ?? this.#line.textContent) && about === this.#about) return;
    clearTimeout(this.#soon?.timer);
    this.#soon = null;
    this.#about = about;
    const isSame = said !== "" && said === this.#line.textContent;
    this.#line.textContent = isSame ? "" : said;
    if (!isSame) return;
    const timer = setTimeout(() => {
      this.#soon = null;
      this.#line.textContent = said;
    }, EMPTY);
    this.#soon = { said, timer };
  }
}

// Announces what happens in a line that is also read aloud by screen readers.

/** How long a line is empty before it repeats a text, in milliseconds. Screen readers read only changes. */
const EMPTY = 100;

/** A line with the latest announcement. */
export class Speech {
  /** @type {HTMLElement} */
  #line;
  /** The subject of the announcement. @type {unknown} */
  #about;
  /** The announcement that follows once the line was empty. @type {{ said: string, timer: ReturnType<typeof setTimeout> } | null} */
  #soon = null;

  /** @param {HTMLElement} line a live region */
  constructor(line) {
    this.#line = line;
  }

  /** Replaces the announcement. Repeats the same text if it is about something else.
   * @param {string} said
   * @param {unknown} [about] the subject, which is new each time if omitted */
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

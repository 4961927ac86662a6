// The board: a picture drawn by the service, made a grid for mouse, touch and keyboard. It contains no game rules.

import { draw } from "./page.js";
import { readPicture } from "./picture.js";

/** @typedef {{ act: () => void, look?: () => void, name: string }} Choice what happens when a cell is chosen or hovered, and the
 * meaning of the choice in words */
/** @typedef {{ cells: string, rows: string, name: string, label: (cell: SVGGraphicsElement) => string }} Grid selectors of cells
 * and rows, and the names of the board and its cells */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
});

/** Returns a key that identifies a cell across pictures.
 * @param {Element} cell */
function keyOf(cell) {
  const { square, point, oval, card, place, seat } = /** @type {SVGElement} */ (cell).dataset;
  return [square, point, oval, card, place, seat].join();
}

/** A board in an element. */
export class Board {
  /** @type {HTMLElement} */
  #home;
  /** @type {SVGElement} */
  #overlay = draw("g");
  /** @type {SVGElement} */
  #ring = draw("g");
  /** @type {Map<Element, Choice>} */
  #choices = new Map();
  /** @type {SVGGraphicsElement[]} */
  #cells = [];
  /** The key of the cell focused last. */
  #place = "";
  /** @type {(cell: SVGGraphicsElement) => string} */
  #label = () => "";
  /** What Escape does. */
  cancel = () => {};

  /** @param {HTMLElement} home */
  constructor(home) {
    this.#home = home;
    home.addEventListener("click", (event) => this.#choose(this.#cellAt(event.target)));
    home.addEventListener("pointerover", (event) => this.#look(this.#cellAt(event.target)));
    home.addEventListener("focusin", (event) => this.#focused(this.#cellAt(event.target)));
    home.addEventListener("focusout", () => this.#ring.replaceChildren());
    home.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows a picture, and withdraws all choices.
   * @param {string} picture
   * @param {Grid} grid */
  show(picture, grid) {
    const hadFocus = this.#home.contains(document.activeElement);
    const svg = readPicture(picture);
    const board = svg.querySelector("[data-board]") ?? svg;
    svg.removeAttribute("role");
    svg.querySelector("title")?.remove();
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    board.setAttribute("role", "grid");
    board.setAttribute("aria-label", grid.name);
    for (const child of [...svg.children, ...board.children]) {
      if (child !== board && !child.matches(grid.rows)) child.setAttribute("aria-hidden", "true");
    }
    this.#cells = [...board.querySelectorAll(grid.cells)].map((cell) => /** @type {SVGGraphicsElement} */ (cell));
    for (const row of board.querySelectorAll(grid.rows)) {
      row.setAttribute("role", "row");
      for (const text of row.querySelectorAll("text")) text.setAttribute("aria-hidden", "true");
      if (row.querySelector(grid.cells) === null) row.setAttribute("aria-hidden", "true");
    }
    for (const cell of this.#cells) {
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("tabindex", "-1");
    }
    this.#label = grid.label;
    this.nameAnew();
    this.#overlay = draw("g", { class: "overlay", "pointer-events": "none" });
    this.#ring = draw("g", { class: "ring", "pointer-events": "none" });
    for (const layer of [this.#overlay, this.#ring]) layer.setAttribute("aria-hidden", "true");
    board.append(this.#overlay, this.#ring);
    this.#choices.clear();
    this.cancel = () => {};
    this.#home.replaceChildren(svg);
    const there = this.#cells.find((cell) => keyOf(cell) === this.#place) ?? this.#cells[0];
    there?.setAttribute("tabindex", "0");
    if (hadFocus) there?.focus();
  }

  /** Updates the labels of all cells. */
  nameAnew() {
    for (const cell of this.#cells) cell.setAttribute("aria-label", this.#label(cell));
  }

  /** Returns the first element of the picture that matches a selector.
   * @param {string} selector
   * @returns {SVGGraphicsElement | null} */
  find(selector) {
    return this.#home.querySelector(selector);
  }

  /** Returns all elements of the picture that match a selector.
   * @param {string} selector
   * @returns {Iterable<Element>} */
  findAll(selector) {
    return this.#home.querySelectorAll(selector);
  }

  /** Replaces the choices offered, and marks them.
   * @param {Map<Element, Choice>} choices
   * @param {Element | null} [picked] the cell already chosen, of two */
  offer(choices, picked = null) {
    this.#choices = choices;
    this.#overlay.replaceChildren();
    for (const cell of this.#cells) {
      cell.classList.toggle("choice", choices.has(cell));
      cell.setAttribute("aria-selected", String(cell === picked));
      const name = choices.get(cell)?.name;
      if (name === undefined) cell.removeAttribute("aria-description");
      else cell.setAttribute("aria-description", name);
    }
    for (const cell of choices.keys()) this.mark(cell, cell === picked ? "picked" : "offered");
    const first = this.#cells.find((cell) => choices.has(cell));
    const current = this.#cells.find((cell) => cell.getAttribute("tabindex") === "0");
    if (first !== undefined && current !== undefined && !choices.has(current) && !this.#home.contains(document.activeElement)) {
      this.#moveTo(first, false);
    }
  }

  /** Removes marks of a kind.
   * @param {string} kind */
  unmark(kind) {
    for (const mark of [...this.#overlay.querySelectorAll(`.${kind}`)]) mark.remove();
  }

  /** Marks a cell, above everything on it.
   * @param {Element} cell
   * @param {string} kind a class */
  mark(cell, kind) {
    frame(this.#overlay, /** @type {SVGGraphicsElement} */ (cell), kind);
  }

  /** Adds an element to the picture until the next picture.
   * @param {Element} element */
  add(element) {
    this.#overlay.append(element);
  }

  /** @param {EventTarget | null} target
   * @returns {SVGGraphicsElement | undefined} */
  #cellAt(target) {
    return this.#cells.find((cell) => target instanceof Element && cell.contains(target));
  }

  /** @param {Element | undefined} cell */
  #choose(cell) {
    if (cell !== undefined) this.#choices.get(cell)?.act();
  }

  /** @param {Element | undefined} cell */
  #look(cell) {
    if (cell !== undefined) this.#choices.get(cell)?.look?.();
  }

  /** @param {SVGGraphicsElement | undefined} cell */
  #focused(cell) {
    this.#ring.replaceChildren();
    if (cell === undefined) return;
    this.#place = keyOf(cell);
    if (cell.matches(":focus-visible")) frame(this.#ring, cell, "focus");
    this.#look(cell);
  }

  /** @param {SVGGraphicsElement} cell
   * @param {boolean} isFocused */
  #moveTo(cell, isFocused) {
    for (const other of this.#cells) other.setAttribute("tabindex", other === cell ? "0" : "-1");
    this.#place = keyOf(cell);
    if (isFocused) cell.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const cell = this.#cellAt(event.target);
    if (cell === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) this.#moveTo(this.#next(cell, arrow) ?? cell, true);
    else if (event.key === "Enter" || event.key === " ") this.#choose(cell);
    else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns the visually next cell in a direction.
   * @param {SVGGraphicsElement} from
   * @param {[number, number]} arrow
   * @returns {SVGGraphicsElement | undefined} */
  #next(from, [right, down]) {
    const middle = (/** @type {Element} */ cell) => {
      const { x, y, width, height } = cell.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(from);
    let best = { far: Infinity, cell: /** @type {SVGGraphicsElement | undefined} */ (undefined) };
    for (const cell of this.#cells) {
      const [a, b] = middle(cell);
      const along = (a - x) * right + (b - y) * down;
      const across = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (along > 1 && along + 3 * across < best.far) best = { far: along + 3 * across, cell };
    }
    return best.cell;
  }
}

/** Draws a frame around a cell, and returns it. Returns `null` if the cell is not displayed.
 * @param {SVGElement} layer above the cell
 * @param {SVGGraphicsElement} cell
 * @param {string} kind a class
 * @returns {SVGElement | null} */
export function frame(layer, cell, kind) {
  const { x, y, width, height } = cell.getBBox();
  const own = cell.getCTM();
  const outer = /** @type {SVGGraphicsElement} */ (layer).getCTM();
  if (own === null || outer === null) return null;
  const { a, b, c, d, e, f } = outer.inverse().multiply(own);
  const place = { x: `${x}`, y: `${y}`, width: `${width}`, height: `${height}`, rx: "4" };
  const drawn = draw("rect", { class: kind, transform: `matrix(${[a, b, c, d, e, f].join(" ")})`, ...place });
  layer.append(drawn);
  return drawn;
}

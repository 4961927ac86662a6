// Steps through the plies of a game, by buttons, slider and the list of moves, by itself, or along with the live game.

import { gameOf } from "./games.js";
import { PACES, keepPace, pace } from "./kept.js";
import { button, byId, make } from "./page.js";
import { wait } from "./retry.js";
import { text } from "./text.js";

/** @typedef {import("./known.js").Known} Known */

/** How long each ply is shown while plies advance by themselves, in milliseconds. */
export const MOMENT = 900;

/** The replay of a game. */
export class Replay {
  /** The ply shown, or -1. */
  ply = -1;
  /** Whether the replay follows the last ply. */
  isLive = true;
  #isPlaying = false;
  /** The numbers of turns and plies in the list. */
  #turns = 0;
  #listed = 0;
  /** @type {HTMLElement | null} */
  #turn = null;

  /** @param {Known} known
   * @param {(ply: number, isMoving: boolean) => Promise<void>} show */
  constructor(known, show) {
    this.known = known;
    this.show = show;
    this.slider = /** @type {HTMLInputElement} */ (byId("slider"));
    this.list = byId("words");
    this.playing = /** @type {HTMLButtonElement} */ (byId("play"));
    this.#wire();
  }

  #wire() {
    const steps = /** @type {Record<string, () => void>} */ ({
      first: () => this.#goTo(0),
      back: () => this.#goTo(this.ply - 1),
      play: () => this.play(!this.#isPlaying),
      next: () => this.#goTo(this.ply + 1),
      last: () => this.goLive(),
    });
    for (const [id, act] of Object.entries(steps)) {
      byId(id).addEventListener("click", () => {
        // Keys continue from the focus, and not every browser focuses a clicked button.
        byId(id).focus();
        act();
      });
    }
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: steps.back,
      ArrowRight: steps.next,
      Home: steps.first,
      End: steps.last,
    });
    const press = (/** @type {KeyboardEvent} */ event) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
      // The slider and the speed menu use these keys themselves.
      const isOwn = target === this.slider || target instanceof HTMLSelectElement;
      if (!(key in keys) || isOwn || ctrlKey || metaKey || altKey || shiftKey) return;
      event.preventDefault();
      keys[key]();
      if (this.list.contains(document.activeElement)) this.#current()?.focus({ preventScroll: true });
    };
    for (const part of [byId("replay"), this.list]) part.addEventListener("keydown", press);
    this.slider.addEventListener("input", () => this.#goTo(Number(this.slider.value)));
    const speed = /** @type {HTMLSelectElement} */ (byId("pace"));
    for (const value of PACES) {
      speed.append(make("option", { value: `${value}`, selected: value === pace() }, text("replay.times", { pace: value })));
    }
    speed.addEventListener("change", () => keepPace(Number(speed.value)));
    addEventListener("hashchange", () => this.goToAddress());
  }

  /** Shows the ply in the address, or else the last one. */
  async goToAddress() {
    const named = /(?:^#|&)ply=(\d+)/.exec(location.hash)?.[1] ?? /[?&]ply=(\d+)/.exec(location.search)?.[1];
    if (named === undefined) await this.goLive();
    else await this.go(Number(named));
  }

  /** Shows a ply.
   * @param {number} ply
   * @param {boolean} [isMoving] */
  async go(ply, isMoving = false) {
    if (this.known.last < 0) return;
    if (!isMoving) this.play(false);
    this.isLive = false;
    await this.#turnTo(Math.max(0, Math.min(ply, this.known.last)), isMoving);
  }

  /** Shows a ply. The last one means following the live game.
   * @param {number} ply */
  #goTo(ply) {
    if (ply >= this.known.last) this.goLive();
    else this.go(ply);
  }

  /** Shows the last ply, and follows the live game. */
  async goLive() {
    this.play(false);
    this.isLive = true;
    if (this.known.last >= 0) await this.#turnTo(this.known.last, false);
  }

  /** Handles a new ply, and shows it if the replay is live.
   * @param {number} ply */
  async arrived(ply) {
    this.update();
    if (this.isLive) await this.#turnTo(ply, true);
  }

  /** Starts or stops playing plies one after another.
   * @param {boolean} isOn */
  async play(isOn) {
    if (this.#isPlaying === isOn) return;
    this.#isPlaying = isOn;
    this.update();
    if (isOn && this.ply === this.known.last) await this.go(0, true);
    while (this.#isPlaying && this.ply < this.known.last) {
      // If this fails, showing the ply asks again.
      await Promise.all([this.known.picture(this.ply + 1).catch(() => null), wait(MOMENT / pace())]);
      if (this.#isPlaying) await this.go(this.ply + 1, true);
    }
    if (isOn) this.#isPlaying = false;
    this.update();
  }

  /** @param {number} ply
   * @param {boolean} isMoving */
  async #turnTo(ply, isMoving) {
    this.ply = ply;
    const place = this.isLive ? "" : `#ply=${ply}`;
    if (!location.hash.includes("join=") && location.hash !== place) history.replaceState(null, "", `${location.pathname}${place}`);
    this.update();
    await this.show(ply, isMoving);
    for (const beside of [ply + 1, ply - 1]) {
      if (!this.isLive && beside >= 0 && beside <= this.known.last) this.known.picture(beside).catch(() => {});
    }
  }

  /** Updates the controls and the list. */
  update() {
    const { last } = this.known;
    this.slider.max = String(Math.max(0, last));
    this.slider.value = String(this.ply);
    this.slider.setAttribute("aria-valuetext", text("replay.ply", { ply: this.ply, last }));
    byId("place").textContent = text("replay.ply", { ply: Math.max(0, this.ply), last: Math.max(0, last) });
    const label = text(this.#isPlaying ? "replay.pause" : "replay.play");
    if (this.playing.textContent !== label) this.playing.textContent = label;
    byId("last").textContent = text(this.known.isRunning ? "replay.last" : "replay.end");
    const ends = { play: last <= 0, first: this.ply <= 0, back: this.ply <= 0, next: this.ply >= last, last: this.isLive };
    for (const [id, isEnd] of Object.entries(ends)) {
      const step = /** @type {HTMLButtonElement} */ (byId(id));
      // Disabling a button would lose its focus.
      if (isEnd && step === document.activeElement) this.slider.focus();
      step.disabled = isEnd;
    }
    this.#listNew();
    const old = this.list.querySelector("[aria-current]");
    const current = this.#current();
    if (old === current || current === null) return;
    old?.removeAttribute("aria-current");
    current.setAttribute("aria-current", "step");
    this.list.scrollTop += current.getBoundingClientRect().top - this.list.getBoundingClientRect().top - this.list.clientHeight / 2;
  }

  /** Returns the list entry of the ply shown.
   * @returns {HTMLElement | null} */
  #current() {
    return this.list.querySelector(`[data-ply="${this.ply}"]`);
  }

  /** Rebuilds the list, because names have changed or more is visible. */
  listAnew() {
    const focus = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = this.list.contains(focus) ? focus?.dataset.ply : undefined;
    this.list.replaceChildren();
    [this.#turns, this.#listed, this.#turn] = [0, 0, null];
    this.update();
    if (focused !== undefined) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-ply="${focused}"]`))?.focus();
  }

  /** Rewrites the list entries from a ply on, because more of them is visible.
   * @param {number} first */
  tellAnew(first) {
    for (let ply = first; ply < this.#listed; ply += 1) {
      this.list.querySelector(`[data-ply="${ply}"]`)?.replaceChildren(...this.#told(ply));
    }
  }

  /** Returns the text of a ply's list entry, empty if the ply did nothing.
   * @param {number} ply
   * @returns {(Node | string)[]} */
  #told(ply) {
    const sentences = sentencesOf(this.known, ply);
    return sentences.length === 0 ? [] : [make("span", {}, sentences.join(" ")), " ", make("code", {}, this.known.plies[ply].word ?? "")];
  }

  #listNew() {
    const { plies, nameOf } = this.known;
    for (; this.#listed < plies.length; this.#listed += 1) {
      const now = plies[this.#listed];
      const before = plies[this.#listed - 1] ?? null;
      const game = gameOf(now.state);
      if (before !== null && before.state.seat !== null && game.begins(before, plies[this.#listed - 2] ?? null)) {
        this.#turns += 1;
        this.#begin(game.heading(this.#turns, before, nameOf));
      }
      const told = this.#told(now.ply);
      if (told.length === 0) continue;
      const entry = button("", () => this.go(now.ply), { class: "ply", "data-ply": `${now.ply}` });
      entry.append(...told);
      (this.#turn ?? this.#begin(text("replay.start"))).append(make("li", {}, entry));
    }
  }

  /** @param {string} heading
   * @returns {HTMLElement} */
  #begin(heading) {
    this.#turn = make("ol", {});
    this.list.append(make("li", { class: "turn" }, make("h3", {}, heading), this.#turn));
    return this.#turn;
  }
}

/** Describes a ply in sentences.
 * @param {Known} known
 * @param {number} ply
 * @returns {string[]} */
export function sentencesOf(known, ply) {
  const now = known.plies[ply];
  const left = /^!(resign|timeout|abort)(\d?)/.exec(now.word ?? "");
  const game = gameOf(now.state);
  const said = left === null ? [] : [text(`replay.${left[1]}`, { name: left[2] === "" ? "" : known.nameOf(Number(left[2])) })];
  const rest = left === null ? now : { ...now, word: (now.word ?? "").slice(left[0].length) };
  return [...said, ...game.sentences(known.plies[ply - 1] ?? null, rest, known.nameOf)];
}

// The players, and all they can do except move: take a seat, rename, leave, resign, abort, claim a timeout, play again.

import { ask, askText, sentenceOf, serviceTime } from "./api.js";
import { at } from "./base.js";
import { gameOf } from "./games.js";
import { takeHiddenSeat, takeKeptSeat, takeSeat } from "./join.js";
import { createdHere, forgetReceipt, keptName } from "./kept.js";
import { askFirst, button, byId, draw, form, make, save, showProblem } from "./page.js";
import { isBuiltIn, levelOf, nameOf, portrait } from "./players.js";
import { qr } from "./qr.js";
import { Problem, wait } from "./retry.js";
import { secretTools } from "./secret.js";
import { hasText, isolated, listed, text } from "./text.js";

/** @typedef {import("./known.js").Known} Known */

/** The pause between two checks for a rematch in milliseconds, and the number of checks. */
const REMATCH_PAUSE = 5000;
const REMATCH_LOOKS = 720;

/** Returns the value of a name in the fragment of the address.
 * @param {string} name
 * @returns {string | undefined} */
function toldByAddress(name) {
  const value = new RegExp(`(?:^#|&)${name}=([^&]+)`).exec(location.hash)?.[1];
  try {
    return value === undefined ? value : decodeURIComponent(value);
  } catch {
    // The address was written by hand.
    return value;
  }
}

/** Returns the join code in the address.
 * @returns {string | undefined} */
export function joinCode() {
  return toldByAddress("join");
}

/** The panel with the seats of a game. */
export class Seats {
  /** The public id of this player, for which seats of rematches are reserved.
   * @type {string | null} */
  #player = null;
  /** Whether the page is checking for a rematch. */
  #looksOut = false;

  /** @param {Known} known
   * @param {{ follow: () => void, changed: () => void }} acts called when more may be visible, and when names have changed */
  constructor(known, { follow, changed }) {
    this.known = known;
    this.follow = follow;
    this.changed = changed;
    byId("secret").append(...secretTools(follow));
    setInterval(() => this.#tick(), 500);
  }

  /** Sets the displayed name of each seat. */
  nameAll() {
    const { seats } = this.known.game;
    const names = seats.map(nameOf);
    // Two players with the same name get their seat numbers, so that sentences are unambiguous.
    const isShared = (/** @type {string} */ name) => names.indexOf(name) !== names.lastIndexOf(name);
    this.known.names = seats.map((/** @type {any} */ { seat }, /** @type {number} */ index) => {
      const name = names[index];
      return isShared(name) ? text("seat.shared", { name, seat }) : name;
    });
  }

  /** Handles a message about seats.
   * @param {import("./stream.js").Message} message */
  tell({ seats, your_seat }) {
    const { game } = this.known;
    // Every connection repeats the seats. If they are unchanged, fields keep what the reader is typing.
    if (JSON.stringify([seats, your_seat]) === JSON.stringify([game.seats, game.your_seat])) return;
    Object.assign(game, { seats, your_seat });
    this.nameAll();
    this.rebuild();
    this.changed();
  }

  /** Shows that the stream was refused.
   * @param {unknown} error */
  refused(error) {
    byId("main").setAttribute("aria-busy", "false");
    showProblem(sentenceOf(error));
    byId("status").textContent = "";
  }

  /** Offers a seat of a private game to a visitor with its code.
   * @param {string} code */
  invite(code) {
    byId("main").setAttribute("aria-busy", "false");
    // The link contains this, because a visitor without a seat cannot see a private game.
    const [game, name] = [`game.${toldByAddress("game")}`, isolated((toldByAddress("from") ?? "").slice(0, 64))];
    const isTold = hasText(game);
    if (isTold) byId("title").textContent = text(game);
    const key = !isTold ? "seat.invited" : name === "" ? "seat.invited-to" : "seat.invited-by";
    byId("status").textContent = text(key, { name, game: text(game) });
    const take = (/** @type {string} */ name) => takeHiddenSeat(this.known.id, { name, joinCode: code });
    byId("mine").replaceChildren(this.#joinForm([[text("seat.join"), take]]));
  }

  /** Shows in the page title that it is the reader's turn.
   * @param {boolean} isMine */
  entitle(isMine) {
    const game = text(`game.${this.known.game.ruleset}`);
    document.title = isMine ? text("page.title.turn", { game }) : `${game} · Assam`;
  }

  /** Builds everything that does not depend on the ply. */
  rebuild() {
    const { game } = this.known;
    this.entitle(false);
    this.#address();
    byId("title").textContent = text(`game.${game.ruleset}`);
    byId("main").dataset.status = game.status;
    if (game.status === "open") {
      const isAgain = game.seats.some((/** @type {any} */ seat) => seat.kind === "open" && seat.reserved_for !== null);
      byId("status").textContent = text(game.beacon?.round != null ? "game.waits-beacon" : isAgain ? "game.waits-again" : "game.waits");
      if (isAgain) this.#learnPlayer();
    }
    if (this.#isOver && game.your_seat !== null && game.rematch === null && !game.imported) this.#lookOut();
    const mine = [this.#joining(), this.#invitation(), this.#renaming(), this.#leaving(), this.#playingAgain()];
    renew(byId("mine"), mine.filter((part) => part !== null));
    byId("record").replaceChildren(
      button(text("game.record"), () => this.#try(async () => save(await askText(`${this.known.path}/log`), `${this.known.id}.mkn`))),
    );
    this.update(this.known.last);
  }

  /** Shows the seats after a ply.
   * @param {number} ply */
  update(ply) {
    const { game, plies, connected } = this.known;
    if (game === null) return;
    const state = plies[ply]?.state ?? null;
    const kind = state === null ? null : gameOf(state);
    const first = kind?.columns(state, 1).map(([name]) => make("th", { scope: "col" }, name)) ?? [];
    const clock = game.clock === null ? [] : [make("th", { scope: "col" }, text("seat.clock"))];
    const head = make("tr", {}, make("th", { scope: "col" }, text("seat.player")), ...first, ...clock);
    const rows = game.seats.map((/** @type {any} */ seat) => {
      const isOnTurn = state?.seat === seat.seat;
      const swatches = kind?.colours(state, seat.seat).map((colour) => make("span", { class: `swatch ${colour}` })) ?? [];
      const level = levelOf(seat.kind);
      const notes = [
        level === null ? "" : text("seat.level", { level }),
        seat.seat === game.your_seat ? text("seat.you") : "",
        isOnTurn && ply === this.known.last ? text("seat.on-turn") : "",
        connected.includes(seat.seat) && seat.seat !== game.your_seat ? text("seat.connected") : "",
      ].filter((note) => note !== "");
      const told = notes.length === 0 ? null : make("small", { class: "faint" }, ` ${listed(notes)}`);
      const face = isBuiltIn(seat.kind) ? portrait(seat.kind, 32) : null;
      const name = make("th", { scope: "row" }, ...swatches, face, make("span", { class: "name", translate: "no" }, this.known.nameOf(seat.seat)), told);
      const cells = kind?.columns(state, seat.seat).map(([, value]) => make("td", {}, String(value))) ?? [];
      const time = game.clock === null ? [] : [make("td", { class: "clock", "data-clock": `${seat.seat}` })];
      return make("tr", { class: isOnTurn ? "on-turn" : "" }, name, ...cells, ...time);
    });
    byId("seats").replaceChildren(make("table", {}, make("caption", {}, text("seat.title")), make("thead", {}, head), make("tbody", {}, ...rows)));
    this.#tick();
  }

  /** Describes how the game ended.
   * @returns {string} */
  outcome() {
    const { result, status } = this.known.game;
    if (status === "aborted" || !result?.ranking) return text("game.aborted");
    const names = result.ranking[0].map(this.known.nameOf);
    const scores = result.ranking.flat().map((/** @type {number} */ seat) => result.scores[seat - 1]).join(" : ");
    const won = text(names.length === 1 ? "game.won" : "game.shared", { names: listed(names), scores });
    const left = /^!resign(\d)/.exec(this.known.plies[this.known.last]?.word ?? "");
    return left === null ? won : `${text("replay.resign", { name: this.known.nameOf(Number(left[1])) })} ${won}`;
  }

  /** Shows the remaining time, and offers to claim a timeout. Offers to abort a game until the first move. */
  #tick() {
    const { game, isRunning } = this.known;
    if (game === null) return;
    const seat = isRunning ? this.known.state?.seat ?? null : null;
    if (game.clock !== null) {
      for (const cell of document.querySelectorAll("[data-clock]")) {
        const number = Number(cell.getAttribute("data-clock"));
        cell.textContent = spelled(timeLeft(game.clock, number, seat === number));
      }
    }
    const abort = document.querySelector('#mine [data-act="abort"]');
    if (abort !== null) /** @type {HTMLElement} */ (abort).hidden = !isRunning || this.known.last > 0;
    const claim = document.getElementById("claim");
    if (claim !== null) claim.hidden = !(game.your_seat !== null && seat !== null && seat !== game.your_seat && isOverdue(game, seat));
  }

  async #learnPlayer() {
    if (this.#player !== null) return;
    this.#player = (await ask("/v1/me").catch(() => null))?.player ?? "";
    this.rebuild();
  }

  /** @param {[string, (name: string) => Promise<void>][]} ways
   * @returns {HTMLElement} */
  #joinForm(ways) {
    const name = make("input", { value: keptName(), maxlength: "64", autocomplete: "nickname", name: "name" });
    const buttons = ways.map(([label, take]) => {
      const act = () => this.#try(async () => {
        await take(name.value.trim());
        history.replaceState(null, "", location.pathname);
        this.follow();
      });
      return button(label, act, { class: "go", type: "submit" });
    });
    const label = make("label", {}, text("seat.your-name"), " ", name);
    return form({ class: "stack", id: "join" }, label, make("div", { class: "row" }, ...buttons));
  }

  #joining() {
    const { game, id } = this.known;
    if (game.status !== "open" || game.your_seat !== null) return null;
    const isFree = (/** @type {any} */ seat) => seat.kind === "open" && [null, this.#player].includes(seat.reserved_for);
    const open = game.seats.filter(isFree);
    const code = joinCode();
    const take = (/** @type {number} */ seat) => (/** @type {string} */ name) =>
      takeSeat(id, seat, game.commitment, code === undefined ? { name } : { name, joinCode: code });
    return open.length === 0 ? null : this.#joinForm(open.map((/** @type {any} */ { seat }) => [text("seat.take", { seat }), take(seat)]));
  }

  #invitation() {
    const { game, id } = this.known;
    const created = createdHere(id);
    const isOpen = game.seats.some((/** @type {any} */ seat) => seat.kind === "open" && seat.reserved_for === null);
    if (game.status !== "open" || !isOpen || (created === null && game.your_seat === null)) return null;
    // A private game needs its code, which invited players do not store.
    if (game.visibility === "private" && created?.joinCode === undefined) return null;
    const link = make("input", { readonly: true, id: "invitation", value: `${at(`/games/${id}`)}${this.#code()}` });
    const copy = button(text("game.copy"), () => {
      link.select();
      navigator.clipboard?.writeText(link.value).then(() => (copy.textContent = text("check.copied")), () => {});
    });
    const about = make("label", {}, text("game.invite"), " ", link);
    return make("div", { class: "stack" }, about, make("div", { class: "row" }, copy), picture(qr(link.value)));
  }

  /** Returns the fragment of the invitation to a private game created here, or an empty string.
   * @returns {string} */
  #code() {
    const { game, id } = this.known;
    const joinCode = createdHere(id)?.joinCode;
    if (game.status !== "open" || joinCode === undefined) return "";
    const { name } = game.seats[0];
    const from = name === null ? "" : `&from=${encodeURIComponent(name)}`;
    return `#join=${encodeURIComponent(joinCode)}&game=${game.ruleset}${from}`;
  }

  /** Makes the page address an invitation while the game is open, and removes the code once the player has a seat. */
  #address() {
    const code = this.#code();
    const isSpent = joinCode() !== undefined && this.known.game.your_seat !== null;
    if (code !== "" || isSpent) history.replaceState(null, "", `${location.pathname}${code}`);
  }

  #renaming() {
    const { game, path } = this.known;
    if (game.your_seat === null) return null;
    const input = make("input", { value: game.seats[game.your_seat - 1].name ?? "", maxlength: "64", name: "other-name" });
    const act = () => this.#try(async () => {
      const name = input.value.trim();
      await ask(`${path}/seats/${game.your_seat}`, { method: "PATCH", body: { name: name === "" ? null : name } });
      this.tell({ type: "seats", ...(await ask(path)) });
    });
    const label = make("label", {}, text("seat.your-name"), " ", input);
    return form({ class: "row" }, label, button(text("seat.rename"), act, { type: "submit" }));
  }

  #leaving() {
    const { game, path, id, isRunning } = this.known;
    const buttons = [];
    const seat = game.your_seat;
    const put = async (/** @type {string} */ move) => {
      await ask(`${path}/moves/${this.known.last + 1}`, { method: "PUT", body: { move } });
    };
    if (game.status === "open" && seat !== null) {
      const leave = () => this.#try(async () => {
        await untilGone(`${path}/seats/${seat}`, ["not_your_seat"]);
        forgetReceipt(id);
        this.follow();
      });
      buttons.push(button(text("seat.leave"), leave));
    }
    if (game.status === "open" && createdHere(id) !== null) {
      const remove = () => this.#try(async () => {
        await untilGone(path, ["game_not_found", "game_removed"]);
        location.assign(at("/"));
      });
      buttons.push(sureButton(text("game.remove"), remove, "remove"));
    }
    if (isRunning && seat !== null) buttons.push(sureButton(text("seat.resign"), () => this.#try(() => put("!resign")), "resign"));
    if (isRunning && createdHere(id) !== null) {
      buttons.push(sureButton(text("game.abort"), () => this.#try(() => put("!abort")), "abort"));
    }
    const claim = button(text("seat.claim"), () => this.#try(() => put(`!timeout${this.known.state.seat}`)), { id: "claim", hidden: true });
    return make("div", { class: "row" }, ...buttons, claim);
  }

  get #isOver() {
    return ["finished", "aborted"].includes(this.known.game.status);
  }

  /** Checks from time to time for a rematch, because the stream of a finished game has ended. */
  async #lookOut() {
    if (this.#looksOut) return;
    this.#looksOut = true;
    for (let looks = 0; looks < REMATCH_LOOKS && this.known.game.rematch === null; looks += 1) {
      await wait(REMATCH_PAUSE);
      // A hidden page does not ask. Failures are ignored until the next check.
      const found = document.hidden ? null : await ask(this.known.path).catch(() => null);
      this.known.game.rematch ??= found?.rematch ?? null;
    }
    this.#looksOut = false;
    if (this.known.game.rematch !== null) this.rebuild();
  }

  #playingAgain() {
    const { game, path } = this.known;
    if (game.rematch !== null) return make("a", { class: "button", href: at(`/games/${game.rematch}`) }, text("game.rematch-there"));
    if (!this.#isOver || game.your_seat === null || game.imported) return null;
    const act = () => this.#try(async () => {
      const made = await ask(`${path}/rematch`, { method: "POST" });
      await takeKeptSeat(made);
      location.assign(at(`/games/${made.id}`));
    });
    return button(text("game.rematch"), act, { class: "go" });
  }

  /** @param {() => Promise<void>} act */
  async #try(act) {
    try {
      await act();
      showProblem("");
    } catch (error) {
      showProblem(sentenceOf(error));
    }
  }
}

/** Deletes a path. Succeeds if an earlier attempt deleted it and its response was lost.
 * @param {string} path
 * @param {string[]} gone the problem codes that mean so */
async function untilGone(path, gone) {
  await ask(path, { method: "DELETE" }).catch((error) => {
    if (!(error instanceof Problem && gone.includes(error.code))) throw error;
  });
}

/** Replaces the parts of an element, and keeps edited fields and the focus.
 * @param {HTMLElement} home
 * @param {Node[]} parts */
function renew(home, parts) {
  const written = [...home.querySelectorAll("input[name]")].map((field) => /** @type {HTMLInputElement} */ (field));
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  const nameOf = (/** @type {Element} */ element) => element.getAttribute("name") ?? element.getAttribute("data-act");
  const focused = home.contains(focus) && focus !== null ? nameOf(focus) : null;
  home.replaceChildren(...parts);
  for (const { name, value, defaultValue, selectionStart, selectionEnd } of written) {
    const field = /** @type {HTMLInputElement | null} */ (home.querySelector(`input[name="${name}"]`));
    if (field === null) continue;
    if (value !== defaultValue) field.value = value;
    field.setSelectionRange(selectionStart, selectionEnd);
  }
  if (focused !== null) /** @type {HTMLElement | null} */ (home.querySelector(`[name="${focused}"], [data-act="${focused}"]`))?.focus();
}

/** Creates a button that asks for confirmation.
 * @param {string} label
 * @param {() => void} act
 * @param {string} name */
function sureButton(label, act, name) {
  return button(label, () => askFirst(text("page.sure", { what: label }), label, act), { "data-act": name });
}

/** Draws a QR code.
 * @param {boolean[][]} code rows of modules */
function picture(code) {
  const side = code.length + 8;
  const dark = code.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  const shapes = [draw("rect", { width: `${side}`, height: `${side}`, fill: "#fff" }), draw("path", { d: dark.join(""), fill: "#000" })];
  return draw("svg", { class: "code", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": text("game.code") }, ...shapes);
}

/** Returns the milliseconds that a seat has left.
 * @param {any} clock
 * @param {number} seat
 * @param {boolean} isRunning */
function timeLeft(clock, seat, isRunning) {
  const gone = isRunning && clock.since !== null ? serviceTime() - Date.parse(clock.since) : 0;
  return Math.max(0, clock.remaining[seat - 1] - Math.max(0, gone));
}

/** @param {number} milliseconds */
function spelled(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Returns whether a seat has run out of time.
 * @param {any} game
 * @param {number} seat */
function isOverdue(game, seat) {
  const isOut = game.clock !== null && timeLeft(game.clock, seat, true) === 0;
  const waited = serviceTime() - Date.parse(game.last_ply_at ?? "");
  return isOut || (game.patience_hours !== null && waited > game.patience_hours * 3_600_000);
}

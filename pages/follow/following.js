// Follows a game or the list of games for one tab, through the worker that all tabs share. A tab that is hidden for a minute disconnects, and catches up
// when it is shown.

import { connect, isLast, placeAfter } from "./hub.js";
import { secret } from "./kept.js";
import { button, byId } from "./page.js";
import { Problem, tryAgain } from "./retry.js";
import { HEARTBEAT } from "./stream.js";
import { text } from "./text.js";

/** How often a tab repeats what it follows, how long it waits for an answer before it looks for another worker, and how long it follows
 * while hidden, in milliseconds. */
const AGAIN = 1000;
const PATIENCE = 4000;
const UNSEEN = 60_000;

/** The name of the worker. Change it when two releases do not understand each other, so that their tabs do not share a worker. */
const NAME = "assam.1";

/** Whether the browser has shared workers. Without them, as on many phones, only the visible tab follows. */
let isShared = "SharedWorker" in globalThis;

/** Shows whether the page is connected. If not, offers to reconnect at once.
 * @param {boolean} isConnected
 * @param {() => void} again */
function showConnected(isConnected, again) {
  const lost = byId("lost");
  if (isConnected && !lost.hidden) tryAgain();
  if (!isConnected && lost.hidden) {
    lost.querySelector("button")?.remove();
    lost.append(button(text("game.again"), again));
  }
  lost.hidden = isConnected;
}

/** Returns the port to the streams.
 * @param {() => void} failed called if the worker cannot start
 * @returns {MessagePort} */
function open(failed) {
  try {
    if (isShared) {
      const worker = new SharedWorker(new URL("./shared.js", import.meta.url), { type: "module", name: NAME });
      worker.addEventListener("error", failed);
      return worker.port;
    }
  } catch {
    isShared = false;
  }
  const { port1, port2 } = new MessageChannel();
  connect(port1);
  return port2;
}

/** Follows a game until its last message, or the list of games if `game` is null. Throws the problem if the service refuses.
 * @param {string | null} game
 * @param {string | null} since where to begin, or null to begin at the start
 * @param {(message: import("./stream.js").Message) => void} hear
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>} */
export function follow(game, since, hear, signal) {
  return new Promise((done, fail) => {
    let place = since;
    let answered = 0;
    let isFirst = true;
    /** @type {MessagePort | null} */
    let port = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let unseen;
    const ending = new AbortController();
    const say = () => port?.postMessage({ type: "follow", wish: { game, secret: secret(), place } });
    const letGo = () => {
      port?.postMessage({ type: "leave" });
      port?.close();
      port = null;
    };
    const begin = () => {
      letGo();
      const opened = open(() => {
        isShared = false;
        if (port === opened) begin();
      });
      port = opened;
      opened.onmessage = ({ data }) => take(data);
      // Some browsers report a crash of the worker this way.
      opened.addEventListener("close", () => port === opened && begin());
      answered = Date.now();
      say();
    };
    const look = () => {
      if (port === null) return;
      if (Date.now() - answered > PATIENCE) begin();
      else say();
    };
    const again = (/** @type {number} */ silence) => {
      if (port !== null) port.postMessage({ type: "reconnect", silence });
      else if (!document.hidden) begin();
    };
    const seen = () => {
      clearTimeout(unseen);
      if (document.hidden) unseen = setTimeout(letGo, isShared ? UNSEEN : 0);
      else again(HEARTBEAT);
    };
    const end = () => {
      letGo();
      clearTimeout(unseen);
      clearInterval(looking);
      ending.abort();
      done();
    };
    const take = (/** @type {any} */ told) => {
      if (told.type === "here") answered = Date.now();
      else if (told.type === "connected") showConnected(told.isConnected, () => again(0));
      else if (told.type === "problem") {
        fail(new Problem(told.code, told.detail, told.told));
        end();
      } else {
        const { message } = told;
        // A game that is gone from the start was refused.
        if (isFirst && message.type === "gone") {
          fail(new Problem(message.code, message.detail, message));
          return end();
        }
        isFirst = false;
        place = game !== null && message.type === "reset" ? null : placeAfter(message) ?? place;
        hear(message);
        if (game !== null && isLast(message)) end();
      }
    };
    const looking = setInterval(look, AGAIN);
    const on = (/** @type {EventTarget} */ target, /** @type {string} */ name, /** @type {() => void} */ act) =>
      target.addEventListener(name, act, { signal: ending.signal });
    on(document, "visibilitychange", seen);
    on(document, "freeze", letGo);
    on(document, "resume", seen);
    on(window, "pagehide", letGo);
    on(window, "pageshow", seen);
    on(window, "online", () => again(0));
    if (signal !== undefined) on(signal, "abort", end);
    begin();
    if (document.hidden) seen();
  });
}

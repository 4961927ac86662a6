// Holds the streams of all tabs of a browser: one for all their games, and one for the list of games. Browsers allow only six connections to a host.
// Tabs keep repeating what they follow. A silent tab was closed, crashed or is frozen.

import { at } from "./base.js";
import { Problem, tryAgain } from "./retry.js";
import { follow, reconnect } from "./stream.js";

/** How long a tab may be silent before it is gone, in milliseconds. */
const SILENCE = 20_000;

/** Maximum games in one stream. The most recently opened ones win. */
const MOST = 100;

/** The name of the list's stream. Streams of games are named by their secret. */
const LIST = "list";

/** What a tab follows, a game or the list of games, and the place that it has reached.
 * @typedef {{ game: string | null, secret: string | null, place: string | null }} Wish
 * @typedef {Wish & { stream: string, heard: number }} Follower
 * @typedef {import("./stream.js").Message} Message */

/** @type {Map<MessagePort, Follower>} */
const followers = new Map();
/** @type {Map<string, AbortController>} */
const streams = new Map();

/** Adds a tab.
 * @param {MessagePort} port */
export function connect(port) {
  port.addEventListener("message", ({ data }) => take(port, data));
  // Only some browsers send this event.
  port.addEventListener("close", () => leave(port));
  port.start();
}

setInterval(() => {
  for (const [port, { heard }] of followers) if (Date.now() - heard > SILENCE) leave(port);
}, SILENCE / 4);

/** @param {MessagePort} port
 * @param {{ type: "follow", wish: Wish } | { type: "leave" } | { type: "reconnect", silence: number }} told */
function take(port, told) {
  if (told.type === "leave") return leave(port);
  if (told.type === "reconnect") {
    reconnect(told.silence);
    return tryAgain();
  }
  port.postMessage({ type: "here" });
  const known = followers.get(port);
  if (known !== undefined) {
    known.heard = Date.now();
    return;
  }
  const stream = told.wish.game === null ? LIST : `games of ${told.wish.secret}`;
  followers.set(port, { ...told.wish, stream, heard: Date.now() });
  restart(stream);
}

/** @param {MessagePort} port */
function leave(port) {
  const follower = followers.get(port);
  if (follower === undefined) return;
  followers.delete(port);
  restart(follower.stream);
}

/** Returns the followers of a stream.
 * @param {string} stream */
function ofStream(stream) {
  return [...followers].filter(([, follower]) => follower.stream === stream);
}

/** Reconnects a stream for its current followers.
 * @param {string} stream */
function restart(stream) {
  streams.get(stream)?.abort();
  streams.delete(stream);
  const first = ofStream(stream)[0]?.[1];
  if (first === undefined) return;
  const ending = new AbortController();
  streams.set(stream, ending);
  follow({
    address: () => addressOf(stream),
    secret: first.game === null ? null : first.secret,
    hear: (message, game) => tell(stream, message, game),
    connected: (isConnected) => ofStream(stream).forEach(([port]) => port.postMessage({ type: "connected", isConnected })),
    signal: ending.signal,
  }).catch((error) => {
    const { code, message, told } = error instanceof Problem ? error : new Problem("internal", `${error}`);
    for (const [port] of ofStream(stream)) {
      followers.delete(port);
      port.postMessage({ type: "problem", code, detail: message, told });
    }
  });
}

/** Returns the address of a stream, from the place that its followers have reached.
 * @param {string} stream */
function addressOf(stream) {
  /** @type {Map<string | null, string | null>} */
  const places = new Map();
  for (const [, { game, place }] of ofStream(stream)) {
    const other = places.get(game);
    // A new tab needs all of a game, but only the next changes of the list.
    const isEarlier = other === undefined || (game === null ? numberOf(place) > numberOf(other) : numberOf(place) < numberOf(other));
    if (isEarlier) places.set(game, place);
  }
  const from = (/** @type {string | null} */ place) => (place === null ? "" : `?since=${place}`);
  if (stream === LIST) return at(`/v1/events${from(places.get(null) ?? null)}`);
  const games = [...places].map(([game, place]) => (place === null ? game : `${game}.${place}`));
  return at(`/v1/games/events?presence=true&games=${games.slice(-MOST).join()}`);
}

/** Returns the number in a place, or -1.
 * @param {string | null} place */
function numberOf(place) {
  return place === null ? -1 : Number.parseInt(place, 10);
}

/** Returns the place after a message, or null if the message does not change it.
 * @param {Message} message
 * @returns {string | null} */
export function placeAfter({ type, cursor, head, game }) {
  if (cursor !== undefined) return cursor;
  const reached = type === "word" ? head : type === "snapshot" ? game.head : null;
  return reached === null ? null : `${reached.ply}.${reached.hash}`;
}

/** Returns whether a message is the last one about its game.
 * @param {Message} message */
export function isLast({ type }) {
  return type === "over" || type === "gone";
}

/** Passes a message on to the followers whom it concerns.
 * @param {string} stream
 * @param {Message} message
 * @param {string | null} game the game, or null for messages about the list or the stream */
function tell(stream, message, game) {
  for (const [port, follower] of ofStream(stream)) {
    const place = placeAfter(message);
    const isOther = game !== null && stream !== LIST && game !== follower.game;
    // The stream began at the place of a tab that had less.
    const isKnown = message.type === "word" ? message.ply <= numberOf(follower.place) : message.type === "snapshot" && place !== null && place === follower.place;
    if (isOther || isKnown) continue;
    follower.place = message.type === "reset" && stream !== LIST ? null : place ?? follower.place;
    port.postMessage({ type: "message", message });
    if (stream !== LIST && isLast(message)) followers.delete(port);
  }
  if (ofStream(stream).length === 0) restart(stream);
}

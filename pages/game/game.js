// The page of a game: watched, replayed and played.

import { sentenceOf } from "./api.js";
import { at } from "./base.js";
import { Board } from "./board.js";
import { follow } from "./following.js";
import { gameOf } from "./games.js";
import { drawScores, offerProof } from "./insight.js";
import { insist } from "./insist.js";
import { confirmSeat } from "./join.js";
import { onOtherSecret, pace, secret } from "./kept.js";
import { Known, early } from "./known.js";
import { byId, empty, make, showProblem, startPage } from "./page.js";
import { offerChoices } from "./play.js";
import { MOMENT, Replay, sentencesOf } from "./replay.js";
import { pause, wait } from "./retry.js";
import { Seats, joinCode } from "./seats.js";
import { Speech } from "./speech.js";
import { hasText, text } from "./text.js";

startPage();

const known = new Known(location.pathname.split("/").pop() ?? "");
const board = new Board(byId("board"));
const speech = new Speech(byId("speech"));
const status = new Speech(byId("status"));
const replay = new Replay(known, show);
const seats = new Seats(known, { follow: () => begin(), changed: renamed });

/** Each picture that is shown has a number, so that one that comes late is not shown any more. */
let shown = 0;

/** Shows a ply on the board, with what it did.
 * @param {number} ply
 * @param {boolean} isMoving */
async function show(ply, isMoving) {
  shown += 1;
  const mine = shown;
  const isShown = () => mine === shown;
  await insist(() => known.picture(ply), isShown, async (picture) => {
    const now = known.plies[ply];
    const game = gameOf(now.state);
    const label = (/** @type {SVGElement} */ cell) => game.label(cell, now.state, known.nameOf);
    board.show(picture, { cells: game.cells, rows: game.rows, name: text("game.board"), label });
    empty(byId("choices"));
    const isStill = () => isShown() && replay.isLive && ply === known.last;
    tell(ply);
    await game.stage(board, now, isMoving);
    if (isStill()) await offerChoices(known, board, isStill);
  });
}

/** Returns whether the reader is to decide next. */
function isMine() {
  const seat = known.plies[known.last]?.state.seat ?? null;
  return known.isRunning && seat !== null && seat === known.game.your_seat;
}

/** Says what a ply did, and what is to be done.
 * @param {number} ply */
function tell(ply) {
  const { state } = known.plies[ply];
  const game = gameOf(state);
  const isNow = ply === known.last;
  const isForced = isNow && waiting.some(wasForced);
  const isDue = isNow && isMine() && !isForced;
  const isOver = isNow && !known.isRunning;
  const due = isForced ? text("game.forced") : state.seat === null ? "" : game.due(state, known.nameOf, isDue);
  const said = isOver ? seats.outcome() : isNow ? due : text("replay.past", { ply, last: known.last, due });
  status.say(said, ply);
  byId("status").classList.toggle("mine", isDue);
  seats.entitle(isDue);
  byId("about").textContent = isOver ? "" : game.about(state);
  byId("fair").hidden = !isOver || known.game.imported;
  byId("result").textContent = game.result(known.plies.slice(0, ply + 1), known.nameOf);
  const happened = sentencesOf(known, ply).join(" ");
  if (happened !== "") speech.say(happened, ply);
  seats.update(ply);
  drawScores(known, ply);
}

/** Shows everything with the names as they are now. */
function renamed() {
  if (known.last < 0) return;
  replay.listAnew();
  board.nameAnew();
  tell(Math.max(0, replay.ply));
}

/** What the stream told and is not shown yet. Words are shown one after another, so that each can be seen.
 * @type {import("./stream.js").Message[]} */
const waiting = [];
let isBusy = false;

/** Returns whether a word is the next one and was written for the reader, who had no choice: together with the word before it.
 * @param {import("./stream.js").Message} message */
function wasForced({ type, ply, at }) {
  return type === "word" && ply === known.last + 1 && ply !== known.sent && isMine() && at === known.game.last_ply_at;
}

/** @param {import("./stream.js").Message} message */
function hear(message) {
  if (message.type === "presence") {
    known.connected = message.connected;
    seats.update(replay.ply);
  } else waiting.push(message);
  if (!isBusy) work();
  else if (wasForced(message) && replay.ply === known.last) tell(known.last);
}

async function work() {
  isBusy = true;
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    try {
      await take(message);
    } catch (error) {
      // It is read again with everything else.
      showProblem(sentenceOf(error));
      await pause(1000);
      begin();
    }
  }
  isBusy = false;
}

/** The tags by which lists find games, each with those that it needs. */
const LISTED = /** @type {Record<string, string[]>} */ ({ event: ["event"], round: ["event", "round"], table: ["event", "round", "table"], date: ["date"] });

/** Shows the tags of the record of an imported game; those by which lists find games lead there.
 * @param {Record<string, string>} tags */
function showTags(tags) {
  const shown = Object.entries(tags).map(([tag, value]) => {
    const name = hasText(`tag.${tag}`) ? text(`tag.${tag}`) : tag;
    const needed = LISTED[tag]?.map((other) => [other, tags[other] ?? ""]);
    const isListed = needed?.every(([, value]) => value !== "");
    const told = isListed ? make("a", { href: `${at("/")}?${new URLSearchParams(needed)}` }, value) : value;
    return make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, told));
  });
  byId("tags").replaceChildren(...shown);
  byId("tags").hidden = shown.length === 0;
}

/** @param {import("./stream.js").Message} message */
async function take(message) {
  switch (message.type) {
    case "snapshot":
      known.game = message.game;
      showTags(message.game.tags);
      seats.nameAll();
      if (message.game.head !== null) await (known.last < 0 ? known.begin() : known.read());
      seats.rebuild();
      replay.listAnew();
      showProblem("");
      byId("main").setAttribute("aria-busy", "false");
      byId("replay").hidden = known.last < 0;
      await replay.goToAddress();
      void confirmSeat(message.game).catch((error) => showProblem(sentenceOf(error)));
      break;
    case "seats":
      seats.tell(message);
      break;
    case "clock":
      known.game.clock = message.clock;
      seats.update(replay.ply);
      break;
    case "word":
      await arrive([message, ...overdue()]);
      break;
    case "over":
      // Of a game that was over when it was read, all is known.
      if (!known.isRunning) break;
      await known.readGame();
      seats.nameAll();
      await known.read();
      seats.rebuild();
      replay.listAnew();
      if (replay.isLive) await replay.goLive();
      break;
    case "gone":
      showProblem(text("game.gone", { detail: message.detail }));
      break;
    default:
  }
}

/** Since when the last word is shown, as time since the page began, in milliseconds. */
let shownSince = 0;

/** Whether the last word was forced on the reader. */
let isForcedLast = false;

/** Returns how long the last word stays before the next one is shown, in milliseconds: the score of a round is to be read, and that
 * the next move has no choice, where the move before had one.
 * @param {import("./stream.js").Message} next */
function stay(next) {
  const isScored = known.plies[known.last]?.events.some(({ event }) => event === "round_scored");
  return ((isScored ? 4 : wasForced(next) && !isForcedLast ? 3 : 1) * MOMENT) / pace();
}

/** How many plies are read one by one at most. */
const FEW = 3;

/** How many words may wait until each was seen: as many as a turn of Marrakesh has, with what is forced after it. */
const TURN = 14;

/** Takes what waits up to the newest word, where more words wait than can be shown one after another, and returns these words.
 * @returns {import("./stream.js").Message[]} */
function overdue() {
  const isOther = (/** @type {import("./stream.js").Message} */ { type }) => !["word", "clock"].includes(type);
  const end = waiting.findIndex(isOther);
  const front = waiting.slice(0, end === -1 ? waiting.length : end);
  const words = front.filter(({ type }) => type === "word");
  if (words.length <= TURN) return [];
  waiting.splice(0, front.length);
  known.game.clock = front.filter(({ type }) => type === "clock").at(-1)?.clock ?? known.game.clock;
  return words;
}

/** Words were written.
 * @param {import("./stream.js").Message[]} words the last of which is shown */
async function arrive(words) {
  // Whatever others do, and what is forced, is to be seen before the next thing happens. What the reader does is shown at once.
  if (replay.isLive && words[0].ply !== known.sent) await wait(Math.max(0, shownSince + stay(words[0]) - performance.now()));
  isForcedLast = wasForced(words[0]);
  if (known.last < 0) {
    await known.readGame();
    seats.nameAll();
    seats.rebuild();
    byId("replay").hidden = false;
  }
  const { ply: newest, at } = words[words.length - 1];
  known.game.last_ply_at = at;
  const first = Math.min(...words.flatMap(({ ply, opened }) => [ply, ...opened.map((/** @type {{ ply: number }} */ card) => card.ply)]));
  known.forgetPictures(first);
  // At its end, all of a match is opened.
  if (newest - first > FEW || words[0].ply > known.last + 1) await known.read();
  else for (let ply = first; ply <= newest; ply += 1) await known.readPly(ply);
  if (first < words[0].ply) replay.tellAnew(first);
  await replay.arrived(newest);
  if (!replay.isLive) tell(replay.ply);
  shownSince = performance.now();
}

offerProof(known);
byId("scores").parentElement?.addEventListener("toggle", () => drawScores(known, replay.ply));

let following = new AbortController();

/** Follows the game from its beginning: the secret may see it now, or sees more.
 * @param {any} [game] as it was asked for early: it is followed from there */
function begin(game = null) {
  following.abort();
  following = new AbortController();
  waiting.length = 0;
  const { head = null } = game ?? {};
  if (game !== null) hear({ type: "snapshot", game });
  follow(known.id, head === null ? null : `${head.ply}.${head.hash}`, hear, following.signal).catch((error) => {
    // Whoever has left a private game may come again by its link.
    if (code !== undefined && error.code === "game_not_found") seats.invite(code);
    else seats.refused(error);
  });
}

// Whoever comes with the code of a private game sees nothing of it before they have a seat, which only a secret holds.
let code = joinCode();
if (code === undefined || secret() !== null) early.then((asked) => begin(asked?.game));
else seats.invite(code);
// An invitation may come after the page was opened without it.
addEventListener("hashchange", () => {
  if (joinCode() === undefined || known.game !== null) return;
  code = joinCode();
  showProblem("");
  if (code !== undefined && secret() === null) seats.invite(code);
  else begin();
});
// With another secret, nothing may stay that the one before could see.
onOtherSecret((isFirst) => (isFirst ? begin() : location.reload()));

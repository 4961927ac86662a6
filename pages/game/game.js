// The game page, to watch, replay and play.

import { AnalysisPanel } from "./analysis.js";
import { ask, sentenceOf } from "./api.js";
import { at } from "./base.js";
import { Board } from "./board.js";
import { scoresOf } from "./chart.js";
import { follow } from "./following.js";
import { gameOf } from "./games.js";
import { drawScores, offerProof } from "./insight.js";
import { insist } from "./insist.js";
import { confirmSeat } from "./join.js";
import { onOtherSecret, pace, secret } from "./kept.js";
import { Known, early } from "./known.js";
import { byId, empty, make, showProblem, startPage } from "./page.js";
import { offerChoices } from "./play.js";
import { isBuiltIn, readPlayers } from "./players.js";
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

/** The number of the current picture. Pictures that arrive late are dropped. */
let shown = 0;

/** Shows a ply on the board and describes it.
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
    if (isShown()) analysed?.at(ply, board.find("svg"));
    if (isStill()) await offerChoices(known, board, isStill);
  });
}

/** Returns whether the reader decides next. */
function isMine() {
  const seat = known.plies[known.last]?.state.seat ?? null;
  return known.isRunning && seat !== null && seat === known.game.your_seat;
}

/** Describes a ply and the next decision.
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
  byId("analysed").hidden = known.isRunning;
}

/** The analysis, once the reader has opened it.
 * @type {AnalysisPanel | null} */
let analysed = null;

/** Shows the analysis of a finished game when the reader opens it. */
async function analyse() {
  if (!(/** @type {HTMLDetailsElement} */ (byId("analysed")).open) || analysed !== null) return;
  const home = byId("analysis");
  home.replaceChildren(make("p", { role: "status" }, text("analysis.wait")));
  try {
    const analysis = await ask(`${known.path}/analysis`);
    const letters = scoresOf(known.plies, known.names).map(({ letter }) => letter);
    const show = (/** @type {number} */ ply) => void replay.go(ply);
    analysed = new AnalysisPanel(home, analysis, { turn: null, names: known.names, ruleset: known.game?.ruleset ?? "", letters, show });
    analysed.at(replay.ply, board.find("svg"));
  } catch (error) {
    home.replaceChildren(make("p", {}, sentenceOf(error)));
  }
}

/** Updates all names. */
function renamed() {
  if (known.last < 0) return;
  replay.listAnew();
  board.nameAnew();
  tell(Math.max(0, replay.ply));
}

/** Messages that are not shown yet. Words are shown one after another, so that each is seen.
 * @type {import("./stream.js").Message[]} */
const waiting = [];
let isBusy = false;

/** Returns whether a word is the next one and a forced move of the reader, which the service wrote together with the word before.
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
      // Starting again reads everything.
      showProblem(sentenceOf(error));
      await pause(1000);
      begin();
    }
  }
  isBusy = false;
}

/** The tags by which lists filter games, each with the tags that it requires. */
const LISTED = /** @type {Record<string, string[]>} */ ({ event: ["event"], round: ["event", "round"], table: ["event", "round", "table"], date: ["date"] });

/** Shows the tags of an imported game. Tags that lists can filter by are links.
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
      // Without them, the page shows kinds instead of titles.
      if (message.game.seats.some((/** @type {any} */ { kind }) => isBuiltIn(kind))) await readPlayers().catch(() => null);
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
      // A game that was over when it was read is complete.
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

/** When the last word was shown, in milliseconds since the page was opened. */
let shownSince = 0;

/** Whether the last word was a forced move of the reader. */
let isForcedLast = false;

/** Returns how long the last word stays before the next one is shown, in milliseconds. It stays longer for a round's score, and for the
 * notice that the next move is forced.
 * @param {import("./stream.js").Message} next */
function stay(next) {
  const isScored = known.plies[known.last]?.events.some(({ event }) => event === "round_scored");
  return ((isScored ? 4 : wasForced(next) && !isForcedLast ? 3 : 1) * MOMENT) / pace();
}

/** Maximum plies read one by one. */
const FEW = 3;

/** Maximum words shown one after another: a turn of Marrakesh and the forced moves after it. */
const TURN = 14;

/** Takes the waiting words if there are too many to show one after another, and returns them.
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

/** Handles new words.
 * @param {import("./stream.js").Message[]} words of which the last one is shown */
async function arrive(words) {
  // Other players' moves and forced moves stay for a while. The reader's own moves are shown at once.
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
  // The end of a match reveals all cards.
  if (newest - first > FEW || words[0].ply > known.last + 1) await known.read();
  else for (let ply = first; ply <= newest; ply += 1) await known.readPly(ply);
  if (first < words[0].ply) replay.tellAnew(first);
  await replay.arrived(newest);
  if (!replay.isLive) tell(replay.ply);
  shownSince = performance.now();
}

offerProof(known);
byId("analysed").addEventListener("toggle", () => void analyse());
byId("scores").parentElement?.addEventListener("toggle", () => drawScores(known, replay.ply));

let following = new AbortController();

/** Follows the game from its start, because the secret may now see it or see more.
 * @param {any} [game] the early response, from which the game is followed */
function begin(game = null) {
  following.abort();
  following = new AbortController();
  waiting.length = 0;
  const { head = null } = game ?? {};
  if (game !== null) hear({ type: "snapshot", game });
  follow(known.id, head === null ? null : `${head.ply}.${head.hash}`, hear, following.signal).catch((error) => {
    // A player who has left a private game can join again by its link.
    if (code !== undefined && error.code === "game_not_found") seats.invite(code);
    else seats.refused(error);
  });
}

// Visitors with the join code of a private game cannot see it before they have a seat, which needs a secret.
let code = joinCode();
if (code === undefined || secret() !== null) early.then((asked) => begin(asked?.game));
else seats.invite(code);
// The page may get its invitation after it was opened without one.
addEventListener("hashchange", () => {
  if (joinCode() === undefined || known.game !== null) return;
  code = joinCode();
  showProblem("");
  if (code !== undefined && secret() === null) seats.invite(code);
  else begin();
});
// After a change of secret, nothing that the old one could see may stay.
onOtherSecret((isFirst) => (isFirst ? begin() : location.reload()));

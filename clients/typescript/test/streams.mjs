// Streams: cut at any byte, dead, refused, and taken up again where they were: `node streams.mjs`

import assert from "node:assert/strict";
import { Assam, isProblem, newSecret, Unanswered } from "assam-client";

const secret = newSecret();
const id = "5e".repeat(16);
const lines = { "Content-Type": "application/x-ndjson" };
const encoder = new TextEncoder();

const head = (ply) => ({ ply, hash: ply.toString(16).padStart(2, "0").repeat(32) });
const place = (ply) => `${ply}.${head(ply).hash}`;
const word = (ply) => ({ type: "word", ply, word: "N+3é", head: head(ply), opened: [] });
const view = { id, status: "running", your_seat: 1, seat_on_turn: 2, head: head(0), commitment: null };
const snapshot = (ply) => ({ type: "snapshot", game: { ...view, head: head(ply) }, words: [] });
const over = { type: "over", head: head(4), result: null, seed: null };
const heartbeat = { type: "heartbeat", head: null };
const closing = { type: "closing", retry: 2500 };

/** What the service sends of a game of 4 plies, whoever begins at ply 1. */
function gameAfter(since) {
  const last = since === null ? 1 : Number(since.split(".")[0]);
  const words = [2, 3, 4].filter((ply) => ply > last).map(word);
  return [...(since === null ? [snapshot(1)] : []), { type: "seats", seats: [] }, ...words, heartbeat, over];
}

const bytes = (messages) => encoder.encode(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));

/** A stream of messages, which breaks after so many bytes, or after which nothing comes any more; not even its end, when it is deaf. */
function stream(messages, { cut = Infinity, isStalled = false, isDeaf = false } = {}) {
  return (request, signal) => {
    const all = bytes(messages);
    const end = Math.min(cut, all.length);
    // In two parts, which may part a letter.
    const parts = [all.slice(0, end >> 1), all.slice(end >> 1, end)].filter((part) => part.length > 0);
    const pull = (controller) => {
      if (parts.length > 0) return controller.enqueue(parts.shift());
      if (cut < all.length) return controller.error(new TypeError("terminated"));
      if (isDeaf) return new Promise(() => {});
      if (!isStalled) return controller.close();
      signal.throwIfAborted();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    // What was read before the break is not lost with it.
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    return new Response(body, { headers: lines });
  };
}

function refused(code, status, headers = {}) {
  const told = { type: "about:blank", title: "No", code, status, detail: "no" };
  return () => new Response(JSON.stringify(told), { status, headers: { "Content-Type": "application/problem+json", ...headers } });
}

const json = (told, status = 200) => () => Response.json(told, { status });
const breaks = () => {
  throw new TypeError("fetch failed");
};

/** A client of a service that answers as it is told, and what it was asked. */
function scripted(replies, settings = {}) {
  const asked = [];
  const send = async (request, { signal }) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    assert.equal(request.headers.get("Authorization"), `Bearer ${secret}`);
    return replies.shift()(request, signal);
  };
  return [new Assam("http://service.test", { secret, fetch: send, ...settings }), asked];
}

async function all(messages, most = Infinity) {
  const found = [];
  for await (const message of messages) {
    found.push(message);
    if (found.length >= most) break;
  }
  return found;
}

const types = (messages) => messages.map(({ type }) => type);

/** Runs something whose pauses take no time, and gives them; the service is no real one. */
async function pausesOf(work) {
  const { setTimeout } = globalThis;
  const pauses = [];
  globalThis.setTimeout = (call, pause, ...more) => {
    if (pause === 30_000) return setTimeout(call, pause, ...more); // nothing came
    pauses.push(pause);
    return setTimeout(call, 0, ...more);
  };
  try {
    await work();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  return pauses;
}

/** A game whose stream is scripted. */
async function followed(replies, settings) {
  const [assam, asked] = scripted([json(view), ...replies], settings);
  const game = await assam.game(id);
  asked.length = 0;
  return [game, asked];
}

async function eachWordIsToldOnceWhereverTheConnectionIsCut() {
  const whole = bytes(gameAfter(null)).length;
  const answer = (cut) => (request, signal) =>
    stream(gameAfter(new URL(request.url).searchParams.get("since")), { cut })(request, signal);
  for (let cut = 0; cut < whole; cut += 1) {
    const [game] = await followed([answer(cut), answer(Infinity)]);
    const told = await all(game.follow());
    const words = told.filter(({ type }) => type === "word");
    assert.deepEqual(words.map(({ ply, word }) => `${ply} ${word}`), ["2 N+3é", "3 N+3é", "4 N+3é"], `${cut}`);
    assert.equal(types(told).filter((type) => type === "snapshot").length, 1);
    assert.equal(types(told).at(-1), "over");
    assert.ok(!types(told).includes("heartbeat"));
    assert.deepEqual(game.kept().heads.map(({ ply }) => ply), [0, 2, 3, 4]);
  }
}

async function aStreamThatClosesIsResumedWhenItSaysAndOneThatIsOverIsNot() {
  const [game, asked] = await followed([stream([snapshot(1), word(2), heartbeat, closing]), () => new Response(null, { status: 204 })]);
  const pauses = await pausesOf(async () => {
    assert.deepEqual(types(await all(game.follow({ presence: true }))), ["snapshot", "word"]);
  });
  assert.deepEqual(pauses, [2500]);
  const events = `GET /v1/games/${id}/events?presence=true`;
  assert.deepEqual(asked, [events, `${events}&since=${place(2)}`]);
  const [left, since] = await followed([stream([{ type: "gone", code: "game_removed", detail: "no" }])]);
  assert.deepEqual(types(await all(left.follow({ since: head(7) }))), ["gone"]);
  assert.deepEqual(since, [`GET /v1/games/${id}/events?since=${place(7)}`]);
}

async function afterAResetASnapshotIsAskedFor() {
  const [game, asked] = await followed([stream([snapshot(1), { type: "reset", head: head(9) }]), stream([snapshot(9), over])]);
  assert.deepEqual(types(await all(game.follow())), ["snapshot", "reset", "snapshot", "over"]);
  assert.equal(new Set(asked).size, 1);
}

async function aConnectionOnWhichNothingComesIsDead() {
  const [game, asked] = await followed([stream([snapshot(1)], { isStalled: true }), stream([word(2), over])], { silence: 100 });
  assert.deepEqual(types(await all(game.follow())), ["snapshot", "word", "over"]);
  assert.ok(asked[1].endsWith(`?since=${place(1)}`));
}

/** Whoever thinks for long about a message loses nothing: only reading takes time. */
async function whileAMessageIsThoughtAboutNoTimeIsCounted() {
  const { setTimeout, clearTimeout } = globalThis;
  const running = new Set();
  globalThis.setTimeout = (...timer) => {
    const id = setTimeout(...timer);
    if (timer[1] === 12_345) running.add(id);
    return id;
  };
  globalThis.clearTimeout = (id) => {
    running.delete(id);
    clearTimeout(id);
  };
  const [game] = await followed([stream([snapshot(1), word(2), over])], { silence: 12_345 });
  for await (const _ of game.follow()) assert.equal(running.size, 0);
  Object.assign(globalThis, { setTimeout, clearTimeout });
}

async function itIsLeftAloneLongerAndLonger() {
  const bounds = [0, 1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1000);
  const proxy = () => new Response("<h1>no</h1>", { status: 502, headers: { "Content-Type": "text/html" } });
  const [game] = await followed([stream([snapshot(1)]), ...Array(6).fill(breaks), proxy, stream([over])]);
  const pauses = await pausesOf(() => all(game.follow()));
  assert.equal(pauses.length, bounds.length);
  bounds.forEach((bound, at) => assert.ok(0.75 * bound <= pauses[at] && pauses[at] <= 1.25 * bound, pauses.join()));
  assert.equal(new Set(pauses).size, bounds.length);
  // A connection that held is no failure.
  const [held] = await followed([...Array(9).fill(stream([snapshot(1)])), stream([over])]);
  const { now } = Date;
  let time = now();
  Date.now = () => (time += 1000);
  assert.deepEqual(await pausesOf(() => all(held.follow())), Array(9).fill(0));
  Date.now = now;
}

async function whatIsRefusedIsToldAndWhoIsBusyIsLeftAlone() {
  const problem = (code) => (error) => isProblem(error, code);
  const [game, asked] = await followed([refused("game_not_found", 404)]);
  await assert.rejects(all(game.follow()), problem("game_not_found"));
  assert.equal(asked.length, 1);
  const [busy] = await followed([stream([snapshot(1)]), refused("busy", 503, { "Retry-After": "7" }), refused("game_removed", 410)]);
  const pauses = await pausesOf(() => assert.rejects(all(busy.follow()), problem("game_removed")));
  assert.deepEqual(pauses, [0, 7000]);
  const [often] = scripted([refused("too_many_requests", 429, { "Retry-After": "61" })]);
  await assert.rejects(all(often.followOwn()), problem("too_many_requests"));
  const [proxied] = scripted([() => new Response("<h1>a proxy</h1>", { headers: { "Content-Type": "text/html" } })]);
  await assert.rejects(all(proxied.followAll()), (error) => error instanceof Unanswered && error.status === 200);
  // Who was never there is tried as often as by any request.
  const [dead, times] = scripted(Array(3).fill(breaks), { attempts: 3 });
  await pausesOf(() => assert.rejects(all(dead.turns()), (error) => error instanceof Unanswered && !String(error.stack).includes(secret)));
  assert.equal(times.length, 3);
}

async function theStreamOfAllGamesGoesOnAtItsLastCursorAndTellsResets() {
  const at = (position, type) => ({ type, position, cursor: `${position}.ab` });
  const first = stream([at(3, "caught-up"), at(4, "game"), at(6, "heartbeat")]);
  const [assam, asked] = scripted([first, stream([at(2, "reset"), at(2, "caught-up")]), stream([at(3, "removed")])]);
  await pausesOf(async () => {
    const told = await all(assam.followAll({ ruleset: "marrakech/1" }), 5);
    assert.deepEqual(types(told), ["caught-up", "game", "reset", "caught-up", "removed"]);
  });
  const query = "GET /v1/events?ruleset=marrakech%2F1";
  assert.deepEqual(asked, [query, `${query}&since=6.ab`, `${query}&since=2.ab`]);
}

async function turnsOfAllGamesArePlayedWhileTheyAreFollowed() {
  const turn = (ply) => {
    const legal_moves = { seat: 1, ply, moves: ["N", "E"], head: head(ply - 1) };
    const game = { ...view, seat_on_turn: 1, head: head(ply - 1) };
    return { type: "turn", game, ply, state: { game: "marrakech" }, legal_moves };
  };
  const written = { words: ["N+3"], head: head(1), legal_moves: null, state: null };
  const replies = [stream([turn(1), { type: "caught-up", running: 1 }, turn(3)]), json(view), json(written, 201)];
  replies.push(refused("ply_taken", 409), json(view), stream([turn(5)], { isStalled: true }), refused("not_your_seat", 403));
  const [assam, asked] = scripted(replies);
  const played = [];
  const work = async () => {
    for await (const turn of assam.turns()) {
      assert.deepEqual([turn.game.id, turn.seat, turn.moves, turn.state.game], [id, 1, ["N", "E"], "marrakech"]);
      played.push([turn.ply, (await turn.play("N"))?.words]);
    }
  };
  // The game has gone on without this seat, the stream breaks, and its secret is lost.
  await assert.rejects(work(), (error) => isProblem(error, "not_your_seat"));
  assert.deepEqual(played, [[1, ["N+3"]], [3, undefined]]);
  const own = "GET /v1/me/events?include=state,legal-moves";
  const [game, put] = [`GET /v1/games/${id}`, (ply) => `PUT /v1/games/${id}/moves/${ply}?include=state,legal-moves`];
  assert.deepEqual(asked, [own, game, put(1), put(3), game, own, put(5)]);
}

async function aTurnIsPlayedOnceTheServiceIsBackHoweverLongThatTakes() {
  const legal_moves = { seat: 1, ply: 1, moves: ["N"], head: head(0) };
  const away = [...Array(5).fill(breaks), ...Array(5).fill(refused("busy", 503)), ...Array(4).fill(breaks)];
  const written = { words: ["N+3"], head: head(1), legal_moves: null, state: null };
  const [game, asked] = await followed([json({ ...view, seat_on_turn: 1 }), json(legal_moves), ...away, json(written, 201), refused("illegal_move", 422)]);
  await game.refresh();
  const turn = await game.turn();
  asked.length = 0;
  await pausesOf(async () => assert.deepEqual((await turn.play("N")).words, ["N+3"]));
  assert.equal(asked.length, away.length + 1);
  await assert.rejects(turn.play("N"), (error) => isProblem(error, "illegal_move"));
  const [other, times] = await followed([...Array(12).fill(breaks), json({ ...view, status: "aborted" })]);
  await pausesOf(async () => assert.equal(await other.turn(), null));
  assert.equal(times.length, 13);
}

async function whoeverStopsFollowingIsLeftAlone() {
  const [game, asked] = await followed([stream([snapshot(1)], { isDeaf: true })], { silence: 300_000 });
  const stop = new AbortController();
  await assert.rejects(
    async () => {
      for await (const _ of game.follow({ signal: stop.signal })) stop.abort(new Error("enough"));
    },
    { message: "enough" },
  );
  assert.equal(asked.length, 1);
}

await eachWordIsToldOnceWhereverTheConnectionIsCut();
await aStreamThatClosesIsResumedWhenItSaysAndOneThatIsOverIsNot();
await afterAResetASnapshotIsAskedFor();
await aConnectionOnWhichNothingComesIsDead();
await whileAMessageIsThoughtAboutNoTimeIsCounted();
await itIsLeftAloneLongerAndLonger();
await whatIsRefusedIsToldAndWhoIsBusyIsLeftAlone();
await theStreamOfAllGamesGoesOnAtItsLastCursorAndTellsResets();
await turnsOfAllGamesArePlayedWhileTheyAreFollowed();
await aTurnIsPlayedOnceTheServiceIsBackHoweverLongThatTakes();
await whoeverStopsFollowingIsLeftAlone();
console.log("everything holds");

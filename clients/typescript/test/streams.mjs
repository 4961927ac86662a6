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
  const { now } = Date;
  const pauses = [];
  let time = 0;
  globalThis.setTimeout = (call, pause, ...more) => {
    if (call.name === "nothing") return setTimeout(call, pause, ...more); // nothing came
    pauses.push(pause);
    time += pause;
    return setTimeout(call, 0, ...more);
  };
  Date.now = () => now() + time;
  try {
    await work();
  } finally {
    globalThis.setTimeout = setTimeout;
    Date.now = now;
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
  const bounds = [0, 0.5, 1, 2, 4, 5, 5, 5].map((seconds) => seconds * 1000);
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
  // .. and who wants that for longer than a request may take, only once it was there.
  const late = refused("too_many_requests", 429, { "Retry-After": "61" });
  const [often] = scripted([late]);
  await assert.rejects(all(often.followOwn()), problem("too_many_requests"));
  const [later] = await followed([stream([snapshot(1)]), late, stream([over])]);
  assert.deepEqual(await pausesOf(async () => assert.equal((await all(later.follow())).length, 2)), [0, 61_000]);
  // A page in its place is no stream, whether it was there before or not.
  const [proxied] = scripted([page]);
  await assert.rejects(all(proxied.followAll()), isPage);
  const [through] = await followed([stream([snapshot(1)]), ...Array(9).fill(page), stream([over])]);
  await pausesOf(async () => assert.equal((await all(through.follow())).length, 2));
}

const page = () => new Response("<h1>Welcome to our network</h1>", { headers: { "Content-Type": "text/html; charset=utf-8" } });
const isPage = (error) => error instanceof Unanswered && error.status === 200 && error.contentType === "text/html" && error.message.includes("text/html");

async function aRequestIsGivenUpWhenItsTimeIsUp() {
  for (const timeout of [2000, 60_000, 3_000_000]) {
    for (const ask of [(dead) => dead.playerId(), (dead) => all(dead.turns()), (dead) => all(dead.exportGames())]) {
      const [dead] = scripted(Array(9999).fill(breaks), { timeout });
      const pauses = await pausesOf(() =>
        assert.rejects(ask(dead), (error) => error instanceof Unanswered && !String(error.stack).includes(secret)),
      );
      const sum = pauses.reduce((sum, pause) => sum + pause, 0);
      assert.ok(0.98 * timeout - 7000 < sum && sum < timeout, `${timeout}: ${sum}`);
      assert.ok(pauses[0] === 0 && pauses.every((pause) => pause < 7000));
      assert.ok(new Set(pauses).size === pauses.length);
    }
  }
}

async function aBusyServiceIsLeftAloneWithinThatTime() {
  const busy = (seconds) => refused("busy", 503, { "Retry-After": `${seconds}` });
  const [patient, asked] = scripted([busy(7), json({ player: "ab" })]);
  assert.deepEqual(await pausesOf(async () => assert.equal(await patient.playerId(), "ab")), [7000]);
  assert.equal(asked.length, 2);
  const [hopeless] = scripted([busy(61)]);
  const isBusy = (error) => isProblem(error, "busy") && error.retryAfter === 61_000;
  assert.deepEqual(await pausesOf(() => assert.rejects(hopeless.playerId(), isBusy)), []);
  const [endless] = scripted([busy(61), json({ player: "ab" })], { timeout: Infinity });
  assert.deepEqual(await pausesOf(() => endless.playerId()), [61_000]);
}

async function inAStreamRequestsWaitAsLongAsItTakes() {
  const away = [...Array(40).fill(breaks), ...Array(20).fill(refused("busy", 503, { "Retry-After": "7" }))];
  const record = () => new Response("MKN/1", { headers: { "Content-Type": "text/plain; charset=utf-8" } });
  const caughtUp = stream([{ type: "caught-up", running: 1 }], { isDeaf: true });
  const [assam, asked] = scripted([json(view), caughtUp, ...away, record, ...Array(99).fill(breaks)], { timeout: 10_000, silence: 300_000 });
  const game = await assam.game(id);
  const news = assam.followOwn();
  await news.next();
  const pauses = await pausesOf(async () => assert.equal(await game.record(), "MKN/1"));
  assert.ok(pauses.length === away.length && asked.length === away.length + 3);
  // Once it has left the stream, the time that a request may take counts again.
  await news.return();
  await pausesOf(() => assert.rejects(game.record(), Unanswered));
}

async function inTheTurnsOfAGameRequestsWaitToo() {
  const mine = { ...view, seat_on_turn: 1 };
  const legal_moves = { seat: 1, ply: 1, moves: ["N"], head: head(0) };
  const begin = [...Array(30).fill(breaks), json(legal_moves), ...Array(30).fill(breaks), json({ player: "ab" })];
  const [game] = await followed([json(mine), ...begin], { timeout: 10_000 });
  await game.refresh();
  await pausesOf(async () => {
    for await (const turn of game.turns()) {
      assert.equal(turn.ply, 1);
      assert.equal((await game.log()).player, "ab");
      break;
    }
  });
}

async function whoSaysNothingIsNotWaitedFor() {
  const never = () => new Promise(() => {});
  const half = () => {
    let is = false;
    const pull = (body) => (is ? never() : ((is = true), body.enqueue(encoder.encode("{"))));
    return new Response(new ReadableStream({ pull }), { headers: { "Content-Type": "application/json" } });
  };
  for (const silent of [never, half]) {
    const [assam] = scripted(Array(99).fill(silent), { timeout: 1000, silence: 100 });
    await assert.rejects(assam.playerId(), (error) => error instanceof Unanswered && /nothing came for 0.\d+ s/.test(error.message));
  }
}

async function aPageInPlaceOfAnAnswerIsNone() {
  const asks = [
    (assam) => assam.playerId(),
    (assam) => assam.rulesets(),
    (assam) => assam.validate("MKN/1"),
    (assam) => assam.game(id),
    (assam) => all(assam.exportGames()),
    (assam) => all(assam.validateRecords(["MKN/1"])),
    (assam) => all(assam.games()),
  ];
  for (const ask of asks) {
    // Before the service was ever there, its address is wrong.
    const [assam, asked] = scripted([page]);
    await assert.rejects(ask(assam), isPage);
    assert.equal(asked.length, 1);
  }
  const typed = (text) => () => new Response(text, { headers: { "Content-Type": "application/json" } });
  const none = (status) => () => new Response(null, { status });
  const missing = () => new Response("<h1>no</h1>", { status: 404, headers: { "Content-Type": "text/html" } });
  // Later, the network between is at fault, which passes.
  const wrong = [page, missing, typed("[1]"), typed("{"), none(304), none(204)];
  const [game, asked] = await followed([...wrong, json({ words: [] }), page, none(204)]);
  await pausesOf(async () => {
    assert.deepEqual((await game.log()).words, []);
    await game.remove();
  });
  assert.equal(asked.length, 9);
}

async function anyNumberOfRecordsIsSentInBatches() {
  const sent = [];
  const rows = (count, last = { kind: "summary" }) => async (request) => {
    sent.push((await request.text()).trimEnd().split("\n").map((line) => JSON.parse(line).record));
    const told = Array.from({ length: count }, (_, at) => ({ kind: "record", number: at + 1, line: at + 1 }));
    return new Response([...told, last].map((row) => `${JSON.stringify(row)}\n`).join(""), { headers: lines });
  };
  const stopped = { kind: "stopped", code: "unavailable", detail: "no database" };
  let read = 0;
  const records = function* () {
    for (; read < 450; read += 1) yield `MKN/1 ${read}`;
  };
  const [assam] = scripted([rows(200), breaks, rows(150, stopped), rows(0, stopped), rows(200), rows(50)]);
  await pausesOf(async () => {
    const verdicts = assam.validateRecords(records());
    assert.deepEqual([(await verdicts.next()).value.number, read], [1, 200]);
    assert.deepEqual((await all(verdicts)).map(({ number }) => number), Array.from({ length: 449 }, (_, at) => at + 2));
  });
  assert.deepEqual(sent.map((records) => records.length), [200, 200, 200, 200, 50]);
  const [lost, asked] = scripted([rows(0, { ...stopped, code: "payload_too_large" })]);
  await assert.rejects(all(lost.importRecords(["a"])), (error) => isProblem(error, "payload_too_large"));
  assert.equal(asked.length, 1);
}

async function aFileIsSentAsItIsInPartsWhoseRowsCountTheLinesOfTheWholeFile() {
  const file = Buffer.from("MKN/1 marrakech/1 seats=3\r\n\rN\n\n".repeat(10_000));
  const sent = [];
  const rows = (count, last) => async (request) => {
    const [type, query] = [request.headers.get("Content-Type"), new URL(request.url).search];
    assert.deepEqual([type, decodeURIComponent(query)], ["text/plain", "?include=state,legal-moves"]);
    sent.push(Buffer.from(await request.arrayBuffer()));
    const told = [{ number: 1, line: 1, error: null }, { number: 2, line: 5, error: { line: 6 } }].slice(0, count);
    return new Response([...told, { kind: last, code: "unavailable" }].map((row) => `${JSON.stringify(row)}\n`).join(""), { headers: lines });
  };
  for (const length of [7, 5000, file.length]) {
    sent.length = 0;
    const chunks = Array.from({ length: Math.ceil(file.length / length) }, (_, at) => file.subarray(at * length, (at + 1) * length));
    const [assam] = scripted([rows(2, "summary"), rows(0, "stopped"), rows(1, "stopped"), rows(0, "stopped"), rows(2, "summary")]);
    await pausesOf(async () => {
      const verdicts = await all(assam.validateRecords(chunks, { include: ["state", "legal-moves"] }));
      const before = 4 * sent[0].toString().split("MKN/").slice(1).length;
      const places = verdicts.map(({ number, line, error }) => [number, line, error?.line]);
      assert.deepEqual(places, [[1, 1, undefined], [2, 5, 6], [3, before + 1, undefined], [4, before + 5, before + 6]]);
    });
    assert.ok(Buffer.concat(sent.slice(0, 2)).equals(file) && sent.slice(2).every((body) => body.equals(sent[1])));
  }
  // Nothing but blank lines is before the only record, and no line begins the others.
  for (const text of ["\n".repeat(300_000) + file, "x MKN/".repeat(100_000)]) {
    const [assam, asked] = scripted([async () => new Response('{"kind":"summary"}\n', { headers: lines })]);
    await all(assam.validateRecords([Buffer.from(text.slice(0, 300_050))]));
    assert.equal(asked.length, 1);
  }
  const [assam] = scripted([]);
  for (const wrong of ["MKN/1", file]) await assert.rejects(all(assam.validateRecords(wrong)), TypeError);
}

async function anExportHasEachGameOnceWhereverItIsCut() {
  const ids = [1, 2, 3, 4].map((number) => number.toString(16).padStart(32, "0"));
  const answer = (cut) => (request, signal) => {
    const query = new URL(request.url).searchParams;
    const first = ids.indexOf(query.get("after")) + 1;
    return stream(ids.slice(first, first + Number(query.get("limit") ?? 9)).map((id) => ({ id })), { cut })(request, signal);
  };
  const whole = bytes(ids.map((id) => ({ id }))).length;
  for (let cut = 0; cut < whole; cut += 1) {
    for (const limit of [undefined, 3]) {
      const [assam] = scripted([answer(Math.min(cut, 60)), answer(Infinity)]);
      const games = await all(assam.exportGames(limit === undefined ? {} : { limit }));
      assert.deepEqual(games.map(({ id }) => id), ids.slice(0, limit), `${cut}`);
    }
  }
}

async function theReplayOfAGameIsOneRequest() {
  const states = Array.from({ length: 92 }, (_, ply) => ({ ply }));
  const [game, asked] = await followed([json({ states })]);
  assert.deepEqual(await all(game.replay()), states);
  assert.deepEqual(asked, [`GET /v1/games/${id}/states`]);
}

async function gamesAreFoundByTheirTagsAndOutcomesAndStreamsBringWhatIsWanted() {
  const replies = [json({ games: [], next: null }), json({ positions: [] }), json({ positions: [] })];
  const [assam, asked] = scripted(replies);
  await all(assam.games({ event: "A & B", round: "1", table: "2", date: "2026.01.02" }));
  await assam.outcomes([{ position: "MKN/1" }], { include: ["state", "score"] });
  await assam.outcomes([{ position: "MKN/1" }]);
  const paths = ["GET /v1/games?event=A%20%26%20B&round=1&table=2&date=2026.01.02", "POST /v1/outcomes?include=state,score"];
  assert.deepEqual(asked, [...paths, "POST /v1/outcomes"]);
  const [game, told] = await followed([stream([{ type: "over" }])]);
  await all(game.follow({ include: ["state"], presence: true }));
  assert.deepEqual(told, [`GET /v1/games/${id}/events?include=state&presence=true`]);
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
await aRequestIsGivenUpWhenItsTimeIsUp();
await aBusyServiceIsLeftAloneWithinThatTime();
await inAStreamRequestsWaitAsLongAsItTakes();
await inTheTurnsOfAGameRequestsWaitToo();
await whoSaysNothingIsNotWaitedFor();
await aPageInPlaceOfAnAnswerIsNone();
await anyNumberOfRecordsIsSentInBatches();
await aFileIsSentAsItIsInPartsWhoseRowsCountTheLinesOfTheWholeFile();
await anExportHasEachGameOnceWhereverItIsCut();
await theReplayOfAGameIsOneRequest();
await gamesAreFoundByTheirTagsAndOutcomesAndStreamsBringWhatIsWanted();
await theStreamOfAllGamesGoesOnAtItsLastCursorAndTellsResets();
await turnsOfAllGamesArePlayedWhileTheyAreFollowed();
await aTurnIsPlayedOnceTheServiceIsBackHoweverLongThatTakes();
await whoeverStopsFollowingIsLeftAlone();
console.log("everything holds");

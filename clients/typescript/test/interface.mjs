// What README.md and the doc comments promise, held against a service: `node interface.mjs ADDRESS`

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { Assam, isProblem, newSecret, Problem, ProofError, secretFor, Unanswered, verify } from "assam-client";

const service = process.argv[2];
const secrets = Array.from({ length: 3 }, newSecret);
const [aisha, omar, lea] = secrets.map((secret) => new Assam(service, { secret }));
const quick = { rugs_per_player: 1, two_player: "one-colour" };
const problem = (...codes) => (error) => isProblem(error, ...codes);

async function all(list) {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
}

/** A service that wants to be left alone this long, in seconds, once. */
function wanting(pause) {
  let asked = 0;
  const send = async (request, init) => {
    asked += 1;
    if (asked > 1) return fetch(request, init);
    const often = { type: "about:blank", title: "Too many", status: 429, code: "too_many_requests", detail: "too many reads" };
    const headers = { "Content-Type": "application/problem+json", "Retry-After": pause };
    return new Response(JSON.stringify(often), { status: 429, headers });
  };
  return [new Assam(service, { secret: secrets[0], fetch: send }), () => asked];
}

async function whoAskedTooOftenWaitsAMinuteAtMost() {
  const [patient, asked] = wanting("0");
  assert.match(await patient.playerId(), /^[0-9a-f]{20}$/);
  assert.equal(asked(), 2);
  const [hopeless, times] = wanting("61");
  await assert.rejects(hopeless.playerId(), problem("too_many_requests"));
  assert.equal(times(), 1);
}

/** A service whose answers get lost, the first one of each request, and which is busy the second time. */
function unreliable(secret) {
  const times = new Map();
  const send = async (request, init) => {
    const name = `${request.method} ${request.url}`;
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    if (time === 2) {
      const busy = { type: "about:blank", title: "Busy", status: 503, code: "busy", detail: "too much to do" };
      const headers = { "Content-Type": "application/problem+json", "Retry-After": "0" };
      return new Response(JSON.stringify(busy), { status: 503, headers });
    }
    const response = await fetch(request, init);
    if (time === 1) throw new TypeError("the line is dead");
    return response;
  };
  return new Assam(service, { secret, fetch: send });
}

async function eachServiceHasASecretOfItsOwnFromAMasterSecret() {
  const master = "0123456789abcdef".repeat(4);
  // As openssl computes it.
  const own = "5ae421fbdf65ed55da0b03bac19ce573a847aab5709d4b8c5889efdc1c52608f";
  for (const url of ["https://assam.example", "https://ASSAM.example:443/v1/games?limit=1"]) {
    assert.equal(await secretFor(master, url), own);
  }
  assert.notEqual(await secretFor(master, "http://assam.example"), own);
  for (const wrong of [[master, "assam.example"], [master, "ftp://assam.example"], ["0", "https://assam.example"]]) {
    await assert.rejects(secretFor(...wrong), TypeError);
  }
}

async function secretsStaySecret() {
  assert.match(newSecret(), /^[0-9a-f]{64}$/);
  assert.notEqual(newSecret(), newSecret());
  assert.match(await aisha.playerId(), /^[0-9a-f]{20}$/);
  const malformed = `${secrets[0]}\n`;
  assert.throws(() => new Assam(service, { secret: malformed }), (error) => !String(error.stack).includes(secrets[0]));
  const game = await aisha.createGame({ ruleset: "marrakech/1", seats: ["open", "open"], take: { seat: 1 } });
  const errors = [
    await game.move(1, "N").catch((error) => error),
    await new Assam("http://127.0.0.1:1", { secret: secrets[0], timeout: 100 }).playerId().catch((error) => error),
  ];
  assert.deepEqual(errors.map((error) => error.constructor), [Problem, Unanswered]);
  assert.equal(errors[0].code, "not_started");
  for (const shown of [aisha, game, ...errors]) {
    const text = inspect(shown, { depth: 9, showHidden: true }) + JSON.stringify(shown) + shown.stack;
    assert.ok(!text.includes(secrets[0]), text);
  }
  await game.remove();
}

async function theLobby() {
  const key = newSecret();
  const wanted = { ruleset: "marrakech/1", seats: ["open", "open"], options: quick };
  const game = await aisha.createGame(wanted, { key });
  assert.equal((await aisha.createGame(wanted, { key })).id, game.id);
  assert.equal((await game.takeSeat(1, { name: "Aisha" })).seats[0].name, "Aisha");
  assert.match(game.view.seats[0].entropy, /^[0-9a-f]{64}$/);
  assert.equal((await game.rename("A.")).seats[0].name, "A.");
  await game.leaveSeat();
  assert.equal(game.view.your_seat, null);
  await assert.rejects(game.turn(), /no seat/);

  const others = [await aisha.createGame(wanted), await aisha.createGame(wanted)];
  const ids = [game, ...others].map((game) => game.id);
  const listed = await all(new Assam(service).games({ status: ["open", "running"], limit: 1 }));
  assert.ok(ids.every((id) => listed.some((game) => game.id === id)));
  await Promise.all([game, ...others].map((game) => game.takeSeat(2)));
  assert.deepEqual((await all(aisha.myGames({ limit: 2 }))).map((game) => game.id).sort(), [...ids].sort());
  for (const game of others) await game.remove();
  await game.remove();
  await assert.rejects(aisha.game(game.id), problem("game_not_found"));
  await assert.rejects(aisha.createGame({ ruleset: "marrakech/1", seats: [], colour: 1 }), (error) => error.errors.length > 0);

  const hidden = await aisha.createGame({ ...wanted, visibility: "private", join_code: "tea", take: { seat: 1 } });
  await assert.rejects(omar.join(hidden.id), problem("game_not_found"));
  await assert.rejects(omar.join(hidden.id, { joinCode: "coffee" }), problem("game_not_found"));
  const joined = await omar.join(hidden.id, { joinCode: "tea" });
  assert.equal(joined.view.your_seat, 2);
  assert.equal((await omar.join(hidden.id, { joinCode: "tea" })).view.your_seat, 2);
  await assert.rejects(lea.join(hidden.id, { joinCode: "tea" }), problem("seat_taken"));
  await hidden.abort();
  assert.equal((await joined.refresh()).status, "aborted");
}

async function play() {
  const seats = ["open", "open"];
  const game = await aisha.createGame({ ruleset: "marrakech/1", seats, options: quick, take: { seat: 1 } });
  const other = await omar.join(game.id);
  const turn = await game.turn();
  assert.deepEqual([turn.ply, turn.seat, turn.state.game], [1, 1, "marrakech"]);
  await assert.rejects(turn.play("S"), (error) => isProblem(error, "illegal_move") && error.rule !== null);
  const written = await turn.play("N");
  assert.deepEqual((await game.move(1, "N")).words, written.words);
  await assert.rejects(game.move(1, "E"), problem("ply_taken"));
  assert.equal(await turn.play("E"), null);
  await assert.rejects(game.timeOut(2), problem("bad_request", "illegal_move"));
  await other.resign();
  await other.resign();
  assert.equal(await game.turn(), null);
  assert.equal((await new Assam(service).game(game.id).then((seen) => seen.over())).over, true);
  assert.equal((await game.score(0)).over, false);
  const pictures = await Promise.all([{}, { board_only: true }, { theme: "dark" }].map((form) => game.picture(0, form)));
  assert.equal(new Set(pictures).size, 3);
  assert.equal(await game.picture(0), pictures[0]);
  assert.ok(pictures[1].length < pictures[0].length);
  const { words } = await game.log();
  assert.deepEqual(words.map(({ word }) => word), [...written.words, "!resign2"]);

  const record = await game.record();
  // What the service exported is the game that it came from; other words are another game.
  assert.equal((await omar.importRecord(record)).id, game.id);
  const elsewhere = "MKN/1 marrakech/1 seats=2 two_player=one-colour\n\n!resign2\n= 30 0\n";
  const [imported, again] = [await aisha.importRecord(elsewhere), await omar.importRecord(elsewhere)];
  assert.deepEqual([imported.id, imported.view.imported], [again.id, true]);
  assert.match((await imported.verify()).notVerified.join(), /imported/);
  const verdict = await aisha.validate(record.replace("= ", "= 1"));
  assert.deepEqual([verdict.valid, verdict.error.code], [false, "score_mismatch"]);
}

async function waiting() {
  let asked = [];
  const counting = async (request, init) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname.replace(/^.*[0-9a-f]{32}/, "")}${search.replace(/[0-9a-f]{64}/, "..")}`);
    return fetch(request, init);
  };
  const waiter = new Assam(service, { secret: secrets[1], fetch: counting });
  const game = await aisha.createGame({ ruleset: "marrakech/1", seats: ["open", "open"], options: quick, take: { seat: 1 } });
  const joined = await waiter.join(game.id);
  await game.rename("A.");
  assert.equal((await joined.refresh()).seats[0].name, "A.");
  // As long as nothing happens, one request waits.
  asked = [];
  await assert.rejects(joined.turn({ signal: AbortSignal.timeout(1500) }), { name: "TimeoutError" });
  assert.deepEqual(asked, ["GET ?wait=30&since=0..."]);
  // Each word ends one.
  asked = [];
  const waited = joined.turn();
  await (await game.turn()).play("N");
  const rug = await game.turn();
  await rug.play(rug.moves[0]);
  const turn = await waited;
  assert.deepEqual([turn.seat, turn.ply], [2, 3]);
  const polls = asked.filter((path) => path.startsWith("GET ?wait=30"));
  assert.deepEqual(asked, [...polls, "GET /legal-moves"]);
  assert.ok(polls.length <= 2, asked.join());
  await game.resign();
  assert.equal(await joined.turn(), null);
}

/** What is over can be played again, by those who played. */
async function rematches() {
  const wanted = { ruleset: "marrakech/1", seats: ["open", "open"], options: quick, visibility: "private", join_code: "mint tea" };
  const game = await aisha.createGame({ ...wanted, take: { seat: 1, name: "Aisha" } });
  const other = await omar.join(game.id, { joinCode: "mint tea" });
  await assert.rejects(game.rematch(), problem("not_finished"));
  await other.resign();
  const [hers, his] = [await game.rematch({ name: "A." }), await other.rematch()];
  assert.deepEqual([hers.view.rematch_of, his.id, his.view.status], [game.id, hers.id, "running"]);
  assert.deepEqual([hers.view.your_seat, his.view.your_seat], [2, 1]);
  assert.equal((await hers.refresh()).seats[1].name, "A.");
  for (const { verified } of [await hers.verify(), await his.verify()]) {
    assert.ok(verified.some((line) => line.startsWith("receipt: ")), verified.join());
  }
  await assert.rejects(lea.game(game.id).then((game) => game.rematch()), problem("game_not_found"));
  await his.resign();
}

async function standings() {
  const shown = await aisha.standings("random", { period: "2026" });
  assert.equal(shown.player, "random");
  await assert.rejects(aisha.standings("nobody"), Problem);
  assert.equal((await aisha.dice()).player, null);
  assert.ok(Array.isArray(await all(aisha.rolls("random"))));
  assert.ok(Array.isArray(await all(aisha.leaders({ ruleset: "marrakech/1", limit: 1 }))));
  const open = await aisha.createGame({ ruleset: "marrakech/1", seats: ["open", "open"] });
  await assert.rejects(open.deliverBeacon(1, "ab".repeat(48)), Problem);
  await open.remove();
}

async function lostAnswers() {
  const wanted = { ruleset: "marrakesh/1", seats: ["open", "solitaire-ai"], take: { seat: 1 } };
  const secret = newSecret();
  const me = unreliable(secret);
  const game = await me.createGame(wanted);
  const turn = await game.turn();
  const written = await turn.play(turn.moves[0]);
  const sure = new Assam(service, { secret });
  assert.equal((await all(sure.myGames())).length, 1);
  assert.deepEqual((await (await sure.game(game.id)).move(turn.ply, turn.moves[0])).words, written.words);

  const next = newSecret();
  const renewed = await game.replaceSecret(next);
  await assert.rejects(game.move(turn.ply, turn.moves[0]), problem("not_your_seat"));
  await (await renewed.turn()).play((await renewed.turn()).moves[0]);
  await renewed.resign();
  assert.ok((await renewed.verify()).verified.some((line) => line.startsWith("receipt: ")));
  await assert.rejects(renewed.replaceSecret(newSecret(), { signal: AbortSignal.abort() }), { name: "AbortError" });

  const open = await unreliable(newSecret()).createGame({ ...wanted, seats: ["open", "open"] });
  await open.leaveSeat();
  await open.remove();
  await assert.rejects(sure.game(open.id), problem("game_not_found"));
  await assert.rejects(unreliable(secret).withSecret(next).game("0".repeat(32)), problem("game_not_found"));
}

async function proofs() {
  const game = await aisha.createGame({ ruleset: "marrakesh/1", seats: ["solitaire-ai", "solitaire-ai"] });
  const proof = await game.proof();
  const kept = game.kept();
  assert.equal((await verify(proof, kept)).outcomes > 12, true);
  const damage = (change) => {
    const copy = structuredClone(proof);
    change(copy);
    return assert.rejects(verify(copy), ProofError);
  };
  await damage((proof) => (proof.seed = newSecret()));
  await damage((proof) => (proof.words[5].head = newSecret()));
  await damage((proof) => (proof.words[5].key = newSecret()));
  await damage((proof) => (proof.words[5].key = null));
  await damage((proof) => (proof.anchor = newSecret()));
  await damage((proof) => (proof.commitment = newSecret()));
  await damage((proof) => (proof.words[0].parts[1].salt = newSecret()));
  await damage((proof) => (proof.words[3].parts = null));
  await damage((proof) => proof.words.pop());
  await assert.rejects(verify(proof, { ...kept, commitment: newSecret() }), ProofError);
  await assert.rejects(verify(proof, { heads: [{ ply: 7, hash: newSecret() }] }), ProofError);
  await assert.rejects(verify(proof, { heads: [{ ply: 7000, hash: newSecret() }] }), ProofError);

  const options = { rugs_per_player: 4 };
  const merchants = await aisha.createGame({ ruleset: "marrakech/1", seats: ["merchant-1", "hand", "random"], options });
  const { facts, notVerified } = await verify(await merchants.proof());
  const choices = facts.filter(({ code }) => code === "choices");
  assert.deepEqual(choices.map(({ seat, kind, isKnown }) => [seat, kind, isKnown]), [[1, "merchant-1/1", false], [2, "hand", false], [3, "random", true]]);
  assert.ok(choices.every(({ count, of }) => count === of && count > 0));
  assert.equal(notVerified.filter((line) => line.includes("decisions were not recomputed")).length, 3);
}

/** The entropy of the seat that somebody holds, as the proof has it. */
async function proved(game) {
  const { seats } = await game.proof();
  return seats[game.view.your_seat - 1].entropy;
}

async function everySeatHasEntropyAndAReceipt() {
  const entropy = newSecret();
  const wanted = { ruleset: "marrakech/1", options: quick, take: { seat: 1, name: "Aisha" } };
  // The only open seat, one of two, and one of a private game.
  const alone = await aisha.createGame({ ...wanted, seats: ["open", "random"] }, { entropy });
  assert.deepEqual([alone.view.seats[0].entropy, alone.view.seats[0].name, await proved(alone)], [entropy, "Aisha", entropy]);
  const hidden = { visibility: "private", join_code: "tea" };
  for (const how of [{}, hidden]) {
    const game = await aisha.createGame({ ...wanted, ...how, seats: ["open", "open"] });
    const [{ entropy: hers }] = game.receipt.seats;
    assert.match(hers, /^[0-9a-f]{64}$/);
    // To ask again changes nothing.
    assert.equal((await game.takeSeat(1)).seats[0].entropy, hers);
    const other = await omar.join(game.id, { joinCode: "tea", entropy });
    assert.deepEqual([other.receipt.your_seat, other.receipt.commitment], [2, game.view.commitment]);
    assert.deepEqual([await proved(game), await proved(other)], [hers, entropy]);
    assert.equal((await game.takeSeat(1)).status, "running");
    for (const { verified } of [await game.verify(), await other.verify()]) {
      assert.ok(verified.some((line) => line.startsWith("receipt: ")), verified.join());
      assert.ok(verified.some((line) => line.startsWith("seats: the ones that the player of seat ")), verified.join());
    }
    const kept = other.kept();
    const proof = await other.proof();
    for (const change of [{ entropy: newSecret() }, { entropy: null }, { revision: 99 }, { player: null }]) {
      const receipt = structuredClone(kept.receipt);
      Object.assign(receipt.seats[1], change);
      await assert.rejects(verify(proof, { ...kept, receipt }), (error) => /^receipt: seat 2: expected /.test(error.message));
    }
    await assert.rejects(verify(proof, { ...kept, receipt: { ...kept.receipt, id: alone.id } }), /^ProofError: receipt: game: /);
    await game.abort();
  }
  // A creation that is refused leaves no game behind.
  const before = (await all(aisha.games({ status: ["open"] }))).length;
  const take = { seat: 1, name: "x".repeat(1000) };
  await assert.rejects(aisha.createGame({ ...wanted, seats: ["open", "random"], take }), problem("bad_request"));
  assert.ok((await all(aisha.games({ status: ["open"] }))).length <= before);
}

/** A service whose client is sent other responses to requests of a method. */
function lying(method, lie, secret = newSecret()) {
  const send = async (request, init) => {
    const response = await fetch(request, init);
    const headers = { "Content-Type": response.headers.get("Content-Type") };
    if (request.method !== method || !headers["Content-Type"].includes("json")) return response;
    const told = await response.json();
    return Response.json(lie(told) ?? told, { status: response.status, headers });
  };
  return new Assam(service, { secret, fetch: send, timeout: 2000 });
}

/** A service that forgets the entropy, or answers with anything else than what was asked for, shown or signed. */
async function whoTakesASeatIsNotLiedTo() {
  const opened = () => aisha.createGame({ ruleset: "marrakech/1", seats: ["open", "open"], options: quick, take: { seat: 1 } });
  const before = (change) => lying("GET", (told) => void (told.your_seat === null && change(told)));
  const { id } = await opened();
  const untrue = (what) => (error) => error instanceof ProofError && error.message.startsWith(`${what}: expected `);
  for (const [change, what] of [
    [(told) => (told.commitment = newSecret()), "seats_digest"],
    [(told) => (told.seats[0].entropy = newSecret()), "seats_digest"],
    [(told) => (told.seats[1].seat = 3), "seat 2"],
  ]) {
    await assert.rejects(before(change).join(id), untrue(what));
  }
  assert.equal((await aisha.game(id)).view.seats[1].kind, "open");
  for (const [change, what] of [
    [(told) => (told.id = "ab".repeat(16)), "game"],
    [(told) => (told.commitment = newSecret()), "commitment"],
    [(told) => (told.your_seat = 1), "your_seat"],
    [(told) => (told.seats[1].player = "ab".repeat(10)), "seat 2: player"],
    [(told) => (told.seats[1].entropy = null), "seat 2: entropy"],
    [(told) => (told.pin.seats_digest = newSecret()), "seats_digest"],
    [(told) => (told.seats[0].entropy = newSecret()), "seats_digest"],
    [(told) => (told.seats[1].revision += 1), "seats_digest"],
    [(told) => told.seats.pop(), "seats"],
    [(told) => (told.head = null), "head"],
  ]) {
    const { id } = await opened();
    await assert.rejects(lying("PUT", (told) => void (told.your_seat && change(told))).join(id), untrue(what));
  }
}

/** The response to taking a seat is lost, or the service has forgotten the seat. */
async function entropyThatWasSentIsHeldToTheSeat() {
  const wanted = { ruleset: "marrakech/1", seats: ["open", "open", "open"], take: { seat: 1 } };
  const secret = newSecret();
  let isLost = true;
  // What is no object is none of the service.
  const player = lying("PUT", (told) => (isLost && told.your_seat ? [] : told), secret);
  const { id } = await aisha.createGame(wanted);
  await assert.rejects(player.join(id), Unanswered);
  isLost = false;
  const { receipt } = await player.join(id);
  assert.ok(receipt.your_seat === 2 && receipt.seats_receipt.includes(receipt.pin.seats_digest));
  // The seat is held, and has the entropy.
  assert.equal((await player.join(id)).receipt, null);
  await assert.rejects(player.join(id, { entropy: newSecret() }), /^ProofError: seat 2: entropy: /);
  assert.equal((await player.join(id, { entropy: receipt.seats[1].entropy })).receipt, null);
  // It was not sent, or the service has put other entropy there.
  const other = await aisha.createGame(wanted);
  isLost = true;
  await assert.rejects(player.join(other.id), Unanswered);
  isLost = false;
  const elsewhere = await new Assam(service, { secret }).game(other.id);
  await elsewhere.leaveSeat();
  await elsewhere.takeSeat(2);
  await assert.rejects(player.join(other.id), /^ProofError: seat 2: entropy: /);
  // Another seat is held, as far as this client knows without entropy from it.
  const third = await aisha.createGame(wanted);
  await player.join(third.id);
  const again = new Assam(service, { secret });
  await assert.rejects((await again.game(third.id)).takeSeat(3), Problem);
  assert.equal((await again.join(third.id)).receipt, null);
  // Others came between, so the entropy for a seat that is held was refused: the next time, other entropy is sent.
  const fourth = await aisha.createGame({ ...wanted, take: null });
  const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
  await fetch(`${service}/v1/games/${fourth.id}/seats/1`, { method: "PUT", headers, body: "{}" });
  let isFirst = true;
  const send = async (request, init) => {
    if (request.method === "PUT" && isFirst) {
      isFirst = false;
      await lea.join(fourth.id);
    }
    return fetch(request, init);
  };
  const late = await new Assam(service, { secret, fetch: send }).game(fourth.id);
  await assert.rejects(late.takeSeat(1), problem("seats_changed"));
  assert.match((await late.takeSeat(1)).seats[0].entropy, /^[0-9a-f]{64}$/);
  assert.deepEqual([late.receipt.pin.held, late.receipt.seats[1].kind], [1, "human"]);
  // A seat that was left can be taken again; one that the service has forgotten cannot.
  const joined = await player.game(id);
  await joined.leaveSeat();
  await joined.takeSeat(2);
  await (await new Assam(service, { secret }).game(id)).leaveSeat();
  await assert.rejects(player.join(id), /^ProofError: game .*: the service has lost the seat/);
  await assert.rejects(joined.takeSeat(2), /^ProofError: game .*: the service has lost the seat/);
  // A game that is new has no moves yet.
  const started = lying("POST", (told) => void (told.status = "running"));
  await assert.rejects(started.createGame(wanted), /^ProofError: status: expected open, found running/);
}

// First and alone: its game would be among those of the lobby.
await eachServiceHasASecretOfItsOwnFromAMasterSecret();
await secretsStaySecret();
await Promise.all([whoAskedTooOftenWaitsAMinuteAtMost(), theLobby().then(play).then(waiting), lostAnswers(), proofs()]);
await Promise.all([everySeatHasEntropyAndAReceipt(), rematches(), standings()]);
await Promise.all([whoTakesASeatIsNotLiedTo(), entropyThatWasSentIsHeldToTheSeat()]);
console.log("everything holds");

// Every function of the client, called in a stream while the service is away: `node every_function.mjs ADDRESS`
//
// Says `kill` and `start` when it wants that, and reads a line when that was done.

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { Assam, Game, newSecret, Problem, Turn } from "assam-client";

const service = process.argv[2];
const timeout = 3000; // outside of a stream, a request would be given up then
const record = "MKN/1 marrakech/1 seats=2 two_player=one-colour\n\n!resign2\n= 30 0\n";
const quick = { rugs_per_player: 1, two_player: "one-colour" };
const notSending = ["Assam.withSecret", "Game.told", "Game.kept", "Game.enduring"];

// When each function was last sent in vain.
const tried = new Map();
const calling = new AsyncLocalStorage();
const send = async (request, init) => {
  try {
    return await fetch(request, init);
  } catch (error) {
    tried.set(calling.getStore(), Date.now());
    throw error;
  }
};
const secret = newSecret();
const me = new Assam(service, { secret, timeout, fetch: send });
const [mine, others] = [new Assam(service, { secret }), new Assam(service, { secret: newSecret() })];

const opened = (owner = mine) => owner.createGame({ ruleset: "marrakech/1", seats: ["open", "open"], options: quick, take: { seat: 1 } });
async function running() {
  const game = await opened();
  await others.join(game.id);
  return game;
}
async function finished() {
  const game = await running();
  await (await others.game(game.id)).resign();
  return game;
}

async function first(list) {
  for await (const one of list) return one;
  return undefined;
}
async function all(list) {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
}
const has = (list, id) => list.some((one) => (one.proof?.game ?? one.id) === id);
const done = (asked) => asked.then((result) => result === undefined);
/** What the service refuses, when it is back. */
const refused = (asked) => asked.then(() => false, (error) => error instanceof Problem || Promise.reject(error));

/** The game as the client in the stream has it. */
const its = async (game) => me.game((await game).id);
const [game, over, open, theirs, alone] = await Promise.all([
  its(running()),
  its(finished()),
  its(opened()),
  its(opened(others)),
  its(mine.createGame({ ruleset: "marrakech/1", seats: ["open", "random"], options: quick, take: { seat: 1 } })),
]);
const [moved, resigned, aborted, replaced, waited] = await Promise.all(Array.from({ length: 5 }, () => its(running())));
const [left, removed, joined] = await Promise.all([its(opened()), its(opened()), opened(others)]);
const turn = await waited.turn();
const ended = await its(finished());
const started = await its(running());

/** A call of each function, which gives something that is true. */
const calls = {
  "Assam.analyse": async () => (await me.analyse(record, { judge: "merchant-7" })).seats.length > 1,
  "Assam.analyseRecords": async () => (await first(me.analyseRecords([record]))).error === null,
  "Assam.createGame": () => me.createGame({ ruleset: "marrakech/1", seats: ["open", "random"], take: { seat: 1 } }),
  "Assam.exportGames": async () => has(await all(me.exportGames()), over.id),
  "Assam.exportProofs": async () => has(await all(me.exportProofs()), over.id),
  "Assam.followAll": () => first(me.followAll()),
  "Assam.followOwn": () => first(me.followOwn()),
  "Assam.game": () => me.game(game.id),
  "Assam.games": async () => has(await all(me.games()), game.id),
  "Assam.importRecord": () => me.importRecord(record),
  "Assam.importRecords": async () => ["new", "known"].includes((await first(me.importRecords([record]))).outcome),
  "Assam.join": () => me.join(joined.id),
  "Assam.dice": () => me.dice("random"),
  "Assam.leaders": async () => (await all(me.leaders())) !== undefined,
  "Assam.myGames": async () => has(await all(me.myGames()), game.id),
  "Assam.playerId": () => me.playerId(),
  "Assam.outcomes": () => me.outcomes([{ position: "MKN/1 marrakech/1 seats=2" }]),
  "Assam.rulesets": () => me.rulesets(),
  "Assam.rolls": async () => (await all(me.rolls("random"))) !== undefined,
  "Assam.standings": () => me.standings("random"),
  "Assam.turns": () => first(me.turns()),
  "Assam.validate": async () => (await me.validate(record)).valid,
  "Assam.validateRecords": async () => (await first(me.validateRecords([record]))).valid,
  "Assam.withSecret": () => me.withSecret(newSecret()),
  "Game.abort": () => done(aborted.abort()),
  "Game.analysis": async () => (await over.analysis()).seats.length === 2,
  "Game.deliverBeacon": () => refused(open.deliverBeacon(1, "ab".repeat(48))),
  "Game.enduring": () => game.enduring(async () => true),
  "Game.follow": () => first(game.follow()),
  "Game.hints": () => refused(game.hints()),
  "Game.kept": () => game.kept(),
  "Game.leaveSeat": () => done(left.leaveSeat()),
  "Game.legalMoves": () => game.legalMoves(),
  "Game.log": () => game.log(),
  "Game.move": () => moved.move(1, "N"),
  "Game.over": () => ended.over().then((score) => score.over),
  "Game.picture": () => game.picture(0),
  "Game.proof": () => game.proof(),
  "Game.record": () => game.record(),
  "Game.refresh": () => game.refresh(),
  "Game.rematch": () => over.rematch(),
  "Game.remove": () => done(removed.remove()),
  "Game.rename": () => open.rename("Aisha"),
  "Game.replaceSecret": () => replaced.replaceSecret(newSecret()),
  "Game.replay": () => first(game.replay()),
  "Game.resign": () => done(resigned.resign()),
  "Game.score": () => game.score(),
  "Game.state": () => game.state(0),
  "Game.takeSeat": () => theirs.takeSeat(2),
  "Game.timeOut": () => refused(game.timeOut(2)),
  "Game.told": () => true,
  "Game.turn": () => started.turn(),
  "Game.turns": async () => {
    for await (const turn of alone.turns()) await turn.play(turn.moves[0]);
    return alone.isOver;
  },
  "Game.verify": () => game.verify(),
  "Turn.play": () => turn.play(turn.moves[0]),
};
const functions = [Assam, Game, Turn].flatMap(({ name, prototype }) =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([key, { value }]) => typeof value === "function" && key !== "constructor")
    .map(([key]) => `${name}.${key}`),
);
assert.deepEqual(Object.keys(calls).sort(), functions.sort(), "call these here, too");

/** What was seen before is asked for again, with what was seen of it: an object that knows its end asks nothing. */
ended.told({ game: { ...ended.view, status: "running" }, state: ended.view.state, legal_moves: null });

async function wanted(event) {
  console.log(event);
  await once(process.stdin, "data");
}

const turns = me.turns();
await turns.next();
await wanted("kill");
const killed = Date.now();
const failed = new Map();
const came = functions.map(async (name) => {
  try {
    const what = await calling.run(name, calls[name]);
    assert.ok(what, name);
  } catch (error) {
    failed.set(name, error);
  }
});
// All are called in vain for longer than a request may take.
const sending = functions.filter((name) => !notSending.includes(name));
while (!sending.every((name) => tried.get(name) > killed + timeout)) {
  assert.deepEqual(failed, new Map());
  assert.ok(Date.now() < killed + 120_000, `not sent: ${sending.filter((name) => !(tried.get(name) > killed + timeout))}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await wanted("start");
await Promise.all(came);
assert.deepEqual(failed, new Map());
await turns.next();
await turns.return();
console.log("everything holds");
process.exit(0);

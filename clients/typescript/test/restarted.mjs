// Bots play a match and its rematch, and others follow it, while the service is killed and started again: `node restarted.mjs ADDRESS`
//
// Says `restart` when it wants that, and reads a line when that was done.

import assert from "node:assert/strict";
import { once } from "node:events";
import { Assam, newSecret } from "assam-client";

const service = process.argv[2];
const cutAt = 20;

/** A client that keeps what it was asked to send. */
function counting(secret) {
  const asked = [];
  const send = (request, init) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    return fetch(request, init);
  };
  return [new Assam(service, { secret, fetch: send }), asked];
}

const choose = ({ moves }) => moves[Math.floor(Math.random() * moves.length)];

/** Plays wherever the bot is on turn, and has the service killed in the middle of a game. */
async function live(bot, played, signal, isCut) {
  try {
    for await (const turn of bot.turns({ signal })) {
      if (isCut && turn.ply >= cutAt) {
        isCut = false;
        console.log("restart");
        await once(process.stdin, "data");
      }
      const play = turn.play(choose(turn));
      played.push(play);
      assert.notEqual(await play, null);
    }
  } catch (error) {
    if (!signal.aborted) {
      console.error(error);
      process.exit(1);
    }
  }
}

/** The log that a stream tells, of which nothing is missing, and nothing comes twice. */
async function wordsOf(messages) {
  const words = new Map();
  let last = -1;
  for await (const message of messages) {
    if (message.type === "snapshot") {
      words.clear();
      for (const { ply, word } of message.words) words.set(ply, word);
      last = Math.max(-1, ...words.keys());
    } else if (message.type === "word") {
      assert.equal(message.ply, last + 1);
      last = message.ply;
      if (message.word !== null) words.set(last, message.word);
      for (const { ply, word } of message.opened) words.set(ply, word);
    }
  }
  return words;
}

async function check(game, words) {
  const log = (await game.log()).words;
  assert.deepEqual([...words].sort(([one], [other]) => one - other), log.map(({ ply, word }) => [ply, word]));
}

const [[aisha, hers], [omar, his]] = [counting(newSecret()), counting(newSecret())];
const watcher = new Assam(service);
const [herTurns, hisTurns] = [[], []];
const stop = new AbortController();
const bots = [live(aisha, herTurns, stop.signal, true), live(omar, hisTurns, stop.signal, false)];
const { value: before } = await watcher.followAll().next();
assert.equal(before.type, "caught-up");

const game = await aisha.createGame({ ruleset: "marrakesh/1", seats: ["open", "open"], take: { seat: 1, name: "Aisha" } });
const seen = await watcher.game(game.id);
const following = [game, seen].map((game) => wordsOf(game.follow()));
const over = seen.over();
await omar.join(game.id, { name: "Omar" });
const [followed, watched] = await Promise.all(following);
await check(game, followed);
await check(seen, watched);
assert.deepEqual(await over, (await game.refresh()).result);
assert.ok((await game.verify()).keptHeads > cutAt);
const told = [];
for await (const message of watcher.followAll({ since: before.cursor })) {
  if (message.type !== "game" || message.game.id !== game.id) continue;
  told.push(message.happened);
  if (message.happened === "finished") break;
}
assert.ok(told[0] === "created" && told.includes("started"), told);

// The same once more, without a break: a decision is a request, and nothing else is asked.
for (const list of [hers, his, herTurns, hisTurns]) list.length = 0;
const again = await game.rematch({ name: "Aisha" });
const other = await (await omar.game(game.id)).rematch();
assert.equal(other.id, again.id);
const shown = await watcher.game(again.id);
await check(shown, await wordsOf(shown.follow()));
for (const [asked, turns] of [[hers, herTurns], [his, hisTurns]]) {
  // Whoever follows may see the last word before the answer to it is here.
  await Promise.all(turns);
  const moves = asked.filter((path) => path.includes("/moves/"));
  assert.equal(moves.length, turns.length);
  assert.ok(turns.length > cutAt && asked.length <= moves.length + 7, asked.join("\n"));
}
stop.abort();
await Promise.all(bots);

// Without a stream: a request for each decision, one for each word that is waited for, and one for the legal moves then.
const pair = [counting(newSecret()), counting(newSecret())];
const wanted = { ruleset: "marrakesh/1", seats: ["open", "open"], options: { rounds: 6 }, take: { seat: 1 } };
const first = await pair[0][0].createGame(wanted);
const second = await pair[1][0].join(first.id);
for (const [, asked] of pair) asked.length = 0;
await Promise.all(
  [first, second].map(async (game) => {
    for await (const turn of game.turns()) await turn.play(choose(turn));
  }),
);
for (const [, asked] of pair) {
  assert.ok(asked.length <= 2 * first.view.head.ply + 4, `${first.view.head.ply} plies: ${asked.join("\n")}`);
}
console.log("everything holds");
process.stdin.destroy();

// The ledger of the dice: how often each face came, whether that is usual, and the rolls themselves.

import { ask, sentenceOf } from "./api.js";
import { at } from "./base.js";
import { secret } from "./kept.js";
import { byId, make, showProblem, startPage } from "./page.js";
import { readPlayers, titleOf } from "./players.js";
import { counted, isolated, language, text } from "./text.js";

/** @typedef {{ face: number, rolled: number, expected: number }} FaceCount
 * @typedef {{ ruleset: string, dice: number, games: number, faces: FaceCount[], test: { chi_square: number, degrees_of_freedom: number, p_value: number } | null,
 *   fairness: "too_few" | "usual" | "unusual" | "very_unusual", luck: { win: number, points: number, deviation: number } }} Dice
 * @typedef {{ game: string, ply: number, seat: number, faces: number[], luck: { win: number, points: number } }} Roll
 * @typedef {{ rulesets: Dice[], rolls: Roll[], next: string | null }} Page as `GET /v1/dice` returns it */

startPage();

const whose = /** @type {HTMLSelectElement} */ (byId("whose"));
const more = /** @type {HTMLButtonElement} */ (byId("more"));

/** @param {Intl.NumberFormatOptions} options */
const numbers = (options) => new Intl.NumberFormat(language(), options);
const whole = numbers({ maximumFractionDigits: 0 });
const tenths = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const thousandths = numbers({ minimumFractionDigits: 3, maximumFractionDigits: 3 });
const wins = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" });
const change = numbers({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Returns a table with a row for each item.
 * @param {string} caption
 * @param {string[]} columns
 * @param {Node[]} rows */
const table = (caption, columns, rows) =>
  make(
    "table",
    { class: "rounds" },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...columns.map((key) => make("th", { scope: "col" }, text(key))))),
    make("tbody", {}, ...rows),
  );

/** Describes the dice of a rule set, sample size first.
 * @param {Dice} dice */
function testOf({ ruleset, dice, games, faces, test, fairness, luck }) {
  const row = (/** @type {FaceCount} */ { face, rolled, expected }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, `${face}`),
      make("td", {}, whole.format(rolled)),
      make("td", {}, tenths.format(expected)),
      make("td", {}, change.format(rolled / expected - 1)),
    );
  const sample = text("dice.sample", { dice: counted("dice.dice", dice), games: counted("dice.games", games) });
  const p = test?.p_value ?? 1;
  const told = [text(`dice.${fairness}`, { often: tenths.format(100 * p) })];
  if (test !== null) {
    const values = { chi: thousandths.format(test.chi_square), degrees: test.degrees_of_freedom, p: thousandths.format(p) };
    told.push(text("dice.test", values));
  }
  // The luck of players who throw together adds up to nothing.
  const hasLuck = luck.deviation > 0;
  const lucky = Math.abs(luck.win) > 2 * luck.deviation ? "dice.luck.unusual" : "dice.luck.usual";
  const bounds = { wins: wins.format(luck.win / 10_000), deviation: wins.format((2 * luck.deviation) / 10_000).replace("+", "") };
  return make(
    "section",
    {},
    make("h2", {}, text(`game.${ruleset}`)),
    table(sample, ["dice.face", "dice.rolled", "dice.expected", "dice.difference"], faces.map(row)),
    make("p", {}, told.join(" ")),
    hasLuck ? make("p", {}, `${text("dice.luck", bounds)} ${text(lucky)}`) : null,
  );
}

/** Returns the row of a roll, which leads to its position and its proof.
 * @param {Roll} roll */
const rowOf = ({ game, ply, seat, faces, luck }) => {
  // Ids begin with the time, so those of one minute differ at the end.
  const name = game.slice(-6);
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("a", { href: at(`/games/${game}#ply=${ply}`) }, text("dice.roll", { game: name, ply }))),
    make("td", {}, faces.join(" ")),
    make("td", {}, `${seat}`),
    make("td", {}, change.format(luck.win / 10_000)),
    make("td", {}, make("a", { href: at(`/games/${game}#ply=${ply}&proof`), "aria-label": text("dice.proof-of", { game: name }) }, text("dice.proof"))),
  );
};

/** The pages that are asked for. A new choice ends the request for the one before. */
let asking = new AbortController();

/** Shows the chosen dice, or further rolls of them.
 * @param {string | null} cursor */
async function show(cursor) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  showProblem("");
  if (cursor === null) byId("tests").replaceChildren();
  const path = whose.value === "" ? "/v1/dice" : `/v1/players/${encodeURIComponent(whose.value)}/dice`;
  try {
    /** @type {Page} */
    let page = await ask(cursor === null ? path : `${path}?cursor=${cursor}`, { signal });
    const { rulesets } = page;
    // A page may have no rolls of a player who plays rarely.
    while (page.rolls.length === 0 && page.next !== null) page = await ask(`${path}?limit=20&cursor=${page.next}`, { signal });
    const { rolls, next } = page;
    if (cursor === null) {
      byId("tests").replaceChildren(...rulesets.map(testOf));
      if (rulesets.length === 0) byId("tests").append(make("p", {}, text("dice.none")));
      byId("rolls").replaceChildren(table(text("dice.rolls.lead"), ["dice.place", "dice.faces", "dice.seat", "dice.change", "dice.proof"], []));
      byId("ledger").hidden = rolls.length === 0;
    }
    const rows = rolls.map(rowOf);
    byId("rolls").querySelector("tbody")?.append(...rows);
    if (cursor !== null) rows[0]?.querySelector("a")?.focus();
    more.hidden = next === null;
    more.onclick = () => void show(next);
  } catch (error) {
    if (!signal.aborted) showProblem(sentenceOf(error));
  }
}

/** Offers the dice of all players, of the reader, and of each built-in player. */
async function offer() {
  const asked = new URLSearchParams(location.search).get("player") ?? "";
  const named = /^[0-9a-z-]+(\/[0-9]+)?$/.test(asked) ? asked : "";
  const own = secret() === null ? null : await ask("/v1/me").catch(() => null);
  const rulesets = await readPlayers().catch(() => new Map());
  const kinds = [...new Set([...rulesets.values()].flat().map(({ kind }) => kind))];
  /** @type {Map<string, string>} */
  const names = new Map([["", text("dice.all")], ...(own === null ? [] : [/** @type {[string, string]} */ ([own.player, text("dice.you")])])]);
  for (const kind of kinds) names.set(kind, titleOf(kind));
  if (!names.has(named)) names.set(named, isolated(named));
  whose.replaceChildren(...[...names].map(([value, name]) => make("option", { value, selected: value === named }, name)));
}

whose.addEventListener("change", () => {
  history.replaceState(null, "", whose.value === "" ? location.pathname : `?player=${encodeURIComponent(whose.value)}`);
  void show(null);
});
await offer();
await show(null);

// The home page: games to watch, open seats, a new game, and records to check.

import { ask, sentenceOf } from "./api.js";
import { at } from "./base.js";
import { follow } from "./following.js";
import { takeSeat } from "./join.js";
import { handOver, keepCreated, keepOpponents, keepsAnything, keptName, keptOpponents, needSecret, onOtherSecret, randomHex, secret } from "./kept.js";
import { offerOpponents, opponentsIn } from "./opponents.js";
import { byId, make, showProblem, startPage } from "./page.js";
import { showTranslated } from "./picture.js";
import { nameOf, readPlayers } from "./players.js";
import { wait } from "./retry.js";
import { secretTools } from "./secret.js";
import { isolated, language, listed, text } from "./text.js";

/** Maximum games shown in each list. */
const MOST = 6;

/** The tags in the address of the page, which select games such as those of an event. */
const tags = [...new URLSearchParams(location.search)].filter(([name]) => ["event", "round", "table", "date"].includes(name));

startPage();
byId("secret").append(...secretTools(refreshSoon));
onOtherSecret(refreshSoon);

/** Returns the names of a game's players.
 * @param {any} game */
function playersOf(game) {
  return listed(game.seats.map(nameOf));
}

/** Shows the current board of a game.
 * @param {HTMLImageElement} image
 * @param {any} game */
function showBoard(image, game) {
  const path = `/v1/games/${game.id}/states/${game.head.ply}.svg?board_only=true`;
  // The signs on Marrakesh boards are English, and only players with a seat can see a private game.
  const isTranslated = game.ruleset === "marrakesh/1" && language() !== "en";
  // Only the latest picture is shown.
  if (image.dataset.source === path) return;
  image.dataset.source = path;
  if (isTranslated || game.visibility !== "public") void showTranslated(image, path);
  else image.src = at(path);
}

/** Fills the link to a game, with its board if it has started.
 * @param {Element} link
 * @param {any} game
 * @param {string} note */
function fillLink(link, game, note) {
  const name = make("strong", {}, text(`game.${game.ruleset}`));
  const told = make("span", {}, name, " ", playersOf(game), note === "" ? null : make("em", { class: "note" }, note));
  if (game.head === null) return link.replaceChildren(told);
  const image = link.querySelector("img") ?? make("img", { alt: "", width: "240", height: "240", loading: "lazy" });
  link.replaceChildren(image, told);
  showBoard(image, game);
}

/** Shows the board of a running game in place of the picture that links to the rules.
 * @param {any} game */
function showOff(game) {
  const hero = /** @type {HTMLAnchorElement} */ (byId("hero"));
  hero.href = at(`/games/${game.id}`);
  showBoard(/** @type {HTMLImageElement} */ (hero.querySelector("img")), game);
  byId("hero-text").textContent = text("home.watch", { game: text(`game.${game.ruleset}`), players: playersOf(game) });
}

/** Shows games in a list, or a sentence if there are none. Updates only entries that changed, so that pictures do not flicker and
 * the focus stays.
 * @param {string} id
 * @param {any[]} games
 * @param {(game: any) => string} note */
function show(id, games, note) {
  const list = byId(id);
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  const old = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.game, /** @type {HTMLElement} */ (item)]));
  const items = games.map((game) => {
    const item = old.get(game.id) ?? make("li", { "data-game": game.id }, make("a", { class: "game-card card", href: at(`/games/${game.id}`) }));
    const told = JSON.stringify(game);
    if (item.dataset.told !== told) fillLink(item.children[0], game, note(game));
    item.dataset.told = told;
    return item;
  });
  if (items.length !== list.children.length || items.some((item, index) => item !== list.children[index])) list.replaceChildren(...items);
  // Moving an element loses the focus.
  if (focus !== null && list.contains(focus)) focus.focus({ preventScroll: true });
  const none = document.getElementById(`no-${id}`);
  if (none !== null) none.hidden = games.length > 0;
}

/** Reads and shows the lists. */
async function refresh() {
  const own = secret() === null ? Promise.resolve({ games: [] }) : ask(`/v1/me/games?status=running,open&limit=${MOST}`);
  const tagged = tags.length === 0 ? Promise.resolve({ games: [] }) : ask(`/v1/games?${new URLSearchParams(tags)}&limit=100`);
  const [found, open, running, over, mine] = await Promise.all([
    tagged,
    ask(`/v1/games?status=open&open_seats=1,2,3&limit=${MOST}`),
    ask(`/v1/games?status=running&limit=${MOST}`),
    ask(`/v1/games?status=finished&limit=${MOST}`),
    own,
    // Without them, lists show kinds instead of titles.
    readPlayers().catch(() => null),
  ]);
  show("found", found.games, () => "");
  show("open", open.games, () => "");
  show("running", running.games, () => "");
  byId("ended").hidden = over.games.length === 0;
  show("over", over.games, () => "");
  // The reader's own games are in their own list.
  const other = running.games.find((/** @type {any} */ game) => !mine.games.some((/** @type {any} */ own) => own.id === game.id));
  if (other !== undefined) showOff(other);
  byId("yours").hidden = mine.games.length === 0;
  show("own", mine.games, (game) => (game.your_turn ? text("home.your-turn") : ""));
}

/** Minimum time between two reads of the lists, in milliseconds. */
const PAUSE = 2000;

let isRefreshing = false;
let isStale = false;

/** Reads the lists again, and once more if something happens during the read. */
async function refreshSoon() {
  isStale = true;
  if (isRefreshing) return;
  isRefreshing = true;
  while (isStale) {
    isStale = false;
    await refresh().then(() => showProblem(""), (error) => showProblem(sentenceOf(error)));
    await wait(PAUSE);
  }
  isRefreshing = false;
}

/** Returns the selected value of a choice in the form.
 * @param {string} name */
function chosen(name) {
  return /** @type {HTMLInputElement} */ (document.querySelector(`[name="${name}"]:checked`)).value;
}

/** Returns whether the reader wants hints, which games against programs alone have. */
const wantsHints = () => /** @type {HTMLInputElement} */ (document.querySelector('[name="hints"]')).checked;

/** The created game whose seat could not be taken yet. The next attempt takes the seat instead of creating another game.
 * @type {{ wish: string, made: any, joinCode: string | undefined } | null} */
let unseated = null;

/** Creates the game that the form describes, takes its first seat, and opens it. */
async function create() {
  await needSecret();
  await fit();
  const others = opponentsIn(byId("opponents"));
  const wish = [...["game", "who", "length"].map(chosen), wantsHints(), ...others].join(" ");
  if (unseated?.wish !== wish) unseated = { wish, ...(await createGame(others)) };
  const { made, joinCode } = unseated;
  // The game page would not have the secret that holds the seat, so the seat is taken there.
  if (!keepsAnything()) return location.assign(at(`/games/${made.id}${joinCode === undefined ? "" : `#join=${joinCode}`}`));
  const name = /** @type {HTMLInputElement} */ (byId("name")).value.trim();
  await takeSeat(made.id, 1, made.commitment, joinCode === undefined ? { name } : { name, joinCode });
  location.assign(at(`/games/${made.id}`));
}

/** Creates the game that the form describes.
 * @param {string[]} others the kinds of the seats from 2 on
 * @returns {Promise<{ made: any, joinCode: string | undefined }>} */
async function createGame(others) {
  const game = chosen("game");
  const who = chosen("who");
  const short = game === "marrakech" ? { rugs_per_player: "8" } : { rounds: "6" };
  const joinCode = who === "link" ? randomHex().slice(0, 16) : undefined;
  const closed = joinCode === undefined ? {} : { visibility: "private", join_code: joinCode };
  const options = chosen("length") === "short" ? { options: short } : {};
  const rated = !(who === "program" && wantsHints());
  const body = { ruleset: `${game}/1`, seats: ["open", ...others], rated, ...options, ...closed };
  const made = await ask("/v1/games", { method: "POST", body, headers: { "Idempotency-Key": randomHex() } });
  keepCreated(made.id, joinCode === undefined ? {} : { joinCode });
  if (who === "program") keepOpponents(game, others);
  return { made, joinCode };
}

/** Shows the choices of the selected game. */
async function fit() {
  byId("players").hidden = chosen("game") !== "marrakech";
  byId("hints").hidden = chosen("who") !== "program";
  const rulesets = await readPlayers();
  const game = chosen("game");
  offerOpponents(byId("opponents"), {
    players: rulesets.get(`${game}/1`) ?? [],
    seats: game === "marrakech" ? Number(chosen("players")) : 2,
    withPeople: chosen("who") !== "program",
    wanted: keptOpponents(game),
  });
}

/** Shows the choices of the selected game, or why they are unknown. */
async function fitNow() {
  await fit().catch((error) => showProblem(sentenceOf(error)));
}

const form = byId("new");
form.addEventListener("change", fitNow);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const go = /** @type {HTMLButtonElement} */ (byId("go"));
  go.disabled = true;
  await create().catch((error) => {
    showProblem(sentenceOf(error));
    go.disabled = false;
  });
});
/** @type {HTMLInputElement} */ (byId("name")).value = keptName();
byId("tagged").hidden = tags.length === 0;
byId("tags").textContent = tags.map(([name, value]) => `${text(`tag.${name}`)} ${isolated(value)}`).join(", ");
// The opponents move the button that starts a game, so it waits for them.
fitNow().then(() => byId("go").removeAttribute("disabled"));

byId("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  if (handOver(/** @type {HTMLTextAreaElement} */ (byId("pasted")).value)) location.assign(at("/check"));
  else showProblem(text("home.no-paste"));
});
// The other buttons are disabled until their handlers exist.
for (const waiting of document.querySelectorAll("form button:not(#go)")) waiting.removeAttribute("disabled");

refreshSoon();
// The stream reports no moves, but a message at least every 15 seconds, when boards have changed.
follow(null, null, () => void refreshSoon()).catch((error) => showProblem(sentenceOf(error)));

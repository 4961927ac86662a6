// The first page: games to watch and seats to take, a new game, and records to check.

import { ask, sentenceOf } from "./api.js";
import { at } from "./base.js";
import { follow } from "./following.js";
import { takeSeat } from "./join.js";
import { handOver, keepCreated, keepsAnything, keptName, needSecret, onOtherSecret, randomHex, secret } from "./kept.js";
import { byId, make, showProblem, startPage } from "./page.js";
import { showTranslated } from "./picture.js";
import { wait } from "./retry.js";
import { secretTools } from "./secret.js";
import { isolated, language, listed, text } from "./text.js";

/** How many games are shown of each kind. */
const MOST = 6;

/** The tags by which the address of the page asks for games, such as those of an event. */
const tags = [...new URLSearchParams(location.search)].filter(([name]) => ["event", "round", "table", "date"].includes(name));

startPage();
byId("secret").append(...secretTools(refreshSoon));
onOtherSecret(refreshSoon);

/** Returns those who play a game, by their names.
 * @param {any} game */
function playersOf(game) {
  return listed(
    game.seats.map((/** @type {any} */ { kind, name, seat }) =>
      name === null ? text(`seat.${kind === "human" ? "numbered" : kind}`, { seat }) : isolated(name),
    ),
  );
}

/** Shows the board of a game as it stands.
 * @param {HTMLImageElement} image
 * @param {any} game */
function showBoard(image, game) {
  const path = `/v1/games/${game.id}/states/${game.head.ply}.svg?board_only=true`;
  // The boards of Marrakesh have signs, which are English; a private game is shown to those only who have a seat.
  const isTranslated = game.ruleset === "marrakesh/1" && language() !== "en";
  // Only what is wanted last is shown.
  if (image.dataset.source === path) return;
  image.dataset.source = path;
  if (isTranslated || game.visibility !== "public") void showTranslated(image, path);
  else image.src = at(path);
}

/** Fills the link that leads to a game, with its board where it has started.
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

/** Shows the board of a game that is played, in place of the picture that leads to the rules.
 * @param {any} game */
function showOff(game) {
  const hero = /** @type {HTMLAnchorElement} */ (byId("hero"));
  hero.href = at(`/games/${game.id}`);
  showBoard(/** @type {HTMLImageElement} */ (hero.querySelector("img")), game);
  byId("hero-text").textContent = text("home.watch", { game: text(`game.${game.ruleset}`), players: playersOf(game) });
}

/** Shows games in a list, or a sentence where there is none. The entry of a game stays, and only what has changed is filled anew:
 * its picture does not flicker, and it keeps the focus.
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
  // What is put in its place anew has lost it.
  if (focus !== null && list.contains(focus)) focus.focus({ preventScroll: true });
  const none = document.getElementById(`no-${id}`);
  if (none !== null) none.hidden = games.length > 0;
}

/** Reads the lists, and shows them. */
async function refresh() {
  const own = secret() === null ? Promise.resolve({ games: [] }) : ask(`/v1/me/games?status=running,open&limit=${MOST}`);
  const tagged = tags.length === 0 ? Promise.resolve({ games: [] }) : ask(`/v1/games?${new URLSearchParams(tags)}&limit=100`);
  const [found, open, running, over, mine] = await Promise.all([
    tagged,
    ask(`/v1/games?status=open&open_seats=1,2,3&limit=${MOST}`),
    ask(`/v1/games?status=running&limit=${MOST}`),
    ask(`/v1/games?status=finished&limit=${MOST}`),
    own,
  ]);
  show("found", found.games, () => "");
  show("open", open.games, () => "");
  show("running", running.games, () => "");
  byId("ended").hidden = over.games.length === 0;
  show("over", over.games, () => "");
  // Nobody watches a game of their own: that stands among theirs.
  const other = running.games.find((/** @type {any} */ game) => !mine.games.some((/** @type {any} */ own) => own.id === game.id));
  if (other !== undefined) showOff(other);
  byId("yours").hidden = mine.games.length === 0;
  show("own", mine.games, (game) => (game.your_turn ? text("home.your-turn") : ""));
}

/** How long to wait at least before the lists are read again, in milliseconds. */
const PAUSE = 2000;

let isRefreshing = false;
let isStale = false;

/** Reads the lists anew; what happens meanwhile is read once more. */
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

/** Returns what is chosen in the form.
 * @param {string} name */
function chosen(name) {
  return /** @type {HTMLInputElement} */ (document.querySelector(`[name="${name}"]:checked`)).value;
}

/** The game that was created, and nobody sits in yet: where its seat could not be taken, that is tried again.
 * @type {{ wish: string, made: any, joinCode: string | undefined } | null} */
let unseated = null;

/** Creates the game that the form describes, takes its first seat, and goes there. */
async function create() {
  await needSecret();
  const wish = ["game", "who", "players", "length"].map(chosen).join(" ");
  if (unseated?.wish !== wish) unseated = { wish, ...(await createGame()) };
  const { made, joinCode } = unseated;
  // The page of the game would not have the secret that holds the seat: it is taken there.
  if (!keepsAnything()) return location.assign(at(`/games/${made.id}${joinCode === undefined ? "" : `#join=${joinCode}`}`));
  const name = /** @type {HTMLInputElement} */ (byId("name")).value.trim();
  await takeSeat(made.id, 1, made.commitment, joinCode === undefined ? { name } : { name, joinCode });
  location.assign(at(`/games/${made.id}`));
}

/** Creates the game that the form describes.
 * @returns {Promise<{ made: any, joinCode: string | undefined }>} */
async function createGame() {
  const game = chosen("game");
  const who = chosen("who");
  const seats = game === "marrakech" ? Number(chosen("players")) : 2;
  const program = game === "marrakech" ? "random" : "solitaire-ai";
  const others = Array.from({ length: seats - 1 }, () => (who === "program" ? program : "open"));
  const short = game === "marrakech" ? { rugs_per_player: "8" } : { rounds: "6" };
  const joinCode = who === "link" ? randomHex().slice(0, 16) : undefined;
  const closed = joinCode === undefined ? {} : { visibility: "private", join_code: joinCode };
  const options = chosen("length") === "short" ? { options: short } : {};
  const body = { ruleset: `${game}/1`, seats: ["open", ...others], ...options, ...closed };
  const made = await ask("/v1/games", { method: "POST", body, headers: { "Idempotency-Key": randomHex() } });
  keepCreated(made.id, joinCode === undefined ? {} : { joinCode });
  return { made, joinCode };
}

/** Shows the choices that the chosen game has. */
function fit() {
  byId("players").hidden = chosen("game") !== "marrakech";
}

const form = byId("new");
form.addEventListener("change", fit);
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
fit();

byId("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  if (handOver(/** @type {HTMLTextAreaElement} */ (byId("pasted")).value)) location.assign(at("/check"));
  else showProblem(text("home.no-paste"));
});
// Before, they would have done nothing.
for (const waiting of document.querySelectorAll("form button")) waiting.removeAttribute("disabled");

refreshSoon();
// Moves are not told there, but nothing is for 15 seconds: then boards have changed.
follow(null, null, () => void refreshSoon()).catch((error) => showProblem(sentenceOf(error)));

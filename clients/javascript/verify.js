// docs/chance.md as a program: heads and chance of a game, recomputed with WebCrypto alone.

/** Something in a proof is not what it must be. */
export class ProofError extends Error {
  name = "ProofError";
}

function demand(isFine, where, expected, found) {
  if (!isFine) throw new ProofError(`${where}: expected ${expected ?? "none"}, found ${found ?? "none"}`);
}

const same = (where, expected, found) => demand(expected === found, where, expected, found);

const toHex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const toBytes = (hex) => Uint8Array.from(hex.match(/../g), (digits) => parseInt(digits, 16));
const sha256 = async (hex) => toHex(await crypto.subtle.digest("SHA-256", toBytes(hex)));

const matches = (pattern, text, what) => demand(pattern.test(text), "not a proof", what, JSON.stringify(text));

/** What is hashed is ASCII on one line. */
function ascii(text) {
  matches(/^[\x20-\x7e]*$/, text, "ASCII");
  return toHex(new TextEncoder().encode(text));
}

function hash(hex, digits = 64) {
  matches(RegExp(`^[0-9a-f]{${digits}}$`), hex, `${digits} hex digits`);
  return hex;
}

const holder = (seat) => [seat.kind, seat.player, seat.entropy, seat.revision].map((value) => value ?? "-").join(" ");

/** The head before the first word: it fixes all that chance depends on. */
async function startOf({ setup, imported, game, commitment, seats, beacon }) {
  const lines = imported ? ["import", setup] : [setup, `game ${game}`, `commitment ${commitment}`];
  for (const seat of imported ? [] : seats) lines.push(`seat ${seat.seat} ${holder(seat)}`);
  if (beacon != null) lines.push(`beacon ${beacon.chain} ${beacon.round} ${await sha256(hash(beacon.signature, 96))}`);
  return sha256(["assam/1", ...lines].map((line) => `${ascii(line)}0a`).join(""));
}

const at = (word, part) => `ply ${word.ply}, part ${part.part}`;
const partsOf = ({ words }) => words.flatMap((word) => word.parts.map((part) => [at(word, part), part, word]));
const drawn = (word) => word.parts.filter(({ part }) => part > 0);
const isHidden = ({ token }) => /^(\?\?|[br]:\?{12})$/.test(token);
const isSealed = (part) => part.salt !== null || isHidden(part);

/** Each head follows from the one before and the parts of its word. */
async function checkHeads(proof) {
  let head = await startOf(proof);
  same("start", head, proof.start);
  const heads = new Map([[0, head]]);
  // Ply 0, where something is drawn before the first decision, has no part 0.
  let ply = proof.words[0]?.parts[0]?.part === 1 ? -1 : 0;
  for (const word of proof.words) {
    ply += 1;
    same("number of the ply", ply, word.ply);
    demand(word.parts.length > 0, `ply ${ply}: parts`, "one or more");
    let leaf = "02";
    for (const [index, part] of word.parts.entries()) {
      const where = at(word, part);
      same(`ply ${ply}: numbers of the parts`, index + (ply === 0), part.part);
      const salt = part.salt === null ? "00" : `01${hash(part.salt)}`;
      if (isHidden(part)) same(`${where}: salt`, null, part.salt);
      else same(`${where}: hash`, await sha256(salt + ascii(part.token)), part.hash);
      leaf += hash(part.hash);
    }
    head = await sha256(`03${head}${await sha256(leaf)}`);
    same(`ply ${ply}: head`, head, word.head);
    heads.set(ply, head);
  }
  same("head", `ply ${ply} with ${head}`, `ply ${proof.head.ply} with ${proof.head.hash}`);
  return heads;
}

/** The commitment binds seed and keys: each key is hashed to the one before, that of ply 0 to the anchor. */
async function checkKeys({ anchor, seed_hash, commitment, words }) {
  same("commitment", await sha256(`04${hash(anchor)}${hash(seed_hash)}`), commitment);
  let [before, ply] = [anchor, -1];
  for (const word of words) {
    demand(word.key !== null, `ply ${word.ply}: key`, "one");
    let reached = hash(word.key);
    // Ply 0 may have no word.
    for (; ply < word.ply; ply += 1) reached = await sha256(reached);
    same(`ply ${word.ply}: key: what SHA-256 makes of it`, before, reached);
    before = word.key;
  }
}

async function mac({ start }, key, label, rest) {
  const hmac = await crypto.subtle.importKey("raw", toBytes(hash(key)), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toHex(await crypto.subtle.sign("HMAC", hmac, new TextEncoder().encode(`${label}\n${start}\n${rest}`)));
}

/** The draws of a ply with a key. The highest x are refused. */
function draws(proof, key, label, ply) {
  let k = -1;
  return async (things) => {
    k += 1;
    demand(Number.isSafeInteger(things) && things > 0, `ply ${ply}: chance`, "1 thing or more", things);
    const range = BigInt(things);
    for (let counter = 0; ; counter += 1) {
      const x = BigInt(`0x${(await mac(proof, key, label, `${ply} ${k} ${counter}`)).slice(0, 16)}`);
      if (x < (2n ** 64n / range) * range) return Number(x % range);
    }
  };
}

/** The seed was committed to; all salts follow from it. */
async function checkSeed(proof) {
  same("seed: its SHA-256", proof.seed_hash, await sha256(hash(proof.seed)));
  for (const [where, part, { ply }] of partsOf(proof)) {
    demand(!isHidden(part), `${where}: token`, "all to be open", part.token);
    if (part.salt !== null) same(`${where}: salt`, await mac(proof, proof.seed, "salt", `${ply} ${part.part}`), part.salt);
  }
}

const position = (setup) => / position=(\S+)/.exec(setup)?.[1].split(";");

/** Each `+` is one draw: a face of the die, or a rug of the own pile. */
async function marrakech(proof, outcome) {
  const { setup, seats } = proof;
  const pile = Object.create(null);
  if (seats.length === 2 && !setup.includes(" two_player=one-colour")) {
    const rugs = / rugs_per_player=(\d+)/.exec(setup)?.[1] ?? 24;
    const begun = position(setup);
    for (const colour of "rybg") pile[colour] = Math.floor(rugs / 2);
    for (const [, colour, left] of begun?.[6].matchAll(/([rybg])(\d+)/g) ?? []) pile[colour] = Number(left);
    if (begun?.[7] in pile) pile[begun[7]] -= 1; // in hand
  }
  for (const word of proof.words) {
    const draw = draws(proof, word.key, "chance", word.ply);
    for (const part of drawn(word)) {
      if (part.token in pile) {
        const [first, second] = "ry".includes(part.token) ? "ry" : "bg";
        outcome(word, part, (await draw(pile[first] + pile[second])) < pile[first] ? first : second);
        pile[part.token] -= 1;
      } else {
        outcome(word, part, "122334"[await draw(6)]);
      }
    }
  }
}

const FACES = Array.from("shdc", (suit) => Array.from("65432AQ", (rank) => rank + suit)).flat();
const PACK = FACES.flatMap((face) => (face[0] === "Q" ? [face] : [face, face]));
const CARD = /^[65432AQ][shdc]$/;

/** Blue's six dice, then Red's; where the boards are equal the draws run on. */
async function throws(draw) {
  for (;;) {
    const dice = [];
    while (dice.length < 12) dice.push(1 + (await draw(6)));
    const [blue, red] = [dice.slice(0, 6), dice.slice(6)].map((board) => board.sort().join(""));
    if (blue !== red) return `${blue}/${red}`;
  }
}

/** In one suit the reply wins; else the higher, s h d c; clubs beat spades. */
const leadWins = (lead, reply) => ["sh", "sd", "hd", "hc", "dc", "cs"].includes(lead[1] + reply[1]);

function take(cards, place) {
  demand(place in cards, "not a proof", "a card there");
  return cards.splice(place, 1)[0];
}

async function marrakesh(proof, outcome) {
  const { seed } = proof;
  let [deck, rounds, leader, lead, hands] = [[...PACK], 0, 0, null, [[], []]];
  const begun = position(proof.setup);
  if (begun) {
    // What lies open is not in it.
    [rounds, leader] = [Number(begun[0]), Number(begun[5])];
    const cards = [3, 4, 7, 11].map((field) => begun[field]).join(";").match(/[65432AQ][shdc]/g);
    cards?.forEach((card) => take(deck, deck.indexOf(card)));
  }
  for (const word of proof.words) {
    const { ply } = word;
    const [open, draw] = [word.key, seed].map((key) => draws(proof, key, "chance", ply));
    const shape = drawn(word).map(({ token }) => (token.includes("/") ? "d" : token.includes(":") ? token[0] : "c"));
    demand(/^c?(dbr)?$/.test(shape.join("")), `ply ${ply}: chance`, "a bonus card, a deal, or both", shape);
    const [{ token: card }] = word.parts;
    if (seed !== null && CARD.test(card)) {
      const seat = lead === null ? leader : 3 - leader;
      const hand = hands[seat - 1];
      if (proof.seats[seat - 1].kind === "solitaire-ai") {
        outcome(word, word.parts[0], hand[await draws(proof, seed, "choice", ply)(hand.length)]);
      }
      demand(hand.includes(card), `ply ${ply}, part 0: token`, `a card in the hand of seat ${seat}`, card);
      take(hand, hand.indexOf(card));
      [leader, lead] = lead === null ? [leader, card] : [leadWins(lead, card) ? leader : 3 - leader, null];
    }
    for (const part of drawn(word)) {
      const { token } = part;
      let expected = `r:${hands[1].join("")}`;
      if (token.includes("/")) {
        rounds += 1;
        deck = rounds % 3 === 1 ? [...PACK] : deck;
        expected = await throws(open);
        hands = [[], []];
        // More pieces on the 1-point lead first; if equal, on the 2-point, ..
        leader = expected.slice(0, 6) < expected.slice(7) ? 1 : 2;
      } else if (seed === null) {
        continue;
      } else if (token.startsWith("b:")) {
        // Dealt alternately, Blue first.
        for (let dealt = 0; dealt < 12; dealt += 1) hands[dealt % 2].push(take(deck, await draw(deck.length)));
        hands.forEach((hand) => hand.sort((one, other) => FACES.indexOf(one) - FACES.indexOf(other)));
        expected = `b:${hands[0].join("")}`;
      } else if (!token.startsWith("r:")) {
        expected = take(deck, await draw(deck.length));
      }
      outcome(word, part, expected);
    }
  }
}

/** Hands and leads are sealed, and nothing else is: every other card decided on is a lead. */
function checkSeals(proof) {
  let cards = 0;
  for (const [where, part, word] of partsOf(proof)) {
    const { token } = part;
    demand(token !== "??" || word === proof.words.at(-1), `${where}: token`, "an open one", token);
    const isCard = part.part === 0 && (CARD.test(token) || token === "??");
    const mustBe = /^[br]:/.test(token) || (isCard && cards % 2 === 0);
    cards += isCard;
    same(`${where}: is it sealed`, mustBe && !proof.imported, isSealed(part));
  }
}

function checkKept(proof, heads, { game, commitment, heads: shown, receipt }) {
  same("game", game ?? proof.game, proof.game);
  same("commitment that was shown", commitment ?? proof.commitment, proof.commitment);
  for (const { ply, hash } of shown ?? []) same(`head that was kept, ply ${ply}`, hash, heads.get(ply));
  if (!receipt) return;
  same("receipt: game", receipt.id, proof.game);
  for (const what of ["setup", "commitment"]) same(`receipt: ${what}`, receipt[what], proof[what]);
  const { chain, round } = proof.beacon ?? {};
  same("receipt: beacon", receipt.beacon?.chain, chain);
  same("receipt: round", receipt.beacon?.round ?? round, round);
  if (receipt.head) same("receipt: head", receipt.head.hash, heads.get(receipt.head.ply));
  const [mine, own] = [receipt, proof].map(({ seats }) => seats.find(({ seat }) => seat === receipt.your_seat));
  demand(mine && own, "receipt: your_seat", "a seat", receipt.your_seat);
  // Who came later has a later revision; others were there.
  for (const found of proof.seats.filter((seat) => seat === own || !(seat.revision > own.revision))) {
    same(`receipt: seat ${found.seat}`, holder(receipt.seats[found.seat - 1]), holder(found));
  }
}

/** Who comes last could try many. */
function couldChoose(seats) {
  const [last] = [...seats].sort((a, b) => b.revision - a.revision);
  if (!seats.some(({ entropy }) => entropy)) return "that the chance was not chosen: no seat added entropy";
  return `that nobody chose the chance: seat ${last.seat} came last, ${
    last.entropy ? "with entropy: if it is yours, nobody could" : "without entropy; its id could be chosen"
  }`;
}

const GAMES = { "marrakech/1": marrakech, "marrakesh/1": marrakesh };

async function check(proof, kept) {
  const { setup, imported, seats, beacon, words, head, seed } = proof;
  const ruleset = setup.split(" ")[1];
  demand(Object.hasOwn(GAMES, ruleset), "setup", `one of ${Object.keys(GAMES).join(", ")}`, ruleset);
  demand(typeof imported === "boolean", "imported", "true or false", imported);
  for (const seat of imported ? seats : []) same(`seat ${seat.seat}`, "human - - -", holder(seat));
  checkKept(proof, await checkHeads(proof), kept);
  const [verified, notVerified] = [[`heads: ${words.length}, up to ply ${head.ply}: ${head.hash}`], []];
  const told = { heads: words.length, keptHeads: kept.heads?.length ?? 0, outcomes: null, verified, notVerified };
  if (told.keptHeads > 0) verified.push(`heads that were kept: ${told.keptHeads}`);
  if (kept.receipt) verified.push(`receipt: seat ${kept.receipt.your_seat} and those taken before are as they were`);
  const hidden = partsOf(proof).filter(([, part]) => isHidden(part)).length;
  if (hidden > 0) notVerified.push(`tokens that are hidden: ${hidden}`);
  if (ruleset === "marrakesh/1") checkSeals(proof);
  else partsOf(proof).forEach(([where, part]) => same(`${where}: is it sealed`, false, isSealed(part)));
  if (imported) {
    same("commitment, beacon", null, proof.commitment ?? beacon ?? null);
    notVerified.push("chance, as the game was imported");
    return told;
  }
  await checkKeys(proof);
  verified.push(`keys: ${words.length}, which the commitment binds`);
  if (seed !== null) {
    await checkSeed(proof);
    verified.push("seed: the one that was committed to; all salts follow from it");
  }
  told.outcomes = 0;
  await GAMES[ruleset](proof, (word, part, expected) => {
    same(`${at(word, part)}: ${part.part === 0 ? "choice" : "chance"}`, expected, part.token);
    told.outcomes += 1;
  });
  const hasAi = seed !== null && seats.some(({ kind }) => kind === "solitaire-ai");
  verified.push(`chance: ${told.outcomes} outcomes${hasAi ? ", with the cards of solitaire-ai" : ""}`);
  notVerified.push(beacon ? "that the beacon was signed, and came after the last seat" : couldChoose(seats));
  if (seed === null && ruleset === "marrakesh/1") notVerified.push("cards and salts, as the seed comes when the game is over");
  const open = { random: "what it chose", "solitaire-ai": "which numbers it used" };
  for (const { seat, kind } of seats) {
    if (kind in open) notVerified.push(`seat ${seat}, ${kind}: ${open[kind]}: that needs the rules`);
  }
  return told;
}

/** Verifies a proof, and what was kept of it, or throws a {@link ProofError}: see verify.d.ts. */
export async function verify(proof, kept = {}) {
  if (!globalThis.crypto?.subtle) throw new Error("no WebCrypto: a page needs https: or localhost");
  try {
    return await check(proof, kept);
  } catch (error) {
    throw /Type|Range/.test(error.name) ? new ProofError(`not a proof: ${error.message}`) : error;
  }
}

// Verifies heads and chance of a game, its signed receipts and its place in the public log, with WebCrypto alone. See docs/reference/proof-format.md.

/** A proof, or something kept from the game, is wrong. */
export class ProofError extends Error {
  name = "ProofError";

  constructor(message, { where = "not a proof", expected = null, found = null, notes = [] } = {}) {
    super(message);
    Object.assign(this, { where, expected, found, notes });
  }
}

function demand(isFine, where, expected, found, notes) {
  if (isFine) return;
  const message = `${where}: expected ${expected ?? "none"}, found ${found ?? "none"}`;
  throw new ProofError(message, { where, expected: `${expected ?? "none"}`, found: `${found ?? "none"}`, notes });
}

const same = (where, expected, found) => demand(expected === found, where, expected, found);

const toHex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const toBytes = (hex) => Uint8Array.from(hex.match(/../g), (digits) => parseInt(digits, 16));
const sha256 = async (hex) => toHex(await crypto.subtle.digest("SHA-256", toBytes(hex)));

const matches = (pattern, text, what) => demand(pattern.test(text), "not a proof", what, JSON.stringify(text));

/** Returns a hashed text as hex. It must be ASCII on one line. */
function ascii(text) {
  matches(/^[\x20-\x7e]*$/, text, "ASCII");
  return toHex(new TextEncoder().encode(text));
}

function hash(hex, digits = 64) {
  matches(RegExp(`^[0-9a-f]{${digits}}$`), hex, `${digits} hex digits`);
  return hex;
}

const holder = (seat) => [seat.kind, seat.player, seat.entropy, seat.revision].map((value) => value ?? "-").join(" ");

const linesHash = (lines) => sha256(lines.map((line) => `${ascii(line)}0a`).join(""));

/** Returns the lines that chance depends on, with these holders of the seats. */
const fixed = ({ setup, game, commitment }, holders) => {
  return [setup, `game ${game}`, `commitment ${commitment}`, ...holders.map((holder, index) => `seat ${index + 1} ${holder}`)];
};

/** Returns the head before the first word, which fixes all that chance depends on. */
async function startOf(proof) {
  const { setup, imported, seats, beacon } = proof;
  const lines = imported ? ["import", setup] : fixed(proof, seats.map(holder));
  if (beacon != null) lines.push(`beacon ${beacon.chain} ${beacon.round} ${await sha256(hash(beacon.signature, 96))}`);
  return linesHash(["assam/1", ...lines]);
}

/** Other kinds are built-in players, known here or not. A kind may have a version. */
const HOLDER = /^\["(human",("[\da-f]{20}"|null),("[\da-f]{64}"|null),(\d{1,15}|null)|(?!human")[a-z\d-]{1,20}(\/[1-9]\d{0,3})?"(,null){3})]$/;

/** Checks that each seat is in its place and has a holder in the form of the start. */
function checkSeats({ setup, seats }) {
  for (const [index, { seat, kind, player, entropy, revision }] of seats.entries()) {
    const written = JSON.stringify([kind, player, entropy, revision]);
    demand(seat === index + 1 && HOLDER.test(written), `seat ${index + 1}`, "a holder", written);
  }
  same("seats", / seats=(\d)/.exec(setup)?.[1], `${seats.length}`);
  for (const what of ["player", "revision"]) {
    const found = seats.map((seat) => seat[what]).filter((value) => value != null);
    demand(new Set(found).size === found.length, "seats", `another ${what} in each`, found);
  }
}

const seatsDigest = (game, holders, revision) => {
  const beacon = game.beacon ? [`beacon ${game.beacon.chain}`] : [];
  return linesHash(["assam/seats", ...fixed(game, holders), ...beacon, `revision ${revision}`]);
};

/** Returns the digest of the seats before the player of a seat sent entropy, without the players who came later. `held` is the
 * revision at which that player already had the seat without entropy. */
function seatsBefore(game, own, held) {
  const before = (seat) => {
    if (seat === own) return held === null ? "open - - -" : `${own.kind} ${own.player} - ${held}`;
    return seat.revision > own.revision ? "open - - -" : holder(seat);
  };
  // The next seat taken gets the next revision.
  return seatsDigest(game, game.seats.map(before), own.revision - 1);
}

/** Checks the seats of a response against its digest. */
async function checkPin(response, own, where) {
  same(`${where}seats_digest`, response.pin.seats_digest, await seatsBefore({ ...response, game: response.id }, own, response.pin.held));
}

const laterThan = ({ seats }, own) => seats.find(({ revision }) => revision > own.revision);
const isFull = ({ seats }) => seats.every(({ kind }) => kind !== "open");

/** Checks that a game without open seats has started or waits for its round. Otherwise its seats could still change. */
function checkFull(game, where) {
  demand(!isFull(game) || (game.head ?? game.beacon?.round) != null, `${where}head`, "one, as no seat is open", null);
}

const at = (word, part) => `ply ${word.ply}, part ${part.part}`;
const partsOf = ({ words }) => words.flatMap((word) => word.parts.map((part) => [at(word, part), part, word]));
const drawn = (word) => word.parts.filter(({ part }) => part > 0);
const isHidden = ({ token }) => /^(\?\?|[br]:\?{12})$/.test(token);
const isSealed = (part) => part.salt !== null || isHidden(part);

/** Checks that each head follows from the previous one and the parts of its word. */
async function checkHeads(proof) {
  let head = await startOf(proof);
  same("start", head, proof.start);
  const heads = new Map([[0, head]]);
  // Ply 0 has only what is drawn before the first decision, so no part 0.
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

/** Checks that the commitment binds seed and keys. Each key hashes to the previous one, and the key of ply 0 to the anchor. */
async function checkKeys({ anchor, seed_hash, commitment, words }) {
  same("commitment", await sha256(`04${hash(anchor)}${hash(seed_hash)}`), commitment);
  let [before, ply] = [anchor, -1];
  for (const word of words) {
    demand(word.key !== null, `ply ${word.ply}: key`, "one");
    let reached = hash(word.key);
    // Ply 0 may be missing.
    for (; ply < word.ply; ply += 1) reached = await sha256(reached);
    same(`ply ${word.ply}: key: what SHA-256 makes of it`, before, reached);
    before = word.key;
  }
}

async function mac({ start }, key, label, rest) {
  const hmac = await crypto.subtle.importKey("raw", toBytes(hash(key)), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toHex(await crypto.subtle.sign("HMAC", hmac, new TextEncoder().encode(`${label}\n${start}\n${rest}`)));
}

/** Returns the draws of a ply with a key. The highest x are rejected. */
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

/** Checks the seed against its hash, and all salts against the seed. */
async function checkSeed(proof) {
  same("seed: its SHA-256", proof.seed_hash, await sha256(hash(proof.seed)));
  for (const [where, part, { ply }] of partsOf(proof)) {
    demand(!isHidden(part), `${where}: token`, "all to be open", part.token);
    if (part.salt !== null) same(`${where}: salt`, await mac(proof, proof.seed, "salt", `${ply} ${part.part}`), part.salt);
  }
}

const position = (setup) => / position=(\S+)/.exec(setup)?.[1].split(";");

/** Returns whether each seat of Marrakech has two colours. */
const hasTwoColours = ({ setup, seats }) => seats.length === 2 && !setup.includes(" two_player=one-colour");

/** Returns the rugs of each colour that are left in a position, or null if the game begins as usual. */
function rugsLeft(setup) {
  const left = position(setup)?.[6];
  return left === undefined ? null : Object.fromEntries(Array.from(left.matchAll(/([rybg])(\d+)/g), ([, colour, count]) => [colour, Number(count)]));
}

const rugsOf = ({ setup, seats }, usual = { 2: 15, 3: 15, 4: 12 }[seats.length]) => Number(/ rugs_per_player=(\d+)/.exec(setup)?.[1] ?? usual);

/** Returns the seat of each decision by ply. A turn is a direction and a rug. The words show which players are out: a direction without
 * its rug, or a die after another. */
function seatsOfMarrakech(proof) {
  const { setup, seats, words } = proof;
  const colours = hasTwoColours(proof) ? ["ry", "bg"] : ["r", "b", "y", "g"];
  const begun = rugsLeft(setup);
  const rugs = seats.map((_, seat) => {
    if (begun === null) return rugsOf(proof, hasTwoColours(proof) ? 24 : undefined);
    return Array.from(colours[seat], (colour) => begun[colour] ?? 0).reduce((one, other) => one + other);
  });
  const turnsLast = setup.includes(" orientation=end");
  const [, , , first = "1", phase] = position(setup) ?? [];
  let [seat, isRolled] = [Number(first) - 1, phase === "lay"];
  const pass = () => {
    isRolled = false;
    for (let next = 1; next <= seats.length; next += 1) {
      const other = (seat + next) % seats.length;
      if (rugs[other] > 0) return void (seat = other);
    }
  };
  const leave = (other) => {
    rugs[other] = 0;
    if (other === seat) pass();
  };
  const found = new Map();
  for (const word of words) {
    const [{ part, token }] = word.parts;
    const [, left] = /^!(?:resign|timeout)(\d)/.exec(token) ?? [];
    if (left !== undefined) leave(Number(left) - 1);
    if (part === 0 && !token.startsWith("!")) {
      const isTurn = /^[NESW]$/.test(token);
      if (isTurn && isRolled && !turnsLast) leave(seat);
      found.set(word.ply, seat + 1);
      if (!isTurn) rugs[seat] -= 1;
      if (isTurn === turnsLast) pass();
    }
    for (const _ of drawn(word).filter(({ token }) => /^\d$/.test(token))) {
      if (isRolled) leave(seat);
      isRolled = true;
    }
  }
  return found;
}

/** Computes each `+`, which is one draw: a face of the die, or a rug of the player's pile. Returns the seat of each decision by ply. */
async function marrakech(proof, outcome) {
  const pile = Object.create(null);
  if (hasTwoColours(proof)) {
    for (const colour of "rybg") pile[colour] = Math.floor(rugsOf(proof, 24) / 2);
    Object.assign(pile, rugsLeft(proof.setup));
    const hand = position(proof.setup)?.[7];
    if (hand in pile) pile[hand] -= 1;
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
  return seatsOfMarrakech(proof);
}

const FACES = Array.from("shdc", (suit) => Array.from("65432AQ", (rank) => rank + suit)).flat();
const PACK = FACES.flatMap((face) => (face[0] === "Q" ? [face] : [face, face]));
const CARD = /^[65432AQ][shdc]$/;

/** Throws Blue's six dice, then Red's, again if the boards are equal. */
async function throws(draw) {
  for (;;) {
    const dice = [];
    while (dice.length < 12) dice.push(1 + (await draw(6)));
    const [blue, red] = [dice.slice(0, 6), dice.slice(6)].map((board) => board.sort().join(""));
    if (blue !== red) return `${blue}/${red}`;
  }
}

/** In one suit the reply wins, else the higher suit, s h d c, but clubs beat spades. */
const leadWins = (lead, reply) => ["sh", "sd", "hd", "hc", "dc", "cs"].includes(lead[1] + reply[1]);

function take(cards, place) {
  demand(place in cards, "not a proof", "a card there");
  return cards.splice(place, 1)[0];
}

/** Computes the dice, and with the seed all cards. Returns the seat of each decision by ply. */
async function marrakesh(proof, outcome) {
  const { seed } = proof;
  const found = new Map();
  let [deck, rounds, leader, lead, hands] = [[...PACK], 0, 0, null, [[], []]];
  const begun = position(proof.setup);
  if (begun) {
    // Cards on the table are not in the deck.
    [rounds, leader] = [Number(begun[0]), Number(begun[5])];
    const cards = [3, 4, 7, 11].map((field) => begun[field]).join(";").match(/[65432AQ][shdc]/g);
    cards?.forEach((card) => take(deck, deck.indexOf(card)));
  }
  for (const word of proof.words) {
    const { ply } = word;
    const [open, draw] = [word.key, seed].map((key) => draws(proof, key, "chance", ply));
    const shape = drawn(word).map(({ token }) => (token.includes("/") ? "d" : token.includes(":") ? token[0] : "c"));
    demand(/^c?(dbr)?$/.test(shape.join("")), `ply ${ply}: chance`, "a bonus card, a deal, or both", shape);
    const [{ part: number, token: card }] = word.parts;
    const isCard = CARD.test(card) || card === "??";
    const seat = isCard && lead !== null ? 3 - leader : leader;
    if (number === 0 && !card.startsWith("!")) found.set(ply, seat);
    if (seed !== null && isCard) {
      const hand = hands[seat - 1];
      if (proof.seats[seat - 1].kind === "solitaire-ai") {
        outcome(word, word.parts[0], hand[await draws(proof, seed, "choice", ply)(hand.length)]);
      }
      demand(hand.includes(card), `ply ${ply}, part 0: token`, `a card in the hand of seat ${seat}`, card);
      take(hand, hand.indexOf(card));
    }
    if (isCard) [leader, lead] = lead === null ? [leader, card] : [leadWins(lead, card) ? leader : 3 - leader, null];
    for (const part of drawn(word)) {
      const { token } = part;
      let expected = `r:${hands[1].join("")}`;
      if (token.includes("/")) {
        rounds += 1;
        deck = rounds % 3 === 1 ? [...PACK] : deck;
        expected = await throws(open);
        hands = [[], []];
        // The player with more pieces on the 1-point leads, or if equal on the 2-point, ..
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
  return found;
}

/** Checks that hands and leads are sealed, and nothing else. Every other card played is a lead. */
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

// ---- Signed notes: a text, a blank line, and lines with signatures (c2sp.org/signed-note) ----

const utf8 = (text) => new TextEncoder().encode(text);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

function fromBase64(text, where) {
  demand(/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(text) && !text.includes("_"), where, "base64", text);
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function readNote(note, where) {
  const blank = `${note}`.lastIndexOf("\n\n");
  const isNote = blank >= 0 && note.endsWith("\n") && !/[\x00-\x09\x0b-\x1f\x7f-\x9f]/.test(note);
  demand(isNote, where, "a text, a blank line, and lines with signatures", JSON.stringify(note));
  const signatures = note.slice(blank + 2, -1).split("\n").map((line) => {
    const [, name, base64] = /^\u2014 ([^\s+]+) (\S+)$/.exec(line) ?? [];
    demand(name, where, "a line with a signature", line);
    const bytes = fromBase64(base64, where);
    return { name, id: toHex(bytes.slice(0, 4)), bytes: bytes.slice(4) };
  });
  return { text: note.slice(0, blank + 1), signatures };
}

/** The kinds of keys: services sign, witnesses cosign. */
const [SIGNS, COSIGNS] = [1, 4];

async function readKey(text, algorithm) {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  demand(name, "key", "name+id+base64", text);
  const bytes = fromBase64(base64, "key");
  demand(bytes.length === 33 && bytes[0] === algorithm, "key", `one of kind ${algorithm}`, text);
  same("key: id", (await sha256(toHex(joined(utf8(`${name}\n`), bytes)))).slice(0, 8), id);
  return { text, name, id, bytes: bytes.slice(1) };
}

const publicKey = (bytes) => crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]);

/** Returns whether Ed25519 is available. Some browsers lack it. */
const hasSignatures = () => publicKey(new Uint8Array(32).fill(0x66).fill(0x58, 0, 1)).then(() => true, () => false);

const signatureOf = (key, note) => note.signatures.find(({ name, id }) => name === key.name && id === key.id)?.bytes;

async function isSigned(key, text, signature) {
  return signature?.length === 64 && crypto.subtle.verify("Ed25519", await publicKey(key.bytes), signature, utf8(text));
}

/** Returns the key that signed a note, or null without keys. */
async function signer(keys, note, where) {
  for (const key of keys) if (await isSigned(key, note.text, signatureOf(key, note))) return key.text;
  const found = note.signatures.map(({ name }) => name).join(", ");
  demand(keys.length === 0, `${where}: signature`, `one of ${keys.map(({ text }) => text).join(", ")}`, found);
  return null;
}

/** Returns when a witness cosigned a note. The time precedes the signature, and is signed with the text. */
async function cosigned(key, note) {
  const bytes = signatureOf(key, note) ?? [];
  const seconds = bytes.length === 72 ? new DataView(bytes.buffer).getBigUint64(0) : 0n;
  const isFine = await isSigned(key, `cosignature/v1\ntime ${seconds}\n${note.text}`, bytes.slice(8));
  demand(isFine, `inclusion: witness ${key.name}`, "its signature", "none that is valid");
  return new Date(Number(seconds) * 1000).toISOString();
}

// ---- What the service states in signed receipts ----

const RECEIPT = RegExp(
  String.raw`^assam receipt 1
game (?<game>[0-9a-f]{32})
created (?<created>TIME)
commitment (?<commitment>HASH)
(?:ply (?<ply>NUMBER)
head (?<head>HASH)
status (?<status>[a-z]+)
|seat (?<seat>[1-9])
player (?<player>[0-9a-f]{20})
entropy (?<entropy>-|HASH)
revision (?<revision>NUMBER)
after (?<after>-|[1-9](?: [1-9])*)
(?:seats (?<seats>HASH)
(?:held (?<held>NUMBER)
)?)?(?:start (?<start>HASH)
)?(?:beacon (?<chain>\S+) (?<round>-|NUMBER)
)?|seats (?<digest>HASH)
revision (?<shown>NUMBER)
)time (?<time>TIME)
$`
    .replaceAll("TIME", String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)
    .replaceAll("HASH", "[0-9a-f]{64}")
    .replaceAll("NUMBER", String.raw`(?:0|[1-9]\d{0,15})`),
);

function readReceipt(text, where) {
  const stated = RECEIPT.exec(text)?.groups;
  demand(stated, where, "the text of a receipt", JSON.stringify(text));
  return { ...stated, text };
}

const about = ({ ply, seat }) => (ply ? `ply ${ply}` : seat ? `seat ${seat}` : "the seats");
const isOver = ({ status }) => status !== "running";
const hasRound = ({ round }) => (round ?? "-") !== "-";

/** Returns the field in which two statements contradict each other, or null. */
function contradiction(one, other) {
  if (one.game !== other.game) return null;
  const differs = (...names) => names.find((name) => one[name] !== other[name]);
  const atOnce = differs("created", "commitment");
  if (atOnce) return atOnce;
  if (one.ply && other.ply) {
    const [first, later] = [one, other].sort((a, b) => a.ply - b.ply);
    if (first.ply === later.ply) return differs("head", "status", "time");
    return isOver(first) ? "status" : null;
  }
  if (one.seat && other.seat) {
    if (one.revision === other.revision && one.text !== other.text) return "revision";
    return one.chain !== other.chain || (hasRound(one) && hasRound(other) && one.text !== other.text) ? "beacon" : null;
  }
  if (one.digest && other.digest) return one.shown === other.shown && one.digest !== other.digest ? "seats" : null;
  const [seat, all] = one.seat ? [one, other] : [other, one];
  const isNext = seat.seat && all.digest && seat.seats && Number(seat.revision) === Number(all.shown) + 1;
  return isNext && seat.seats !== all.digest ? "seats" : null;
}

/** Checks the game against a receipt. */
function checkStated(proof, heads, stated, where) {
  same(`${where}: game`, stated.game, proof.game);
  same(`${where}: commitment`, stated.commitment, proof.commitment);
  if (stated.ply) {
    same(`${where}: head of ply ${stated.ply}`, stated.head, heads.get(Number(stated.ply)));
    if (isOver(stated)) same(`${where}: last ply`, Number(stated.ply), proof.head.ply);
  }
}

function checkStatedSeat(proof, stated, where, told) {
  const found = proof.seats.find(({ seat }) => `${seat}` === stated.seat);
  for (const what of ["player", "entropy", "revision"]) {
    same(`${where}: seat ${stated.seat}: ${what}`, stated[what], `${found?.[what] ?? "-"}`);
  }
  checkBeacon(proof, where, stated.chain, stated.round === "-" ? null : stated.round);
  const before = stated.after.split(" ");
  const came = proof.seats.find((seat) => seat.revision !== null && seat.revision < found.revision && !before.includes(`${seat.seat}`));
  same(`${where}: seats that came before seat ${stated.seat}`, undefined, came?.seat);
  if (stated.start || hasRound(stated)) same(`${where}: seats that came after the last one`, undefined, laterThan(proof, found)?.seat);
  const isLast = proof.seats.every((seat) => seat === found || seat.kind !== "human" || before.includes(`${seat.seat}`));
  if (stated.start || (stated.seats && !stated.chain && isLast)) same(`${where}: start`, stated.start, proof.start);
  told.good("stated", { of: about(stated), ...stated }, `${where}: the game agrees with the receipt of ${about(stated)}`);
  const out = outAt(stated.chain, stated.round);
  if (out === null) return;
  demand(out > Date.parse(stated.time), `${where}: round`, `one that was out after ${stated.time}`, new Date(out).toISOString());
  told.good("beacon", { round: stated.round }, `the service stated that the last seat was taken before round ${stated.round} was out`);
}

function checkBeacon({ beacon }, where, chain, round) {
  same(`${where}: beacon`, chain ?? undefined, beacon?.chain);
  if (round != null) same(`${where}: round`, `${round}`, `${beacon?.round}`);
}

/** Checks that the receipt in the proof states the end of these words. */
function checkEnd(proof, stated) {
  const last = proof.words.at(-1)?.parts[0]?.token;
  same("receipt of the end: ply", `${proof.head.ply}`, stated.ply);
  same("receipt of the end: status", proof.seed === null ? "none, as the game goes on" : last === "!abort" ? "aborted" : "finished", stated.status);
}

/** Checks that the seats are those that a player had seen before sending entropy, according to `pin` and to a statement signed before. */
async function checkSeen(proof, seat, pin, notes, where, told) {
  const own = proof.seats.find((one) => one.seat === seat);
  if (!own.entropy) return;
  const not = (why) => told.open("pin", { seat }, `that no other seat was changed after the entropy of seat ${seat} was known: ${why}`);
  if (!pin) return not("the receipt has no seats_digest");
  const isLast = !laterThan(proof, own);
  const before = await seatsBefore(proof, own, pin.held);
  if (isLast) same(`${where}: seats_digest`, pin.seats_digest, before);
  if (pin.seats_digest !== before) return not("others were taken again later");
  if (!notes.some(({ stated }) => stated.digest === before)) return not("keep the signed receipt of the seats before you send it");
  const seen = `seats: the ones that the player of seat ${seat} saw before sending entropy`;
  if (isLast && !proof.beacon) told.good("nobody", { seat }, `${seen}, and no player came later, so no one could choose the chance`);
  else told.good("pin", { seat }, seen);
}

/** Checks the game against the response to taking a seat. */
async function checkTaken(proof, heads, receipt, mine, where, told) {
  checkBeacon(proof, where, receipt.beacon?.chain, receipt.beacon?.round);
  if (receipt.head) same(`${where}: head`, receipt.head.hash, heads.get(receipt.head.ply));
  checkFull(receipt, `${where}: `);
  const { seat, entropy } = mine;
  const own = proof.seats[seat - 1];
  // Players who came later have a later revision. A response without open seats has them all.
  for (const found of proof.seats.filter((one) => isFull(receipt) || one === own || !(one.revision > own.revision))) {
    same(`${where}: seat ${found.seat}`, holder(receipt.seats[found.seat - 1]), holder(found));
  }
  if (entropy && receipt.pin && !laterThan(receipt, mine)) await checkPin(receipt, mine, `${where}: `);
  told.good("receipt", { seat, ownEntropy: entropy !== null }, `${where}: seat ${seat} and those taken before are unchanged`);
}

/** Returns when a round of drand's quicknet is published, in milliseconds, or null for other chains. */
function outAt(chain, round) {
  const isKnown = chain === "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971" && round !== "-";
  return isKnown ? (1692803367 + (round - 1) * 3) * 1000 : null;
}

async function checkReceipts(proof, heads, { receipt, keys, canVerify }, told) {
  const [notes, seats, pins] = [[], [], new Map()];
  const take = async (note, where, isEnd) => {
    const read = readNote(note, where);
    const stated = readReceipt(read.text, where);
    const key = await signer(canVerify ? keys : [], read, where);
    for (const other of notes) {
      const what = contradiction(stated, other.stated);
      demand(!what, where, `what contradicts no other statement of the service`, `another ${what}`, [note, other.note]);
    }
    notes.push({ note, stated });
    const [of, end] = [about(stated), isEnd ? "the end of the game" : `the receipt of ${about(stated)}`];
    checkStated(proof, heads, stated, where);
    if (isEnd) checkEnd(proof, stated);
    else if (stated.ply) told.good("stated", { of, ...stated }, `${where}: the game agrees with the receipt of ${of}`);
    const facts = { of: isEnd ? "end" : of, key, time: stated.time };
    if (key) told.good("signed", facts, `${end} is signed by ${key}`);
    else if (canVerify) told.open("signed", facts, `who signed ${end}: that needs the key of the service`);
    return stated;
  };
  if (proof.receipt) await take(proof.receipt, "receipt of the end", true);
  else if (keys.length > 0 && !proof.imported) {
    demand(proof.seed === null, "receipt of the end", "one that the keys have signed", null);
    told.open("signed", { of: "end", key: null }, "that the service signed the end of the game: it is still running");
  }
  const kept = [receipt ?? []].flat();
  for (const [number, one] of kept.entries()) {
    const where = kept.length === 1 ? "receipt" : `receipt ${number + 1}`;
    const note = typeof one === "string" ? one : one.receipt;
    demand(note || one.your_seat != null, where, "the response to taking a seat, or a signed note", "neither");
    if (one.seats_receipt) await take(one.seats_receipt, where);
    const stated = note ? await take(note, where) : {};
    if (one.your_seat != null) {
      same(`${where}: game`, one.id, proof.game);
      for (const what of ["setup", "commitment"]) same(`${where}: ${what}`, one[what], proof[what]);
      checkSeats(one);
      const mine = one.seats[one.your_seat - 1];
      demand(mine, `${where}: your_seat`, "a seat", one.your_seat);
      if (note) same(`${where}: seat and revision`, `${one.your_seat} ${mine.revision}`, `${stated.seat} ${stated.revision}`);
      seats.push({ ...mine, pin: one.pin, where, check: () => checkTaken(proof, heads, one, mine, where, told) });
    }
    if (stated.seat) {
      const pin = stated.seats && { seats_digest: stated.seats, held: stated.held ? Number(stated.held) : null };
      const check = () => checkStatedSeat(proof, stated, where, told);
      const entropy = stated.entropy === "-" ? null : stated.entropy;
      seats.push({ seat: Number(stated.seat), player: stated.player, entropy, revision: Number(stated.revision), pin, where, check });
    }
  }
  for (const { seat, player, entropy, revision, pin, where, check } of seats) {
    const hasAdded = (later) => later.seat === seat && later.player === player && later.entropy !== null && later.revision > revision;
    // The player may also have kept the earlier receipt without entropy.
    if (entropy === null && seats.some(hasAdded)) continue;
    await check();
    if (pins.has(seat)) same(`${where}: seats_digest`, pins.get(seat).pin?.seats_digest, pin?.seats_digest);
    pins.set(seat, { pin, where });
  }
  for (const [seat, { pin, where }] of pins) await checkSeen(proof, seat, pin, notes, where, told);
}

// ---- The public log: a Merkle tree (RFC 6962) with checkpoints that the service signs and witnesses cosign ----

/** Returns the root that a proof computes from an entry, or null if it has too few or too many hashes. */
async function rootFrom(leaf, position, size, path) {
  let [at, last, hash] = [position, size - 1, leaf];
  const up = () => ([at, last] = [Math.floor(at / 2), Math.floor(last / 2)]);
  for (const sibling of path) {
    if (last <= 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = await sha256(`01${sibling}${hash}`);
      while (at % 2 === 0 && at !== 0) up();
    } else {
      hash = await sha256(`01${hash}${sibling}`);
    }
    up();
  }
  return last === 0 ? hash : null;
}

async function checkInclusion(proof, heads, { inclusion, keys, witnesses, canVerify }, told) {
  const note = readNote(inclusion.checkpoint, "inclusion: checkpoint");
  const [, origin, size, root] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([^\n]+)\n$/.exec(note.text) ?? [];
  demand(origin, "inclusion: checkpoint", "name, number of entries, and root", JSON.stringify(note.text));
  const key = await signer(canVerify ? keys : [], note, "inclusion: checkpoint");
  if (key) told.good("checkpoint", { key }, `the checkpoint of the public log is signed by ${key}`);
  else if (canVerify) told.open("checkpoint", {}, "who signed the checkpoint of the public log: that needs the key of the service");
  for (const moment of proof.seed === null ? ["start"] : ["start", "end"]) {
    const where = `inclusion: ${moment}`;
    const found = inclusion.entries.find((entry) => entry.moment === moment);
    demand(found?.position != null, `${where}: position`, "one", null);
    const { receipt, salt, entry, position, proof: path } = found;
    same(`${where}: entry`, await sha256(`05${hash(salt)}${toHex(utf8(receipt))}`), entry);
    const isIn = Number.isSafeInteger(position) && position >= 0 && position < Number(size);
    const leaf = await sha256(`00${hash(entry)}`);
    const led = isIn ? await rootFrom(leaf, position, Number(size), path.map((one) => hash(one))) : null;
    same(`${where}: root of the log`, toHex(fromBase64(root, "inclusion: checkpoint")), led);
    const stated = readReceipt(receipt, where);
    checkStated(proof, heads, stated, where);
    const isOf = moment === "start" ? stated.ply === "0" : stated.ply === `${proof.head.ply}` && isOver(stated);
    demand(isOf, where, `the receipt of the ${moment}`, `that of ${about(stated)}`);
    told.good("logged", { moment, position, size }, `the ${moment} of the game is in the public log of ${origin}, at position ${position} of ${size}`);
  }
  for (const witness of canVerify ? witnesses : []) {
    const time = await cosigned(witness, note);
    told.good("witness", { name: witness.name, time }, `${witness.name} saw the public log with this checkpoint at ${time}`);
  }
  if (witnesses.length === 0) told.open("witness", {}, "that everyone is shown the same log: that needs the key of a witness");
}

async function checkKept(proof, heads, kept, told) {
  const { game, commitment, heads: shown, entropy, receipt, inclusion } = kept;
  same("game", game ?? proof.game, proof.game);
  same("commitment that was shown", commitment ?? proof.commitment, proof.commitment);
  for (const { ply, hash } of shown ?? []) same(`head that was kept, ply ${ply}`, hash, heads.get(ply));
  if (told.keptHeads > 0) told.good("keptHeads", { count: told.keptHeads }, `heads that were kept: ${told.keptHeads}`);
  if (commitment && !proof.imported) told.good("commitment", {}, "commitment: the one that was shown");
  if (entropy) {
    const seat = proof.seats.find((seat) => seat.entropy === entropy)?.seat;
    demand(seat, "entropy that was sent", `${entropy} in a seat`, null);
    told.good("entropy", { seat }, `entropy: seat ${seat} has what was sent`);
  }
  const [keys, witnesses] = await Promise.all(
    [[kept.keys, SIGNS], [kept.witnesses, COSIGNS]].map(([keys, kind]) => Promise.all((keys ?? []).map((key) => readKey(key, kind)))),
  );
  const canVerify = await hasSignatures();
  if (!canVerify && (proof.receipt || receipt || inclusion)) {
    told.open("noEd25519", {}, "signature: not checked, because this browser has no Ed25519");
  }
  await checkReceipts(proof, heads, { receipt, keys, canVerify }, told);
  if (inclusion) await checkInclusion(proof, heads, { inclusion, keys, witnesses, canVerify }, told);
}

/** Records whether the last player could have chosen the chance by trying many values. */
function couldChoose(seats, told) {
  const [last] = [...seats].sort((a, b) => b.revision - a.revision);
  if (told.facts.some(({ code, isGood }) => code === "nobody" && isGood)) return;
  if (!seats.some(({ entropy }) => entropy)) return told.open("noEntropy", {}, "that the chance was not chosen: no seat added entropy");
  const how = last.entropy ? "with entropy: if it is yours, its receipt shows that no one could" : "without entropy, so its id could be chosen";
  told.open("last", { seat: last.seat, hasEntropy: Boolean(last.entropy) }, `that no one chose the chance: seat ${last.seat} came last, ${how}`);
}

/** What was verified and what was not, as facts and as sentences. */
class Told {
  facts = [];
  verified = [];
  notVerified = [];
  /** The outcomes computed from keys and seed. */
  rolls = [];
  outcomes = null;

  constructor(heads, keptHeads) {
    Object.assign(this, { heads, keptHeads });
  }

  good(code, values, sentence) {
    this.facts.push({ code, isGood: true, ...values });
    this.verified.push(sentence);
  }

  open(code, values, sentence) {
    this.facts.push({ code, isGood: false, ...values });
    this.notVerified.push(sentence);
  }
}

/** Records how many decisions of a built-in player were recomputed. */
function choicesOf(seat, kind, deciders, told) {
  const count = [...deciders.values()].filter((decider) => decider === seat).length;
  const left = count - told.rolls.filter(({ ply, part }) => part === 0 && deciders.get(ply) === seat).length;
  if (left === 0) return;
  const isKnown = ["random", "solitaire-ai"].includes(kind);
  const why = isKnown ? "that needs the rules" : "this verifier does not know that player, but `assam verify` may";
  told.open("choices", { seat, kind, isKnown, count: left, of: count }, `seat ${seat}, ${kind}: ${left} of ${count} decisions were not recomputed: ${why}`);
}

const GAMES = { "marrakech/1": marrakech, "marrakesh/1": marrakesh };

async function check(proof, kept) {
  const { setup, imported, seats, beacon, words, head, seed } = proof;
  const ruleset = setup.split(" ")[1];
  demand(Object.hasOwn(GAMES, ruleset), "setup", `one of ${Object.keys(GAMES).join(", ")}`, ruleset);
  demand(typeof imported === "boolean", "imported", "true or false", imported);
  for (const seat of imported ? seats : []) same(`seat ${seat.seat}`, "human - - -", holder(seat));
  checkSeats(proof);
  demand(isFull(proof), "seats", "no open one", "one");
  const heads = await checkHeads(proof);
  const told = new Told(words.length, kept.heads?.length ?? 0);
  told.good("heads", { count: words.length }, `heads: ${words.length}, up to ply ${head.ply}: ${head.hash}`);
  await checkKept(proof, heads, kept, told);
  const hidden = partsOf(proof).filter(([, part]) => isHidden(part)).length;
  if (hidden > 0) told.open("hidden", { count: hidden }, `tokens that are hidden: ${hidden}`);
  if (ruleset === "marrakesh/1") checkSeals(proof);
  else partsOf(proof).forEach(([where, part]) => same(`${where}: is it sealed`, false, isSealed(part)));
  told.open("rules", {}, "that the words follow the rules: `assam verify` checks that");
  if (told.keptHeads === 0) told.open("people", {}, "what people decided: heads that you keep vouch for the words up to them");
  if (imported) {
    same("commitment, beacon", null, proof.commitment ?? beacon ?? null);
    told.open("imported", {}, "chance, as the game was imported");
    return told;
  }
  await checkKeys(proof);
  told.good("keys", { count: words.length }, `keys: ${words.length}, which the commitment binds`);
  if (seed !== null) {
    await checkSeed(proof);
    told.good("seed", {}, "seed: it matches its commitment, and all salts follow from it");
  }
  const deciders = await GAMES[ruleset](proof, (word, part, expected) => {
    same(`${at(word, part)}: ${part.part === 0 ? "choice" : "chance"}`, expected, part.token);
    told.rolls.push({ ply: word.ply, part: part.part, token: part.token });
  });
  told.outcomes = told.rolls.length;
  const hasAi = seed !== null && seats.some(({ kind }) => kind === "solitaire-ai");
  told.good("chance", { count: told.outcomes }, `chance: ${told.outcomes} outcomes${hasAi ? ", with the cards of solitaire-ai" : ""}`);
  if (beacon) told.open("beacon", { round: beacon.round }, "that the beacon was signed, and came after the last seat");
  else couldChoose(seats, told);
  if (!kept.commitment && [kept.receipt ?? []].flat().length === 0) {
    told.open("before", {}, "that the service committed before any entropy came: a receipt vouches for it");
  }
  if (seed === null && ruleset === "marrakesh/1") told.open("sealed", {}, "cards and salts, as the seed is published when the game is over");
  for (const { seat, kind } of seats.filter(({ kind }) => kind !== "human")) choicesOf(seat, kind, deciders, told);
  return told;
}

async function guarded(work) {
  if (!globalThis.crypto?.subtle) throw new Error("WebCrypto is missing: the page needs https: or localhost");
  try {
    return await work();
  } catch (error) {
    throw /Type|Range/.test(error.name) ? new ProofError(`not a proof: ${error.message}`) : error;
  }
}

/** Verifies a proof and what was kept from the game, or throws a {@link ProofError}. See verify.d.ts. */
export function verify(proof, kept = {}) {
  return guarded(() => check(proof, kept));
}

/** Checks that a game shows the seats that the service has signed, before entropy is sent. */
export function checkShown(game, signed) {
  return guarded(async () => {
    const [, digest, revision] = /^seats ([0-9a-f]{64})\nrevision (\d+)$/m.exec(signed) ?? [];
    if (digest === undefined) return;
    checkSeats(game);
    same("seats_digest", digest, await seatsDigest({ ...game, game: game.id }, game.seats.map(holder), revision));
  });
}

/** Checks the response to taking a seat against the request. If entropy was sent, the seat must have it, and the seats must match the digest sent. */
export function checkResponse(response, { id, commitment, seat, player, shown, entropy, digest }) {
  return guarded(async () => {
    same("game", id, response.id);
    same("commitment", commitment, response.commitment);
    same("your_seat", seat, response.your_seat);
    checkSeats(response);
    const own = response.seats[seat - 1];
    // Replacing a secret does not change the player of a seat.
    const wasHeld = shown?.your_seat === seat && (entropy === undefined || response.pin?.held != null);
    same(`seat ${seat}: player`, wasHeld ? shown.seats[seat - 1].player : player, own.player);
    if (entropy === undefined) return;
    same(`seat ${seat}: entropy`, entropy, own.entropy);
    same("seats_digest", digest, response.pin?.seats_digest);
    await checkPin(response, own, "");
    checkFull(response, "");
  });
}

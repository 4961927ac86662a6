import { marrakech, marrakesh, sealedInMarrakesh } from "./chance.js";
import { ascii, bytes, hex, mac, ProofError, same, sha256, type Mac } from "./hashing.js";
import type { components } from "./schema.js";

export { ProofError };

type Proof = components["schemas"]["Proof"];
type Part = components["schemas"]["ProvedPart"];

/** What somebody kept of a game while it went on. */
export interface Kept {
  commitment?: string | null;
  heads?: readonly { ply: number; hash: string }[];
}

/** What was verified. */
export interface Verified {
  /** How many heads follow from the words, and how many of those that were kept are among them. */
  heads: number;
  keptHeads: number;
  /** How many outcomes follow from the seed; null where the seed is not told. */
  outcomes: number | null;
  /** In sentences, for people. */
  verified: string[];
  notVerified: string[];
}

/** Verifies a proof with SHA-256 and HMAC (WebCrypto) alone, as `docs/chance.md` says, or throws a {@link ProofError}.
 *
 * It recomputes the start, every hash and every head; and that what was `kept` belongs to them. Of a game that is over also that
 * the seed is the one that was committed to, every salt, everything drawn (dice, rugs, hands, bonus cards), and the cards of
 * `solitaire-ai`.
 *
 * It knows next to no rules. So it does not check
 * - that the words are legal, and draw as much as they must;
 * - what `random` chose, and which numbers `solitaire-ai` used;
 * - the id of an imported game;
 * - that a match is complete: it notices neither one that was cut off with all hashes computed anew, unless a head of what is
 *   missing was kept, nor a seed that is withheld;
 * - that the record has the words of the proof.
 *
 * `assam verify` checks these too. In browsers WebCrypto needs `https:` or `localhost`. */
export async function verify(proof: Proof, kept: Kept = {}): Promise<Verified> {
  try {
    return await check(proof, kept);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) {
      throw new ProofError(`not a proof: ${error.message}`);
    }
    throw error;
  }
}

async function check(proof: Proof, kept: Kept): Promise<Verified> {
  const ruleset = proof.setup.split(" ")[1];
  const game = ruleset === "marrakech/1" ? marrakech : ruleset === "marrakesh/1" ? marrakesh : null;
  if (game === null) {
    throw new ProofError(`setup: expected one of marrakech/1, marrakesh/1, found ${ruleset}`);
  }
  if (typeof proof.imported !== "boolean") {
    throw new ProofError(`imported: expected true or false, found ${proof.imported}`);
  }
  for (const seat of proof.imported ? proof.seats : []) {
    same(`seat ${seat.seat}`, "human - -", `${seat.kind} ${seat.player ?? "-"} ${seat.entropy ?? "-"}`);
  }
  const heads = await checkHeads(proof);
  checkKept(proof, heads, kept);
  checkSeals(proof, game === marrakesh);
  const told: Verified = {
    heads: proof.words.length,
    keptHeads: kept.heads?.length ?? 0,
    outcomes: null,
    verified: [`heads: ${proof.words.length}, up to ply ${proof.head.ply}: ${proof.head.hash}`],
    notVerified: [],
  };
  const hidden = proof.words.flatMap((word) => word.parts).filter((part) => isHidden(part)).length;
  if (hidden > 0) {
    told.notVerified.push(`tokens that are hidden from the requester of this proof: ${hidden}`);
  }
  if (proof.imported) {
    told.notVerified.push("chance, as the game was imported, and nobody committed to a seed");
    return told;
  }
  if (proof.seed === null) {
    told.notVerified.push("chance, as the seed is published when the game is over");
    return told;
  }
  const seeded = await mac(proof.seed);
  await checkSeed(proof, proof.seed, seeded);
  told.verified.push("seed: the one that was committed to; all salts follow from it");
  told.outcomes = 0;
  for await (const { where, expected, found } of game(proof, seeded)) {
    same(where, expected ?? null, found);
    told.outcomes += 1;
  }
  const hasAi = proof.seats.some((seat) => seat.kind === "solitaire-ai");
  told.verified.push(`chance: ${told.outcomes} outcomes${hasAi ? ", the cards of solitaire-ai among them" : ""}`);
  for (const { seat, kind } of proof.seats) {
    if (kind === "random") {
      told.notVerified.push(`what seat ${seat}, random, chose: that needs the rules`);
    } else if (kind === "solitaire-ai") {
      told.notVerified.push(`which numbers seat ${seat}, solitaire-ai, used: that needs the rules`);
    }
  }
  return told;
}

/** The head before the first word: it fixes all that the chance depends on. */
async function startOf(proof: Proof): Promise<Uint8Array> {
  const lines = proof.imported
    ? ["assam/1", "import", proof.setup]
    : [
        "assam/1",
        proof.setup,
        `game ${proof.game}`,
        `commitment ${proof.commitment}`,
        ...proof.seats.map((seat) => `seat ${seat.seat} ${seat.kind} ${seat.player ?? "-"} ${seat.entropy ?? "-"}`),
      ];
  return sha256(...lines.flatMap((line) => [ascii(line), 0x0a]));
}

/** Is this a token that whoever asked for the proof may not read, such as `??`? Of it the proof has the hash alone. */
function isHidden(part: Part): boolean {
  return part.token.includes("?");
}

/** The hash of a part. A part that is sealed has a salt of its own, so that nobody finds its token by trying. */
async function hashOf(where: string, part: Part): Promise<Uint8Array> {
  const salt = part.salt ?? null;
  if (isHidden(part)) {
    same(`${where}: salt`, null, salt);
    return bytes(part.hash);
  }
  const token = ascii(part.token);
  const expected = salt === null ? await sha256(0x00, token) : await sha256(0x01, bytes(salt), token);
  same(`${where}: hash`, hex(expected), part.hash);
  return expected;
}

/** Every head follows from the head before it and from the parts of its word. Gives the heads by ply. */
async function checkHeads(proof: Proof): Promise<Map<number, string>> {
  let head = await startOf(proof);
  same("start", hex(head), proof.start);
  // Ply 0 is what is drawn before the first decision, where anything is: it has no part 0.
  const first = proof.words[0]?.parts[0]?.part === 1 ? 0 : 1;
  let ply = 0;
  const heads = new Map([[0, hex(head)]]);
  for (const [index, word] of proof.words.entries()) {
    ply = first + index;
    same("number of the ply", ply, word.ply);
    if (word.parts.length === 0) {
      throw new ProofError(`ply ${ply}: parts: expected one or more, found none`);
    }
    const hashes = [];
    for (const [number, part] of word.parts.entries()) {
      same(`ply ${ply}: numbers of the parts`, number + (ply === 0 ? 1 : 0), part.part);
      hashes.push(await hashOf(`ply ${ply}, part ${part.part}`, part));
    }
    head = await sha256(0x03, head, await sha256(0x02, ...hashes));
    same(`ply ${ply}: head`, hex(head), word.head);
    heads.set(ply, hex(head));
  }
  same("head", ply, proof.head.ply);
  same("head", hex(head), proof.head.hash);
  return heads;
}

/** What was told while the game went on still holds. */
function checkKept(proof: Proof, heads: Map<number, string>, kept: Kept): void {
  if (kept.commitment != null) {
    same("commitment", kept.commitment, proof.commitment);
  }
  for (const { ply, hash } of kept.heads ?? []) {
    same(`ply ${ply}: head that was kept`, hash, heads.get(ply) ?? null);
  }
}

/** What must be sealed is, and nothing else. */
function checkSeals(proof: Proof, isMarrakesh: boolean): void {
  if (isMarrakesh) {
    for (const { where, part, isSealed } of sealedInMarrakesh(proof)) {
      same(`${where}: is it sealed`, isSealed, (part.salt ?? null) !== null || isHidden(part));
    }
    return;
  }
  for (const word of proof.words) {
    for (const part of word.parts) {
      same(`ply ${word.ply}, part ${part.part}: salt`, null, part.salt ?? null);
    }
  }
}

/** The seed is the one that was committed to, and every salt follows from it. */
async function checkSeed(proof: Proof, seed: string, seeded: Mac): Promise<void> {
  same("commitment", hex(await sha256(bytes(seed))), proof.commitment);
  for (const word of proof.words) {
    for (const part of word.parts) {
      const where = `ply ${word.ply}, part ${part.part}`;
      if (isHidden(part)) {
        throw new ProofError(`${where}: token: expected all to be open, as the seed is, found ${part.token}`);
      }
      if ((part.salt ?? null) !== null) {
        same(`${where}: salt`, hex(await seeded(`salt\n${proof.start}\n${word.ply} ${part.part}`)), part.salt);
      }
    }
  }
}

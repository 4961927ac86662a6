/** What `GET /v1/games/{id}/proof` returns. */
export interface Proof {
  game: string;
  setup: string;
  imported: boolean;
  commitment: string | null;
  anchor: string | null;
  seed_hash: string | null;
  seed: string | null;
  seats: Seat[];
  beacon?: { chain: string; round: number; signature: string } | null;
  start: string;
  words: { ply: number; key: string | null; parts: Part[]; head: string }[];
  head: Head;
}

export interface Seat {
  seat: number;
  kind: string;
  player: string | null;
  entropy: string | null;
  revision: number | null;
}

export interface Part {
  part: number;
  token: string;
  salt: string | null;
  hash: string;
}

export interface Head {
  ply: number;
  hash: string;
}

/** What somebody kept of a game while it went on. */
export interface Kept {
  /** Its id. */
  game?: string | null;
  /** The commitment that was shown. */
  commitment?: string | null;
  /** Heads that were shown. */
  heads?: readonly Head[];
  /** The response to taking a seat. */
  receipt?: { id: string; commitment: string | null; your_seat: number | null; seats: readonly Seat[] } | null;
}

/** What was verified. */
export interface Verified {
  /** How many heads follow from the words, and how many of those that were kept are among them. */
  heads: number;
  keptHeads: number;
  /** How much of what was drawn follows from the keys and, once it is told, from the seed; null in an imported game. */
  outcomes: number | null;
  /** In sentences, for people. */
  verified: string[];
  notVerified: string[];
}

/** Something in a proof is not what it must be. The message says where, what was expected and what was found. */
export class ProofError extends Error {
  readonly name: "ProofError";
}

/** Verifies a proof with SHA-256 and HMAC (WebCrypto) alone, as `docs/chance.md` says, or throws a {@link ProofError}.
 *
 * It recomputes the start, every hash and every head, and that what was `kept` belongs to them; that the commitment binds the keys
 * of all plies, and what was drawn from what everybody knows, also while the game goes on. Of a game that is over also the seed,
 * every salt, everything else that was drawn (hands, bonus cards), and the cards of `solitaire-ai`.
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
export function verify(proof: Proof, kept?: Kept): Promise<Verified>;

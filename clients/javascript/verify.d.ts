/** The response of `GET /v1/games/{id}/proof`. */
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
  /** The signed receipt of the end, once the game is over. */
  receipt?: string | null;
  words: { ply: number; key: string | null; parts: Part[]; head: string }[];
  head: Head;
}

export interface Seat {
  seat: number;
  /** `human`, `open`, or the name of a built-in player. This verifier need not know the player. */
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

/** The response to taking a seat, with or without its signed receipt. */
export interface SeatReceipt {
  id: string;
  setup: string;
  commitment: string | null;
  beacon?: { chain: string; round?: number | null } | null;
  head?: Head | null;
  your_seat: number | null;
  seats: readonly Seat[];
  receipt?: string | null;
  /** The seats that the player had seen, as the service noted them. */
  pin?: { seats_digest: string; held: number | null } | null;
  /** The response of `GET /v1/games/{id}/receipt` before the entropy was sent. */
  seats_receipt?: string;
}

/** The response of `GET /v1/games/{id}/inclusion`. */
export interface Inclusion {
  checkpoint: string;
  entries: readonly { moment: string; receipt: string; salt: string; entry: string; position: number | null; proof: readonly string[] | null }[];
}

/** What you kept from a game while it was running. */
export interface Kept {
  /** The id of the game. */
  game?: string | null;
  /** The commitment that you were shown. */
  commitment?: string | null;
  /** Heads that you were shown. */
  heads?: readonly Head[];
  /** The entropy that you sent, which a seat must have. */
  entropy?: string | null;
  /** One or more receipts: the response to taking a seat, a response to a move with a signed receipt, or a signed receipt itself. */
  receipt?: SeatReceipt | { receipt: string } | string | readonly (SeatReceipt | { receipt: string } | string)[] | null;
  /** The entries of the game's start and end in the public log. */
  inclusion?: Inclusion | null;
  /** Keys of the service, as `GET /v1/keys` lists them. One of them must have signed each receipt, the receipt of the end, and the checkpoint. */
  keys?: readonly string[];
  /** Keys of witnesses that must have cosigned the checkpoint. */
  witnesses?: readonly string[];
}

/** Something that was verified or could not be. Its sentence has the same position in the matching list of {@link Verified}. */
export interface Fact {
  code: string;
  isGood: boolean;
  [value: string]: unknown;
}

/** The result of a verification. */
export interface Verified {
  /** The number of heads that follow from the words. */
  heads: number;
  /** The number of kept heads that are among them. */
  keptHeads: number;
  /** The number of outcomes that follow from the keys and, once published, from the seed. Null for an imported game. */
  outcomes: number | null;
  /** These outcomes, in the order drawn. Part 0 is a card that `solitaire-ai` chose. */
  rolls: { ply: number; part: number; token: string }[];
  /** Sentences for people. */
  verified: string[];
  notVerified: string[];
  /** The same as values for programs. */
  facts: Fact[];
}

/** A proof, or something kept from the game, is wrong. The message states where, what was expected and what was found. */
export class ProofError extends Error {
  readonly name: "ProofError";
  readonly where: string;
  readonly expected: string | null;
  readonly found: string | null;
  /** Two signed receipts that contradict each other, if that is the fault. */
  readonly notes: readonly string[];
}

/** Verifies a proof with SHA-256, HMAC and Ed25519 (WebCrypto) alone, as `docs/reference/proof-format.md` describes, or throws a {@link ProofError}.
 *
 * It recomputes the start, every hash and every head, and looks for what you `kept`. It checks that the commitment binds the keys
 * of all plies, and recomputes open draws even while the game is running. Once the game is over, it also checks the seed, every
 * salt, all other draws (hands, bonus cards), and the cards of `solitaire-ai`. Signed receipts must match the proof and must not
 * contradict each other. With `keys` it checks who signed them, and with `inclusion` that the public log has the game. If WebCrypto
 * has no Ed25519, it reports that signatures were not checked.
 *
 * It knows hardly any rules, so it does not check
 * - that the words are legal and draw as much as they must
 * - what `random` chose, which numbers `solitaire-ai` used, and all decisions of other built-in players, such as merchants (it counts them)
 * - the id of an imported game
 * - that a match is complete: it misses a match that was cut off with all hashes recomputed, unless you kept a head or a signed
 *   receipt of the missing part, and a seed that is withheld
 * - that the record has the words of the proof
 *
 * `assam verify` checks these too. In browsers, WebCrypto needs `https:` or `localhost`. */
export function verify(proof: Proof, kept?: Kept): Promise<Verified>;

/** Checks that a game shows the seats that the service has signed, before entropy is sent, or throws a {@link ProofError}. Does nothing
 * if `signed` is not a receipt of the seats, because then the game has started. */
export function checkShown(game: SeatReceipt, signed: string): Promise<void>;

/** The request that took a seat. */
export interface Asked {
  id: string;
  commitment: string | null;
  seat: number;
  /** The player id of the secret. */
  player: string | null;
  /** The game as shown before, if visible. */
  shown: SeatReceipt | null;
  /** The entropy sent, if any. */
  entropy?: string | undefined;
  /** The digest of the seats sent. */
  digest?: string | null | undefined;
}

/** Checks the response to taking a seat against the request, as `docs/reference/proof-format.md` describes, or throws a {@link ProofError}. If entropy
 * was sent, the seat must have it, and the seats must match the digest sent. If no seat is open, the game must have started or wait for its round. */
export function checkResponse(response: SeatReceipt, asked: Asked): Promise<void>;

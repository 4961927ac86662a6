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
  /** The signed receipt of the end, once the game is over. */
  receipt?: string | null;
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
  /** What the player had seen of the seats, as the service wrote it down. */
  pin?: { seats_digest: string; held: number | null } | null;
  /** What `GET /v1/games/{id}/receipt` returned before the entropy was sent. */
  seats_receipt?: string;
}

/** What `GET /v1/games/{id}/inclusion` returns. */
export interface Inclusion {
  checkpoint: string;
  entries: readonly { moment: string; receipt: string; salt: string; entry: string; position: number | null; proof: readonly string[] | null }[];
}

/** What somebody kept of a game while it went on. */
export interface Kept {
  /** Its id. */
  game?: string | null;
  /** The commitment that was shown. */
  commitment?: string | null;
  /** Heads that were shown. */
  heads?: readonly Head[];
  /** The entropy that was sent: a seat must have it. */
  entropy?: string | null;
  /** One or more receipts: the response to taking a seat, a response to a move that has a signed receipt, or a signed receipt itself. */
  receipt?: SeatReceipt | { receipt: string } | string | readonly (SeatReceipt | { receipt: string } | string)[] | null;
  /** The places of the start and the end of the game in the public log. */
  inclusion?: Inclusion | null;
  /** Keys of the service, as `GET /v1/keys` lists them. One of them must have signed each receipt, that of the end, and the checkpoint. */
  keys?: readonly string[];
  /** Keys of witnesses that must have cosigned the checkpoint. */
  witnesses?: readonly string[];
}

/** Something that was verified, or was not: its sentence is in {@link Verified} at the place that it has among its like. */
export interface Fact {
  code: string;
  isGood: boolean;
  [value: string]: unknown;
}

/** What was verified. */
export interface Verified {
  /** How many heads follow from the words, and how many of those that were kept are among them. */
  heads: number;
  keptHeads: number;
  /** How much of what was drawn follows from the keys and, once it is told, from the seed; null in an imported game. */
  outcomes: number | null;
  /** Which: the tokens in the order in which they were drawn. Part 0 is a card that `solitaire-ai` chose. */
  rolls: { ply: number; part: number; token: string }[];
  /** In sentences, for people. */
  verified: string[];
  notVerified: string[];
  /** The same for programs. */
  facts: Fact[];
}

/** Something in a proof, or in what was kept of it, is not what it must be. The message says where, what was expected and what was found. */
export class ProofError extends Error {
  readonly name: "ProofError";
  readonly where: string;
  readonly expected: string | null;
  readonly found: string | null;
  /** Two signed receipts that contradict each other, if that is it. */
  readonly notes: readonly string[];
}

/** Verifies a proof with SHA-256, HMAC and Ed25519 (WebCrypto) alone, as `docs/chance.md` says, or throws a {@link ProofError}.
 *
 * It recomputes the start, every hash and every head, and that what was `kept` belongs to them; that the commitment binds the keys
 * of all plies, and what was drawn from what everybody knows, also while the game goes on. Of a game that is over also the seed,
 * every salt, everything else that was drawn (hands, bonus cards), and the cards of `solitaire-ai`. Signed receipts must state what the
 * proof has, and must not contradict each other; with `keys`, it checks who signed them; with `inclusion`, that the public log has the game.
 * If WebCrypto has no Ed25519, it says that the signatures are not checked.
 *
 * It knows next to no rules. So it does not check
 * - that the words are legal, and draw as much as they must;
 * - what `random` chose, and which numbers `solitaire-ai` used;
 * - the id of an imported game;
 * - that a match is complete: it notices neither one that was cut off with all hashes computed anew, unless a head or a signed
 *   receipt of what is missing was kept, nor a seed that is withheld;
 * - that the record has the words of the proof.
 *
 * `assam verify` checks these too. In browsers WebCrypto needs `https:` or `localhost`. */
export function verify(proof: Proof, kept?: Kept): Promise<Verified>;

/** Checks that the seats that a game shows are those that the service has signed, before entropy is sent, or throws a {@link ProofError}. It
 * checks nothing if `signed` is not the receipt of the seats: then the game has started. */
export function checkShown(game: SeatReceipt, signed: string): Promise<void>;

/** What was asked for, when a seat was taken. */
export interface Asked {
  id: string;
  commitment: string | null;
  seat: number;
  /** The id that follows from the secret. */
  player: string | null;
  /** The game as it was shown before. */
  shown: SeatReceipt | null;
  /** What was sent, if it was. */
  entropy?: string | undefined;
  /** The digest of the seats that was sent. */
  digest?: string | null | undefined;
}

/** Checks the response to taking a seat, as `docs/chance.md` says, or throws a {@link ProofError}: it is of what was asked for. If entropy was
 * sent, the seat has it, and the seats are those of the digest that was sent. If no seat is open, the game has started or waits for its round. */
export function checkResponse(response: SeatReceipt, asked: Asked): Promise<void>;

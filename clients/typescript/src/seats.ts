import { isProblem, type Problem } from "./problem.js";
import { answered, TEXT, told, type Asking, type Requests, type Sent } from "./requests.js";
import type { components } from "./schema.js";
import { newSecret } from "./secret.js";
import { checkResponse, checkShown, ProofError } from "./verify.js";

type Schemas = components["schemas"];

/** How a seat is taken. */
export interface SeatWishes {
  name?: string;
  /** Your contribution to the chance of the game: 64 lower-case hex digits that the service cannot know. Random by default. */
  entropy?: string;
  /** With `play`, the service makes decisions of your seat that have no choice. */
  forced?: Schemas["Forced"];
  /** The join code of a private game. */
  joinCode?: string;
}

/** A game as received, with its response. */
export type Told = { data: Schemas["GameView"]; response: Response };

/** The answer to taking a seat, with the seats as the service signed them before your entropy was sent. It cannot deny them later. */
export type Receipt = Schemas["GameView"] & { seats_receipt?: string };

/** The result of taking a seat. */
export type Taken = Told & { receipt: Receipt };

/** What the chance of a game depends on, as shown before any entropy is sent. */
interface Before {
  commitment: string | null;
  /** The signed receipt of the seats, or another receipt if the game has started. */
  receipt: string;
  /** The game, if it is visible. */
  shown: Told | null;
}

const ZEROS = "0".repeat(64);

/** Takes a seat with entropy, and with the commitment and the seats shown, so that the service cannot have known the entropy when it
 * fixed those. Stores the entropy before sending it, because the response may be lost. Throws a {@link ProofError} if the response has
 * other seats, another commitment, or the seat without the entropy. */
export async function takeSeat(requests: Requests, id: string, seat: number, wishes: SeatWishes, asking: Asking): Promise<Taken> {
  // If the seats have changed, the service knows this entropy. An automatic retry would let it choose among several.
  return take(requests, id, await look(requests, id, wishes.joinCode, asking), seat, wishes, asking);
}

/** Takes the first open seat of a game, or in a rematch the reserved one. If the player already holds a seat, keeps it and returns no
 * receipt, unless the response to taking it was lost. */
export async function join(
  requests: Requests,
  id: string,
  wishes: SeatWishes,
  asking: Asking,
): Promise<Told & { receipt: Receipt | null }> {
  const before = await look(requests, id, wishes.joinCode, asking);
  const { shown } = before;
  const held = shown?.data.your_seat ?? null;
  const last = requests.sent.get(id);
  if (shown !== null && held !== null && (last === undefined || last.isAnswered)) {
    const found = entropyOf(shown.data, held);
    same(`seat ${held}: entropy`, wishes.entropy ?? last?.entropy ?? found, found);
    return { ...shown, receipt: null };
  }
  const seats = shown?.data.seats ?? [1, 2, 3, 4].map((seat) => ({ seat, kind: "open" }));
  const open = held !== null ? [held] : seats.filter(({ kind }) => kind === "open").map(({ seat }) => seat);
  let taken: unknown;
  // If no seat is open, the service refuses the first one.
  for (const seat of open.length > 0 ? open : [1]) {
    try {
      return await take(requests, id, before, seat, wishes, asking);
    } catch (error) {
      if (isProblem(error, "seat_not_found") && taken !== undefined) {
        break;
      }
      // It is taken, or reserved for another player.
      if (!isProblem(error, "seat_taken")) {
        throw error;
      }
      taken = error;
    }
  }
  throw taken;
}

/** Maximum reads of a game whose seats change between its two requests. */
const LOOKS = 3;

/** Reads commitment and seats of a game. A private game is not visible yet, but a request with zeros is refused with the right value, and takes no seat. */
async function look(requests: Requests, id: string, joinCode: string | undefined, asking: Asking): Promise<Before> {
  const params = { path: { id } };
  for (let looks = 1; ; looks += 1) {
    try {
      const shown = await answered(requests.GET("/v1/games/{id}", { params, ...asking }));
      const { commitment } = shown.data;
      const headers = { Accept: TEXT };
      const signed = () => told(requests.GET("/v1/games/{id}/receipt", { params, headers, parseAs: "text", ...asking }));
      const receipt = commitment === null ? "" : await signed();
      await checkShown(shown.data, receipt);
      return { commitment, shown, receipt };
    } catch (error) {
      // The seats may have changed between the two requests.
      if (error instanceof ProofError && looks < LOOKS) {
        continue;
      }
      if (!isProblem(error, "game_not_found") || joinCode === undefined) {
        throw error;
      }
      const code = { join_code: joinCode };
      const { expected: commitment } = await hidden(requests, id, { ...code, commitment: ZEROS }, "commitment_mismatch", asking);
      const changed = await hidden(requests, id, { ...code, commitment, seats_digest: ZEROS }, "seats_changed", asking);
      return { commitment, shown: null, receipt: changed.told.receipt ?? "" };
    }
  }
}

async function hidden(requests: Requests, id: string, body: Schemas["TakeSeat"], code: Schemas["Code"], asking: Asking): Promise<Problem> {
  const params = { path: { id, seat: 1 } };
  try {
    await told(requests.PUT("/v1/games/{id}/seats/{seat}", { params, body, ...asking }));
  } catch (error) {
    if (isProblem(error, code)) {
      return error;
    }
    throw error;
  }
  throw new ProofError(`${code}: expected a value other than zeros`);
}

/** Returns the entropy to send for a seat, or null if the player holds it and can add none. Unanswered entropy is sent again only with the same
 * seats, because a service that knows it could choose different ones. */
function entropyFor({ sent }: Requests, id: string, { shown, receipt }: Before, seat: number, chosen: string | undefined): Sent | null {
  const last = sent.get(id);
  const seats = shown?.data.seats ?? [];
  if (last?.isAnswered && !seats.some(({ entropy }) => entropy === last.entropy)) {
    throw new ProofError(`game ${id}: the service has lost the seat taken with the entropy ${last.entropy}`);
  }
  const isFixed = shown?.data.your_seat === seat && (entropyOf(shown.data, seat) !== null || isTooLate(shown.data));
  if (isFixed && (last === undefined || last.isAnswered)) {
    return null;
  }
  if (last !== undefined && !last.isAnswered && (chosen === undefined || chosen === last.entropy)) {
    if (isFixed || last.receipt === receipt) {
      return last;
    }
    if (chosen !== undefined) {
      throw new TypeError("entropy: it was sent with other seats before, so the service knows it. Choose another");
    }
  }
  return { entropy: chosen ?? newSecret(), receipt, isAnswered: false };
}

/** Returns whether it is too late to add entropy to a seat. */
function isTooLate({ status, beacon }: Schemas["GameView"]): boolean {
  return status !== "open" || (beacon?.round ?? null) !== null;
}

function entropyOf(game: Schemas["GameView"], seat: number): string | null {
  return game.seats.find((one) => one.seat === seat)?.entropy ?? null;
}

/** Takes a seat once. */
async function take(requests: Requests, id: string, before: Before, seat: number, wishes: SeatWishes, asking: Asking): Promise<Taken> {
  const { commitment, shown } = before;
  const { joinCode, entropy: chosen, ...others } = wishes;
  const last = requests.sent.get(id);
  const sent = entropyFor(requests, id, before, seat, chosen);
  const digest = /^seats ([0-9a-f]{64})$/m.exec(sent?.receipt ?? "")?.[1];
  const body = {
    ...others,
    // An imported or started game has no open seat, and the service refuses.
    ...(sent === null || commitment === null || digest === undefined ? {} : { entropy: sent.entropy, commitment, seats_digest: digest }),
    ...(joinCode === undefined ? {} : { join_code: joinCode }),
  };
  // If the player holds another seat, the service refuses this one.
  if (sent !== null && digest !== undefined && !last?.isAnswered && [null, seat].includes(shown?.data.your_seat ?? null)) {
    requests.sent.set(id, sent);
  }
  const params = { path: { id, seat } };
  const taken = await answered(requests.PUT("/v1/games/{id}/seats/{seat}", { params, body, ...asking }));
  const asked = { id, commitment, seat, player: await requests.player(), shown: shown?.data ?? null };
  // Others may have taken the last seat before the entropy for a held seat arrived.
  const cameLate = sent !== last && shown?.data.your_seat === seat && isTooLate(taken.data) && entropyOf(taken.data, seat) === null;
  if (sent === null || (cameLate && chosen === undefined)) {
    await checkResponse(taken.data, asked);
    if (chosen !== undefined) {
      same(`seat ${seat}: entropy`, chosen, entropyOf(taken.data, seat));
    }
    if (sent !== null) {
      requests.sent.delete(id);
    }
    return { ...taken, receipt: ownOnly(taken.data) };
  }
  await checkResponse(taken.data, { ...asked, entropy: sent.entropy, digest: digest ?? null });
  requests.sent.set(id, { ...sent, isAnswered: true });
  return { ...taken, receipt: { ...taken.data, seats_receipt: sent.receipt } };
}

/** Returns a response without the member that only clients add. */
export function ownOnly({ seats_receipt: _, ...view }: Receipt): Receipt {
  return view;
}

export function same(what: string, expected: string | null, found: string | null): void {
  if (expected !== found) {
    throw new ProofError(`${what}: expected ${expected ?? "none"}, found ${found ?? "none"}`);
  }
}

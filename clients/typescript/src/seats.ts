import { isProblem } from "./problem.js";
import { answered, told, type Asking, type Requests } from "./requests.js";
import type { components } from "./schema.js";
import { newSecret } from "./secret.js";
import { ProofError } from "./verify.js";

type Schemas = components["schemas"];

/** How a seat is taken. */
export interface SeatWishes {
  name?: string;
  /** What you add to the chance of the game: 64 lower-case hex digits that the service cannot know. Made at random if you give none. */
  entropy?: string;
  /** With `play`, the service makes decisions of your seat that leave it no choice. */
  forced?: Schemas["Forced"];
  /** The join code of a private game. */
  joinCode?: string;
}

/** A game that was told, as it was told. */
export type Told = { data: Schemas["GameView"]; response: Response };

/** What was shown of a game before a seat of it is taken; its seats, where they could be seen. */
type Shown = Pick<Schemas["GameView"], "id" | "commitment"> & Partial<Pick<Schemas["GameView"], "seats" | "your_seat">>;

/** Takes a seat of a game, with entropy and with the commitment that was shown: so the service cannot have known the entropy when
 * it committed itself. Throws a {@link ProofError} where the answer has another commitment, or the seat without the entropy. */
export async function takeSeat(
  requests: Requests,
  shown: Shown,
  seat: number,
  wishes: SeatWishes,
  asking: Asking,
): Promise<Told> {
  const { joinCode, entropy = newSecret(), ...others } = wishes;
  const { id, commitment } = shown;
  const body = {
    ...others,
    ...(commitment === null ? {} : { entropy, commitment }),
    ...(joinCode === undefined ? {} : { join_code: joinCode }),
  };
  const params = { path: { id, seat } };
  const taken = await answered(requests.PUT("/v1/games/{id}/seats/{seat}", { params, body, ...asking }));
  if (taken.data.commitment !== commitment) {
    throw new ProofError(`commitment: expected ${commitment}, found ${taken.data.commitment}`);
  }
  const entropies = [shown.seats, taken.data.seats].map((seats) => seats?.find((one) => one.seat === seat)?.entropy ?? null);
  const [before, found] = entropies;
  // Who holds the seat already may have given entropy before, or be too late to give any.
  const isAsHeld = found === before && (found !== null || taken.data.status !== "open");
  if (commitment !== null && found !== entropy && !(shown.your_seat === seat && isAsHeld)) {
    throw new ProofError(`seat ${seat}: entropy: expected ${entropy}, found ${found ?? "none"}`);
  }
  return taken;
}

/** Asks for the commitment of a private game that cannot be seen before a seat is taken: whoever sends another one is told it,
 * and takes no seat. */
async function hiddenCommitment(requests: Requests, id: string, joinCode: string, asking: Asking): Promise<string> {
  const body = { commitment: "0".repeat(64), join_code: joinCode };
  const params = { path: { id, seat: 1 } };
  try {
    await told(requests.PUT("/v1/games/{id}/seats/{seat}", { params, body, ...asking }));
  } catch (error) {
    if (isProblem(error, "commitment_mismatch") && error.expected !== null) {
      return error.expected;
    }
    throw error;
  }
  throw new ProofError("commitment: expected that of the game, found one that is all zeros");
}

/** Takes an open seat of a game, the first that is left, in a rematch the one that is kept; whoever holds one keeps that, and gets no receipt. */
export async function join(requests: Requests, id: string, wishes: SeatWishes, asking: Asking): Promise<Told & { isReceipt: boolean }> {
  // Who has no seat in a private game cannot see which seats it has. So there all are tried.
  let seats = [1, 2, 3, 4];
  let commitment: string | null;
  try {
    const shown = await answered(requests.GET("/v1/games/{id}", { params: { path: { id } }, ...asking }));
    if (shown.data.your_seat !== null) {
      return { ...shown, isReceipt: false };
    }
    const open = shown.data.seats.filter((seat) => seat.kind === "open").map((seat) => seat.seat);
    // Where none is open, the first one says so.
    seats = open.length > 0 ? open : [1];
    commitment = shown.data.commitment;
  } catch (error) {
    if (!isProblem(error, "game_not_found") || wishes.joinCode === undefined) {
      throw error;
    }
    commitment = await hiddenCommitment(requests, id, wishes.joinCode, asking);
  }
  let taken: unknown;
  for (const seat of seats) {
    try {
      return { ...(await takeSeat(requests, { id, commitment }, seat, wishes, asking)), isReceipt: true };
    } catch (error) {
      if (isProblem(error, "seat_not_found") && taken !== undefined) {
        break;
      }
      // Somebody has it, or it is kept for somebody else.
      if (!isProblem(error, "seat_taken")) {
        throw error;
      }
      taken = error;
    }
  }
  throw taken;
}

/** Something in a proof is not what it must be. The message says where, what was expected and what was found. */
export class ProofError extends Error {
  override readonly name = "ProofError";
}

/** Demands that what was found is what must stand there. */
export function same(where: string, expected: string | number | boolean | null, found: unknown): void {
  if (expected !== found) {
    throw new ProofError(`${where}: expected ${expected}, found ${found}`);
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

/** What a proof is hashed from is ASCII on one line; anything else could be read in two ways. */
export function ascii(text: string): Bytes {
  if (typeof text !== "string" || !/^[\x20-\x7e]*$/.test(text)) {
    throw new ProofError(`not a proof: ${JSON.stringify(text)} is not ASCII`);
  }
  return new TextEncoder().encode(text) as Bytes;
}

/** The bytes of 64 lower-case hex digits. */
export function bytes(hex: string): Bytes {
  if (typeof hex !== "string" || !/^[0-9a-f]{64}$/.test(hex)) {
    throw new ProofError(`not a proof: ${JSON.stringify(hex)} is not 64 lower-case hex digits`);
  }
  return Uint8Array.from({ length: 32 }, (_, n) => parseInt(hex.slice(2 * n, 2 * n + 2), 16));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function sha256(...parts: (Uint8Array | number)[]): Promise<Bytes> {
  const joined = parts.flatMap((part) => (typeof part === "number" ? [part] : Array.from(part)));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(joined)));
}

/** HMAC-SHA-256 with one key. */
export type Mac = (text: string) => Promise<Bytes>;

export async function mac(key: string): Promise<Mac> {
  const made = await crypto.subtle.importKey("raw", bytes(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (text) => new Uint8Array(await crypto.subtle.sign("HMAC", made, new TextEncoder().encode(text) as Bytes));
}

/** A number below the given one, each equally likely. */
export type Draw = (things: number) => Promise<number>;

/** The draws of one ply, counted by k. The x at the top that would favour small numbers are refused. */
export function draws(seeded: Mac, start: string, label: "chance" | "choice", ply: number): Draw {
  let k = -1;
  return async (things) => {
    k += 1;
    if (!Number.isSafeInteger(things) || things < 1) {
      throw new ProofError(`ply ${ply}: chance: expected a draw out of 1 thing or more, found ${things}`);
    }
    const limit = (2n ** 64n / BigInt(things)) * BigInt(things);
    for (let counter = 0; ; counter += 1) {
      const drawn = await seeded(`${label}\n${start}\n${ply} ${k} ${counter}`);
      const x = new DataView(drawn.buffer).getBigUint64(0);
      if (x < limit) {
        return Number(x % BigInt(things));
      }
    }
  };
}

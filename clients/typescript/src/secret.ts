/** Creates a secret of 64 lower-case hex digits. Keep it, because anyone who has it can play the seats taken with it. */
export function newSecret(): string {
  return inHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** Throws if a text is not a secret. The message omits the text. */
export function checkSecret(secret: string): void {
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    throw new TypeError("a secret is 64 lower-case hex digits");
  }
}

/**
 * Derives the secret for one service from a master secret: HMAC-SHA256 with the master's digits as the key, of the bytes
 * `assam/secret`, line feed, and the origin of the service, such as `https://assam.example`.
 *
 * The operator of a service learns the secret that you use there, and could play with it wherever else you use it. Derive one
 * secret for each service from a master secret that no service sees.
 *
 * @throws TypeError if the master is not a secret, or the address is not that of a service.
 */
export async function secretFor(master: string, url: string): Promise<string> {
  checkSecret(master);
  const { origin, protocol } = new URL(url);
  if (!["http:", "https:"].includes(protocol)) {
    throw new TypeError("the address of a service starts with http:// or https://");
  }
  const text = new TextEncoder();
  const how = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", text.encode(master), how, false, ["sign"]);
  return inHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(`assam/secret\n${origin}`))));
}

/** Returns the public id of a secret's holder. The chance of a game depends on the ids of all players. */
export async function playerOf(secret: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`assam/player\n${secret}`));
  return inHex(new Uint8Array(hash)).slice(0, 20);
}

function inHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

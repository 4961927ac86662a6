/** Makes a fresh secret: 64 lower-case hex digits. Keep it: whoever has it plays the seats that were taken with it. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Refuses what is no secret, without repeating it. */
export function checkSecret(secret: string): void {
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    throw new TypeError("a secret is 64 lower-case hex digits");
  }
}

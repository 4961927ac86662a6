// Reports the result of a check in plain sentences. They promise no more than was checked.

/** @typedef {import("../verify.js").Proof} Proof */
/** @typedef {import("../verify.js").Verified} Verified */
/** @typedef {import("../verify.js").ProofError} Refused */
/** @typedef {[string, Record<string, unknown>?]} Sentence a key of the texts, and the values of its placeholders */
/** @typedef {{ tone: "good" | "bad" | "unsure", title: Sentence, text: Sentence[], shown: Sentence[], open: Sentence[] }} Report */

/** Kinds of faults by the place that the verifier names. The first match counts. Those with a `?` mean nothing about the game. */
const FAULTS = /** @type {[RegExp, string][]} */ ([
  [/^ply \d+, part \d+: (chance|choice)/, "roll"],
  [/^ply \d+: key/, "key"],
  [/^ply \d+/, "step"],
  [/^(head|number of the ply)/, "step"],
  [/^start|^seat /, "start"],
  [/^commitment that was shown/, "shown"],
  [/^commitment/, "lock"],
  [/^seed/, "seed"],
  [/^entropy/, "entropy"],
  [/: signature/, "signature"],
  [/^inclusion: (start|end): position/, "waits?"],
  [/^inclusion: witness/, "witness"],
  [/^inclusion/, "log"],
  [/^key/, "badKey?"],
  [/^receipt of the end$/, "unsigned?"],
  [/^receipt of the end/, "end"],
  [/^receipt( \d+)?$/, "badReceipt?"],
  [/^receipt.*: commitment/, "receiptLock"],
  [/^receipt.*: (seats_digest|start)/, "receiptSeats"],
  [/^receipt/, "receipt"],
  [/^setup/, "ruleset?"],
]);

/** Faults that share an explanation. */
const MEANS = /** @type {Record<string, RegExp>} */ ({ file: /^(roll|key|step|start|lock|seed|end)$/, receipt: /^receipt/, other: /^(shown|entropy|signature|witness|log)$/ });

/** Returns the report of a refused proof.
 * @param {Refused} error
 * @param {(token: string, part: number) => string} wordsOf
 * @returns {Report} */
export function refusal({ where, expected, found, notes }, wordsOf) {
  const kind = notes.length > 0 ? "contradiction" : FAULTS.find(([place]) => place.test(where))?.[1] ?? "incomplete?";
  const name = kind.replace("?", "");
  const means = Object.keys(MEANS).find((means) => MEANS[means].test(name)) ?? name;
  const [, ply, part] = /^ply (\d+)(?:, part (\d+))?/.exec(where) ?? [];
  const drawn = (/** @type {string | null} */ token) => (name === "roll" ? wordsOf(`${token}`, Number(part)) : "");
  const text = /** @type {Sentence[]} */ ([[`fault.${name}`, { ply: ply ?? "", expected: drawn(expected), found: drawn(found) }], [`means.${means}`]]);
  if (kind !== name) return { tone: "unsure", title: ["unsure"], text, shown: [], open: [] };
  return { tone: "bad", title: ["bad"], text: [...text, ["bad.next"]], shown: [], open: [] };
}

/** Returns the report of a proof without a fault.
 * @param {Proof} proof
 * @param {Verified} told
 * @returns {Report} */
export function report({ imported, seed }, { facts, rolls }) {
  /** @param {string} code @param {boolean} isGood @returns {any[]} */
  const all = (code, isGood) => facts.filter((fact) => fact.code === code && fact.isGood === isGood);
  const [good, open] = [true, false].map((isGood) => (/** @type {string} */ code) => all(code, isGood)[0]);
  const shown = /** @type {Sentence[]} */ ([]);
  const left = /** @type {Sentence[]} */ ([]);
  if (imported) return { tone: "unsure", title: ["unsure"], text: [["imported"]], shown, open: [["open.moves"]] };
  const seat = good("receipt") ?? all("stated", true).find((fact) => fact.seat);
  const anchor = seat || good("commitment");
  const count = rolls.length;
  if (count > 0) shown.push(["shown.rolls", { count }]);
  if (good("receipt")) shown.push(["shown.receipt", { seat: seat.seat }]);
  else if (seat) shown.push(["shown.stated", { seat: seat.seat }]);
  if (good("commitment")) shown.push(["shown.commitment"]);
  if (good("entropy")) shown.push(["shown.entropy", { seat: good("entropy").seat }]);
  else if (seat && (seat.ownEntropy || (seat.entropy && seat.entropy !== "-"))) shown.push(["shown.own", { seat: seat.seat }]);
  if (good("nobody")) shown.push(["shown.nobody", { seat: good("nobody").seat }]);
  const plies = all("stated", true).filter((fact) => fact.ply);
  if (plies.length > 0) shown.push(["shown.step", { ply: plies.map(({ ply }) => ply).join(", ") }]);
  const signed = all("signed", true);
  for (const what of ["end", "receipt"]) {
    const one = signed.find(({ of }) => (of === "end") === (what === "end"));
    if (one) shown.push([`shown.signed.${what}`, { key: one.key.split("+")[0] }]);
  }
  const log = all("logged", true);
  if (log.length > 0) shown.push(["shown.log", { places: log.map(({ position }) => position + 1).join(", "), size: log[0].size }]);
  for (const { name, time } of all("witness", true)) shown.push(["shown.witness", { name, time: time.slice(0, 10) }]);

  if (!anchor) left.push(["open.before"]);
  if (open("noEntropy")) left.push(["open.no-entropy"]);
  const last = open("last");
  if (last) left.push([last.hasEntropy ? seat?.seat == last.seat ? "open.unpinned" : "open.last" : "open.last-without", { seat: last.seat }]);
  if (open("beacon")) left.push(["open.beacon"]);
  if (open("hidden") || open("sealed")) left.push(["open.cards"]);
  const isUnsigned = open("signed") || open("checkpoint");
  if (open("noEd25519")) left.push(["open.signature"]);
  if (isUnsigned) left.push([log.length === 0 ? "open.both" : "open.signed"]);
  else if (log.length === 0) left.push(["open.log"]);
  if (log.length > 0 && open("witness")) left.push(["open.witness"]);
  const isWhole = signed.some(({ of }) => of === "end") || log.some(({ moment }) => moment === "end");
  if (!isWhole) left.push(["open.end"]);
  left.push(["open.moves"], ...all("choices", false).map(({ seat, kind, count, of }) => /** @type {Sentence} */ (["open.choices", { seat, kind, count, of }])));
  left.push(["open.looked"]);
  const title = seed === null ? "good.so-far" : anchor ? "good.anchored" : "good.alone";
  const text = count === 0 ? "nothing-drawn" : anchor ? "good.anchored.text" : "good.alone.text";
  return { tone: "good", title: [count === 0 ? "good.nothing" : title], text: [[text]], shown, open: left };
}

import { draws, ProofError, type Draw, type Mac } from "./hashing.js";
import type { components } from "./schema.js";

type Proof = components["schemas"]["Proof"];
type Word = components["schemas"]["ProvedWord"];
type Part = components["schemas"]["ProvedPart"];

/** Something that follows from the seed, and what the words say. */
export interface Outcome {
  where: string;
  expected: string | undefined;
  found: string;
}

export type Outcomes = AsyncGenerator<Outcome, void, undefined>;

/** The parts of a word that were drawn. */
function drawn(word: Word): Part[] {
  return word.parts.filter((part) => part.part > 0);
}

/** The decision of a word. */
function decision(word: Word): string | null {
  return word.parts[0]?.part === 0 ? word.parts[0].token : null;
}

/** The fields of the position in which a game begins; none where it begins at the start. */
function position(setup: string): string[] {
  return / position=(\S+)/.exec(setup)?.[1]?.split(";") ?? [];
}

function field(fields: string[], number: number): string {
  const found = fields[number];
  if (found === undefined) {
    throw new ProofError(`not a proof: its position has no field ${number + 1}`);
  }
  return found;
}

// ---- Marrakech: dice and rugs ----

/** Each `+` is one draw: a face of the die, or a rug of the own pile. */
export async function* marrakech(proof: Proof, seeded: Mac): Outcomes {
  const { setup, seats } = proof;
  const begun = position(setup);
  const pile = new Map<string, number>();
  if (seats.length === 2 && !setup.includes(" two_player=one-colour")) {
    const rugs = / rugs_per_player=(\d+)/.exec(setup)?.[1];
    for (const colour of "rybg") {
      pile.set(colour, rugs === undefined ? 12 : Math.floor(Number(rugs) / 2));
    }
  }
  if (pile.size > 0 && begun.length > 0) {
    for (const [, colour, left] of field(begun, 6).matchAll(/([rybg])(\d+)/g)) {
      pile.set(colour!, Number(left));
    }
    const inHand = field(begun, 7);
    if (pile.has(inHand)) {
      pile.set(inHand, pile.get(inHand)! - 1);
    }
  }
  for (const word of proof.words) {
    const draw = draws(seeded, proof.start, "chance", word.ply);
    for (const { part, token: found } of drawn(word)) {
      let expected;
      if (pile.has(found)) {
        const [first, second] = "ry".includes(found) ? ["r", "y"] : ["b", "g"];
        const [here, there] = [pile.get(first!)!, pile.get(second!)!];
        expected = (await draw(here + there)) < here ? first : second;
        pile.set(found, pile.get(found)! - 1);
      } else {
        expected = "122334"[await draw(6)];
      }
      yield { where: `ply ${word.ply}, part ${part}: chance`, expected, found };
    }
  }
}

// ---- Marrakesh: dice and cards ----

const FACES = Array.from("shdc", (suit) => Array.from("65432AQ", (rank) => rank + suit)).flat();
const PACK = FACES.flatMap((face) => (face.startsWith("Q") ? [face] : [face, face]));
const CARD = /^[65432AQ][shdc]$/;

/** Blue's six dice, then Red's; where the boards are equal the draws run on. */
async function throws(draw: Draw): Promise<string> {
  for (;;) {
    const thrown = [];
    for (let die = 0; die < 12; die += 1) {
      thrown.push("123456"[await draw(6)]!);
    }
    const [blue, red] = [thrown.slice(0, 6), thrown.slice(6)].map((dice) => dice.sort().join(""));
    if (blue !== red) {
      return `${blue}/${red}`;
    }
  }
}

/** Who has more pieces on the 1-point leads first; if equal, on the 2-point, and so on. */
function leadsFirst(dice: string): number {
  const [blue, red] = dice.split("/") as [string, string];
  const on = (dice: string, point: string) => dice.split(point).length;
  const decides = Array.from("123456").find((point) => on(blue, point) !== on(red, point)) ?? "1";
  return on(blue, decides) > on(red, decides) ? 1 : 2;
}

/** In one suit the reply wins; else the higher suit, s h d c, but clubs beat spades. */
function winner(leader: number, lead: string, reply: string): number {
  const [led, replied] = [lead[1]!, reply[1]!];
  const leadWins = led + replied === "cs" || (led + replied !== "sc" && "shdc".indexOf(led) < "shdc".indexOf(replied));
  return leadWins ? leader : 3 - leader;
}

/** Takes one thing out of a list. */
function take(from: string[], place: number): string {
  const [taken] = place >= 0 ? from.splice(place, 1) : [];
  if (taken === undefined) {
    throw new ProofError("not a proof: a card is taken that is not there");
  }
  return taken;
}

/** Dice, hands, bonus cards, and the cards of `solitaire-ai`. Only this much of the rules is needed: whose card it is, and when the
 * cards are shuffled. */
export async function* marrakesh(proof: Proof, seeded: Mac): Outcomes {
  const kinds = new Map(proof.seats.map((seat) => [seat.seat, seat.kind]));
  let deck = [...PACK];
  let [rounds, leader] = [0, 0];
  let lead: string | null = null;
  let hands: [string[], string[]] = [[], []];
  const hand = (seat: number) => hands[seat - 1] ?? [];
  const begun = position(proof.setup);
  if (begun.length > 0) {
    // Who uses a trick leads to the next one; what lies open somewhere is not in the deck.
    [rounds, leader] = [Number(field(begun, 0)), Number(field(begun, 5))];
    for (const [card] of [3, 4, 7, 11].map((number) => field(begun, number)).join(";").matchAll(/[65432AQ][shdc]/g)) {
      take(deck, deck.indexOf(card));
    }
  }
  for (const word of proof.words) {
    const { ply } = word;
    const draw = draws(seeded, proof.start, "chance", ply);
    const after = drawn(word);
    // A bonus card, or not; dice and both hands, or neither.
    const shape = after.map(({ token }) => (token.includes("/") ? "d" : token.includes(":") ? token[0] : "c")).join("");
    if (!/^c?(dbr)?$/.test(shape)) {
      throw new ProofError(`ply ${ply}: chance: expected a bonus card, dice and two hands, or some of these, found ${JSON.stringify(word.parts)}`);
    }
    const card = decision(word);
    if (card !== null && CARD.test(card)) {
      const seat: number = lead === null ? leader : 3 - leader;
      if (kinds.get(seat) === "solitaire-ai") {
        const place = await draws(seeded, proof.start, "choice", ply)(hand(seat).length);
        yield { where: `ply ${ply}, part 0: choice`, expected: hand(seat)[place], found: card };
      }
      if (!hand(seat).includes(card)) {
        throw new ProofError(`ply ${ply}, part 0: token: expected a card in the hand of seat ${seat}, found ${card}`);
      }
      take(hand(seat), hand(seat).indexOf(card));
      [leader, lead] = lead === null ? [leader, card] : [winner(leader, lead, card), null];
    }
    for (const { part, token: found } of after) {
      let expected;
      if (found.includes("/")) {
        rounds += 1;
        deck = rounds % 3 === 1 ? [...PACK] : deck;
        expected = await throws(draw);
        [leader, hands] = [leadsFirst(expected), [[], []]];
      } else if (found.startsWith("b:")) {
        // Dealt alternately, Blue first: one draw a card, out of what is left in the deck.
        for (let dealt = 0; dealt < 12; dealt += 1) {
          hands[dealt % 2 === 0 ? 0 : 1].push(take(deck, await draw(deck.length)));
        }
        hands.forEach((hand) => hand.sort((one, other) => FACES.indexOf(one) - FACES.indexOf(other)));
        expected = `b:${hands[0].join("")}`;
      } else if (found.startsWith("r:")) {
        expected = `r:${hands[1].join("")}`;
      } else {
        expected = take(deck, await draw(deck.length));
      }
      yield { where: `ply ${ply}, part ${part}: chance`, expected, found };
    }
  }
}

/** In Marrakesh hands and leads are sealed, and nothing else is: every other card that is decided on is a lead. Tells of each part
 * whether it must be sealed. */
export function* sealedInMarrakesh(proof: Proof): Generator<{ where: string; part: Part; isSealed: boolean }, void, undefined> {
  let cards = 0;
  const last = proof.words.filter((word) => decision(word) !== null).at(-1)?.ply;
  for (const word of proof.words) {
    for (const part of word.parts) {
      const { token } = part;
      const where = `ply ${word.ply}, part ${part.part}`;
      if (token === "??" && word.ply !== last) {
        throw new ProofError(`${where}: token: expected an open one, as the lead was answered, found ??`);
      }
      const isCard = part.part === 0 && (CARD.test(token) || token === "??");
      const isSealed = /^[br]:/.test(token) || (isCard && cards % 2 === 0);
      cards += isCard ? 1 : 0;
      yield { where, part, isSealed: isSealed && !proof.imported };
    }
  }
}

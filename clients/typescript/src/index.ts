export { Assam, type GameFilter, type OwnGameFilter } from "./assam.js";
export { Game, Turn, type SeatWishes, type Waiting, type Written } from "./game.js";
export { isProblem, Problem, Unanswered, type Code, type Flaw } from "./problem.js";
export type { Asking, Settings } from "./requests.js";
export { newSecret } from "./secret.js";
export { ProofError, verify, type Kept, type Verified } from "./verify.js";
export { documentHash } from "./schema.js";

import type { components } from "./schema.js";

/** Every type of the OpenAPI document by its name there: `Schemas["MarrakechState"]`. */
export type Schemas = components["schemas"];
export type GameSummary = Schemas["GameSummary"];
export type GameView = Schemas["GameView"];
export type LegalMoves = Schemas["LegalMoves"];
export type LogView = Schemas["LogView"];
export type NewGame = Schemas["NewGame"];
export type OwnGame = Schemas["OwnGame"];
export type Proof = Schemas["Proof"];
export type Score = Schemas["Score"];
export type State = Schemas["State"];
export type StateAtPly = Schemas["StateAtPly"];
export type Verdict = Schemas["Verdict"];

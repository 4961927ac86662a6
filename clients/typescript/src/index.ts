export { Assam, type GameFilter, type LeaderFilter, type OwnGameFilter } from "./assam.js";
export { Game, Turn, type Following, type PictureForm, type Written } from "./game.js";
export { isProblem, Problem, Unanswered, type Code, type Flaw } from "./problem.js";
export type { ExportFilter, Including, Many, Records } from "./records.js";
export type { Asking, Settings } from "./requests.js";
export type { Receipt, SeatWishes } from "./seats.js";
export { newSecret, secretFor } from "./secret.js";
export type { FeedNews, GameNews, OwnNews } from "./stream.js";
export { ProofError, verify, type Kept, type Verified } from "./verify.js";
export { documentHash } from "./schema.js";

import type { components } from "./schema.js";

/** All types of the OpenAPI document by name: `Schemas["MarrakechState"]`. */
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

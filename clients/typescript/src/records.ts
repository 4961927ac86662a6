import { Problem, Unanswered } from "./problem.js";
import { LINES, sleep, told, type Asking, type Requests } from "./requests.js";
import { Attempts } from "./retries.js";
import type { components, operations } from "./schema.js";
import { lines } from "./stream.js";

type Schemas = components["schemas"];
type Query = NonNullable<operations["export_games"]["parameters"]["query"]>;

/** Many of something, that are there or that come. */
export type Many<T> = Iterable<T> | AsyncIterable<T>;
/** Which games are exported, and in what order. */
export type ExportFilter = Omit<Query, "states" | "proofs">;

const MOST_RECORDS = 200;
const MOST_CHARACTERS = 1 << 18;
/** What ends a batch, and may not end it the next time. */
const LATER: Schemas["Code"][] = ["busy", "cannot_write", "internal", "request_timeout", "too_many_requests", "unavailable"];

/** The request of an export, for errors. */
const EXPORT = { method: "GET", path: "/v1/export", accept: LINES };

type Part = "before" | "tags" | "body" | "finished";

/** The rules of notation/GRAMMAR.md, "Files". */
const MARKER = /(?<![^ \t\f])[*=][-0-9 \t]*/g;
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/** Takes the records of a file apart, which may come line by line, as the service does. */
export async function* recordsIn(lines: Many<string>): AsyncGenerator<string, void, undefined> {
  let record = "";
  let part: Part = "before";
  const isThere = () => record.replace("\uFEFF", "").trim() !== "";
  for await (const given of lines) {
    const line = given.endsWith("\n") ? given : `${given}\n`;
    const text = line.replace(/\r?\n$/, "");
    const at = beginning(text, part);
    record += line.slice(0, at);
    if (at !== undefined) {
      if (isThere()) {
        yield record;
        record = "";
      }
      // Blank lines before the first record belong to none.
      record = record.replace(/^[ \t\r\n]+/, "") + line.slice(at);
      part = "tags";
    } else if (part === "tags" && text === "") {
      part = "body";
    } else if (part === "body" && text.search(MARKER) >= 0) {
      part = "finished";
    }
  }
  if (isThere()) {
    yield record;
  }
}

/** Where a record begins on a line, which is of this part of the record before. */
function beginning(line: string, part: Part): number | undefined {
  const looks = line.includes("/") && looksLikeMkn(line.split("/", 1)[0]!);
  const isBegun = ({ 0: shown, index }: RegExpExecArray) =>
    shown.endsWith("/") ? part === "body" || part === "finished" : part !== "tags" || !line.slice(0, index).includes(":");
  const shown = looks ? undefined : [...line.matchAll(/MKN\/|seats=/gi)].find(isBegun);
  if (!looks && !shown) {
    return undefined;
  }
  const head = shown ? line.slice(0, shown.index) : line.split("/", 1)[0]!;
  const start = head.length - head.split(CONTROL).at(-1)!.length;
  const marker = part === "body" ? [...head.matchAll(MARKER)].at(-1) : undefined;
  if (marker) {
    return Math.max(start, marker.index + marker[0].length);
  }
  return part === "body" && shown?.[0].endsWith("/") ? head.replace(/(?:[ \t>`"'|#]|[^\0-\x7f])*$/, "").length : start;
}

function looksLikeMkn(head: string): boolean {
  const letters = head.split(/[ \t>`"'|#\0-\x1f\x7f]/).at(-1)!;
  const before = head.slice(0, head.length - letters.length);
  const isStray = /^(?:[ \t>`"'|#\0-\x1f\x7f]|[^\0-\x7f])*$/.test(before);
  return [...letters].length >= 3 && isStray && /^M?K?N?$/i.test(letters.replace(/[^\0-\x7f]/g, ""));
}

/** Sends records in batches, as lines of JSON, and gives what becomes of each, in order. */
export async function* bulk<Row extends Schemas["RecordRow"] | Schemas["ImportRow"]>(
  requests: Requests,
  path: "/v1/validate/bulk" | "/v1/imports/bulk",
  records: Many<string>,
  { signal }: Asking,
): AsyncGenerator<Row, void, undefined> {
  const attempts = new Attempts(requests.retries);
  let done = 0;
  for await (let batch of batches(records)) {
    while (batch.length > 0) {
      const headers = { Accept: LINES, "Content-Type": LINES };
      const asked = requests.POST(path, { body: batch.join(""), bodySerializer: (body) => body, headers, parseAs: "text", signal });
      const answered = (await told(asked)).trimEnd().split("\n").map((line) => JSON.parse(line) as Row | { kind: "summary" } | Schemas["Stopped"]);
      const last = answered.pop();
      for (const row of answered as Row[]) {
        done += 1;
        yield { ...row, number: done, line: done };
      }
      batch = batch.slice(answered.length);
      if (answered.length > 0 || last?.kind !== "stopped") {
        attempts.restart();
      }
      if (last?.kind !== "stopped") {
        break;
      }
      const status = LATER.includes(last.code) ? 503 : 422;
      await sleep(attempts.failed(new Problem({ type: "about:blank", title: "Stopped", status, ...last })), signal);
    }
  }
}

async function* batches(records: Many<string>): AsyncGenerator<string[], void, undefined> {
  let batch: string[] = [];
  let size = 0;
  for await (const record of records) {
    const line = `${JSON.stringify({ record })}\n`;
    if (batch.length > 0 && (batch.length >= MOST_RECORDS || size + line.length > MOST_CHARACTERS)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(line);
    size += line.length;
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/** Gives the lines of an export, each once. Where the connection breaks, it goes on after the last one; time is up only without progress. */
export async function* exported<Line extends Schemas["ExportedGame"] | Schemas["ExportedProof"]>(
  requests: Requests,
  filter: Query,
  { signal }: Asking,
): AsyncGenerator<Line, void, undefined> {
  const attempts = new Attempts(requests.retries);
  for (let query = filter; query.limit !== 0; ) {
    let isProgress = false;
    let failure: unknown;
    try {
      const asking = { params: { query }, headers: { Accept: LINES }, parseAs: "stream" as const, signal };
      const body = await told(requests.GET("/v1/export", asking));
      for await (const line of lines<Line>(body as unknown as ReadableStream<Uint8Array>, signal)) {
        isProgress = true;
        const after = "proof" in line ? line.proof.game : line.id;
        query = { ...query, after, ...(query.limit === undefined ? {} : { limit: query.limit - 1 }) };
        yield line;
      }
      return;
    } catch (cause) {
      signal?.throwIfAborted();
      failure = cause;
    }
    if (isProgress) {
      attempts.restart();
    }
    const known = failure instanceof Problem || failure instanceof Unanswered ? failure : new Unanswered(EXPORT, null, failure);
    await sleep(attempts.failed(known), signal);
  }
}

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

/** Takes the records of a file apart, which may come line by line: each begins with a line that begins with `MKN/`. */
export async function* recordsIn(lines: Many<string>): AsyncGenerator<string, void, undefined> {
  let record = "";
  const isThere = () => record.replace("\uFEFF", "").trim() !== "";
  for await (const line of lines) {
    if (line.startsWith("MKN/") && isThere()) {
      yield record;
      record = "";
    }
    record += line.endsWith("\n") ? line : `${line}\n`;
  }
  if (isThere()) {
    yield record;
  }
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

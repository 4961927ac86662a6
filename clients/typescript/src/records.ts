import { Problem, Unanswered } from "./problem.js";
import { LINES, sleep, TEXT, told, type Asking, type Requests } from "./requests.js";
import { Attempts } from "./retries.js";
import type { components, operations } from "./schema.js";
import { lines } from "./stream.js";

type Schemas = components["schemas"];
type Query = NonNullable<operations["export_games"]["parameters"]["query"]>;

/** Many values, now or over time. */
export type Many<T> = Iterable<T> | AsyncIterable<T>;
/** Records as strings, or the bytes of a file that the service splits into records. */
export type Records = Many<string> | Many<Uint8Array>;
/** The parts of a record's last position that verdicts contain. */
export interface Including {
  include?: readonly NonNullable<NonNullable<operations["validate_records"]["parameters"]["query"]>["include"]>[number][];
}
/** The merchant that judges the games of an analysis. */
export interface Judging {
  judge?: NonNullable<NonNullable<operations["analyse_records"]["parameters"]["query"]>["judge"]>;
}
/** Which games are exported, and in what order. */
export type ExportFilter = Omit<Query, "states" | "proofs">;

const MOST_RECORDS = 200;
const MOST_BYTES = 1 << 18;
/** Decodes each byte as one character. */
const latin1 = new TextDecoder("latin1");
/** Problems that stop a batch, but may not stop it the next time. */
const LATER: Schemas["Code"][] = ["busy", "cannot_write", "internal", "request_timeout", "too_many_requests", "unavailable"];

/** The request of an export, for errors. */
const EXPORT = { method: "GET", path: "/v1/export", accept: LINES };

/** The content of one request about many records. */
interface Batch {
  type: typeof LINES | typeof TEXT;
  body: string | Uint8Array;
  /** The number of line ends in it. */
  lines: number;
}

/** Sends records in batches and yields the result of each, in order. */
export async function* bulk<Row extends Schemas["RecordRow"] | Schemas["AnalysedRecord"] | Schemas["ImportRow"]>(
  requests: Requests,
  path: "/v1/validate/bulk" | "/v1/analysis/bulk" | "/v1/imports/bulk",
  records: Records,
  query: Pick<Including, "include"> | Judging,
  { signal }: Asking,
): AsyncGenerator<Row, void, undefined> {
  const attempts = new Attempts(requests.retries);
  // Counts of earlier batches.
  let [number, line] = [0, 0];
  for await (const { type, body, lines } of batches(records)) {
    const headers = { Accept: LINES, "Content-Type": type };
    let count = 0;
    for (let isDone = false; !isDone; ) {
      const asked = requests.POST(path, { params: { query: query as object }, body: body as string, bodySerializer: () => body, headers, parseAs: "text", signal });
      const answered = (await told(asked)).trimEnd().split("\n").map((row) => JSON.parse(row) as Row | { kind: "summary" } | Schemas["Stopped"]);
      const last = answered.pop();
      for (const row of (answered as Row[]).slice(count)) {
        if (row.error != null && type === TEXT) {
          // In JSON, the lines of each record count from 1.
          row.error.line += line;
        }
        yield { ...row, number: number + row.number, line: line + row.line };
      }
      isDone = last?.kind !== "stopped";
      if (isDone || answered.length > count) {
        attempts.restart();
      }
      if (last?.kind === "stopped") {
        const status = LATER.includes(last.code) ? 503 : 422;
        await sleep(attempts.failed(new Problem({ type: "about:blank", title: "Stopped", status, ...last })), signal);
      }
      count = Math.max(count, answered.length);
    }
    [number, line] = [number + count, line + lines];
  }
}

async function* batches(records: Records): AsyncGenerator<Batch, void, undefined> {
  if (typeof records === "string" || ArrayBuffer.isView(records)) {
    throw new TypeError("pass a list of records, a stream of the bytes of a file, or its bytes in a list");
  }
  let lines: string[] = [];
  let file: Uint8Array[] = [];
  let [size, enough] = [0, MOST_BYTES];
  for await (const record of records as Many<string | Uint8Array>) {
    if (typeof record === "string") {
      const line = `${JSON.stringify({ record })}\n`;
      if (lines.length >= MOST_RECORDS || (size > 0 && size + line.length > MOST_BYTES)) {
        yield ofLines(lines);
        [lines, size] = [[], 0];
      }
      lines.push(line);
      size += line.length;
    } else {
      for (let at = 0; at < record.length; at += MOST_BYTES) {
        const piece = record.subarray(at, at + MOST_BYTES);
        file.push(piece);
        size += piece.length;
        if (size >= enough) {
          const whole = joined(file, size);
          const cut = lastStart(whole);
          if (cut > 0) {
            yield ofFile(whole.subarray(0, cut));
          }
          [file, size] = [[whole.subarray(cut)], size - cut];
          enough = Math.max(MOST_BYTES, 2 * size);
        }
      }
    }
  }
  if (size > 0) {
    yield lines.length > 0 ? ofLines(lines) : ofFile(joined(file, size));
  }
}

function ofLines(lines: string[]): Batch {
  return { type: LINES, body: lines.join(""), lines: lines.length };
}

function ofFile(body: Uint8Array): Batch {
  return { type: TEXT, body, lines: latin1.decode(body).match(/\r\n|\r|\n/g)?.length ?? 0 };
}

/** Returns the start of the last line with `MKN/`, where a record always begins. The service finds the other records, so it splits the parts exactly
 * like the whole file. Returns 0 if only blank lines precede it, because those alone would count as a record. */
function lastStart(file: Uint8Array): number {
  const text = latin1.decode(file);
  const cut = Math.max(text.lastIndexOf("\nMKN/"), text.lastIndexOf("\rMKN/")) + 1;
  return text.slice(0, cut).trim() === "" ? 0 : cut;
}

function joined(parts: Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Yields the lines of an export, each once. Resumes after the last line if the connection breaks. Only a lack of progress times out. */
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

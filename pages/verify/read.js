// Recognises dropped, chosen or pasted texts: pieces of evidence, or what they are instead.

/** @typedef {{ kind: string, value?: any, name: string, values?: Record<string, string> }} Piece `proof`, `receipt`, `inclusion`, `keys`,
 * `digits`, or `other` with its kind in `value` */

const KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;

/** Recognises a JSON value.
 * @param {any} json
 * @returns {{ kind: string, value?: any, values?: Record<string, string> }} */
function readJson(json) {
  const other = (/** @type {string} */ value, values = {}) => ({ kind: "other", value, values });
  if (Array.isArray(json)) return other(json.every((one) => one?.words) ? "many" : "unknown");
  if (Array.isArray(json.words) && "anchor" in json && Array.isArray(json.seats)) return { kind: "proof", value: json };
  if (typeof json.checkpoint === "string" && Array.isArray(json.entries)) return { kind: "inclusion", value: json };
  if (Array.isArray(json.keys)) return { kind: "keys", value: json.keys.map((/** @type {any} */ one) => one?.key ?? one) };
  if (json.by && typeof json.entropy === "string" && json.receipt) return { kind: "receipt", value: json.receipt };
  if (Array.isArray(json.seats) && json.your_seat != null) return { kind: "receipt", value: json };
  if (typeof json.receipt === "string") return { kind: "receipt", value: json.receipt };
  if (json.code && json.status && json.title) return other("problem", { title: `${json.title}` });
  if (Array.isArray(json.seats)) return other("game");
  return other(json.words ? "record" : "unknown");
}

/** Recognises a text.
 * @param {string} name of the file
 * @param {string} raw
 * @returns {Piece} */
export function recognise(name, raw) {
  const text = raw.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").trim();
  const other = (/** @type {string} */ value) => ({ kind: "other", value, name });
  if (text === "") return other("empty");
  if (/[\0\ufffd]/.test(text.slice(0, 4096))) return other("binary");
  if (text.startsWith("<")) return other("html");
  if (/^MKN\//i.test(text)) return other("record");
  if (/^assam receipt 1\n/.test(text)) return text.includes("\n\n\u2014 ") ? { kind: "receipt", value: `${text}\n`, name } : other("unsigned");
  const lines = text.split("\n");
  if (lines.every((line) => KEY.test(line))) return { kind: "keys", value: lines, name };
  if (/^[0-9a-f]{64}$/i.test(text)) return { kind: "digits", value: text.toLowerCase(), name };
  if (/^[[{]/.test(text)) {
    try {
      return { ...readJson(JSON.parse(text)), name };
    } catch {
      if (lines.length > 1 && lines.every((line) => /^\{.*\}$/.test(line.trim()))) return other("many");
      return other("cut");
    }
  }
  return other(/[,;\t].*[,;\t]/.test(lines[0]) && lines.length > 1 ? "table" : "unknown");
}

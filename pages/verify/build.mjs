// Builds pages/verify.html, a self-contained page, from this folder, the style of all pages and the verifier. See scripts/verify-page.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = new URL("./", import.meta.url);
const root = new URL("../../", here);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const hash = (text, form) => createHash("sha256").update(text).digest(form);
const verifier = "clients/javascript/verify.js";

/** Returns a module with the texts of all languages, each key once. */
function table(codes) {
  const texts = codes.map((code) => JSON.parse(read(`pages/verify/${code}.json`)));
  // One string is shorter than lists.
  const rows = Object.keys(texts[0]).map((key) => [key, ...texts.map((one) => one[key])].join("|"));
  return `const rows = ${JSON.stringify(rows.join("\n"))}.split("\\n").map((row) => row.split("|"));
    const of = (n) => Object.fromEntries(rows.map((row) => [row[0], row[n]]));
    export const texts = { ${codes.map((code, n) => `${code}: of(${n + 1})`)} };`;
}

const target = "es2022";
const bundled = await build({
  entryPoints: [fileURLToPath(new URL("main.js", here))],
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  charset: "utf8",
  target,
  plugins: [{
    name: "parts",
    setup(of) {
      of.onResolve({ filter: /^\.\.\/verify\.js$/ }, () => ({ path: fileURLToPath(new URL(verifier, root)) }));
      of.onLoad({ filter: /texts\.js$/ }, () => ({ contents: table(["en", "de"]) }));
    },
  }],
});
// The first </script> would end the script, even inside a string.
const script = bundled.outputFiles[0].text.trim().replaceAll("</", "<\\/");
const [common] = read("pages/style.css").split("/* The frame of every page.");
const style = (await transform(common + read("pages/verify/look.css"), { loader: "css", minify: true, target })).code.trim();
const policy =
  `default-src 'none'; script-src 'sha256-${hash(script, "base64")}'; style-src 'sha256-${hash(style, "base64")}'; ` +
  "img-src data:; base-uri 'none'; form-action 'none'";
const own = readdirSync(here).filter((name) => !name.endsWith(".d.ts")).sort().map((name) => `pages/verify/${name}`);
const sources = hash([...own, "pages/style.css", verifier].map(read).join(""), "hex");
const parts = { POLICY: policy, STYLE: style, SCRIPT: script, SOURCES: sources };
const page = read("pages/verify/page.html").replace(/POLICY|STYLE|SCRIPT|SOURCES/g, (part) => parts[part]);
writeFileSync(new URL("pages/verify.html", root), page);

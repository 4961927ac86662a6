// Writes what is made of other files of the repository: `src/schema.ts`, the types of the OpenAPI document, and copies of the
// verifier and of the licences for the package. It runs before every build, so that none of these can be stale.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const { default: openapiTS, astToString } = await import("openapi-typescript").catch(({ code, message }) => {
  const isMissing = code === "ERR_MODULE_NOT_FOUND";
  console.error(isMissing ? "what builds the package is not installed: run `npm ci` first, in clients/typescript" : message);
  process.exit(1);
});

const root = new URL("../../", import.meta.url);
const here = new URL("./", import.meta.url);
const document = readFileSync(new URL("openapi/openapi.json", root));
// What may be left out of a request is what is not `required`: a default says only what it means then.
const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
const hash = createHash("sha256").update(document).digest("hex");

rmSync(new URL("dist", here), { recursive: true, force: true });
writeFileSync(
  new URL("src/schema.ts", here),
  `// Made from openapi/openapi.json by \`npm run build\`.\n\n` +
    `/** SHA-256 of the OpenAPI document that these types were made from. */\n` +
    `export const documentHash = "${hash}";\n\n${types}`,
);
// The verifier is plain JavaScript: the package has it as it is, and the compiler sees its types alone.
const verifier = new URL("clients/javascript/", root);
mkdirSync(new URL("dist", here));
copyFileSync(new URL("verify.d.ts", verifier), new URL("src/verify.d.ts", here));
for (const file of ["verify.js", "verify.d.ts"]) {
  copyFileSync(new URL(file, verifier), new URL(`dist/${file}`, here));
}
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(new URL(licence, root), new URL(licence, here));
}

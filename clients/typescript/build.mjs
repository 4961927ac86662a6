// Writes what is made of other files of the repository: `src/schema.ts`, the types of the OpenAPI document, and copies of the
// verifier and of the licences for the package. It runs before every build, so that none of these can be stale.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const root = new URL("../../", import.meta.url);
const here = new URL("./", import.meta.url);
const document = readFileSync(new URL("openapi/openapi.json", root));
const types = astToString(await openapiTS(document));
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

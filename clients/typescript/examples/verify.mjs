// Verifies proofs in files, as `GET /v1/games/{id}/proof` returns them:
//
//     node verify.mjs proof.json ..

import { readFile } from "node:fs/promises";
import { verify } from "assam-client";

for (const file of process.argv.slice(2)) {
  try {
    const { verified, notVerified } = await verify(JSON.parse(await readFile(file, "utf8")));
    for (const line of verified) console.log(`${file}: ${line}`);
    for (const line of notVerified) console.log(`${file}: not verified: ${line}`);
  } catch (error) {
    console.log(`${file}: REFUSED: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

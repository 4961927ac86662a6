// The verdicts on the files of a folder: `node verdicts.mjs ADDRESS FOLDER` writes a line of JSON for each record, with the name of its file.

import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { Assam } from "assam-client";

const [address, folder] = process.argv.slice(2);
const reader = new Assam(address);
for (const file of readdirSync(folder).sort()) {
  for await (const verdict of reader.validateRecords(createReadStream(join(folder, file), { highWaterMark: 999 }))) {
    console.log(JSON.stringify({ ...verdict, file }));
  }
}

// Takes the last seat of a game at an address, plays to the end by resigning, and verifies the proof; says where something was noticed.

import { Assam, newSecret } from "assam-client";

const [address, id] = process.argv.slice(2);
const assam = new Assam(address, { secret: newSecret() });
try {
  const game = await assam.join(id);
  try {
    await game.resign();
    console.log((await game.verify()).verified.join("\n"));
  } catch (error) {
    console.log(`as the game is verified: ${error.message}`);
  }
} catch (error) {
  console.log(`as the seat is taken: ${error.message}`);
}

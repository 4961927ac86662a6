// The page of a game.

import { startPage } from "./page.js";

startPage();

// The page for addresses at which there is nothing.

import { startPage } from "./page.js";

startPage();

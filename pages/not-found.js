// The page for unknown addresses.

import { startPage } from "./page.js";

startPage();

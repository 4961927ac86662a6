// The page of the rules.

import { startPage } from "./page.js";

startPage();

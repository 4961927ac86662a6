// The page that checks records.

import { startPage } from "./page.js";

startPage();

// The first page.

import { startPage } from "./page.js";

startPage();

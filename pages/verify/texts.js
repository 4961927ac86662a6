// The texts of the page, by language. The build writes each key once.

import de from "./de.json";
import en from "./en.json";

/** @type {Record<string, Record<string, string>>} */
export const texts = { en, de };

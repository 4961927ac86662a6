// The shared worker of all tabs of a browser.

import { connect } from "./hub.js";

addEventListener("connect", (event) => connect(/** @type {MessageEvent} */ (event).ports[0]));

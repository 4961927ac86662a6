// The worker that all tabs of a browser share.

import { connect } from "./hub.js";

addEventListener("connect", (event) => connect(/** @type {MessageEvent} */ (event).ports[0]));

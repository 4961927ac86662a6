// Where the service is: at the root of its host, or below a path of a proxy.

const BASE = new URL("..", import.meta.url);

/** Returns the address of something that the service has.
 * @param {string} path as the service names it, from `/` on
 * @returns {string} */
export function at(path) {
  return new URL(`.${path}`, BASE).href;
}

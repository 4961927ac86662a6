// Resolves addresses, whether the service is at the root of its host or below a path of a proxy.

const BASE = new URL("..", import.meta.url);

/** Returns the address of a path of the service.
 * @param {string} path from `/` on
 * @returns {string} */
export function at(path) {
  return new URL(`.${path}`, BASE).href;
}

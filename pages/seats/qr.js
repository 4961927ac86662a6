// QR codes as in ISO/IEC 18004: byte mode, error correction M, versions 1 to 10.

/** Error correction codewords in each block, by version. */
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];

/** Blocks, by version. */
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];

/** All codewords, by version. */
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];

/** Second and third coordinate of the alignment patterns, by version. The first is 6. */
const ALIGNED = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]];

/** The eight masks: whether they invert a module.
 * @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Powers of 2 in the field of 256 elements, and their logarithms. */
const POWER = new Uint8Array(255);
const LOGARITHM = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  POWER[exponent] = value;
  LOGARITHM[value] = exponent;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}

/** @param {number} one @param {number} other */
const times = (one, other) =>
  one === 0 || other === 0 ? 0 : POWER[(LOGARITHM[one] + LOGARITHM[other]) % 255];

/** Returns the error correction codewords of a block: its remainder modulo the generator polynomial.
 * @param {number[]} block
 * @param {number} count */
function checksOf(block, count) {
  let generator = [1];
  for (let exponent = 0; exponent < count; exponent += 1) {
    const shifted = [...generator, 0];
    generator.forEach((value, place) => (shifted[place + 1] ^= times(value, POWER[exponent])));
    generator = shifted;
  }
  const rest = [...block, ...Array(count).fill(0)];
  for (let place = 0; place < block.length; place += 1) {
    const factor = rest[place];
    generator.forEach((value, offset) => (rest[place + offset] ^= times(value, factor)));
  }
  return rest.slice(block.length);
}

/** Returns all codewords in the order of their placement.
 * @param {Uint8Array} bytes
 * @param {number} version */
function codewords(bytes, version) {
  const [checks, blocks] = [CHECKS[version - 1], BLOCKS[version - 1]];
  const room = CODEWORDS[version - 1] - checks * blocks;
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0");
  const data = [...bytes].map((byte) => byte.toString(2).padStart(8, "0"));
  // Byte mode, the count, the bytes, and the terminator, which fills its codeword.
  const bits = ["0100", length, ...data].join("") + "0000";
  const words = (bits.slice(0, room * 8).match(/.{1,8}/g) ?? []).map((word) => parseInt(word.padEnd(8, "0"), 2));
  for (let padding = 0xec; words.length < room; padding ^= 0xec ^ 0x11) words.push(padding);
  const shorter = Math.floor(room / blocks);
  const parts = [];
  for (let block = 0, from = 0; block < blocks; block += 1) {
    const to = from + shorter + (block < blocks - (room % blocks) ? 0 : 1);
    parts.push(words.slice(from, to));
    from = to;
  }
  const corrections = parts.map((part) => checksOf(part, checks));
  const interleaved = [parts, corrections].flatMap((lists) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, place) =>
      lists.filter((list) => place < list.length).map((list) => list[place]),
    ).flat(),
  );
  return interleaved;
}

/** Returns a number followed by its check bits: its remainder modulo a polynomial.
 * @param {number} value
 * @param {number} polynomial
 * @param {number} degree */
function withChecks(value, polynomial, degree) {
  let rest = value << degree;
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit -= 1) {
    if ((rest >> bit) & 1) rest ^= polynomial << (bit - degree);
  }
  return (value << degree) | rest;
}

/** Draws the fixed patterns of a version, and marks the modules that are not for data.
 * @param {number} version */
function patterns(version) {
  const size = 17 + 4 * version;
  const dark = Array.from({ length: size }, () => Array(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array(size).fill(false));
  /** @param {number} row @param {number} column @param {boolean} isDark */
  const put = (row, column, isDark) => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    dark[row][column] = isDark;
    fixed[row][column] = true;
  };
  /** @param {number} row @param {number} column @param {number} radius */
  const rings = (row, column, radius) => {
    for (let down = -radius; down <= radius; down += 1) {
      for (let right = -radius; right <= radius; right += 1) {
        const ring = Math.max(Math.abs(down), Math.abs(right));
        put(row + down, column + right, ring !== 4 && ring !== (radius === 2 ? 1 : 2));
      }
    }
  };
  for (let place = 0; place < size; place += 1) {
    put(6, place, place % 2 === 0);
    put(place, 6, place % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) rings(row, column, 4);
  const places = [6, ...ALIGNED[version - 1]];
  const last = places[places.length - 1];
  for (const row of places) {
    for (const column of places) {
      const isCorner = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      if (!isCorner) rings(row, column, 2);
    }
  }
  putFormat(put, size, 0);
  if (version >= 7) {
    const bits = withChecks(version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit += 1) {
      const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
      put(near, far, ((bits >> bit) & 1) === 1);
      put(far, near, ((bits >> bit) & 1) === 1);
    }
  }
  return { size, dark, fixed, put };
}

/** Places level and mask next to the finder patterns, twice, and the module that is always dark.
 * @param {(row: number, column: number, isDark: boolean) => void} put
 * @param {number} size
 * @param {number} mask */
function putFormat(put, size, mask) {
  const bits = withChecks(mask, 0x537, 10) ^ 0x5412; // level M is 00
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((bits >> bit) & 1) === 1;
    if (bit < 8) put(bit < 6 ? bit : bit + 1, 8, isDark);
    else put(8, bit === 8 ? 7 : 14 - bit, isDark);
    if (bit < 8) put(8, size - 1 - bit, isDark);
    else put(size - 15 + bit, 8, isDark);
  }
  put(size - 8, 8, true);
}

/** Places the codewords bit by bit, in pairs of columns from the right, alternately upwards and downwards.
 * @param {ReturnType<typeof patterns>} code
 * @param {number[]} words */
function place({ size, dark, fixed }, words) {
  let bit = 0;
  for (let pair = size - 1, isUp = true; pair > 0; pair -= 2, isUp = !isUp) {
    if (pair === 6) pair = 5; // the column of the timing pattern
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [pair, pair - 1]) {
        if (fixed[row][column]) continue;
        dark[row][column] = bit < words.length * 8 && ((words[bit >> 3] >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
    }
  }
}

/** Returns the penalty of a code by the four rules of the standard.
 * @param {boolean[][]} dark */
function penalty(dark) {
  const size = dark.length;
  const rows = dark.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
  const columns = dark.map((_, column) => dark.map((row) => (row[column] ? "1" : "0")).join(""));
  let points = 0;
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    for (let from = 0; from + 11 <= size; from += 1) {
      if (/^(10111010000|00001011101)$/.test(line.slice(from, from + 11))) points += 40;
    }
  }
  for (let row = 1; row < size; row += 1) {
    for (let column = 1; column < size; column += 1) {
      const block = rows[row - 1].slice(column - 1, column + 1) + rows[row].slice(column - 1, column + 1);
      if (block === "0000" || block === "1111") points += 3;
    }
  }
  const share = (rows.join("").replaceAll("0", "").length * 100) / (size * size);
  return points + 10 * Math.floor(Math.abs(share - 50) / 5);
}

/** Returns the QR code of a text as rows of modules, true for dark, in the smallest version that fits. The quiet zone of four
 * modules is not included.
 * @param {string} text
 * @returns {boolean[][]}
 * @throws {RangeError} if the text has more than 213 bytes */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const fits = (/** @type {number} */ version) =>
    bytes.length + (version < 10 ? 2 : 3) <= CODEWORDS[version - 1] - CHECKS[version - 1] * BLOCKS[version - 1];
  const version = CODEWORDS.findIndex((_, index) => fits(index + 1)) + 1;
  if (version === 0) throw new RangeError(`a text of ${bytes.length} bytes: a QR code has room for 213`);
  const code = patterns(version);
  place(code, codewords(bytes, version));
  const masked = MASKS.map((isTurned, mask) => {
    const dark = code.dark.map((row, y) => row.map((isDark, x) => isDark !== (!code.fixed[y][x] && isTurned(y, x))));
    putFormat((row, column, isDark) => (dark[row][column] = isDark), code.size, mask);
    return { dark, penalty: penalty(dark) };
  });
  return masked.reduce((best, next) => (next.penalty < best.penalty ? next : best)).dark;
}

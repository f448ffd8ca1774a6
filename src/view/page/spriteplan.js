// SPDX-License-Identifier: BSD-3-Clause
// Which rows have room for a picture: in an order of importance every row whose picture would lie on none that is there
// already. Where many rows are, the picture says little of the others; magnified, they have theirs. O(N): pictures are found
// by cells of their own size, of which a picture can touch nine.

const HASH_BITS = 18;

// Cells that hold a picture, by their two numbers: open addressing.
function makeCells() {
  const size = 1 << HASH_BITS, xs = new Int32Array(size), ys = new Int32Array(size), rows = new Int32Array(size).fill(-1);
  const slot = (cx, cy) => {
    let at = (Math.imul(cx, 0x9e3779b1) ^ Math.imul(cy, 0x85ebca6b)) >>> (32 - HASH_BITS);
    while (rows[at] >= 0 && (xs[at] !== cx || ys[at] !== cy)) at = (at + 1) & (size - 1);
    return at;
  };
  return {
    get: (cx, cy) => rows[slot(cx, cy)],
    put(cx, cy, row) {
      const at = slot(cx, cy);
      xs[at] = cx;
      ys[at] = cy;
      rows[at] = row;
    },
  };
}

const MOST_PICTURES = 1 << (HASH_BITS - 1); // so that cells are found at once

// order: rows, the most important first; x and y: where they are; width and height: of a picture, in the same units.
export function rowsWithRoom(order, x, y, width, height) {
  const cells = makeCells(), found = [];
  const free = (row, cx, cy) => {
    for (let a = cx - 1; a <= cx + 1; a++)
      for (let b = cy - 1; b <= cy + 1; b++) {
        const other = cells.get(a, b);
        if (other >= 0 && Math.abs(x[other] - x[row]) < width && Math.abs(y[other] - y[row]) < height) return false;
      }
    return true;
  };
  for (const row of order) {
    if (!Number.isFinite(x[row]) || !Number.isFinite(y[row]) || found.length === MOST_PICTURES) continue;
    const cx = Math.floor(x[row] / width), cy = Math.floor(y[row] / height);
    if (!free(row, cx, cy)) continue;
    cells.put(cx, cy, row);
    found.push(row);
  }
  return found;
}

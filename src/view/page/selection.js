// SPDX-License-Identifier: BSD-3-Clause
// Rows that are marked: rows, their places in ascending order, and has, a byte for each row of the page. A selection is
// never changed, a new one takes its place.

function fromMask(has) {
  let count = 0;
  for (let i = 0; i < has.length; i++) count += has[i];
  const rows = new Uint32Array(count);
  for (let i = 0, k = 0; i < has.length; i++) if (has[i]) rows[k++] = i;
  return { rows, has };
}

// Of all the rows of a page, those listed; what is no row of it is passed over.
export function selectionOf(count, rows) {
  const has = new Uint8Array(count);
  for (const row of rows) if (row >= 0 && row < count) has[row] = 1;
  return fromMask(has);
}

// What has just been caught takes the place of the selection, or is put to it, taken from it, or cuts it.
const HOW = {
  replace: (_, b) => b,
  add: (a, b) => a | b,
  subtract: (a, b) => a & (b ^ 1),
  intersect: (a, b) => a & b,
};

export function combine(selection, caught, how) {
  const both = HOW[how];
  return fromMask(selection.has.map((a, i) => both(a, caught.has[i])));
}

export function invert(selection) {
  return fromMask(selection.has.map((a) => a ^ 1));
}

// What the keys held mean while rows are caught: Shift adds, Alt takes away, both keep what is in both.
export function howOf(event) {
  if (event.shiftKey && event.altKey) return "intersect";
  return event.shiftKey ? "add" : event.altKey ? "subtract" : "replace";
}

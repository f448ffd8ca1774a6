// SPDX-License-Identifier: BSD-3-Clause
// From one row to the next by their numbers: on the page they lie in the order of a sample.

// walk(1) looks at the next row, walk(-1) at the one before, and gives it.
export function makeWalk(data, state) {
  let byNumber = null;
  return (by) => {
    const row = state.get("focus");
    if (!byNumber) byNumber = d3.range(data.count).sort((a, b) => data.number[a] - data.number[b]);
    const next = byNumber[row < 0 ? (by > 0 ? 0 : data.count - 1) : (byNumber.indexOf(row) + by + data.count) % data.count];
    state.set("focus", next);
    return next;
  };
}

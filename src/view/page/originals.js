// SPDX-License-Identifier: BSD-3-Clause
// Rows as they were, all D columns of them, where the page has them whole: src/view/report_originals.c wrote them behind the
// scripts, so they are there only when all of the page is. A block of rows is unpacked when one of them is asked for.
//
// This is one provider of rows. Everything else in the page knows a provider by four things alone, and another one may
// fetch its rows from anywhere:
//
//     ready          a promise: count and text are known
//     count          the first so many rows of the page can be had
//     get(row)       a promise of its cells as a Float64Array, NaN where one is missing; of null where it cannot be had
//     each(visit)    calls visit(row, cells) for all that can be had; a promise, which visit may end by returning false
import { bytesOf, fromMean } from "./data.js";

const BLOCKS = 24; // that are kept unpacked

// Raw deflate in base64.
export async function unpack(base64) {
  const packed = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

// Floats stand with their first bytes together, then their second ones, and so on.
function joinFloats(bytes) {
  const count = bytes.length / 4, joined = new Uint8Array(bytes.length);
  for (let k = 0; k < 4; k++) for (let i = 0; i < count; i++) joined[4 * i + k] = bytes[k * count + i];
  return new Float32Array(joined.buffer);
}

function whenLoaded() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
}

export function embeddedOriginals(model) {
  const d = model.d, unpacked = new Map();
  let head = { count: 0, block: 1, cells: "u8" }, lines = [];
  const provider = { count: 0, ready: null, get: null, each: null };
  provider.ready = whenLoaded().then(() => {
    lines = document.getElementById("originals").textContent.split("\n");
    if (lines[0]) head = JSON.parse(lines[0]);
    provider.count = head.count;
  });

  async function block(b) {
    const bytes = await unpack(lines[b + 1]);
    return head.cells === "u8" ? bytes : joinFloats(bytes);
  }
  // The last ones that were asked for stay.
  function kept(b) {
    const found = unpacked.get(b) || block(b);
    unpacked.delete(b);
    unpacked.set(b, found);
    if (unpacked.size > BLOCKS) unpacked.delete(unpacked.keys().next().value);
    return found;
  }
  // Of images the values themselves, else what they are more than the mean.
  function cells(values, at) {
    const row = values.subarray(at * d, (at + 1) * d);
    const made = new Float64Array(row);
    if (model.imageRows === 0) for (let c = 0; c < d; c++) made[c] = fromMean(model.mean[c], row[c]);
    return made;
  }
  provider.get = async (row) => {
    await provider.ready;
    if (row >= provider.count) return null;
    return cells(await kept(Math.floor(row / head.block)), row % head.block);
  };
  provider.each = async (visit) => {
    await provider.ready;
    for (let first = 0; first < provider.count; first += head.block) {
      const values = await block(first / head.block), last = Math.min(first + head.block, provider.count);
      for (let row = first; row < last; row++) if (visit(row, cells(values, row - first)) === false) return;
    }
  };
  return provider;
}

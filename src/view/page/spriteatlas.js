// SPDX-License-Identifier: BSD-3-Clause
// Small pictures of rows, side by side in one canvas, from which they are copied: images as they were, or as the components
// rebuild them where the page does not hold them; else bars of the columns that components say most about, up for above the
// mean. The pictures that were wanted last stay.
import { cellOf } from "./data.js";
import { barColumns } from "./picture.js";
import { pixelsOfRow } from "./thumbnail.js";

const ACROSS = 48, SLOTS = 48 * 48, LONGEST = 30, BARS = 8, FARTHEST = 2; // FARTHEST: standard deviations

export const spriteColumns = (data) => barColumns(data, BARS);

// In pixels of the page.
export function spriteSize(data) {
  const { imageRows, imageCols } = data.model;
  if (imageRows === 0) return { width: 4 * spriteColumns(data).length + 3, height: 23 };
  const scale = LONGEST / Math.max(imageRows, imageCols);
  return { width: Math.max(4, Math.round(imageCols * scale)), height: Math.max(4, Math.round(imageRows * scale)) };
}

function imageOf(data, x) {
  const { imageRows, imageCols } = data.model, { low, high } = data, step = high > low ? 255 / (high - low) : 0;
  const made = new OffscreenCanvas(imageCols, imageRows), context = made.getContext("2d"), image = context.createImageData(imageCols, imageRows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (255 << 24) | (Math.max(0, Math.min(255, Math.round((x[i] - low) * step))) * 0x10101);
  context.putImageData(image, 0, 0);
  return made;
}

function drawRowBars(context, data, columns, row, at, style) {
  const { model, which } = data, bar = (at.width - 2) / columns.length, middle = at.top + at.height / 2, half = at.height / 2 - 1;
  context.fillStyle = style.ground;
  context.fillRect(at.left, at.top, at.width, at.height);
  columns.forEach((c, k) => {
    const far = (cellOf(data, row, which.indexOf(c)) - model.mean[c]) / (model.sd[c] || 1);
    if (Number.isNaN(far)) return;
    const long = (Math.min(Math.abs(far), FARTHEST) / FARTHEST) * half;
    context.fillStyle = far < 0 ? style.below : style.above;
    context.fillRect(at.left + 1 + k * bar, far < 0 ? middle : middle - long, 0.8 * bar, long);
  });
  context.fillStyle = style.line;
  context.fillRect(at.left, middle - 0.5, at.width, 1);
}

// take(rows, m, arrived) begins to make what is missing, and calls arrived from time to time; draw(context, row, left, top)
// copies a picture, and is false while there is none.
export function makeAtlas(data, ratio, style) {
  const size = spriteSize(data), width = Math.round(size.width * ratio), height = Math.round(size.height * ratio);
  const canvas = new OffscreenCanvas(ACROSS * width, (SLOTS / ACROSS) * height), context = canvas.getContext("2d");
  const columns = data.model.imageRows > 0 ? [] : spriteColumns(data), slots = new Map(), rebuilt = new Set();
  let latest = 0, madeFor = -1;
  const placeIn = (slot) => ({ left: (slot % ACROSS) * width, top: Math.floor(slot / ACROSS) * height, width, height });
  // A free one, or that of the row that was not wanted for longest.
  const slotFor = (row) => {
    let slot = slots.size;
    if (slots.size === SLOTS) {
      const [oldest] = slots.keys();
      slot = slots.get(oldest);
      slots.delete(oldest);
    }
    slots.set(row, slot);
    return placeIn(slot);
  };
  const makeImage = async (row, m, turn) => {
    const found = await pixelsOfRow(data, row, m);
    if (!found || turn !== latest) return;
    const at = slotFor(row);
    if (found.own) rebuilt.delete(row);
    else rebuilt.add(row);
    context.drawImage(imageOf(data, found.x), at.left, at.top, width, height);
  };
  async function take(rows, m, arrived) {
    const turn = ++latest;
    if (m !== madeFor) for (const row of rebuilt) slots.delete(row); // M has changed what they look like
    madeFor = m;
    const wanted = rows.slice(0, SLOTS), missing = [];
    for (const row of wanted) {
      const slot = slots.get(row);
      if (slot === undefined) missing.push(row);
      else slots.delete(row), slots.set(row, slot); // wanted again
    }
    missing.sort((a, b) => a - b); // rows of a block are unpacked together
    let last = performance.now();
    for (const row of missing) {
      if (data.model.imageRows > 0) await makeImage(row, m, turn);
      else drawRowBars(context, data, columns, row, slotFor(row), style);
      if (turn !== latest) return;
      if (performance.now() - last < 60) continue;
      arrived();
      last = performance.now();
    }
    if (missing.length > 0) arrived();
  }
  return {
    take,
    size,
    rebuilt: (rows) => rows.filter((row) => rebuilt.has(row)).length,
    has: (row) => slots.has(row),
    draw(onto, row, left, top) {
      const slot = slots.get(row);
      if (slot === undefined) return false;
      const at = placeIn(slot);
      onto.drawImage(canvas, at.left, at.top, width, height, left, top, width, height);
      return true;
    },
  };
}

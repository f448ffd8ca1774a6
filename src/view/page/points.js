// SPDX-License-Identifier: BSD-3-Clause
// Many points at once: each is a small stamp of its shape, put straight into the pixels of one image. 60 000 of them take a few
// milliseconds, where as many calls of a drawing interface would take a frame each.

import { SHAPES } from "./palette.js";

const FINE = 4; // samples of a pixel, each way

export function insidePolygon(corners, x, y) {
  let odd = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [xi, yi] = corners[i], [xj, yj] = corners[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

// How much of the pixel at x, y a mark covers, 0 to 1.
function coverOf(corners, radius, x, y) {
  if (!corners) return Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(x, y)));
  let hits = 0;
  for (let a = 0; a < FINE; a++)
    for (let b = 0; b < FINE; b++) hits += insidePolygon(corners, (x + (a + 0.5) / FINE - 0.5) / radius, (y + (b + 0.5) / FINE - 0.5) / radius);
  return hits / (FINE * FINE);
}

function ringCover(radius, x, y) {
  return Math.max(0, Math.min(1, 1.4 - Math.abs(Math.hypot(x, y) - radius)));
}

// Offsets from the centre's pixel and how much of each pixel is covered, in 256ths.
function makeStamp(coverAt, reach, width, strength) {
  const offsets = [], covers = [];
  for (let y = -reach; y <= reach; y++)
    for (let x = -reach; x <= reach; x++) {
      const cover = coverAt(x, y);
      if (cover <= 0.02) continue;
      offsets.push(y * width + x);
      covers.push(Math.round(256 * cover * strength));
    }
  return { reach, offsets: Int32Array.from(offsets), covers: Int32Array.from(covers) };
}

function putStamp(pixels, at, { offsets, covers }, colour) {
  const rb = colour & 0xff00ff, g = colour & 0x00ff00, size = offsets.length;
  for (let s = 0; s < size; s++) {
    const cover = covers[s], rest = 256 - cover;
    const old = pixels[at + offsets[s]];
    const newRb = ((Math.imul(rb, cover) + Math.imul(old & 0xff00ff, rest)) >>> 8) & 0xff00ff;
    const newG = ((Math.imul(g, cover) + Math.imul(old & 0x00ff00, rest)) >>> 8) & 0x00ff00;
    pixels[at + offsets[s]] = 0xff000000 | newRb | newG;
  }
}

// points: x and y, places in pixels before they are multiplied by k and moved by dx, dy; colours, packed, a point each, 0
// for those that are hidden; shapes, numbers in SHAPES, or null; above, points that are drawn once more in the end;
// ringed, points with a ring around them. look: strength, how much a stamp covers, 0 to 1; ringColour; ground, or under: pixels that points are drawn on; left to bottom, the
// pixels that centres of points may have.
export function drawPoints(context, width, height, points, look) {
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  if (look.under) pixels.set(look.under);
  else pixels.fill(look.ground);
  const reach = Math.ceil(1.2 * look.radius + 0.5), around = look.radius + 3;
  const stamps = SHAPES.map((corners) => makeStamp((x, y) => coverOf(corners, look.radius, x, y), reach, width, look.strength));
  const ring = makeStamp((x, y) => ringCover(around, x, y), Math.ceil(around + 2), width, 1);
  const { x, y, colours, shapes, count, k, dx, dy } = points;
  const put = (i, stamp, colour) => {
    const px = Math.round(x[i] * k + dx), py = Math.round(y[i] * k + dy), far = stamp.reach;
    const inside = px >= Math.max(far, look.left) && py >= Math.max(far, look.top) && px <= Math.min(width - far - 1, look.right) && py <= Math.min(height - far - 1, look.bottom);
    if (inside && colours[i] !== 0) putStamp(pixels, py * width + px, stamp, colour);
  };
  for (let i = 0; i < count; i++) put(i, stamps[shapes ? shapes[i] : 0], colours[i]);
  for (const i of points.above || []) put(i, stamps[shapes ? shapes[i] : 0], colours[i]);
  for (const i of points.ringed || []) put(i, ring, look.ringColour);
  context.putImageData(image, 0, 0);
}

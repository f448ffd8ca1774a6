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

// Offsets from the centre's pixel and how much of each pixel the mark covers, in 256ths.
function makeStamp(corners, radius, width, strength) {
  const reach = Math.ceil(1.2 * radius + 0.5), offsets = [], covers = [];
  for (let y = -reach; y <= reach; y++)
    for (let x = -reach; x <= reach; x++) {
      const cover = coverOf(corners, radius, x, y);
      if (cover <= 0.02) continue;
      offsets.push(y * width + x);
      covers.push(Math.round(256 * cover * strength));
    }
  return { reach, offsets: Int32Array.from(offsets), covers: Int32Array.from(covers) };
}

// x, y: places in pixels; colours: packed, a point each; shapes: numbers in SHAPES, or null; above: points that are drawn once more in the end; strength: how much a stamp covers, 0 to 1; left to bottom: the
// pixels that centres of points may have.
export function drawPoints(context, width, height, points, look) {
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(look.ground);
  const stamps = SHAPES.map((corners) => makeStamp(corners, look.radius, width, look.strength)), { reach } = stamps[0];
  const { x, y, colours, shapes, count, k, dx, dy } = points;
  const left = Math.max(reach, look.left), top = Math.max(reach, look.top);
  const right = Math.min(width - reach - 1, look.right), bottom = Math.min(height - reach - 1, look.bottom);
  const above = points.above || [];
  for (let n = 0; n < count + above.length; n++) {
    const i = n < count ? n : above[n - count];
    const px = Math.round(x[i] * k + dx), py = Math.round(y[i] * k + dy);
    if (!(px >= left && py >= top && px <= right && py <= bottom)) continue;
    const at = py * width + px;
    const colour = colours[i];
    if (colour === 0) continue; // hidden
    const { offsets, covers } = stamps[shapes ? shapes[i] : 0], size = offsets.length;
    const rb = colour & 0xff00ff, g = colour & 0x00ff00;
    for (let s = 0; s < size; s++) {
      const cover = covers[s], rest = 256 - cover;
      const old = pixels[at + offsets[s]];
      const newRb = ((Math.imul(rb, cover) + Math.imul(old & 0xff00ff, rest)) >>> 8) & 0xff00ff;
      const newG = ((Math.imul(g, cover) + Math.imul(old & 0x00ff00, rest)) >>> 8) & 0x00ff00;
      pixels[at + offsets[s]] = 0xff000000 | newRb | newG;
    }
  }
  context.putImageData(image, 0, 0);
}

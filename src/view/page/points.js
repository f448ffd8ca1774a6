// SPDX-License-Identifier: BSD-3-Clause
// Many points at once: each is a small round stamp, put straight into the pixels of one image. 60 000 of them take a few
// milliseconds, where as many calls of a drawing interface would take a frame each.

// Offsets from the centre's pixel and how much of each pixel the disc covers, in 256ths.
function makeStamp(radius) {
  const reach = Math.ceil(radius + 0.5);
  const stamp = [];
  for (let y = -reach; y <= reach; y++)
    for (let x = -reach; x <= reach; x++) {
      const cover = Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(x, y)));
      if (cover > 0.02) stamp.push({ x, y, cover });
    }
  return { reach, stamp };
}

// x, y: places in pixels; colours: packed, a point each; strength: how much a stamp covers, 0 to 1; left to bottom: the
// pixels that centres of points may have.
export function drawPoints(context, width, height, points, look) {
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(look.ground);
  const { reach, stamp } = makeStamp(look.radius);
  const offsets = Int32Array.from(stamp, (s) => s.y * width + s.x);
  const covers = Int32Array.from(stamp, (s) => Math.round(256 * s.cover * look.strength));
  const size = offsets.length;
  const { x, y, colours, count, k, dx, dy } = points;
  const left = Math.max(reach, look.left), top = Math.max(reach, look.top);
  const right = Math.min(width - reach - 1, look.right), bottom = Math.min(height - reach - 1, look.bottom);
  for (let i = 0; i < count; i++) {
    const px = Math.round(x[i] * k + dx), py = Math.round(y[i] * k + dy);
    if (!(px >= left && py >= top && px <= right && py <= bottom)) continue;
    const at = py * width + px;
    const colour = colours[i];
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

// SPDX-License-Identifier: BSD-3-Clause
// Points of three numbers seen from afar, without perspective: a unit is as long along all three, and parallel lines stay
// parallel. First they turn around the second axis, which stands upright, then that tips towards whoever looks:
//
//     x′ = x cos θ + z sin θ,   z′ = z cos θ − x sin θ,   y″ = y cos φ − z′ sin φ,   depth = y sin φ + z′ cos φ
//
// where more depth is nearer. At θ = φ = 0 the first two are the plane of the picture.

export function turner(turn, tip) {
  const ct = Math.cos(turn), st = Math.sin(turn), cp = Math.cos(tip), sp = Math.sin(tip);
  return (x, y, z) => {
    const back = z * ct - x * st;
    return [x * ct + z * st, y * cp - back * sp, y * sp + back * cp];
  };
}

// The middle of what three codes reach, and how far from it the farthest row is.
export function reachOf(codes) {
  const middle = codes.map((code) => {
    const [low, high] = d3.extent(code);
    return (low + high) / 2;
  });
  let farthest = 0;
  for (let i = 0; i < codes[0].length; i++) farthest = Math.max(farthest, codes.reduce((sum, code, k) => sum + (code[i] - middle[k]) ** 2, 0));
  return { middle, farthest: Math.sqrt(farthest) || 1 };
}

const STEPS_OF_DEPTH = 256, HAZE = 0.45; // how much of its colour what is farthest loses

// A colour for each depth step between that of a point and the ground.
function hazy(pixel, ground, share) {
  const mix = (shift) => Math.round(((pixel >> shift) & 255) * (1 - share) + ((ground >> shift) & 255) * share) << shift;
  return ((255 << 24) | mix(16) | mix(8) | mix(0)) >>> 0;
}

// The points from the farthest to the nearest, marked ones after all others; what is far is pale. depth: from -1 to 1.
export function arrangeByDepth({ x, y, depth }, { paint, shapes, marked, ground }) {
  const count = x.length, bucket = new Uint16Array(count), starts = new Uint32Array(2 * STEPS_OF_DEPTH + 1);
  for (let i = 0; i < count; i++) {
    const step = Math.max(0, Math.min(STEPS_OF_DEPTH - 1, Math.floor(((depth[i] + 1) / 2) * STEPS_OF_DEPTH)));
    bucket[i] = step + (marked[i] ? STEPS_OF_DEPTH : 0);
    starts[bucket[i] + 1]++;
  }
  for (let b = 0; b < 2 * STEPS_OF_DEPTH; b++) starts[b + 1] += starts[b];
  const arranged = { x: new Float32Array(count), y: new Float32Array(count), colours: new Uint32Array(count), shapes: shapes && new Uint8Array(count) };
  const mixed = new Map(); // colours by what they are made of: there are few
  for (let i = 0; i < count; i++) {
    const at = starts[bucket[i]]++, step = bucket[i] % STEPS_OF_DEPTH >> 4, key = paint[i] * 16 + step;
    arranged.x[at] = x[i];
    arranged.y[at] = y[i];
    if (shapes) arranged.shapes[at] = shapes[i];
    if (paint[i] === 0) continue;
    let colour = mixed.get(key);
    if (colour === undefined) mixed.set(key, (colour = hazy(paint[i], ground, (HAZE * (15 - step)) / 15)));
    arranged.colours[at] = colour;
  }
  return arranged;
}

// SPDX-License-Identifier: BSD-3-Clause
// Names at the ends of arrows, where they lie on no other name and on no arrowhead: the first place that is free, of some
// around each end, the nearest first and outwards first; one that is on another arrow only where there is none beside them.
// What is farther off gets a line to its arrow; what finds no place is left out.
import { widthOf } from "./format.js";

const TALL = 14, APART = 5, CLEAR = 5, LEADER_FROM = 26;
const AWAY = [9, 20, 34, 52, 74], TURNS = [0, 0.35, -0.35, 0.75, -0.75, 1.2, -1.2, 1.7, -1.7];

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// The middle of a box of that width which lies so far from an end, in some direction.
function beside([x, y], angle, away, width) {
  const ux = Math.cos(angle), uy = Math.sin(angle);
  return [x + ux * (away + width / 2 - 3), y + uy * (away + TALL / 2 - 3)];
}

function boxAround([x, y], width) {
  return [x - width / 2, y - TALL / 2, x + width / 2, y + TALL / 2];
}

// Whether an arrow runs through a box.
function crosses([x0, y0], [x1, y1], box) {
  const steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0) / 5) || 1;
  for (let s = 0; s <= steps; s++) {
    const x = x0 + ((x1 - x0) * s) / steps, y = y0 + ((y1 - y0) * s) / steps;
    if (x > box[0] && x < box[2] && y > box[1] && y < box[3]) return true;
  }
  return false;
}

// names of arrows from a point to their ends, the most important first; inside: left to bottom. Gives [{ name, x, y, leader }],
// in the order of names, and how many are unnamed.
export function placeNames(names, from, ends, inside) {
  const taken = ends.map(([x, y]) => [x - CLEAR, y - CLEAR, x + CLEAR, y + CLEAR]), placed = [];
  const free = (box) => box[0] >= inside.left && box[2] <= inside.right && box[1] >= inside.top && box[3] <= inside.bottom && !taken.some((other) => overlap(box, other));
  const search = (k, width, beyond, clear) => {
    const end = ends[k], outwards = Math.atan2(end[1] - from[1], end[0] - from[0]);
    for (const away of AWAY.filter((one) => one <= beyond))
      for (const turn of TURNS) {
        const middle = beside(end, outwards + turn, away, width), box = boxAround(middle, width);
        if (free(box) && !(clear && ends.some((other, i) => i !== k && crosses(from, other, box)))) return { middle, box, away };
      }
    return null;
  };
  const find = (name, k) => {
    const width = widthOf(name) + APART, end = ends[k], last = AWAY[AWAY.length - 1];
    const found = search(k, width, LEADER_FROM, true) || search(k, width, LEADER_FROM, false) || search(k, width, last, true) || search(k, width, last, false);
    if (!found) return null;
    const { middle, box, away } = found;
    taken.push(box);
    const near = [Math.max(box[0], Math.min(box[2], end[0])), Math.max(box[1], Math.min(box[3], end[1]))];
    return { name, x: middle[0], y: middle[1], leader: away > LEADER_FROM ? [...end, ...near] : null };
  };
  let unnamed = 0;
  names.forEach((name, k) => {
    const [x, y] = ends[k];
    if (x < inside.left || x > inside.right || y < inside.top || y > inside.bottom) return; // its end is not in the picture
    const found = find(name, k);
    if (found) placed.push(found);
    else unnamed++;
  });
  return Object.assign(placed, { unnamed });
}

// SPDX-License-Identifier: BSD-3-Clause
// A row that is an image, small: as it was where the page can have it, else as M components rebuild it, and it says which.
import { codeOf, reconstruct } from "./decode.js";
import { canDecode } from "./decoder.js";
import { element, fill } from "./format.js";
import { grey } from "./picture.js";

// { x, own }: its pixels, and whether they are its own; null where there are none at all.
export async function pixelsOfRow(data, row, m) {
  const own = await data.originals.get(row);
  if (own) return { x: own, own: true };
  return canDecode(data.model) ? { x: reconstruct(data.model, codeOf(data, row, m), m), own: false } : null;
}

// An element that is there at once, and gets the image when it has come.
export function thumbnail(data, row, m, size, name) {
  const where = element("span", { className: "thumbnail" });
  where.style.width = `${size}px`;
  where.style.height = `${Math.round((size * data.model.imageRows) / data.model.imageCols)}px`;
  pixelsOfRow(data, row, m).then((found) => found && fill(where, grey(data, found.x, size, found.own ? name : `${name}, as ${m} components rebuild it`)));
  return where;
}

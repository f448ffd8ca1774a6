// SPDX-License-Identifier: BSD-3-Clause
// How densely all rows lie, under the points of a page that is served: tiles of 128 × 128 bins, counted by scree serve class by
// class. Tile i, j of level z has the codes from i 2^-z to (i + 1) 2^-z across and from j 2^-z up; the level is that whose bins
// are one to two pixels wide. Where a tile has not come yet, that of a coarser level stands in its place.
import { byId, counted } from "./format.js";
import { otherColour, packed, plainColour } from "./palette.js";
import { ask, isServed } from "./served.js";

const BINS = 128, TILES_KEPT = 600, ASK_AGAIN = 400, DEEPEST = 60;

// A region of tiles as it came: per class, bins and counts.
export function readTiles(buffer) {
  const words = new Uint32Array(buffer), classes = [];
  for (let c = 0, at = 3; c < words[2]; c++) {
    const count = words[at + 1];
    classes.push({ number: words[at], pairs: words.subarray(at + 2, at + 2 + 2 * count) });
    at += 2 + 2 * count;
  }
  return { coded: words[0] + words[1] * 2 ** 32, classes };
}

// The region as tiles, each with its bins as triples: bin, class, count.
function cutTiles(region, w, h) {
  const tiles = Array.from({ length: w * h }, () => []);
  for (const { number, pairs } of region.classes)
    for (let p = 0; p < pairs.length; p += 2) {
      const across = pairs[p] % (w * BINS), up = Math.floor(pairs[p] / (w * BINS));
      tiles[Math.floor(up / BINS) * w + Math.floor(across / BINS)].push((up % BINS) * BINS + (across % BINS), number, pairs[p + 1]);
    }
  return tiles.map((bins) => Uint32Array.from(bins));
}

function largestBin(bins) {
  const sums = new Uint32Array(BINS * BINS);
  for (let p = 0; p < bins.length; p += 3) sums[bins[p]] += bins[p + 2];
  return sums.reduce((a, v) => Math.max(a, v), 0);
}

// A picture of a tile: the mean colour of its rows, the stronger the more there are, by the logarithm.
function paintTile(tile, colours, ground, most) {
  const canvas = tile.canvas || document.createElement("canvas");
  canvas.width = canvas.height = BINS;
  const context = canvas.getContext("2d"), image = context.createImageData(BINS, BINS), pixels = new Uint32Array(image.data.buffer);
  const size = BINS * BINS, red = new Float64Array(size), green = new Float64Array(size), blue = new Float64Array(size), sums = new Float64Array(size);
  for (let p = 0; p < tile.bins.length; p += 3) {
    const bin = tile.bins[p], colour = colours[tile.bins[p + 1]], count = tile.bins[p + 2];
    if (colour === 0) continue;
    sums[bin] += count;
    red[bin] += count * (colour & 255);
    green[bin] += count * ((colour >> 8) & 255);
    blue[bin] += count * ((colour >> 16) & 255);
  }
  const full = Math.log1p(most), back = [ground & 255, (ground >> 8) & 255, (ground >> 16) & 255];
  for (let bin = 0; bin < size; bin++) {
    if (sums[bin] === 0) continue;
    const share = 0.14 + 0.76 * (Math.log1p(sums[bin]) / full), mix = (sum, k) => Math.round(back[k] + share * (sum / sums[bin] - back[k]));
    const at = (BINS - 1 - Math.floor(bin / BINS)) * BINS + (bin % BINS); // up is towards the first row of pixels
    pixels[at] = ((255 << 24) | (mix(blue[bin], 2) << 16) | (mix(green[bin], 1) << 8) | mix(red[bin], 0)) >>> 0;
  }
  context.putImageData(image, 0, 0);
  tile.canvas = canvas;
}

// Colours of the classes by their numbers on the server, 0 for what is hidden, the last one of all others.
function classColours(data, state, classes) {
  const t = data.texts.findIndex((text) => text.isClass), hidden = state.get("hiddenClasses"), legend = state.get("legend");
  const off = new Set(t >= 0 && hidden.text === t ? hidden.words : []), coloured = legend.text === t && legend.items;
  const colourOf = (word) => {
    const item = coloured ? legend.items.find((one) => one.words.includes(word)) : null;
    return packed(item ? item.colour : coloured ? otherColour() : plainColour());
  };
  const list = classes.map((name) => {
    const word = t >= 0 ? data.texts[t].words.indexOf(name) : -1;
    return off.has(word) ? 0 : colourOf(word);
  });
  const rest = coloured && legend.restWords ? legend.restWords : [];
  list.push(rest.length > 0 && rest.every((word) => off.has(word)) ? 0 : packed(coloured ? otherColour() : plainColour()));
  return list;
}

export function makeDensity(data, state, map) {
  const shown = byId("density-shown"), note = byId("density-note");
  if (!isServed(data) || data.model.m < 2) return null;
  const tiles = new Map(); // by name, those used last at the end
  let status = { coded: 0, rows: data.card.rows, components: 0, tiles: 1, classes: [] }, colours = [], tone = 0, asking = false, ground = 0;
  let picture = null;
  const nameOf = (x, y, z, i, j) => [x, y, z, i, j].join(",");
  const isFresh = (tile) => tile && (tile.coded >= status.rows || tile.asked > performance.now() - 1000);

  function inWords() {
    const share = status.rows > 0 ? Math.floor((100 * status.coded) / status.rows) : 100;
    const can = Math.max(state.get("x"), state.get("y")) < status.components;
    const all = status.components === 0 ? "There is no shading: codes of all rows do not fit into the memory allowed." : `Shading: how densely all ${counted(status.rows)} rows lie${share < 100 ? `, ${share} % counted so far` : ""}${can ? "" : "; of this plane it is not known"}.`;
    note.textContent = `Points: a sample of ${counted(data.count)}. ${all}`;
  }

  // What the map shows, in tiles.
  function viewOf(sight) {
    const x0 = sight.screenX(0), ux = sight.screenX(1) - x0, y0 = sight.screenY(0), uy = y0 - sight.screenY(1);
    const z = Math.max(-DEEPEST, Math.min(DEEPEST, Math.floor(Math.log2(ux / BINS)))), side = 2 ** -z;
    return { x0, ux, y0, uy, z, side, i0: Math.floor((sight.left - x0) / ux / side), i1: Math.floor((sight.right - x0) / ux / side), j0: Math.floor((y0 - sight.bottom) / uy / side), j1: Math.floor((y0 - sight.top) / uy / side) };
  }

  // The smallest rectangles of tiles that are missing, row by row, no larger than the server answers.
  function missing(view, x, y) {
    for (let j = view.j0; j <= view.j1; j++)
      for (let i = view.i0; i <= view.i1; i++) {
        if (isFresh(tiles.get(nameOf(x, y, view.z, i, j)))) continue;
        const w = Math.min(view.i1 - i + 1, status.tiles), h = Math.max(1, Math.min(view.j1 - j + 1, Math.floor(status.tiles / w)));
        return { i, j, w, h };
      }
    return null;
  }

  function keep(x, y, z, at, region) {
    cutTiles(region, at.w, at.h).forEach((bins, k) => {
      const name = nameOf(x, y, z, at.i + (k % at.w), at.j + Math.floor(k / at.w));
      tiles.delete(name);
      tiles.set(name, { bins, coded: region.coded, asked: performance.now(), most: largestBin(bins), canvas: null });
    });
    while (tiles.size > TILES_KEPT) tiles.delete(tiles.keys().next().value);
  }

  async function fill(view) {
    const x = state.get("x"), y = state.get("y"), at = Math.max(x, y) < status.components && status.coded > 0 ? missing(view, x, y) : null;
    if (asking || !at) return;
    asking = true;
    try {
      const answer = await ask(`tiles?x=${x}&y=${y}&z=${view.z}&i=${at.i}&j=${at.j}&w=${at.w}&h=${at.h}`);
      keep(x, y, view.z, at, readTiles(await answer.arrayBuffer()));
    } catch {
      await new Promise((done) => setTimeout(done, 1000));
    }
    asking = false;
    map.redraw();
  }

  // The tile, or the part of a coarser one that covers it.
  function find(x, y, z, i, j) {
    for (let up = 0; up < 6; up++) {
      const scale = 2 ** up, a = Math.floor(i / scale), b = Math.floor(j / scale), tile = tiles.get(nameOf(x, y, z - up, a, b));
      if (tile) return { tile, left: ((i - a * scale) * BINS) / scale, top: ((scale - 1 - (j - b * scale)) * BINS) / scale, size: BINS / scale };
    }
    return null;
  }

  function draw(sight, width, height, groundColour) {
    if (!shown.checked || status.components === 0) return null;
    const x = state.get("x"), y = state.get("y"), view = viewOf(sight), found = [];
    if (!Number.isFinite(view.side) || !(view.ux > 0)) return null;
    fill(view);
    for (let j = view.j0; j <= view.j1; j++) for (let i = view.i0; i <= view.i1; i++) found.push({ i, j, part: find(x, y, view.z, i, j) });
    const most = found.reduce((a, { part }) => (part ? Math.max(a, part.tile.most) : a), 1), newTone = 2 ** Math.ceil(Math.log2(most));
    if (newTone !== tone || ground !== groundColour) {
      tone = newTone;
      ground = groundColour;
      for (const tile of tiles.values()) tile.painted = false;
    }
    if (!picture) picture = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (picture.canvas.width !== width || picture.canvas.height !== height) Object.assign(picture.canvas, { width, height });
    picture.fillStyle = `rgb(${ground & 255},${(ground >> 8) & 255},${(ground >> 16) & 255})`;
    picture.fillRect(0, 0, width, height);
    picture.imageSmoothingEnabled = false;
    const r = sight.ratio;
    picture.save();
    picture.beginPath();
    picture.rect(sight.left * r, sight.top * r, (sight.right - sight.left) * r, (sight.bottom - sight.top) * r);
    picture.clip();
    for (const { i, j, part } of found) {
      if (!part) continue;
      if (!part.tile.painted) paintTile(part.tile, colours, ground, tone);
      part.tile.painted = true;
      const left = Math.round((view.x0 + i * view.side * view.ux) * r), right = Math.round((view.x0 + (i + 1) * view.side * view.ux) * r);
      const top = Math.round((view.y0 - (j + 1) * view.side * view.uy) * r), bottom = Math.round((view.y0 - j * view.side * view.uy) * r);
      picture.drawImage(part.tile.canvas, part.left, part.top, part.size, part.size, left, top, right - left, bottom - top);
    }
    picture.restore();
    return new Uint32Array(picture.getImageData(0, 0, width, height).data.buffer);
  }

  function repaint() {
    colours = classColours(data, state, status.classes);
    for (const tile of tiles.values()) tile.painted = false;
    map.redraw();
  }

  async function poll() {
    try {
      status = await (await ask("status")).json();
      if (colours.length !== status.classes.length + 1) repaint();
      map.redraw();
      inWords();
      if (status.components > 0 && status.coded < status.rows) setTimeout(poll, ASK_AGAIN);
      else if (status.components > 0) setTimeout(() => map.redraw(), 1100); // tiles of before the end are asked for again
    } catch {
      note.textContent = "scree serve does not answer any more; what is here stays.";
    }
  }

  byId("density-field").hidden = note.hidden = false;
  shown.addEventListener("change", () => map.redraw());
  byId("points-shown").addEventListener("change", (event) => map.showPoints(event.target.checked));
  state.on("legend hiddenClasses", repaint);
  state.on("x y", inWords);
  map.setGround(draw);
  poll();
  return { status: () => status, tiles, isQuiet: () => !asking };
}

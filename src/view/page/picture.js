// SPDX-License-Identifier: BSD-3-Clause
// A row as a picture: its pixels where rows are images, bars of its columns where they are not.
import { columnName } from "./data.js";
import { element, shortColumn } from "./format.js";
import { packed, signedColour } from "./palette.js";

const MOST_BARS = 16;

function pixelsOf(model, shade, size, title) {
  const canvas = element("canvas", { className: "picture", width: model.imageCols, height: model.imageRows, role: "img", "aria-label": title });
  const context = canvas.getContext("2d");
  const image = context.createImageData(model.imageCols, model.imageRows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) pixels[i] = shade(i);
  context.putImageData(image, 0, 0);
  canvas.style.width = `${size}px`;
  canvas.style.height = `${Math.round((size * model.imageRows) / model.imageCols)}px`;
  return canvas;
}

export function grey(data, x, size, title) {
  const { low, high } = data.whole;
  const step = high > low ? 255 / (high - low) : 0;
  return pixelsOf(data.model, (i) => {
    const v = Math.max(0, Math.min(255, Math.round((x[i] - low) * step)));
    return 0xff000000 | (v << 16) | (v << 8) | v;
  }, size, title);
}

export function signed(model, x, size, title) {
  const most = x.reduce((a, v) => Math.max(a, Math.abs(v)), 0) || 1;
  const shades = d3.range(-128, 129).map((k) => packed(signedColour(k / 128)));
  return pixelsOf(model, (i) => shades[Math.round((128 * x[i]) / most) + 128], size, title);
}

// names, lengths from -1 to 1, texts behind the bars; the longest MOST_BARS in their own order unless all is set.
export function bars(items, title, all = false) {
  const shown = all ? items : items.map((item, i) => ({ ...item, i })).sort((a, b) => Math.abs(b.length) - Math.abs(a.length)).slice(0, MOST_BARS).sort((a, b) => a.i - b.i);
  const most = shown.reduce((a, item) => Math.max(a, Math.abs(item.length)), 0) || 1;
  const row = 19, width = 420, names = 130, end = 110, half = (width - names - end) / 2;
  const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${shown.length * row + 4}`).attr("role", "img").attr("aria-label", `${title}: ${shown.map((s) => `${s.name} ${s.text}`).join(", ")}`);
  svg.style("width", "100%").style("max-width", `${width * 1.2}px`);
  shown.forEach((item, k) => {
    const g = svg.append("g").attr("transform", `translate(0,${k * row})`);
    const name = item.name.length > 18 ? `${item.name.slice(0, 17)}…` : item.name;
    g.append("text").attr("x", names - 6).attr("y", 14).attr("text-anchor", "end").text(name).append("title").text(item.name);
    const long = (Math.abs(item.length) / most) * half;
    g.append("rect").attr("class", item.length < 0 ? "bar negative" : "bar").attr("x", names + half - (item.length < 0 ? long : 0)).attr("y", 3).attr("width", Math.max(long, 0.5)).attr("height", row - 5);
    g.append("text").attr("class", "strong").attr("x", width - end + 6).attr("y", 14).text(item.text);
  });
  svg.append("line").attr("class", "zero").attr("x1", names + half).attr("x2", names + half).attr("y1", 0).attr("y2", shown.length * row + 2);
  return svg.node();
}

// Values of columns as bars: how many standard deviations from the mean, with the value behind.
export function columnBars(model, columns, values, title) {
  return bars(columns.map((c, k) => ({
    name: columnName(model, c),
    length: Number.isNaN(values[k]) ? 0 : (values[k] - model.mean[c]) / (model.sd[c] || 1),
    text: shortColumn(values[k], model.sd[c]),
  })), title);
}

export function rowPicture(data, x, size, title) {
  if (data.model.imageRows > 0) return grey(data, x, size, title);
  return columnBars(data.model, data.which, data.which.map((c) => x[c]), title);
}

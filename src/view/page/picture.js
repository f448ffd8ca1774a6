// SPDX-License-Identifier: BSD-3-Clause
// A row as a picture: its pixels where rows are images, bars of its columns where they are not.
import { columnName } from "./data.js";
import { element, fitNames, roundColumn, shortColumn } from "./format.js";
import { packed, signedColour } from "./palette.js";

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
  const { low, high } = data;
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

export const MOST_BARS = 16;

// The numbers of the largest, in their own order.
function largest(values, most) {
  const order = d3.range(values.length).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b);
  return order.slice(0, most).sort((a, b) => a - b);
}

export function longest(items) {
  return largest(items.map((item) => item.length), MOST_BARS).map((i) => items[i]);
}

// Items with a name, a length and a text behind the bar. The longest bar is as long as there is room, or less: no longer
// than its share of least.
export function bars(shown, title, least = 0) {
  const most = shown.reduce((a, item) => Math.max(a, Math.abs(item.length)), least) || 1;
  const row = 19, width = 420, names = 130, end = 110, half = (width - names - end) / 2;
  const fitting = fitNames(shown.map((item) => item.name), names - 10);
  const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${shown.length * row + 4}`).attr("role", "img").attr("aria-label", `${title}: ${shown.map((s) => `${s.name} ${s.text}`).join(", ")}`);
  svg.style("width", "100%").style("max-width", `${width * 1.2}px`);
  shown.forEach((item, k) => {
    const g = svg.append("g").attr("transform", `translate(0,${k * row})`);
    g.append("text").attr("x", names - 6).attr("y", 14).attr("text-anchor", "end").text(fitting[k]).append("title").text(item.name);
    const long = (Math.abs(item.length) / most) * half;
    g.append("rect").attr("class", item.length < 0 ? "bar negative" : "bar").attr("x", names + half - (item.length < 0 ? long : 0)).attr("y", 3).attr("width", Math.max(long, 0.5)).attr("height", row - 5);
    g.append("text").attr("class", "strong").attr("x", width - end + 6).attr("y", 14).text(item.text);
  });
  svg.append("line").attr("class", "zero").attr("x1", names + half).attr("x2", names + half).attr("y1", 0).attr("y2", shown.length * row + 2);
  return svg.node();
}

// The columns that bars are drawn of, wherever a row is: those of the page that the components say most about.
export function barColumns(data, most = MOST_BARS) {
  const { model, which } = data;
  const weight = which.map((c) => (model.decoder ? model.sd[c] ** 2 : d3.sum(d3.range(model.m), (j) => model.eigenvalues[j] * model.components[j * model.d + c] ** 2)));
  return largest(weight, most).map((k) => which[k]);
}

function farFromMean(model, c, value) {
  return Number.isNaN(value) ? 0 : (value - model.mean[c]) / (model.sd[c] || 1);
}

// Values of columns as bars: how many standard deviations from the mean, with the value behind. Less than one in all of
// them looks like less.
function columnBars(model, columns, values, title, least = 1) {
  const items = columns.map((c, k) => ({ name: columnName(model, c), length: farFromMean(model, c, values[k]), text: shortColumn(values[k], model.sd[c]) }));
  return bars(items, title, least);
}

// How far the farthest of some rows goes: rows side by side have one scale.
export function farthest(data, rows) {
  const columns = barColumns(data);
  return Math.max(1, ...rows.flatMap((x) => columns.map((c) => Math.abs(farFromMean(data.model, c, x[c])))));
}

// What was computed, as a picture.
export function rowPicture(data, x, size, title, least = 1) {
  const { model } = data;
  if (model.imageRows > 0) return grey(data, x, size, title);
  const columns = barColumns(data);
  return columnBars(model, columns, columns.map((c) => roundColumn(x[c], model.sd[c])), title, least);
}

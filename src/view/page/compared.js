// SPDX-License-Identifier: BSD-3-Clause
// Columns of one row as bars, and beside each what components keep of it: panels side by side, one scale for all of them,
// standard deviations from the mean. Letters keep their size, so panels become narrow where there is little room.
import { columnName } from "./data.js";
import { fitNames, shortColumn } from "./format.js";

const LINE = 19, LETTER = 6.7, FOOT = 18, LEAST = 300, MOST = 620;

function drawBars(svg, panel, lengths, title) {
  const half = panel.width / 2 - 3, middle = panel.left + panel.width / 2;
  const group = svg.append("g").attr("class", "panel").attr("transform", `translate(${middle},0)`);
  lengths.forEach((share, k) => {
    if (Number.isNaN(share)) return;
    const long = Math.abs(share) * half;
    group.append("rect").attr("class", share < 0 ? "bar negative" : "bar").attr("x", share < 0 ? -long : 0).attr("y", k * LINE + 3).attr("width", Math.max(long, 0.5)).attr("height", LINE - 5);
  });
  group.append("line").attr("class", "zero").attr("y2", lengths.length * LINE + 2);
  group.append("text").attr("class", "step").attr("y", lengths.length * LINE + 15).attr("text-anchor", "middle").text(title);
}

// Names, the first panel with its values behind it, and the others.
function layOut(room, values, count) {
  const width = Math.max(LEAST, Math.min(MOST, room || 440)), names = Math.min(130, 0.27 * width);
  const text = Math.min(width / 4, LETTER * Math.max(...values.map((v) => v.length)) + 10), share = (width - names - text) / (count + 0.5);
  const left = (k) => names + (k === 0 ? 0 : 1.5 * share + text + (k - 1) * share);
  return { width, names, valueAt: names + 1.5 * share + 6, panel: (k) => ({ left: left(k), width: k === 0 ? 1.5 * share : share }) };
}

// rows: { name, cells by columns }, the row itself first; room: how many pixels there are.
export function comparedBars(model, columns, rows, title, room) {
  const far = (c, v) => (v - model.mean[c]) / (model.sd[c] || 1);
  const lengths = rows.map(({ cells }) => columns.map((c, k) => far(c, cells[k])));
  const most = Math.max(1, ...lengths.flat().filter(Number.isFinite).map(Math.abs));
  const values = columns.map((c, k) => shortColumn(rows[0].cells[k], model.sd[c])), names = columns.map((c) => columnName(model, c));
  const at = layOut(room, values, rows.length), height = columns.length * LINE + FOOT, fitting = fitNames(names, at.names - 8);
  const svg = d3.create("svg").attr("viewBox", `0 0 ${at.width} ${height}`).attr("role", "img").style("width", "100%").style("max-width", `${at.width}px`);
  svg.attr("aria-label", `${title}: ${names.map((name, k) => `${name} ${values[k]}`).join(", ")}. Beside it ${rows.slice(1).map((row) => row.name).join(", ") || "nothing"}; the table has the numbers.`);
  names.forEach((name, k) => {
    svg.append("text").attr("x", at.names - 6).attr("y", k * LINE + 14).attr("text-anchor", "end").text(fitting[k]).append("title").text(name);
    svg.append("text").attr("class", "strong").attr("x", at.valueAt).attr("y", k * LINE + 14).text(values[k]);
  });
  rows.forEach((row, k) => drawBars(svg, at.panel(k), lengths[k].map((v) => v / most), row.name));
  return svg.node();
}

// SPDX-License-Identifier: BSD-3-Clause
// The neighbours of the row that is looked at: a list beside it, and lines to them on the map. A click looks at one of them;
// a button marks them all.
import { byId, counted, element, fill, short } from "./format.js";
import { countWords, markRows } from "./marking.js";
import { METRICS, nearestRows } from "./nearest.js";
import { thumbnail } from "./thumbnail.js";

const COUNTS = [0, 5, 10, 20, 50, 100];
const THUMBNAIL = 40;

function makeNearControls(data, state) {
  const metric = byId("near-metric"), count = byId("near-count");
  metric.append(...Object.entries(METRICS).map(([value, name]) => element("option", { value }, name)));
  byId("near-metric-field").hidden = data.model.decoder !== null; // its codes have no variances of their own
  metric.addEventListener("change", () => state.set("near", { ...state.get("near"), metric: metric.value }));
  count.addEventListener("change", () => state.set("near", { ...state.get("near"), count: Number(count.value) }));
  byId("mark-near").addEventListener("click", (event) => {
    const row = state.get("focus");
    markRows(data, state, [row, ...state.get("neighbours").map((one) => one.row)], event);
  });
  const show = (near) => {
    const counts = COUNTS.includes(near.count) ? COUNTS : [...COUNTS, near.count].sort((a, b) => a - b);
    fill(count, ...counts.map((n) => element("option", { value: n }, n === 0 ? "none" : n)));
    count.value = near.count;
    metric.value = near.metric;
  };
  state.on("near", show);
  show(state.get("near"));
}

// What classes they have: often the first thing that is asked of neighbours.
function classesOf(data, rows) {
  const t = data.texts.find((text) => text.isClass);
  if (!t || rows.length === 0) return "";
  const counts = countWords(t, rows), named = counts.slice(0, 4).map(([word, n]) => `${t.words[word] || "(none)"} (${counted(n)})`);
  return ` Their ${t.name}: ${named.join(", ")}${counts.length > 4 ? `, ${counts.length - 4} more` : ""}.`;
}

function nearNote(data, state) {
  const row = state.get("focus"), found = state.get("neighbours"), { m } = state.get("latent"), { metric, count } = state.get("near");
  if (row < 0) return "Select a row to see which rows are nearest to it.";
  if (count === 0) return "";
  if (found.length === 0) return "There is no other row to be near.";
  const sample = data.count < data.card.rows ? ` The page shows ${counted(data.count)} of ${counted(data.card.rows)} rows; others may be nearer.` : "";
  const space = data.model.decoder ? "codes" : m === 1 ? "the first component" : `the first ${m} components`;
  return `${METRICS[metric]} distance in ${space}.${classesOf(data, found.map((one) => one.row))}${sample}`;
}

// Lines from the row to its neighbours, and a ring around each.
export function drawNear(group, sight, state) {
  const row = state.get("focus"), found = row < 0 ? [] : state.get("neighbours");
  const ends = found.map((one) => sight.placeOf(one.row)), from = row < 0 ? [0, 0] : sight.placeOf(row);
  group.selectAll("line").data(ends).join("line").attr("class", "near-line").attr("x1", from[0]).attr("y1", from[1]).attr("x2", (p) => p[0]).attr("y2", (p) => p[1]);
  group.selectAll("circle").data(ends).join("circle").attr("class", "near").attr("r", 5.5).attr("cx", (p) => p[0]).attr("cy", (p) => p[1]);
}

export function makeNeighbours(data, state, map, nameRow) {
  const list = byId("near-list"), note = byId("near-note"), mark = byId("mark-near");
  const find = () => {
    const row = state.get("focus"), near = state.get("near");
    state.set("neighbours", row < 0 || near.count === 0 ? [] : nearestRows(data, state.get("latent"), row, near, state.get("visible")));
  };
  const item = ({ row, distance }) => {
    const button = element("button", { type: "button" }, ...(data.model.imageRows > 0 ? [thumbnail(data, row, state.get("latent").m, THUMBNAIL, nameRow(row))] : []), element("span", {}, nameRow(row)), element("span", { className: "distance" }, short(distance, 3)));
    button.addEventListener("click", () => {
      state.set("focus", row);
      map.goTo(row);
      (list.querySelector("button") || byId("near-count")).focus();
    });
    return element("li", {}, button);
  };
  const show = () => {
    const found = state.get("neighbours");
    note.textContent = nearNote(data, state);
    mark.disabled = found.length === 0;
    fill(list, ...found.map(item));
    list.hidden = found.length === 0;
  };
  makeNearControls(data, state);
  state.on("focus near latent visible", find);
  state.on("neighbours", () => {
    show();
    map.redraw();
  });
  map.addLayer("near", (group, sight) => drawNear(group, sight, state));
  show();
}

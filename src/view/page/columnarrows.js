// SPDX-License-Identifier: BSD-3-Clause
// Columns as arrows on the map, as in a biplot (src/view/arrows.c, src/view/plot_biplot.c): column c goes from the mean towards
// (√λ_a u_ca, √λ_b u_cb), its covariance with the two components of unit variance. One factor lengthens all of them to fill
// the whole picture, and a unit is as long along both axes, so angles and ratios of lengths are true. Of many columns those
// are shown that contribute most to the two components, by the square of that length.
import { columnName } from "./data.js";
import { byId, counted, element, fill, fitNames, short, table } from "./format.js";
import { placeNames } from "./placing.js";
import { say } from "./state.js";

const ALL = 30, CHOSEN = 20, ALL_NARROW = 15, CHOSEN_NARROW = 8, NARROW = 500, HEAD = 8, NAME_WIDTH = 120;

// { arrows: [{ column, tip, weight }], zero, left }: those shown, the largest contribution first, how many have no part in the
// plane, and how many of the others are left out.
export function chooseArrows(model, a, b, narrow) {
  const all = [], lengths = [a, b].map((j) => Math.sqrt(Math.max(model.eigenvalues[j], 0)));
  for (let c = 0; c < model.d; c++) {
    const tip = [a, b].map((j, k) => lengths[k] * model.components[j * model.d + c]), weight = tip[0] ** 2 + tip[1] ** 2;
    if (weight > 0) all.push({ column: c, tip, weight });
  }
  all.sort((s, t) => t.weight - s.weight || s.column - t.column);
  const shown = all.length <= (narrow ? ALL_NARROW : ALL) ? all.length : narrow ? CHOSEN_NARROW : CHOSEN;
  return { arrows: all.slice(0, shown), zero: model.d - all.length, left: all.length - shown };
}

// By how much they may be lengthened and stay inside the whole picture.
function factorOf(arrows, sight) {
  const home = (screen, d, low, high) => {
    const zero = (screen(0) - d) / sight.k, unit = (screen(1) - screen(0)) / sight.k;
    return [(low - zero) / unit, (high - zero) / unit];
  };
  const edges = [home(sight.screenX, sight.dx, sight.left, sight.right), home(sight.screenY, sight.dy, sight.bottom, sight.top)];
  let factor = Infinity;
  for (const { tip } of arrows)
    tip.forEach((t, k) => {
      const edge = edges[k][t > 0 ? 1 : 0];
      if (t !== 0 && edge / t > 0) factor = Math.min(factor, (0.75 * edge) / t);
    });
  return Number.isFinite(factor) ? factor : 1;
}

function headPath([x0, y0], [x1, y1]) {
  const long = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / long, uy = (y1 - y0) / long, h = Math.min(HEAD, long);
  return `M${x1},${y1}L${x1 - h * ux - 0.4 * h * uy},${y1 - h * uy + 0.4 * h * ux}L${x1 - h * ux + 0.4 * h * uy},${y1 - h * uy - 0.4 * h * ux}Z`;
}

function drawArrows(group, data, arrows, sight) {
  const from = [sight.screenX(0), sight.screenY(0)], factor = factorOf(arrows, sight);
  const ends = arrows.map(({ tip }) => [sight.screenX(factor * tip[0]), sight.screenY(factor * tip[1])]);
  const names = fitNames(arrows.map(({ column }) => columnName(data.model, column)), NAME_WIDTH);
  const placed = placeNames(names, from, ends, sight);
  group.selectAll(".arrow").data(ends).join("line").attr("class", "arrow").attr("x1", from[0]).attr("y1", from[1]).attr("x2", (p) => p[0]).attr("y2", (p) => p[1]);
  group.selectAll(".arrow-head").data(ends).join("path").attr("class", "arrow-head").attr("d", (p) => headPath(from, p));
  group.selectAll(".leader").data(placed.filter((one) => one.leader)).join("line").attr("class", "leader").attr("x1", (one) => one.leader[0]).attr("y1", (one) => one.leader[1]).attr("x2", (one) => one.leader[2]).attr("y2", (one) => one.leader[3]);
  group.selectAll(".arrow-name").data(placed).join("text").attr("class", "arrow-name").attr("text-anchor", "middle").attr("x", (one) => one.x).attr("y", (one) => one.y + 4).text((one) => one.name);
  return { factor, unnamed: placed.unnamed };
}

// "8 of 30 columns shown: the largest contributions."
function arrowsInWords(data, { arrows, zero, left }, { factor, unnamed }) {
  const d = data.model.d, said = [];
  if (left > 0) said.push(`${arrows.length} of ${counted(d)} columns shown: the largest contributions`);
  if (zero > 0) said.push(`${counted(zero)} column${zero === 1 ? "" : "s"} without a part in this plane`);
  if (unnamed > 0) said.push(`${unnamed} name${unnamed === 1 ? " has" : "s have"} no room here`);
  return `${said.length > 0 ? `${said.join("; ")}. ` : ""}An arrow is the covariance of a column with the two components of variance 1, ${short(factor, 3)} times as long.`;
}

// The arrows as numbers, for those who do not see them.
function arrowTable(data, { arrows }, a, b) {
  const { model } = data, whole = Math.max(model.eigenvalues[a] + model.eigenvalues[b], Number.MIN_VALUE);
  const lines = arrows.map(({ column, tip, weight }) => [columnName(model, column), short(tip[0], 4), short(tip[1], 4), ((100 * weight) / whole).toFixed(1)]);
  return table("columns shown as arrows", ["~column", `with ${a + 1}`, `with ${b + 1}`, "contribution %"], lines);
}

export function makeColumnArrows(data, state, map) {
  const toggle = byId("arrows"), note = byId("arrows-note"), numbers = byId("arrows-numbers"), { model } = data;
  toggle.parentElement.hidden = model.decoder !== null || model.m < 2;
  if (toggle.parentElement.hidden) return;
  let chosen = null, chosenFor = "";
  const choose = (narrow) => {
    const a = state.get("x"), b = state.get("y"), wanted = `${a} ${b} ${narrow}`;
    if (chosenFor === wanted) return;
    chosenFor = wanted;
    chosen = chooseArrows(model, a, b, narrow);
    fill(byId("arrows-table"), arrowTable(data, chosen, a, b));
  };
  map.addLayer("arrows", (group, sight) => {
    const on = state.get("arrows") && state.get("x") !== state.get("y");
    note.hidden = numbers.hidden = !on;
    group.attr("aria-hidden", "true").style("display", on ? null : "none");
    if (!on) return;
    choose(sight.width < NARROW);
    const said = arrowsInWords(data, chosen, drawArrows(group, data, chosen.arrows, sight));
    if (note.textContent !== said) note.textContent = said;
  });
  toggle.addEventListener("change", () => state.set("arrows", toggle.checked));
  byId("overlay").addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "a" || event.ctrlKey || event.metaKey || event.altKey) return;
    state.set("arrows", !state.get("arrows"));
  });
  const show = () => {
    toggle.checked = state.get("arrows");
    map.redraw();
  };
  state.on("arrows", (on) => {
    show();
    say(on ? "columns are shown as arrows" : "no arrows");
  });
  show();
}

// SPDX-License-Identifier: BSD-3-Clause
// One row: who it is, how likely, and what it looks like: the original where the page has it, and what the components
// keep of it.
import { cellOf, columnName } from "./data.js";
import { codeOf, reconstruct } from "./decode.js";
import { byId, chance, counted, element, exact, fill, roundColumn, short, shortColumn, table } from "./format.js";
import { canDecode } from "./decoder.js";
import { barColumns, columnBars, grey } from "./picture.js";
import { hasChances } from "./scores.js";

const SIZE = 140;

export function makeRowNames(data) {
  return (row) => [`row ${data.number[row]}`, ...data.texts.map((t) => t.words[t.index[row]])].join(", ");
}

// With as many components as the slider of M says.
function scoreList(data, row, scores) {
  const p = scores.p[row], name = hasChances(data, scores.m) ? "p-value" : `p-value with M = ${data.model.scored}`;
  return [["log-likelihood", short(scores.loglik[row])], [name, chance(hasChances(data, scores.m) ? p : data.scores.p[row])], ["T²", short(scores.t2[row], 4)], ["Q", short(scores.q[row], 4)]];
}

function facts(data, row, scores) {
  const list = [["row", counted(data.number[row])], ...data.texts.map((t) => [t.name, t.words[t.index[row]]])];
  if (data.gaps[row] > 0) list.push(["missing", `${counted(data.gaps[row])} of ${counted(data.model.d)} cells`]);
  if (scores) list.push(...scoreList(data, row, scores));
  return element("dl", {}, ...list.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

function figure(picture, caption) {
  return element("figure", {}, picture, element("figcaption", {}, caption));
}

// Codes of 1, 5, 20 and M numbers, where there are so many.
function steps(data, m) {
  if (!canDecode(data.model)) return [];
  if (data.model.decoder) return [m];
  return [...new Set([1, 5, 20, m])].filter((step) => step > 0 && step <= data.model.m).sort((a, b) => a - b);
}

const rebuilt = (data, row, m) => reconstruct(data.model, codeOf(data, row, m), m);

function stepName(data, m) {
  return data.model.decoder ? `a code of ${m}` : `${m} component${m === 1 ? "" : "s"}`;
}

// The row itself comes when the page has unpacked it.
function images(data, row, m) {
  const name = data.gaps[row] > 0 ? "the row, black where it is missing" : "the row";
  const own = element("div", { className: "original" });
  const pictures = steps(data, m).map((k) => figure(grey(data, rebuilt(data, row, k), SIZE, `the row from ${stepName(data, k)}`), `from ${stepName(data, k)}`));
  const pair = element("div", { className: "pair" }, own, ...pictures);
  data.originals.get(row).then((x) => fill(own, x ? figure(grey(data, x, SIZE, name), name) : element("p", { className: "hint" }, "The page does not hold this row itself; scree report --max-size makes it hold more.")));
  return pair;
}

// All cells of a row as they were, where the page has them, beside what components keep of them.
async function cellTable(data, row, m) {
  const { model, which } = data, all = which.length < model.d ? await data.originals.get(row) : null;
  const shown = all ? d3.range(model.d) : which, ms = steps(data, m), parts = ms.map((k) => rebuilt(data, row, k));
  const cells = shown.map((c, k) => [columnName(model, c), exact(all ? all[c] : cellOf(data, row, k)), ...parts.map((x) => shortColumn(roundColumn(x[c], model.sd[c]), model.sd[c]))]);
  const heads = ms.map((k) => (model.decoder ? "decoded" : `M = ${k}`));
  return element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "cells of the row" }, table("cells of the row", ["~column", "value", ...heads], cells));
}

function columns(data, row, m) {
  const { model, which } = data;
  const drawn = barColumns(data), values = drawn.map((c) => cellOf(data, row, which.indexOf(c)));
  const about = model.decoder ? "that vary most" : "that the components say most about";
  const note = drawn.length < model.d ? `${drawn.length} of ${counted(model.d)} columns, those ${about}; ` : "";
  const made = element("div", {}, columnBars(model, drawn, values, "columns of the row"), element("p", { className: "hint" }, `${note}bars: standard deviations from the mean`));
  const full = which.length === model.d || row < data.originals.count;
  const all = element("details", {}, element("summary", {}, `${full ? "all" : which.length} cells, and what components keep of them`));
  all.addEventListener("toggle", () => cellTable(data, row, m).then((cells) => all.append(cells)), { once: true });
  made.append(all);
  return made;
}

export function makeRowCard(data, state) {
  const where = byId("rowcard");
  const empty = where.firstElementChild;
  function show() {
    const hover = state.get("hover"), row = hover >= 0 ? hover : state.get("focus");
    if (row < 0) return fill(where, empty);
    return fill(where, facts(data, row, state.get("scores")), data.model.imageRows > 0 ? images(data, row, state.get("latent").m) : columns(data, row, state.get("latent").m));
  }
  state.on("hover focus latent scores", show);
}

// SPDX-License-Identifier: BSD-3-Clause
// One row: who it is, how likely, and what it looks like: the original where the page has it, and what the components
// keep of it.
import { comparedBars } from "./compared.js";
import { cellOf, columnName } from "./data.js";
import { byId, chance, counted, element, exact, fill, roundColumn, short, shortColumn, table } from "./format.js";
import { barColumns, grey } from "./picture.js";
import { cellsOf, errorsOf, rebuilt, stepName, stepsOf } from "./rowsteps.js";
import { hasChances } from "./scores.js";

const SIZE = 140, SMALLEST = 60, GAP = 12; // pixels, of images beside each other

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

// How far each is from the row, beside what that is of all rows.
function errorTable(data, row, m, cells) {
  const errors = errorsOf(data, row, m, cells), { model } = data;
  if (errors.length === 0 || errors.every(({ error }) => Number.isNaN(error))) return [];
  const gaps = data.gaps[row], mean = model.decoder ? "mean of fitted rows" : "mean, J_M";
  const lines = errors.map((e) => [e.m, short(e.error, 4), short(e.mean, 4), gaps > 0 || !(e.mean > 0) ? "–" : `${short(e.error / e.mean, 3)}×`, short(e.noise, 4)]);
  const note = `‖x − x̃‖²${model.scale ? ", in scaled columns" : ""}${gaps > 0 ? `, of the ${counted(model.d - gaps)} cells that are there` : ""}.${model.decoder ? "" : " The mean is of the rows fitted; the noise level σ is that of a direction left out."}`;
  return [table("what is lost of the row", [model.decoder ? "code" : "M", "error", mean, "of the mean", "noise σ"], lines), element("p", { className: "hint" }, note)];
}

// The row itself comes when the page has unpacked it.
function images(data, row, m, room) {
  const steps = stepsOf(data, m), size = Math.max(SMALLEST, Math.min(SIZE, Math.floor(room / (steps.length + 1)) - GAP));
  const name = data.gaps[row] > 0 ? "the row, black where it is missing" : "the row";
  const own = element("div", { className: "original" }), errors = element("div", { className: "errors" }, ...errorTable(data, row, m, null)); // as codes say, until it has come
  const pictures = steps.map((k) => figure(grey(data, rebuilt(data, row, k), size, `the row from ${stepName(data, k)}`), `from ${stepName(data, k)}`));
  data.originals.get(row).then((x) => {
    fill(own, x ? figure(grey(data, x, size, name), name) : element("p", { className: "hint" }, "The page does not hold this row itself; scree report --max-size makes it hold more."));
    fill(errors, ...errorTable(data, row, m, x));
  });
  return element("div", {}, element("div", { className: "pair" }, own, ...pictures), errors);
}

// All cells of a row as they were, where the page has them, beside what components keep of them.
async function cellTable(data, row, m) {
  const { model, which } = data, all = await cellsOf(data, row);
  const shown = all ? d3.range(model.d) : which, ms = stepsOf(data, m), parts = ms.map((k) => rebuilt(data, row, k));
  const cells = shown.map((c, k) => [columnName(model, c), exact(all ? all[c] : cellOf(data, row, k)), ...parts.map((x) => shortColumn(roundColumn(x[c], model.sd[c]), model.sd[c]))]);
  const heads = ms.map((k) => (model.decoder ? "decoded" : `M = ${k}`));
  return element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "cells of the row" }, table("cells of the row", ["~column", "value", ...heads], cells));
}

// Bars of the row beside those of what components keep of it.
function columns(data, row, m, room) {
  const { model, which } = data, drawn = barColumns(data);
  const steps = stepsOf(data, m).map((k) => ({ name: model.decoder ? "decoded" : `M = ${k}`, x: rebuilt(data, row, k) }));
  const rows = [{ name: "the row", cells: drawn.map((c) => cellOf(data, row, which.indexOf(c))) }, ...steps.map(({ name, x }) => ({ name, cells: drawn.map((c) => roundColumn(x[c], model.sd[c])) }))];
  const about = model.decoder ? "that vary most" : "that the components say most about";
  const note = drawn.length < model.d ? `${drawn.length} of ${counted(model.d)} columns, those ${about}; ` : "";
  const errors = element("div", { className: "errors" }, ...errorTable(data, row, m, null));
  cellsOf(data, row).then((cells) => fill(errors, ...errorTable(data, row, m, cells)));
  const full = which.length === model.d || row < data.originals.count;
  const all = element("details", {}, element("summary", {}, `${full ? "all" : which.length} cells, and what components keep of them`));
  all.addEventListener("toggle", () => cellTable(data, row, m).then((cells) => all.append(cells)), { once: true });
  return element("div", {}, comparedBars(model, drawn, rows, "columns of the row", room), element("p", { className: "hint" }, `${note}bars: standard deviations from the mean`), errors, all);
}

export function makeRowCard(data, state) {
  const where = byId("rowcard");
  const empty = where.firstElementChild;
  function show() {
    const hover = state.get("hover"), row = hover >= 0 ? hover : state.get("focus");
    byId("row").classList.toggle("blank", row < 0);
    if (row < 0) return fill(where, empty);
    return fill(where, facts(data, row, state.get("scores")), data.model.imageRows > 0 ? images(data, row, state.get("latent").m, where.clientWidth) : columns(data, row, state.get("latent").m, where.clientWidth));
  }
  // While the pointer goes from row to row, nothing below moves up and down.
  state.on("hover", () => {
    where.style.minHeight = `${where.offsetHeight}px`;
    show();
  });
  state.on("focus latent scores", () => {
    where.style.minHeight = "";
    show();
  });
  window.addEventListener("resize", () => (where.style.minHeight = ""));
}

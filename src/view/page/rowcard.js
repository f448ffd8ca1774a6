// SPDX-License-Identifier: BSD-3-Clause
// One row: who it is, how likely, and what it looks like: the original where the page has it, and what the components
// keep of it. Below the plot, what a lasso caught.
import { cellOf, columnName } from "./data.js";
import { codeOf, reconstruct } from "./decode.js";
import { byId, chance, counted, element, exact, fill, short, table } from "./format.js";
import { canDecode } from "./decoder.js";
import { barColumns, columnBars, grey } from "./picture.js";
import { say } from "./state.js";

const SIZE = 140, LISTED = 20;

export function makeRowNames(data) {
  return (row) => [`row ${data.number[row]}`, ...data.texts.map((t) => t.words[t.index[row]])].join(", ");
}

function facts(data, row) {
  const list = [["row", counted(data.number[row])], ...data.texts.map((t) => [t.name, t.words[t.index[row]]])];
  if (data.gaps[row] > 0) list.push(["missing", `${counted(data.gaps[row])} of ${counted(data.model.d)} cells`]);
  if (data.scores)
    list.push(["log-likelihood", short(data.scores.loglik[row])], ["p-value", chance(row < data.outliers.length ? data.outliers[row].p : data.scores.p[row])], ["T²", short(data.scores.t2[row], 4)], ["Q", short(data.scores.q[row], 4)]);
  return element("dl", {}, ...list.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

function figure(picture, caption) {
  return element("figure", {}, picture, element("figcaption", {}, caption));
}

function images(data, row, m) {
  const pair = [];
  const at = data.whole.place.get(row);
  const d = data.model.d;
  if (at !== undefined) {
    const { low, high, pixels } = data.whole;
    const x = Float64Array.from(pixels.subarray(at * d, (at + 1) * d), (v) => low + (v * (high - low)) / 255);
    const caption = data.gaps[row] > 0 ? "the row, black where it is missing" : "the row";
    pair.push(figure(grey(data, x, SIZE, caption), caption));
  }
  const what = data.model.decoder ? `a code of ${m}` : `${m} component${m === 1 ? "" : "s"}`;
  if (canDecode(data.model)) pair.push(figure(grey(data, reconstruct(data.model, codeOf(data, row, m), m), SIZE, `the row from ${what}`), `from ${what}`));
  return element("div", { className: "pair" }, ...pair);
}

// The cells that the page has of a row, as they were.
function cellTable(data, row) {
  const cells = data.which.map((c, k) => [columnName(data.model, c), exact(cellOf(data, row, k))]);
  return element("div", { className: "scroll" }, table("cells of the row", ["~column", "value"], cells));
}

function columns(data, row) {
  const { model, which } = data;
  const drawn = barColumns(data), values = drawn.map((c) => cellOf(data, row, which.indexOf(c)));
  const about = model.decoder ? "that vary most" : "that the components say most about";
  const note = drawn.length < model.d ? `${drawn.length} of ${counted(model.d)} columns, those ${about}; ` : "";
  const made = element("div", {}, columnBars(model, drawn, values, "columns of the row"), element("p", { className: "hint" }, `${note}bars: standard deviations from the mean`));
  const all = element("details", {}, element("summary", {}, which.length === model.d ? "all cells" : `${which.length} cells`));
  all.addEventListener("toggle", () => all.open && all.childElementCount === 1 && all.append(cellTable(data, row)));
  made.append(all);
  return made;
}

export function makeRowCard(data, state) {
  const where = byId("rowcard");
  const empty = where.firstElementChild;
  function show() {
    const hover = state.get("hover"), row = hover >= 0 ? hover : state.get("selected");
    if (row < 0) return fill(where, empty);
    return fill(where, facts(data, row), data.model.imageRows > 0 ? images(data, row, state.get("latent").m) : columns(data, row));
  }
  state.on("hover selected latent", show);
}

function countWords(text, rows) {
  const counts = new Map();
  for (const row of rows) counts.set(text.index[row], (counts.get(text.index[row]) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

export function makeLassoed(data, state, nameRow) {
  const where = byId("lassoed");
  state.on("lassoed", (rows) => {
    say(`${rows.length} rows in the lasso`);
    if (rows.length === 0) return fill(where);
    const classes = data.texts.find((t) => t.isClass);
    const counted20 = classes ? countWords(classes, rows).slice(0, LISTED).map(([word, n]) => `${classes.words[word]}: ${n}`).join(", ") : "";
    const go = (row) => element("button", { type: "button", onclick: () => state.set("selected", row), "aria-label": `select ${nameRow(row)}` }, data.number[row]);
    const listed = rows.slice(0, LISTED).map((row) => [go(row), ...data.texts.map((t) => t.words[t.index[row]]), data.scores ? chance(data.scores.p[row]) : "–"]);
    const more = rows.length > LISTED ? `; the first ${LISTED} of them` : "";
    return fill(where, element("p", {}, `${counted(rows.length)} rows${counted20 ? ` (${counted20})` : ""}${more}:`),
      element("div", { className: "scroll" }, table("rows in the lasso", ["row", ...data.texts.map((t) => `~${t.name}`), "p-value"], listed)));
  });
}

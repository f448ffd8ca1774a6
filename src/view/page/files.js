// SPDX-License-Identifier: BSD-3-Clause
// Files that the reader saves: tables as CSV, as scree reads and writes them, with the numbers that the page has.
import { byId } from "./format.js";
import { FILE_NAMES } from "./rowcolumns.js";
import { say } from "./state.js";

// Cells with commas, quotes, breaks or blanks at their ends stand in quotes, and quotes inside are doubled.
function csvCell(value) {
  const text = typeof value === "number" ? (Number.isNaN(value) ? "" : String(Number(value.toPrecision(7)))) : String(value);
  return /^\s|\s$|[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function csvOf(head, rows) {
  return [head, ...rows].map((cells) => `${Array.from(cells, csvCell).join(",")}\n`).join("");
}

// "iris.csv" and "codes.csv" make "iris-codes.csv".
export function saveFile(data, name, type, content) {
  const stem = data.card.title.replace(/\.[A-Za-z0-9.]*$/, "").replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "report";
  const link = document.createElement("a");
  link.download = `${stem}-${name}`;
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  say(`${link.download} is saved`);
}

const codeHead = (data, j) => `${data.model.decoder ? "z" : "pc"}${j + 1}`;
const headOf = (data, column) => FILE_NAMES[column.key] || (column.key.startsWith("code:") ? codeHead(data, Number(column.key.slice(5))) : column.name);

// What the table lists, in its order, and which of the rows are marked.
export function tableFile(data, state, table) {
  const columns = table.columns(), { has } = state.get("selection");
  return csvOf([...columns.map((column) => headOf(data, column)), "marked"], Array.from(table.order(), (row) => [...columns.map((column) => column.value(row)), has[row]]));
}

// The codes of the rows that the table lists, with all components of the page.
export function codesFile(data, table) {
  const head = ["row", ...data.texts.map((t) => t.name), ...data.codes.map((_, j) => codeHead(data, j))];
  return csvOf(head, Array.from(table.order(), (row) => [data.number[row], ...data.texts.map((t) => t.words[t.index[row]]), ...data.codes.map((code) => code[row])]));
}

// The numbers of the marked rows, in ascending order, with their texts.
export function marksFile(data, state) {
  const rows = Array.from(state.get("selection").rows).sort((a, b) => data.number[a] - data.number[b]);
  return csvOf(["row", ...data.texts.map((t) => t.name)], rows.map((row) => [data.number[row], ...data.texts.map((t) => t.words[t.index[row]])]));
}

export function comparisonFile(items) {
  const head = ["kind", "name", "mean_marked", "mean_others", "sd_marked", "sd_others", "rows_marked", "rows_others", "d", "low", "high"];
  return csvOf(head, items.map(({ kind, name, one, other, d, low, high }) => [kind, name, one.mean, other.mean, Math.sqrt(one.variance), Math.sqrt(other.variance), one.n, other.n, d, low, high]));
}

export function makeFiles(data, state, table) {
  const offer = (id, name, make) => byId(id).addEventListener("click", () => saveFile(data, name, "text/csv", make()));
  offer("save-table", "table.csv", () => tableFile(data, state, table));
  offer("save-codes", "codes.csv", () => codesFile(data, table));
  offer("save-marks", "marked.csv", () => marksFile(data, state));
  offer("save-comparison", "comparison.csv", () => comparisonFile(state.get("comparison")));
  const show = () => {
    byId("save-marks").disabled = state.get("selection").rows.length === 0;
    byId("save-comparison").disabled = state.get("comparison").length === 0;
  };
  state.on("selection comparison", show);
  show();
}

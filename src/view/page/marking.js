// SPDX-License-Identifier: BSD-3-Clause
// The controls of the selection: which shape catches rows and what becomes of those that are marked already, rows of one class,
// all others, none; and how many are marked. Escape lets go of them wherever the keyboard is.
import { byId, counted, element, fill } from "./format.js";
import { combine, howOf, invert, selectionOf } from "./selection.js";
import { say } from "./state.js";

const CLASSES = 12; // that are counted in words

export function countWords(text, rows) {
  const counts = new Map();
  for (const row of rows) counts.set(text.index[row], (counts.get(text.index[row]) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

// Changes the selection by rows that are named, as the keys held say, or else as the reader has chosen.
export function markRows(data, state, rows, event) {
  const held = howOf(event), how = held === "replace" ? state.get("how") : held;
  state.set("selection", combine(state.get("selection"), selectionOf(data.count, rows), how));
}

export function rowsOfWords(data, t, words) {
  const wanted = new Set(words), { index } = data.texts[t], rows = [];
  for (let i = 0; i < index.length; i++) if (wanted.has(index[i])) rows.push(i);
  return rows;
}

function inWords(data, { rows }) {
  if (rows.length === 0) return "No row is marked.";
  const classes = data.texts.find((t) => t.isClass), counts = classes ? countWords(classes, rows) : [];
  const listed = counts.slice(0, CLASSES).map(([word, n]) => `${classes.words[word] || "(none)"}: ${counted(n)}`).join(", ");
  const rest = counts.length > CLASSES ? `, ${counts.length - CLASSES} more` : "";
  return `${counted(rows.length)} of ${counted(data.count)} rows ${rows.length === 1 ? "is" : "are"} marked${listed ? ` (${listed}${rest})` : ""}.`;
}

function makeTools(state) {
  for (const tool of ["lasso", "box"]) {
    byId(tool).addEventListener("click", () => state.set("lasso", state.get("lasso") === tool ? null : tool));
    state.on("lasso", (chosen) => byId(tool).setAttribute("aria-pressed", chosen === tool));
  }
  const how = byId("how");
  how.addEventListener("change", () => state.set("how", how.value));
  state.on("how", (value) => (how.value = value));
}

// The classes that the legend shows, as something to choose from.
function makeClassChoice(data, state) {
  const choice = byId("mark-class"), field = byId("mark-class-field");
  const show = () => {
    const { items, text } = state.get("legend");
    field.hidden = !items || items.length === 0;
    fill(choice, ...(items || []).map((item, k) => element("option", { value: k }, `${data.texts[text].name} ${item.name}`)));
  };
  byId("mark-the-class").addEventListener("click", (event) => {
    const { items, text } = state.get("legend");
    markRows(data, state, rowsOfWords(data, text, items[Number(choice.value)].words), event);
  });
  state.on("legend", show);
  show();
}

export function makeMarking(data, state) {
  const none = () => state.set("selection", selectionOf(data.count, []));
  makeTools(state);
  makeClassChoice(data, state);
  byId("invert").addEventListener("click", () => state.set("selection", invert(state.get("selection"))));
  byId("unmark").addEventListener("click", none);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.target.matches("input, select") || state.get("selection").rows.length === 0) return;
    event.preventDefault();
    none();
  });
  const show = (selection) => {
    byId("marked-note").textContent = inWords(data, selection);
    byId("unmark").disabled = selection.rows.length === 0;
  };
  state.on("selection", (selection) => {
    show(selection);
    say(inWords(data, selection));
  });
  show(state.get("selection"));
}

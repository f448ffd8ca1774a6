// SPDX-License-Identifier: BSD-3-Clause
// Rows are found by their number, or by any text that they carry. All that are found are ringed on the map and listed; Enter
// goes from one to the next, and a button marks them all.
import { byId, counted, element, fill } from "./format.js";
import { markRows } from "./marking.js";

const FIRST = 20, MORE = 200;

// Rows whose number is the text, or else those one of whose texts has it in it, in the order of their numbers.
export function findRows(data, text) {
  if (text === "") return [];
  const wanted = text.toLowerCase(), rows = [], numbered = [];
  const hits = data.texts.map((t) => t.words.map((word) => word.toLowerCase().includes(wanted)));
  for (let row = 0; row < data.count; row++) {
    if (String(data.number[row]) === text) numbered.push(row);
    if (data.texts.some((t, k) => hits[k][t.index[row]])) rows.push(row);
  }
  return (numbered.length > 0 ? numbered : rows).sort((a, b) => data.number[a] - data.number[b]);
}

function makeList(data, state, go, nameRow) {
  const list = byId("found-list"), more = byId("found-more");
  let listed = 0;
  const add = (count) => {
    const matches = state.get("matches");
    list.append(...matches.slice(listed, listed + count).map((row) => element("li", {}, element("button", { type: "button", onclick: () => go(row) }, nameRow(row)))));
    listed = Math.min(listed + count, matches.length);
    more.hidden = listed === matches.length;
  };
  more.addEventListener("click", () => {
    const next = listed;
    add(MORE);
    list.children[next].firstChild.focus();
  });
  return () => {
    fill(list);
    listed = 0;
    add(FIRST);
  };
}

export function makeSearch(data, state, map, nameRow) {
  const input = byId("goto-row"), note = byId("goto-note");
  let at = -1;
  const go = (row) => {
    at = state.get("matches").indexOf(row);
    state.set("focus", row);
    map.goTo(row);
    inWords();
  };
  const list = makeList(data, state, go, nameRow);
  function inWords() {
    const matches = state.get("matches"), text = state.get("search"), sample = data.count < data.card.rows ? ", which shows a sample" : "";
    if (text === "") note.textContent = "";
    else if (matches.length === 0) note.textContent = `Nothing is called ${text} on this page${sample}.`;
    else if (matches.length === 1) note.textContent = "";
    else note.textContent = at >= 0 ? `${counted(at + 1)} of ${counted(matches.length)}` : `${counted(matches.length)} rows`;
  }
  const show = (text) => {
    if (input.value.trim() !== text) input.value = text;
    at = -1;
    state.set("matches", findRows(data, text));
    list();
    byId("found").hidden = state.get("matches").length < 2;
    inWords();
  };
  input.addEventListener("input", () => state.set("search", input.value.trim()));
  byId("goto").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text !== state.get("search")) state.set("search", text);
    const matches = state.get("matches");
    if (matches.length > 0) go(matches[(at + 1) % matches.length]);
  });
  byId("mark-found").addEventListener("click", (event) => markRows(data, state, state.get("matches"), event));
  state.on("search", show);
  show(state.get("search"));
}

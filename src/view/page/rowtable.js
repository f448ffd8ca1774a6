// SPDX-License-Identifier: BSD-3-Clause
// All rows of the page as a table. Only the lines that can be seen are there: they stay where they are while the rows run
// through them. By keys a line is current: arrows, Page Up and Down, Home and End go from row to row, Enter selects the row,
// Space marks it, and Shift marks on the way.
import { byId, counted, element, fill } from "./format.js";
import { markRows } from "./marking.js";
import { orderRows, rowColumns } from "./rowcolumns.js";
import { combine, selectionOf } from "./selection.js";

const ROW_HIGH = 27; // pixels: as in page.css
const TALLEST = 8e6; // pixels that every browser can scroll through
const MOST_CODES = 100;

// What the table lists: the rows that are not hidden, in the order of state sort.
function listRows(data, state, columns) {
  const { key, down, show } = state.get("sort"), { has, rows } = state.get("selection"), visible = state.get("visible");
  const shown = d3.range(data.count).filter((row) => (!visible || visible[row]) && (show !== "only" || has[row]));
  const order = orderRows(data, shown, columns.find((one) => one.key === key) || columns[0], down);
  if (show !== "first" || rows.length === 0) return order;
  return Uint32Array.from([...order.filter((row) => has[row]), ...order.filter((row) => !has[row])]);
}

// They do not change while rows run through them.
function widthOfColumn({ name, words }) {
  return words ? 170 : Math.max(92, 8 * name.length + 38);
}

function columnOfWidth(width) {
  const made = element("col");
  made.style.width = `${width}px`;
  return made;
}

function makeHead(state, columns) {
  const { key, down } = state.get("sort");
  const heads = columns.map((column) => {
    const sorted = column.key === key, button = element("button", { type: "button", id: `sort-${column.key}` }, column.name, sorted ? (down ? " ↓" : " ↑") : "");
    button.addEventListener("click", () => state.set("sort", { ...state.get("sort"), key: column.key, down: sorted ? !down : false }));
    return element("th", { scope: "col", className: column.words ? "words" : "", "aria-sort": sorted ? (down ? "descending" : "ascending") : "none" }, button);
  });
  return element("tr", { "aria-rowindex": 1 }, element("th", { scope: "col", className: "tick" }, element("span", { className: "aside" }, "marked")), ...heads);
}

function tableNote(data, state, listed) {
  const visible = state.get("visible"), hidden = visible ? data.count - d3.sum(visible) : 0, marked = state.get("selection").rows.length;
  const parts = [`${counted(listed)} of ${counted(data.card.rows)} rows`];
  if (marked > 0) parts.push(`${counted(marked)} marked`);
  if (hidden > 0) parts.push(`${counted(hidden)} hidden`);
  if (data.count < data.card.rows) parts.push(`the page has a sample of ${counted(data.count)}`);
  return `${parts.join(", ")}.`;
}

export function makeRowTable(data, state, map, nameRow) {
  const grid = byId("row-grid"), scroller = byId("row-scroll"), tall = byId("row-tall"), note = byId("table-note"), choice = byId("table-show");
  const head = grid.tHead, body = grid.tBodies[0];
  let columns = [], order = new Uint32Array(0), first = 0, current = 0, waiting = false, own = false, stale = false;

  const lines = () => Math.max(1, Math.min(order.length, Math.floor((scroller.clientHeight - ROW_HIGH) / ROW_HIGH)));
  const hiddenPixels = () => Math.max(0, tall.clientHeight - scroller.clientHeight);
  const lastFirst = () => Math.max(0, order.length - lines());

  function putLine(line, at) {
    const row = order[at], { has } = state.get("selection");
    line.setAttribute("aria-rowindex", at + 2);
    line.setAttribute("aria-selected", has[row] === 1);
    line.id = `line-${row}`;
    line.className = `${row === state.get("focus") ? "looked-at" : ""}${at === current ? " current" : ""}`;
    line.cells[0].textContent = has[row] ? "✓" : "";
    columns.forEach((column, k) => (line.cells[k + 1].textContent = column.text(row)));
  }
  function newLine() {
    return element("tr", {}, element("td", { className: "tick" }), ...columns.map((column) => element("td", { className: column.words ? "words" : "" })));
  }
  function drawLines() {
    waiting = false;
    const count = order.length === 0 ? 0 : lines();
    while (body.rows.length > count) body.lastChild.remove();
    while (body.rows.length < count) body.append(newLine());
    first = Math.min(first, lastFirst());
    for (let k = 0; k < count; k++) putLine(body.rows[k], first + k);
    const seen = current >= first && current < first + count;
    if (seen) grid.setAttribute("aria-activedescendant", `line-${order[current]}`);
    else grid.removeAttribute("aria-activedescendant");
  }
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(drawLines);
  }
  // Brings a place in the list to where it can be seen.
  function reveal(at) {
    const last = first + lines() - 1;
    if (at >= first && at <= last) return;
    first = at < first ? at : at - lines() + 1;
    const range = lastFirst();
    scroller.scrollTop = range > 0 ? (first / range) * hiddenPixels() : 0;
  }
  function goTo(at) {
    current = Math.max(0, Math.min(order.length - 1, at));
    reveal(current);
    redraw();
  }
  function list() {
    stale = false;
    const scores = state.get("scores"), m = Math.min(state.get("latent").m, data.model.m, MOST_CODES);
    columns = rowColumns(data, scores, m);
    const widths = [32, ...columns.map(widthOfColumn)];
    order = listRows(data, state, columns);
    const held = head.contains(document.activeElement) ? document.activeElement.id : "";
    fill(head, makeHead(state, columns));
    if (held && byId(held)) byId(held).focus({ preventScroll: true });
    fill(body);
    fill(grid.querySelector("colgroup"), ...widths.map(columnOfWidth));
    tall.style.height = `${Math.min((order.length + 1) * ROW_HIGH, TALLEST)}px`;
    grid.setAttribute("aria-rowcount", order.length + 1);
    grid.setAttribute("aria-colcount", columns.length + 1);
    grid.style.width = `${d3.sum(widths)}px`;
    note.textContent = tableNote(data, state, order.length);
    choice.value = state.get("sort").show;
    current = Math.min(current, Math.max(0, order.length - 1));
    redraw();
  }
  // Once for all that changes before the next frame.
  function relist() {
    if (stale) return;
    stale = true;
    requestAnimationFrame(() => stale && list());
  }
  function look(at) {
    if (at < 0 || at >= order.length) return;
    own = true;
    state.set("focus", order[at]);
    own = false;
    map.goTo(order[at]);
  }
  function mark(from, to, event) {
    const rows = d3.range(Math.min(from, to), Math.max(from, to) + 1).map((at) => order[at]);
    if (event.shiftKey) state.set("selection", combine(state.get("selection"), selectionOf(data.count, rows), "add"));
    else markRows(data, state, rows, event);
  }
  function toggle(at) {
    const one = selectionOf(data.count, [order[at]]), { has } = state.get("selection");
    state.set("selection", combine(state.get("selection"), one, has[order[at]] ? "subtract" : "add"));
  }

  const moves = { ArrowUp: () => -1, ArrowDown: () => 1, PageUp: () => -lines(), PageDown: () => lines(), Home: () => -order.length, End: () => order.length };
  grid.addEventListener("keydown", (event) => {
    if (event.target !== grid || order.length === 0) return;
    const from = current;
    if (moves[event.key] && !event.altKey) {
      goTo(current + moves[event.key]());
      if (event.shiftKey) mark(from, current, event);
      state.set("hover", order[current]);
    } else if (event.key === "Enter") look(current);
    else if (event.key === " ") toggle(current);
    else return;
    event.preventDefault();
  });
  body.addEventListener("click", (event) => {
    const line = event.target.closest("tr"), at = first + line.sectionRowIndex, from = current;
    goTo(at);
    if (event.shiftKey) mark(from, at, event);
    else if (event.ctrlKey || event.metaKey || event.target.classList.contains("tick")) toggle(at);
    else look(at);
  });
  grid.addEventListener("blur", () => state.set("hover", -1));
  scroller.addEventListener("scroll", () => {
    const at = hiddenPixels() > 0 ? Math.round((scroller.scrollTop / hiddenPixels()) * lastFirst()) : 0;
    if (Math.abs(at - first) < 1) return;
    first = at;
    redraw();
  });
  choice.addEventListener("change", () => state.set("sort", { ...state.get("sort"), show: choice.value }));
  new ResizeObserver(redraw).observe(scroller);

  state.on("sort scores latent visible", relist);
  state.on("selection", () => {
    if (state.get("sort").show !== "all") return relist();
    note.textContent = tableNote(data, state, order.length);
    return redraw();
  });
  state.on("focus", (row) => {
    if (!own && row >= 0 && !stale) {
      const at = order.indexOf(row);
      if (at >= 0) goTo(at);
    }
    redraw();
  });
  grid.setAttribute("aria-label", "all rows");
  relist();
  return { columns: () => columns, order: () => order, current: () => nameRow(order[current]) };
}

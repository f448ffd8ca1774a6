// SPDX-License-Identifier: BSD-3-Clause
// Rows that are not among the points of a page that is served: found by their number, or by a click where no point is, which
// takes the row of all that is nearest. The row is fetched, shown beside the map, and marked on it.
import { columnName } from "./data.js";
import { reconstruct } from "./decode.js";
import { canDecode } from "./decoder.js";
import { byId, chance, counted, element, exact, fill, roundColumn, short, shortColumn, table } from "./format.js";
import { grey } from "./picture.js";
import { ask, fetchRow, isServed } from "./served.js";
import { say } from "./state.js";

const FETCH_REACH = 12, FETCHED_SIZE = 140; // pixels

function fetchedFacts(data, row) {
  const list = [["row", counted(row.number)], ...data.texts.map((t, k) => [t.name, row.texts[k] || ""])];
  if (row.scores) list.push(["log-likelihood", short(row.scores[0])], ["p-value", chance(row.scores[3])], ["T²", short(row.scores[1], 4)], ["Q", short(row.scores[2], 4)]);
  return element("dl", {}, ...list.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

function fetchedPicture(data, row, m) {
  const { model } = data, kept = canDecode(model) ? reconstruct(model, row.codes, m) : null;
  if (model.imageRows > 0) {
    const pictures = [[row.cells, "the row"], ...(kept ? [[kept, `from ${m} component${m === 1 ? "" : "s"}`]] : [])];
    return element("div", { className: "pair" }, ...pictures.map(([x, name]) => element("figure", {}, grey(data, x, FETCHED_SIZE, name), element("figcaption", {}, name))));
  }
  const rows = Array.from(row.cells, (v, c) => [columnName(model, c), exact(v), ...(kept ? [shortColumn(roundColumn(kept[c], model.sd[c]), model.sd[c])] : [])]);
  return element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "cells of the fetched row" }, table("cells of the fetched row", ["~column", "value", ...(kept ? [`M = ${m}`] : [])], rows));
}

export function makeElsewhere(data, state, map) {
  if (!isServed(data) || !data.card.fetches) return;
  const where = byId("elsewhere"), svg = byId("overlay");
  let row = null, pressed = null, latest = 0;

  function show() {
    where.hidden = row === null;
    if (row) fill(where, element("h3", {}, `Row ${counted(row.number)}, which is not among the points`), fetchedFacts(data, row), fetchedPicture(data, row, state.get("latent").m));
    map.redraw();
  }
  async function take(number) {
    const mine = ++latest;
    try {
      const found = await fetchRow(number);
      if (mine !== latest) return;
      row = found;
      say(`fetched row ${counted(number)}`);
    } catch {
      say(`row ${counted(number)} cannot be fetched`);
    }
    show();
  }
  function drop() {
    latest++;
    if (row === null) return;
    row = null;
    show();
  }
  async function takeNearest(at) {
    const sight = map.sight(), x = state.get("x"), y = state.get("y");
    const ux = sight.screenX(1) - sight.screenX(0), uy = sight.screenY(0) - sight.screenY(1);
    const cx = (at[0] - sight.screenX(0)) / ux, cy = (sight.screenY(0) - at[1]) / uy;
    const found = await ask(`nearest?x=${x}&y=${y}&cx=${cx}&cy=${cy}&r=${FETCH_REACH / ux}`).then((answer) => answer.json(), () => ({ row: null }));
    if (found.row !== null && state.get("focus") < 0) take(found.row);
  }
  const placeIn = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  svg.addEventListener("pointerdown", (event) => (pressed = placeIn(event)));
  svg.addEventListener("pointerup", (event) => {
    const at = placeIn(event), still = pressed && Math.hypot(at[0] - pressed[0], at[1] - pressed[1]) < 4;
    pressed = null;
    if (still && !event.button && !state.get("lasso") && state.get("focus") < 0) takeNearest(at);
  });
  const byNumber = new Set(data.number);
  state.on("search", (text) => {
    const number = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : 0;
    if (number > 0 && number <= data.card.rows && !byNumber.has(number)) take(number);
    else drop();
  });
  state.on("focus", (focus) => focus >= 0 && drop());
  state.on("latent", show);
  map.addLayer("elsewhere", (group, sight) => {
    const x = state.get("x"), y = state.get("y"), can = row && Math.max(x, y) < row.codes.length && data.model.m > 1;
    group.selectAll("circle").data(can ? [row] : []).join("circle").attr("class", "selected").attr("r", 8)
      .attr("cx", (r) => sight.screenX(r.codes[x])).attr("cy", (r) => sight.screenY(r.codes[y]));
  });
}

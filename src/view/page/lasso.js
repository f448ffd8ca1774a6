// SPDX-License-Identifier: BSD-3-Clause
// Rows are caught in a picture with a line drawn around them or with a box, by pointer or by keys; what is caught changes the
// selection, as the keys held at the end say, or else as the reader has chosen (state "how"). With keys a cross moves,
// Space sets a corner, and Enter closes the shape.
//
// where: what a picture of rows offers:
//
//     layer          an SVG group to draw in
//     places()       { x, y, k, dx, dy }: row i is at x[i] k + dx, y[i] k + dy
//     box()          { left, top, right, bottom } of what shows rows
//     nearest(x, y)  the row that a pointer means, or -1
//     redraw()       draws the picture again, and what this draws with it
import { insidePolygon } from "./points.js";
import { combine, howOf, selectionOf } from "./selection.js";
import { say } from "./state.js";

const STEP = 10, LEAP = 50; // pixels a key moves the cross
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HELP = "Arrow keys move the cross, with Shift farther; Space sets a corner, Enter closes, Escape stops.";

function boxOf([a, b]) {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
}

function inside(kind, corners) {
  if (kind === "lasso") return (x, y) => insidePolygon(corners, x, y);
  const [left, top, right, bottom] = boxOf(corners);
  return (x, y) => x >= left && x <= right && y >= top && y <= bottom;
}

// Of the rows that are not hidden.
function caughtIn(kind, corners, { x, y, k, dx, dy }, visible) {
  const rows = [], hit = inside(kind, corners);
  for (let i = 0; i < x.length; i++) if ((!visible || visible[i]) && hit(x[i] * k + dx, y[i] * k + dy)) rows.push(i);
  return rows;
}

export function makeLasso(data, state, where) {
  let kind = null, corners = [], cross = null;

  function catchRows(rows, event) {
    const held = howOf(event), how = held === "replace" ? state.get("how") : held;
    state.set("selection", combine(state.get("selection"), selectionOf(data.count, rows), how));
  }
  function stop() {
    kind = cross = null;
    corners = [];
    where.redraw();
  }
  // A shape too small to be one means the row that it is on.
  function close(event) {
    const [first] = corners, small = corners.every((p) => Math.hypot(p[0] - first[0], p[1] - first[1]) < 4);
    if (small) catchRows([where.nearest(...first)], event);
    else if (kind === "box" || corners.length > 2) catchRows(caughtIn(kind, corners, where.places(), state.get("visible")), event);
    stop();
  }
  const reach = (at) => (kind === "box" ? (corners = [corners[0], at]) : corners.push(at));

  function moveCross([right, down], event) {
    const box = where.box(), by = event.shiftKey ? LEAP : STEP;
    if (!cross) cross = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    else cross = [Math.max(box.left, Math.min(box.right, cross[0] + right * by)), Math.max(box.top, Math.min(box.bottom, cross[1] + down * by))];
    where.redraw();
  }
  function setCorner() {
    if (!cross) moveCross([0, 0], {});
    kind = state.get("lasso");
    corners.push(cross);
    if (kind === "box") corners = corners.slice(0, 2);
    say(`corner ${corners.length}`);
    where.redraw();
  }
  // Whether a key was meant for this.
  function key(event) {
    const tool = state.get("lasso");
    if (event.key === "Escape" && (corners.length > 0 || tool)) {
      if (corners.length > 0) stop();
      else state.set("lasso", null);
      return true;
    }
    if (!tool) return false;
    if (KEYS[event.key]) moveCross(KEYS[event.key], event);
    else if (event.key === " ") setCorner();
    else if (event.key === "Enter" && corners.length > 0) {
      reach(cross);
      close(event);
    } else return false;
    return true;
  }

  state.on("lasso", (tool) => {
    stop();
    if (tool) say(`${tool}. ${HELP}`);
  });
  return {
    key,
    starts: (event) => !event.button && (state.get("lasso") !== null || event.shiftKey || event.altKey),
    down(at) {
      kind = state.get("lasso") || "lasso";
      cross = null;
      corners = [at];
    },
    move(at) {
      reach(at);
      where.redraw();
    },
    up: close,
    stop,
    draw() {
      const line = cross && corners.length > 0 ? [...corners, cross] : corners, boxed = kind === "box" && line.length > 1 ? boxOf([line[0], line[line.length - 1]]) : null;
      const path = boxed ? `M${boxed[0]},${boxed[1]}H${boxed[2]}V${boxed[3]}H${boxed[0]}Z` : `M${line.map((p) => p.join(",")).join("L")}Z`;
      where.layer.selectAll(".lasso-line").data(line.length > 1 ? [path] : []).join("path").attr("class", "lasso-line").attr("d", (d) => d);
      where.layer.selectAll(".cross").data(cross ? [cross] : []).join("path").attr("class", "cross").attr("d", (p) => `M${p[0] - 9},${p[1]}h18M${p[0]},${p[1] - 9}v18`);
    },
  };
}

// SPDX-License-Identifier: BSD-3-Clause
// The rows in the space of three components: it turns with a drag, with arrow keys, or by itself when it is asked to; where
// motion is not wanted it then turns by a step. Its marks are those of all other pictures.
import { codeName, codeWord, middleCode } from "./decoder.js";
import { byId, element, short } from "./format.js";
import { packed } from "./palette.js";
import { makePanel } from "./panel.js";
import { arrangeByDepth, reachOf, turner } from "./turning.js";
import { say } from "./state.js";

const RIM = { left: 6, right: 6, top: 6, bottom: 6 };
const DEGREE = Math.PI / 180, KEY_TURN = 5, KEY_LEAP = 30, PER_PIXEL = 0.4, PER_SECOND = 20, STEP_TURN = 30; // in degrees
const FIRST_TURN = { turn: -30, tip: 20, k: 1 }, MOST_ZOOM = 50;

const around = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;
const angles = ({ turn, tip }) => `turned ${short(Math.round(turn))}°, tipped ${short(Math.round(tip))}°`;
const between = (low, value, high) => Math.max(low, Math.min(high, value));

// The three axes through the middle of the model, as far as rows reach, farther ones first.
function drawSpaceAxes(group, data, axes, at) {
  const zero = axes.map((j) => middleCode(data)[j]), origin = at(zero);
  const lines = axes.map((j, k) => {
    const [low, high] = d3.extent(data.codes[j]), to = (v) => at(zero.map((z, i) => (i === k ? v : z)));
    return { from: to(Math.min(low, zero[k])), to: to(Math.max(high, zero[k])), name: j + 1, k };
  });
  group.selectAll("line").data(lines).join("line").attr("class", "space-axis").attr("x1", (l) => l.from[0]).attr("y1", (l) => l.from[1]).attr("x2", (l) => l.to[0]).attr("y2", (l) => l.to[1]);
  group.selectAll("text").data(lines).join("text").attr("class", "strong").attr("text-anchor", (l) => (l.to[0] < origin[0] ? "end" : "start")).attr("x", (l) => l.to[0] + (l.to[0] < origin[0] ? -5 : 5)).attr("y", (l) => l.to[1] + 4).text((l) => l.name);
}

// Where the rows are seen: three numbers to two, and how near.
function makeView(data, state) {
  let codes = [], reach = null, read = "";
  const update = () => {
    const { axes } = state.get("space");
    if (read === axes.join()) return;
    read = axes.join();
    codes = axes.map((j) => data.codes[j]);
    reach = reachOf(codes);
  };
  return ({ width, height }) => {
    update();
    const { turn, tip, k } = state.get("space"), seen = turner(turn * DEGREE, tip * DEGREE), unit = (k * (Math.min(width, height) / 2 - 14)) / reach.farthest;
    const at = (values) => {
      const [x, y, depth] = seen(...values.map((v, i) => v - reach.middle[i]));
      return [width / 2 + unit * x, height / 2 - unit * y, depth / reach.farthest];
    };
    return { at, rows: (visit) => codes[0].forEach((v, i) => visit(i, at([v, codes[1][i], codes[2][i]]))) };
  };
}

function makeTurning(state, where) {
  const button = byId("space-spin"), still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let spinning = false, last = 0;
  const turnBy = (turn, tip) => {
    const now = state.get("space");
    state.set("space", { ...now, turn: around(now.turn + turn), tip: between(-90, now.tip + tip, 90) });
  };
  const step = (time) => {
    if (!spinning) return;
    if (where.closest("section").getBoundingClientRect().bottom > 0) turnBy((PER_SECOND * Math.min(time - last, 100)) / 1000, 0);
    last = time;
    requestAnimationFrame(step);
  };
  const stop = () => {
    spinning = false;
    button.setAttribute("aria-pressed", "false");
  };
  button.addEventListener("click", () => {
    if (still.matches) return turnBy(STEP_TURN, 0);
    if (spinning) return stop();
    spinning = true;
    button.setAttribute("aria-pressed", "true");
    last = performance.now();
    return requestAnimationFrame(step);
  });
  still.addEventListener("change", stop);
  return { stop, turnBy: (turn, tip) => (stop(), turnBy(turn, tip)) };
}

function makeSpaceChoices(data, state) {
  const selects = ["x", "y", "z"].map((name) => byId(`space-${name}`));
  selects.forEach((select, k) => {
    for (let j = 0; j < data.model.m; j++) select.append(element("option", { value: j }, codeName(data.model, j)));
    select.addEventListener("change", () => state.set("space", { ...state.get("space"), axes: selects.map((one) => Number(one.value)) }));
    state.on("space", ({ axes }) => (select.value = axes[k]));
    select.value = state.get("space").axes[k];
  });
}

export function firstSpace(data) {
  return { axes: [0, 1, 2].map((j) => Math.min(j, data.model.m - 1)), ...FIRST_TURN };
}

export function makeSpace(data, state, tools) {
  const section = byId("space"), where = byId("space-view"), note = byId("space-note"), word = codeWord(data.model);
  section.hidden = data.model.m < 3;
  if (section.hidden) return null;
  byId("space-title").textContent = `The rows, in the space of three ${word}s`;
  const look = makeView(data, state), turning = makeTurning(state, where), depth = new Float32Array(data.count);
  const zoomBy = (factor) => state.set("space", { ...state.get("space"), k: between(0.5, state.get("space").k * factor, MOST_ZOOM) });
  const home = () => {
    turning.stop();
    state.set("space", { ...state.get("space"), ...FIRST_TURN });
  };
  const arrow = (turn, tip) => (event) => {
    const by = event.shiftKey ? KEY_LEAP : KEY_TURN, now = () => state.get("space");
    turning.turnBy(turn * by, tip * by);
    say(angles(now()));
  };
  const picture = {
    label: `Rows in the space of three ${word}s. Arrow keys turn it, with Shift farther, plus and minus zoom, 0 is the first view, N and P go to the next and previous row, L and B start a lasso and a box, Escape lets go.`,
    margin: RIM,
    radius: data.count < 2000 ? 3 : data.count < 20000 ? 1.8 : 1.1,
    project(place, size) {
      look(size).rows((i, [x, y, near]) => {
        place.x[i] = x;
        place.y[i] = y;
        depth[i] = near;
      });
    },
    arrange: (place) => arrangeByDepth({ ...place, depth }, { paint: state.get("paint"), shapes: state.get("shapes"), marked: state.get("selection").has, ground: packed(getComputedStyle(where).backgroundColor) }),
    drawOver: (group, size) => drawSpaceAxes(group, data, state.get("space").axes, look(size).at),
    keys: { ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, -1), ArrowDown: arrow(0, 1), "+": () => zoomBy(1.4), "=": () => zoomBy(1.4), "-": () => zoomBy(1 / 1.4), 0: home },
    drag: (dx, dy) => turning.turnBy(PER_PIXEL * dx, PER_PIXEL * dy),
    wheel: (by) => zoomBy(1.002 ** -by),
  };
  const panel = makePanel(data, state, where, picture, tools);
  const show = () => {
    note.textContent = `Drag to turn, scroll to zoom, Shift-drag to mark rows. A unit is as long along all three. It is ${angles(state.get("space"))}.`;
    panel.replace();
  };
  makeSpaceChoices(data, state);
  byId("space-home").addEventListener("click", home);
  state.on("space", show);
  show();
  return panel;
}

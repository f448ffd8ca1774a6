// SPDX-License-Identifier: BSD-3-Clause
// A further picture of the same rows: points on a canvas, and an SVG over it with the marks that all pictures share. What is
// pointed at, looked at, marked, hidden or coloured anywhere is so here. It is drawn when it comes into sight, or before
// paper does. What a picture is of, it says itself:
//
//     label                  for those who do not see it
//     margin                 { left, right, top, bottom }: pixels around the points
//     radius                 of a point
//     project(place, size)   puts the places of all rows into place.x and place.y; size: { width, height }
//     arrange(place)         null, or the points in the order in which they are drawn: { x, y, colours, shapes, above }
//     drawOver(group, size)  what is drawn over the points, such as axes
//     keys                   { key: act(event) }
//     drag(dx, dy)           what a drag does; without it a drag marks rows
//     wheel(by)              what the wheel does; without it the page scrolls
import { element } from "./format.js";
import { makeLasso } from "./lasso.js";
import { drawNear } from "./neighbours.js";
import { packed } from "./palette.js";
import { drawPoints } from "./points.js";
import { selectionOf } from "./selection.js";

const REACH_HERE = 12, STILL = 4; // pixels

function nearestPlace(place, visible, x, y) {
  let best = REACH_HERE ** 2, row = -1;
  for (let i = 0; i < place.x.length; i++) {
    const off = (place.x[i] - x) ** 2 + (place.y[i] - y) ** 2;
    if (off < best && (!visible || visible[i])) [best, row] = [off, i];
  }
  return row;
}

function makeLayers(where, label) {
  const canvas = element("canvas", { "aria-hidden": "true" }), overlay = d3.create("svg").attr("role", "application").attr("tabindex", 0).attr("aria-label", label);
  where.replaceChildren(canvas, overlay.node());
  const layers = Object.fromEntries(["over", "near", "lasso", "marks"].map((name) => [name, overlay.append("g").attr("class", `layer-${name}`)]));
  return { canvas, context: canvas.getContext("2d"), overlay, layers };
}

function drawRings(group, state, placeOf) {
  const rings = [["hovered", state.get("hover")], ["selected", state.get("focus")]].filter(([, row]) => row >= 0);
  group.selectAll("circle").data(rings).join("circle").attr("class", ([kind]) => kind).attr("r", ([kind]) => (kind === "selected" ? 7 : 5))
    .attr("cx", ([, row]) => placeOf(row)[0]).attr("cy", ([, row]) => placeOf(row)[1]);
}

// Draws when asked, once a frame, and only what is in sight.
function makeSchedule(where, draw) {
  let inSight = false, wanted = "", waiting = false;
  const now = () => {
    waiting = false;
    if (!inSight || !wanted) return;
    const what = wanted;
    wanted = "";
    draw(what);
  };
  const ask = (what) => {
    if (wanted !== "all") wanted = what;
    if (waiting || !inSight) return;
    waiting = true;
    requestAnimationFrame(now);
  };
  new IntersectionObserver((seen) => {
    inSight = seen[seen.length - 1].isIntersecting;
    if (inSight && wanted) ask(wanted);
  }, { rootMargin: "200px" }).observe(where);
  window.addEventListener("beforeprint", () => wanted && draw("all"));
  return ask;
}

function listen(overlay, data, state, { lasso, nearest, picture, walk, map }) {
  const svg = overlay.node();
  let pressed = null, last = null, holds = null; // where the pointer went down and was last; what it does
  const at = (event) => {
    const rect = svg.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  };
  // What is said of a row stands above, and may need more room than before: the picture stays under the pointer.
  const look = (key, row) => {
    const before = svg.getBoundingClientRect().top;
    state.set(key, row);
    const moved = svg.getBoundingClientRect().top - before;
    if (moved !== 0) window.scrollBy(0, moved);
  };
  const release = () => (pressed = holds = null);
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    pressed = last = at(event);
    holds = !picture.drag || lasso.starts(event) ? "lasso" : "drag";
    if (holds === "lasso") lasso.down(pressed);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    const here = at(event);
    if (holds === "lasso") lasso.move(here);
    else if (holds === "drag") picture.drag(here[0] - last[0], here[1] - last[1]);
    else if (!event.buttons && nearest(...here) !== state.get("hover")) look("hover", nearest(...here));
    last = here;
  });
  svg.addEventListener("pointerup", (event) => {
    if (!holds) return;
    const here = at(event), still = Math.hypot(here[0] - pressed[0], here[1] - pressed[1]) < STILL;
    if (still && !lasso.starts(event)) {
      if (holds === "lasso") lasso.stop();
      const row = nearest(...here);
      look("focus", row);
      if (row >= 0) map.goTo(row);
    } else if (holds === "lasso") lasso.up(event);
    release();
  });
  svg.addEventListener("pointercancel", () => {
    if (holds === "lasso") lasso.stop();
    release();
  });
  svg.addEventListener("pointerleave", () => state.set("hover", -1));
  if (picture.wheel)
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      picture.wheel(event.deltaY);
    }, { passive: false });
  const tool = (name) => () => state.set("lasso", state.get("lasso") === name ? null : name);
  const keys = {
    n: () => map.goTo(walk(1)),
    p: () => map.goTo(walk(-1)),
    l: tool("lasso"),
    b: tool("box"),
    Escape: () => (state.get("selection").rows.length > 0 ? state.set("selection", selectionOf(data.count, [])) : state.set("focus", -1)),
    ...picture.keys,
  };
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const caught = lasso.key(event), act = event.altKey || caught ? null : keys[event.key] || keys[event.key.toLowerCase()];
    if (!caught && !act) return;
    event.preventDefault();
    if (act) act(event);
  });
}

export function makePanel(data, state, where, picture, { map, walk }) {
  const { canvas, context, overlay, layers } = makeLayers(where, picture.label);
  const place = { x: new Float32Array(data.count), y: new Float32Array(data.count) }, printing = window.matchMedia("print");
  let size = { width: 0, height: 0 }, ratio = 1, placed = false;
  const placeOf = (row) => [place.x[row], place.y[row]];
  const { left, right, top, bottom } = picture.margin;

  function measure() {
    if (printing.matches) return; // paper shows what the screen showed
    size = { width: where.clientWidth, height: where.clientHeight };
    ratio = window.devicePixelRatio || 1;
    where.style.setProperty("--laid-out", `${size.width} / ${size.height}`);
    overlay.attr("viewBox", `0 0 ${size.width} ${size.height}`);
    replace();
  }
  function drawCanvas() {
    const width = Math.round(size.width * ratio), height = Math.round(size.height * ratio);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const points = (picture.arrange && picture.arrange(place)) || { x: place.x, y: place.y, colours: state.get("paint"), shapes: state.get("shapes"), above: state.get("selection").rows };
    drawPoints(context, width, height, { ...points, count: data.count, k: ratio, dx: 0, dy: 0 },
      { ground: packed(getComputedStyle(where).backgroundColor), radius: picture.radius * ratio, strength: 0.8, left: left * ratio, right: (size.width - right) * ratio, top: top * ratio, bottom: (size.height - bottom) * ratio });
  }
  function draw(what) {
    if (!(size.width > 0 && size.height > 0)) return;
    if (!placed) picture.project(place, size);
    placed = true;
    if (what === "all") {
      drawCanvas();
      picture.drawOver(layers.over, size);
    }
    drawNear(layers.near, { placeOf }, state);
    drawRings(layers.marks, state, placeOf);
    lasso.draw();
  }
  const ask = makeSchedule(where, draw);
  const nearest = (x, y) => nearestPlace(place, state.get("visible"), x, y);
  function replace() {
    placed = false;
    ask("all");
  }
  const lasso = makeLasso(data, state, {
    layer: layers.lasso, nearest, redraw: () => ask("marks"),
    places: () => ({ x: place.x, y: place.y, k: 1, dx: 0, dy: 0 }),
    box: () => ({ left, top, right: size.width - right, bottom: size.height - bottom }),
  });
  listen(overlay, data, state, { lasso, nearest, picture, walk, map });
  state.on("paint shapes", () => ask("all"));
  state.on("hover focus neighbours", () => ask("marks"));
  new ResizeObserver(measure).observe(where);
  measure();
  return { placeOf, place, replace, overlay: overlay.node(), canvas };
}

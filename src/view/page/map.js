// SPDX-License-Identifier: BSD-3-Clause
// The embedding: rows as points in the plane of two components, on a canvas, and over it an SVG with axes, the hovered and
// the selected row, the 95 % ellipse of its posterior, draws, the ring that walks through codes, and the lasso. A unit is as
// long along both axes, so that distances and angles are those of the codes.
import { byId, tickText } from "./format.js";
import { codeName } from "./decoder.js";
import { makeLasso } from "./lasso.js";
import { packed } from "./palette.js";
import { drawPoints } from "./points.js";
import { posteriorEdge, posteriorMean, posteriorOf } from "./posterior.js";
import { selectionOf } from "./selection.js";
import { say } from "./state.js";
import { makeWalk } from "./walk.js";

const MARGIN = { left: 46, right: 10, top: 10, bottom: 24 };
const REACH = 12; // pixels from the pointer to a row that is meant

function span(values, extra) {
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(high > low)) return [low - 1, low + 1];
  return [low - extra * (high - low), high + extra * (high - low)];
}

// A unit becomes as long along both axes: the one along which it is longer shows more, to both sides.
function equalise(x, y) {
  const unit = ([low, high], [from, to]) => Math.abs((to - from) / (high - low));
  const shorter = Math.min(unit(x.domain(), x.range()), unit(y.domain(), y.range()));
  if (!(shorter > 0)) return; // not laid out yet
  for (const scale of [x, y]) {
    const [low, high] = scale.domain(), half = Math.abs(scale.range()[1] - scale.range()[0]) / shorter / 2;
    scale.domain([(low + high) / 2 - half, (low + high) / 2 + half]);
  }
}

export function makeMap(data, state, nameRow) {
  const box = byId("map"), canvas = byId("points"), svg = d3.select("#overlay");
  const context = canvas.getContext("2d");
  const layers = {};
  const clip = svg.append("clipPath").attr("id", "inside").append("rect").attr("x", MARGIN.left).attr("y", MARGIN.top);
  for (const name of ["axis-x", "axis-y", "lasso", "ellipse", "draws", "marks", "handle"]) layers[name] = svg.append("g").attr("class", name.startsWith("axis") ? "axis" : name);
  for (const name of ["lasso", "ellipse", "draws", "marks", "handle"]) layers[name].attr("clip-path", "url(#inside)");
  const axisNames = { x: svg.append("text").attr("class", "strong"), y: svg.append("text").attr("class", "strong") };
  const place = { x: new Float32Array(data.count), y: new Float32Array(data.count) };
  let width = 0, height = 0, ratio = 1, scaleX, scaleY, tree = null, edge = null, waiting = false;
  let moved = d3.zoomIdentity;
  const painters = []; // what others draw over the points

  const flat = data.model.m === 1; // the second axis is then the log-likelihood, or nothing
  const upValues = () => (!flat ? data.codes[state.get("y")] : data.scores ? data.scores.loglik : new Float32Array(data.count));
  const screenX = (t) => moved.applyX(scaleX(t));
  const screenY = (t) => moved.applyY(scaleY(t));

  const printing = window.matchMedia("print");
  function layOut() {
    if (printing.matches) return; // paper shows what the screen showed
    width = box.clientWidth;
    height = box.clientHeight;
    ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    svg.attr("viewBox", `0 0 ${width} ${height}`);
    box.style.setProperty("--laid-out", `${width} / ${height}`);
    clip.attr("width", Math.max(0, width - MARGIN.left - MARGIN.right)).attr("height", height - MARGIN.top - MARGIN.bottom);
    const across = data.codes[state.get("x")], up = upValues();
    scaleX = d3.scaleLinear(span(across, 0.03), [MARGIN.left, width - MARGIN.right]);
    scaleY = d3.scaleLinear(span(up, 0.03), [height - MARGIN.bottom, MARGIN.top]);
    if (!flat) equalise(scaleX, scaleY);
    for (let i = 0; i < data.count; i++) {
      place.x[i] = scaleX(across[i]);
      place.y[i] = scaleY(up[i]);
    }
    tree = null;
    keepZoom();
    redraw();
  }

  // The zoom of the state is in codes: it outlives another size of the window. One that was seen along other axes does not mean
  // theirs; then what is seen stays where it is.
  const middle = () => [(MARGIN.left + width - MARGIN.right) / 2, (MARGIN.top + height - MARGIN.bottom) / 2];
  let noted = null, notedAxes = "";
  const axesNow = () => `${state.get("x")} ${state.get("y")}`;
  function noteZoom() {
    const [cx, cy] = middle(), whole = moved.k === 1 && moved.x === 0 && moved.y === 0;
    if (!(width > 0)) return;
    noted = whole ? null : { k: moved.k, x: scaleX.invert(moved.invertX(cx)), y: scaleY.invert(moved.invertY(cy)) };
    notedAxes = axesNow();
    state.set("zoom", noted);
  }
  function keepZoom() {
    const wanted = state.get("zoom");
    if (wanted === noted && notedAxes !== axesNow()) return noteZoom();
    if (!wanted || !(width > 0)) return wanted === noted ? undefined : home();
    const near = (scale, v) => scale(Math.max(2 * scale.domain()[0] - scale.domain()[1], Math.min(2 * scale.domain()[1] - scale.domain()[0], v)));
    const [cx, cy] = middle();
    return svg.call(zoom.transform, d3.zoomIdentity.translate(cx - wanted.k * near(scaleX, wanted.x), cy - wanted.k * near(scaleY, wanted.y)).scale(wanted.k));
  }

  // Built when it is first needed: a pointer may never come.
  function nearest(sx, sy) {
    const visible = state.get("visible");
    if (!tree) tree = d3.quadtree().x((i) => place.x[i]).y((i) => place.y[i]).addAll(d3.range(data.count).filter((i) => Number.isFinite(place.y[i]) && (!visible || visible[i])));
    const found = tree.find(moved.invertX(sx), moved.invertY(sy), REACH / moved.k);
    return found === undefined ? -1 : found;
  }

  function drawAxes() {
    const x = moved.rescaleX(scaleX), y = moved.rescaleY(scaleY);
    layers["axis-x"].attr("transform", `translate(0,${height - MARGIN.bottom})`).call(d3.axisBottom(x).ticks(width / 90).tickFormat(tickText));
    layers["axis-y"].attr("transform", `translate(${MARGIN.left},0)`).call(d3.axisLeft(y).ticks(height / 60).tickFormat(tickText));
    axisNames.x.attr("x", width - MARGIN.right).attr("y", height - MARGIN.bottom - 7).attr("text-anchor", "end").text(codeName(data.model, state.get("x"), width < 600 ? "" : " of the variance"));
    axisNames.y.attr("x", MARGIN.left + 8).attr("y", 16).text(flat ? (data.scores ? "log-likelihood" : "") : codeName(data.model, state.get("y"), width < 600 ? "" : " of the variance"));
  }

  // Where z lies: at the code of what it decodes to. A row's posterior mean is nearer to the middle than its point.
  function planeOf(z) {
    const latent = state.get("latent"), jx = state.get("x"), jy = state.get("y");
    const t = (j) => (j < latent.m ? z[j] * latent.length[j] : 0);
    return [screenX(t(jx)), flat ? height / 2 : screenY(t(jy))];
  }

  // The edge of what holds 95 % of the selected row's posterior, in codes; empty where there is none.
  function findEdge() {
    const latent = state.get("latent"), row = state.get("focus"), jx = state.get("x"), jy = flat ? -1 : state.get("y");
    const posterior = row >= 0 && latent.noise > 0 && Math.max(jx, jy) < latent.m && jx !== jy ? posteriorOf(data, latent, row) : null;
    return posterior ? posteriorEdge(latent, posterior, jx, jy) : [];
  }

  function drawEllipse() {
    edge = edge || findEdge();
    const y = flat && edge.length > 0 ? moved.applyY(place.y[state.get("focus")]) : 0;
    const corners = edge.map((p) => (flat ? [screenX(p[0]), y] : [screenX(p[0]), screenY(p[1])]));
    const line = flat ? corners.map((p) => `M${p[0]},${p[1] - 5}v10`).join("") + `M${corners.join("L")}` : `M${corners.join("L")}Z`;
    layers.ellipse.selectAll("path").data(edge.length > 0 ? [line] : []).join("path").attr("class", "ellipse").attr("d", (d) => d);
  }

  const placeOf = (row) => [moved.applyX(place.x[row]), moved.applyY(place.y[row])];
  const isRight = (row) => moved.applyX(place.x[row]) > width / 2;
  // Its name, where a text is another in every row; else its number.
  function nameMark(row) {
    const names = data.texts.find((t) => !t.isClass && t.words.length >= 0.9 * data.count);
    return (names && names.words[names.index[row]]) || `row ${data.number[row]}`;
  }

  function drawMarks() {
    const marks = [["hovered", state.get("hover")], ["selected", state.get("focus")]].filter(([, row]) => row >= 0);
    layers.marks.selectAll("circle").data(marks).join("circle").attr("class", ([kind]) => kind).attr("r", ([kind]) => (kind === "selected" ? 8 : 6))
      .attr("cx", ([, row]) => moved.applyX(place.x[row])).attr("cy", ([, row]) => moved.applyY(place.y[row]));
    layers.marks.selectAll("text").data(marks).join("text").attr("class", "named").text(([, row]) => nameMark(row))
      .attr("x", ([, row]) => moved.applyX(place.x[row]) + (isRight(row) ? -12 : 12)).attr("y", ([, row]) => moved.applyY(place.y[row]) - 9)
      .attr("text-anchor", ([, row]) => (isRight(row) ? "end" : "start"));
    layers.draws.selectAll("circle").data(state.get("draws").map((draw) => planeOf(draw.z))).join("circle").attr("class", "drawn").attr("r", 3.5).attr("cx", (p) => p[0]).attr("cy", (p) => p[1]);
    layers.handle.selectAll("circle").data([planeOf(state.get("z"))]).join("circle").attr("class", "handle").attr("r", 9).attr("cx", (p) => p[0]).attr("cy", (p) => p[1]);
    drawEllipse();
    lasso.draw();
  }

  // How large points are, and how much of the ground they cover.
  const few = data.count < 2000, some = data.count < 20000, strength = few ? 0.85 : 0.75;
  const radius = () => (few ? 3.2 : some ? 2 : 1.1) * Math.min(2, Math.sqrt(moved.k));

  let ground = null; // what draws pixels below the points
  let withPoints = true;

  // In a canvas that has so many pixels for one of the picture.
  function paintPoints(target, fine) {
    const plain = packed(getComputedStyle(box).backgroundColor);
    drawPoints(target, target.canvas.width, target.canvas.height,
      { x: place.x, y: place.y, colours: state.get("paint"), shapes: state.get("shapes"), count: withPoints ? data.count : 0, above: state.get("selection").rows, ringed: state.get("matches"), k: moved.k * fine, dx: moved.x * fine, dy: moved.y * fine },
      { ground: plain, under: ground && ground({ ...sight(), ratio: fine }, target.canvas.width, target.canvas.height, plain), ringColour: packed(getComputedStyle(svg.node()).color), radius: radius() * fine, strength,
        left: MARGIN.left * fine, right: (width - MARGIN.right) * fine, top: MARGIN.top * fine, bottom: (height - MARGIN.bottom) * fine });
  }

  function drawNow() {
    waiting = false;
    if (canvas.width === 0 || canvas.height === 0) return; // not laid out yet
    paintPoints(context, ratio);
    drawAxes();
    for (const [group, draw] of painters) draw(group, sight());
    drawMarks();
  }

  // What others need to draw over the points: where codes of the two components and rows are, how far the picture is
  // magnified, and how large it is.
  function sight() {
    return { screenX, screenY, place, placeOf, radius: radius(), strength, k: moved.k, dx: moved.x, dy: moved.y, ratio, width, height, left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
  }
  function addLayer(name, draw) {
    painters.push([svg.insert("g", ".ellipse").attr("class", `layer-${name}`).attr("clip-path", "url(#inside)"), draw]);
    redraw();
  }

  // draw gives the pixels of the picture without points, or null for none.
  function setGround(draw) {
    ground = draw;
    redraw();
  }
  function showPoints(shown) {
    withPoints = shown;
    redraw();
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(drawNow);
  }

  const lasso = makeLasso(data, state, {
    layer: layers.lasso, nearest, redraw,
    places: () => ({ x: place.x, y: place.y, k: moved.k, dx: moved.x, dy: moved.y }),
    box: () => ({ left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom }),
  });
  const zoom = d3.zoom().scaleExtent([0.5, 400]).filter((event) => {
    const e = event instanceof Event ? event : d3.event; // D3 before and after version 6
    return (e.type === "wheel" || (!e.button && !lasso.starts(e))) && !e.target.classList.contains("handle");
  }).on("zoom", function zoomed() {
    moved = d3.zoomTransform(this);
    noteZoom();
    redraw();
  });
  svg.call(zoom).on("dblclick.zoom", null);

  function pointer(event) {
    const rect = svg.node().getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  }

  function dragHandle(event) {
    const [sx, sy] = pointer(event), latent = state.get("latent");
    const z = Float64Array.from(state.get("z")), jx = state.get("x"), jy = state.get("y");
    if (jx < latent.m && latent.length[jx] > 0) z[jx] = scaleX.invert(moved.invertX(sx)) / latent.length[jx];
    if (!flat && jy < latent.m && latent.length[jy] > 0) z[jy] = scaleY.invert(moved.invertY(sy)) / latent.length[jy];
    state.set("z", z);
  }

  let held = null, pressed = null; // what the pointer holds; where it went down
  svg.node().addEventListener("pointerdown", (event) => {
    pressed = pointer(event);
    if (event.target.classList.contains("handle")) held = "handle";
    else if (lasso.starts(event)) {
      held = "lasso";
      lasso.down(pressed);
    }
    if (held) svg.node().setPointerCapture(event.pointerId);
  });
  svg.node().addEventListener("pointermove", (event) => {
    const at = pointer(event);
    if (held === "handle") dragHandle(event);
    else if (held === "lasso") lasso.move(at);
    else if (!event.buttons) {
      const row = nearest(...at);
      if (row !== state.get("hover")) state.set("hover", row);
    }
  });
  svg.node().addEventListener("pointerup", (event) => {
    const at = pointer(event), still = pressed && Math.hypot(at[0] - pressed[0], at[1] - pressed[1]) < 4;
    if (held === "lasso") lasso.up(event);
    else if (!held && still && !event.button) state.set("focus", nearest(...at));
    held = pressed = null;
  });
  svg.node().addEventListener("dragstart", (event) => event.preventDefault());
  svg.node().addEventListener("pointercancel", () => {
    if (held === "lasso") lasso.stop();
    held = pressed = null;
  });
  svg.node().addEventListener("pointerleave", () => state.set("hover", -1));

  const home = () => svg.call(zoom.transform, d3.zoomIdentity);
  // Brings a row into view.
  function goTo(row) {
    const x = moved.applyX(place.x[row]), y = moved.applyY(place.y[row]);
    if (x < MARGIN.left || x > width - MARGIN.right || y < MARGIN.top || y > height - MARGIN.bottom) svg.call(zoom.translateTo, place.x[row], place.y[row]);
  }

  const walk = makeWalk(data, state), step = (by) => goTo(walk(by));

  const keys = {
    ArrowLeft: () => svg.call(zoom.translateBy, 40 / moved.k, 0),
    ArrowRight: () => svg.call(zoom.translateBy, -40 / moved.k, 0),
    ArrowUp: () => svg.call(zoom.translateBy, 0, 40 / moved.k),
    ArrowDown: () => svg.call(zoom.translateBy, 0, -40 / moved.k),
    "+": () => svg.call(zoom.scaleBy, 1.4),
    "=": () => svg.call(zoom.scaleBy, 1.4),
    "-": () => svg.call(zoom.scaleBy, 1 / 1.4),
    0: home,
    n: () => step(1),
    p: () => step(-1),
    l: () => state.set("lasso", state.get("lasso") === "lasso" ? null : "lasso"),
    b: () => state.set("lasso", state.get("lasso") === "box" ? null : "box"),
    Escape: () => (state.get("selection").rows.length > 0 ? state.set("selection", selectionOf(data.count, [])) : state.set("focus", -1)),
  };
  svg.node().addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    if (lasso.key(event)) {
      event.preventDefault();
      return;
    }
    const act = keys[event.key] || keys[event.key.toLowerCase()];
    if (!act || event.altKey) return;
    event.preventDefault();
    act();
  });

  state.on("x y focus latent", () => (edge = null));
  state.on("x y", layOut);
  state.on("zoom", (wanted) => wanted !== noted && keepZoom());
  state.on("visible", () => (tree = null));
  state.on("paint shapes matches hover focus draws latent z", redraw);
  state.on("focus", (row) => say(row < 0 ? "no row selected" : `selected ${nameRow(row)}`));
  byId("ellipse-note").hidden = data.model.decoder !== null;
  new ResizeObserver(layOut).observe(box);
  layOut();
  return {
    home, goTo, redraw, drawNow, addLayer, setGround, showPoints, placeOf, sight, paintPoints,
    zoomTo: (k, x, y) => svg.call(zoom.transform, d3.zoomIdentity.translate(x, y).scale(k)),
    screen: (axis, v) => (axis === "x" ? scaleX.invert(moved.invertX(v)) : scaleY.invert(moved.invertY(v))),
    z: () => posteriorMean(data, state.get("latent"), Math.max(0, state.get("focus"))),
  };
}

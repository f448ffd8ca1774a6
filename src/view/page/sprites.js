// SPDX-License-Identifier: BSD-3-Clause
// Rows as small pictures on the map, images or bars, in the place of their points, as many as have room: more of them as the
// picture is magnified. Each has a frame in the colour of its point. They are copied onto a canvas between points and axes.
import { columnName } from "./data.js";
import { byId, counted, element } from "./format.js";
import { isDark } from "./palette.js";
import { makeAtlas, spriteColumns, spriteSize } from "./spriteatlas.js";
import { rowsWithRoom } from "./spriteplan.js";
import { say } from "./state.js";

const FRAME = 2, APART_SPRITES = 2, FADED = 0.3, LEVEL = Math.SQRT2; // of magnification, between which the same rows are shown

// Marked rows first, then as they are on the page: outliers, then a sample.
function inOrder(data, state) {
  const { rows, has } = state.get("selection"), visible = state.get("visible"), order = [];
  for (const row of rows) if (!visible || visible[row]) order.push(row);
  for (let i = 0; i < data.count; i++) if (!has[i] && (!visible || visible[i])) order.push(i);
  return order;
}

// plan(sight): the rows that have pictures when the map looks so. What was planned for a level is kept.
function makePlanner(data, state, size) {
  const levels = new Map();
  let madeFor = "";
  const forget = () => levels.clear();
  state.on("selection visible", forget);
  return (sight) => {
    const wanted = `${state.get("x")} ${state.get("y")} ${sight.width} ${sight.height}`, level = Math.floor(Math.log(sight.k) / Math.log(LEVEL) + 1e-9), k = LEVEL ** level;
    if (wanted !== madeFor) forget();
    madeFor = wanted;
    const room = 2 * FRAME + APART_SPRITES;
    if (!levels.has(level)) levels.set(level, rowsWithRoom(inOrder(data, state), sight.place.x, sight.place.y, (size.width + room) / k, (size.height + room) / k));
    return levels.get(level);
  };
}

const cssColour = (pixel) => `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;

function drawSprites(context, rows, sight, atlas, paint, selection) {
  const { ratio } = sight, { width, height } = atlas.size, frame = FRAME * ratio;
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.save();
  context.beginPath();
  context.rect(sight.left * ratio, sight.top * ratio, (sight.right - sight.left) * ratio, (sight.bottom - sight.top) * ratio);
  context.clip();
  for (const row of rows) {
    const [x, y] = sight.placeOf(row), left = Math.round((x - width / 2) * ratio), top = Math.round((y - height / 2) * ratio);
    context.globalAlpha = selection.rows.length > 0 && !selection.has[row] ? FADED : 1;
    context.fillStyle = cssColour(paint[row]);
    context.fillRect(left - frame, top - frame, width * ratio + 2 * frame, height * ratio + 2 * frame);
    atlas.draw(context, row, left, top);
  }
  context.restore();
}

function spritesInWords(data, rows, atlas, m) {
  const { model } = data, shown = rows.length, few = shown < data.count;
  const rebuilt = atlas.rebuilt(rows), of = `${counted(shown)} of ${counted(data.count)} rows ${shown === 1 ? "has a picture" : "have pictures"} here`;
  const kind = model.imageRows > 0 ? (rebuilt > 0 ? `; ${rebuilt === shown ? "all" : counted(rebuilt)} of them as ${m} components rebuild them` : "") : `; bars from the left: ${spriteColumns(data).map((c) => columnName(model, c)).join(", ")}; up to two standard deviations from the mean`;
  return `${of}${kind}.${few ? " Zoom in to see others." : ""}`;
}

function styleOf(box) {
  const style = getComputedStyle(box), colour = (name) => style.getPropertyValue(name).trim();
  return { ground: colour("--ground"), above: colour("--bar"), below: colour("--bar-negative"), line: colour("--soft") };
}

export function makeSprites(data, state, map) {
  const toggle = byId("sprites"), note = byId("sprites-note"), box = byId("map"), images = data.model.imageRows > 0;
  const canvas = element("canvas", { id: "sprites-canvas", "aria-hidden": "true", hidden: true }), context = canvas.getContext("2d");
  const plan = makePlanner(data, state, spriteSize(data));
  let atlas = null, madeFor = "", taken = "", shown = [];
  byId("sprites-name").textContent = images ? "images of rows" : "bars of rows";
  byId("points").after(canvas);
  const inSight = (rows, sight) => rows.filter((row) => {
    const [x, y] = sight.placeOf(row);
    return x > sight.left && x < sight.right && y > sight.top && y < sight.bottom;
  });
  const prepare = (sight) => {
    const wanted = `${sight.ratio} ${!images && isDark()}`; // images have no ground
    if (wanted !== madeFor) [atlas, madeFor, taken] = [makeAtlas(data, sight.ratio, styleOf(box)), wanted, ""];
    const width = Math.round(sight.width * sight.ratio), height = Math.round(sight.height * sight.ratio);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  };
  map.addLayer("sprites", (group, sight) => {
    canvas.hidden = note.hidden = !state.get("sprites");
    if (canvas.hidden) return;
    prepare(sight);
    const rows = inSight(plan(sight), sight), { m } = state.get("latent"), wanted = `${m} ${rows.join()}`;
    if (wanted !== taken) {
      taken = wanted;
      atlas.take(rows, m, map.redraw);
    }
    shown = rows.filter(atlas.has);
    drawSprites(context, shown, sight, atlas, state.get("paint"), state.get("selection"));
    const said = spritesInWords(data, shown, atlas, m);
    if (note.textContent !== said) note.textContent = said;
  });
  toggle.addEventListener("change", () => state.set("sprites", toggle.checked));
  byId("overlay").addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "i" && !event.ctrlKey && !event.metaKey && !event.altKey) state.set("sprites", !state.get("sprites"));
  });
  const show = (on) => {
    toggle.checked = on;
    map.redraw();
  };
  state.on("sprites", (on) => {
    show(on);
    say(on ? `rows are shown as ${images ? "images" : "bars"} where there is room` : "rows are shown as points");
  });
  show(state.get("sprites"));
  return { shown: () => shown };
}

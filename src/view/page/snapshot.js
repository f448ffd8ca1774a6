// SPDX-License-Identifier: BSD-3-Clause
// The map as a picture that stands alone, with its legend: SVG, in which axes are text and points are marks, unless they are so
// many that they are better an image, and PNG. What only passes, such as the ring of the explorer, is left out.
import { byId, element, short } from "./format.js";
import { SHAPES } from "./palette.js";
import { saveFile } from "./files.js";
import { say } from "./state.js";

const MOST_MARKS = 5000, LEAST_FINE = 2, LEGEND_LINE = 20;
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "paint-order"];
const PASSING = ".handle, .lasso, .hovered";

// Styles stand in the page; alone, every element has its own.
function ownStyles(from, to) {
  const style = getComputedStyle(from);
  for (const name of KEPT) to.setAttribute(name, style.getPropertyValue(name));
  Array.from(from.children).forEach((child, k) => ownStyles(child, to.children[k]));
}

function overlayAlone() {
  const overlay = byId("overlay"), copy = overlay.cloneNode(true);
  ownStyles(overlay, copy);
  copy.querySelectorAll(PASSING).forEach((one) => one.remove());
  for (const name of ["tabindex", "aria-label", "aria-describedby", "id", "role"]) copy.removeAttribute(name);
  return copy;
}

const hex = (colour) => `#${[colour & 255, (colour >>> 8) & 255, (colour >>> 16) & 255].map((v) => v.toString(16).padStart(2, "0")).join("")}`;

// Rows in the order in which they are painted: those that are marked once more, above the others.
function paintedRows(data, state, sight) {
  const paint = state.get("paint"), rows = [];
  const add = (row) => {
    const [x, y] = sight.placeOf(row);
    if (paint[row] !== 0 && x >= sight.left && x <= sight.right && y >= sight.top && y <= sight.bottom) rows.push({ row, x, y });
  };
  for (let row = 0; row < data.count; row++) if (!state.get("selection").has[row]) add(row);
  state.get("selection").rows.forEach(add);
  return rows;
}

function drawMark(group, { row, x, y }, state, sight) {
  const shape = state.get("shapes") ? SHAPES[state.get("shapes")[row]] : null, r = sight.radius;
  const mark = shape ? group.append("path").attr("d", `M${shape.map(([a, b]) => `${(x + a * r).toFixed(2)},${(y + b * r).toFixed(2)}`).join("L")}Z`) : group.append("circle").attr("cx", x.toFixed(2)).attr("cy", y.toFixed(2)).attr("r", r.toFixed(2));
  mark.attr("fill", hex(state.get("paint")[row]));
}

function pointsImage(map, sight) {
  const canvas = document.createElement("canvas"), fine = Math.max(LEAST_FINE, window.devicePixelRatio || 1);
  canvas.width = Math.round(sight.width * fine);
  canvas.height = Math.round(sight.height * fine);
  map.paintPoints(canvas.getContext("2d"), fine);
  return canvas;
}

// The entries of the legend, one behind another in lines, or the ramp; returns how high they are.
function drawLegend(svg, legend, { width, height }, ink) {
  const text = (x, y, said) => svg.append("text").attr("x", x).attr("y", y).attr("fill", ink).attr("font-size", 12).attr("font-family", getComputedStyle(document.body).fontFamily).text(said);
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  if (legend.steps) {
    const gradient = svg.append("linearGradient").attr("id", "ramp");
    legend.steps.forEach((colour, k) => k % 15 === 0 && gradient.append("stop").attr("offset", k / 255).attr("stop-color", colour));
    svg.append("rect").attr("x", 46).attr("y", height + 6).attr("width", 160).attr("height", 11).attr("fill", "url(#ramp)");
    text(214, height + 16, `${legend.name}: ${short(legend.low, 4)} – ${short(legend.high, 4)}`);
    return LEGEND_LINE + 6;
  }
  let x = 46, y = height + 14;
  const items = legend.items || [], other = legend.rest > 0 ? [{ name: "other", colour: null }] : [];
  for (const item of [...items, ...other]) {
    const wide = ruler.measureText(item.name).width + 34;
    if (x > 46 && x + wide > width) {
      x = 46;
      y += LEGEND_LINE;
    }
    const shape = SHAPES[item.shape], mark = svg.append("path").attr("transform", `translate(${x + 5},${y - 4}) scale(5)`).attr("fill", item.colour || "#8a939d");
    mark.attr("d", shape ? `M${shape.join("L")}Z` : "M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0Z");
    text(x + 15, y, item.name);
    x += wide;
  }
  return items.length > 0 ? y - height + 12 : 0;
}

// The picture as an SVG element; points: null for marks, else a canvas or "none".
function drawSnapshot(data, state, map, points) {
  const sight = map.sight(), overlay = overlayAlone(), box = getComputedStyle(byId("map"));
  const svg = d3.create("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("role", "img").attr("aria-label", byId("embedding-title").textContent);
  svg.append("title").text(`${data.card.title}: ${byId("embedding-title").textContent}`);
  const ground = svg.append("rect").attr("width", sight.width).attr("fill", points === "none" ? "none" : box.backgroundColor);
  if (points instanceof HTMLCanvasElement) svg.append("image").attr("width", sight.width).attr("height", sight.height).attr("href", points.toDataURL("image/png"));
  else if (points === null) {
    const group = svg.append("g").attr("class", "points").attr("fill-opacity", sight.strength);
    for (const one of paintedRows(data, state, sight)) drawMark(group, one, state, sight);
  }
  for (const canvas of byId("map").querySelectorAll("canvas:not(#points):not([hidden])")) svg.append("image").attr("width", sight.width).attr("height", sight.height).attr("href", canvas.toDataURL("image/png"));
  svg.append(() => overlay);
  d3.select(overlay).attr("width", sight.width).attr("height", sight.height);
  const high = sight.height + drawLegend(svg, state.get("legend"), sight, getComputedStyle(document.body).color);
  ground.attr("height", high);
  svg.attr("viewBox", `0 0 ${sight.width} ${high}`).attr("width", sight.width).attr("height", high);
  return svg.node();
}

export function snapshotSvg(data, state, map) {
  const sight = map.sight(), few = paintedRows(data, state, sight).length <= MOST_MARKS;
  return new XMLSerializer().serializeToString(drawSnapshot(data, state, map, few ? null : pointsImage(map, sight)));
}

async function snapshotPng(data, state, map) {
  const points = pointsImage(map, map.sight()), node = drawSnapshot(data, state, map, "none"), fine = points.width / map.sight().width;
  const image = element("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(node))}` });
  await image.decode();
  const canvas = element("canvas", { width: points.width, height: Math.round(Number(node.getAttribute("height")) * fine) }), context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(byId("map")).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(points, 0, 0);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export function makeSnapshots(data, state, map) {
  byId("save-svg").addEventListener("click", () => saveFile(data, "map.svg", "image/svg+xml", snapshotSvg(data, state, map)));
  byId("save-png").addEventListener("click", () => snapshotPng(data, state, map).then((blob) => saveFile(data, "map.png", "image/png", blob)).catch((failure) => say(`The picture could not be drawn: ${failure.message}`)));
}

// SPDX-License-Identifier: BSD-3-Clause
// What the colours of the points mean: a class, a column, a score, or nothing; and the legend that says so.
import { findColumn, columnName } from "./data.js";
import { columnValues } from "./decode.js";
import { byId, counted, element, fill, short } from "./format.js";
import { classColour, classShape, MOST_CLASSES, numberColour, otherColour, packed, plainColour, SHAPES } from "./palette.js";

const SCORES = { loglik: "log-likelihood", p: "p-value", t2: "T²", q: "Q" };

// As people list classes: numbers by value, then words by the alphabet.
function comesBefore(a, b) {
  const x = a.trim() === "" ? NaN : Number(a), y = b.trim() === "" ? NaN : Number(b);
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x !== y && !Number.isNaN(x) ? x - y : a < b ? -1 : a > b ? 1 : 0;
}

function mark(colour, shape) {
  const svg = d3.create("svg").attr("class", "mark").attr("viewBox", "-1.3 -1.3 2.6 2.6").attr("aria-hidden", "true");
  if (SHAPES[shape]) svg.append("path").attr("d", `M${SHAPES[shape].join("L")}Z`).attr("fill", colour);
  else svg.append("circle").attr("r", 1).attr("fill", colour);
  return svg.node();
}

// The commonest classes of all rows have a colour and a shape; of a text that is no class, those of the rows shown.
function byClass(data, text, legend) {
  const counts = new Map();
  for (const word of text.index) counts.set(word, (counts.get(word) || 0) + 1);
  const common = text.commonest && text.commonest.length > 0 ? new Set(text.commonest) : null;
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const named = (common ? sorted.filter(([word]) => common.has(text.words[word])) : sorted).slice(0, MOST_CLASSES);
  named.sort((a, b) => comesBefore(text.words[a[0]], text.words[b[0]]));
  const colour = new Uint32Array(text.words.length).fill(packed(otherColour())), shape = new Uint8Array(text.words.length);
  const items = named.map(([word, count], k) => {
    colour[word] = packed(classColour(k));
    shape[word] = classShape(k);
    return element("span", {}, mark(classColour(k), shape[word]), `${text.words[word] || "(none)"} (${counted(count)})`);
  });
  const rest = (common ? text.classes : counts.size) - (common ? common.size : named.length);
  if (rest > 0) items.push(element("span", {}, mark(otherColour(), 0), `other (${counted(rest)} class${rest === 1 ? "" : "es"})`));
  fill(legend, ...items);
  return { colours: Uint32Array.from(text.index, (word) => colour[word]), shapes: Uint8Array.from(text.index, (word) => shape[word]) };
}

// From the 1st to the 99th percentile: one outlier must not take all the colours.
function byNumber(values, name, legend) {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  const low = d3.quantile(sorted, 0.01), high = d3.quantile(sorted, 0.99);
  const steps = d3.range(256).map((k) => numberColour(k / 255)), pixels = steps.map(packed);
  const scale = high > low ? 255 / (high - low) : 0;
  const ramp = element("canvas", { width: 256, height: 1, role: "img", "aria-label": `colours from ${short(low)} to ${short(high)}` });
  const context = ramp.getContext("2d");
  steps.forEach((colour, k) => {
    context.fillStyle = colour;
    context.fillRect(k, 0, 1, 1);
  });
  fill(legend, element("span", {}, name), element("span", {}, short(low, 4), ramp, short(high, 4)));
  const other = packed(otherColour());
  return { colours: Uint32Array.from(values, (v) => (Number.isFinite(v) ? pixels[Math.max(0, Math.min(255, Math.round((v - low) * scale)))] : other)), shapes: null };
}

function compute(data, choice, column) {
  const legend = byId("legend");
  const [kind, which] = choice.split(":");
  if (kind === "text") return byClass(data, data.texts[Number(which)], legend);
  if (kind === "score") {
    const values = which === "q" || which === "t2" || which === "p" ? Float64Array.from(data.scores[which], (v) => Math.log10(Math.max(v, 1e-38))) : data.scores[which];
    return byNumber(values, which === "loglik" ? SCORES[which] : `log₁₀ ${SCORES[which]}`, legend);
  }
  if (kind === "column" && column >= 0) {
    const { values, rebuilt } = columnValues(data, column);
    return byNumber(values, `${columnName(data.model, column)}${rebuilt ? ", as the components rebuild it" : ""}`, legend);
  }
  fill(legend);
  return { colours: new Uint32Array(data.count).fill(packed(plainColour())), shapes: null };
}

export function makeColouring(data, state) {
  const choice = byId("colour"), field = byId("colour-column-field"), input = byId("colour-column");
  data.texts.forEach((text, t) => choice.append(element("option", { value: `text:${t}` }, text.name)));
  if (data.scores) for (const [key, name] of Object.entries(SCORES)) choice.append(element("option", { value: `score:${key}` }, name));
  const rebuilds = !data.model.decoder; // to decode every row would take too long
  if (rebuilds || data.which.length > 0) choice.append(element("option", { value: "column" }, "a column"));
  choice.append(element("option", { value: "none" }, "one colour"));
  const names = data.which.length > 0 ? data.which : d3.range(Math.min(data.model.d, 1000));
  byId("column-names").append(...names.map((c) => element("option", { value: columnName(data.model, c) })));
  input.value = columnName(data.model, data.which.length > 0 ? data.which[0] : Math.floor(data.model.d / 2));
  const classes = data.texts.findIndex((t) => t.isClass && t.commonest.length > 0);
  choice.value = classes >= 0 ? `text:${classes}` : data.scores ? "score:loglik" : "none";
  const show = () => {
    const found = findColumn(data.model, input.value.trim());
    const column = rebuilds || data.which.includes(found) ? found : -1;
    field.hidden = choice.value !== "column";
    input.setAttribute("aria-invalid", column < 0);
    if (choice.value === "column" && column < 0) return;
    const { colours, shapes } = compute(data, choice.value, column);
    state.set("shapes", shapes);
    state.set("colours", colours);
  };
  choice.addEventListener("change", show);
  input.addEventListener("input", show);
  show();
  return show;
}

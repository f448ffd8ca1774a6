// SPDX-License-Identifier: BSD-3-Clause
// What the colours of the points mean: a class, a column, a score, or nothing; and the legend that says so.
import { findColumn, columnName } from "./data.js";
import { columnValues } from "./decode.js";
import { byId, counted, element, fill, short } from "./format.js";
import { classColour, MOST_COLOURS, numberColour, otherColour, packed, plainColour } from "./palette.js";

const SCORES = { loglik: "log-likelihood", p: "p-value", t2: "T²", q: "Q" };

function byClass(data, text, legend) {
  const counts = new Map();
  for (const word of text.index) counts.set(word, (counts.get(word) || 0) + 1);
  // The commonest have colours, in the order of their names: numbers as numbers.
  const named = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_COLOURS);
  named.sort((a, b) => text.words[a[0]].localeCompare(text.words[b[0]], "en", { numeric: true }));
  const colour = new Uint32Array(text.words.length).fill(packed(otherColour()));
  const items = named.map(([word, count], k) => {
    colour[word] = packed(classColour(k));
    return { colour: classColour(k), text: `${text.words[word]} (${counted(count)})` };
  });
  const rest = data.count - named.reduce((sum, [, count]) => sum + count, 0);
  if (rest > 0) items.push({ colour: otherColour(), text: `other (${counted(rest)})` });
  fill(legend, ...items.map((item) => {
    const dot = element("i", {});
    dot.style.background = item.colour;
    return element("span", {}, dot, item.text);
  }));
  return Uint32Array.from(text.index, (word) => colour[word]);
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
  return Uint32Array.from(values, (v) => (Number.isFinite(v) ? pixels[Math.max(0, Math.min(255, Math.round((v - low) * scale)))] : other));
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
  return new Uint32Array(data.count).fill(packed(plainColour()));
}

export function makeColouring(data, state) {
  const choice = byId("colour"), field = byId("colour-column-field"), input = byId("colour-column");
  data.texts.forEach((text, t) => choice.append(element("option", { value: `text:${t}` }, text.name)));
  if (data.scores) for (const [key, name] of Object.entries(SCORES)) choice.append(element("option", { value: `score:${key}` }, name));
  const rebuilds = !data.model.network; // to decode every row would take too long
  if (rebuilds || data.which.length > 0) choice.append(element("option", { value: "column" }, "a column"));
  choice.append(element("option", { value: "none" }, "one colour"));
  const names = data.which.length > 0 ? data.which : d3.range(Math.min(data.model.d, 1000));
  byId("column-names").append(...names.map((c) => element("option", { value: columnName(data.model, c) })));
  input.value = columnName(data.model, data.which.length > 0 ? data.which[0] : Math.floor(data.model.d / 2));
  const classes = data.texts.findIndex((t) => t.isClass && t.words.length <= Math.max(20, data.count / 2));
  choice.value = classes >= 0 ? `text:${classes}` : data.scores ? "score:loglik" : "none";
  const show = () => {
    const found = findColumn(data.model, input.value.trim());
    const column = rebuilds || data.which.includes(found) ? found : -1;
    field.hidden = choice.value !== "column";
    input.setAttribute("aria-invalid", column < 0);
    if (choice.value === "column" && column < 0) return;
    state.set("colours", compute(data, choice.value, column));
  };
  choice.addEventListener("change", show);
  input.addEventListener("input", show);
  show();
  return show;
}

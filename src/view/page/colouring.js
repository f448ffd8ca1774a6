// SPDX-License-Identifier: BSD-3-Clause
// What the colours of the points mean: a class, a column, a score, or nothing; and the legend that says so.
import { findColumn, columnName } from "./data.js";
import { columnValues } from "./decode.js";
import { byId, element } from "./format.js";
import { classColour, classShape, MOST_CLASSES, numberColour, otherColour, packed, plainColour } from "./palette.js";

const SCORES = { loglik: "log-likelihood", p: "p-value", t2: "T²", q: "Q" };

// As people list classes: numbers by value, then words by the alphabet.
export function comesBefore(a, b) {
  const x = a.trim() === "" ? NaN : Number(a), y = b.trim() === "" ? NaN : Number(b);
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x !== y && !Number.isNaN(x) ? x - y : a < b ? -1 : a > b ? 1 : 0;
}

// The commonest classes of all rows have a colour and a shape; of a text that is no class, those of the rows shown.
function byClass(data, t) {
  const text = data.texts[t], counts = new Map();
  for (const word of text.index) counts.set(word, (counts.get(word) || 0) + 1);
  const common = text.commonest && text.commonest.length > 0 ? new Set(text.commonest) : null;
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const named = (common ? sorted.filter(([word]) => common.has(text.words[word])) : sorted).slice(0, MOST_CLASSES);
  const inNamed = new Set(named.map(([word]) => word)), others = sorted.filter(([word]) => !inNamed.has(word));
  named.sort((a, b) => comesBefore(text.words[a[0]], text.words[b[0]]));
  const colour = new Uint32Array(text.words.length).fill(packed(otherColour())), shape = new Uint8Array(text.words.length);
  const items = named.map(([word, count], k) => {
    colour[word] = packed(classColour(k));
    shape[word] = classShape(k);
    return { words: [word], count, name: text.words[word] || "(none)", colour: classColour(k), shape: shape[word] };
  });
  const rest = (common ? text.classes : counts.size) - (common ? common.size : named.length);
  return {
    colours: Uint32Array.from(text.index, (word) => colour[word]),
    shapes: Uint8Array.from(text.index, (word) => shape[word]),
    legend: { text: t, items, rest, restWords: others.map(([word]) => word), restCount: d3.sum(others, ([, count]) => count) },
  };
}

// From the 1st to the 99th percentile: one outlier must not take all the colours.
function byNumber(values, name) {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  const low = d3.quantile(sorted, 0.01), high = d3.quantile(sorted, 0.99);
  const steps = d3.range(256).map((k) => numberColour(k / 255)), pixels = steps.map(packed);
  const scale = high > low ? 255 / (high - low) : 0, other = packed(otherColour());
  return {
    colours: Uint32Array.from(values, (v) => (Number.isFinite(v) ? pixels[Math.max(0, Math.min(255, Math.round((v - low) * scale)))] : other)),
    shapes: null,
    legend: { name, low, high, steps },
  };
}

// Of a colouring such as "text:0", "score:q", "column:12" or "none".
function compute(data, colouring, scores) {
  const [kind, which] = colouring.split(":");
  if (kind === "text") return byClass(data, Number(which));
  if (kind === "score") {
    const values = which === "q" || which === "t2" || which === "p" ? Float64Array.from(scores[which], (v) => Math.log10(Math.max(v, 1e-38))) : scores[which];
    return byNumber(values, which === "loglik" ? SCORES[which] : `log₁₀ ${SCORES[which]}`);
  }
  if (kind === "column") {
    const { values, rebuilt } = columnValues(data, Number(which));
    return byNumber(values, `${columnName(data.model, Number(which))}${rebuilt ? ", as the components rebuild it" : ""}`);
  }
  return { colours: new Uint32Array(data.count).fill(packed(plainColour())), shapes: null, legend: {} };
}

// Whether a page can be coloured so: an address may ask for anything.
export function canColour(data, colouring) {
  const [kind, which] = colouring.split(":"), number = /^[0-9]+$/.test(which || "") ? Number(which) : -1;
  if (kind === "text") return number >= 0 && number < data.texts.length;
  if (kind === "score") return data.scores !== null && Object.hasOwn(SCORES, which);
  if (kind === "column") return number >= 0 && number < data.model.d && (!data.model.decoder || data.which.includes(number)); // to decode every row would take too long
  return colouring === "none";
}

export function firstColouring(data) {
  const classes = data.texts.findIndex((t) => t.isClass && t.commonest.length > 0);
  return classes >= 0 ? `text:${classes}` : data.scores ? "score:loglik" : "none";
}

export function makeColouring(data, state) {
  const choice = byId("colour"), field = byId("colour-column-field"), input = byId("colour-column");
  data.texts.forEach((text, t) => choice.append(element("option", { value: `text:${t}` }, text.name)));
  if (data.scores) for (const [key, name] of Object.entries(SCORES)) choice.append(element("option", { value: `score:${key}` }, name));
  if (!data.model.decoder || data.which.length > 0) choice.append(element("option", { value: "column" }, "a column"));
  choice.append(element("option", { value: "none" }, "one colour"));
  const names = data.which.length > 0 ? data.which : d3.range(Math.min(data.model.d, 1000));
  byId("column-names").append(...names.map((c) => element("option", { value: columnName(data.model, c) })));
  input.value = columnName(data.model, data.which.length > 0 ? data.which[0] : Math.floor(data.model.d / 2));
  const choose = () => {
    const wanted = choice.value === "column" ? `column:${findColumn(data.model, input.value.trim())}` : choice.value;
    field.hidden = choice.value !== "column";
    input.setAttribute("aria-invalid", !canColour(data, wanted));
    if (canColour(data, wanted)) state.set("colouring", wanted);
  };
  const show = () => {
    const [kind, which] = state.get("colouring").split(":");
    choice.value = kind === "column" ? kind : state.get("colouring");
    field.hidden = kind !== "column";
    if (kind === "column" && findColumn(data.model, input.value.trim()) !== Number(which)) input.value = columnName(data.model, Number(which));
    state.change(compute(data, state.get("colouring"), state.get("scores")));
  };
  choice.addEventListener("change", choose);
  input.addEventListener("input", choose);
  state.on("colouring", show);
  state.on("scores", () => state.get("colouring").startsWith("score:") && show());
  show();
  return show;
}

// SPDX-License-Identifier: BSD-3-Clause
// What the colours of the points mean. A class is a button: it hides and shows the rows of the class, with Alt it hides all
// others, and with Control it marks the rows. Beside it stands how many rows it has, and how many of them are marked.
import { byId, counted, element, fill, short } from "./format.js";
import { markRows, rowsOfWords } from "./marking.js";
import { otherColour, SHAPES } from "./palette.js";
import { say } from "./state.js";

function mark(colour, shape) {
  const svg = d3.create("svg").attr("class", "mark").attr("viewBox", "-1.3 -1.3 2.6 2.6").attr("aria-hidden", "true");
  if (SHAPES[shape]) svg.append("path").attr("d", `M${SHAPES[shape].join("L")}Z`).attr("fill", colour);
  else svg.append("circle").attr("r", 1).attr("fill", colour);
  return svg.node();
}

function ramp({ name, low, high, steps }) {
  const canvas = element("canvas", { width: steps.length, height: 1, role: "img", "aria-label": `colours from ${short(low)} to ${short(high)}` });
  const context = canvas.getContext("2d");
  steps.forEach((colour, k) => {
    context.fillStyle = colour;
    context.fillRect(k, 0, 1, 1);
  });
  return [element("span", {}, name), element("span", {}, short(low, 4), canvas, short(high, 4))];
}

// What hides stays hidden of the same text alone.
function hiddenOf(state, text) {
  const hidden = state.get("hiddenClasses");
  return new Set(hidden.text === text ? hidden.words : []);
}

// The words of all classes that are not named one by one, as one item.
function itemsOf({ items, rest, restWords, restCount }) {
  if (!items) return [];
  const other = { name: `other (${counted(rest)} class${rest === 1 ? "" : "es"})`, words: restWords, count: restCount, colour: otherColour(), shape: 0 };
  return rest > 0 ? [...items, other] : items;
}

function classButton(data, state, item, all) {
  const { text } = state.get("legend"), count = element("span", { className: "count" }), id = all.indexOf(item);
  const button = element("button", { type: "button", title: "hides or shows; with Alt it is alone, with Control its rows are marked" }, mark(item.colour, item.shape), item.name, " ", count);
  const act = (event) => {
    const hidden = hiddenOf(state, text), others = all.filter((other) => other !== item).flatMap((other) => other.words);
    if (event.ctrlKey || event.metaKey) return markRows(data, state, rowsOfWords(data, text, item.words), { shiftKey: event.shiftKey });
    const alone = others.every((word) => hidden.has(word)) && item.words.every((word) => !hidden.has(word));
    const off = item.words.some((word) => hidden.has(word));
    if (event.altKey) state.set("hiddenClasses", { text, words: alone ? [] : others });
    else state.set("hiddenClasses", { text, words: off ? [...hidden].filter((word) => !item.words.includes(word)) : [...hidden, ...item.words] });
    const alonenow = event.altKey && !alone;
    return say(alonenow ? `only ${item.name} is shown` : `${item.name} is ${hiddenOf(state, text).has(item.words[0]) ? "hidden" : "shown"}`);
  };
  button.addEventListener("click", act);
  // A click by keyboard does not tell of Alt.
  button.addEventListener("keydown", (event) => {
    if (!(event.altKey || event.ctrlKey || event.metaKey) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    act(event);
  });
  const show = (marked) => {
    button.setAttribute("aria-pressed", !item.words.some((word) => hiddenOf(state, text).has(word)));
    const some = marked ? d3.sum(item.words, (word) => marked[word]) : 0;
    count.textContent = some > 0 ? `(${counted(some)} of ${counted(item.count)})` : `(${counted(item.count)})`;
    button.id = `class-${id}`;
  };
  return { button, show };
}

export function makeLegend(data, state) {
  let buttons = [];
  // Elements stay: the keyboard is on one of them.
  const show = () => {
    const { text } = state.get("legend"), { rows } = state.get("selection"), marked = buttons.length > 0 && rows.length > 0 ? new Uint32Array(data.texts[text].words.length) : null;
    if (marked) for (const row of rows) marked[data.texts[text].index[row]]++;
    for (const button of buttons) button.show(marked);
    const visible = state.get("visible"), off = visible ? data.count - d3.sum(visible) : 0;
    byId("hidden-note").textContent = off > 0 ? `${counted(off)} row${off === 1 ? " is" : "s are"} hidden.` : "";
    byId("show-all").hidden = off === 0;
  };
  const build = () => {
    const legend = state.get("legend"), all = itemsOf(legend);
    buttons = all.map((item) => classButton(data, state, item, all));
    fill(byId("legend"), ...(legend.steps ? ramp(legend) : buttons.map(({ button }) => button)));
    show();
  };
  byId("show-all").addEventListener("click", () => {
    state.set("hiddenClasses", { text: state.get("hiddenClasses").text, words: [] });
    byId("legend").querySelector("button")?.focus();
  });
  state.on("legend", build);
  state.on("selection visible", show);
  build();
}

// SPDX-License-Identifier: BSD-3-Clause
// Numbers and elements as text. Text from the data goes through textContent alone: it is shown, never read as HTML.

export function short(value, digits = 5) {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e7) ? String(value.toExponential(Math.min(digits - 1, 2))).replace(/\.?0*e/, "e") : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−").replace("e+", "e");
}

// Two digits and a power of ten, as bounds are written.
export function power(value) {
  if (!Number.isFinite(value)) return "–";
  return value === 0 ? "0" : value.toExponential(1).replace("-", "−").replace("e+", "e");
}

// Two digits behind the point, and no minus before a zero.
export function fixed(value) {
  return (Math.round(value * 100) / 100 + 0).toFixed(2).replace("-", "−");
}

// A cell as it was, with the digits that the page has of it.
export function exact(value) {
  return Number.isNaN(value) ? "missing" : String(value).replace("-", "−").replace("e+", "e");
}

// What was computed of a column, to a ten thousandth of what the column varies by: what is less is rounding.
export function roundColumn(value, sd) {
  const step = sd > 0 ? 10 ** Math.floor(Math.log10(sd) - 4) : 0;
  return step > 0 && Number.isFinite(value) ? Math.round(value / step) * step + 0 : value;
}

// A value of a column, to a thousandth of what the column varies by.
export function shortColumn(value, sd) {
  if (Number.isNaN(value)) return "missing";
  const digits = sd > 0 && value !== 0 ? Math.ceil(Math.log10(Math.abs(value) / sd)) + 3 : 5;
  return short(value, Math.max(4, Math.min(digits, 15)));
}

export function chance(p) {
  return Number.isNaN(p) ? "–" : p === 0 ? "< 1e−38" : p < 1e-3 ? p.toExponential(1).replace("-", "−") : short(p, 3);
}

// From five digits on thousands stand apart, as in plots.
export function counted(n) {
  const digits = String(n);
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// A number at an axis.
export function tickText(value) {
  const text = short(value, 6);
  return /^−?\d{5,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "\u202f") : text;
}

// element("td", { className: "words", title: "…" }, "text" or elements)
export function element(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
  return made;
}

export function fill(where, ...children) {
  where.replaceChildren(...children);
}

export function byId(id) {
  return document.getElementById(id);
}

let ruler = null; // measures texts

// In letters of 12 pixels.
export function widthOf(text) {
  if (!ruler) {
    ruler = document.createElement("canvas").getContext("2d");
    ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return ruler.measureText(text).width;
}

function commonLength(lists) {
  let n = 0;
  while (lists.length > 1 && lists.every((l) => n < l.length && l[n] === lists[0][n])) n++;
  return n;
}

// letters less some of those from a to b, the last of them first, until they fit.
function cutOut(letters, a, b, width) {
  for (let n = 2; n <= b - a; n++) {
    const cut = [...letters.slice(0, b - n), "…", ...letters.slice(b)];
    if (widthOf(cut.join("")) <= width || n === b - a) return cut;
  }
  return letters;
}

// Names cut to a width in a text of 12 pixels, in the middle, and first where they are all the same: what they differ in
// stays.
export function fitNames(names, width) {
  const lists = names.map((name) => [...name]);
  const head = commonLength(lists), tail = commonLength(lists.map((l) => l.slice(head).reverse()));
  return lists.map((letters) => {
    let cut = letters;
    const fits = () => widthOf(cut.join("")) <= width;
    if (!fits() && head > 5) cut = cutOut(cut, 3, head, width);
    if (!fits() && tail > 5) cut = cutOut(cut, cut.length - tail, cut.length - 3, width);
    const keep = Math.ceil(cut.length / 2);
    for (let n = 1; !fits() && n < keep; n++) cut = [...letters.slice(0, keep - n), "…", ...letters.slice(letters.length - keep + n)];
    return cut.join("");
  });
}

// head: names of columns, those of words marked by a leading ~; rows: arrays of texts and elements.
export function table(caption, head, rows) {
  const kind = head.map((name) => (name.startsWith("~") ? "words" : ""));
  const names = head.map((name, i) => element("th", { scope: "col", role: "columnheader", className: kind[i] }, name.replace("~", "")));
  const body = rows.map((cells) => element("tr", { role: "row" }, ...cells.map((cell, i) => element("td", { className: kind[i], role: "cell", "data-name": head[i].replace("~", "") }, cell))));
  return element("table", { role: "table", "aria-label": caption }, element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...names)), element("tbody", { role: "rowgroup" }, ...body));
}

// Where there is no room for a table, its rows are lists.
export function stacked(made) {
  made.classList.add("stacked");
  return made;
}

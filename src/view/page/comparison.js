// SPDX-License-Identifier: BSD-3-Clause
// The marked rows beside the others: in which components and columns they differ most, by effects.js, and where rows are
// images what they look like on average. Cells are the rows' own, of all columns where the page holds rows whole, else of the
// columns that it keeps.
import { columnName } from "./data.js";
import { codeName } from "./decoder.js";
import { compareGroups, LEAST_ROWS, makeSums } from "./effects.js";
import { byId, counted, element, fill, short, shortColumn, stacked, table } from "./format.js";
import { countWords } from "./marking.js";
import { grey, signed } from "./picture.js";

const EFFECTS_FIRST = 12, EFFECTS_MORE = 50, CLASSES_SAID = 6, MEAN_SIZE = 112;

// 1 for marked rows, 2 for the others, 0 for those that are hidden.
function groupsOf(data, state) {
  const { has } = state.get("selection"), visible = state.get("visible");
  return Uint8Array.from(has, (a, i) => (visible && !visible[i] ? 0 : a ? 1 : 2));
}

// Sums of both groups, and what they come to for each of some values.
function makeGroups(near) {
  const sums = [null, makeSums(near), makeSums(near)];
  return {
    add: (group, values) => group > 0 && sums[group].add(values),
    items: (describe) => d3.range(near.length).map((c) => ({ ...describe(c), one: sums[1].get(c), other: sums[2].get(c) })),
  };
}

function componentItems(data, groups, m) {
  const sums = makeGroups(new Float64Array(m)), values = new Float64Array(m);
  for (let i = 0; i < data.count; i++) {
    for (let j = 0; j < m; j++) values[j] = data.codes[j][i];
    sums.add(groups[i], values);
  }
  return sums.items((j) => ({ kind: "component", index: j, name: codeName(data.model, j), sd: Math.sqrt(data.model.eigenvalues[j] || 0) }));
}

const columnItem = (data, c) => ({ kind: "column", index: c, name: columnName(data.model, c), sd: data.model.sd[c] });

// Of the columns that the page keeps for every row, less their means, which are put back.
function keptItems(data, groups) {
  const { which, columns, model } = data, k = which.length, sums = makeGroups(new Float64Array(k));
  for (let i = 0; i < data.count; i++) sums.add(groups[i], columns.subarray(i * k, (i + 1) * k));
  const put = (group, c) => ({ ...group, mean: group.mean + model.mean[c] });
  return sums.items((c) => columnItem(data, which[c])).map((item) => ({ ...item, one: put(item.one, item.index), other: put(item.other, item.index) }));
}

// Of whole rows; null when it is no longer wanted.
async function wholeItems(data, groups, wanted) {
  const sums = makeGroups(data.model.mean);
  await data.originals.each((row, cells) => {
    sums.add(groups[row], cells);
    return wanted();
  });
  return wanted() ? sums.items((c) => columnItem(data, c)) : null;
}

// d as a bar from 0, and its interval as a line; most is what the whole width stands for, to each side.
function effectBar(item, most) {
  const wide = 150, high = 14, x = d3.scaleLinear([-most, most], [2, wide - 2]).clamp(true);
  const svg = d3.create("svg").attr("class", "effect").attr("viewBox", `0 0 ${wide} ${high}`).attr("aria-hidden", "true");
  const d = Number.isFinite(item.d) ? item.d : Math.sign(item.d) * most;
  svg.append("rect").attr("class", d < 0 ? "bar negative" : "bar").attr("x", Math.min(x(0), x(d))).attr("width", Math.abs(x(d) - x(0))).attr("y", 3).attr("height", high - 6);
  if (!Number.isNaN(item.low)) svg.append("path").attr("class", "interval").attr("d", `M${x(item.low)},${high / 2}H${x(item.high)}M${x(item.low)},4v6M${x(item.high)},4v6`);
  svg.append("line").attr("class", "zero").attr("x1", x(0)).attr("x2", x(0)).attr("y1", 0).attr("y2", high);
  return svg.node();
}

function effectTable(name, items, use) {
  const most = Math.max(1, ...items.map((item) => Math.abs(Number.isFinite(item.low) ? Math.max(-item.low, item.high) : item.d)).filter(Number.isFinite));
  const rows = items.map((item) => {
    const button = element("button", { type: "button", title: item.kind === "column" ? "colours the map by it" : "puts it on the map" }, item.name);
    button.addEventListener("click", () => use(item));
    const interval = Number.isNaN(item.low) ? "–" : `${short(item.low, 3)} to ${short(item.high, 3)}`;
    return [button, shortColumn(item.one.mean, item.sd), shortColumn(item.other.mean, item.sd), short(item.d, 3), interval, effectBar(item, most), `${counted(item.one.n)} / ${counted(item.other.n)}`];
  });
  const made = stacked(table(name, ["~" + name, "mean, marked", "mean, others", "d", "95 % interval", "d, drawn", "rows"], rows));
  items.forEach((item, k) => item.clear || made.tBodies[0].rows[k].classList.add("unclear"));
  return made;
}

function makeEffectList(where, more, name, use) {
  let items = [], shown = EFFECTS_FIRST;
  const show = () => {
    fill(where, ...(items.length > 0 ? [effectTable(name, items.slice(0, shown), use)] : []));
    more.hidden = shown >= items.length;
  };
  more.addEventListener("click", () => {
    const next = shown;
    shown += EFFECTS_MORE;
    show();
    where.querySelectorAll("td button")[next].focus();
  });
  return (found) => {
    items = found;
    shown = EFFECTS_FIRST;
    show();
  };
}

// How the classes are shared out, with the share that each has among the others.
function classesInWords(data, groups) {
  const t = data.texts.find((text) => text.isClass);
  if (!t) return "";
  const rows = (g) => d3.range(data.count).filter((i) => groups[i] === g), all = [rows(1), rows(2)], beside = new Map(countWords(t, all[1]));
  const share = (n, of) => `${short((100 * n) / Math.max(1, of), 3)} %`;
  const said = countWords(t, all[0]).map(([word, n]) => `${t.words[word] || "(none)"} ${share(n, all[0].length)} (${share(beside.get(word) || 0, all[1].length)})`);
  return ` ${t.name}, beside the others in brackets: ${said.slice(0, CLASSES_SAID).join(", ")}${said.length > CLASSES_SAID ? `, ${said.length - CLASSES_SAID} more` : ""}.`;
}

function comparisonNote(data, groups, compared) {
  const n = [1, 2].map((g) => groups.reduce((sum, v) => sum + (v === g), 0)), hidden = data.count - n[0] - n[1];
  if (n[0] === 0) return "Mark rows, with lasso or box, in the table, by class or by search, to see in what they differ from the others.";
  if (n[1] === 0) return "All rows are marked: there are no others to compare them with.";
  const sample = data.count < data.card.rows ? ` of the ${counted(data.count)} that the page shows of ${counted(data.card.rows)}` : "";
  const sure = Math.min(...n) < LEAST_ROWS ? `With ${Math.min(...n)} row${Math.min(...n) === 1 ? "" : "s"} on one side there is no telling what chance may have brought.` : `Intervals hold for all ${counted(compared)} together, if the rows were chosen without regard to these numbers; rows that were caught on the map differ in its components because they were caught there. Pale: may be chance.`;
  return `${counted(n[0])} marked row${n[0] === 1 ? "" : "s"} beside ${counted(n[1])} other${n[1] === 1 ? "" : "s"}${sample}${hidden > 0 ? `, without ${counted(hidden)} hidden` : ""}. d: the difference of the means in standard deviations. ${sure}${classesInWords(data, groups)}`;
}

function meanPictures(data, items) {
  if (data.model.imageRows === 0 || items.length < data.model.d) return [];
  const by = new Float64Array(data.model.d), [one, other, off] = [new Float64Array(data.model.d), new Float64Array(data.model.d), by];
  for (const item of items) {
    one[item.index] = item.one.mean;
    other[item.index] = item.other.mean;
    off[item.index] = item.one.mean - item.other.mean;
  }
  const figure = (picture, caption) => element("figure", {}, picture, element("figcaption", {}, caption));
  return [figure(grey(data, one, MEAN_SIZE, "mean of the marked rows"), "marked, on average"), figure(grey(data, other, MEAN_SIZE, "mean of the others"), "others, on average"), figure(signed(data.model, off, MEAN_SIZE, "difference of the means"), "difference of the means")];
}

export function makeComparison(data, state) {
  const note = byId("comparison-note"), images = byId("comparison-images");
  const use = ({ kind, index }) => (kind === "column" ? state.set("colouring", `column:${index}`) : state.set("x", index));
  const components = makeEffectList(byId("compared-components"), byId("more-components"), data.model.decoder ? "code" : "component", use);
  const columns = makeEffectList(byId("compared-columns"), byId("more-columns"), "column", use);
  let turn = 0;
  async function compare() {
    const mine = ++turn, groups = groupsOf(data, state), both = groups.includes(1) && groups.includes(2);
    const found = { components: both ? componentItems(data, groups, state.get("latent").m) : [], columns: [] };
    if (both) {
      await data.originals.ready;
      const whole = data.which.length < data.model.d && data.originals.count > 0;
      if (whole) note.textContent = "Rows are being unpacked …";
      found.columns = whole ? await wholeItems(data, groups, () => mine === turn) : keptItems(data, groups);
    }
    if (mine !== turn) return;
    byId("comparison").classList.toggle("blank", !both);
    fill(images, ...meanPictures(data, found.columns));
    const all = compareGroups([...found.components, ...found.columns]);
    note.textContent = comparisonNote(data, groups, all.length);
    components(all.filter((item) => item.kind === "component"));
    columns(all.filter((item) => item.kind === "column"));
    state.set("comparison", all);
  }
  // Once for all that changes before the next frame.
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      compare();
    });
  };
  state.on("selection visible latent", soon);
  soon();
}

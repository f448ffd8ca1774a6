// SPDX-License-Identifier: BSD-3-Clause
// Planes side by side: every pair of the first components, each in a picture of its own, linked by their marks. A unit is as
// long along both axes of a picture. A button under each shows its plane on the map.
import { codeName, codeWord } from "./decoder.js";
import { byId, element, fill, tickText } from "./format.js";
import { makePanel } from "./panel.js";

const AROUND = { left: 46, right: 8, top: 8, bottom: 22 }, SIDE = 0.04;
export const MOST_ALONG = 5;

// Scales for two components on so much room, a unit as long along both; everything is inside.
function scalesFor(across, up, { width, height }) {
  const spans = [d3.extent(across), d3.extent(up)], rooms = [width - AROUND.left - AROUND.right, height - AROUND.top - AROUND.bottom];
  const unit = Math.min(...spans.map(([low, high], k) => ((1 - 2 * SIDE) * rooms[k]) / (high - low || 1)));
  const [x, y] = spans.map(([low, high], k) => [(low + high) / 2 - rooms[k] / unit / 2, (low + high) / 2 + rooms[k] / unit / 2]);
  return { x: d3.scaleLinear(x, [AROUND.left, width - AROUND.right]), y: d3.scaleLinear(y, [height - AROUND.bottom, AROUND.top]) };
}

function drawPlaneAxes(group, { width, height }, { x, y }, [a, b]) {
  const axis = (name) => group.selectAll(`.${name}`).data([0]).join("g").attr("class", `axis ${name}`);
  axis("below").attr("transform", `translate(0,${height - AROUND.bottom})`).call(d3.axisBottom(x).ticks(width / 90).tickFormat(tickText));
  axis("beside").attr("transform", `translate(${AROUND.left},0)`).call(d3.axisLeft(y).ticks(height / 60).tickFormat(tickText));
  group.selectAll("text.strong").data([[width - AROUND.right, height - AROUND.bottom - 6, "end", a + 1], [AROUND.left + 6, AROUND.top + 10, "start", b + 1]]).join("text").attr("class", "strong")
    .attr("x", (d) => d[0]).attr("y", (d) => d[1]).attr("text-anchor", (d) => d[2]).text((d) => d[3]);
}

function makePlane(data, state, where, [a, b], tools) {
  const { model } = data, word = codeWord(model);
  let scales = null;
  const picture = {
    label: `Rows in the plane of ${word}s ${a + 1} and ${b + 1}. N and P go to the next and previous row, L and B start a lasso and a box, Enter shows the plane on the map, Escape lets go.`,
    margin: AROUND,
    radius: data.count < 2000 ? 2.2 : data.count < 20000 ? 1.4 : 0.9,
    project(place, size) {
      scales = scalesFor(data.codes[a], data.codes[b], size);
      for (let i = 0; i < data.count; i++) {
        place.x[i] = scales.x(data.codes[a][i]);
        place.y[i] = scales.y(data.codes[b][i]);
      }
    },
    drawOver: (group, size) => drawPlaneAxes(group, size, scales, [a, b]),
    keys: { Enter: () => state.change({ x: a, y: b }) },
  };
  const box = element("div", { className: "map" }), button = element("button", { type: "button", title: "shows this plane on the map" }, `${word}s ${a + 1} and ${b + 1}`);
  button.addEventListener("click", () => state.change({ x: a, y: b }));
  where.append(element("figure", {}, box, element("figcaption", {}, button)));
  const show = () => button.setAttribute("aria-pressed", state.get("x") === a && state.get("y") === b);
  state.on("x y", show);
  show();
  return { a, b, ...makePanel(data, state, box, picture, tools) };
}

const pairsOf = (count) => d3.range(count).flatMap((a) => d3.range(a + 1, count).map((b) => [a, b]));

export function makePlanes(data, state, tools) {
  const section = byId("planes"), choice = byId("planes-count"), most = Math.min(MOST_ALONG, data.model.m), made = [];
  section.hidden = most < 3;
  if (section.hidden) return made;
  fill(choice, element("option", { value: 0 }, "none"), ...d3.range(3, most + 1).map((n) => element("option", { value: n }, `the first ${n} ${codeWord(data.model)}s, ${(n * (n - 1)) / 2} planes`)));
  byId("planes-title").textContent = `Planes of ${codeWord(data.model)}s side by side`;
  // Those that were made stay, and are hidden: the rest of the page has been told of them.
  const show = (count) => {
    choice.value = count;
    for (const pair of pairsOf(count)) if (!made.some(({ a, b }) => a === pair[0] && b === pair[1])) made.push(makePlane(data, state, byId("planes-view"), pair, tools));
    for (const { a, b, canvas } of made) {
      const figure = canvas.closest("figure");
      figure.hidden = Math.max(a, b) >= count;
      figure.style.order = pairsOf(MOST_ALONG).findIndex((pair) => pair[0] === a && pair[1] === b);
    }
    byId("planes-note").textContent = count === 0 ? "" : `${d3.range(count).map((j) => codeName(data.model, j)).join(", ")}. Drag to mark rows, click to look at one.`;
  };
  choice.addEventListener("change", () => state.set("planes", Number(choice.value)));
  state.on("planes", show);
  show(Math.min(state.get("planes"), most));
  return made;
}

// SPDX-License-Identifier: BSD-3-Clause
// What the colours of the points mean, in words and marks.
import { byId, counted, element, fill, short } from "./format.js";
import { otherColour, SHAPES } from "./palette.js";

function mark(colour, shape) {
  const svg = d3.create("svg").attr("class", "mark").attr("viewBox", "-1.3 -1.3 2.6 2.6").attr("aria-hidden", "true");
  if (SHAPES[shape]) svg.append("path").attr("d", `M${SHAPES[shape].join("L")}Z`).attr("fill", colour);
  else svg.append("circle").attr("r", 1).attr("fill", colour);
  return svg.node();
}

function classItems({ items, rest }) {
  const made = items.map((item) => element("span", {}, mark(item.colour, item.shape), `${item.name} (${counted(item.count)})`));
  if (rest > 0) made.push(element("span", {}, mark(otherColour(), 0), `other (${counted(rest)} class${rest === 1 ? "" : "es"})`));
  return made;
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

export function makeLegend(data, state) {
  const show = () => {
    const legend = state.get("legend");
    fill(byId("legend"), ...(legend.items ? classItems(legend) : legend.steps ? ramp(legend) : []));
  };
  state.on("legend", show);
  show();
}

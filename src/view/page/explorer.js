// SPDX-License-Identifier: BSD-3-Clause
// The latent explorer: a slider for each z_j, the ring in the plot for two of them, and what they decode to, live. A
// selected row puts z to the mean of its posterior; draws show what else it could have been (10.7.3).
import { decode, drawLike } from "./decode.js";
import { byId, element, fill, fixed, short } from "./format.js";
import { canDecode, middleCode } from "./decoder.js";
import { farthest, rowPicture } from "./picture.js";
import { posteriorMean, posteriorOf, whyNoPosterior } from "./posterior.js";
import { say } from "./state.js";

const SLIDERS = 10, DRAWS = 6, FAR = 4;

// Codes for a decoder have any unit: their sliders go as far as those of the rows.
function slider(data, state, j) {
  const name = `z${j + 1}`;
  const [low, high] = data.model.decoder ? d3.extent(data.codes[j]) : [-FAR, FAR];
  const input = element("input", { type: "range", min: low, max: high, step: (high - low) / 800 || 0.01, "aria-label": name });
  const output = element("output", {});
  input.addEventListener("input", () => {
    const z = Float64Array.from(state.get("z"));
    z[j] = Number(input.value);
    state.set("z", z);
  });
  const show = (z) => {
    const value = z[j];
    if (value > Number(input.max)) input.max = Math.ceil(value);
    if (value < Number(input.min)) input.min = Math.floor(value);
    input.value = value;
    output.textContent = fixed(value);
    input.disabled = j >= state.get("latent").m;
  };
  return { show, node: element("div", { className: "slider" }, element("span", {}, name), input, output) };
}

function makeSliders(data, state) {
  const sliders = [];
  const more = byId("more-sliders");
  function add() {
    const from = sliders.length, to = Math.min(from + SLIDERS, data.model.m);
    for (let j = from; j < to; j++) {
      const made = slider(data, state, j);
      sliders.push(made);
      byId("sliders").append(made.node);
      made.show(state.get("z"));
    }
    more.hidden = sliders.length === data.model.m;
  }
  more.addEventListener("click", add);
  add();
  state.on("z latent", () => sliders.forEach((s) => s.show(state.get("z"))));
}

function drawHint(data, latent, row, nameRow) {
  if (row < 0) return "Select a row first.";
  const gaps = data.gaps[row], why = whyNoPosterior(data, latent, row);
  const missing = `${gaps} cell${gaps === 1 ? "" : "s"} of ${nameRow(row)} ${gaps === 1 ? "is" : "are"} missing`;
  if (why !== null) return `${missing}, and ${why}: scree explore draws from its posterior.`;
  if (gaps > 0) return `Draws from p(x̃|x*) for ${nameRow(row)}, given the ${data.model.d - gaps} of ${data.model.d} cells that are there.`;
  return latent.noise > 0 ? `Draws from p(x̃|x*) for ${nameRow(row)}.` : "The noise is 0: the posterior is a point, and all draws are the same.";
}

function makeDraws(data, state, nameRow) {
  const button = byId("draw"), where = byId("draws"), hint = byId("draw-hint");
  state.on("focus latent", () => {
    const row = state.get("focus");
    button.disabled = row < 0 || whyNoPosterior(data, state.get("latent"), row) !== null;
    byId("back-to-row").disabled = row < 0;
    hint.textContent = drawHint(data, state.get("latent"), row, nameRow);
    fill(where);
    state.set("draws", []);
  });
  button.addEventListener("click", () => {
    const row = state.get("focus"), size = data.model.imageRows > 0 ? 96 : 300;
    const latent = state.get("latent"), posterior = posteriorOf(data, latent, row);
    const draws = d3.range(DRAWS).map(() => drawLike(data, latent, posterior, byId("draw-noise").checked));
    const least = data.model.imageRows > 0 ? 1 : farthest(data, draws.map((draw) => draw.x));
    fill(where, ...draws.map((draw, i) => element("figure", {}, rowPicture(data, draw.x, size, `draw ${i + 1}`, least), element("figcaption", {}, `draw ${i + 1}`))));
    state.set("draws", draws);
    say(`${DRAWS} draws for ${nameRow(row)}`);
  });
}

export function makeExplorer(data, state, nameRow) {
  const toRow = () => {
    const z = new Float64Array(data.model.m);
    z.set(posteriorMean(data, state.get("latent"), state.get("focus")));
    state.set("z", z);
  };
  function show() {
    const latent = state.get("latent");
    if (!canDecode(data.model)) {
      byId("decoded-note").textContent = `The decoder takes ${short(data.model.decoder.bytes / 1e6, 3)} MB, more than the page may hold; scree report --max-size allows more.`;
      return;
    }
    const x = decode(data.model, latent, state.get("z"));
    fill(byId("decoded"), rowPicture(data, x, 224, "what z decodes to"));
    if (data.model.decoder) byId("decoded-note").textContent = `a code of ${latent.m} number${latent.m === 1 ? "" : "s"}`;
    else byId("decoded-note").textContent = `${latent.m} component${latent.m === 1 ? "" : "s"}, noise variance σ² = ${short(latent.noise)}${latent.noise > 0 ? "" : " (plain PCA)"}`;
  }
  byId("zero").addEventListener("click", () => state.set("z", middleCode(data)));
  byId("back-to-row").addEventListener("click", toRow);
  makeSliders(data, state);
  makeDraws(data, state, nameRow);
  state.on("focus", (row) => row >= 0 && toRow());
  state.on("z latent", show);
  show();
}

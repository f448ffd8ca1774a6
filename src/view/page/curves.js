// SPDX-License-Identifier: BSD-3-Clause
// How many components: eigenvalues as bars, with the 95 % intervals of the population's, J_M (10.44) as a curve, and a slider for the M that everything else uses.
import { isEstimate } from "./data.js";
import { byId, counted, element, fill, power, short, table, tickText } from "./format.js";

const WIDTH = 460, HEIGHT = 210, LEFT = 56, BOTTOM = 34, TOP = 20;

// J_0 to J_m, of all eigenvalues that the model has.
export function errorsLeft(model) {
  const left = [model.totalVariance], rounding = model.d * Number.EPSILON * model.totalVariance;
  for (const value of model.eigenvalues) left.push(left[left.length - 1] - value);
  return left.map((value) => (value > rounding ? value : 0));
}

function frame(title, x, y) {
  const svg = d3.create("svg").attr("viewBox", `0 0 ${WIDTH} ${HEIGHT}`).attr("role", "img").attr("aria-label", title).style("width", "100%").style("max-width", "560px");
  const whole = x.domain()[1] < 10 ? d3.range(Math.ceil(x.domain()[0]), x.domain()[1] + 1) : null;
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${HEIGHT - BOTTOM})`).call(whole ? d3.axisBottom(x).tickValues(whole).tickFormat(d3.format("d")) : d3.axisBottom(x).ticks(8).tickFormat(tickText));
  svg.append("g").attr("class", "axis").attr("transform", `translate(${LEFT},0)`).call(d3.axisLeft(y).ticks(4).tickFormat((v) => short(v, 3)));
  svg.append("text").attr("class", "strong").attr("x", LEFT).attr("y", 12).text(title);
  svg.append("text").attr("x", WIDTH - 4).attr("y", HEIGHT - 3).attr("text-anchor", "end").text("M");
  return svg;
}

// An upright line with a short one at each end, for each component that has an interval.
function intervals(svg, x, y, sampling) {
  sampling.forEach((s, j) => {
    if (!s) return;
    const at = x(j + 1), [low, high] = [y(s[0]), y(s[1])];
    svg.append("path").attr("class", "interval").attr("d", `M${at},${low}V${high}M${at - 3},${low}h6M${at - 3},${high}h6`);
  });
}

// null: noise; false: not known.
function inPopulation(s) {
  return s === null ? "noise" : s === false ? "–" : `${short(s[0], 3)} – ${short(s[1], 3)}`;
}

// Within so many degrees; a dash where it may be any direction.
function direction(s) {
  return !s || s[2] >= 80 ? "–" : `±${short(s[2], 2)}°`;
}

function chosenLine(svg, x, m) {
  svg.append("line").attr("class", "chosen").attr("x1", x(m)).attr("x2", x(m)).attr("y1", TOP).attr("y2", HEIGHT - BOTTOM);
}

// The mean of t_j² over some rows, as the eigenvalues are over all that were fitted.
function meanSquares(data, rows) {
  return d3.range(data.model.m).map((j) => rows.reduce((sum, row) => sum + data.codes[j][row] ** 2, 0) / rows.length);
}

function markedDiamonds(svg, x, y, squares) {
  svg.selectAll(".marked-variance").data(squares).join("path").attr("class", "marked-variance")
    .attr("d", (v, j) => `M${x(j + 1)},${y(v) - 4}l4,4l-4,4l-4,-4Z`).append("title").text((v, j) => `marked rows: mean of t² along ${j + 1} = ${short(v)}`);
}

export function makeCurves(data, state) {
  const { model } = data;
  const left = errorsLeft(model), count = model.eigenvalues.length;
  const slider = byId("m");
  slider.max = model.m;
  slider.min = Math.min(1, model.latent);
  const upwards = (values) => d3.scaleLinear([0, Math.max(...values) || 1], [HEIGHT - BOTTOM, TOP]).nice();

  function show() {
    const { m } = state.get("latent"), { rows } = state.get("selection"), squares = rows.length > 0 ? meanSquares(data, rows) : [];
    slider.value = m;
    const xBars = d3.scaleLinear([0.5, count + 0.5], [LEFT, WIDTH - 8]), yBars = upwards([...model.eigenvalues, ...squares, ...model.sampling.filter((s) => s).map((s) => s[1])]);
    const scree = frame("eigenvalue λ_M", xBars, yBars);
    const wide = Math.max(1, xBars(2) - xBars(1) - 1);
    scree.selectAll("rect").data(model.eigenvalues).join("rect").attr("class", (_, j) => (j < m ? "bar kept" : "bar left")).attr("x", (_, j) => xBars(j + 1) - wide / 2).attr("width", wide)
      .attr("y", (v) => yBars(v)).attr("height", (v) => yBars(0) - yBars(v)).append("title").text((v, j) => `λ ${j + 1} = ${short(v)}`);
    if (count <= 60) intervals(scree, xBars, yBars, model.sampling);
    markedDiamonds(scree, xBars, yBars, squares);
    byId("marked-spectrum").textContent = rows.length > 0 ? `Diamonds: the mean of t_M² over the ${counted(rows.length)} marked row${rows.length === 1 ? "" : "s"}; over all rows that were fitted it is λ_M.` : "";
    const x = d3.scaleLinear([0, count], [LEFT, WIDTH - 8]), y = upwards(left);
    const curve = frame("what M components leave, J_M", x, y);
    curve.append("path").attr("class", "curve").attr("d", d3.line().x((_, j) => x(j)).y((v) => y(v))(left));
    chosenLine(curve, x, m);
    fill(byId("curves"), scree.node(), curve.node());
    const share = (100 * (1 - left[m] / (model.totalVariance || 1))).toFixed(2);
    byId("m-says").textContent = `M = ${m}: ${share} % of the variance, J_M = ${short(left[m])}, σ² = ${short(state.get("latent").noise)}`;
  }
  slider.addEventListener("input", () => state.set("m", Number(slider.value)));
  state.on("latent selection", show);
  show();
  const rows = model.eigenvalues.map((value, j) => {
    const [, bound, angle, first, last] = model.bounds[j];
    return [j + 1, short(value), `${((100 * value) / (model.totalVariance || 1)).toFixed(2)}`, inPopulation(model.sampling[j]), direction(model.sampling[j]), short(left[j + 1]), power(bound), angle < 1 ? power(angle) : "–", first === last ? "" : `${first}–${last}`];
  });
  const estimate = isEstimate(data.card);
  fill(byId("spectrum-table"), table(`eigenvalues and what is ${estimate ? "estimated" : "proven"} of them`, ["M", "eigenvalue", "share %", "95 % interval", "direction", "J_M", estimate ? "±λ, about" : "±λ", estimate ? "angle, about" : "angle ≤", "cluster"], rows));
  byId("spectrum-table").append(element("p", { className: "hint" }, "95 % interval and direction: where the population's eigenvalue lies, and within which angle its component, with 95 % confidence, if rows are about normal; those of fit --bootstrap hold for others. Noise: it cannot be told from noise with this number of rows."));
  if (estimate) byId("spectrum-table").append(element("p", { className: "hint" }, "Bounds are estimates of what iteration left, not proofs."));
  if (count > model.m) byId("spectrum-table").before(element("p", { className: "hint" }, `The page holds the first ${model.m} of ${count} components.`));
}

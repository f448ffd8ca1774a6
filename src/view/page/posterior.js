// SPDX-License-Identifier: BSD-3-Clause
// What a row says of its z: N(m, C), given its whole row (10.74, 10.75) or the cells of it that are there. With W the rows
// of B of those cells and A = WᵀW + σ²I = LLᵀ,
//
//     m = A⁻¹Wᵀx,   C = σ²A⁻¹,   a draw is m + σL⁻ᵀn.
//
// In the units of the codes z is |b_j|z_j, what UᵀBz is: the code shrunk towards the mean. O(DM² + M³) for a row with gaps.
import { codeOf } from "./decode.js";

const CHI2 = 5.991464547107979, CHI2_LINE = 3.841458820694124; // of 95 %, two degrees of freedom and one
const CORNERS = 96; // of what is drawn as an ellipse

function wholePosterior(data, latent, row) {
  return {
    mean: codeOf(data, row, latent.m).map((t, j) => t * latent.shrink[j]),
    covariance: (a, b) => (a === b ? latent.variance[a] : 0),
    spread: (normals) => normals.map((n, j) => n * Math.sqrt(latent.variance[j])),
  };
}

// WᵀW + σ²I, lower half by rows, and Wᵀx, over the cells that are there.
function normalEquations(data, latent, row) {
  const { model } = data, m = latent.m, d = model.d;
  const a = new Float64Array(m * m), right = new Float64Array(m), w = new Float64Array(m);
  for (let c = 0; c < d; c++) {
    const x = data.columns[row * d + c] / (model.scale ? model.scale[c] : 1);
    if (Number.isNaN(x)) continue;
    for (let j = 0; j < m; j++) w[j] = latent.length[j] * model.components[j * d + c];
    for (let j = 0; j < m; j++) {
      right[j] += w[j] * x;
      for (let k = 0; k <= j; k++) a[j * m + k] += w[j] * w[k];
    }
  }
  for (let j = 0; j < m; j++) a[j * m + j] += latent.noise;
  return { a, right };
}

// L in place of the lower half of A.
function cholesky(a, m) {
  for (let j = 0; j < m; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = a[j * m + k];
      for (let i = 0; i < k; i++) sum -= a[j * m + i] * a[k * m + i];
      a[j * m + k] = j === k ? Math.sqrt(sum) : sum / a[k * m + k];
    }
  }
  return a;
}

function solveLower(l, m, b) {
  const y = Float64Array.from(b);
  for (let j = 0; j < m; j++) {
    for (let k = 0; k < j; k++) y[j] -= l[j * m + k] * y[k];
    y[j] /= l[j * m + j];
  }
  return y;
}

function solveUpper(l, m, b) {
  const y = Float64Array.from(b);
  for (let j = m - 1; j >= 0; j--) {
    for (let k = j + 1; k < m; k++) y[j] -= l[k * m + j] * y[k];
    y[j] /= l[j * m + j];
  }
  return y;
}

function gappyPosterior(data, latent, row) {
  const m = latent.m, sd = Math.sqrt(latent.noise);
  const { a, right } = normalEquations(data, latent, row);
  const l = cholesky(a, m);
  const column = (j) => solveLower(l, m, new Float64Array(m).fill(1, j, j + 1)); // L⁻¹e_j
  return {
    mean: solveUpper(l, m, solveLower(l, m, right)),
    covariance: (j, k) => latent.noise * d3.sum(d3.zip(column(j), column(k)), ([u, v]) => u * v),
    spread: (normals) => solveUpper(l, m, normals).map((v) => sd * v),
  };
}

// Why the page cannot tell the posterior of a row; null when it can.
export function whyNoPosterior(data, latent, row) {
  if (data.model.decoder) return "this kind of model has no p(z|x)";
  if (data.gaps[row] === 0) return null;
  if (data.which.length < data.model.d) return `not all of its ${data.model.d} columns are on this page`;
  return latent.noise > 0 ? null : "the model has no noise";
}

export function posteriorOf(data, latent, row) {
  if (whyNoPosterior(data, latent, row) !== null) return null;
  return data.gaps[row] === 0 ? wholePosterior(data, latent, row) : gappyPosterior(data, latent, row);
}

// m, or the best that the page knows where there is none: the code, shrunk as that of a whole row.
export function posteriorMean(data, latent, row) {
  return (posteriorOf(data, latent, row) || wholePosterior(data, latent, row)).mean;
}

// What holds 95 % in the plane of components j and k, as corners in the units of the codes; along j alone where k is -1.
export function posteriorEdge(latent, posterior, j, k) {
  const mean = (i) => latent.length[i] * posterior.mean[i];
  const covariance = (a, b) => latent.length[a] * latent.length[b] * posterior.covariance(a, b);
  const first = Math.sqrt(covariance(j, j));
  if (k < 0) return [-1, 1].map((side) => [mean(j) + side * Math.sqrt(CHI2_LINE) * first, 0]);
  const across = first > 0 ? covariance(j, k) / first : 0;
  const second = Math.sqrt(Math.max(covariance(k, k) - across * across, 0));
  return d3.range(CORNERS).map((i) => {
    const angle = (2 * Math.PI * i) / CORNERS, x = Math.sqrt(CHI2) * Math.cos(angle), y = Math.sqrt(CHI2) * Math.sin(angle);
    return [mean(j) + first * x, mean(k) + across * x + second * y];
  });
}

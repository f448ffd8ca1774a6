// SPDX-License-Identifier: BSD-3-Clause
// The model at work: z decodes to x̃ = Bz + µ, and a whole row's code t has the posterior N(m, C). With M components
//
//     σ² = (tr S − Σ λ)/(D − M),   |b_j| = √(λ_j − σ²),   m_j = |b_j|/λ_j · t_j,   C_jj = σ²/λ_j.

import { cellOf } from "./data.js";
import { runDecoder } from "./decoder.js";

// A code for a decoder is what it is: no noise, nothing shrinks.
function plainLatent(m) {
  const ones = new Float64Array(m).fill(1);
  return { m, noise: 0, length: ones, shrink: ones, variance: new Float64Array(m), left: 0 };
}

// What depends on M: noise, lengths of the columns of B, shrinkage, posterior variances.
export function latentModel(model, m) {
  if (model.decoder) return plainLatent(m);
  const lambda = model.eigenvalues;
  let kept = 0;
  for (let j = m - 1; j >= 0; j--) kept += lambda[j];
  let left = model.totalVariance - kept;
  if (m === model.d || model.directions <= m || left <= model.d * Number.EPSILON * model.totalVariance) left = 0;
  const noise = model.noise !== null ? model.noise : left > 0 ? left / (model.d - m) : 0;
  const length = new Float64Array(m), shrink = new Float64Array(m), variance = new Float64Array(m);
  for (let j = 0; j < m; j++) {
    const along = Math.max(lambda[j], noise);
    length[j] = Math.sqrt(Math.max(lambda[j] - noise, 0));
    shrink[j] = along > 0 ? length[j] / along : 0;
    variance[j] = along > 0 ? noise / along : 0;
  }
  return { m, noise, length, shrink, variance, left };
}

// U t + µ in the columns as they came.
export function reconstruct(model, t, m) {
  if (model.decoder) return runDecoder(model.decoder, t);
  const d = model.d;
  const x = new Float64Array(d);
  for (let j = 0; j < m; j++) {
    if (t[j] === 0) continue;
    const at = j * d;
    for (let i = 0; i < d; i++) x[i] += t[j] * model.components[at + i];
  }
  for (let i = 0; i < d; i++) x[i] = model.mean[i] + x[i] * (model.scale ? model.scale[i] : 1);
  return x;
}

export function decode(model, latent, z) {
  const t = new Float64Array(latent.m);
  for (let j = 0; j < latent.m; j++) t[j] = latent.length[j] * z[j];
  return reconstruct(model, t, latent.m);
}

export function codeOf(data, row, m) {
  const t = new Float64Array(m);
  for (let j = 0; j < m; j++) t[j] = data.codes[j][row];
  return t;
}

function normal() {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

// z* ~ p(z|x*), then x̃* ~ p(x|z*).
export function drawLike(data, latent, posterior, withNoise) {
  const off = posterior.spread(posterior.mean.map(normal));
  const z = posterior.mean.map((mean, j) => mean + off[j]);
  const x = decode(data.model, latent, z);
  const sd = Math.sqrt(latent.noise);
  for (let i = 0; withNoise && i < x.length; i++) x[i] += sd * normal() * (data.model.scale ? data.model.scale[i] : 1);
  return { z, x };
}

// The values of one column for every row: as they were where the page has them, else as the model rebuilds them.
export function columnValues(data, column) {
  const { model, count } = data;
  const values = new Float64Array(count);
  const kept = data.which.indexOf(column);
  if (kept >= 0) {
    for (let i = 0; i < count; i++) values[i] = cellOf(data, i, kept);
    return { values, rebuilt: false };
  }
  for (let j = 0; j < model.m; j++) {
    const u = model.components[j * model.d + column];
    for (let i = 0; i < count; i++) values[i] += u * data.codes[j][i];
  }
  for (let i = 0; i < count; i++) values[i] = model.mean[column] + values[i] * (model.scale ? model.scale[column] : 1);
  return { values, rebuilt: true };
}

// SPDX-License-Identifier: BSD-3-Clause
// What M = 1, 5, 20 and all components in use keep of a row, and how far that is from the row: ‖x − x̃‖² in the units that
// were fitted, Q. Its mean over all rows is J_M, and what every direction that is left out has of it is σ².
import { cellOf } from "./data.js";
import { codeOf, latentModel, reconstruct } from "./decode.js";
import { canDecode } from "./decoder.js";

// As many of 1, 5, 20 and m as there are.
export function stepsOf(data, m) {
  if (!canDecode(data.model)) return [];
  if (data.model.decoder) return [m];
  return [...new Set([1, 5, 20, m])].filter((step) => step > 0 && step <= data.model.m).sort((a, b) => a - b);
}

export const rebuilt = (data, row, m) => reconstruct(data.model, codeOf(data, row, m), m);

export function stepName(data, m) {
  return data.model.decoder ? `a code of ${m}` : `${m} component${m === 1 ? "" : "s"}`;
}

// A promise of all its cells; of null where the page does not have them.
export async function cellsOf(data, row) {
  if (data.which.length < data.model.d) return data.originals.get(row);
  const cells = new Float64Array(data.model.d);
  data.which.forEach((c, k) => (cells[c] = cellOf(data, row, k)));
  return cells;
}

function squaredDistance(model, cells, x) {
  let sum = 0;
  for (let c = 0; c < x.length; c++) {
    const off = (cells[c] - x[c]) / (model.scale ? model.scale[c] : 1);
    if (!Number.isNaN(off)) sum += off * off;
  }
  return sum;
}

// Of a whole row whose cells are not here: what the codes behind the m-th take of it is part of Q.
function errorFromCodes(data, row, m) {
  const { model, scores } = data;
  if (!scores || data.gaps[row] > 0 || model.scored > model.m) return NaN;
  let q = scores.q[row];
  for (let j = Math.min(m, model.scored); j < Math.max(m, model.scored); j++) q += (j < model.scored ? 1 : -1) * data.codes[j][row] ** 2;
  return Math.max(q, 0);
}

// { m, error, mean, noise } for each step: of the cells that are there; mean and noise are NaN where they are not known.
export function errorsOf(data, row, m, cells) {
  const { model } = data;
  return stepsOf(data, m).map((step) => {
    const latent = latentModel(model, step), error = cells ? squaredDistance(model, cells, rebuilt(data, row, step)) : errorFromCodes(data, row, step);
    return { m: step, error, mean: model.decoder ? model.decoder.error : latent.left, noise: model.decoder ? NaN : Math.sqrt(latent.noise) };
  });
}

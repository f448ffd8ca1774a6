// SPDX-License-Identifier: BSD-3-Clause
// T², Q, log p(x) and the p-value of every row with M components, as `scree score -k M` gives them. Of whole rows the
// first three follow from the codes: what those behind the M-th take of a row is part of Q,
//
//     T² = Σ t_j²/λ_j,   Q = Q_L + Σ_{j≤L} t_j² - Σ_{j≤M} t_j²,   -2 ln p(x) = D ln 2π + Σ ln λ_j + (D-M) ln σ² + T² + Q/σ²
//
// where L is the number that the report was made with. p-values, and all four of rows with gaps, were computed when the
// page was made (src/view/report_chances.c) and are unpacked for the M that is asked for; until then, and where the page
// does not have them, they are NaN. state.scores is { m, t2, q, loglik, p }.
import { bytesOf } from "./data.js";
import { unpack } from "./originals.js";

const STEPS_ABOVE = 4000, STEPS_BELOW = 400, BEND = Math.log(1000), NEVER = 65535, UNKNOWN = 65534; // as in report_chances.c

function chanceOf(code) {
  if (code >= UNKNOWN) return code === NEVER ? 0 : NaN;
  return Math.exp(-(code <= STEPS_ABOVE * BEND ? code / STEPS_ABOVE : BEND + (code - STEPS_ABOVE * BEND) / STEPS_BELOW));
}

function readChances(bytes, count) {
  const p = new Float64Array(count);
  for (let i = 0; i < count; i++) p[i] = chanceOf(bytes[i] * 256 + bytes[count + i]);
  return p;
}

// σ² as latentModel finds it is 0 where the components explain everything; a model of all columns needs none.
function hasDensity(model, latent) {
  const { m } = latent;
  return latent.noise > 0 || (m === model.d && model.eigenvalues[m - 1] > model.d * Number.EPSILON * model.eigenvalues[0]);
}

function logVolume(model, latent) {
  const { m, noise } = latent;
  let sum = model.d * Math.log(2 * Math.PI) + (m < model.d ? (model.d - m) * Math.log(noise) : 0);
  for (let j = 0; j < m; j++) sum += Math.log(Math.max(model.eigenvalues[j], noise));
  if (model.scale) for (const scale of model.scale) sum += 2 * Math.log(scale);
  return sum;
}

// Of rows without gaps, by the codes.
function fromCodes(data, latent) {
  const { model, count, codes } = data, { m, noise } = latent;
  const t2 = new Float64Array(count), q = Float64Array.from(data.scores.q), loglik = new Float64Array(count);
  for (let j = 0; j < Math.max(m, Math.min(model.scored, model.m)); j++) {
    const code = codes[j], weight = 1 / Math.max(model.eigenvalues[j], noise), sign = (j < model.scored) - (j < m);
    for (let i = 0; i < count; i++) {
      const square = code[i] * code[i];
      if (j < m) t2[i] += weight * square;
      q[i] += sign * square;
    }
  }
  const volume = logVolume(model, latent), unknown = model.scored > model.m; // codes that make up Q are not here
  for (let i = 0; i < count; i++) {
    q[i] = unknown ? NaN : m === model.d ? 0 : Math.max(0, q[i]);
    loglik[i] = -(volume + t2[i] + (q[i] > 0 ? q[i] / noise : unknown ? NaN : 0)) / 2;
  }
  return { m, t2, q, loglik };
}

function nothing(count) {
  return new Float64Array(count).fill(NaN);
}

// Rows with gaps have their own; none where the page has none.
function putGapped(data, scores, given) {
  const own = given && given.gapped ? new Float32Array(bytesOf(given.gapped)) : null;
  for (let i = 0, at = 0; i < data.count; i++) {
    if (data.gaps[i] === 0) continue;
    [scores.loglik[i], scores.t2[i], scores.q[i]] = own ? own.subarray(at, at + 3) : [NaN, NaN, NaN];
    at += 3;
  }
}

function computeScores(data, latent) {
  if (latent.m === data.model.scored) return { m: latent.m, ...data.scores };
  const given = data.chances.find((one) => one.m === latent.m), { count } = data;
  const scores = hasDensity(data.model, latent) ? fromCodes(data, latent) : { m: latent.m, t2: nothing(count), q: nothing(count), loglik: nothing(count) };
  putGapped(data, scores, given);
  return { ...scores, p: nothing(count) };
}

// Whether the page knows p-values with so many components.
export function hasChances(data, m) {
  return m === data.model.scored || data.chances.some((one) => one.m === m);
}

export function makeScores(data, state) {
  if (!data.scores) return;
  const unpacked = new Map(); // p-values by M
  async function bringChances(m) {
    const given = data.chances.find((one) => one.m === m);
    if (!given || m === data.model.scored) return;
    if (!unpacked.has(m)) unpacked.set(m, unpack(given.p).then((bytes) => readChances(bytes, data.count)));
    const p = await unpacked.get(m);
    if (state.get("scores").m === m) state.set("scores", { ...state.get("scores"), p });
  }
  function show() {
    state.set("scores", computeScores(data, state.get("latent")));
    bringChances(state.get("latent").m);
  }
  state.on("latent", show);
  if (state.get("latent").m !== data.model.scored) show();
}

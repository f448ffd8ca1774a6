// SPDX-License-Identifier: BSD-3-Clause
// The model card: what was fitted, how, and what is proven of it; or estimated, where nothing is.
import { isServed } from "./served.js";
import { byId, counted, element, fill, power, short } from "./format.js";
import { errorsLeft } from "./curves.js";
import { latentModel } from "./decode.js";
import { isEstimate } from "./data.js";

const STOPPED = {
  tolerance: "within the tolerance of the optimum",
  stalled: "no further rise that double precision can show",
  floor: "no noise is left: fewer components would explain everything",
  iterations: "the limit of iterations, not yet at the optimum",
};

function worstAngle(bounds) {
  const angles = bounds.map((b) => b[2]);
  const unknown = angles.filter((a) => !(a < 1)).length;
  const worst = Math.max(0, ...angles.filter((a) => a < 1));
  const rest = unknown > 0 ? `; nothing is proven of ${unknown}, whose cluster goes on past the last` : "";
  return unknown === angles.length ? "none is proven: their cluster goes on past the last component" : `at most ${power(worst)} in sine, each to its true one or its cluster's space${rest}`;
}

function boundFacts({ card, model }) {
  const widest = power(Math.max(...model.bounds.map((b) => b[1])));
  if (!isEstimate(card)) return [["eigenvalues", `proven to within ${widest}`], ["angles", worstAngle(model.bounds)]];
  if (card.stopped === "pass") return [["bounds", `estimates, not proofs: the fit of all rows at once is near, within about ${power(card.onlineAngle)} in angle and ${short(100 * card.onlineNoise, 2)} % of the noise`]];
  return [["bounds", `estimates of what iteration left, not proofs: ${widest} of the eigenvalues, ${power(Math.max(...model.bounds.map((b) => b[2])))} of the angles in sine`]];
}

// What a fit of rows with gaps says of itself.
function fitFacts(card) {
  const list = [];
  const times = (name, many) => `${counted(card.iterations)} ${card.iterations === 1 ? name : many}`;
  if (card.stopped === "pass") list.push(["fitted by", `maximum likelihood in one pass, ${times("batch", "batches")}`]);
  else if (card.stopped !== null) list.push(["fitted by", `${card.bayes ? "variational Bayes" : "maximum likelihood"}, ${times("iteration", "iterations")}: ${STOPPED[card.stopped] || card.stopped}`]);
  const empty = card.emptyRows === 0 ? "" : `; ${counted(card.emptyRows)} row${card.emptyRows === 1 ? " has nothing observed, and says" : "s have nothing observed, and say"} nothing`;
  if (card.observed < 1) list.push(["observed", `${short(100 * card.observed, 4)} % of the cells${empty}`]);
  return list;
}

// Rows that were fitted fit better than new ones do: who reads p-values must know which these are.
export function maybeFitted(card) {
  return card.rows === card.fitted && !card.training && card.noScores === null;
}

function decoderFacts({ card, model }) {
  const { error, pcaError, epochs, facts } = model.decoder;
  if (facts) return facts;
  return [
    ["trained", `on ${counted(card.fitted)} rows, ${counted(epochs)} epochs`],
    ["error", `${short(error)} a row, squared, of a variance of ${short(model.totalVariance)}`],
    ["beside PCA", `with as many components J_${card.kept} = ${short(pcaError)}, ${short(pcaError / error, 3)} times that`],
  ];
}

// Scores and posteriors use the first M of the components kept, where that is another number.
function probabilityFacts(card, model) {
  if (model.latent >= card.kept) return [];
  return [["probability model", `M = ${model.latent} of ${card.kept} component${card.kept === 1 ? "" : "s"}, noise variance σ² = ${short(latentModel(model, model.latent).noise)}`]];
}

// One column that is measured in a small unit hides all others.
function dominantColumn(model) {
  const variances = Array.from(model.sd, (s) => s * s), sum = variances.reduce((a, b) => a + b, 0), most = variances.reduce((a, b) => Math.max(a, b), 0);
  if (model.scale || variances.filter((v) => v > 0).length < 2 || !(most > 0.9 * sum)) return [];
  const j = variances.indexOf(most);
  return [["one column", `${model.columns ? model.columns[j] : `column ${j + 1}`} has ${short((100 * most) / sum)} % of the variance; scree fit --scale unit gives all columns the same weight`]];
}

function modelFacts({ card, model }) {
  const left = errorsLeft(model);
  const list = [
    ["fitted", `${counted(card.fitted)} rows, divisor N${card.ddof ? " − 1" : ""}${model.log1p ? ", columns are log(1 + x)" : ""}${model.scale ? (model.otherScale ? ", columns scaled" : ", columns scaled to unit variance") : ""}`],
    ["method", `${card.solver}, ${card.passes} pass${card.passes === 1 ? "" : "es"} over the data${card.converged || isEstimate(card) ? "" : ", stopped before all components had converged"}`],
    ...fitFacts(card),
    ["components", `${card.kept}, with ${(100 * (1 - left[card.kept] / (model.totalVariance || 1))).toFixed(2)} % of the variance`],
    ["variance", `${short(model.totalVariance)} in all`],
    ...boundFacts({ card, model }),
    ["left over", `J_${card.kept} = ${short(left[card.kept])}`],
    ["effective rank", short(card.effectiveRank)],
    ...probabilityFacts(card, model),
    ...dominantColumn(model),
  ];
  if (card.logLikelihood !== null) list.push(["log-likelihood", `${short(card.logLikelihood, 8)} of the ${card.observed < 1 ? "cells observed" : "rows fitted"}${card.bayes ? ", a lower bound" : ""}`], ["mutual information", `${short(card.mutualInformation)} nats between a row and its code`]);
  if (maybeFitted(card)) list.push(["p-values", `as new rows have them; these are as many rows as were fitted, and if they are the same, report them with --training`]);
  return list;
}

export function makeCard(data) {
  const { card, model } = data;
  const shown = data.count === card.rows ? "all shown" : `${counted(data.count)} of them shown, a sample${data.texts.some((t) => t.isClass) && !isServed(data) ? " stratified by label" : ""}`;
  const list = [
    ["data", `${card.data}: ${counted(card.rows)} rows (${shown}), ${counted(model.d)} columns`],
    ...(model.decoder ? decoderFacts(data) : modelFacts(data)),
    ["made by", `scree ${card.version}`],
  ];
  const show = () => fill(byId("card-list"), ...list.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
  show();
  if (model.imageRows === 0 && data.which.length === model.d) return;
  data.originals.ready.then(() => {
    const { count } = data.originals;
    const held = isServed(data) && data.card.fetches ? "fetched when they are looked at" : count === data.count ? "the page holds all that it shows, as they were" : `the page holds ${counted(count)} of those it shows as they were; scree report --max-size makes it hold more`;
    list.splice(1, 0, ["rows themselves", held]);
    show();
  });
}

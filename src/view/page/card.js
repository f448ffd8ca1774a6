// SPDX-License-Identifier: BSD-3-Clause
// The model card: what was fitted, how, and what is proven.
import { byId, counted, element, fill, short } from "./format.js";
import { errorsLeft } from "./curves.js";

function worstAngle(bounds) {
  const angles = bounds.map((b) => b[2]);
  const unknown = angles.filter((a) => a >= 1).length;
  const worst = Math.max(0, ...angles.filter((a) => a < 1));
  const rest = unknown > 0 ? `; nothing is proven of ${unknown}, whose cluster goes on past the last` : "";
  return unknown === angles.length ? "none is proven: their cluster goes on past the last component" : `at most ${worst.toExponential(1)} in sine, each to its true one or its cluster's space${rest}`;
}

function networkFacts({ card, model }) {
  const { error, pcaError, epochs } = model.network;
  return [
    ["trained", `on ${counted(card.fitted)} rows, ${counted(epochs)} epochs`],
    ["error", `${short(error)} a row, squared, of a variance of ${short(model.totalVariance)}`],
    ["beside PCA", `with as many components J_${card.kept} = ${short(pcaError)}, ${short(pcaError / error, 3)} times that`],
  ];
}

function modelFacts({ card, model }) {
  const left = errorsLeft(model);
  const list = [
    ["fitted", `${counted(card.fitted)} rows, divisor N${card.ddof ? " − 1" : ""}${model.scale ? ", columns scaled to unit variance" : ""}`],
    ["method", `${card.solver}, ${card.passes} pass${card.passes === 1 ? "" : "es"} over the data${card.converged ? "" : ", stopped before all components had converged"}`],
    ["components", `${card.kept}, ${(100 * (1 - left[card.kept] / (model.totalVariance || 1))).toFixed(2)} % of the variance ${short(model.totalVariance)}`],
    ["eigenvalues", `proven to within ${Math.max(...model.bounds.map((b) => b[1])).toExponential(1)}`],
    ["angles", worstAngle(model.bounds)],
    ["left over", `J_${card.kept} = ${short(left[card.kept])}`],
    ["effective rank", short(card.effectiveRank)],
  ];
  if (card.logLikelihood !== null) list.push(["log-likelihood", `${short(card.logLikelihood, 8)} of the rows fitted`], ["mutual information", `${short(card.mutualInformation)} nats between a row and its code`]);
  return list;
}

export function makeCard(data) {
  const { card, model } = data;
  const shown = data.count === card.rows ? "all shown" : `${counted(data.count)} of them shown, a sample${data.texts.some((t) => t.isClass) ? " stratified by label" : ""}`;
  const list = [
    ["data", `${card.data}: ${counted(card.rows)} rows (${shown}), ${counted(model.d)} columns`],
    ...(model.network ? networkFacts(data) : modelFacts(data)),
    ["made by", `scree ${card.version}`],
  ];
  fill(byId("card-list"), ...list.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

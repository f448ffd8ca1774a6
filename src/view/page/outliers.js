// SPDX-License-Identifier: BSD-3-Clause
// The rows that the model finds least likely, with their p-values and what is to blame.
import { maybeFitted } from "./card.js";
import { byId, chance, counted, element, fill, short, stacked, table } from "./format.js";

export function makeOutliers(data, state, map, nameRow) {
  const { card, outliers } = data;
  const note = byId("outliers-note");
  if (!data.scores) {
    note.textContent = card.noScores;
    return;
  }
  const all = card.outliers === outliers.length ? "" : `; the ${outliers.length} least likely`;
  const dist = card.training ? "rows that were fitted" : "new rows";
  note.textContent = `${counted(card.outliers)} of ${counted(card.rows)} rows have p ≤ ${card.alpha} (as ${dist}, were the data Gaussian)${all}.${maybeFitted(card) ? " If these are the rows that were fitted, report them with --training." : ""}${card.uneven ? " But the p-values are not spread evenly, so the rows are not Gaussian, or not like the fitted ones, and p-values do not hold: scree score --calibrate gives some that do." : ""}`;
  const rows = outliers.map((outlier, row) => {
    const go = element("button", { type: "button", "aria-label": `select ${nameRow(row)}` }, data.number[row]);
    go.addEventListener("click", () => {
      state.set("focus", row);
      map.goTo(row);
    });
    return [go, ...data.texts.map((t) => t.words[t.index[row]]), chance(outlier.p), short(data.scores.t2[row], 4), short(data.scores.q[row], 4), short(data.scores.loglik[row]), data.model.columns ? outlier.why : outlier.why.replace(/\bcolumn (?=[0-9])/g, "c")];
  });
  if (rows.length > 0)
    fill(byId("outliers-table"), stacked(table("outliers", ["row", ...data.texts.map((t) => `~${t.name}`), "p-value", "T²", "Q", "log-likelihood", "~to blame"], rows)));
}

// SPDX-License-Identifier: BSD-3-Clause
// The rows that the model finds least likely, with their p-values and what is to blame. The slider of M moves the list: it
// is then of the rows of the page.
import { maybeFitted } from "./card.js";
import { isServed } from "./served.js";
import { byId, chance, counted, element, fill, short, stacked, table } from "./format.js";
import { markRows } from "./marking.js";
import { hasChances } from "./scores.js";
import { combine, selectionOf } from "./selection.js";

const LISTED_OUTLIERS = 100;

// The least likely rows of the page with p at most alpha, and how many there are.
function findOutliers(data, scores) {
  const found = [];
  for (let i = 0; i < data.count; i++) if (scores.p[i] <= data.card.alpha) found.push(i);
  found.sort((a, b) => scores.p[a] - scores.p[b] || scores.loglik[a] - scores.loglik[b] || data.number[a] - data.number[b]);
  return { count: found.length, rows: found.slice(0, LISTED_OUTLIERS) };
}

function noteOf(data, scores, { count, rows }) {
  const { card, model } = data, own = scores.m === model.scored;
  if (!hasChances(data, scores.m)) return `The page has no p-values with M = ${scores.m}; scree score -k ${scores.m} finds them.`;
  const all = count === rows.length ? "" : `; the ${rows.length} least likely`, dist = card.training ? "rows that were fitted" : "new rows";
  const of = (own && !isServed(data)) || data.count === card.rows ? `of ${counted(card.rows)} rows` : `of the ${counted(data.count)} rows on this page`;
  const uneven = " But the p-values are not spread evenly, so the rows are not Gaussian, or not like the fitted ones, and p-values do not hold: scree score --calibrate gives some that do.";
  return `${counted(count)} ${of} have p ≤ ${card.alpha} with M = ${scores.m} (as ${dist}, were the data Gaussian)${all}.${maybeFitted(card) ? " If these are the rows that were fitted, report them with --training." : ""}${own && card.uneven ? uneven : ""}${own ? "" : ` What is to blame is said with M = ${model.scored}.`}`;
}

export function makeOutliers(data, state, map, nameRow) {
  const { card, outliers, model } = data;
  if (!data.scores) {
    byId("outliers-note").textContent = card.noScores;
    byId("mark-outliers").hidden = true;
    return;
  }
  const go = (row) => {
    const button = element("button", { type: "button", "aria-label": `select ${nameRow(row)}` }, data.number[row]);
    button.addEventListener("click", () => {
      state.set("focus", row);
      map.goTo(row);
    });
    const tick = element("input", { type: "checkbox", "aria-label": `mark ${nameRow(row)}` });
    tick.addEventListener("change", () => state.set("selection", combine(state.get("selection"), selectionOf(data.count, [row]), tick.checked ? "add" : "subtract")));
    return element("span", { className: "go" }, tick, button);
  };
  let listed = [];
  const showMarks = () => {
    const { has } = state.get("selection");
    byId("outliers-table").querySelectorAll("tbody tr").forEach((line, k) => {
      line.classList.toggle("marked-row", has[listed[k]] === 1);
      line.querySelector("input").checked = has[listed[k]] === 1;
    });
  };
  const why = (row) => (row >= outliers.length ? "–" : model.columns ? outliers[row].why : outliers[row].why.replace(/\bcolumn (?=[0-9])/g, "c"));
  const head = ["row", ...data.texts.map((t) => `~${t.name}`), "p-value", "T²", "Q", "log-likelihood", "~to blame"];
  function show() {
    const scores = state.get("scores"), own = scores.m === model.scored;
    const found = own ? { count: card.outliers, rows: d3.range(outliers.length) } : findOutliers(data, scores);
    byId("outliers-note").textContent = noteOf(data, scores, found);
    const lines = found.rows.map((row) => [go(row), ...data.texts.map((t) => t.words[t.index[row]]), chance(scores.p[row]), short(scores.t2[row], 4), short(scores.q[row], 4), short(scores.loglik[row]), why(row)]);
    listed = found.rows;
    fill(byId("outliers-table"), ...(lines.length > 0 ? [stacked(table("outliers", head, lines))] : []));
    byId("mark-outliers").hidden = lines.length === 0;
    showMarks();
  }
  byId("mark-outliers").addEventListener("click", (event) => markRows(data, state, listed, event));
  state.on("scores", show);
  state.on("selection", showMarks);
  show();
}

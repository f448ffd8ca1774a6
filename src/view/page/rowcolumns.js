// SPDX-License-Identifier: BSD-3-Clause
// What the page knows of every row, as columns of a table: its number, its texts, its scores and its code. A column is
//
//     { key, name, words, value(row), text(row), rank(row) }
//
// where key names it in an address, value is what a file has, text what people read, and rank a number that it is sorted by,
// NaN where there is nothing.
import { comesBefore } from "./colouring.js";
import { chance, counted, short } from "./format.js";
import { hasChances } from "./scores.js";

// Words are sorted as people list them; the places of all of them are found once.
function rankWords(words) {
  const order = d3.range(words.length).sort((a, b) => comesBefore(words[a], words[b])), rank = new Float64Array(words.length);
  order.forEach((word, k) => (rank[word] = words[word] === "" ? NaN : k));
  return rank;
}

function textColumn(text, t) {
  let rank = null;
  const value = (row) => text.words[text.index[row]];
  return { key: `text:${t}`, name: text.name, words: true, value, text: value, rank: (row) => (rank || (rank = rankWords(text.words)))[text.index[row]] };
}

function numberColumn(key, name, values, text) {
  const value = (row) => values[row];
  return { key, name, words: false, value, text: (row) => text(values[row]), rank: value };
}

// The names are those of the files that scree score and scree project write.
export const FILE_NAMES = { number: "row", loglik: "loglik", t2: "t2", q: "q", p: "p_value" };

export function rowColumns(data, scores, m) {
  const list = [numberColumn("number", "row", data.number, counted), ...data.texts.map(textColumn)];
  if (scores) {
    list.push(numberColumn("loglik", "log-likelihood", scores.loglik, short), numberColumn("p", "p-value", hasChances(data, scores.m) ? scores.p : data.scores.p, chance));
    list.push(numberColumn("t2", "T²", scores.t2, (v) => short(v, 4)), numberColumn("q", "Q", scores.q, (v) => short(v, 4)));
  }
  for (let j = 0; j < m; j++) list.push(numberColumn(`code:${j}`, data.model.decoder ? `code ${j + 1}` : `component ${j + 1}`, data.codes[j], (v) => short(v, 4)));
  return list;
}

// The places of rows in the order of a column; those that have nothing there come last, and equals by their numbers.
export function orderRows(data, rows, column, down) {
  const rank = new Float64Array(data.count), order = Uint32Array.from(rows), up = down ? -1 : 1;
  for (const row of order) rank[row] = column.rank(row);
  const known = (row) => !Number.isNaN(rank[row]);
  return order.sort((a, b) => (rank[a] - rank[b]) * up || known(b) - known(a) || data.number[a] - data.number[b]);
}

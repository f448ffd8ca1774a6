// SPDX-License-Identifier: BSD-3-Clause
// A page that scree serve has opened may ask it for what the page does not hold: any row by its number, the row that is
// nearest to a place, and how many of all rows lie where. Addresses are relative to the page's own, which has the token.
import { counted } from "./format.js";

export function isServed(data) {
  return data.card.scored !== undefined;
}

export async function ask(path) {
  const answer = await fetch(path, { cache: "no-store", credentials: "omit", redirect: "error" });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

// A row as it is: cells in the columns of the model, codes, texts, scores (or none).
export async function fetchRow(number) {
  const row = await (await ask(`row?n=${number}`)).json();
  const numbers = (list) => Float64Array.from(list, (v) => (v === null ? NaN : v));
  return { number, cells: numbers(row.cells), codes: numbers(row.codes), texts: row.texts, scores: row.scores ? numbers(row.scores) : null };
}

// A provider of rows (originals.js) that fetches those that the page does not hold.
export function fetchedOriginals(data, held) {
  if (!isServed(data) || !data.card.fetches) return held;
  const provider = { count: data.count, ready: held.ready, get: null, each: null };
  provider.get = async (row) => {
    await held.ready;
    const own = row < held.count ? await held.get(row) : null;
    return own || fetchRow(data.number[row]).then((r) => r.cells, () => null);
  };
  provider.each = async (visit) => {
    for (let row = 0; row < data.count; row++) {
      const cells = await provider.get(row);
      if (cells && visit(row, cells) === false) return;
    }
  };
  return provider;
}

export function rowsInWords(data) {
  const { card } = data;
  return isServed(data) ? `${counted(card.rows)} rows, of which ${counted(data.count)}, a sample, are points here` : `${counted(card.rows)} rows`;
}

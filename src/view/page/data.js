// SPDX-License-Identifier: BSD-3-Clause
// The data of the page, as src/view/report_json.c wrote them: typed arrays out of base64.

export function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64).buffer;
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

// Codes, one array a component: evenly spaced between low and high.
function readCodes(rows, m) {
  const all = new Uint16Array(bytesOf(rows.codes));
  const codes = [];
  for (let j = 0; j < m; j++) {
    const code = new Float32Array(rows.count);
    const step = (rows.codesHigh[j] - rows.codesLow[j]) / 65535;
    for (let i = 0; i < rows.count; i++) code[i] = rows.codesLow[j] + all[j * rows.count + i] * step;
    codes.push(code);
  }
  return codes;
}

function readDecoder(decoder) {
  if (!decoder) return null;
  const floats = (text) => new Float32Array(bytesOf(text));
  const layers = decoder.layers && decoder.layers.map((layer) => ({ ...layer, weights: floats(layer.weights), bias: layer.bias ? floats(layer.bias) : null }));
  return { ...decoder, layers, offset: new Float64Array(bytesOf(decoder.offset)), range: new Float64Array(bytesOf(decoder.range)) };
}

// A p-value that a float does not hold is given with the outliers.
function readScores(rows, outliers) {
  if (!rows.loglik) return null;
  const scores = {};
  for (const name of ["loglik", "t2", "q"]) scores[name] = new Float32Array(bytesOf(rows[name]));
  scores.p = Float64Array.from(new Float32Array(bytesOf(rows.p)));
  outliers.forEach((outlier, row) => (scores.p[row] = outlier.p));
  return scores;
}

export function readData(text) {
  const { card, model, rows, outliers } = JSON.parse(text);
  return {
    card,
    outliers,
    count: rows.count,
    number: new Uint32Array(bytesOf(rows.number)),
    gaps: new Uint32Array(bytesOf(rows.gaps)),
    codes: readCodes(rows, model.m),
    scores: readScores(rows, outliers), // with as many components as model.scored
    chances: rows.chances, // for the other numbers of components: scores.js
    texts: rows.texts.map((t) => ({ name: t.name, isClass: t.isClass, classes: t.classes, commonest: t.commonest, words: t.words, index: new Uint32Array(bytesOf(t.index)) })),
    which: rows.which,
    columns: new Float32Array(bytesOf(rows.columns)),
    low: rows.low, // of the cells of whole rows: black
    high: rows.high,
    model: {
      ...model,
      mean: new Float64Array(bytesOf(model.mean)),
      scale: model.scale ? new Float64Array(bytesOf(model.scale)) : null,
      sd: new Float32Array(bytesOf(model.sd)),
      decoder: readDecoder(model.decoder),
      components: !model.components ? null : model.wide ? new Float64Array(bytesOf(model.components)) : new Float32Array(bytesOf(model.components)),
    },
  };
}

export function columnName(model, i) {
  return model.columns ? model.columns[i] : `c${i + 1}`;
}

// A cell that was written less its mean, as a float: the digits that a float does not hold are rounded away, and what was 0
// is 0 again.
export function fromMean(mean, off) {
  const value = mean + off;
  if (!(Math.abs(off) > 0)) return value;
  const digits = -Math.ceil(Math.log10(Math.abs(off) * 2 ** -23));
  return digits > 0 ? Math.round(value * 10 ** digits) / 10 ** digits + 0 : value;
}

// A cell that the page has: k-th of the columns that it keeps.
export function cellOf(data, row, k) {
  return fromMean(data.model.mean[data.which[k]], data.columns[row * data.which.length + k]);
}

// The number of a column by its name, or by its number from 1; -1 when there is none.
export function findColumn(model, text) {
  const named = model.columns ? model.columns.indexOf(text) : -1;
  if (named >= 0) return named;
  const number = Number(text.replace(/^c(?=[0-9])/, ""));
  return Number.isInteger(number) && number >= 1 && number <= model.d ? number - 1 : -1;
}

// A fit by iteration or in one pass says how far it may be off, and proves nothing.
export function isEstimate(card) {
  return card.stopped !== null;
}

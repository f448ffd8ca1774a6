// SPDX-License-Identifier: BSD-3-Clause
// A decoder of layers, where components do not suffice: h = f(Wh + b), layer by layer from the code, then
// x̃ = h · range + offset (10.76). What the page says of codes in place of components, and which parts of it have nothing
// to say.

const ACTIVATIONS = {
  linear: (v) => v,
  relu: (v) => Math.max(v, 0),
  tanh: Math.tanh,
  sigmoid: (v) => 1 / (1 + Math.exp(-v)),
  gelu: (v) => v / (1 + Math.exp(-1.5957691216057308 * (v + 0.044715 * v * v * v))),
};

export function runDecoder(decoder, z) {
  let h = Float64Array.from(z);
  for (const layer of decoder.layers) {
    const f = ACTIVATIONS[layer.activation], next = new Float64Array(layer.out);
    for (let i = 0, at = 0; i < layer.out; i++, at += layer.in) {
      let sum = layer.bias ? layer.bias[i] : 0;
      for (let j = 0; j < layer.in; j++) sum += layer.weights[at + j] * h[j];
      next[i] = f(sum);
    }
    h = next;
  }
  return h.map((v, i) => v * decoder.range[i] + decoder.offset[i]);
}

// Whether codes can be decoded here at all.
export function canDecode(model) {
  return !model.decoder || model.decoder.layers !== null;
}

export function codeWord(model) {
  return model.decoder ? "code" : "component";
}

// "component 2 (16.8 %)": with its share of the variance.
export function codeName(model, j, of = "") {
  const share = model.decoder || !(model.totalVariance > 0) ? "" : ` (${Number(((100 * model.eigenvalues[j]) / model.totalVariance).toPrecision(3))} %${of})`;
  return `${codeWord(model)} ${j + 1}${share}`;
}

// The code in the middle of the rows: 0 for PCA.
export function middleCode(data) {
  const middle = new Float64Array(data.model.m);
  if (data.model.decoder) data.codes.forEach((code, j) => (middle[j] = code.reduce((a, v) => a + v, 0) / data.count));
  return middle;
}

// The plane of two components, unless there is only one: then there is nothing to choose, either.
export function adaptPage(data) {
  if (data.model.m === 1) {
    document.getElementById("embedding-title").textContent = `The rows, along one ${codeWord(data.model)}`;
    for (const axis of ["x", "y"]) document.getElementById(`axis-${axis}`).parentElement.hidden = true;
  }
  if (!data.model.decoder) return;
  for (const id of ["loadings", "spectrum", "draws-part"]) document.getElementById(id).hidden = true;
  if (data.model.m > 1) document.getElementById("embedding-title").textContent = "The rows, in the plane of two codes";
  document.getElementById("explorer-title").textContent = "What a code decodes to";
  document.getElementById("zero").textContent = "to the middle of the rows";
}

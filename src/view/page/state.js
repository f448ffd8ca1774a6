// SPDX-License-Identifier: BSD-3-Clause
// What the reader has chosen, and who wants to know when it changes. Every part of the page reads it here, changes it here,
// and listens; no part calls another. Rows are places among those of the page, 0 to data.count - 1, and -1 is none.
//
// What is chosen, and what an address can hold (address.js):
//
//     x, y           the components of the map
//     zoom           of the map: null for the whole picture, else { k, x, y }: how much, and the codes in the middle
//     m              how many components are used
//     focus          the row that is looked at
//     selection      the rows that are marked: { rows, has }, see selection.js
//     colouring      what colours mean: "text:0", "score:q", "column:12" or "none"
//     hiddenClasses  { text, words }: the classes that the legend hides, as numbers of words of a column of text
//     search         a text that rows are searched for
//     sort           of the table: { key, down, show }; show: "all" rows, the marked ones "first", or "only" these
//     near           { metric, count }: which neighbours of the focus are shown; metric: "euclid" or "mahalanobis"; count: 0 for none
//     arrows         whether columns are shown as arrows on the map
//     sprites        whether rows are shown as small pictures on the map
//     planes         of how many components every pair has a plane, side by side; 0: none
//     space          { axes, turn, tip, k }: three components, two angles in degrees, how much it is magnified
//
// What passes: hover, the row under the pointer; lasso, what a drag on the map does: null, "lasso" or "box"; z, the code in the
// explorer; draws; how, what becomes of the selection when rows are caught.
//
// What follows from these: latent and scores, from m (scores.js); colours, shapes and legend, from colouring; paint, what every point is drawn in, 0 where
// it is hidden, from colours, selection and hiddenClasses (paint.js); visible, a mask of the rows that are not hidden, or
// null for all; matches, the rows that the search finds; neighbours, [{ row, distance }]; comparison, of the marked rows with
// the others, see effects.js.

export function makeState(start) {
  const values = { ...start };
  const listeners = new Map(Object.keys(start).map((key) => [key, []]));
  const known = (key) => {
    if (!listeners.has(key)) throw new Error(`the page has no state ${key}`);
    return key;
  };
  // All of them change, and then everyone who listens to one of them hears of it, once.
  function change(news) {
    for (const key of Object.keys(news)) values[known(key)] = news[key];
    const told = new Set();
    for (const key of Object.keys(news))
      for (const listen of listeners.get(key)) {
        if (told.has(listen)) continue;
        told.add(listen);
        listen(values[key]);
      }
  }
  return {
    get: (key) => values[known(key)],
    set: (key, value) => change({ [key]: value }),
    change,
    on(keys, listen) {
      for (const key of keys.split(" ")) listeners.get(known(key)).push(listen);
    },
  };
}

// For screen readers.
export function say(text) {
  document.getElementById("status").textContent = text;
}

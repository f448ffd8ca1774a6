// SPDX-License-Identifier: BSD-3-Clause
// The components: as images where rows are images, else as bars of the columns that weigh most in one of them.
import { columnName } from "./data.js";
import { byId, element, fill, short } from "./format.js";
import { bars, longest, signed } from "./picture.js";

const IMAGES = 10;

export function makeLoadings(data) {
  const { model } = data;
  const where = byId("loading-view"), more = byId("more-loadings"), choice = byId("loading");
  const component = (j) => model.components.subarray(j * model.d, (j + 1) * model.d);
  let shown = 0;
  function addImages() {
    for (const to = Math.min(shown + IMAGES, model.m); shown < to; shown++)
      where.append(element("figure", {}, signed(model, component(shown), 84, `component ${shown + 1}`), element("figcaption", {}, shown + 1)));
    more.hidden = shown === model.m;
  }
  function showBars() {
    const u = Array.from(component(Number(choice.value)));
    fill(where, bars(longest(u.map((v, i) => ({ name: columnName(model, i), length: v, text: short(v, 3) }))), `component ${Number(choice.value) + 1}`));
  }
  if (model.imageRows > 0) {
    byId("loading-field").hidden = true;
    more.addEventListener("click", addImages);
    return () => {
      const wanted = Math.max(shown, IMAGES);
      shown = 0;
      fill(where);
      while (shown < Math.min(wanted, model.m)) addImages();
    };
  }
  for (let j = 0; j < model.m; j++) choice.append(element("option", { value: j }, j + 1));
  choice.addEventListener("change", showBars);
  return showBars;
}

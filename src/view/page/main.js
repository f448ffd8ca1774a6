// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together. window.scree is for those who want to ask the page from a console, and for its tests.
import { makeCard } from "./card.js";
import { makeColouring } from "./colouring.js";
import { makeCurves } from "./curves.js";
import { readData } from "./data.js";
import { decode, latentModel } from "./decode.js";
import { makeExplorer } from "./explorer.js";
import { byId, counted, element } from "./format.js";
import { makeLoadings } from "./loadings.js";
import { makeMap } from "./map.js";
import { adaptPage, codeName, middleCode } from "./decoder.js";
import { makeOutliers } from "./outliers.js";
import { makeLassoed, makeRowCard, makeRowNames } from "./rowcard.js";
import { makeState } from "./state.js";

function makeAxes(data, state) {
  for (const axis of ["x", "y"]) {
    const select = byId(`axis-${axis}`);
    for (let j = 0; j < data.model.m; j++) select.append(element("option", { value: j }, codeName(data.model, j)));
    select.value = state.get(axis);
    select.addEventListener("change", () => state.set(axis, Number(select.value)));
  }
}

function makeSelection(data, state, map) {
  const place = new Map();
  data.number.forEach((number, row) => place.set(number, row));
  byId("goto").addEventListener("submit", (event) => {
    event.preventDefault();
    const number = Number(byId("goto-row").value);
    const found = place.has(number);
    byId("goto-note").textContent = found ? "" : `Row ${number} is not on this page, which shows a sample.`;
    if (!found) return undefined;
    state.set("selected", place.get(number));
    return map.goTo(place.get(number));
  });
  byId("goto-row").max = data.card.rows;
  byId("deselect").addEventListener("click", () => state.set("selected", -1));
  byId("home").addEventListener("click", map.home);
  byId("lasso").addEventListener("click", () => state.set("lasso", !state.get("lasso")));
  state.on("lasso", (on) => byId("lasso").setAttribute("aria-pressed", on));
}

function start() {
  const data = readData(byId("data").textContent);
  const { model, card } = data;
  const state = makeState({
    x: 0, y: Math.min(1, model.m - 1), hover: -1, selected: -1, lasso: false, lassoed: [], draws: [],
    z: middleCode(data), latent: latentModel(model, model.latent), colours: new Uint32Array(data.count), shapes: null,
  });
  document.title = `${card.title} – scree`;
  byId("title").textContent = card.title;
  byId("subtitle").textContent = `${counted(card.rows)} rows, ${counted(model.d)} columns, ${model.decoder ? `a code of ${card.kept} number${card.kept === 1 ? "" : "s"}` : `${card.kept} component${card.kept === 1 ? "" : "s"}`}`;
  adaptPage(data);
  const nameRow = makeRowNames(data);
  makeAxes(data, state);
  const recolour = makeColouring(data, state);
  const map = makeMap(data, state, nameRow);
  makeSelection(data, state, map);
  makeRowCard(data, state);
  makeLassoed(data, state, nameRow);
  makeExplorer(data, state, nameRow);
  if (!model.decoder) makeCurves(data, state);
  const showLoadings = model.decoder ? () => {} : makeLoadings(data);
  showLoadings();
  makeOutliers(data, state, map, nameRow);
  makeCard(data);
  state.set("selected", -1);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    recolour();
    showLoadings();
  });
  window.scree = { data, state, map, decode: (z) => decode(model, state.get("latent"), z) };
}

start();

// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together. window.scree is for those who want to ask the page from a console, and for its tests.
import { makeAddress } from "./address.js";
import { makeCard } from "./card.js";
import { firstColouring, makeColouring } from "./colouring.js";
import { makeColumnArrows } from "./columnarrows.js";
import { makeComparison } from "./comparison.js";
import { makeCurves } from "./curves.js";
import { readData } from "./data.js";
import { decode, latentModel } from "./decode.js";
import { makeExplorer } from "./explorer.js";
import { byId, counted, element } from "./format.js";
import { makeFiles } from "./files.js";
import { makeLegend } from "./legend.js";
import { makeLoadings } from "./loadings.js";
import { makeMap } from "./map.js";
import { adaptPage, codeName, middleCode } from "./decoder.js";
import { embeddedOriginals } from "./originals.js";
import { makeDensity } from "./density.js";
import { makeElsewhere } from "./elsewhere.js";
import { fetchedOriginals, rowsInWords } from "./served.js";
import { makeMarking } from "./marking.js";
import { makeNeighbours } from "./neighbours.js";
import { makeOutliers } from "./outliers.js";
import { makePaint } from "./paint.js";
import { makePlanes } from "./planes.js";
import { makeRowCard, makeRowNames } from "./rowcard.js";
import { makeRowTable } from "./rowtable.js";
import { makeSearch } from "./search.js";
import { selectionOf } from "./selection.js";
import { makeScores } from "./scores.js";
import { makeSnapshots } from "./snapshot.js";
import { firstSpace, makeSpace } from "./space3d.js";
import { makeSprites } from "./sprites.js";
import { makeState } from "./state.js";
import { makeWalk } from "./walk.js";

function makeAxes(data, state) {
  for (const axis of ["x", "y"]) {
    const select = byId(`axis-${axis}`);
    for (let j = 0; j < data.model.m; j++) select.append(element("option", { value: j }, codeName(data.model, j)));
    select.value = state.get(axis);
    select.addEventListener("change", () => state.set(axis, Number(select.value)));
    state.on(axis, (j) => (select.value = j));
  }
}

function makeButtons(state, map) {
  byId("deselect").addEventListener("click", () => state.set("focus", -1));
  byId("home").addEventListener("click", map.home);
}

// Screens may be dark; paper is white.
function followTheme(change) {
  const onPaper = (on) => () => {
    document.documentElement.classList.toggle("paper", on);
    change();
  };
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change);
  window.addEventListener("beforeprint", onPaper(true));
  window.addEventListener("afterprint", onPaper(false));
}

function start() {
  const data = readData(byId("data").textContent);
  const { model, card } = data;
  data.originals = fetchedOriginals(data, embeddedOriginals(model));
  const state = makeState({
    x: 0, y: Math.min(1, model.m - 1), zoom: null, m: model.latent, focus: -1, selection: selectionOf(data.count, []),
    colouring: firstColouring(data), hiddenClasses: { text: 0, words: [] }, search: "",
    sort: { key: "number", down: false, show: "all" }, near: { metric: "euclid", count: 10 }, arrows: false, sprites: false, planes: 3, space: firstSpace(data),
    hover: -1, lasso: null, how: "replace", draws: [], z: middleCode(data),
    latent: latentModel(model, model.latent), colours: null, shapes: null, legend: {}, visible: null, paint: null,
    matches: [], comparison: [], neighbours: [], scores: data.scores && { m: model.scored, ...data.scores },
  });
  let retheme = () => {};
  followTheme(() => retheme()); // before any picture is made, and draws itself for paper
  document.title = `${card.title} – scree`;
  byId("title").textContent = card.title;
  byId("subtitle").textContent = `${rowsInWords(data)}, ${counted(model.d)} columns, ${model.decoder ? `a code of ${card.kept} number${card.kept === 1 ? "" : "s"}` : `${card.kept} component${card.kept === 1 ? "" : "s"}`}`;
  adaptPage(data);
  const nameRow = makeRowNames(data);
  makeAxes(data, state);
  state.on("m", (m) => state.set("latent", latentModel(model, m)));
  makeScores(data, state);
  makeLegend(data, state);
  const recolour = makeColouring(data, state);
  makePaint(data, state);
  const map = makeMap(data, state, nameRow);
  makeButtons(state, map);
  makeMarking(data, state);
  makeSearch(data, state, map, nameRow);
  makeRowCard(data, state);
  makeNeighbours(data, state, map, nameRow);
  const sprites = makeSprites(data, state, map);
  makeColumnArrows(data, state, map);
  const tools = { map, walk: makeWalk(data, state) };
  const planes = makePlanes(data, state, tools), space = makeSpace(data, state, tools);
  makeExplorer(data, state, nameRow);
  if (!model.decoder) makeCurves(data, state);
  const showLoadings = model.decoder ? () => {} : makeLoadings(data);
  showLoadings();
  makeOutliers(data, state, map, nameRow);
  makeElsewhere(data, state, map);
  const density = makeDensity(data, state, map);
  const table = makeRowTable(data, state, map, nameRow);
  makeComparison(data, state);
  makeFiles(data, state, table);
  makeSnapshots(data, state, map);
  makeCard(data);
  state.set("focus", -1);
  const address = makeAddress(data, state);
  retheme = () => {
    recolour();
    showLoadings();
    map.drawNow();
  };
  window.scree = { data, state, map, density, sprites, planes, space, table, address, select: (rows) => state.set("selection", selectionOf(data.count, rows)), decode: (z) => decode(model, state.get("latent"), z) };
}

start();

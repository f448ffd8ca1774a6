// SPDX-License-Identifier: BSD-3-Clause
// What is chosen stands in the address, behind #, so that a link opens the same view. What is as it was at first is left
// out. An address may say anything: what is no such choice on this page is passed over, and no text of it becomes markup.
//
//     #x=1&y=3&m=5&row=17&zoom=4,1.2,-0.3&marked=…&colour=score:q&hidden=0,…&find=setosa&sort=p,down,only&near=euclid,10
//     &planes=4&space=1,2,3,-30,20,1.4
//
// Components and rows count from 1, rows as in the data. Many numbers, such as rows that are marked, are steps from one to
// the next in ascending order, each as bytes of seven bits, the lowest first, all but the last with the eighth bit set; then
// base64 with - and _. A leading ~ means all others.
import { canColour } from "./colouring.js";
import { byId } from "./format.js";
import { METRICS } from "./nearest.js";
import { MOST_ALONG } from "./planes.js";
import { selectionOf } from "./selection.js";
import { say } from "./state.js";

const ADDRESS_LONGEST = 2e6; // letters of an address that are read
const ADDRESS_PAUSE = 250; // milliseconds between what changes and the address

export function packNumbers(numbers) {
  const bytes = [];
  let last = -1;
  for (const number of Uint32Array.from(numbers).sort()) {
    let step = number - last - 1;
    last = number;
    for (; step >= 128; step = Math.floor(step / 128)) bytes.push(128 + (step % 128));
    bytes.push(step);
  }
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// Numbers below limit; null for what cannot be read.
export function unpackNumbers(text, limit) {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = atob(text.replace(/-/g, "+").replace(/_/g, "/")), numbers = [];
  let last = -1, step = 0, scale = 1;
  for (let i = 0; i < bytes.length && last < limit; i++) {
    const byte = bytes.charCodeAt(i);
    step += (byte % 128) * scale;
    scale *= 128;
    if (byte >= 128 && scale < 2 ** 42) continue;
    last += step + 1;
    if (last < limit) numbers.push(last);
    step = 0;
    scale = 1;
  }
  return numbers;
}

// Of all numbers from a list, those that are in or those that are not, whichever are fewer.
function packSome(has, all) {
  const inside = all.filter((_, i) => has[i]), outside = all.filter((_, i) => !has[i]);
  return inside.length <= outside.length ? packNumbers(inside) : `~${packNumbers(outside)}`;
}

// A byte for each number of the list.
function unpackSome(text, all, limit) {
  const others = text.startsWith("~"), numbers = unpackNumbers(others ? text.slice(1) : text, limit);
  if (!numbers) return undefined;
  const given = new Set(numbers);
  return Uint8Array.from(all, (number) => given.has(number) !== others);
}

const whole = (text, low, high) => (/^[0-9]{1,10}$/.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : undefined);
const digits = (value) => String(Number(value.toPrecision(6)));

function readZoom(text) {
  const [k, x, y, more] = text.split(",").map(Number);
  return more === undefined && [k, x, y].every(Number.isFinite) ? { k: Math.max(0.5, Math.min(400, k)), x, y } : undefined;
}

function readSort(text) {
  const [key, way, show, more] = text.split(",");
  return more === undefined && /^[a-z]\w{0,9}(:[0-9]{1,9})?$/.test(key) && ["up", "down"].includes(way) && ["all", "first", "only"].includes(show) ? { key, down: way === "down", show } : undefined;
}

function readNear(text) {
  const [metric, count, more] = text.split(","), number = whole(count || "", 0, 1000);
  return more === undefined && Object.hasOwn(METRICS, metric) && number !== undefined ? { metric, count: number } : undefined;
}

function readSpace(text, m) {
  const [a, b, c, turn, tip, k, more] = text.split(",").map(Number), axes = [a, b, c].map((j) => j - 1);
  const good = more === undefined && axes.every((j) => Number.isInteger(j) && j >= 0 && j < m) && [turn, tip, k].every(Number.isFinite) && Math.abs(turn) <= 180 && Math.abs(tip) <= 90;
  return good ? { axes, turn, tip, k: Math.max(0.5, Math.min(50, k)) } : undefined;
}

// How each choice is written, and read: undefined where it is none.
function makeFields(data) {
  const { model, number } = data, component = { write: (j) => j + 1, read: (text) => { const j = whole(text, 1, model.m); return j && j - 1; } };
  const numbers = Array.from(number), limit = numbers.reduce((a, b) => Math.max(a, b), 0) + 1;
  const flag = { write: (on) => (on ? "yes" : "no"), read: (text) => (text === "yes" || text === "no" ? text === "yes" : undefined) };
  const wordsOf = (t) => d3.range(data.texts[t].words.length);
  return {
    x: { key: "x", ...component },
    y: { key: "y", ...component },
    m: { key: "m", write: String, read: (text) => whole(text, Math.min(1, model.latent), model.m) },
    row: { key: "focus", write: (row) => (row < 0 ? "none" : number[row]), read: (text) => { const row = numbers.indexOf(whole(text, 0, 2 ** 32)); return text === "none" || row >= 0 ? row : undefined; } },
    marked: { key: "selection", write: ({ has }) => packSome(has, numbers), read: (text) => { const has = unpackSome(text, numbers, limit); return has && selectionOf(data.count, d3.range(data.count).filter((i) => has[i])); } },
    colour: { key: "colouring", write: String, read: (text) => (canColour(data, text) ? text : undefined) },
    hidden: {
      key: "hiddenClasses",
      write: ({ text, words }) => { const off = new Set(words); return `${text},${packSome(wordsOf(text).map((w) => off.has(w)), wordsOf(text))}`; },
      read: (given) => {
        const [text, packed, more] = given.split(","), t = whole(text, 0, data.texts.length - 1);
        const off = more === undefined && packed !== undefined && t !== undefined ? unpackSome(packed, wordsOf(t), data.texts[t].words.length) : undefined;
        return off && { text: t, words: wordsOf(t).filter((w) => off[w]) };
      },
    },
    find: { key: "search", write: String, read: (text) => text.slice(0, 200) },
    sort: { key: "sort", write: ({ key, down, show }) => `${key},${down ? "down" : "up"},${show}`, read: readSort },
    arrows: { key: "arrows", ...flag },
    sprites: { key: "sprites", ...flag },
    planes: { key: "planes", write: String, read: (text) => (text === "0" ? 0 : whole(text, 3, Math.min(MOST_ALONG, model.m))) },
    space: { key: "space", write: ({ axes, turn, tip, k }) => [...axes.map((j) => j + 1), ...[turn, tip, k].map(digits)].join(","), read: (text) => readSpace(text, model.m) },
    near: { key: "near", write: ({ metric, count }) => `${metric},${count}`, read: readNear },
    zoom: { key: "zoom", write: (zoom) => (zoom ? [zoom.k, zoom.x, zoom.y].map(digits).join(",") : "none"), read: (text) => (text === "none" ? null : readZoom(text)) },
  };
}

export function makeAddress(data, state) {
  const fields = makeFields(data), keys = Object.values(fields).map(({ key }) => key);
  const start = Object.fromEntries(Object.entries(fields).map(([name, { key, write }]) => [name, { value: state.get(key), text: String(keyed(key, write)) }]));
  let timer = 0, shown = null;
  function keyed(key, write) {
    return key === "hiddenClasses" && state.get(key).words.length === 0 ? "none" : write(state.get(key));
  }
  function write() {
    const said = new URLSearchParams();
    for (const [name, { key, write: inWords }] of Object.entries(fields)) {
      const text = String(keyed(key, inWords));
      if (text !== start[name].text) said.set(name, text);
    }
    return String(said).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%7E/g, "~");
  }
  function put() {
    clearTimeout(timer);
    timer = 0;
    const text = write();
    if (text === shown) return;
    shown = text;
    try {
      history.replaceState(history.state, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      byId("copy-link").disabled = true; // in a frame that may not change its address
    }
  }
  // What the address does not name is as it was at first.
  function read(text) {
    const given = new URLSearchParams(text.length > ADDRESS_LONGEST ? "" : text), news = {};
    for (const [name, { key, read: fromWords }] of Object.entries(fields)) {
      const value = given.has(name) ? fromWords(given.get(name)) : undefined;
      news[key] = value === undefined ? start[name].value : value;
    }
    state.change(news);
  }
  const readHere = () => read(location.hash.slice(1));
  window.addEventListener("hashchange", readHere);
  state.on(keys.join(" "), () => {
    if (!timer) timer = setTimeout(put, ADDRESS_PAUSE);
  });
  byId("copy-link").addEventListener("click", async () => {
    put();
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is copied.");
    } catch {
      say("The browser does not let this page copy; the link is in the address bar.");
    }
  });
  if (location.hash.length > 1) readHere();
  return { read, link: write };
}

// SPDX-License-Identifier: BSD-3-Clause
// Colours that the colour-blind can tell apart as well, those of src/view/palette.c: a class has a colour and a shape, which
// go round with different periods. Numbers run along viridis; what is below zero is blue and what is above it orange.

const LIGHT = ["#0072b2", "#e07b00", "#009e73", "#ffaaaa", "#550000", "#61dbff", "#3100ff", "#f3c200", "#86550c", "#9292ff", "#244955", "#000092"];
const DARK = ["#56b4e9", "#f0a030", "#2fc79a", "#aa5579", "#ffff00", "#613d92", "#b6e79e", "#3100ff", "#dbdbff", "#9e7900", "#3179ce", "#495518"];

export const MOST_CLASSES = 36;
// Corners around the centre of a mark of radius 1; a circle has none, and a cross is its two lines.
export const SHAPES = [
  null,
  [[0, -1.1], [1.05, 0.8], [-1.05, 0.8]],
  [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
  [[-1, -0.7], [-0.7, -1], [0, -0.3], [0.7, -1], [1, -0.7], [0.3, 0], [1, 0.7], [0.7, 1], [0, 0.3], [-0.7, 1], [-1, 0.7], [-0.3, 0]],
  [[0, -1.15], [1.15, 0], [0, 1.15], [-1.15, 0]],
  [[0, 1.1], [1.05, -0.8], [-1.05, -0.8]],
];

// Paper is white, and so is what is drawn for it.
export function isDark() {
  return window.matchMedia("(prefers-color-scheme: dark)").matches && !document.documentElement.classList.contains("paper");
}

export function classColour(k) {
  return (isDark() ? DARK : LIGHT)[k % LIGHT.length];
}

// Where colours come again, shapes are other ones.
export function classShape(k) {
  return (k + Math.floor(k / LIGHT.length)) % SHAPES.length;
}

export function otherColour() {
  return isDark() ? "#6b7480" : "#9aa3ad";
}

// Of rows that are not among those that were chosen.
export function fadedColour() {
  return isDark() ? "#2c333d" : "#dfe3e8";
}

export function plainColour() {
  return isDark() ? "#6aa9dc" : "#3f7fb5";
}

export function numberColour(share) {
  return d3.interpolateViridis(isDark() ? 0.15 + 0.85 * share : 0.9 * share);
}

export function signedColour(share) {
  const ends = isDark() ? ["#6cb6ff", "#14171c", "#ff9a4c"] : ["#0b5ea8", "#ffffff", "#d45f00"];
  return share < 0 ? d3.interpolateRgb(ends[1], ends[0])(-share) : d3.interpolateRgb(ends[1], ends[2])(share);
}

// As a pixel of an ImageData seen through a Uint32Array.
export function packed(colour) {
  const { r, g, b } = d3.rgb(colour);
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

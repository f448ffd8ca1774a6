// SPDX-License-Identifier: BSD-3-Clause
// Colours that the colour-blind can tell apart as well: the eight of Okabe and Ito first. Numbers run along viridis,
// components from blue through grey to orange.

const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b3f8c", "#8a8a00", "#8c2d3f", "#3f5f5f"];
const DARK = ["#4fa3e0", "#f0824a", "#2cc79a", "#e59ac4", "#f2b632", "#8ad0f7", "#a78bdc", "#d2d24a", "#d8707f", "#9fc0c0"];

export const MOST_COLOURS = LIGHT.length;

export function isDark() {
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

export function classColour(k) {
  return k < MOST_COLOURS ? (isDark() ? DARK : LIGHT)[k] : otherColour();
}

export function otherColour() {
  return isDark() ? "#6b7480" : "#9aa3ad";
}

export function plainColour() {
  return isDark() ? "#6aa9dc" : "#3f7fb5";
}

export function numberColour(share) {
  return d3.interpolateViridis(isDark() ? 0.15 + 0.85 * share : 0.9 * share);
}

export function signedColour(share) {
  const ends = isDark() ? ["#6db6ff", "#2a2f37", "#ff9d5c"] : ["#0b62a8", "#f2f3f5", "#c4500c"];
  return share < 0 ? d3.interpolateRgb(ends[1], ends[0])(-share) : d3.interpolateRgb(ends[1], ends[2])(share);
}

// As a pixel of an ImageData seen through a Uint32Array.
export function packed(colour) {
  const { r, g, b } = d3.rgb(colour);
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// What every point is drawn in, wherever it is drawn: its colour; faded, when others are selected; 0 when its class is
// hidden. Whoever draws points listens to paint alone.
import { fadedColour, packed } from "./palette.js";

// A byte for each row that is not hidden; null when none is.
function visibleRows(data, hidden) {
  if (hidden.words.length === 0) return null;
  const { index, words } = data.texts[hidden.text], off = new Uint8Array(words.length);
  for (const word of hidden.words) off[word] = 1;
  return Uint8Array.from(index, (word) => off[word] ^ 1);
}

export function makePaint(data, state) {
  function show() {
    const colours = state.get("colours"), { rows, has } = state.get("selection"), visible = state.get("visible");
    if (rows.length === 0 && !visible) return state.set("paint", colours);
    const faded = packed(fadedColour()), paint = new Uint32Array(data.count);
    for (let i = 0; i < data.count; i++) paint[i] = visible && !visible[i] ? 0 : rows.length > 0 && !has[i] ? faded : colours[i];
    return state.set("paint", paint);
  }
  state.on("hiddenClasses", (hidden) => state.set("visible", visibleRows(data, hidden)));
  state.on("colours selection visible", show);
  show();
}

// SPDX-License-Identifier: BSD-3-Clause
// What the reader has chosen, and who wants to know when it changes.

export function makeState(start) {
  const values = { ...start };
  const listeners = {};
  return {
    get: (key) => values[key],
    set(key, value) {
      values[key] = value;
      for (const listen of listeners[key] || []) listen(value);
    },
    on(keys, listen) {
      for (const key of keys.split(" ")) (listeners[key] = listeners[key] || []).push(listen);
    },
  };
}

// For screen readers.
export function say(text) {
  document.getElementById("status").textContent = text;
}

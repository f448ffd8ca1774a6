// SPDX-License-Identifier: BSD-3-Clause
// How far the means of two groups of rows are apart, in standard deviations, and how sure that is. Of n₁ and n₂ rows with
// means x̄₁, x̄₂ and variances s₁², s₂², which need not be equal,
//
//     d = (x̄₁ − x̄₂)/s,   s² = (s₁² + s₂²)/2
//     Var d ≈ d²(s₁⁴/(n₁−1) + s₂⁴/(n₂−1))/(8s⁴) + (s₁²/(n₁−1) + s₂²/(n₂−1))/s²
//
// (Bonett 2008, doi:10.1037/1082-989X.13.2.99). The interval is d ± t·√Var d, with t of Student's distribution with Welch's
// degrees of freedom in place of the normal one, for groups that are small, and of 1 − α/K for all K that are compared at once:
// whoever looks at the largest of many must allow for chance in all of them. With fewer than ten rows in a group such intervals
// are too short, and there is none; a group of one row has no variance either, and s is that of the other.

const STEPS = 400; // of an integral, even
export const LEAST_ROWS = 10;

function simpson(f, low, high) {
  const h = (high - low) / STEPS;
  let sum = f(low) + f(high);
  for (let i = 1; i < STEPS; i++) sum += (i % 2 === 1 ? 4 : 2) * f(low + i * h);
  return (sum * h) / 3;
}

// P(T > t) = ∫ cos^(ν−1) θ dθ from atan(t/√ν) to π/2, in parts of the whole from −π/2.
export function studentTail(t, freedom) {
  const density = (angle) => Math.cos(angle) ** (freedom - 1), end = Math.min(Math.PI / 2, 14 / Math.sqrt(freedom));
  return simpson(density, Math.min(Math.atan(t / Math.sqrt(freedom)), end), end) / (2 * simpson(density, 0, end));
}

// t with P(T > t) = tail, for a tail below a half.
export function studentQuantile(tail, freedom) {
  let low = 0, high = 1;
  while (studentTail(high, freedom) > tail && high < 1e9) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (studentTail(middle, freedom) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// For degrees of freedom to three digits, downwards, and each once.
function makeQuantiles(tail) {
  const found = new Map();
  return (freedom) => {
    const unit = 10 ** Math.max(0, Math.floor(Math.log10(freedom)) - 2), rounded = Math.max(1, Math.min(1e6, Math.floor(freedom / unit) * unit));
    if (!found.has(rounded)) found.set(rounded, studentQuantile(tail, rounded));
    return found.get(rounded);
  };
}

// Sums over rows of so many values, from which each has something near to its mean taken away: number, mean and variance of
// what is there.
export function makeSums(near) {
  const size = near.length, n = new Float64Array(size), sum = new Float64Array(size), squares = new Float64Array(size);
  return {
    add(values) {
      for (let c = 0; c < size; c++) {
        const off = values[c] - near[c];
        if (Number.isNaN(off)) continue;
        n[c]++;
        sum[c] += off;
        squares[c] += off * off;
      }
    },
    get(c) {
      const off = sum[c] / n[c]; // NaN where there is none
      return { n: n[c], mean: near[c] + off, variance: n[c] > 1 ? Math.max(0, squares[c] - n[c] * off * off) / (n[c] - 1) : NaN };
    },
  };
}

// d of two groups; error, the root of its variance, and freedom are NaN where one of them is too small or nothing varies.
export function effectOf(one, other) {
  const spreads = [one, other].map((group) => group.variance).filter((v) => !Number.isNaN(v));
  const square = spreads.reduce((sum, v) => sum + v, 0) / spreads.length, off = one.mean - other.mean;
  const d = off === 0 ? 0 : off / Math.sqrt(square);
  if (Math.min(one.n, other.n) < LEAST_ROWS || !(square > 0)) return { d, error: NaN, freedom: NaN };
  const [a, b] = [one.variance / (one.n - 1), other.variance / (other.n - 1)];
  const shape = (d * d * (a * one.variance + b * other.variance)) / (8 * square * square);
  return { d, error: Math.sqrt(shape + (a + b) / square), freedom: (a + b) ** 2 / (a ** 2 / (one.n - 1) + b ** 2 / (other.n - 1)) };
}

// Items with two groups of sums each, with their effects and intervals, the largest first. What has no row in one of the
// groups, or is the same everywhere, is left out.
export function compareGroups(items, alpha = 0.05) {
  const found = items.map((item) => ({ ...item, ...effectOf(item.one, item.other) })).filter((item) => item.one.n > 0 && item.other.n > 0 && !Number.isNaN(item.d));
  const quantile = makeQuantiles(alpha / 2 / Math.max(1, found.length));
  for (const item of found) {
    const reach = Number.isNaN(item.error) ? NaN : quantile(item.freedom) * item.error;
    item.low = item.d - reach;
    item.high = item.d + reach;
    item.clear = item.low > 0 || item.high < 0; // no longer what chance may bring
  }
  return found.sort((a, b) => Math.abs(b.d) - Math.abs(a.d));
}

# SPDX-License-Identifier: BSD-3-Clause
"""Makes drift_golden.h: p-values of scree drift on small tables, from the definitions alone.

    python3 make_drift.py > drift_golden.h          (needs NumPy and mpmath)

Here are no sums of powers: every moment is that of rows about their own mean, every matrix is inverted, and tails are
mpmath's. Numbers of the tables are sixteenths, exact as doubles.
"""

import mpmath as mp
import numpy as np

mp.mp.dps = 30


def f_tail(x, a, b):
    if np.isinf(b):
        return float(mp.gammainc(a / 2, a * x / 2, regularized=True))
    return float(mp.betainc(mp.mpf(b) / 2, mp.mpf(a) / 2, 0, mp.mpf(b) / (mp.mpf(b) + mp.mpf(a) * x), regularized=True))


def f_sides(x, a, b):
    upper = f_tail(x, a, b)
    return 2 * min(upper, 1 - upper)


def smallest(p, count):
    return 1 - (1 - p) ** count


def product(a, b):
    return a * b * (1 - np.log(a * b))


def welch(share, mine, theirs):
    return 1 / (share**2 / mine + (1 - share) ** 2 / theirs)


def fit(X, M):
    N = len(X)
    values, vectors = np.linalg.eigh(np.cov(X.T, bias=True))
    return {"N": N, "mean": X.mean(0), "values": values[::-1][:M], "U": vectors[:, ::-1][:, :M], "rest": values[::-1][M:],
            "variances": X.var(0)}


def law(m, exact):
    """What is expected of new rows."""
    M, p, N = len(m["values"]), len(m["rest"]), m["N"]
    noise = m["rest"].mean()
    if exact:
        inf = np.inf
        return {"rows": inf, "n0": inf, "rest0": inf, "v": m["values"], "v0": np.full(M, inf), "q": p * noise, "f": p,
                "turns": np.zeros(M), "errors": np.zeros(M), "psi": noise * (1 - (m["U"] ** 2).sum(1))}
    n0, gamma, lam = N - 1, p / N, m["values"] * N / (N - 1)

    def spike(value, s2):
        b = value / s2 + 1 - gamma
        l = max((b + np.sqrt(max(b * b - 4 * value / s2, 0))) / 2, 1 + np.sqrt(gamma))
        v = value * ((l - 1) / (l - 1 + gamma)) ** 2
        sine2 = min(gamma * l / ((l - 1) * (l - 1 + gamma)), 1)
        return v, (1 - sine2) * sine2 * (l - 1) ** 2 * s2**2 / v**2, gamma * l / (l - 1 + gamma), l / (l - 1)

    absorbed = M
    for _ in range(6):
        s2 = m["rest"].sum() * N / (p * (n0 - absorbed))
        at = [spike(value, s2) for value in lam]
        absorbed = sum(one[3] for one in at)
    step = np.sqrt(2 / n0)
    more = [spike(value * np.exp(step), s2) for value in lam]
    q = s2 * (p + sum(one[2] for one in at))
    n = n0 - M
    squares = ((m["rest"] ** 2).sum() - m["rest"].sum() ** 2 / n) * n * n / ((n - 1) * (n + 2))
    psi = m["variances"] - (m["U"] ** 2) @ m["values"]
    return {"rows": N, "n0": n0, "rest0": n0 - absorbed, "v": np.array([one[0] for one in at]),
            "v0": np.array([n0 / (np.log(b[0] / a[0]) / step) ** 2 for a, b in zip(at, more)]), "q": q,
            "f": min(max(m["rest"].sum() ** 2 / squares, 1), p), "turns": np.array([one[1] for one in at]) / q,
            "errors": np.array([np.log(b[1] / a[1]) ** 2 if min(a[1], b[1]) > 0 else 0 for a, b in zip(at, more)]),
            "psi": psi * q / psi.sum()}


def mean_test(Y, t, r, w, n):
    D, M = Y.shape[1], t.shape[1]
    V = np.cov(t.T).reshape(M, M) / n + np.diag(w["v"] / w["rows"])
    share = np.mean(np.diag(np.cov(t.T).reshape(M, M)) / n / np.diag(V))
    nu = welch(share, n - 1, w["n0"])
    inner = f_tail(t.mean(0) @ np.linalg.inv(V) @ t.mean(0) * (nu - M + 1) / (nu * M), M, nu - M + 1)
    mine = np.trace(np.cov(r.T)) / n
    whole = mine + w["q"] / w["rows"]
    each = r.var(0, ddof=1) / n + w["psi"] / w["rows"]
    f = min(w["f"], each.sum() ** 2 / (each**2).sum())
    outer = f_tail((r.mean(0) ** 2).sum() / whole, f, f * welch(mine / whole, n - 1, w["rest0"]))
    columns = []
    for j in range(D):
        own = r[:, j].var(ddof=1) / n
        both = own + w["psi"][j] / w["rows"]
        columns.append(smallest(f_tail(r[:, j].mean() ** 2 / both, 1, welch(own / both, n - 1, w["n0"])), D))
    return smallest(min(product(inner, outer), min(columns)), 2)


def beyond(departure, deviation):
    return max(0, 1 - 4 * deviation**2 / departure**2) * departure if departure else 0


def spread_test(t, r, w, n, kappa):
    D, M, p = r.shape[1], t.shape[1], r.shape[1] - t.shape[1]

    def heavy(x):
        c = x - x.mean()
        excess = (c**4).mean() / (c**2).mean() ** 2 - 3 + 6 / (n + 1)
        excess = 3 * kappa + beyond(excess - 3 * kappa, np.sqrt(24 / n))
        if excess > 0:
            excess += (3 + excess) * (x**4).max() / (x**4).sum()
        return max(1 + excess / 2, 0.2)

    Q = (r**2).sum(1)
    ratio = Q.var(ddof=1) / Q.mean() ** 2 * w["f"] / 2
    f = w["f"] / (max(ratio, 0.2) if abs(ratio - 1) > 3 * np.sqrt((2 + 12 / w["f"]) / n) else 1)
    parts = [f_sides(np.trace(np.cov(r.T)) / w["q"], (n - 1) * f, w["rest0"] * f)]
    for k in range(M):
        h = heavy(t[:, k])
        parts.append(f_sides(t[:, k].var(ddof=1) / w["v"][k], (n - 1) / h, w["v0"][k] / h))
    columns = []
    for j in range(D):
        h = heavy(r[:, j])
        columns.append(f_sides(r[:, j].var(ddof=1) / w["psi"][j], (n - 1) / h, w["rest0"] / h))
    return smallest(min(smallest(min(parts), M + 1), smallest(min(columns), D)), 2)


def angle_test(t, r, w, n, kappa):
    M = t.shape[1]
    tc, rc = t - t.mean(0), r - r.mean(0)
    W, A = tc.T @ tc, rc.T @ tc
    slopes = A @ np.linalg.inv(W)
    left = ((rc - tc @ slopes.T) ** 2).sum() / (n - 1 - M)
    Q = (r**2).sum(1)
    h = max(np.mean([(t[:, k] ** 2 * Q).mean() / (t[:, k] ** 2).mean() / Q.mean() for k in range(M)]), 0.2)
    S = np.trace(A @ np.linalg.inv(W + W @ np.diag(w["turns"]) @ W) @ A.T)
    share = w["turns"] / (w["turns"] + 1 / np.diag(W))
    levers = ((t**2 / w["v"]).sum(1)[:, None] * r**2).sum(0)
    f = min(w["f"], levers.sum() ** 2 / (levers**2).sum())
    above = 2 / (2 / (f * M) + (share**2 * w["errors"]).sum() / M**2)
    outside = f_tail(S / h / M / left, above, f * (n - 1 - M))
    total = 0
    for k in range(M):
        for l in range(k):
            wide = (t[:, k] ** 2 * t[:, l] ** 2).mean() / (t[:, k] ** 2).mean() / (t[:, l] ** 2).mean() - 1 - kappa
            wide = max(1 + kappa + beyond(wide, 2 / np.sqrt(n)), 0.2)
            total += np.arctanh(np.corrcoef(t[:, k], t[:, l])[0, 1]) ** 2 / wide / (1 / (n - 3) + 1 / w["rows"])
    pairs = M * (M - 1) / 2
    return product(outside, f_tail(total / pairs, pairs, np.inf)) if M > 1 else outside


def drift(m, X, exact):
    n, w = len(X), law(m, exact)
    M, p = len(m["values"]), len(m["rest"])
    Y = X - m["mean"]
    t = Y @ m["U"]
    r = Y - t @ m["U"].T
    Q, noise = (r**2).sum(1), m["rest"].mean()
    size = (t**2 / w["v"]).sum(1) + Q * p / w["q"]
    f = (M + p) ** 2 / (M + p * p / w["f"])
    kappa = (size**2).mean() / size.mean() ** 2 / (1 + 2 / f) - 1
    kappa = max(kappa, -2 / (f + 2)) if abs(kappa) > 3 * np.sqrt(8 / (n * f * (f + 2))) else 0
    far = (t**2 / m["values"]).sum(1) + Q / noise
    expected = ((w["v"] / m["values"]).sum() + w["q"] / noise) * (1 + 1 / w["rows"])
    likelihood = f_tail((far.mean() - expected) ** 2 / (far.var(ddof=1) * (1 / n + 1 / w["rows"])), 1, n - 1)
    return mean_test(Y, t, r, w, n), spread_test(t, r, w, n, kappa), angle_test(t, r, w, n, kappa), likelihood


def table(rows, seed, heavy=False):
    rng = np.random.default_rng(seed)
    z, e = rng.normal(size=(rows, 2)) * [3, 1.5], rng.normal(size=(rows, 5))
    if heavy:
        e, z = rng.laplace(size=(rows, 5)), rng.laplace(size=(rows, 2)) * 2
    B = np.array([[1, 1, 1, 0, 0], [0, 1, -1, 1, 1]])
    return np.round((z @ B + e) * 16) / 16


def write(name, X):
    print(f"static const double {name}[{len(X)} * {X.shape[1]}] = {{")
    for row in X:
        print("    " + ", ".join(repr(float(x)) for x in row) + ",")
    print("};")


print("/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by make_drift.py. */")
fitted, cases = table(50, 1), {"same": table(30, 2), "moved": table(40, 3) + [0, 0, 0, 0, 0.5], "laplace": table(60, 4, True)}
write("drift_fitted", fitted)
for name, X in cases.items():
    write("drift_" + name, X)
print("static const struct {\n    const char *name;\n    const double *data;\n    int64_t rows;\n    int64_t m;\n    bool exact;")
print("    double p[4];\n} drift_golden[] = {")
for name, X in cases.items():
    for M in (1, 2, 3):
        for exact in (False, True):
            p = ", ".join(f"{one:.15g}" for one in drift(fit(fitted, M), X, exact))
            print(f'    {{"{name}", drift_{name}, {len(X)}, {M}, {str(exact).lower()}, {{{p}}}}},')
print("};")

# SPDX-License-Identifier: BSD-3-Clause
"""Probabilistic PCA: the model of the command `scree`, with everything that it answers."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from . import _core
from ._base import Estimator, Transformer, check_array, check_is_fitted, is_sparse
from ._frames import find, frame_rows, is_frame
from ._labels import label_source, view_module
from ._model import MEANINGS, Model, collected, is_stream, log, stream
from ._notebook import Page, Picture, model_html
from ._options import ALL, count_option, latent_option, scale_option
from ._partitions import weigh
from ._read import FIELDS
from ._run import call, together
from ._sources import Source, block, from_paths, is_path, source_of

PICTURES = (".svg", ".png", ".pdf")
ROTATIONS = ("varimax", "quartimax", "promax", "oblimin")


class Fittable(Transformer, Estimator):
    """What estimators share that are models of the library: their file, their codes, how they show themselves."""

    _model: Model
    _takes: dict[str, Any] = {"accept_sparse": ["csr", "csc"], "ensure_all_finite": False}

    def _checked(self, X: Any, least: int = 1) -> Any:
        """Rows in memory that scikit-learn would check, checked so; files, batches and frames as they are."""
        if not isinstance(X, (np.ndarray, list, tuple)) and not is_sparse(X) or is_stream(X):
            return X
        if is_sparse(X) and not self._takes["accept_sparse"]:
            raise TypeError("Sparse data was passed for X, but dense data is required. Use '.toarray()' to convert it.")
        keeps = is_sparse(X) or isinstance(X, np.ndarray) and X.dtype.kind in "biu"
        kinds = None if keeps else [np.float64, np.float32]
        return check_array(X, dtype=kinds, ensure_min_samples=least, estimator=self, input_name="X", **self._takes)

    def _columns(self) -> list[str] | None:
        """The columns of the model by name, where they have names."""
        columns = self.model_.view["columns"]
        return list(columns) if columns else None

    def _rows(self, X: Any, **read: Any) -> Any:
        """Rows in memory with the columns of the model: found by name where both have names, else by position."""
        names = self._columns()
        if is_frame(X):
            X = frame_rows(X, names)
        elif is_stream(X):
            X, found, _ = stream("copy", None, self._source(X, **read))
            if names is not None and found is not None:
                X = X[:, find(found, names)]
        X = self._checked(X)
        self._check_width(X)
        return X

    def _source(self, X: Any, means: bool = True, **read: Any) -> Source:
        """Rows that an answer is given to. Of files it is known what columns they are to have: variants are matched with
        those of the model by allele, and what is not there is its mean."""
        if not is_path(X):
            return source_of(X, **read)
        view, names = self.model_.view, self._columns()
        means = means and view["normalize"] == 0 and not view["log1p"]
        wanted = None if names is None else (tuple(names), view["mean"] if means else None)
        return from_paths(X, wanted, {"row_width": view["d"], "totals": view["normalize"] > 0}, **read)

    def _block(self, X: Any, **read: Any) -> Any:
        """Rows in memory, as the extension takes them, and how many."""
        X = self._rows(X, **read)
        return block(X), X.shape[0]

    @property
    def model_(self) -> Model:
        check_is_fitted(self)
        return self._model

    def _set_model(self, model: Model, source: Source | None = None) -> None:
        self._model = model
        view = model.view
        self.n_features_in_ = view["d"]
        self.n_components_ = view["m"]
        names = source.columns if source is not None and source.columns is not None else view["columns"]
        if names is not None:
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def save(self, path: Any) -> None:
        """Writes the model to a file (.scree), which the command reads too; whole, or not at all."""
        self.model_.save(path)

    def transform(self, X: Any, out: Any = None, **read: Any) -> Any:
        """Codes of rows. With out, into a file; then X need not fit in memory. read: options of files, as of `fit`."""
        return self._answer("project", X, out, **read)

    def inverse_transform(self, X: Any, out: Any = None) -> Any:
        """Rows of codes."""
        if out is None and not is_stream(X):
            return self.model_.reconstruct(np.asarray(X))
        result = self.model_.stream("reconstruct", source_of(X), out)
        return None if result is None else result[0]

    def _answer(self, what: str, X: Any, out: Any, **read: Any) -> Any:
        model = self.model_
        if what == "project" and out is None and (is_frame(X) or not is_stream(X)):
            return model.project(self._rows(X))
        result = model.stream(what, self._source(X, **read), out)
        return None if result is None else result[0]

    def _check_width(self, X: Any) -> None:
        shape = getattr(X, "shape", None)
        if shape is not None and len(shape) == 2 and shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input."
            )

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)

    def to_onnx(self, path: Any, *, part: str | None = None, dtype: str = "float32") -> None:
        """Writes the model as an ONNX graph: part "encode", "decode" or both."""
        _core.onnx(self.model_.capsule, os.fspath(path), part, 1 if np.dtype(dtype) == np.float64 else 0)

    def plot(self, X: Any = None, out: Any = None, *, kind: str | None = None, labels: Any = None,
             components: Any = (), levels: Any = (), at: Any = (), highlight: Any = None, image: Any = None,
             supplementary_rows: Any = None, **options: Any) -> Any:
        """A picture, of the model alone or with rows: see `scree plot --help` for kinds and options, which are keywords:
        `plot(X, kind="biplot", colour_by="cos2", layout="column", title="")`. Without out, its SVG as an object that
        notebooks show; else into a file, SVG, PNG or PDF by its extension, which may stand alone: `plot("x.svg")`.
        components and highlight count from 0; levels are of what is drawn around rows, at are numbers of components; image is
        the shape of a row; title="" leaves the title out."""
        view = view_module()
        if out is None and isinstance(X, (str, os.PathLike)) and os.fspath(X).endswith(PICTURES):
            X, out = None, X
        if kind is not None:
            options["kind"] = kind
        rows = None if X is None else self._source(X).capsule
        others = None if supplementary_rows is None else self._source(supplementary_rows).capsule
        if image is not None:
            options["image_rows"], options["image_cols"] = image
        marked = None if highlight is None else tuple(highlight)
        with tempfile.TemporaryDirectory() as folder:
            marks = None if labels is None else label_source(labels, folder).capsule
            path = os.path.join(folder, "plot.svg") if out is None else os.fspath(out)
            call(view.plot, self.model_.capsule, rows, marks, others, path, tuple(components), tuple(levels), tuple(at), marked,
                 options, work=1e12)
            if out is not None:
                return None
            with open(path, encoding="utf-8") as file:
                return Picture(file.read())

    def report(self, X: Any, out: Any = None, *, labels: Any = None, **options: Any) -> Any:
        """One page that opens offline in any browser: rows, components, outliers, what is proven. Without out, an object
        that notebooks show inline."""
        view = view_module()
        source = self._source(X)
        with tempfile.TemporaryDirectory() as folder:
            marks = None if labels is None else label_source(labels, folder).capsule
            path = os.path.join(folder, "report.html") if out is None else os.fspath(out)
            summary = call(view.report, self.model_.capsule, source.capsule, marks, path, options, work=1e12)
            if out is not None:
                return summary
            with open(path, encoding="utf-8") as file:
                return Page(file.read())


class PPCA(Fittable):
    """Probabilistic PCA: rows are draws of N(mean, B Bᵀ + noise I), and the codes are what is behind them.

    n_components: how many; a share of the variance in (0, 1); "auto": as many as the criteria of `select` recommend; "all";
    None: at most 50. scale: None is "binomial" of genotypes and "none" of all else; "unit" (standardised columns), "range",
    "pareto", or a number for each column.
    solver: a method of the library; None: the fastest that fits. latent: latent dimensions of the distribution; None: those
    asked for. em: "ml" or "vb", where cells are missing. bootstrap: replicates for intervals. ddof: divisor N - ddof.
    log1p, normalize: of counts. seed: of anything random.

    Rows may be arrays, frames, sparse matrices, Arrow, batches or paths; NaN is a missing cell.

    >>> import numpy as np, scree
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 6)) + 0.1 * rng.normal(size=(200, 6))
    >>> model = scree.PPCA(2).fit(X)
    >>> X[3, 4] = np.nan
    >>> model.impute(X)[3, 4].round(1) == model.inverse_transform(model.transform(X[3:4]))[0, 4].round(1)
    np.True_
    """

    def __init__(self, n_components: Any = None, *, scale: Any = None, solver: str | None = None, latent: Any = None,
                 em: str | None = None, bootstrap: int = 0, ddof: int = 0, log1p: bool = False, normalize: float = 0.0,
                 tol: float = 0.0, seed: int = 0) -> None:
        self.n_components = n_components
        self.scale = scale
        self.solver = solver
        self.latent = latent
        self.em = em
        self.bootstrap = bootstrap
        self.ddof = ddof
        self.log1p = log1p
        self.normalize = normalize
        self.tol = tol
        self.seed = seed

    @classmethod
    def _from_model(cls, model: Model) -> PPCA:
        made = cls(model.view["m"])
        made._set_model(model)
        return made

    @classmethod
    def load(cls, path: Any) -> PPCA:
        """The model of a file (.scree), of the command or of `save`."""
        return cls._from_model(Model(_core.load(os.fspath(path))))

    def _options(self, usual: int) -> tuple[dict[str, Any], Any]:
        """Options of the library, and the scales where they are numbers. usual: the scale that such rows usually have."""
        scale, scales = scale_option(self.scale, usual)
        options: dict[str, Any] = {
            "ddof": self.ddof, "bootstrap": self.bootstrap, "log1p": self.log1p, "normalize": float(self.normalize),
            "tolerance": float(self.tol), "seed": self.seed, "solver": self.solver, "em": self.em,
        }
        return {**options, **count_option(self.n_components), **latent_option(self.latent), **scale}, scales

    def _opened(self, X: Any, **read: Any) -> Source:
        """Rows to be fitted; of genotypes those that vary."""
        if is_path(X):
            return from_paths(X, None, {"varying": True, "totals": self.normalize != 0}, **read)
        return source_of(self._checked(X, 2), **read)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, checkpoint: Any = None, every: float = 300.0,
            **read: Any) -> PPCA:
        """Finds the model of rows. read: options of files by the names that the command has, such as columns="a,b",
        rows="1:100", dataset="/x", chr="1-22". checkpoint: a file that says how far the fit is, saved when so many seconds have
        gone by, from which the same call goes on after the process was killed; it is removed in the end."""
        with together():
            self._options(0)
            source = self._opened(X, **read)
            options, scales = self._options(source.scale)
            if checkpoint is not None:
                options["checkpoint"], options["checkpoint_every"] = os.fspath(checkpoint), float(every)
            if sample_weight is not None:
                weigh(source, sample_weight, source.rows, self.n_components)
        model = Model.fit(source, work=work_of(source), scales=scales, **options)
        self._set_model(model, source)
        self.gaps_ = source.gaps
        if self.scale is None and source.scale:
            log.info("%s: variants were divided by √(2p(1-p)); scale='none' leaves them as they are", source.name)
        log.info("%s: method %s, %s", source.name, model.view["solver"], model.view["solver_reason"])
        return self

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Fits the model to rows, and returns their codes. params: those of `fit`, options of files among them."""
        if hasattr(X, "__next__"):
            raise ValueError("an iterator can be read once: give a function that returns one, or call fit alone")
        read = {name: value for name, value in params.items() if name in FIELDS}
        return self.fit(X, y, **params).transform(X, **read)

    @property
    def mean_(self) -> Any:
        return np.array(self.model_.view["mean"])

    @property
    def components_(self) -> Any:
        return np.array(self.model_.view["components"])

    @property
    def explained_variance_(self) -> Any:
        return np.array(self.model_.view["eigenvalues"])

    @property
    def explained_variance_ratio_(self) -> Any:
        return self.model_.view["eigenvalues"] / self.model_.view["total_variance"]

    @property
    def noise_variance_(self) -> float:
        return float(self.model_.view["noise_variance"])

    @property
    def bounds_(self) -> Any:
        """By how much each eigenvalue may be off, arithmetic alone."""
        return np.array(self.model_.view["eigenvalue_bounds"])

    @property
    def angle_bounds_(self) -> Any:
        """The sine of the angle by which each component may be off, arithmetic alone."""
        return np.array(self.model_.view["angle_bounds"])

    @property
    def standard_error_(self) -> Any:
        """The standard error of each eigenvalue, by the sampling of the rows; NaN: it cannot be told from noise."""
        return np.array([one["error"] for one in self.model_.sampling()])

    @property
    def sampling_(self) -> list[dict[str, Any]]:
        """How far each component may be from that of the population: error, interval, angle, whether it is noise."""
        return self.model_.sampling()

    @property
    def method_(self) -> str:
        return str(self.model_.view["solver"])

    @property
    def facts_(self) -> dict[str, Any]:
        """What the spectrum says of the whole: log-likelihood, mutual information in nats, effective rank."""
        facts, loglik, information, rank = _core.facts(self.model_.capsule)
        return {**facts, "log_likelihood": loglik, "mutual_information": information, "effective_rank": rank}

    def posterior(self, X: Any, **read: Any) -> tuple[Any, Any]:
        """p(z|x) of each row: its mean, and the variance of each latent dimension; wider where cells are missing."""
        model = self.model_
        rows, n = self._block(X, **read)
        means, variances = np.empty((n, model.latent)), np.empty((n, model.latent))
        call(_core.posterior, model.capsule, rows, means, variances)
        return means, variances

    def scores(self, X: Any, *, training: bool = False, **read: Any) -> dict[str, Any]:
        """What the model thinks of each row: loglik, t2, q, and the chances p_t2, p_q, p_value of numbers as large."""
        model = self.model_
        rows, n = self._block(X, **read)
        names = ("loglik", "t2", "q", "p_t2", "p_q", "p_value")
        result = {name: np.empty(n) for name in names}
        call(_core.score, model.capsule, rows, training, *result.values(), work=float(n) * model.view["d"] * 50)
        return result

    def score_samples(self, X: Any, **read: Any) -> Any:
        """The log-likelihood of each row."""
        model = self.model_
        rows, n = self._block(X, **read)
        result = np.empty(n)
        call(_core.score, model.capsule, rows, False, result, None, None, None, None, None)
        return result

    def score(self, X: Any, y: Any = None, **read: Any) -> float:
        """Their mean."""
        return float(np.mean(self.score_samples(X, **read)))

    def outliers(self, X: Any, *, alpha: float = 0.01, training: bool = False, fdr: bool = False,
                 calibration: Any = None, blame: int = 0, out: Any = None, **read: Any) -> dict[str, Any]:
        """Rows that do not fit: p-values, which are outliers, and with blame the columns to blame. With calibration rows,
        which must not be among those fitted, p-values hold for any distribution."""
        sink = _core.sink_collect() if out is None else _core.sink_open(os.fspath(out), None, 1)
        options = {"alpha": alpha, "training": training, "fdr": fdr, "blame_columns": blame}
        held = None if calibration is None else self._source(calibration).capsule
        capsule = self._source(X, **read).capsule
        summary = call(_core.stream_score, self.model_.capsule, capsule, held, sink, options, work=1e12)
        result = collected(_core.sink_finish(sink))
        if result is None:
            return summary
        table, names, texts = result
        answer = {**summary, **{name: table[:, j] for j, name in enumerate(names)}}
        answer["outlier"] = answer["outlier"].astype(bool)
        if blame and texts is not None:
            answer["why"] = texts[len(texts) // len(table) - 1 :: len(texts) // len(table)]
        return answer

    def drift(self, X: Any, *, fitted: Any = None, level: float = 0.05, against: str = "population") -> dict[str, Any]:
        """Whether new rows, all together, are still like those that were fitted: four checks by name ("mean", "spread",
        "angle", "likelihood"), the verdict in p_value and drifted, and what has changed. against: "population", rows
        fitted and new ones are two samples; "model": its numbers are exact, and draws of it have not drifted. fitted:
        the rows that were fitted, or some of them; p-values are then by shuffles, right for rows of any distribution."""
        if against not in ("population", "model"):
            raise ValueError(f'against is "population" or "model", not {against!r}')
        model, options = self.model_, {"level": level, "exact": against == "model"}
        beside = None if fitted is None else source_of(fitted).capsule
        found = call(_core.drift, model.capsule, source_of(X).capsule, beside, options, work=1e12)
        names = [check.pop("name") for check in found["checks"]]
        changed = []
        for one in found["changed"]:
            entry: dict[str, Any] = {"check": names[one["part"]], "change": one["change"], "p_value": one["p_value"]}
            what = "component" if one["column"] < 0 else "column"
            columns = model.view["columns"]
            entry[what] = columns[one[what]] if what == "column" and columns is not None else one[what]
            changed.append(entry)
        return {**found, "checks": dict(zip(names, found["checks"])), "changed": changed}

    def sample(self, n_samples: int = 1, *, seed: int = 0, out: Any = None) -> Any:
        """Draws of rows."""
        return self._copy(Source(_core.source_sample(self.model_.capsule, n_samples, seed)), out)

    def explore(self, X: Any, draws: int = 1, *, latent: bool = False, seed: int = 0, out: Any = None) -> Any:
        """Rows like each of these: z* from p(z|x), then x* from p(x|z*). An array of (rows, draws, columns); with latent,
        z* stands in front of the columns."""
        source = self._source(X)
        drawn = Source(_core.source_explore(self.model_.capsule, source.capsule, draws, latent, seed), source)
        table = self._copy(drawn, out)
        return None if table is None else table[:, 2:].reshape(-1, draws, table.shape[1] - 2)

    def _copy(self, source: Source, out: Any) -> Any:
        result = stream("copy", None, source, out)
        return None if result is None else result[0]

    def impute(self, X: Any, *, return_std: bool = False, draws: int = 0, seed: int = 0, out: Any = None,
               **read: Any) -> Any:
        """Rows with their gaps filled by what is expected there given the rest; return_std: and the standard deviations,
        0 for what was there. With draws, an array of (rows, draws, columns) for multiple imputation."""
        model = self.model_
        if draws or out is not None or is_stream(X) and not is_frame(X):
            result = model.stream("impute", self._source(X, means=False, **read), out, number=draws, seed=seed)
            if result is None or not draws:
                return result if result is None else result[0]
            table = result[0][:, 2:]
            return table.reshape(-1, draws, table.shape[1])
        rows, _ = self._block(X)
        filled = np.empty(rows.shape)
        deviations = np.empty(rows.shape) if return_std else None
        call(_core.impute, model.capsule, rows, filled, deviations, work=float(rows.size) * 100)
        return (filled, deviations) if return_std else filled

    def whiten(self, X: Any, out: Any = None, **read: Any) -> Any:
        """Codes of unit variance."""
        return self._answer("whiten", X, out, **read)

    def select(self, X: Any = None, **options: Any) -> dict[str, Any]:
        """How many components: every criterion side by side, and what they recommend; of rows, or of the model alone.
        options: max_components, folds, noise_sd, seed."""
        if X is None:
            result = call(_core.select, self.model_.capsule, None, options)
        else:
            with together():
                source = self._opened(X)
                scale, _ = scale_option(self.scale if isinstance(self.scale, str) else None, source.scale)
                given = {**scale, "log1p": self.log1p, **options}
            result = call(_core.select, None, source.capsule, given, work=work_of(source))
        result["eigenvalues"] = np.frombuffer(result["eigenvalues"])
        names = ("name", "title", "rule", "values", "reason", "choice", "votes")
        result["criteria"] = [dict(zip(names, one)) for one in result["criteria"]]
        for one in result["criteria"]:
            one["values"] = None if one["values"] is None else np.frombuffer(one["values"])
            one["choice"] = None if one["choice"] < 0 else one["choice"]
        return result

    def _changed(self, model: Model, **params: Any) -> PPCA:
        made = type(self)(**{**self.get_params(), **params})
        made._set_model(model)
        return made

    def truncate(self, n_components: int) -> PPCA:
        """The same model with fewer components; needs no data."""
        count = count_option(n_components).get("components", 0)
        if not 1 <= count < ALL:
            raise ValueError(f"n_components is a whole number from 1 on, not {n_components!r}")
        return self._changed(self.model_.change("components", count), n_components=count)

    def with_latent(self, latent: int) -> PPCA:
        """The same components, with another number of latent dimensions."""
        return self._changed(self.model_.change("latent", latent), latent=latent)

    def with_noise(self, noise: float) -> PPCA:
        """The same components, with another noise variance."""
        return self._changed(self.model_.change("noise", noise))

    def rotate(self, method: str = "varimax", **options: Any) -> PPCA:
        """Factors with loadings that are large or small: "varimax", "quartimax", "promax" or "oblimin".
        options: components, no_kaiser, power, gamma, starts, seed."""
        if method not in ROTATIONS:
            raise ValueError(f"there is no rotation '{method}'; there are {', '.join(ROTATIONS)}")
        return self._changed(Model(_core.rotate(self.model_.capsule, {"method": method, **options})))

    @property
    def rotation_(self) -> dict[str, Any] | None:
        """Of rotated components: the matrix, the correlations of factors, the variances they explain."""
        found = _core.rotation(self.model_.capsule)
        if found is None:
            return None
        method, oblique, converged, k, matrix, correlations, variances = found
        square = {"matrix": matrix, "correlations": correlations}
        return {
            "method": method, "oblique": oblique, "converged": converged, "variances": np.frombuffer(variances),
            **{name: np.frombuffer(data).reshape(k, k) for name, data in square.items()},
        }

    def loadings(self, kind: str = "loadings") -> Any:
        """What columns and components have to do with each other, columns × components: "weights", "loadings",
        "structure", "correlations", "cos2", "contributions"; or "model", the B of the distribution."""
        model = self.model_
        if kind != "model":
            return model.meaning(kind)
        out = np.empty((model.view["d"], model.latent))
        _core.meaning(model.capsule, -1, out)
        return out

    def __repr__(self) -> str:
        return str(super().__repr__())

    def _repr_html_(self) -> str:
        if "_model" not in self.__dict__:
            import html

            return f"<pre>{html.escape(repr(self))}</pre>"
        return model_html(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def work_of(source: Source) -> float:
    rows = source.rows if source.rows >= 0 else 1e9
    return float(rows) * source.cols * min(rows, source.cols)


__all__ = ["MEANINGS", "PPCA", "Fittable", "Page", "Picture"]

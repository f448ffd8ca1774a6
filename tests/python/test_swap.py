# SPDX-License-Identifier: BSD-3-Clause
"""More scripts that know nothing of scree: run with its classes and with scikit-learn's, they must tell the same."""

import copy
import pickle
import re
import warnings

import numpy as np
import pytest

import scree

sklearn = pytest.importorskip("sklearn")
import sklearn.decomposition as theirs  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_linnerud, load_wine  # noqa: E402
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge  # noqa: E402
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_predict, validation_curve  # noqa: E402
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import RobustScaler, StandardScaler  # noqa: E402

DIGITS, IRIS, (WINE, VINEYARDS) = load_digits().data, load_iris().data, load_wine(return_X_y=True)
SCRIPTS = []


def script(function):
    SCRIPTS.append(function)
    return function


def sentence(call):
    """What a call raises. The names in a set come in any order, in scikit-learn's sentences as in ours."""
    try:
        call()
    except Exception as error:
        text = str(error).split("\n")[0]
        return type(error).__name__, re.sub(r"{(.*)}", lambda names: ", ".join(sorted(names[1].split(", "))), text)
    return "nothing"


@script
def halving_grid_search(library):
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    pipe = Pipeline([("s", StandardScaler()), ("p", library.PCA()), ("c", LogisticRegression(max_iter=1000))])
    grid = {"p__n_components": [2, 5, 10, "mle", 0.9]}
    search = HalvingGridSearchCV(pipe, grid, random_state=0, cv=3).fit(*load_breast_cancer(return_X_y=True))
    return search.best_params_, search.best_score_


@script
def randomized_search(library):
    pipe = make_pipeline(RobustScaler(), library.PCA(svd_solver="full"), Ridge())
    grid = {"pca__n_components": range(1, 10), "ridge__alpha": [0.1, 1, 10]}
    search = RandomizedSearchCV(pipe, grid, n_iter=8, random_state=3, cv=4).fit(*load_diabetes(return_X_y=True))
    return search.best_params_, search.cv_results_["mean_test_score"]


@script
def grid_search_in_processes(library):
    pipe = make_pipeline(StandardScaler(), library.PCA(), LogisticRegression(max_iter=300))
    grid = {"pca__n_components": [1, 3, 5], "pca__whiten": [True, False]}
    return GridSearchCV(pipe, grid, n_jobs=2, cv=3).fit(WINE, VINEYARDS).cv_results_["mean_test_score"]


@script
def validation_of_components(library):
    pipe = make_pipeline(library.PCA(), LinearRegression())
    X, y = load_diabetes(return_X_y=True)
    return validation_curve(pipe, X, y, param_name="pca__n_components", param_range=[1, 2, 5, 10], cv=3)


@script
def stacking_and_bagging(library):
    from sklearn.ensemble import BaggingClassifier, StackingClassifier

    short = make_pipeline(StandardScaler(), library.PCA(3), LogisticRegression())
    stack = StackingClassifier([("a", short), ("b", make_pipeline(library.PCA(5), LogisticRegression(max_iter=3000)))], cv=3)
    folds = cross_val_predict(short, WINE, VINEYARDS, cv=3)
    return folds, stack.fit(WINE, VINEYARDS).predict(WINE), BaggingClassifier(short, random_state=0).fit(WINE, VINEYARDS).score(WINE, VINEYARDS)


@script
def permuted_columns(library):
    from sklearn.inspection import permutation_importance

    model = make_pipeline(StandardScaler(), library.PCA(4), LogisticRegression()).fit(WINE, VINEYARDS)
    return permutation_importance(model, WINE, VINEYARDS, n_repeats=3, random_state=0).importances_mean


@script
def transformed_target(library):
    from sklearn.compose import TransformedTargetRegressor

    X, y = load_linnerud(return_X_y=True)
    return TransformedTargetRegressor(LinearRegression(), transformer=library.PCA(2)).fit(X, y).predict(X)


@script
def polars_columns(library):
    polars = pytest.importorskip("polars")
    from sklearn.compose import ColumnTransformer

    frame = polars.DataFrame(WINE, schema=load_wine().feature_names)
    parts = [("a", library.PCA(2), ["alcohol", "ash"]), ("b", library.PCA(1), ["hue", "proline"])]
    made = ColumnTransformer(parts).set_output(transform="polars").fit_transform(frame)
    return made.to_numpy(), made.columns


@script
def union_of_all(library):
    pytest.importorskip("pandas")
    parts = [("p", library.PCA(2)), ("s", library.TruncatedSVD(3, algorithm="arpack", random_state=0)), ("i", library.IncrementalPCA(2, batch_size=200))]
    made = FeatureUnion(parts).set_output(transform="pandas").fit_transform(WINE / WINE.std(axis=0))
    return list(made.columns), made.to_numpy()


@script
def names_of_columns(library):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(IRIS, columns=list("abcd"))
    pca = library.PCA(2).fit(frame)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        pca.transform(IRIS)
        library.PCA(2).fit(IRIS).transform(frame)
    bad = [frame[list("bacd")], frame[list("abc")], frame.rename(columns={"a": "z"})]
    made = list(make_pipeline(StandardScaler(), library.PCA(2)).fit(frame).get_feature_names_out())
    return made, [str(one.message) for one in told], [sentence(lambda: pca.transform(one)) for one in bad]


@script
def output_by_config(library):
    pytest.importorskip("pandas")
    with sklearn.config_context(transform_output="pandas"):
        made = make_pipeline(StandardScaler(), library.PCA(2)).fit_transform(IRIS)
    return list(made.columns), made.to_numpy()


@script
def shares_and_dimensions(library):
    def about(pca):
        return pca.n_components_, float(pca.noise_variance_)

    return [about(library.PCA(k, svd_solver=solver).fit(X)) for X in (IRIS, WINE, WINE / WINE.std(axis=0)) for solver in ("auto", "full") for k in (0.3, 0.9, 0.99, "mle")]


@script
def sentences(library):
    pca = library.PCA
    calls = [
        lambda: pca(9).fit(IRIS), lambda: pca(-1).fit(IRIS), lambda: pca(1.5).fit(IRIS), lambda: pca("x").fit(IRIS), lambda: pca(True).fit(IRIS),
        lambda: pca(2, svd_solver="y").fit(IRIS), lambda: pca(4, svd_solver="arpack").fit(IRIS), lambda: pca("mle").fit(DIGITS[:20]),
        lambda: pca(2).transform(IRIS), lambda: pca(2).fit(IRIS).transform(IRIS[:, :3]), lambda: pca(2).fit(IRIS[0]), lambda: pca(2).fit(np.matrix(IRIS)),
        lambda: pca(2).fit([]), lambda: pca(2).fit(np.zeros((0, 4))), lambda: pca(2).fit(np.zeros((4, 0))), lambda: pca(2).fit(IRIS.astype(complex)),
        lambda: pca(2).fit(None), lambda: pca(2).fit(3.0), lambda: pca(2).set_params(foo=1), lambda: pca(2).fit(IRIS).inverse_transform(IRIS),
        lambda: library.IncrementalPCA(9).fit(IRIS), lambda: library.IncrementalPCA(3).partial_fit(IRIS[:2]), lambda: library.IncrementalPCA().transform(IRIS),
        lambda: library.IncrementalPCA(2).fit(np.where(IRIS > 7, np.nan, IRIS)), lambda: library.TruncatedSVD(2).fit(np.where(IRIS > 7, np.nan, IRIS)),
        lambda: library.TruncatedSVD(0).fit(IRIS), lambda: library.TruncatedSVD(5).fit(IRIS), lambda: library.TruncatedSVD(2).fit(IRIS).transform(IRIS[:, :2]),
    ]
    return [sentence(call) for call in calls]


@script
def sparse_of_every_layout(library):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(300, 40, density=0.1, random_state=0)
    fitted = [library.PCA(4, svd_solver=solver).fit(X.asformat(lay)) for lay in ("csr", "csc", "coo", "lil") for solver in ("auto", "covariance_eigh")]
    return [(pca.explained_variance_, pca.mean_, np.abs(pca.transform(X.tocsr()[:5]))) for pca in fitted], sentence(lambda: library.PCA(2, svd_solver="full").fit(X.tocsr()))


@script
def types_of_results(library):
    def types(estimator, X):
        codes = estimator.fit(X).transform(X)
        return [str(one.dtype) for one in (codes, estimator.components_, estimator.explained_variance_, estimator.inverse_transform(codes))]

    X = np.round(np.abs(DIGITS[:100, 10:20]))
    return [types(estimator(2), X.astype(kind)) for estimator in (library.PCA, library.TruncatedSVD) for kind in ("f2", "f4", "f8", "i1", "u1", "i4", "u8", "?", ">f8", ">f4")]


@script
def layouts_and_read_only(library):
    X = IRIS.copy()
    X.flags.writeable = False
    ways = [X, np.asfortranarray(X), np.repeat(IRIS, 2, axis=1)[:, ::2], IRIS[::-1], IRIS.astype(object), IRIS.tolist()]
    return [library.PCA(2).fit(one).components_ for one in ways]


@script
def sliding_windows(library):
    series = np.cumsum(np.cos(np.arange(300.0) ** 1.3))
    rows = np.lib.stride_tricks.sliding_window_view(series, 20)
    fitted = [library.PCA(3).fit(rows), library.PCA(2).fit(rows.T), library.PCA(2).fit(rows[:, ::3])]
    svd = library.TruncatedSVD(3, algorithm="arpack", random_state=0)
    return [pca.explained_variance_ for pca in fitted], fitted[0].transform(rows), svd.fit_transform(rows)


@script
def rows_and_columns_that_are_repeated(library):
    pca = library.PCA(2).fit(IRIS)
    again = [np.broadcast_to(IRIS[0], (9, 4)), np.broadcast_to(IRIS[:, :1], IRIS.shape), np.broadcast_to(IRIS[0, 0], (9, 4))]
    fitted = library.PCA(1).fit(again[1])
    return [pca.transform(rows) for rows in again], [pca.inverse_transform(rows[:, :2]) for rows in again], fitted.mean_


@script
def names_that_stand_twice(library):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.round(IRIS * 10).astype("int64"), columns=["a", "b", "a", "c"])
    return [sentence(lambda: estimator(2).fit(frame)) for estimator in (library.PCA, library.IncrementalPCA, library.TruncatedSVD)]


@script
def methods_that_are_there(library):
    theirs_too = {"set_fit_request", "score", "score_samples"}  # sample_weight; the likelihood of IncrementalPCA
    return [sorted(set(name for name in dir(kind) if name[0] != "_" and name[-1] != "_") - theirs_too) for kind in (library.PCA, library.IncrementalPCA, library.TruncatedSVD)]


@script
def copies_of_a_model(library):
    pca = library.PCA(2).fit(IRIS)
    others = [copy.deepcopy(pca), copy.copy(pca), pickle.loads(pickle.dumps(pca))]
    return [other.transform(IRIS) - pca.transform(IRIS) for other in others], hasattr(clone(pca), "components_"), sorted(key for key in vars(pca) if key.endswith("_") and key[0] != "_")


@script
def threads_of_joblib(library):
    joblib = pytest.importorskip("joblib")
    fit = joblib.delayed(lambda start: library.PCA(2).fit(WINE[start::3]).explained_variance_)
    return [joblib.Parallel(n_jobs=2, backend=backend)(fit(start) for start in range(3)) for backend in ("threading", "loky")]


@script
def a_class_of_its_own(library):
    class Mine(library.PCA):
        def transform(self, X):
            return np.abs(super().transform(X))

    return Mine(2).fit(IRIS).transform(IRIS), list(Mine(2).fit(IRIS).get_feature_names_out()), clone(Mine(3)).get_params()


@script
def changed_by_hand(library):
    pca = library.PCA(10, svd_solver="full").fit(DIGITS)
    pca.components_, pca.explained_variance_ = pca.components_[:3], pca.explained_variance_[:3]
    return pca.transform(DIGITS[:10]), pca.inverse_transform(pca.transform(DIGITS[:10])), pca.set_params(whiten=True).transform(DIGITS[:9])


@script
def the_density(library):
    pca, white = library.PCA(3).fit(WINE), library.PCA(3, whiten=True).fit(WINE)
    whole = library.PCA(13).fit(WINE / WINE.std(axis=0))
    return pca.get_covariance(), pca.get_precision(), pca.score_samples(WINE), white.get_covariance(), whole.score(WINE), library.PCA(0).fit(WINE).score(WINE)


@script
def rows_without_variance(library):
    X = np.full((10, 3), 7.0)
    shares = [library.PCA(2).fit(X).explained_variance_ratio_, library.TruncatedSVD(2).fit(np.zeros((9, 4))).explained_variance_ratio_]
    ipca = library.IncrementalPCA(2).fit(X)
    return shares, library.PCA(0.5).fit(X).n_components_, library.PCA(2).fit(X).transform(X), ipca.explained_variance_, ipca.transform(X), sorted(key for key in dir(ipca) if key.endswith("_") and key[0] != "_")


@script
def fewer_directions_than_columns(library):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 6))
    pca = library.PCA().fit(X)
    return pca.explained_variance_.round(10), pca.transform(X).round(9), library.PCA().fit(X.T.copy()).components_.shape


def assert_same(ours, expected):
    assert type(ours) is type(expected) or np.isscalar(ours)
    if isinstance(expected, (list, tuple)):
        assert len(ours) == len(expected)
        for one, other in zip(ours, expected):
            assert_same(one, other)
    elif isinstance(expected, (float, np.ndarray, np.floating)):
        assert np.asarray(ours).dtype == np.asarray(expected).dtype
        size = np.nanmax(np.abs(expected), initial=1e-6)
        np.testing.assert_allclose(ours, expected, atol=1e-8 * size, rtol=1e-7)
    else:
        assert ours == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("body", SCRIPTS, ids=lambda body: body.__name__)
def test_script(body):
    assert_same(body(scree), body(theirs))

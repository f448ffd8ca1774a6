# SPDX-License-Identifier: BSD-3-Clause
"""A network that makes a code of a row, and one that makes a row of a code, trained together."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from . import _core
from ._model import Model
from ._ppca import Fittable
from ._run import call
from ._sources import is_path, source_of


class Autoencoder(Fittable):
    """An auto-encoder, the non-linear relative of PCA.

    n_components: the length of the code. hidden: widths of the layers between row and code, in reverse behind it.
    linear: no hidden layers and no activation; its optimum is the space of PCA. activation: "gelu", "relu" or "tanh".
    output: "linear" or "sigmoid". epochs, batch, learning_rate, decay, validation, patience, seconds: None is automatic.
    seed: the same seed gives the same bits. on_epoch is called with (epoch, epochs, training error, validation error, error
    of PCA, seconds) after each.

    >>> import numpy as np, scree
    >>> X = np.random.default_rng(0).normal(size=(300, 2)) @ np.ones((2, 5))
    >>> net = scree.Autoencoder(1, hidden=(8,), epochs=3, seed=1).fit(X)
    >>> net.transform(X).shape
    (300, 1)
    """

    _takes: dict[str, Any] = {"accept_sparse": False, "ensure_all_finite": True}

    def __init__(self, n_components: int = 2, *, hidden: tuple[int, ...] = (128,), linear: bool = False,
                 activation: str | None = None, output: str | None = None, epochs: int | None = None,
                 batch: int | None = None, learning_rate: float | None = None, decay: float = 0.0,
                 validation: float | None = None, patience: int | None = None, seconds: float | None = None,
                 seed: int = 0, on_epoch: Callable[..., object] | None = None) -> None:
        self.n_components = n_components
        self.hidden = hidden
        self.linear = linear
        self.activation = activation
        self.output = output
        self.epochs = epochs
        self.batch = batch
        self.learning_rate = learning_rate
        self.decay = decay
        self.validation = validation
        self.patience = patience
        self.seconds = seconds
        self.seed = seed
        self.on_epoch = on_epoch

    @classmethod
    def _from_model(cls, model: Model) -> Autoencoder:
        made = cls(model.view["m"])
        made._set_model(model)
        return made

    @classmethod
    def load(cls, path: Any) -> Autoencoder:
        """The network of a file (.scree)."""
        return cls._from_model(Model(_core.load(os.fspath(path))))

    def fit(self, X: Any, y: Any = None, *, resume: Autoencoder | None = None, **read: Any) -> Autoencoder:
        """Trains on rows; with resume, goes on from a trained network."""
        source = source_of(self._checked(X, 2), **read)
        options: dict[str, Any] = {
            "code": int(self.n_components), "linear": self.linear, "activation": self.activation, "output": self.output,
            "epochs": self.epochs or 0, "batch": self.batch or 0, "rate": float(self.learning_rate or 0.0),
            "decay": float(self.decay), "validation": -1.0 if self.validation is None else float(self.validation),
            "patience": self.patience or 0, "seconds": float(self.seconds or 0.0), "seed": self.seed,
        }
        hidden = () if self.linear else tuple(int(width) for width in self.hidden)
        start = None if resume is None else resume.model_.capsule
        model = Model(call(_core.autoencode, source.capsule, hidden, options, start, self.on_epoch, work=1e12))
        self._set_model(model, source)
        return self

    @property
    def network_(self) -> dict[str, Any]:
        """Its layers, errors, epochs, and why training stopped."""
        found = _core.network(self.model_.capsule)
        return found or {}

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the mean squared error of rows that come back."""
        model = self.model_
        source = self._source(X) if is_path(X) else source_of(self._rows(X))
        return -call(_core.stream, "round_trip", model.capsule, source.capsule, None, 0.0, 0)

"""Models for many values of lambda."""

from typing import NamedTuple

import numpy as np

from ._base import ClassifierMixin, check_examples, check_weights
from ._estimator import LOSSES
from .linear import LinearClassifier, LinearRegressor


class Path(NamedTuple):
    """The models of a path, from the largest lambda down.

    lambdas, objectives, lower_bounds, gaps : arrays of shape (n_lambdas,)
    nonzeros : array of shape (n_lambdas,), the weights that are not 0
    coefs : array of shape (n_lambdas, n_features); with several vectors (n_lambdas, n_classes,
        n_features)
    intercepts : array of shape (n_lambdas,) or (n_lambdas, n_classes)
    model : the estimator at the last lambda
    """

    lambdas: np.ndarray
    objectives: np.ndarray
    lower_bounds: np.ndarray
    gaps: np.ndarray
    nonzeros: np.ndarray
    coefs: np.ndarray
    intercepts: np.ndarray
    model: object


def path(
    X,
    y,
    loss="logistic",
    penalty="l1",
    n_lambdas=20,
    lambda_min=1e-4,
    *,
    sample_weight=None,
    **params,
):
    """Trains at lambdas equally spaced in log(lambda), from the least at which all weights are 0
    down to `lambda_min`; each begins with the model before.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    loss : str, default="logistic"
        One of LinearClassifier or LinearRegressor, which says what y is.
    penalty : str, default="l1"
        "l1" or "elastic-net".
    n_lambdas : int, default=20
    lambda_min : float, default=1e-4
    sample_weight : array of shape (n_samples,), default=None
    **params
        Further parameters of the estimator.

    Returns
    -------
    Path
        If `lambda_min` is not below the least lambda at which all weights are 0, it has this value
        alone.
    """
    kind = LinearRegressor if loss in LOSSES["numbers"] else LinearClassifier
    model = kind(loss=loss, penalty=penalty, lambda_=lambda_min, **params)
    X, y = check_examples(model, X, y)
    weights = check_weights(sample_weight, X)
    settings = [("path", str(n_lambdas))]
    if isinstance(model, ClassifierMixin):
        y = model._check_classes(y, weights)
        settings += model._class_weights(y, weights)
        y = model._encode(y)
    found = []

    def visit(info, result):
        model._take_weights(info)
        names = ("lambda_", "objective", "bound", "gap", "nonzeros")
        found.append([result[name] for name in names] + [model.coef_, model.intercept_])

    data = model._data(X, np.ascontiguousarray(y, np.float64), weights)
    model._train(data, [*model._settings(), *settings], visit=visit)
    arrays = [np.array(column) for column in zip(*found)]
    if isinstance(model, ClassifierMixin) and arrays[5].shape[1] == 1:
        arrays[5], arrays[6] = arrays[5][:, 0], arrays[6][:, 0]
    return Path(*arrays, model)

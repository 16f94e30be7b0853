"""Models for many values of lambda."""

import copy
from typing import NamedTuple

import numpy as np

from ._base import ClassifierMixin, check_examples, check_weights
from ._estimator import LOSSES, text_of
from .linear import LinearClassifier, LinearRegressor


class Path(NamedTuple):
    """The models of a path, from the largest lambda down.

    lambdas, objectives, lower_bounds, gaps : arrays of shape (n_lambdas,)
    nonzeros : array of shape (n_lambdas,), the weights that are not 0, a constant's too
    coefs : array of shape (n_lambdas, n_features); with several vectors (n_lambdas, n_classes,
        n_features)
    intercepts : array of shape (n_lambdas,) or (n_lambdas, n_classes)
    model : the estimator at the last lambda, model.trained_lambda_
    """

    lambdas: np.ndarray
    objectives: np.ndarray
    lower_bounds: np.ndarray
    gaps: np.ndarray
    nonzeros: np.ndarray
    coefs: np.ndarray
    intercepts: np.ndarray
    model: object


class CertifiedPath:
    """Models of which one is within the gap at each lambda of a range.

    Attributes
    ----------
    gap : float
        The relative gap (J - min J)/J that is proved at every lambda.
    lambdas, objectives, lower_bounds, gaps : arrays of shape (n_models,)
        Of each model where it was trained, from the largest lambda down.
    lows, highs : arrays of shape (n_models,)
        The model is within the gap at each lambda from its low to its high.
    coefs, intercepts
        As in Path.
    models : list of fitted estimators
        Their history_ is that of the whole path.
    """

    def __init__(self, gap, models, results):
        def column(name):
            return np.array([result[name] for result in results])

        self.gap, self.models = gap, models
        self.lambdas, self.objectives = column("lambda_"), column("objective")
        self.lower_bounds, self.gaps = column("bound"), column("gap")
        self.highs, self.lows = column("high"), column("low")
        self.lows[:-1] = np.minimum(self.lows[:-1], column("low_before")[1:])
        self._penalties = column("penalty")
        self.coefs, self.intercepts = _weights_of(models)

    def __repr__(self):
        return (
            f"CertifiedPath(gap={self.gap:g}, {len(self.models)} models, "
            f"lambda {self.lambdas[0]:g} to {self.lambdas[-1]:g})"
        )

    def _objectives_at(self, lambda_):
        """J of each model at another lambda, in which it is linear."""
        return self.objectives + (lambda_ / self.lambdas - 1) * self._penalties

    def bound_at(self, lambda_):
        """A lower bound of min J at a lambda between two models, from theirs: min J is concave in
        lambda. Beyond the ends of the path it is minus infinity."""
        down = slice(None, None, -1)
        outside = {"left": -np.inf, "right": -np.inf}
        return float(np.interp(lambda_, self.lambdas[down], self.lower_bounds[down], **outside))

    def index_at(self, lambda_):
        """Which model is within the gap at a lambda; of several that with the least J.

        Parameters
        ----------
        lambda_ : float

        Returns
        -------
        index : int
            Of models. It is a ValueError if none is proved to be within the gap.
        """
        proved = np.flatnonzero((self.lows <= lambda_) & (lambda_ <= self.highs))
        if len(proved) == 0:
            raise ValueError(
                f"no model is within the gap {self.gap:g} at lambda {lambda_:g}; the path goes "
                f"from {self.lambdas[0]:g} to {self.lambdas[-1]:g}"
            )
        return int(proved[np.argmin(self._objectives_at(lambda_)[proved])])

    def at(self, lambda_):
        """The estimator for a lambda.

        Parameters
        ----------
        lambda_ : float

        Returns
        -------
        model : estimator
            objective_, lower_bound_ and gap_ are those at this lambda.
        """
        index = self.index_at(lambda_)
        model = copy.copy(self.models[index])
        model.lambda_ = float(lambda_)
        model.objective_ = float(self._objectives_at(lambda_)[index])
        proved = (1 - self.gap) * model.objective_
        model.lower_bound_ = max(proved, self.bound_at(lambda_))
        missing = model.objective_ - model.lower_bound_
        model.gap_ = missing / model.objective_ if missing > 0 else 0.0  # J may be 0
        return model


def _weights_of(models):
    """coef_ and intercept_ of all; of two classes without the axis of vectors."""
    coefs = np.array([model.coef_ for model in models])
    intercepts = np.array([model.intercept_ for model in models])
    if isinstance(models[0], ClassifierMixin) and coefs.shape[1] == 1:
        return coefs[:, 0], intercepts[:, 0]
    return coefs, intercepts


def _check_params(params):
    """Refuses parameters of one lambda."""
    for name in ("lambda_", "C"):
        if name in params:
            raise ValueError(f"a path has lambdas of its own, down to lambda_min: not {name}")


def _train(X, y, loss, params, sample_weight, settings):
    """The estimator at the last lambda, and one for each lambda, and their results."""
    kind = LinearRegressor if loss in LOSSES["numbers"] else LinearClassifier
    model = kind(loss=loss, **params)
    X, y = check_examples(model, X, y)
    weights = check_weights(sample_weight, X)
    if isinstance(model, ClassifierMixin):
        y = model._check_classes(y, weights)
        settings = settings + model._class_weights(y, weights)
        y = model._encode(y)
    models, results = [], []

    def visit(shown, result):
        one = copy.copy(model)
        one.lambda_, one.C, one.model_ = result["lambda_"], None, shown
        one._take_result(result)
        models.append(one)
        results.append(result)

    data = model._data(X, np.ascontiguousarray(y, np.float64), weights)
    own = model._settings()
    if any(name == "path" for name, _ in own):
        raise ValueError("options: the path is given by the other arguments")
    model._train(data, own + settings, visit=visit)
    for one in models:
        one.history_ = model.history_
    return model, models, results


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
        "l1", "elastic-net", or "l2", whose lambdas begin at the largest squared norm of a row.
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
    _check_params(params)
    params = {**params, "penalty": penalty, "lambda_": lambda_min}
    settings = [("path", str(n_lambdas))]
    model, models, results = _train(X, y, loss, params, sample_weight, settings)
    names = ("lambda_", "objective", "bound", "gap", "nonzeros")
    columns = [np.array([result[name] for result in results]) for name in names]
    return Path(*columns, *_weights_of(models), model)


def certified_path(
    X,
    y,
    loss="hinge",
    penalty=None,
    gap=0.01,
    lambda_max=1.0,
    lambda_min=1e-4,
    *,
    sample_weight=None,
    **params,
):
    """Trains as few models as prove that at every lambda from `lambda_max` down to `lambda_min` one
    of them has a relative gap (J - min J)/J of at most `gap`.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    loss : str, default="hinge"
        One of LinearClassifier or LinearRegressor, which says what y is.
    penalty : str, default=None
        "l2" (None), "l1", "elastic-net".
    gap : float, default=0.01
        Each model is trained to a part of it, as the solver is, or to `tol`.
    lambda_max, lambda_min : float, default=1.0, 1e-4
        The ends of the range. `lambda_max` None: where all weights are 0 (l1, elastic net), or the
        largest squared norm of a row.
    sample_weight : array of shape (n_samples,), default=None
    **params
        Further parameters of the estimator. Not every solver has such bounds for other lambdas.

    Returns
    -------
    CertifiedPath
        `at(lambda_)` is the model for a lambda.
    """
    _check_params(params)
    params = {**params, "penalty": penalty}
    text = f"certified={text_of(float(gap))}"
    if lambda_max is None:
        params["lambda_"] = lambda_min
    else:
        text += f",{text_of(float(lambda_max))},{text_of(float(lambda_min))}"
    _, models, results = _train(X, y, loss, params, sample_weight, [("path", text)])
    return CertifiedPath(float(gap), models, results)

"""What the estimators take from scikit-learn, and what stands in for it where it is not
installed."""

import inspect

import numpy as np
from scipy import sparse

REAL = (np.float64, np.float32)


def not_negative(weights):
    """The weights of the rows; a ValueError if one is below 0."""
    below = np.flatnonzero(weights < 0)
    if len(below) > 0:
        first = below[0]
        raise ValueError(f"sample_weight: that of row {first} is negative, {weights[first]:g}")
    return weights


try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.exceptions import ConvergenceWarning, NotFittedError
    from sklearn.utils import check_random_state
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, column_or_1d

    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # before 1.6

        def validate_data(estimator, *arguments, **settings):
            return estimator._validate_data(*arguments, **settings)

    _FORM = {"accept_sparse": "csr", "dtype": REAL, "order": "C"}

    def check_rows(estimator, X):
        """X as CSR or as a C-contiguous array of floats, with the features of the training."""
        return validate_data(estimator, X, reset=False, **_FORM)

    def check_examples(estimator, X, y, reset=True):
        """X as CSR or as a C-contiguous array of floats, and y as an array. RESET: the features are
        noted."""
        return validate_data(estimator, X, y, reset=reset, y_numeric=estimator._y_numeric, **_FORM)

    def check_weights(sample_weight, X):
        """Weights of the rows as an array; None without."""
        if sample_weight is None:
            return None
        return not_negative(_check_sample_weight(sample_weight, X, dtype=np.float64))

except ImportError:

    class ConvergenceWarning(UserWarning):
        """A training ended before its tolerance, or its model is poor."""

    class NotFittedError(ValueError, AttributeError):
        """The estimator is not fitted yet."""

    class BaseEstimator:
        """Parameters by name, as in scikit-learn."""

        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

        def set_params(self, **params):
            for name, value in params.items():
                if name not in self.get_params():
                    raise ValueError(f"{name!r} is no parameter of {type(self).__name__}")
                setattr(self, name, value)
            return self

        def __setstate__(self, state):
            vars(self).update(state)

        def __repr__(self):
            defaults = inspect.signature(type(self)).parameters
            given = {k: v for k, v in self.get_params().items() if v is not defaults[k].default}
            return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in given.items())})"

    class ClassifierMixin:
        _estimator_type = "classifier"

        def score(self, X, y, sample_weight=None):
            """The share of right labels."""
            return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))

    class RegressorMixin:
        _estimator_type = "regressor"

        def score(self, X, y, sample_weight=None):
            """R^2, the coefficient of determination."""
            y = np.asarray(y, dtype=float)
            mean = np.average(y, weights=sample_weight)
            rest = np.average((y - self.predict(X)) ** 2, weights=sample_weight)
            return float(1 - rest / np.average((y - mean) ** 2, weights=sample_weight))

    def check_random_state(seed):
        return seed if hasattr(seed, "randint") else np.random.RandomState(seed)

    class available_if:
        """A method that is there if the check says so of the object."""

        def __init__(self, check):
            self.check = check

        def __call__(self, function):
            self.function = function
            return self

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, instance, owner=None):
            if instance is not None and not self.check(instance):
                raise AttributeError(f"{owner.__name__!r} object has no attribute {self.name!r}")
            return self.function if instance is None else self.function.__get__(instance, owner)

    def check_classification_targets(y):
        if y.dtype.kind == "f" and not np.array_equal(y, np.floor(y)):
            raise ValueError("Unknown label type: continuous numbers are no classes")

    def column_or_1d(y, warn=False):
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y.ravel()
        if y.ndim != 1:
            raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
        return y

    def _check_matrix(X):
        if not sparse.issparse(X):
            X = np.asarray(X)
        if X.dtype.kind == "c":
            raise ValueError("Complex data not supported")
        if sparse.issparse(X):
            X = X.tocsr()
            X = X if X.dtype in REAL else X.astype(np.float64)
            values = X.data
        else:
            X = values = np.ascontiguousarray(X, X.dtype if X.dtype in REAL else np.float64)
        if X.ndim != 2 or 0 in X.shape:
            raise ValueError(f"Expected rows and columns, got an array of shape {X.shape} instead.")
        if not np.isfinite(values).all():
            raise ValueError("Input X contains NaN or infinity.")
        return X

    def check_rows(estimator, X):
        X = _check_matrix(X)
        if X.shape[1] != estimator.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting "
                f"{estimator.n_features_in_} features as input"
            )
        return X

    def check_examples(estimator, X, y, reset=True):
        X = _check_matrix(X) if reset else check_rows(estimator, X)
        if y is None:
            raise ValueError("y cannot be None")
        y = column_or_1d(y)
        if estimator._y_numeric:
            y = y.astype(np.float64)
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        if len(y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows, but y has {len(y)}")
        estimator.n_features_in_ = X.shape[1]
        return X, y

    def check_weights(sample_weight, X):
        if sample_weight is None:
            return None
        weights = np.asarray(sample_weight, np.float64)
        if weights.ndim > 0 and weights.shape != (X.shape[0],):
            raise ValueError(
                f"sample_weight has the shape {weights.shape}; X has {X.shape[0]} rows"
            )
        weights = np.broadcast_to(weights, (X.shape[0],))
        if not np.isfinite(weights).all():
            raise ValueError("Input sample_weight contains NaN or infinity.")
        return not_negative(np.ascontiguousarray(weights))


def canonical(X):
    """X with ascending columns, none twice in a row; itself if it is so."""
    if not sparse.issparse(X):
        return X
    starts, entries = X.indptr, min(len(X.indices), len(X.data))
    fit = len(starts) == X.shape[0] + 1 and starts[0] == 0 and starts[-1] <= entries
    if not fit or (starts[1:] < starts[:-1]).any():
        raise ValueError("the row starts of the sparse matrix do not fit its arrays")
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X

"""Linear models: one score, or one a class."""

import numpy as np
from scipy import sparse

from ._base import ClassifierMixin, RegressorMixin, available_if, check_examples, check_weights
from ._estimator import (
    KERNEL_MACHINES,
    KERNEL_SETTINGS,
    STREAMS,
    WITH_PROBABILITIES,
    Classes,
    Scores,
    parameters,
)


def _streams(estimator):
    return estimator.solver in STREAMS


def _with_classes(X, y, weights, classes):
    """The examples; before them a row of zeros, of weight 0, for each class that is missing."""
    missing = np.setdiff1d(classes, y)
    if len(missing) == 0:
        return X, y, weights
    if weights is None:
        weights = np.ones(len(y))
    rows = sparse.csr_matrix((len(missing), X.shape[1]), dtype=X.dtype)
    weights = np.concatenate([np.zeros(len(missing)), weights])
    return sparse.vstack([rows, X], format="csr"), np.concatenate([missing, y]), weights


def has_probabilities(estimator):
    return estimator.loss in WITH_PROBABILITIES or getattr(estimator, "probabilities", False)


class Linear:
    """What the two estimators of linear models share."""

    def _check_kernels(self, settings):
        for name, value in settings:
            if name in KERNEL_SETTINGS or (name == "solver" and value in KERNEL_MACHINES):
                own = type(self).__name__
                other = own.replace("Linear", "Kernel")
                raise ValueError(f"{own} has no {name} {value!r}; {other} has")


OF_CLASSES = {"multiclass": None, "class_weight": None, "probabilities": False}
OF_NUMBERS = {"tube": None, "huber": None, "quantile": None}


@parameters({"loss": "hinge", **OF_CLASSES})
class LinearClassifier(Linear, ClassifierMixin, Classes):
    """A linear model of classes, trained to a proved gap.

    Of two classes there is one weight vector; of more one a class, each against the rest, unless
    the loss trains them together or `multiclass` says otherwise.

    Parameters
    ----------
    loss : str, default="hinge"
        "hinge", "squared-hinge", "logistic"; for several classes together "crammer-singer",
        "softmax".
    multiclass : {"ovr", "ovo"}, default=None
        Each class against the rest, or each pair of classes.
    class_weight : dict or "balanced", default=None
        Weights of the classes' examples; "balanced" gives the classes that occur the same sum.
    probabilities : bool, default=False
        Fits sigmoids, so that predict_proba is there for every loss.
    ...
    classes_ : array of shape (n_classes,)
    coef_ : array of shape (1 or n_classes, n_features)
        Of two classes for classes_[1]; with multiclass="ovo" of the pairs, in the model's order.
    intercept_ : array of shape (1 or n_classes,)

    Examples
    --------
    >>> from librrm import LinearClassifier
    >>> model = LinearClassifier(tol=1e-6).fit([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [3.5]]).tolist()
    ['a', 'b']
    >>> model.gap_ <= 1e-6
    True
    """

    def _own_settings(self):
        return self._intercept_settings() + self._sigmoid_settings()

    def fit(self, X, y, sample_weight=None):
        """Trains.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            C-contiguous arrays and CSR matrices (int32 indices) of float64 are not copied.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        with self._unless_trained():
            X, y = check_examples(self, X, y)
            weights = check_weights(sample_weight, X)
            y = self._check_classes(y, weights)
            return self._fit_classes(X, y, weights, settings=self._class_weights(y, weights))

    @available_if(_streams)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learns more examples, each once; for the solvers of streams, "asset-on" and "asset*-on".
        Each call has an average of its own, which needs some thousand examples.

        Parameters
        ----------
        X, y, sample_weight
            As in fit.
        classes : array of shape (n_classes,)
            All classes; the first call needs them, unless its y has all.

        Returns
        -------
        self
        """
        with self._unless_trained():
            return self._learn(X, y, classes, sample_weight)

    def _learn(self, X, y, classes, sample_weight):
        first = not hasattr(self, "model_")
        X, y = check_examples(self, X, y, reset=first)
        weights = check_weights(sample_weight, X)
        if first:
            known = np.unique(y if classes is None else np.asarray(classes))
            self._check_classes(known)
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes {classes!r} are not those of before, {self.classes_!r}")
        settings = [*self._class_weights(y, weights), ("passes", "1")]
        if not first:
            return self._fit_classes(X, y, weights, settings=settings, start=self.model_)
        return self._fit_classes(*_with_classes(X, y, weights, self.classes_), settings=settings)

    @available_if(has_probabilities)
    def predict_proba(self, X):
        """The probability of each class; of the losses "logistic" and "softmax", or with
        probabilities=True.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        probabilities : array of shape (n_samples, n_classes)
        """
        return self._probabilities(self._test_data(X))

    @available_if(has_probabilities)
    def predict_log_proba(self, X):
        """The logarithms of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


@parameters({"loss": "squared", **OF_NUMBERS})
class LinearRegressor(Linear, RegressorMixin, Scores):
    """A linear model of numbers, trained to a proved gap.

    Parameters
    ----------
    loss : str, default="squared"
        "squared", "absolute", "epsilon" (support vector regression), "squared-epsilon", "huber",
        "quantile".
    tube, huber, quantile : float, default=None
        Of the losses epsilon and squared-epsilon, huber, and quantile; None: 0.1, 1 and 0.5.
    ...
    coef_ : array of shape (n_features,)
    intercept_ : float
    """

    _own_settings = Scores._intercept_settings

    def fit(self, X, y, sample_weight=None):
        """Trains.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            C-contiguous arrays and CSR matrices (int32 indices) of float64 are not copied.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        with self._unless_trained():
            X, y = check_examples(self, X, y)
            return self._fit_numbers(X, y, check_weights(sample_weight, X))

    @available_if(_streams)
    def partial_fit(self, X, y, sample_weight=None):
        """Learns more examples, each once; for the solvers "asset-on" and "asset*-on". Each call
        has an average of its own, which needs some thousand examples."""
        start = getattr(self, "model_", None)
        with self._unless_trained():
            X, y = check_examples(self, X, y, reset=start is None)
            weights = check_weights(sample_weight, X)
            return self._fit_numbers(X, y, weights, settings=[("passes", "1")], start=start)

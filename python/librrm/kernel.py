"""Kernel machines, and linear models on the features of a kernel (maps)."""

import numpy as np
from scipy import sparse

from ._base import ClassifierMixin, RegressorMixin, available_if, canonical
from ._estimator import Classes, Scores, parameters
from ._library import Data
from .linear import OF_CLASSES, OF_NUMBERS, LinearClassifier, LinearRegressor, has_probabilities

OF_KERNELS = {
    "kernel": "gaussian",
    "gamma": None,
    "sigma": None,
    "degree": None,
    "shift": None,
    "map": None,
    "landmarks": None,
    "dimension": None,
    "seeding": None,
    "basis": None,
    "basis_only": None,
}

_OF_KERNELS_DOC = """
    kernel : str, default="gaussian"
        "gaussian", exp(-gamma ||s - x||^2); "polynomial", (gamma <s,x> + shift)^degree; "sigmoid";
        "linear"; "precomputed": X has the kernel values with the training examples.
    gamma : float, default=None
        None: 1/n_features.
    sigma : float, default=None
        In place of gamma, 1/(2 sigma^2).
    degree, shift : default=None
        Of the polynomial and the sigmoid kernel; None: 3 and 0.
    map : {"nystrom", "fourier"}, default=None
        Trains a linear model on the features of landmarks, or on random features, in place of the
        kernel machine.
    landmarks, dimension : int, default=None
        How many of them; None: 512 and 1024.
    seeding : {"uniform", "kmeans++", "rpcholesky"}, default=None
        How landmarks are drawn.
    basis, basis_only : str, default=None
        Functions beside the kernel that are not regularized, such as "1,3^2": the constant and the
        square of feature 3. None: the constant, if fit_intercept."""


class _Kernel:
    """What the two estimators of kernels share."""

    _takes_dense = False

    def _kernel_settings(self):
        if self.map is not None:
            return self._intercept_settings()
        if not self.fit_intercept or self.basis is not None or self.basis_only is not None:
            return []
        return [("basis", "1")]

    def _data(self, X, labels=None, weights=None, groups=None):
        if self.kernel == "precomputed":
            if labels is not None and X.shape[0] != X.shape[1]:
                raise ValueError(f"a kernel matrix is square; X has the shape {X.shape}")
            return Data(_numbered(canonical(X)), labels, weights, groups, zero_based=True)
        return super()._data(X, labels, weights, groups)

    def _take_kind(self, info):
        super()._take_kind(info)
        self.kernel = info["kernel"] or "linear"
        if self.kernel == "precomputed":
            self.n_features_in_ -= 1  # the rows' numbers

    def _more_tags(self):
        return {"pairwise": self.kernel == "precomputed"}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def _numbered(X):
    """Rows of a kernel matrix as the library takes them: the row's number, then the values."""
    numbers = sparse.csr_matrix(np.arange(1, X.shape[0] + 1, dtype=X.dtype)[:, None])
    return sparse.hstack([numbers, X], format="csr")


@parameters({"loss": "hinge", **OF_KERNELS, **OF_CLASSES}, _OF_KERNELS_DOC)
class KernelClassifier(_Kernel, ClassifierMixin, Classes):
    """A kernel machine of classes, trained to a proved gap.

    Several classes are trained in pairs, as in LIBSVM, unless `multiclass` says otherwise.

    Parameters
    ----------
    loss : str, default="hinge"
        Of kernel machines "hinge" and "nu-hinge" (nu: options={"nu": 0.3}); with a map every loss
        of LinearClassifier.
    ++
    multiclass : {"ovo", "ovr"}, default=None
    class_weight : dict or "balanced", default=None
    probabilities : bool, default=False
        Fits sigmoids for predict_proba.
    ...
    classes_ : array of shape (n_classes,)
    dual_coef_ : array of shape (n_vectors, n_units)
        Weights of the support vectors (landmarks, random features), then of the constants and the
        basis functions. With kernel="linear" there are coef_ and intercept_ in their place.
    """

    _losses_of = ("classes", "kernel machines of classes")

    def _own_settings(self):
        return self._kernel_settings() + self._sigmoid_settings()

    fit = LinearClassifier.fit

    @available_if(has_probabilities)
    def predict_proba(self, X):
        """The probability of each class; with probabilities=True, or a map and "logistic"."""
        return self._probabilities(self._test_data(X))

    @available_if(has_probabilities)
    def predict_log_proba(self, X):
        """The logarithms of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


@parameters({"loss": "epsilon", **OF_KERNELS, **OF_NUMBERS}, _OF_KERNELS_DOC)
class KernelRegressor(_Kernel, RegressorMixin, Scores):
    """A kernel machine of numbers, trained to a proved gap.

    Parameters
    ----------
    loss : str, default="epsilon"
        "epsilon" is support vector regression. Of kernel machines "absolute" and "quantile", too;
        with a map every loss of LinearRegressor.
    tube, huber, quantile : float, default=None
        Of the losses epsilon, huber and quantile; None: 0.1, 1 and 0.5.
    ++
    ...
    dual_coef_ : array of shape (1, n_units)
        Weights of the support vectors (landmarks, random features), then of the constants and the
        basis functions. With kernel="linear" there are coef_ and intercept_ in their place.
    """

    _losses_of = ("numbers", "kernel machines of numbers")
    _own_settings = _Kernel._kernel_settings

    fit = LinearRegressor.fit

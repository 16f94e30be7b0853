"""What all estimators share: from parameters to settings, from a result to attributes."""

import contextlib
import inspect
import os
import sys
import warnings

import numpy as np
from scipy import sparse

from ._base import (
    BaseEstimator,
    ConvergenceWarning,
    NotFittedError,
    canonical,
    check_classification_targets,
    check_random_state,
    check_rows,
    column_or_1d,
)
from ._library import Data, Model, Parts, train

# What a parameter is called among the settings, the command line's long options.
SETTINGS = {
    "loss": "loss",
    "penalty": "regularizer",
    "solver": "solver",
    "lambda_": "lambda",
    "C": "cost",
    "tol": "epsilon",
    "passes": "passes",
    "time_limit": "time-limit",
    "elastic": "elastic",
    "tube": "tube",
    "quantile": "quantile",
    "huber": "huber",
    "multiclass": "multiclass",
    "at": "at",
    "kernel": "kernel",
    "gamma": "gamma-kernel",
    "sigma": "sigma",
    "degree": "degree",
    "shift": "shift",
    "map": "map",
    "landmarks": "landmarks",
    "dimension": "dimension",
    "seeding": "seeding",
    "basis": "basis",
    "basis_only": "basis-only",
    "places": "places",
    "state_features": "state-features",
}

# Solvers of streams, which go on from the model before.
STREAMS = ("asset-on", "asset*-on")

# What makes a model of a kernel.
KERNEL_MACHINES = ("smo", "pdsg", "mpd")
KERNEL_SETTINGS = ("kernel", "map", "basis", "basis-only")

# Losses whose models give probabilities without sigmoids.
WITH_PROBABILITIES = ("logistic", "softmax", "crf")

# What the losses are of; those of kernel machines have no linear models.
LOSSES = {
    "classes": (
        *("hinge", "squared-hinge", "logistic", "crammer-singer", "softmax", "boost"),
    ),
    "measures of two classes": ("f1", "precision", "prbep", "rocarea"),
    "numbers": ("squared", "absolute", "epsilon", "squared-epsilon", "huber", "quantile"),
    "rankings": ("pairwise", "ndcg"),
    "sequences": ("crf", "m3n"),
    "kernel machines of classes": ("nu-hinge",),
    "kernel machines of numbers": ("nu-epsilon",),
    "kernel machines without labels": ("one-class",),
    "RNA": ("rna",),
}


# The parameters that all estimators have, with their defaults.
SHARED = {
    "penalty": None,
    "solver": None,
    "lambda_": None,
    "C": None,
    "tol": None,
    "passes": None,
    "fit_intercept": True,
    "warm_start": False,
    "n_jobs": None,
    "random_state": None,
    "time_limit": None,
    "verbose": 0,
    "options": None,
}

_SHARED_DOC = """
    penalty : str, default=None
        The regularizer Omega: "l2" (None), "l1", "elastic-net", "entropy", "simplex".
    solver : str, default=None
        One of docs/solvers.md; None: chosen by loss, penalty and data.
    lambda_ : float, default=None
        Regularization: J(w) = lambda Omega(w) + the mean loss; None: 1e-4.
    C : float, default=None
        In place of lambda_: lambda = 1/(C n_samples), or 1/(C times the sum of the weights).
    tol : float, default=None
        Training ends when the certified gap (J - bound)/J is at most this; None: the solver's,
        mostly 1e-3.
    passes : float, default=None
        At most so many passes over the data.
    fit_intercept : bool or "free", default=True
        True: a constant feature 1, regularized like the others; "free": an offset that is not
        regularized, if the solver has one; asset-on has only this, asset*-on no constant at all.
    warm_start : bool, default=False
        Whether fit begins with the weights of the fit before.
    n_jobs : int, default=None
        Threads; None is 1, -1 all processors. The model does not depend on it.
    random_state : int, RandomState instance or None, default=None
        The seed; None: 1, so that the same data give the same model.
    time_limit : float, default=None
        At most so many seconds.
    verbose : int, default=0
        Above 0: prints a line about once a pass.
    options : dict, default=None
        Further settings by the names of the command line's long options: {"elastic": 0.5}, the
        share of the squared norm; a flag has the value True.

    Attributes
    ----------
    objective_, lower_bound_, gap_ : float
        J, a proved lower bound of the least J, and (J - bound)/J. Of several trainings (one a class
        or a pair) the sums, and the largest of the gaps.
    n_passes_ : float
        Passes over the data.
    status_ : str
        "converged", "limit", "interrupted" or "settled".
    solver_ : str
        What trained.
    trained_lambda_ : float
        The lambda of the model: that of C, or the one that a search chose or a path reached.
    history_ : dict of arrays
        How the training went: "title", "seconds", "passes", "iteration", "objective", "bound",
        "nonzeros".
    n_features_in_ : int
        Features of the training data."""


def parameters(own, document=""):
    """A class decorator: makes __init__ of a dict {name: default} of parameters and the shared
    ones, and puts their description into the docstring, at "++" and at "..."."""
    kinds = inspect.Parameter
    listed = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
    listed += [kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=own[name]) for name in own]
    listed += [kinds(name, kinds.KEYWORD_ONLY, default=SHARED[name]) for name in SHARED]
    signature = inspect.Signature(listed)

    def decorate(cls):
        def __init__(self, *arguments, **given):
            bound = signature.bind(self, *arguments, **given)
            bound.apply_defaults()
            for name, value in list(bound.arguments.items())[1:]:
                setattr(self, name, value)

        __init__.__signature__ = signature
        __init__.__qualname__ = f"{cls.__name__}.__init__"
        cls.__init__ = __init__
        cls.__doc__ = cls.__doc__.replace("\n    ++", document).replace("\n    ...", _SHARED_DOC)
        return cls

    return decorate


def text_of(value):
    """A number or a word as a setting has it; the same number is read from it."""
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def _is_flag(value):
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, int) and value in (0, 1))


def _is_word(value, word):
    return isinstance(value, str) and value == word


class History:
    """Collects how a training stands, and prints it if asked to."""

    FIELDS = ("title", "seconds", "passes", "iteration", "objective", "bound", "nonzeros")

    def __init__(self, verbose):
        self.verbose = verbose
        self.rows = []

    def __call__(self, now):
        self.rows.append([now[name] for name in self.FIELDS])
        if self.verbose > 0:
            title = now["title"] + ": " if now["title"] else ""
            print(
                f"{title}{now['seconds']:.2f} s, pass {now['passes']:g}, "
                f"objective {now['objective']:.10g}, bound {now['bound']:.10g}",
                flush=True,
            )

    def arrays(self):
        columns = list(zip(*self.rows)) if self.rows else [()] * len(self.FIELDS)
        return {name: np.array(column) for name, column in zip(self.FIELDS, columns)}


def _frames_of_package():
    """How many calls of this package lead here: the next one is the user's."""
    folder, count, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        count, frame = count + 1, frame.f_back
    return count


class Estimator(BaseEstimator):
    """Trains by the library, and keeps its model."""

    _y_numeric = True
    _takes_dense = True  # else arrays become CSR
    _losses_of = ("numbers",)  # among LOSSES

    # ---- settings

    def _own_settings(self):
        """What a kind of estimator adds; a list of (name, text)."""
        return []

    def _check_loss(self):
        """That the loss is none of another kind; the library knows whether it is one at all."""
        loss = self.loss or "hinge"
        for kind, losses in LOSSES.items():
            if loss in losses and kind not in self._losses_of:
                raise ValueError(f"{type(self).__name__} has no loss {loss!r}, which is for {kind}")

    def _check_flags(self):
        if not _is_flag(self.fit_intercept) and not _is_word(self.fit_intercept, "free"):
            raise ValueError(f'fit_intercept={self.fit_intercept!r}: True, False or "free"')
        for name in ("warm_start", "probabilities"):
            value = getattr(self, name, False)
            if not _is_flag(value):
                raise ValueError(f"{name}={value!r}: True or False")
        if not isinstance(self.verbose, (bool, int, np.integer)):
            raise ValueError(f"verbose={self.verbose!r}: a whole number is expected")

    def _check_option(self, name):
        """That a setting is not given twice."""
        if name == "loss":  # another kind of loss needs another estimator
            raise ValueError("options: the loss is a parameter of the estimator")
        if name == "threads":
            raise ValueError("options: threads are the parameter n_jobs")
        for parameter, setting in SETTINGS.items():
            if name == setting and getattr(self, parameter, None) is not None:
                raise ValueError(f"options: {name!r} is given by the parameter {parameter}, too")

    def _check_kernels(self, settings):
        """Raises ValueError if the settings ask for what the estimator has no attributes for."""

    def _settings(self):
        self._check_loss()
        self._check_flags()
        params = self.get_params(deep=False)
        settings = [
            (SETTINGS[name], text_of(value))
            for name, value in params.items()
            if name in SETTINGS and value is not None
        ]
        if self.random_state is not None:
            settings.append(("seed", str(self._seed())))
        settings += self._own_settings()
        if not isinstance(self.options, (dict, type(None))):
            raise ValueError(f"options={self.options!r}: a dict of names and values is expected")
        for name, value in (self.options or {}).items():
            if not isinstance(name, str):
                raise ValueError(f"options: the name {name!r} is no text")
            name = name.replace("_", "-")
            self._check_option(name)
            if value is not None and value is not False:
                settings.append((name, None if value is True else text_of(value)))
        self._check_kernels(settings)
        return settings

    def _seed(self):
        if isinstance(self.random_state, (int, np.integer)):
            if self.random_state < 0:
                raise ValueError(f"random_state {self.random_state} is negative")
            return int(self.random_state)
        return check_random_state(self.random_state).randint(2**31 - 1)

    def _intercept_settings(self):
        if isinstance(self.fit_intercept, str):
            return [("intercept", None)]
        if not self.fit_intercept:
            return []
        return [("intercept", None)] if self.solver == "asset-on" else [("bias", "1")]

    # ---- data

    def _data(self, X, labels=None, weights=None, groups=None):
        """Lends the library the rows and what belongs to them."""
        X = canonical(X)
        if not self._takes_dense and not sparse.issparse(X):
            X = sparse.csr_matrix(X)
        return Data(X, labels, weights, groups)

    def _test_data(self, X):
        self._check_fitted()
        rows = check_rows(self, X)
        groups = self._test_groups(rows.shape[0])
        if rows.dtype == np.float32 and groups is None and self._takes_dense:
            return Parts(canonical(rows))
        return self._data(rows, groups=groups)

    def _test_groups(self, rows):
        """The groups of rows that are predicted, where the model wants some."""
        return None

    def _check_fitted(self):
        if not hasattr(self, "model_"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )

    # ---- training

    @contextlib.contextmanager
    def _unless_trained(self):
        """Within it a failure leaves the estimator as it was, unless there is a new model: classes
        and features of the new data would not be those of the model before."""
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            if getattr(self, "model_", None) is before.get("model_"):
                vars(self).clear()
                vars(self).update(before)
            raise

    def _train(self, data, settings, start=None, visit=None):
        """Trains and takes the model and the result; warns with the library's words."""
        history = History(self.verbose)
        if start is None and self.warm_start and visit is None:
            start = self._start(data)
        self.model_, result = train(data, settings, start, history, visit, self.n_jobs)
        self.history_ = history.arrays()
        self._take_result(result)
        for text in result["warning"]:
            warnings.warn(text, ConvergenceWarning, stacklevel=_frames_of_package())
        if result["ctrl_c"]:
            raise KeyboardInterrupt
        return self

    def _start(self, data):
        """The model before, for a warm start; None without."""
        model = getattr(self, "model_", None)
        if model is None or self.solver not in STREAMS:
            return model
        before, now = model.describe()["features"], data.info().features
        if now < before:  # a stream keeps the features that it knows
            raise ValueError(f"warm_start: X has {now} features, the model before has {before}")
        return model

    def _take_result(self, result):
        """How the training of model_ ended, and its weights."""
        self.objective_ = result["objective"]
        self.lower_bound_ = result["bound"]
        self.gap_ = result["gap"]
        self.n_passes_ = result["passes"]
        self.status_ = result["status"]
        self.solver_ = result["solver"]
        self.trained_lambda_ = result["lambda_"]
        self._take_weights(self.model_.describe())

    def _take_weights(self, info):
        """Sets coef_, intercept_ and the like from the model's description; none can be written."""
        for name in ("coef_", "intercept_", "dual_coef_"):
            vars(self).pop(name, None)
        weight, features = info["weight"], info["features"]
        if info["kernel"] is not None:
            self.dual_coef_ = weight
            return
        constant = np.zeros(info["vectors"])
        if len(weight):
            rest = weight[:, features:]
            if info["bias"] >= 0:
                constant += rest[:, 0] * info["bias"]
            if info["intercept"]:
                constant += rest[:, -1]
            weight = weight[:, :features]
        self._set_weights(weight, constant, info)
        for name in ("coef_", "intercept_", "transitions_"):
            if isinstance(getattr(self, name, None), np.ndarray):
                getattr(self, name).flags.writeable = False

    def __setstate__(self, state):
        super().__setstate__(state)
        if hasattr(self, "model_"):  # views of the model that was read
            self._take_weights(self.model_.describe())

    # ---- files

    def save(self, path):
        """Writes the model as text, as librrm-train does; librrm-predict reads it.

        Parameters
        ----------
        path : str or path
            The file is replaced whole or not at all.
        """
        self._check_fitted()
        self.model_.write(os.fspath(path))

    @classmethod
    def load(cls, path, **params):
        """An estimator with the model of a file, of librrm, LIBLINEAR or LIBSVM.

        Parameters
        ----------
        path : str or path
        **params
            Parameters of the estimator. The loss, the kernel and whether there are probabilities
            are the model's.
        """
        model = Model.read(os.fspath(path))
        info = model.describe()
        self = cls(**params)
        self.loss = info["loss"]
        self._check_loss()
        self._check_kernels([("kernel", info["kernel"])] if info["kernel"] else [])
        self.model_ = model
        if not info["hash"]:  # else names of any number of features are hashed
            self.n_features_in_ = info["features"]
        self._take_kind(info)
        self._take_labels(info)
        self._take_weights(info)
        return self

    def _take_kind(self, info):
        """Sets parameters from a model that was read."""
        if hasattr(self, "probabilities"):
            fitted = info["probabilities"] and info["loss"] not in WITH_PROBABILITIES
            self.probabilities = bool(fitted)

    def _take_labels(self, info):
        """Sets classes_ from a model that was read."""

    # ---- what scikit-learn asks; before 1.6 and since

    def _more_tags(self):
        return {"requires_y": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")


class Scores(Estimator):
    """Predicts numbers."""

    def _set_weights(self, weight, constant, info):
        self.coef_ = weight[0]
        self.intercept_ = float(constant[0])

    def _fit_numbers(self, X, y, weights=None, groups=None, settings=(), start=None):
        data = self._data(X, np.ascontiguousarray(y, np.float64), weights, groups)
        return self._train(data, [*self._settings(), *settings], start)

    def predict(self, X):
        """The scores of the rows.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        scores : array of shape (n_samples,)
        """
        data = self._test_data(X)
        return self.model_.predict(data, self.n_jobs)


class Classes(Estimator):
    """Predicts labels of any type. Numbers are the model's labels; others are numbered from 0."""

    _y_numeric = False
    _losses_of = ("classes",)

    def _set_weights(self, weight, constant, info):
        if not info["pairs"]:
            weight = self._of_vectors(weight, info)
            constant = self._of_vectors(constant[:, None], info)[:, 0]
        self.coef_, self.intercept_ = weight, constant

    def _of_vectors(self, values, info):
        """What belongs to the model's vectors, one a row, in the order of classes_; of two classes
        one row, for classes_[1]."""
        if info["vectors"] == 1:
            return values if info["label"][0] == self._labels[1] else -values
        order = np.argsort(info["label"], kind="stable")
        if not np.array_equal(order, np.arange(len(order))):  # else no copy of the weights
            values = values[order]
        return values[1:] - values[:1] if len(self.classes_) == 2 else values

    def _take_labels(self, info):
        self._labels = np.sort(info["label"])
        whole = self._labels == np.floor(self._labels)
        self.classes_ = self._labels.astype(np.int64) if whole.all() else self._labels.copy()

    def _set_classes(self, classes):
        """Numbers the classes, which ascend."""
        self.classes_ = classes
        if classes.dtype.kind in "iuf":
            self._labels = classes.astype(np.float64)
            if len(np.unique(self._labels)) == len(classes):
                return
        self._labels = np.arange(len(classes), dtype=np.float64)

    def _encode(self, y):
        """The model's labels of y, whose values are among classes_."""
        index = np.searchsorted(self.classes_, y)
        index[index == len(self.classes_)] = 0
        if not np.array_equal(self.classes_[index], y):
            raise ValueError("y has labels that are not among the classes")
        if y.dtype == np.float64 and np.array_equal(self._labels, self.classes_):
            return np.ascontiguousarray(y)
        return self._labels[index]

    def _check_classes(self, y, weights=None):
        """y as one array, with classes_ set; at least two classes have a weight."""
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        classes = np.unique(y)
        self._check_counted(classes if weights is None else np.unique(y[weights > 0]), classes)
        if self.warm_start and self.solver in STREAMS and hasattr(self, "model_"):
            if not np.array_equal(classes, self.classes_):
                raise ValueError("warm_start: the labels of y are not those of the model before")
        self._set_classes(classes)
        return y

    def _check_counted(self, counted, classes):
        """That two of the classes count."""
        if len(counted) >= 2:
            return
        kind = "1 class" if len(counted) == 1 else "no class"
        some = "" if len(classes) < 2 else " with a weight above 0"
        raise ValueError(f"{type(self).__name__} needs at least 2 classes; y has {kind}{some}")

    def _class_weights(self, y, weights):
        """Settings of class_weight: a dict by label, or "balanced": n / (classes * examples of the
        class), of the classes that occur; examples count by their weights."""
        if self.class_weight is None:
            return []
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise ValueError(f'class_weight={self.class_weight!r}: a dict, "balanced" or None')
            counts = np.array([np.sum(y == c, dtype=float) for c in self.classes_])
            if weights is not None:
                counts = np.array([weights[y == c].sum() for c in self.classes_])
            found = counts > 0
            each = counts.sum() / found.sum()
            pairs = zip(self._labels[found], each / counts[found])
        elif not isinstance(self.class_weight, dict):
            raise ValueError(f'class_weight={self.class_weight!r}: a dict, "balanced" or None')
        else:
            known = dict(zip(self.classes_.tolist(), self._labels))
            unknown = [c for c in self.class_weight if c not in known]
            # A fold may lack a class.
            if unknown and any(c not in self.class_weight for c in known):
                raise ValueError(f"class_weight: no sample has a label of {unknown}")
            pairs = [(known[c], _number(w)) for c, w in self.class_weight.items() if c in known]
            without = {label for label, weight in pairs if weight == 0}
            counted = [c for c, label in known.items() if label not in without]
            self._check_counted(counted, self.classes_)
        return [("class-weight", f"{label:.17g}={weight:.17g}") for label, weight in pairs]

    def _sigmoid_settings(self):
        """What predict_proba needs, if the loss has no probabilities of its own."""
        fitted = getattr(self, "probabilities", False) and self.loss not in WITH_PROBABILITIES
        return [("probabilities", "1")] if fitted else []

    def _fit_classes(self, X, y, weights=None, groups=None, settings=(), start=None):
        data = self._data(X, self._encode(y), weights, groups)
        settings = [*self._settings(), *settings]
        if len(self.classes_) > 2 and any(name == "positive" for name, _ in settings):
            raise ValueError("options: positive is for two classes; or give y as y == label")
        return self._train(data, settings, start)

    def _decode(self, labels):
        return self.classes_[np.searchsorted(self._labels, labels)]

    def predict(self, X):
        """The label of each row.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        labels : array of shape (n_samples,)
        """
        data = self._test_data(X)
        return self._decode(self.model_.predict(data, self.n_jobs))

    def _of_classes(self, values, labels, missing):
        """Columns of these labels in the order of classes_; other classes get `missing`."""
        out = np.full((len(values), len(self.classes_)), missing)
        out[:, np.searchsorted(self._labels, labels)] = values
        return out

    def _scores(self, data):
        info = self.model_.describe()
        scores = self.model_.predict(data, self.n_jobs, scores=True)
        if len(self.classes_) == 2:
            return self._of_vectors(scores.T, info)[0]
        if not info["pairs"]:
            return self._of_classes(scores, info["label"], -np.inf)
        votes = self._of_classes(_votes(scores, len(info["label"])), info["label"], -np.inf)
        _lead(votes, np.searchsorted(self._labels, self.model_.predict(data, self.n_jobs)))
        return votes

    def decision_function(self, X):
        """How sure each row belongs to a class.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        scores : array of shape (n_samples,) or (n_samples, n_classes)
            Of two classes one score: above 0 it is classes_[1]. Of pairs
            (one-vs-one) they are votes, with the scores as fractions.
        """
        return self._scores(self._test_data(X))

    def _probabilities(self, data):
        info = self.model_.describe()
        if self._sigmoid_settings() and not info["probabilities"]:
            raise ValueError(
                "the model has no probabilities: its training ended before they were fitted"
            )
        values = self.model_.predict(data, self.n_jobs, probabilities=True)
        return self._of_classes(values, info["label"], 0.0)


def _number(weight):
    try:
        return float(weight)
    except TypeError:
        raise ValueError(f"class_weight: {weight!r} is no number") from None


def _votes(scores, count):
    """Of pairs (0,1), (0,2), ..., (1,2), ...: votes of each label; its scores are fractions."""
    votes = np.zeros((len(scores), count))
    sums = np.zeros((len(scores), count))
    first, second = np.triu_indices(count, 1)
    for k, (i, j) in enumerate(zip(first, second)):
        won = scores[:, k] > 0
        votes[:, i] += won
        votes[:, j] += ~won
        sums[:, i] += scores[:, k]
        sums[:, j] -= scores[:, k]
    return votes + sums / (3 * (np.abs(sums) + 1))


def _lead(votes, best):
    """The predicted class, which the model's rule for equal votes chose, gets the largest value."""
    rows = np.arange(len(votes))
    largest = votes.max(axis=1)
    behind = votes[rows, best] < largest
    votes[rows[behind], best[behind]] = np.nextafter(largest[behind], np.inf)

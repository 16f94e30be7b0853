"""Losses of many rows at once: rankings, label sequences, measures of all predictions."""

import numpy as np
from scipy import sparse

from ._base import ClassifierMixin, available_if, check_examples, check_rows, column_or_1d
from ._estimator import Classes, Scores, parameters


def _group_numbers(groups, rows):
    """The group of each row: whole numbers are kept, others numbered. None: one group."""
    if groups is None:
        return np.zeros(rows, np.int64)
    groups = np.asarray(groups)
    if groups.shape != (rows,):
        raise ValueError(f"groups has the shape {groups.shape}; there are {rows} rows")
    if groups.dtype.kind == "f" and np.isnan(groups).any():
        raise ValueError("groups contains NaN")
    if groups.dtype.kind in "iu":
        return np.ascontiguousarray(groups, np.int64)
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)


@parameters({"loss": "pairwise", "at": None, "places": None})
class Ranker(Scores):
    """A linear model that ranks the rows of each group (query).

    Parameters
    ----------
    loss : {"pairwise", "ndcg"}, default="pairwise"
    at : int, default=None
        The loss ndcg looks at so many places; None: 10.
    places : {"grades", "root"}, default=None
        Of the loss ndcg; see docs/losses.md.
    ...
    coef_ : array of shape (n_features,)
    intercept_ : float
    """

    _losses_of = ("rankings",)

    def _own_settings(self):  # a constant changes no order
        return self._intercept_settings() if isinstance(self.fit_intercept, str) else []

    def _test_groups(self, rows):
        return np.zeros(rows, np.int64)  # scores do not depend on them

    def fit(self, X, y, groups=None):
        """Trains.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            The grades; larger is better.
        groups : array of shape (n_samples,), default=None
            The group of each row; the rows of a group stand together. None: all rows are one group.

        Returns
        -------
        self
        """
        with self._unless_trained():
            X, y = check_examples(self, X, y)
            if len(y) == 1:
                raise ValueError("a ranking needs at least 2 samples; there is 1 sample")
            return self._fit_numbers(X, y, groups=_group_numbers(groups, X.shape[0]))

    def measures(self, X, y, groups=None):
        """NDCG, MAP and the like of the scores, as librrm-predict prints them: {name: value}."""
        self._check_fitted()
        X = check_rows(self, X)
        y = np.ascontiguousarray(y, np.float64)
        if y.shape != (X.shape[0],):
            raise ValueError(f"y has the shape {y.shape}; there are {X.shape[0]} rows")
        if not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        data = self._data(X, y, groups=_group_numbers(groups, X.shape[0]))
        return self.model_.measures(data, self.n_jobs)

    def score(self, X, y, groups=None):
        """NDCG@10, the mean of the groups; of grades from 0 to 30."""
        measures = self.measures(X, y, groups)
        if "NDCG@10" not in measures:
            raise ValueError("score: NDCG@10 needs grades from 0 to 30; measures() has others")
        return measures["NDCG@10"]


def _is_list(X):
    """Whether X is a list of sequences, and not rows."""
    listed = isinstance(X, (list, tuple)) or (isinstance(X, np.ndarray) and X.dtype == object)
    return listed and len(X) > 0 and (sparse.issparse(X[0]) or np.ndim(X[0]) == 2)


def _joined(X, y, lengths):
    """(rows, labels or None, lengths) of a list of sequences, or of all rows with lengths."""
    if not _is_list(X):
        return X, y, lengths
    if lengths is not None:
        raise ValueError("lengths are for one matrix of all sequences; X is a list of them")
    X = [one if sparse.issparse(one) else np.asarray(one) for one in X]
    lengths = [one.shape[0] for one in X]
    if y is not None:
        y = [np.asarray(one) for one in y]
        if [one.shape for one in y] != [(length,) for length in lengths]:
            raise ValueError("y is a list of arrays with the lengths of the sequences of X")
        y = np.concatenate(y)
    if any(sparse.issparse(one) for one in X):
        return sparse.vstack(X, format="csr"), y, lengths
    return np.concatenate(X), y, lengths


def _sequence_numbers(lengths, rows):
    """The sequence of each row; lengths of None: each row is one of its own."""
    if lengths is None:
        return np.arange(rows, dtype=np.int64)
    lengths = np.asarray(lengths)
    whole = lengths.ndim == 1 and lengths.dtype.kind in "iu"
    # The sum of larger ones might overflow.
    if not whole or ((lengths < 0) | (lengths > rows)).any() or lengths.sum() != rows:
        raise ValueError(f"lengths are whole numbers whose sum is {rows}, the number of rows")
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths.astype(np.int64))


def _is_crf(estimator):
    return estimator.loss == "crf"


@parameters({"loss": "crf", "state_features": None})
class SequenceTagger(ClassifierMixin, Classes):
    """Labels the elements of sequences, by a CRF or a maximum-margin Markov network.

    X is a list of arrays or sparse matrices, one a sequence, and y a list of label arrays; or X is
    one matrix of all rows, and `lengths` says how many rows each sequence has. Without lengths each
    row is a sequence of its own.

    Parameters
    ----------
    loss : {"crf", "m3n"}, default="crf"
    state_features : {"all", "attested"}, default=None
        Which pairs of a feature and a label have a weight.
    ...
    classes_ : array of shape (n_classes,)
    coef_ : array of shape (n_classes, n_features)
    intercept_ : array of shape (n_classes,)
    transitions_ : array of shape (n_classes, n_classes)
        Weights of a label (row) before another (column).
    """

    _losses_of = ("sequences",)

    def _own_settings(self):
        return self._intercept_settings()

    def _set_weights(self, weight, constant, info):
        order = np.argsort(info["label"], kind="stable")
        self.coef_, self.intercept_ = weight[order], constant[order]
        self.transitions_ = info["shared"].reshape(len(order), -1)[np.ix_(order, order)]

    def fit(self, X, y, lengths=None):
        """Trains.

        Parameters
        ----------
        X : list of matrices of shape (length, n_features), or one of shape (n_samples, n_features)
        y : list of arrays of shape (length,), or one of shape (n_samples,)
        lengths : array of shape (n_sequences,), default=None
            Of one matrix.

        Returns
        -------
        self
        """
        X, y, lengths = _joined(X, y, lengths)
        with self._unless_trained():
            X, y = check_examples(self, X, y)
            y = self._check_classes(y)
            return self._fit_classes(X, y, groups=_sequence_numbers(lengths, X.shape[0]))

    def _of_sequences(self, X, lengths, compute):
        """What `compute` makes of the rows; of a list of sequences a list."""
        self._check_fitted()
        rows, _, counts = _joined(X, None, lengths)
        rows = check_rows(self, rows)
        out = compute(self._data(rows, groups=_sequence_numbers(counts, rows.shape[0])))
        return np.split(out, np.cumsum(counts)[:-1]) if _is_list(X) else out

    def predict(self, X, lengths=None):
        """The most probable labels of each sequence: of a list a list, else one array."""
        return self._of_sequences(
            X, lengths, lambda data: self._decode(self.model_.predict(data, self.n_jobs))
        )

    def decision_function(self, X, lengths=None):
        """The scores of each row without the transitions; of two classes their difference."""

        def compute(data):
            info = self.model_.describe()
            scores = self.model_.predict(data, self.n_jobs, scores=True)
            scores = self._of_classes(scores, info["label"], -np.inf)
            return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

        return self._of_sequences(X, lengths, compute)

    @available_if(_is_crf)
    def predict_proba(self, X, lengths=None):
        """The probability of each class at each row, all else being summed over."""
        return self._of_sequences(X, lengths, self._probabilities)

    def score(self, X, y, lengths=None):
        """The share of rows with the right label."""
        rows, y, counts = _joined(X, y, lengths)
        y = column_or_1d(y)
        found = self.predict(rows, counts)
        if len(y) != len(found):
            raise ValueError(f"y has {len(y)} labels; there are {len(found)} rows")
        return float(np.mean(found == y))


@parameters({"loss": "f1", "at": None})
class MultivariateClassifier(ClassifierMixin, Classes):
    """A linear model of two classes for a measure of all predictions together.

    Parameters
    ----------
    loss : {"f1", "precision", "prbep", "rocarea"}, default="f1"
    at : int, default=None
        The loss precision looks at so many examples; None: as many as are positive.
    ...
    classes_ : array of shape (2,)
        classes_[1] is the positive one.
    coef_ : array of shape (1, n_features)
    intercept_ : array of shape (1,)
    """

    _losses_of = ("measures of two classes",)

    def _own_settings(self):  # but for f1, scores are compared with each other, without constants
        own = self.loss == "f1" or isinstance(self.fit_intercept, str)
        return self._intercept_settings() if own else []

    def fit(self, X, y):
        """Trains.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)

        Returns
        -------
        self
        """
        with self._unless_trained():
            X, y = check_examples(self, X, y)
            y = self._check_classes(y)
            if len(self.classes_) > 2:
                raise ValueError(
                    "Only binary classification is supported. The type of the target is multiclass."
                )
            return self._fit_classes(X, y)

    def _more_tags(self):
        return {"binary_only": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

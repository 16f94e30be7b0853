"""The conventions of scikit-learn, by its own checks, and its tools over these estimators."""

import pickle
import unittest

import numpy as np
from common import Test, sample

from librrm import (
    KernelClassifier,
    KernelRegressor,
    LinearClassifier,
    LinearRegressor,
    MultivariateClassifier,
    Ranker,
    SequenceTagger,
)

try:
    import sklearn
except ImportError:
    sklearn = None

# The checks compare models of the rows in another order to seven digits.
CHECKED = [
    LinearClassifier(),
    LinearClassifier("logistic"),
    LinearClassifier("softmax"),
    LinearClassifier(multiclass="ovo"),
    LinearRegressor(),
    LinearRegressor("huber"),
    KernelClassifier(),
    KernelRegressor(),
    Ranker(),
    SequenceTagger(),
    MultivariateClassifier(),
]


@unittest.skipIf(sklearn is None, "scikit-learn is not installed")
class Conventions(Test):
    def test_check_estimator(self):
        from sklearn.utils.estimator_checks import check_estimator

        for estimator in CHECKED:
            with self.subTest(estimator=estimator):
                check_estimator(estimator)

    def test_tags_of_later_versions(self):
        from types import SimpleNamespace
        from unittest.mock import patch

        from sklearn.base import BaseEstimator

        def tags(self):  # the defaults of scikit-learn 1.6
            return SimpleNamespace(
                input_tags=SimpleNamespace(sparse=False, pairwise=False),
                target_tags=SimpleNamespace(required=False),
                classifier_tags=SimpleNamespace(multi_class=True),
            )

        if hasattr(BaseEstimator, "__sklearn_tags__"):
            self.skipTest("check_estimator looks at them")
        with patch.object(BaseEstimator, "__sklearn_tags__", tags, create=True):
            for estimator in CHECKED:
                said = estimator.__sklearn_tags__()
                self.assertTrue(said.input_tags.sparse and said.target_tags.required, estimator)
                several = not isinstance(estimator, MultivariateClassifier)
                self.assertEqual(said.classifier_tags.multi_class, several)
            said = KernelClassifier(kernel="precomputed").__sklearn_tags__()
            self.assertTrue(said.input_tags.pairwise)

    def test_pipelines_and_searches(self):
        from sklearn.base import clone
        from sklearn.model_selection import GridSearchCV, cross_val_score
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MaxAbsScaler

        X, y = sample("three.train")
        pipe = make_pipeline(MaxAbsScaler(), LinearClassifier(n_jobs=1))
        grid = {"linearclassifier__C": [0.01, 1.0], "linearclassifier__loss": ["hinge", "logistic"]}
        from joblib import parallel_backend

        with parallel_backend("threading"):
            search = GridSearchCV(pipe, grid, cv=3, n_jobs=2).fit(X, y)
        self.assertGreater(search.best_score_, 0.8)
        again = pickle.loads(pickle.dumps(search))
        np.testing.assert_array_equal(again.predict(X), search.predict(X))
        model = clone(LinearClassifier(class_weight={1: 2}, options={"threads": 1}))
        self.assertEqual(model.class_weight, {1: 2})
        self.assertFalse(hasattr(model, "model_"))
        X, y = sample("line.train")
        self.assertGreater(cross_val_score(LinearRegressor(), X, y, cv=3).mean(), 0.1)

    def test_calibration(self):
        from sklearn.calibration import CalibratedClassifierCV

        X, y = sample("blobs.train")
        given = CalibratedClassifierCV(LinearClassifier(), cv=3).fit(X, y).predict_proba(X)
        own = LinearClassifier(probabilities=True).fit(X, y).predict_proba(X)
        self.assertLess(np.abs(given - own).mean(), 0.05)

    def test_joblib(self):
        from joblib import Parallel, delayed

        X, y = sample("blobs.train")
        models = [LinearClassifier(C=c) for c in (0.1, 1.0)]
        there = Parallel(n_jobs=2, prefer="threads")(delayed(m.fit)(X, y) for m in models)
        for model, other in zip(models, there):
            np.testing.assert_array_equal(model.fit(X, y).coef_, other.coef_)

    def test_a_fork_after_threads_of_scikit_learn(self):
        from sklearn.ensemble import HistGradientBoostingClassifier

        random = np.random.RandomState(0)
        X = random.normal(size=(3000, 50))
        y = X[:, 0] > 0
        HistGradientBoostingClassifier(max_iter=2).fit(X, y)  # begins threads of the same OpenMP
        gap = self.in_a_fork(lambda: LinearClassifier("logistic", n_jobs=2).fit(X, y).gap_)
        self.assertLessEqual(gap, 1e-3)

    def test_precomputed_kernels_are_split_in_both_directions(self):
        from sklearn.model_selection import cross_val_score

        X, y = sample("blobs.train")
        X, y = X[:200], y[:200]
        values = (X @ X.T).toarray()
        given = cross_val_score(KernelClassifier(kernel="precomputed", tol=1e-8), values, y, cv=3)
        linear = KernelClassifier(kernel="linear", tol=1e-8, options={"expand": True})
        np.testing.assert_allclose(given, cross_val_score(linear, X, y, cv=3))


if __name__ == "__main__":
    unittest.main()

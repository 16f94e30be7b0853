"""Models are the command line's, to the byte; objectives and predictions are those of
scikit-learn."""

import gc
import pickle
import unittest

import numpy as np
from common import SAMPLES, Test, command, sample

import librrm
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

# (estimator, sample, options of train)
SAME = [
    (LinearClassifier(), "blobs.train", "-B 1"),
    (LinearClassifier(fit_intercept=False, C=2.0, tol=1e-8), "blobs.train", "-c 2 -e 1e-8"),
    (
        LinearClassifier("logistic", C=2.0, fit_intercept="free", class_weight={1: 2.0, -1: 0.1}),
        "blobs.train",
        "-L logistic -c 2 --intercept -w 1=2 -w -1=0.1",
    ),
    (
        LinearClassifier("logistic", penalty="l1", lambda_=1e-3, fit_intercept=False),
        "blobs.train",
        "-L logistic -r l1 -l 1e-3",
    ),
    (
        LinearClassifier(solver="pegasos", passes=3, random_state=7),
        "blobs.train",
        "-s pegasos -p 3 -S 7 -B 1",
    ),
    (LinearClassifier(options={"ball": "l1=0.5"}), "blobs.train", "-B 1 --ball l1=0.5"),
    (LinearClassifier(probabilities=True, n_jobs=2), "three.train", "-B 1 -b 1"),
    (LinearClassifier("softmax"), "three.train", "-L softmax -B 1"),
    (LinearClassifier(multiclass="ovo"), "three.train", "-B 1 --multiclass ovo"),
    (LinearClassifier(solver="asset-on"), "three.train", "-s asset-on --intercept"),
    (LinearRegressor(), "line.train", "-L squared -B 1"),
    (LinearRegressor("quantile", quantile=0.25), "line.train", "-L quantile --quantile 0.25 -B 1"),
    (KernelClassifier(gamma=0.5), "three.train", "--gamma-kernel 0.5 --basis 1"),
    (
        KernelClassifier(solver="pdsg", sigma=1.0, basis="1,2"),
        "blobs.train",
        "-s pdsg --sigma 1 --basis 1,2",
    ),
    (
        KernelClassifier(map="nystrom", landmarks=40, sigma=5.0),
        "blobs.train",
        "--map nystrom --landmarks 40 --sigma 5 -B 1",
    ),
    (KernelRegressor(tube=0.2), "line.train", "-L epsilon --tube 0.2 --kernel gaussian --basis 1"),
    (MultivariateClassifier(), "blobs.train", "-L f1 -B 1"),
]


class Models(Test):
    def same(self, model, file, options):
        ours, theirs = self.folder / "ours", self.folder / "theirs"
        model.save(ours)
        command("train", "-q", *options.split(), file, theirs)
        self.assertEqual(ours.read_bytes(), theirs.read_bytes(), f"{model} {options}")

    def test_the_bytes_of_the_command_line(self):
        for model, name, options in SAME:
            self.same(model.fit(*sample(name)), SAMPLES / name, options)

    def groups(self):
        """The sample of three classes, ten rows a group: the file's name and what it has."""
        file = self.folder / "groups"
        lines = (SAMPLES / "three.train").read_text().splitlines()
        rows = [line.split(" ", 1) for line in lines]
        file.write_text("".join(f"{y} qid:{i // 10} {x}\n" for i, (y, x) in enumerate(rows)))
        return file, librrm.read_svmlight(file)

    def test_groups_too(self):
        file, read = self.groups()
        self.assertEqual(read.groups.tolist(), [i // 10 for i in range(len(read.y))])
        lengths = np.unique(read.groups, return_counts=True)[1]
        for loss in ("crf", "m3n"):
            tagger = SequenceTagger(loss, fit_intercept=False, lambda_=0.1)
            tagger.fit(read.X, read.y, lengths)
            self.same(tagger, file, f"-L {loss} -l 0.1")
            self.assertEqual(tagger.transitions_.shape, (3, 3))
        for loss in ("pairwise", "ndcg"):
            ranker = Ranker(loss, lambda_=0.1).fit(read.X, read.y, read.groups)
            self.same(ranker, file, f"-L {loss} -l 0.1")
        out = command("predict", file, self.folder / "ours", self.folder / "scores")
        said = (out.stdout + out.stderr).split("NDCG@10 =")[1].split()[0]
        self.assertAlmostEqual(ranker.score(read.X, read.y, read.groups), float(said), 4)

    def test_the_objective_and_the_bound_of_the_command_line(self):
        import json

        model = LinearClassifier("logistic", lambda_=1e-3).fit(*sample("blobs.train"))
        report = self.folder / "report"
        options = "-q -L logistic -l 1e-3 -B 1 --report".split()
        command("train", *options, report, SAMPLES / "blobs.train")
        report = json.loads(report.read_text())
        self.assertEqual(model.objective_, report["objective"])
        self.assertEqual(model.lower_bound_, report["bound"])
        self.assertLessEqual(model.gap_, 1e-3)
        self.assertEqual(model.status_, "converged")

    def test_predictions_are_those_of_predict(self):
        X, _ = sample("three.test")
        machine = KernelClassifier(gamma=0.5, probabilities=True)
        for model in (LinearClassifier("logistic"), machine):
            model.fit(*sample("three.train")).save(self.folder / "model")
            model_and_out = (self.folder / "model", self.folder / "out")
            command("predict", SAMPLES / "three.test", *model_and_out)
            np.testing.assert_array_equal(model.predict(X), np.loadtxt(self.folder / "out"))
            command("predict", "-b", "1", SAMPLES / "three.test", *model_and_out)
            head, *rows = (self.folder / "out").read_text().splitlines()
            labels = [float(label) for label in head.split()[1:]]
            rows = np.array([row.split() for row in rows], float)
            ours = model.predict_proba(X)[:, np.searchsorted(model.classes_, labels)]
            np.testing.assert_allclose(ours, rows[:, 1:], rtol=1e-4, atol=1e-5)

    def test_saved_loaded_and_pickled_models_are_the_same(self):
        for model, train, test in [
            (LinearClassifier("logistic", multiclass="ovo"), "three.train", "three.test"),
            (LinearClassifier(), "blobs.train", "blobs.test"),
            (KernelClassifier(gamma=0.5), "three.train", "three.test"),
            (LinearRegressor(), "line.train", "line.test"),
        ]:
            X, _ = sample(test)
            model.fit(*sample(train)).save(self.folder / "model")
            loaded = type(model).load(self.folder / "model")
            again = pickle.loads(pickle.dumps(model))
            for other in (loaded, again):
                np.testing.assert_array_equal(other.predict(X), model.predict(X))
                other.save(self.folder / "again")
                texts = [(self.folder / name).read_bytes() for name in ("again", "model")]
                self.assertEqual(*texts)
            self.assertEqual(again.objective_, model.objective_)
            if not isinstance(model, KernelClassifier):
                np.testing.assert_array_equal(loaded.coef_, model.coef_)

    def test_weights_are_the_models_own(self):
        X, y = sample("three.train")
        model = LinearClassifier("softmax", C=1).fit(X, y)
        weights, expected = model.coef_, model.coef_.copy()
        self.assertTrue(np.shares_memory(weights, model.model_.describe()["weight"]))
        with self.assertRaises(ValueError):
            weights[0, 0] = 1
        del model
        gc.collect()
        LinearClassifier("softmax").fit(X, y)  # where those of a model that is freed would be
        np.testing.assert_array_equal(weights, expected)

    def test_loaded_models_say_what_they_are(self):
        X, y = sample("three.train")
        model = KernelClassifier(probabilities=True).fit(X, y)
        model.save(self.folder / "model")
        loaded = KernelClassifier.load(self.folder / "model")
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        values = (X @ X.T).toarray()
        model = KernelClassifier(kernel="precomputed").fit(values, y)
        model.save(self.folder / "model")
        loaded = KernelClassifier.load(self.folder / "model")
        np.testing.assert_array_equal(loaded.predict(values), model.predict(values))
        self.assertEqual(loaded.kernel, "precomputed")
        with self.assertRaisesRegex(ValueError, "a kernel matrix is square; X has the shape"):
            KernelClassifier(kernel="precomputed").fit(values[:100], y[:100])

    def test_scores_are_those_of_the_weights(self):
        for name in ("blobs", "three"):
            X, y = sample(f"{name}.train")
            y = np.array(["x", "a", "b"])[y.astype(int) % 3]  # numbered in another order
            for intercept in (True, "free"):
                model = LinearClassifier("squared-hinge", fit_intercept=intercept).fit(X, y)
                scores = X @ model.coef_.T + model.intercept_
                scores = scores[:, 0] if name == "blobs" else scores
                np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-12)
                best = scores > 0 if name == "blobs" else scores.argmax(axis=1)
                np.testing.assert_array_equal(model.predict(X), model.classes_[best.astype(int)])

    def test_sequences_come_as_lists_too(self):
        X, y, _, groups = self.groups()[1]
        lengths = np.unique(groups, return_counts=True)[1]
        one = SequenceTagger(tol=1e-2).fit(X, y, lengths)
        ends = np.cumsum(lengths)[:-1]
        parts = [X[i:j] for i, j in zip([0, *ends], [*ends, len(y)])]
        many = SequenceTagger(tol=1e-2).fit(parts, np.split(y, ends))
        self.assertEqual(one.objective_, many.objective_)
        np.testing.assert_array_equal(np.concatenate(many.predict(parts)), one.predict(X, lengths))
        self.assertEqual(many.score(parts, np.split(y, ends)), one.score(X, y, lengths))
        np.testing.assert_allclose(np.concatenate(many.predict_proba(parts)).sum(axis=1), 1)
        self.assertEqual([len(p) for p in many.decision_function(parts)], list(lengths))
        mixed = [parts[0].toarray(), *parts[1:]]
        self.assertEqual(SequenceTagger(tol=1e-2).fit(mixed, np.split(y, ends)).gap_, many.gap_)
        for labels in y, [y], np.split(y, ends)[:-1]:
            with self.assertRaisesRegex(ValueError, "y is a list of arrays"):
                SequenceTagger().fit(parts, labels)

    def test_a_fit_that_fails_leaves_the_model(self):
        X, y = sample("blobs.train")
        few, names = X[:, :5], np.where(y > 0, "a", "b")
        for model in (
            LinearClassifier("hinge"),
            LinearRegressor(),
            KernelClassifier(passes=1),
            Ranker(passes=1),
            MultivariateClassifier(),
            SequenceTagger(passes=1),
        ):
            is_classifier = hasattr(model, "decision_function")
            found = model.fit(X, y).predict(X)
            model.set_params(lambda_=-1)
            self.assertRaises(ValueError, model.fit, few, names if is_classifier else y)
            np.testing.assert_array_equal(model.predict(X), found)
            self.assertEqual((model.n_features_in_, model.lambda_), (X.shape[1], -1))
        model = LinearClassifier()
        self.assertRaises(ValueError, model.set_params(lambda_=-1).fit, X, y)
        self.assertFalse(hasattr(model, "classes_"))

    def test_logarithms_of_probabilities(self):
        X, y = sample("blobs.train")
        for kind in LinearClassifier, KernelClassifier:
            self.assertFalse(hasattr(kind(), "predict_log_proba"))
            model = kind(probabilities=True, tol=0.1).fit(X[:100], y[:100])
            logs = np.log(model.predict_proba(X[:9]))
            np.testing.assert_array_equal(model.predict_log_proba(X[:9]), logs)

    def test_rankings_refuse_what_is_no_number(self):
        X, y = sample("three.train")
        groups = np.arange(len(y)) // 10
        model = Ranker(tol=0.1).fit(X, y, groups)
        nans = np.full(len(y), np.nan)
        self.assertRaisesRegex(ValueError, "y contains NaN", model.score, X, nans, groups)
        self.assertRaisesRegex(ValueError, "groups contains NaN", model.fit, X, y, nans)


@unittest.skipIf(sklearn is None, "scikit-learn is not installed")
class Optima(Test):
    """Beside scikit-learn's solvers of the same problems."""

    def test_logistic_regression(self):
        from sklearn.linear_model import LogisticRegression

        X, y = sample("blobs.train")
        peer = LogisticRegression(C=0.1, tol=1e-10, max_iter=1000).fit(X, y)
        ours = LinearClassifier("logistic", C=0.1, fit_intercept="free", tol=1e-9).fit(X, y)
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-4)
        np.testing.assert_allclose(ours.intercept_, peer.intercept_, atol=1e-4)
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-4)

    def test_weights_of_examples_and_classes(self):
        from sklearn.linear_model import LogisticRegression

        X, y = sample("blobs.train")
        weights = np.arange(len(y)) % 3 + 0.5
        peer = LogisticRegression(C=10 / weights.sum(), tol=1e-10, fit_intercept=False)
        peer.fit(X, y, sample_weight=weights)
        ours = LinearClassifier("logistic", lambda_=0.1, fit_intercept=False, tol=1e-9)
        ours.fit(X, y, weights)
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-4)
        y = np.where(np.arange(len(y)) % 5 == 0, "rare", "usual")
        peer.set_params(C=10 / len(y), class_weight="balanced").fit(X, y)
        ours.set_params(class_weight="balanced").fit(X, y)
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-4)

    def test_balanced_classes_need_not_all_occur(self):
        X, y = sample("three.train")
        weights = (y != 2).astype(float)
        balanced = LinearClassifier(class_weight="balanced", solver="ipm")
        balanced.fit(X, y, sample_weight=weights)
        counts = {c: 1 / np.sum(y == c) for c in (1, 3)}
        own = {c: sum(y != 2) / 2 * count for c, count in counts.items()}
        given = LinearClassifier(class_weight=own, solver="ipm")
        given.fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(balanced.coef_, given.coef_, rtol=1e-9)

    def test_ridge(self):
        from sklearn.linear_model import Ridge

        X, y = sample("line.train")
        peer = Ridge(alpha=0.01 * len(y), tol=1e-12).fit(X, y)
        ours = LinearRegressor(lambda_=0.01, fit_intercept="free", tol=1e-12).fit(X, y)
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-5)
        self.assertAlmostEqual(ours.intercept_, peer.intercept_, 4)
        self.assertAlmostEqual(ours.score(X, y), peer.score(X, y), 6)

    def test_a_path_is_the_lasso(self):
        from sklearn.linear_model import Lasso

        X, y = sample("line.train")
        params = {"fit_intercept": False, "tol": 1e-10}
        found = librrm.path(X, y, "squared", n_lambdas=4, lambda_min=0.01, **params)
        self.assertTrue((np.diff(found.lambdas) < 0).all() and found.lambdas[-1] == 0.01)
        self.assertEqual(np.count_nonzero(found.coefs[0]), 0)
        for lambda_, coef in zip(found.lambdas, found.coefs):
            peer = Lasso(lambda_, fit_intercept=False, tol=1e-10).fit(X, y)
            np.testing.assert_allclose(coef, peer.coef_, atol=1e-4)
        np.testing.assert_array_equal(found.nonzeros, [np.count_nonzero(c) for c in found.coefs])
        self.assertTrue((found.gaps <= 1e-10).all())
        self.assertTrue((found.lower_bounds <= found.objectives).all())
        np.testing.assert_array_equal(found.model.coef_, found.coefs[-1])

    def test_kernel_machines(self):
        from sklearn.svm import SVC

        X, y = sample("three.train")
        peer = SVC(C=2.0, gamma=0.5, tol=1e-8).fit(X, y)
        ours = KernelClassifier(C=2.0, gamma=0.5, tol=1e-8).fit(X, y)
        np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
        largest = ours.classes_[ours.decision_function(X).argmax(axis=1)]
        np.testing.assert_array_equal(largest, ours.predict(X))
        votes = KernelClassifier(C=2.0, gamma=0.5).fit(X, np.arange(len(y)) % 4)  # many are equal
        largest = votes.classes_[votes.decision_function(X).argmax(axis=1)]
        np.testing.assert_array_equal(largest, votes.predict(X))
        values = np.exp(-0.5 * ((X.toarray()[:, None] - X.toarray()[None]) ** 2).sum(axis=2))
        given = KernelClassifier(kernel="precomputed", C=2.0, tol=1e-8).fit(values, y)
        self.assertAlmostEqual(given.objective_, ours.objective_, 6)
        np.testing.assert_array_equal(given.predict(values), ours.predict(X))

    def check_certified(self, found, make, X, y):
        """Between the ends each model is as near the optimum as it says."""
        inside = np.geomspace(found.lambdas[0], found.lambdas[-1], 9)[1:-1]
        for lambda_ in [*inside, *found.lambdas]:
            model = found.at(lambda_)
            least = make(lambda_=lambda_, tol=1e-7).fit(X, y)
            self.assertLessEqual(model.gap_, found.gap * (1 + 1e-12))
            self.assertLessEqual(model.lower_bound_, least.objective_ * (1 + 1e-9))
            self.assertGreaterEqual(model.objective_, least.lower_bound_)
            self.assertEqual(model.lambda_, lambda_)
        for lambda_ in [*inside, *(found.highs[1:] * (1 - 1e-9))]:
            model = found.at(lambda_)
            holding = (found.lows <= lambda_) & (lambda_ <= found.highs)
            self.assertEqual(model.objective_, found._objectives_at(lambda_)[holding].min())
            self.assertGreaterEqual(model.lower_bound_, found.bound_at(lambda_))
            self.assertLessEqual(model.gap_, found.gap * (1 + 1e-12))
        model = found.at(inside[0])
        margin = 2 * (y == model.classes_[1]) - 1.0
        loss = np.logaddexp(0, -margin * model.decision_function(X)).mean()
        weights = np.append(model.coef_, model.intercept_)
        penalty = abs(weights).sum() if model.penalty else weights @ weights / 2
        self.assertAlmostEqual(model.objective_, model.lambda_ * penalty + loss, 10)

    def test_a_certified_path_holds_at_every_lambda(self):
        X, y = sample("blobs.train")
        for penalty, top in ((None, 1.0), ("l1", None)):

            def make(**params):
                return LinearClassifier("logistic", penalty=penalty, **params)

            found = librrm.certified_path(X, y, "logistic", penalty, 0.05, top, 1e-3)
            self.check_certified(found, make, X, y)
            self.assertEqual(len(found.models), len(found.lambdas))
            self.assertTrue((found.lows[:-1] <= found.highs[1:]).all())
            self.assertEqual(found.coefs.shape, (len(found.models), X.shape[1]))
        with self.assertRaisesRegex(ValueError, "no model is within the gap 0.05 at lambda 1e-09"):
            found.at(1e-9)
        with self.assertRaisesRegex(ValueError, "path.*out of range"):
            librrm.certified_path(X, y, gap=2.0)
        for paths in (librrm.path, librrm.certified_path):
            for name in ("lambda_", "C"):
                with self.assertRaisesRegex(ValueError, f"not {name}$"):
                    paths(X, y, "logistic", **{name: 0.1})

    def test_linear_estimators_refuse_kernels(self):
        X, y = sample("blobs.train")
        kernels = ({"kernel": "gaussian"}, {"map": "fourier"}, {"basis": "1"})
        for params in ({"solver": "smo"}, *({"options": options} for options in kernels)):
            model = LinearClassifier(fit_intercept=False, **params)
            self.assertRaisesRegex(ValueError, "KernelClassifier has", model.fit, X, y)
        KernelClassifier().fit(X, y).save(self.folder / "model")
        with self.assertRaisesRegex(ValueError, "no kernel 'gaussian'; KernelClassifier has"):
            LinearClassifier.load(self.folder / "model")

    def test_no_attribute_of_the_fit_before_stays(self):
        X, y = sample("blobs.train")
        model = KernelClassifier(kernel="linear").fit(X, y)
        self.assertTrue(hasattr(model, "coef_") and not hasattr(model, "dual_coef_"))
        model.set_params(kernel="gaussian").fit(X, y)
        self.assertTrue(hasattr(model, "dual_coef_") and not hasattr(model, "coef_"))

    def test_weights_cannot_be_written(self):
        X, y = sample("blobs.train")
        for model in (LinearClassifier(), LinearClassifier("softmax"), SequenceTagger()):
            again = pickle.loads(pickle.dumps(model.fit(X, y)))
            for one in (model.coef_, again.coef_, again.intercept_):
                self.assertRaises(ValueError, one.fill, 0.0)

    def test_a_zero_byte_in_a_name(self):
        X, y = sample("blobs.train")
        model = LinearClassifier().fit(X, y)
        name = str(self.folder / "model") + "\0tail"
        self.assertRaisesRegex(ValueError, "null byte", model.save, name)
        self.assertRaisesRegex(ValueError, "null byte", LinearClassifier.load, name)
        self.assertRaisesRegex(ValueError, "null byte", librrm.load_svmlight, name)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_scores_check_their_labels(self):
        X, y = sample("blobs.train")
        tagger = SequenceTagger().fit(X, y)
        self.assertRaisesRegex(ValueError, "labels; there are", tagger.score, X, y[:-1])
        self.assertEqual(tagger.score(X, y[:, None]), tagger.score(X, y))
        for grades in (y == 1) * 2.0 - 1, (y == 1) * 31.0:
            ranker = Ranker().fit(X, grades)
            self.assertRaisesRegex(ValueError, "from 0 to 30", ranker.score, X, grades)

    def test_a_certified_path_of_an_objective_of_0(self):
        found = librrm.certified_path(np.eye(4), np.zeros(4), "squared", lambda_min=0.01)
        self.assertEqual(found.at(0.1).objective_, 0)
        self.assertEqual(found.at(0.1).gap_, 0)

    def test_a_certified_path_of_several_classes(self):
        X, y = sample("three.train")
        found = librrm.certified_path(X, y, gap=0.1, lambda_min=0.01)
        self.assertEqual(found.coefs.shape, (len(found.models), 3, X.shape[1]))
        self.assertGreater(found.at(0.05).score(X, y), 0.8)

    def test_paths_of_several_classes(self):
        X, y = sample("three.train")
        found = librrm.path(X, y, n_lambdas=3, lambda_min=0.01)
        self.assertEqual(found.coefs.shape, (3, 3, X.shape[1]))
        self.assertEqual(found.intercepts.shape, (3, 3))


if __name__ == "__main__":
    unittest.main()

"""Arrays of every kind: what is borrowed, what is copied, what is refused; files."""

import gzip
import os
import subprocess
import sys
import unittest
from unittest import mock

import numpy as np
from common import SAMPLES, Test, sample
from scipy import sparse

import librrm
from librrm import (
    KernelClassifier,
    LinearClassifier,
    LinearRegressor,
    MultivariateClassifier,
    Ranker,
    SequenceTagger,
)
from librrm._library import Data


def address(pointer):
    import ctypes

    return ctypes.addressof(pointer.contents)


def wide(X):
    """The same with indices of 64 bits."""
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


# What a training and a prediction of floats take beyond the array, as shares of it, each in a
# process of its own.
MEMORY = """
import os, resource, sys
import numpy as np, librrm

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def training(random):
    X = random.standard_normal((40000, 80))
    y = np.sign(X[:, 0] + X[:, 1])
    librrm.LinearClassifier(solver="ipm").fit(X[:500], y[:500])
    before = peak()
    librrm.LinearClassifier(solver="ipm", lambda_=1e-2).fit(X, y)
    return (peak() - before) / X.nbytes

def prediction(random):
    X = random.standard_normal((100000, 80), np.float32)
    model = librrm.LinearClassifier("logistic").fit(X[:500], X[:500, 0] > 0)
    before = peak()
    model.predict_proba(X)
    return (peak() - before) / X.nbytes

for work in (training, prediction):
    child = os.fork()
    if child == 0:
        print(work(np.random.default_rng(1)))
        sys.exit()
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"{work.__name__} failed")
"""


class Arrays(Test):
    def test_nothing_is_copied(self):
        X, y = sample("blobs.train")
        X.indptr = X.indptr.astype(np.int64)
        info = Data(X, y).info()
        lent = (X.indptr, X.indices, X.data, y)
        borrowed = (info.start, info.column, info.value, info.label)
        self.assertEqual([a.ctypes.data for a in lent], [address(p) for p in borrowed])
        dense = X.toarray()
        self.assertEqual(address(Data(dense).info().value), dense.ctypes.data)
        (self.folder / "array").write_bytes(dense.tobytes())
        mapped = np.memmap(self.folder / "array", np.float64, "r", shape=dense.shape)
        self.assertEqual(address(Data(mapped).info().value), mapped.ctypes.data)

    def test_the_interior_point_and_predictions_do_not_copy_arrays(self):
        out = subprocess.run([sys.executable, "-c", MEMORY], check=True, capture_output=True)
        training, prediction = map(float, out.stdout.split())
        self.assertLess(training, 0.6)
        self.assertLess(prediction, 0.6)

    def test_estimators_lend_what_they_get(self):
        X, y = sample("blobs.train")
        for rows in (X, X.toarray(), X.astype(np.float32)):
            with mock.patch("librrm._estimator.Data", wraps=Data) as lend:
                LinearClassifier().fit(rows, y)
            lent = lend.call_args.args[0]
            self.assertTrue(np.shares_memory(lent.data, rows.data))

    def test_floats_are_predicted_in_parts(self):
        X, y = sample("three.train")
        X.data = X.data.astype(np.float32).astype(np.float64)
        for rows in (X, X.toarray()):
            model = LinearClassifier("softmax").fit(rows, y)
            floats = rows.astype(np.float32)
            for predict in (model.predict, model.decision_function, model.predict_proba):
                expected = predict(rows)
                with (
                    mock.patch("librrm._library._PART_ENTRIES", 100),
                    mock.patch("librrm._library.Data", wraps=Data) as lend,
                ):
                    np.testing.assert_array_equal(predict(floats), expected)
                    self.assertGreater(lend.call_count, 5)

    def test_all_kinds_give_one_model(self):
        X, y = sample("blobs.train")
        X.data = X.data.astype(np.float32).astype(np.float64)  # numbers that a float holds
        expected = LinearClassifier(tol=1e-8).fit(X, y)
        unsorted = X[:, ::-1][:, ::-1]
        unsorted.indices, unsorted.data = X.indices.copy(), X.data.copy()
        for i in range(X.shape[0]):
            part = slice(X.indptr[i], X.indptr[i + 1])
            unsorted.indices[part], unsorted.data[part] = X.indices[part][::-1], X.data[part][::-1]
        unsorted.has_sorted_indices = unsorted.has_canonical_format = False
        twice = sparse.csr_matrix(
            (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape
        )
        kept = twice.data.copy(), unsorted.indices.copy()
        others = (X.astype(np.float32), wide(X), X.tocsc(), X.tocoo(), X.tolil())
        for rows in (*others, unsorted, twice):
            model = LinearClassifier(tol=1e-8).fit(rows, y)
            np.testing.assert_array_equal(model.coef_, expected.coef_)
            np.testing.assert_array_equal(model.predict(rows), expected.predict(X))
        np.testing.assert_array_equal(kept[0], twice.data)
        np.testing.assert_array_equal(kept[1], unsorted.indices)
        dense = X.toarray()
        others = (np.asfortranarray(dense), dense.astype(np.float32), dense.tolist())
        for rows in (dense, *others, np.repeat(dense, 2, axis=0)[::2]):
            model = LinearClassifier(tol=1e-8).fit(rows, y)
            self.assertAlmostEqual(model.objective_, expected.objective_, 8)
            scores = model.decision_function(rows)
            np.testing.assert_allclose(scores, expected.decision_function(X), atol=1e-3)

    def test_dense_rows_are_trained_as_sparse_ones(self):
        X, y = sample("three.train")
        X.data[::3] = 0
        X.eliminate_zeros()
        two, groups, lengths = y > 1, np.arange(len(y)) // 10, [10] * (len(y) // 10)
        batch = "ipm ocas mcpa dcd bundle proximal-bundle agm proximal".split()
        cases = [(LinearClassifier, {"solver": solver}, two) for solver in batch]
        together = [("softmax", "lbfgs"), ("softmax", "sdca"), ("crammer-singer", "sdm")]
        for loss, solver in together:
            cases.append((LinearClassifier, {"loss": loss, "solver": solver}, y))
        for solver in ("lps", "rda+"):
            params = {"loss": "logistic", "penalty": "l1", "solver": solver}
            cases.append((LinearClassifier, params, two))
        for solver in ("pegasos", "asset-on"):
            cases.append((LinearClassifier, {"solver": solver, "tol": None}, y))
        cases += [(LinearRegressor, {"loss": loss}, y) for loss in ("squared", "absolute")]
        cases += [(MultivariateClassifier, {"loss": loss}, two) for loss in ("f1", "rocarea")]
        cases += [(Ranker, {"loss": loss}, y, groups) for loss in ("pairwise", "ndcg")]
        cases.append((SequenceTagger, {"loss": "crf"}, y, lengths))
        cases.append((KernelClassifier, {"map": "fourier", "dimension": 50}, y))
        for kind, params, *labels in cases:
            params = {"lambda_": 1e-2, "tol": 1e-6, "passes": 200, **params}
            sparse_one, dense_one = (
                kind(**params).fit(rows, *labels).objective_ for rows in (X, X.toarray())
            )
            self.assertLess(abs(sparse_one - dense_one), 2e-6 * sparse_one + 1e-12, params)

    def test_bad_arrays_are_refused(self):
        X, y = sample("blobs.train")
        bad = X.copy()
        bad.data[5] = np.nan
        short = X.copy()
        short.indices = short.indices + 1000
        huge = sparse.csr_matrix((np.ones(2), [0, 2**40], [0, 1, 2]), shape=(2, 2**41))
        for rows, labels in [
            (bad, y),
            (X, y[:-1]),
            (X[:0], y[:0]),
            (X.toarray()[:, :0], y),
            (X.toarray().ravel(), y),
            (X.toarray()[None], y),
            (np.full((2, 2), np.inf), [0, 1]),
            (np.array([["a", "b"], ["c", "d"]], object), [0, 1]),
            (np.ones((2, 2), complex), [0, 1]),
            (huge, [0, 1]),
            (X, np.full(len(y), np.nan)),
            (X, np.zeros(len(y))),
            (X, None),
            (X, np.arange(len(y)) + 0.5),
            (None, y),
        ]:
            for kind in (LinearClassifier, KernelClassifier, SequenceTagger):
                self.assertRaises((ValueError, TypeError), kind().fit, rows, labels)
        for weights in (-np.ones(len(y)), np.full(len(y), np.nan), np.zeros(len(y)), y[:-1]):
            self.assertRaises(ValueError, LinearClassifier().fit, X, y, sample_weight=weights)
        self.assertRaises(ValueError, Ranker().fit, X, y, groups=np.arange(len(y)) % 2)
        self.assertRaises(ValueError, Ranker().fit, X, y, groups=[1, 2])
        wrapped = [2**63 - 1, 2**63 - 1, len(y) + 2]  # the sum overflows to len(y)
        for lengths in ([3], [-1, len(y) + 1], wrapped, [[len(y)]], ["a"], [len(y) / 2] * 2):
            self.assertRaises(ValueError, SequenceTagger().fit, X, y, lengths)
        model = LinearClassifier().fit(X, y)
        for rows in (X[:, :-1], bad, X.toarray()[0], None):
            self.assertRaises((ValueError, TypeError), model.predict, rows)
        for starts in ([0, 5, 9**9], [0, -1, 2], [0, 2], [1, 2, 2], [0, 2, 1]):
            matrix = sparse.csr_matrix(np.eye(2))
            matrix.indptr = np.array(starts, np.int32)
            self.assertRaises(ValueError, model.predict, matrix)
            self.assertRaises(ValueError, LinearClassifier().fit, matrix, [0, 1])
        odd = X.copy()  # types and strides that scipy does not make
        odd.indices, odd.data = np.repeat(X.indices, 2)[::2], X.data.astype(">f8")
        odd.indptr = X.indptr.astype(np.uint32)
        self.assertEqual(Data(odd, y).info().entries, X.nnz)
        np.testing.assert_array_equal(LinearClassifier().fit(odd, y).coef_, model.coef_)
        odd.indptr = X.indptr.astype(float)
        self.assertRaises(ValueError, Data, odd, y)
        # what scikit-learn's checks would find comes from below, too
        for broken in (np.array([1, 0], np.int32), np.array([0, 5], np.int32)):
            matrix = sparse.csr_matrix((np.ones(1), [0], [0, 1]), shape=(1, 2))
            matrix.indices, matrix.indptr = broken, np.array([0, 2], np.int32)
            matrix.data = np.ones(2)
            self.assertRaises(ValueError, Data, matrix)

    def test_floats_of_a_solver_that_is_tried_first(self):
        random = np.random.default_rng(1)
        X = sparse.random(5200, 100, 0.05, "csr", random_state=1, dtype=np.float32)
        y = X @ random.normal(size=100) + random.normal(size=5200) > 0
        models = [LinearClassifier(tol=0.01, lambda_=1e-6) for _ in range(2)]
        models[0].fit(X.astype(np.float64), y)
        models[1].fit(X, y)
        self.assertIn("proximal", models[1].history_["title"])
        self.assertTrue(np.array_equal(models[0].coef_, models[1].coef_))

    def test_bad_parameters_are_refused_with_the_librarys_words(self):
        X, y = sample("blobs.train")
        for params, words in [
            ({"loss": "hing"}, "hing"),
            ({"solver": "ipn"}, "ipn"),
            ({"lambda_": -1}, "lambda"),
            ({"lambda_": 1, "C": 1}, "exclude"),
            ({"tol": "small"}, "epsilon"),
            ({"options": {"lamda": 1}}, "lambda"),
            ({"options": ["lambda"]}, "options"),
            ({"options": {1: 1}}, "the name 1 is no text"),
            ({"lambda_": "1\0"}, "zero byte"),
            ({"fit_intercept": "no"}, "fit_intercept"),
            ({"fit_intercept": 2.5}, "fit_intercept"),
            ({"warm_start": "no"}, "warm_start"),
            ({"probabilities": "yes"}, "probabilities"),
            ({"verbose": "a"}, "verbose"),
            ({"options": {"threads": 4}}, "n_jobs"),
            ({"lambda_": 1, "options": {"lambda": 0.3}}, "parameter lambda_, too"),
            ({"class_weight": {-1: 0, 1: 1}}, "1 class with a weight above 0"),
            ({"class_weight": {-1: None, 1: 1}}, "None is no number"),
            ({"class_weight": {7: 1}}, "class_weight"),
            ({"class_weight": "equal"}, "balanced"),
            ({"class_weight": [1, 2]}, "class_weight"),
            ({"options": {"loss": "squared"}}, "the loss is a parameter"),
            ({"random_state": -1}, "random_state"),
            ({"n_jobs": 0}, "n_jobs"),
            ({"n_jobs": "all"}, "n_jobs"),
            ({"n_jobs": 1.5}, "n_jobs"),
            ({"solver": "pegasos", "fit_intercept": "free"}, "intercept"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                LinearClassifier(**params).fit(X, y)
        with self.assertRaisesRegex(ValueError, "fit_intercept"):
            librrm.KernelClassifier(fit_intercept="no").fit(X, y)

    def test_losses_of_other_estimators_are_refused(self):
        X, y = sample("blobs.train")
        for estimator, loss in [
            (LinearClassifier, "squared"),
            (LinearClassifier, "nu-hinge"),
            (LinearRegressor, "logistic"),
            (librrm.KernelClassifier, "epsilon"),
            (librrm.Ranker, "f1"),
            (librrm.SequenceTagger, "softmax"),
            (librrm.MultivariateClassifier, "huber"),
            (librrm.MultivariateClassifier, "hinge"),
            (LinearClassifier, "rocarea"),
        ]:
            with self.assertRaisesRegex(ValueError, f"has no loss '{loss}'"):
                estimator(loss).fit(X, y)
        LinearRegressor().fit(X, y).save(self.folder / "model")
        self.assertRaisesRegex(ValueError, "loss", LinearClassifier.load, self.folder / "model")

    def test_settings_of_a_path_are_not_given_twice(self):
        X, y = sample("blobs.train")
        for name in ("path", "lambda"):
            with self.assertRaisesRegex(ValueError, "options"):
                librrm.path(X, y, options={name: 0.5})

    def test_a_positive_label_is_for_two_classes(self):
        X, y = sample("three.train")
        with self.assertRaisesRegex(ValueError, "positive is for two classes"):
            LinearClassifier(options={"positive": 2}).fit(X, y)
        model = LinearClassifier(options={"positive": 1}).fit(X[y < 3], y[y < 3])
        self.assertGreater(model.score(X[y < 3], y[y < 3]), 0.8)

    def test_a_streams_warm_start_keeps_its_labels(self):
        X, y = sample("three.train")
        model = LinearClassifier(solver="asset-on", warm_start=True).fit(X, y)
        for labels in (y + 5, np.where(y == 3, 1, y)):
            with self.assertRaisesRegex(ValueError, "labels of y"):
                model.fit(X, labels)
        self.assertEqual(model.fit(X, y).classes_.tolist(), [1, 2, 3])

    def test_weights_that_are_not_positive(self):
        X, y = sample("blobs.train")
        weights = np.ones(len(y))
        weights[7] = -1
        with self.assertRaisesRegex(ValueError, "row 7 is negative, -1"):
            LinearClassifier().fit(X, y, weights)
        with self.assertRaisesRegex(ValueError, "no class with a weight above 0"):
            LinearClassifier().fit(X, y, 0 * weights)

    def test_a_malformed_kernel_matrix(self):
        X, y = sample("three.train")
        K = (X[:50] @ X[:50].T).tocsr()
        model = librrm.KernelClassifier(kernel="precomputed").fit(K, y[:50])
        K.indptr = K.indptr.copy()
        K.indptr[3] = 10**8
        with self.assertRaisesRegex(ValueError, "row starts"):
            librrm.KernelClassifier(kernel="precomputed").fit(K, y[:50])
        self.assertRaisesRegex(ValueError, "row starts", model.predict, K)

    def test_numbers_at_odd_addresses(self):
        X, y = sample("blobs.train")
        X = X.toarray()
        odd = [
            np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(float).reshape(array.shape)
            for array in (X, y)
        ]
        self.assertFalse(odd[0].flags.aligned)
        expected = LinearClassifier().fit(X, y)
        np.testing.assert_array_equal(LinearClassifier().fit(*odd).coef_, expected.coef_)

    def test_a_hashed_model_predicts_the_data_it_learned(self):
        X, y = sample("blobs.train")
        model = LinearClassifier(options={"hash": 8}).fit(X, y)
        model.save(self.folder / "hashed")
        again = LinearClassifier.load(self.folder / "hashed")
        np.testing.assert_array_equal(again.predict(X), model.predict(X))

    def test_the_lambda_that_was_reached(self):
        X, y = sample("blobs.train")
        model = LinearClassifier(C=0.1).fit(X, y)
        self.assertAlmostEqual(model.trained_lambda_, 1 / (0.1 * len(y)))
        found = librrm.path(X, y, n_lambdas=4, lambda_min=1e-3)
        self.assertEqual(found.model.trained_lambda_, found.lambdas[-1])
        search = LinearClassifier(options={"search": True}).fit(X, y)
        self.assertNotEqual(search.trained_lambda_, 1e-4)
        certified = librrm.certified_path(X, y, gap=0.1, lambda_min=1e-2)
        self.assertGreater(len(certified.models[0].history_["bound"]), 0)

    def test_a_file_called_dash(self):
        X, y = sample("blobs.train")
        before = os.getcwd()
        try:
            os.chdir(self.folder)
            LinearClassifier().fit(X, y).save("-")
            self.assertTrue(os.path.exists("-"))
        finally:
            os.chdir(before)

    def test_labels_of_every_type(self):
        X, y = sample("three.train")
        expected = LinearClassifier().fit(X, y)
        texts = y.astype(str)
        numbers = (y.astype(int), y - 2.0, y.astype(np.uint8), y * 1e9)
        for labels in (*numbers, texts, texts.astype(object)):
            model = LinearClassifier().fit(X, labels)
            np.testing.assert_array_equal(model.coef_, expected.coef_)
            predicted = model.predict(X)
            self.assertEqual(predicted.dtype, labels.dtype)
            np.testing.assert_array_equal(predicted == labels, expected.predict(X) == y)
        model = LinearClassifier().fit(X, y > 1)
        self.assertEqual(model.predict(X).dtype, bool)


class Files(Test):
    def write(self, text, name="file"):
        (self.folder / name).write_text(text)
        return self.folder / name

    def test_the_arrays_of_scikit_learn(self):
        try:
            from sklearn.datasets import load_svmlight_file
        except ImportError:
            self.skipTest("scikit-learn is not installed")
        zero = self.write("1 0:2 3:1e-3\n-1 1:-.5 # a comment\n\n2 2:7\n", "zero")
        for file in (*(SAMPLES / f"{name}.train" for name in ("blobs", "line", "three")), zero):
            X, y = librrm.load_svmlight(file)
            theirs, labels = load_svmlight_file(str(file))
            for name in ("indptr", "indices", "data"):
                ours, other = getattr(X, name), getattr(theirs, name)
                self.assertEqual(ours.dtype, other.dtype)
                np.testing.assert_array_equal(ours, other)
            self.assertEqual(X.shape, theirs.shape)
            np.testing.assert_array_equal(y, labels)
            X.data *= 2  # they are ours to change

    def test_weights_groups_and_names_of_columns(self):
        file = self.write("1 cost:2 qid:7 1:1 2:1\n? qid:7 4:1\n0 qid:-3 1:1\n")
        X, y, weights, groups = librrm.read_svmlight(file)
        self.assertEqual(weights.tolist(), [2, 1, 1])
        self.assertEqual(groups.tolist(), [7, 7, -3])
        self.assertEqual(X.toarray().tolist(), [[1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
        self.assertTrue(np.isnan(y[1]))
        self.assertEqual(librrm.load_svmlight(file, n_features=9)[0].shape, (3, 9))
        self.assertEqual(librrm.load_svmlight(file, zero_based=True)[0].shape, (3, 5))
        self.assertEqual(librrm.load_svmlight(file, query_id=True)[2].tolist(), [7, 7, -3])
        self.assertRaises(ValueError, librrm.load_svmlight, file, n_features=2)
        self.assertRaisesRegex(ValueError, "zero_based", librrm.load_svmlight, file, zero_based="")
        with gzip.open(self.folder / "file.gz", "wt") as packed:
            packed.write(file.read_text())
        self.assertEqual((librrm.load_svmlight(self.folder / "file.gz")[0] != X).nnz, 0)

    def test_bad_files_are_named_by_line(self):
        for text, words in [
            ("1 2:3 1:1\n", ":1:7: "),
            ("", "file"),
            ("1 1:nan\n", ":1:"),
            ("1 0:1\n2 -1:1\n", ":2:"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                librrm.load_svmlight(self.write(text))
        with self.assertRaisesRegex(ValueError, "No such file"):
            librrm.load_svmlight(self.folder / "none")
        with self.assertRaisesRegex(ValueError, "none"):
            LinearClassifier.load(self.folder / "none")
        self.assertRaises(ValueError, LinearClassifier.load, self.write("librrm 1\n"))

    def test_arrays_outlive_what_read_them(self):
        y = librrm.load_svmlight(SAMPLES / "blobs.train")[1]
        for _ in range(3):
            librrm.load_svmlight(SAMPLES / "three.train")
        np.testing.assert_array_equal(y, sample("blobs.train")[1])


if __name__ == "__main__":
    unittest.main()

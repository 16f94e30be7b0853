"""How trainings end: limits, interruptions, warnings, threads, processes, starts."""

import contextlib
import io
import os
import pickle
import re
import signal
import sys
import threading
import time
import unittest
import warnings

import numpy as np
from common import SAMPLES, Test, command, sample
from scipy import sparse

import librrm
from librrm import ConvergenceWarning, KernelClassifier, LinearClassifier, LinearRegressor, _library


ENDLESS = {"solver": "bundle-ls", "tol": 0, "passes": 1e9, "lambda_": 1e-9}


class Training(Test):
    def test_warnings_have_the_programs_words(self):
        X, y = sample("blobs.train")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = LinearClassifier(solver="bundle", passes=2, tol=1e-9).fit(X, y)
        self.assertEqual(model.status_, "limit")
        self.assertEqual([w.category for w in caught], [ConvergenceWarning])
        self.assertEqual(caught[0].filename, __file__)
        options = ("-q", "-s", "bundle", "-p", 2, "-e", "1e-9", "-B", 1)
        said = command("train", *options, SAMPLES / "blobs.train", self.folder / "model")
        words = said.stderr.strip().removeprefix("train: warning: ")
        both = (str(caught[0].message), words)  # the same but for the options' names
        self.assertEqual(*(re.sub(r" \(.*?\)", "", text.split(";")[0]) for text in both))

    def test_the_history_is_the_training(self):
        X, y = sample("blobs.train")
        model = LinearClassifier(solver="bundle", tol=1e-6).fit(X, y)
        history = model.history_
        self.assertEqual(len({len(column) for column in history.values()}), 1)
        self.assertGreater(len(history["passes"]), 3)
        for name in ("passes", "seconds", "bound"):
            self.assertTrue((np.diff(history[name]) >= 0).all())
        self.assertTrue((history["bound"] <= model.objective_).all())
        self.assertEqual(history["bound"][-1], model.lower_bound_)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            model.set_params(verbose=1).fit(X, y)
        self.assertEqual(len(out.getvalue().splitlines()), len(history["passes"]))

    def test_a_time_limit(self):
        X, y = sample("blobs.train")
        model = LinearClassifier(time_limit=0.05, **ENDLESS)
        start = time.process_time()
        self.assertEqual(model.fit(X, y).status_, "limit")
        self.assertLess(time.process_time() - start, 5)

    def test_an_interruption_keeps_the_weights(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
        self.addCleanup(signal.signal, signal.SIGINT, before)
        X, y = sample("blobs.train")
        model = LinearClassifier(time_limit=60, **ENDLESS)
        settings = model._settings()

        def interrupt(now):  # in the middle of the training, as Ctrl-C does
            if now["passes"] > 5:
                os.kill(os.getpid(), signal.SIGINT)

        trained, result = _library.train(_library.Data(X, y), settings, progress=interrupt)
        self.assertEqual(result["status"], "interrupted")
        self.assertLess(result["passes"], 1000)
        self.assertIn("interrupted", result["warning"][0])
        self.assertTrue(np.any(trained.describe()["weight"]))
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        with self.assertWarnsRegex(ConvergenceWarning, "interrupted"):
            warnings.simplefilter("always")
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            self.assertEqual(model.fit(X, y).status_, "interrupted")
        self.assertGreater(model.score(X, y), 0.5)
        model.set_params(probabilities=True)
        with self.assertWarns(ConvergenceWarning):
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            model.fit(X, y)
        with self.assertRaisesRegex(ValueError, "no probabilities: its training ended"):
            model.predict_proba(X)

    def test_a_stream_has_all_features(self):
        X, y = sample("blobs.train")
        wide = sparse.csr_matrix((X.data, X.indices, X.indptr), (X.shape[0], X.shape[1] + 5))
        model = LinearClassifier(solver="asset-on").fit(wide, y)
        self.assertEqual(model.coef_.shape[1], wide.shape[1])
        self.assertEqual(model.n_features_in_, wide.shape[1])

    def test_an_interruption_after_the_training_is_not_lost(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        X, y = sample("blobs.train")
        model = LinearClassifier("logistic")
        model._set_classes(np.unique(y))

        def interrupt(*unused):  # as the last that happens in the training
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            model._train(_library.Data(X, y), model._settings(), visit=interrupt)
        self.assertEqual(model.status_, "converged")

    def test_exceptions_of_callbacks_come_through(self):
        X, y = sample("blobs.train")
        data = _library.Data(X, y)

        def fail(*unused):
            raise RuntimeError("from the callback")

        self.assertRaisesRegex(RuntimeError, "callback", _library.train, data, [], progress=fail)
        self.assertRaisesRegex(RuntimeError, "callback", _library.train, data, [], visit=fail)

    def test_warm_starts(self):
        X, y = sample("blobs.train")
        model = LinearClassifier("logistic", solver="lbfgs", warm_start=True, tol=1e-9).fit(X, y)
        first = model.n_passes_
        self.assertLess(model.fit(X, y).n_passes_, first / 2)
        self.assertLess(model.set_params(lambda_=1.1e-4).fit(X, y).n_passes_, first)
        self.assertRaisesRegex(ValueError, "labels are not those of the data", model.fit, X, y + 5)

    def test_partial_fit_goes_on_as_the_command_line_does(self):
        X, y = sample("three.train")
        lines = (SAMPLES / "three.train").read_text().splitlines(keepends=True)
        model = LinearClassifier(solver="asset-on", lambda_=1e-3)
        before = ()
        for k in range(3):
            part = slice(k * 200, (k + 1) * 200)
            model.partial_fit(X[part], y[part])
            (self.folder / "part").write_text("".join(lines[part]))
            options = ("-q", "-s", "asset-on", "-l", "1e-3", "--intercept", "-p", 1, *before)
            command("train", *options, self.folder / "part", self.folder / "model")
            before = ("-i", self.folder / "model")
            model.save(self.folder / "ours")
            texts = [(self.folder / name).read_bytes() for name in ("ours", "model")]
            self.assertEqual(*texts)

    def test_partial_fit_may_see_one_class_at_a_time(self):
        X, y = sample("three.train")
        model = LinearClassifier(solver="asset-on", lambda_=1e-3)
        for label in (3, 1, 2):
            model.partial_fit(X[y == label], y[y == label], classes=[1, 2, 3])
        self.assertEqual(model.coef_.shape, (3, X.shape[1]))
        self.assertRaises(ValueError, model.partial_fit, X, y + 1)
        self.assertRaises(ValueError, model.partial_fit, X, y, classes=[1, 2])
        self.assertFalse(hasattr(LinearClassifier(), "partial_fit"))
        X, y = sample("line.train")
        model = LinearRegressor(solver="asset-on")
        for _ in range(5):
            model.partial_fit(X, y)
        self.assertGreater(model.score(X, y), 0.8 * LinearRegressor().fit(X, y).score(X, y))

    def test_a_stream_does_not_lose_features(self):
        X, y = sample("three.train")
        model = LinearClassifier(solver="asset-on", warm_start=True).fit(X, y)
        self.assertRaisesRegex(ValueError, "the model before has", model.fit, X[:, :1], y)

    def test_warnings_name_the_callers_line(self):
        X, y = sample("blobs.train")
        stream = LinearClassifier(solver="asset-on")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            LinearClassifier(passes=2, tol=1e-9, solver="agm").fit(X, y)
            for k in range(10):
                stream.partial_fit(X[k : k + 1], y[k : k + 1], classes=np.unique(y))
        self.assertGreater(len(said), 1)
        self.assertEqual({one.filename for one in said}, {__file__})

    def test_class_weights_of_a_class_that_a_fold_lacks(self):
        X, y = sample("blobs.train")
        weights = {label: 1.0 + k for k, label in enumerate(np.unique(y))}
        model = LinearClassifier(class_weight=weights).fit(X, y)
        more = LinearClassifier(class_weight={**weights, 99: 5.0}).fit(X, y)
        self.assertEqual(pickle.dumps(model.model_), pickle.dumps(more.model_))

    def test_the_number_of_threads_changes_nothing(self):
        X, y = sample("three.train")
        for kind in (LinearClassifier, KernelClassifier):
            texts = {pickle.dumps(kind(n_jobs=n).fit(X, y).model_) for n in (None, 1, 2, -1)}
            self.assertEqual(len(texts), 1)

    def test_random_states(self):
        X, y = sample("blobs.train")

        def coef(state):
            model = LinearClassifier(solver="pegasos", passes=2, random_state=state)
            return model.fit(X, y).coef_.tobytes()

        self.assertEqual(coef(None), coef(1))
        self.assertNotEqual(coef(1), coef(2))
        self.assertEqual(coef(np.random.RandomState(3)), coef(np.random.RandomState(3)))


TOGETHER = {"loss": "softmax", "solver": "lbfgs", "lambda_": 1e-2}


class Many(Test):
    def test_threads_of_python_train_at_once(self):
        X, y = sample("three.train")
        lambdas = [10.0**-k for k in range(1, 5)]
        models = [LinearClassifier("hinge", lambda_=x) for x in lambdas]
        models += [LinearClassifier("logistic", lambda_=x) for x in lambdas]
        expected = [m.fit(X, y).coef_ for m in models]
        again = [None] * len(models)

        def fit(k):
            again[k] = LinearClassifier(**models[k].get_params()).fit(X, y).coef_

        threads = [threading.Thread(target=fit, args=(k,)) for k in range(len(models))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for ours, theirs in zip(again, expected):
            np.testing.assert_array_equal(ours, theirs)

    def test_one_estimator_in_several_threads(self):
        X, y = sample("blobs.train")
        model = LinearClassifier().fit(X, y)
        expected = model.decision_function(X)
        threads = [threading.Thread(target=model.fit, args=(X, y)) for _ in range(4)]
        threads += [threading.Thread(target=model.decision_function, args=(X,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        np.testing.assert_array_equal(model.decision_function(X), expected)

    def test_other_threads_run_meanwhile(self):
        X, y = sample("blobs.train")
        machine = KernelClassifier(lambda_=1.0).fit(X, y)  # one call without callbacks
        rows = sparse.vstack([X] * 15, format="csr")
        counted = [0]
        done = threading.Event()

        def count():
            while not done.wait(0.001):
                counted[0] += 1

        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1000)  # no turn for the other thread but those that a call gives it
        thread = threading.Thread(target=count)
        thread.start()
        predict, data = machine.model_.predict, machine._data(rows)
        before = counted[0]
        for _ in range(1000):  # a busy machine may leave the other thread few turns in one call
            predict(data, 1)
            if counted[0] > before + 5:
                break
        counts = counted[0] - before
        done.set()
        thread.join()
        self.assertGreater(counts, 5)

    def test_a_fork_after_use(self):
        X, y = sample("three.train")
        X, y = sparse.vstack([X] * 30, format="csr"), np.tile(y, 30)  # enough work for two threads
        expected = LinearClassifier(n_jobs=2, **TOGETHER).fit(X, y)
        found = self.in_a_fork(lambda: LinearClassifier(n_jobs=2, **TOGETHER).fit(X, y).coef_)
        np.testing.assert_array_equal(found, expected.coef_)


class Pictures(Test):
    def test_plots(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        X, y = sample("blobs.train")
        ax = librrm.plot.gap(LinearClassifier(solver="bundle", tol=1e-6).fit(X, y))
        heights = ax.lines[0].get_ydata()
        self.assertLessEqual(heights[-1], 1e-6)
        ax.clear()
        found = librrm.path(X, y, n_lambdas=3)
        self.assertEqual(len(librrm.plot.path(found, ax).lines), X.shape[1])

    def test_plots_of_several_trainings(self):
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            self.skipTest("matplotlib is not installed")
        X, y = sample("three.train")
        model = LinearClassifier(solver="bundle").fit(X, y)
        lines = librrm.plot.gap(model, plt.figure().gca()).lines
        self.assertEqual([line.get_label() for line in lines], ["label 1", "label 2", "label 3"])
        for line in lines:
            self.assertTrue((np.diff(line.get_ydata()) <= 0).all())
            self.assertLessEqual(line.get_ydata()[-1], model.gap_)


if __name__ == "__main__":
    unittest.main()

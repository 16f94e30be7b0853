#!/usr/bin/python3
"""python.py estimators|reading [DATA...] - the Python estimators beside scikit-learn's: CPU seconds of fit; or reading a
file into a CSR matrix and labels: seconds of the clock. python.sh puts the tables into docs/speed.md.

Each row is a problem without an offset. The estimator of librrm trains to a certified gap of 1e-3.
Its peers run at ever smaller tolerances, or with ever more passes, until their objective is within
0.1 % of the certified bound at 1e-6; the seconds are those of that fit. One thread, the fastest of
three. "-": no tolerance reached it; ">LIMIT": a fit took longer than LIMIT seconds.

DATA are some of a9a, news20, cpusmall, ijcnn1.tr; all without.
RRM_DATASETS is their folder; the package librrm is installed or on PYTHONPATH."""

import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression, SGDClassifier
from sklearn.svm import SVC, LinearSVC

import librrm
from librrm import KernelClassifier, LinearClassifier, LinearRegressor

LIMIT = float(os.environ.get("LIMIT", 5))
TOLERANCES = [10.0**-k for k in range(8)]
PASSES = [5, 10, 20, 50, 100, 200, 500, 1000]


def read(name):
    folder = Path(os.environ["RRM_DATASETS"])
    path = folder / name
    return librrm.load_svmlight(path if path.exists() else folder / (name + ".gz"))


def seconds(make, X, y):
    """(CPU seconds of the fastest of three fits, the model); one fit if it takes long."""
    best = np.inf
    for _ in range(3):
        model = make()
        begin = time.process_time()
        model.fit(X, y)
        best = min(best, time.process_time() - begin)
        if best > 3:
            break
    return best, model


def peer(make, values, goal, objective, X, y):
    """The seconds of the first of make(value) that comes to the goal."""
    for value in values:
        took, model = seconds(lambda: make(value), X, y)
        if objective(model) <= goal:
            return f"{took:.2g}"
        if took > LIMIT:
            return f">{LIMIT:g}"
    return "-"


def weights(model):
    return np.asarray(model.coef_).ravel()


def row(name, problem, ours, objective, peers, X, y):
    took, model = seconds(lambda: ours(1e-3), X, y)
    goal = ours(1e-6).fit(X, y).lower_bound_ * 1.001
    words = [f"| {name} | {problem} | {took:.2g} ({model.solver_})"]
    found = [f"{kind} {peer(*how, goal, objective, X, y)}" for kind, how in peers.items()]
    print(" | ".join([*words, ", ".join(found)]) + " |", flush=True)


def linear(name, X, y, lambda_):
    m, positive = len(y), np.where(y > 0, 1.0, -1.0)
    C = 1 / (lambda_ * m)

    def objective(loss, l1=False):
        def of(model):
            w = weights(model)
            norm = abs(w).sum() if l1 else w @ w / 2
            return lambda_ * norm + loss(positive * (X @ w)).mean()

        return of

    def svc(loss):
        return lambda tol: LinearSVC(loss=loss, C=C, tol=tol, fit_intercept=False, max_iter=10000)

    def logistic(solver, penalty="l2"):
        return lambda tol: LogisticRegression(
            penalty=penalty, solver=solver, C=C, tol=tol, fit_intercept=False, max_iter=10000
        )

    def sgd(loss):
        return lambda n: SGDClassifier(
            loss=loss, alpha=lambda_, max_iter=n, tol=None, fit_intercept=False, random_state=1
        )

    def own(loss, penalty=None):
        return lambda tol: LinearClassifier(
            loss, penalty=penalty, lambda_=lambda_, fit_intercept=False, tol=tol
        )

    def hinge(u):
        return np.maximum(0, 1 - u)

    def log(u):
        return np.logaddexp(0, -u)

    y = positive
    problem = f"lambda {lambda_:g}"
    peers = {"LinearSVC": (svc("hinge"), TOLERANCES), "SGDClassifier": (sgd("hinge"), PASSES)}
    row(name, f"hinge, {problem}", own("hinge"), objective(hinge), peers, X, y)
    peers = {"LinearSVC": (svc("squared_hinge"), TOLERANCES)}
    squared = objective(lambda u: hinge(u) ** 2)
    row(name, f"squared hinge, {problem}", own("squared-hinge"), squared, peers, X, y)
    solvers = ["liblinear", "lbfgs", "newton-cholesky", "saga"]
    if X.shape[1] > 2000:
        solvers.remove("newton-cholesky")  # its matrix has the square of the features
    peers = {solver: (logistic(solver), TOLERANCES) for solver in solvers}
    peers["SGDClassifier"] = (sgd("log_loss"), PASSES)
    row(name, f"logistic, {problem}", own("logistic"), objective(log), peers, X, y)
    if X.shape[1] > 2000:
        return  # saga takes minutes
    peers = {solver: (logistic(solver, "l1"), TOLERANCES) for solver in ("liblinear", "saga")}
    row(name, f"logistic l1, {problem}", own("logistic", "l1"), objective(log, True), peers, X, y)


def regression(name, X, y, lambda_):
    y = y - y.mean()

    def objective(share):
        def of(model):
            w = weights(model)
            norm = share * abs(w).sum() + (1 - share) * (w @ w) / 2
            return lambda_ * norm + ((X @ w - y) ** 2).mean() / 2

        return of

    def own(penalty):
        return lambda tol: LinearRegressor(
            penalty=penalty, lambda_=lambda_, fit_intercept=False, tol=tol
        )

    kinds = [("l1", Lasso, 1.0), ("elastic-net", ElasticNet, 0.5)]
    for penalty, kind, share in kinds:
        peers = {
            kind.__name__: (
                lambda tol, kind=kind: kind(lambda_, tol=tol, fit_intercept=False, max_iter=100000),
                TOLERANCES,
            )
        }
        problem = f"squared {penalty}, lambda {lambda_:g}"
        row(name, problem, own(penalty), objective(share), peers, X, y)


def kernel(name, X, y, C, gamma):
    y = np.where(y > 0, 1.0, -1.0)

    def objective(model):
        points = model.support_vectors_
        squares = np.asarray(points.multiply(points).sum(axis=1))
        values = np.exp(-gamma * (squares + squares.T - 2 * (points @ points.T).toarray()))
        a = model.dual_coef_.toarray().ravel()
        loss = np.maximum(0, 1 - y * model.decision_function(X)).mean()
        return a @ values @ a / (2 * C * len(y)) + loss

    def own(tol):
        return KernelClassifier(C=C, gamma=gamma, tol=tol)

    peers = {"SVC": (lambda tol: SVC(C=C, gamma=gamma, tol=tol, cache_size=1000), TOLERANCES)}
    row(name, f"Gaussian kernel, C {C:g}, gamma {gamma:g}", own, objective, peers, X, y)


def reading(name):
    from sklearn.datasets import load_svmlight_file

    path = Path(os.environ["RRM_DATASETS"], name)
    if not path.exists():
        return
    found = []
    loads = (
        librrm.load_svmlight,
        lambda file: librrm.load_svmlight(file, n_jobs=2),
        load_svmlight_file,
    )
    for load in loads:
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            load(str(path))
            times.append(time.perf_counter() - begin)
        found.append(min(times))
    one, two, peer = found
    ratios = f"{peer / one:.1f} | {peer / two:.1f}"
    print(f"| {name} | {one:.2g} | {two:.2g} | {peer:.2g} | {ratios} |", flush=True)


def estimators(wanted):
    print("| data | problem | librrm (solver) | scikit-learn |\n| --- | --- | --- | --- |")
    if "a9a" in wanted:
        X, y = read("a9a")
        linear("a9a", X, y, 1e-4)
        kernel("a9a, 8000 rows", X[:8000], y[:8000], 1.0, 0.05)
    if "news20" in wanted:
        X, y = read("news20")
        linear("news20", X, y - 10.5, 1e-5)
        regression("news20", X, y, 1e-3)
    if "cpusmall" in wanted:
        X, y = read("cpusmall")
        X = sparse.csr_matrix(X / np.maximum(abs(X).max(axis=0).toarray(), 1e-300))
        regression("cpusmall", X, y, 1e-3)
    if "ijcnn1.tr" in wanted:
        X, y = read("ijcnn1.tr")
        kernel("ijcnn1, 10000 rows", X[:10000], y[:10000], 10.0, 1.0)


def main():
    warnings.simplefilter("ignore")
    if "RRM_DATASETS" not in os.environ:
        sys.exit("python.py: RRM_DATASETS is the folder with data")
    if sys.argv[1:2] != ["reading"]:
        return estimators(sys.argv[2:] or ["a9a", "news20", "cpusmall", "ijcnn1.tr"])
    print("| data | load_svmlight | two threads | load_svmlight_file | ratio | two threads |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in ("a9a", "w8a", "news20", "mnist.scale"):
        reading(name)


if __name__ == "__main__":
    main()

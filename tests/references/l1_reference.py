#!/usr/bin/python3
"""l1-regularized logistic regression to a duality gap near 1e-12, found without librrm.

    tests/references/l1_reference.py DATA RULE LAMBDA [--intercept] [--elastic RHO] [--weights FILE] [--check MODEL]
    tests/references/l1_reference.py --table TABLE [SET...]

minimizes LAMBDA (RHO/2 ||w||^2 + (1 - RHO) ||w||_1) + mean log(1 + exp(-y <w,x>)), RHO = 0 without
--elastic, and prints J, the gap to a dual value, and how many weights are nonzero. DATA is svmlight
text, plain or gzip. RULE says which labels are positive: binary, the larger one; one-vs-rest:K, K;
le:K, those up to K. --weights writes "INDEX WEIGHT" lines (the offset's index is 0). --check compares
with a model of train: relative difference of the objectives (both evaluated here), the weights that
only one of them has among those above 1e-6, and the largest of them; the optimum's weights are not
unique where features repeat each other. --table does that for the l1 rows of a table of optima (README
of the data folder), whose bounds must enclose J.

Method: Newton's method with the l1 norm kept, on a working set of features that grows by those
violating optimality most. The quadratic model is minimized by coordinate descent and, on the nonzero
weights, by linear equations up to the first change of a sign. Dual point: the losses' derivatives,
balanced between the classes (offset) and scaled into the constraint. Needs python3-numpy, -scipy and
-sklearn (for its reader)."""

import argparse
import os
import sys
import time

import numpy as np
from scipy import linalg, sparse
from scipy.special import expit
from sklearn.datasets import load_svmlight_file

GAP = 1e-12
TABLE_DIGITS = 1e-9  # J moves by less where a table's lambda is rounded to 10 digits


def labels_by(rule, y):
    kind, _, number = rule.partition(":")
    if kind == "binary":
        return np.where(y == y.max(), 1.0, -1.0)
    return np.where(y <= float(number) if kind == "le" else y == float(number), 1.0, -1.0)


def soft(x, k):
    return np.sign(x) * max(abs(x) - k, 0)


class Problem:
    def __init__(self, X, y, lam, rho, intercept):
        self.X, self.y, self.m = sparse.csc_matrix(X), y, len(y)
        self.l1, self.l2, self.intercept = lam * (1 - rho), lam * rho, intercept
        self.rows = [(i, self.X.tocsr()[i : i + 8192].tocsc()) for i in range(0, self.m, 8192)]

    def loss(self, z):
        return np.logaddexp(0, -z).mean()

    def penalty(self, w):
        return self.l1 * abs(w).sum() + self.l2 / 2 * (w @ w)

    def slope(self, a):
        """X'a/m, summed in parts so that less is lost by rounding."""
        return sum(part.T @ a[i : i + part.shape[0]] for i, part in self.rows) / self.m

    def scores(self, w, b):
        used = np.flatnonzero(w)
        return self.X[:, used] @ w[used] + b

    def objective(self, w, b):
        return self.penalty(w) + self.loss(self.y * self.scores(w, b))

    def dual(self, z):
        """The dual value of the losses' derivatives at margins z, made feasible."""
        alpha = expit(-z)
        if self.intercept:
            positive = self.y > 0
            up, down = alpha[positive].sum(), alpha[~positive].sum()
            alpha[positive] *= min(1, down / up)
            alpha[~positive] *= min(1, up / down)
        s = self.slope(-self.y * alpha)
        price = 0.0
        if self.l2 > 0:
            price = (np.maximum(abs(s) - self.l1, 0) ** 2).sum() / (2 * self.l2)
        else:
            alpha *= min(1, self.l1 / abs(s).max())
        rest = 1 - alpha
        entropy = alpha * np.log(np.maximum(alpha, 1e-300)) + rest * np.log(np.maximum(rest, 1e-300))
        return -entropy.mean() - price


def columns(problem, work):
    """The working set's columns, dense where that is quicker, with the offset's last."""
    X = problem.X[:, work]
    if X.nnz > 0.05 * problem.m * max(len(work), 1):
        X = X.toarray()
        return np.hstack([X, np.ones((problem.m, 1))]) if problem.intercept else X
    return sparse.hstack([X, np.ones((problem.m, 1))]).tocsr() if problem.intercept else X.tocsr()


def hessian(X, curvature):
    if sparse.issparse(X):
        return (X.T @ X.multiply(curvature[:, None]).tocsr()).toarray() / len(curvature)
    total = np.zeros((X.shape[1], X.shape[1]))
    for i in range(0, len(X), 16384):
        part = X[i : i + 16384] * np.sqrt(curvature[i : i + 16384, None])
        total += part.T @ part
    return total / len(X)


def violation(g, w, l1):
    """Distance of 0 from g + l1 d|w|, by component; l1 is 0 for the offset."""
    return np.where(w != 0, abs(g + l1 * np.sign(w)), np.maximum(abs(g) - l1, 0))


def newton_within_signs(H, r, v, l1):
    """The model's minimizer on the nonzeros, or the way there until a weight becomes 0, repeatedly."""
    for _ in range(30):
        s = np.flatnonzero((v != 0) | (l1 == 0))
        if len(s) == 0:
            return
        block = H[np.ix_(s, s)]
        ridge = 1e-14 * np.trace(block) / len(s)
        while True:
            try:
                factor = linalg.cho_factor(block + ridge * np.eye(len(s)))
                break
            except linalg.LinAlgError:
                ridge *= 100
        step = linalg.cho_solve(factor, -(r[s] + l1[s] * np.sign(v[s])))
        crossing = (l1[s] > 0) & (v[s] * (v[s] + step) < 0)
        ratio = np.where(crossing, -v[s] / np.where(crossing, step, 1), 2.0)
        t = min(1.0, ratio.min())
        v[s] += t * step
        r += H[:, s] @ (t * step)
        if t == 1.0:
            return
        v[s[ratio <= t]] = 0


def minimize_model(H, g, w, l1):
    """argmin of <g, v - w> + (v - w)'H(v - w)/2 + sum l1 |v|, well enough."""
    v, r = w.copy(), g.copy()
    diagonal = np.maximum(np.diag(H), 1e-300)
    goal = max(1e-9 * violation(g, w, l1).max(), 1e-18)
    for _ in range(60):
        for _ in range(4):
            for j in np.flatnonzero((v != 0) | (abs(r) > l1)):
                new = soft(diagonal[j] * v[j] - r[j], l1[j]) / diagonal[j]
                if new != v[j]:
                    r += H[:, j] * (new - v[j])
                    v[j] = new
        newton_within_signs(H, r, v, l1)
        r = g + H @ (v - w)
        if violation(r, v, l1).max() <= goal:
            break
    return v


def minimize_on(problem, work, w, b, goal):
    """w and b improved over the features of the working set until they violate nothing by more."""
    X = columns(problem, work)
    k, y, m = len(work), problem.y, problem.m
    l1, l2 = np.full(X.shape[1], problem.l1), np.full(X.shape[1], problem.l2)
    l1[k:], l2[k:] = 0, 0
    v = np.append(w[work], [b] * problem.intercept)

    def objective(at, z):
        return (l1 * abs(at)).sum() + (l2 * at * at).sum() / 2 + problem.loss(z)

    z = y * (X @ v)
    j, least, best = objective(v, z), np.inf, v
    for _ in range(40):
        alpha = expit(-z)
        g = X.T @ (-y * alpha) / m + l2 * v
        now = violation(g, v, l1).max()
        if now < least:
            least, best = now, v
        elif now < 1e-10:  # rounding
            break
        if now <= goal:
            break
        d = minimize_model(hessian(X, alpha * (1 - alpha)) + np.diag(l2), g, v, l1) - v
        t = 1.0
        while t > 1e-10:
            z_new = y * (X @ (v + t * d))
            j_new = objective(v + t * d, z_new)
            if j_new <= j + 1e-14 * j:
                break
            t /= 2
        v, z, j = v + t * d, z_new, j_new
    w[work] = best[:k]
    return w, best[k] if problem.intercept else b


def solve(problem, words=None):
    n = problem.X.shape[1]
    w, b, best = np.zeros(n), 0.0, (np.inf, None)
    bound, idle, goal = -np.inf, 0, 1e-3 * problem.l1
    work = np.zeros(0, dtype=int)
    while True:
        z = problem.y * problem.scores(w, b)
        j = problem.penalty(w) + problem.loss(z)
        bound = max(bound, problem.dual(z))
        idle = 0 if j - bound < 0.7 * best[0] else idle + 1
        best = min(best, (j - bound, (j, w.copy(), b)), key=lambda pair: pair[0])
        if words:
            print(f"  J {j:.15g} gap {j - bound:.3g} working set {len(work)}", file=words)
        if j - bound <= GAP * j or idle >= 6:
            j, w, b = best[1]
            return w, b, j, max(j - bound, 0)
        g = problem.slope(-problem.y * expit(-z)) + problem.l2 * w
        lacking = violation(g, w, problem.l1)
        lacking[work[w[work] != 0]] = 0
        order = np.argsort(-lacking)[: max(100, 2 * np.count_nonzero(w))]
        fresh = order[lacking[order] > 0]
        fresh = fresh[~np.isin(fresh, work)]
        if len(fresh) == 0:
            goal *= 1e-3
        elif lacking[fresh].max() < 2 * goal:
            goal *= 0.1
        nonzero = np.flatnonzero(w)
        near = work[abs(g[work]) > 0.9 * problem.l1] if len(work) else work
        work = np.unique(np.concatenate([nonzero, near, fresh])).astype(int)
        w, b = minimize_on(problem, work, w, b, max(goal, 1e-18))


def read_model(path, n):
    """The weights of a model file of train, and its offset; indices of the file's own base."""
    keys, w = {}, None
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[0] == "w":
                offset = keys["intercept"] == "1"
                if float(keys["bias"]) >= 0 or keys["vectors"] != "1":
                    sys.exit(f"{path}: a bias, or several vectors")
                size = int(keys["features"]) + offset
                w = np.zeros(size)
                lines = [next(file) for _ in range(int(words[2]))] if words[1] == "sparse" else None
                if lines is None:
                    w[:] = [float(next(file)) for _ in range(size)]
                for entry in lines or []:
                    index, value = entry.split(":")
                    w[int(index) - int(keys["index-base"])] = float(value)
                break
            keys[words[0]] = " ".join(words[1:])
    b = w[-1] if keys["intercept"] == "1" else 0.0
    w = w[: int(keys["features"])]
    if keys["labels"].split()[0] == "-1":
        w, b = -w, -b
    if len(w) > n:
        sys.exit(f"{path}: more features than the data")
    return np.append(w, np.zeros(n - len(w))), b


def check(problem, path, w, j):
    v, b = read_model(path, len(w))
    objective = problem.objective(v, b)
    small = 1e-6
    only_here = np.flatnonzero((abs(w) > small) & (v == 0))
    only_there = np.flatnonzero((w == 0) & (abs(v) > small))
    differ = np.concatenate([abs(w[only_here]), abs(v[only_there]), [0]])
    print(
        f"model: J {objective:.15g}, relative difference {objective / j - 1:.3g}, "
        f"nonzeros {np.count_nonzero(v)}, only in the reference {len(only_here)}, "
        f"only in the model {len(only_there)}, largest of these {differ.max():.3g}, "
        f"largest difference of weights {abs(v - w).max():.3g}"
    )


def path_of(folder, name):
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else path + ".gz"


def check_table(table, names):
    """The l1 rows, a data set and rule at a time. 1 when an optimum is outside of its bounds."""
    with open(table, encoding="ascii") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    rows = [row for row in rows if row[5].startswith("l1(") and (not names or row[0] in names)]
    loaded, status = None, 0
    for row in rows:
        name, rule, lam, lower, upper = row[0], row[3], float(row[6]), float(row[7]), float(row[8])
        begin = time.time()
        if loaded is None or loaded[0] != name:
            loaded = (name, *load_svmlight_file(path_of(os.path.dirname(table), name)))
        reading, begin = time.time() - begin, time.time()
        problem = Problem(loaded[1], labels_by(rule, loaded[2]), lam, 0, False)
        w, _, j, gap = solve(problem)
        within = j - gap <= upper * (1 + TABLE_DIGITS) and j >= lower * (1 - TABLE_DIGITS)
        status = status if within else 1
        print(
            f"{name} {rule} {lam:.10g}: J {j:.15g} gap {gap:.2g} ({gap / j:.2g}) nonzeros "
            f"{np.count_nonzero(w)}, J/lower-1 {j / lower - 1:.2g}, J/upper-1 {j / upper - 1:.2g}, "
            f"{'within' if within else 'OUTSIDE'}, {reading:.1f} + {time.time() - begin:.1f} s",
            flush=True,
        )
    return status


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", metavar="DATA RULE LAMBDA")
    parser.add_argument("--intercept", action="store_true")
    parser.add_argument("--elastic", type=float, default=0.0, metavar="RHO")
    parser.add_argument("--weights", metavar="FILE")
    parser.add_argument("--check", metavar="MODEL")
    parser.add_argument("--table", metavar="TABLE")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if options.table:
        return check_table(options.table, options.words)
    if len(options.words) != 3:
        parser.error("DATA RULE LAMBDA are wanted")
    X, y = load_svmlight_file(options.words[0])
    y = labels_by(options.words[1], y)
    problem = Problem(X, y, float(options.words[2]), options.elastic, options.intercept)
    w, b, j, gap = solve(problem, sys.stderr if options.verbose else None)
    print(f"J {j:.15g} gap {gap:.3g} nonzeros {np.count_nonzero(w)}")
    if options.weights:
        with open(options.weights, "w", encoding="ascii") as file:
            if options.intercept:
                print(f"0 {b:.17g}", file=file)
            for i in np.flatnonzero(w):
                print(f"{i + 1} {w[i]:.17g}", file=file)
    if options.check:
        check(problem, options.check, w, j)
    return 0


sys.exit(main())

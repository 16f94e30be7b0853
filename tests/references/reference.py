#!/usr/bin/python3
"""Makes tests/references/reference.tsv: certified optima of every loss on the shipped samples, found without librrm.

The dual of each problem is solved as a quadratic program by cvxopt (logistic: Newton's method on the
primal); the primal point that belongs to it gives the upper bound, the dual value the lower one.
Needs python3-cvxopt and python3-sklearn. Usage: tests/references/reference.py >tests/references/reference.tsv
"""
import numpy as np
from cvxopt import matrix, solvers
from sklearn.datasets import load_svmlight_file

solvers.options.update(show_progress=False, abstol=1e-13, reltol=1e-13, feastol=1e-13)
TUBE, QUANTILE, HUBER = 0.1, 0.5, 1.0


def value(loss, u, y):
    v, r = 1 - y * u, u - y
    return {
        "hinge": lambda: np.maximum(v, 0),
        "squared-hinge": lambda: np.maximum(v, 0) ** 2,
        "logistic": lambda: np.logaddexp(0, -y * u),
        "squared": lambda: r**2 / 2,
        "absolute": lambda: abs(r),
        "epsilon": lambda: np.maximum(abs(r) - TUBE, 0),
        "huber": lambda: np.where(abs(r) <= HUBER, r**2 / 2, HUBER * abs(r) - HUBER**2 / 2),
        "quantile": lambda: np.maximum(-QUANTILE * r, (1 - QUANTILE) * r),
    }[loss]()


def primal(loss, X, y, lam, w):
    return lam / 2 * w @ w + value(loss, X @ w, y).mean()


def newton(X, y, lam):
    """Logistic loss: Newton with halving; the dual value at alpha = sigma(-z)."""
    m, w = len(y), np.zeros(X.shape[1])
    for _ in range(100):
        s = 1 / (1 + np.exp(y * (X @ w)))
        g = lam * w - X.T @ (s * y) / m
        H = X.T @ ((s * (1 - s) / m)[:, None] * X) + lam * np.eye(len(w))
        d, step, j = np.linalg.solve(H, g), 1.0, primal("logistic", X, y, lam, w)
        while step > 1e-10 and primal("logistic", X, y, lam, w - step * d) > j:
            step /= 2
        w = w - step * d
    s = np.clip(1 / (1 + np.exp(y * (X @ w))), 1e-300, 1 - 1e-16)
    slope = -X.T @ (s * y) / m
    dual = -(s * np.log(s) + (1 - s) * np.log1p(-s)).mean() - slope @ slope / (2 * lam)
    return primal("logistic", X, y, lam, w), dual


def dual(loss, X, y, lam):
    """max over b of -mean(phi(b)) + c'b/m - |A'b|^2/(2 lam m^2) over a box, A's rows signed."""
    m = len(y)
    if loss == "epsilon":
        A, c = np.vstack([-X, X]), np.concatenate([y - TUBE, -y - TUBE])
        curve, low, high = 0, 0, 1
    else:
        sign = y if loss in ("hinge", "squared-hinge") else np.ones(m)
        A, c = sign[:, None] * X, np.ones(m) if loss in ("hinge", "squared-hinge") else y
        curve, low, high = {
            "hinge": (0, 0, 1), "squared-hinge": (0.5, 0, None), "squared": (1, None, None),
            "absolute": (0, -1, 1), "huber": (1, -HUBER, HUBER), "quantile": (0, QUANTILE - 1, QUANTILE),
        }[loss]
    if loss == "epsilon":
        A = -A
    k = len(c)
    P = A @ A.T / (lam * m * m) + curve / m * np.eye(k)
    G, h = [], []
    if low is not None:
        G.append(-np.eye(k)), h.append(-low * np.ones(k))
    if high is not None:
        G.append(np.eye(k)), h.append(high * np.ones(k))
    if G:
        solution = solvers.qp(matrix(P), matrix(-c / m), matrix(np.vstack(G)), matrix(np.concatenate(h)))
        b = np.array(solution["x"]).ravel()
        b = np.clip(b, low, np.inf if high is None else high)
    else:
        b = np.linalg.solve(P, c / m)
    return primal(loss, X, y, lam, A.T @ b / (lam * m)), -b @ P @ b / 2 + c @ b / m


print("# made by tests/references/reference.py: certified optima of J = lambda/2 ||w||^2 + mean loss")
print("# data\tloss\tlambda\tbias\tlower\tupper")
for data, losses in (("blobs", ("hinge", "squared-hinge", "logistic")),
                     ("line", ("squared", "absolute", "epsilon", "huber", "quantile"))):
    X, y = load_svmlight_file(f"data/{data}.train")
    X = X.toarray()
    for bias in (-1, 1):
        Z = np.hstack([X, np.full((len(y), 1), bias)]) if bias >= 0 else X
        for loss in losses:
            for lam in (1e-2, 1e-4):
                upper, lower = newton(Z, y, lam) if loss == "logistic" else dual(loss, Z, y, lam)
                assert lower <= upper + 1e-12 and upper - lower <= 1e-6 * upper, (loss, lam, lower, upper)
                print(f"{data}\t{loss}\t{lam:g}\t{bias}\t{lower:.12g}\t{upper:.12g}")

#!/usr/bin/python3
"""linear_program_reference.py [TABLE] - piecewise linear losses with the 1-norm, solved as linear programs.

    minimize  lambda ((1 - rho) ||w||_1 + rho/2 ||w||^2) + sum p_i l(<w,x_i> + b, y_i)

by scipy's HiGHS where rho = 0 (Debian: python3-scipy), and else by cvxopt (python3-cvxopt). Rows of the
table: kind of the data (tests/solvers/interior_point/test_ipm_l1.c), m, n, loss, lambda, rho, intercept,
weighted, the value of a dual point and J of a primal one, and the signs of w where that is the only optimum
("-": it is not, or that is not known)."""

import sys

import cvxopt
import cvxopt.solvers
import numpy as np
from scipy.optimize import linprog

cvxopt.solvers.options.update(
    show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-11, maxiters=100
)

TUBE, QUANTILE = 0.1, 0.3

# kind, m, n, loss, lambda, rho, intercept, weighted
PROBLEMS = [
    ("plain", 40, 8, loss, lam, 0, intercept, weighted)
    for loss in ("hinge", "absolute", "epsilon", "quantile")
    for lam in (0.1, 0.01, 1e-4)
    for intercept, weighted in ((0, 0), (1, 0), (0, 1), (1, 1))
]
PROBLEMS += [
    (kind, 30, 9, loss, lam, 0, intercept, 0)
    for kind in ("twice", "zeros", "wide", "constant", "separable", "unscaled")
    for loss in ("hinge", "absolute")
    for lam in (0.05, 1e-3, 1e-6)
    for intercept in (0, 1)
]
PROBLEMS += [("plain", 40, 8, loss, 10, 0, 0, 0) for loss in ("hinge", "absolute", "epsilon", "quantile")]
PROBLEMS += [
    ("plain", 40, 8, loss, lam, 0.4, intercept, 1)
    for loss in ("hinge", "absolute", "epsilon", "quantile")
    for lam in (0.1, 1e-3)
    for intercept in (0, 1)
]


class Stream:
    """Numbers of Lehmer's generator, as the test makes them."""

    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = self.state * 16807 % 2147483647
        return self.state % count


def data(kind, m, n, classes, weighted):
    """X, y, c. In thousandths, all exact in binary."""
    stream = Stream(7 + m + n)
    if kind == "wide":
        n = 2 * m
    x, y = np.zeros((m, n)), np.zeros(m)
    for i in range(m):
        for j in range(n):
            x[i, j] = (stream.below(2049) - 1024) / 1024
            if kind == "twice" and j % 3 == 2:
                x[i, j] = x[i, j - 1]
            if kind == "zeros" and j % 3 == 2:
                x[i, j] = 0
            if kind == "unscaled":
                x[i, j] *= 4 ** (j % 5)
        noise = 0 if kind == "separable" else (stream.below(2049) - 1024) / 1024
        y[i] = x[i, 0] - 2 * x[i, 1] + noise
        if kind == "constant":
            y[i] = 1
        if classes:
            y[i] = 1 if y[i] > 0 else -1
    c = np.array([stream.below(4) if weighted else 1 for _ in range(m)], dtype=float)
    return x, y, c


def pieces(loss):
    """Pairs (slope, constant, of y u): l = max over the pieces of slope r + constant, r = u - y."""
    return {
        "hinge": [(-1, 1), (0, 0)],
        "absolute": [(1, 0), (-1, 0)],
        "epsilon": [(1, -TUBE), (-1, -TUBE), (0, 0)],
        "quantile": [(1 - QUANTILE, 0), (-QUANTILE, 0)],
    }[loss]


def program(x, y, p, loss, lam, intercept):
    """c, A, b of  minimize c'z  over  A z <= b,  z = (u, v, t, b) with the first 2 n at least 0."""
    m, n = x.shape
    cost = np.concatenate([np.full(2 * n, lam), p, np.zeros(intercept)])
    left, right = [], []
    for slope, constant in pieces(loss):
        turn = y if loss == "hinge" else np.ones(m)
        target = np.zeros(m) if loss == "hinge" else y
        s = slope * turn
        block = np.hstack([s[:, None] * x, -s[:, None] * x, -np.eye(m), s[:, None] * np.ones((m, intercept))])
        left.append(block)
        right.append(slope * target - constant)
    return cost, np.vstack(left), np.concatenate(right)


def objective(w, b, x, y, p, loss, lam, rho):
    u = x @ w + b
    r = y * u if loss == "hinge" else u - y
    losses = np.max([slope * r + constant for slope, constant in pieces(loss)], axis=0)
    return lam * ((1 - rho) * np.abs(w).sum() + rho / 2 * w @ w) + p @ losses


def signs(z, result, n, m, right):
    """Of the only optimum: every multiplier is positive exactly where its constraint is tight."""
    tight = result.slack < 1e-9
    positive = z[: 2 * n] > 1e-9
    reduced = result.lower.marginals[: 2 * n]
    used = -result.ineqlin.marginals
    strict = np.all((used > 1e-9) == tight) and np.all((reduced > 1e-9) == ~positive)
    free = len(z) - 2 * n
    if not strict or positive.sum() + free != tight.sum():
        return "-"
    w = z[:n] - z[n : 2 * n]
    return "".join("+" if v > 0 else "-" if v < 0 else "0" for v in w)


def solve(kind, m, n, loss, lam, rho, intercept, weighted):
    x, y, c = data(kind, m, n, loss == "hinge", weighted)
    keep = c > 0
    x, y, p = x[keep], y[keep], c[keep] / c.sum()
    m, n = x.shape
    cost, left, right = program(x, y, p, loss, lam * (1 - rho), intercept)
    if rho == 0:
        bounds = [(0, None)] * (2 * n) + [(None, None)] * (m + intercept)
        options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
        result = linprog(cost, A_ub=left, b_ub=right, bounds=bounds, method="highs-ds", options=options)
        z, dual, only = result.x, result.ineqlin.marginals @ right, signs(result.x, result, n, m, right)
    else:
        size = len(cost)
        P = np.zeros((size, size))
        for j in range(n):
            for a, b, sign in ((j, j, 1), (j, n + j, -1), (n + j, j, -1), (n + j, n + j, 1)):
                P[a, b] = sign * lam * rho
        G = np.vstack([left, -np.eye(2 * n, size)])
        h = np.concatenate([right, np.zeros(2 * n)])
        result = cvxopt.solvers.qp(*(cvxopt.matrix(a) for a in (P, cost, G, h)))
        z, dual, only = np.array(result["x"]).ravel(), result["dual objective"], "-"
    w = z[:n] - z[n : 2 * n]
    b = z[-1] if intercept else 0
    return dual, objective(w, b, x, y, p, loss, lam, rho), only


def main():
    out = open(sys.argv[1], "w") if len(sys.argv) > 1 else sys.stdout
    print("# kind m n loss lambda rho intercept weighted, dual value, J, signs of w: "
          "tests/references/linear_program_reference.py", file=out)
    for problem in PROBLEMS:
        dual, j, only = solve(*problem)
        assert abs(j - dual) <= 1e-9 * max(1, j), (problem, dual, j)
        print(*problem, "%.12g" % dual, "%.12g" % j, only, sep="\t", file=out)


main()

#!/usr/bin/python3
"""projection_reference.py [TABLE] - small projections solved by cvxopt (Debian: python3-cvxopt), for
tests/math/projections/test_projection.c; without TABLE to tests/references/projection_reference.tsv.

A line a problem: its kind, how many scalars and the scalars, how many vectors of n numbers and the
vectors, and the answer, n numbers:

    plane     z                 q m g low high   a of math/projections/box_plane.h
    ball      k r               v                the nearest point of the ball, math/projections/ball.h
    support   k r               s                where <s, w> is largest over the ball
    simplex   total             v                the nearest point of the simplex, math/projections/simplex.h
    cap       top               v                the entropic one of log-weights v

Problems that cvxopt does not solve to 1e-9 are left out."""

import sys

import cvxopt
import cvxopt.solvers
import numpy as np

cvxopt.solvers.options.update(
    show_progress=False, abstol=1e-14, reltol=1e-13, feastol=1e-13, maxiters=200
)


def matrix(x):
    return cvxopt.matrix(np.atleast_1d(np.asarray(x, dtype=float)))


def qp(p, c, g, h, a=None, b=None):
    """The minimizer of 1/2 x'Px + c'x, Gx <= h, Ax = b; None if it is not exact."""
    arguments = [matrix(x) for x in (p, c, g, h)]
    if a is not None:
        arguments += [cvxopt.matrix(np.atleast_2d(a)), matrix(b)]
    result = cvxopt.solvers.qp(*arguments)
    return np.array(result["x"]).ravel() if result["gap"] < 1e-10 else None


def plane(z, q, m, g, low, high):
    n = len(q)
    rows = [(-np.eye(n)[i], -low[i]) for i in range(n) if np.isfinite(low[i])]
    rows += [(np.eye(n)[i], high[i]) for i in range(n) if np.isfinite(high[i])]
    return qp(np.diag(q), -q * m, np.array([r[0] for r in rows]), np.array([r[1] for r in rows]), g, z)


def ball(k, r, v, support=False):
    """w = x - y with x, y >= 0: sum (x + y) + k/2 (sum of x^2 + y^2) <= r."""
    n = len(v)
    split = np.hstack([np.eye(n), -np.eye(n)])

    def functions(x=None, z=None):
        if x is None:
            return 1, cvxopt.matrix(r / (4 * n * (1 + k)), (2 * n, 1))
        x = np.array(x).ravel()
        w = split @ x
        value = -v @ w if support else 0.5 * np.sum((w - v) ** 2)
        slope = -split.T @ v if support else split.T @ (w - v)
        inside = np.sum(x) + k / 2 * np.sum(x * x) - r
        slopes = cvxopt.matrix(np.vstack([slope, 1 + k * x]))
        if z is None:
            return matrix([value, inside]), slopes
        curved = (0 if support else z[0]) * split.T @ split + z[1] * k * np.eye(2 * n)
        return matrix([value, inside]), slopes, cvxopt.matrix(curved)

    result = cvxopt.solvers.cp(functions, matrix(-np.eye(2 * n)), matrix(np.zeros(2 * n)))
    return split @ np.array(result["x"]).ravel() if result["gap"] < 1e-9 else None


def support(k, r, s):
    return ball(k, r, s, True)


def simplex(total, v):
    n = len(v)
    return qp(np.eye(n), -v, -np.eye(n), np.zeros(n), np.ones(n), total)


def cap(top, v):
    """The least of sum w (log w - v) over the capped simplex."""
    n = len(v)

    def functions(x=None, z=None):
        if x is None:
            return 0, cvxopt.matrix(1 / n, (n, 1))
        x = np.array(x).ravel()
        if np.any(x <= 0):
            return None
        value, slope = x @ (np.log(x) - v), cvxopt.matrix(np.log(x) + 1 - v, (1, n))
        if z is None:
            return value, slope
        return value, slope, cvxopt.matrix(z[0] * np.diag(1 / x))

    result = cvxopt.solvers.cp(
        functions,
        matrix(np.vstack([-np.eye(n), np.eye(n)])),
        matrix(np.concatenate([np.zeros(n), top * np.ones(n)])),
        A=cvxopt.matrix(np.ones((1, n))),
        b=matrix(1),
    )
    return np.array(result["x"]).ravel() if result["gap"] < 1e-10 else None


def rounded(random, n):
    """Numbers of few digits, some of them equal."""
    return np.round(random.normal(size=n), 1)


def plane_problem(random, n):
    q, m, g = np.round(random.uniform(0.5, 2, n), 2), 2 * rounded(random, n), rounded(random, n)
    g[g == 0] = -1
    low = rounded(random, n) - 1
    high = low + np.round(random.uniform(0.1, 2, n), 1)
    z = np.round(g @ (low + (high - low) * random.uniform(0.2, 0.8, n)), 3)
    low[random.random(n) < 0.2] = -np.inf
    high[random.random(n) < 0.2] = np.inf
    return plane, [z], [q, m, g, low, high]


def problem(random, kind):
    n = int(random.integers(2, 13))
    v, k = rounded(random, n), [0, 0.1, 2, 20][int(random.integers(4))]
    v[0] += 2  # never all inside, never all equal
    if kind == 0:
        return plane_problem(random, n)
    if kind == 1:
        inside = np.sum(np.abs(v)) + k / 2 * v @ v
        return ball, [k, np.round(random.uniform(0.05, 0.8) * inside, 3)], [v]
    if kind == 2:
        return support, [max(k, 0.1), np.round(random.uniform(0.1, 4), 3)], [v]
    if kind == 3:
        return simplex, [np.round(random.uniform(0.1, 4), 3)], [v]
    return cap, [np.round(random.uniform(1.1, 3) / n, 3)], [v]


def main():
    random, lines = np.random.default_rng(5), []
    while len(lines) < 60:
        function, scalars, vectors = problem(random, len(lines) % 5)
        try:
            answer = function(*scalars, *vectors)
        except (ArithmeticError, ValueError):
            answer = None
        if answer is None:
            continue
        words = [function.__name__, len(vectors[0]), len(scalars), *map(float, scalars), len(vectors)]
        words += [float(x) for vector in vectors for x in vector]
        lines.append("\t".join(map(str, words + [f"{x:.12g}" for x in answer])) + "\n")
    name = sys.argv[1] if len(sys.argv) > 1 else "tests/references/projection_reference.tsv"
    with open(name, "w", encoding="ascii") as file:
        file.write("# kind, n, scalars, vectors, answer by cvxopt: tests/references/projection_reference.py\n")
        file.writelines(lines)


main()

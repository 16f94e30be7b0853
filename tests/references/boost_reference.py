#!/usr/bin/python3
"""boost_reference.py [TABLE] - entropy-regularized LPBoost solved by cvxopt (Debian: python3-cvxopt).

Over distributions d of m examples, each at most 1/nu, it minimizes the greatest edge of n learners
(of 2 n, of either sign) + KL(d, uniform)/eta; 1 less that is the least risk of risk/boost.h on the
simplex (the ball of the 1-norm). Rows: the seed of the data (tests/risk/test_boost.c), m, n, nu, eta,
signed, a lower and an upper bound of the least risk, which cvxopt proves."""

import sys

import cvxopt
import cvxopt.solvers
import numpy as np

cvxopt.solvers.options.update(
    show_progress=False, abstol=1e-10, reltol=1e-10, feastol=1e-10, maxiters=100
)

# seed, m, n, nu, eta, signed; odd seeds have rows and columns twice
PROBLEMS = [
    (1, 12, 4, 1, 1, 0),
    (2, 12, 4, 1, 100, 0),
    (3, 12, 4, 12, 10, 0),
    (4, 20, 5, 4, 1, 0),
    (5, 20, 5, 4, 10, 0),
    (6, 20, 5, 4, 100, 0),
    (7, 30, 6, 7.5, 30, 0),
    (8, 30, 8, 15, 100, 0),
    (9, 40, 8, 1, 10, 1),
    (10, 40, 6, 8, 50, 1),
    (11, 40, 10, 20, 50, 1),
    (12, 15, 3, 15, 5, 1),
    (13, 25, 25, 2, 20, 0),
    (14, 6, 30, 1.5, 20, 1),
]


class Stream:
    """Numbers of Lehmer's generator, as the test makes them."""

    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = self.state * 16807 % 2147483647
        return self.state % count


def edges(seed, m, n):
    stream = Stream(seed)
    u = np.zeros((m, n))
    for i in range(m):
        label = 1 if stream.below(2) else -1
        for j in range(n):
            value = (stream.below(17) - 8) / 8
            if seed % 2 and j % 4 == 3:
                value = u[i, j - 1] * label
            u[i, j] = label * value
        if seed % 2 and i % 5 == 4:
            u[i] = u[i - 1]
    return u


def solve(u, nu, eta):
    m, n = u.shape
    if nu == m:
        value = u.mean(axis=0).max()
        return value, value

    def objective(x=None, z=None):
        if x is None:
            start = np.full(m + 1, 1 / m)
            start[m] = 2
            return 0, cvxopt.matrix(start)
        d, t = np.array(x).ravel()[:m], x[m]
        if d.min() <= 0:
            return None
        value = t + (d * np.log(m * d)).sum() / eta
        slope = np.append((np.log(m * d) + 1) / eta, 1)
        if z is None:
            return value, cvxopt.matrix(slope).T
        return value, cvxopt.matrix(slope).T, cvxopt.spdiag(list(z[0] / (eta * d)) + [0])

    g = np.vstack([np.hstack([u.T, -np.ones((n, 1))]), np.eye(m + 1)[:m], -np.eye(m + 1)[:m]])
    h = np.concatenate([np.zeros(n), np.full(m, 1 / nu), np.zeros(m)])
    a = np.append(np.ones(m), 0.0).reshape(1, -1)
    result = cvxopt.solvers.cp(
        objective, *(cvxopt.matrix(x) for x in (g, h)), A=cvxopt.matrix(a), b=cvxopt.matrix(1.0)
    )
    return result["primal objective"], result["dual objective"]


def main():
    rows = []
    for seed, m, n, nu, eta, signed in PROBLEMS:
        u = edges(seed, m, n)
        primal, dual = solve(np.hstack([u, -u]) if signed else u, nu, eta)
        assert abs(primal - dual) < 1e-6, (seed, primal, dual)
        bounds = f"{1 - max(primal, dual):.12g}\t{1 - min(primal, dual):.12g}"
        rows.append(f"{seed}\t{m}\t{n}\t{nu}\t{eta}\t{signed}\t{bounds}\n")
    table = open(sys.argv[1], "w", encoding="ascii") if len(sys.argv) > 1 else sys.stdout
    table.write("# seed m n nu eta signed, bounds of the least risk: tests/references/boost_reference.py\n")
    table.writelines(rows)


main()

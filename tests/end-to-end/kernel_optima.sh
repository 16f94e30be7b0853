#!/bin/bash
# kernel_optima.sh - J and bound of kernel machines beside cvxopt's optima of their duals, on seeded random problems.
# $1: the folder of the binaries.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

has_tools 'kernel machines beside cvxopt' python3-cvxopt python3-numpy || exit 0
/usr/bin/python3 - "$train" <<'PYTHON' >notes 2>&1 || { fail 'not as cvxopt'; cat notes >&2; }
import subprocess
import sys

import cvxopt
import cvxopt.solvers
import numpy as np

LEAST = 2e-6  # relative: of J, and by what the bound may exceed cvxopt's optimum
PROBLEMS = 10  # of each loss
TUBE, QUANTILE = 0.1, 0.3
SHIFT = {"hinge": 0, "epsilon": TUBE, "absolute": 0, "quantile": 0}
OPTIONS = {"epsilon": ["--tube", str(TUBE)], "quantile": ["--quantile", str(QUANTILE)]}
cvxopt.solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-10, feastol=1e-10)


def values(x, kernel, gamma):
    product = x @ x.T
    if kernel == "polynomial":
        return (gamma * product + 1) ** 2
    square = np.diag(product)
    return np.exp(-gamma * (square[:, None] + square[None, :] - 2 * product))


def optimum(loss, k, y, c, constant):
    """J = 1/(c m) of the optimum of 1/2 w'w + c sum loss."""
    m = len(y)
    one, upper = np.ones(m), np.full(m, c)
    sign, p = y, -one
    if loss != "hinge":
        k, sign = np.tile(k, (2, 2)), np.concatenate([one, -one])
        p = np.concatenate([SHIFT[loss] - y, SHIFT[loss] + y])
        upper = np.concatenate([upper * QUANTILE, upper * (1 - QUANTILE)]) if loss == "quantile" else np.tile(upper, 2)
    eye = np.eye(len(sign))
    arguments = [sign[:, None] * k * sign[None, :], p, np.vstack([-eye, eye]), np.concatenate([0 * upper, upper])]
    arguments += [sign[None, :], np.zeros(1)] if constant else []
    return -cvxopt.solvers.qp(*(cvxopt.matrix(v) for v in arguments))["primal objective"] / (c * m)


def is_near(objective, bound, best):
    return abs(objective - best) <= LEAST * best and bound <= best * (1 + LEAST)


random, failed, compared = np.random.RandomState(19), 0, 0
for number in range(PROBLEMS * len(SHIFT)):
    loss = list(SHIFT)[number // PROBLEMS]
    kernel, constant = ["gaussian", "polynomial"][number % 2], number // 2 % 2
    c, gamma, m = 10 ** random.uniform(-1, 2), 10 ** random.uniform(-1, 0.3), random.randint(15, 35)
    x = np.round(random.normal(size=(m, 3)), 4)
    y = np.round(x[:, 0] * x[:, 1] + x[:, 2] + 0.4 * random.normal(size=m), 4)
    y = np.where(y > 0, 1.0, -1.0) if loss == "hinge" else y
    with open("data", "w") as file:
        for label, row in zip(y, x):
            file.write(f"{label!s} " + " ".join(f"{j + 1}:{v!s}" for j, v in enumerate(row)) + "\n")
    words = f"-q --strict -e 1e-5 -L {loss} -c {c!r} --kernel {kernel} --gamma-kernel {gamma!r}".split()
    words += ["--shift", "1", "--degree", "2"] if kernel == "polynomial" else []
    words += OPTIONS.get(loss, []) + (["--basis", "1"] if constant else [])
    subprocess.run([sys.argv[1], *words, "data", "model"], check=True)
    lines = dict(line.rstrip("\n").split(" ", 1) for line in open("model") if line.startswith(("objective ", "bound ")))
    best = optimum(loss, values(x, kernel, gamma), y, c, constant)
    objective, bound = float(lines["objective"]), float(lines["bound"])
    compared += 1
    if not is_near(objective, bound, best) or is_near(objective * (1 + 1e-5), bound, best):
        failed += 1
        print(" ".join(words), "J", objective, "bound", bound, "cvxopt", best)
sys.exit(failed > 0 or compared != PROBLEMS * len(SHIFT))
PYTHON
[ $failures = 0 ] && echo "kernel_optima: all passed"
exit $((failures > 0))

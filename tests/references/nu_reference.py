#!/usr/bin/python3
"""nu_reference.py - the table tests/references/nu_reference.tsv: optima of kernel machines with a learned margin by
cvxopt (Debian: python3-cvxopt). Those of examples that weigh alike are compared with LIBSVM's (svm-train, Debian:
libsvm-tools, -s 1, 4 and 2).

The data are by the linear congruence that tests/solvers/kernel_machine/test_smo_nu.c has as well. Columns: loss,
kernel, nu, C, whether examples have weights, the optimum of J, and rho or the tube."""

import os
import subprocess
import tempfile

import cvxopt
import cvxopt.solvers
import numpy as np

ROWS = 120
SVM_TYPE = {"nu-hinge": 1, "one-class": 2, "nu-epsilon": 4}
KERNEL = {"gaussian": "-t 2 -g 0.5", "polynomial": "-t 1 -g 0.3 -r 0.5 -d 3"}
cvxopt.solvers.options.update(show_progress=False, abstol=1e-13, reltol=1e-13, feastol=1e-12)


def make_data():
    seed, numbers = 1, []
    for _ in range(4 * ROWS):
        seed = seed * 16807 % 2147483647
        numbers.append(2 * seed / 2147483647 - 1)
    numbers = np.array(numbers).reshape(ROWS, 4)
    x = numbers[:, :3]
    return x, x[:, 0] * x[:, 1] + x[:, 1] ** 2 - x[:, 2] / 2 + 0.4 * numbers[:, 3]


def gram(x, kernel):
    product = x @ x.T
    if kernel == "polynomial":
        return (0.3 * product + 0.5) ** 3
    square = np.diag(product)
    return np.exp(-0.5 * (square[:, None] + square[None, :] - 2 * product))


def optimum(loss, kernel, nu, cost, weight):
    """J and the margin. The last equation is that of the margin; its multiplier is lambda times mu."""
    x, y = make_data()
    k, n = gram(x, kernel), len(y)
    total = weight.sum()
    lam = 1 / (cost * total)
    upper = weight / (lam * total)
    sign, p = np.ones(n), np.zeros(n)
    if loss == "nu-hinge":
        sign = np.where(y > 0.2, 1.0, -1.0)
    if loss == "nu-epsilon":
        sign, p = np.concatenate([sign, -sign]), np.concatenate([-y, y])
        k, upper = np.tile(k, (2, 2)), np.tile(upper, 2)
    q = sign[:, None] * k * sign[None, :]
    a, b = [np.ones(len(sign))], [nu / lam]
    if loss != "one-class":
        a, b = [sign] + a, [0.0] + b
    one = np.eye(len(sign))
    arguments = (q, p, np.vstack([-one, one]), np.concatenate([0 * upper, upper]), np.array(a),
                 np.array(b))  # fmt: skip
    result = cvxopt.solvers.qp(*(cvxopt.matrix(v) for v in arguments))
    mu = -np.array(result["y"]).ravel()[-1]
    return -lam * result["primal objective"], -mu if loss == "nu-epsilon" else mu


def libsvm(loss, kernel, nu, cost):
    """The objective that svm-train prints."""
    x, y = make_data()
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        with open(data, "w") as file:
            for xi, yi in zip(x, y):
                label = yi if loss == "nu-epsilon" else (1 if yi > 0.2 else -1)
                entries = " ".join(f"{j + 1}:{v:.17g}" for j, v in enumerate(xi))
                file.write(f"{label:.17g} {entries}\n")
        words = f"svm-train -s {SVM_TYPE[loss]} {KERNEL[kernel]} -n {nu} -c {cost} -e 1e-7".split()
        out = subprocess.run(words + [data, os.path.join(folder, "model")], capture_output=True,
                             text=True, check=True).stdout  # fmt: skip
    line = next(line for line in out.splitlines() if line.startswith("obj"))
    return float(line.split(",")[0].split(" = ")[1])


def main():
    print("# by nu_reference.py: loss kernel nu C weighted J margin")
    cases = [("nu-hinge", nu, 1) for nu in (0.5, 0.7)] + [("one-class", nu, 1) for nu in (0.05, 0.4)]
    cases += [("nu-epsilon", nu, cost) for nu in (0.2, 0.7) for cost in (1, 10)]
    for loss, nu, cost in cases:
        for kernel in KERNEL:
            for weighted in (0, 1):
                weight = np.array([1 + weighted * (i % 3) / 2 for i in range(ROWS)])
                j, margin = optimum(loss, kernel, nu, cost, weight)
                if not weighted:
                    scale = {"nu-hinge": margin**2, "one-class": 1, "nu-epsilon": 1}[loss]
                    theirs = -libsvm(loss, kernel, nu, cost) * scale / (cost * ROWS)
                    assert abs(theirs - j) <= 1e-5 * abs(j), (loss, kernel, nu, theirs, j)
                print(f"{loss}\t{kernel}\t{nu}\t{cost}\t{weighted}\t{j:.9g}\t{margin:.6g}")


main()

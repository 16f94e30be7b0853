#!/usr/bin/python3
"""kernel_reference.py - the table tests/references/kernel_reference.tsv: optima of semiparametric kernel machines by
cvxopt (Debian: python3-cvxopt), and of epsilon-SVR and SVM with one constant by LIBSVM (svm-train, Debian:
libsvm-tools, -e 1e-6).

The data are the modified Mexican hat, omega(x) = sin x + sinc(2 pi (x - 5)), sinc t = sin(t)/t, with x and
the noise by the linear congruence that tests/solvers/kernel_machine/test_pdsg.c has as well. Columns: solver,
m, c, the optimum of 1/2 w'w + c sum loss, beta."""

import os
import subprocess
import tempfile

import cvxopt
import cvxopt.solvers
import numpy as np

GAMMA, TUBE = 0.25, 0.05
cvxopt.solvers.options.update(show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-11)


def sinc(t):
    return np.sinc(t / np.pi)


def hat(m):
    """x, y and the two basis functions; the noise is a sum of 12 uniform numbers, scaled to 0.2."""
    seed, numbers = 1, []
    for _ in range(13 * m):
        seed = seed * 16807 % 2147483647
        numbers.append(seed / 2147483647)
    numbers = np.array(numbers).reshape(m, 13)
    x = 10 * numbers[:, 0]
    psi = np.stack([np.sin(x), sinc(2 * np.pi * (x - 5))])
    return x, psi.sum(0) + 0.2 * (numbers[:, 1:].sum(1) - 6), psi


def semiparametric(m, c):
    x, y, psi = hat(m)
    k = np.exp(-GAMMA * (x[:, None] - x[None, :]) ** 2)
    q = np.block([[k, -k], [-k, k]])
    p = np.concatenate([TUBE - y, TUBE + y])
    a = np.hstack([psi, -psi])
    g = np.vstack([-np.eye(2 * m), np.eye(2 * m)])
    h = np.concatenate([np.zeros(2 * m), np.full(2 * m, c)])
    arguments = (q, p, g, h, a, np.zeros(2))
    result = cvxopt.solvers.qp(*(cvxopt.matrix(v) for v in arguments))
    return -result["primal objective"], np.array(result["y"]).ravel()


def libsvm(m, c, classes):
    x, y, _ = hat(m)
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        with open(data, "w") as file:
            for xi, yi in zip(x, y):
                label = (1 if yi > 0 else -1) if classes else yi
                file.write(f"{label:.17g} 1:{xi:.17g}\n")
        words = f"svm-train -s {0 if classes else 3} -c {c} -p {TUBE} -g {GAMMA} -e 1e-6".split()
        out = subprocess.run(words + [data, os.path.join(folder, "model")], capture_output=True,
                             text=True, check=True).stdout  # fmt: skip
    line = next(line for line in out.splitlines() if line.startswith("obj"))
    objective, rho = (float(word.split(" = ")[1]) for word in line.split(", "))
    return -objective, [-rho, 0]


def main():
    print("# by kernel_reference.py: solver m c optimum beta_1 beta_2")
    for c in (0.1, 1, 10):
        rows = [("semiparametric", 500, *semiparametric(500, c))]
        rows += [(name, 500, *libsvm(500, c, name == "svc")) for name in ("svr", "svc")]
        for name, m, optimum, beta in rows:
            print(f"{name}\t{m}\t{c}\t{optimum:.9g}\t{beta[0]:.6f}\t{beta[1]:.6f}")


main()

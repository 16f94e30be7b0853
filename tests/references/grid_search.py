#!/usr/bin/python3
"""Compares the path of each report of train --path -v 5 with scikit-learn's GridSearchCV (Debian: python3-sklearn) on
the same folds: the measures of every lambda agree to 1e-4. The reports `logistic`, `softmax`, `squared-hinge` and
`squared`, each of the loss of its name, are in the current folder; fifths of the rows are whole numbers.
Usage: tests/references/grid_search.py FOLDER_OF_THE_SAMPLES"""

import json
import sys

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.svm import LinearSVC

FOLDS = 5
WORD = 2**64 - 1


class Random:
    """xoshiro256**, seeded as in math/random/random.c."""

    def __init__(self, seed, stream):
        self.at = seed
        self.at = self.mixed() ^ stream
        self.state = [self.mixed() for _ in range(4)]

    def mixed(self):
        self.at = z = (self.at + 0x9E3779B97F4A7C15) & WORD
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        return z ^ (z >> 31)

    def below(self, n):
        s = self.state
        bits = rotated(s[1] * 5 & WORD, 7) * 9 & WORD
        t = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)
        return bits * n >> 64


def rotated(x, k):
    return (x << k | x >> (64 - k)) & WORD


def dealt_folds(rows):
    """The fold of each row (-S 1): the rows are dealt in a random order."""
    random, order = Random(1, WORD), []
    for i in range(rows):
        j = random.below(i + 1)
        order.append(i)
        order[i], order[j] = order[j], i
    fold = np.empty(rows, int)
    fold[order] = np.arange(rows) % FOLDS
    return fold


def compare(report, file, estimator, parameter, of_lambda, scores):
    """of_lambda(lambda, rows): the parameter of a fold's estimator, trained on so many rows."""
    x, y = load_svmlight_file(file)
    rows = json.load(open(report))["path"]
    values = [of_lambda(row["lambda"], len(y) * (FOLDS - 1) / FOLDS) for row in rows]
    search = GridSearchCV(estimator, {parameter: values}, cv=PredefinedSplit(dealt_folds(len(y))),
                          scoring=list(scores), refit=False)
    search.fit(x.toarray(), y)
    for name, measure in scores.items():
        theirs = np.abs(search.cv_results_["mean_test_" + name])
        ours = np.array([row["measures"][measure] for row in rows])
        if not np.allclose(ours, theirs, rtol=1e-4, atol=0):
            sys.exit(f"{report}: {measure} is {ours}, not {theirs}")


def main():
    def cost(lambda_, rows):
        return 1 / (lambda_ * rows)

    blobs, three, line = (f"{sys.argv[1]}/{name}.train" for name in ("blobs", "three", "line"))
    logistic = LogisticRegression(fit_intercept=False, tol=1e-8, max_iter=10000)
    svm = LinearSVC(dual=False, fit_intercept=False, tol=1e-9, max_iter=10000)
    classes = {"accuracy": "accuracy", "neg_log_loss": "log_loss"}
    compare("logistic", blobs, logistic, "C", cost, classes)
    compare("softmax", three, logistic, "C", cost, classes)
    compare("squared-hinge", three, svm, "C", cost, {"accuracy": "accuracy"})
    compare("squared", line, Ridge(fit_intercept=False), "alpha", lambda l, rows: l * rows,
            {"neg_mean_squared_error": "mse", "neg_mean_absolute_error": "mae"})


main()

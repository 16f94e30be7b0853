#!/usr/bin/python3
"""Measures of scikit-learn's GridSearchCV (Debian: python3-sklearn) on the folds of train --path -v 5, lines of a loss,
a measure and its value for each lambda. Fifths of the rows are whole numbers.
Usage: tests/references/grid_search.py FOLDER_OF_THE_SAMPLES LAMBDA..."""

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


def measure(loss, file, estimator, parameter, of_lambda, scores):
    """of_lambda(lambda, rows): the parameter of a fold's estimator, trained on so many rows."""
    x, y = load_svmlight_file(file)
    values = [of_lambda(float(lambda_), len(y) * (FOLDS - 1) / FOLDS) for lambda_ in sys.argv[2:]]
    search = GridSearchCV(estimator, {parameter: values}, cv=PredefinedSplit(dealt_folds(len(y))),
                          scoring=list(scores), refit=False)
    search.fit(x.toarray(), y)
    for name, key in scores.items():
        print(loss, key, *(f"{value:.9g}" for value in np.abs(search.cv_results_["mean_test_" + name])))


def main():
    def cost(lambda_, rows):
        return 1 / (lambda_ * rows)

    blobs, three, line = (f"{sys.argv[1]}/{name}.train" for name in ("blobs", "three", "line"))
    logistic = LogisticRegression(fit_intercept=False, tol=1e-8, max_iter=10000)
    svm = LinearSVC(dual=False, fit_intercept=False, tol=1e-9, max_iter=10000)
    classes = {"accuracy": "accuracy", "neg_log_loss": "log_loss"}
    measure("logistic", blobs, logistic, "C", cost, classes)
    measure("softmax", three, logistic, "C", cost, classes)
    measure("squared-hinge", three, svm, "C", cost, {"accuracy": "accuracy"})
    measure("squared", line, Ridge(fit_intercept=False), "alpha", lambda l, rows: l * rows,
            {"neg_mean_squared_error": "mse", "neg_mean_absolute_error": "mae"})


main()

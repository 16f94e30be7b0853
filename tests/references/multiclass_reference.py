#!/usr/bin/python3
"""multiclass_reference.py FILE LAMBDA... - the least multinomial logistic risk with lambda/2 ||W||^2 that
scikit-learn (Debian: python3-sklearn) finds on svmlight data, without an offset: a line a lambda. The
objective is that of its weights, summed here."""

import sys
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
x, y = load_svmlight_file(sys.argv[1])
rows = len(y)
for word in sys.argv[2:]:
    lam = float(word)
    fit = LogisticRegression(
        C=1 / (lam * rows), fit_intercept=False, tol=1e-7, max_iter=2000, solver="newton-cg"
    ).fit(x, y)
    scores = x @ fit.coef_.T
    top = scores.max(axis=1)
    own = scores[np.arange(rows), np.searchsorted(fit.classes_, y)]
    risk = np.mean(top + np.log(np.exp(scores - top[:, None]).sum(axis=1)) - own)
    print(f"{risk + lam / 2 * (fit.coef_ ** 2).sum():.12g}")

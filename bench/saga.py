#!/usr/bin/python3
"""saga.py FILE LAMBDA GOAL LIMIT - seconds that scikit-learn's saga takes to fit an l1 logistic regression
whose objective is at most GOAL, the reading of FILE (svmlight, labels +1 and -1) apart; ">LIMIT" when a
fit takes longer.

LIMIT is in seconds. Each fit is from nothing, with 1, 2, 3, 5, 8, 12, ... passes (half as many again each
time), one thread. Needs python3-sklearn."""

import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression


def main():
    path, limit = sys.argv[1], sys.argv[4]
    penalty, goal = float(sys.argv[2]), float(sys.argv[3])
    X, y = load_svmlight_file(path)
    warnings.simplefilter("ignore")
    passes, last, seconds = 1, 0, 0.0
    while True:
        # Once a pass is known to take long, no fit is begun that will not end in time.
        if last and seconds / last * passes > float(limit):
            print(">" + limit)
            return
        model = LogisticRegression(
            penalty="l1",
            solver="saga",
            C=1 / (penalty * len(y)),
            fit_intercept=False,
            tol=0,
            max_iter=passes,
            random_state=1,
        )
        begin = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - begin
        w = model.coef_[0]
        if penalty * abs(w).sum() + np.logaddexp(0, -y * (X @ w)).mean() <= goal:
            print(f"{seconds:.3f}")
            return
        if seconds > float(limit):
            print(">" + limit)
            return
        last, passes = passes, max(passes + 1, passes * 3 // 2)


main()

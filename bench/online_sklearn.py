"""online_sklearn.py FILE LAMBDA OPTIMUM - CPU seconds of scikit-learn's averaged SGDClassifier, hinge loss with l2, to
within 1 % of the optimum: a line "SETTING SECONDS" for each of its settings that gets there."""
import sys
import time

import numpy
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier

MOST_SECONDS = 10
SETTINGS = [
    ("optimal", {"learning_rate": "optimal"}),
    ("constant0.01", {"learning_rate": "constant", "eta0": 0.01}),
    ("adaptive0.1", {"learning_rate": "adaptive", "eta0": 0.1}),
    ("invscaling0.1", {"learning_rate": "invscaling", "eta0": 0.1, "power_t": 0.25}),
]


def main():
    x, y = load_svmlight_file(sys.argv[1])
    penalty, optimum = float(sys.argv[2]), float(sys.argv[3])
    for name, setting in SETTINGS:
        for passes in (1, 2, 4, 8, 16, 32, 64):
            model = SGDClassifier(
                loss="hinge", alpha=penalty, fit_intercept=False, average=True, max_iter=passes, tol=None, **setting
            )
            begin = time.process_time()
            model.fit(x, y)
            seconds = time.process_time() - begin
            w = model.coef_[0]
            objective = penalty / 2 * (w @ w) + numpy.maximum(0, 1 - y * (x @ w)).mean()
            if objective <= 1.01 * optimum:
                print(f"{name},{passes} {seconds:.4f}", flush=True)
            if objective <= 1.01 * optimum or seconds > MOST_SECONDS / 4:
                break


main()

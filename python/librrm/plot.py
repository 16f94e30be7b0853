"""Pictures of trainings, by matplotlib."""

import numpy as np


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.gca()


def gap(model, ax=None):
    """The certified gap (J - bound)/J against the passes over the data.

    Parameters
    ----------
    model : a fitted estimator
    ax : matplotlib axes, default=None
        None: the current ones.

    Returns
    -------
    ax
    """
    ax = _axes(ax)
    history = model.history_
    objective = np.fmin.accumulate(history["objective"])  # not-a-number where it was not evaluated
    bound = np.maximum.accumulate(history["bound"])
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = (objective - bound) / objective
    proved = np.isfinite(gaps)
    ax.semilogy(history["passes"][proved], gaps[proved], marker=".", label=model.solver_)
    ax.set_xlabel("passes over the data")
    ax.set_ylabel("certified gap")
    return ax


def path(found, ax=None):
    """The weights of a path against lambda; of several vectors those of the first.

    Parameters
    ----------
    found : Path
    ax : matplotlib axes, default=None

    Returns
    -------
    ax
    """
    ax = _axes(ax)
    coefs = found.coefs if found.coefs.ndim == 2 else found.coefs[:, 0]
    ax.semilogx(found.lambdas, coefs)
    ax.set_xlabel("lambda")
    ax.set_ylabel("weight")
    return ax

"""Pictures of trainings, by matplotlib."""

import numpy as np


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.gca()


def gap(model, ax=None):
    """The certified gap (J - bound)/J against the passes over the data. Of several trainings, one a
    class or a pair, each has a curve, and so has each solver where one follows another.

    Parameters
    ----------
    model : a fitted estimator
    ax : matplotlib axes, default=None
        None: the current ones.

    Returns
    -------
    ax
    """
    history = getattr(model, "history_", None)
    if history is None:
        raise ValueError("no history: the model is not fitted, or was read from a file")
    ax = _axes(ax)
    titles, passes = history["title"], history["passes"]
    new = (titles[1:] != titles[:-1]) | (passes[1:] < passes[:-1])
    parts = np.split(np.arange(len(titles)), np.flatnonzero(new) + 1)
    for part in parts:
        objective = history["objective"][part]  # not-a-number where it was not evaluated
        objective = np.fmin.accumulate(objective)
        bound = np.maximum.accumulate(history["bound"][part])
        with np.errstate(invalid="ignore", divide="ignore"):
            gaps = (objective - bound) / objective
        proved = np.isfinite(gaps)
        label = model.solver_ if len(parts) == 1 else titles[part[0]]
        ax.semilogy(passes[part][proved], gaps[proved], marker=".", label=label)
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

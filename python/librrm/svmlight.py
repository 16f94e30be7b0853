"""Reads files of svmlight's format by the library's reader."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ._library import Data, threads_limited


class Svmlight(NamedTuple):
    """What a file has. X, y as scikit-learn's load_svmlight_file gives them; weights and groups are
    None without "cost:" and "qid:"."""

    X: sparse.csr_matrix
    y: np.ndarray
    weights: np.ndarray
    groups: np.ndarray


def _read(path, zero_based):
    """The rows; of "auto" as if the first feature were 1, unless that fails."""
    if zero_based != "auto":
        if not isinstance(zero_based, (bool, int, np.bool_)):
            raise ValueError(f'zero_based={zero_based!r}: True, False or "auto"')
        return Data.read(path, bool(zero_based))
    try:
        return Data.read(path, False)
    except ValueError:
        return Data.read(path, True)


def read_svmlight(path, *, n_features=None, zero_based="auto", n_jobs=None):
    """All that a file has.

    Parameters
    ----------
    path : str or path
        Plain or compressed.
    n_features : int, default=None
        Columns of X; None: as many as occur.
    zero_based : bool or "auto", default="auto"
        Whether the first feature is called 0 in the file; "auto": if a 0 occurs.
    n_jobs : int, default=None
        Threads.

    Returns
    -------
    Svmlight
        The arrays are the library's own, not copies.
    """
    with threads_limited(n_jobs):
        data = _read(path, zero_based)
    info = data.info()
    start = data.array(info.start, info.rows + 1)
    column = data.array(info.column, info.entries)
    value = data.array(info.value, info.entries)
    features = info.features
    if n_features is not None:
        if n_features < features:
            raise ValueError(f"{path}: {features} features occur; n_features is {n_features}")
        features = n_features
    if value is None:
        value = np.ones(info.entries)
    if info.entries <= np.iinfo(np.int32).max:
        start = start.astype(np.int32)
    X = sparse.csr_matrix((value, column, start), shape=(info.rows, features), copy=False)
    X.has_sorted_indices = X.has_canonical_format = True
    y = data.array(info.label, info.rows)
    weights = data.array(info.weight, info.rows)
    groups = None
    if info.groups > 0:
        begin = data.array(info.group_start, info.groups + 1)
        groups = np.repeat(data.array(info.group, info.groups), np.diff(begin))
    return Svmlight(X, y, weights, groups)


def load_svmlight(path, *, n_features=None, zero_based="auto", query_id=False, n_jobs=None):
    """X and y of a file, as by scikit-learn's load_svmlight_file, but many times as fast.

    Stricter than that: of a file without examples, with a value or label that is not finite, or
    with a qid in some rows only or that comes back, it raises ValueError, as for each other error.
    Takes no file objects. Where no feature occurs, X has no columns.

    Parameters
    ----------
    path, n_features, zero_based, n_jobs
        As in read_svmlight.
    query_id : bool, default=False
        Whether to return the groups ("qid:"), too; zeros without.

    Returns
    -------
    X : csr_matrix of float64
    y : array of float64; not-a-number where the file has "?"
    query_id : array of int64, if wanted
    """
    read = read_svmlight(path, n_features=n_features, zero_based=zero_based, n_jobs=n_jobs)
    if not query_id:
        return read.X, read.y
    groups = np.zeros(len(read.y), np.int64) if read.groups is None else read.groups
    return read.X, read.y, groups

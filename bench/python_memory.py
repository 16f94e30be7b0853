#!/usr/bin/python3
"""python_memory.py - the peak of a process that fits an estimator of librrm, over its arrays. python.sh puts the table
into docs/speed.md.

Each row is a process of its own. It fits a few rows, which loads all code, then reads the arrays of X and y from .npy
files and fits them at the estimator's defaults. The peak is that of the resident set (VmHWM of Linux) from then on,
less what was resident before the arrays were read. RRM_DATASETS is the folder of the data; the package librrm is
installed or on PYTHONPATH."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import sparse

import librrm

# data, whether rows are dense, type of the values, loss
ROWS = (
    ("covtype.libsvm.binary.scale", False, np.float64, "hinge"),
    ("covtype.libsvm.binary.scale", False, np.float32, "hinge"),
    ("covtype.libsvm.binary.scale", True, np.float64, "hinge"),
    ("covtype.libsvm.binary.scale", True, np.float32, "hinge"),
    ("covtype.libsvm.binary.scale", False, np.float64, "logistic"),
    ("mnist.scale", False, np.float64, "hinge"),
    ("mnist.scale", False, np.float64, "logistic"),
    ("mnist.scale", False, np.float64, "squared-hinge"),
    ("news20", False, np.float64, "hinge"),
    ("news20", False, np.float32, "hinge"),
)


def resident(field):
    """Bytes; VmRSS is what is resident, VmHWM the most that was."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise OSError(f"no {field} in /proc/self/status")


def fit(folder, loss):
    """Prints the cells of a row from the loss on."""
    few = np.random.default_rng(1).standard_normal((200, 5))
    librrm.LinearClassifier(loss).fit(sparse.csr_matrix(few), np.sign(few[:, 0]))
    before = resident("VmRSS")
    arrays = [np.load(path) for path in sorted(folder.iterdir())]
    size = sum(array.nbytes for array in arrays)
    y, X = arrays[0], arrays[1]
    if len(arrays) == 5:
        data, indices, indptr, shape = arrays[1:]
        X = sparse.csr_matrix((data, indices, indptr), tuple(shape), copy=False)
    Path("/proc/self/clear_refs").write_text("5")  # VmHWM begins anew
    model = librrm.LinearClassifier(loss).fit(X, y)
    peak = (resident("VmHWM") - before) / size
    weights = model.coef_.nbytes / size
    print(f"{loss} ({model.solver_}) | {size / 1e6:.0f} | {weights:.2f} | {peak:.2f} |", flush=True)


def row(name, dense, kind, loss):
    path = Path(os.environ["RRM_DATASETS"], name)
    X, y = librrm.load_svmlight(path if path.exists() else f"{path}.gz")
    X = X.astype(kind)
    arrays = [y, X.toarray()] if dense else [y, X.data, X.indices, X.indptr, np.array(X.shape)]
    with tempfile.TemporaryDirectory() as folder:
        for i, array in enumerate(arrays):
            np.save(Path(folder, str(i)), array)
        command = [sys.executable, "-W", "ignore", __file__, folder, loss]
        cells = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = "dense" if dense else "CSR"
    print(f"| {name.split('.')[0]} | {rows}, {np.dtype(kind)} | {cells}", end="", flush=True)


def main():
    if len(sys.argv) == 3:
        return fit(Path(sys.argv[1]), sys.argv[2])
    print("| data | rows | loss (solver) | arrays, MB | weights | peak |")
    print("| --- | --- | --- | --- | --- | --- |")
    for each in ROWS:
        row(*each)


if __name__ == "__main__":
    main()

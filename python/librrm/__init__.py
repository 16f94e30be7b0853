"""Linear models, kernel machines, rankings and sequences, trained to a proved gap."""

from . import plot
from ._base import ConvergenceWarning
from ._library import version
from .kernel import KernelClassifier, KernelRegressor
from .linear import LinearClassifier, LinearRegressor
from .path import CertifiedPath, Path, certified_path, path
from .structured import MultivariateClassifier, Ranker, SequenceTagger
from .svmlight import Svmlight, load_svmlight, read_svmlight

__version__ = version()

__all__ = [
    "CertifiedPath",
    "ConvergenceWarning",
    "KernelClassifier",
    "KernelRegressor",
    "LinearClassifier",
    "LinearRegressor",
    "MultivariateClassifier",
    "Path",
    "Ranker",
    "SequenceTagger",
    "Svmlight",
    "certified_path",
    "load_svmlight",
    "path",
    "plot",
    "read_svmlight",
]

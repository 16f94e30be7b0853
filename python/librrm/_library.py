"""The C library by ctypes: the structs of rrm.h, and objects that own what it hands out."""

import ctypes
import os
import signal
import tempfile
import threading
from ctypes import (
    POINTER,
    byref,
    c_char,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_int32,
    c_int64,
    c_void_p,
)
from pathlib import Path

import numpy as np

FAILURE, MEMORY, USAGE, TIME, STOPPED = 1, 2, 3, 4, 5
STATUS = ("converged", "limit", "interrupted", "settled")


class _Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("message", c_char * 1088)]


class _Csr(ctypes.Structure):
    _fields_ = [
        ("rows", c_int64),
        ("features", c_int64),
        ("start", c_void_p),
        ("start32", c_void_p),
        ("column", c_void_p),
        ("column64", c_void_p),
        ("value", c_void_p),
        ("value32", c_void_p),
        ("label", c_void_p),
        ("weight", c_void_p),
        ("group", c_void_p),
        ("zero_based", c_int),
        ("dense", c_int),
    ]


class _DataInfo(ctypes.Structure):
    _fields_ = [
        ("rows", c_int64),
        ("features", c_int64),
        ("entries", c_int64),
        ("groups", c_int64),
        ("label", POINTER(c_double)),
        ("start", POINTER(c_int64)),
        ("column", POINTER(c_int32)),
        ("value", POINTER(c_double)),
        ("weight", POINTER(c_double)),
        ("group_start", POINTER(c_int64)),
        ("group", POINTER(c_int64)),
        ("value32", POINTER(c_float)),
        ("start32", POINTER(c_int32)),
    ]


class _Progress(ctypes.Structure):
    _fields_ = [
        ("title", c_char_p),
        ("seconds", c_double),
        ("passes", c_double),
        ("iteration", c_int64),
        ("objective", c_double),
        ("bound", c_double),
        ("nonzeros", c_int64),
    ]


class _Result(ctypes.Structure):
    _fields_ = [
        ("status", c_int),
        ("objective", c_double),
        ("bound", c_double),
        ("gap", c_double),
        ("lambda_", c_double),
        ("passes", c_double),
        ("iterations", c_int64),
        ("seconds", c_double),
        ("nonzeros", c_int64),
        ("solver", c_char_p),
        ("warnings", c_int),
        ("warning", c_char * 2048),
        ("low", c_double),
        ("high", c_double),
        ("low_before", c_double),
        ("penalty", c_double),
    ]


class _ModelInfo(ctypes.Structure):
    _fields_ = [
        ("loss", c_char_p),
        ("solver", c_char_p),
        ("kernel", c_char_p),
        ("labels", c_int64),
        ("label", POINTER(c_double)),
        ("probabilities", c_int),
        ("features", c_int64),
        ("vectors", c_int64),
        ("dimension", c_int64),
        ("bias", c_double),
        ("intercept", c_int),
        ("shared", c_int64),
        ("weight", POINTER(c_double)),
        ("pairs", c_int),
        ("hash", c_int),
        ("scaled", c_int),
    ]


class _Measure(ctypes.Structure):
    _fields_ = [
        ("name", c_char * 48),
        ("value", c_double),
        ("smaller", c_int),
        ("approximate", c_int),
    ]


_MEASURES_MAX = 12
_PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(_Progress))
_VISIT = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(_Result))


class _Training(ctypes.Structure):
    _fields_ = [
        ("start", c_void_p),
        ("progress", _PROGRESS),
        ("visit", _VISIT),
        ("context", c_void_p),
    ]


_FUNCTIONS = {
    "rrm_version": (c_char_p,),
    "rrm_data_csr": (c_void_p, POINTER(_Csr), POINTER(_Error)),
    "rrm_data_read": (c_void_p, c_char_p, c_int, c_int, POINTER(_Error)),
    "rrm_data_describe": (None, c_void_p, POINTER(_DataInfo)),
    "rrm_data_free": (None, c_void_p),
    "rrm_settings_new": (c_void_p, POINTER(_Error)),
    "rrm_settings_set": (c_int, c_void_p, c_char_p, c_char_p, POINTER(_Error)),
    "rrm_settings_free": (None, c_void_p),
    "rrm_train": (
        c_int,
        c_void_p,
        c_void_p,
        POINTER(_Training),
        POINTER(c_void_p),
        POINTER(_Result),
        POINTER(_Error),
    ),
    "rrm_model_read": (c_void_p, c_char_p, POINTER(_Error)),
    "rrm_model_write": (c_int, c_void_p, c_char_p, POINTER(_Error)),
    "rrm_model_describe": (None, c_void_p, POINTER(_ModelInfo)),
    "rrm_model_copy": (c_void_p, c_void_p, POINTER(_Error)),
    "rrm_model_free": (None, c_void_p),
    "rrm_predict": (c_int, *[c_void_p] * 5, POINTER(_Error)),
    "rrm_measures": (c_int, c_void_p, c_void_p, POINTER(_Measure), POINTER(_Error)),
}


# Of OpenMP, with which the library may be linked.
_OPENMP = {"omp_set_num_threads": (None, c_int), "omp_get_max_threads": (c_int,)}


def _place():
    """Where the library is: with the package, or, in a checkout, where `make` leaves it."""
    installed = Path(__file__).with_name("_librrm.so")
    made = Path(__file__).resolve().parents[2] / "librrm.so.0"
    if not installed.exists() and not made.exists():
        raise ImportError(f"librrm's library is not built: no {installed}; pip makes it")
    return installed if installed.exists() else made


def _load():
    """The library, and whether it has OpenMP."""
    library = ctypes.CDLL(str(_place()))
    openmp = hasattr(library, "omp_set_num_threads")
    for name, (result, *arguments) in (_FUNCTIONS | (_OPENMP if openmp else {})).items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library, openmp


_lib, _openmp = _load()


def version():
    """The version of the C library, such as "0.2.0"."""
    return _lib.rrm_version().decode()


def _raise(error):
    """The exception of a failure of the library."""
    message = error.message.decode(errors="replace")
    if error.code == MEMORY:
        raise MemoryError(message)
    if error.code == TIME:
        raise TimeoutError(message)
    if error.code == STOPPED:
        raise KeyboardInterrupt(message)
    raise ValueError(message)


def _call(function, *arguments):
    """What a function of the library returns; the exception if that is NULL or negative."""
    error = _Error()
    result = function(*arguments, byref(error))
    if result is None or result < 0:
        _raise(error)
    return result


# ---- threads and processes

# OpenMP's threads do not survive a fork: a child that waits for them waits for ever. Who began them
# cannot be known, since other packages use the same OpenMP. One thread needs no others.
_forked = False


def _note_fork():
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_note_fork)


def _processors():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads_of(n_jobs):
    """How many threads `n_jobs` means, as scikit-learn counts: None is 1, -1 all processors, -2 all
    but one."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, (int, np.integer)):
        raise ValueError(f"n_jobs={n_jobs!r}: a whole number or None is expected")
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    if _forked:
        return 1
    return n_jobs if n_jobs > 0 else max(1, _processors() + 1 + n_jobs)


class threads_limited:
    """Within it OpenMP has so many threads for the calling thread."""

    def __init__(self, n_jobs):
        self.threads = threads_of(n_jobs)

    def __enter__(self):
        if _openmp:
            self.before = _lib.omp_get_max_threads()
            _lib.omp_set_num_threads(self.threads)

    def __exit__(self, *unused):
        if _openmp:
            _lib.omp_set_num_threads(self.before)


# ---- data

_NOTHING = np.zeros(0)


def _address(array):
    """Of an array, as the library takes it; NULL for None. An empty array has an address, too."""
    return None if array is None else (array.ctypes.data or _NOTHING.ctypes.data)


def _either(array, narrow):
    """(wide, narrow): the array in the place of its type."""
    return (None, _address(array)) if array.dtype == narrow else (_address(array), None)


def _typed(array, narrow, wide):
    """The array, contiguous and of one of these types; a copy only if it is not so."""
    if array.dtype not in (narrow, wide):
        if array.dtype.kind not in ("iu" if wide is np.int64 else "f"):
            raise ValueError(f"an array of {np.dtype(wide)} is expected, not of {array.dtype}")
        array = array.astype(wide)
    return _aligned(array)


def _aligned(array):
    """The array, contiguous and aligned; a copy only if it is not so."""
    return None if array is None else np.require(array, requirements=["C", "A"])


def _view(owner, pointer, count):
    """A view of one of the library's arrays, which keeps its owner alive."""
    if count == 0:
        return np.zeros(0, pointer._type_)
    buffer = (pointer._type_ * count).from_address(ctypes.addressof(pointer.contents))
    buffer.owner = owner
    return np.frombuffer(buffer, dtype=pointer._type_)


def _path(path):
    """The bytes of a file's name."""
    name = os.fsencode(path)
    if name == b"-":  # a file here, not the standard input or output
        name = b"./-"
    if b"\0" in name:  # C would read another name
        raise ValueError("embedded null byte")
    return name


class Data:
    """Rows that are lent to the library; the arrays live as long as this object does.

    Parameters
    ----------
    X : csr_matrix of float64 or float32 with sorted indices, or C-contiguous ndarray of these types
    labels, weights : float64 arrays of the rows, or None
    groups : int64 array of the rows, or None
    zero_based : whether models call the first column feature 0, not 1
    """

    def __init__(self, X, labels=None, weights=None, groups=None, zero_based=False):
        self.rows = X.shape[0]
        csr = _Csr(rows=self.rows, features=X.shape[1], zero_based=zero_based)
        labels, weights, groups = (_aligned(array) for array in (labels, weights, groups))
        csr.label, csr.weight = _address(labels), _address(weights)
        csr.group = _address(groups)
        self._lent = [labels, weights, groups]
        if isinstance(X, np.ndarray):
            csr.dense = 1
            values = _typed(X, np.float32, np.float64)
        else:
            starts = _typed(X.indptr, np.int32, np.int64)
            columns = _typed(X.indices, np.int32, np.int64)
            values = _typed(X.data, np.float32, np.float64)
            csr.start, csr.start32 = _either(starts, np.int32)
            csr.column64, csr.column = _either(columns, np.int32)
            self._lent += [starts, columns]
        csr.value, csr.value32 = _either(values, np.float32)
        self._lent.append(values)
        self._pointer = _call(_lib.rrm_data_csr, byref(csr))

    @classmethod
    def read(cls, path, zero_based):
        """The rows of a file of svmlight's format."""
        data = cls.__new__(cls)
        data._pointer = _call(_lib.rrm_data_read, _path(path), zero_based, 0)
        data.rows = data.info().rows
        return data

    def info(self):
        info = _DataInfo()
        _lib.rrm_data_describe(self._pointer, byref(info))
        return info

    def array(self, pointer, count):
        """A view of one of the library's arrays; None for NULL."""
        return _view(self, pointer, count) if pointer else None

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.rrm_data_free(self._pointer)


_PART_ENTRIES = 1 << 20


class Parts:
    """Rows of float32 to predict, lent to the library some at a time, as it copies them to doubles.

    Parameters
    ----------
    X : csr_matrix or ndarray, as of Data
    """

    def __init__(self, X):
        self._X = X

    def __iter__(self):
        rows = self._X.shape[0]
        entries = self._X.size if isinstance(self._X, np.ndarray) else self._X.nnz
        step = max(1, _PART_ENTRIES * rows // max(1, entries))
        for first in range(0, rows, step):
            yield Data(self._X[first : first + step])


# ---- models


class Model:
    """A trained model. It is pickled as its text, from which the same numbers are read."""

    def __init__(self, pointer):
        self._pointer = pointer

    @classmethod
    def read(cls, path):
        return cls(_call(_lib.rrm_model_read, _path(path)))

    @classmethod
    def copy(cls, pointer):
        """Of a model that a training shows."""
        return cls(_call(_lib.rrm_model_copy, pointer))

    def write(self, path):
        _call(_lib.rrm_model_write, self._pointer, _path(path))

    @classmethod
    def from_bytes(cls, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            path.write_bytes(text)
            return cls.read(path)

    def to_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            self.write(path)
            return path.read_bytes()

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    def __deepcopy__(self, memo):
        return self  # a model does not change

    def describe(self):
        """The numbers of rrm_model_info by name; arrays are the model's, and cannot be written."""
        info = _ModelInfo()
        _lib.rrm_model_describe(self._pointer, byref(info))
        said = {name: getattr(info, name) for name, _ in _ModelInfo._fields_}
        for name in ("loss", "solver", "kernel"):
            said[name] = said[name].decode() if said[name] else None
        count = info.vectors * info.dimension
        weight = self._array(info.weight, count + info.shared)
        said["weight"] = weight[:count].reshape(info.vectors, info.dimension)
        said["shared"] = weight[count:]
        said["label"] = self._array(info.label, info.labels)
        return said

    def _array(self, pointer, count):
        array = _view(self, pointer, count)
        array.flags.writeable = False
        return array

    def predict(self, data, n_jobs, scores=False, probabilities=False):
        """Labels, or scores (rows x vectors), or probabilities (rows x labels); of Data, or of
        Parts."""
        if isinstance(data, Parts):
            done = [self.predict(part, n_jobs, scores, probabilities) for part in data]
            return np.concatenate(done)
        info = _ModelInfo()
        _lib.rrm_model_describe(self._pointer, byref(info))
        shape = data.rows
        if scores or probabilities:
            shape = (data.rows, info.vectors if scores else info.labels)
        out = np.empty(shape)
        places = [None, None, None]
        places[1 if scores else 2 if probabilities else 0] = _address(out)
        with threads_limited(n_jobs):
            _call(_lib.rrm_predict, self._pointer, data._pointer, *places)
        return out

    def measures(self, data, n_jobs):
        """How good the predictions are: {name: value}, as librrm-predict prints them."""
        measures = (_Measure * _MEASURES_MAX)()
        with threads_limited(n_jobs):
            count = _call(_lib.rrm_measures, self._pointer, data._pointer, measures)
        return {one.name.decode(): one.value for one in measures[:count]}

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.rrm_model_free(self._pointer)


def _result(result):
    said = {name: getattr(result, name) for name, _ in _Result._fields_}
    said["solver"] = said["solver"].decode() if said["solver"] else None
    said["status"] = STATUS[result.status]
    said["warning"] = result.warning.decode(errors="replace").splitlines()
    return said


# ---- training


class _Interrupts:
    """Within it Ctrl-C is noted, and does not raise KeyboardInterrupt; in the main thread alone,
    which gets the signals. A handler of the caller's own is left as it is."""

    def __init__(self):
        self.noted = False

    def _note(self, *unused):
        self.noted = True

    def __enter__(self):
        self.ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self.ours:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *unused):
        if self.ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def train(data, settings, start=None, progress=None, visit=None, n_jobs=None):
    """Trains a model.

    Parameters
    ----------
    data : Data
    settings : list of (name, text); the text of a flag is None
    start : Model, or None
    progress : function of a dict, or None. A true value that it returns ends the training.
    visit : function of a Model and its result, or None. It is called with each model of a path.
    n_jobs : how many threads, as in scikit-learn

    Returns
    -------
    model : Model
    result : dict with the fields of rrm_result, and "ctrl_c": whether Ctrl-C came too late for the
        training, which ended by itself
    """
    raised = []
    interrupts = _Interrupts()

    def tell(unused, now):
        try:
            now = now.contents
            title = now.title.decode() if now.title else ""
            said = {name: getattr(now, name) for name, _ in _Progress._fields_} | {"title": title}
            return 1 if (progress is not None and progress(said)) or interrupts.noted else 0
        except BaseException as exception:  # it must not cross the library
            raised.append(exception)
            return 1

    def show(unused, model, result):
        try:
            visit(Model.copy(model), _result(result.contents))
            return 0
        except BaseException as exception:
            raised.append(exception)
            return 1

    error, result, pointer = _Error(), _Result(), c_void_p()
    made = _call(_lib.rrm_settings_new)
    try:
        for name, text in settings:
            text = None if text is None else str(text).encode()
            if b"\0" in name.encode() + (text or b""):
                raise ValueError(f"{name}: a zero byte in {text}")
            _call(_lib.rrm_settings_set, made, name.encode(), text)
        _call(_lib.rrm_settings_set, made, b"threads", str(threads_of(n_jobs)).encode())
        training = _Training(
            None if start is None else start._pointer,
            _PROGRESS(tell),
            _VISIT() if visit is None else _VISIT(show),
            None,
        )
        with interrupts, threads_limited(n_jobs):
            status = _lib.rrm_train(
                data._pointer,
                made,
                byref(training),
                byref(pointer),
                byref(result),
                byref(error),
            )
    finally:
        _lib.rrm_settings_free(made)
    model = Model(pointer.value) if status == 0 else None
    if raised:
        raise raised[0]
    if model is None:
        _raise(error)
    said = _result(result)
    said["ctrl_c"] = interrupts.noted and said["status"] != "interrupted"
    return model, said

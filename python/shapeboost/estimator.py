# SPDX-License-Identifier: MIT
"""What both estimators are: parameters, fitting, answers and files. scikit-learn is obeyed but never imported, so
that importing stays quick and the package works without it."""

import contextlib
import inspect
import json
import multiprocessing
import os
import warnings

import numpy as np

from . import _core
from .inputs import as_numbers, feature_names, load_arrays
from .labels import as_labels, classes_from, classes_of, places_in
from .parameters import option_text, params_of, python_words, table
from .patterns import hypotheses_of


class NotAvailable(AttributeError, ValueError):
    """Asked for what this estimator was not told to learn."""


class _NeedsProbability:
    """A method that is there only where probabilities are."""

    def __init__(self, method):
        self.method = method
        self.__doc__ = method.__doc__

    def __get__(self, estimator, owner=None):
        if estimator is None:
            return self.method
        fitted = estimator.__dict__.get("model_")
        if fitted is not None and not fitted.calibrated or fitted is None and not estimator.probability:
            raise NotAvailable(f"{self.method.__name__} needs probabilities, which were not learned: fit with "
                               f"{type(estimator).__name__}(probability=True)")
        return self.method.__get__(estimator, owner)


@contextlib.contextmanager
def _in_python_words():
    """Faults that the library finds, in the names that Python users know."""
    try:
        yield
    except ValueError as fault:
        sentence = python_words(str(fault))
        if sentence == str(fault):
            raise
        raise ValueError(sentence) from None


class Estimator:
    """The base of SeriesClassifier and BagClassifier."""

    _estimator_type = "classifier"
    _kinds = ()

    # Parameters, as scikit-learn has them ----------------------------------------------------------------------

    @classmethod
    def _names(cls):
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep=True):
        """{name: value} of every parameter."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params):
        """Set some parameters; the estimator itself."""
        names = self._names()
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {names!r}")
            setattr(self, name, value)
        return self

    def __repr__(self, N_CHAR_MAX=700):
        defaults = inspect.signature(type(self).__init__).parameters
        shown = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items()
                          if value is not defaults[name].default and repr(value) != repr(defaults[name].default))
        return f"{type(self).__name__}({shown})"

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags, TransformerTags

        series = "series" in self._kinds
        return Tags(estimator_type="classifier", target_tags=TargetTags(required=True),
                    classifier_tags=ClassifierTags(), transformer_tags=TransformerTags(),
                    input_tags=InputTags(three_d_array=True, allow_nan=series))

    def __sklearn_is_fitted__(self):
        return "model_" in self.__dict__

    def _settings(self):
        """What the library trains with, and the names of the settings that are not as by default."""
        settings = _core.Settings()
        given = set()
        for name, row in table(self._kinds).items():
            value = getattr(self, name)
            if row["is_switch"]:
                if not isinstance(value, (bool, np.bool_)):
                    raise ValueError(f"{name}: expected True or False, found {value!r}")
                chosen = row["name"] if value else row["opposite"]
                if chosen is not None:
                    settings.set(chosen, "")
                if bool(value) != (row["default"] == "yes"):
                    given.add(chosen)
                continue
            if name == "gram" or value is None:
                continue
            if name == "kernel" and callable(value):
                settings.set_function(value, _name_of(value), bool(getattr(value, "positive_semidefinite", False)))
                given.add("kernel")
                continue
            if name == "n_jobs":
                value = _threads(value)
            elif name == "random_state":
                value = _seed(value)
            text = option_text(name, value)
            settings.set(row["name"], text)
            if text != row["default"] and row["group"] != "Running":
                given.add(row["name"])
        if _threads(self.n_jobs) == "auto" and multiprocessing.current_process().name != "MainProcess":
            settings.set("threads", "1")  # a worker among several: the others have the other cores
        gram = getattr(self, "gram", None)
        if gram is not None:
            if self.kernel not in ("gaussian", "gram"):
                raise ValueError(f"gram: a matrix of similarities means kernel='gram', found {self.kernel!r}")
            given |= {"gram", "kernel"}
            if isinstance(gram, (str, os.PathLike)):
                settings.read_gram(os.fspath(gram))
            else:
                settings.set_gram(as_numbers(gram, "gram"), "given")
        elif self.kernel == "gram":
            raise ValueError("kernel: gram needs the matrix of similarities; give it by gram=, an array or a file")
        if fault := settings.validate():
            raise ValueError(fault)
        return settings, given

    # Fitting ---------------------------------------------------------------------------------------------------

    def _arranged(self, X):
        """(kind, list of arrays or texts) of what was given as X; says what is wrong with it."""
        raise NotImplementedError

    @staticmethod
    def _data(kind, examples, labels=()):
        if kind == "sequences":
            return _core.sequences(examples, labels)
        return _core.data(kind, examples, labels, "")

    def _fit(self, X, y):
        names = feature_names(X)
        X = load_arrays(X)
        if y is None:
            as_labels(y, 0)
        kind, examples = self._arranged(X)
        classes, labels, canonical = classes_of(as_labels(y, len(examples)))
        if len(classes) < 2:
            raise ValueError(f"y holds one class, {classes[0]!r}: expected at least two classes to tell apart")
        with _in_python_words():
            data = self._data(kind, examples, labels)
            settings, given = self._settings()
            seconds = self._seconds()
            with self._progress() as told:
                found = {}
                if self.tune:
                    model, notes, results, best = _core.tune(
                        data, settings, self._grid(), given, int(self.folds), int(self.repeats), self.trial_members,
                        "" if self.journal is None else os.fspath(self.journal), seconds, bool(self.probability), told)
                    found = {"tuning_results_": results, "best_index_": best, "best_setting_": results[best]["setting"]}
                else:
                    model, notes = _core.fit(data, settings, seconds, bool(self.probability), told)
        for name in ("tuning_results_", "best_index_", "best_setting_", "feature_names_in_", "n_features_in_"):
            self.__dict__.pop(name, None)
        self.__dict__.update(found)
        self.model_ = model
        self.classes_ = classes
        self.notes_ = notes
        self.n_features_in_ = self._features_of(X, examples)
        if names is not None:
            self.feature_names_in_ = names
        self._forget()
        return self

    def _features_of(self, X, examples):
        shape = getattr(X, "shape", ())
        return int(shape[1]) if len(shape) >= 2 else len(examples[0]) if isinstance(examples[0], bytes) \
            else int(examples[0].shape[-1])

    def _seconds(self):
        if self.time_limit is None:
            return 0.0
        if not self.time_limit > 0:
            raise ValueError(f"time_limit: expected seconds above 0, found {self.time_limit!r}")
        return float(self.time_limit)

    def _grid(self):
        """The grid as one line of text; a dict of lists is written so too."""
        if self.grid is None or isinstance(self.grid, str):
            return self.grid or ""
        known = {name: row for name, row in table(self._kinds).items()}
        axes = []
        for name, alternatives in self.grid.items():
            if name not in known:
                raise ValueError(f"grid: {name} is no parameter of fit; expected some of {', '.join(known)}")
            texts = [option_text(name, value) for value in alternatives]
            lists = any("," in text for text in texts)
            axes.append(f"{known[name]['name']}=" + ("|" if lists else ",").join(texts)
                        + ("|" if lists and len(texts) == 1 else ""))
        return "; ".join(axes)

    @contextlib.contextmanager
    def _progress(self):
        if not self.progress:
            yield None
            return
        from tqdm.auto import tqdm

        with tqdm(total=1, desc="tuning" if self.tune else "fitting", unit="training" if self.tune else "member") as bar:

            def told(done, total):
                bar.total = max(total, 1)
                bar.update(done - bar.n)

            yield told

    def _forget(self):
        self.__dict__.pop("_hypotheses", None)

    # Answers ---------------------------------------------------------------------------------------------------

    def _model(self):
        if "model_" not in self.__dict__:
            try:
                from sklearn.exceptions import NotFittedError
            except ImportError:

                class NotFittedError(ValueError, AttributeError):
                    pass

            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet: call fit(X, y), or load a "
                                 "model, before this method")
        return self.model_

    def _new_data(self, X):
        self._model()
        if hasattr(self, "feature_names_in_"):
            self._check_names(feature_names(X))
        elif feature_names(X) is not None:
            warnings.warn(f"X has feature names, but {type(self).__name__} was fitted without feature names",
                          stacklevel=4)
        with _in_python_words():
            return self._data(*self._arranged(load_arrays(X)))

    def _check_names(self, names):
        own = [*self.feature_names_in_]
        if names is None:
            warnings.warn(f"X does not have valid feature names, but {type(self).__name__} was fitted with feature "
                          "names", stacklevel=5)
        elif [*names] != own:
            lines = ["The feature names should match those that were passed during fit."]
            unseen = sorted(set(names) - set(own))
            missing = sorted(set(own) - set(names))
            if unseen:
                lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen)]
            if missing:
                lines += ["Feature names seen at fit time, yet now missing:", *(f"- {name}" for name in missing)]
            if not unseen and not missing:
                lines.append("Feature names must be in the same order as they were in fit.")
            raise ValueError("\n".join(lines) + "\n")

    def _places(self):
        return places_in(self.classes_, self.model_.classes)

    def _jobs(self):
        threads = _threads(self.n_jobs)
        return 0 if threads == "auto" else threads

    def _answer(self, X):
        data = self._new_data(X)
        with _in_python_words():
            parts, of_classes, predicted, uncovered = self.model_.scores(data, self._jobs())
        if len(uncovered):
            warnings.warn(f"X[{uncovered[0]}]" + (f" and {len(uncovered) - 1} more" if len(uncovered) > 1 else "") +
                          " too short, or too full of gaps, for every window of the model: answered by its offset",
                          stacklevel=4)
        return parts, of_classes, predicted

    def predict(self, X):
        """The class of each example."""
        predicted = self._answer(X)[2]
        return self.classes_[self._places()[predicted]]

    def _decide(self, parts, of_classes, predicted):
        places = self._places()
        if len(self.classes_) == 2:
            return parts[:, 0] if places[1] == 1 else -parts[:, 0]
        # Pairs of classes are asked in turn, which need not end with the class that has the most votes of all. The
        # answer's own score is raised to the top, so that the largest is the answer, as everywhere.
        rows = np.arange(len(of_classes))
        top = of_classes.max(axis=1)
        beaten = of_classes.argmax(axis=1) != predicted
        of_classes[rows[beaten], predicted[beaten]] = np.nextafter(top[beaten], np.inf)
        result = np.empty_like(of_classes)
        result[:, places] = of_classes
        return result

    def decision_function(self, X):
        """Two classes: g(B) of each example, above 0 for `classes_[1]`. More: a score for each class."""
        return self._decide(*self._answer(X))

    @_NeedsProbability
    def predict_proba(self, X):
        """The probability of each class, calibrated on out-of-fold scores; needs `probability=True`."""
        data = self._new_data(X)
        found = self.model_.probabilities(data, self._jobs())
        result = np.empty_like(found)
        result[:, self._places()] = found
        return result

    @_NeedsProbability
    def predict_log_proba(self, X):
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def score(self, X, y, sample_weight=None):
        """The share of examples that are classified rightly."""
        predicted = self.predict(X)
        y = as_labels(y, len(predicted))
        if (y.dtype.kind == "U") != (predicted.dtype.kind == "U"):
            raise ValueError(f"y holds labels like {y[0]!r}, the model's classes are like {self.classes_[0]!r}: give labels "
                             "of the kind it was trained with")
        return float(np.average(predicted == y, weights=sample_weight))

    def transform(self, X):
        """The response of each hypothesis to each example, (n, hypotheses): what a linear model may weigh anew."""
        data = self._new_data(X)
        return self.model_.responses(data, self._jobs())

    def fit_transform(self, X, y, **more):
        """fit(X, y), then transform(X)."""
        return self.fit(X, y, **more).transform(X, **more)

    def get_feature_names_out(self, input_features=None):
        """Names of the columns that transform makes."""
        name = type(self).__name__.lower()
        return np.array([f"{name}{j}" for j in range(self._model().size)], dtype=object)

    def explain(self, X, index=None):
        """Why example `index` of X is classified so, or, without an index, how often and where each hypothesis fires
        in X. A dict as `shapeboost explain --json` prints it; everything is counted from 0.

        Of an example: `parts`, each with its `score`, `b` and `contributions`, which add up to the score less b, and
        for a bag a score for every instance."""
        data = self._new_data(X)
        if index is None:
            return json.loads(self.model_.firings(data, self._jobs()))
        with _in_python_words():
            return json.loads(self.model_.explanation(data, int(index), self._jobs()))

    # What was learned ------------------------------------------------------------------------------------------

    @property
    def hypotheses_(self):
        """The patterns, heaviest first, each with where it came from and its values."""
        if "_hypotheses" not in self.__dict__:
            self._hypotheses = hypotheses_of(self._model(), self.classes_, self._places())
        return self._hypotheses

    @property
    def history_(self):
        """{`edge`, `gamma`, `gap`, `columns`}: an array each, one entry a round of boosting."""
        return self._model().history()

    @property
    def rho_(self):
        """The margin; of more than two classes one for each part (pair of classes, or class against the rest)."""
        margins = np.array([part["rho"] for part in self._model().parts()])
        return float(margins[0]) if len(margins) == 1 else margins

    # Files -----------------------------------------------------------------------------------------------------

    def save(self, path):
        """Write the model as the JSON that the command line writes and reads."""
        self._model().save(os.fspath(path))

    @classmethod
    def load(cls, path, kernel=None, gram=None):
        """An estimator with the model of a file, from here or from the command line. A model that compares by a
        function or by a matrix of similarities needs it again: `kernel=function`, `gram=matrix or file`."""
        path = os.fspath(path)
        model = _core.Model.load(path)
        if model.kind not in cls._kinds:
            raise ValueError(f"{path}: the model is for {model.kind}, {cls.__name__} is for {' and '.join(cls._kinds)}; "
                             "shapeboost.load(path) finds the right one")
        estimator = cls(**params_of(model.settings, cls._kinds))
        if kernel is not None:
            estimator.kernel = kernel
        if gram is not None:
            estimator.gram = gram
        estimator._take(model)
        estimator.classes_ = classes_from(model.classes)
        estimator.n_features_in_ = model.width
        estimator.notes_ = []
        if model.calibrated:
            estimator.probability = True
        return estimator

    def _take(self, model):
        """Makes the model ours, with what its file does not hold."""
        wanted = model.wants()
        if wanted is not None:
            kind, name = wanted
            if kind == "custom":
                if not callable(self.kernel):
                    raise ValueError(f"the model compares by the function {name!r}, which its file does not hold: "
                                     "give it by load(path, kernel=function)")
                model.attach_function(name, self.kernel)
            else:
                gram = getattr(self, "gram", None)
                if gram is None:
                    raise ValueError(f"the model compares by a matrix of similarities, {name!r} in training: give it "
                                     "by load(path, gram=matrix)")
                model.attach_gram(_core.read_gram(os.fspath(gram)) if isinstance(gram, (str, os.PathLike))
                                  else as_numbers(gram, "gram"))
        self.model_ = model

    def __getstate__(self):
        state = {name: value for name, value in self.__dict__.items() if name not in ("model_", "_hypotheses")}
        if "model_" in self.__dict__:
            state["model"] = self.model_.to_json()
        return state

    def __setstate__(self, state):
        state = dict(state)
        text = state.pop("model", None)
        self.__dict__.update(state)
        if text is not None:
            self._take(_core.Model.from_json(text, "pickled model"))


def load(path, kernel=None, gram=None):
    """The estimator of a model file, whichever kind it is; see `SeriesClassifier.load`."""
    from .bags import BagClassifier
    from .series import SeriesClassifier

    bags = _core.Model.load(os.fspath(path)).kind == "bags"
    return (BagClassifier if bags else SeriesClassifier).load(path, kernel=kernel, gram=gram)


def _name_of(function):
    return getattr(function, "__name__", type(function).__name__)


def _threads(n_jobs):
    """`auto`, or how many."""
    if n_jobs is None or n_jobs == -1 or n_jobs == "auto":
        return "auto"
    if isinstance(n_jobs, (bool, str, float)) or n_jobs == 0:
        raise ValueError(f"n_jobs: expected a whole number above 0, or None or -1 for all cores, found {n_jobs!r}")
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def _seed(random_state):
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state: expected 0 or above, found {random_state}")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise ValueError(f"random_state: expected a whole number, a RandomState or a Generator, found {random_state!r}")

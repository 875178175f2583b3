# SPDX-License-Identifier: MIT
"""What the two estimators share: fitting, prediction and files. They follow scikit-learn's conventions but never import it, so
that importing stays quick and the package works without it."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from ._types import (ClassWeight, Examples, Floats, GivenLabels, GramLike, Grid, KernelLike, Labels, Number, Numbers,
                     Path, Places, RandomState, Weights, Words)
from .availability import needs_probability, not_fitted
from .inputs import SparseBags, as_matrix, check_feature_names, feature_names, file_to_read, file_to_write, opened
from .labels import as_labels, classes_from, classes_of, kind_of_labels, places_in, spelled
from .parameters import grid_text, parameters_text, params_of, python_errors, python_words, setting_of, settings_of, threads_of
from .patterns import Head, Hypothesis, head_of, hypotheses_of
from .report import Report
from .scikit import ScikitEstimator, as_weights, warning_class

if TYPE_CHECKING:
    from typing_extensions import Self

AnyEstimator = TypeVar("AnyEstimator", bound="Estimator")


_ATTRIBUTES = """
classes_
    The class labels, sorted.
hypotheses_
    The patterns, heaviest first, each with where it came from and its values.
head_
    The regression over the evidence of all patterns, where there is one, with `alpha` and `left_out_accuracy`.
history_
    A dict of `edge`, `gamma`, `gap`, `columns`, each an array with one entry per boosting round; empty with a
    head.
rho_
    The margin; with more than two classes, one for each part of the model; None of a model with a head.
notes_
    What a user should know about the training, as a list of sentences.
tuning_results_, best_index_, best_setting_
    What `tune=True` compared, and what it chose: `best_setting_` is a dict of parameters.
feature_names_in_, n_features_in_
    As scikit-learn has them; columns of a frame are features of bags, or time steps or channels of series.
"""


def documented(cls: type[AnyEstimator]) -> type[AnyEstimator]:
    """Completes an estimator's docstring with its parameters and attributes."""
    sections = [inspect.cleandoc(cls.__doc__ or ""), "Parameters\n----------\n" + parameters_text(cls),
                "Attributes\n----------" + _ATTRIBUTES]
    cls.__doc__ = "\n\n".join(sections)
    return cls


class Estimator(ScikitEstimator):
    """The base of SeriesClassifier and BagClassifier."""

    # Parameters. Their defaults are in the classes' signatures; `unequal` is one of series alone, `rows` of bags.
    standardise: bool
    kernel: KernelLike
    sigma: Number
    sigma_scale: Numbers
    c: float
    degree: int
    gram: GramLike
    method: str
    C: float
    members: Number
    head: str | None
    patterns: Number
    evidence: Words
    views: Number
    strategy: str | None
    weak: str
    candidates: Number
    member_bags: Number
    refine: str | None
    one_sided: bool
    mirrored: bool
    nu: Number
    class_weight: ClassWeight
    optimise: str
    offset: bool
    offset_last: bool
    gap: float
    stall: int
    rounds: int
    random_state: RandomState
    n_jobs: int | None
    memory: str | int | None
    probability: bool
    time_limit: float | None
    tune: bool
    grid: Grid
    folds: int
    repeats: int
    trial_members: int | None
    journal: Path | None
    progress: bool
    unequal: bool = False

    # What was learned.
    model_: _core.Model
    classes_: Labels
    notes_: list[str]
    n_features_in_: int
    feature_names_in_: Labels
    tuning_results_: list[dict[str, Any]]
    best_index_: int
    best_setting_: dict[str, Any]

    def _facts(self) -> list[tuple[str, str]]:
        if "model_" not in self.__dict__:
            return []
        facts = [("classes", ", ".join(map(str, self.classes_))), ("patterns", f"{self.model_.size:,}")]
        if self.head_ is not None:
            facts.append(("accuracy on examples left out", f"{self.head_.left_out_accuracy:.3f}"))
        return facts

    # Fitting ---------------------------------------------------------------------------------------------------

    def _examples_of(self, X: Examples) -> tuple[str, Any]:
        """X, opened, as (kind of data, list of arrays or texts, or SparseBags); raises where it is neither."""
        raise NotImplementedError

    def _opened(self, X: Examples) -> Any:
        return opened(X, "series" in self._kinds)

    @staticmethod
    def _data(kind: str, examples: Any, labels: Sequence[str] = ()) -> _core.Data:
        if kind == "sequences":
            return _core.sequences(examples, labels)
        if isinstance(examples, SparseBags):
            return _core.sparse(examples.starts, examples.indices, examples.values, examples.width,
                                examples.sizes.tolist(), labels)
        return _core.data(kind, examples, labels, "")

    def _fit(self, X: Examples, y: GivenLabels, sample_weight: Weights = None) -> Self:
        names = feature_names(X)
        X = self._opened(X)
        if y is None:
            as_labels(y, 0)  # raises, before anything is said about X
        kind, examples = self._examples_of(X)
        classes, labels = classes_of(as_labels(y, len(examples)))
        weights = as_weights(sample_weight, len(examples))
        if len(classes) < 2:
            raise ValueError(f"y holds one class, {classes[:1].tolist()[0]!r}: expected at least two classes to tell apart")
        with python_errors():
            data = self._data(kind, examples, labels)
            if weights is not None:
                data.set_weights(weights)
            model, notes, found = self._trained(data)
        for name in ("tuning_results_", "best_index_", "best_setting_", "feature_names_in_", "_hypotheses"):
            self.__dict__.pop(name, None)
        self.__dict__.update(found)
        model.labels = kind_of_labels(classes)
        self.model_ = model
        self.classes_ = classes
        self.notes_ = [python_words(note) for note in notes]
        self.n_features_in_ = examples.width if isinstance(examples, SparseBags) else _features_in(X, examples[0])
        if names is not None:
            self.feature_names_in_ = names
            self.n_features_in_ = len(names)
        for note in self.notes_:
            if note.startswith("time_limit: "):
                warnings.warn(note, warning_class("ConvergenceWarning"), stacklevel=3)
        return self

    def _trained(self, data: _core.Data) -> tuple[_core.Model, list[str], dict[str, Any]]:
        """The model, notes, and what tuning found."""
        if self.tune and self.journal is not None and self.random_state is None:
            raise ValueError("journal: random_state=None draws another seed in every run, which no journal can resume; give a number")
        settings, given = settings_of(self)
        seconds = self._seconds()
        with self._progress() as report:
            if not self.tune:
                return *_core.fit(data, settings, seconds, bool(self.probability), report), {}
            model, notes, results, best = _core.tune(
                data, settings, grid_text(self.grid, self._kinds), given, int(self.folds), int(self.repeats),
                self.trial_members, "" if self.journal is None else os.fspath(self.journal), seconds,
                bool(self.probability), report)
        results = [{**row, "setting": setting_of(row["setting"], self.grid, self._kinds)} for row in results]
        return model, notes, {"tuning_results_": results, "best_index_": best, "best_setting_": results[best]["setting"]}

    def _seconds(self) -> float:
        if self.time_limit is None:
            return 0.0
        if not self.time_limit > 0:
            raise ValueError(f"time_limit: expected seconds above 0, found {self.time_limit!r}")
        return float(self.time_limit)

    @contextlib.contextmanager
    def _progress(self) -> Iterator[Callable[[int, int], None] | None]:
        if not self.progress:
            yield None
            return
        from tqdm.auto import tqdm

        desc, unit = ("tuning", "training") if self.tune else ("fitting", "member")
        with tqdm(total=1, desc=desc, unit=unit) as bar:

            def report(done: int, total: int) -> None:
                bar.total = max(total, 1)
                bar.update(done - bar.n)

            yield report

    # Prediction ------------------------------------------------------------------------------------------------

    def _model(self) -> _core.Model:
        if "model_" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self.model_

    def _new_examples(self, X: Examples) -> tuple[str, Any]:
        self._model()
        check_feature_names(feature_names(X), getattr(self, "feature_names_in_", None), type(self).__name__)
        with python_errors():
            kind, examples = self._examples_of(self._opened(X))
            self._check_lengths(kind, examples)
        return kind, examples

    def _new_data(self, X: Examples) -> _core.Data:
        kind, examples = self._new_examples(X)
        with python_errors():
            return self._data(kind, examples)

    def _check_lengths(self, kind: str, examples: Any) -> None:
        """Raises where a series is longer or shorter than all that the model was trained on, unless that is meant."""
        expected = self.model_.length
        if kind != "series" or not expected or self.unequal:
            return
        for i, example in enumerate(examples):
            if example.shape[-1] != expected:
                raise ValueError(f"X has {example.shape[-1]} features, but {type(self).__name__} is expecting {expected} features "
                                 f"as input: the series of training all have {expected} time steps, X[{i}] has "
                                 f"{example.shape[-1]}; set_params(unequal=True) lets other lengths be classified")

    def _places(self) -> Places:
        return places_in(self.classes_, self.model_.classes)

    def _jobs(self) -> int:
        threads = threads_of(self.n_jobs)
        return 0 if isinstance(threads, str) else threads

    def _scores(self, X: Examples) -> tuple[Floats, Floats, Places]:
        data = self._new_data(X)
        with python_errors():
            parts, of_classes, predicted, uncovered = self.model_.scores(data, self._jobs())
        if len(uncovered):
            warnings.warn(f"X[{uncovered[0]}]" + (f" and {len(uncovered) - 1} more" if len(uncovered) > 1 else "") +
                          " too short, or with too many missing values, for every window of the model: only its offset "
                          "decides",
                          stacklevel=4)
        return parts, of_classes, predicted

    def predict(self, X: Examples) -> Labels:
        """The class of each example."""
        predicted = self._scores(X)[2]
        return self._named(predicted)

    def _named(self, predicted: Places) -> Labels:
        labels: Labels = self.classes_[self._places()[predicted]]
        return labels

    def _ranked(self, parts: Floats, of_classes: Floats, predicted: Places) -> Floats:
        places = self._places()
        if len(self.classes_) == 2:
            return parts[:, 0] if places[1] == 1 else -parts[:, 0]
        # Pairwise prediction compares classes one after the other and need not end with the class of the highest
        # score. The predicted class is raised to the top, so that the largest score always names the prediction.
        rows = np.arange(len(of_classes))
        top = of_classes.max(axis=1)
        beaten = of_classes.argmax(axis=1) != predicted
        of_classes[rows[beaten], predicted[beaten]] = np.nextafter(top[beaten], np.inf)
        result = np.empty_like(of_classes)
        result[:, places] = of_classes
        return result

    def decision_function(self, X: Examples) -> Floats:
        """With two classes, g(B) of each example, above 0 for `classes_[1]`; with more, a score for each class."""
        return self._ranked(*self._scores(X))

    @needs_probability
    def predict_proba(self, X: Examples) -> Floats:
        """The probability of each class, calibrated on the scores of examples left out; needs `probability=True`."""
        return self._probabilities(X)

    def _probabilities(self, X: Examples) -> Floats:
        data = self._new_data(X)
        found = self.model_.probabilities(data, self._jobs())
        result = np.empty_like(found)
        result[:, self._places()] = found
        return result

    @needs_probability
    def predict_log_proba(self, X: Examples) -> Floats:
        """The logarithm of `predict_proba`."""
        return np.log(self._probabilities(X))

    def score(self, X: Examples, y: GivenLabels, sample_weight: Weights = None) -> float:
        """The accuracy: the share of examples that are classified correctly."""
        predicted = self.predict(X)
        y = as_labels(y, len(predicted))
        if (y.dtype.kind == "U") != (predicted.dtype.kind == "U"):
            raise ValueError(f"y holds labels like {y.tolist()[0]!r}, the model's classes are like "
                             f"{self.classes_.tolist()[0]!r}: give labels of the type it was trained with")
        return float(np.average(predicted == y, weights=as_weights(sample_weight, len(y))))

    def transform(self, X: Examples) -> Any:
        """The response of each hypothesis to each example, (n, hypotheses): features for another model. Of a model with a
        head, the evidence of each pattern: a column for each of `head_.evidence`, pattern after pattern, and behind them one for
        each of `head_.intervals`. `set_output` asks for data frames in place of arrays."""
        data = self._new_data(X)
        return self._in_container(self.model_.responses(data, self._jobs()), X)

    def get_feature_names_out(self, input_features: Any = None) -> Labels:
        """The names of the columns that `transform` returns."""
        name = type(self).__name__.lower()
        ends = [""] if self.head_ is None else [f"_{evidence}" for evidence in self.head_.evidence]
        names = [f"{name}{j}{end}" for j in range(self._model().size) for end in ends]
        names += [f"{name}_interval{k}" for k in range(0 if self.head_ is None else len(self.head_.intervals))]
        return np.array(names, dtype=object)

    def explain(self, X: Examples, index: int | None = None) -> dict[str, Any]:
        """Why example `index` of X is classified as it is or, without an index, how often and where each hypothesis
        fires in X: a dict as `shapeboost explain --json` prints it, in which everything is counted from 0.

        For an example it holds `parts`, each with its `score`, its offset `b` and the `contributions`, which add up to
        the score minus b, in a model with a head one for each evidence of a pattern (of its parts other than the telling
        one the largest, and in `others` the sum of the rest) and, where there are any, those of `intervals` beside them; for a
        bag also the score of every instance."""
        data = self._new_data(X)
        with python_errors():
            told: dict[str, Any] = json.loads(self.model_.firings(data, self._jobs()) if index is None
                                              else self.model_.explanation(data, int(index), self._jobs()))
        return told

    def report(self, X: Examples, y: GivenLabels = None, path: Path | None = None, *, remark: str = "",
               examples: int = 2000) -> Report:
        """The interactive page that shows the model at work on X: how good it is, its patterns, where the classes differ, and why
        each example is classified as it is. `y`, where it is given, are the true labels. Written to the file `path`, where one is
        given; what is returned shows itself in notebooks and has `save(path)`.

        `remark` is a sentence at the top of the page, `examples` the most that can be looked at one by one."""
        kind, found = self._new_examples(X)
        labels = [] if y is None else [spelled(label) for label in as_labels(y, len(found))]
        with python_errors():
            page = Report(self.model_.report(self._data(kind, found, labels), remark, int(examples), self._jobs()))
        if path is not None:
            page.save(path)
        return page

    # What was learned ------------------------------------------------------------------------------------------

    @property
    def hypotheses_(self) -> list[Hypothesis]:
        """The patterns, heaviest first, each with where it came from and its values."""
        model = self._model()
        if "_hypotheses" not in self.__dict__:
            self.__dict__["_hypotheses"] = hypotheses_of(model, self.classes_, self._places())
        found: list[Hypothesis] = self.__dict__["_hypotheses"]
        return found

    @property
    def head_(self) -> Head | None:
        """The regression over the evidence of all patterns; None where the members are averaged."""
        return head_of(self._model())

    @property
    def history_(self) -> dict[str, npt.NDArray[Any]]:
        """{`edge`, `gamma`, `gap`, `columns`}, each an array with one entry per boosting round; empty with a head."""
        return self._model().history()

    @property
    def rho_(self) -> float | Floats | None:
        """The margin; with more than two classes, one for each part (two classes, or a class against the rest). A model
        with a head has none: None."""
        if self.head_ is not None:
            return None
        margins = np.array([part["rho"] for part in self._model().parts()])
        return float(margins[0]) if len(margins) == 1 else margins

    # Files -----------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the model to a JSON file, the one that the command line reads and writes."""
        self._model().save(file_to_write(path))

    @classmethod
    def load(cls, path: Path, kernel: KernelLike | None = None, gram: GramLike = None) -> Self:
        """The estimator of a model file, whether Python or the command line wrote it. A model whose kernel is a
        function or a matrix of similarities needs it again: `kernel=function`, `gram=matrix or file`."""
        path = file_to_read(path)
        return cls._of_model(_core.Model.load(path), path, kernel, gram)

    @classmethod
    def _of_model(cls, model: _core.Model, path: str, kernel: KernelLike | None, gram: GramLike) -> Self:
        if model.kind not in cls._kinds:
            raise ValueError(f"{path}: the model is for {model.kind}, {cls.__name__} is for "
                             f"{' and '.join(cls._kinds)}; shapeboost.load(path) finds the right one")
        estimator = cls(**params_of(model.settings, cls._kinds))
        if kernel is not None:
            estimator.kernel = kernel
        if gram is not None:
            estimator.gram = gram
        estimator._adopt(model)
        estimator.classes_ = classes_from(model.classes, model.labels)
        estimator.n_features_in_ = model.length if model.width == 1 and model.length else model.width
        estimator.notes_ = []
        if model.calibrated:
            estimator.probability = True
        return estimator

    def _adopt(self, model: _core.Model) -> None:
        """Takes over a model that was loaded, and gives it the kernel that its file does not hold."""
        wanted = model.wants()
        if wanted is not None:
            kind, name = wanted
            if kind == "custom":
                if not callable(self.kernel):
                    raise ValueError(f"the model's kernel is the function {name!r}, which its file does not hold: "
                                     "give it by load(path, kernel=function)")
                model.attach_function(name, self.kernel)
            else:
                gram = self.gram
                if gram is None:
                    raise ValueError(f"the model's kernel is a matrix of similarities, {name!r} in training: give it "
                                     "by load(path, gram=matrix)")
                model.attach_gram(_core.read_gram(os.fspath(gram)) if isinstance(gram, (str, os.PathLike))
                                  else as_matrix(gram, "gram"))
        self.model_ = model

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in ("model_", "_hypotheses")}
        if "model_" in self.__dict__:
            state["model"] = self.model_.to_json()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        text = state.pop("model", None)
        self.__dict__.update(state)
        if text is not None:
            self._adopt(_core.Model.from_json(text, "pickled model"))


def _features_in(X: Any, first: Any) -> int:
    """What scikit-learn calls the number of features: columns of an array, else the length of the first example."""
    if len(getattr(X, "shape", ())) >= 2:
        return int(X.shape[1])
    return len(first) if isinstance(first, bytes) else int(first.shape[-1])


def load(path: Path, kernel: KernelLike | None = None, gram: GramLike = None) -> Any:
    """The estimator of a model file, of whichever class it is; see `SeriesClassifier.load`."""
    from .bags import BagClassifier
    from .series import SeriesClassifier

    path = file_to_read(path)
    model = _core.Model.load(path)
    return (BagClassifier if model.kind == "bags" else SeriesClassifier)._of_model(model, path, kernel, gram)

# SPDX-License-Identifier: MIT
"""The estimators over Dask: `from shapeboost.dask import SeriesClassifier`. docs/dask.md is the guide."""

from __future__ import annotations

import copy
import hashlib
import inspect
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

try:
    import dask.array
    from dask.base import compute, is_dask_collection, persist
    from dask.delayed import Delayed, delayed
except ImportError as fault:
    raise ImportError(f"shapeboost.dask needs dask ({fault}): pip install 'shapeboost[dask]'") from None

from . import _core, shards
from . import bags as local_bags
from . import series as local_series
from ._types import Examples, GivenLabels, Weights
from .availability import needs_probability
from .estimator import Estimator
from .inputs import check_feature_names, feature_names
from .labels import classes_of, kind_of_labels
from .parameters import _seed_of, python_errors, python_words, settings_of

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["BagClassifier", "SeriesClassifier"]

da: Any = dask.array  # whose annotations are few

_NAMED = {"decision_function": "scores"}  # the dashboard takes "decision", of eight letters from d on, for a hash
_BRANCHES = 4  # sums that are added up in one task
_LEARNED = ("classes_", "notes_", "n_features_in_", "feature_names_in_", "tuning_results_", "best_index_", "best_setting_")


def _is_future(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "distributed" and hasattr(value, "key")


def _is_lazy(value: Any) -> bool:
    """Whether it lies in partitions: a collection of dask's, or a list of delayed ones."""
    if isinstance(value, (list, tuple)):
        return any(isinstance(one, Delayed) or _is_future(one) for one in value)
    return is_dask_collection(value) or _is_future(value)


class _Parts:
    """A collection as its partitions, and how many examples each holds, where that is known."""

    def __init__(self, given: Any, what: str) -> None:
        self.sizes: list[int] | None = None
        if isinstance(given, da.Array):
            if given.ndim == 0:
                raise ValueError(f"{what} is a single number: expected an array along whose first axis the examples lie")
            given = given.rechunk({axis: -1 for axis in range(1, given.ndim)}) if given.ndim > 1 else given
            self.blocks = list(given.to_delayed().ravel())
            if not any(np.isnan(size) for size in given.chunks[0]):
                self.sizes = [int(size) for size in given.chunks[0]]
        elif isinstance(given, (list, tuple)):
            self.blocks = [delayed(one) for one in given]
        elif isinstance(given, Delayed) or _is_future(given):
            self.blocks = [delayed(given)]
        elif hasattr(given, "to_delayed"):
            # As they are: optimised, a column of labels alone would come in fewer partitions than the others.
            self.blocks = list((given if hasattr(given, "columns") or hasattr(given, "dtype") else given.map_partitions(list))
                               .to_delayed(optimize_graph=False))
        else:
            raise ValueError(f"{what} is {type(given).__name__}: expected an array, a data frame or a bag of dask's, or a list of delayed "
                             "partitions")

    def __len__(self) -> int:
        return len(self.blocks)


class _OverDask(Estimator):
    """What the two estimators share: a client, partitions in place of arrays, and lazy answers."""

    client: Any

    def __init__(self, *, client: Any = None, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.client = client

    def to_local(self) -> Estimator:
        """The estimator of this package that is no longer of dask: the same parameters, the same model."""
        raise NotImplementedError

    # Running ---------------------------------------------------------------------------------------------------

    def _computed(self, things: Sequence[Any]) -> list[Any]:
        """By the client that was given, else by dask's own choice: the default client, else threads of this process."""
        if self.client is not None:
            return list(self.client.gather(self.client.compute(list(things))))
        return list(compute(*things))

    def _kept(self, thing: Any) -> Any:
        """Computed where it is, to be used by several tasks."""
        return self.client.persist(thing) if self.client is not None else persist(thing)[0]

    def _shipped(self, seed: int | None = None) -> Estimator:
        """The local estimator with these parameters, as tasks take it."""
        kind = local_series.SeriesClassifier if isinstance(self, local_series.SeriesClassifier) else local_bags.BagClassifier
        parameters = {name: value for name, value in self.get_params().items() if name != "client"}
        if seed is not None:
            parameters["random_state"] = seed
        return kind(**parameters)

    # Partitions ------------------------------------------------------------------------------------------------

    def _sized(self, X: _Parts) -> list[int]:
        if X.sizes is None:
            X.sizes = self._computed([_task(len_of, "count")(block) for block in X.blocks])
        return X.sizes

    def _beside(self, given: Any, X: _Parts, what: str) -> list[Any]:
        """Labels or weights, cut as X is."""
        if given is None:
            return [None] * len(X)
        if not _is_lazy(given):
            values = given.to_numpy() if hasattr(given, "to_numpy") else np.asarray(given)
            sizes = self._sized(X)
            if values.ndim == 0 or len(values) != sum(sizes):
                raise ValueError(f"X and {what} have inconsistent numbers of samples: {sum(sizes)} examples and "
                                 f"{len(values) if values.ndim else 1} in {what}")
            return np.split(values, np.cumsum(sizes)[:-1])
        if isinstance(given, da.Array) and X.sizes is not None and not any(np.isnan(size) for size in given.chunks[0]):
            if given.shape[0] != sum(X.sizes):
                raise ValueError(f"X and {what} have inconsistent numbers of samples: {sum(X.sizes)} examples and {given.shape[0]} in "
                                 f"{what}")
            given = given.rechunk({0: tuple(X.sizes)})
        parts = _Parts(given, what)
        if len(parts) != len(X):
            raise ValueError(f"X lies in {len(X)} partitions, {what} in {len(parts)}: expected the same, or chunks of known sizes")
        return parts.blocks

    # Fitting ---------------------------------------------------------------------------------------------------

    def _fit_lazily(self, X: Any, y: Any, sample_weight: Any) -> Self:
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None: give the labels, fit(X, y)")
        names = feature_names(X)
        width = X.shape[1] if isinstance(X, da.Array) and X.ndim > 1 else None
        parts = _Parts(X, "X")
        labels = self._beside(y, parts, "y")
        weights = self._beside(sample_weight, parts, "sample_weight")
        with python_errors():
            model, found = self._trained_lazily(parts.blocks, labels, weights)
        for name in (*_LEARNED, "_hypotheses", "_token"):
            self.__dict__.pop(name, None)
        self.__dict__.update(found)
        if width is not None:
            self.n_features_in_ = int(width)
        if names is not None:
            self.feature_names_in_ = names
            self.n_features_in_ = len(names)
        self.model_ = model
        return self

    def _trained_lazily(self, blocks: list[Any], labels: list[Any], weights: list[Any]) -> tuple[_core.Model, dict[str, Any]]:
        """The model, and what else was learned."""
        return self._trained_together(blocks, labels, weights, _seed_of(self.random_state))

    def _trained_together(self, blocks: list[Any], labels: list[Any], weights: list[Any], seed: int) -> tuple[_core.Model, dict[str, Any]]:
        """Of all examples, gathered by one worker."""
        task = _task(shards.fitted_together, "fit together")
        fitted = self._computed([task(self._shipped(seed), blocks, labels, weights)])[0]
        return fitted.model_, {name: value for name, value in fitted.__dict__.items() if name in _LEARNED}

    # Prediction ------------------------------------------------------------------------------------------------

    def _delayed_self(self) -> Any:
        """The local estimator, sent to each worker once."""
        self._model()
        if "_token" not in self.__dict__:
            self.__dict__["_token"] = hashlib.sha256(self.model_.to_json().encode()).hexdigest()[:32]
        return delayed(self.to_local(), name=f"shapeboost-model-{self.__dict__['_token']}-{_token_of(self.get_params())}", traverse=False)

    def _lazily(self, X: Any, method: str, dtype: Any, columns: int | None = None) -> Any:
        """An array of dask's with an entry, or a row, for each example."""
        empty: Any = np.empty((0,) if columns is None else (0, columns), dtype=dtype)
        if feature_names(X) is not None or "feature_names_in_" in self.__dict__:
            check_feature_names(feature_names(X), getattr(self, "feature_names_in_", None), type(self).__name__)
        if isinstance(X, da.Array) and X.ndim > 1:
            axes = tuple(range(X.ndim))
            new = {} if columns is None else {X.ndim: columns}
            return da.blockwise(shards.answer, (0, *new), X, axes, estimator=self._delayed_self(), method=method, empty=empty,
                                new_axes=new, concatenate=True, dtype=empty.dtype, meta=empty, token=_prefix(_NAMED.get(method, method)))
        parts = _Parts(X, "X")
        estimator = self._delayed_self()
        task = _task(shards.answer, _NAMED.get(method, method))
        sizes: Sequence[float] = parts.sizes if parts.sizes is not None else [np.nan] * len(parts)
        answers = [da.from_delayed(task(block, estimator, method, empty), (size, *empty.shape[1:]), meta=empty)
                   for block, size in zip(parts.blocks, sizes)]
        return da.concatenate(answers, allow_unknown_chunksizes=True)

    def _score_lazily(self, X: Any, y: Any, sample_weight: Any) -> float:
        parts = _Parts(X, "X")
        estimator = self._delayed_self()
        task = _task(shards.right, "score")
        with python_errors():
            shares = self._computed([task(block, labels, weights, estimator)
                                     for block, labels, weights in zip(parts.blocks, self._beside(y, parts, "y"),
                                                                       self._beside(sample_weight, parts, "sample_weight"))])
        total = sum(weight for _, weight in shares)
        if not total > 0:
            raise ValueError("X has no example that weighs more than 0")
        return float(sum(found for found, _ in shares) / total)

    def _scores_wanted(self) -> int | None:
        """Columns of the decision function."""
        self._model()
        return None if len(self.classes_) == 2 else len(self.classes_)

    # State -----------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}  # a client lives in its process alone

    def __sklearn_clone__(self) -> Self:
        parameters = {name: copy.deepcopy(value) for name, value in self.get_params().items() if name != "client"}
        return type(self)(client=self.client, **parameters)


def len_of(block: Any) -> int:
    """How many examples a partition holds."""
    return len(shards._held(block))


def _token_of(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _prefix(name: str) -> str:
    return "shapeboost-" + name.replace(" ", "-").replace("_", "-")


def _task(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function as a task whose name the dashboard shows, another at every call."""
    prefix = _prefix(name)
    lazy: Any = delayed(function, pure=False)
    return lambda *given: lazy(*given, dask_key_name=f"{prefix}-{uuid.uuid4().hex}")


def _with_client(cls: type[Any], local: type[Any]) -> None:
    """Gives a class the signature of the local one and, before its parameters, `client`."""
    signature = inspect.signature(local)
    client = inspect.Parameter("client", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="distributed.Client | None")
    cls.__signature__ = signature.replace(parameters=[client, *signature.parameters.values()])
    doc = inspect.cleandoc(cls.__doc__ or "")
    parameters = (local.__doc__ or "").partition("Parameters\n----------\n")[2]
    cls.__doc__ = (f"{doc}\n\nParameters\n----------\nclient : distributed.Client, default=None\n    Who runs the tasks; None: the "
                   f"default client, else dask's local scheduler.\n{parameters}")


class SeriesClassifier(_OverDask, local_series.SeriesClassifier):
    """SeriesClassifier of series that lie in partitions.

    X is a dask array (n, length) or (n, channels, length), whose chunks may have any sizes, known or not; a dask data frame, as from
    Parquet; a dask bag of series; or a list of delayed partitions, each of which holds what the local estimator takes: an array, a list of
    series of unequal lengths, a frame. y, and sample_weight, are of the same kinds, or arrays of NumPy.

    More than 10,000 series are trained on where they lie, as docs/dask.md says: what travels are samples, patterns and sums. Fewer, and
    those of settings that look at all series at once (`members=1`, `head="average"`, other kernels, texts), are gathered by one worker.
    The model is the one that the local estimator makes of the same series with the same seed. Answers are dask arrays, computed when
    they are wanted; what is asked of arrays of NumPy is answered at once.

    >>> import dask.array as da
    >>> import shapeboost
    >>> from shapeboost.dask import SeriesClassifier
    >>> X, y = shapeboost.planted_series(40, random_state=1)
    >>> model = SeriesClassifier(members=1, random_state=1).fit(da.from_array(X, chunks=(10, -1)), da.from_array(y, chunks=10))
    >>> model.predict(da.from_array(X, chunks=(20, -1)))
    dask.array<shapeboost-predict, shape=(40,), dtype=<U7, chunksize=(20,), chunktype=numpy.ndarray>
    >>> model.to_local().score(X, y)
    1.0
    """

    def fit(self, X: Examples, y: GivenLabels, sample_weight: Weights = None) -> Self:
        """Train; returns the estimator. An example of weight k counts as k copies of it."""
        return self._fit_lazily(X, y, sample_weight) if _is_lazy(X) else super().fit(X, y, sample_weight)

    def to_local(self) -> local_series.SeriesClassifier:
        """shapeboost.SeriesClassifier with the same parameters and the same model."""
        return cast(local_series.SeriesClassifier, _handed_over(self))

    def _trained_lazily(self, blocks: list[Any], labels: list[Any], weights: list[Any]) -> tuple[_core.Model, dict[str, Any]]:
        seed = _seed_of(self.random_state)
        shipped = self._shipped(seed)
        settings = settings_of(shipped)[0]
        roll_call = _task(shards.attendance, "roll call")
        attendances: list[shards.Attendance] = self._computed([roll_call(*given) for given in zip(blocks, labels, weights)])
        present = [one for one in attendances if one.size]
        if not present:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: X has no example")
        classes, names = classes_of(np.concatenate([one.labels for one in present if one.labels is not None]))
        if len(classes) < 2:
            raise ValueError(f"y holds one class, {classes[0]!r}: expected at least two classes to tell apart")
        roll = _core.Roll()
        for one in present:
            if one.roll is not None:
                roll.append(one.roll)
        planned = None if any(one.roll is None for one in present) else _core.plan_shards(roll, settings)
        if planned is None:
            return self._trained_together(blocks, labels, weights, seed)
        self._check_many()
        plan, counts = planned
        ends = np.cumsum([one.size for one in attendances])
        starts = ends - [one.size for one in attendances]

        # The sample is kept where it was gathered: members, and the end, want it.
        take, gather = _task(shards.taken, "take sample"), _task(shards.gathered, "gather sample")
        wanted = np.sort(plan.sample)
        whole_plan = delayed(plan, name=f"shapeboost-plan-{uuid.uuid4().hex}", traverse=False)
        chosen = [wanted[(wanted >= start) & (wanted < end)] - start for start, end in zip(starts, ends)]
        sample = self._kept(gather([take(block, label, own) for block, label, own in zip(blocks, labels, chosen) if len(own)], whole_plan))
        find, count = _task(shards.found_patterns, "find patterns"), _task(shards.members, "plan members")
        found = [find(sample, whole_plan, shipped, k) for k in range(self._computed([count(sample, whole_plan, shipped)])[0])]
        draft = _task(shards.draft, "weigh sample")(sample, whole_plan, shipped, found)

        threads = self._jobs()
        alone = 0 if self.n_jobs is None else threads  # of the last step, beside which nothing else of this runs: all cores
        add, merge = _task(shards.evidence, "sum partition"), _task(shards.merged, "merge sums")
        sums = [add(draft, whole_plan, block, label, int(start), None if counts is None else counts[start:end], threads)
                for block, label, start, end in zip(blocks, labels, starts, ends) if end > start]
        while len(sums) > 1:
            sums = [merge(sums[k:k + _BRANCHES]) for k in range(0, len(sums), _BRANCHES)]
        text, notes = self._computed([_task(shards.finished, "solve")(draft, whole_plan, sums[0], sample, alone)])[0]
        model = _core.Model.from_json(text, "trained model")
        model.labels = kind_of_labels(classes)
        return model, {"classes_": classes, "notes_": [python_words(note) for note in notes],
                       "n_features_in_": model.length if model.width == 1 else model.width}

    def _check_many(self) -> None:
        """Refuses what takes more than one pass over more series than are gathered."""
        for name in ("tune", "probability", "time_limit"):
            if getattr(self, name):
                raise ValueError(f"{name}={getattr(self, name)!r}: not of more than 10,000 series in partitions; use it on some of them, "
                                 "gathered")

    def predict(self, X: Examples) -> Any:
        """The class of each example."""
        return self._lazily(X, "predict", self._model() and self.classes_.dtype) if _is_lazy(X) else super().predict(X)

    def decision_function(self, X: Examples) -> Any:
        """With two classes, g(B) of each example, above 0 for `classes_[1]`; with more, a score for each class."""
        if _is_lazy(X):
            return self._lazily(X, "decision_function", np.float64, self._scores_wanted())
        return super().decision_function(X)

    @needs_probability
    def predict_proba(self, X: Examples) -> Any:
        """The probability of each class, calibrated on the scores of examples left out; needs `probability=True`."""
        return self._lazily(X, "predict_proba", np.float64, len(self.classes_)) if _is_lazy(X) else self._probabilities(X)

    @needs_probability
    def predict_log_proba(self, X: Examples) -> Any:
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def transform(self, X: Examples) -> Any:
        """The response of each hypothesis to each example; see the local estimator's."""
        if _is_lazy(X):
            self._model()
            return self._lazily(X, "transform", np.float64, len(self.get_feature_names_out()))
        return super().transform(X)

    def score(self, X: Examples, y: GivenLabels, sample_weight: Weights = None) -> float:
        """The accuracy: the share of examples that are classified correctly."""
        return self._score_lazily(X, y, sample_weight) if _is_lazy(X) else super().score(X, y, sample_weight)


class BagClassifier(_OverDask, local_bags.BagClassifier):
    """BagClassifier of bags that lie in partitions.

    X is a dask array (n, size, d), a dask bag of arrays (n_i, d), or a list of delayed partitions, each a list of bags. Training looks at
    all bags at once: they are gathered by one worker, in whose memory they must fit. Answers are dask arrays, computed block by block.
    A bag must not lie in two partitions, so that `bags=` ids are for arrays of NumPy alone.

    >>> import dask
    >>> import shapeboost
    >>> from shapeboost.dask import BagClassifier
    >>> X, y = shapeboost.planted_bags(40, random_state=1)
    >>> parts, labels = [dask.delayed(X[:20]), dask.delayed(X[20:])], [dask.delayed(y[:20]), dask.delayed(y[20:])]
    >>> model = BagClassifier(members=1, random_state=1).fit(parts, labels)
    >>> model.predict(parts).compute()[:3].tolist() == y[:3].tolist()
    True
    """

    def fit(self, X: Examples, y: GivenLabels, bags: Any = None, sample_weight: Weights = None) -> Self:
        """Train; returns the estimator. A bag of weight k counts as k copies of it."""
        if not _of_partitions(X, bags):
            return super().fit(X, y, bags, sample_weight)
        return self._fit_lazily(X, y, sample_weight)

    def to_local(self) -> local_bags.BagClassifier:
        """shapeboost.BagClassifier with the same parameters and the same model."""
        return cast(local_bags.BagClassifier, _handed_over(self))

    def predict(self, X: Examples, bags: Any = None) -> Any:
        """The class of each bag."""
        if not _of_partitions(X, bags):
            return super().predict(X, bags)
        return self._lazily(X, "predict", self._model() and self.classes_.dtype)

    def decision_function(self, X: Examples, bags: Any = None) -> Any:
        """With two classes, g(B) of each bag, above 0 for `classes_[1]`; with more, a score for each class."""
        if not _of_partitions(X, bags):
            return super().decision_function(X, bags)
        return self._lazily(X, "decision_function", np.float64, self._scores_wanted())

    @needs_probability
    def predict_proba(self, X: Examples, bags: Any = None) -> Any:
        """The probability of each class, calibrated on the scores of bags left out; needs `probability=True`."""
        if not _of_partitions(X, bags):
            return self._probabilities(local_bags.grouped(X, bags))
        return self._lazily(X, "predict_proba", np.float64, len(self.classes_))

    @needs_probability
    def predict_log_proba(self, X: Examples, bags: Any = None) -> Any:
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X, bags))

    def transform(self, X: Examples, bags: Any = None) -> Any:
        """The response of each hypothesis to each bag; see the local estimator's."""
        if not _of_partitions(X, bags):
            return super().transform(X, bags)
        self._model()
        return self._lazily(X, "transform", np.float64, len(self.get_feature_names_out()))

    def score(self, X: Examples, y: GivenLabels, sample_weight: Weights = None, bags: Any = None) -> float:
        """The accuracy: the share of bags that are classified correctly."""
        if not _of_partitions(X, bags):
            return super().score(X, y, sample_weight, bags)
        return self._score_lazily(X, y, sample_weight)


def _of_partitions(X: Any, bags: Any) -> bool:
    if not _is_lazy(X):
        return False
    if bags is not None:
        raise ValueError("bags: ids are for arrays in memory, since a bag might lie in two partitions; give a list of bags in each partition")
    return True


def _handed_over(estimator: _OverDask) -> Estimator:
    model = estimator._model()
    local = estimator._shipped()
    local.__dict__.update({name: value for name, value in estimator.__dict__.items() if name in _LEARNED})
    local.model_ = model
    return local


_with_client(SeriesClassifier, local_series.SeriesClassifier)
_with_client(BagClassifier, local_bags.BagClassifier)

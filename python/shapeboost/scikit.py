# SPDX-License-Identifier: MIT
"""What scikit-learn expects of every estimator: parameters, tags, containers for output, routing of metadata. Nothing of it is
imported before it is asked for."""

from __future__ import annotations

import copy
import inspect
import sys
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ._types import Examples, Floats, Labels, Output, Request

if TYPE_CHECKING:
    from typing_extensions import Self

UNCHANGED = "$UNCHANGED$"  # scikit-learn's word for a request that stays as it is


def warning_class(name: str) -> type[Warning]:
    """scikit-learn's warning where it is loaded, since that is what users filter by."""
    exceptions = sys.modules.get("sklearn.exceptions")
    found: type[Warning] = getattr(exceptions, name) if exceptions else UserWarning
    return found


class Parameters:
    """What keeps the arguments of `__init__`."""

    def _store(self, given: dict[str, Any]) -> None:
        """Keeps the arguments, given as `locals()`, each as the attribute of its name."""
        self.__dict__.update({name: value for name, value in given.items() if name not in ("self", "__class__")})


class ScikitEstimator(Parameters):
    """An estimator whose parameters are the arguments of `__init__`."""

    _estimator_type = "classifier"
    _kinds: ClassVar[tuple[str, ...]] = ()
    # The metadata that each method takes.
    _metadata: ClassVar[dict[str, tuple[str, ...]]] = {"fit": ("sample_weight",), "score": ("sample_weight",)}

    # Parameters ------------------------------------------------------------------------------------------------

    @classmethod
    def _names(cls) -> list[str]:
        return [*inspect.signature(cls).parameters]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """{name: value} of every parameter."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Set some parameters; returns the estimator."""
        names = self._names()
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {names!r}")
            setattr(self, name, value)
        return self

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        defaults = inspect.signature(type(self)).parameters
        shown = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items()
                          if value is not defaults[name].default and repr(value) != repr(defaults[name].default))
        return f"{type(self).__name__}({shown})"

    def _facts(self) -> list[tuple[str, str]]:
        """What the HTML representation tells of a fitted estimator; empty of others."""
        return []

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>" for name, text in self._facts())
        return f"<div><code>{escape(repr(self))}</code>" + (f"<table>{rows}</table>" if rows else " (not fitted)") + "</div>"

    # What it can do --------------------------------------------------------------------------------------------

    def _takes_rows(self) -> bool:
        """Whether an array of two dimensions is a set of examples."""
        return True

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags, TransformerTags

        series = "series" in self._kinds
        return Tags(estimator_type="classifier", target_tags=TargetTags(required=True),
                    classifier_tags=ClassifierTags(), transformer_tags=TransformerTags(),
                    input_tags=InputTags(two_d_array=self._takes_rows(), three_d_array=True, allow_nan=series,
                                         sparse=not series))

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    # Output ----------------------------------------------------------------------------------------------------

    def set_output(self, *, transform: Output = None) -> Self:
        """What `transform` returns: 'default' (an array of NumPy), 'pandas' or 'polars' (a data frame whose columns are named);
        None leaves it as it is."""
        if transform is not None:
            if transform not in ("default", "pandas", "polars"):
                raise ValueError(f"transform: expected default, pandas or polars, found {transform!r}")
            self.__dict__.setdefault("_sklearn_output_config", {})["transform"] = transform
        return self

    def get_feature_names_out(self, input_features: Any = None) -> Labels:
        """The names of the columns that `transform` returns."""
        raise NotImplementedError

    def _in_container(self, columns: Floats, X: Examples) -> Any:
        """The columns as they are wanted, by set_output or by scikit-learn's configuration."""
        wanted = self.__dict__.get("_sklearn_output_config", {}).get("transform")
        if wanted is None and (scikit := sys.modules.get("sklearn")) is not None:
            wanted = scikit.get_config()["transform_output"]
        if wanted == "pandas":
            import pandas as pd

            index = X.index if isinstance(X, (pd.DataFrame, pd.Series)) and len(X.index) == len(columns) else None
            return pd.DataFrame(columns, index=index, columns=self.get_feature_names_out())
        if wanted == "polars":
            import polars as pl

            return pl.DataFrame(columns, schema=self.get_feature_names_out().tolist(), orient="row")
        return columns

    # Metadata --------------------------------------------------------------------------------------------------

    def get_metadata_routing(self) -> Any:
        """Which metadata scikit-learn's meta-estimators may pass to which method."""
        from sklearn.utils.metadata_routing import MetadataRequest

        if "_metadata_request" in self.__dict__:
            return copy.deepcopy(self.__dict__["_metadata_request"])
        requests = MetadataRequest(owner=self)
        for method, names in self._metadata.items():
            for name in names:
                getattr(requests, method).add_request(param=name, alias=None)
        return requests

    def _request(self, method: str, **wanted: Request) -> Self:
        import sklearn

        if not sklearn.get_config()["enable_metadata_routing"]:
            raise RuntimeError("This method is only available when metadata routing is enabled: "
                               "sklearn.set_config(enable_metadata_routing=True)")
        requests = self.get_metadata_routing()
        for name, value in wanted.items():
            if value != UNCHANGED:
                getattr(requests, method).add_request(param=name, alias=value)
        self._metadata_request = requests
        return self

    def set_fit_request(self, *, sample_weight: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `sample_weight` to `fit`."""
        return self._request("fit", sample_weight=sample_weight)

    def set_score_request(self, *, sample_weight: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `sample_weight` to `score`."""
        return self._request("score", sample_weight=sample_weight)


def as_weights(weights: Any, count: int) -> Floats | None:
    """How much each example counts, as an array; None where all count the same."""
    if weights is None:
        return None
    if hasattr(weights, "to_numpy") and not isinstance(weights, np.ndarray):
        weights = weights.to_numpy()
    try:
        array = np.asarray(weights)
        if np.iscomplexobj(array):
            raise TypeError
        array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight: expected a number for each example") from None
    if array.ndim == 0:
        array = np.full(count, float(array))
    if array.shape != (count,):
        raise ValueError(f"sample_weight has shape {array.shape}: expected one number for each example, shape ({count},)")
    return array

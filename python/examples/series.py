# SPDX-License-Identifier: MIT
"""A tour of time series: train, inspect what was learned, tune, and combine with scikit-learn.

    python python/examples/series.py [FOLDER]      plots go to FOLDER, by default the current one
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import shapeboost
from shapeboost import SeriesClassifier

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# 1. Synthetic data: noise, with a pattern specific to the class at a random position.
X, y = shapeboost.planted_series(60, random_state=1)
new, labels = shapeboost.planted_series(60, random_state=2)

# 2. The default weighs the patterns of many members by one regression, which is the most accurate; a single model is
#    easier to read.
many = SeriesClassifier(random_state=1).fit(X, y)
single = SeriesClassifier(members=1, random_state=1, probability=True).fit(X, y)
print(f"planted     many patterns {many.score(new, labels):.3f}, single model {single.score(new, labels):.3f}")

# 3. Which patterns did it find?
for h in single.hypotheses_[:3]:
    print(f"            weight {h.weight:.2f}: pattern of {h.view['length']} values {h.claim} in "
          f"{single.classes_[1]}, "
          f"cut from series {h.main.example} at {h.main.position}")
shapeboost.plot_shapelets(single, X).figure.savefig(folder / "series_patterns.png")
shapeboost.plot_history(single).figure.savefig(folder / "series_history.png")
print(f"            first new series is {single.predict(new[:1])[0]} with probability {single.predict_proba(new[:1]).max():.2f}")

# 4. Settings chosen by cross-validation.
tuned = SeriesClassifier(members=1, random_state=1, tune=True, grid={"nu": [0.1, 0.3], "lengths": [[0.1], [0.2]]}, folds=3).fit(X, y)
print(f"tuned       {tuned.best_setting_}")

# 5. The responses of its patterns as features for another model.
pipeline = make_pipeline(SeriesClassifier(members=1, random_state=1), LogisticRegression()).fit(X, y)
print(f"pipeline    {pipeline.score(new, labels):.3f}")

# 6. Real data, if aeon is installed: did the hand draw a gun or only point?
try:
    from aeon.datasets import load_gunpoint
except ImportError:
    print("GunPoint    needs aeon, which is not installed")
else:
    train, train_labels = load_gunpoint(split="train")
    test, test_labels = load_gunpoint(split="test")
    gun = SeriesClassifier(random_state=1).fit(train, train_labels)
    print(f"GunPoint    {gun.score(test, test_labels):.3f}")
    gun.save(folder / "gun.json")
    assert shapeboost.load(folder / "gun.json").score(test, test_labels) == gun.score(test, test_labels)

# SPDX-License-Identifier: MIT
"""A tour of bags: which bags are active, and which of their instances make them active.

    python python/examples/bags.py [FOLDER]        plots go to FOLDER, by default the current one
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")

import numpy as np
from sklearn.model_selection import cross_val_score

import shapeboost
from shapeboost import BagClassifier

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# 1. Bags of random vectors; an active one contains a vector near a hidden concept.
X, y = shapeboost.planted_bags(80, random_state=1)
new, labels = shapeboost.planted_bags(80, random_state=2)
print(f"data        {len(X)} bags of {min(map(len, X))} to {max(map(len, X))} instances, {X[0].shape[1]} features")

# 2. Only active bags contain the concept, so only patterns of the active class make sense: `one_sided`. They are patterns
#    of the second class, so active bags are labelled 1 and the others 0.
active = np.where(y == "active", 1, 0)
model = BagClassifier(members=1, one_sided=True, weak="ball", random_state=1).fit(X, active)
print(f"model       {model.score(new, np.where(labels == 'active', 1, 0)):.3f} with {len(model.hypotheses_)} patterns")

# 3. The model also classifies single instances.
found = model.predict_instances(new)
print(f"instances   {np.mean([bag.any() for bag in found[:40]]):.2f} of 40 new bags have an instance predicted active")

# 4. The same data as one array, with the id of the bag of each row.
ids = np.repeat(np.arange(len(X)), [len(bag) for bag in X])
again = BagClassifier(members=1, one_sided=True, weak="ball", random_state=1).fit(np.concatenate(X), active, bags=ids)
assert np.array_equal(again.decision_function(X), model.decision_function(X))

# 5. Cross-validation as with any estimator, and another method for comparison.
for method in ("boost", "l1-svm"):
    accuracy = cross_val_score(BagClassifier(members=1, method=method, random_state=1), X, y, cv=3).mean()
    print(f"{method:11} {accuracy:.3f}")

shapeboost.plot_shapelets(model).figure.savefig(folder / "bags_patterns.png")
shapeboost.plot_history(model).figure.savefig(folder / "bags_history.png")

# SPDX-License-Identifier: MIT
"""The method's problems, solved again by independent solvers: HiGHS (scipy) and Clarabel (cvxpy)."""

import cvxpy as cp
import numpy as np
import pytest
from scipy.optimize import linprog

from shapeboost import BagClassifier, SeriesClassifier, _core, planted_bags, planted_series
from shapeboost.parameters import settings_of

LP = 1e-7  # two exact simplex methods
CONE = 1e-5  # an interior-point method, accurate to 1e-8 on a problem scaled differently


def caps_of(m, nu, weights=None):
    v = np.ones(m) if weights is None else weights
    return np.minimum(1.0, v / (nu * v.sum()))


def master_by_highs(y, H, nu, offset, weights=None):
    """max rho - caps xi  s.t.  y_i (H w + b)_i >= rho - xi_i, w >= 0, sum w = 1; variables w, b, rho, xi."""
    m, n = H.shape
    cost = np.concatenate([np.zeros(n + 1), [-1.0], caps_of(m, nu, weights)])
    A = np.hstack([-y[:, None] * H, -y[:, None], np.ones((m, 1)), -np.eye(m)])
    total = np.concatenate([np.ones(n), np.zeros(m + 2)])[None]
    bounds = [(0, None)] * n + [(None, None) if offset else (0, 0), (None, None)] + [(0, None)] * m
    answer = linprog(cost, A_ub=A, b_ub=np.zeros(m), A_eq=total, b_eq=[1.0], bounds=bounds, method="highs")
    assert answer.status == 0, answer.message
    return -answer.fun


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_the_master(seed, offset, weighted):
    rng = np.random.default_rng(seed)
    m, n = 25, 12
    y = np.where(rng.random(m) < 0.5, -1.0, 1.0)
    y[:2] = [-1.0, 1.0]
    H = rng.uniform(-1, 1, (m, n)) + 0.3 * y[:, None]
    weights = rng.uniform(0.5, 2.0, m) if weighted else np.ones(m)
    nu = 0.1 + 0.1 * seed
    share = min(weights[y > 0].sum(), weights[y < 0].sum()) / weights.sum()
    nu = min(nu, 1.9 * share)
    ours = _core.solve_master(y, H, nu, offset, weights if weighted else np.zeros(0))
    assert ours["status"] == "solved"
    assert ours["gamma"] == pytest.approx(master_by_highs(y, H, nu, offset, weights), abs=LP)
    assert ours["d"].sum() == pytest.approx(1.0)
    assert (ours["d"] <= caps_of(m, nu, weights) + 1e-9).all()
    assert (H.T @ (y * ours["d"])).max() <= ours["gamma"] + LP
    if offset:
        assert y @ ours["d"] == pytest.approx(0.0, abs=1e-9)


def master_by_clarabel(y, H, nu):
    w, b, rho, xi = cp.Variable(H.shape[1], nonneg=True), cp.Variable(), cp.Variable(), cp.Variable(len(y), nonneg=True)
    problem = cp.Problem(cp.Maximize(rho - caps_of(len(y), nu) @ xi),
                         [cp.multiply(y, H @ w + b) >= rho - xi, cp.sum(w) == 1])
    return problem.solve(solver=cp.CLARABEL)


def test_the_independent_solvers_agree():
    rng = np.random.default_rng(1)
    y = np.repeat([-1.0, 1.0], 10)
    H = rng.uniform(-1, 1, (20, 8)) + 0.3 * y[:, None]
    assert master_by_clarabel(y, H, 0.3) == pytest.approx(master_by_highs(y, H, 0.3, True), abs=CONE)


def weak_problem(seed, ball, **params):
    """A linearised weak-learning problem as the library states and solves it."""
    X, y = planted_bags(14, length=5, features=4, noise=0.5, random_state=seed + 1)
    rng = np.random.default_rng(seed)
    sides = np.where(y == "active", 1.0, -1.0)
    d = rng.uniform(0.2, 1.0, len(y))
    d[sides > 0] /= 2 * d[sides > 0].sum()
    d[sides < 0] /= 2 * d[sides < 0].sum()
    chosen = [int(rng.integers(len(bag))) for bag in X]
    estimator = BagClassifier(members=1, views="grid", **params)
    data = _core.data("bags", X, [str(label) for label in y], "")
    found = _core.solve_weak(data, settings_of(estimator)[0], sides * d, chosen, ball, 1e-9)
    assert found["status"] == "solved"
    return found, sides, d


@pytest.mark.parametrize("seed", range(5))
def test_op_2_over_the_sparse_ball(seed):
    """min over ||alpha||_1 <= 1 of sum_neg d max_x (K alpha)_x - sum_pos d (K alpha)_{x*}: a linear program, by HiGHS."""
    found, sides, d = weak_problem(seed, False)
    K, bag, chosen = found["gram"], found["bag"], found["chosen"]
    n, m = len(K), len(sides)
    # Variables: alpha+, alpha-, lambda (one for each negative bag, its maximum).
    negative = np.flatnonzero(sides < 0)
    gain = sum(d[i] * K[chosen[i]] for i in np.flatnonzero(sides > 0))
    cost = np.concatenate([-gain, gain, d[negative]])
    rows = []
    for x in range(n):
        if sides[bag[x]] < 0:
            row = np.zeros(2 * n + len(negative))
            row[:n], row[n:2 * n] = K[x], -K[x]
            row[2 * n + np.flatnonzero(negative == bag[x])[0]] = -1.0
            rows.append(row)
    rows.append(np.concatenate([np.ones(2 * n), np.zeros(len(negative))]))
    answer = linprog(cost, A_ub=np.array(rows), b_ub=np.concatenate([np.zeros(len(rows) - 1), [1.0]]),
                     bounds=[(0, None)] * (2 * n) + [(None, None)] * len(negative), method="highs")
    assert answer.status == 0 and m == 14
    assert found["optimum"] == pytest.approx(answer.fun, abs=1e-6)
    assert answer.fun < -1e-3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kernel", ["gaussian", "linear"])
def test_op_1_over_the_ball(seed, kernel):
    """The same over ||u|| <= 1 in the Hilbert space, as a cone program for Clarabel: u = sum alpha Phi(x)."""
    found, sides, d = weak_problem(seed, True, kernel=kernel)
    K, bag, chosen = found["gram"], found["bag"], found["chosen"]
    values, vectors = np.linalg.eigh(K)
    root = vectors * np.sqrt(np.maximum(values, 0.0))  # K = root root', rows are Phi(x)
    u = cp.Variable(root.shape[1])
    scores = root @ u
    loss = sum(d[i] * cp.max(scores[np.flatnonzero(bag == i)]) for i in np.flatnonzero(sides < 0))
    gain = sum(d[i] * scores[int(chosen[i])] for i in np.flatnonzero(sides > 0))
    best = cp.Problem(cp.Minimize(loss - gain), [cp.norm(u) <= 1]).solve(solver=cp.CLARABEL)
    assert found["optimum"] == pytest.approx(best, abs=CONE)
    assert best < -1e-3 or kernel == "linear"  # with which a weak learner may find nothing


@pytest.mark.parametrize("one_sided, offset, nu", [(False, True, 0.2), (True, True, 0.3), (False, False, 0.4)])
def test_a_whole_training_over_single_instances(one_sided, offset, nu):
    """With every instance of every bag as a hypothesis, of both signs, HiGHS finds the optimum. Boosting must reach it."""
    X, y = planted_bags(20, length=4, features=3, noise=0.6, random_state=2)
    sigma = 0.3
    model = BagClassifier(members=1, refine="no", candidates="all", standardise=False, sigma=sigma, nu=nu, gap=0.0,
                          stall=0, rounds=100000, one_sided=one_sided, offset=offset).fit(X, y)
    sides = np.where(y == model.classes_[1], 1.0, -1.0)
    Z = np.concatenate(X)
    K = [np.exp(-sigma * ((bag[:, None] - Z[None]) ** 2).sum(-1)) for bag in X]  # for each bag: instances x candidates
    largest = np.stack([k.max(axis=0) for k in K])
    smallest = np.stack([-k.min(axis=0) for k in K])  # alpha = -1
    H = np.hstack([largest, smallest] if one_sided else [largest, smallest, -largest, -smallest])
    best = master_by_highs(sides, H, nu, offset)
    assert model.model_.parts()[0]["gamma"] == pytest.approx(best, abs=2e-6)  # the table holds floats
    assert best > 1e-3


@pytest.mark.parametrize("weak", ["sparse", "ball"])
def test_a_whole_refined_training_is_the_best_mixture_of_what_it_found(weak):
    X, y = planted_series(20, length=50, noise=0.5, random_state=4)
    model = SeriesClassifier(members=1, weak=weak, lengths=0.2, nu=0.3).fit(X, y)
    H = model.transform(X)
    sides = np.where(y == model.classes_[1], 1.0, -1.0)
    part = model.model_.parts()[0]
    assert master_by_highs(sides, H, part["nu"], True) == pytest.approx(part["gamma"], abs=1e-6)
    plain = SeriesClassifier(members=1, weak=weak, lengths=0.2, nu=0.3, refine="no").fit(X, y)
    assert part["gamma"] >= plain.model_.parts()[0]["gamma"] - 1e-6


def test_a_committees_margin_is_that_of_its_average():
    X, y = planted_series(20, length=50, random_state=4)
    model = SeriesClassifier(members=5, head="average").fit(X, y)
    part = model.model_.parts()[0]
    margins = np.where(y == model.classes_[1], 1.0, -1.0) * model.decision_function(X)
    caps = caps_of(len(X), part["nu"])
    best = max(rho - (caps * np.maximum(0.0, rho - margins)).sum() for rho in margins)
    assert part["gamma"] == pytest.approx(best, abs=1e-6)

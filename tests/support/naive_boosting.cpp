// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "solve/kmeans.hpp"
#include "solve/status.hpp"
#include "support/naive.hpp"

namespace shapeboost::naive {
PrimalMaster::PrimalMaster(Vector y, const Vector& caps, bool offset) : y_(std::move(y)) {
  const auto m = static_cast<int>(y_.size());
  rho_ = lp_.add_column(-1.0, -kInfinity, kInfinity);
  if (offset) b_ = lp_.add_column(0.0, -kInfinity, kInfinity);
  total_ = lp_.add_row(1.0, 1.0, {});
  for (int i = 0; i < m; ++i) {  // y_i (sum_j w_j h_j(B_i) + b) - rho + xi_i >= 0
    const int xi = lp_.add_column(caps[i], 0.0, kInfinity);
    std::vector<LpEntry> entries{{rho_, -1.0}, {xi, 1.0}};
    if (offset) entries.push_back({b_, y_[i]});
    lp_.add_row(0.0, kInfinity, entries);
  }
}

void PrimalMaster::add(const Vector& h) {
  std::vector<LpEntry> entries{{total_, 1.0}};
  for (int i = 0; i < static_cast<int>(y_.size()); ++i) entries.push_back({total_ + 1 + i, y_[i] * h[i]});
  w_.push_back(lp_.add_column(0.0, 0.0, kInfinity, entries));
}

PrimalMaster::Solution PrimalMaster::solve() {
  const LpSolution lp = lp_.solve();
  Solution solution;
  solution.status = lp.status;
  if (lp.status != Status::solved) return solution;
  solution.gamma = -lp.objective;
  solution.rho = lp.x[rho_];
  solution.b = b_ < 0 ? 0.0 : lp.x[b_];
  solution.d = lp.row_dual.segment(total_ + 1, y_.size()).cwiseMax(0.0);
  solution.w.resize(static_cast<Eigen::Index>(w_.size()));
  for (std::size_t j = 0; j < w_.size(); ++j) solution.w[static_cast<Eigen::Index>(j)] = lp.x[w_[j]];
  return solution;
}

namespace {

/// One view of the twin: its Gram matrix and, for each sign, its linear program.
struct TwinState {
  Matrix K;        // candidates x N
  Matrix largest;  // candidates x bags: max_{x in B_i} K(z, x)
  std::vector<std::int64_t> first;
  std::vector<bool> negative[2];              // bags, for sign +1, -1
  std::unique_ptr<SparseProgram> program[2];  // likewise
};

std::unique_ptr<TwinState> prepare(const Dataset& data, const TwinView& view, const Vector& y, int signs) {
  auto result = std::make_unique<TwinState>();  // the programs refer to K: it must stay where it is
  TwinState& state = *result;
  const std::vector<Matrix> bags = bags_of(data, view.view);
  state.first = first_of(bags);
  Matrix z(static_cast<Eigen::Index>(view.candidates.size()), view.view.numbers());
  for (std::size_t k = 0; k < view.candidates.size(); ++k) {
    z.row(static_cast<Eigen::Index>(k)) = prepared(view.view, view.candidates[k]).transpose();
  }
  state.K = gram(view.view.kernel, z, stacked(bags));
  state.largest.resize(z.rows(), data.size());
  for (std::int64_t i = 0; i < data.size(); ++i) {
    state.largest.col(i) = state.K.middleCols(state.first[at(i)], bags[at(i)].rows()).rowwise().maxCoeff();
  }
  for (int s = 0; s < signs; ++s) {
    for (const double label : y) state.negative[s].push_back((s == 0 ? label : -label) < 0.0);
  }
  return result;
}

Response respond_by_gram(const TwinState& state, const Vector& alpha) {
  Response response;
  const Vector score = state.K.transpose() * alpha;
  for (std::size_t i = 0; i + 1 < state.first.size(); ++i) {
    Eigen::Index best = 0;
    response.value.push_back(
        score.segment(state.first[i], state.first[i + 1] - state.first[i]).maxCoeff(&best));
    response.argmax.push_back(state.first[i] + best);
  }
  return response;
}

struct Learned {
  TwinHypothesis hypothesis;
  Response response;
  double edge = 0.0;
};

/// Algorithm 2.
Learned weak_learn(TwinState& state, const Vector& dy, int sign, const TwinSettings& settings,
                   int& programs) {
  Learned learned;
  const Vector one_hot_edges = sign * (state.largest * dy);
  Eigen::Index start = 0;
  one_hot_edges.maxCoeff(&start);
  Vector alpha = Vector::Unit(state.K.rows(), start);
  learned.response = respond_by_gram(state, alpha);
  double f_last = kInfinity;
  const int s = sign > 0 ? 0 : 1;
  const auto build = [&] {
    state.program[s] = std::make_unique<SparseProgram>(state.K, state.first, state.negative[s]);
  };
  if (settings.programs == Programs::each_call || state.program[s] == nullptr) build();
  for (int t = 0; t < settings.max_dc_steps; ++t) {
    if (settings.programs == Programs::each_problem) build();
    const Optimum optimum = state.program[s]->solve({state.first, sign * dy, learned.response.argmax});
    ++programs;
    if (optimum.status != Status::solved) throw Error("the twin's linear program failed");
    alpha = optimum.alpha;
    learned.response = respond_by_gram(state, alpha);
    if (f_last - optimum.value <= settings.dc_tolerance) break;
    f_last = optimum.value;
  }
  learned.hypothesis = {0, sign, alpha};
  learned.edge = edge(learned.response, dy, sign);
  return learned;
}

}  // namespace

TwinResult twin_boost(const Dataset& data, const TwinSettings& settings) {
  const std::clock_t begin = std::clock();
  Vector y(data.size());
  for (std::int64_t i = 0; i < data.size(); ++i) y[i] = data.label(i) == 1 ? 1.0 : -1.0;
  const int signs = settings.one_sided ? 1 : 2;
  std::vector<std::unique_ptr<TwinState>> states;
  for (const TwinView& view : settings.views) states.push_back(prepare(data, view, y, signs));

  TwinResult result;
  PrimalMaster::Solution current;
  const double positive = static_cast<double>((y.array() > 0.0).count());
  const double m = static_cast<double>(y.size());
  PrimalMaster master(y, Vector::Constant(y.size(), 1.0 / (settings.nu * m)), settings.offset);
  current.d = y.unaryExpr([&](double label) {
    if (!settings.offset) return 1.0 / m;
    return label > 0.0 ? 0.5 / positive : 0.5 / (m - positive);
  });
  for (int t = 0; t < settings.max_rounds; ++t) {
    const Vector dy = current.d.cwiseProduct(y);
    Learned best;
    best.edge = -kInfinity;
    for (std::size_t v = 0; v < states.size(); ++v) {
      for (int sign = 1; sign >= (signs == 2 ? -1 : 1); sign -= 2) {
        Learned learned = weak_learn(*states[v], dy, sign, settings, result.programs);
        learned.hypothesis.view = static_cast<int>(v);
        if (learned.edge > best.edge) best = std::move(learned);
      }
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    result.rounds.push_back({best.edge, current.gamma, seconds});
    if (best.edge <= current.gamma + settings.edge_tolerance) break;
    Vector h(y.size());
    for (Eigen::Index i = 0; i < h.size(); ++i) h[i] = best.hypothesis.sign * best.response.value[at(i)];
    master.add(h);
    result.hypotheses.push_back(std::move(best.hypothesis));
    current = master.solve();
    if (current.status != Status::solved) throw Error("the twin's master failed");
  }
  result.gamma = current.gamma;
  result.rho = current.rho;
  result.b = current.b;
  result.w.assign(current.w.begin(), current.w.end());
  return result;
}

Model twin_model(const Dataset& data, const TwinSettings& settings, const TwinResult& result) {
  Model model;
  model.kind = data.kind();
  model.classes = data.classes();
  for (const TwinView& view : settings.views) model.views.push_back(view.view);
  model.parts = parts_for(2, model.strategy);
  Part& part = model.parts.front();
  part.b = result.b;
  part.nu = settings.nu;
  part.rho = result.rho;
  part.gamma = result.gamma;
  for (std::size_t j = 0; j < result.hypotheses.size(); ++j) {
    if (result.w[j] <= 0.0) continue;
    const TwinHypothesis& twin = result.hypotheses[j];
    Hypothesis hypothesis{twin.view, twin.sign, {}};
    for (Eigen::Index k = 0; k < twin.alpha.size(); ++k) {
      if (twin.alpha[k] == 0.0) continue;
      hypothesis.shapelet.instances.push_back({settings.views[at(twin.view)].candidates[at(k)], -1, -1});
      hypothesis.shapelet.alpha.push_back(twin.alpha[k]);
    }
    part.weights.push_back({static_cast<int>(model.hypotheses.size()), result.w[j]});
    model.hypotheses.push_back(std::move(hypothesis));
  }
  return model;
}

std::vector<std::vector<double>> representatives(const Dataset& data, const View& view, int k,
                                                 std::uint64_t seed) {
  const std::vector<Matrix> bags = bags_of(data, view);
  std::vector<std::vector<double>> result;
  Rng rng(seed);
  for (int label = 0; label < static_cast<int>(data.classes().size()); ++label) {
    std::vector<Matrix> members;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (data.label(i) == label) members.push_back(bags[at(i)]);
    }
    const Matrix x = stacked(members);
    KMeansSettings settings;
    settings.k = k;
    const KMeansSolution solution = kmeans(
        x.rows(), x.cols(), [&](std::int64_t i, double* out) { std::copy_n(x.row(i).data(), x.cols(), out); },
        settings, rng);
    for (Eigen::Index c = 0; c < solution.centres.rows(); ++c) {
      std::vector<double> centre(at(x.cols()));
      for (Eigen::Index f = 0; f < x.cols(); ++f) {
        const std::size_t g = view.kind == DataKind::series ? at(f / view.length) : at(f);
        centre[at(f)] = solution.centres(c, f) * view.scale[g] + view.centre[g];
      }
      result.push_back(std::move(centre));
    }
  }
  return result;
}

}  // namespace shapeboost::naive

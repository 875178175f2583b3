// SPDX-License-Identifier: MIT
#include "naive.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <span>

#include "shapeboost/kmeans.hpp"

namespace shapeboost::naive {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int64_t> first_of(const std::vector<Matrix>& bags) {
  std::vector<std::int64_t> first{0};
  for (const Matrix& bag : bags) first.push_back(first.back() + bag.rows());
  return first;
}

}  // namespace

// ------------------------------------------------------------------------------------------- instances

namespace {

/// The numbers of a series as the view takes them: its channels, of its differences where asked.
Matrix seen(const MatrixView& series, const View& view) {
  Matrix rows(view.rows(), std::max<Eigen::Index>(0, series.cols() - (view.differences ? 1 : 0)));
  for (Eigen::Index c = 0; c < rows.rows(); ++c) {
    const Eigen::Index channel = view.channel == kAllChannels ? c : view.channel;
    for (Eigen::Index t = 0; t < rows.cols(); ++t) {
      rows(c, t) = view.differences ? series(channel, t + 1) - series(channel, t) : series(channel, t);
    }
  }
  return rows;
}

std::vector<Instance> windows_of(const MatrixView& series, const View& view, std::int64_t example) {
  const Matrix rows = seen(series, view);
  std::vector<Instance> windows;
  for (std::int64_t phase = 0; phase < view.dilation; ++phase) {
    for (std::int64_t t = phase; t + (view.length - 1) * view.dilation < rows.cols(); t += view.dilation) {
      Instance window;
      for (Eigen::Index c = 0; c < rows.rows(); ++c) {
        for (std::int64_t k = 0; k < view.length; ++k)
          window.values.push_back(rows(c, t + k * view.dilation));
      }
      if (std::any_of(window.values.begin(), window.values.end(), [](double v) { return std::isnan(v); })) {
        continue;
      }
      window.example = example;
      window.position = t;
      const std::int64_t moments = (view.length - 1) * view.dilation + 1 + (view.differences ? 1 : 0);
      window.place =
          (static_cast<double>(t) + 0.5 * static_cast<double>(moments)) / static_cast<double>(series.cols());
      windows.push_back(window);
    }
  }
  return windows;
}

void normalise(Normalisation normalisation, std::span<double> x) {
  if (normalisation == Normalisation::raw) return;
  const auto n = static_cast<double>(x.size());
  const bool constant = std::all_of(x.begin(), x.end(), [&](double v) { return v == x[0]; });
  double mean = 0.0;
  for (const double v : x) mean += v / n;
  double variance = 0.0;
  for (const double v : x) variance += (v - mean) * (v - mean) / n;
  for (double& v : x) {
    v = constant ? 0.0 : v - mean;
    if (normalisation == Normalisation::z && !constant) v /= std::sqrt(variance);
  }
}

}  // namespace

std::vector<std::vector<Instance>> instances_of(const Dataset& data, const View& view) {
  std::vector<std::vector<Instance>> result;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const MatrixView example = data.values(i);
    if (view.kind == DataKind::series) {
      result.push_back(windows_of(example, view, i));
      continue;
    }
    std::vector<Instance>& bag = result.emplace_back();
    for (Eigen::Index j = 0; j < example.rows(); ++j) {
      Instance& instance = bag.emplace_back(Instance{{}, i, j});
      for (Eigen::Index f = 0; f < example.cols(); ++f) {
        const bool used = view.features.empty() ||
                          std::find(view.features.begin(), view.features.end(), f) != view.features.end();
        if (used) instance.values.push_back(example(j, f));
      }
    }
  }
  return result;
}

Vector prepared(const View& view, const std::vector<double>& values) {
  Vector x(static_cast<Eigen::Index>(values.size()));
  const std::size_t each = view.kind == DataKind::series ? at(view.length) : 1;  // numbers of a channel
  for (std::size_t k = 0; k < values.size(); ++k) {
    x[static_cast<Eigen::Index>(k)] = (values[k] - view.centre[k / each]) / view.scale[k / each];
  }
  if (view.kind == DataKind::bags) return x;
  for (std::size_t c = 0; c < values.size() / each; ++c) {
    normalise(view.normalisation, {x.data() + c * each, each});
  }
  return x;
}

double similarity(const View& view, const Instance& x, const Instance& z) {
  const double apart = x.place - z.place;
  return kernel_value(view.kernel, prepared(view, x.values), prepared(view, z.values)) *
         std::exp(-view.tau * apart * apart);
}

std::vector<Matrix> bags_of(const Dataset& data, const View& view) {
  std::vector<Matrix> bags;
  for (const std::vector<Instance>& instances : instances_of(data, view)) {
    Matrix& bag = bags.emplace_back(static_cast<Eigen::Index>(instances.size()), view.numbers());
    for (std::size_t j = 0; j < instances.size(); ++j) {
      bag.row(static_cast<Eigen::Index>(j)) = prepared(view, instances[j].values).transpose();
    }
  }
  return bags;
}

Matrix stacked(const std::vector<Matrix>& bags) {
  Matrix all(first_of(bags).back(), bags.front().cols());
  Eigen::Index row = 0;
  for (const Matrix& bag : bags) {
    all.middleRows(row, bag.rows()) = bag;
    row += bag.rows();
  }
  return all;
}

double kernel_value(const Kernel& kernel, const Vector& x, const Vector& z) {
  switch (kernel.kind) {
    case KernelKind::gaussian: return std::exp(-kernel.sigma * (x - z).squaredNorm());
    case KernelKind::linear: return x.dot(z);
    case KernelKind::polynomial: return std::pow(x.dot(z) + kernel.c, kernel.p);
    case KernelKind::laplacian: return std::exp(-kernel.sigma * (x - z).lpNorm<1>());
    case KernelKind::dtw:
    case KernelKind::gak: throw Error("kernels that align moments have their twins in naive_kernels.hpp");
    default: throw Error("kernels of strings and given ones have their twins beside their tests");
  }
}

Matrix gram(const Kernel& kernel, const Matrix& z, const Matrix& x) {
  Matrix G(z.rows(), x.rows());
  for (Eigen::Index a = 0; a < z.rows(); ++a) {
    const Vector za = z.row(a).transpose();
    for (Eigen::Index b = 0; b < x.rows(); ++b) G(a, b) = kernel_value(kernel, x.row(b).transpose(), za);
  }
  return G;
}

double median_squared_distance(const Matrix& x) {
  std::vector<double> distances;
  for (Eigen::Index a = 0; a < x.rows(); ++a) {
    for (Eigen::Index b = a + 1; b < x.rows(); ++b) distances.push_back((x.row(a) - x.row(b)).squaredNorm());
  }
  std::sort(distances.begin(), distances.end());
  const std::size_t n = distances.size();
  return n % 2 == 1 ? distances[n / 2] : 0.5 * (distances[n / 2 - 1] + distances[n / 2]);
}

Response respond(const Kernel& kernel, const std::vector<Matrix>& bags, const Matrix& z,
                 const Vector& alpha) {
  Response response;
  std::int64_t number = 0;
  for (const Matrix& bag : bags) {
    double best = bag.rows() == 0 ? 0.0 : -kInfinity;
    std::int64_t argmax = -1;
    for (Eigen::Index j = 0; j < bag.rows(); ++j, ++number) {
      double score = 0.0;
      for (Eigen::Index k = 0; k < z.rows(); ++k) {
        score += alpha[k] * kernel_value(kernel, bag.row(j).transpose(), z.row(k).transpose());
      }
      if (score > best) {
        best = score;
        argmax = number;
      }
    }
    response.value.push_back(best);
    response.argmax.push_back(argmax);
  }
  return response;
}

double edge(const Response& response, const Vector& dy, int sign) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < dy.size(); ++i) sum += dy[i] * sign * response.value[at(i)];
  return sum;
}

// ------------------------------------------------------------------------------------ weak learning

// Columns: plus_0, minus_0, plus_1, minus_1, ..., then lambda_i for every bag (fixed at 0 where positive).
SparseProgram::SparseProgram(const Matrix& K, const std::vector<std::int64_t>& first,
                             const std::vector<bool>& negative)
    : K_(K), negative_(negative) {
  const auto z = static_cast<int>(K.rows());
  for (int k = 0; k < 2 * z; ++k) lp_.add_column(0.0, 0.0, kInfinity);
  for (const bool is_negative : negative) {
    lp_.add_column(0.0, is_negative ? -kInfinity : 0.0, is_negative ? kInfinity : 0.0);
  }
  std::vector<LpEntry> entries;
  for (int k = 0; k < 2 * z; ++k) entries.push_back({k, 1.0});
  lp_.add_row(-kInfinity, 1.0, entries);  // ||alpha||_1 <= 1
  for (std::size_t r = 0; r < negative.size(); ++r) {
    if (!negative[r]) continue;
    for (std::int64_t x = first[r]; x < first[r + 1]; ++x) {  // sum_z alpha_z K(z, x) <= lambda_r
      entries.clear();
      for (int k = 0; k < z; ++k) {
        entries.push_back({2 * k, K(k, x)});
        entries.push_back({2 * k + 1, -K(k, x)});
      }
      entries.push_back({2 * z + static_cast<int>(r), -1.0});
      lp_.add_row(-kInfinity, 0.0, entries);
    }
  }
}

Optimum SparseProgram::solve(const SubProblem& problem) {
  const Eigen::Index z = K_.rows();
  Vector c = Vector::Zero(z);
  for (Eigen::Index i = 0; i < problem.weight.size(); ++i) {
    if (problem.weight[i] > 0.0) c += problem.weight[i] * K_.col(problem.maximisers[at(i)]);
    if (negative_[at(i)]) lp_.set_cost(static_cast<int>(2 * z + i), std::max(0.0, -problem.weight[i]));
  }
  for (Eigen::Index k = 0; k < z; ++k) {
    lp_.set_cost(static_cast<int>(2 * k), -c[k]);
    lp_.set_cost(static_cast<int>(2 * k + 1), c[k]);
  }
  const LpSolution solution = lp_.solve();
  Optimum optimum{solution.status, solution.objective, solution.gap, Vector::Zero(z)};
  if (solution.status != Status::solved) return optimum;
  for (Eigen::Index k = 0; k < z; ++k) optimum.alpha[k] = solution.x[2 * k] - solution.x[2 * k + 1];
  return optimum;
}

Optimum sparse_optimum(const Matrix& K, const SubProblem& problem) {
  std::vector<bool> negative;
  for (const double weight : problem.weight) negative.push_back(weight < 0.0);
  return SparseProgram(K, problem.first, negative).solve(problem);
}

/// min 1/2 p'Qp - g'p  s.t.  A p = a, p >= 0 by Mehrotra's predictor-corrector: Newton's method on
///     Qp - g - A'y - s = 0,   A p = a,   p_i s_i = mu  with mu going to 0.
static Vector quadratic_program(const Matrix& Q, const Vector& g, const Matrix& A, const Vector& a) {
  const Eigen::Index n = Q.rows();
  const Eigen::Index k = A.rows();
  Vector p = Vector::Constant(n, a.sum() / static_cast<double>(n));
  Vector y = Vector::Zero(k);
  Vector s = Vector::Constant(n, std::max(1.0, (Q * p - g).cwiseAbs().maxCoeff()));
  const auto longest_step = [&](const Vector& x, const Vector& dx) {
    double step = 1.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (dx[i] < 0.0) step = std::min(step, -x[i] / dx[i]);
    }
    return step;
  };
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Vector dual = Q * p - g - A.transpose() * y - s;
    const Vector primal = A * p - a;
    const double mu = p.dot(s) / static_cast<double>(n);
    if (mu * static_cast<double>(n) < 1e-15 && dual.cwiseAbs().maxCoeff() < 1e-12 &&
        primal.cwiseAbs().maxCoeff() < 1e-12) {
      break;
    }
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + k, n + k);
    system.topLeftCorner(n, n) = Q;
    system.topLeftCorner(n, n).diagonal() += s.cwiseQuotient(p);
    system.topRightCorner(n, k) = -A.transpose();
    system.bottomLeftCorner(k, n) = -A;
    const Eigen::PartialPivLU<Eigen::MatrixXd> factors(system);
    const auto direction = [&](const Vector& complementarity, Vector& dp, Vector& dy, Vector& ds) {
      Vector right(n + k);
      right << -dual - complementarity.cwiseQuotient(p), primal;
      const Vector step = factors.solve(right);
      dp = step.head(n);
      dy = step.tail(k);
      ds = -(complementarity + s.cwiseProduct(dp)).cwiseQuotient(p);
    };
    Vector dp, dy, ds;
    direction(p.cwiseProduct(s), dp, dy, ds);
    const double affine = std::min(longest_step(p, dp), longest_step(s, ds));
    const double reached = (p + affine * dp).dot(s + affine * ds) / static_cast<double>(n);
    const double target = mu * std::pow(reached / mu, 3.0);
    direction((p.cwiseProduct(s) + dp.cwiseProduct(ds)).array() - target, dp, dy, ds);
    const double step = 0.995 * std::min(longest_step(p, dp), longest_step(s, ds));
    p += step * dp;
    y += step * dy;
    s += step * ds;
  }
  return p.cwiseMax(0.0);
}

Optimum ball_optimum(const Matrix& G, const SubProblem& problem) {
  Vector u = Vector::Zero(G.rows());  // c - q, by its coefficients
  std::vector<Eigen::Index> points;   // instances of the negative bags
  std::vector<std::size_t> bag_of;
  std::vector<std::size_t> negative;
  for (Eigen::Index i = 0; i < problem.weight.size(); ++i) {
    if (problem.weight[i] > 0.0) u[problem.maximisers[at(i)]] += problem.weight[i];
    if (!(problem.weight[i] < 0.0)) continue;
    for (std::int64_t x = problem.first[at(i)]; x < problem.first[at(i) + 1]; ++x) {
      points.push_back(x);
      bag_of.push_back(negative.size());
    }
    negative.push_back(at(i));
  }
  const Vector c = u;
  if (!points.empty()) {
    const Matrix A = Matrix::NullaryExpr(
        static_cast<Eigen::Index>(negative.size()), static_cast<Eigen::Index>(points.size()),
        [&](Eigen::Index r, Eigen::Index j) { return bag_of[at(j)] == at(r) ? 1.0 : 0.0; });
    Vector mass(A.rows());
    for (Eigen::Index r = 0; r < mass.size(); ++r) {
      mass[r] = -problem.weight[static_cast<Eigen::Index>(negative[at(r)])];
    }
    const Vector p = quadratic_program(G(points, points), (G * c)(points), A, mass);
    for (std::size_t j = 0; j < points.size(); ++j) u[points[j]] -= p[static_cast<Eigen::Index>(j)];
  }
  // Any p bounds the optimum from below by -||c - q||, any u in the ball from above by f(u).
  const double distance = std::sqrt(std::max(0.0, u.dot(G * u)));
  Optimum optimum{Status::solved, 0.0, distance, Vector::Zero(u.size())};
  if (distance == 0.0) return optimum;
  u /= distance;
  const Vector score = G * u;
  double value = -c.dot(score);
  for (const std::size_t r : negative) {
    double largest = -kInfinity;
    for (std::int64_t x = problem.first[r]; x < problem.first[r + 1]; ++x)
      largest = std::max(largest, score[x]);
    value -= problem.weight[static_cast<Eigen::Index>(r)] * largest;
  }
  if (value < 0.0) optimum = {Status::solved, value, value + distance, u};
  return optimum;
}

// -------------------------------------------------------------------------------------------- boosting

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

// SPDX-License-Identifier: MIT
#include "support/naive.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "model/respond.hpp"

namespace shapeboost::naive {
namespace {

/// The sum over time steps as it is written, gaps filled by straight lines.
double amplitude(std::vector<double> x, std::int64_t k, std::int64_t period) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n - std::ranges::count_if(x, [](double v) { return std::isnan(v); }) < 4) return NAN;
  for (std::int64_t t = 0; t < n; ++t) {
    if (!std::isnan(x[at(t)])) continue;
    std::int64_t before = t;
    std::int64_t after = t;
    while (before >= 0 && std::isnan(x[at(before)])) --before;
    while (after < n && std::isnan(x[at(after)])) ++after;
    const double share = before < 0 ? 1.0 : after == n ? 0.0 : real(t - before) / real(after - before);
    const double low = before < 0 ? 0.0 : x[at(before)];
    const double high = after == n ? 0.0 : x[at(after)];
    x[at(t)] = (1.0 - share) * low + share * high;
  }
  double mean = 0.0;
  for (const double v : x) mean += v / real(n);
  double variance = 0.0;
  for (const double v : x) variance += (v - mean) * (v - mean) / real(n);
  if (variance <= 1e-20) return 0.0;
  std::complex<double> sum = 0.0;
  for (std::int64_t t = 0; t < n; ++t) {
    const double angle = -2.0 * M_PI * real(k) * real(t) / real(period);
    sum += (x[at(t)] - mean) / std::sqrt(variance) * std::polar(1.0, angle);
  }
  return std::log(1.0 + std::sqrt(real(period) / real(n)) * std::abs(sum));
}

/// The numbers of a series as the view takes them: its channels, transformed where asked.
Matrix seen(const MatrixView& series, const View& view) {
  if (view.transform == Transform::spectrum) {
    Matrix rows(view.rows(), view.period / 2);
    for (Eigen::Index c = 0; c < rows.rows(); ++c) {
      const auto row = series.row(view.channel(c));
      for (Eigen::Index k = 0; k < rows.cols(); ++k) {
        rows(c, k) = amplitude({row.begin(), row.end()}, k + 1, view.period);
      }
    }
    return rows;
  }
  const bool differences = view.transform == Transform::differences;
  Matrix rows(view.rows(), std::max<Eigen::Index>(0, series.cols() - (differences ? 1 : 0)));
  for (Eigen::Index c = 0; c < rows.rows(); ++c) {
    const Eigen::Index channel = view.channel(c);
    for (Eigen::Index t = 0; t < rows.cols(); ++t) {
      rows(c, t) = differences ? series(channel, t + 1) - series(channel, t) : series(channel, t);
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
      const bool differences = view.transform == Transform::differences;
      const std::int64_t steps = (view.length - 1) * view.dilation + 1 + (differences ? 1 : 0);
      const std::int64_t all = view.transform == Transform::spectrum ? rows.cols() : series.cols();
      window.place = (real(t) + 0.5 * real(steps)) / real(all);
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
    const MatrixView example = mapped(data.values(i));
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

std::vector<std::int64_t> first_of(const std::vector<Matrix>& bags) {
  std::vector<std::int64_t> first{0};
  for (const Matrix& bag : bags) first.push_back(first.back() + bag.rows());
  return first;
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

double nearest_distance(const Vector& x, const Matrix& bag) {
  double least = kInfinity;
  for (Eigen::Index z = 0; z < bag.rows(); ++z) {
    double square = 0.0;
    for (Eigen::Index f = 0; f < bag.cols(); ++f) square += (x[f] - bag(z, f)) * (x[f] - bag(z, f));
    least = std::min(least, std::sqrt(square));
  }
  return least;
}

double bag_distance(const Matrix& a, const Matrix& b) {
  double there = 0.0;
  double back = 0.0;
  for (Eigen::Index x = 0; x < a.rows(); ++x) there += nearest_distance(a.row(x), b);
  for (Eigen::Index z = 0; z < b.rows(); ++z) back += nearest_distance(b.row(z), a);
  return 0.5 * there / static_cast<double>(a.rows()) + 0.5 * back / static_cast<double>(b.rows());
}

double kernel_value(const Kernel& kernel, const Vector& x, const Vector& z) {
  switch (kernel.kind()) {
    case KernelKind::gaussian: return std::exp(-kernel.sigma() * (x - z).squaredNorm());
    case KernelKind::linear: return x.dot(z);
    case KernelKind::polynomial: {
      const auto& [c, p] = *kernel.as<kernels::Polynomial>();
      return std::pow(x.dot(z) + c, p);
    }
    case KernelKind::laplacian: return std::exp(-kernel.sigma() * (x - z).lpNorm<1>());
    case KernelKind::dtw:
    case KernelKind::gak: throw Error("kernels that align time steps have their twins in naive_kernels.hpp");
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

}  // namespace shapeboost::naive

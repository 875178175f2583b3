// SPDX-License-Identifier: MIT
#include "support/naive_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "ground/matrix.hpp"

namespace shapeboost::naive {
namespace {

using Real = long double;
constexpr double kInf = std::numeric_limits<double>::infinity();

/// The window that begins at `start`, or nothing where a number is missing.
std::optional<Copied> window_at(const MatrixView& series, const View& view, std::int64_t start) {
  Copied window;
  window.values.resize(view.rows(), view.length);
  for (std::int64_t c = 0; c < view.rows(); ++c) {
    const std::int64_t channel = view.channel(c);
    for (std::int64_t k = 0; k < view.length; ++k) {
      const std::int64_t t = start + k * view.dilation;
      const bool differences = view.transform == Transform::differences;
      const double x = differences ? series(channel, t + 1) - series(channel, t) : series(channel, t);
      if (std::isnan(x)) return std::nullopt;
      window.values(c, k) =
          (x - view.centre[static_cast<std::size_t>(c)]) / view.scale[static_cast<std::size_t>(c)];
    }
    auto row = window.values.row(c);
    if (view.normalisation != Normalisation::raw) row.array() -= row.mean();
    if (view.normalisation == Normalisation::z) {
      const double sd = std::sqrt(row.squaredNorm() / static_cast<double>(view.length));
      if (sd > 0.0) row /= sd;
    }
  }
  window.place = (static_cast<double>(start) + 0.5 * static_cast<double>(view.span())) /
                 static_cast<double>(series.cols());
  return window;
}

double squared(const Matrix& x, Eigen::Index i, const Matrix& z, Eigen::Index j) {
  return (x.col(i) - z.col(j)).squaredNorm();
}

}  // namespace

std::vector<std::vector<Copied>> copied_bags(const Dataset& data, const View& view) {
  std::vector<std::vector<Copied>> bags(static_cast<std::size_t>(data.size()));
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const MatrixView values = mapped(data.values(i));
    auto& bag = bags[static_cast<std::size_t>(i)];
    if (view.kind == DataKind::bags) {
      for (Eigen::Index j = 0; j < values.rows(); ++j) {
        bag.push_back({values.row(j), 0.0});
        for (Eigen::Index f = 0; f < values.cols(); ++f) {
          double& x = bag.back().values(0, f);
          x = (x - view.centre[static_cast<std::size_t>(f)]) / view.scale[static_cast<std::size_t>(f)];
        }
      }
      continue;
    }
    for (std::int64_t phase = 0; phase < view.dilation; ++phase) {
      for (std::int64_t start = phase; start + view.span() <= values.cols(); start += view.dilation) {
        if (const auto window = window_at(values, view, start)) bag.push_back(*window);
      }
    }
  }
  return bags;
}

double absolute_distance(const Matrix& x, const Matrix& z) { return (x - z).cwiseAbs().sum(); }

double warped_distance(const Matrix& x, const Matrix& z, std::int64_t reach) {
  const Eigen::Index n = x.cols();
  Matrix table = Matrix::Constant(n + 1, n + 1, kInf);
  table(0, 0) = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      if (std::abs(i - j) > reach) continue;
      table(i + 1, j + 1) = squared(x, i, z, j) + std::min({table(i, j), table(i + 1, j), table(i, j + 1)});
    }
  }
  return table(n, n);
}

double log_alignments(const Matrix& x, const Matrix& z, double sigma, double band) {
  const auto n = static_cast<std::size_t>(x.cols());
  const auto width = static_cast<Real>(std::llround(band * static_cast<double>(n)) + 1);
  std::vector<std::vector<Real>> table(n + 1,
                                       std::vector<Real>(n + 1, -std::numeric_limits<Real>::infinity()));
  table[0][0] = 0.0L;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto apart = static_cast<Real>(i > j ? i - j : j - i);
      const Real omega = band == 1.0 ? 1.0L : 1.0L - apart / width;
      if (omega <= 0.0L) continue;
      const Real exponent = -static_cast<Real>(sigma) *
                            squared(x, static_cast<Eigen::Index>(i), z, static_cast<Eigen::Index>(j));
      const Real top = std::max({table[i][j], table[i + 1][j], table[i][j + 1]});
      const Real sum =
          std::exp(table[i][j] - top) + std::exp(table[i + 1][j] - top) + std::exp(table[i][j + 1] - top);
      table[i + 1][j + 1] =
          std::log(omega) + exponent - std::log(2.0L - omega * std::exp(exponent)) + top + std::log(sum);
    }
  }
  return static_cast<double>(table[n][n]);
}

double affinity(const View& view, const Copied& x, const Copied& z) {
  const Kernel& kernel = view.kernel;
  const double position = view.tau * (x.place - z.place) * (x.place - z.place);
  switch (kernel.kind()) {
    case KernelKind::laplacian: return -absolute_distance(x.values, z.values) - position / kernel.sigma();
    case KernelKind::dtw:
      return -warped_distance(x.values, z.values, kernel.reach(view.length)) - position / kernel.sigma();
    case KernelKind::gak: {
      const double own = log_alignments(x.values, x.values, kernel.sigma(), kernel.band()) +
                         log_alignments(z.values, z.values, kernel.sigma(), kernel.band());
      return log_alignments(x.values, z.values, kernel.sigma(), kernel.band()) - 0.5 * own - position;
    }
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace shapeboost::naive

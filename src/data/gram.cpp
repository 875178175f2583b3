// SPDX-License-Identifier: MIT
#include "data/gram.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "data/reader.hpp"
#include "ground/matrix.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

constexpr double kSymmetry = 1e-9;       // of the larger entry: more is not rounding
constexpr double kRounding = 1e-8;       // of the trace: an eigenvalue as far below 0 is rounding
constexpr Eigen::Index kLargest = 2000;  // rows whose eigenvalues are still worth waiting for

std::string entry(std::int64_t i, std::int64_t j, double value) {
  return concat(detail::number(value), " in row ", i + 1, ", column ", j + 1);
}

}  // namespace

std::string gram_fault(const ArrayView& matrix) {
  if (matrix.rows() != matrix.cols() || matrix.rows() == 0) {
    return concat("expected a square matrix, found ", matrix.rows(), " rows and ", matrix.cols(), " columns");
  }
  for (std::int64_t i = 0; i < matrix.rows(); ++i) {
    for (std::int64_t j = 0; j < matrix.cols(); ++j) {
      const double a = matrix(i, j);
      const double b = matrix(j, i);
      if (!std::isfinite(a)) return "expected finite numbers, found " + entry(i, j, a);
      if (j < i && std::abs(a - b) > kSymmetry * std::max(std::abs(a), std::abs(b))) {
        return "expected a symmetric matrix, found " + entry(j, i, b) + " but " + entry(i, j, a);
      }
    }
  }
  return "";
}

Array<double> symmetric_gram(Array<double> matrix, const std::string& source) {
  if (const std::string fault = gram_fault(matrix); !fault.empty()) detail::fail({source}, fault);
  for (std::int64_t i = 0; i < matrix.rows(); ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      const double a = matrix(i, j);
      const double b = matrix(j, i);
      matrix(i, j) = matrix(j, i) = a == b ? a : 0.5 * a + 0.5 * b;
    }
  }
  return matrix;
}

Array<double> parse_gram(std::string_view text, const std::string& source) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<double> values;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  detail::LineReader lines(text);
  for (detail::Line line; lines.next(line);) {
    std::int64_t column = 0;
    detail::FieldReader fields(line.text, detail::find_separator(line.text));
    for (std::string_view field; fields.next(field);) {
      values.push_back(detail::read_number({source, line.number, ++column}, field));
    }
    if (rows++ == 0) columns = column;
    if (column != columns || rows > columns) {
      const std::string found =
          column != columns ? std::to_string(column) + " numbers" : "row " + std::to_string(rows);
      detail::fail({source, line.number}, "expected a square matrix of ", columns,
                   " rows and columns as in the first line, found ", found);
    }
  }
  if (rows == 0) detail::fail({source}, "the file is empty; expected a square matrix");
  if (rows < columns) {
    detail::fail({source}, "expected a square matrix of ", columns, " rows, found only ", rows);
  }
  Array<double> gram(rows, columns);
  std::copy(values.begin(), values.end(), gram.data());
  return symmetric_gram(std::move(gram), source);
}

Array<double> read_gram(const std::string& path) { return parse_gram(detail::load_text(path), path); }

bool is_positive_semidefinite(const ArrayView& given) {
  const MatrixView symmetric = mapped(given);
  const double slack = kRounding * symmetric.trace();
  if (symmetric.size() == 0) return true;
  if (slack < 0.0) return false;
  if (symmetric.rows() <= kLargest) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric, Eigen::EigenvaluesOnly);
    return solver.info() == Eigen::Success && solver.eigenvalues().minCoeff() >= -slack;
  }
  Eigen::MatrixXd lifted = symmetric;
  lifted.diagonal().array() += slack;
  return Eigen::LLT<Eigen::MatrixXd>(lifted).info() == Eigen::Success;
}

}  // namespace shapeboost

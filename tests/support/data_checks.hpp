// SPDX-License-Identifier: MIT
// What the tests of readers and writers share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>

#include "ground/matrix.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/files.hpp"

namespace shapeboost::examples {

inline const double kNaN = std::nan("");

/// The sentence a bad text earns, or "" where it is accepted.
inline std::string complaint(std::string_view text, Format format = Format::automatic,
                             const std::string& source = "x.csv") {
  try {
    (void)parse_dataset(text, source, format);
    return {};
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

inline std::string label_of(const Dataset& data, std::int64_t i) {
  return data.label(i) == kUnlabelled ? "" : data.classes()[static_cast<std::size_t>(data.label(i))];
}

inline Matrix row(std::initializer_list<double> values) {
  Matrix result(1, static_cast<Eigen::Index>(values.size()));
  Eigen::Index k = 0;
  for (const double value : values) result(0, k++) = value;
  return result;
}

/// Bit for bit: NaN is equal to NaN, and -0 is not 0.
inline bool same_values(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    const double x = a.data()[k];
    const double y = b.data()[k];
    if (std::isnan(x) != std::isnan(y)) return false;
    if (!std::isnan(x) && (x != y || std::signbit(x) != std::signbit(y))) return false;
  }
  return true;
}

inline void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(a.kind(), b.kind());
  EXPECT_EQ(a.classes(), b.classes());
  for (std::int64_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.label(i), b.label(i)) << i;
    EXPECT_EQ(a.name(i), b.name(i)) << i;
    EXPECT_TRUE(same_values(mapped(a.values(i)), mapped(b.values(i)))) << i << ":\n"
                                                                       << mapped(a.values(i)) << "\n"
                                                                       << mapped(b.values(i));
  }
}

}  // namespace shapeboost::examples

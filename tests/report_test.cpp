// SPDX-License-Identifier: MIT
#include "shapeboost/report.hpp"

#include <gtest/gtest.h>

namespace shapeboost {
namespace {

TEST(Report, Placeholder) { EXPECT_EQ(escape_json_in_page("<"), "\\u003c"); }

}  // namespace
}  // namespace shapeboost

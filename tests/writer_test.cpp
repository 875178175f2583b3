// SPDX-License-Identifier: MIT
#include "shapeboost/writer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "shapeboost/base.hpp"
#include "shapeboost/file.hpp"
#include "shapeboost/reader.hpp"
#include "shapeboost/synthetic.hpp"

namespace shapeboost {
namespace {

class WriterTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void expect_refusal(const std::function<void()>& write, const std::string& reason) const {
    try {
      write();
      ADD_FAILURE() << "accepted, expected: " << reason;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()), "cannot write " + path_ + ": " + reason);
    }
    EXPECT_FALSE(std::filesystem::exists(path_));
  }

  std::string path_ = testing::TempDir() + "/shapeboost_writer_" + std::to_string(::getpid());
};

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(a.kind(), b.kind());
  EXPECT_EQ(a.classes(), b.classes());
  for (std::int64_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.label(i), b.label(i));
    EXPECT_EQ(a.name(i), b.name(i));
    EXPECT_EQ(Matrix(a.values(i)), Matrix(b.values(i)));
  }
}

Dataset one_series(const std::string& label, double value = 1.0) {
  Dataset data(DataKind::series);
  data.add(Matrix::Constant(1, 2, value), label, "1");
  return data;
}

TEST_F(WriterTest, Ucr_ReadsBack_ToTheLastBit) {
  const Dataset made = planted_series().data;
  write_ucr(made, path_);
  expect_same(made, read_dataset(path_));

  Dataset odd(DataKind::series);
  Matrix values(1, 6);
  values << 0.1, -5e-324, std::numeric_limits<double>::max(), 1.0 / 3.0, 1e22, -123456789.0;
  odd.add(values, "left arm", "1");
  odd.add(-values, "", "2");
  write_ucr(odd, path_);
  expect_same(odd, read_dataset(path_));
}

TEST_F(WriterTest, Ucr_IsShort_WhenNumbersAre) {
  write_ucr(one_series("1", 0.1), path_);
  EXPECT_EQ(read_file(path_), "1\t0.1\t0.1\n");
}

TEST_F(WriterTest, Mil_ReadsBack_ToTheLastBit) {
  const Dataset made = planted_bags({.examples = 10, .length = 5}).data;
  write_mil(made, path_);
  EXPECT_EQ(read_file(path_).substr(0, 15), "bag,label,f1,f2");
  expect_same(made, read_dataset(path_));

  Dataset words(DataKind::bags);
  words.add(Matrix::Constant(2, 1, 0.5), "", "bag 7");
  words.add(Matrix::Constant(1, 1, 1.5), "1", "x");
  write_mil(words, path_);
  expect_same(words, read_dataset(path_));
}

TEST_F(WriterTest, Ucr_Refuses_WhatItCannotHold) {
  Dataset data(DataKind::series);
  expect_refusal([&] { write_ucr(data, path_); }, "there are no examples");
  data.add(Matrix::Zero(1, 3), "1", "first");
  data.add(Matrix::Zero(1, 2), "1", "second");
  expect_refusal([&] { write_ucr(data, path_); },
                 "series 'second' has 2 values, the first has 3; the ucr format is for equal lengths");
  Dataset wide(DataKind::series);
  wide.add(Matrix::Zero(2, 3), "1", "1");
  expect_refusal([&] { write_ucr(wide, path_); }, "the ucr format is for one channel, the data have 2");
  expect_refusal([&] { write_ucr(one_series("1", std::nan("")), path_); },
                 "series '1' has a value that is missing or not finite, column 1");
  expect_refusal([&] { write_ucr(Dataset(DataKind::bags), path_); },
                 "the ucr format is for series, the data are bags");
}

TEST_F(WriterTest, Ucr_Refuses_LabelsThatWouldNotReadBack) {
  for (const std::string label : {"a\tb", "a\nb", "\"a\"", "?", "@data", "#1"}) {
    EXPECT_THROW(write_ucr(one_series(label), path_), InvalidInput) << label;
  }
}

TEST_F(WriterTest, Mil_Refuses_WhatItCannotHold) {
  Dataset data(DataKind::bags);
  expect_refusal([&] { write_mil(data, path_); }, "there are no examples");
  data.add(Matrix::Zero(1, 2), "1", "a");
  data.add(Matrix::Zero(1, 2), "1", "a");
  expect_refusal([&] { write_mil(data, path_); }, "two bags are called 'a'");
  expect_refusal([&] { write_mil(one_series("1"), path_); },
                 "the mil format is for bags, the data are series");
  Dataset comma(DataKind::bags);
  comma.add(Matrix::Zero(1, 2), "1", "a,b");
  expect_refusal([&] { write_mil(comma, path_); },
                 "the bag name 'a,b' is empty or cannot be told from the format's own signs");
}

}  // namespace
}  // namespace shapeboost

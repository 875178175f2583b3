// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "ground/file.hpp"
#include "shapeboost/files.hpp"
#include "support/examples.hpp"

namespace shapeboost {
namespace {

class Npy : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/npy_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// numpy.save's text of such an array.
  static std::string array_text(const std::string& descr, const std::string& shape,
                                const std::string& numbers, const std::string& order = "False") {
    std::string header =
        "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }";
    header.resize(118, ' ');
    std::string text("\x93NUMPY\x01\x00", 8);
    text.push_back(static_cast<char>(header.size()));
    text.push_back('\0');
    return text + header + numbers;
  }
  template <typename T>
  static std::string bytes(const std::vector<T>& values) {
    std::string text(values.size() * sizeof(T), '\0');
    std::memcpy(text.data(), values.data(), text.size());
    return text;
  }
  [[nodiscard]] Dataset read_array(const std::string& text) const {
    write_file(folder_ + "/a.npy", text);
    return read_dataset(folder_ + "/a.npy");
  }
  void labels(const std::string& text) const { write_file(folder_ + "/a_y.npy", text); }
  /// What is said, without the folder.
  [[nodiscard]] std::string told(const std::string& text) const {
    std::string said = examples::sentence([&] { (void)read_array(text); });
    for (std::size_t k = said.find(folder_); k != std::string::npos; k = said.find(folder_)) {
      said.erase(k, folder_.size() + 1);
    }
    return said;
  }

  std::string folder_;
};

TEST_F(Npy, ReadsSeriesAndTheirLabels) {
  labels(array_text("<i8", "3,", bytes<std::int64_t>({7, -1, 7})));
  const Dataset data =
      read_array(array_text("<f4", "3, 2", bytes<float>({1.5F, 2.0F, 3.0F, 4.25F, 5.0F, 6.0F})));
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.kind(), DataKind::series);
  EXPECT_EQ(data.classes(), (std::vector<std::string>{"-1", "7"}));
  EXPECT_EQ(data.label(0), 1);
  EXPECT_EQ(data.label(1), 0);
  EXPECT_EQ(data.values(1)(0, 1), 4.25);
  EXPECT_EQ(files_of(folder_ + "/a.npy").size(), 2U);
}

TEST_F(Npy, ReadsChannelsAndDropsWhatFillsUp) {
  const std::vector<double> values{1, 2, NAN, 3, NAN, NAN, 4, NAN, 5, 6, 7, 8};
  const Dataset data = read_array(array_text("<f8", "2, 2, 3", bytes(values)));
  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.label(0), kUnlabelled);
  ASSERT_EQ(data.values(0).rows(), 2);
  ASSERT_EQ(data.values(0).cols(), 2);
  EXPECT_EQ(data.values(0)(0, 1), 2.0);
  EXPECT_EQ(data.values(0)(1, 0), 3.0);
  EXPECT_TRUE(std::isnan(data.values(0)(1, 1)));
  EXPECT_EQ(data.values(1).cols(), 3);
  EXPECT_EQ(data.values(1)(1, 2), 8.0);
  EXPECT_EQ(files_of(folder_ + "/a.npy").size(), 1U);
}

TEST_F(Npy, ReadsLabelsOfAnyKind) {
  const std::string two = array_text("<f4", "2, 1", bytes<float>({1.0F, 2.0F}));
  using Classes = std::vector<std::string>;
  const auto classes_of = [&](const std::string& text) {
    labels(text);
    return read_array(two).classes();
  };
  EXPECT_EQ(classes_of(array_text("|u1", "2,", bytes<std::uint8_t>({9, 10}))), (Classes{"9", "10"}));
  EXPECT_EQ(classes_of(array_text("<f8", "2,", bytes<double>({2.0, 0.5}))), (Classes{"0.5", "2"}));
  EXPECT_EQ(classes_of(array_text("<f4", "2,", bytes<float>({2.0F, NAN}))), (Classes{"2"}));
  EXPECT_EQ(classes_of(array_text("|S2", "2,", std::string("abc\0", 4))), (Classes{"ab", "c"}));
  EXPECT_EQ(classes_of(array_text("<U2", "2,", bytes<std::uint32_t>({0xE9, 'x', 0x4E2D, 0}))),
            (Classes{"\xC3\xA9x", "\xE4\xB8\xAD"}));
}

TEST_F(Npy, SaysWhatIsWrong) {
  const std::string ones = bytes<float>({1, 2, 3, 4});
  EXPECT_EQ(told("1\t2\t3\n"), "a.npy: not an array of NumPy's; expected a file that numpy.save wrote");
  EXPECT_EQ(told(array_text("<i4", "2, 2", ones)),
            "a.npy: expected float32 or float64 (<f4 or <f8), found <i4 (2, 2)");
  EXPECT_EQ(told(array_text(">f4", "2, 2", ones)),
            "a.npy: expected float32 or float64 (<f4 or <f8), found >f4 (2, 2)");
  EXPECT_EQ(told(array_text("<f4", "4,", ones)),
            "a.npy: expected series x values or series x channels x values, found <f4 (4)");
  EXPECT_EQ(told(array_text("<f4", "0, 4", "")),
            "a.npy: expected series x values or series x channels x values, found <f4 (0, 4)");
  EXPECT_EQ(told(array_text("<f4", "2, 2", ones, "True")),
            "a.npy: its numbers are in Fortran's order; save numpy.ascontiguousarray of it");
  EXPECT_EQ(told(array_text("<f4", "3, 2", ones)), "a.npy: cut short behind 2 series of 3");
  EXPECT_EQ(told(array_text("<f4", "1, 2", ones)),
            "a.npy: there is more in the file than the numbers that its header tells of");
  EXPECT_EQ(told(array_text("<f4", "4611686018427387904, 4", ones)),
            "a.npy: its header has a shape of too many entries");
  EXPECT_EQ(told(array_text("<f4", "1, 1099511627776", ones)), "a.npy: cut short behind 0 series of 1");
  EXPECT_EQ(told(array_text("<U4611686018427387904", "2, 2", ones)),
            "a.npy: its entries are '\'<U4611686018427387904\''; expected numbers or text of one kind");
  EXPECT_EQ(told(array_text("<f4", "-1, 4", ones)),
            "a.npy: its header has the size '-1', expected a whole number");
  std::string open = array_text("<f4", "2, 2", ones);
  open[open.find("), }")] = ' ';
  EXPECT_EQ(told(open), "a.npy: its header has no shape");
  EXPECT_EQ(told(array_text("<f4", "2, 2", ones).substr(0, 40)), "a.npy: its header is cut short");
  EXPECT_EQ(told(array_text("<f4", "2, 1", bytes<float>({1.0F, INFINITY}))),
            "a.npy: series 2, value 1: expected a finite number or NaN, found infinity");
  EXPECT_EQ(told(array_text("<f4", "2, 1", bytes<float>({1.0F, NAN}))),
            "a.npy: series 2: every value of the series is missing");
  const std::string fine = array_text("<f4", "2, 2", ones);
  labels(array_text("<i4", "3,", bytes<std::int32_t>({1, 2, 3})));
  EXPECT_EQ(told(fine), "a_y.npy: expected as many labels as there are series, (2), found <i4 (3)");
  labels(array_text("<c8", "2,", std::string(16, '\0')));
  EXPECT_EQ(told(fine),
            "a_y.npy: expected labels that are whole numbers, floating-point numbers or text, found <c8 (2)");
  labels(array_text("<i4", "2,", bytes<std::int32_t>({1})));
  EXPECT_EQ(told(fine), "a_y.npy: cut short behind 1 labels of 2");
  labels(array_text("xi4", "2,", bytes<std::int32_t>({1, 2})));
  EXPECT_EQ(told(fine), "a_y.npy: its entries are ''xi4''; expected numbers or text of one kind");
  labels(array_text("|\n3", "2,", "abcdef"));
  EXPECT_EQ(told(fine), "a_y.npy: its entries are ''|.3''; expected numbers or text of one kind");
  labels(array_text("<U2", "2,", bytes<std::uint32_t>({'a', 'b', 'c', '\n'})));
  EXPECT_EQ(told(fine), "a_y.npy: label 2: expected no control characters, found 'c.'");
  labels(array_text("<U2", "2,", bytes<std::uint32_t>({'a', 'b', 'c', 0x9BU})));
  EXPECT_EQ(told(fine), "a_y.npy: label 2: expected no control characters, found 'c\xC2\x9B'");
  for (const std::uint32_t code : {0xD800U, 0xDFFFU, 0x110000U, 0xFFFFFFFFU}) {
    labels(array_text("<U2", "2,", bytes<std::uint32_t>({'a', 'b', 'c', code})));
    EXPECT_EQ(told(fine), "a_y.npy: label 2: expected characters of Unicode, found another code");
  }
}

TEST_F(Npy, TakesNoMemoryForLabelsOfNoBytes) {
  // As many series as a header may tell of, in a file that is not as long: the labels would be made before that is seen.
  const std::string many = "1099511627776";
  for (const char* descr : {"<U0", "|S0"}) {
    labels(array_text(descr, many + ",", ""));
    EXPECT_EQ(told(array_text("<f4", many + ", 1", bytes<float>({1, 2}))),
              "a_y.npy: expected labels that are whole numbers, floating-point numbers or text, found " +
                  std::string(descr) + " (" + many + ")");
  }
}

}  // namespace
}  // namespace shapeboost

// SPDX-License-Identifier: MIT
#include "ground/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "ground/rng.hpp"

namespace shapeboost::detail {
namespace {

/// As nlohmann's parser has it: the slow twin.
std::optional<Json> naive(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

/// Types count too: 1 is not 1.0, and 2^63 is not its double.
void expect_the_same(const std::string& text) {
  const std::optional<Json> quick = parse_json(text);
  const std::optional<Json> slow = naive(text);
  if (!quick) return;  // the caller asks the other one then
  ASSERT_TRUE(slow) << text;
  ASSERT_EQ(quick->type(), slow->type()) << text;
  ASSERT_EQ(*quick, *slow) << text;
  ASSERT_EQ(compact(*quick), compact(*slow)) << text;
}

TEST(Json, TakesWhatTheGrammarAllows) {
  for (const char* text : {"0",
                           "-0",
                           "-0.0",
                           "1",
                           "-1",
                           "1.5",
                           "1e3",
                           "1E+3",
                           "1e-3",
                           "18446744073709551615",
                           "18446744073709551616",
                           "-9223372036854775808",
                           "-9223372036854775809",
                           "0.1",
                           "2.2250738585072014e-308",
                           "5e-324",
                           "1e-400",
                           "1.7976931348623157e308",
                           "true",
                           "false",
                           "null",
                           "\"\"",
                           "[]",
                           "{}",
                           " [ 1 , 2 ] ",
                           "{\"a\": [{}, []], \"b\": {\"c\": null}}",
                           "{\"a\": 1, \"a\": 2}",
                           R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")",
                           "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
                           "\"\x7f\"",
                           "\t\r\n[1]\n"}) {
    EXPECT_TRUE(parse_json(text)) << text;
    expect_the_same(text);
  }
}

TEST(Json, LeavesTheRest) {
  for (const char* text : {"",
                           " ",
                           "01",
                           "+1",
                           "-",
                           "1.",
                           ".5",
                           "1e",
                           "1e+",
                           "0x1",
                           "nan",
                           "Infinity",
                           "1e999",
                           "tru",
                           "True",
                           "nulls",
                           "[",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[1 2]",
                           "]",
                           "{",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "{\"a\":1,}",
                           "{a: 1}",
                           "{1: 2}",
                           "\"",
                           "\"a",
                           "\"\n\"",
                           "\"\x1f\"",
                           R"("\x")",
                           R"("\u12")",
                           R"("\u12g4")",
                           R"("\ud800")",
                           R"("\ud800\u0041")",
                           R"("\udc00")",
                           "\"\x80\"",
                           "\"\xc0\x80\"",
                           "\"\xc3\"",
                           "\"\xe0\x80\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf0\x80\x80\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "\"\xf5\x80\x80\x80\"",
                           "1 1",
                           "[1] x",
                           "/* a */ 1"}) {
    EXPECT_FALSE(parse_json(text)) << text;
    EXPECT_FALSE(naive(text)) << text;
  }
  EXPECT_FALSE(parse_json(std::string(100000, '[')));
  EXPECT_FALSE(parse_json(std::string_view("[1]\0", 4)));
}

TEST(Json, AgreesWithTheNaiveParser_WhateverIsChanged) {
  const std::string text =
      R"({"format": "shapeboost model", "classes": ["a\u00e9", "\ud83d\ude00", "c"], "values": [0.1,-2.5e-3,1e10,12345678901234567890,-7,0],)"
      R"( "deep": [[[{"b": true, "c": [false, null]}]]], "text": "\"quoted\" \\ \/"})";
  expect_the_same(text);
  static constexpr std::string_view kSigns = "{}[]\",:\\/ eE+-.0123456789abfnrtu\n\xc3\xa9\xed\xf4";
  Rng rng(7);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string changed = text;
    for (std::int64_t k = rng.below(3); k >= 0; --k) {
      const auto at = static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(changed.size())));
      const char sign = kSigns[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(kSigns.size())))];
      switch (rng.below(3)) {
        case 0: changed[at] = sign; break;
        case 1: changed.insert(at, 1, sign); break;
        default: changed.erase(at, 1); break;
      }
    }
    expect_the_same(changed);
    // Nothing that the grammar allows is left to the slow one.
    ASSERT_EQ(parse_json(changed).has_value(), naive(changed).has_value()) << changed;
  }
}

TEST(Json, ReadsNumbersToTheBit) {
  Rng rng(11);
  for (int trial = 0; trial < 20000; ++trial) {
    const double value = std::ldexp(rng.uniform() - 0.5, static_cast<int>(rng.below(2000)) - 1000);
    const std::string text = compact(Json(value));
    const std::optional<Json> read = parse_json(text);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->get<double>(), value) << text;
  }
}

TEST(Json, WithoutBlanks_IsWhatCompactWrites) {
  Rng rng(3);
  Json list = Json::array();
  for (int k = 0; k < 300; ++k) {
    const double x = rng.normal() * std::pow(10.0, static_cast<double>(rng.below(40)) - 20.0);
    list.push_back(
        {{"x", x}, {"rounded", std::round(x)}, {"whole", k - 100}, {"large", std::uint64_t{1} << 63U}});
  }
  const Json value{{"a \" b", "blank \\\" and \n, { [ \\"},
                   {"empty", {{"list", Json::array()}, {"object", Json::object()}, {"text", ""}}},
                   {"others", {true, false, nullptr, -0.0, 1.0, 1e300, 5e-324, NAN, INFINITY}},
                   {"list", list}};
  EXPECT_EQ(without_blanks(pretty(value)), compact(value));
  for (int c = 0; c < 256; ++c) {  // not UTF-8 from 128 on
    const std::string odd = std::string("a") + static_cast<char>(c) + "b";
    EXPECT_EQ(pretty(Json(odd)), compact(Json(odd)) + '\n') << c;
    EXPECT_EQ(pretty(Json{{odd, c}}), "{" + compact(Json(odd)) + ": " + std::to_string(c) + "}\n") << c;
  }
  std::string part;
  append_pretty(part, list, 2);
  EXPECT_EQ(without_blanks(part), compact(list));
  EXPECT_NE(pretty(value).find("\n  \"list\": " + part), std::string::npos);
}

TEST(Json, HashesATextInParts) {
  EXPECT_EQ(fnv1a("abc"), fnv1a("ab", "c"));
  EXPECT_EQ(fnv1a(""), "cbf29ce484222325");
}

}  // namespace
}  // namespace shapeboost::detail

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "examples.hpp"
#include "shapeboost/booster.hpp"
#include "shapeboost/synthetic.hpp"

namespace shapeboost {
namespace {

using examples::sentence;

TEST(BoosterSettings, ValidateNamesTheFirstFault) {
  const auto fault = [](const std::function<void(BoosterSettings&)>& spoil) {
    BoosterSettings settings;
    spoil(settings);
    return validate(settings).substr(0, validate(settings).find(':'));
  };
  EXPECT_EQ(validate({}), "");
  EXPECT_EQ(fault([](auto& s) { s.lengths = {}; }), "lengths");
  EXPECT_EQ(fault([](auto& s) { s.lengths = {0.0}; }), "lengths");
  EXPECT_EQ(fault([](auto& s) { s.lengths = {2.5}; }), "lengths");
  EXPECT_EQ(fault([](auto& s) { s.lengths = {NAN}; }), "lengths");
  EXPECT_EQ(fault([](auto& s) { s.normalisations = {}; }), "normalisation");
  EXPECT_EQ(fault([](auto& s) { s.sigma = -1.0; }), "sigma");
  EXPECT_EQ(fault([](auto& s) { s.sigma = INFINITY; }), "sigma");
  EXPECT_EQ(fault([](auto& s) { s.sigma_scale = NAN; }), "sigma-scale");
  EXPECT_EQ(fault([](auto& s) { s.nu = 0.0; }), "nu");
  EXPECT_EQ(fault([](auto& s) { s.nu = 1.5; }), "nu");
  EXPECT_EQ(fault([](auto& s) { s.gap = -0.1; }), "gap");
  EXPECT_EQ(fault([](auto& s) { s.max_rounds = 0; }), "rounds");
  EXPECT_EQ(fault([](auto& s) { s.degree = 0; }), "degree");
  EXPECT_EQ(fault([](auto& s) { s.degree = 11; }), "degree");
  EXPECT_EQ(fault([](auto& s) { s.c = -1.0; }), "c");
  EXPECT_EQ(fault([](auto& s) { s.threads = -1; }), "threads");
  EXPECT_EQ(fault([](auto& s) { s.stall_rounds = -1; }), "stall");
  EXPECT_EQ(fault([](auto& s) { s.memory = 0; }), "memory");
  BoosterSettings bad;
  bad.nu = 2.0;
  EXPECT_EQ(sentence([&] { (void)train(planted_series().data, bad); }), validate(bad))
      << "train refuses the same";
}

TEST(Weak, ParseIsTheInverseOfToString) {
  for (const Weak weak : {Weak::sparse, Weak::ball}) EXPECT_EQ(parse_weak(to_string(weak)), weak);
  EXPECT_EQ(sentence([] { (void)parse_weak("cone"); }), "weak: expected sparse or ball, found 'cone'");
}

}  // namespace
}  // namespace shapeboost

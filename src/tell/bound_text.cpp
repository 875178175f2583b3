// SPDX-License-Identifier: MIT
// The guarantee in words. Sentences, not symbols, say what holds and what does not.
#include <algorithm>
#include <array>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"
#include "tell/bound.hpp"

namespace shapeboost {
namespace {

/// std::to_chars: the same in every locale.
std::string written(double value, std::chars_format format, int precision) {
  std::array<char, 64> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  if (error != std::errc{}) throw Error("bound: a number does not fit its column");
  return {buffer.data(), end};
}

std::string brief(double value) { return written(value, std::chars_format::general, 4); }

/// Four digits after the point, fewer for what is large: a complexity may be in the thousands.
std::string cell(double value) {
  return value < 1e4 ? written(value, std::chars_format::fixed, 4) : brief(value);
}

void append_row(std::string& text, const std::array<std::string, 6>& cells) {
  for (const std::string& word : cells) {
    text.append(word.size() < 11 ? 11 - word.size() : 1, ' ');
    text += word;
  }
  text += '\n';
}

/// 3,000,000 is a count; 3.2e6 would not be read as one.
std::string grouped(double count) {
  std::string digits = written(std::round(count), std::chars_format::fixed, 0);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

/// 209,715,200 would claim to know; 210,000,000 says "about".
double two_digits(double count) {
  const double unit = std::max(1.0, std::pow(10.0, std::floor(std::log10(count)) - 1.0));
  return std::round(count / unit) * unit;
}

std::string dimension_sentence(const Bound& bound) {
  std::int64_t largest = 0;
  for (const BoundView& view : bound.input.views) {
    if (view.patterns == Patterns::unknown) {
      return "d* is not known: in general the paper bounds it only by 4 (R / mu*)^2, and mu*, a minimum over "
             "all\n"
             "cells of the feature space, cannot be computed. Its form (patterns) says nothing here, and the "
             "covering form stands alone.\n";
    }
    largest = std::max(largest, view.dimension + (view.patterns == Patterns::nearest ? 1 : 0));
  }
  return concat("d* is at most ", largest, "; there are at most exp(", brief(*bound.log_patterns),
                ") patterns of best-matching instances.\n");
}

std::string verdict(const Bound& bound) {
  const BoundAtRho& best = bound.at[bound.best];
  if (!bound.vacuous) {
    return "The smallest total is " + cell(best.total) + ", at rho = " + brief(best.rho) + ": at most " +
           written(100.0 * best.total, std::chars_format::fixed, 1) +
           " % of new bags are classified wrongly.\n";
  }
  std::string text =
      "The smallest total is " + cell(best.total) +
      ", not below 1: the guarantee is vacuous. It promises nothing about this model, good or bad.\n";
  if (bound.bags_needed) {
    text += "With margins and bags like these it would begin to say something at about " +
            grouped(two_digits(*bound.bags_needed)) + " training bags.\n";
  }
  return text;
}

}  // namespace

std::string to_text(const Bound& bound) {
  const BoundInput& input = bound.input;
  std::int64_t instances = 0;
  std::int64_t largest_bag = 0;
  for (const BoundView& view : input.views) {
    instances = std::max(instances, view.instances);
    largest_bag = std::max(largest_bag, view.largest_bag);
  }
  std::string text =
      "With probability at least " + brief(1.0 - input.delta) +
      " over the drawing of the training bags, the share of new bags that are classified wrongly\nis at "
      "most the total of every line, of all lines at once:\n\n";
  append_row(text, {"rho", "loss", "patterns", "covering", "confidence", "total"});
  for (const BoundAtRho& row : bound.at) {
    append_row(text, {brief(row.rho), cell(row.loss), row.patterns ? cell(*row.patterns) : "-",
                      cell(row.covering), cell(row.confidence), cell(row.total)});
  }
  text +=
      concat("\nloss: the share E_rho of the ", input.margins.size(),
             " training bags with y g(B) < rho. patterns, covering: what choosing among all shapelets "
             "may\ncost, by the "
             "paper's Theorem 2 and by a bound of the kind the paper cites from Sabato and Tishby (constants "
             "and proof of "
             "both:\ndocs/bound.md); the smaller one counts. confidence: what chance may add.\n");
  text +=
      concat("R = ", brief(bound.radius), "; |P_S| = ", grouped(real(instances)), " in ",
             (input.views.size() == 1 ? "one view"
                                      : "the largest of " + std::to_string(input.views.size()) + " views"),
             ", at most ", largest_bag, " a bag; sum of w ||u|| at most ", brief(input.norm));
  if (input.offset) text += "; b = " + brief(*input.offset);
  text += ".\n" + dimension_sentence(bound) + verdict(bound);
  text +=
      "It supposes bags drawn independently, and views, kernels and scales fixed before the training data "
      "were "
      "seen; what was\nfitted to them (sigma, centre, scale) or chosen by cross-validation is not covered.\n";
  return text;
}

}  // namespace shapeboost

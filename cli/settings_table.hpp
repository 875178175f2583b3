// SPDX-License-Identifier: MIT
// One row for each setting of the trainer.
#pragma once

#include <charconv>
#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost::cli {

/// One option. A switch has no value: it is one way to set a field, and `show` is "yes" where the field is
/// so.
struct Row {
  const char* group;
  const char* name;
  const char* value;  ///< what follows, in capitals; nullptr for a switch
  const char* help;   ///< meaning, unit and range
  std::function<void(TrainSettings&, const std::string&)> set;
  std::function<std::string(const TrainSettings&)> show;
  bool makes_model = true;
  bool for_series = true;
  bool for_bags = true;
  bool for_sequences = true;
  bool (*for_kernel)(const Kernel&) = nullptr;  ///< none: of use with every kernel
  bool (*for_method)(Method) = nullptr;         ///< none: of use to every method
};

inline constexpr const char* kRunning = "Running";

/// All of them, in the order of the help text.
[[nodiscard]] const std::vector<Row>& settings_table();

[[noreturn]] void fail_value(const std::string& name, const std::string& expected, const std::string& found);

template <typename Number>
Number parse_value(const std::string& name, const std::string& text) {
  Number value{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) fail_value(name, "a smaller number", text);
  if (error != std::errc{} || stop != end) {
    fail_value(name, std::is_integral_v<Number> ? "a whole number" : "a number", text);
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) fail_value(name, "a finite number", text);
  }
  return value;
}

}  // namespace shapeboost::cli

// SPDX-License-Identifier: MIT
// The trainer's settings by name: one row for each, from which come the options of the command line with
// their help, the parameters of other languages, and the settings that a model remembers.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost {

/// One setting. A switch has no value: it sets a field to true, or to false, and `show` is "yes" where the field
/// is as the switch sets it.
struct Setting {
  const char* group;
  const char* name;   ///< as on the command line, without the dashes
  const char* value;  ///< what follows there, in capitals; nullptr for a switch
  const char* help;   ///< meaning, unit and range; other settings are named with their dashes
  /// Throws InvalidInput, a sentence that begins with the name.
  std::function<void(TrainSettings&, const std::string&)> set;
  std::function<std::string(const TrainSettings&)> show;
  bool makes_model = true;
  bool for_series = true;
  bool for_bags = true;
  bool for_sequences = true;
  bool (*for_kernel)(KernelKind) = nullptr;  ///< none: of use with every kernel
  bool (*for_method)(Method) = nullptr;      ///< none: of use to every method

  [[nodiscard]] bool is_for(DataKind kind) const {
    return kind == DataKind::series ? for_series : kind == DataKind::bags ? for_bags : for_sequences;
  }
};

/// The group of settings that change how the program runs and not what it learns.
inline constexpr const char* kRunning = "Running";

/// All of them, in the order of the help text.
[[nodiscard]] const std::vector<Setting>& settings_table();

/// nullptr where there is none of this name.
[[nodiscard]] const Setting* find_setting(std::string_view name);

/// The switch that undoes this one; nullptr where there is none.
[[nodiscard]] const Setting* opposite(const Setting& setting);

/// The settings that make the model, spelled as options: defaults too, except those of other kernels and
/// methods. Threads and memory are not among them, since the model does not depend on them.
[[nodiscard]] std::string settings_text(const TrainSettings& settings);

/// A sentence about "nu" as one about the option "--nu".
[[nodiscard]] std::string in_option_words(const std::string& sentence);

/// Bytes: a number and K, M, G or T (times 1024 each), as in 256M. Throws InvalidInput.
[[nodiscard]] std::int64_t parse_bytes(const std::string& text);

/// A quarter of the memory this process may use.
[[nodiscard]] std::int64_t default_memory();

[[noreturn]] void fail_value(const std::string& name, const std::string& expected, const std::string& found);

template <typename Number>
Number parse_value(const std::string& name, const std::string& text) {
  Number value{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) fail_value(name, "a smaller number", text);
  if (error != std::errc{} || stop != end) {
    fail_value(name,
               std::is_unsigned_v<Number>   ? "a whole number of at least 0"
               : std::is_integral_v<Number> ? "a whole number"
                                            : "a number",
               text);
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) fail_value(name, "a finite number", text);
  }
  return value;
}

}  // namespace shapeboost

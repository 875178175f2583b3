// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "train/settings.hpp"

namespace shapeboost {

void fail_value(const std::string& name, const std::string& expected, const std::string& found) {
  throw InvalidInput(name + ": expected " + expected + ", found '" + found + "'");
}

const Setting* find_setting(std::string_view name) {
  const auto& table = settings_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Setting& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

const Setting* opposite(const Setting& setting) {
  if (setting.value != nullptr) return nullptr;
  for (const Setting& other : settings_table()) {
    if (other.value != nullptr) continue;
    TrainSettings settings;
    setting.set(settings, "");
    other.set(settings, "");
    if (setting.show(settings).empty()) return &other;
  }
  return nullptr;
}

std::string settings_text(const TrainSettings& settings) {
  const TrainSettings defaults;
  std::string text;
  for (const Setting& row : settings_table()) {
    const std::string shown = row.show(settings);
    if (!row.makes_model || shown.empty()) continue;
    const bool idle = (row.for_kernel != nullptr && !row.for_kernel(settings.kernel.kind)) ||
                      (row.for_method != nullptr && !row.for_method(settings.method));
    if (idle && shown == row.show(defaults)) continue;
    text += (text.empty() ? "--" : " --") + std::string(row.name);
    if (row.value != nullptr) text += ' ' + shown;
  }
  return text;
}

std::string in_option_words(const std::string& sentence) {
  for (const Setting& row : settings_table()) {
    if (sentence.starts_with(std::string(row.name) + ": ")) return "--" + sentence;
  }
  return sentence;
}

std::int64_t parse_bytes(const std::string& text) {
  const char* const end = text.data() + text.size();
  double number = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  std::string unit(stop, end);
  for (char& c : unit) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  if (unit.ends_with("B")) unit.pop_back();
  if (unit.ends_with("I")) unit.pop_back();
  const std::size_t power = std::string(" KMGT").find(unit.empty() ? ' ' : unit[0]);
  const double bytes = number * std::pow(1024.0, static_cast<double>(power));
  if (error != std::errc{} || unit.size() > 1 || power == std::string::npos || !(bytes >= 1.0) ||
      bytes > 9e18)
    fail_value("memory", "a size as 256M or 2G", text);
  return static_cast<std::int64_t>(bytes);
}

std::int64_t default_memory() {
  constexpr double kShare = 0.25;
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  // A container's bound, where there is one: "max" or a number.
  double bound = 0.0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> bound && bound > 0.0) bytes = std::min(bytes, bound);
  if (!(bytes > 0.0)) return TrainSettings{}.memory;
  return static_cast<std::int64_t>(kShare * bytes);
}

}  // namespace shapeboost

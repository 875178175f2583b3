// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <vector>

#include "output.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost::cli {
namespace {

constexpr const char* kPattern = "What a pattern is";
constexpr const char* kBoosting = "How patterns are boosted";
constexpr const char* kRunning = "Running";

/// One option. A switch has no value: it is one way to set a field, and `show` is "yes" where the field is
/// so.
struct Row {
  const char* group;
  const char* name;
  const char* value;  ///< what follows, in capitals; nullptr for a switch
  const char* help;   ///< meaning, unit and range
  std::function<void(CommitteeSettings&, const std::string&)> set;
  std::function<std::string(const CommitteeSettings&)> show;
  bool makes_model = true;
  bool for_series = true;
  bool for_bags = true;
};

[[noreturn]] void fail(const std::string& name, const std::string& expected, const std::string& found) {
  throw InvalidInput(name + ": expected " + expected + ", found '" + found + "'");
}

template <typename Number>
Number parse_value(const std::string& name, const std::string& text) {
  Number value{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) fail(name, "a smaller number", text);
  if (error != std::errc{} || stop != end) {
    fail(name, std::is_integral_v<Number> ? "a whole number" : "a number", text);
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) fail(name, "a finite number", text);
  }
  return value;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  return parts;
}

/// A row for a number; `automatic` spells the 0 that means "found from the data".
template <typename Number>
Row number_row(const char* group, const char* name, const char* help, Number BoosterSettings::*field,
               const char* automatic = nullptr) {
  const auto set = [=](CommitteeSettings& s, const std::string& text) {
    if (automatic != nullptr && text == automatic) {
      s.*field = Number{0};
      return;
    }
    s.*field = parse_value<Number>(name, text);
    if (automatic != nullptr && !(s.*field > Number{0}))
      fail(name, std::string("a number above 0 or ") + automatic, text);
  };
  const auto show = [=](const CommitteeSettings& s) {
    if (automatic != nullptr && s.*field == Number{0}) return std::string(automatic);
    if constexpr (std::is_integral_v<Number>) {
      return std::to_string(s.*field);
    } else {
      return shortest(s.*field);
    }
  };
  return {group, name, std::is_integral_v<Number> ? "N" : "X", help, set, show};
}

template <typename Settings>
Row switch_row(const char* group, const char* name, const char* help, bool Settings::*field, bool value) {
  return {group,
          name,
          nullptr,
          help,
          [=](CommitteeSettings& s, const std::string&) { s.*field = value; },
          [=](const CommitteeSettings& s) { return std::string(s.*field == value ? "yes" : ""); }};
}

/// A row for a word that the library itself parses.
template <typename Value>
Row word_row(const char* group, const char* name, const char* value, const char* help,
             Value BoosterSettings::*field, Value (*parse)(std::string_view)) {
  return {group,
          name,
          value,
          help,
          [=](CommitteeSettings& s, const std::string& text) { s.*field = parse(text); },
          [=](const CommitteeSettings& s) { return std::string(to_string(s.*field)); }};
}

std::string show_lengths(const CommitteeSettings& s) {
  std::string text;
  for (const double length : s.lengths) text += (text.empty() ? "" : ",") + shortest(length);
  return text;
}

void set_lengths(CommitteeSettings& s, const std::string& text) {
  s.lengths.clear();
  for (const std::string& part : split_list(text))
    s.lengths.push_back(parse_value<double>("--lengths", part));
}

std::string show_normalisations(const CommitteeSettings& s) {
  std::string text;
  for (const Normalisation n : s.over_normalisations)
    text += (text.empty() ? "" : ",") + std::string(to_string(n));
  return text.empty() ? "auto" : text;
}

void set_normalisations(CommitteeSettings& s, const std::string& text) {
  s.over_normalisations.clear();
  if (text == "auto") return;
  for (const std::string& part : split_list(text)) s.over_normalisations.push_back(parse_normalisation(part));
}

std::string show_sigma_scales(const CommitteeSettings& s) {
  std::string text;
  for (const double scale : s.over_sigma_scales) text += (text.empty() ? "" : ",") + shortest(scale);
  return text.empty() ? "auto" : text;
}

void set_sigma_scales(CommitteeSettings& s, const std::string& text) {
  s.over_sigma_scales.clear();
  if (text == "auto") return;
  for (const std::string& part : split_list(text)) {
    s.over_sigma_scales.push_back(parse_value<double>("--sigma-scale", part));
    if (!(s.over_sigma_scales.back() > 0.0)) fail("--sigma-scale", "numbers above 0 or auto", text);
  }
}

const std::vector<Row>& table() {
  using S = CommitteeSettings;
  static const std::vector<Row> kRows = [] {
    Row lengths{kPattern,
                "--lengths",
                "LIST",
                "window lengths of series: shares of the shortest series up to 1, numbers of values above",
                set_lengths,
                show_lengths};
    Row normalisation{kPattern,
                      "--normalisation",
                      "LIST",
                      "of each window, one or more of raw, centred, z, or auto: all three, for --single raw",
                      set_normalisations,
                      show_normalisations};
    lengths.for_bags = normalisation.for_bags = false;
    Row standardise = switch_row(kPattern, "--standardise",
                                 "bags: bring features to mean 0, deviation 1 over the training instances",
                                 &S::standardise, true);
    Row plain =
        switch_row(kPattern, "--no-standardise", "bags: take features as they are", &S::standardise, false);
    standardise.for_series = plain.for_series = false;
    const Row candidates{
        kBoosting,
        "--candidates",
        "WHICH",
        "instances that may form a pattern: all, sample:N (N drawn at random) or kmeans:K (K cluster "
        "centres a class)",
        [](S& s, const std::string& text) { s.candidates = Candidates::parse(text); },
        [](const S& s) { return s.candidates.text(); }};
    Row threads = number_row(kRunning, "--threads", "threads, or auto: one for each of the processor's",
                             &S::threads, "auto");
    Row memory{kRunning,
               "--memory",
               "SIZE",
               "bound on tables and caches, as 256M or 2G (default a quarter of the memory)",
               [](S& s, const std::string& text) { s.memory = parse_bytes(text); },
               [](const S&) { return ""; }};
    threads.makes_model = memory.makes_model = false;
    return std::vector<Row>{
        lengths,
        normalisation,
        word_row(kPattern, "--kernel", "KIND", "similarity: gaussian, linear or polynomial", &S::kernel,
                 parse_kernel_kind),
        number_row(kPattern, "--sigma",
                   "gaussian, exp(-sigma |x - z|^2): above 0, or auto: from --sigma-scale", &S::sigma,
                   "auto"),
        {kPattern, "--sigma-scale", "LIST",
         "sigma times the median |x - z|^2 of the data: above 0, or auto: 1,4 for series, 0.5,1,2 for bags, "
         "for --single 2 or 1",
         set_sigma_scales, show_sigma_scales},
        number_row(kPattern, "--c", "polynomial, (x.z + c)^degree: at least 0", &S::c),
        number_row(kPattern, "--degree", "polynomial: 1 to 10", &S::degree),
        standardise,
        plain,
        switch_row(kBoosting, "--committee", "average models: one for each normalisation and sigma scale",
                   &S::single, false),
        switch_row(kBoosting, "--single", "train one model, over all normalisations together", &S::single,
                   true),
        word_row(kBoosting, "--weak", "KIND",
                 "weak learning over sparse patterns (few instances each) or over the ball of all patterns",
                 &S::weak, parse_weak),
        candidates,
        switch_row(kBoosting, "--signed", "a pattern may mark either class", &S::one_sided, false),
        switch_row(kBoosting, "--one-sided", "patterns mark the second class only", &S::one_sided, true),
        number_row(kBoosting, "--nu",
                   "share of the examples that may fall short of the margin: above 0, at most 1", &S::nu),
        switch_row(kBoosting, "--offset", "the classifier has an offset b", &S::offset, true),
        switch_row(kBoosting, "--no-offset", "it has none", &S::offset, false),
        number_row(kBoosting, "--gap",
                   "stop when no pattern beats the margin by more than this share: at least 0", &S::gap),
        number_row(kBoosting, "--stall",
                   "stop when so many rounds together raise the margin by less than --gap: 0 (never) or more",
                   &S::stall_rounds),
        number_row(kBoosting, "--rounds", "stop after so many rounds: at least 1", &S::max_rounds),
        number_row(kBoosting, "--seed", "of everything random: 0 or above", &S::seed),
        threads,
        memory,
    };
  }();
  return kRows;
}

}  // namespace

void add_settings(CLI::App& app, CommitteeSettings& settings, const std::vector<std::string>& only) {
  const CommitteeSettings defaults;
  for (const Row& row : table()) {
    if (!only.empty() && std::find(only.begin(), only.end(), row.name) == only.end()) continue;
    const std::string shown = row.show(defaults);
    CLI::Option* option = nullptr;
    if (row.value == nullptr) {
      const std::string help = std::string(row.help) + (shown.empty() ? "" : " (default)");
      option = app.add_flag_callback(
          row.name, [&settings, &row] { row.set(settings, ""); }, help);
    } else {
      const std::string help = std::string(row.help) + (shown.empty() ? "" : " (default " + shown + ")");
      const auto set = [&settings, &row](const std::string& text) {
        try {
          row.set(settings, text);
        } catch (const InvalidInput& fault) {
          throw InvalidInput(in_option_words(fault.what()));
        }
      };
      option = app.add_option_function<std::string>(row.name, set, help)->type_name(row.value);
    }
    if (only.empty()) option->group(row.group);
  }
  const auto exclude = [&](const char* one, const char* other) {
    if (app.get_option_no_throw(one) != nullptr) app.get_option(one)->excludes(other);
  };
  exclude("--committee", "--single");
  exclude("--signed", "--one-sided");
  exclude("--offset", "--no-offset");
  exclude("--standardise", "--no-standardise");
}

std::string settings_text(const CommitteeSettings& settings) {
  std::string text;
  for (const Row& row : table()) {
    const std::string shown = row.show(settings);
    if (!row.makes_model || shown.empty()) continue;
    text += (text.empty() ? "" : " ") + std::string(row.name);
    if (row.value != nullptr) text += ' ' + shown;
  }
  return text;
}

std::string idle_options(const CLI::App& app, DataKind kind) {
  std::string names;
  for (const Row& row : table()) {
    const bool useful = kind == DataKind::series ? row.for_series : row.for_bags;
    if (!useful && app.count(row.name) > 0) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

void check_settings(const CommitteeSettings& settings) {
  if (const std::string fault = validate(settings); !fault.empty())
    throw InvalidInput(in_option_words(fault));
}

std::string in_option_words(const std::string& sentence) {
  for (const Row& row : table()) {
    const std::string name = row.name;
    if (sentence.starts_with(name.substr(2) + ": ")) return "--" + sentence;
  }
  return sentence;
}

void add_format(CLI::App& app, Format& format) {
  const auto set = [&format](const std::string& text) { format = parse_format(text); };
  app.add_option_function<std::string>("--format", set,
                                       "of the data: ucr, ts, mil, or auto: from the content (default " +
                                           std::string(to_string(format)) + ")")
      ->type_name("KIND");
}

void add_time_limit(CLI::App& app, double& seconds) {
  const auto set = [&seconds](const std::string& text) {
    seconds = parse_value<double>("--time-limit", text);
    if (!(seconds > 0.0)) fail("--time-limit", "seconds above 0", text);
  };
  app.add_option_function<std::string>("--time-limit", set,
                                       "finish with what is known after so many seconds (default: no limit)")
      ->type_name("SECONDS")
      ->group(kRunning);
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
    fail("--memory", "a size as 256M or 2G", text);
  return static_cast<std::int64_t>(bytes);
}

std::int64_t default_memory() {
  constexpr double kShare = 0.25;
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  // A container's bound, where there is one: "max" or a number.
  double bound = 0.0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> bound && bound > 0.0) bytes = std::min(bytes, bound);
  if (!(bytes > 0.0)) return CommitteeSettings{}.memory;
  return static_cast<std::int64_t>(kShare * bytes);
}

}  // namespace shapeboost::cli

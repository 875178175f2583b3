// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <vector>

#include "output.hpp"
#include "settings_table.hpp"
#include "shapeboost/attach.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/gram.hpp"

namespace shapeboost::cli {

void add_settings(CLI::App& app, TrainSettings& settings, const std::vector<std::string>& only) {
  const TrainSettings defaults;
  for (const Row& row : settings_table()) {
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
  exclude("--signed", "--one-sided");
  exclude("--offset", "--no-offset");
  exclude("--standardise", "--no-standardise");
}

std::string settings_text(const TrainSettings& settings) {
  const TrainSettings defaults;
  std::string text;
  for (const Row& row : settings_table()) {
    const std::string shown = row.show(settings);
    if (!row.makes_model || shown.empty()) continue;
    const bool idle = (row.for_kernel != nullptr && !row.for_kernel(settings.kernel)) ||
                      (row.for_method != nullptr && !row.for_method(settings.method));
    if (idle && shown == row.show(defaults)) continue;
    text += (text.empty() ? "" : " ") + std::string(row.name);
    if (row.value != nullptr) text += ' ' + shown;
  }
  return text;
}

IdleOptions idle_options(const CLI::App& app, DataKind kind, const Kernel& kernel, Method method) {
  IdleOptions idle;
  const auto add = [](std::string& names, const char* name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  for (const Row& row : settings_table()) {
    if (app.count(row.name) == 0) continue;
    const bool useful = kind == DataKind::series ? row.for_series
                        : kind == DataKind::bags ? row.for_bags
                                                 : row.for_sequences;
    if (!useful) {
      add(idle.for_data, row.name);
    } else if (row.for_kernel != nullptr && !row.for_kernel(kernel)) {
      add(idle.for_kernel, row.name);
    } else if (row.for_method != nullptr && !row.for_method(method)) {
      add(idle.for_method, row.name);
    }
  }
  return idle;
}

void read_gram_option(const CLI::App& app, TrainSettings& settings) {
  Kernel& kernel = settings.kernel;
  if (kernel.gram_file.empty()) {
    if (kernel.kind == KernelKind::gram) {
      throw InvalidInput("--kernel: gram needs the matrix of similarities, --gram FILE");
    }
    return;
  }
  if (app.count("--kernel") > 0 && kernel.kind != KernelKind::gram) {
    throw InvalidInput("--gram: a matrix of similarities means --kernel gram, found --kernel " +
                       std::string(to_string(kernel.kind)));
  }
  kernel.kind = KernelKind::gram;
  kernel.gram = std::make_shared<const Matrix>(read_gram(kernel.gram_file));
}

void add_gram(CLI::App& app, std::string& path) {
  app.add_option("--gram", path, "the matrix of similarities, for a model that was trained with one")
      ->type_name("FILE");
}

Model load_model_with(const std::string& path, const std::string& gram) {
  Model model = load_model(path);
  if (!gram.empty()) {
    try {
      attach_gram(model, std::make_shared<const Matrix>(read_gram(gram)));
    } catch (const InvalidInput& fault) {
      const std::string sentence = fault.what();
      throw InvalidInput(sentence.starts_with(gram) ? sentence : "--gram: " + gram + ": " + sentence);
    }
    return model;
  }
  for (const View& view : model.views) {
    if (view.kernel.kind == KernelKind::gram) {
      throw InvalidInput(path + ": the model compares by a matrix of similarities, '" +
                         view.kernel.gram_file + "' in training: give it by --gram FILE");
    }
  }
  return model;
}

void check_settings(const TrainSettings& settings) {
  if (const std::string fault = validate(settings); !fault.empty())
    throw InvalidInput(in_option_words(fault));
}

std::string in_option_words(const std::string& sentence) {
  for (const Row& row : settings_table()) {
    const std::string name = row.name;
    if (sentence.starts_with(name.substr(2) + ": ")) return "--" + sentence;
  }
  return sentence;
}

void add_format(CLI::App& app, Format& format, const std::string& name, const std::string& of,
                const std::string& automatic) {
  const auto set = [&format](const std::string& text) { format = parse_format(text); };
  std::string choices;
  for (const Format choice : all_formats()) {
    if (choice != Format::automatic) choices += std::string(to_string(choice)) + ", ";
  }
  app.add_option_function<std::string>(
         name, set,
         of + ": " + choices + "or auto: " + automatic + " (default " + std::string(to_string(format)) + ")")
      ->type_name("KIND");
}

void add_count(CLI::App& app, const std::string& name, int& value, int least, const std::string& help) {
  const auto set = [&value, name, least](const std::string& text) {
    value = parse_value<int>(name, text);
    if (value < least) fail_value(name, "at least " + std::to_string(least), text);
  };
  const std::string shown = value > 0 ? " (default " + std::to_string(value) + ")" : "";
  app.add_option_function<std::string>(name, set, help + shown)->type_name("N");
}

void add_time_limit(CLI::App& app, double& seconds) {
  const auto set = [&seconds](const std::string& text) {
    seconds = parse_value<double>("--time-limit", text);
    if (!(seconds > 0.0)) fail_value("--time-limit", "seconds above 0", text);
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
    fail_value("--memory", "a size as 256M or 2G", text);
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

}  // namespace shapeboost::cli

// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <algorithm>
#include <vector>

#include "data/gram.hpp"
#include "output.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"

namespace shapeboost::cli {

void add_settings(CLI::App& app, TrainSettings& settings, const std::vector<std::string>& only) {
  const TrainSettings defaults;
  for (const Setting& row : settings_table()) {
    const std::string name = "--" + std::string(row.name);
    if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
    const std::string shown = row.show(defaults);
    CLI::Option* option = nullptr;
    if (row.value == nullptr) {
      const std::string help = std::string(row.help) + (shown.empty() ? "" : " (default)");
      option = app.add_flag_callback(
          name, [&settings, &row] { row.set(settings, ""); }, help);
    } else {
      const std::string help = std::string(row.help) + (shown.empty() ? "" : " (default " + shown + ")");
      const auto set = [&settings, &row](const std::string& text) {
        try {
          row.set(settings, text);
        } catch (const InvalidInput& fault) {
          throw InvalidInput(in_option_words(fault.what()));
        }
      };
      option = app.add_option_function<std::string>(name, set, help)->type_name(row.value);
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

IdleOptions idle_options(const CLI::App& app, DataKind kind, KernelKind kernel, Method method) {
  IdleOptions idle;
  const auto add = [](std::string& names, const std::string& name) {
    names += (names.empty() ? "" : ", ") + name;
  };
  for (const Setting& row : settings_table()) {
    const std::string name = "--" + std::string(row.name);
    if (app.count(name) == 0) continue;
    if (!row.is_for(kind)) {
      add(idle.for_data, name);
    } else if (row.for_kernel != nullptr && !row.for_kernel(kernel)) {
      add(idle.for_kernel, name);
    } else if (row.for_method != nullptr && !row.for_method(method)) {
      add(idle.for_method, name);
    }
  }
  return idle;
}

void read_gram_option(const CLI::App& app, TrainSettings& settings) {
  KernelSettings& kernel = settings.kernel;
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
  kernel.gram = std::make_shared<const SymmetricMatrix>(read_gram(kernel.gram_file));
}

void add_gram(CLI::App& app, std::string& path) {
  app.add_option("--gram", path, "the matrix of similarities, for a model that was trained with one")
      ->type_name("FILE");
}

void add_unequal(CLI::App& app, bool& allowed) {
  app.add_flag("--unequal", allowed, "take series of other lengths than the model was trained on");
}

Dataset read_dataset_for(const Model& model, const std::string& path, Format format, bool allowed) {
  Dataset data = read_dataset(path, format);
  if (!allowed) check_length(model, data);
  return data;
}

Model load_model_with(const std::string& path, const std::string& gram) {
  Model model = load_model(path);
  if (!gram.empty()) {
    try {
      attach_gram(model, std::make_shared<const SymmetricMatrix>(read_gram(gram)));
    } catch (const InvalidInput& fault) {
      const std::string sentence = fault.what();
      throw InvalidInput(sentence.starts_with(gram) ? sentence : "--gram: " + gram + ": " + sentence);
    }
    return model;
  }
  for (const View& view : model.views) {
    if (const auto* kernel = view.kernel.as<kernels::Gram>()) {
      throw InvalidInput(path + ": the model compares by a matrix of similarities, '" + kernel->file +
                         "' in training: give it by --gram FILE");
    }
  }
  return model;
}

void check_settings(const TrainSettings& settings) {
  if (const std::string fault = validate(settings); !fault.empty())
    throw InvalidInput(in_option_words(fault));
}

void add_format(CLI::App& app, Format& format, const std::string& name, const std::string& of,
                const std::string& automatic) {
  const auto set = [&format, name](const std::string& text) {
    try {
      format = parse<Format>(text);
    } catch (const InvalidInput& fault) {
      const std::string sentence = fault.what();
      throw InvalidInput(name + sentence.substr(sentence.find(':')));
    }
  };
  std::string choices;
  for (const Format choice : all_formats()) {
    if (choice != Format::automatic) choices += std::string(to_string(choice)) + ", ";
  }
  app.add_option_function<std::string>(
         name, set,
         of + ": " + choices + "or auto: " + automatic + " (default " + std::string(to_string(format)) + ")")
      ->type_name("KIND");
}

void add_probability(CLI::App& app, bool& wanted) {
  app.add_flag("--probability", wanted,
               "learn probabilities too, by training on parts of the data and testing on the rest");
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

}  // namespace shapeboost::cli

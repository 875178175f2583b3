// SPDX-License-Identifier: MIT
#include "select/grid.hpp"

#include <algorithm>

#include "data/reader.hpp"
#include "ground/text.hpp"
#include "train/plan.hpp"
#include "train/settings.hpp"

namespace shapeboost {
namespace {

constexpr std::size_t kMostChoices = 10'000;

struct Alternative {
  std::string text;
  const Setting* row;  // sets it: of a switch set to "no", the opposite one, or nullptr where none is
};
struct Axis {
  std::string name;
  const Setting* row;
  std::vector<Alternative> alternatives;
};

[[noreturn]] void fail(const std::string& sentence) { throw InvalidInput("--grid: " + sentence); }

std::string trimmed(std::string_view text) { return std::string(detail::trim(text)); }

std::vector<std::string> split(const std::string& text, char sign) {
  const std::vector<std::string_view> parts = detail::split(text, sign);
  return {parts.begin(), parts.end()};
}

/// Settings that say what is trained on or how the program runs, not what is learned.
bool is_no_axis(const Setting& row) {
  const std::string name = row.name;
  return !row.makes_model || name == "seed" || name == "gram";
}

/// What plan() will make of it.
KernelKind kernel_for(DataKind data, KernelKind kernel) {
  const bool mismatch = data == DataKind::sequences && kernel == KernelKind::gaussian;
  return mismatch ? KernelKind::mismatch : kernel;
}

void set(const Alternative& alternative, TrainSettings& settings) {
  if (alternative.row == nullptr) return;  // "no" of a switch that nothing undoes: as it is anyway
  alternative.row->set(settings, alternative.row->value == nullptr ? "" : alternative.text);
}

/// Where a setting that was given says the same thing as the axis, that setting as an option.
std::string given_beside(const Setting& row, const GivenSettings& given) {
  const std::string name = row.name;
  if (given.contains(name)) return "--" + name;
  if (const Setting* other = opposite(row); other != nullptr && given.contains(other->name)) {
    return "--" + std::string(other->name);
  }
  if (name == "sigma-scale" && given.contains("sigma")) return "--sigma";
  if (name == "kernel" && given.contains("gram")) return "--gram";
  return "";
}

std::vector<Alternative> parse_alternatives(const Setting& row, const std::string& name,
                                            const std::string& text, const TrainSettings& fixed) {
  std::vector<Alternative> alternatives;
  std::vector<std::string> seen;  // as settings show them: 0.1 and 0.10 are one
  const auto refuse = [&](const auto&... sentence) { fail(concat(name, ": ", sentence...)); };
  const bool lists = text.find('|') != std::string::npos;
  const bool one_list = lists && text.find('|') + 1 == text.size();
  for (const std::string& value :
       split(one_list ? text.substr(0, text.size() - 1) : text, lists ? '|' : ',')) {
    if (value.empty()) refuse("expected a value on either side of every separator, found '" + text + "'");
    Alternative alternative{value, &row};
    if (row.value == nullptr) {
      if (value != "yes" && value != "no") refuse("expected yes or no, found '" + value + "'");
      if (value == "no") alternative.row = opposite(row);
    }
    TrainSettings settings = fixed;
    try {
      set(alternative, settings);
    } catch (const InvalidInput& fault) {
      fail(in_option_words(fault.what()));
    }
    const std::string shown = row.show(settings);
    if (std::ranges::find(seen, shown) != seen.end()) refuse(value + " is there twice");
    seen.push_back(shown);
    alternatives.push_back(alternative);
  }
  return alternatives;
}

Axis parse_axis(const std::string& text, const TrainSettings& fixed, const GivenSettings& given) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail("expected OPTION=VALUE,VALUE and ; between axes, found '" + text + "'");
  }
  const std::string name = trimmed(text.substr(0, equals));
  const Setting* row = find_setting(name);
  if (row == nullptr) fail("fit has no option --" + name);
  if (is_no_axis(*row)) fail(name + " is not a setting to choose among");
  if (const std::string other = given_beside(*row, given); !other.empty()) {
    fail(name + " is to be chosen, but " + other + " is given");
  }
  return {name, row, parse_alternatives(*row, name, trimmed(text.substr(equals + 1)), fixed)};
}

void check_axes(const std::vector<Axis>& axes, const TrainSettings& fixed, DataKind kind) {
  const auto named = [&](const char* name) {
    return std::ranges::any_of(axes, [&](const Axis& axis) { return axis.name == name; });
  };
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Axis& axis = axes[k];
    for (std::size_t other = 0; other < k; ++other) {
      if (axes[other].row == axis.row || axes[other].row == opposite(*axis.row)) {
        fail(axis.name + " is there twice" +
             (axes[other].name == axis.name ? "" : ", the other time as " + axes[other].name));
      }
    }
    if (!axis.row->is_for(kind)) {
      fail("no use for " + axis.name + ": the data are " + std::string(to_string(kind)));
    }
    const KernelKind kernel = kernel_for(kind, fixed.kernel.kind);
    if (!named("kernel") && axis.row->for_kernel != nullptr && !axis.row->for_kernel(kernel)) {
      fail("no use for " + axis.name + ": the kernel is " + std::string(to_string(kernel)));
    }
    if (!named("method") && axis.row->for_method != nullptr && !axis.row->for_method(fixed.method)) {
      fail("no use for " + axis.name + ": the method is " + std::string(to_string(fixed.method)));
    }
  }
}

/// Whether plan() will refine patterns.
bool refines(const TrainSettings& settings) {
  if (settings.boosting.refine != Refine::automatic) return settings.boosting.refine == Refine::yes;
  const bool one_view =
      settings.kernel.kind == KernelKind::gram || settings.kernel.kind == KernelKind::custom;
  const bool one_member = settings.members == 1 || (settings.members == 0 && one_view);
  return settings.views.kind == ViewChoice::Kind::grid ||
         (settings.views.kind == ViewChoice::Kind::automatic && one_member);
}

/// Whether the ball may be another choice than sparse: it needs a semi-definite kernel, and single instances
/// of norm 1 are the same patterns in both.
bool ball_differs(const TrainSettings& settings) {
  const Kernel kernel = settings.kernel.kernel();
  return kernel.positive_semidefinite() && (refines(settings) || !kernel.unit_diagonal());
}

/// Symbols to compare at a time, of which some may differ.
std::string k_axis(const KernelSettings& kernel) {
  const bool mismatch = kernel_for(DataKind::sequences, kernel.kind) == KernelKind::mismatch;
  std::string axis = "k=auto";
  for (const int k : {3, 4}) {
    if (!mismatch || kernel.mismatches < k) axis += concat(',', k);
  }
  return axis;
}

/// All that could be searched for such data.
std::vector<std::string> default_axes(const Dataset& data, const TrainSettings& fixed) {
  const DataKind kind = data.kind();
  const bool boost = fixed.method == Method::boost;
  const std::string C = "C=0.1,1,10,100";
  switch (kind) {
    case DataKind::series:
      if (boost) {
        // A head makes little of nu.
        return {"normalisation=auto,z", "lengths=auto|0.05,0.1,0.2", "sigma-scale=auto,1,4",
                wants_head(kind, fixed) ? "evidence=auto|best,share" : "nu=0.1,0.2"};
      }
      return {"normalisation=raw,z", "lengths=0.1,0.2,0.4", C};
    case DataKind::bags:
      if (!boost) return {"sigma-scale=auto,0.5,2", C};
      if (data.is_sparse()) return {"kernel=gaussian,linear", "standardise=yes,no", "nu=0.1,0.2"};
      if (wants_head(kind, fixed)) {
        return {"aspect=auto,whole", "sigma-scale=auto,0.5,2", "evidence=auto|best,share,mean,least"};
      }
      if (!ball_differs(fixed)) return {"sigma-scale=auto,0.5,2", "nu=0.1,0.2,0.3"};
      return {"weak=sparse,ball", "sigma-scale=auto,0.5,2", "nu=0.1,0.2,0.3"};
    case DataKind::sequences: break;
  }
  return {"lengths=auto|0.1,0.2", k_axis(fixed.kernel), boost ? "nu=0.1,0.2" : C};
}

}  // namespace

std::string default_grid(const GivenSettings& given, const Dataset& data, const TrainSettings& fixed) {
  const DataKind kind = data.kind();
  std::string grid;
  for (const std::string& axis : default_axes(data, fixed)) {
    const Setting& row = *find_setting(axis.substr(0, axis.find('=')));
    if (!given_beside(row, given).empty()) continue;
    if (row.for_kernel != nullptr && !row.for_kernel(kernel_for(kind, fixed.kernel.kind))) continue;
    grid += (grid.empty() ? "" : "; ") + axis;
  }
  return grid;
}

std::vector<Choice> expand_grid(const std::string& grid, const TrainSettings& fixed,
                                const GivenSettings& given, DataKind kind) {
  std::vector<Axis> axes;
  if (!grid.empty()) {
    for (const std::string& text : split(grid, ';')) axes.push_back(parse_axis(text, fixed, given));
  }
  check_axes(axes, fixed, kind);
  std::vector<Choice> choices{{"", fixed}};
  for (const Axis& axis : axes) {
    if (choices.size() * axis.alternatives.size() > kMostChoices) {
      fail(concat("expected at most ", kMostChoices, " combinations, found more"));
    }
    std::vector<Choice> longer;
    for (const Choice& choice : choices) {
      for (const Alternative& alternative : axis.alternatives) {
        Choice& added = longer.emplace_back(choice);
        added.name += (added.name.empty() ? "" : "; ") + axis.name + '=' + alternative.text;
        set(alternative, added.settings);
      }
    }
    choices = std::move(longer);
  }
  for (Choice& choice : choices) {
    if (choice.settings.kernel.kind == KernelKind::gram && !choice.settings.kernel.gram) {
      fail(choice.name + ": gram needs the matrix of similarities, --gram FILE");
    }
    if (const std::string fault = validate(choice.settings); !fault.empty()) {
      if (choice.name.empty()) throw InvalidInput(in_option_words(fault));
      fail(choice.name + ": " + in_option_words(fault));
    }
    if (choice.name.empty()) choice.name = "as given";
  }
  return choices;
}

}  // namespace shapeboost

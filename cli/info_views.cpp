// SPDX-License-Identifier: MIT
// What a model looks at, and what it found there.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "info.hpp"
#include "output.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

constexpr std::size_t kViewsShown = 8;
constexpr std::size_t kUsesShown = 3;
constexpr std::size_t kKindsShown = 8;

using Rows = std::vector<std::vector<std::string>>;

std::string describe_kernel(const Kernel& kernel) {
  std::string text(to_string(kernel.kind()));
  if (kernel.has_sigma()) text += ", sigma " + significant(kernel.sigma(), 4);
  if (kernel.has_band()) text += ", band " + significant(kernel.band(), 3);
  if (kernel.compares_strings()) text += ", k " + std::to_string(kernel.k());
  if (const auto* polynomial = kernel.as<kernels::Polynomial>()) {
    text += ", c " + significant(polynomial->c, 4) + ", degree " + std::to_string(polynomial->p);
  }
  if (const auto* mismatch = kernel.as<kernels::Mismatch>()) {
    text += ", mismatches " + std::to_string(mismatch->mismatches);
  }
  if (const auto* subsequence = kernel.as<kernels::Subsequence>()) {
    text += ", lambda " + significant(subsequence->lambda, 3);
  }
  if (const auto* gram = kernel.as<kernels::Gram>()) text += ", " + gram->file;
  if (const auto* custom = kernel.as<kernels::Custom>()) text += ", " + custom->name;
  return text;
}

/// "joint", "2", "1+4+5", "9 of 24".
std::string channels_of(const View& view) {
  constexpr std::size_t kNamed = 6;
  if (view.channels.empty()) return "joint";
  if (view.channels.size() > kNamed)
    return std::to_string(view.channels.size()) + " of " + grouped(view.width);
  std::string text;
  for (const int channel : view.channels) text += (text.empty() ? "" : "+") + std::to_string(channel + 1);
  return text;
}

bool standardised(const View& view) {
  return std::any_of(view.scale.begin(), view.scale.end(), [](double s) { return s != 1.0; });
}

std::string features_of(const View& view) {
  return view.features.empty() ? "all " + grouped(view.width)
                               : grouped(view.length) + " of " + grouped(view.width);
}

/// 1st, 2nd, 3rd, 4th, 11th, 21st.
std::string ordinal(std::int64_t n) {
  const bool teens = n % 100 / 10 == 1;
  const std::int64_t digit = teens ? 0 : n % 10;
  return std::to_string(n) + (digit == 1 ? "st" : digit == 2 ? "nd" : digit == 3 ? "rd" : "th");
}

/// One thing in which views differ.
struct Trait {
  const char* title;
  std::function<std::string(const View&)> text;
  char align = 'l';
};

/// Those that say something about these views: all windows have a length, not all are dilated.
std::vector<Trait> traits_of(const Model& model) {
  const auto any = [&](const auto& property) {
    return std::any_of(model.views.begin(), model.views.end(), property);
  };
  std::vector<Trait> traits;
  if (model.views.front().kernel.kind() == KernelKind::gram)
    return traits;  // rows have no numbers of their own
  if (model.kind == DataKind::bags) {
    traits.push_back({"features", features_of});
    traits.push_back({"standardised", [](const View& v) { return standardised(v) ? "yes" : "no"; }});
    if (any([](const View& v) { return v.whole != 0; })) {
      traits.push_back({"compares", [](const View& v) { return v.whole != 0 ? "bags" : "instances"; }});
    }
    return traits;
  }
  if (any([](const View& v) { return v.dilation != 1; })) {
    traits.push_back({"dilation", [](const View& v) { return std::to_string(v.dilation); }, 'r'});
  }
  if (any([](const View& v) { return v.transform != Transform::none; })) {
    traits.push_back({"transform", [](const View& v) { return std::string(to_string(v.transform)); }});
  }
  if (model.views.front().width > 1) traits.push_back({"channels", channels_of});
  if (any([](const View& v) { return v.tau != 0.0; })) {
    traits.push_back({"tau", [](const View& v) { return significant(v.tau, 4); }, 'r'});
  }
  if (any([](const View& v) { return v.scaling != Scaling::plain; })) {
    traits.push_back({"scaling", [](const View& v) { return std::string(to_string(v.scaling)); }});
  }
  if (any([](const View& v) { return v.aspect != Aspect::whole; })) {
    traits.push_back({"aspect", [](const View& v) { return std::string(to_string(v.aspect)); }});
  }
  if (model.kind == DataKind::series) {
    traits.push_back(
        {"normalisation", [](const View& v) { return std::string(to_string(v.normalisation)); }});
  }
  return traits;
}

std::string view_table(const Model& model) {
  const bool windows = model.kind != DataKind::bags;
  const std::vector<Trait> traits = traits_of(model);
  Rows rows{{"view"}};
  std::string align = "r";
  if (windows) {
    rows[0].emplace_back("window");
    align += 'r';
  }
  for (const Trait& trait : traits) {
    rows[0].emplace_back(trait.title);
    align += trait.align;
  }
  rows[0].emplace_back("kernel");
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const View& view = model.views[v];
    rows.push_back({std::to_string(v + 1)});
    if (windows) rows.back().push_back(grouped(view.length));
    for (const Trait& trait : traits) rows.back().push_back(trait.text(view));
    rows.back().push_back(describe_kernel(view.kernel));
  }
  return aligned(rows, align + 'l');
}

/// "raw (80), z (40)"; of many numbers "1 (74), 2 to 16 (46)".
std::string tally(const Model& model, const Trait& trait) {
  const auto shorter = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;  // numbers in their order
  };
  std::map<std::string, std::int64_t, decltype(shorter)> counts(shorter);
  for (const View& view : model.views) ++counts[trait.text(view)];
  if (counts.size() == 1) return counts.begin()->first;
  const auto entry = [](const std::string& kind, std::int64_t n) { return kind + " (" + grouped(n) + ')'; };
  if (counts.size() > kKindsShown && trait.align == 'r') {
    const auto all = static_cast<std::int64_t>(model.views.size());
    return entry(counts.begin()->first, counts.begin()->second) + ", " +
           entry(std::next(counts.begin())->first + " to " + counts.rbegin()->first,
                 all - counts.begin()->second);
  }
  std::string line;
  std::size_t shown = 0;
  for (const auto& [kind, n] : counts) {
    if (shown++ == kKindsShown) return line + ", ...";
    line += (line.empty() ? "" : ", ") + entry(kind, n);
  }
  return line;
}

std::string range(const Model& model, const std::function<double(const View&)>& value) {
  double low = value(model.views.front());
  double high = low;
  for (const View& view : model.views) {
    low = std::min(low, value(view));
    high = std::max(high, value(view));
  }
  return significant(low, 4) + (low < high ? " to " + significant(high, 4) : "");
}

std::string view_summary(const Model& model) {
  Rows rows{{"views", grouped(static_cast<std::int64_t>(model.views.size())) + "; --all shows each"}};
  if (model.kind != DataKind::bags) {
    rows.push_back({"window", range(model, [](const View& v) { return static_cast<double>(v.length); })});
  }
  for (const Trait& trait : traits_of(model)) rows.push_back({trait.title, tally(model, trait)});
  const Kernel& kernel = model.views.front().kernel;
  std::string text(to_string(kernel.kind()));
  if (kernel.has_sigma()) text += ", sigma " + range(model, [](const View& v) { return v.kernel.sigma(); });
  if (kernel.has_band()) text += ", band " + range(model, [](const View& v) { return v.kernel.band(); });
  if (kernel.compares_strings()) {
    text += ", k " + range(model, [](const View& v) { return static_cast<double>(v.kernel.k()); });
  }
  rows.push_back({"kernel", text});
  return aligned(rows, "ll");
}

/// Where the main instance was found: "values 34-63 of example 12", counting from 1.
std::string describe_place(const Instance& instance, const View& view) {
  if (instance.example < 0) return "a cluster's centre";
  const std::int64_t first = instance.position + 1;
  const std::string example = " of example " + grouped(instance.example + 1);
  if (view.kind == DataKind::bags) {
    const bool row = view.kernel.kind() == KernelKind::gram;
    return "instance " + std::to_string(first) + example +
           (row ? ", row " + shortest(instance.values.front()) : "");
  }
  return describe_stretch(view, instance.position) + example;
}

/// How a window is seen: "z", "channel 2, differences, every 4th value".
std::string describe_look(const View& view) {
  std::string text;
  if (view.width > 1 && view.channels.empty()) text = "joint, ";
  if (!view.channels.empty() && view.width > 1) {
    text = (view.channels.size() == 1 ? "channel " : "channels ") + channels_of(view) + ", ";
  }
  text += view.transform != Transform::none ? to_string(view.transform) : to_string(view.normalisation);
  if (view.transform != Transform::none && view.normalisation != Normalisation::raw) {
    text += ", " + std::string(to_string(view.normalisation));
  }
  if (view.dilation > 1) text += ", every " + ordinal(view.dilation);
  return text;
}

/// Two classes: "present in b". More: "absent from b", by one against one "absent from b against a", for the
/// heaviest parts that the hypothesis has a weight in.
std::string describe_claim(const Model& model, const HypothesisSummary& summary) {
  if (model.head) return describe_voice(model, summary);
  std::string text = std::string(to_string(summary.claim)) + preposition(summary.claim);
  for (std::size_t k = 0; k < std::min(kUsesShown, summary.uses.size()); ++k) {
    const Part& part = model.parts[static_cast<std::size_t>(summary.uses[k].part)];
    text += (k > 0 ? ", " : "") + model.classes[static_cast<std::size_t>(part.positive)];
    if (model.classes.size() > 2 && part.negative != kRest) {
      text += " against " + model.classes[static_cast<std::size_t>(part.negative)];
    }
  }
  return text + (summary.uses.size() > kUsesShown ? ", ..." : "");
}

/// The curve of a window, channel beside channel; or its symbols.
std::string drawing(const Instance& instance, const View& view) {
  if (view.kind == DataKind::sequences) {
    std::string text = sequence_text(instance.values);
    for (char& c : text) {
      if (c < ' ' || c > '~') c = '?';
    }
    return text.size() <= 2 * kDrawing ? text : text.substr(0, 2 * kDrawing) + "...";
  }
  const auto channels = static_cast<std::size_t>(view.rows());
  const std::vector<double> values = instance.full(view.rows());
  const std::size_t each = values.size() / channels;
  const std::size_t width = std::max<std::size_t>(4, kDrawing / channels);
  std::string text;
  for (std::size_t k = 0; k < std::min(channels, kDrawing / 4); ++k) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k * each);
    text += (k > 0 ? " " : "") + sparkline({begin, begin + static_cast<std::ptrdiff_t>(each)}, width);
  }
  return text + (channels > kDrawing / 4 ? " ..." : "");
}

}  // namespace

std::string describe_voice(const Model& model, const HypothesisSummary& summary) {
  const HypothesisUse& use = summary.uses.front();
  const int positive = model.parts[static_cast<std::size_t>(use.part)].positive;
  const bool place = summary.claim == Claim::later || summary.claim == Claim::earlier;
  return (use.speaks_for == kRest ? "not " + model.classes[static_cast<std::size_t>(positive)]
                                  : model.classes[static_cast<std::size_t>(use.speaks_for)]) +
         (place ? ", where late" : "");
}

std::string describe_views(const Model& model, bool all) {
  return all || model.views.size() <= kViewsShown ? view_table(model) : view_summary(model);
}

std::string describe_hypotheses(const Model& model, std::size_t most, bool all) {
  const bool bags = model.kind == DataKind::bags;
  const std::vector<HypothesisSummary> summaries = summarise(model);
  const std::size_t shown = all ? summaries.size() : std::min(most, summaries.size());
  // Where all windows are seen the same way, the table of views has said so.
  const std::string look = describe_look(model.views.front());
  const bool looks = model.kind == DataKind::series &&
                     std::any_of(model.views.begin(), model.views.end(),
                                 [&](const View& view) { return describe_look(view) != look; });
  const bool rows_of_matrix = model.views.front().kernel.kind() == KernelKind::gram;
  Rows rows{{"weight"}};
  std::string align = "r";
  for (std::size_t e = 0; model.head && e < model.head->evidence.size(); ++e) {
    rows[0].emplace_back(to_string(model.head->evidence[e]));
    align += 'r';
  }
  rows[0].emplace_back(model.head ? "speaks for" : "its pattern is");
  align += 'l';
  if (!rows_of_matrix) {
    rows[0].emplace_back(bags ? "features" : "length");
    align += 'r';
  }
  for (const char* title : {"instances", "alpha"}) rows[0].emplace_back(title);
  align += "rr";
  if (looks) {
    rows[0].emplace_back("seen as");
    align += 'l';
  }
  rows[0].emplace_back("from");
  if (!bags) rows[0].emplace_back(model.kind == DataKind::series ? "shape" : "symbols");
  for (std::size_t j = 0; j < shown; ++j) {
    const HypothesisSummary& s = summaries[j];
    const View& view = model.views[static_cast<std::size_t>(model.hypotheses[j].view)];
    const Instance& main = model.hypotheses[j].shapelet.instances[s.main];
    rows.push_back({fixed(s.w, 4)});
    for (std::size_t e = 0; model.head && e < model.head->evidence.size(); ++e) {
      rows.back().push_back(fixed(s.by_evidence[static_cast<std::size_t>(model.head->evidence[e])], 4));
    }
    rows.back().push_back(describe_claim(model, s));
    if (!rows_of_matrix) rows.back().push_back(grouped(s.length));
    rows.back().push_back(grouped(s.instances));
    rows.back().push_back(fixed(model.hypotheses[j].shapelet.alpha[s.main], 3));
    if (looks) rows.back().push_back(describe_look(view));
    rows.back().push_back(describe_place(main, view));
    if (!bags) rows.back().push_back(drawing(main, view));
  }
  std::string text = aligned(rows, align + "ll");
  if (shown < summaries.size()) {
    text +=
        "and " +
        counted(static_cast<std::int64_t>(summaries.size() - shown), model.head ? "pattern" : "hypothesis") +
        " of less weight; --all shows them\n";
  }
  return text;
}

}  // namespace shapeboost::cli

// SPDX-License-Identifier: MIT
#include "train/settings.hpp"

#include "ground/text.hpp"

namespace shapeboost {
namespace {

constexpr const char* kPattern = "What a pattern is";
constexpr const char* kKernel = "How alike two pieces are";
constexpr const char* kMethod = "How a model is trained";
constexpr const char* kBoosting = "How patterns are boosted";

using S = TrainSettings;

/// What stands between commas, without blanks around it.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(',', begin);
    const std::string part = text.substr(begin, end == std::string::npos ? end : end - begin);
    parts.emplace_back(detail::trim(part));
  }
  return parts;
}

/// A row for a number; `automatic` spells the 0 that means "found from the data".
template <typename Number>
Setting number_row(const char* group, const char* name, const char* help, Number& (*field)(S&),
                   const char* automatic = nullptr) {
  const auto set = [=](S& s, const std::string& text) {
    if (automatic != nullptr && text == automatic) {
      field(s) = Number{0};
      return;
    }
    field(s) = parse_value<Number>(name, text);
    if (automatic != nullptr && !(field(s) > Number{0}))
      fail_value(name, std::string("a number above 0 or ") + automatic, text);
  };
  const auto show = [=](const S& s) {
    S copy = s;
    const Number value = field(copy);
    if (automatic != nullptr && value == Number{0}) return std::string(automatic);
    if constexpr (std::is_integral_v<Number>) {
      return std::to_string(value);
    } else {
      return detail::number(value);
    }
  };
  return {group, name, std::is_integral_v<Number> ? "N" : "X", help, set, show};
}

Setting switch_row(const char* group, const char* name, const char* help, bool& (*field)(S&), bool value) {
  return {group,
          name,
          nullptr,
          help,
          [=](S& s, const std::string&) { field(s) = value; },
          [=](const S& s) {
            S copy = s;
            return std::string(field(copy) == value ? "yes" : "");
          }};
}

/// A row for a word that the library itself parses.
template <typename Value>
Setting word_row(const char* group, const char* name, const char* help, Value& (*field)(S&),
                 Value (*parse)(std::string_view)) {
  return {group,
          name,
          "KIND",
          help,
          [=](S& s, const std::string& text) { field(s) = parse(text); },
          [=](const S& s) {
            S copy = s;
            return std::string(to_string(field(copy)));
          }};
}

/// A row for a list of values, or auto: the empty list.
template <typename Value>
Setting list_row(const char* group, const char* name, const char* help, std::vector<Value> S::*field,
                 const std::function<Value(const std::string&)>& parse,
                 const std::function<std::string(const Value&)>& show) {
  return {group,
          name,
          "LIST",
          help,
          [=](S& s, const std::string& text) {
            (s.*field).clear();
            if (text == "auto") return;
            for (const std::string& part : split_list(text)) (s.*field).push_back(parse(part));
          },
          [=](const S& s) {
            std::string text;
            for (const Value& value : s.*field) text += (text.empty() ? "" : ",") + show(value);
            return text.empty() ? "auto" : text;
          }};
}

Setting numbers_row(const char* group, const char* name, const char* help, std::vector<double> S::*field) {
  const std::string called = name;
  return list_row<double>(
      group, name, help, field,
      [called](const std::string& text) { return parse_value<double>(called, text); },
      [](const double& value) { return detail::number(value); });
}

int parse_channel(const std::string& text) {
  if (text == "joint") return kAllChannels;
  const int channel = parse_value<int>("channels", text);
  if (channel < 1) fail_value("channels", "numbers from 1 or joint", text);
  return channel - 1;
}

int parse_differences(const std::string& text) {
  if (text == "no") return 0;
  if (text == "yes") return 1;
  fail_value("differences", "no or yes", text);
}

Setting series_only(Setting row) {
  row.for_bags = row.for_sequences = false;
  return row;
}
/// Of use to numbers: features of bags, channels of series.
Setting numbers_only(Setting row) {
  row.for_sequences = false;
  return row;
}
/// Of use to windows, whether of numbers or of symbols.
Setting windows_only(Setting row) {
  row.for_bags = false;
  return row;
}
Setting sequences_only(Setting row) {
  row.for_series = row.for_bags = false;
  return row;
}
Setting kernel_only(Setting row, bool (*kernel)(KernelKind)) {
  row.for_kernel = kernel;
  return row;
}

Setting method_only(Setting row, bool (*method)(Method)) {
  row.for_method = method;
  return row;
}
Setting boosting_only(Setting row) {
  return method_only(std::move(row), [](Method method) { return method == Method::boost; });
}
/// Of use where candidates are priced.
Setting pricing_only(Setting row) {
  return method_only(std::move(row), [](Method method) { return !is_instance_svm(method); });
}

template <KernelKind Kind>
bool is(KernelKind kind) {
  return kind == Kind;
}

/// A function of the caller's cannot be written on a command line.
KernelKind parse_given_kernel(std::string_view text) {
  const KernelKind kind = parse<KernelKind>(text);
  if (kind == KernelKind::custom) {
    throw InvalidInput("kernel: custom takes a function, which only the library can be given");
  }
  return kind;
}

std::vector<Setting> pattern_rows() {
  return {
      windows_only(numbers_row(kPattern, "lengths",
                               "window lengths of series and sequences: shares of the median one up to 1, "
                               "numbers of values or symbols above",
                               &S::lengths)),
      series_only(list_row<Normalisation>(
          kPattern, "normalisation", "of each window, one or more of raw, centred, z", &S::normalisations,
          [](const std::string& text) { return parse<Normalisation>(text); },
          [](const Normalisation& n) { return std::string(to_string(n)); })),
      series_only(list_row<std::int64_t>(
          kPattern, "dilation", "a window takes every so many-th value: 1 or above", &S::dilations,
          [](const std::string& text) { return parse_value<std::int64_t>("dilation", text); },
          [](const std::int64_t& n) { return std::to_string(n); })),
      series_only(list_row<int>(
          kPattern, "differences", "windows of the series, no, or of its first differences, yes",
          &S::differences, parse_differences, [](const int& n) { return n != 0 ? "yes" : "no"; })),
      series_only(list_row<int>(
          kPattern, "channels", "windows of these channels, counted from 1, or of all side by side: joint",
          &S::channels, parse_channel,
          [](const int& n) { return n == kAllChannels ? "joint" : std::to_string(n + 1); })),
      windows_only(numbers_row(kPattern, "tau",
                               "how much the place counts: times exp(-tau d^2), d the distance as a share of "
                               "the series; 0: not at all",
                               &S::taus)),
      numbers_only(switch_row(
          kPattern, "standardise",
          "bring features of bags, and channels side by side, to mean 0, deviation 1 over the training data",
          [](S& s) -> bool& { return s.standardise; }, true)),
      numbers_only(switch_row(
          kPattern, "no-standardise", "take them as they are", [](S& s) -> bool& { return s.standardise; },
          false)),
  };
}

std::vector<Setting> kernel_rows() {
  const Setting gram{
      kKernel,
      "gram",
      "FILE",
      "the matrix of similarities, a row a line; means --kernel gram: bags of one feature, the "
      "number of a row from 0",
      [](S& s, const std::string& text) { s.kernel.gram_file = text; },
      [](const S& s) { return s.kernel.gram_file; }};
  return {
      word_row<KernelKind>(
          kKernel, "kernel",
          "bags and series: gaussian, linear, polynomial, laplacian; series: dtw, gak (both align); "
          "sequences: spectrum, mismatch, subsequence; bags: gram. Sequences meet mismatch in place of "
          "gaussian",
          [](S& s) -> KernelKind& { return s.kernel.kind; }, parse_given_kernel),
      kernel_only(
          number_row<double>(
              kKernel, "sigma",
              "gaussian, laplacian, dtw, gak: exp(-sigma distance); above 0, or auto: from --sigma-scale",
              [](S& s) -> double& { return s.kernel.sigma; }, "auto"),
          has_sigma),
      kernel_only(numbers_row(kKernel, "sigma-scale", "sigma times the median distance of the data: above 0",
                              &S::sigma_scales),
                  has_sigma),
      kernel_only(number_row<double>(kKernel, "c", "polynomial, (x.z + c)^degree: at least 0",
                                     [](S& s) -> double& { return s.kernel.c; }),
                  is<KernelKind::polynomial>),
      kernel_only(
          number_row<int>(kKernel, "degree", "polynomial: 1 to 10", [](S& s) -> int& { return s.kernel.p; }),
          is<KernelKind::polynomial>),
      kernel_only(
          series_only(number_row<double>(
              kKernel, "band", "dtw, gak: how far an alignment may stray, as a share of the window: 0 to 1",
              [](S& s) -> double& { return s.kernel.band; })),
          has_band),
      kernel_only(
          sequences_only(number_row<int>(
              kKernel, "k",
              "spectrum, mismatch, subsequence: symbols compared at a time, 1 to 8; auto: 5 for mismatch, "
              "else 3, in a committee also one more or less",
              [](S& s) -> int& { return s.kernel.k; }, "auto")),
          compares_strings),
      kernel_only(sequences_only(number_row<int>(kKernel, "mismatches",
                                                 "mismatch: symbols of the k that may differ: 0 to k - 1",
                                                 [](S& s) -> int& { return s.kernel.mismatches; })),
                  is<KernelKind::mismatch>),
      kernel_only(
          sequences_only(number_row<double>(
              kKernel, "lambda",
              "subsequence: factor for every symbol that a common subsequence spans, above 0 and up to 1",
              [](S& s) -> double& { return s.kernel.lambda; })),
          is<KernelKind::subsequence>),
      gram,
  };
}

std::vector<Setting> method_rows() {
  return {
      word_row<Method>(
          kMethod, "method",
          "boost (boosted patterns) or, to compare with: mi-svm, MI-svm (support vector machines of "
          "instances, one view) or l1-svm (1-norm machine of all candidates)",
          [](S& s) -> Method& { return s.method; }, parse<Method>),
      method_only(
          number_row<double>(kMethod, "C",
                             "the support vector machines' cost of a unit short of the margin: above 0; the "
                             "larger, the closer to the training data",
                             [](S& s) -> double& { return s.C; }),
          [](Method method) { return method != Method::boost; }),
  };
}

std::vector<Setting> boosting_rows() {
  const Setting views{
      kBoosting,
      "views",
      "WHICH",
      "what each member looks at: grid (every combination of the lists above) or random:K (K drawn "
      "anew); auto: random:1 for a committee, else grid. Where other options speak of a committee, random "
      "views are meant",
      [](S& s, const std::string& text) { s.views = ViewChoice::parse(text); },
      [](const S& s) { return s.views.text(); }};
  const Setting strategy{
      kBoosting,
      "strategy",
      "KIND",
      "for more than two classes: ovr (each against the rest) or ovo (each against each; auto)",
      [](S& s, const std::string& text) {
        if (text == "auto") {
          s.strategy.reset();
        } else {
          s.strategy = parse<Strategy>(text);
        }
      },
      [](const S& s) { return s.strategy ? std::string(to_string(*s.strategy)) : std::string("auto"); }};
  const Setting candidates{
      kBoosting,
      "candidates",
      "WHICH",
      "instances that may form a pattern: all, sample:N (N drawn at random) or kmeans:K (K cluster centres a "
      "class); auto: 10 an example, 200 to 1000 in all, for a committee, else all",
      [](S& s, const std::string& text) {
        if (text == "auto") {
          s.candidates.reset();
        } else {
          s.candidates = Candidates::parse(text);
        }
      },
      [](const S& s) { return s.candidates ? s.candidates->text() : std::string("auto"); }};
  const Setting member_bags{
      kBoosting,
      "member-bags",
      "N",
      "most examples that each member trains on, drawn anew: all or N; auto: 500 for a "
      "committee, else all",
      [](S& s, const std::string& text) {
        if (text == "auto") {
          s.member_bags.reset();
        } else {
          s.member_bags = text == "all" ? 0 : parse_value<std::int64_t>("member-bags", text);
        }
      },
      [](const S& s) {
        if (!s.member_bags) return std::string("auto");
        return *s.member_bags == 0 ? std::string("all") : std::to_string(*s.member_bags);
      }};
  const Setting class_weights{
      kBoosting,
      "class-weights",
      "WHICH",
      "how much an example counts: uniform (all the same), balanced (both classes the same in all) or "
      "LABEL=W,LABEL=W (1 for a label not named)",
      [](S& s, const std::string& text) { s.class_weights = ClassWeights::parse(text); },
      [](const S& s) { return s.class_weights.text(); }};
  return {
      number_row<int>(
          kBoosting, "members",
          "models that are averaged; 1: a single one, easy to read; auto: 100, but 1 with --views grid, "
          "--gram "
          "or another method",
          [](S& s) -> int& { return s.members; }, "auto"),
      views,
      strategy,
      boosting_only(word_row<Weak>(
          kBoosting, "weak",
          "weak learning over sparse patterns (few instances each) or over the ball of all patterns; where "
          "nothing is refined (--refine) they differ in the norm of single instances alone",
          [](S& s) -> Weak& { return s.weak; }, parse<Weak>)),
      pricing_only(candidates),
      member_bags,
      boosting_only(word_row<Refine>(
          kBoosting, "refine",
          "combine instances to better patterns: yes or no; auto: yes for a single model",
          [](S& s) -> Refine& { return s.refine; }, parse<Refine>)),
      pricing_only(switch_row(
          kBoosting, "signed", "a pattern may mark either class", [](S& s) -> bool& { return s.one_sided; },
          false)),
      pricing_only(switch_row(
          kBoosting, "one-sided", "patterns mark the second class only",
          [](S& s) -> bool& { return s.one_sided; }, true)),
      boosting_only(switch_row(
          kBoosting, "mirrored", "with --one-sided: what is found may count against the class as well",
          [](S& s) -> bool& { return s.mirrored; }, true)),
      boosting_only(number_row<double>(
          kBoosting, "nu",
          "share of the examples that may fall short of the margin: above 0, at most 1; auto: 0.2, "
          "for committees 0.1",
          [](S& s) -> double& { return s.nu; }, "auto")),
      class_weights,
      pricing_only(switch_row(
          kBoosting, "offset", "the classifier has an offset b", [](S& s) -> bool& { return s.offset; },
          true)),
      pricing_only(switch_row(
          kBoosting, "no-offset", "it has none", [](S& s) -> bool& { return s.offset; }, false)),
      boosting_only(switch_row(
          kBoosting, "offset-last",
          "seek patterns without an offset, then solve for the weights anew with one",
          [](S& s) -> bool& { return s.offset_last; }, true)),
      boosting_only(number_row<double>(
          kBoosting, "gap", "stop when no pattern beats the margin by more than this share: at least 0",
          [](S& s) -> double& { return s.gap; })),
      boosting_only(number_row<int>(kBoosting, "stall",
                                    "stop when so many rounds together raise the margin by less than --gap, "
                                    "30 times as many while it is "
                                    "not above 0: 0 (never) or more",
                                    [](S& s) -> int& { return s.stall_rounds; })),
      number_row<int>(kBoosting, "rounds", "stop after so many rounds: at least 1",
                      [](S& s) -> int& { return s.max_rounds; }),
      number_row<std::uint64_t>(kBoosting, "seed", "of everything random: 0 or above",
                                [](S& s) -> std::uint64_t& { return s.seed; }),
  };
}

std::vector<Setting> running_rows() {
  Setting threads = number_row<int>(
      kRunning, "threads", "threads, or auto: one for each of the processor's",
      [](S& s) -> int& { return s.threads; }, "auto");
  Setting memory{kRunning,
                 "memory",
                 "SIZE",
                 "bound on tables and caches, as 256M or 2G (default a quarter of the memory)",
                 [](S& s, const std::string& text) { s.memory = parse_bytes(text); },
                 [](const S&) { return ""; }};
  threads.makes_model = memory.makes_model = false;
  return {threads, memory};
}

}  // namespace

const std::vector<Setting>& settings_table() {
  static const std::vector<Setting> kRows = [] {
    std::vector<Setting> rows;
    for (const auto& group :
         {pattern_rows(), kernel_rows(), method_rows(), boosting_rows(), running_rows()}) {
      rows.insert(rows.end(), group.begin(), group.end());
    }
    return rows;
  }();
  return kRows;
}

}  // namespace shapeboost

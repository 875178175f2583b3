// SPDX-License-Identifier: MIT
#include "train/settings.hpp"

#include <algorithm>

#include "train/setting_rows.hpp"

namespace shapeboost {
namespace {

using namespace detail;  // the kinds of rows
using B = BoosterSettings;
using L = BaselineSettings;
using K = KernelSettings;

// What a row is of use to.

Setting series_only(Setting setting) {
  setting.for_bags = setting.for_sequences = false;
  return setting;
}
/// Features of bags, channels of series.
Setting numbers_only(Setting setting) {
  setting.for_sequences = false;
  return setting;
}
/// Whether of numbers or of symbols.
Setting windows_only(Setting setting) {
  setting.for_bags = false;
  return setting;
}
Setting bags_only(Setting setting) {
  setting.for_series = setting.for_sequences = false;
  return setting;
}
Setting sequences_only(Setting setting) {
  setting.for_series = setting.for_bags = false;
  return setting;
}
Setting kernel_only(bool (*kernel)(KernelKind), Setting setting) {
  setting.for_kernel = kernel;
  return setting;
}
template <KernelKind Kind>
bool is(KernelKind kind) {
  return kind == Kind;
}
Setting boosting_only(Setting setting) {
  setting.for_method = [](Method method) { return method == Method::boost; };
  return setting;
}
Setting baselines_only(Setting setting) {
  setting.for_method = [](Method method) { return method != Method::boost; };
  return setting;
}
/// Methods that price candidates.
Setting pricing_only(Setting setting) {
  setting.for_method = [](Method method) { return !is_instance_svm(method); };
  return setting;
}

/// "3", "1+3" (side by side), "joint" (all of them).
std::vector<int> parse_channels(const std::string& text) {
  std::vector<int> channels;
  if (text == "joint") return channels;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('+', begin);
    const int channel =
        parse_value<int>("channels", text.substr(begin, end == std::string::npos ? end : end - begin));
    if (channel < 1) fail_value("channels", "numbers from 1 or joint", text);
    channels.push_back(channel - 1);
  }
  std::ranges::sort(channels);
  if (std::ranges::adjacent_find(channels) != channels.end())
    fail_value("channels", "each number once", text);
  return channels;
}
std::string show_channels(const std::vector<int>& channels) {
  if (channels.empty()) return "joint";
  std::string text;
  for (const int channel : channels) text += (text.empty() ? "" : "+") + std::to_string(channel + 1);
  return text;
}

std::vector<Setting> pattern_rows() {
  return {
      windows_only(
          list_row<&S::lengths>("lengths",
                                "window lengths of series and sequences: shares of the median one up to 1, "
                                "numbers of values or symbols above")),
      series_only(
          list_row<&S::normalisations>("normalisation", "of each window, one or more of raw, centred, z")),
      series_only(list_row<&S::dilations>("dilation", "a window takes every so many-th value: 1 or above")),
      series_only(list_row<&S::transforms>(
          "transform", "what windows are cut from, one or more of none (the series), differences, spectrum")),
      series_only(number_row<&S::rate>(
          "rate", "values a second: what is found in spectra is then told in Hz; auto: not known", "auto")),
      series_only(optional_row<&S::missing>(
          "missing", "KIND",
          "windows over missing values: skip (left out) or fill (a straight line between the values around "
          "a gap); auto: fill under a ridge head, else skip",
          parse<Missing>, shown<Missing>)),
      series_only(list_row<&S::channels>(
          "channels",
          "windows of these channels, counted from 1; of several side by side: 1+3, of all: joint",
          parse_channels, show_channels)),
      windows_only(
          list_row<&S::taus>("tau",
                             "how much the place counts: times exp(-tau d^2), d the distance as a share of "
                             "the series; 0: not at all")),
      numbers_only(switch_row<&S::standardise>(
          "standardise",
          "bring features of bags, and channels side by side, to mean 0, deviation 1 over the training data",
          true)),
      numbers_only(switch_row<&S::standardise>("no-standardise", "take them as they are", false)),
      bags_only(list_row<&S::scalings>(
          "scaling",
          "of the features of bags, one or more of plain (as --standardise says), rank (by how many training "
          "numbers are smaller), log (counts of many sizes); auto: plain, of a committee also rank where "
          "outliers are many, log where most numbers are 0")),
      bags_only(list_row<&S::aspects>("aspect",
                                      "what is seen of an instance, one or more of whole, direction (its "
                                      "numbers brought to length 1), size "
                                      "(the logarithm of their length); auto: whole, of a committee also "
                                      "direction and, where most numbers "
                                      "are 0, size")),
  };
}

/// A function of the caller's cannot be written on a command line.
Setting kernel_row() {
  Setting kernel = choice_row<&S::kernel, &K::kind>(
      "kernel",
      "bags and series: gaussian, linear, polynomial, laplacian; series: dtw, gak (both align); "
      "sequences: spectrum, mismatch, subsequence; bags: gram. Sequences meet mismatch in place of "
      "gaussian");
  kernel.set = [](S& s, const std::string& text) {
    const KernelKind kind = parse<KernelKind>(text);
    if (kind == KernelKind::custom) {
      throw InvalidInput("kernel: custom takes a function, which only the library can be given");
    }
    s.kernel.kind = kind;
  };
  return kernel;
}

std::vector<Setting> kernel_rows() {
  const Setting gram = row(
      "gram", "FILE",
      "the matrix of similarities, a row a line; means --kernel gram: bags of one feature, the "
      "number of a row from 0",
      [](S& s, const std::string& text) { s.kernel.gram_file = text; },
      [](const S& s) { return s.kernel.gram_file; });
  return {
      kernel_row(),
      kernel_only(has_sigma,
                  number_row<&S::kernel, &K::sigma>(
                      "sigma",
                      "gaussian, laplacian, dtw, gak: exp(-sigma distance); above 0, or auto: from "
                      "--sigma-scale",
                      "auto")),
      kernel_only(has_sigma, list_row<&S::sigma_scales>(
                                 "sigma-scale", "sigma times the median distance of the data: above 0")),
      kernel_only(is<KernelKind::polynomial>,
                  number_row<&S::kernel, &K::c>("c", "polynomial, (x.z + c)^degree: at least 0")),
      kernel_only(is<KernelKind::polynomial>, number_row<&S::kernel, &K::p>("degree", "polynomial: 1 to 10")),
      kernel_only(has_band,
                  series_only(number_row<&S::kernel, &K::band>(
                      "band", "dtw, gak: how far an alignment may stray, as a share of the window: 0 to 1"))),
      kernel_only(compares_strings,
                  sequences_only(number_row<&S::kernel, &K::k>(
                      "k",
                      "spectrum, mismatch, subsequence: symbols compared at a time, 1 to 8; auto: 5 for "
                      "mismatch, else 3, in a committee also one more or less",
                      "auto"))),
      kernel_only(is<KernelKind::mismatch>,
                  sequences_only(number_row<&S::kernel, &K::mismatches>(
                      "mismatches", "mismatch: symbols of the k that may differ: 0 to k - 1"))),
      kernel_only(
          is<KernelKind::subsequence>,
          sequences_only(number_row<&S::kernel, &K::lambda>(
              "lambda",
              "subsequence: factor for every symbol that a common subsequence spans, above 0 and up to 1"))),
      gram,
  };
}

std::vector<Setting> method_rows() {
  return {
      choice_row<&S::method>(
          "method",
          "boost (boosted patterns) or, to compare with: mi-svm, MI-svm (support vector machines of "
          "instances, one view) or l1-svm (1-norm machine of all candidates)"),
      baselines_only(number_row<&S::baseline, &L::C>(
          "C",
          "the support vector machines' cost of a unit short of the margin: above 0; the "
          "larger, the closer to the training data")),
  };
}

/// What a model consists of: members, their views, examples and candidates.
std::vector<Setting> member_rows() {
  return {
      number_row<&S::members>("members",
                              "of a committee: each looks at the data in its own way; 1: a single model, "
                              "easy to read; auto: 150 under a ridge head, 200 from 4000 examples on, "
                              "else 100, but 1 "
                              "with --views grid, --gram or another method",
                              "auto"),
      boosting_only(choice_row<&S::head>(
          "head",
          "how members' patterns become one model: ridge (regression over the evidence of all, all "
          "classes at once), average (of the members) or, of bags, both (added); auto: for committees under "
          "the gaussian kernel ridge of series, both of bags")),
      boosting_only(number_row<&S::patterns>("patterns",
                                             "most patterns of a ridge head: those that it would miss most; "
                                             "auto: 50 a member, at most 10000, of bags 4000; given, the "
                                             "head of bags is ridge",
                                             "auto")),
      boosting_only(list_row<&S::evidence>(
          "evidence",
          "what a ridge head weighs of each pattern: best (its best match), share (how much of the example "
          "matches), of series and sequences place (where the best match lies), of bags mean and least (of "
          "all "
          "its matches); auto: all")),
      series_only(switch_row<&S::intervals>(
          "intervals",
          "a ridge head may weigh level, spread and slope of halves, quarters, ... of a series beside the "
          "patterns, where examples left out say that it pays; not with --patterns, --evidence, --transform "
          "or --channels",
          true)),
      series_only(switch_row<&S::intervals>("no-intervals", "it weighs patterns only", false)),
      text_row<&S::views>(
          "views",
          "what each member looks at: grid (every combination of the lists above) or random:K (K drawn "
          "anew); auto: random:1 for a committee, else grid. Where other options speak of a committee, "
          "random views are meant"),
      optional_row<&S::strategy>("strategy", "KIND",
                                 "for more than two classes, where no ridge head weighs all at once: ovr "
                                 "(each against the rest) or ovo (each "
                                 "against each; auto)",
                                 parse<Strategy>, shown<Strategy>),
      boosting_only(choice_row<&S::boosting, &B::weak>(
          "weak",
          "weak learning over sparse patterns (few instances each) or over the ball of all patterns; where "
          "nothing is refined (--refine) they differ in the norm of single instances alone")),
      pricing_only(optional_row<&S::candidates>(
          "candidates", "WHICH",
          "instances that may form a pattern: all, sample:N (N drawn at random) or kmeans:K (K cluster "
          "centres a class); auto: all for a single model, of series as many as --member-bags under a ridge "
          "head, else 10 an example, 200 to 1000 in all",
          Candidates::parse, [](const Candidates& candidates) { return candidates.text(); })),
      optional_row<&S::member_bags>(
          "member-bags", "N",
          "most examples that each member trains on, drawn anew: all or N; auto: all for a single model, of "
          "series 120 under a ridge head, 4 a class or one in 16 (at most 500) if these are more, of bags 70 "
          "% beside one but at most "
          "500, "
          "else 500",
          [](const std::string& text) {
            return text == "all" ? 0 : parse_value<std::int64_t>("member-bags", text);
          },
          [](std::int64_t bags) { return bags == 0 ? "all" : std::to_string(bags); }),
  };
}

/// The program that a member solves, and when it stops.
std::vector<Setting> boosting_rows() {
  return {
      boosting_only(choice_row<&S::boosting, &B::refine>(
          "refine", "combine instances to better patterns: yes or no; auto: yes for a single model")),
      pricing_only(shared_switch_row<&B::one_sided, &L::one_sided>("signed",
                                                                   "a pattern may mark either class", false)),
      pricing_only(shared_switch_row<&B::one_sided, &L::one_sided>(
          "one-sided", "patterns mark the second class only", true)),
      boosting_only(switch_row<&S::boosting, &B::mirrored>(
          "mirrored", "with --one-sided: what is found may count against the class as well", true)),
      boosting_only(number_row<&S::boosting, &B::nu>(
          "nu",
          "share of the examples that may fall short of the margin: above 0, at most 1; auto: 0.2, "
          "for committees 0.1, for a single model of 500 examples or more by the share that quick models get "
          "wrong which have not seen them",
          "auto")),
      text_row<&S::class_weights>(
          "class-weights",
          "how much an example counts: uniform (all the same), balanced (both classes the same in all) or "
          "LABEL=W,LABEL=W (1 for a label not named)"),
      choice_row<&S::optimise>(
          "optimise",
          "what the threshold between classes serves: accuracy (as trained), balanced (the mean recall of "
          "the "
          "classes) or f1 (their mean F1), by examples that models had not seen: for rare classes"),
      pricing_only(
          shared_switch_row<&B::offset, &L::offset>("offset", "the classifier has an offset b", true)),
      pricing_only(shared_switch_row<&B::offset, &L::offset>("no-offset", "it has none", false)),
      boosting_only(switch_row<&S::boosting, &B::offset_last>(
          "offset-last", "seek patterns without an offset, then solve for the weights anew with one", true)),
      boosting_only(number_row<&S::boosting, &B::gap>(
          "gap", "stop when no pattern beats the margin by more than this share: at least 0")),
      boosting_only(number_row<&S::boosting, &B::stall_rounds>(
          "stall",
          "stop when so many rounds together raise the margin by less than --gap, "
          "30 times as many while it is not above 0: 0 (never) or more")),
      shared_number_row<&B::max_rounds, &L::max_rounds>("rounds", "stop after so many rounds: at least 1"),
      number_row<&S::seed>("seed", "of everything random: 0 or above"),
  };
}

std::vector<Setting> running_rows() {
  const Setting memory = row(
      "memory", "SIZE", "bound on tables and caches, as 256M or 2G (default a quarter of the memory)",
      [](S& s, const std::string& text) { s.memory = parse_bytes(text); }, [](const S&) { return ""; });
  std::vector<Setting> rows{
      number_row<&S::threads>("threads", "threads, or auto: one for each of the processor's", "auto"),
      memory};
  for (Setting& each : rows) each.makes_model = false;
  return rows;
}

}  // namespace

const std::vector<Setting>& settings_table() {
  static const std::vector<Setting> kRows = [] {
    std::vector<Setting> rows;
    const auto add = [&](const char* group, std::vector<Setting> more) {
      for (Setting& each : more) {
        each.group = group;
        rows.push_back(std::move(each));
      }
    };
    add("What a pattern is", pattern_rows());
    add("How alike two pieces are", kernel_rows());
    add("How a model is trained", method_rows());
    add("How patterns are boosted", member_rows());
    add("How patterns are boosted", boosting_rows());
    add(kRunning, running_rows());
    return rows;
  }();
  return kRows;
}

}  // namespace shapeboost

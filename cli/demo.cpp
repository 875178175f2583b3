// SPDX-License-Identifier: MIT
// Data with known answers, a training, and whether the answers were found.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "ground/file.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/evaluation.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/report.hpp"
#include "shapeboost/synthetic.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kTestExamples = 200;
constexpr double kNoise = 0.4;      // enough that one pattern alone is not the best answer
constexpr std::size_t kTold = 3;    // hypotheses told for each class
constexpr double kAlike = 0.8;      // correlation from which two shapes are one
constexpr double kSamePlace = 0.5;  // share of the shorter that must lie in the longer

struct DemoOptions {
  std::string out = "shapeboost-demo";
  TrainSettings settings;
  bool json = false;
};

double correlation(const double* a, const double* b, std::size_t n) {
  double mean_a = 0.0;
  double mean_b = 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    mean_a += a[t] / static_cast<double>(n);
    mean_b += b[t] / static_cast<double>(n);
  }
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    ab += (a[t] - mean_a) * (b[t] - mean_b);
    aa += (a[t] - mean_a) * (a[t] - mean_a);
    bb += (b[t] - mean_b) * (b[t] - mean_b);
  }
  return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
}

/// The largest correlation over all alignments that share enough of the shorter.
double best_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n_a = static_cast<std::int64_t>(a.size());
  const auto n_b = static_cast<std::int64_t>(b.size());
  const std::int64_t least = (std::min(n_a, n_b) + 1) / 2;
  double best = 0.0;
  for (std::int64_t shift = least - n_b; shift <= n_a - least; ++shift) {  // b[0] lies on a[shift]
    const std::int64_t begin = std::max<std::int64_t>(0, shift);
    const std::int64_t end = std::min(n_a, shift + n_b);
    const double r =
        correlation(a.data() + begin, b.data() + begin - shift, static_cast<std::size_t>(end - begin));
    best = std::max(best, r);
  }
  return best;
}

/// Whether the instance was cut where the pattern had been planted.
bool same_place(const Instance& instance, const Planted& planted) {
  if (instance.example < 0) return false;
  const std::int64_t begin = planted.positions[static_cast<std::size_t>(instance.example)];
  if (begin < 0) return false;
  const auto pattern = static_cast<std::int64_t>(planted.values.size());
  const auto window = static_cast<std::int64_t>(instance.values.size());
  const std::int64_t common =
      std::min(begin + pattern, instance.position + window) - std::max(begin, instance.position);
  return static_cast<double>(common) >= kSamePlace * static_cast<double>(std::min(pattern, window));
}

/// What a hypothesis found, against what had been planted.
struct Finding {
  std::size_t planted = 0;  // the most similar pattern
  double correlation = 0.0;
  bool is_it = false;  // alike, in the same place, and speaking for the right class
};

Finding compare(const Model& model, const HypothesisSummary& summary, const Instance& instance,
                const std::vector<Planted>& planted) {
  Finding best;
  for (std::size_t k = 0; k < planted.size(); ++k) {
    Finding finding{k, best_correlation(instance.values, planted[k].values), false};
    const bool alike = finding.correlation > kAlike && same_place(instance, planted[k]);
    finding.is_it =
        alike && model.classes[static_cast<std::size_t>(summary.uses.front().speaks_for)] == planted[k].label;
    const bool better = finding.is_it != best.is_it ? finding.is_it : finding.correlation > best.correlation;
    if (better) best = finding;
  }
  return best;
}

std::string tell(const HypothesisSummary& summary, const Instance& instance, const Finding& finding,
                 const std::vector<Planted>& planted) {
  const Planted& pattern = planted[finding.planted];
  const auto last = instance.position + summary.length;
  const std::string place = ", cut from series " + std::to_string(instance.example + 1) + " at " +
                            std::to_string(instance.position + 1) + "-" + std::to_string(last);
  if (finding.is_it) {
    return (instance.values.size() < pattern.values.size() ? "part of the planted " : "the planted ") +
           pattern.name + ", correlation " + fixed(finding.correlation, 2) + place;
  }
  if (finding.correlation > kAlike) return "like the " + pattern.name + ", but not a planted one" + place;
  return "not a planted pattern" + place;
}

/// "the planted bump", for the hypotheses that are one.
std::vector<Remark> remarks_on(const Model& model, const std::vector<HypothesisSummary>& summaries,
                               const std::vector<Finding>& findings, const std::vector<Planted>& planted) {
  std::vector<Remark> remarks;
  for (std::size_t j = 0; j < findings.size(); ++j) {
    if (!findings[j].is_it) continue;
    const Planted& pattern = planted[findings[j].planted];
    const Instance& instance = model.hypotheses[j].shapelet.instances[summaries[j].main];
    const bool part = instance.values.size() < pattern.values.size();
    remarks.push_back({static_cast<int>(j), (part ? "part of the planted " : "the planted ") + pattern.name});
  }
  return remarks;
}

/// What had been planted, and that the cards say which were found.
std::string remark_on(const std::vector<Planted>& planted, const std::vector<bool>& found) {
  std::string text = "Made-up data with known answers. Planted were ";
  for (std::size_t k = 0; k < planted.size(); ++k) {
    text += (k == 0                    ? ""
             : k + 1 == planted.size() ? " and "
                                       : ", ") +
            ("a " + planted[k].name) + " in each series of class " + planted[k].label;
  }
  return text + "; the model found " + std::to_string(std::count(found.begin(), found.end(), true)) + " of " +
         std::to_string(found.size()) + ", and its patterns below say which they are.";
}

std::string describe_planted(const std::vector<Planted>& planted) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(planted.size());
  for (const Planted& pattern : planted) {
    rows.push_back({pattern.name, sparkline(pattern.values, kDrawing),
                    grouped(static_cast<std::int64_t>(pattern.values.size())) +
                        " values, somewhere in each series of class '" + pattern.label + "'"});
  }
  return aligned(rows, "lll", "  ");
}

/// What is known at the end.
struct DemoResult {
  TrainingResult training;
  Evaluation evaluation;
  std::vector<HypothesisSummary> summaries;
  std::vector<Finding> findings;  // one a hypothesis
  std::vector<bool> found;        // one a planted pattern
  double seconds = 0.0;
};

std::string path_in(const DemoOptions& options, const char* name) {
  return (fs::path(options.out) / name).string();
}

SyntheticData make_data(const DemoOptions& options) {
  std::error_code refused;
  if (fs::exists(options.out, refused) && !fs::is_directory(options.out, refused)) {
    throw InvalidInput("--out: expected a folder, found the file " + options.out);
  }
  fs::create_directories(options.out, refused);
  if (refused) throw InvalidInput("cannot make the folder " + options.out + ": " + refused.message());
  SyntheticSettings settings;
  settings.seed = options.settings.seed;
  settings.noise = kNoise;
  SyntheticData source = planted_series(settings);
  settings.examples = kTestExamples;
  settings.seed += 1;
  write_dataset(source.data, path_in(options, "train.tsv"), Format::ucr);
  write_dataset(planted_series(settings).data, path_in(options, "test.tsv"), Format::ucr);
  return source;
}

/// As any user would: from the files.
DemoResult learn(const DemoOptions& options, const std::vector<Planted>& planted) {
  const Dataset train_data = read_dataset(path_in(options, "train.tsv"));
  const Dataset test_data = read_dataset(path_in(options, "test.tsv"));
  DemoResult result;
  const Stopwatch clock;
  {
    Progress progress(!options.json);
    Observer observer;
    observer.round = [&](const RoundRecord& record) { progress.show(record); };
    result.training = train(train_data, options.settings, observer);
  }
  result.seconds = clock.seconds();
  Model& model = result.training.model;
  model.provenance.settings = settings_text(options.settings);
  save_model(model, path_in(options, "model.json"));
  const Scores score = scores(model, test_data, options.settings.threads);
  write_file(path_in(options, "predictions.csv"), predictions_csv(model, test_data, score));
  result.evaluation = evaluate(model, test_data, options.settings.threads);

  result.found.assign(planted.size(), false);
  result.summaries = summarise(model);
  for (std::size_t j = 0; j < result.summaries.size(); ++j) {
    const Instance& instance = model.hypotheses[j].shapelet.instances[result.summaries[j].main];
    result.findings.push_back(compare(model, result.summaries[j], instance, planted));
    if (result.findings[j].is_it) result.found[result.findings[j].planted] = true;
  }
  ReportSettings page;
  page.model_path = path_in(options, "model.json");
  page.threads = options.settings.threads;
  page.remark = remark_on(planted, result.found);
  page.hypothesis_remarks = remarks_on(model, result.summaries, result.findings, planted);
  if (has_report_page()) write_file(path_in(options, "report.html"), report_html(model, test_data, page));
  return result;
}

/// The heaviest hypotheses that speak for one class.
std::string tell_class(const DemoResult& result, const std::vector<Planted>& planted, int label) {
  const Model& model = result.training.model;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t j = 0; j < result.summaries.size() && rows.size() < kTold; ++j) {
    const HypothesisSummary& summary = result.summaries[j];
    if (summary.uses.front().speaks_for != label) continue;
    const Instance& instance = model.hypotheses[j].shapelet.instances[summary.main];
    rows.push_back({fixed(summary.w, 3), sparkline(instance.values, kDrawing),
                    tell(summary, instance, result.findings[j], planted)});
  }
  const std::string& name = model.classes[static_cast<std::size_t>(label)];
  if (rows.empty())
    return "No pattern speaks for '" + name + "': what lacks the others' patterns is '" + name + "'.\n";
  return "Speaking for '" + name + "', by weight:\n" + aligned(rows, "rll", "  ");
}

std::string report(const DemoOptions& options, const DemoResult& result,
                   const std::vector<Planted>& planted) {
  return "Trained in " + fixed(result.seconds, 2) +
         " s: " + counted(static_cast<std::int64_t>(result.summaries.size()), "hypothesis") + ".\n\n" +
         tell_class(result, planted, 0) + tell_class(result, planted, 1) + "\nOn " +
         counted(result.evaluation.n, "series") + " not seen in training, " +
         fixed(100.0 * result.evaluation.accuracy, 1) + " % of the answers are right.\n" + "In " +
         options.out + ": train.tsv, test.tsv, model.json, predictions.csv, report.html\n\nfound " +
         std::to_string(std::count(result.found.begin(), result.found.end(), true)) + " of " +
         std::to_string(result.found.size()) + " planted patterns\n" +
         (has_report_page()
              ? "see them in " + fs::absolute(path_in(options, "report.html")).lexically_normal().string() +
                    ", in any browser\n"
              : "");
}

std::string demo_json(const DemoOptions& options, const DemoResult& result,
                      const std::vector<Planted>& planted) {
  nlohmann::ordered_json patterns = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < planted.size(); ++k) {
    patterns.push_back(
        {{"name", planted[k].name}, {"class", planted[k].label}, {"found", bool{result.found[k]}}});
  }
  const nlohmann::ordered_json json{
      {"folder", options.out},
      {"report", has_report_page() ? nlohmann::ordered_json(path_in(options, "report.html")) : nullptr},
      {"planted", planted.size()},
      {"found", std::count(result.found.begin(), result.found.end(), true)},
      {"patterns", patterns},
      {"hypotheses", result.summaries.size()},
      {"accuracy", result.evaluation.accuracy},
      {"seconds", result.seconds},
  };
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void demo(const DemoOptions& options) {
  const SyntheticData source = make_data(options);
  if (!options.json) {
    print("Planted in " + counted(source.data.size(), "series") + " of " + grouped(source.data.min_length()) +
          " values, among noise and one slow wave each:\n" + describe_planted(source.planted) + '\n');
  }
  const DemoResult result = learn(options, source.planted);
  print(options.json ? demo_json(options, result, source.planted) : report(options, result, source.planted));
}

}  // namespace

Command demo_command(CLI::App& app) {
  const auto options = std::make_shared<DemoOptions>();
  options->settings.memory = default_memory();
  options->settings.members = 1;  // few patterns of large weight: easy to read
  CLI::App* sub =
      app.add_subcommand("demo", "Plant patterns in made-up series, train, and see whether they are found.");
  sub->add_option("--out", options->out,
                  "folder for data, model, predictions and report (default " + options->out + ")")
      ->type_name("DIR");
  sub->add_flag("--json", options->json, "print one JSON object");
  add_settings(*sub, options->settings, {"--seed", "--threads"});
  sub->footer("Example:\n  shapeboost demo --out my-demo --seed 7");
  return {sub, [options] { demo(*options); }};
}

}  // namespace shapeboost::cli

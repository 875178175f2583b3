// SPDX-License-Identifier: MIT
#include "sets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

#include "ground/file.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/version.hpp"
#include "tell/metrics.hpp"
#include "train/trainer.hpp"

namespace shapeboost::bench {
namespace {

struct Entry {
  const char* name;
  double paper_accuracy;
  std::int64_t train;
  std::int64_t test;
  std::int64_t length;
};

constexpr Entry kSets[] = {
    {"Coffee", 1.000, 28, 28, 286},
    {"ECG200", 0.877, 100, 100, 96},
    {"ECGFiveDays", 1.000, 23, 861, 136},
    {"GunPoint", 0.976, 50, 150, 150},
    {"ItalyPowerDemand", 0.932, 67, 1029, 24},
    {"MoteStrain", 0.754, 20, 1252, 84},
    {"ShapeletSim", 0.994, 20, 180, 500},
    {"SonyAIBORobotSurface1", 0.944, 20, 601, 70},
    {"SonyAIBORobotSurface2", 0.871, 27, 953, 65},
    {"ToeSegmentation1", 0.911, 40, 228, 277},
    {"ToeSegmentation2", 0.840, 36, 130, 343},
};

std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("SHAPEBOOST_DATA"); folder != nullptr) return folder;
  return std::filesystem::path(SHAPEBOOST_SOURCE_DIR).parent_path() / "shared" / "data";
}

Dataset generated(const Entry& entry, std::int64_t examples, std::uint64_t seed) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = entry.length;
  settings.seed = seed;
  return planted_series(settings).data;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

std::vector<PaperSet> paper_sets() {
  std::vector<PaperSet> sets;
  for (const Entry& entry : kSets) {
    PaperSet set;
    set.name = entry.name;
    set.paper_accuracy = entry.paper_accuracy;
    const std::filesystem::path stem = data_folder() / "ucr" / entry.name / entry.name;
    const std::string train = stem.string() + "_TRAIN.tsv";
    const std::string test = stem.string() + "_TEST.tsv";
    set.generated = !std::filesystem::exists(train) || !std::filesystem::exists(test);
    const auto seed = static_cast<std::uint64_t>(2 * sets.size());
    set.train = set.generated ? generated(entry, entry.train, seed + 1) : read_dataset(train);
    set.test = set.generated ? generated(entry, entry.test, seed + 2) : read_dataset(test);
    sets.push_back(std::move(set));
  }
  return sets;
}

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const Eigen::ArrayXd u = Eigen::Map<const Eigen::ArrayXd>(x.data(), n).log();
  const Eigen::ArrayXd v = Eigen::Map<const Eigen::ArrayXd>(y.data(), n).log();
  return ((u - u.mean()) * (v - v.mean())).sum() / (u - u.mean()).square().sum();
}

double test_accuracy(const Model& model, const Dataset& data) {
  return accuracy(confusion_matrix(labels_for(model, data), predictions(model, scores(model, data, 1)),
                                   static_cast<int>(model.classes.size())));
}

double soft_margin(const Model& model, const Dataset& data) {
  const Part& part = model.parts.front();
  const Vector g = mapped(scores(model, data, 1).parts);
  const std::vector<int> labels = labels_for(model, data);
  double xi = 0.0;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    xi += std::max(0.0, part.rho - (labels[static_cast<std::size_t>(i)] == 1 ? g[i] : -g[i]));
  }
  return part.rho - xi / std::max(1.0, part.nu * static_cast<double>(g.size()));
}

void write_results(int argc, char** argv, const nlohmann::json& results) {
  constexpr std::string_view kOption = "--benchmark_out=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument(argv[i]);
    if (!argument.starts_with(kOption)) continue;
    const nlohmann::json context{{"processor", processor()},
                                 {"hardware_threads", std::thread::hardware_concurrency()},
                                 {"compiler", __VERSION__},
                                 {"version", kVersion},
                                 {"threads_used", 1}};
    const nlohmann::json file{{"context", context}, {"results", results}};
    write_file(std::string(argument.substr(kOption.size())), file.dump(2) + "\n");
  }
}

}  // namespace shapeboost::bench

// SPDX-License-Identifier: MIT
#include "sets.hpp"

#include <cstdlib>
#include <filesystem>

#include "shapeboost/files.hpp"
#include "shapeboost/synthetic.hpp"

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

/// Its files are these, and _TRAIN.tsv or _TEST.tsv.
std::string stem_of(const std::string& name) { return (data_folder() / "ucr" / name / name).string(); }

}  // namespace

std::optional<Dataset> training_part(const std::string& name) {
  const std::string path = stem_of(name) + "_TRAIN.tsv";
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_dataset(path);
}

std::optional<Dataset> bags_of(const std::string& name) {
  const std::string path = (data_folder() / "mil" / (name + ".csv")).string();
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_dataset(path);
}

std::vector<PaperSet> paper_sets() {
  std::vector<PaperSet> sets;
  for (const Entry& entry : kSets) {
    PaperSet set;
    set.name = entry.name;
    set.paper_accuracy = entry.paper_accuracy;
    const std::string train = stem_of(entry.name) + "_TRAIN.tsv";
    const std::string test = stem_of(entry.name) + "_TEST.tsv";
    set.generated = !std::filesystem::exists(train) || !std::filesystem::exists(test);
    const auto seed = static_cast<std::uint64_t>(2 * sets.size());
    set.train = set.generated ? generated(entry, entry.train, seed + 1) : read_dataset(train);
    set.test = set.generated ? generated(entry, entry.test, seed + 2) : read_dataset(test);
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace shapeboost::bench

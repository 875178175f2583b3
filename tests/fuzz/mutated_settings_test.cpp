// SPDX-License-Identifier: MIT
// Settings, journals and whole command lines, changed at random but the same in every run.
#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "fuzz/mutation.hpp"
#include "fuzz/settings.hpp"
#include "ground/text.hpp"

namespace shapeboost::fuzz {
namespace {

constexpr std::string_view kTyped[] = {
    "nan",   "inf",         "-1",   "0",   "1e308",   "1e-320",     "99999999999999999999",
    ",",     ":",           "=",    "+",   "-",       "--",         " ",
    "\t",    "\n",          "'",    "\"",  "%s",      "\xff",       "\xF0\x9F\x98\x80",
    "auto",  "random:",     "grid", "all", "kmeans:", "1G",         "18446744073709551616",
    "a=1",   "ridge",       "dtw",  "z",   "0.1",     "2147483648", "{}",
    "[1,2]", "\"choice\":", "1,1,1"};

/// A name of every setting, each with a value that is good somewhere.
std::vector<std::string> good_lines() {
  const TrainSettings defaults;
  std::vector<std::string> lines;
  for (const Setting& setting : settings_table()) {
    const std::string name = setting.name;
    lines.push_back(setting.value == nullptr ? name : concat(name, '=', setting.show(defaults)));
    if (setting.value != nullptr) lines.push_back(name + "=1");
  }
  for (const char* line : {"lengths=0.1,0.2", "class-weights=a=2,b=1", "candidates=kmeans:10", "memory=1G",
                           "views=random:3", "channels=1+3,2", "optimise=f1", "kernel=gak", "nu=0.1,0.2",
                           "rate=50", "missing=fill", "evidence=best,bag", "transform=spectrum,none"}) {
    lines.emplace_back(line);
  }
  return lines;
}

TEST(MutatedSettings, AreTakenOrRefused) {
  const std::vector<std::string> lines = good_lines();
  bound_memory();
  Rng rng(8);
  for (std::int64_t k = 0, all = rounds(20'000); k < all && !HasFailure(); ++k) {
    std::string text;
    for (std::int64_t count = 1 + rng.below(4); count > 0; --count) text += any_of(lines, rng) + '\n';
    mutate(text, kTyped, rng);
    SCOPED_TRACE(concat("settings ", k, ": ", text));
    EXPECT_TRUE(accepted([&] { take_settings(text); }));
  }
}

TEST(MutatedSettings, OfJournalsToo) {
  const std::string path = testing::TempDir() + "/mutated_journal";
  bound_memory();
  Rng rng(9);
  std::int64_t read = 0;
  const std::int64_t all = rounds(1'000);
  for (std::int64_t k = 0; k < all && !HasFailure(); ++k) {
    std::string lines;
    for (std::int64_t cell = 0, count = rng.below(4); cell < count; ++cell) {
      lines += concat(R"({"choice":)", cell,
                      R"(,"repeat":0,"fold":1,"examples":3,"correct":2,"hypotheses":2})", '\n');
    }
    mutate(lines, kTyped, rng);
    SCOPED_TRACE(concat("journal ", k, ": ", lines));
    if (accepted([&] { (void)journal_cells(path, lines); })) ++read;
  }
  std::filesystem::remove(path);
  EXPECT_GT(read, all / 20) << "too few mutations leave a journal that can be read";
}

/// The data file is missing, so that commands end as soon as all of their words have been understood.
TEST(MutatedSettings, OfCommandLinesToo) {
  const std::vector<std::string> lines = good_lines();
  const std::vector<std::string> commands{"fit",  "tune",    "predict", "evaluate",  "explain", "report",
                                          "info", "convert", "--help",  "--version", "help",    "none"};
  const std::vector<std::string> others{
      "--model=m",         "--json",    "--index=1",     "--top=3",        "--format=ts",
      "--grid=nu=0.1,0.2", "--folds=3", "--probability", "--time-limit=1", "--out=o",
      "--instances",       "--quiet",   "--help",        "x.tsv",          "--"};
  bound_memory();
  Rng rng(10);
  for (std::int64_t k = 0, all = rounds(300); k < all && !HasFailure(); ++k) {
    std::vector<std::string> words{"shapeboost", any_of(commands, rng), "no such folder/x.tsv"};
    for (std::int64_t count = rng.below(6); count > 0; --count) {
      words.push_back(rng.below(2) == 0 ? "--" + any_of(lines, rng) : any_of(others, rng));
      if (rng.below(2) == 0) mutate(words.back(), kTyped, rng);
    }
    if (rng.below(8) == 0) mutate(words[1], kTyped, rng);
    std::vector<const char*> argv;
    std::string shown;
    for (const std::string& word : words) {
      argv.push_back(word.c_str());
      shown += word + ' ';
    }
    argv.push_back(nullptr);
    SCOPED_TRACE(concat("command ", k, ": ", shown));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = cli::run_program(static_cast<int>(words.size()), argv.data());
    const std::string told = testing::internal::GetCapturedStderr();
    const std::string printed = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(code == 0 || code == 2) << code << told;
    EXPECT_EQ(std::ranges::count(told, '\n'), code == 0 ? 0 : 1) << told;
    EXPECT_EQ(printed.empty(), code != 0) << printed;
  }
}

}  // namespace
}  // namespace shapeboost::fuzz

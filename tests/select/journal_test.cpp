// SPDX-License-Identifier: MIT
#include "select/journal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "ground/file.hpp"
#include "ground/numbers.hpp"
#include "shapeboost/selection.hpp"
#include "support/selections.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

namespace fs = std::filesystem;
using examples::choices_from;
using examples::committee;
using examples::noisy_series;
using examples::quick;
using examples::sentence;
using examples::three_classes;

/// A folder that goes away with the test.
class JournalTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("selection_journal_test_" + std::to_string(::getpid()) + "_" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    path_ = (folder_ / "journal").string();
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  fs::path folder_;
  std::string path_;
};

TEST_F(JournalTest, ResumesFromEveryPrefixWithTheSameAnswer) {
  const Dataset data = noisy_series();
  std::vector<Choice> choices = choices_from(committee());
  choices.resize(3);
  SelectionSettings settings = quick();
  settings.repeats = 1;
  const std::string head = journal_head(data, choices, settings);
  const auto go = [&] {
    Journal journal(path_, head);
    SelectionObserver observer;
    observer.cell = [&](const Cell& cell, const Model&) { journal.add(cell); };
    return select(data, choices, settings, journal.cells(), observer);
  };
  const Selection whole = go();
  const std::string text = read_file(path_);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  for (std::size_t length = 0; length <= text.size(); ++length) {
    put(text.substr(0, length));
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    const Journal journal(path_, head);
    ASSERT_EQ(journal.cells().size(), at(std::max<std::int64_t>(0, lines - 1)));
  }
  for (std::size_t length = 0; length <= text.size(); length += 41) {  // some torn, some not
    put(text.substr(0, length));
    const Selection resumed = go();
    EXPECT_EQ(resumed.cells, whole.cells) << length;
    EXPECT_EQ(results_csv(choices, resumed), results_csv(choices, whole));
    // One thread trains in order: the very same file.
    EXPECT_EQ(read_file(path_), text) << length;
  }
}

TEST_F(JournalTest, GoesAwayWithoutACell) {
  {
    const Journal journal(path_, "{\"journal\":1}");
    EXPECT_TRUE(fs::exists(path_));
  }
  EXPECT_FALSE(fs::exists(path_));
  {
    Journal journal(path_, "{\"journal\":1}");
    journal.add({});
  }
  EXPECT_TRUE(fs::exists(path_));
  Journal(path_, "{\"journal\":1}").remove();
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(JournalTest, OfAnotherRunIsRefusedAndKept) {
  const Dataset data = noisy_series();
  const std::vector<Choice> choices = choices_from(committee());
  const SelectionSettings settings = quick();
  {
    Journal journal(path_, journal_head(data, choices, settings));
    journal.add({0, 0, 0, 7, 7, 1});
  }
  const std::string before = read_file(path_);
  const auto told = [&](const Dataset& d, const std::vector<Choice>& c, const SelectionSettings& s) {
    const std::string said = sentence([&] { const Journal other(path_, journal_head(d, c, s)); });
    EXPECT_EQ(read_file(path_), before);
    return said;
  };
  const auto other = [&](const std::string& what) {
    return path_ + ": the journal is of another run, its " + what +
           " is not the same; remove it or name another";
  };
  EXPECT_EQ(told(data, choices, settings), "nothing was thrown");
  EXPECT_EQ(told(three_classes(), choices, settings), other("data"));
  std::vector<std::int64_t> all(at(data.size()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  std::swap(all[0], all[1]);
  EXPECT_EQ(told(data.subset(all), choices, settings), other("data"));
  std::vector<Choice> changed = choices;
  changed.back().settings.boosting.gap = 0.02;
  EXPECT_EQ(told(data, changed, settings), other("settings"));
  changed = choices;
  changed.back().settings.method = Method::l1_svm;
  EXPECT_EQ(told(data, changed, settings), other("settings"));
  changed = choices;
  changed.back().settings.baseline.C = 2.0;
  EXPECT_EQ(told(data, changed, settings), other("settings"));
  changed.pop_back();
  EXPECT_EQ(told(data, changed, settings), other("settings"));
  SelectionSettings s = settings;
  s.folds = 4;
  EXPECT_EQ(told(data, choices, s), other("number of folds"));
  s = settings;
  s.repeats = 3;
  EXPECT_EQ(told(data, choices, s), other("number of repeats"));
  s = settings;
  s.seed = 2;
  EXPECT_EQ(told(data, choices, s), other("seed"));
  s = settings;
  s.threads = 5;
  s.memory = 123456789;
  EXPECT_EQ(told(data, choices, s), "nothing was thrown");
}

TEST_F(JournalTest, NamesTheLineThatIsNoCell) {
  const std::string head = "{\"journal\":1}";
  const std::string good = R"({"choice":0,"repeat":0,"fold":0,"examples":7,"correct":7,"hypotheses":1})";
  const auto told = [&](const std::string& text) {
    put(text);
    return sentence([&] { const Journal journal(path_, head); });
  };
  EXPECT_EQ(told(head + '\n' + good + '\n'), "nothing was thrown");
  EXPECT_EQ(told(head + '\n' + good + "\nhello\n"),
            path_ + ", line 3: expected a finished cell, found 'hello'");
  EXPECT_EQ(told(head + '\n' + good + '\n' + good + '\n'), path_ + ", line 3: this cell is there twice");
  std::string bad = good;
  bad.replace(bad.find("\"correct\":7"), 11, "\"correct\":8");
  EXPECT_TRUE(told(head + '\n' + bad + '\n').starts_with(path_ + ", line 2: "));
  bad = good;
  bad.replace(bad.find("\"fold\":0"), 8, "\"fold\":-1");
  EXPECT_TRUE(told(head + '\n' + bad + '\n').starts_with(path_ + ", line 2: "));
  EXPECT_EQ(told("label,f1\n"), path_ + ": expected a journal of shapeboost tune, found something else");
  EXPECT_EQ(told("some text"), path_ + ": expected a journal of shapeboost tune, found something else");
  put("");
  const Journal first(path_, head);
  EXPECT_EQ(sentence([&] { const Journal second(path_, head); }),
            path_ + ": another run is writing this journal");
}

}  // namespace
}  // namespace shapeboost

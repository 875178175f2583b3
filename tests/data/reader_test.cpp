// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "ground/file.hpp"
#include "ground/matrix.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/files.hpp"
#include "support/data_checks.hpp"
#include "support/examples.hpp"

namespace shapeboost {
namespace {

using Names = std::vector<std::string>;

using examples::complaint;
using examples::kNaN;
using examples::label_of;
using examples::row;
using examples::same_values;

const std::string kUnknown =
    "x.csv: not in a format that can be read; expected ucr (a label, then the values of a series, on each "
    "line), "
    "ts (lines with '@', then '@data'), mil (lines of bag,label,f1,f2,...), arff, svmlight, "
    "tab (a label, a tab, a sequence) or fasta";

// ---- any format

TEST(Reading, AsksWhetherToStop_WhereThereIsMuchToRead) {
  const std::string line = std::string("a,1.25,2.5") + std::string(90, '0') + "\n";
  std::string series;
  std::string bags = "bag,label,f1\n";
  std::string sparse;
  std::string symbols;
  constexpr std::int64_t kLines = 40'000;  // of some hundred characters
  for (std::int64_t i = 0; i < kLines; ++i) {
    series += line;
    bags += "b" + std::to_string(i / 10) + ",x,1." + std::string(90, '0') + "\n";
    sparse += "1 1:2." + std::string(90, '0') + "\n";
    symbols += ">s\n" + std::string(90, 'A') + "\n";
  }
  std::atomic<int> asked{0};  // by several threads
  const std::function<bool()> never = [&] { return ++asked < 0; };
  const std::function<bool()> at_once = [] { return true; };
  const std::pair<Format, std::string> all[] = {
      {Format::ucr, series}, {Format::mil, bags}, {Format::svmlight, sparse}, {Format::fasta, symbols}};
  for (const auto& [format, text] : all) {
    asked = 0;
    {
      const StopScope scope(never);
      EXPECT_GT(parse_dataset(text, "x", format).size(), 0);
    }
    EXPECT_GT(asked.load(), 0) << to_string(format);
    const StopScope scope(at_once);
    EXPECT_THROW((void)parse_dataset(text, "x", format), Abandoned) << to_string(format);
    // Little is read before anybody could have waited.
    EXPECT_GT(parse_dataset(text.substr(0, text.find('\n', 1000) + 1), "x", format).size(), 0);
  }
}

TEST(Format, RoundTripsText_WhenKnown) {
  EXPECT_EQ(all_formats().size(), 9U);
  for (const Format format : all_formats()) EXPECT_EQ(parse<Format>(to_string(format)), format);
  EXPECT_EQ(examples::sentence([] { (void)parse<Format>("xml"); }),
            "format: expected auto, ucr, ts, mil, arff, c45, svmlight, tab or fasta, found 'xml'");
}

TEST(Reader, Complains_WhenThereIsNothing) {
  for (const Format format : all_formats()) {
    EXPECT_EQ(complaint("", format), "x.csv: the file is empty");
    EXPECT_EQ(complaint("\xEF\xBB\xBF", format), "x.csv: the file is empty");
    EXPECT_EQ(complaint("\n  \r\n\t\n", format), "x.csv: only blank lines");
  }
}

TEST(Reader, Complains_WhenBinary) {
  EXPECT_EQ(complaint(std::string_view("1\t2\n\0\x01", 6)), "x.csv: not a text file (byte 5 is 0)");
  EXPECT_EQ(complaint(std::string_view("\xFF\xFE\x31\0", 4)),
            "x.csv: the text is in UTF-16; save it as UTF-8");
  EXPECT_EQ(complaint("\x89PNG\x01\x02\x7f"), kUnknown);
}

TEST(Reader, Complains_WhenNoFormatFits) {
  EXPECT_EQ(complaint("Dear reader,\nthis is prose.\n"), kUnknown);
  EXPECT_EQ(complaint("hello\n"), kUnknown);
  EXPECT_EQ(complaint("hello world\n"), kUnknown);
  EXPECT_EQ(complaint("{\n  \"version\": true\n}\n"), kUnknown);
  EXPECT_EQ(complaint("# Title\nSome words.\n"), kUnknown);
}

TEST(Reader, Complains_WhenFileIsMissingOrADirectory) {
  const std::string folder = testing::TempDir();
  EXPECT_THROW((void)read_dataset(folder + "/no such file.tsv"), InvalidInput);
  EXPECT_THROW((void)read_dataset(folder), InvalidInput);
}

// ---- which format

struct Told {
  const char* text;
  DataKind kind;
  std::int64_t examples;
};

TEST(Reader, FindsTheFormat_FromTheContent) {
  for (const Told& told : {
           Told{"% about\n@relation r\n@attribute a real\n@attribute class {x,y}\n@data\n1,x\n",
                DataKind::series, 1},
           Told{"@ATTRIBUTE a real\n@attribute b real\n@attribute class {x}\n@data\n1,2,x\n",
                DataKind::series, 1},
           Told{"# about\n@classLabel true a\n@data\n1,2:a\n", DataKind::series, 1},
           Told{">s1 a\nACGT\n>s2 b\nAC\n", DataKind::sequences, 2},
           Told{">50K\t1\t2\n<=50K\t3\t4\n", DataKind::series, 2},
           Told{"# about\n+1 1:0.5 3:2\n-1 2:1\n", DataKind::bags, 2},
           Told{"1 qid:4 1:0.5 # good\n1 qid:4 2:1\n", DataKind::bags, 1},
           Told{"a\tACGT\nb\tAC\n", DataKind::sequences, 2},
           Told{"a\tto be or not\nb\tto be\n", DataKind::sequences, 2},
           Told{"a\t1\nb\t2\n", DataKind::series, 2},
           Told{"label\tvalue\na\t1\nb\t2\n", DataKind::series, 2},
           Told{"label\tsequence\na\tAC\n", DataKind::sequences, 1},
       }) {
    const Dataset data = parse_dataset(told.text, "x");
    EXPECT_EQ(data.kind(), told.kind) << told.text;
    EXPECT_EQ(data.size(), told.examples) << told.text;
  }
}

TEST(Reader, BelievesTheEnding_WhenItBelongsToOneFormat) {
  const std::string folder = testing::TempDir() + "/shapeboost_reader_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const auto kind = [&folder](const std::string& name, const std::string& text) {
    write_file(folder + "/" + name, text);
    return read_dataset(folder + "/" + name).kind();
  };
  EXPECT_EQ(kind("bits.tab", "a\t0101\nb\t1\n"), DataKind::sequences);
  EXPECT_EQ(kind("bits.tsv", "a\t0101\nb\t1\n"), DataKind::series);
  EXPECT_EQ(kind("BITS.TAB.GZ", gzip("a\t0101\nb\t1\n")), DataKind::sequences);
  EXPECT_EQ(kind("plain.svm", "1 1:2\n"), DataKind::bags);
  EXPECT_EQ(kind("packed whatever the name.tsv", gzip("a\t1\t2\n")), DataKind::series);
  EXPECT_EQ(examples::sentence([&] { (void)kind("x.fa", "ACGT\n"); }),
            folder + "/x.fa, line 1: expected a header that begins with '>', found 'ACGT'");
  EXPECT_EQ(examples::sentence([&] { (void)kind("cut.tsv", gzip("a\t1\t2\n").substr(0, 20)); }),
            folder + "/cut.tsv: the gzip file is damaged: it ends too early");
  std::filesystem::remove_all(folder);
}

TEST(Reader, FilesOf_IsTwo_WhenC45) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(files_of("none/a.csv"), Paths{"none/a.csv"});
  EXPECT_EQ(files_of("none/a.DATA"), (Paths{"none/a.DATA", "none/a.names"}));
  EXPECT_EQ(files_of("none/a.names", Format::c45), (Paths{"none/a.data", "none/a.names"}));
  EXPECT_THROW((void)files_of("none/a.csv", Format::c45), InvalidInput);
}

// ---- ucr

TEST(Ucr, ReadsEverySeparator_WhenFoundInTheFirstLine) {
  for (const char* text : {"b\t1\t-2.5\na\t3\t4e1\n", "b,1,-2.5\na,3,4e1\n", "b;1;-2.5\na;3;4e1\n",
                           " b  1 -2.5\n  a 3   4e1 \n", "b, 1, -2.5\r\na, 3, +40\r\n\r\n",
                           "\xEF\xBB\xBF"
                           "b\t1\t-2.5\n\na\t3\t40",
                           "b,1,-2.5\ra,3,40\r"}) {
    const Dataset data = parse_dataset(text, "x.csv");
    ASSERT_EQ(data.size(), 2) << text;
    EXPECT_EQ(data.kind(), DataKind::series);
    EXPECT_EQ(data.source(), "x.csv");
    EXPECT_EQ(data.classes(), (Names{"a", "b"})) << text;
    EXPECT_EQ(label_of(data, 0), "b");
    EXPECT_EQ(Matrix(mapped(data.values(0))), row({1, -2.5})) << text;
    EXPECT_EQ(Matrix(mapped(data.values(1))), row({3, 40})) << text;
    EXPECT_EQ(data.name(1), "2");
  }
}

TEST(Ucr, ReadsNumericLabels_WhenSpelledDifferently) {
  const Dataset data = parse_dataset("1.0000000e+00 5\n-1 6\n1 7\n", "x.csv");
  EXPECT_EQ(data.classes(), (Names{"-1", "1"}));
  EXPECT_EQ(data.label(0), 1);
  EXPECT_EQ(data.label(1), 0);
  EXPECT_EQ(data.label(2), 1);
}

TEST(Ucr, ReadsUnlabelled_WhenLabelIsEmptyOrAQuestionMark) {
  const Dataset data = parse_dataset("\t1\t2\n?\t3\t4\nup\t5\t6\n", "x.csv");
  EXPECT_EQ(data.label(0), kUnlabelled);
  EXPECT_EQ(data.label(1), kUnlabelled);
  EXPECT_EQ(label_of(data, 2), "up");
}

TEST(Ucr, SkipsHeader_WhenItIsWordsOrACount) {
  for (const char* header :
       {"label,t0,t1", "Class,0,1", "label,1,2", "\"label\",\"a\",\"b\"", "what,first,second"}) {
    const Dataset data = parse_dataset(std::string(header) + "\nup,0,1\n\"down\",5,6\n", "x.csv");
    ASSERT_EQ(data.size(), 2) << header;
    EXPECT_EQ(data.classes(), (Names{"down", "up"})) << header;
  }
}

TEST(Ucr, KeepsFirstLine_WhenItIsData) {
  EXPECT_EQ(parse_dataset("up,0,1\ndown,0,1\n", "x.csv").size(), 2);
  EXPECT_EQ(parse_dataset("label,0,2\nclass,0,1\n", "x.csv").size(), 2) << "not a count";
  EXPECT_EQ(parse_dataset("#1\t0\t5\nup\t1\t6\n", "x.csv").classes(), (Names{"#1", "up"}));
}

TEST(Ucr, RoundsToZero_WhenNumberIsTiny) {
  EXPECT_EQ(Matrix(mapped(parse_dataset("1 1e-999 -1e-400 5e-324\n", "x.csv").values(0))),
            row({0, 0, 5e-324}));
}

TEST(Ucr, Complains_WhenANumberIsNot) {
  const auto third = [](const std::string& field) { return complaint("1\t2\t3\n1\t2\t" + field + "\n"); };
  const std::string where = "x.csv, line 2, column 3: ";
  EXPECT_EQ(third("inf"), where + "expected a finite number, found 'inf'");
  EXPECT_EQ(third("-Infinity"), where + "expected a finite number, found '-Infinity'");
  EXPECT_EQ(third("abc"), where + "expected a finite number, found 'abc'");
  EXPECT_EQ(third("1.5x"), where + "expected a finite number, found '1.5x'");
  EXPECT_EQ(third("+-1"), where + "expected a finite number, found '+-1'");
  EXPECT_EQ(third("0,5"), where + "expected a finite number, found '0,5'; write decimals with a point");
  EXPECT_EQ(third("-nan"), where + "expected a finite number, found '-nan'");
  EXPECT_EQ(third("1e999"), where + "the number '1e999' is out of range (at most 1.8e308)");
  EXPECT_EQ(third("-1e999"), where + "the number '-1e999' is out of range (at most 1.8e308)");
}

TEST(Ucr, ReadsNaN_WhenAValueIsMissing) {
  for (const char* text : {"1\tNaN\t2\t?\t\t3\n", "1,nan,2,?,,3\n", "1 NAN 2 ? NaN 3\n"}) {
    const Dataset data = parse_dataset(text, "x.csv");
    EXPECT_TRUE(same_values(mapped(data.values(0)), row({kNaN, 2, kNaN, kNaN, 3}))) << text;
    EXPECT_TRUE(data.has_missing());
  }
}

TEST(Ucr, DropsTheEnd_WhenItOnlyFillsUp) {
  const Dataset data = parse_dataset("1\t1\t2\t3\n2\t4\tNaN\tNaN\n2\tNaN\t5\t?\n", "x.csv");
  EXPECT_TRUE(same_values(mapped(data.values(0)), row({1, 2, 3})));
  EXPECT_TRUE(same_values(mapped(data.values(1)), row({4})));
  EXPECT_TRUE(same_values(mapped(data.values(2)), row({kNaN, 5}))) << "only a run at the end goes";
}

TEST(Ucr, Complains_WhenEverythingIsMissing) {
  EXPECT_EQ(complaint("1\t2\n1\tNaN\n"), "x.csv, line 2: every value of the series is missing");
}

TEST(Ucr, ComplainsWithTheLine_WhenBlankLinesCameBefore) {
  EXPECT_EQ(complaint("\n1\t2\n\n1\tx\n"), "x.csv, line 4, column 2: expected a finite number, found 'x'");
}

TEST(Ucr, Complains_WhenRowsAreRagged) {
  const std::string advice = "; fill short series up with NaN, or use the ts format";
  EXPECT_EQ(complaint("1\t2\t3\n1\t2\t3\n1\t2\n"), "x.csv: line 3 has 1 values, line 1 has 2" + advice);
  EXPECT_EQ(complaint("label,a,b\n1,2,3\n1,2,3,4\n"), "x.csv: line 3 has 3 values, line 2 has 2" + advice);
}

/// So many lines that several threads read them: series 1, 2, 3, ... of the number itself and others.
std::string large_text(std::int64_t lines, const std::string& separator) {
  std::string text;
  for (std::int64_t i = 1; i <= lines; ++i) {
    text += concat(i % 3, separator, i, separator, "-0.12345678901234567", separator, "1e-3", separator,
                   "nan", separator, "+2.5", separator, "7", i % 5 == 0 ? "\r\n" : "\n");
  }
  return text;
}

TEST(Ucr, ReadsLargeText_ByManyThreads_InItsOrder) {
  for (const std::string separator : {"\t", ",", ", ", " "}) {
    const std::int64_t lines = 150'000;
    const Dataset data = parse_dataset(large_text(lines, separator), "x.csv", Format::ucr);
    ASSERT_EQ(data.size(), lines);
    for (std::int64_t i = 0; i < lines; ++i) {
      const Matrix expected = row({static_cast<double>(i + 1), -0.12345678901234567, 1e-3, kNaN, 2.5, 7.0});
      ASSERT_TRUE(same_values(mapped(data.values(i)), expected)) << i;
      ASSERT_EQ(label_of(data, i), std::to_string((i + 1) % 3));
      ASSERT_EQ(data.name(i), std::to_string(i + 1));
    }
  }
}

TEST(Ucr, ComplainsOfTheFirstFault_OfALargeText) {
  const std::string text = large_text(150'000, "\t");
  const auto with = [](std::string changed, std::int64_t line, const std::string& other) {
    std::size_t place = 0;
    for (std::int64_t k = 1; k < line; ++k) place = changed.find('\n', place) + 1;
    return changed.replace(place, changed.find('\n', place) - place, other);
  };
  const std::string late = with(text, 140'000, "1\t2\t3\t4\t5\tx\t7");
  EXPECT_EQ(complaint(late, Format::ucr),
            "x.csv, line 140000, column 6: expected a finite number, found 'x'");
  EXPECT_EQ(
      complaint(with(late, 90'000, "1\t2"), Format::ucr),
      "x.csv: line 90000 has 1 values, line 1 has 6; fill short series up with NaN, or use the ts format");
  EXPECT_EQ(complaint(with(late, 90'000, "1\tnan\tnan\tnan\tnan\tnan\tnan"), Format::ucr),
            "x.csv, line 90000: every value of the series is missing");
}

TEST(Ucr, Complains_WhenThereIsOneColumn) {
  EXPECT_EQ(complaint("1\n2\n"), "x.csv, line 1: expected a label and values, found one column");
  EXPECT_EQ(complaint("1 2\n2\n"), "x.csv, line 2: expected a label and values, found one column");
}

TEST(Ucr, Complains_WhenHeaderStandsAloneOrSaysOtherwise) {
  EXPECT_EQ(complaint("label,t0,t1\n"), "x.csv: only a header line and no data");
  EXPECT_EQ(complaint("label,t0,t1\n\n", Format::ucr), "x.csv: only a header line and no data");
  EXPECT_EQ(complaint("t0,t1,label\n1,2,3\n"),
            "x.csv, line 1, column 3: the column 'label' must be the first");
  EXPECT_EQ(complaint("bag,label,f1\n1,1,0.5\n", Format::ucr),
            "x.csv, line 1: the header names a bag and a label: the format is mil, not ucr");
}

TEST(Ucr, ComplainsBriefly_WhenTheFieldIsLongOrOdd) {
  EXPECT_EQ(complaint("1\t2\n1\t" + std::string(500, 'z') + "\n"),
            "x.csv, line 2, column 2: expected a finite number, found '" + std::string(40, 'z') + "...'");
  EXPECT_EQ(complaint("1\t2\n1\ta\x1b[31mb\n"),
            "x.csv, line 2, column 2: expected a finite number, found 'a.[31mb'");
}

// ---- mil

TEST(Mil, ReadsBags_WhenRowsAreApart) {
  const Dataset data = parse_dataset("bag,label,f1,f2\nb,1.0,1,2\na,-1,3,4\nb,1,5,6\n", "x.csv");
  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.kind(), DataKind::bags);
  EXPECT_EQ(data.name(0), "b");
  EXPECT_EQ(data.name(1), "a");
  EXPECT_EQ(data.classes(), (Names{"-1", "1"}));
  EXPECT_EQ(label_of(data, 0), "1");
  Matrix expected(2, 2);
  expected << 1, 2, 5, 6;
  EXPECT_EQ(Matrix(mapped(data.values(0))), expected);
}

TEST(Mil, IsDetected_WhenHeaderOrWordsSaySo) {
  for (const char* text :
       {"BAG_ID,y,f1\n1,1,2\n", "\"bag\",\"label\",\"f1\"\n\"1\",\"1\",2\n", "molecule,Class,f1\n1,1,2\n",
        "bag,label,0,1\n1,1,2,3\n", "bag\tlabel\tf1\n1\t1\t2\n", "m1,musk,2\nm1,musk,3\nm2,other,4\n"}) {
    EXPECT_EQ(parse_dataset(text, "x.csv").kind(), DataKind::bags) << text;
  }
}

TEST(Mil, IsNotDetected_WhenOnlyNumbers) {
  EXPECT_EQ(parse_dataset("1,1,2\n1,1,3\n2,-1,4\n", "x.csv").kind(), DataKind::series);
  const Dataset forced = parse_dataset("1,1,2\n1,1,3\n2,-1,4\n", "x.csv", Format::mil);
  EXPECT_EQ(forced.kind(), DataKind::bags);
  EXPECT_EQ(forced.size(), 2);
}

TEST(Mil, ReadsUnlabelled_WhenLabelIsEmpty) {
  const Dataset data = parse_dataset("bag,label,f1\n1,,2\n2,?,2\n3,yes,2\n", "x.csv");
  EXPECT_EQ(data.label(0), kUnlabelled);
  EXPECT_EQ(data.label(1), kUnlabelled);
  EXPECT_EQ(label_of(data, 2), "yes");
}

TEST(Mil, Complains_WhenABagHasTwoLabels) {
  EXPECT_EQ(complaint("bag,label,f1\nb,1,2\nc,1,2\nb,-1,2\n"),
            "x.csv: bag 'b' has label '1' in line 2 and label '-1' in line 4");
  EXPECT_EQ(complaint("bag,label,f1\nb,1,2\nb,,2\n"),
            "x.csv: bag 'b' has label '1' in line 2 and no label in line 3");
}

TEST(Mil, Complains_WhenRowsAreWrong) {
  EXPECT_EQ(complaint("bag,label,f1,f2\n1,1,2,3\n2,1,2\n"), "x.csv: line 3 has 1 features, line 2 has 2");
  EXPECT_EQ(complaint("bag,label,f1\n1,1,abc\n"),
            "x.csv, line 2, column 3: expected a finite number, found 'abc'");
  EXPECT_EQ(complaint("bag,label,f1\n1,1,nan\n"),
            "x.csv, line 2, column 3: expected a finite number, found 'nan'");
  EXPECT_EQ(complaint("bag,label,f1\n1,1,?\n"),
            "x.csv, line 2, column 3: expected a finite number, found '?'");
  EXPECT_EQ(complaint("bag,label,f1\n,1,2\n"), "x.csv, line 2, column 1: the bag's id is empty");
  EXPECT_EQ(complaint("bag,label\n1,1\n"),
            "x.csv, line 2: expected a bag, a label and features, found fewer than three columns");
  EXPECT_EQ(complaint("bag,label,f1\n"), "x.csv: only a header line and no data");
}

TEST(Mil, Complains_WhenForcedOnAnotherFormat) {
  EXPECT_EQ(complaint("label,t0,t1\n1,2,3\n", Format::mil),
            "x.csv, line 1: the header begins with the label: the format is ucr, not mil");
  EXPECT_EQ(complaint("1\t0.5\t3\n1\t0.7\t3\n", Format::mil),
            "x.csv: bag '1' has label '0.5' in line 1 and label '0.7' in line 2");
}

// ---- the public benchmark files, where they are

std::string benchmark(const std::string& file) {
  const char* named = std::getenv("SHAPEBOOST_DATA");
  const std::string folder =
      named != nullptr ? named : std::string(SHAPEBOOST_SOURCE_DIR) + "/../shared/data";
  const std::string path = folder + "/" + file;
  return std::filesystem::exists(path) ? path : std::string();
}

TEST(Reader, ReadsBenchmarks_WhenPresent) {
  const std::string gun = benchmark("ucr/GunPoint/GunPoint_TRAIN.tsv");
  const std::string musk = benchmark("mil/musk1.csv");
  const std::string motions = benchmark("ts/BasicMotions/BasicMotions_TRAIN.ts");
  if (gun.empty() || musk.empty() || motions.empty())
    GTEST_SKIP() << "no benchmark data; set SHAPEBOOST_DATA to its folder";

  const Dataset gun_point = read_dataset(gun);
  EXPECT_EQ(gun_point.kind(), DataKind::series);
  EXPECT_EQ(gun_point.size(), 50);
  EXPECT_EQ(gun_point.min_length(), 150);
  EXPECT_EQ(gun_point.max_length(), 150);
  EXPECT_EQ(gun_point.classes(), (Names{"1", "2"}));

  if (const std::string dodger = benchmark("ucr/DodgerLoopGame/DodgerLoopGame_TRAIN.tsv"); !dodger.empty()) {
    const Dataset gaps = read_dataset(dodger);
    EXPECT_TRUE(gaps.has_missing());
    EXPECT_EQ(gaps.max_length(), 288);
  }

  const Dataset musk1 = read_dataset(musk);
  std::int64_t instances = 0;
  std::int64_t positives = 0;
  for (std::int64_t i = 0; i < musk1.size(); ++i) {
    instances += musk1.values(i).rows();
    positives += musk1.label(i);
  }
  EXPECT_EQ(musk1.kind(), DataKind::bags);
  EXPECT_EQ(musk1.size(), 92);
  EXPECT_EQ(musk1.width(), 166);
  EXPECT_EQ(instances, 476);
  EXPECT_EQ(positives, 47);

  const Dataset basic_motions = read_dataset(motions);
  EXPECT_EQ(basic_motions.size(), 40);
  EXPECT_EQ(basic_motions.width(), 6);
  EXPECT_EQ(basic_motions.max_length(), 100);
  EXPECT_EQ(basic_motions.classes(), (Names{"Badminton", "Running", "Standing", "Walking"}));
}

}  // namespace
}  // namespace shapeboost

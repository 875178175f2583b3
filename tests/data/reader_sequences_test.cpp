// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "shapeboost/files.hpp"
#include "support/data_checks.hpp"

namespace shapeboost {
namespace {

using examples::complaint;
using examples::label_of;

std::string text_of(const Dataset& data, std::int64_t i) { return sequence_text(data.values(i).row(0)); }

TEST(Tab, ReadsSequences_OneALine) {
  const Dataset data =
      parse_dataset("label\tsequence\r\npos\tACgt\r\n\"1.0\"\tto be, or\n\tAC\n?\tG\n", "x.tab", Format::tab);
  ASSERT_EQ(data.size(), 4);
  EXPECT_EQ(data.kind(), DataKind::sequences);
  EXPECT_EQ(text_of(data, 0), "ACgt") << "case stays";
  EXPECT_EQ(text_of(data, 1), "to be, or");
  EXPECT_EQ(label_of(data, 0), "pos");
  EXPECT_EQ(label_of(data, 1), "1");
  EXPECT_EQ(data.label(2), kUnlabelled);
  EXPECT_EQ(data.label(3), kUnlabelled);
  EXPECT_EQ(data.name(2), "3");
}

TEST(Tab, ReadsDigits_WhenAskedFor) {
  EXPECT_EQ(text_of(parse_dataset("a\t0101\n", "x", Format::tab), 0), "0101");
}

TEST(Tab, Complains_WhenALineIsWrong) {
  EXPECT_EQ(complaint("a\tAC\nb AC\n", Format::tab),
            "x.csv, line 2: expected a label, a tab and a sequence, found 0 tabs");
  EXPECT_EQ(complaint("a\tAC\nb\tA\tC\n", Format::tab),
            "x.csv, line 2: expected a label, a tab and a sequence, found 2 tabs");
  EXPECT_EQ(complaint("a\tAC\nb\t \n", Format::tab), "x.csv, line 2: the sequence is empty");
  EXPECT_EQ(complaint("label\tsequence\n", Format::tab), "x.csv: only a header line and no data");
}

TEST(Fasta, JoinsLines_AndKeepsCase) {
  const Dataset data = parse_dataset(">s1 label=pos\nACgt\n\n  TT  \r\n>s2 label=neg\nA*-\n", "x.fa");
  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.kind(), DataKind::sequences);
  EXPECT_EQ(text_of(data, 0), "ACgtTT");
  EXPECT_EQ(text_of(data, 1), "A*-");
}

TEST(Fasta, FindsTheLabel_ByOneRule) {
  const auto read = [](const std::string& header) {
    const Dataset data = parse_dataset('>' + header + "\nAC\n", "x.fa", Format::fasta);
    return data.name(0) + " / " + label_of(data, 0);
  };
  EXPECT_EQ(read("s1 label=pos"), "s1 / pos");
  EXPECT_EQ(read("s1 label=pos length=40"), "s1 / pos") << "label= wins, up to the next blank";
  EXPECT_EQ(read("s1|label=pos"), "s1 / pos");
  EXPECT_EQ(read("s1 label=\"left arm\" x"), "s1 / left arm");
  EXPECT_EQ(read("s1 mylabel=3"), "s1 / mylabel=3") << "another word";
  EXPECT_EQ(read("s1|pos"), "s1 / pos");
  EXPECT_EQ(read("sp|P12|pos"), "sp|P12 / pos");
  EXPECT_EQ(read("s1 some words pos"), "s1 some words / pos");
  EXPECT_EQ(read("s1 | 1.0"), "s1 | / 1") << "the last blank or bar";
  EXPECT_EQ(read("s1"), "s1 / ");
  EXPECT_EQ(read("s1 ?"), "s1 / ");
  EXPECT_EQ(read("s1 label=?"), "s1 / ");
  EXPECT_EQ(read("label=pos"), "1 / pos") << "without a name it is counted";
  EXPECT_EQ(read(""), "1 / ");
}

TEST(Fasta, Complains_WhenALineIsWrong) {
  EXPECT_EQ(complaint("ACGT\n>s a\nAC\n", Format::fasta),
            "x.csv, line 1: expected a header that begins with '>', found 'ACGT'");
  EXPECT_EQ(complaint(">s a\n\n>t b\nAC\n"), "x.csv, line 1: no sequence follows this header");
  EXPECT_EQ(complaint(">s a\nAC\n>t b\n"), "x.csv, line 3: no sequence follows this header");
  EXPECT_EQ(complaint(">s a\nAC GT\n"), "x.csv, line 2: expected symbols without blanks, found 'AC GT'");
}

}  // namespace
}  // namespace shapeboost

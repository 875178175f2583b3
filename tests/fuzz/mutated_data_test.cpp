// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>

#include "data/gram.hpp"
#include "data/reader.hpp"
#include "data/writer.hpp"
#include "fuzz/mutation.hpp"
#include "ground/file.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/matrices.hpp"

namespace shapeboost::fuzz {
namespace {

constexpr std::string_view kTokens[] = {"<U0",
                                        "|S0",
                                        "<f8",
                                        "(1099511627776, 1)",
                                        "nan",
                                        "inf",
                                        "-1e308",
                                        "1e-320",
                                        "4294967296",
                                        "99999999999999999999",
                                        "0",
                                        "-1",
                                        "?",
                                        "'",
                                        "\"",
                                        "{",
                                        "}",
                                        "{}",
                                        "@data",
                                        "@attribute a real\n",
                                        "@end",
                                        "relational",
                                        "qid:",
                                        "1048576:1",
                                        "%",
                                        "#",
                                        ":",
                                        ",",
                                        "\t",
                                        "\r",
                                        "\n",
                                        "\\n",
                                        " ",
                                        ">",
                                        "bag,label,f1\n",
                                        "\x1f\x8b",
                                        "\xEF\xBB\xBF",
                                        "\xff",
                                        "\\",
                                        ";",
                                        "@timestamps true\n",
                                        "@seriesLength 5\n",
                                        "@dimensions 3\n",
                                        "e"};

struct File {
  Format format;
  std::string text;
  std::string names{};  // of c45
};

Dataset two_channels() {
  Dataset data(DataKind::series);
  Rng rng(3);
  for (int i = 0; i < 4; ++i) {
    Matrix values(2, 6);
    for (double& value : values.reshaped()) value = rng.normal();
    add(data, values, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

struct Corpus {
  Dataset series = planted_series({.examples = 6, .length = 20}).data;
  Dataset bags = planted_bags({.examples = 6, .length = 3, .features = 2}).data;
  Dataset sequences = planted_sequences({.examples = 6, .length = 20}).data;

  [[nodiscard]] std::vector<File> files() const {
    using namespace detail;
    return {{Format::ucr, ucr_text(series, "x")},
            {Format::ts, ts_text(two_channels(), "x")},
            {Format::arff, arff_text(series, "x")},
            {Format::arff, arff_text(two_channels(), "x")},
            {Format::arff, arff_text(bags, "x")},
            {Format::arff,
             "@relation r\n@attribute a real\n@attribute b real\n@attribute class {x,y}\n@data\n"
             "{0 1, 2 y}\n{}\n{1 2.5}\n1,?,y\n"},
            {Format::mil, mil_text(bags, "x")},
            {Format::c45, c45_data_text(bags, "x"), c45_names_text(bags, "x")},
            {Format::svmlight, svmlight_text(bags, "x")},
            {Format::tab, tab_text(sequences, "x")},
            {Format::fasta, fasta_text(sequences, "x")}};
  }
};

Model model_of(const Dataset& data) {
  TrainSettings settings;
  settings.members = 2;
  settings.threads = 1;
  return train(data, settings).model;
}

TEST(MutatedData, IsReadOrRefused) {
  const Corpus corpus;
  const std::vector<File> files = corpus.files();
  const std::vector<Model> models{model_of(corpus.series), model_of(corpus.bags), model_of(corpus.sequences)};
  bound_memory();
  Rng rng(1);
  std::int64_t read = 0;
  const std::int64_t all = rounds(100'000);
  for (std::int64_t k = 0; k < all && !testing::Test::HasFailure(); ++k) {
    File file = any_of(files, rng);
    mutate(file.text, kTokens, rng);
    if (rng.below(2) == 0 && !file.names.empty()) mutate(file.names, kTokens, rng);
    if (rng.below(4) == 0 && file.format != Format::c45) file.format = Format::automatic;
    SCOPED_TRACE("file " + std::to_string(k) + ": " + file.text);
    Dataset data(DataKind::series);
    const bool good = accepted([&] {
      data = file.format == Format::c45
                 ? detail::parse_c45(detail::checked_text(file.text, "x.data"), "x.data",
                                     detail::checked_text(file.names, "x.names"), "x.names")
                 : parse_dataset(file.text, "x", file.format);
    });
    if (!good) continue;
    ++read;
    ASSERT_GT(data.size(), 0);
    for (const Model& model : models) {
      (void)accepted([&] { (void)predictions(model, scores(model, data, 1)); });
    }
  }
  EXPECT_GT(read, all / 10) << "too few mutations leave a file that can be read";
}

TEST(MutatedData, IsTrainedOnOrRefused) {
  const std::vector<File> files = Corpus().files();
  bound_memory();
  Rng rng(2);
  TrainSettings settings;
  settings.members = 1;
  settings.threads = 1;
  settings.boosting.max_rounds = 5;
  for (std::int64_t k = 0, all = rounds(3'000); k < all && !testing::Test::HasFailure(); ++k) {
    File file = any_of(files, rng);
    mutate(file.text, kTokens, rng);
    SCOPED_TRACE("file " + std::to_string(k) + ": " + file.text);
    if (file.format == Format::c45) continue;
    (void)accepted([&] {
      const Dataset data = parse_dataset(file.text, "x", file.format);
      (void)model_from_json(to_json(train(data, settings).model), "memory");
    });
  }
}

TEST(MutatedData, GzipFilesAndGramMatrices_AreReadOrRefused) {
  const std::string text = detail::ucr_text(Corpus().series, "x");
  const std::string packed = gzip(text);
  const std::string gram = "1,0.5,0.25\n0.5,1,0.5\n0.25,0.5,1\n";
  bound_memory();
  Rng rng(3);
  for (std::int64_t k = 0, all = rounds(20'000); k < all && !testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(k);
    std::string bytes = packed;
    mutate(bytes, kTokens, rng);
    if (is_gzip(bytes)) (void)accepted([&] { (void)gunzip(bytes, "x.gz"); });
    std::string matrix = gram;
    mutate(matrix, kTokens, rng);
    (void)accepted([&] { (void)parse_gram(matrix, "x.csv"); });
  }
}

TEST(MutatedData, NumpyFiles_AreReadOrRefused) {
  struct ArrayFile {
    std::string header;
    std::string numbers;
    [[nodiscard]] std::string text() const {
      std::string padded = header;
      padded.resize(118, ' ');
      return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + padded + numbers;
    }
  };
  const auto array = [](const std::string& descr, const std::string& shape, const std::string& numbers) {
    return ArrayFile{"{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }",
                     numbers};
  };
  const std::vector<ArrayFile> series{array("<f4", "3, 5", std::string(60, '?')),
                                      array("<f8", "3, 2, 4", std::string(192, '?'))};
  const std::vector<ArrayFile> labels{
      array("<i8", "3,", std::string(24, '?')),
      array("<U2", "3,", std::string("a\0\0\0b\0\0\0c\0\0\0\0\0\0\0\xE9\0\0\0z\0\0\0", 24)),
      array("|S3", "3,", std::string(9, '?'))};
  const Model model = model_of(Corpus().series);
  const std::string path = testing::TempDir() + "/mutated.npy";
  const std::string beside = testing::TempDir() + "/mutated_y.npy";
  bound_memory();
  Rng rng(4);
  std::int64_t read = 0;
  const std::int64_t all = rounds(3'000);
  for (std::int64_t k = 0; k < all && !testing::Test::HasFailure(); ++k) {
    ArrayFile of_series = any_of(series, rng);
    ArrayFile of_labels = any_of(labels, rng);
    ArrayFile& changed = rng.below(2) == 0 ? of_series : of_labels;
    const std::int64_t what = rng.below(3);  // the header, the numbers, or where they lie as well
    if (what == 0) mutate(changed.header, kTokens, rng);
    if (what == 1) mutate(changed.numbers, kTokens, rng);
    std::string text = of_series.text();
    std::string text_beside = of_labels.text();
    if (what == 2) mutate(&changed == &of_series ? text : text_beside, kTokens, rng);
    SCOPED_TRACE("file " + std::to_string(k) + ": " + text + text_beside);
    // Not by write_file, which waits for the disk.
    std::ofstream(path, std::ios::binary) << text;
    std::ofstream(beside, std::ios::binary) << text_beside;
    Dataset data(DataKind::series);
    if (!accepted([&] { data = read_dataset(path); })) continue;
    ++read;
    (void)accepted([&] { (void)predictions(model, scores(model, data, 1)); });
  }
  std::filesystem::remove(path);
  std::filesystem::remove(beside);
  EXPECT_GT(read, all / 20) << "too few mutations leave a file that can be read";
}

}  // namespace
}  // namespace shapeboost::fuzz

// SPDX-License-Identifier: MIT
#include <filesystem>

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

constexpr std::string_view kTokens[] = {"nan",
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

/// A few bytes changed, taken out, said twice, or put in.
void mutate(std::string& text, Rng& rng) {
  for (std::int64_t changes = 1 + rng.below(4); changes > 0; --changes) {
    const auto size = static_cast<std::int64_t>(text.size());
    const auto place = static_cast<std::size_t>(rng.below(size + 1));
    const auto some = static_cast<std::size_t>(rng.below(rng.below(8) == 0 ? 200 : 12));
    switch (rng.below(7)) {
      case 0:
        if (place < text.size()) text[place] = static_cast<char>(rng.below(256));
        break;
      case 1:
        if (place < text.size()) text[place] = static_cast<char>(text[place] ^ (1 << rng.below(8)));
        break;
      case 2: text.erase(place, some); break;
      case 3: text.insert(place, text.substr(place, some)); break;
      case 4: text.insert(place, any_of(kTokens, rng)); break;
      case 5: text.replace(place, std::min(some, text.size() - place), any_of(kTokens, rng)); break;
      default:
        if (rng.below(4) == 0) text.resize(place);
        break;
    }
  }
}

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
    mutate(file.text, rng);
    if (rng.below(2) == 0 && !file.names.empty()) mutate(file.names, rng);
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
    mutate(file.text, rng);
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
    mutate(bytes, rng);
    if (is_gzip(bytes)) (void)accepted([&] { (void)gunzip(bytes, "x.gz"); });
    std::string matrix = gram;
    mutate(matrix, rng);
    (void)accepted([&] { (void)parse_gram(matrix, "x.csv"); });
  }
}

TEST(MutatedData, NumpyFiles_AreReadOrRefused) {
  const auto array_text = [](const std::string& descr, const std::string& shape, std::size_t bytes) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(118, ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(bytes, '?');
  };
  const std::vector<std::string> series{array_text("<f4", "3, 5", 60), array_text("<f8", "3, 2, 4", 192)};
  const std::vector<std::string> labels{array_text("<i8", "3,", 24), array_text("<U2", "3,", 24),
                                        array_text("|S3", "3,", 9)};
  const std::string path = testing::TempDir() + "/mutated.npy";
  const std::string beside = testing::TempDir() + "/mutated_y.npy";
  bound_memory();
  Rng rng(4);
  std::int64_t read = 0;
  const std::int64_t all = rounds(3'000);
  for (std::int64_t k = 0; k < all && !testing::Test::HasFailure(); ++k) {
    std::string text = any_of(series, rng);
    std::string text_beside = any_of(labels, rng);
    mutate(rng.below(2) == 0 ? text : text_beside, rng);
    SCOPED_TRACE("file " + std::to_string(k) + ": " + text + text_beside);
    write_file(path, text);
    write_file(beside, text_beside);
    if (accepted([&] { (void)read_dataset(path); })) ++read;
  }
  std::filesystem::remove(path);
  std::filesystem::remove(beside);
  EXPECT_GT(read, all / 20) << "too few mutations leave a file that can be read";
}

}  // namespace
}  // namespace shapeboost::fuzz

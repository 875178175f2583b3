// SPDX-License-Identifier: MIT
// libFuzzer's way into the readers of data: the first byte chooses the format, the rest is the file; of C4.5 the names follow
// a byte 0x1e, of NumPy's arrays the labels the word LABELS. What is read is predicted, with models of each kind.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "data/gram.hpp"
#include "data/reader.hpp"
#include "ground/file.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"

namespace {

using namespace shapeboost;

constexpr Format kFormats[] = {Format::automatic, Format::ucr,      Format::ts,  Format::arff, Format::mil,
                               Format::c45,       Format::svmlight, Format::tab, Format::fasta};
constexpr std::size_t kGram = std::size(kFormats);  // the matrix, packed files and arrays come after
constexpr std::size_t kWays = kGram + 3;

Model small_model(const Dataset& data) {
  TrainSettings settings;
  settings.members = 2;
  settings.threads = 1;
  return train(data, settings).model;
}

Dataset read_array(const std::string& text) {
  constexpr std::string_view kMark = "LABELS";
  static const std::string kPath = "/tmp/shapeboost_array_" + std::to_string(::getpid()) + ".npy";
  static const std::string kBeside = detail::npy_labels_path(kPath);
  const std::size_t split = text.find(kMark);
  std::ofstream(kPath, std::ios::binary) << text.substr(0, split);
  ::unlink(kBeside.c_str());
  if (split != std::string::npos)
    std::ofstream(kBeside, std::ios::binary) << text.substr(split + kMark.size());
  return read_dataset(kPath);
}

Dataset read_c45(const std::string& text) {
  const std::size_t split = text.find('\x1e');
  const std::string names = split == std::string::npos ? "" : text.substr(split + 1);
  return detail::parse_c45(detail::checked_text(text.substr(0, split), "x.data"), "x.data",
                           detail::checked_text(names, "x.names"), "x.names");
}

void read_and_predict(std::size_t way, const std::string& text) {
  if (way == kGram) return (void)parse_gram(text, "x");
  if (way == kGram + 1) return is_gzip(text) ? (void)gunzip(text, "x.gz") : void();
  static const Model kModels[] = {small_model(planted_series({.examples = 6, .length = 20}).data),
                                  small_model(planted_bags({.examples = 6, .length = 3, .features = 2}).data),
                                  small_model(planted_sequences({.examples = 6, .length = 20}).data)};
  const Dataset data = way == kGram + 2               ? read_array(text)
                       : kFormats[way] == Format::c45 ? read_c45(text)
                                                      : parse_dataset(text, "x", kFormats[way]);
  for (const Model& model : kModels) {
    try {
      (void)predictions(model, scores(model, data, 1));
    } catch (const InvalidInput&) {  // as good an answer
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read_and_predict(data[0] % kWays, std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  } catch (const InvalidInput&) {  // which is what is expected; anything else is a finding
  }
  return 0;
}

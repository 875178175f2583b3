// SPDX-License-Identifier: MIT
// libFuzzer's way into the readers of data: the first byte chooses the format, the rest is the file; of C4.5 the names follow
// a byte 0x1e. What is read is predicted, with models of each kind.
#include <cstddef>
#include <cstdint>
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
constexpr std::size_t kGram = std::size(kFormats);  // the matrix, and packed files, come after

Model small_model(const Dataset& data) {
  TrainSettings settings;
  settings.members = 2;
  settings.threads = 1;
  return train(data, settings).model;
}

void read_and_predict(std::size_t way, const std::string& text) {
  if (way == kGram) return (void)parse_gram(text, "x");
  if (way == kGram + 1) return is_gzip(text) ? (void)gunzip(text, "x.gz") : void();
  static const Model kModels[] = {small_model(planted_series({.examples = 6, .length = 20}).data),
                                  small_model(planted_bags({.examples = 6, .length = 3, .features = 2}).data),
                                  small_model(planted_sequences({.examples = 6, .length = 20}).data)};
  const std::size_t split = text.find('\x1e');
  const Dataset data =
      kFormats[way] == Format::c45
          ? detail::parse_c45(
                detail::checked_text(text.substr(0, split), "x.data"), "x.data",
                detail::checked_text(split == std::string::npos ? "" : text.substr(split + 1), "x.names"),
                "x.names")
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
    read_and_predict(data[0] % (kGram + 2), std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  } catch (const InvalidInput&) {  // which is what is expected; anything else is a finding
  }
  return 0;
}

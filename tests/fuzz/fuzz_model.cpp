// SPDX-License-Identifier: MIT
// libFuzzer's way into the loader of models: JSON, whose digest is made right, is loaded and asked everything.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "data/reader.hpp"
#include "fuzz/questions.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/synthetic.hpp"

namespace {

using namespace shapeboost;

bool accepted(const std::function<void()>& act) {
  try {
    act();
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

/// All that models of this kind may be asked about; where channels or features differ they refuse.
const std::vector<Dataset>& data_for(DataKind kind) {
  static const std::vector<Dataset> kSeries{
      planted_series({.examples = 4, .length = 24}).data,
      parse_dataset(
          "@dimensions 2\n@classLabel true a b\n@data\n1,2,?,4,3,2,1,2,9,3,1,2:2,3,1,?,?,1,0,1,2,1,3,4:a\n"
          "3,2,1,0,1,2:1,1,1,1,1,1:b\n",
          "x.ts", Format::ts)};
  static const std::vector<Dataset> kBags{
      planted_bags({.examples = 4, .length = 3, .features = 3}).data,
      parse_dataset("0 qid:1 1:1 5:2\n0 qid:1 2:1\n1 qid:2 2:3 1000000:1\n", "x.svm", Format::svmlight)};
  static const std::vector<Dataset> kSequences{planted_sequences({.examples = 4, .length = 24}).data};
  return kind == DataKind::series ? kSeries : kind == DataKind::bags ? kBags : kSequences;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_object()) text = fuzz::sealed(json);
  Model model;
  if (accepted([&] { model = model_from_json(text, "m.json"); })) {
    for (const Dataset& data_asked : data_for(model.kind)) fuzz::ask_everything(model, data_asked, accepted);
  }
  return 0;
}

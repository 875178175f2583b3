// SPDX-License-Identifier: MIT
// libFuzzer's way into the loader of models: JSON, whose digest is made right, is loaded and asked everything.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "fuzz/questions.hpp"
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

const Dataset& data_for(DataKind kind) {
  static const Dataset kSeries = planted_series({.examples = 4, .length = 24}).data;
  static const Dataset kBags = planted_bags({.examples = 4, .length = 3, .features = 3}).data;
  static const Dataset kSequences = planted_sequences({.examples = 4, .length = 24}).data;
  return kind == DataKind::series ? kSeries : kind == DataKind::bags ? kBags : kSequences;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_object()) text = fuzz::sealed(json);
  Model model;
  if (accepted([&] { model = model_from_json(text, "m.json"); })) {
    fuzz::ask_everything(model, data_for(model.kind), accepted);
  }
  return 0;
}

// SPDX-License-Identifier: MIT
// What a cross-validation found, as CSV and as JSON.
#include "ground/json.hpp"
#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "tell/record.hpp"

namespace shapeboost {

std::string results_csv(const std::vector<Choice>& choices, const Selection& selection) {
  std::string text = "setting,accuracy,sd,hypotheses,folds\n";
  for (std::size_t c = 0; c < choices.size(); ++c) {
    const ChoiceResult& result = selection.results[c];
    text += detail::csv_field(choices[c].name);
    for (const double number : {result.accuracy, result.sd, result.hypotheses}) {
      text += ',';
      // Where no fold was finished there is nothing to say.
      if (result.cells > 0) detail::append_number(text, number);
    }
    text += concat(',', result.cells, '\n');
  }
  return text;
}

std::string to_json(const std::vector<Choice>& choices, const Selection& selection,
                    const TrainingResult& training, const std::string& model_path, double seconds) {
  detail::Json list = detail::Json::array();
  for (std::size_t c = 0; c < choices.size(); ++c) {
    const ChoiceResult& result = selection.results[c];
    list.push_back({{"setting", choices[c].name},
                    {"accuracy", result.accuracy},
                    {"sd", result.sd},
                    {"hypotheses", result.hypotheses},
                    {"folds", result.cells}});
  }
  const auto& best = choices[at(selection.best)];
  return detail::pretty({{"best", best.name},
                         {"complete", selection.complete},
                         {"choices", std::move(list)},
                         {"hypotheses", training.model.hypotheses.size()},
                         {"settings", training.model.provenance.settings},
                         {"tuning", training.model.provenance.tuning},
                         {"notes", training.notes},
                         {"model", model_path},
                         {"seconds", seconds}});
}

}  // namespace shapeboost

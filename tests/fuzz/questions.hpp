// SPDX-License-Identifier: MIT
// Everything a model that came from a stranger may be asked.
#pragma once

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "ground/json.hpp"
#include "ground/text.hpp"
#include "model/model_text.hpp"
#include "shapeboost/evaluation.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/guarantee.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/report.hpp"
#include "tell/record.hpp"

namespace shapeboost::fuzz {

/// A model file's text with the digest that belongs to it.
inline std::string sealed(nlohmann::ordered_json json) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  json.erase("digest");
  json["digest"] = detail::fnv1a(json.dump(-1, ' ', false, Handler::replace));
  return json.dump(-1, ' ', false, Handler::replace);
}

/// `accepted(act)` runs one question and says whether it was answered; a refusal is as good.
inline void ask_everything(const Model& model, const Dataset& data,
                           const std::function<bool(const std::function<void()>&)>& accepted) {
  Scores answer;
  if (accepted([&] { answer = scores(model, data, 1); })) {
    for (std::int64_t k = 0; k < answer.parts.size(); ++k) {
      if (!std::isfinite(answer.parts.data()[k])) throw std::logic_error("a score is not finite");
    }
    (void)accepted([&] { (void)predictions_csv(model, data, answer); });
    (void)accepted([&] { (void)predictions_json(model, data, answer, 0.0); });
  }
  (void)accepted([&] { (void)Predictor(model).instance_scores(data, 1); });
  (void)accepted([&] { (void)Predictor(model).transformed(data, 1); });
  (void)accepted([&] { (void)evaluate(model, data, 1); });
  if (model.kind == DataKind::series && spectral_period(model) > 0) {
    (void)accepted([&] { (void)spectral_evidence(model, data, responses(model, data, 1), 0, 0); });
  }
  (void)accepted([&] { (void)explanation_json(model, data, 1, 1); });
  (void)accepted([&] { (void)firings_json(model, data, 1); });
  ReportSettings on_one_thread;
  on_one_thread.threads = 1;
  (void)accepted([&] { (void)report_json(model, data, on_one_thread); });
  (void)accepted([&] { (void)maximisers_svg(model, data, 1); });
  (void)accepted([&] { (void)patterns_svg(model, data, 1); });
  (void)accepted([&] { (void)summary_json(model, guarantees(model)); });
  (void)accepted([&] { (void)model_from_json(to_json(model), "again"); });
}

}  // namespace shapeboost::fuzz

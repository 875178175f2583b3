// SPDX-License-Identifier: MIT
// The whole library. A first program:
//
//     #include <shapeboost/shapeboost.hpp>
//     using namespace shapeboost;
//
//     int main() {
//       const Dataset data = read_dataset("GunPoint_TRAIN.ts");
//       const Dataset fresh = read_dataset("GunPoint_TEST.ts");
//       const Model model = train(data, TrainSettings{}).model;
//       const Scores scores = Predictor(model).scores(fresh);            // a Predictor may be asked many times
//       const std::vector<int> classes = predictions(model, scores);     // each an index into model.classes
//       const Explanation why = explain(model, fresh, 0, 0);             // what decided the first example
//       save_model(model, "gunpoint.json");
//     }
//
// Below, the headers in the order in which data flows; each can be included by itself. What does not fit throws
// InvalidInput with one sentence.
#pragma once

// clang-format off
#include "shapeboost/base.hpp"          // errors
#include "shapeboost/array.hpp"         // matrices at the boundary
#include "shapeboost/dataset.hpp"       // bags, series, sequences and their labels
#include "shapeboost/files.hpp"         // ... read and written
#include "shapeboost/synthetic.hpp"     // ... made up, with planted patterns
#include "shapeboost/kernel.hpp"        // the similarity of two instances
#include "shapeboost/view.hpp"          // an example as a bag of instances
#include "shapeboost/boosting.hpp"      // settings and progress of the training loop
#include "shapeboost/trainer.hpp"       // data and settings to a model
#include "shapeboost/shards.hpp"        // ... step by step, where the examples lie
#include "shapeboost/model.hpp"         // what is trained, saved and loaded
#include "shapeboost/calibration.hpp"   // probabilities
#include "shapeboost/selection.hpp"     // which settings to train with
#include "shapeboost/predictor.hpp"     // scores and classes of new examples
#include "shapeboost/evaluation.hpp"    // how good they are
#include "shapeboost/guarantee.hpp"     // what the margins promise
#include "shapeboost/explanation.hpp"   // what decided them
#include "shapeboost/report.hpp"        // the same as a page and as figures
#include "shapeboost/version.hpp"
// clang-format on

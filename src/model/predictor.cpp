// SPDX-License-Identifier: MIT
#include "shapeboost/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "ground/parallel.hpp"
#include "model/blocks.hpp"
#include "model/respond.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

/// The data's file and a colon, where there is one.
std::string source_of(const Dataset& data) { return data.source().empty() ? "" : data.source() + ": "; }

/// A part that gives a hypothesis a weight.
struct Use {
  Eigen::Index part;
  double w;
};

/// The model turned round: for each hypothesis its parts, so that each is evaluated once.
class Scorer {
 public:
  explicit Scorer(const Model& model) : model_(model), uses_(model.hypotheses.size()) {
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      for (const Weight& weight : model.parts[p].weights) {
        uses_[static_cast<std::size_t>(weight.hypothesis)].push_back(
            {static_cast<Eigen::Index>(p), weight.w});
      }
    }
    of_view_.resize(model.views.size());
    for (std::size_t j = 0; j < uses_.size(); ++j) {
      if (!uses_[j].empty()) of_view_[static_cast<std::size_t>(model.hypotheses[j].view)].push_back(j);
    }
    for (const std::vector<std::size_t>& hypotheses : of_view_) {
      std::vector<const Shapelet*> shapelets;
      shapelets.reserve(hypotheses.size());
      for (const std::size_t j : hypotheses) shapelets.push_back(&model.hypotheses[j].shapelet);
      shared_.emplace_back(std::move(shapelets));
    }
  }

  /// Every part's b, and covered where no view is asked.
  [[nodiscard]] Scores blank(std::int64_t rows) const {
    const bool asks_nothing = std::all_of(of_view_.begin(), of_view_.end(),
                                          [](const auto& hypotheses) { return hypotheses.empty(); });
    Scores scores{Eigen::MatrixXd(rows, static_cast<Eigen::Index>(model_.parts.size())),
                  std::vector<char>(static_cast<std::size_t>(rows), asks_nothing ? 1 : 0)};
    for (std::size_t p = 0; p < model_.parts.size(); ++p) {
      scores.parts.col(static_cast<Eigen::Index>(p)).setConstant(model_.parts[p].b);
    }
    return scores;
  }

  /// Adds the examples of `data` to the rows of `scores` that begin at `first`.
  void add(const Dataset& data, std::int64_t first, Scores& scores) const {
    for (std::size_t v = 0; v < model_.views.size(); ++v) {
      if (!of_view_[v].empty()) add_view(v, data, first, scores);
    }
  }

 private:
  void add_view(std::size_t view, const Dataset& data, std::int64_t first, Scores& scores) const {
    const std::unique_ptr<Instances> instances = make_instances(data, model_.views[view]);
    const auto empty = [&](std::int64_t i) { return instances->count(i) == 0; };
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (!empty(i)) scores.covered[static_cast<std::size_t>(first + i)] = 1;
    }
    const bool together = shared_[view].pays(*instances);
    const std::vector<Response> responses =
        together ? shared_[view].respond(*instances) : std::vector<Response>();
    for (std::size_t k = 0; k < of_view_[view].size(); ++k) {
      const std::size_t j = of_view_[view][k];
      const Hypothesis& hypothesis = model_.hypotheses[j];
      const Response response = together ? responses[k] : respond(*instances, hypothesis.shapelet);
      for (std::int64_t i = 0; i < data.size(); ++i) {
        if (empty(i)) continue;
        for (const Use& use : uses_[j]) {
          scores.parts(first + i, use.part) +=
              use.w * hypothesis.sign * response.value[static_cast<std::size_t>(i)];
        }
      }
    }
  }

  const Model& model_;
  std::vector<std::vector<Use>> uses_;             // of each hypothesis
  std::vector<std::vector<std::size_t>> of_view_;  // hypotheses of each view that some part uses
  std::vector<SharedInstances> shared_;            // of the same
};

/// Where class a is the negative and b > a the positive one.
Eigen::Index part_of_pair(const Model& model, int a, int b) {
  const auto found = std::find_if(model.parts.begin(), model.parts.end(),
                                  [&](const Part& part) { return part.negative == a && part.positive == b; });
  return found - model.parts.begin();
}

/// The unit of a part's scores: their mean size over its training bags, or 1 where it is not known.
double unit_of(const Part& part) {
  double sum = 0.0;
  for (const double margin : part.margins) sum += std::abs(margin);
  return sum > 0.0 ? sum / static_cast<double>(part.margins.size()) : 1.0;
}

/// How soon a vote between two classes is as good as certain: at scores about their mean size, divided by
/// this. Of 1/2, 1, 2, 4 and 100 the best by cross-validation on nine sets of three to fifteen classes.
constexpr double kVote = 4.0;

/// "a, b or c"; where there are many, how many.
std::string any_of(const std::vector<std::string>& classes) {
  constexpr std::size_t kListed = 10;
  if (classes.size() > kListed) return "of one of the model's " + std::to_string(classes.size()) + " classes";
  std::string text;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == classes.size() ? " or " : ", ") + classes[k];
  }
  return text;
}

}  // namespace

namespace detail {

void check_fits(const Model& model, const Dataset& data) {
  if (data.kind() != model.kind) {
    throw InvalidInput(source_of(data) + "the model is for " + std::string(to_string(model.kind)) +
                       ", the data are " + std::string(to_string(data.kind())));
  }
  const std::int64_t width = model.views.front().width;
  if (data.size() > 0 && data.width() != width) {
    throw InvalidInput(source_of(data) + "the model is for " + std::to_string(width) +
                       (model.kind == DataKind::bags ? " feature" : " channel") + (width == 1 ? "" : "s") +
                       ", the data have " + std::to_string(data.width()));
  }
}

void for_each_block(const Dataset& data, int threads,
                    const std::function<void(std::int64_t, const Dataset&)>& task) {
  ThreadPool pool(threads);
  pool.run((data.size() + kBlock - 1) / kBlock, [&](std::int64_t block) {
    std::vector<std::int64_t> members(
        static_cast<std::size_t>(std::min(kBlock, data.size() - block * kBlock)));
    std::iota(members.begin(), members.end(), block * kBlock);
    task(block * kBlock, data.subset(members));
  });
}

}  // namespace detail

Scores scores(const Model& model, const Dataset& data, int threads) {
  detail::check_fits(model, data);
  const Scorer scorer(model);
  Scores result = scorer.blank(data.size());
  detail::for_each_block(data, threads,
                         [&](std::int64_t first, const Dataset& block) { scorer.add(block, first, result); });
  return result;
}

Scores instance_scores(const Model& model, const Dataset& data, int threads) {
  detail::check_fits(model, data);
  if (data.kind() != DataKind::bags) {
    throw InvalidInput(source_of(data) + "instances are scored one by one in bags only, the data are " +
                       std::string(to_string(data.kind())));
  }
  std::vector<std::int64_t> first_row{0};  // of each bag
  for (std::int64_t i = 0; i < data.size(); ++i)
    first_row.push_back(first_row.back() + data.values(i).rows());
  const Scorer scorer(model);
  Scores result = scorer.blank(first_row.back());
  detail::for_each_block(data, threads, [&](std::int64_t first, const Dataset& block) {
    Dataset alone(DataKind::bags);
    for (std::int64_t i = 0; i < block.size(); ++i) {
      const MatrixView bag = block.values(i);
      for (Eigen::Index x = 0; x < bag.rows(); ++x) alone.add(bag.row(x), "", block.name(i));
    }
    scorer.add(alone, first_row[static_cast<std::size_t>(first)], result);
  });
  return result;
}

Matrix transformed(const Model& model, const Dataset& data, int threads) {
  detail::check_fits(model, data);
  Matrix result = Matrix::Zero(data.size(), static_cast<Eigen::Index>(model.hypotheses.size()));
  detail::for_each_block(data, threads, [&](std::int64_t first, const Dataset& block) {
    for (std::size_t v = 0; v < model.views.size(); ++v) {
      std::unique_ptr<Instances> instances;
      for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
        const Hypothesis& hypothesis = model.hypotheses[j];
        if (hypothesis.view != static_cast<int>(v)) continue;
        if (!instances) instances = make_instances(block, model.views[v]);
        const Response response = respond(*instances, hypothesis.shapelet);
        for (std::int64_t i = 0; i < block.size(); ++i) {
          if (instances->count(i) == 0) continue;
          result(first + i, static_cast<Eigen::Index>(j)) =
              hypothesis.sign * response.value[static_cast<std::size_t>(i)];
        }
      }
    }
  });
  return result;
}

std::vector<std::int64_t> uncovered(const Scores& scores) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < scores.covered.size(); ++i) {
    if (scores.covered[i] == 0) rows.push_back(static_cast<std::int64_t>(i));
  }
  return rows;
}

std::vector<int> predictions(const Model& model, const Scores& scores) {
  const auto classes = static_cast<int>(model.classes.size());
  std::vector<int> result;
  result.reserve(static_cast<std::size_t>(scores.parts.rows()));
  if (classes > 2 && model.strategy == Strategy::one_vs_rest) {
    for (Eigen::Index i = 0; i < scores.parts.rows(); ++i) {
      int best = 0;
      for (int c = 1; c < classes; ++c) {
        if (scores.parts(i, c) > scores.parts(i, best)) best = c;
      }
      result.push_back(best);
    }
    return result;
  }
  Eigen::MatrixXi part(classes, classes);
  for (int a = 0; a < classes; ++a) {
    for (int b = a + 1; b < classes; ++b) part(a, b) = static_cast<int>(part_of_pair(model, a, b));
  }
  for (Eigen::Index i = 0; i < scores.parts.rows(); ++i) {
    int a = 0;
    int b = classes - 1;
    while (a < b) {  // what is left are the classes a ... b
      if (scores.parts(i, part(a, b)) > 0.0) {
        ++a;
      } else {
        --b;
      }
    }
    result.push_back(a);
  }
  return result;
}

Eigen::MatrixXd class_scores(const Model& model, const Scores& scores) {
  const auto classes = static_cast<Eigen::Index>(model.classes.size());
  if (classes > 2 && model.strategy == Strategy::one_vs_rest) return scores.parts;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(scores.parts.rows(), classes);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const Part& part = model.parts[p];
    // Of two classes the score itself; of more a vote between -1 and 1: a class that an example is far from
    // must not decide between two that it is near to.
    const auto column = scores.parts.col(static_cast<Eigen::Index>(p)).array();
    const Vector g = classes == 2
                         ? Vector(column)
                         : Vector((kVote * column / unit_of(part)).tanh() / static_cast<double>(classes - 1));
    result.col(part.positive) += g;
    result.col(part.negative) -= g;
  }
  return result;
}

Eigen::MatrixXd unit_scores(const Model& model, const Scores& scores) {
  Eigen::MatrixXd result = class_scores(model, scores);
  if (model.classes.size() == 2) return result / unit_of(model.parts.front());
  if (model.strategy == Strategy::one_vs_rest) {
    for (Eigen::Index c = 0; c < result.cols(); ++c) {
      result.col(c) /= unit_of(model.parts[static_cast<std::size_t>(c)]);
    }
  }
  return result;  // votes between pairs are in units already
}

Eigen::MatrixXd probabilities(const Calibration& calibration, const Eigen::MatrixXd& scores) {
  Eigen::MatrixXd result(scores.rows(), scores.cols());
  const Eigen::Map<const Vector> offsets(calibration.offsets.data(), scores.cols());
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    Vector z = calibration.slope * scores.row(i).transpose() + offsets;
    z = (z.array() - z.maxCoeff()).exp();
    result.row(i) = z.transpose() / z.sum();
  }
  return result;
}

Eigen::MatrixXd probabilities(const Model& model, const Scores& scores) {
  if (!model.calibration) {
    throw InvalidInput("the model has no probabilities: train it with --probability");
  }
  return probabilities(*model.calibration, unit_scores(model, scores));
}

std::vector<int> labels_for(const Model& model, const Dataset& data) {
  std::vector<int> index;  // of each of the data's classes
  for (const std::string& name : data.classes()) {
    const auto found = std::find(model.classes.begin(), model.classes.end(), name);
    index.push_back(found == model.classes.end() ? -2 : static_cast<int>(found - model.classes.begin()));
  }
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const int label = data.label(i);
    labels.push_back(label == kUnlabelled ? kUnlabelled : index[static_cast<std::size_t>(label)]);
    if (labels.back() == -2) {
      throw InvalidInput(source_of(data) + "example " + data.name(i) + ": expected the label " +
                         any_of(model.classes) + ", found '" +
                         data.classes()[static_cast<std::size_t>(label)] + "'");
    }
  }
  return labels;
}

}  // namespace shapeboost

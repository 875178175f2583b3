// SPDX-License-Identifier: MIT
#include "shapeboost/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "model/hypothesis_walk.hpp"
#include "model/interval_reader.hpp"
#include "model/pattern_reader.hpp"
#include "model/probabilities.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

/// The data's file and a colon, where there is one.
std::string source_of(const Dataset& data) { return data.source().empty() ? "" : data.source() + ": "; }

/// No answer is a number that is none: throws InvalidInput.
void check_finite(const Array<double>& answers, const Dataset& data,
                  const std::function<std::int64_t(std::int64_t)>& example_of_row) {
  const double* const end = answers.data() + answers.size();
  const double* const odd = std::find_if_not(answers.data(), end, [](double x) { return std::isfinite(x); });
  if (odd == end) return;
  const std::int64_t row = (odd - answers.data()) / answers.cols();
  throw InvalidInput(source_of(data) + "example " + data.name(example_of_row(row)) +
                     ": its numbers are too large for the model, whose answer is not a finite one");
}

void check_finite(const Array<double>& answers, const Dataset& data) {
  check_finite(answers, data, std::identity());
}

}  // namespace

/// How a model answers: by its hypotheses one after the other, or by a head's evidence view after view.
struct Predictor::Prepared {
  explicit Prepared(std::shared_ptr<const Model> given) : model(std::move(given)) {}
  virtual ~Prepared() = default;

  /// Every part's b, and covered where no view is asked.
  [[nodiscard]] Scores blank(std::int64_t rows) const {
    const bool asks_nothing =
        std::ranges::all_of(model->parts, [](const Part& part) { return part.weights.empty(); });
    Scores scores{Array<double>(rows, model->parts.size()),
                  std::vector<char>(at(rows), asks_nothing ? 1 : 0)};
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::size_t p = 0; p < model->parts.size(); ++p) {
        scores.parts(i, p) = model->parts[p].b;
      }
    }
    return scores;
  }

  /// Adds the examples of `block` to the rows that begin at `first`.
  virtual void add(const Dataset& block, std::int64_t first, Scores& scores) const = 0;
  virtual void add(const Responses& responses, Scores& scores) const = 0;
  virtual void respond(const Dataset& block, std::int64_t first, Responses& responses) const = 0;

  std::shared_ptr<const Model> model;
};

struct Predictor::OfHypotheses final : Predictor::Prepared {
  /// A part that gives a hypothesis a weight.
  struct Use {
    std::size_t part;
    double w;
  };

  explicit OfHypotheses(std::shared_ptr<const Model> given)
      : Prepared(std::move(given)), walk(*model), uses(model->hypotheses.size()) {
    for (std::size_t p = 0; p < model->parts.size(); ++p) {
      for (const Weight& weight : model->parts[p].weights) {
        uses[at(weight.hypothesis)].push_back({p, weight.w});
      }
    }
  }

  /// What hypothesis j says of the bag of a row, which is not empty.
  void add(std::size_t j, double response, std::int64_t row, Scores& scores) const {
    for (const Use& use : uses[j]) {
      scores.covered[at(row)] = 1;
      scores.parts(row, use.part) += use.w * model->hypotheses[j].sign * response;
    }
  }

  void add(const Dataset& block, std::int64_t first, Scores& scores) const override {
    walk.each(block, [&](std::size_t j, const Instances& instances, const Response& response) {
      for (std::int64_t i = 0; i < block.size(); ++i) {
        if (instances.count(i) > 0) add(j, response.value[at(i)], first + i, scores);
      }
    });
  }

  void add(const Responses& responses, Scores& scores) const override {
    for (const std::vector<std::size_t>& hypotheses : walk.of_view()) {
      for (const std::size_t j : hypotheses) {
        for (std::int64_t i = 0; i < responses.value.rows(); ++i) {
          if (responses.instance(i, j) >= 0) add(j, responses.value(i, j), i, scores);
        }
      }
    }
  }

  void respond(const Dataset& block, std::int64_t first, Responses& responses) const override {
    walk.each(block, [&](std::size_t j, const Instances& instances, const Response& response) {
      for (std::int64_t i = 0; i < block.size(); ++i) {
        const std::int64_t argmax = response.argmax[at(i)];
        responses.value(first + i, j) = response.value[at(i)];
        if (argmax < 0) continue;
        responses.instance(first + i, j) = argmax - instances.first(i);
        responses.position(first + i, j) = instances.position(argmax);
      }
    });
  }

  detail::Walk walk;
  std::vector<std::vector<Use>>
      uses;  // of each hypothesis: the model turned round, so that each is asked once
};

struct Predictor::OfHead final : Predictor::Prepared {
  explicit OfHead(std::shared_ptr<const Model> given)
      : Prepared(std::move(given)), views(model->views.size()) {
    for (std::size_t j = 0; j < model->hypotheses.size(); ++j) {
      views[at(model->hypotheses[j].view)].hypotheses.push_back(j);
    }
    const auto parts = static_cast<Eigen::Index>(model->parts.size());
    std::vector<Eigen::Index> place(model->hypotheses.size());
    for (std::size_t v = 0; v < views.size(); ++v) {
      View& view = views[v];
      std::vector<const Hypothesis*> patterns;
      for (const std::size_t j : view.hypotheses) {
        place[j] = std::ssize(patterns);
        patterns.push_back(&model->hypotheses[j]);
      }
      view.reader = detail::make_reader(model->views[v], patterns);
      view.weights = Eigen::MatrixXd::Zero(std::ssize(patterns) * std::ssize(model->head->evidence), parts);
      view.offset = Vector::Zero(parts);
    }
    for (Eigen::Index p = 0; p < parts; ++p) {
      for (const Weight& weight : model->parts[at(p)].weights) {
        const Hypothesis& hypothesis = model->hypotheses[at(weight.hypothesis)];
        const Standard& standard = hypothesis.standard[static_cast<std::size_t>(weight.evidence)];
        View& view = views[at(hypothesis.view)];
        const auto kind =
            std::ranges::find(model->head->evidence, weight.evidence) - model->head->evidence.begin();
        const double w = weight.w * hypothesis.sign / standard.scale;
        view.weights(kind * std::ssize(view.hypotheses) + place[at(weight.hypothesis)], p) = w;
        view.offset[p] -= w * standard.centre;
      }
    }
  }

  /// Series by series, so that views share what they see of it, a few at a time, for which the patterns and weights of a view
  /// stay in the cache; bags view after view.
  void add(const Dataset& block, std::int64_t first, Scores& scores) const override {
    detail::Readings readings;
    if (model->kind == DataKind::series) {
      std::vector<detail::Sight> sights(at(std::min(block.size(), series_at_once(block))));
      for (std::int64_t begin = 0; begin < block.size(); begin += std::ssize(sights)) {
        const std::int64_t count = std::min(std::ssize(sights), block.size() - begin);
        for (std::int64_t i = 0; i < count; ++i)
          sights[at(i)].look_at(block.values(begin + i), block.name(begin + i));
        for (const View& view : views) {
          for (std::int64_t i = 0; !view.hypotheses.empty() && i < count; ++i) {
            if (view.reader->read(sights[at(i)], readings)) add(view, readings, first + begin + i, scores);
          }
        }
      }
      add_intervals(block, first, scores);
      return;
    }
    for (const View& view : views) {
      for (std::int64_t i = 0; !view.hypotheses.empty() && i < block.size(); ++i) {
        if (view.reader->read(block, i, readings)) add(view, readings, first + i, scores);
      }
    }
  }

  void add(const Responses& responses, Scores& scores) const override {
    detail::Readings readings;
    for (std::int64_t i = 0; i < responses.value.rows(); ++i) {
      for (const View& view : views) {
        if (view.hypotheses.empty() || responses.instance(i, view.hypotheses.front()) < 0) continue;
        for (const Evidence kind : model->head->evidence) {
          std::vector<float>& evidence = readings.of(kind);
          evidence.clear();
          for (const std::size_t j : view.hypotheses) {
            evidence.push_back(static_cast<float>(responses.of(kind, i, j)));
          }
        }
        add(view, readings, i, scores);
      }
      if (model->head->intervals) add(responses.intervals.row(i), i, scores);
    }
  }

  void respond(const Dataset& block, std::int64_t first, Responses& responses) const override {
    detail::Readings readings;
    for (std::int64_t i = 0; i < block.size(); ++i) {
      for (const View& view : views) {
        if (view.hypotheses.empty() || !view.reader->read(block, i, readings)) continue;
        for (std::size_t k = 0; k < view.hypotheses.size(); ++k) {
          const std::size_t j = view.hypotheses[k];
          responses.value(first + i, j) = static_cast<double>(readings.best[k]);
          responses.share(first + i, j) = static_cast<double>(readings.share[k]);
          if (model->kind == DataKind::bags) {
            responses.mean(first + i, j) = static_cast<double>(readings.mean[k]);
            responses.least(first + i, j) = static_cast<double>(readings.least[k]);
            responses.bag(first + i, j) = static_cast<double>(readings.bag[k]);
          } else {
            responses.place(first + i, j) = static_cast<double>(readings.place[k]);
          }
          responses.instance(first + i, j) = readings.instance[k];
          responses.position(first + i, j) = readings.position[k];
        }
      }
      if (model->head->intervals) {
        const std::size_t count = model->head->intervals->size();
        detail::read_intervals(*model->head->intervals, block.values(i),
                               {&responses.intervals(first + i, 0), count});
      }
    }
  }

 private:
  struct View {
    std::vector<std::size_t> hypotheses;
    std::unique_ptr<detail::PatternReader> reader;
    Eigen::MatrixXd
        weights;    // w / scale, a column a part: of each of the head's evidence, a row a hypothesis
    Vector offset;  // of each part: less the sum of w centre / scale
  };

  /// Series that are looked at side by side: fewer where they are long.
  static std::int64_t series_at_once(const Dataset& block) {
    constexpr std::int64_t kMost = 8;
    constexpr std::int64_t kNumbers = std::int64_t{1} << 14;
    return std::clamp<std::int64_t>(kNumbers / std::max<std::int64_t>(1, block.max_length()), 1, kMost);
  }

  void add(const View& view, const detail::Readings& readings, std::int64_t row, Scores& scores) const {
    scores.covered[at(row)] = 1;
    thread_local Vector values;
    values.resize(view.weights.rows());
    double* value = values.data();
    for (const Evidence kind : model->head->evidence) {
      const std::vector<float>& evidence = readings.of(kind);
      value = std::transform(evidence.begin(), evidence.begin() + std::ssize(view.hypotheses), value,
                             [](float x) { return static_cast<double>(x); });
    }
    Eigen::Map<Vector> score(&scores.parts(row, 0), scores.parts.cols());
    score += view.offset;
    score.noalias() += view.weights.transpose() * values;
  }

  void add_intervals(const Dataset& block, std::int64_t first, Scores& scores) const {
    if (!model->head->intervals) return;
    std::vector<double> moments(model->head->intervals->size());
    for (std::int64_t i = 0; i < block.size(); ++i) {
      detail::read_intervals(*model->head->intervals, block.values(i), moments);
      add(moments, first + i, scores);
    }
  }

  void add(std::span<const double> moments, std::int64_t row, Scores& scores) const {
    scores.covered[at(row)] = 1;
    std::vector<double> standardised(moments.size());
    for (std::size_t k = 0; k < moments.size(); ++k) {
      standardised[k] = detail::standardised(model->head->intervals->standard[k], moments[k]);
    }
    for (std::size_t p = 0; p < model->parts.size(); ++p) {
      const std::vector<double>& w = model->parts[p].intervals;
      scores.parts(row, p) += std::inner_product(w.begin(), w.end(), standardised.begin(), 0.0);
    }
  }

  std::vector<View> views;
};

Predictor::Predictor(std::shared_ptr<const Model> model) {
  if (model->head) {
    prepared_ = std::make_shared<const OfHead>(std::move(model));
  } else {
    prepared_ = std::make_shared<const OfHypotheses>(std::move(model));
  }
}

Predictor::Predictor(Model model) : Predictor(std::make_shared<const Model>(std::move(model))) {}

Predictor Predictor::borrow(const Model& model) {
  return Predictor(std::shared_ptr<const Model>(std::shared_ptr<void>(), &model));
}

const Model& Predictor::model() const { return *prepared_->model; }

Scores Predictor::scores(const Dataset& given, int threads) const {
  const detail::Fitted fitted(model(), given);
  const Dataset& data = fitted.data();
  Scores result = prepared_->blank(data.size());
  detail::for_each_block(model(), data, threads, [&](std::int64_t first, const Dataset& block) {
    prepared_->add(block, first, result);
  });
  check_finite(result.parts, data);
  return result;
}

Scores Predictor::scores(const Responses& responses) const {
  Scores result = prepared_->blank(responses.value.rows());
  prepared_->add(responses, result);
  return result;
}

Scores Predictor::instance_scores(const Dataset& given, int threads) const {
  const detail::Fitted fitted(model(), given);
  const Dataset& data = fitted.data();
  if (data.kind() != DataKind::bags) {
    throw InvalidInput(source_of(data) + "instances are scored one by one in bags only, the data are " +
                       std::string(to_string(data.kind())));
  }
  std::vector<std::int64_t> first_row{0};  // of each bag
  for (std::int64_t i = 0; i < data.size(); ++i) first_row.push_back(first_row.back() + data.rows(i));
  Scores result = prepared_->blank(first_row.back());
  detail::for_each_block(model(), data, threads, [&](std::int64_t first, const Dataset& block) {
    prepared_->add(detail::single_instances(block), first_row[at(first)], result);
  });
  check_finite(result.parts, data, [&](std::int64_t row) {
    return std::ranges::upper_bound(first_row, row) - first_row.begin() - 1;
  });
  return result;
}

Responses Predictor::responses(const Dataset& given, int threads) const {
  const detail::Fitted fitted(model(), given);
  const Dataset& data = fitted.data();
  const std::size_t columns = model().hypotheses.size();
  Responses result{Array<double>(data.size(), columns),
                   Array<std::int64_t>(data.size(), columns, -1),
                   Array<std::int64_t>(data.size(), columns, -1),
                   {},
                   {},
                   {},
                   {},
                   {},
                   {}};
  if (model().head) {
    const bool bags = model().kind == DataKind::bags;
    result.share = Array<double>(data.size(), columns);
    (bags ? result.mean : result.place) = Array<double>(data.size(), columns);
    if (bags) result.least = result.bag = Array<double>(data.size(), columns);
    if (model().head->intervals) {
      result.intervals = Array<double>(data.size(), model().head->intervals->size());
    }
  }
  detail::for_each_block(model(), data, threads, [&](std::int64_t first, const Dataset& block) {
    prepared_->respond(block, first, result);
  });
  check_finite(result.value, data);
  return result;
}

Array<double> Predictor::transformed(const Dataset& data, int threads) const {
  const Responses all = responses(data, threads);
  const std::vector<Evidence> kinds = model().head ? model().head->evidence : std::vector{Evidence::best};
  const std::size_t of_patterns = model().hypotheses.size() * kinds.size();
  Array<double> result(data.size(), of_patterns + at(all.intervals.cols()));
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (std::int64_t k = 0; k < all.intervals.cols(); ++k) {
      const Standard& standard = model().head->intervals->standard[at(k)];
      result(i, of_patterns + at(k)) =
          standard.centre + standard.scale * detail::standardised(standard, all.intervals(i, k));
    }
    for (std::size_t j = 0; j < model().hypotheses.size(); ++j) {
      if (all.instance(i, j) < 0) continue;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        result(i, j * kinds.size() + k) = model().hypotheses[j].sign * all.of(kinds[k], i, j);
      }
    }
  }
  return result;
}

double contribution(const Hypothesis& hypothesis, const Weight& weight, double evidence) {
  const Standard& standard = hypothesis.standard[static_cast<std::size_t>(weight.evidence)];
  return weight.w * hypothesis.sign * ((evidence - standard.centre) / standard.scale);
}

}  // namespace shapeboost

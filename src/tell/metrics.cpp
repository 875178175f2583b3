// SPDX-License-Identifier: MIT
#include "tell/metrics.hpp"

#include <algorithm>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void check_sizes(const char* function, std::size_t labels, std::size_t others, const char* what) {
  if (labels == others) return;
  throw InvalidInput(concat(function, ": ", labels, " labels, but ", others, ' ', what));
}

void check_class(const char* function, const char* what, std::size_t i, int value, int classes) {
  if (value >= 0 && value < classes) return;
  throw InvalidInput(concat(function, ": ", what, ' ', i, " is ", value, ", expected 0 ... ", classes - 1));
}

double share(int part, int whole) { return whole == 0 ? kNaN : real(part) / whole; }

/// What of(right, examples, predictions) says of each class.
template <typename Of>
std::vector<double> of_each_class(const Array<int>& confusion, const Of& of) {
  std::vector<double> result;
  for (std::int64_t k = 0; k < confusion.rows(); ++k) {
    int predictions = 0;
    for (std::int64_t a = 0; a < confusion.rows(); ++a) predictions += confusion(a, k);
    const std::span<const int> row = confusion.row(k);
    result.push_back(of(confusion(k, k), std::accumulate(row.begin(), row.end(), 0), predictions));
  }
  return result;
}

}  // namespace

Array<int> confusion_matrix(const std::vector<int>& labels, const std::vector<int>& predictions,
                            int classes) {
  check_sizes("confusion_matrix", labels.size(), predictions.size(), "predictions");
  if (classes < 0) throw InvalidInput(concat("confusion_matrix: classes is ", classes, ", expected >= 0"));
  Array<int> counts(classes, classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    check_class("confusion_matrix", "label", i, labels[i], classes);
    check_class("confusion_matrix", "prediction", i, predictions[i], classes);
    ++counts(labels[i], predictions[i]);
  }
  return counts;
}

double accuracy(const Array<int>& confusion) {
  int right = 0;
  for (std::int64_t k = 0; k < confusion.rows(); ++k) right += confusion(k, k);
  return share(right, std::accumulate(confusion.data(), confusion.data() + confusion.size(), 0));
}

double balanced_accuracy(const Array<int>& confusion) { return mean_of_known(recall(confusion)); }

std::vector<double> recall(const Array<int>& confusion) {
  return of_each_class(confusion, [](int right, int examples, int) { return share(right, examples); });
}

std::vector<double> precision(const Array<int>& confusion) {
  return of_each_class(confusion, [](int right, int, int predictions) { return share(right, predictions); });
}

std::vector<double> f1(const Array<int>& confusion) {
  return of_each_class(confusion, [](int right, int examples, int predictions) {
    return share(2 * right, examples + predictions);
  });
}

double macro_f1(const Array<int>& confusion) { return mean_of_known(f1(confusion)); }

// Pairs (positive, negative) are counted twice over, a win as 2 and a tie as 1, in whole numbers: walking
// up the scores, every positive beats the negatives passed so far and ties with those of its own score.
double auc(const std::vector<int>& labels, const std::vector<double>& scores) {
  check_sizes("auc", labels.size(), scores.size(), "scores");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    check_class("auc", "label", i, labels[i], 2);
    if (std::isnan(scores[i])) return kNaN;  // also keeps the order below a valid one
  }
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });

  std::int64_t doubled = 0;
  std::int64_t count[2] = {0, 0};
  for (std::size_t begin = 0; begin < order.size();) {
    std::int64_t tied[2] = {0, 0};
    std::size_t end = begin;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end)
      ++tied[labels[order[end]]];
    doubled += tied[1] * (2 * count[0] + tied[0]);
    count[0] += tied[0];
    count[1] += tied[1];
    begin = end;
  }
  if (count[0] == 0 || count[1] == 0) return kNaN;
  return real(doubled) / (2.0 * real(count[0]) * real(count[1]));
}

std::vector<double> auc_per_class(const std::vector<int>& labels, const ArrayView& scores) {
  check_sizes("auc_per_class", labels.size(), at(scores.rows()), "rows of scores");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    check_class("auc_per_class", "label", i, labels[i], static_cast<int>(scores.cols()));
  }
  std::vector<double> result;
  std::vector<int> is_class(labels.size());
  std::vector<double> score(labels.size());
  for (int k = 0; k < static_cast<int>(scores.cols()); ++k) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      is_class[i] = labels[i] == k ? 1 : 0;
      score[i] = scores(i, k);
    }
    result.push_back(auc(is_class, score));
  }
  return result;
}

double mean_of_known(const std::vector<double>& values) {
  double sum = 0.0;
  int known = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++known;
  }
  return known == 0 ? kNaN : sum / known;
}

}  // namespace shapeboost

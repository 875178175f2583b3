// SPDX-License-Identifier: MIT
#include "model/head_reader.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "model/hypothesis_reader.hpp"

namespace shapeboost::detail {

namespace {

Intervals read_intervals_of_head(const Node& node, DataKind kind, std::int64_t width) {
  constexpr std::int64_t kDeepest = 20;
  if (kind != DataKind::series) node.fail("expected intervals in a model of series only");
  Intervals intervals;
  for (const Node& entry : node["transforms"].list("transforms", 1)) {
    const auto transform = entry.word<Transform>();
    if (std::ranges::count(intervals.transforms, transform) > 0) entry.fail_expected("each transform once");
    intervals.transforms.push_back(transform);
    if (transform == Transform::spectrum) intervals.period = read_period(node);
  }
  intervals.channels = static_cast<int>(node["channels"].whole(width, width));
  intervals.depth = static_cast<int>(node["depth"].whole(0, kDeepest));
  for (const Node& entry : node["factors"].list("factors"))
    intervals.factors.push_back(entry.number_above_0());
  if (intervals.factors.size() != intervals.groups()) {
    node["factors"].fail_expected(std::to_string(intervals.groups()) + " numbers, one for each group");
  }
  const auto size = static_cast<std::int64_t>(intervals.size());
  const std::vector<double> centre = node["centre"].numbers(size);
  const std::vector<Node> scale = node["scale"].list("scales");
  if (scale.size() != centre.size()) node["scale"].fail_expected(count(size, "number"));
  for (std::size_t k = 0; k < centre.size(); ++k) {
    intervals.standard.push_back({centre[k], scale[k].number_above_0()});
  }
  return intervals;
}

}  // namespace

Head read_head(const Node& node, DataKind kind, std::size_t classes, const std::vector<View>& views) {
  Head head;
  const std::vector<Evidence> known = evidence_of(kind);
  if (node["kind"].text() != "ridge") node["kind"].fail_expected("\"ridge\"");
  for (const Node& entry : node["evidence"].list("evidence", 1)) {
    head.evidence.push_back(entry.word<Evidence>());
    if (std::ranges::find(known, head.evidence.back()) == known.end()) {
      entry.fail_expected("evidence that there is of " + std::string(to_string(kind)));
    }
    if (std::count(head.evidence.begin(), head.evidence.end(), head.evidence.back()) > 1) {
      entry.fail_expected("each evidence once");
    }
  }
  head.alpha = node["alpha"].number_above_0();
  head.left_out_error = node["left_out_error"].number();
  head.left_out_accuracy = node["left_out_accuracy"].number();
  head.residual = node["residual"].number();
  const auto share = [](const Node& of) {
    const double number = of.number();
    if (number < 0.0) of.fail_expected("a number of at least 0");
    return number;
  };
  if (node.has("apart")) {
    for (const Node& entry : node["apart"].list("regressions", 1)) {
      head.apart.push_back({entry["alpha"].number_above_0(), share(entry["share"])});
    }
    if (head.apart.size() != head.evidence.size()) {
      node["apart"].fail_expected(std::to_string(head.evidence.size()) +
                                  " regressions, one for each evidence");
    }
  }
  if (node.has("averaged")) head.averaged = share(node["averaged"]);
  if (node.has("mixing")) {
    for (const Node& entry : node["mixing"].list("classes", 1)) {
      head.mixing.push_back(entry.numbers(static_cast<std::int64_t>(classes)));
    }
    if (head.mixing.size() != classes) {
      node["mixing"].fail_expected(std::to_string(classes) + " lists, one for each class");
    }
  }
  if (node.has("intervals")) {
    head.intervals = read_intervals_of_head(node["intervals"], kind, views.front().width);
  }
  if (!node.has("factors")) return head;
  for (const Node& entry : node["factors"].list("views", 1)) {
    head.factors.push_back(entry.numbers(static_cast<std::int64_t>(head.evidence.size())));
    for (const double factor : head.factors.back()) {
      if (!(factor > 0.0 && factor <= 1.0)) entry.fail_expected("numbers above 0, at most 1");
    }
  }
  if (head.factors.size() != views.size()) {
    node["factors"].fail_expected(std::to_string(views.size()) + " lists, one for each view");
  }
  return head;
}

}  // namespace shapeboost::detail

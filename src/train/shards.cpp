// SPDX-License-Identifier: MIT
#include "shapeboost/shards.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "data/magnitude.hpp"
#include "ground/json.hpp"
#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "train/distinct.hpp"
#include "train/evidence.hpp"
#include "train/find.hpp"
#include "train/found_text.hpp"
#include "train/head.hpp"
#include "train/plan.hpp"
#include "train/problem.hpp"
#include "train/stream.hpp"

namespace shapeboost {

using detail::Identity;
using detail::Json;

struct Roll::State {
  std::vector<std::string> classes;
  std::vector<Identity> examples;  // whose labels are places in `classes`
  std::vector<std::int64_t> lengths;
  double largest = 0.0;  // of all numbers, in size
};

namespace {

constexpr std::string_view kRollMark = "shapeboost roll 1\n";
constexpr std::string_view kSumsMark = "shapeboost sums 1\n";

/// Numbers of a fixed size one after the other, as this kind of machine holds them.
class Bytes {
 public:
  explicit Bytes(std::string_view mark) : text_(mark) {}
  template <typename T>
  void add(const T& value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void add_text(std::string_view value) {
    add(std::ssize(value));
    text_ += value;
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class BytesReader {
 public:
  BytesReader(std::string_view bytes, std::string_view mark, const char* what) : rest_(bytes), what_(what) {
    if (take(mark.size()) != mark) fail();
  }
  template <typename T>
  [[nodiscard]] T next() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// How many things of so many bytes follow.
  [[nodiscard]] std::int64_t count(std::int64_t bytes) {
    const auto n = next<std::int64_t>();
    if (n < 0 || n > std::ssize(rest_) / bytes) fail();
    return n;
  }
  [[nodiscard]] std::string_view take(std::size_t size) {
    if (size > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, size);
    rest_ = rest_.substr(size);
    return taken;
  }
  void end() const {
    if (!rest_.empty()) fail();
  }
  [[noreturn]] void fail() const {
    throw InvalidInput(concat(what_, ": these bytes are none, or not of this version"));
  }

 private:
  std::string_view rest_;
  const char* what_;
};

const double kNothing = 0.0;

/// These examples by label, without their numbers.
Dataset labels_only(const std::vector<std::string>& classes, const std::vector<Identity>& examples,
                    const std::vector<std::int64_t>& chosen, const std::vector<double>& weights) {
  Dataset data(DataKind::series);
  for (const std::int64_t i : chosen) {
    data.borrow({&kNothing, 1, 1}, classes[at(examples[at(i)].label)], std::to_string(i));
  }
  data.set_weights(weights);
  return data;
}

/// The labels, in the order of a data set that has both.
std::vector<std::string> united(const std::vector<std::string>& some, const std::vector<std::string>& more) {
  Dataset data(DataKind::series);
  for (const auto* labels : {&some, &more}) {
    for (const std::string& label : *labels) data.borrow({&kNothing, 1, 1}, label, "");
  }
  return data.classes();
}

void rename(std::vector<Identity>& examples, const std::vector<std::string>& from,
            const std::vector<std::string>& to) {
  if (from == to) return;
  std::vector<int> place;
  for (const std::string& label : from) {
    place.push_back(static_cast<int>(std::ranges::find(to, label) - to.begin()));
  }
  for (Identity& example : examples) example.label = place[at(example.label)];
}

double largest_number(const Dataset& data) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const ArrayView values = data.values(i);
    for (std::int64_t k = 0; k < values.size(); ++k) {
      if (std::abs(values.data()[k]) > largest) largest = std::abs(values.data()[k]);
    }
  }
  return largest;
}

void check_sample(const Dataset& sample, const ShardPlan& plan) {
  if (sample.size() != std::ssize(plan.sample)) {
    throw InvalidInput(
        concat("sample: expected the plan's ", plan.sample.size(), " examples, found ", sample.size()));
  }
  if (sample.classes() != plan.classes)
    throw InvalidInput("sample: expected examples of every class of the plan");
}

std::vector<int> labels_in(const Dataset& data) {
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
  return labels;
}

}  // namespace

Roll::Roll() : state_(std::make_unique<State>()) {}
Roll::Roll(const Roll& other) : state_(std::make_unique<State>(*other.state_)) {}
Roll& Roll::operator=(const Roll& other) {
  *state_ = *other.state_;
  return *this;
}
Roll::Roll(Roll&&) noexcept = default;
Roll& Roll::operator=(Roll&&) noexcept = default;
Roll::~Roll() = default;

Roll::Roll(const Dataset& shard, std::span<const double> weights) : Roll() {
  if (shard.kind() != DataKind::series) {
    throw InvalidInput(concat("roll: expected series, found ", to_string(shard.kind())));
  }
  if (!weights.empty() && std::ssize(weights) != shard.size()) {
    throw InvalidInput(
        concat("weights: expected one for each of ", shard.size(), " examples, found ", weights.size()));
  }
  if (const std::string fault = detail::too_large(shard); !fault.empty())
    throw InvalidInput("training data: " + fault);
  state_->classes = shard.classes();
  state_->largest = largest_number(shard);
  for (std::int64_t i = 0; i < shard.size(); ++i) {
    if (shard.label(i) == kUnlabelled) {
      throw InvalidInput("training data: example " + shard.name(i) + " has no label");
    }
    state_->examples.push_back(detail::identity(shard, i));
    if (!weights.empty()) state_->examples.back().weight = weights[at(i)];
    state_->lengths.push_back(shard.values(i).cols());
  }
}

void Roll::append(const Roll& next) {
  State& own = *state_;
  State other = *next.state_;
  if (other.examples.empty()) return;
  if (!own.examples.empty() && own.examples.front().rows != other.examples.front().rows) {
    throw InvalidInput(concat("training data: expected ", own.examples.front().rows,
                              " channels as in the first series, found ", other.examples.front().rows));
  }
  const std::vector<std::string> classes = united(own.classes, other.classes);
  rename(own.examples, own.classes, classes);
  rename(other.examples, other.classes, classes);
  own.classes = classes;
  own.examples.insert(own.examples.end(), other.examples.begin(), other.examples.end());
  own.lengths.insert(own.lengths.end(), other.lengths.begin(), other.lengths.end());
  own.largest = std::max(own.largest, other.largest);
}

std::int64_t Roll::size() const { return std::ssize(state_->examples); }
const std::vector<std::string>& Roll::classes() const { return state_->classes; }

std::string Roll::bytes() const {
  Bytes bytes(kRollMark);
  bytes.add(std::ssize(state_->classes));
  for (const std::string& label : state_->classes) bytes.add_text(label);
  bytes.add(state_->largest);
  bytes.add(size());
  for (std::size_t i = 0; i < state_->examples.size(); ++i) {
    const Identity& one = state_->examples[i];
    bytes.add(static_cast<std::int64_t>(one.label));
    bytes.add(one.rows);
    bytes.add(one.numbers);
    bytes.add(one.digest);
    bytes.add(one.weight);
    bytes.add(state_->lengths[i]);
  }
  return bytes.take();
}

Roll Roll::from_bytes(std::string_view bytes) {
  BytesReader reader(bytes, kRollMark, "roll");
  Roll roll;
  State& state = *roll.state_;
  const std::int64_t classes = reader.count(sizeof(std::int64_t));
  for (std::int64_t c = 0; c < classes; ++c) {
    state.classes.emplace_back(reader.take(at(reader.count(1))));
  }
  if (united(state.classes, {}) != state.classes) reader.fail();
  state.largest = reader.next<double>();
  const std::int64_t size = reader.count(7 * sizeof(std::int64_t));
  for (std::int64_t i = 0; i < size; ++i) {
    Identity& one = state.examples.emplace_back();
    const auto label = reader.next<std::int64_t>();
    if (label < 0 || label >= classes) reader.fail();
    one.label = static_cast<int>(label);
    one.rows = reader.next<std::int64_t>();
    one.numbers = reader.next<std::int64_t>();
    one.digest = reader.next<std::array<std::uint64_t, 2>>();
    one.weight = reader.next<double>();
    state.lengths.push_back(reader.next<std::int64_t>());
  }
  reader.end();
  return roll;
}

struct RollReader {
  static const Roll::State& state(const Roll& roll) { return *roll.state_; }
};

std::optional<Sharding> plan_shards(const Roll& roll, const TrainSettings& settings) {
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  const auto& [classes, examples, lengths, largest] = RollReader::state(roll);
  std::vector<std::int64_t> all(examples.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> given;
  for (const Identity& one : examples) given.push_back(one.weight);
  // Looks at weights as it would at those of one data set.
  const Dataset whole = labels_only(classes, examples, all, given);
  std::optional<detail::Grouping> grouping = detail::grouped(examples);
  const std::vector<std::int64_t>& first = grouping ? grouping->first : all;
  const Dataset data = grouping ? labels_only(classes, examples, first, grouping->weights) : whole;
  if (!detail::is_streamed(data, settings)) return std::nullopt;
  if (classes.size() == 1) {
    throw InvalidInput("training data: expected at least two classes, found only '" + classes[0] + "'");
  }
  if (data.classes().size() < classes.size()) {
    throw InvalidInput("training data: no example of some class weighs more than 0");
  }
  if (largest != 0.0 && largest < detail::kSmallestScale) {
    throw InvalidInput("training data: expected numbers of at least " +
                       detail::number(detail::kSmallestScale) + " in size, found none above " +
                       detail::number(largest));
  }
  if (settings.optimise != Optimise::accuracy) {
    throw InvalidInput(concat("optimise: expected accuracy where examples lie in shards, found ",
                              to_string(settings.optimise),
                              "; a threshold of its own takes trainings of parts of all examples"));
  }
  Sharding sharding;
  ShardPlan& plan = sharding.plan;
  plan.classes = classes;
  plan.examples = data.size();
  plan.weighted = data.is_weighted();
  plan.roots = detail::roots_of_weights(settings.class_weights, data);
  plan.length = lengths[at(first.front())];
  for (const std::int64_t i : first) {
    if (lengths[at(i)] != plan.length) plan.length = 0;
  }
  for (const std::int64_t k : detail::sampled(data, settings)) {
    plan.sample.push_back(first[at(k)]);
    plan.sample_weights.push_back(data.weight(k));
  }
  if (grouping) {
    sharding.weights.assign(examples.size(), 0.0);
    for (std::int64_t k = 0; k < data.size(); ++k) sharding.weights[at(first[at(k)])] = data.weight(k);
  }
  return sharding;
}

std::string ShardPlan::text() const {
  return detail::compact(Json{{"classes", classes},
                              {"sample", sample},
                              {"sample_weights", sample_weights},
                              {"examples", examples},
                              {"length", length},
                              {"roots", roots},
                              {"weighted", weighted}});
}

ShardPlan ShardPlan::from_text(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    ShardPlan plan{json.at("classes"), json.at("sample"), json.at("sample_weights"), json.at("examples"),
                   json.at("length"),  json.at("roots"),  json.at("weighted")};
    if (plan.sample.size() == plan.sample_weights.size() && plan.roots.size() == plan.classes.size())
      return plan;
  } catch (const Json::exception&) {  // said below
  }
  throw InvalidInput("plan: this text is none, or not of this version");
}

std::int64_t finders(const Dataset& sample, const ShardPlan& plan, const TrainSettings& settings) {
  check_sample(sample, plan);
  const TrainSettings own = detail::sample_settings(plan.examples, settings);
  const std::int64_t needed =
      std::max(detail::pass_bytes({plan.sample, sample, own}), smallest_memory(sample, own));
  if (settings.memory < needed) throw InvalidInput(detail::too_little_memory(needed, settings.memory));
  return std::ssize(shapeboost::plan(sample, own).members);
}

std::string find(const Dataset& sample, const ShardPlan& plan, const TrainSettings& settings,
                 std::int64_t member, const Observer& observer) {
  check_sample(sample, plan);
  const Plan planned = shapeboost::plan(sample, detail::sample_settings(plan.examples, settings));
  const auto members = std::ssize(planned.members);
  if (member < 0 || member >= members)
    throw InvalidInput(concat("member: expected 0 to ", members - 1, ", found ", member));
  ThreadPool threads(planned.settings.threads);
  const detail::FoundPatterns found =
      detail::find_patterns(sample, planned.members[at(member)], planned.settings,
                            detail::wanted_each(planned.settings.patterns, members),
                            stream_seed(settings.seed, at(member)), observer, threads);
  return detail::to_text(found, plan.classes);
}

TrainingResult weigh_sample(const Dataset& sample, const ShardPlan& plan, const TrainSettings& settings,
                            const std::vector<std::string>& found, const Observer& observer) {
  check_sample(sample, plan);
  const Plan planned = shapeboost::plan(sample, detail::sample_settings(plan.examples, settings));
  if (found.size() != planned.members.size()) {
    throw InvalidInput(
        concat("found: expected what ", planned.members.size(), " members found, got ", found.size()));
  }
  std::vector<detail::FoundPatterns> members;
  for (const std::string& text : found) members.push_back(detail::found_from_text(text));
  const detail::EvidenceReading reading(sample, planned.settings.evidence, planned.settings.class_weights);
  ThreadPool threads(planned.settings.threads);
  threads.run(std::ssize(members), [&](std::int64_t k) {
    members[at(k)].evidence = reading.of(members[at(k)].views, members[at(k)].hypotheses, threads);
  });
  TrainingResult result = detail::weigh(sample, std::move(members), planned.settings, observer, threads);
  detail::tell_of_whole(plan.sample, plan.examples, plan.length, result);
  return result;
}

struct EvidenceSums::State {
  NormalEquations sums;
};

EvidenceSums::EvidenceSums(std::unique_ptr<State> state) : state_(std::move(state)) {}
EvidenceSums::EvidenceSums(const EvidenceSums& other) : state_(std::make_unique<State>(*other.state_)) {}
EvidenceSums& EvidenceSums::operator=(const EvidenceSums& other) {
  *state_ = *other.state_;
  return *this;
}
EvidenceSums::EvidenceSums(EvidenceSums&&) noexcept = default;
EvidenceSums& EvidenceSums::operator=(EvidenceSums&&) noexcept = default;
EvidenceSums::~EvidenceSums() = default;

void EvidenceSums::add(const EvidenceSums& other) { state_->sums.add(other.state_->sums); }

/// Columns, targets, and S from the diagonal down, column after column.
std::string EvidenceSums::bytes() const {
  const NormalEquations& sums = state_->sums;
  Bytes bytes(kSumsMark);
  bytes.add(static_cast<std::int64_t>(sums.columns()));
  bytes.add(static_cast<std::int64_t>(sums.targets()));
  const Eigen::MatrixXd& S = sums.sum();
  std::string text = bytes.take();
  text.reserve(text.size() + sizeof(double) * at(S.rows() * (S.rows() + 1) / 2));
  for (Eigen::Index j = 0; j < S.cols(); ++j) {
    text.append(reinterpret_cast<const char*>(&S(j, j)), sizeof(double) * at(S.rows() - j));
  }
  return text;
}

EvidenceSums EvidenceSums::from_bytes(std::string_view bytes) {
  constexpr std::int64_t kMost = 1 << 24;
  BytesReader reader(bytes, kSumsMark, "sums");
  const auto columns = reader.next<std::int64_t>();
  const auto targets = reader.next<std::int64_t>();
  if (columns < 1 || targets < 1 || columns > kMost || targets > kMost) reader.fail();
  const std::int64_t n = columns + targets + 1;
  const std::string_view rest = reader.take(sizeof(double) * at(n * (n + 1) / 2));
  reader.end();
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(n, n);
  std::size_t taken = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    const std::size_t size = sizeof(double) * at(n - j);
    std::memcpy(&S(j, j), rest.data() + taken, size);
    taken += size;
  }
  return EvidenceSums(std::make_unique<State>(State{NormalEquations(columns, targets, std::move(S))}));
}

struct ShardWeigher::State {
  State(const Model& draft, const ShardPlan& given, int count)
      : plan(given), rows(draft, given.roots, given.weighted), threads(count) {}
  ShardPlan plan;
  detail::EvidenceRows rows;
  mutable ThreadPool threads;
};

ShardWeigher::ShardWeigher(const Model& draft, const ShardPlan& plan, int threads) {
  if (!draft.head || draft.kind != DataKind::series || draft.classes != plan.classes ||
      draft.hypotheses.empty()) {
    throw InvalidInput("draft: expected a model with a ridge head, of the plan's classes and with patterns");
  }
  state_ = std::make_unique<State>(draft, plan, threads);
}
ShardWeigher::~ShardWeigher() = default;

EvidenceSums ShardWeigher::none() const {
  return EvidenceSums(std::make_unique<EvidenceSums::State>(EvidenceSums::State{state_->rows.none()}));
}

bool ShardWeigher::add(const Dataset& shard, std::int64_t first, std::span<const double> weights,
                       EvidenceSums& sums, const Observer& observer) const {
  if (!weights.empty() && std::ssize(weights) != shard.size()) {
    throw InvalidInput(
        concat("weights: expected one for each of ", shard.size(), " examples, found ", weights.size()));
  }
  std::vector<std::int64_t> kept;
  std::vector<std::int64_t> numbers;
  std::vector<double> own;
  for (std::int64_t i = 0; i < shard.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[at(i)];
    if (weight == 0.0) continue;
    kept.push_back(i);
    numbers.push_back(first + i);
    own.push_back(weight);
  }
  if (kept.empty()) return true;
  Dataset data = shard.subset(kept).with_classes(state_->plan.classes);
  data.set_weights(own);
  try {
    const StopScope scope(observer.interrupted);
    state_->rows.add(data, numbers, sums.state_->sums, state_->threads);
  } catch (const Abandoned&) {
    if (is_abandoned(observer)) throw;
    return false;
  }
  return true;
}

Model ShardWeigher::finish(const EvidenceSums& sums, const Dataset& sample) const {
  check_sample(sample, state_->plan);
  const NormalEquations::Block judges = state_->rows.rows(sample, state_->plan.sample, state_->threads);
  return state_->rows.weighed(sums.state_->sums, judges, labels_in(sample), state_->threads);
}

}  // namespace shapeboost

// SPDX-License-Identifier: MIT
#include "train/assembly.hpp"

#include "learn/master.hpp"
#include "train/trainer.hpp"

namespace shapeboost {
namespace {

/// How much each member counts: c_k proportional to 1 / mean_i |g_k(B_i)|, summing to 1.
std::vector<double> shares_of(const std::vector<detail::Trained*>& of_member) {
  // A member that finds no margin above 0 may mix a pattern with its opposite, and what is left of its scores
  // is rounding: brought to the size of the others', it would drown them.
  constexpr double kVain = 1e-6;  // of the largest scores
  const auto size_of = [](const detail::Trained& member) {
    return member.hypotheses.empty() ? 0.0 : member.boosted.g.cwiseAbs().mean();
  };
  double largest = 0.0;
  for (const detail::Trained* member : of_member) largest = std::max(largest, size_of(*member));
  std::vector<double> shares;
  double sum = 0.0;
  for (const detail::Trained* member : of_member) {
    const double size = size_of(*member);
    shares.push_back(member->hypotheses.empty() || size <= kVain * largest ? 0.0 : 1.0 / size);
    sum += shares.back();
  }
  if (sum <= 0.0) shares.front() = sum = 1.0;  // no member learned anything: the larger class
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace

namespace detail {

Assembly::Assembly(const Dataset& data, const TrainSettings& settings) {
  Model& model = result_.model;
  model.kind = data.kind();
  model.classes = data.classes();
  model.strategy = *settings.strategy;
  model.parts = parts_for(static_cast<int>(data.classes().size()), model.strategy);
  model.provenance.source = data.source();
  model.provenance.bags = data.size();
  model.provenance.length = detail::common_length(data);
  model.provenance.seed = settings.seed;
  model.provenance.method = to_string(settings.method);
  result_.members = settings.members;
}

void Assembly::add_views(const std::vector<View>& views, const std::vector<ViewFacts>& facts) {
  Model& model = result_.model;
  first_view_.push_back(static_cast<int>(model.views.size()));
  model.views.insert(model.views.end(), views.begin(), views.end());
  model.provenance.views.insert(model.provenance.views.end(), facts.begin(), facts.end());
  for (const ViewFacts& fact : facts) result_.instances += fact.instances;
}

void Assembly::add_part(std::size_t p, const std::vector<Trained*>& of_member, const Problem& problem) {
  Part& part = result_.model.parts[p];
  const std::vector<double> shares = shares_of(of_member);
  if (problem.bags.empty()) leave_out(p, of_member, shares);
  Vector g = Vector::Zero(problem.sides.y.size());
  for (std::size_t k = 0; k < of_member.size(); ++k) {
    Trained& member = *of_member[k];
    g += shares[k] * member.boosted.g;
    part.b += shares[k] * member.boosted.b;
    part.nu = member.boosted.nu;
    for (std::size_t j = 0; j < member.hypotheses.size(); ++j) {
      const LearnedHypothesis& found = member.boosted.hypotheses[j];
      const double w = shares[k] * found.w;
      if (w > 0.0) part.weights.push_back({place_of(k, found, std::move(member.hypotheses[j])), w});
    }
    record(static_cast<int>(k), p, member.boosted);
  }
  const Vector margins = problem.sides.y.cwiseProduct(g);
  part.margins.assign(margins.begin(), margins.end());
  const Learned& only = of_member.front()->boosted;
  const SoftMargin margin =
      of_member.size() == 1
          ? SoftMargin{only.rho, only.gamma}
          : soft_margin(part.margins, Master::caps(problem.sides.y.size(), part.nu, problem.sides.v));
  part.rho = margin.rho;
  part.gamma = margin.gamma;
}

/// What the members that know nothing of an example say of it, in the proportions of their shares.
void Assembly::leave_out(std::size_t p, const std::vector<Trained*>& of_member,
                         const std::vector<double>& shares) {
  const Eigen::Index m = of_member.front()->boosted.g.size();
  if (left_out_.size() == 0) left_out_ = Eigen::MatrixXd::Zero(m, std::ssize(result_.model.parts));
  Vector sum = Vector::Zero(m);
  Vector share = Vector::Zero(m);
  Eigen::VectorXi members = Eigen::VectorXi::Zero(m);
  for (std::size_t k = 0; k < of_member.size(); ++k) {
    const Trained& member = *of_member[k];
    if (shares[k] == 0.0) continue;
    std::vector<char> known(at(m), member.bags.empty() ? 1 : 0);
    for (const std::int64_t bag : member.bags) known[at(bag)] = 1;
    for (const Hypothesis& hypothesis : member.hypotheses) {
      for (const Instance& z : hypothesis.shapelet.instances) {
        if (z.example >= 0) known[at(z.example)] = 1;
      }
    }
    for (Eigen::Index i = 0; i < m; ++i) {
      if (known[at(i)] != 0) continue;
      sum[i] += shares[k] * member.boosted.g[i];
      share[i] += shares[k];
      ++members[i];
    }
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    if (members[i] > 0) left_out_(i, static_cast<Eigen::Index>(p)) = sum[i] / share[i];
  }
  fewest_left_ = std::min(fewest_left_, members.minCoeff());
}

TrainingResult Assembly::finish() {
  sort_hypotheses();
  Provenance& provenance = result_.model.provenance;
  provenance.instances = result_.instances;
  for (const Stop stop : {Stop::interrupted, Stop::rounds, Stop::stalled, Stop::gap, Stop::nothing}) {
    if (std::find(stops_.begin(), stops_.end(), stop) == stops_.end()) continue;
    result_.stop = stop;
    break;
  }
  provenance.stopped = to_string(result_.stop);
  for (const RoundRecord& r : result_.rounds) {
    provenance.history.push_back({r.edge, r.gamma, r.gap, r.columns});
  }
  constexpr int kFewest = 5;  // members that must be left for every example
  if (left_out_.size() > 0 && fewest_left_ >= kFewest) result_.left_out = array_of(left_out_);
  return std::move(result_);
}

int Assembly::place_of(std::size_t member, const LearnedHypothesis& found, Hypothesis hypothesis) {
  std::vector<std::pair<Handle, double>> terms;
  for (const Term& term : found.terms) terms.emplace_back(term.z, term.alpha);
  hypothesis.view += first_view_[member];
  const auto [place, fresh] = known_.try_emplace({hypothesis.view, found.sign, std::move(terms)},
                                                 static_cast<int>(result_.model.hypotheses.size()));
  if (fresh) result_.model.hypotheses.push_back(std::move(hypothesis));
  return place->second;
}

void Assembly::record(int member, std::size_t part, const Learned& boosted) {
  result_.gap = std::max(result_.gap, boosted.gap());
  result_.duality_gap = std::max(result_.duality_gap, boosted.duality_gap);
  stops_.push_back(boosted.stop);
  for (RoundRecord r : boosted.rounds) {
    r.member = member;
    r.part = static_cast<int>(part);
    result_.rounds.push_back(r);
  }
}

/// By total weight, largest first; and each part's weights too.
void Assembly::sort_hypotheses() {
  Model& model = result_.model;
  std::vector<double> total(model.hypotheses.size(), 0.0);
  for (const Part& part : model.parts) {
    for (const Weight& weight : part.weights) total[at(weight.hypothesis)] += weight.w;
  }
  std::vector<std::size_t> order(total.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return total[a] > total[b]; });
  std::vector<int> place(order.size());
  std::vector<Hypothesis> sorted;
  for (std::size_t j = 0; j < order.size(); ++j) {
    place[order[j]] = static_cast<int>(j);
    sorted.push_back(std::move(model.hypotheses[order[j]]));
  }
  model.hypotheses = std::move(sorted);
  for (Part& part : model.parts) {
    for (Weight& weight : part.weights) weight.hypothesis = place[at(weight.hypothesis)];
    std::stable_sort(part.weights.begin(), part.weights.end(), [](const Weight& a, const Weight& b) {
      return a.w != b.w ? a.w > b.w : a.hypothesis < b.hypothesis;
    });
  }
}

}  // namespace detail

SoftMargin soft_margin(const std::vector<double>& margins, const Vector& caps) {
  // Concave and piecewise linear in rho: its slope, 1 less the caps of the margins below rho, turns at the
  // first margin whose cap brings the sum to 1.
  constexpr double kRounding = 1e-9;
  std::vector<std::size_t> order(margins.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return margins[a] < margins[b]; });
  double rho = 0.0;
  double sum = 0.0;
  for (const std::size_t i : order) {
    rho = margins[i];
    sum += caps[static_cast<Eigen::Index>(i)];
    if (sum >= 1.0 - kRounding) break;
  }
  double cost = 0.0;
  for (const std::size_t i : order) {
    cost += caps[static_cast<Eigen::Index>(i)] * std::max(0.0, rho - margins[i]);
  }
  return {rho, rho - cost};
}

}  // namespace shapeboost

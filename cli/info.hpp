// SPDX-License-Identifier: MIT
// The pieces of what `info` prints.
#pragma once

#include <string>

#include "shapeboost/guarantee.hpp"
#include "shapeboost/model.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {

/// The ways the model looks at an example: a line each, or, where they are many and not `all` are wanted, how
/// many of which kind.
[[nodiscard]] std::string describe_views(const Model& model, bool all);

/// The heaviest hypotheses, `most` or `all` of them, each told by its main instance.
[[nodiscard]] std::string describe_hypotheses(const Model& model, std::size_t most, bool all);

/// " from " after "absent", else " in ".
[[nodiscard]] inline std::string preposition(Claim claim) {
  return claim == Claim::absent ? " from " : " in ";
}

/// The class that a pattern of a head speaks for most: "b"; "not b" where it speaks against b alone; "b, where late"
/// where its place is all that counts.
[[nodiscard]] std::string describe_voice(const Model& model, const HypothesisSummary& summary);

/// "b from a", "b from the rest".
[[nodiscard]] std::string describe_sides(const Model& model, const Part& part,
                                         const std::string& between = " from ");

/// What the margins promise: in full for one part, else a line a part, or `all` of it.
[[nodiscard]] std::string describe_guarantees(const Model& model, const std::vector<Guarantee>& guarantees,
                                              double delta, bool all);

}  // namespace shapeboost::cli

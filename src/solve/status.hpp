// SPDX-License-Identifier: MIT
// How solvers end.
#pragma once

#include <string_view>

#include "ground/names.hpp"

namespace shapeboost {

/// How a solver ended. Never an exception: callers must look.
enum class Status { solved, iteration_limit, infeasible, unbounded, failed };

inline constexpr Names<Status, 5> kStatuses{{{Status::solved, "solved"},
                                             {Status::iteration_limit, "iteration limit"},
                                             {Status::infeasible, "infeasible"},
                                             {Status::unbounded, "unbounded"},
                                             {Status::failed, "failed"}}};

[[nodiscard]] inline std::string_view to_string(Status status) { return name_of(kStatuses, status); }

}  // namespace shapeboost

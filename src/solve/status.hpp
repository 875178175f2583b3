// SPDX-License-Identifier: MIT
// How solvers end.
#pragma once

#include <string_view>

namespace shapeboost {

/// How a solver ended. Never an exception: callers must look.
enum class Status { solved, iteration_limit, infeasible, unbounded, failed };

[[nodiscard]] std::string_view to_string(Status status);

}  // namespace shapeboost

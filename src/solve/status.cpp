// SPDX-License-Identifier: MIT
#include "solve/status.hpp"

#include "ground/names.hpp"

namespace shapeboost {

std::string_view to_string(Status status) {
  constexpr Names<Status, 5> kStatuses{{{Status::solved, "solved"},
                                        {Status::iteration_limit, "iteration limit"},
                                        {Status::infeasible, "infeasible"},
                                        {Status::unbounded, "unbounded"},
                                        {Status::failed, "failed"}}};
  return name_of(kStatuses, status);
}

}  // namespace shapeboost

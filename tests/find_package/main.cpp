// SPDX-License-Identifier: MIT
// Uses the installed library as a stranger would, memory that crosses the interface included.
#include <iostream>
#include <shapeboost/base.hpp>
#include <shapeboost/lp.hpp>
#include <shapeboost/version.hpp>

int main() {
  // min -x  s.t.  x <= 2,  0 <= x <= 3
  shapeboost::Lp lp;
  const int x = lp.add_column(-1.0, 0.0, 3.0);
  lp.add_row(-shapeboost::kInfinity, 2.0, {{x, 1.0}});
  const shapeboost::LpSolution solution = lp.solve();
  std::cout << "shapeboost " << shapeboost::kVersion << ": " << shapeboost::to_string(solution.status) << ", "
            << solution.objective << '\n';
  return solution.status == shapeboost::Status::solved && solution.objective == -2.0 ? 0 : 1;
}

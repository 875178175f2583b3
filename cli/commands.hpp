// SPDX-License-Identifier: MIT
// The subcommands, a file each. Each takes a word of the command line and what follows it; the work is the
// library's.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace shapeboost::cli {

struct Command {
  CLI::App* app;
  std::function<void()> run;  ///< once the command line has been read; throws InvalidInput or Error
};

[[nodiscard]] Command fit_command(CLI::App& app);
[[nodiscard]] Command tune_command(CLI::App& app);
[[nodiscard]] Command predict_command(CLI::App& app);
[[nodiscard]] Command evaluate_command(CLI::App& app);
[[nodiscard]] Command explain_command(CLI::App& app);
[[nodiscard]] Command report_command(CLI::App& app);
[[nodiscard]] Command info_command(CLI::App& app);
[[nodiscard]] Command convert_command(CLI::App& app);
[[nodiscard]] Command paper_command(CLI::App& app);
[[nodiscard]] Command demo_command(CLI::App& app);
[[nodiscard]] Command completion_command(CLI::App& app);

/// All of them: the exit code is 0; 2 for bad use and bad input, with one sentence on standard error; 1 for faults of our own.
[[nodiscard]] int run_program(int argc, const char* const* argv);

}  // namespace shapeboost::cli

// SPDX-License-Identifier: MIT
// The subcommands, a file each. Each takes a word of the command line and what follows it; the work is the
// library's.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace shapeboost::cli {

struct Command {
  CLI::App* app;
  std::function<void()> run;  ///< once the command line has been read; throws InvalidInput or Error
};

[[nodiscard]] Command fit_command(CLI::App& app);
[[nodiscard]] Command tune_command(CLI::App& app);
[[nodiscard]] Command predict_command(CLI::App& app);
[[nodiscard]] Command evaluate_command(CLI::App& app);
[[nodiscard]] Command info_command(CLI::App& app);
[[nodiscard]] Command convert_command(CLI::App& app);
[[nodiscard]] Command paper_command(CLI::App& app);
[[nodiscard]] Command demo_command(CLI::App& app);

}  // namespace shapeboost::cli
